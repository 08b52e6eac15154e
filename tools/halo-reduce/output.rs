//! The file that has the smallest program so far.
//!
//! It is written whole whenever a program is smaller, so that an interrupt, which no tool
//! handles, leaves the best behind.

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

/// A program of so many bytes is not written at each step.
const LARGE: usize = 1 << 20;

/// How long the file of a large program may be behind.
const DELAY: Duration = Duration::from_secs(5);

/// Where a program goes, and in which format.
pub struct Output {
    path: PathBuf,
    /// Whether scripts get HLO text, and the result is.
    is_hlo: bool,
    /// Whether what is tested is in the format of the file, for scripts.
    tests_format: bool,
    /// What stands before the program, without the marks of a comment.
    comment: Vec<String>,
    written: Option<Instant>,
}

impl Output {
    /// # Errors
    /// If the file cannot be written, which is better known now.
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

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Says what the program is of, on lines before it.
    pub fn set_comment(&mut self, lines: Vec<String>) {
        self.comment = lines.iter().map(|line| visible(line)).collect();
    }

    /// Writes MLIR from now on, to a file of another name, where HLO text cannot say what
    /// the program does. Returns whether anything changes.
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

    /// The name that candidates have for scripts.
    pub fn candidate_name(&self) -> &'static str {
        if self.is_hlo {
            "candidate.hlo"
        } else {
            "candidate.mlir"
        }
    }

    /// What is tested of a program; `None` where the format has no way to write it.
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

    /// Writes a program, but for large ones that follow others soon.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn keep(&mut self, program: &Program, text: &[u8]) -> Result<()> {
        let is_recent = self.written.is_some_and(|time| time.elapsed() < DELAY);
        if file::is_standard_stream(&self.path) || (text.len() > LARGE && is_recent) {
            return Ok(());
        }
        self.write(program, text)?;
        self.written = Some(Instant::now());
        Ok(())
    }

    /// Writes the last program.
    ///
    /// # Errors
    /// As [`keep`](Self::keep).
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
                // A reader that has read enough.
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
/// If HLO has no way to say it.
fn exported(program: &Program) -> Result<Vec<u8>> {
    let hlo = hlo_text::export(program.module())?;
    Ok(hlo.print(&PrintOptions::long()).into_bytes())
}

/// A text on one line: a name may have any characters in it.
pub fn visible(line: &str) -> String {
    line.replace(|letter: char| letter.is_control(), "?")
}

/// Where the result of a program goes that names no place.
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
