//! The file with the smallest program so far.
//!
//! It is rewritten atomically whenever a smaller program is found, so that an interrupt, which
//! tools do not handle, leaves the best program.

use crate::program::Program;
use halo::{
    core::file,
    frontend::hlo_text,
    hlo_text::PrintOptions,
    runtime::{Error, Result},
};
use std::{
    io::{ErrorKind, Write},
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

/// Programs of this many bytes are not written at each step.
const LARGE: usize = 1 << 20;

/// The maximum delay before a large program is written.
const DELAY: Duration = Duration::from_secs(5);

/// The path and format of the result.
pub struct Output {
    path: PathBuf,
    /// Set if scripts get HLO text, and the result is HLO text.
    is_hlo: bool,
    /// Set if candidates have the format of the file, for scripts.
    tests_format: bool,
    /// The comment before the program, without comment marks.
    comment: Vec<String>,
    written: Option<Instant>,
}

impl Output {
    /// # Errors
    /// Returns an error if the file cannot be written, before the search begins.
    pub fn new(path: PathBuf, tests_format: bool) -> Result<Self> {
        if !file::is_standard_stream(&path) {
            file::check_writable(&path)?;
        }
        let end = path.extension();
        Ok(Self {
            is_hlo: end.is_some_and(|end| end == "hlo"),
            path,
            tests_format,
            comment: Vec::new(),
            written: None,
        })
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Sets the comment lines before the program.
    pub fn set_comment(&mut self, lines: Vec<String>) {
        self.comment = lines.iter().map(|line| visible(line)).collect();
    }

    /// Switches to MLIR, in a file of another name, if HLO text cannot express the program. Returns
    /// true if this changes anything.
    pub fn fall_back_to_mlir(&mut self) -> bool {
        if !self.is_hlo {
            return false;
        }
        self.is_hlo = false;
        if !file::is_standard_stream(&self.path) {
            self.path.set_extension("mlir");
        }
        true
    }

    /// The file name of candidates for scripts.
    pub fn candidate_name(&self) -> &'static str {
        if self.is_hlo {
            "candidate.hlo"
        } else {
            "candidate.mlir"
        }
    }

    /// The code of a program for a test; `None` if the format cannot express it.
    pub fn code_for_test(&self, program: &Program, text: &[u8]) -> Option<Vec<u8>> {
        if !self.is_hlo {
            return Some(text.to_vec());
        }
        let exported = exported(program).ok()?;
        Some(if self.tests_format {
            exported
        } else {
            text.to_vec()
        })
    }

    /// Writes a program, except for large ones shortly after another one.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn keep(&mut self, program: &Program, text: &[u8]) -> Result<()> {
        let is_recent = self.written.is_some_and(|time| time.elapsed() < DELAY);
        if file::is_standard_stream(&self.path) || (text.len() > LARGE && is_recent) {
            return Ok(());
        }
        self.write(program, text)?;
        self.written = Some(Instant::now());
        Ok(())
    }

    /// Writes the final program.
    ///
    /// # Errors
    /// Like [`keep`](Self::keep).
    pub fn write(&self, program: &Program, text: &[u8]) -> Result<()> {
        let code = if self.is_hlo {
            exported(program)?
        } else {
            text.to_vec()
        };
        let mut whole = Vec::new();
        for line in &self.comment {
            whole.extend_from_slice(format!("// {line}\n").as_bytes());
        }
        whole.extend_from_slice(&code);
        if !whole.ends_with(b"\n") {
            whole.push(b'\n');
        }
        if file::is_standard_stream(&self.path) {
            let mut out = std::io::stdout().lock();
            match out.write_all(&whole).and_then(|()| out.flush()) {
                // The reader closed the pipe early.
                Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(Error::execution(
                    format!("cannot write to standard output: {error}"),
                )),
                _ => Ok(()),
            }
        } else {
            Ok(file::write_whole(&self.path, |file| {
                file.write_all(&whole)
            })?)
        }
    }
}

/// A program as HLO text.
///
/// # Errors
/// Returns an error if HLO text cannot express the program.
fn exported(program: &Program) -> Result<Vec<u8>> {
    let hlo = hlo_text::export(program.module())?;
    Ok(hlo.print(&PrintOptions::long()).into_bytes())
}

/// A text on one line: a name may contain any characters.
pub fn visible(line: &str) -> String {
    line.replace(|letter: char| letter.is_control(), "?")
}

/// The default path of the result.
pub fn default_path(file: &Path, is_hlo: bool) -> PathBuf {
    if file::is_standard_stream(file) {
        return PathBuf::from("-");
    }
    let end = if is_hlo { "hlo" } else { "mlir" };
    let stem = file.file_stem().unwrap_or_default().to_os_string();
    let mut name = stem;
    name.push(".reduced.");
    name.push(end);
    file.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_lie_beside_programs() {
        let of = |name: &str, is_hlo| default_path(Path::new(name), is_hlo);
        assert_eq!(of("a/b.mlir", false), Path::new("a/b.reduced.mlir"));
        assert_eq!(of("a/b.pb", true), Path::new("a/b.reduced.hlo"));
        assert_eq!(of("a/b", false), Path::new("a/b.reduced.mlir"));
        assert_eq!(of("-", false), Path::new("-"));
    }
}
