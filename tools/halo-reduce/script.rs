//! A script that finds programs interesting or not.
//!
//! Reduction tools disagree on the meaning of its exit code: `creduce` and `llvm-reduce` take 0 for
//! interesting, `mlir-reduce` takes 1. Here, interesting is the exit code for the original program,
//! which must differ from the one for a program without ops.

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

/// The polling interval; most scripts take longer.
const PERIOD: Duration = Duration::from_millis(2);

/// The script, with a folder for its candidates.
pub struct Script {
    path: PathBuf,
    arguments: Vec<OsString>,
    folder: TempDir,
    /// The file name of candidates, whose extension is their format.
    name: String,
}

impl Script {
    /// # Errors
    /// Returns an error if there is no folder for candidates.
    pub fn new(path: &Path, arguments: &[String], name: &str) -> io::Result<Self> {
        // Unlike a path, a plain name is searched for in `PATH`.
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
    /// Returns an error if it cannot be run.
    pub fn test(&self, code: &[u8], limit: Duration) -> io::Result<Outcome> {
        let candidate = self.folder.path().join(&self.name);
        fs::write(&candidate, code)?;
        let mut command = Command::new(&self.path);
        command
            .args(&self.arguments)
            .arg(&candidate)
            // A candidate may crash, and is a reproducer itself.
            .env("HALO_REPRODUCER_DIR", "")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        // A separate process group, so that child processes end with it.
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
    // Like a shell.
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return Outcome::Exited(128 + signal);
    }
    Outcome::Exited(status.code().unwrap_or(-1))
}
