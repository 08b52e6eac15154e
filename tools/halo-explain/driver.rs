//! The tool, from the command line to the exit code.

use crate::{
    cli::{Cli, Format},
    record::{CallKind, CompilationRecord, Machine, MeasuredSite, Recorder, Run, VERSION},
    report,
};
use halo::{
    core::file,
    runtime::{
        Backend, CompileOptions, DeviceBuffer, Environment, Error, Executable, ExecuteOptions,
        PipelineEdit, Program, Result,
        run_observer::{RunObserver, Site, Work},
    },
};
use halo_drivers::{
    Rates, Stop, Tool, Totals, Watch, finish, instrument, parse_command_line, print, rates,
    run::{inputs, values},
};
use std::{
    ffi::OsString,
    io::Write,
    num::NonZeroU32,
    ops::RangeInclusive,
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};

/// Runs the tool and returns its exit code: 0, or 1 after an error, which is written to `err`. A
/// program that does not compile has a report, too.
pub fn main(
    tool: Tool,
    arguments: Vec<OsString>,
    environment: &Environment,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> u8 {
    let declare = |command| tool.named(command);
    let cli: Cli = match parse_command_line(arguments, declare, out, err) {
        Ok(cli) => cli,
        Err(code) => return code,
    };
    let watch = Watch::new(None, cli.pipeline.is_quiet());
    let result = explain(&cli, environment, &watch, out);
    watch.report(err);
    finish(tool.name, result, out, err)
}

fn explain(
    cli: &Cli,
    environment: &Environment,
    watch: &Watch,
    out: &mut dyn Write,
) -> std::result::Result<(), Stop> {
    let registry = &environment.registry;
    let backend = match &cli.backend {
        Some(name) => registry.backend(name)?,
        None => registry.default_backend()?,
    };
    let other = cli.diff.as_deref().map(earlier).transpose()?;
    let program = Program::read(&cli.file)?;
    let output = cli.output.clone().unwrap_or_else(|| default_output(cli));
    if !file::is_standard_stream(&output) {
        file::check_writable(&output)?;
    }
    let recorder = Recorder::default();
    let job = Job {
        cli,
        environment,
        backend,
        program: &program,
    };
    let result = job.compile_and_run(&recorder, watch);
    let record = &mut *recorder.record();
    backend.name.clone_into(&mut record.backend);
    record.error = result.as_ref().err().map(ToString::to_string);
    if record.program.is_empty() {
        // The program cannot be parsed, so that no compilation has started the record.
        record.version = VERSION;
        env!("CARGO_PKG_VERSION").clone_into(&mut record.halo);
        program.name.clone_into(&mut record.program);
    }
    let write = |out: &mut dyn Write| match cli.format {
        Format::Html => report::write(record, other.as_ref(), out),
        Format::Json => serde_json::to_writer(out, &*record).map_err(Into::into),
    };
    if file::is_standard_stream(&output) {
        halo_drivers::written(write(out))?;
    } else {
        file::write_whole(&output, |file| write(file))?;
        print(out, format_args!("{}\n", output.display()))?;
    }
    Ok(result?)
}

/// The record of an earlier report.
fn earlier(path: &Path) -> Result<CompilationRecord> {
    let bytes = file::read_input(path)?;
    report::read(&bytes)
        .map_err(|error| Error::invalid_file(path.display().to_string(), error.to_string()))
}

/// The name of the program with another extension, in the current folder.
fn default_output(cli: &Cli) -> PathBuf {
    let extension = match cli.format {
        Format::Html => "html",
        Format::Json => "json",
    };
    let stem = cli.file.file_stem();
    match stem.filter(|_| !file::is_standard_stream(&cli.file)) {
        Some(stem) => PathBuf::from(stem).with_extension(extension),
        None => PathBuf::from("-"),
    }
}

/// The number of runs if the command line has none: the fastest of many is least disturbed by
/// other programs.
const RUNS: RangeInclusive<u32> = 10..=100;
/// The time after which no further run starts.
const TIME_OF_RUNS: Duration = Duration::from_secs(2);

/// A program to compile.
struct Job<'a> {
    cli: &'a Cli,
    environment: &'a Environment,
    backend: &'a Backend,
    program: &'a Program,
}

impl Job<'_> {
    fn compile_and_run(&self, recorder: &Recorder, watch: &Watch) -> Result<()> {
        let compiler = &*self.backend.compiler;
        let mut options = self.options(recorder, watch);
        options.backend.check(self.backend.name, compiler.description().options)?;
        if self.cli.run.is_some() {
            instrument(compiler, &mut options);
        }
        // The record excludes one-time initialization of a process. The compilation reports errors.
        let _ = compiler.warm_up(&options);
        let compiled = if self.cli.run.is_some() {
            compiler.compile(self.program, &options).map(Some)
        } else {
            self.compile_only(&options)
        };
        let pipeline = &self.cli.pipeline;
        let executable =
            compiled.map_err(|error| pipeline.locate(error, &self.program.name, &[]))?;
        if let (Some(executable), Some(count)) = (executable, self.cli.run) {
            let totals = self.run(&*executable, count)?;
            let run = measured(&totals, &recorder.record());
            recorder.record().run = Some(run);
            let rates = rates(compiler, &options)?;
            let machine = rates.map(|Rates { flops, bandwidth }| Machine { flops, bandwidth });
            recorder.record().machine = machine;
        }
        Ok(())
    }

    fn options(&self, recorder: &Recorder, watch: &Watch) -> CompileOptions {
        let cli = self.cli;
        let mut edits = cli.pipeline.edits.clone();
        if !edits.contains(&PipelineEdit::explain()) {
            edits.push(PipelineEdit::explain());
        }
        let mut options = CompileOptions {
            entry: cli.entry.clone(),
            threads: cli.threads,
            observers: watch.observers(),
            no_constant_folding: cli.no_constant_folding,
            no_tiered_compilation: true,
            processor: cli.processor.options(None),
            architecture: cli.gpu_arch.clone(),
            backend: cli.backend_arguments.options(),
            custom_calls: Arc::clone(&self.environment.custom_calls),
            pipeline_edits: edits,
            print_ir_after: cli.pipeline.print_ir_after.clone(),
            record: Some(recorder.sink()),
            ..CompileOptions::default()
        };
        // Passes of some backends have no option `explain`.
        if self.backend.compiler.check_pipeline(&options).is_err() {
            options.pipeline_edits.clone_from(&cli.pipeline.edits);
        }
        options
    }

    /// Compiles to machine code if it runs on this machine, else up to the last phase or
    /// artifact.
    fn compile_only(&self, options: &CompileOptions) -> Result<Option<Box<dyn Executable>>> {
        let compiler = &*self.backend.compiler;
        let error = match compiler.compile(self.program, options) {
            Ok(executable) => return Ok(Some(executable)),
            Err(error) => error,
        };
        // The device may be missing, or the processor may be another one.
        let phases = &compiler.description().phases;
        let mut phases = phases.iter().rev().map(|phase| &phase.name[..]);
        let last = phases.find(|phase| *phase != "schedule");
        let compiled = last.map(|last| compiler.compile_to(self.program, last, options));
        match compiled {
            Some(Ok(_)) => Ok(None),
            _ => Err(error),
        }
    }

    /// Runs a program once, and then several times with a measurement.
    fn run(&self, executable: &dyn Executable, count: Option<NonZeroU32>) -> Result<Totals> {
        let device = executable.device();
        let given = values(&self.cli.inputs)?;
        let inputs = inputs(executable.signature(), &given, Some(self.cli.random_inputs))?;
        let inputs = inputs.iter().map(|input| device.to_device(input));
        let inputs: Vec<DeviceBuffer> = inputs.collect::<Result<_>>()?;
        let profiler = Arc::new(halo_drivers::Recorder::default());
        let observer: Arc<dyn RunObserver> = profiler.clone();
        let options = ExecuteOptions {
            observer: Some(&observer),
            ..ExecuteOptions::default()
        };
        let run = |name: &str, is_measured: bool| {
            let execute = || executable.execute(&options, &inputs);
            let result = profiler.run(name, is_measured, execute);
            result.map_err(|error| error.in_file(&self.program.name))
        };
        run("run (not counted)", false)?;
        let runs = count.map_or(RUNS, |count| count.get()..=count.get());
        let start = Instant::now();
        for number in 0..*runs.end() {
            if number >= *runs.start() && start.elapsed() >= TIME_OF_RUNS {
                break;
            }
            run("run", true)?;
        }
        Ok(profiler.recorded().totals)
    }
}

/// The measurement by kernel and location, as in `--profile=summary`.
fn measured(totals: &Totals, record: &CompilationRecord) -> Run {
    let sites = totals.by_place().into_iter().map(|place| MeasuredSite {
        calls: calls(record, place.site),
        name: place.site.name.clone(),
        location: place.site.location.clone(),
        threads: u32::try_from(place.threads.len()).unwrap_or(u32::MAX),
        count: place.count,
        seconds: place.time.as_secs_f64(),
        least_seconds: place.of_runs.iter().min().map_or(0.0, Duration::as_secs_f64),
    });
    Run {
        runs: totals.of_runs.iter().map(Duration::as_secs_f64).collect(),
        sites: sites.collect(),
    }
}

/// The calls of a record with the name and location of a site. Sites of plans have no location.
fn calls(record: &CompilationRecord, site: &Site) -> Vec<u32> {
    let kind = match site.work {
        Work::Kernel => CallKind::Kernel,
        Work::Copy => CallKind::Copy,
        Work::CustomCall => CallKind::Function,
    };
    let calls = (0_u32..).zip(&record.calls);
    let of_site = calls.filter(|(_, call)| {
        // Sites of functions have no callers.
        let is_caller = kind == CallKind::Function || call.callers == site.callers;
        let is_there = call.location == site.location && is_caller;
        (call.kind, &call.name) == (kind, &site.name) && (is_there || site.location.is_empty())
    });
    of_site.map(|(number, _)| number).collect()
}
