//! The tool, from the command line to the reduced program.

use crate::{
    cli::Cli,
    execution::Candidate,
    interest::{Interest, Outcome},
    output::{Output, default_path, visible},
    pool::{Pool, Tester},
    process::Worker,
    program::{Program, Size},
    reductions,
    report::{self, Report},
    reproducer,
    script::Script,
    session::{Halt, Limits, Session, broken},
};
use halo::{
    core::file,
    frontend::ProgramFormat,
    runtime::{Environment, Error, Program as Source},
};
use halo_drivers::{Stop, print};
use std::{
    ffi::OsString,
    io::Write,
    time::{Duration, Instant},
};

/// The time limit of the first test.
const FIRST_TEST: Duration = Duration::from_secs(600);

/// An empty program, on which a script must give another exit code.
const EMPTY: &str = "module {\n  func.func @main() {\n    return\n  }\n}\n";
const EMPTY_HLO: &str = "HloModule empty\n\nENTRY main {\n  ROOT tuple = () tuple()\n}\n";

/// Reduces the program that the command line names.
///
/// # Errors
/// Returns an error if the program cannot be read, does not fail, or the result cannot be written.
pub fn reduce(
    cli: &Cli,
    environment: &Environment,
    arguments: &[OsString],
    out: &mut dyn Write,
) -> Result<(), Stop> {
    let start = Instant::now();
    let mut source = Source::read(&cli.file)?;
    source.code = reproducer::without_pipeline(&source.code).to_vec();
    let pipeline = reproducer::pipeline_of(cli)?;
    check_options(cli, environment, pipeline.as_deref())?;
    let is_hlo = matches!(
        ProgramFormat::of(&source.code),
        ProgramFormat::HloText | ProgramFormat::HloProto
    );
    let path = cli.output.clone();
    let path = path.unwrap_or_else(|| default_path(&cli.file, is_hlo));
    let mut output = Output::new(path, cli.test.is_some())?;
    let mut transformer = Worker::new(arguments);
    let limit = cli.timeout.map(|seconds| Duration::from_secs(seconds.get()));
    let mut program = read(&source, &mut transformer, limit.unwrap_or(FIRST_TEST))?;
    let selected = match pipeline {
        Some(_) => Ok(()),
        None => program.select_entry(&source, cli.entry.as_deref()),
    };
    if cli.test.is_none() {
        selected?;
    }
    program.given = (0..cli.values()?.len()).collect();
    if output.code_for_test(&program, &program.text()).is_none() && output.fall_back_to_mlir() {
        let path = output.path().display();
        eprintln!("halo-reduce: warning: HLO text cannot say this program; it goes to {path}");
    }

    let mut pool = pool(cli, arguments, &output)?;
    let first = limit.unwrap_or(FIRST_TEST);
    let text = program.text();
    let code = output.code_for_test(&program, &text).unwrap_or_default();
    let begun = Instant::now();
    let outcome = test(&mut pool, program.candidate(code), first)?;
    let taken = begun.elapsed();
    let interest = match &cli.test {
        None => interest(cli, pipeline.is_some(), &outcome)?,
        Some(_) => script_interest(&mut pool, &source, &program, (&outcome, first), is_hlo)?,
    };
    if cli.check {
        return print(out, format_args!("{}\n", outcome.describe()));
    }
    let before = program.size();
    let report = Report::new(cli, arguments, pipeline.as_deref(), &outcome);
    output.set_comment(report.lines(&program, output.path()));
    let mut limits = Limits {
        deadline: cli.max_seconds.map(|seconds| start + Duration::from_secs(seconds.get())),
        tests: cli.max_tests.map(std::num::NonZeroU64::get),
        test: first,
        is_fixed: limit.is_some(),
    };
    limits.follow(taken);
    let interest = (interest, outcome.is_clear());
    let mut session = Session::new(program, interest, limits, (pool, transformer), output);
    let ended = reductions::run(&mut session);
    let result = finish(&mut session, &report, (before, start), &ended);
    session.finish();
    match ended {
        Err(Halt::Error(error)) => Err(error.into()),
        Ok(()) | Err(Halt::Limit) => result,
    }
}

/// Reports errors that need no test.
fn check_options(
    cli: &Cli,
    environment: &Environment,
    pipeline: Option<&str>,
) -> Result<(), Error> {
    let registry = &environment.registry;
    let is_asked = cli.differs.is_some() || cli.crashes || cli.error.is_some();
    if !is_asked && cli.test.is_none() && pipeline.is_none() {
        return Err(Error::invalid(
            "what fails? say it by --differs=A,B, --crashes, --error=TEXT or --test=SCRIPT \
             (see --help)",
        ));
    }
    let tested = match &cli.differs {
        Some((tested, reference)) => {
            registry.backend(reference)?;
            Some(registry.backend(tested)?)
        }
        None if cli.test.is_some() || pipeline.is_some() => None,
        None => Some(match &cli.backend {
            Some(name) => registry.backend(name)?,
            None => registry.default_backend()?,
        }),
    };
    if let Some(backend) = tested {
        let options = cli.compile_options(environment);
        options.backend.check(backend.name, backend.compiler.description().options)?;
        backend.compiler.check_pipeline(&options)?;
    }
    if let Some(pipeline) = pipeline {
        crate::execution::without_anchor(pipeline)?;
    }
    Ok(())
}

/// Parses the program, first in a process that may crash.
fn read(
    source: &Source,
    transformer: &mut Worker,
    limit: Duration,
) -> Result<Program<'static>, Error> {
    let context = Box::leak(Box::new(halo::compiler::context()));
    // Small programs are parsed directly, large ones only in the worker.
    let read = transformer.reads(source.code.clone(), limit);
    if let Some(end) = read.map_err(broken)? {
        let reason = end.describe();
        let message = format!("the program cannot be read, and so not be reduced: {reason}");
        return Err(Error::invalid_file(&source.name, message));
    }
    Program::read(context, source)
}

/// The threads that run tests.
fn pool(cli: &Cli, arguments: &[OsString], output: &Output) -> Result<Pool, Error> {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let jobs = cli.jobs.map(std::num::NonZero::get);
    let pool = match &cli.test {
        Some(script) => Pool::new(jobs.unwrap_or(1), || {
            let script = Script::new(script, &cli.test_arg, output.candidate_name())?;
            Ok(Tester::Script(script))
        }),
        None => Pool::new(jobs.unwrap_or(cores), || {
            Ok(Tester::Worker(Worker::new(arguments)))
        }),
    };
    pool.map_err(broken)
}

/// Tests one program.
fn test(pool: &mut Pool, candidate: Candidate, limit: Duration) -> Result<Outcome, Error> {
    pool.begin(candidate, limit);
    pool.wait().map(|(_, outcome)| outcome).map_err(broken)
}

/// The criterion for candidates, if the original program fails as the command line says.
fn interest(cli: &Cli, has_pipeline: bool, outcome: &Outcome) -> Result<Interest, Error> {
    let found = match (&cli.differs, &cli.error) {
        (Some(_), _) => Interest::in_difference(outcome),
        (None, Some(text)) => Interest::in_error(outcome, text),
        (None, None) => Interest::in_crash(outcome),
    };
    found.ok_or_else(|| {
        let wanted = match (&cli.differs, &cli.error) {
            (Some((tested, reference)), _) => match outcome {
                Outcome::Passed => {
                    return Error::invalid(format!(
                        "nothing to reduce: {tested} and {reference} give the same results"
                    ));
                }
                _ => format!("{tested} and {reference} do not both run the program"),
            },
            (None, Some(text)) => format!("no error has '{text}' in it"),
            (None, None) if has_pipeline => "the passes do not crash".to_owned(),
            (None, None) => "the program does not crash".to_owned(),
        };
        let said = outcome.describe();
        Error::invalid(format!("nothing to reduce: {wanted}: {said}"))
    })
}

/// The exit code of a script for the program, which must differ from that for an empty one.
fn script_interest(
    pool: &mut Pool,
    source: &Source,
    program: &Program,
    (printed, limit): (&Outcome, Duration),
    is_hlo: bool,
) -> Result<Interest, Error> {
    let original = test(pool, program.candidate(source.code.clone()), limit)?;
    let Outcome::Exited(code) = original else {
        let said = original.describe();
        return Err(Error::invalid(format!("the script tells nothing: {said}")));
    };
    let empty = if is_hlo { EMPTY_HLO } else { EMPTY };
    let of_empty = test(pool, program.candidate(empty.into()), limit)?;
    if of_empty == original {
        return Err(Error::invalid(format!(
            "nothing to reduce: the script exits with {code} for the program, and for one \
             without ops too"
        )));
    }
    if *printed == original {
        Ok(Interest::Exits(code))
    } else {
        Err(Error::invalid(format!(
            "nothing to reduce: the script exits with {code} for the program, but not for the \
             same as Halo prints it: {}",
            printed.describe()
        )))
    }
}

/// Tests the result once more, writes it, and prints a summary.
fn finish(
    session: &mut Session,
    report: &Report,
    (before, start): (Size, Instant),
    ended: &Result<(), Halt>,
) -> Result<(), Stop> {
    let text = session.program.text();
    let path = session.output().path().to_owned();
    let last = report.lines(&session.program, &path);
    session.output().set_comment(last);
    let code = {
        let program = &session.program;
        let text = &text;
        session.output_ref().code_for_test(program, text)
    };
    let tests = session.tests();
    let outcome = session.test(code.unwrap_or_default())?;
    let is_stable = session.interest.accepts(&outcome);
    if is_stable && let Outcome::Differs(_) | Outcome::Faulty(_) | Outcome::Died { .. } = &outcome {
        let lines = report.with_outcome(&session.program, &path, &outcome);
        session.output().set_comment(lines);
    }
    session.output_ref().write(&session.program, &text)?;
    session.finish();
    let after = session.program.size();
    let early = match ended {
        Err(Halt::Limit) => ", which is where it was to end",
        _ => "",
    };
    let place = if file::is_standard_stream(&path) {
        String::new()
    } else {
        format!(": {}", visible(&path.display().to_string()))
    };
    eprintln!(
        "halo-reduce: {} to {} in {}, {:.1} s{early}{place}",
        report::counted(before.ops, "op"),
        after.ops,
        report::counted(tests, "test"),
        start.elapsed().as_secs_f64(),
    );
    if is_stable {
        Ok(())
    } else {
        Err(Error::execution(format!(
            "the failure does not come each time: at the end, {}",
            outcome.describe()
        ))
        .into())
    }
}
