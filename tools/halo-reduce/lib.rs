//! Reduces a program that fails: two backends differ on it, it crashes the compiler, it causes an
//! error, or a script finds it interesting.
//!
//! ```text
//!  halo-reduce                              halo-reduce --worker, one per core
//!  ┌──────────────────────────────┐         ┌────────────────────────────────┐
//!  │ the smallest program so far  │  text   │ compiles it for one backend or │
//!  │   ▼ a copy, reduced further  │ ──────▶ │ two, runs it, compares         │
//!  │ verified, printed            │ ◀────── │                                │
//!  │   ▼ interesting: the next    │ outcome └────────────────────────────────┘
//!  └──────────────────────────────┘          or a script
//! ```
//!
//! Candidates are tested as the text that is written in the end. A worker that crashes or hangs is
//! replaced; otherwise it is reused, because starting a tool takes as long as a test.
//!
//! # Why not upstream's driver
//!
//! `mlir-reduce` has a driver (`mlirReduceMain`) and two passes, which `halo-opt` registers as
//! `--reduction-tree` and `--opt-reduction-pass`. Its only test is a script, so that each candidate
//! costs the start of a tool, and the reductions of its passes are to erase ops of one block
//! together with their users, and to run other passes: a program in which each op uses the previous
//! one shrinks only from its end. Here an op is removed from the middle, because its result becomes
//! an argument of the entry and values that only it used become results; so bisection works, and a
//! chain of 500 ops needs a dozen tests. A difference of backends also needs inputs, which must
//! match the arguments. So Halo has separate reductions (`reductions`).

mod cli;
mod driver;
mod execution;
mod functions;
mod interest;
mod judgement;
mod output;
mod pool;
mod process;
mod program;
mod progress;
mod reductions;
mod report;
mod reproducer;
mod retyping;
mod script;
mod session;
mod worker;

#[cfg(test)]
mod reductions_tests;

use cli::Cli;
use halo::{Plugin, core::panics, ir::limits, ir::upstream};
use halo_drivers::{Tool, finish, logging, on_deep_stack, parse_command_line};
#[cfg(feature = "shared")]
use halo_shared as _;
use std::{env, process::ExitCode};

/// The main function of a tool like `halo-reduce`, with the dialects, passes, backends and custom
/// calls of a plug-in.
pub fn main(name: &'static str, plugin: Plugin) -> ExitCode {
    panics::report_caught_panics_once();
    on_deep_stack(name, limits::STACK_BYTES, move || run(name, plugin))
}

fn run(name: &'static str, plugin: Plugin) -> u8 {
    let (out, err) = (&mut std::io::stdout(), &mut std::io::stderr());
    let arguments: Vec<_> = env::args_os().collect();
    let tool = Tool::halo(name);
    let declare = |command: clap::Command| tool.named(command);
    let cli: Cli = match parse_command_line(arguments.clone(), declare, out, err) {
        Ok(cli) => cli,
        Err(code) => return code,
    };
    let fail = |message: String| {
        eprintln!("{name}: error: {message}");
        1
    };
    if let Err(error) = logging::start() {
        return fail(error.to_string());
    }
    // A command line or a reproducer may name any upstream pass.
    if cli.pass_pipeline.is_some() || reproducer::is_in(&cli.file) {
        upstream::know_everything();
    }
    let mut plugins = vec![plugin];
    for path in &cli.load_plugin {
        match Plugin::load(path) {
            Ok(plugin) => plugins.push(plugin),
            Err(error) => return fail(error.to_string()),
        }
    }
    let environment = match Plugin::install_all(&plugins) {
        Ok(environment) => environment,
        Err(error) => return fail(error.to_string()),
    };
    if cli.worker {
        return worker::serve(&cli, &environment);
    }
    let result = driver::reduce(&cli, &environment, &arguments[1..], out);
    finish(name, result, out, err)
}

/// The declaration of the command line is valid.
#[cfg(test)]
#[test]
fn the_command_line_is_sound() {
    use clap::{CommandFactory, Parser};
    Cli::command().debug_assert();
    assert!(Cli::try_parse_from(["halo-reduce", "a.mlir", "--crashes"]).is_ok());
    assert!(Cli::try_parse_from(["halo-reduce", "a.mlir"]).is_ok());
    let both = ["halo-reduce", "a.mlir", "--crashes", "--differs=cpu,cpu"];
    assert!(Cli::try_parse_from(both).is_err());
}
