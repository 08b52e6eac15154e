//! The system's linker: a C compiler for the target.

use std::path::PathBuf;
use std::process::Command;

use halo_runtime::{Error, Result};
use tempfile::TempDir;

use super::ObjectCode;

/// A program or library in a temporary folder, which is deleted with it.
#[derive(Debug)]
pub struct Linked(TempDir);

impl Linked {
    /// Its file.
    pub fn path(&self) -> PathBuf {
        self.0.path().join("linked")
    }
}

/// Links files of the given names, which may include the headers among them, and the C library's
/// mathematical functions. `linker` is a command with its arguments.
///
/// # Errors
/// Returns an invalid-input error if the command is empty; an execution error with its first
/// message if it cannot be run or fails.
pub fn link(linker: &[String], flags: &[&str], files: &[(&str, &[u8])]) -> Result<Linked> {
    let [program, arguments @ ..] = linker else {
        return Err(Error::invalid("no linker is named"));
    };
    let failed = |text: String| Error::execution(format!("linker '{program}': {text}"));
    let in_files = |error: std::io::Error| failed(error.to_string());
    let linked = Linked(tempfile::tempdir().map_err(in_files)?);
    let mut command = Command::new(program);
    command.args(flags);
    for (name, contents) in files {
        let path = linked.0.path().join(name);
        std::fs::write(&path, contents).map_err(in_files)?;
        if !name.ends_with(".h") {
            command.arg(path);
        }
    }
    command.args(arguments).arg("-lm").arg("-o");
    let done = command.arg(linked.path()).output().map_err(in_files)?;
    if done.status.success() {
        Ok(linked)
    } else {
        Err(failed(first_error(&done.stderr, &done.status.to_string())))
    }
}

/// Makes a shared library of code.
///
/// # Errors
/// Returns the errors of [`link`].
pub fn shared_library(code: &ObjectCode, linker: &[String]) -> Result<Linked> {
    let flags = [&["-shared", "-fPIC"], code.form.flags()].concat();
    let file = format!("{}.{}", code.name, code.form.extension());
    link(linker, &flags, &[(&file, &code.code[..])])
}

/// The first error message of a linker, except messages that a program it called has failed, which
/// GCC prints last.
fn first_error(text: &[u8], otherwise: &str) -> String {
    let text = String::from_utf8_lossy(text);
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let is_error = |line: &&str| {
        (line.contains("undefined") || line.contains("error:")) && !line.starts_with("collect2:")
    };
    let first = lines.clone().next();
    lines.find(is_error).or(first).unwrap_or(otherwise).to_owned()
}

#[cfg(test)]
mod tests {
    use super::first_error;

    #[test]
    fn the_cause_is_named() {
        let of = |text: &str| first_error(text.as_bytes(), "exit status: 1");
        let foreign = "/usr/bin/ld: a.o: Relocations in generic ELF (EM: 243)\n\
                       collect2: error: ld returned 1 exit status\n";
        assert_eq!(
            of(foreign),
            "/usr/bin/ld: a.o: Relocations in generic ELF (EM: 243)"
        );
        let lacking =
            "ld: main.o: in function `main':\nmain.c:(.text+0x1): undefined reference to `f'\n";
        assert_eq!(
            of(lacking),
            "main.c:(.text+0x1): undefined reference to `f'"
        );
        assert_eq!(of(" \n"), "exit status: 1");
    }
}
