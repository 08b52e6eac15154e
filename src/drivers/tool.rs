//! The name of a tool in messages.

use clap::{Arg, ArgAction};

/// The presentation of a tool: in its help, by `--version`, and before an error without a location
/// in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tool {
    /// The name of its command.
    pub name: &'static str,
    /// The text after the name that `--version` prints.
    pub version: &'static str,
    /// Whether the tool supports `--load-plugin=`. The launcher removes the option from the command
    /// line; this is for the help.
    pub loads_plugins: bool,
}

impl Tool {
    /// A tool of Halo, without an upstream counterpart.
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
