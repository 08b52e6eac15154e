//! RUN lines without LLVM's lit, which needs Python.
//!
//! The commands of a test are one script of bash, which stops at the first that fails. lit's
//! conditions (`REQUIRES`, `UNSUPPORTED`, `XFAIL`) are errors.

use std::{env, ffi::OsString, fs, path::Path, process::Command};

/// The options of FileCheck in all tests.
pub(crate) const FILECHECK_OPTS: &str = "--enable-var-scope --dump-input-filter=error";

/// The substitutions of lit, the longest first of two with the same beginning, and their values.
pub(crate) type Substitutions<'s> = [(&'s str, String)];

/// A test's file and its scratch folder.
pub(crate) struct Script<'s> {
    pub(crate) file: &'s Path,
    pub(crate) scratch: &'s Path,
    /// The value of `PATH`.
    pub(crate) path: &'s OsString,
    pub(crate) substitutions: &'s Substitutions<'s>,
}

impl Script<'_> {
    /// Runs the commands. Returns their output if one fails.
    pub(crate) fn run(&self) -> Result<(), String> {
        let failed = |error: std::io::Error| format!("{}: {error}", self.file.display());
        let text = fs::read_to_string(self.file).map_err(failed)?;
        let script = self.substituted(&commands(&text)?.join(" &&\n"));
        fs::create_dir_all(self.scratch).map_err(failed)?;
        let output = Command::new("bash")
            .args(["-o", "pipefail", "-c", &script])
            .current_dir(self.scratch)
            .env("PATH", self.path)
            .env("FILECHECK_OPTS", FILECHECK_OPTS)
            .output()
            .map_err(|error| format!("cannot start bash: {error}"))?;
        if output.status.success() {
            return Ok(());
        }
        Err(format!(
            "FAIL\n{script}\n{}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        ))
    }

    fn substituted(&self, script: &str) -> String {
        let folder = self.file.parent().unwrap_or(self.file);
        let temporary = self.scratch.join("test.tmp");
        let common = [
            ("%s", self.file.display().to_string()),
            ("%S", folder.display().to_string()),
            ("%t", temporary.display().to_string()),
            ("%T", self.scratch.display().to_string()),
        ];
        let all = self.substitutions.iter().chain(&common);
        all.fold(script.to_owned(), |script, (name, value)| {
            script.replace(name, value)
        })
    }
}

/// The path of executables: folders before this process's own.
pub(crate) fn path_with(folders: &[&Path]) -> OsString {
    let own = env::var_os("PATH").unwrap_or_default();
    let folders = folders.iter().map(|folder| folder.to_path_buf());
    env::join_paths(folders.chain(env::split_paths(&own))).unwrap_or(own)
}

/// The commands of RUN lines.
fn commands(text: &str) -> Result<Vec<String>, String> {
    let mut commands: Vec<String> = Vec::new();
    let mut is_continued = false;
    for line in text.lines() {
        for condition in ["REQUIRES:", "UNSUPPORTED:", "XFAIL:"] {
            if line.contains(condition) {
                return Err(format!("'{condition}' needs LLVM's lit"));
            }
        }
        let Some((_, command)) = line.split_once("RUN:") else {
            continue;
        };
        let command = command.trim();
        let (command, continues) = match command.strip_suffix('\\') {
            Some(start) => (start, true),
            None => (command, false),
        };
        match commands.last_mut() {
            Some(last) if is_continued => last.push_str(command),
            _ => commands.push(command.to_owned()),
        }
        is_continued = continues;
    }
    if commands.is_empty() {
        return Err("the file has no RUN line".to_owned());
    }
    Ok(commands)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(text: &str) -> Result<(), String> {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("test.mlir");
        fs::write(&file, text).unwrap();
        let script = Script {
            file: &file,
            scratch: &folder.path().join("scratch"),
            path: &path_with(&[]),
            substitutions: &[("%shlibext", ".so".to_owned())],
        };
        script.run()
    }

    #[test]
    fn runs_all_lines_with_substitutions() {
        run("// RUN: grep -c RUN %s > %t\n// RUN: grep -q \\\n// RUN: 4 %t\n// RUN: test %shlibext = .so\n")
            .unwrap();
    }

    #[test]
    fn fails_if_a_command_does() {
        let first = run("// RUN: false | cat\n// RUN: true\n").unwrap_err();
        assert!(first.starts_with("FAIL\nfalse | cat &&\ntrue\n"), "{first}");
        let shown = run("// RUN: echo expected %shlibext >&2; exit 1\n").unwrap_err();
        assert!(shown.ends_with("\nexpected .so\n"), "{shown}");
    }

    #[test]
    fn rejects_what_only_lit_supports() {
        assert_eq!(
            run("// XFAIL: *\n// RUN: false\n").unwrap_err(),
            "'XFAIL:' needs LLVM's lit"
        );
        assert_eq!(
            run("func.func @f()\n").unwrap_err(),
            "the file has no RUN line"
        );
    }
}
