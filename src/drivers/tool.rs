//! The name that a tool goes by.

use clap::{Arg, ArgAction};

/// How a tool presents itself: in its help, by `--version`, and before an error that has
/// no place in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tool {
    /// The name of its command.
    pub name: &'static str,
    /// The text behind the name that `--version` prints.
    pub version: &'static str,
    /// Whether it takes `--load-plugin=`. Who starts the tool takes the option out of
    /// the command line; here it is for help.
    pub loads_plugins: bool,
}

impl Tool {
    /// A tool of Halo's own.
    pub const fn halo(name: &'static str) -> Self {
        Self {
            name,
            version: env!("CARGO_PKG_VERSION"),
            loads_plugins: false,
        }
    }

    /// The declaration of a command line, under the name of this tool.
    pub fn named(&self, command: clap::Command) -> clap::Command {
        let command = command.name(self.name).bin_name(self.name).version(self.version);
        if self.loads_plugins {
            command.arg(
                Arg::new("load-plugin")
                    .long("load-plugin")
                    .value_name("FILE")
                    .action(ArgAction::Append)
                    .help("Load a plug-in, a shared library; may be given several times"),
            )
        } else {
            command
        }
    }
}
