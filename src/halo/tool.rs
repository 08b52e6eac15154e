//! The start of every tool: a deep stack, panics that are reported once, and the plug-in
//! installed.

use crate::Plugin;
use halo_core::panics;
use halo_ir::limits;
use halo_tools::{Environment, Tool, on_deep_stack};
use std::process::ExitCode;

/// Installs a plug-in and runs a tool with it on a stack for deep programs.
pub(crate) fn run(
    name: &'static str,
    plugin: Plugin,
    run: impl FnOnce(Tool, &Plugin, Environment) -> u8 + Send + 'static,
) -> ExitCode {
    panics::report_caught_panics_once();
    on_deep_stack(name, limits::STACK_BYTES, move || match plugin.install() {
        Ok(environment) => run(plugin.tool(name), &plugin, environment),
        Err(error) => {
            eprintln!("{name}: error: {error}");
            1
        }
    })
}
