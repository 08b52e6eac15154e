//! Tools on upstream's drivers, `mlir-opt` and `mlir-translate`.
//!
//! Upstream's help lists a thousand lines of options in alphabetical order, among which Halo's
//! options are hard to find. The help here has the tool's options, and the most common ones of
//! upstream; `--help-hidden` has everything.

use std::ffi::OsString;
use std::io::Write;

use clap::{Arg, ArgAction, Command};

use halo_runtime::Error;

use crate::output::{finish, print, written};
use crate::{Stop, Tool, generated};

/// An option in the help.
pub struct OptionHelp<'a> {
    pub name: &'a str,
    /// The value after `=`; empty for a flag.
    pub value: &'a str,
    pub help: String,
}

impl<'a> OptionHelp<'a> {
    pub fn new(name: &'a str, value: &'a str, help: impl Into<String>) -> Self {
        Self {
            name,
            value,
            help: help.into(),
        }
    }
}

const HELP_OPTIONS: &str = "\
Options that print help:
  --help                 This
  --help-hidden          All options, with MLIR's and LLVM's own
  --version              The version of this tool
  --completions=<SHELL>  The completions of this tool for a shell
  --man-page             The man page of this tool";

/// The most common options of every driver: name, value, summary.
const COMMON: [(&str, &str, &str); 5] = [
    (
        "o",
        "FILE",
        "Where to write the result [default: -, standard output]",
    ),
    (
        "split-input-file",
        "",
        "Treat the parts of a file between lines of // ----- as separate programs",
    ),
    (
        "verify-diagnostics",
        "",
        "Check that diagnostics are those that expected-error comments name",
    ),
    (
        "allow-unregistered-dialect",
        "",
        "Take ops of dialects that are not known",
    ),
    ("mlir-print-debuginfo", "", "Print the locations of ops"),
];

/// The common options of all drivers.
pub fn common_options() -> impl Iterator<Item = OptionHelp<'static>> {
    COMMON.map(|(name, value, help)| OptionHelp::new(name, value, help)).into_iter()
}

/// The help of a tool.
pub struct ToolHelp<'a> {
    pub tool: Tool,
    pub about: &'a str,
    /// The text after the options and the help options.
    pub footer: &'a str,
    /// The options below their headings.
    pub groups: Vec<(String, Vec<OptionHelp<'a>>)>,
}

impl ToolHelp<'_> {
    /// The names of all shown options.
    pub fn option_names(&self) -> Vec<&str> {
        let options = self.groups.iter().flat_map(|(_, options)| options);
        options.map(|option| option.name).collect()
    }

    fn command(&self) -> Command {
        let usage = format!("{} [OPTIONS] [FILE]", self.tool.name);
        let mut command = self
            .tool
            .named(Command::default())
            .about(self.about.to_owned())
            .after_help(format!("{HELP_OPTIONS}\n\n{}", self.footer))
            .override_usage(usage)
            .disable_help_flag(true)
            .disable_version_flag(true)
            .max_term_width(100);
        for (heading, options) in &self.groups {
            for option in options {
                let name = option.name.to_owned();
                let mut argument =
                    Arg::new(name.clone()).help(option.help.clone()).help_heading(heading.clone());
                argument = match name.as_bytes() {
                    [letter] => argument.short(char::from(*letter)),
                    _ => argument.long(name),
                };
                argument = match option.value {
                    "" => argument.action(ArgAction::SetTrue),
                    value => argument.value_name(value.to_owned()).require_equals(
                        // The value of a short option is a separate word.
                        option.name.len() > 1,
                    ),
                };
                command = command.arg(argument);
            }
        }
        command
    }
}

/// Answers `--help` and `--version`, or else runs the driver on the command line,
/// which returns the exit code.
pub fn run_driver(
    help: &ToolHelp,
    arguments: Vec<OsString>,
    out: &mut dyn Write,
    err: &mut dyn Write,
    driver: impl FnOnce(Vec<OsString>) -> i32,
) -> u8 {
    let flags = arguments.iter().skip(1).take_while(|flag| *flag != "--");
    let asked = |names: &[&str]| {
        flags.clone().any(|flag| names.iter().any(|name| flag.as_os_str() == *name))
    };
    let generated = flags.clone().find_map(|flag| {
        let flag = flag.to_str()?;
        generated::asked_by(flag, &help.command())
    });
    let shown = if let Some(generated) = generated {
        generated
            .map_err(|message| Stop::Error(Error::invalid(message)))
            .and_then(|text| written(out.write_all(&text)))
    } else if asked(&["--help", "-help", "-h"]) {
        print(out, format_args!("{}", help.command().render_help()))
    } else if asked(&["--version", "-version"]) {
        print(
            out,
            format_args!("{} {}\n", help.tool.name, help.tool.version),
        )
    } else {
        return u8::try_from(driver(arguments)).unwrap_or(1);
    };
    finish(help.tool.name, shown, out, err)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn help() -> ToolHelp<'static> {
        ToolHelp {
            tool: Tool {
                name: "tool",
                version: "1.2",
                loads_plugins: false,
            },
            about: "Does this and that",
            footer: "The end.",
            groups: vec![
                (
                    "Options".to_owned(),
                    vec![OptionHelp::new("o", "FILE", "Where to write it")],
                ),
                (
                    "Passes".to_owned(),
                    vec![OptionHelp::new("my-pass", "", "Rewrites everything")],
                ),
            ],
        }
    }

    fn run(arguments: &[&str]) -> (u8, String) {
        let arguments = ["tool"].iter().chain(arguments);
        let arguments = arguments.map(OsString::from).collect();
        let mut out = Vec::new();
        let code = run_driver(&help(), arguments, &mut out, &mut Vec::new(), |_| 7);
        (code, String::from_utf8(out).unwrap())
    }

    #[test]
    fn help_has_its_headings() {
        let (code, text) = run(&["x.mlir", "--help"]);
        assert_eq!(code, 0);
        assert_eq!(
            text,
            format!(
                "Does this and that\n\nUsage: tool [OPTIONS] [FILE]\n\n\
             Options:\n  -o <FILE>  Where to write it\n\n\
             Passes:\n      --my-pass  Rewrites everything\n\n{HELP_OPTIONS}\n\nThe end.\n"
            )
        );
        assert_eq!(help().option_names(), ["o", "my-pass"]);
    }

    #[test]
    fn all_else_is_the_drivers() {
        assert_eq!(run(&["--version"]), (0, "tool 1.2\n".to_owned()));
        assert_eq!(run(&["--my-pass"]), (7, String::new()));
        // Arguments after `--` name files.
        assert_eq!(run(&["--", "--help"]), (7, String::new()));
    }
}
