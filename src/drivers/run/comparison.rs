//! `--compare`: the result of each op on two backends, or with two sets of options.
//!
//! The program is compiled twice with `--halo-observe-ops`. Both programs run at the same time, and
//! each op is compared when both have its result, so that few results are in memory.

mod errors;
mod lockstep;
mod report;

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{SyncSender, sync_channel};

use clap::{Args, Parser};
use halo_backend::{Backend, CompileOptions, Program};
use halo_core::{Diagnostic, Literal, Position, file};
use halo_runtime::{Error, Executable, Result};

use super::cli::Cli;
use crate::observation::Observation;
use crate::{Stop, print};
use errors::{ElementError, Tolerance};
use lockstep::{Side, Step};

/// The options of the other compilation.
const OPTIONS: [&str; 13] = [
    "backend-option",
    "flush-subnormals",
    "gpu-arch",
    "gpu-dot",
    "gpu-f32",
    "insert-passes",
    "remove-pass",
    "replace-pass",
    "schedule",
    "specialize",
    "target-cpu",
    "target-features",
    "threads",
];

/// The comparison of ops.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Wrong numbers")]
pub struct ComparisonArguments {
    /// Compare the result of each op with another backend, or with other options, such as
    /// interpreter, cpu:threads=1 or cpu:remove-pass=halo-cse, and print the differences in place of
    /// the results; results that differ by more than --rtol and --atol are an error
    #[arg(
        long,
        value_name = "BACKEND[:OPTION...]",
        require_equals = true,
        value_parser = other,
        conflicts_with_all = [
            "bench", "bisect", "check_numerics", "compile_to", "distributed", "expected", "outputs",
            "runner", "simulate",
        ],
    )]
    pub compare: Option<Other>,

    /// With --compare: only ops of these names, or at these lines
    #[arg(long, value_name = "OPS", requires = "compare", value_delimiter = ',')]
    pub compare_only: Vec<String>,

    /// With --compare: write the comparison of all ops as an HTML page
    #[arg(long, value_name = "FILE", requires = "compare")]
    pub compare_report: Option<PathBuf>,
}

/// The other compilation.
#[derive(Clone, Debug)]
pub struct Other {
    /// As given.
    text: String,
    pub cli: Arc<Cli>,
}

/// Parses a backend with options of this tool, without their dashes.
fn other(text: &str) -> Result<Other, String> {
    let name = |part: &str| part.split('=').next().unwrap_or_default().to_owned();
    let mut parts: Vec<String> = Vec::new();
    for part in text.split(':') {
        match parts.last_mut() {
            // The value of an option and the name of a backend may have colons.
            Some(last) if !OPTIONS.contains(&&name(part)[..]) => {
                last.push(':');
                last.push_str(part);
            }
            _ => parts.push(part.to_owned()),
        }
    }
    let (backend, options) = parts.split_first().ok_or("expected a backend")?;
    let arguments = ["halo-run".to_owned(), format!("--backend={backend}")];
    let options = options.iter().map(|option| format!("--{option}"));
    let cli = Cli::try_parse_from(arguments.into_iter().chain(options)).map_err(|error| {
        let message = crate::describe(&error);
        message.trim_end_matches(" (see --help)").to_owned()
    })?;
    Ok(Other {
        text: text.to_owned(),
        cli: Arc::new(cli),
    })
}

/// A backend with the options to compile with.
pub struct Compilation<'a> {
    pub backend: &'a Backend,
    pub options: CompileOptions,
}

impl Compilation<'_> {
    fn lacks_host_calls(&self) -> bool {
        self.backend.compiler.description().lacks_host_calls
    }
}

/// The name of a backend without the folder of its file.
fn short(name: &str) -> String {
    match name.split_once(':') {
        Some((family, file)) if !file.contains('=') => {
            let file = file.rsplit('/').next().unwrap_or_default();
            format!("{family}:{file}")
        }
        _ => name.to_owned(),
    }
}

/// Compiles and runs the program on both sides, and reports the differences.
///
/// # Errors
/// Returns an error if a run fails, or a result exceeds the tolerance.
pub fn run(
    cli: &Cli,
    program: &Program,
    compilations: [Compilation<'_>; 2],
    inputs: impl FnOnce(&dyn Executable) -> Result<Vec<Literal>>,
    out: &mut dyn Write,
) -> Result<(), Stop> {
    let arguments = &cli.comparison;
    let other = arguments.compare.as_ref().map_or("", |other| &other.text);
    let mut names = [short(compilations[0].backend.name), short(other)];
    if names[0] == names[1] {
        names[0].push_str(" (1)");
        names[1].push_str(" (2)");
    }
    // Both programs observe the same ops.
    let lacks_loops = compilations.iter().any(Compilation::lacks_host_calls);
    let mut ops = format!("straight-line={lacks_loops}");
    if !arguments.compare_only.is_empty() {
        ops.push_str(" only=");
        ops.push_str(&arguments.compare_only.join(","));
    }
    let (mut receivers, mut sides) = (Vec::new(), Vec::new());
    for compilation in compilations {
        let (sender, receiver) = sync_channel(1);
        let executable = compile(program, &compilation, &ops, sender.clone())
            .map_err(|error| cli.pipeline.locate(error, &program.name, &[]))?;
        receivers.push(receiver);
        sides.push(Side { executable, sender });
    }
    let inputs = inputs(&*sides[0].executable)?;
    let tolerance = Tolerance {
        relative: cli.rtol,
        absolute: cli.atol,
    };
    let compared = lockstep::run(&sides, receivers, &inputs, tolerance)
        .map_err(|error| error.in_file(&program.name))?;
    let report = report::Report::new(&program.name, &names, &compared, tolerance);
    print(out, format_args!("{}", report.text()))?;
    if let Some(path) = &arguments.compare_report {
        let page = report.page()?;
        file::write_whole(path, |file| file.write_all(page.as_bytes()))?;
    }
    if let Some(failure) = compared.failures.into_iter().flatten().next() {
        return Err(failure.in_file(&program.name).into());
    }
    match compared.ops.values().find(|op| op.exceeds()) {
        None => Ok(()),
        Some(op) => {
            let [one, other] = op.worst.as_ref().map_or(["", ""], ElementError::values);
            let message = format!("{} makes {one}, expected {other} ({tolerance})", op.op);
            let position = Position::parse(&op.location);
            Err(Error::Execution(Diagnostic::new(position, message).into()).into())
        }
    }
}

/// Compiles the program so that its runs send the results of ops.
fn compile(
    program: &Program,
    compilation: &Compilation<'_>,
    ops: &str,
    sender: SyncSender<Option<Step>>,
) -> Result<Box<dyn Executable>> {
    let compiler = &compilation.backend.compiler;
    let observation = Observation {
        option: "--compare",
        ops: ops.to_owned(),
    };
    let observe = move |call: &mut halo_runtime::custom_call::CustomCall<'_>| match Step::of(call)?
    {
        None => Ok(()),
        Some(step) => sender.send(Some(step)).map_err(|_| "the comparison has ended".to_owned()),
    };
    let mut options = observation.instrument(&**compiler, &compilation.options, observe)?;
    // The compiler would evaluate ops of constants by the interpreter.
    options.no_constant_folding = true;
    compiler.compile(program, &options)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_may_have_colons() {
        let other = |text: &str| other(text).unwrap().cli;
        let parsed = other("cpu:threads=1:insert-passes=hlo:a{x=1},b:flush-subnormals");
        assert_eq!(parsed.backend.as_deref(), Some("cpu"));
        assert_eq!(parsed.threads.map(std::num::NonZero::get), Some(1));
        assert_eq!(
            parsed.pipeline.edits[0].to_string(),
            "--insert-passes=hlo:a{x=1},b"
        );
        assert!(parsed.backend_arguments.flush_subnormals);
        assert_eq!(other("pjrt:a.so").backend.as_deref(), Some("pjrt:a.so"));
    }

    #[test]
    fn wrong_options_are_errors() {
        let error = other("cpu:threads=no").unwrap_err();
        assert!(error.contains("not a whole number"), "{error}");
    }
}
