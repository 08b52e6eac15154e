//! `halo-fuzz`: fuzzes the parser, the verifiers, the passes and the interpreter with random
//! programs.
//!
//! Every case is determined by its number, so that a failure can be reproduced with `--first N
//! --count 1`. There are four kinds: valid programs of random ops, whose results must be the same
//! before and after simplification; texts made from the files of a corpus by random edits; and
//! bytecode and portable artifacts with random edits. Cases run in a child process, to survive
//! crashes: the parent detects which case ended the child, writes it to a file, and continues after
//! it. A child ends when its standard input is closed, and so with its parent.
//!
//! `halo-reduce` reduces failures, next to the case.
//!
//! `--tools` fuzzes the tools themselves: each case runs one of them with files and flags of all
//! kinds.

mod cases;
mod divided;
mod generate;
mod pick;
mod reduction;
mod tools;
mod worker;

use cases::{Corpus, Kind};
use clap::Parser;
use halo_drivers::{Stop, finish, parse_command_line, print};
use halo_runtime::Error;
use halo_shared as _;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// Runs random programs through Halo, and stores programs that crash it.
#[derive(Parser)]
#[command(name = "halo-fuzz", version)]
pub struct Options {
    /// The folder of .mlir files to edit.
    #[arg(long, default_value = "lit-tests")]
    corpus: PathBuf,
    /// The folder of failing cases.
    #[arg(long, default_value = "target/fuzz")]
    out: PathBuf,
    /// The number of the first case.
    #[arg(long, default_value_t = 0)]
    first: u64,
    /// How many cases to run.
    #[arg(long, default_value_t = u64::MAX)]
    count: u64,
    /// The time limit in seconds.
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// The time limit of a case in seconds.
    #[arg(long, default_value_t = 90)]
    limit: u64,
    /// Also compare with this backend.
    #[arg(long)]
    backend: Option<String>,
    /// Run valid programs only.
    #[arg(long)]
    valid: bool,
    /// Partition valid programs, and compare with the unpartitioned ones.
    #[arg(long, conflicts_with = "valid")]
    divided: bool,
    /// Run valid programs of dynamic shape only: one code for three runs.
    #[arg(long, conflicts_with_all = ["valid", "divided"])]
    all_shapes: bool,
    /// Edit portable artifacts only.
    #[arg(long, conflicts_with_all = ["valid", "divided", "all_shapes"])]
    artifacts: bool,
    /// Edit bytecode only, with --tools too.
    #[arg(long, conflicts_with_all = ["valid", "divided", "artifacts"])]
    bytecode: bool,
    /// Run the tools themselves on hostile programs, plans, arrays and flags.
    #[arg(long, conflicts_with_all = ["valid", "divided", "artifacts"])]
    tools: bool,
    /// The folder of the tools [default: the folder of this one].
    #[arg(long, requires = "tools")]
    tools_dir: Option<PathBuf>,
    /// How many cases to run at a time.
    #[arg(long, default_value_t = 1)]
    jobs: u64,
    /// Do not reduce failing cases.
    #[arg(long)]
    no_reduce: bool,
    /// Print the cases instead of running them.
    #[arg(long)]
    print: bool,
    /// Run cases in this process; this is how the parent starts its children.
    #[arg(long, hide = true)]
    worker: bool,
    /// The distance between the cases of a child.
    #[arg(long, hide = true, default_value_t = 1)]
    step: u64,
}

fn main() -> ExitCode {
    let (out, err) = (&mut std::io::stdout(), &mut std::io::stderr());
    let options: Options =
        match parse_command_line(std::env::args_os(), |command| command, out, err) {
            Ok(options) => options,
            Err(code) => return ExitCode::from(code),
        };
    let only = match (options.artifacts, options.bytecode) {
        (true, _) => Some(Kind::Artifact),
        (_, true) => Some(Kind::Bytecode),
        _ => None,
    };
    let corpus = if options.valid {
        Corpus::valid()
    } else if options.divided {
        Corpus::divided()
    } else if options.all_shapes {
        Corpus::all_shapes()
    } else {
        Corpus::read(&options.corpus, only)
    };
    if options.worker {
        worker::run(&options, &corpus);
        return ExitCode::SUCCESS;
    }
    let mut failures = 0;
    let result = if options.print {
        print_cases(&options, &corpus, out)
    } else {
        supervise(&options, &corpus)
            .map_err(|error| Error::execution(error.to_string()).into())
            .and_then(|(cases, failed)| {
                failures = failed;
                print(out, format_args!("{cases} cases, {failed} failures\n"))
            })
    };
    let code = finish("halo-fuzz", result, out, err);
    ExitCode::from(code.max(u8::from(failures > 0)))
}

/// Prints the cases instead of running them.
fn print_cases(options: &Options, corpus: &Corpus, out: &mut dyn Write) -> Result<(), Stop> {
    for number in options.first..options.first.saturating_add(options.count) {
        let case = corpus.case(number);
        let text = String::from_utf8_lossy(&case.code);
        print(out, format_args!("// case {number}\n{text}\n"))?;
    }
    Ok(())
}

/// How a child ended.
enum Ending {
    /// All cases were run, or the time limit was reached.
    Done,
    /// A case ended the process, or exceeded the time limit.
    Crashed { case: u64, reason: String },
}

/// Runs children until the time limit; returns the numbers of cases and of failures.
fn supervise(options: &Options, corpus: &Corpus) -> std::io::Result<(u64, usize)> {
    let jobs = options.jobs.max(1);
    thread::scope(|scope| {
        let lanes: Vec<_> = (0..jobs)
            .map(|lane| scope.spawn(move || supervise_lane(options, corpus, lane, jobs)))
            .collect();
        let (mut cases, mut failures) = (0, 0);
        for lane in lanes {
            let joined = lane.join();
            let ended = joined.unwrap_or_else(|_| Err(std::io::Error::other("a thread panicked")));
            let (ran, failed) = ended?;
            cases += ran;
            failures += failed;
        }
        Ok((cases, failures))
    })
}

/// Runs every `jobs`-th case, beginning with a lane's first one.
fn supervise_lane(
    options: &Options,
    corpus: &Corpus,
    lane: u64,
    jobs: u64,
) -> std::io::Result<(u64, usize)> {
    let end = Instant::now() + Duration::from_secs(options.seconds);
    let first = options.first.saturating_add(lane);
    let last = options.first.saturating_add(options.count);
    let (mut next, mut failures) = (first, 0);
    while next < last && Instant::now() < end {
        let (ran, ending) = run_child(options, corpus, (next, last), end, &mut failures)?;
        match ending {
            Ending::Done => {
                next = ran;
                break;
            }
            Ending::Crashed { case, reason } => {
                failures += 1;
                let path = keep(&options.out, case, corpus)?;
                report(case, &format!("{reason}; see {}", path.display()));
                reduce(options, corpus, case, &reason);
                next = case.saturating_add(jobs);
            }
        }
    }
    Ok((next.saturating_sub(first).div_ceil(jobs), failures))
}

/// Reports a failure.
fn report(case: u64, message: &str) {
    let _ = writeln!(std::io::stderr(), "case {case}: {message}");
}

/// Reduces the program of a failure, and reports the result.
fn reduce(options: &Options, corpus: &Corpus, case: u64, message: &str) {
    let path = options.out.join(format!("case-{case}.mlir"));
    let kind = corpus.case(case).kind;
    if let Some(reduced) = reduction::reduce(options, &path, kind, message) {
        report(case, &format!("reduced to {}", reduced.display()));
    }
}

/// Starts a child at case `first`. Returns the case after the last one that it began, and how it
/// ended.
fn run_child(
    options: &Options,
    corpus: &Corpus,
    (first, last): (u64, u64),
    end: Instant,
    failures: &mut usize,
) -> std::io::Result<(u64, Ending)> {
    let mut child = start(options, first, last)?;
    // The child runs while this end is open.
    let lifeline = child.stdin.take();
    let (sender, receiver) = channel();
    if let Some(output) = child.stdout.take() {
        thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
    }
    let errors = child.stderr.take().map(|mut stream| {
        thread::spawn(move || {
            let mut text = Vec::new();
            let _ = stream.read_to_end(&mut text);
            String::from_utf8_lossy(&text).into_owned()
        })
    });
    let mut case = first;
    let limit = Duration::from_secs(options.limit);
    loop {
        if Instant::now() >= end {
            // The child ends its processes, too.
            drop(lifeline);
            let _ = child.wait();
            return Ok((case, Ending::Done));
        }
        match receiver.recv_timeout(limit) {
            Ok(line) => match line.split_once(' ') {
                Some(("case", number)) => case = number.parse().unwrap_or(case),
                Some(("failure", message)) => {
                    *failures += 1;
                    let suffix = if options.tools { "" } else { ".mlir" };
                    let path = options.out.join(format!("case-{case}{suffix}"));
                    report(case, &format!("{message}; see {}", path.display()));
                    reduce(options, corpus, case, message);
                }
                _ => {}
            },
            Err(RecvTimeoutError::Timeout) => {
                let _ = child.kill();
                let _ = child.wait();
                let reason = format!("no end after {} s", options.limit);
                return Ok((case, Ending::Crashed { case, reason }));
            }
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    let status = child.wait()?;
    if status.success() {
        return Ok((last, Ending::Done));
    }
    let errors = errors.and_then(|thread| thread.join().ok()).unwrap_or_default();
    let line = errors.lines().find(|line| !line.trim().is_empty()).unwrap_or("");
    let reason = format!("{status} {line}");
    Ok((case, Ending::Crashed { case, reason }))
}

fn start(options: &Options, first: u64, last: u64) -> std::io::Result<Child> {
    let mut command = Command::new(std::env::current_exe()?);
    command
        .arg("--worker")
        .args(["--first", &first.to_string()])
        .args(["--count", &(last - first).to_string()])
        .args(["--step", &options.jobs.max(1).to_string()])
        .arg("--corpus")
        .arg(&options.corpus)
        .arg("--out")
        .arg(&options.out);
    if options.valid {
        command.arg("--valid");
    }
    if options.divided {
        command.arg("--divided");
    }
    if options.all_shapes {
        command.arg("--all-shapes");
    }
    if options.artifacts {
        command.arg("--artifacts");
    }
    if options.bytecode {
        command.arg("--bytecode");
    }
    if options.tools {
        command.arg("--tools");
    }
    if let Some(folder) = &options.tools_dir {
        command.arg("--tools-dir").arg(folder);
    }
    if let Some(backend) = &options.backend {
        command.args(["--backend", backend]);
    }
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
}

/// Writes a case to a file.
fn keep(folder: &Path, number: u64, corpus: &Corpus) -> std::io::Result<PathBuf> {
    std::fs::create_dir_all(folder)?;
    let path = folder.join(format!("case-{number}.mlir"));
    std::fs::write(&path, corpus.case(number).code)?;
    Ok(path)
}
