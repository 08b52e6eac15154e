//! The parent's side of a worker: a process that may end or hang at any time.

use crate::{
    execution::Candidate,
    interest::{Outcome, first_line},
    worker::{Request, Response, receive, send},
};
use std::{
    ffi::OsString,
    io::{self, BufWriter, Read},
    process::{Child, ChildStdin, Command, ExitStatus, Stdio},
    sync::mpsc::{Receiver, RecvTimeoutError, channel},
    thread::{self, JoinHandle},
    time::Duration,
};

/// The time limit for starting a worker on a busy machine.
const START_LIMIT: Duration = Duration::from_secs(120);

/// The maximum size of a worker's standard error that is kept.
const LARGEST_REPORT: u64 = 1 << 20;

/// A worker process, started at the first request, and restarted after it has ended.
pub struct Worker {
    arguments: Vec<OsString>,
    running: Option<Running>,
}

struct Running {
    child: Child,
    /// Set until the worker has reported that it has started.
    is_new: bool,
    input: BufWriter<ChildStdin>,
    responses: Receiver<Response>,
    errors: JoinHandle<String>,
}

impl Worker {
    /// A worker with the command line of its parent.
    pub fn new(arguments: &[OsString]) -> Self {
        let mut arguments = arguments.to_vec();
        // It is an option, so it precedes file arguments.
        arguments.insert(0, "--worker".into());
        Self {
            arguments,
            running: None,
        }
    }

    /// Tests a candidate.
    ///
    /// # Errors
    /// Returns an error if no process can be started.
    pub fn test(&mut self, candidate: Candidate, limit: Duration) -> io::Result<Outcome> {
        Ok(match self.ask(&Request::Test(candidate), limit)? {
            Ok(Response::Outcome(outcome)) => outcome,
            Ok(Response::Transformed(_) | Response::Ready) => Outcome::Passed,
            Err(outcome) => outcome,
        })
    }

    /// Checks that parsing a program does not crash; returns how the process ended otherwise.
    ///
    /// # Errors
    /// Like [`test`](Self::test).
    pub fn reads(&mut self, code: Vec<u8>, limit: Duration) -> io::Result<Option<Outcome>> {
        let pipeline = String::new();
        let request = Request::Transform { code, pipeline };
        Ok(self.ask(&request, limit)?.err())
    }

    /// Runs passes on a program; `None` if they fail, crash or time out.
    ///
    /// # Errors
    /// Like [`test`](Self::test).
    pub fn transform(
        &mut self,
        code: Vec<u8>,
        pipeline: &str,
        limit: Duration,
    ) -> io::Result<Option<Vec<u8>>> {
        let pipeline = pipeline.to_owned();
        let request = Request::Transform { code, pipeline };
        Ok(match self.ask(&request, limit)? {
            Ok(Response::Transformed(code)) => code,
            _ => None,
        })
    }

    /// Returns the answer, or how the process ended.
    fn ask(&mut self, request: &Request, limit: Duration) -> io::Result<Result<Response, Outcome>> {
        let mut running = match self.running.take() {
            Some(running) => running,
            None => Running::start(&self.arguments)?,
        };
        // If the process has ended, reading the answer reports it.
        let _ = send(&mut running.input, request);
        let first = if running.is_new {
            running.responses.recv_timeout(START_LIMIT).map(drop)
        } else {
            Ok(())
        };
        running.is_new = false;
        match first.and_then(|()| running.responses.recv_timeout(limit)) {
            Ok(response) => {
                self.running = Some(running);
                Ok(Ok(response))
            }
            Err(RecvTimeoutError::Timeout) => {
                running.child.kill()?;
                running.child.wait()?;
                Ok(Err(Outcome::TimedOut))
            }
            Err(RecvTimeoutError::Disconnected) => {
                let status = running.child.wait()?;
                let errors = running.errors.join().unwrap_or_default();
                Ok(Err(Outcome::Died {
                    how: ending(status),
                    line: telling_line(&errors),
                }))
            }
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        if let Some(mut running) = self.running.take() {
            let _ = running.child.kill();
            let _ = running.child.wait();
        }
    }
}

impl Running {
    fn start(arguments: &[OsString]) -> io::Result<Self> {
        let mut child = Command::new(std::env::current_exe()?)
            .args(arguments)
            .env("RUST_BACKTRACE", "0")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let streams = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(input), Some(mut output), Some(errors)) = streams else {
            return Err(io::Error::other("the process has no streams"));
        };
        let (sender, responses) = channel();
        thread::Builder::new().spawn(move || {
            while let Ok(response) = receive(&mut output) {
                if sender.send(response).is_err() {
                    break;
                }
            }
        })?;
        let errors = thread::Builder::new().spawn(move || {
            let (mut text, mut errors) = (Vec::new(), errors);
            // Drain the pipe, because a full pipe blocks the worker.
            let _ = (&mut errors).take(LARGEST_REPORT).read_to_end(&mut text);
            let _ = io::copy(&mut errors, &mut io::sink());
            String::from_utf8_lossy(&text).into_owned()
        })?;
        Ok(Self {
            child,
            is_new: true,
            input: BufWriter::new(input),
            responses,
            errors,
        })
    }
}

/// Describes how a process ended, equally for equal causes.
fn ending(status: ExitStatus) -> String {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return format!("signal {signal}");
    }
    match status.code() {
        Some(code) => format!("exit code {code}"),
        None => "an unknown cause".to_owned(),
    }
}

/// The line of standard error with the reason for the end of a process. Other lines may come from
/// earlier tests.
fn telling_line(errors: &str) -> String {
    const WORDS: [&str; 8] = [
        "LLVM ERROR",
        "Assertion",
        "panicked at",
        "internal error",
        "UNREACHABLE",
        "overflowed its stack",
        "ERROR: ",
        "error: ",
    ];
    let lines: Vec<&str> = errors.lines().collect();
    let found = lines.iter().rposition(|line| WORDS.iter().any(|word| line.contains(word)));
    let Some(position) = found else {
        return String::new();
    };
    // Rust prints the message of a panic on the next line.
    let line = lines[position].trim();
    let next = lines.get(position + 1).copied().unwrap_or_default();
    if line.contains("panicked at") && line.ends_with(':') {
        format!("{line} {}", first_line(next))
    } else {
        line.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_tells_why() {
        assert_eq!(telling_line("noise\nmore noise\n"), "");
        assert_eq!(
            telling_line("noise\nLLVM ERROR: no\nstack\n"),
            "LLVM ERROR: no"
        );
        let panic = "thread 'x' panicked at src/a.rs:1:2:\nindex out of bounds\nnote: run";
        assert_eq!(
            telling_line(panic),
            "thread 'x' panicked at src/a.rs:1:2: index out of bounds"
        );
    }
}
