//! `--check-passes` and `--bisect`: passes of `halo-opt` that change the results of a program.
//!
//! The program is run before the first pass and after each pass, on the same inputs: StableHLO on
//! the interpreter; linalg and loops on tensors or buffers on the CPU, compiled without
//! optimizations. A function of buffers runs as the body of a function of tensors. A program that
//! neither runs, such as one of the LLVM dialect, is skipped.

use clap::Parser;
use halo_backend::{CompileOptions, Environment, Program, bisection::Bisection};
use halo_compiler::{Bisected, pipelines::Phase};
use halo_core::{Literal, Rule, compare, file};
use halo_drivers::{
    Stop, Tool,
    bisect::{Child, FailureKind, Point, application, bisection, failure_of},
    finish, parse_command_line, print,
    run::value::{Value, inputs},
};
use halo_ir::{OwnedModule, pass::is_registered, pipeline::Pipeline, prelude::*};
use halo_runtime::{Error, Result};
use melior::ir::Module;
use std::{
    ffi::OsString,
    io::Write,
    path::PathBuf,
    process::{Command, Stdio},
    sync::Arc,
};

/// Runs passes on a program, and the program before and after each of them.
///
/// Stops at the first pass that changes the results. Passes are given as without these options.
#[derive(Clone, Debug, Parser)]
#[command(max_term_width = 100)]
struct Cli {
    /// The program: a file, or - for standard input
    #[arg(default_value = "-")]
    file: PathBuf,

    /// Find the first pass that changes the results of the program
    #[arg(long)]
    check_passes: bool,

    /// Find the pass, and the application of a pattern in it, that changes the results, crashes or
    /// leaves invalid IR
    #[arg(long)]
    bisect: bool,

    /// Test a part of the passes, for another halo-opt
    #[arg(long, hide = true, value_parser = bisection)]
    bisect_at: Option<Arc<Bisection>>,

    /// The function to run [default: main, or else the only public one]
    #[arg(long, value_name = "NAME")]
    entry: Option<String>,

    /// The next input: @FILE.npy, or a literal
    #[arg(long = "input", value_name = "VALUE", allow_hyphen_values = true)]
    inputs: Vec<String>,

    /// The seed of the remaining inputs, which are random
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    random_inputs: u64,

    /// Float results may differ by ATOL + RTOL * |expected|
    #[arg(long, default_value_t = 1e-5)]
    rtol: f64,

    /// See --rtol
    #[arg(long, default_value_t = 1e-8)]
    atol: f64,
}

/// Returns true if a command line has options of this module.
pub(super) fn is_requested(arguments: &[OsString]) -> bool {
    let is_own = |argument: &OsString| {
        let own = [&b"--check-passes"[..], b"--bisect", b"--bisect-at="];
        let argument = argument.as_encoded_bytes();
        own.iter()
            .any(|option| argument == *option || argument.starts_with(b"--bisect-at="))
    };
    arguments.iter().any(is_own)
}

/// Runs the passes of a command line with checks, and returns the exit code.
pub(super) fn main(tool: Tool, environment: &Environment, arguments: Vec<OsString>) -> u8 {
    let (out, err) = (&mut std::io::stdout(), &mut std::io::stderr());
    let (passes, others): (Vec<_>, Vec<_>) = arguments.into_iter().partition(is_pass);
    let declare = |command: clap::Command| tool.named(command);
    let cli: Cli = match parse_command_line(others, declare, out, err) {
        Ok(cli) => cli,
        Err(code) => return code,
    };
    let result = if cli.bisect {
        bisect(&cli, out, err)
    } else {
        check(&cli, &passes, environment, err)
    };
    finish(tool.name, result, out, err)
}

/// Returns true if an argument is a pass with options, or a pipeline.
fn is_pass(argument: &OsString) -> bool {
    let Some(name) = argument.to_str().filter(|text| text.starts_with('-')) else {
        return false;
    };
    let name = name.trim_start_matches('-').split('=').next().unwrap_or_default();
    name == "pass-pipeline" || is_registered(name)
}

/// The passes of a command line, one by one, as MLIR reads them.
fn phase_of(passes: &[OsString]) -> Result<Phase> {
    let failed = |error: std::io::Error| Error::execution(error.to_string());
    let empty = tempfile::Builder::new().suffix(".mlir").tempfile().map_err(failed)?;
    let output = Command::new(std::env::current_exe().map_err(failed)?)
        .arg(empty.path())
        .args(plugins())
        .args(passes)
        .arg("--dump-pass-pipeline")
        .stdin(Stdio::null())
        .output()
        .map_err(failed)?;
    let text = String::from_utf8_lossy(&output.stderr);
    let text = text.split_once("passes:\n").map_or("", |(_, rest)| rest);
    let text = text.split("\n\n").next().unwrap_or_default();
    if !output.status.success() {
        let message = String::from_utf8_lossy(&output.stderr);
        return Err(Error::invalid(message.trim().to_owned()));
    }
    let pipeline = Pipeline::parse(text.trim());
    let pipeline = pipeline.map_err(|error| Error::invalid(error.to_string()))?;
    Ok(Phase::new("", "", pipeline))
}

/// The options that load plug-ins.
fn plugins() -> Vec<OsString> {
    let all: Vec<OsString> = std::env::args_os().collect();
    let is_option = |argument: &OsString| argument.as_encoded_bytes().starts_with(b"--load-plugin");
    let is_kept = |number: &usize| is_option(&all[*number]) || all[*number - 1] == "--load-plugin";
    (1..all.len()).filter(is_kept).map(|number| all[number].clone()).collect()
}

/// A program that runs before and after passes.
struct Checked<'a> {
    cli: &'a Cli,
    environment: &'a Environment,
    /// The inputs, after its first run.
    inputs: Option<Vec<Literal>>,
    /// The last results, and the pass before them.
    results: Vec<Literal>,
    last: String,
    /// The passes since then after which the program cannot be run.
    skipped: Vec<String>,
}

/// Runs the passes one by one.
fn check(
    cli: &Cli,
    passes: &[OsString],
    environment: &Environment,
    err: &mut dyn Write,
) -> Result<(), Stop> {
    let phase = phase_of(passes)?;
    let source = Program::read(&cli.file)?;
    let mut module = OwnedModule::new(halo_compiler::context(), |context| {
        halo_frontend::parse(context, &source)
    })?;
    let mut checked = Checked {
        cli,
        environment,
        inputs: None,
        results: Vec::new(),
        last: "the input".to_owned(),
        skipped: Vec::new(),
    };
    checked.results = checked.run(&module)?;
    let every = || Arc::new(Bisection::new(usize::MAX, u64::MAX, false, |_| {}));
    let bisection = cli.bisect_at.clone().unwrap_or_else(every);
    let is_search = bisection.passes != usize::MAX;
    let mut bisected = Bisected::new(&bisection, std::slice::from_ref(&phase));
    let (mut equal, mut unchanged) = (0, 0);
    let parts = phase.passes();
    for (index, part) in parts.iter().enumerate().take(bisection.passes) {
        let place = bisected.place().to_owned();
        let before = module.operation().to_string();
        bisected.run(|| {
            let run = |context: &Context, module: &mut Module| {
                halo_hlo::run_pipeline(context, module, &part.pipeline)
            };
            module.edit(run)
        })?;
        if before == module.operation().to_string() {
            unchanged += 1;
        } else if !is_search || index + 1 == bisection.passes {
            match checked.run(&module) {
                Ok(results) => checked.compare(results, place)?,
                Err(error) if is_search => return Err(error.into()),
                Err(_) => checked.skipped.push(place),
            }
            equal += 1;
        }
    }
    let (equal, skipped) = (equal - checked.skipped.len(), checked.skipped.len());
    let after = match checked.skipped.first() {
        None => String::new(),
        Some(first) => {
            format!(", the program cannot be run after the last {skipped}, from {first}")
        }
    };
    let total = parts.len();
    print(
        err,
        format_args!(
            "{total} passes: {equal} keep the results, {unchanged} change nothing{after}\n"
        ),
    )
}

impl Checked<'_> {
    /// Runs the program on the inputs of its first run.
    fn run(&mut self, module: &OwnedModule) -> Result<Vec<Literal>> {
        let inputs = self.inputs.as_ref().map(Vec::len);
        let counts = inputs.map(|inputs| (inputs, self.results.len()));
        let entry = self.cli.entry.as_deref().unwrap_or("main");
        let code = match on_tensors(module, entry, counts)? {
            Some(code) => code,
            None => module.operation().to_string(),
        };
        let program = Program {
            name: file::input_name(&self.cli.file),
            code: code.into_bytes(),
        };
        self.run_on("interpreter", &program).or_else(|_| self.run_on("cpu", &program))
    }

    fn run_on(&mut self, backend: &str, program: &Program) -> Result<Vec<Literal>> {
        let options = CompileOptions {
            entry: self.cli.entry.clone(),
            custom_calls: Arc::clone(&self.environment.custom_calls),
            no_constant_folding: true,
            bisection: Some(Arc::new(Bisection::new(0, u64::MAX, true, |_| {}))),
            ..CompileOptions::default()
        };
        let compiler = &self.environment.registry.backend(backend)?.compiler;
        let executable = compiler.compile(program, &options)?;
        let inputs = match &self.inputs {
            Some(inputs) => inputs.clone(),
            None => {
                let given = self.cli.inputs.iter().map(|text| Value::new(text));
                let given: Vec<Value> = given.collect::<Result<_>>()?;
                inputs(executable.signature(), &given, Some(self.cli.random_inputs))?
            }
        };
        let results = executable.run(&inputs)?;
        self.inputs = Some(inputs);
        Ok(results)
    }

    /// Compares results with the last ones.
    fn compare(&mut self, results: Vec<Literal>, place: String) -> Result<()> {
        for (number, (result, expected)) in results.iter().zip(&self.results).enumerate() {
            let rule = if result.element_type().float_format().is_some() {
                Rule::close(self.cli.rtol, self.cli.atol)
            } else {
                Rule::EXACT
            };
            let comparison = compare(result, expected, rule)?;
            if comparison.passed() {
                continue;
            }
            let passes = match self.skipped.first() {
                None => format!("pass {place}"),
                Some(first) => format!("one of the passes from {first} to {place}"),
            };
            return Err(Error::execution(format!(
                "{passes} changes result {number} of {}: {comparison}",
                self.last
            )));
        }
        self.results = results;
        self.last = format!("the program after {place}");
        self.skipped.clear();
        Ok(())
    }
}

/// The program of a function of buffers as a function of tensors: each buffer is an input and a
/// result. If the function had `counts` inputs and results as a function of tensors, its first
/// buffers are the inputs, and the others the results. `None` if it is a function of tensors.
fn on_tensors(
    module: &OwnedModule,
    entry: &str,
    counts: Option<(usize, usize)>,
) -> Result<Option<String>> {
    let find = |op: Operation| {
        op.isa::<func::FuncOp>()
            && op.attribute("sym_name").and_then(Attribute::string_value) == Some(entry)
    };
    let functions = module.operation().collect_nested(find);
    let body = functions.first().and_then(|function| function.body(0));
    let types: Vec<String> = body
        .iter()
        .flat_map(|body| body.arguments())
        .map(|it| it.ty().to_string())
        .collect();
    let is_buffer = |ty: &&String| ty.starts_with("memref<");
    let buffers = types.iter().filter(is_buffer).count();
    if buffers == 0 {
        return Ok(None);
    }
    let is_simple = |ty: &String| is_buffer(&ty) && !ty.contains([',', '?']) || ty == "!llvm.ptr";
    let returns = functions.first().is_some_and(|it| {
        !it.attribute("function_type")
            .is_some_and(|ty| ty.to_string().ends_with("-> ()"))
    });
    if returns || !types.iter().all(is_simple) {
        let message = "the function takes other values than buffers without layouts";
        return Err(Error::invalid(message));
    }
    let inputs = match counts {
        Some((inputs, results)) if inputs + results == buffers => inputs,
        _ => buffers,
    };
    let results_from = if inputs == buffers { 0 } else { inputs };
    let tensor = |ty: &String| ty.replacen("memref<", "tensor<", 1);
    let (mut parameters, mut lines, mut results) = (Vec::new(), String::new(), Vec::new());
    let mut buffer = 0;
    for (number, ty) in types.iter().enumerate() {
        let of_tensor = tensor(ty);
        if !is_buffer(&ty) {
            lines += &format!("%b{number} = llvm.mlir.zero : {ty}\n");
            continue;
        }
        lines += &format!("%b{number} = memref.alloc() : {ty}\n");
        if buffer < inputs {
            parameters.push(format!("%t{number}: {of_tensor}"));
            lines += &format!(
                "%m{number} = bufferization.to_buffer %t{number} read_only : {of_tensor} to {ty}\n\
                 memref.copy %m{number}, %b{number} : {ty} to {ty}\n"
            );
        }
        if buffer >= results_from {
            results.push((number, ty, of_tensor));
        }
        buffer += 1;
    }
    let operands = (0..types.len()).map(|number| format!("%b{number}"));
    let operands: Vec<String> = operands.collect();
    let (operands, operand_types) = (operands.join(", "), types.join(", "));
    lines += &format!("func.call @{entry}.on_buffers({operands}) : ({operand_types}) -> ()\n");
    for (number, ty, of_tensor) in &results {
        lines += &format!(
            "%r{number} = bufferization.to_tensor %b{number} restrict : {ty} to {of_tensor}\n"
        );
    }
    let values: Vec<String> = results.iter().map(|(number, ..)| format!("%r{number}")).collect();
    let result_types: Vec<&str> = results.iter().map(|(.., ty)| ty.as_str()).collect();
    let (values, result_types) = (values.join(", "), result_types.join(", "));
    let parameters = parameters.join(", ");
    let wrapper = format!(
        "func.func @{entry}({parameters}) -> ({result_types}) {{\n{lines}return {values} : \
         {result_types}\n}}\n}}\n"
    );
    let text = module.operation().to_string();
    let text = text
        .replace("attributes {halo.entry}", "")
        .replace(
            &format!("func.func @{entry}("),
            &format!("func.func private @{entry}("),
        )
        .replace(&format!("@{entry}("), &format!("@{entry}.on_buffers("));
    let text = text.trim_end().strip_suffix('}').unwrap_or(&text);
    Ok(Some(format!("{text}{wrapper}")))
}

/// Finds the pass that changes the results, crashes or leaves invalid IR, and the application in
/// it.
fn bisect(cli: &Cli, out: &mut dyn Write, err: &mut dyn Write) -> Result<(), Stop> {
    if file::is_standard_stream(&cli.file) {
        return Err(Error::invalid("--bisect reads the program several times: name a file").into());
    }
    let folder = tempfile::tempdir();
    let folder = folder.map_err(|error| Error::execution(format!("--bisect: {error}")))?;
    let is_own = |argument: &OsString| argument == "--bisect" || argument == "--check-passes";
    let arguments = std::env::args_os().skip(1).filter(|argument| !is_own(argument));
    let child = Child {
        arguments: &arguments.collect::<Vec<_>>(),
        file: folder.path().join("found.json"),
    };
    let whole = child.test(Point::WHOLE)?;
    let failure = failure_of(&whole)?;
    let Some(index) = whole.found.running else {
        return Err(Error::execution(failure.message).into());
    };
    // The results after the pass before it must be known.
    let before = Point {
        applications: 0,
        ..Point::WHOLE.of_pass(index)
    };
    if failure.kind == FailureKind::WrongResult && child.test(before)?.failure.is_some() {
        return Err(Error::execution(failure.message).into());
    }
    let culprit = application(&mut |point| child.test(point), &whole, index)?;
    print(out, format_args!("{culprit}"))?;
    let tests = culprit.tests;
    print(err, format_args!("halo-opt: {tests} tests\n"))
}
