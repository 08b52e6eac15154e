//! `halo-compile` as a library.

use crate::{Plugin, tool};
use std::{io::BufWriter, process::ExitCode};

/// The main function of a tool that compiles programs ahead of time, as `halo-compile` does, with
/// the backends of a plug-in.
pub fn main(name: &'static str, plugin: Plugin) -> ExitCode {
    tool::report_fatal_errors(name);
    tool::run(name, plugin, |start| {
        let mut out = BufWriter::new(std::io::stdout());
        let err = &mut halo_drivers::stderr();
        let environment = &start.environment;
        halo_drivers::compile::main(start.tool, start.arguments, environment, &mut out, err)
    })
}
