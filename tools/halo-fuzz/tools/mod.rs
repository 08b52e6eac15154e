//! Fuzzing of the tools themselves.
//!
//! Every case is one process: a tool, next to this one or in a given folder, with a command line
//! and files in a separate folder. It may fail, but not by a signal, a panic or an internal error,
//! not without a message, and not after longer than [`LIMIT`].

mod flags;
mod hostile;

use crate::Options;
use crate::cases::Corpus;
use halo_backend::Registry;
use hostile::{Run, Seeds, Time};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The time limit of a tool.
const LIMIT: Duration = Duration::from_secs(20);

/// The memory limit of a tool in KiB: enough for every program of the corpus, and less than a
/// machine's memory.
const MEMORY: u64 = 8 << 20;

/// The length of the checked part of a tool's output.
const MESSAGE_BYTES: usize = 1 << 20;

/// Words that no output may contain.
const FAULTS: [&str; 4] = [
    "internal error",
    "panicked",
    "LLVM ERROR",
    "PLEASE submit a bug report",
];

/// Runs tools on cases, one after the other.
pub struct Runner<'a> {
    seeds: Seeds<'a>,
    tools: PathBuf,
    /// The folder of a case's files while it runs.
    folder: PathBuf,
    /// The folder of failing cases.
    out: PathBuf,
    running: Running,
}

/// The running process, for the thread that ends it with this one.
#[derive(Clone, Default)]
pub struct Running(Arc<Mutex<Option<Child>>>);

impl Running {
    /// Ends the process, if there is one.
    pub fn kill(&self) {
        if let Some(child) = &mut *self.0.lock().unwrap_or_else(PoisonError::into_inner) {
            let _ = child.kill();
        }
    }

    /// Waits for a process; `None` if it timed out and was killed.
    fn wait(&self, child: Child) -> io::Result<Option<ExitStatus>> {
        let lock = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *lock() = Some(child);
        let start = Instant::now();
        loop {
            let mut guard = lock();
            let Some(child) = &mut *guard else {
                return Ok(None);
            };
            if let Some(status) = child.try_wait()? {
                *guard = None;
                return Ok(Some(status));
            }
            if start.elapsed() >= LIMIT {
                let _ = child.kill();
                let _ = child.wait();
                *guard = None;
                return Ok(None);
            }
            drop(guard);
            // Most runs take some tens of milliseconds.
            thread::sleep(Duration::from_millis(2));
        }
    }
}

impl<'a> Runner<'a> {
    pub fn new(
        options: &Options,
        corpus: &'a Corpus,
        registry: &'a Registry,
        running: Running,
    ) -> io::Result<Self> {
        let tools = match &options.tools_dir {
            Some(folder) => fs::canonicalize(folder)?,
            None => {
                let own = std::env::current_exe()?;
                own.parent().map(Path::to_owned).unwrap_or_default()
            }
        };
        let name = format!("running-{}", std::process::id());
        fs::create_dir_all(&options.out)?;
        let out = fs::canonicalize(&options.out)?;
        Ok(Self {
            seeds: Seeds::new(corpus, registry, options.bytecode),
            tools,
            folder: out.join(name),
            out,
            running,
        })
    }

    /// Runs a case; returns the fault in the tool's exit, if any.
    pub fn check(&self, number: u64) -> Result<(), String> {
        let run = self.seeds.run(number);
        let outcome = self.run(&run);
        let _ = fs::remove_dir_all(&self.folder);
        outcome.map_err(|message| {
            let _ = self.keep(number, &run, &message);
            format!("{} {}: {message}", run.tool, quoted(&run.arguments))
        })
    }

    fn run(&self, run: &Run) -> Result<(), String> {
        let wrong = |error: io::Error| format!("cannot run it: {error}");
        let mut ending = self.start(run, &run.arguments).map_err(wrong)?;
        if let (Ending::TooLong, Time::Compiling(arguments)) = (&ending, &run.time) {
            ending = self.start(run, arguments).map_err(wrong)?;
        }
        match ending {
            Ending::TooLong if matches!(run.time, Time::Running) => Ok(()),
            Ending::TooLong => Err(format!("no end after {} s", LIMIT.as_secs())),
            Ending::Exited(status, message) => judge(run.tool, status, &message),
        }
    }

    /// Runs a tool on the files of a case.
    fn start(&self, run: &Run, arguments: &[String]) -> io::Result<Ending> {
        let _ = fs::remove_dir_all(&self.folder);
        fs::create_dir_all(&self.folder)?;
        for (name, content) in &run.files {
            fs::write(self.folder.join(name), content)?;
        }
        let messages = self.folder.join("stderr");
        // The shell limits memory and is replaced by the tool.
        let child = Command::new("sh")
            .arg("-c")
            .arg(format!("ulimit -v {MEMORY}; exec \"$0\" \"$@\""))
            .arg(self.tools.join(run.tool))
            .args(arguments)
            .current_dir(&self.folder)
            .env("RUST_BACKTRACE", "0")
            .env("HALO_REPRODUCER_DIR", "")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(File::create(&messages)?)
            .spawn()?;
        Ok(match self.running.wait(child)? {
            None => Ending::TooLong,
            Some(status) => {
                let mut message = fs::read(&messages)?;
                message.truncate(MESSAGE_BYTES);
                Ending::Exited(status, String::from_utf8_lossy(&message).into_owned())
            }
        })
    }

    /// Writes the files of a case, and the command line that reproduces it.
    fn keep(&self, number: u64, run: &Run, message: &str) -> io::Result<()> {
        let folder = self.out.join(format!("case-{number}"));
        fs::create_dir_all(&folder)?;
        for (name, content) in &run.files {
            fs::write(folder.join(name), content)?;
        }
        let tool = self.tools.join(run.tool);
        let script = format!(
            "#!/bin/sh\n# {}\ncd \"$(dirname \"$0\")\" && ulimit -v {MEMORY} && {} {}\n",
            message.lines().next().unwrap_or_default(),
            tool.display(),
            quoted(&run.arguments)
        );
        fs::write(folder.join("run.sh"), script)
    }
}

/// How a tool ended.
enum Ending {
    TooLong,
    Exited(ExitStatus, String),
}

/// The fault in a tool's exit, given its output.
fn judge(tool: &str, status: ExitStatus, message: &str) -> Result<(), String> {
    let line = |word: &str| message.lines().find(|line| line.contains(word));
    if !matches!(status.code(), Some(0 | 1)) {
        let first = message.lines().next().unwrap_or_default();
        return Err(format!("{status} {first}"));
    }
    for fault in FAULTS {
        if let Some(line) = line(fault) {
            return Err(line.to_owned());
        }
    }
    // Errors in LLVM's options have another format.
    let is_said = line("error: ").is_some() || message.starts_with(&format!("{tool}: "));
    if !status.success() && !is_said {
        let first = message.lines().next().unwrap_or_default();
        return Err(format!("fails without an error: {first}"));
    }
    Ok(())
}

/// Arguments quoted for a shell.
fn quoted(arguments: &[String]) -> String {
    let quote = |argument: &String| {
        let is_plain =
            |letter: char| letter.is_ascii_alphanumeric() || "-_=./@,+:".contains(letter);
        if !argument.is_empty() && argument.chars().all(is_plain) {
            argument.clone()
        } else {
            format!("'{}'", argument.replace('\'', "'\\''"))
        }
    };
    arguments.iter().map(quote).collect::<Vec<_>>().join(" ")
}
