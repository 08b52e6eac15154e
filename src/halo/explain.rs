//! `halo-explain` as a library.

use crate::{Plugin, tool};
use halo_tools::explain::Report;
use std::{io::BufWriter, process::ExitCode};

/// The main function of a tool that compiles programs and reports what was done, as
/// `halo-explain` does, with the backends, dialects and passes of a plug-in. `report` makes the
/// page.
pub fn main(name: &'static str, plugin: Plugin, report: &'static (dyn Report + Sync)) -> ExitCode {
    tool::report_fatal_errors(name);
    tool::run(name, plugin, move |start| {
        // Not locked: a program that runs may print, from threads of its own.
        let mut out = BufWriter::new(std::io::stdout());
        let err = &mut halo_tools::stderr();
        let (tool, environment) = (start.tool, &start.environment);
        halo_tools::explain::main(tool, start.arguments, environment, report, &mut out, err)
    })
}
