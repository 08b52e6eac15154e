//! The `console` blocks of a page: commands after `$`, and their output.
//!
//! All blocks of a page run in one folder, one after the other, as a reader would type them. The
//! folder has the examples of the repository in `examples`, the plug-in of
//! `examples/out-of-tree/miscompile`, and the blocks of the page with a note `<!-- file: NAME -->`
//! as files. A line `...` of the page matches any lines, and `...` at the end
//! of a line any end. A block with the note `<!-- not run: REASON -->` is not run, a block with
//! `<!-- needs: PROGRAM -->` only if the program is installed, and a block without output only has
//! to succeed.

use crate::markdown::Block;
use std::{
    ffi::OsStr,
    fmt, fs, io,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// The note before a block that is a file.
const FILE: &str = "file: ";
/// The note before a block that is not run.
const NOT_RUN: &str = "not run: ";
/// The note before a block that needs a program in the path.
const NEEDS: &str = "needs: ";

/// Matches any lines, or any end of a line.
const ANY: &str = "...";

/// A command of a block, and its output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    pub command: String,
    pub output: Vec<String>,
}

/// A step whose output differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The line of its block in the page.
    pub line: usize,
    pub step: Step,
    pub printed: Vec<String>,
}

impl Difference {
    /// The page with the step's actual output instead of the shown output; `None` if the shown
    /// output matches any lines.
    pub fn accepted(&self, page: &str) -> Option<String> {
        let is_any = |line: &String| line.ends_with(ANY);
        if self.step.output.is_empty() || self.step.output.iter().any(is_any) {
            return None;
        }
        let text = |output: &[String]| format!("$ {}\n{}\n", self.step.command, output.join("\n"));
        let shown = text(&self.step.output);
        page.contains(&shown).then(|| page.replacen(&shown, &text(&self.printed), 1))
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "{}: `{}` prints\n{}",
            self.line,
            self.step.command,
            self.printed.join("\n")
        )
    }
}

/// The commands of a block.
pub fn steps(text: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let Some(first) = line.strip_prefix("$ ") else {
            if let Some(step) = steps.last_mut() {
                step.output.push(line.to_owned());
            }
            continue;
        };
        let mut command = first.to_owned();
        // Until its quotes are closed.
        while command.ends_with('\\') || shlex::split(&command).is_none() {
            let Some(next) = lines.next() else { break };
            command.push('\n');
            command.push_str(next);
        }
        steps.push(Step {
            command,
            output: Vec::new(),
        });
    }
    steps
}

/// Runs the blocks of a page, with the tools of `path`, and returns the differences. `links` are files
/// and folders that are in the folder of the page under their names.
///
/// # Errors
/// Returns an error if no folder can be created, or the shell does not start.
pub fn run(
    blocks: &[Block],
    links: &[(&str, PathBuf)],
    path: &OsStr,
) -> io::Result<Vec<Difference>> {
    let folder = tempfile::tempdir()?;
    for (name, target) in links {
        link(target, &folder.path().join(name))?;
    }
    let mut wrong = Vec::new();
    for block in blocks {
        let note = block.note.as_deref().unwrap_or_default();
        if let Some(name) = note.strip_prefix(FILE) {
            fs::write(folder.path().join(name), &block.text)?;
        }
        if block.language != "console" || note.starts_with(NOT_RUN) {
            continue;
        }
        if let Some(program) = note.strip_prefix(NEEDS)
            && !is_in(path, program)
        {
            eprintln!(
                "skipped: {program} is not there for the block in line {}",
                block.line
            );
            continue;
        }
        for step in steps(&block.text) {
            let (succeeds, printed) = execute(&step.command, folder.path(), path)?;
            let printed: Vec<&str> = printed.lines().map(str::trim_end).collect();
            let printed = trimmed(&printed);
            let shown: Vec<&str> = step.output.iter().map(|line| line.trim_end()).collect();
            let is_right = if shown.is_empty() {
                succeeds
            } else {
                matches(trimmed(&shown), printed)
            };
            if !is_right {
                wrong.push(Difference {
                    line: block.line,
                    printed: printed.iter().map(|line| (*line).to_owned()).collect(),
                    step,
                });
            }
        }
    }
    Ok(wrong)
}

/// Returns true if a folder of a path has a program.
fn is_in(path: &OsStr, program: &str) -> bool {
    std::env::split_paths(path).any(|folder| folder.join(program).is_file())
}

/// Runs a command; returns whether it succeeds, and its output.
fn execute(command: &str, folder: &Path, path: &OsStr) -> io::Result<(bool, String)> {
    let output = Command::new("bash")
        .args(["-c", &format!("exec 2>&1\n{command}")])
        .current_dir(folder)
        .env("PATH", path)
        .env("NO_COLOR", "1")
        .env_remove("HALO_CACHE_DIR")
        .env_remove("HALO_LOG")
        .stdin(Stdio::null())
        .output()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    Ok((output.status.success(), text))
}

/// Without empty lines at both ends.
fn trimmed<'l, 't>(mut lines: &'l [&'t str]) -> &'l [&'t str] {
    while let [first, rest @ ..] = lines
        && first.is_empty()
    {
        lines = rest;
    }
    while let [rest @ .., last] = lines
        && last.is_empty()
    {
        lines = rest;
    }
    lines
}

/// Returns true if lines match the page, in which `...` matches any.
fn matches(shown: &[&str], printed: &[&str]) -> bool {
    match (shown, printed) {
        ([], _) => printed.is_empty(),
        ([ANY, rest @ ..], _) => (0..=printed.len()).any(|left| matches(rest, &printed[left..])),
        ([line, shown @ ..], [other, printed @ ..]) => {
            let is_same = match line.strip_suffix(ANY) {
                Some(beginning) => other.starts_with(beginning),
                None => line == other,
            };
            is_same && matches(shown, printed)
        }
        (_, []) => false,
    }
}

#[cfg(unix)]
fn link(target: &Path, path: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(fs::canonicalize(target)?, path)
}

#[cfg(not(unix))]
fn link(_: &Path, _: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_commands_with_output() {
        let text = "$ echo 'a\nb' |\\\n  cat\na\nb\n$ true\n";
        assert_eq!(
            steps(text),
            [
                Step {
                    command: "echo 'a\nb' |\\\n  cat".to_owned(),
                    output: vec!["a".to_owned(), "b".to_owned()],
                },
                Step {
                    command: "true".to_owned(),
                    output: Vec::new(),
                },
            ]
        );
    }

    #[test]
    fn dots_stand_for_any_lines() {
        assert!(matches(&["a", "...", "d"], &["a", "b", "c", "d"]));
        assert!(matches(&["..."], &[]));
        assert!(matches(&["a ..."], &["a b"]));
        assert!(!matches(&["a ..."], &["b a"]));
        assert!(matches(&["...", "..."], &["a"]));
        assert!(!matches(&["a", "..."], &["b"]));
        assert!(!matches(&["a"], &["a", "b"]));
        assert!(!matches(&["a", "b"], &["a"]));
    }

    #[test]
    fn what_is_printed_is_compared() {
        let block = |language: &str, text: &str, note: Option<&str>| Block {
            language: language.to_owned(),
            text: text.to_owned(),
            line: 7,
            note: note.map(str::to_owned),
        };
        let root = crate::pages::root();
        let path = std::env::var_os("PATH").unwrap();
        let blocks = [
            block("text", "x\ny\n", Some("file: f")),
            block("console", "$ cat f\nx\ny\n", None),
            block(
                "console",
                "$ no-such-program\n",
                Some("not run: there is none"),
            ),
            block(
                "console",
                "$ no-such-program\n",
                Some("needs: no-such-program"),
            ),
            block("console", "$ echo x\ny\n", Some("needs: bash")),
            block(
                "console",
                "$ ls examples\n...\nmlp\n...\n$ echo z\nw\n$ false\n",
                None,
            ),
        ];
        let links = [("examples", root.join("examples"))];
        let wrong = run(&blocks, &links, &path).unwrap();
        let told: Vec<String> = wrong.iter().map(ToString::to_string).collect();
        assert_eq!(
            told,
            [
                "7: `echo x` prints\nx",
                "7: `echo z` prints\nz",
                "7: `false` prints\n",
            ]
        );
        assert_eq!(
            wrong[1].accepted("a\n$ echo z\nw\nb").unwrap(),
            "a\n$ echo z\nz\nb"
        );
        assert_eq!(wrong[2].accepted("$ false\n"), None);
    }
}
