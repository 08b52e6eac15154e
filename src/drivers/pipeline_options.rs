//! The options that change or print the passes of a backend, on the command lines of all
//! tools that compile.
//!
//! Edits are applied one after the other, so their order matters across the options, but clap's
//! derived parsers keep the order within one option only.

use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use halo_backend::PipelineEdit;
use halo_runtime::Error;

/// Changes to the passes of a backend, and the passes to print after.
#[derive(Clone, Debug, Default)]
pub struct PipelineArguments {
    /// In the order of the command line.
    pub edits: Vec<PipelineEdit>,
    /// The locations after which the program is printed.
    pub print_ir_after: Vec<String>,
}

type ParseEdit = fn(&str) -> Result<PipelineEdit, String>;

const PRINT: &str = "print-ir-after";
const EXPLAIN: &str = "explain";

/// The options of edits: name, value, help, reader.
const EDITS: [(&str, &str, &str, ParseEdit); 4] = [
    (
        "insert-passes",
        "PLACE:PASSES",
        "Run more passes at the end of a phase or after a pass, such as \
         hlo:my-pass{x=1},cse; before:PLACE:PASSES runs them before it",
        PipelineEdit::insert,
    ),
    (
        "replace-pass",
        "PLACE:PASSES",
        "Run other passes in place of a pass, such as linalg/halo-cse:my-cse, or of a phase",
        PipelineEdit::replace,
    ),
    (
        "remove-pass",
        "PLACE",
        "Do not run a pass, such as halo-fuse-elementwise, canonicalize#2 or halo-cse#all, or the \
         passes of a phase",
        PipelineEdit::remove,
    ),
    (
        "schedule",
        "FILE",
        "Run the sequences of a module of the transform dialect on what they name by \
         halo.applies_to, in place of the decisions of --halo-form-fusion-groups",
        |file| Ok(PipelineEdit::schedule(file)),
    ),
];

impl PipelineArguments {
    /// Returns true if nothing is printed while the passes run.
    pub fn is_quiet(&self) -> bool {
        self.edits.is_empty() && self.print_ir_after.is_empty()
    }

    /// An error of a compilation, whose diagnostics are in the program, in a schedule or in one of
    /// other files.
    pub fn locate(&self, error: Error, program: &str, others: &[&str]) -> Error {
        let schedules = self.edits.iter().filter_map(PipelineEdit::schedule_file);
        let known: Vec<&str> = schedules.chain(others.iter().copied()).collect();
        error.in_files(program, &known)
    }
}

impl FromArgMatches for PipelineArguments {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut edits: Vec<(usize, PipelineEdit)> = Vec::new();
        for (name, ..) in EDITS {
            let values = matches.get_many::<PipelineEdit>(name).into_iter().flatten();
            let indices = matches.indices_of(name).into_iter().flatten();
            edits.extend(indices.zip(values.cloned()));
        }
        if matches.get_flag(EXPLAIN) {
            edits.push((usize::MAX, PipelineEdit::explain()));
        }
        edits.sort_by_key(|(index, _)| *index);
        let printed = matches.get_many::<String>(PRINT).into_iter().flatten();
        Ok(Self {
            edits: edits.into_iter().map(|(_, edit)| edit).collect(),
            print_ir_after: printed.cloned().collect(),
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for PipelineArguments {
    fn augment_args(command: Command) -> Command {
        let command = EDITS.into_iter().fold(command, |command, (name, value, help, parse)| {
            let argument = Arg::new(name).long(name).value_name(value).help(help);
            command.arg(argument.action(ArgAction::Append).value_parser(parse))
        });
        let printed = Arg::new(PRINT).long(PRINT).value_name("PLACE");
        let explain = Arg::new(EXPLAIN).long(EXPLAIN).action(ArgAction::SetTrue);
        let command = command.arg(explain.help(
            "Say in remarks why ops are not fused, what is copied or computed twice, and what takes how much temporary memory",
        ));
        command.arg(
            printed
                .action(ArgAction::Append)
                .help("Print the program to standard error after a pass"),
        )
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Debug, Parser)]
    struct Cli {
        #[command(flatten)]
        pipeline: PipelineArguments,
    }

    #[test]
    fn edits_are_in_the_order_of_the_command_line() {
        let cli = Cli::parse_from([
            "tool",
            "--insert-passes=hlo:a{x=1,2},b",
            "--remove-pass=halo-cse#all",
            "--print-ir-after=a",
            "--insert-passes",
            "before:a:c",
            "--replace-pass=linalg/halo-cse:func.func(d)",
            "--explain",
            "--schedule=four rows.mlir",
        ]);
        let edits: Vec<String> = cli.pipeline.edits.iter().map(ToString::to_string).collect();
        assert_eq!(
            edits,
            [
                "--insert-passes=hlo:a{x=1,2},b",
                "--remove-pass=halo-cse#all",
                "--insert-passes=before:a:c",
                "--replace-pass=linalg/halo-cse:func.func(d)",
                "--schedule=four rows.mlir",
                "--explain",
            ]
        );
        assert_eq!(cli.pipeline.print_ir_after, ["a"]);
        assert!(Cli::parse_from(["tool"]).pipeline.edits.is_empty());
    }

    #[test]
    fn values_have_their_form() {
        for wrong in [
            "--insert-passes=a",
            "--insert-passes=before:a",
            "--insert-passes=:a",
            "--replace-pass=a:",
            "--remove-pass=",
        ] {
            let error = Cli::try_parse_from(["tool", wrong]).unwrap_err().to_string();
            assert!(
                error.contains("PASSES") || error.contains("by its name"),
                "{error}"
            );
        }
    }
}
