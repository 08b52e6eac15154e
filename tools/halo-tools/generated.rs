//! What is generated from the declaration of a command line: completions for shells, and a
//! man page.

use clap::{Arg, ArgAction, ArgMatches, Command, ValueEnum, value_parser};
use clap_complete::Shell;
use clap_mangen::Man;

const COMPLETIONS: &str = "completions";
const MAN_PAGE: &str = "man-page";

/// Adds the options that ask for it.
pub(crate) fn declare(command: Command) -> Command {
    let command = command.arg(
        Arg::new(COMPLETIONS)
            .long(COMPLETIONS)
            .value_name("SHELL")
            .value_parser(value_parser!(Shell))
            .exclusive(true)
            .help("Print the completions of this tool for a shell, and exit"),
    );
    command.arg(
        Arg::new(MAN_PAGE)
            .long(MAN_PAGE)
            .action(ArgAction::SetTrue)
            .exclusive(true)
            .help("Print the man page of this tool, and exit"),
    )
}

/// What a command line asks for.
pub(crate) fn asked(matches: &ArgMatches, command: &Command) -> Option<Vec<u8>> {
    if let Ok(Some(shell)) = matches.try_get_one::<Shell>(COMPLETIONS) {
        return Some(completions(*shell, command));
    }
    match matches.try_get_one::<bool>(MAN_PAGE) {
        Ok(Some(true)) => Some(man_page(command)),
        _ => None,
    }
}

/// What an argument of a tool on upstream's drivers asks for, whose command line clap does
/// not read.
///
/// # Errors
/// If there are no completions for the shell.
pub(crate) fn asked_by(argument: &str, command: &Command) -> Option<Result<Vec<u8>, String>> {
    if argument == "--man-page" {
        return Some(Ok(man_page(command)));
    }
    let shell = argument.strip_prefix("--completions=")?;
    Some(match Shell::from_str(shell, false) {
        Ok(shell) => Ok(completions(shell, command)),
        Err(_) => {
            let known = Shell::value_variants().iter().map(Shell::to_string);
            let known: Vec<String> = known.collect();
            let known = known.join(", ");
            Err(format!(
                "no completions for shell '{shell}'; there are: {known}"
            ))
        }
    })
}

fn completions(shell: Shell, command: &Command) -> Vec<u8> {
    let mut text = Vec::new();
    let name = command.get_name().to_owned();
    clap_complete::generate(shell, &mut command.clone(), name, &mut text);
    text
}

fn man_page(command: &Command) -> Vec<u8> {
    let mut text = Vec::new();
    // Writing to memory does not fail.
    let _ = Man::new(command.clone()).render(&mut text);
    text
}
