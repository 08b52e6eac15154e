//! The comment above a reduced program: how it fails, and the commands that reproduce it, so that
//! the file is a complete report.

use crate::{cli::Cli, interest::Outcome, program::Program};
use halo::{core::file, ir::root_of, prelude::*};
use std::{ffi::OsString, path::Path};

/// Options with a value that `halo-reduce` and `halo-run` share.
const WITH_VALUE: [&str; 14] = [
    "--insert-passes",
    "--replace-pass",
    "--remove-pass",
    "--schedule",
    "--backend-option",
    "--gpu-dot",
    "--gpu-f32",
    "--gpu-arch",
    "--threads",
    "--target",
    "--target-cpu",
    "--target-features",
    "--rtol",
    "--atol",
];

/// Flags that they share.
const FLAGS: [&str; 3] = [
    "--no-constant-folding",
    "--no-tiered-compilation",
    "--flush-subnormals",
];

/// Also for the reference.
const PLUGIN: &str = "--load-plugin";

/// The commands of a search.
pub struct Report<'a> {
    cli: &'a Cli,
    pipeline: Option<String>,
    outcome: Outcome,
    /// The options of the backend under test, and options for any backend.
    options: Vec<String>,
    plugins: Vec<String>,
}

impl<'a> Report<'a> {
    /// `arguments` is the command line, `outcome` is the original's.
    pub fn new(
        cli: &'a Cli,
        arguments: &[OsString],
        pipeline: Option<&str>,
        outcome: &Outcome,
    ) -> Self {
        Self {
            cli,
            pipeline: pipeline.map(str::to_owned),
            outcome: outcome.clone(),
            options: chosen(arguments, &WITH_VALUE, &FLAGS),
            plugins: chosen(arguments, &[PLUGIN], &[]),
        }
    }

    /// The comment lines of a program in a file.
    pub fn lines(&self, program: &Program, path: &Path) -> Vec<String> {
        self.with_outcome(program, path, &self.outcome)
    }

    /// The comment lines of a program with an outcome.
    pub fn with_outcome(&self, program: &Program, path: &Path, outcome: &Outcome) -> Vec<String> {
        let name = if file::is_standard_stream(path) {
            "reduced.mlir".to_owned()
        } else {
            path.file_name()
                .map(|name| name.to_string_lossy().into_owned())
                .unwrap_or_default()
        };
        let mut lines = vec![outcome.describe()];
        lines.extend(self.commands(program, &name));
        lines
    }

    fn commands(&self, program: &Program, name: &str) -> Vec<String> {
        if let Some(script) = &self.cli.test {
            let mut words = vec![script.display().to_string()];
            words.extend(self.cli.test_arg.iter().cloned());
            words.push(name.to_owned());
            return vec![quoted(&words)];
        }
        if let Some(pipeline) = &self.pipeline {
            let mut words = vec!["halo-opt".to_owned(), name.to_owned()];
            words.extend(self.plugins.iter().cloned());
            words.push(format!("--pass-pipeline={pipeline}"));
            return vec![quoted(&words)];
        }
        let run = |backend: Option<&str>| {
            let mut words = vec!["halo-run".to_owned(), name.to_owned()];
            words.extend(self.plugins.iter().cloned());
            words.extend(backend.map(|name| format!("--backend={name}")));
            words.extend(self.entry(program));
            let inputs = program.given.iter();
            let inputs = inputs.filter_map(|number| self.cli.inputs.get(*number));
            words.extend(inputs.map(|value| format!("--input={value}")));
            words.push(format!("--random-inputs={}", self.cli.random_inputs));
            words
        };
        let Some((tested, reference)) = &self.cli.differs else {
            let mut words = run(self.cli.backend.as_deref());
            words.extend(self.options.iter().cloned());
            return vec![quoted(&words)];
        };
        let results: Vec<String> = (0..result_count(program))
            .map(|number| format!("@expected-{number}.npy"))
            .collect();
        let mut first = run(Some(reference));
        first.extend(results.iter().map(|file| format!("--output={file}")));
        let mut second = run(Some(tested));
        second.extend(self.options.iter().cloned());
        second.extend(results.iter().map(|file| format!("--expect={file}")));
        vec![quoted(&first), quoted(&second)]
    }

    /// The option that names the entry, if it is not the only function.
    fn entry(&self, program: &Program) -> Option<String> {
        let name = program.entry.as_deref()?;
        let is_found = name == "main" || program.size().functions == 1;
        (!is_found).then(|| format!("--entry={name}"))
    }
}

/// The number of tensors that the entry returns.
fn result_count(program: &Program) -> usize {
    let functions = crate::program::functions(root_of(program.module()));
    let entry = functions
        .into_iter()
        .find(|op| crate::program::symbol_of(*op) == program.entry.as_deref());
    let last = entry.and_then(|entry| entry.body(0)).and_then(Block::terminator);
    last.map_or(0, |last| last.operands().len().max(last.operand_count()))
}

/// The options of a command line with these names.
fn chosen(arguments: &[OsString], with_value: &[&str], flags: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = arguments.iter().map(|it| it.to_string_lossy().into_owned());
    while let Some(argument) = rest.next() {
        let name = argument.split('=').next().unwrap_or_default();
        if flags.contains(&name) {
            found.push(argument);
        } else if with_value.contains(&name) {
            if argument.contains('=') {
                found.push(argument)
            } else {
                found.push(format!("{argument}={}", rest.next().unwrap_or_default()))
            }
        }
    }
    found
}

/// Words quoted for a shell.
fn quoted(words: &[String]) -> String {
    let quote = |word: &String| {
        let is_plain =
            |letter: char| letter.is_ascii_alphanumeric() || "-_=./@,+:".contains(letter);
        if !word.is_empty() && word.chars().all(is_plain) {
            word.clone()
        } else {
            format!("'{}'", word.replace('\'', "'\\''"))
        }
    };
    words.iter().map(quote).collect::<Vec<_>>().join(" ")
}

/// `1 op`, `2 ops`.
pub fn counted(count: usize, what: &str) -> String {
    match count {
        1 => format!("1 {what}"),
        _ => format!("{count} {what}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_those_of_the_backend() {
        let arguments = [
            "a.mlir",
            "--insert-passes=hlo:x{a=1}",
            "--differs=cpu,interpreter",
            "--rtol",
            "1e-3",
            "--no-constant-folding",
            "--load-plugin=x.so",
        ];
        let arguments = arguments.map(OsString::from);
        assert_eq!(
            chosen(&arguments, &WITH_VALUE, &FLAGS),
            [
                "--insert-passes=hlo:x{a=1}",
                "--rtol=1e-3",
                "--no-constant-folding"
            ]
        );
        assert_eq!(chosen(&arguments, &[PLUGIN], &[]), ["--load-plugin=x.so"]);
    }

    #[test]
    fn shells_get_words() {
        let words = ["halo-run", "a b", "--insert-passes=hlo:x{a=1}", "it's"];
        assert_eq!(
            quoted(&words.map(str::to_owned)),
            r"halo-run 'a b' '--insert-passes=hlo:x{a=1}' 'it'\''s'"
        );
    }
}
