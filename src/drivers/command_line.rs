//! Command lines, and their errors.

use std::ffi::OsString;
use std::io::Write;
use std::str::FromStr;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, FromArgMatches};

use crate::output::{finish, print, written};
use crate::{Stop, generated};

/// Parses the command line of a tool; `prepare` may change its declaration, such as help that
/// depends on the registry.
///
/// # Errors
/// Returns the exit code if the tool is done: after help, the version, completions of shells and
/// the man page, which go to `out`, and after an invalid command line, which is reported to `err`
/// in one line.
pub fn parse_command_line<C: CommandFactory + FromArgMatches>(
    arguments: impl IntoIterator<Item = OsString>,
    prepare: impl FnOnce(clap::Command) -> clap::Command,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<C, u8> {
    let mut command = generated::declare(prepare(C::command()));
    let tool = command.get_name().to_owned();
    let matches = command.try_get_matches_from_mut(arguments);
    if let Ok(matches) = &matches
        && let Some(text) = generated::asked(matches, &command)
    {
        return Err(finish(&tool, written(out.write_all(&text)), out, err));
    }
    let error = match matches.and_then(|matches| C::from_arg_matches(&matches)) {
        Ok(cli) => return Ok(cli),
        Err(error) => error,
    };
    let shown = match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => print(out, format_args!("{error}")),
        _ => Err(Stop::Error(halo_runtime::Error::invalid(describe(&error)))),
    };
    Err(finish(&tool, shown, out, err))
}

/// One line about the error, with the closest valid option, if any.
pub fn describe(error: &clap::Error) -> String {
    let text = error.to_string();
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let first = lines.next().unwrap_or("error: wrong arguments");
    // A missing argument is named on the second line.
    let detail = match lines.next() {
        Some(line) if first.ends_with(':') => format!(" {line}"),
        _ => String::new(),
    };
    let first = first.strip_prefix("error: ").unwrap_or(first);
    let meant =
        [ContextKind::SuggestedArg, ContextKind::SuggestedValue]
            .into_iter()
            .find_map(|kind| match error.get(kind)? {
                ContextValue::String(name) => Some(name.clone()),
                ContextValue::Strings(names) => names.first().cloned(),
                _ => None,
            });
    let hint = meant.map_or_else(String::new, |name| format!("; did you mean '{name}'?"));
    format!("{first}{detail}{hint} (see --help)")
}

/// The value of an option that counts something.
///
/// # Errors
/// Returns an error if the text is not a whole number within the type, which may exclude 0.
pub fn count<T: FromStr>(text: &str) -> Result<T, String> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().map_err(|_| {
        if !digits {
            "not a whole number".to_owned()
        } else if text.bytes().all(|byte| byte == b'0') {
            "it must not be 0".to_owned()
        } else {
            "it is too large".to_owned()
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::num::NonZeroU32;

    #[derive(Debug, clap::Parser)]
    #[command(name = "tool", version)]
    struct Cli {
        file: String,
        #[arg(long, value_parser = count::<NonZeroU32>)]
        threads: Option<NonZeroU32>,
        #[arg(long, value_parser = ["fast", "slow"])]
        how: Option<String>,
    }

    fn fails(arguments: &[&str]) -> String {
        let arguments = ["tool"].iter().chain(arguments).map(OsString::from);
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let code = parse_command_line::<Cli>(arguments, |command| command, &mut out, &mut err);
        assert_eq!(code.unwrap_err(), 1);
        assert!(out.is_empty());
        String::from_utf8(err).unwrap()
    }

    #[test]
    fn a_wrong_command_line_is_one_line() {
        for (arguments, message) in [
            (
                ["a", "--thraeds=1"].as_slice(),
                "unexpected argument '--thraeds' found; did you mean '--threads'?",
            ),
            (
                &["a", "--how=fats"],
                "invalid value 'fats' for '--how <HOW>'; did you mean 'fast'?",
            ),
            (
                &["a", "--threads=x"],
                "invalid value 'x' for '--threads <THREADS>': not a whole number",
            ),
            (
                &["a", "--threads=0"],
                "invalid value '0' for '--threads <THREADS>': it must not be 0",
            ),
            (
                &["a", "--threads=99999999999"],
                "invalid value '99999999999' for '--threads <THREADS>': it is too large",
            ),
            (
                &[],
                "the following required arguments were not provided: <FILE>",
            ),
        ] {
            let line = format!("tool: error: {message} (see --help)\n");
            assert_eq!(fails(arguments), line);
        }
    }

    #[test]
    fn help_goes_to_standard_output() {
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let arguments = ["tool", "--help"].map(OsString::from);
        let prepare = |command: clap::Command| command.about("Does this and that");
        let code = parse_command_line::<Cli>(arguments, prepare, &mut out, &mut err);
        assert_eq!(code.unwrap_err(), 0);
        assert!(String::from_utf8(out).unwrap().starts_with("Does this and that"));
        assert!(err.is_empty());
    }
}
