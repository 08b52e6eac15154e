//! The start of tools whose driver is in their own crate, such as `halo-explain`.

use crate::{Plugin, tool};
use halo_backend::Environment;
use halo_drivers::Tool;
use std::{
    ffi::OsString,
    io::{BufWriter, Write},
    process::ExitCode,
};

/// Runs a tool on its command line, with the streams for output and errors, and returns its exit
/// code.
pub type Driver = fn(Tool, Vec<OsString>, &Environment, &mut dyn Write, &mut dyn Write) -> u8;

/// The main function of a tool that compiles programs with the backends, dialects and passes of
/// a plug-in.
pub fn main(name: &'static str, plugin: Plugin, driver: Driver) -> ExitCode {
    tool::report_fatal_errors(name);
    tool::run(name, plugin, move |start| {
        // Not locked: a running program may print from its threads.
        let mut out = BufWriter::new(std::io::stdout());
        let err = &mut halo_drivers::stderr();
        let environment = &start.environment;
        driver(start.tool, start.arguments, environment, &mut out, err)
    })
}
