//! The tool, from the command line to the exit code.

use super::{
    cli::{Cli, Format},
    machine,
};
use crate::{
    Environment, Stop, Tool, Watch, finish, parse_command_line, print,
    profile::{CallSums, Recorder, Totals, instrument},
    run::{inputs, values},
};
use halo_core::file;
use halo_runtime::{
    Backend, CompileOptions, DeviceBuffer, Error, Executable, ExecuteOptions, Observers,
    PipelineEdit, Program, Result,
    compilation_record::{
        self, BlockSamples, CallKind, CallTimes, CompilationRecord, MeasuredSite, Run, Spread,
    },
    host::sampler,
    run_observer::{RunObserver, Site, Work},
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

/// Makes a report.
pub trait Report {
    /// Writes the report of a compilation, compared with another one if there is one.
    ///
    /// # Errors
    /// If it cannot be written.
    fn write(
        &self,
        record: &CompilationRecord,
        other: Option<&CompilationRecord>,
        out: &mut dyn Write,
    ) -> std::io::Result<()>;

    /// Reads the compilation that a report is of.
    ///
    /// # Errors
    /// Why the file is no report that can be compared with.
    fn read(&self, report: &[u8]) -> std::result::Result<CompilationRecord, String>;
}

/// Runs the tool and returns its exit code: 0 if all went well, 1 after an error, of which one
/// line, or the compiler's diagnostics, stand on `err`. The report of a program that does not
/// compile is written all the same.
pub fn main(
    tool: Tool,
    arguments: impl IntoIterator<Item = OsString>,
    environment: &Environment,
    report: &dyn Report,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> u8 {
    let declare = |command| tool.named(command);
    let cli: Cli = match parse_command_line(arguments, declare, out, err) {
        Ok(cli) => cli,
        Err(code) => return code,
    };
    let watch = Watch::new(None, cli.pipeline.is_quiet());
    let result = explain(&cli, environment, report, &watch, out);
    watch.report(err);
    finish(tool.name, result, out, err)
}

fn explain(
    cli: &Cli,
    environment: &Environment,
    report: &dyn Report,
    watch: &Watch,
    out: &mut dyn Write,
) -> std::result::Result<(), Stop> {
    let registry = &environment.registry;
    let backend = match &cli.backend {
        Some(name) => registry.backend(name)?,
        None => registry.default_backend()?,
    };
    let other = cli.diff.as_deref().map(|path| other(path, report));
    let other = other.transpose()?;
    let program = Program::read(&cli.file)?;
    let output = cli.output.clone().unwrap_or_else(|| default_output(cli));
    if !file::is_standard_stream(&output) {
        file::check_writable(&output)?;
    }
    let recorder = compilation_record::Recorder::default();
    let result = compile_and_run(cli, environment, backend, &recorder, (&program, watch));
    let record = &mut *recorder.record();
    backend.name.clone_into(&mut record.backend);
    record.error = result.as_ref().err().map(ToString::to_string);
    if record.program.is_empty() {
        // It is no program, so that no compiler has begun a record.
        record.version = compilation_record::VERSION;
        record.halo = env!("CARGO_PKG_VERSION").to_owned();
        program.name.clone_into(&mut record.program);
        record.source = String::from_utf8_lossy(&program.code).into_owned();
    }
    let write = |out: &mut dyn Write| match cli.format {
        Format::Html => report.write(record, other.as_ref(), out),
        Format::Json => serde_json::to_writer(out, &*record).map_err(Into::into),
    };
    match file::is_standard_stream(&output) {
        true => crate::written(write(out))?,
        false => {
            file::write_whole(&output, |file| write(file))?;
            print(out, format_args!("{}\n", output.display()))?;
        }
    }
    Ok(result?)
}

/// The compilation that an earlier report is of.
fn other(path: &Path, report: &dyn Report) -> Result<CompilationRecord> {
    let bytes = file::read_input(path)?;
    let record = report.read(&bytes);
    record.map_err(|reason| {
        let text = format!("{}: error: {reason}", path.display());
        Error::diagnosed(text.clone(), vec![text])
    })
}

/// The name of the program with another extension, in the current folder.
fn default_output(cli: &Cli) -> PathBuf {
    let extension = match cli.format {
        Format::Html => "html",
        Format::Json => "json",
    };
    match cli
        .file
        .file_stem()
        .filter(|_| !file::is_standard_stream(&cli.file))
    {
        Some(stem) => PathBuf::from(stem).with_extension(extension),
        None => PathBuf::from("-"),
    }
}

fn compile_and_run(
    cli: &Cli,
    environment: &Environment,
    backend: &Backend,
    recorder: &compilation_record::Recorder,
    (program, watch): (&Program, &Watch),
) -> Result<()> {
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
        custom_calls: Arc::clone(&environment.custom_calls),
        pipeline_edits: edits,
        print_ir_after: cli.pipeline.print_ir_after.clone(),
        record: Some(recorder.clone()),
        ..CompileOptions::default()
    };
    let compiler = &*backend.compiler;
    // A backend whose passes have no reasons to give is explained without them.
    if compiler.check_pipeline(&options).is_err() {
        options.pipeline_edits.clone_from(&cli.pipeline.edits);
    }
    options.backend.check(backend.name, compiler.options())?;
    let unrecorded = CompileOptions {
        record: None,
        observers: Observers::default(),
        pipeline_edits: cli.pipeline.edits.clone(),
        ..options.clone()
    };
    if cli.run.is_some() {
        instrument(compiler, &mut options);
    }
    // What is made once in a process is no time of this program. If it fails, so will the
    // compilation.
    let _ = compiler.warm_up(&options);
    let executable = match cli.run {
        Some(_) => Some(compiler.compile(program, &options)),
        None => compile_only(backend, program, &options),
    };
    let executable = executable.transpose();
    let executable = executable.map_err(|error| cli.pipeline.locate(error, &program.name))?;
    if let (Some(executable), Some(count)) = (executable, cli.run) {
        let (run, samples) = run(cli, &*executable, count, program)?;
        let mut run = measured(&run, &recorder.record());
        if !samples.is_empty() {
            run.sample_period = SAMPLE_PERIOD.as_secs_f64();
        }
        let has_kernels = !recorder.record().calls.is_empty();
        let machine = match has_kernels {
            true => machine::measured(executable.device().executor.platform(), compiler, &options)?,
            false => None,
        };
        // It compiled before: if it does not now, the time is not known.
        let start = Instant::now();
        let unrecorded = compiler.compile(program, &unrecorded);
        let unrecorded = unrecorded.map_or(Duration::ZERO, |_| start.elapsed());
        let record = &mut *recorder.record();
        for samples in samples {
            record.add_samples(samples);
        }
        record.times.unrecorded = unrecorded.as_secs_f64();
        record.run = Some(run);
        record.machine = machine;
    }
    Ok(())
}

/// Compiles a program that will not run, up to its machine code where this machine runs it and
/// up to the last phase or artifact elsewhere.
fn compile_only(
    backend: &Backend,
    program: &Program,
    options: &CompileOptions,
) -> Option<Result<Box<dyn Executable>>> {
    let compiler = &*backend.compiler;
    let error = match compiler.compile(program, options) {
        Ok(executable) => return Some(Ok(executable)),
        Err(error) => error,
    };
    // There may be no such device here, or it is another processor.
    let phases = compiler.phases().iter().rev();
    let mut phases = phases.filter(|phase| phase.name != "schedule");
    match compiler.compile_to(program, &phases.next()?.name, options) {
        Ok(_) => None,
        Err(_) => Some(Err(error)),
    }
}

/// How often a program runs if nothing says that: the more often, the less the fastest run has
/// of what other programs do meanwhile.
const RUNS: RangeInclusive<u32> = 10..=100;
/// How long, after the first of these.
const TIME_OF_RUNS: Duration = Duration::from_secs(2);

/// Runs a program once, and then so many times that are measured, and after that until its threads
/// were found often enough.
fn run(
    cli: &Cli,
    executable: &dyn Executable,
    count: Option<NonZeroU32>,
    program: &Program,
) -> Result<(Totals, Vec<BlockSamples>)> {
    let device = executable.device();
    let given = values(&cli.inputs)?;
    let inputs = inputs(executable.signature(), &given, Some(cli.random_inputs))?;
    let inputs: Vec<DeviceBuffer> = inputs
        .into_iter()
        .map(|input| device.to_device(&input))
        .collect::<Result<_>>()?;
    let recorder = Arc::new(Recorder::new());
    let observer: Arc<dyn RunObserver> = recorder.clone();
    let options = ExecuteOptions {
        observer: Some(&observer),
        ..ExecuteOptions::default()
    };
    let execute = || executable.execute(&options, &inputs);
    let in_program = |error: Error| error.in_file(&program.name);
    recorder
        .run("run (not counted)", false, execute)
        .map_err(in_program)?;
    let runs = count.map_or(RUNS, |count| count.get()..=count.get());
    let start = Instant::now();
    for number in 0..*runs.end() {
        if number >= *runs.start() && start.elapsed() >= TIME_OF_RUNS {
            break;
        }
        recorder.run("run", true, execute).map_err(in_program)?;
    }
    let samples = samples(executable, &inputs).map_err(in_program)?;
    Ok((recorder.recorded().totals, samples))
}

/// How long a program runs while its threads are looked for, and how often that is. The period is
/// no part of a millisecond, so that runs of whole ones are not always found in one place.
const TIME_OF_SAMPLES: Duration = Duration::from_secs(1);
const SAMPLE_PERIOD: Duration = Duration::from_micros(487);

/// How often threads are found in each block of the machine code, in runs of their own; none where
/// that cannot be told.
fn samples(executable: &dyn Executable, inputs: &[DeviceBuffer]) -> Result<Vec<BlockSamples>> {
    let blocks = executable.code_blocks();
    if blocks.is_empty() {
        return Ok(Vec::new());
    }
    let run = || -> Result<()> {
        let start = Instant::now();
        while start.elapsed() < TIME_OF_SAMPLES {
            executable.execute(&ExecuteOptions::default(), inputs)?;
        }
        Ok(())
    };
    let (ran, found) = sampler::sample(SAMPLE_PERIOD, run);
    ran?;
    let mut counts = vec![0; blocks.len()];
    for address in found.unwrap_or_default() {
        let next = blocks.partition_point(|block| block.begin <= address);
        if let Some(place) = next.checked_sub(1)
            && address < blocks[place].end
        {
            counts[place] += 1;
        }
    }
    let samples = blocks.iter().zip(counts).filter(|(_, count)| *count > 0);
    let samples = samples.map(|(block, count)| BlockSamples {
        function: block.function.clone(),
        block: block.number,
        count,
    });
    Ok(samples.collect())
}

/// The sums of runs, by kernel and place, as `--profile=summary` has them.
fn measured(totals: &Totals, record: &CompilationRecord) -> Run {
    let sites = totals.by_place().into_iter().map(|place| MeasuredSite {
        calls: calls(record, place.site),
        name: place.site.name.clone(),
        location: place.site.location.clone(),
        callers: place.site.callers.clone(),
        threads: u32::try_from(place.threads.len()).unwrap_or(u32::MAX),
        wait_seconds: place.waits.as_secs_f64(),
        bytes: place.bytes,
        sum: call_times(place.sum),
        of_runs: place.of_runs.into_iter().map(call_times).collect(),
        least_busy_seconds: place.least_busy.map(|time| time.as_secs_f64()),
    });
    Run {
        runs: totals.runs,
        seconds: totals.time.as_secs_f64(),
        wait_seconds: totals.waits.as_secs_f64(),
        spread: Spread::of(totals.of_runs.iter().map(Duration::as_secs_f64).collect()),
        sites: sites.collect(),
        sample_period: 0.0,
    }
}

fn call_times(sums: CallSums) -> CallTimes {
    CallTimes {
        count: sums.count,
        seconds: sums.total.as_secs_f64(),
        busy_seconds: sums.busy.as_secs_f64(),
        preempted_seconds: sums.preempted.as_secs_f64(),
        waiting_seconds: sums.waiting.as_secs_f64(),
        shared_count: sums.shared,
        taking_part_seconds: sums.taking_part.as_secs_f64(),
        late_seconds: sums.late.as_secs_f64(),
    }
}

/// The calls of a record that a site is.
fn calls(record: &CompilationRecord, site: &Site) -> Vec<u32> {
    let kind = match site.work {
        Work::Kernel => CallKind::Kernel,
        Work::Copy => CallKind::Copy,
        Work::CustomCall => CallKind::Function,
    };
    let calls = (0_u32..).zip(&record.calls);
    calls
        .filter(|(_, call)| {
            // Functions are known by their location alone.
            let is_caller = kind == CallKind::Function || call.callers == site.callers;
            (call.kind, &call.name, &call.location) == (kind, &site.name, &site.location)
                && is_caller
        })
        .map(|(number, _)| number)
        .collect()
}
