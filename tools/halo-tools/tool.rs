//! The name that a tool goes by.

/// How a tool presents itself: in its help, by `--version`, and before an error that has
/// no place in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tool {
    /// The name of its command.
    pub name: &'static str,
    /// The text behind the name that `--version` prints.
    pub version: &'static str,
}

impl Tool {
    /// A tool of Halo's own.
    pub const fn halo(name: &'static str) -> Self {
        Self {
            name,
            version: env!("CARGO_PKG_VERSION"),
        }
    }

    /// The declaration of a command line, under the name of this tool.
    pub fn named(&self, command: clap::Command) -> clap::Command {
        command
            .name(self.name)
            .bin_name(self.name)
            .version(self.version)
    }
}
