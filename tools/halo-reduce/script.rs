//! A script that finds programs interesting or not.
//!
//! The tools that reduce programs do not agree on what its exit code means: `creduce` and
//! `llvm-reduce` take 0 for interesting, `mlir-reduce` takes 1. Here it means what it means
//! for the program as it is, which must be another one than that of a program without ops.

use crate::interest::Outcome;
use std::{
    ffi::OsString,
    fs,
    io::{self, ErrorKind},
    path::{Path, PathBuf},
    process::{Command, ExitStatus, Stdio},
    thread,
    time::{Duration, Instant},
};
use tempfile::TempDir;

/// How often a script is asked whether it has ended; most take longer.
const PERIOD: Duration = Duration::from_millis(2);

/// The script, with a folder for the candidates that it gets.
pub struct Script {
    path: PathBuf,
    arguments: Vec<OsString>,
    folder: TempDir,
    /// The name of candidates, whose end tells their format.
    name: String,
}

impl Script {
    /// # Errors
    /// If there is no place for candidates.
    pub fn new(path: &Path, arguments: &[String], name: &str) -> io::Result<Self> {
        // Unlike a path, a name alone is looked for among the installed programs.
        let own = fs::canonicalize(path).ok().filter(|path| path.is_file());
        Ok(Self {
            path: own.unwrap_or_else(|| path.to_owned()),
            arguments: arguments.iter().map(OsString::from).collect(),
            folder: tempfile::Builder::new().prefix("halo-reduce-").tempdir()?,
            name: name.to_owned(),
        })
    }

    /// Runs the script on a program.
    ///
    /// # Errors
    /// If it cannot be run.
    pub fn test(&self, code: &[u8], limit: Duration) -> io::Result<Outcome> {
        let candidate = self.folder.path().join(&self.name);
        fs::write(&candidate, code)?;
        let mut command = Command::new(&self.path);
        command
            .args(&self.arguments)
            .arg(&candidate)
            // Each candidate may crash, and is a reproducer itself.
            .env("HALO_REPRODUCER_DIR", "")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        // A group of its own, so that what it has started ends with it.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(|error| {
            let message = match error.kind() {
                ErrorKind::PermissionDenied => "it is not executable".to_owned(),
                _ => error.to_string(),
            };
            io::Error::other(format!("cannot run {}: {message}", self.path.display()))
        })?;
        let start = Instant::now();
        loop {
            if let Some(status) = child.try_wait()? {
                return Ok(outcome(status));
            }
            if start.elapsed() >= limit {
                end(&mut child)?;
                return Ok(Outcome::TimedOut);
            }
            thread::sleep(PERIOD);
        }
    }
}

fn end(child: &mut std::process::Child) -> io::Result<()> {
    #[cfg(unix)]
    if let Some(group) = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw) {
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    child.kill()?;
    child.wait().map(drop)
}

fn outcome(status: ExitStatus) -> Outcome {
    // As a shell has it.
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return Outcome::Exited(128 + signal);
    }
    Outcome::Exited(status.code().unwrap_or(-1))
}
