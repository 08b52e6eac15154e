//! The search for the pass that makes a program fail: `--bisect`.

use std::ffi::OsString;
use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use halo_backend::bisection::Bisection;
use halo_backend::{CompileOptions, Environment, Program};
use halo_core::{file, npy};
use halo_runtime::{Error, Result};

use super::cli::Cli;
use super::value::{self, Value};
use crate::bisect::{Child, Failure, FailureKind, Point, bisection, search};
use crate::{Stop, print};

/// The reference backend.
const INTERPRETER: &str = "interpreter";

/// The search for a wrong pass.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Wrong passes")]
pub struct BisectArguments {
    /// Find the pass, and the application of a pattern in it, that makes the program fail: its
    /// results differ from --expect or from the interpreter, the compiler crashes, or a pass leaves
    /// invalid IR. Optimizations are disabled until the program works
    #[arg(long, conflicts_with_all = ["outputs", "compile_to", "bench", "distributed", "simulate"])]
    pub bisect: bool,

    /// With --bisect: the program fails if a run takes more than FACTOR times as long as without
    /// optimizations
    #[arg(
        long,
        value_name = "FACTOR",
        requires = "bisect",
        require_equals = true
    )]
    pub bisect_slower: Option<f64>,

    /// Test the program with a part of the passes, for another halo-run
    #[arg(long, hide = true, value_parser = bisection)]
    pub bisect_at: Option<Arc<Bisection>>,
}

impl BisectArguments {
    /// Reports the time of a run to the parent.
    pub fn note_time(&self, time: Duration) {
        if let Some(bisection) = &self.bisect_at {
            bisection.note(|found| found.seconds = Some(time.as_secs_f64()));
        }
    }
}

/// Bisects the compilation of a program, and prints the application.
///
/// # Errors
/// Returns an error if the program does not fail, or none is found.
pub fn run(
    cli: &Cli,
    environment: &Environment,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<(), Stop> {
    if file::is_standard_stream(&cli.file) {
        return Err(Error::invalid("--bisect reads the program several times: name a file").into());
    }
    let folder = tempfile::tempdir();
    let folder = folder.map_err(|error| Error::execution(format!("--bisect: {error}")))?;
    let is_own = |argument: &OsString| argument.as_encoded_bytes().starts_with(b"--bisect");
    let mut arguments: Vec<OsString> = Vec::new();
    if cli.bisect.bisect_slower.is_some() {
        arguments.push("--bench=5".into());
    } else if cli.expected.is_empty() {
        match reference(cli, environment) {
            Err(error) => print(
                err,
                format_args!("halo-run: warning: results are not compared: {error}\n"),
            )?,
            Ok(results) => {
                for (number, result) in results.iter().enumerate() {
                    let path = folder.path().join(format!("interpreter-{number}.npy"));
                    npy::write(&path, result)?;
                    arguments.push(format!("--expect=@{}", path.display()).into());
                }
            }
        }
    }
    arguments.extend(std::env::args_os().skip(1).filter(|argument| !is_own(argument)));
    let child = Child {
        arguments: &arguments,
        file: folder.path().join("found.json"),
    };
    let mut slow = None;
    if let Some(factor) = cli.bisect.bisect_slower {
        slow = child.test(Point::PLAIN)?.found.seconds.map(|seconds| seconds * factor);
    }
    let mut test = |point: Point| {
        let mut tried = child.test(point)?;
        if let Some(failure) = &mut tried.failure {
            let path = format!("{}/interpreter-", folder.path().display());
            failure.message = failure.message.replace(&path, "interpreter-");
        }
        if let (None, Some(limit), Some(seconds)) = (&tried.failure, slow, tried.found.seconds)
            && seconds > limit
        {
            tried.failure = Some(Failure {
                kind: FailureKind::Slow,
                message: format!("a run takes {seconds:.3e} s, expected at most {limit:.3e} s"),
            });
        }
        Ok(tried)
    };
    let culprit = search(&mut test)?;
    print(out, format_args!("{culprit}"))?;
    let backend = match &cli.backend {
        Some(name) => name,
        None => environment.registry.default_backend()?.name,
    };
    let failure = match culprit.failure.kind {
        FailureKind::WrongResult => format!("--differs={backend},{INTERPRETER}"),
        _ => format!("--backend={backend} --crashes"),
    };
    let (tests, program) = (culprit.tests, cli.file.display());
    print(
        err,
        format_args!("halo-run: {tests} tests; to reduce it: halo-reduce {program} {failure}\n"),
    )
}

/// The results of the interpreter.
fn reference(cli: &Cli, environment: &Environment) -> Result<Vec<halo_core::Literal>> {
    let program = Program::read(&cli.file)?;
    let options = CompileOptions {
        entry: cli.entry.clone(),
        custom_calls: Arc::clone(&environment.custom_calls),
        ..CompileOptions::default()
    };
    let compiler = &environment.registry.backend(INTERPRETER)?.compiler;
    let executable = compiler.compile(&program, &options)?;
    let given: Vec<Value> =
        cli.inputs.iter().map(|text| Value::new(text)).collect::<Result<_>>()?;
    let inputs = value::inputs(executable.signature(), &given, cli.random_inputs)?;
    executable.run(&inputs)
}
