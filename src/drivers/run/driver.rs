//! The tool, from the command line to the exit code.

use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::{
    Profile, Stop, Tool, Watch, finish, numerics, parse_command_line, print, profile::About,
    reproducer::reproducer, written,
};
use halo_backend::{CompileOptions, Environment, Program, Registry, Specialize};
use halo_core::{Literal, PrintOptions, Rule, compare, file, npy};
use halo_runtime::{
    DeviceBuffer, Error, Executable, ExecuteOptions, Plan, PlanExecutable, Result, Shardings,
};

use super::bench::{Human, Timings, gflops};
use super::bisect;
use super::cli::{Cli, SpecializeArgument};
use super::comparison::{self, Compilation};
use super::distributed::Job;
use super::measurement;
use super::shards::Division;
use super::simulation;
use super::value::{self, Value};

/// Runs the tool and returns its exit code: 0 on success, 1 after an error, which is printed to
/// `err` as one line or as the compiler's diagnostics.
pub fn main(
    tool: Tool,
    arguments: impl IntoIterator<Item = OsString>,
    environment: &Environment,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> u8 {
    let registry = &environment.registry;
    let describe = |command: clap::Command| match registry.default_backend() {
        Ok(default) => {
            let names = registry.backend_names();
            let help = format!(
                "The backend to compile for and run on: {names}, or pjrt:FILE for a PJRT plug-in \
                 [default: {}]",
                default.name
            );
            command.mut_arg("backend", |argument| argument.help(help))
        }
        Err(_) => command,
    };
    let declare = |command| describe(tool.named(command));
    let cli: Cli = match parse_command_line(arguments, declare, out, err) {
        Ok(cli) => cli,
        Err(code) => return code,
    };
    let job = match Job::start(&cli.distributed, tool.name, err) {
        Ok(job) => job,
        Err(code) => return code,
    };
    let mut watch = Watch::new(cli.timing.timing, cli.pipeline.is_quiet());
    let profile = match Profile::new(&cli.profile) {
        Ok(profile) => profile,
        Err(error) => return end(job, tool.name, Err(error.into()), out, err),
    };
    if let Some(profile) = &profile {
        watch.add(profile.compile_observer());
    }
    let mut program = None;
    let observed = (&watch, profile.as_ref());
    let around = (environment, job.as_ref());
    let mut result = run(&cli, around, observed, &mut program, out, err);
    if job.as_ref().is_none_or(Job::is_first) {
        watch.report(err);
    }
    if let Some(profile) = &profile {
        let error = match &result {
            Err(Stop::Error(error)) => Some(error.to_string()),
            _ => None,
        };
        let written = profile.write(&about(program.as_ref(), error.as_deref()), err);
        // The first error is reported.
        result = result.and(written);
    }
    end(job, tool.name, result, out, err)
}

/// Ends the tool, and the distributed job, if any.
fn end(
    job: Option<Job>,
    tool: &str,
    result: Result<(), Stop>,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> u8 {
    match job {
        Some(job) => job.end(tool, result, out, err),
        None => finish(tool, result, out, err),
    }
}

/// Returns true if the file name of an output depends on the rank.
fn is_of_rank(text: &str) -> bool {
    text.contains("{rank}")
}

/// The description of the program in a profile.
fn about<'a>(program: Option<&'a Program>, error: Option<&'a str>) -> About<'a> {
    About {
        program: program.map_or("", |program| &program.name),
        code: program.map_or(&[], |program| &program.code),
        error,
    }
}

/// The backends, and the job that this process is a rank of.
type Around<'a> = (&'a Environment, Option<&'a Job>);

fn run(
    cli: &Cli,
    around: Around<'_>,
    (watch, profile): (&Watch, Option<&Profile>),
    read: &mut Option<Program>,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<(), Stop> {
    let (environment, job) = around;
    let registry = &environment.registry;
    if cli.list_backends {
        return list_backends(registry, out);
    }
    if let Some(name) = &cli.backend
        && !registry.backends().is_empty()
    {
        registry.backend(name)?;
    }
    if cli.bisect.bisect {
        return bisect::run(cli, environment, out, err);
    }
    if let Some(job) = job.filter(|_| cli.simulation.measure_topology) {
        let backend = match &cli.backend {
            Some(name) => registry.backend(name)?,
            None => registry.default_backend()?,
        };
        return measurement::measure(job, &*backend.compiler, cli.threads, out);
    }
    // Errors that need no compilation are reported first.
    let of_rank = |texts: &[String]| -> Vec<String> {
        let texts = texts.iter();
        let expand = |text: &String| job.map_or_else(|| text.clone(), |job| job.expand(text));
        texts.map(expand).collect()
    };
    let given = values(&of_rank(&cli.inputs))?;
    let expected = values(&of_rank(&cli.expected))?;
    let outputs: Vec<PathBuf> = of_rank(&cli.outputs)
        .iter()
        .map(|text| value::output_path(text))
        .collect::<Result<_>>()?;
    if job.is_some() {
        let is_stream = |path: &PathBuf| file::is_standard_stream(path);
        if is_stream(&cli.file)
            || outputs.iter().any(is_stream)
            || given.iter().chain(&expected).any(Value::is_standard_input)
        {
            let message = "--distributed: processes read and write files, not standard streams";
            return Err(Error::invalid(message).into());
        }
    }
    let reads_values = given.iter().chain(&expected).any(Value::is_standard_input);
    if reads_values && file::is_standard_stream(&cli.file) {
        let message = "standard input cannot be both the program and a value";
        return Err(Error::invalid(message).into());
    }
    let program = &*read.insert(Program::read(&cli.file)?);
    if let Some(job) = job {
        job.expect_same_program(program, &cli.options_of_all_ranks())?;
    }
    let values = Values {
        given,
        expected,
        outputs,
    };
    if Plan::is_plan(&program.code) {
        run_plan(cli, around, profile, (program, &values), out, err)
    } else {
        let observed = (watch, profile);
        run_program(cli, around, observed, (program, &values), out, err)
    }
}

/// The files that the command line names in addition to the program.
#[derive(Clone)]
struct Values {
    given: Vec<Value>,
    expected: Vec<Value>,
    outputs: Vec<PathBuf>,
}

/// Runs a compiled program on its platform.
fn run_plan(
    cli: &Cli,
    (environment, job): Around<'_>,
    profile: Option<&Profile>,
    (program, values): (&Program, &Values),
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<(), Stop> {
    let edit = cli.pipeline.edits.first();
    let edit = (edit.map_or("", |edit| edit.option()), edit.is_some());
    let processor = cli.processor.given();
    let for_compilers = [
        ("--backend", cli.backend.is_some()),
        ("--entry", cli.entry.is_some()),
        ("--compile-to", cli.compile_to.is_some()),
        ("--dump-dir", cli.dump_dir.is_some()),
        (processor.unwrap_or_default(), processor.is_some()),
        ("--runner", cli.runner.is_some()),
        ("--linker", cli.linker.is_some()),
        ("--gpu-arch", cli.gpu_arch.is_some()),
        ("--debug-info", cli.debug_info),
        ("--check-numerics", cli.numerics.check_numerics.is_some()),
        ("--compare", cli.comparison.compare.is_some()),
        edit,
        ("--print-ir-after", !cli.pipeline.print_ir_after.is_empty()),
    ];
    if let Some((option, _)) = for_compilers.iter().find(|(_, given)| *given) {
        let message = format!("a plan is compiled already: {option} says nothing of it");
        return Err(in_file(program, &message).into());
    }
    let start = Instant::now();
    let plan = Plan::from_bytes(&program.code);
    let plan = plan.map_err(|error| in_file(program, &error.to_string()))?;
    let platform = plan.target.platform.clone();
    let device = environment.registry.device(&platform, 0)?;
    let options = CompileOptions {
        threads: cli.threads,
        ..CompileOptions::default()
    };
    let threads = options.thread_count();
    let executable = PlanExecutable::load(plan, device, &environment.custom_calls)
        .map_err(|error| error.in_file(&program.name))?;
    let executable = executable.with_threads(threads)?;
    let run = Run {
        cli,
        job,
        profile,
        program: &program.name,
        name: &platform,
        executable: &executable,
        shardings: Shardings::default(),
        prepared: "loaded",
        preparation: start.elapsed(),
        warm_up: None,
        threads: threads.get(),
    };
    run.go(values, out, err)
}

/// Compiles a program and runs it.
fn run_program(
    cli: &Cli,
    (environment, job): Around<'_>,
    (watch, profile): (&Watch, Option<&Profile>),
    (program, values): (&Program, &Values),
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<(), Stop> {
    let registry = &environment.registry;
    if registry.backends().is_empty() {
        let message = "not a plan, and this tool has no compiler: \
                       halo-compile makes plans of programs";
        return Err(in_file(program, message).into());
    }
    let backend = match &cli.backend {
        Some(name) => registry.backend(name)?,
        None => registry.default_backend()?,
    };
    let is_default = cli.backend.is_none();
    tracing::debug!(backend = backend.name, is_default, "backend chosen");
    let mut options = compile_options(cli, environment, job)?;
    options.observers = watch.observers();
    options.backend.check(backend.name, backend.compiler.description().options)?;
    if cli.linker.is_some() && backend.compiler.description().code_form.is_none() {
        let message = format!("--linker: backend '{}' makes no object files", backend.name);
        return Err(Error::invalid(message).into());
    }
    if let Some(profile) = profile {
        profile.instrument(&*backend.compiler, &mut options)?;
    }
    let in_program = |error: Error| cli.pipeline.locate(error, &program.name, &[]);
    if let Some(topology) = &cli.simulation.simulate {
        let topology = Program::read(topology)?;
        options.partitioning = cli.distributed.simulated();
        let prediction = backend.compiler.predict(program, &topology, &options);
        let prediction = prediction
            .map_err(|error| cli.pipeline.locate(error, &program.name, &[&topology.name]))?;
        return simulation::print_prediction(&prediction, cli.simulation.simulate_format, out);
    }
    if let Some(phase) = &cli.compile_to {
        backend.compiler.check_phase(phase, &options)?;
        let text = backend.compiler.compile_to(program, phase, &options);
        let text = text.map_err(in_program)?;
        let end = if text.ends_with('\n') { "" } else { "\n" };
        return print(out, format_args!("{text}{end}"));
    }

    let recorded = if values.given.is_empty() && cli.random_inputs.is_none() {
        backend.compiler.recorded_inputs(program)?
    } else {
        None
    };
    let recorded: Option<Vec<Value>> =
        recorded.map(|inputs| inputs.into_iter().map(Value::Recorded).collect());
    if let Some(other) = &cli.comparison.compare {
        let inputs = |executable: &dyn Executable| {
            let given = recorded.as_ref().unwrap_or(&values.given);
            value::inputs(executable.signature(), given, cli.random_inputs)
        };
        let compilations = [
            Compilation { backend, options },
            other_compilation(cli, &other.cli, environment)?,
        ];
        return comparison::run(cli, program, compilations, inputs, out);
    }

    // Measured runs follow a warm-up run. A program in the cache needs no compiler, and the
    // compilation reports invalid options.
    let warm_up = if cli.bench.is_some() && options.cache.is_none() {
        let start = Instant::now();
        let warm_up = || backend.compiler.warm_up(&options);
        let warmed_up = match profile {
            None => warm_up(),
            Some(profile) => profile.recorder().step("warm up the compiler", warm_up),
        };
        warmed_up.ok().map(|()| start.elapsed())
    } else {
        None
    };
    let start = Instant::now();
    let executable = match cli.numerics.kinds()? {
        None => backend.compiler.compile(program, &options),
        Some(kinds) => numerics::compile(&backend.compiler, program, &options, kinds),
    };
    let executable = executable.map_err(in_program)?;
    let preparation = start.elapsed();
    let recorded = recorded.map(|given| Values {
        given,
        ..values.clone()
    });
    let run = Run {
        cli,
        job,
        profile,
        program: &program.name,
        name: backend.name,
        executable: &*executable,
        shardings: match job {
            None => Shardings::default(),
            Some(job) => {
                let partitions = job.partitioning.partitions;
                backend.compiler.shardings(program, partitions).map_err(in_program)?
            }
        },
        prepared: "compiled",
        preparation,
        warm_up,
        threads: options.thread_count().get(),
    };
    run.go(recorded.as_ref().unwrap_or(values), out, err)
}

/// The options of the compilation that the command line specifies.
fn compile_options(
    cli: &Cli,
    environment: &Environment,
    job: Option<&Job>,
) -> Result<CompileOptions> {
    Ok(CompileOptions {
        entry: cli.entry.clone(),
        threads: cli.threads,
        dump_dir: cli.dump_dir.clone(),
        no_constant_folding: cli.no_constant_folding,
        no_tiered_compilation: cli.no_tiered_compilation,
        specialize: match cli.specialize {
            SpecializeArgument::Never => Specialize::Never,
            SpecializeArgument::Always => Specialize::Always,
        },
        processor: cli.processor.options(cli.runner()),
        architecture: cli.gpu_arch.clone(),
        backend: cli.backend_arguments.options(),
        custom_calls: Arc::clone(&environment.custom_calls),
        pipeline_edits: cli.pipeline.edits.clone(),
        print_ir_after: cli.pipeline.print_ir_after.clone(),
        partitioning: job.and_then(Job::divides),
        topology: cli.distributed.topology()?,
        debug_info: cli.debug_info,
        reproducer: reproducer(&cli.file),
        bisection: cli.bisect.bisect_at.clone(),
        cache: cli.cache.cache()?,
        tuning: cli.tuning.budget()?,
        ..CompileOptions::default()
    })
}

/// The compilation to compare with.
fn other_compilation<'a>(
    cli: &Cli,
    other: &Cli,
    environment: &'a Environment,
) -> Result<Compilation<'a>> {
    let backend = environment.registry.backend(other.backend.as_deref().unwrap_or_default())?;
    let mut options = compile_options(other, environment, None)?;
    options.entry.clone_from(&cli.entry);
    options.backend.check(backend.name, backend.compiler.description().options)?;
    Ok(Compilation { backend, options })
}

/// An error about a whole file.
fn in_file(program: &Program, message: &str) -> Error {
    Error::invalid_file(&program.name, message)
}

/// The values of a command line.
///
/// # Errors
/// Returns an invalid-input error if one cannot be read.
pub fn values(texts: &[String]) -> Result<Vec<Value>> {
    texts.iter().map(|text| Value::new(text)).collect()
}

fn list_backends(registry: &Registry, out: &mut dyn Write) -> Result<(), Stop> {
    for backend in registry.backends() {
        print(out, format_args!("{}: {}\n", backend.name, backend.summary))?;
        for phase in &*backend.compiler.description().phases {
            print(
                out,
                format_args!("  {:<24} {}\n", phase.name, phase.summary),
            )?;
        }
        for option in backend.compiler.description().options {
            let (name, values) = (option.name, option.values.join(", "));
            let summary = option.summary;
            print(
                out,
                format_args!("  --backend-option={name}= {summary}: {values}\n"),
            )?;
        }
    }
    let platforms = registry.platforms();
    let platforms = platforms.iter().map(|platform| platform.name());
    let platforms: Vec<&str> = platforms.collect();
    print(out, format_args!("plans for: {}\n", platforms.join(", ")))
}

/// The run of a compiled program.
struct Run<'a> {
    cli: &'a Cli,
    job: Option<&'a Job>,
    profile: Option<&'a Profile>,
    /// The name of its file.
    program: &'a str,
    /// Of the backend or the platform.
    name: &'a str,
    executable: &'a dyn Executable,
    /// The shardings of the arguments and results of a program for several partitions.
    shardings: Shardings,
    /// The steps of compilation, and the time of each.
    prepared: &'a str,
    preparation: Duration,
    /// The time of the compiler's warm-up, if any.
    warm_up: Option<Duration>,
    threads: usize,
}

impl Run<'_> {
    /// Results are named all or not at all.
    fn check_count(&self, option: &str, count: usize) -> Result<()> {
        let signature = self.executable.signature();
        let results = signature.outputs.len();
        if count == 0 || count == results {
            return Ok(());
        }
        let plural = if results == 1 { "" } else { "s" };
        Err(Error::invalid(format!(
            "@{} has {results} result{plural}, but {count} {option} were given",
            signature.name
        )))
    }

    fn go(&self, values: &Values, out: &mut dyn Write, err: &mut dyn Write) -> Result<(), Stop> {
        let Values {
            given,
            expected,
            outputs,
        } = values;
        self.check_count("--output", outputs.len())?;
        self.check_count("--expect", expected.len())?;
        let signature = self.executable.signature();
        let device = self.executable.device();
        let division = self.job.map(|job| Division::new(job, signature, self.shardings.clone()));
        let division = self.job.zip(division.as_ref());
        let seed = self.cli.random_inputs;
        let inputs = match division {
            None => value::inputs(signature, given, seed)?,
            Some((job, division)) => {
                let inputs = division.inputs(job, signature, given, seed)?;
                job.expect_same_inputs(&inputs)?;
                inputs
            }
        };
        let expected = expected.iter().zip(&signature.outputs).enumerate();
        let expected: Vec<(String, Literal)> = expected
            .map(|(number, (value, shape))| {
                let literal = match division {
                    None => value.load(shape)?,
                    Some((_, division)) => division.expected(number, value, shape)?,
                };
                Ok((value.name(), literal))
            })
            .collect::<Result<_>>()?;

        let inputs: Vec<DeviceBuffer> = self.step("copy inputs to the device", || {
            let inputs = inputs.into_iter().enumerate();
            let copy = |(number, input): (usize, Literal)| {
                let copied = (format!("input {number}"), input.shape().byte_size());
                self.transfer(copied, || device.to_device(&input))
            };
            inputs.map(copy).collect()
        })?;
        let output_buffers = if signature.has_static_outputs() {
            Some(self.executable.allocate_outputs()?)
        } else {
            None
        };
        let run = |counts| self.execute(&inputs, output_buffers.as_deref(), counts);
        let buffers = match self.cli.bench {
            Some(count) => {
                let finish_compilation = || self.executable.finish_compilation();
                let timings = Timings::measure(run, finish_compilation, count.get())?;
                self.cli.bisect.note_time(timings.minimum());
                if self.job.is_none_or(Job::is_first) {
                    self.print_timings(&timings, out)?;
                }
                run(false)?
            }
            None => {
                let start = Instant::now();
                let buffers = run(true)?;
                let run_time = start.elapsed();
                if self.job.is_none_or(Job::is_first) {
                    print(
                        err,
                        format_args!(
                            "{}: {} in {}, ran in {}\n",
                            self.name,
                            self.prepared,
                            Human(self.preparation),
                            Human(run_time)
                        ),
                    )?;
                }
                buffers
            }
        };
        let results: Vec<Literal> = self.step("copy results to the host", || {
            let buffers = buffers.iter().enumerate();
            let copy = |(number, buffer): (usize, &DeviceBuffer)| {
                let copied = (format!("result {number}"), buffer.shape().byte_size());
                let result = self.transfer(copied, || device.to_host(buffer))?;
                match division {
                    Some((_, division)) => division.result(number, result),
                    None => Ok(result),
                }
            };
            buffers.map(copy).collect()
        })?;
        let is_stream = |path: &PathBuf| file::is_standard_stream(path);
        if let Some(job) = self.job {
            // The results of a run that has failed elsewhere are neither shown nor kept.
            self.check(&results, &expected, err)?;
            job.meet("the results")?;
            if self.cli.timing.timing.is_some() {
                job.report_volume(err)?;
            }
        }
        if self.cli.bench.is_none() && !outputs.iter().any(is_stream) {
            self.print_results(&results, out)?;
        }
        if self.job.is_none() {
            self.check(&results, &expected, err)?;
        }
        for (number, (path, result)) in outputs.iter().zip(&results).enumerate() {
            match division {
                Some((job, division)) if !is_of_rank(&self.cli.outputs[number]) => {
                    division.write(job, number, path, result)?;
                }
                _ if is_stream(path) => written(npy::write_to(&mut *out, result))?,
                _ => npy::write(path, result)?,
            }
        }
        if let Some((job, division)) = division
            && let Some(directory) = &job.arguments.save
        {
            division.save(job, directory, &results)?;
        }
        Ok(())
    }

    /// Does something that a profile shows.
    fn step<T>(&self, name: &str, function: impl FnOnce() -> Result<T>) -> Result<T> {
        match self.profile {
            None => function(),
            Some(profile) => profile.recorder().step(name, function),
        }
    }

    /// Copies bytes to or from the device, as a step of a profile.
    fn transfer<T>(
        &self,
        (name, bytes): (String, usize),
        function: impl FnOnce() -> Result<T>,
    ) -> Result<T> {
        match self.profile {
            None => function(),
            Some(profile) => profile.recorder().transfer((&name, bytes as u64), function),
        }
    }

    /// Runs the program once. Results go to the given buffers, or to new ones if their sizes are
    /// dynamic. A profile sums up the counted runs.
    fn execute(
        &self,
        inputs: &[DeviceBuffer],
        outputs: Option<&[DeviceBuffer]>,
        counts: bool,
    ) -> Result<Vec<DeviceBuffer>> {
        let options = ExecuteOptions {
            observer: self.profile.map(Profile::run_observer),
            process: self.job.map(|job| &job.process),
            ..ExecuteOptions::default()
        };
        let run = || match outputs {
            None => self.executable.execute(&options, inputs),
            Some(outputs) => {
                let run = self.executable.execute_into(&options, inputs, outputs);
                run.map(|()| outputs.to_vec())
            }
        };
        let results = match self.profile {
            None => run(),
            Some(profile) => {
                let name = if counts { "run" } else { "run (not counted)" };
                profile.recorder().run(name, counts, run)
            }
        };
        results.map_err(|error| error.in_file(self.program))
    }

    fn print_results(&self, results: &[Literal], out: &mut dyn Write) -> Result<(), Stop> {
        let options = if self.cli.print_all {
            PrintOptions::ALL
        } else {
            PrintOptions::default()
        };
        let lines = results.iter().map(|result| format!("{}\n", result.display(options)));
        match self.job {
            None => {
                for line in lines {
                    print(out, format_args!("{line}"))?;
                }
            }
            Some(job) => {
                for (rank, text) in job.texts(&lines.collect::<String>())?.iter().enumerate() {
                    for line in text.lines().filter(|_| job.is_first()) {
                        print(out, format_args!("rank {rank}: {line}\n"))?;
                    }
                }
            }
        }
        // Flushed before the errors on standard error.
        written(out.flush())
    }

    fn print_timings(&self, timings: &Timings, out: &mut dyn Write) -> Result<(), Stop> {
        let (minimum, median) = (timings.minimum(), timings.median());
        let warm_up = match self.warm_up {
            Some(time) => format!(" (behind a warm-up of {})", Human(time)),
            None => String::new(),
        };
        print(
            out,
            format_args!(
                "{}: {}{}\nrun: minimum {}, median {} ({} runs, {}, {} thread{})\n",
                if self.prepared == "compiled" {
                    "compile"
                } else {
                    "load"
                },
                Human(self.preparation),
                warm_up,
                Human(minimum),
                Human(median),
                timings.count(),
                self.name,
                self.threads,
                if self.threads == 1 { "" } else { "s" },
            ),
        )?;
        if let Some(operations) = self.cli.flops {
            print(
                out,
                format_args!(
                    "rate: {:.2} GFLOP/s at the minimum, {:.2} GFLOP/s at the median\n",
                    gflops(operations, minimum),
                    gflops(operations, median)
                ),
            )?;
        }
        Ok(())
    }

    /// Compares all results with the expected ones before it reports the first mismatch.
    fn check(
        &self,
        results: &[Literal],
        expected: &[(String, Literal)],
        err: &mut dyn Write,
    ) -> Result<(), Stop> {
        let mut failure = None;
        for (position, (result, (name, expected))) in results.iter().zip(expected).enumerate() {
            // A relative tolerance would let large integers differ.
            let rule = if result.element_type().float_format().is_some() {
                Rule::close(self.cli.rtol, self.cli.atol)
            } else {
                Rule::EXACT
            };
            let comparison = compare(result, expected, rule)?;
            if comparison.passed() {
                print(err, format_args!("result {position}: {comparison}\n"))?;
            } else {
                failure.get_or_insert(Error::execution(format!(
                    "result {position} is not {name}: {comparison}"
                )));
            }
        }
        match failure {
            Some(error) => Err(error.into()),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
#[path = "driver_tests.rs"]
mod tests;
