//! Files generated from the declaration of a command line: completions for shells, a man page, and
//! a page of the book.

use crate::markdown_page::markdown_page;
use clap::{Arg, ArgAction, ArgMatches, Command, ValueEnum, value_parser};
use clap_complete::Shell;
use clap_mangen::Man;

const COMPLETIONS: &str = "completions";
const MAN_PAGE: &str = "man-page";
/// Only for the book.
const MARKDOWN_PAGE: &str = "markdown-page";

/// Adds the options that request them.
pub(crate) fn declare(command: Command) -> Command {
    let command = command.arg(
        Arg::new(COMPLETIONS)
            .long(COMPLETIONS)
            .value_name("SHELL")
            .value_parser(value_parser!(Shell))
            .exclusive(true)
            .help("Print the completions of this tool for a shell, and exit"),
    );
    let command = command.arg(
        Arg::new(MARKDOWN_PAGE)
            .long(MARKDOWN_PAGE)
            .action(ArgAction::SetTrue)
            .exclusive(true)
            .hide(true),
    );
    command.arg(
        Arg::new(MAN_PAGE)
            .long(MAN_PAGE)
            .action(ArgAction::SetTrue)
            .exclusive(true)
            .help("Print the man page of this tool, and exit"),
    )
}

/// The file that a command line requests.
pub(crate) fn asked(matches: &ArgMatches, command: &Command) -> Option<Vec<u8>> {
    if let Ok(Some(shell)) = matches.try_get_one::<Shell>(COMPLETIONS) {
        return Some(completions(*shell, command));
    }
    let is_asked = |flag: &str| matches!(matches.try_get_one::<bool>(flag), Ok(Some(true)));
    if is_asked(MARKDOWN_PAGE) {
        return Some(markdown_page(command).into_bytes());
    }
    is_asked(MAN_PAGE).then(|| man_page(command))
}

/// The file that an argument requests, for tools on upstream's drivers, whose command line clap
/// does not parse.
///
/// # Errors
/// Returns an error if there are no completions for the shell.
pub(crate) fn asked_by(argument: &str, command: &Command) -> Option<Result<Vec<u8>, String>> {
    match argument {
        "--man-page" => return Some(Ok(man_page(command))),
        "--markdown-page" => return Some(Ok(markdown_page(command).into_bytes())),
        _ => {}
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
