//! Reproducers: programs with the passes that fail on them, as `halo-opt` and `mlir-opt` write
//! them.

use crate::cli::Cli;
use halo::runtime::Error;
use std::{fs, io::Read, path::Path};

/// The mark at the end of a reproducer.
const MARK: &[u8] = b"mlir_reproducer";

/// The prefix of the pipeline.
const PIPELINE: &str = "pipeline: \"";

/// Returns true if a file is a reproducer. Standard input is not.
pub fn is_in(file: &Path) -> bool {
    let mut content = Vec::new();
    let read = fs::File::open(file).and_then(|mut file| {
        if file.metadata()?.is_file() {
            file.read_to_end(&mut content)
        } else {
            Ok(0)
        }
    });
    read.is_ok() && pipeline(&content).is_some()
}

/// The passes from the command line, or from the program.
///
/// # Errors
/// Returns an error if the program cannot be read.
pub fn pipeline_of(cli: &Cli) -> Result<Option<String>, Error> {
    if cli.pass_pipeline.is_some() || cli.differs.is_some() || cli.test.is_some() {
        return Ok(cli.pass_pipeline.clone());
    }
    if cli.backend.is_some() || !is_in(&cli.file) {
        return Ok(None);
    }
    let content = halo::core::file::read_input(&cli.file)?;
    Ok(pipeline(&content))
}

/// Removes the pipeline of a reproducer, about which the parser would warn; files with other
/// resources are left unchanged.
pub fn without_pipeline(code: &[u8]) -> &[u8] {
    const START: &[u8] = b"{-#";
    const OTHERS: &[u8] = b"dialect_resources";
    let found = code.windows(START.len()).rposition(|part| part == START);
    match found {
        Some(start)
            if pipeline(&code[start..]).is_some()
                && !code[start..].windows(OTHERS.len()).any(|part| part == OTHERS) =>
        {
            &code[..start]
        }
        _ => code,
    }
}

/// The passes of a reproducer.
pub fn pipeline(code: &[u8]) -> Option<String> {
    let start = code.windows(MARK.len()).rposition(|part| part == MARK)?;
    let text = String::from_utf8_lossy(&code[start..]);
    let (_, rest) = text.split_once(PIPELINE)?;
    // MLIR's strings escape quotes and bytes as two hexadecimal digits.
    let mut value = Vec::new();
    let mut bytes = rest.bytes();
    loop {
        match bytes.next()? {
            b'"' => return String::from_utf8(value).ok(),
            b'\\' => {
                let first = bytes.next()?;
                match char::from(first).to_digit(16) {
                    None => value.push(first),
                    Some(high) => {
                        let low = char::from(bytes.next()?).to_digit(16)?;
                        value.push(u8::try_from(high * 16 + low).ok()?);
                    }
                }
            }
            byte => value.push(byte),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pipelines_are_read_from_reproducers() {
        let code = br#"module {}
{-#
  external_resources: {
    mlir_reproducer: {
      pipeline: "builtin.module(canonicalize{a=\22b\22})",
      disable_threading: true
    }
  }
#-}"#;
        assert_eq!(
            pipeline(code).as_deref(),
            Some("builtin.module(canonicalize{a=\"b\"})")
        );
        assert_eq!(without_pipeline(code), b"module {}\n");
        assert_eq!(pipeline(b"module {}"), None);
        assert_eq!(without_pipeline(b"module {}"), b"module {}");
        assert_eq!(pipeline(b"mlir_reproducer pipeline: \"cse"), None);
    }
}
