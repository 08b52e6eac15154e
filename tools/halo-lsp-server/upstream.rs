//! Upstream's language server, in a separate process, to isolate its crashes.

use crate::{Event, transport};
use serde_json::Value;
use std::{
    ffi::OsString,
    io::{self, BufReader, BufWriter},
    process::{Child, Command, Stdio},
    sync::mpsc::{self, Sender},
    thread,
};

/// A running server.
pub struct Upstream {
    process: Child,
    /// The queue of the writer thread, so that a busy server blocks no other thread.
    messages: Sender<Value>,
    /// The generation number of the server.
    pub generation: u64,
}

impl Upstream {
    /// Starts a server; its messages and end become events.
    ///
    /// # Errors
    /// Returns an error if the process or a thread cannot be started.
    pub fn start(
        arguments: &[OsString],
        generation: u64,
        events: &Sender<Event>,
    ) -> io::Result<Self> {
        let mut process = Command::new(std::env::current_exe()?)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let (stdin, stdout) = (process.stdin.take(), process.stdout.take());
        let (Some(stdin), Some(stdout)) = (stdin, stdout) else {
            return Err(io::Error::other("the process has no streams"));
        };
        let (messages, to_write) = mpsc::channel::<Value>();
        let server = Self {
            process,
            messages,
            generation,
        };
        thread::Builder::new().spawn(move || {
            let mut stdin = BufWriter::new(stdin);
            for message in to_write {
                // The reader thread detects the end of the process.
                if transport::write(&mut stdin, &message).is_err() {
                    break;
                }
            }
        })?;
        let events = events.clone();
        thread::Builder::new().spawn(move || {
            let mut stdout = BufReader::new(stdout);
            while let Ok(Some(message)) = transport::read(&mut stdout) {
                if events.send(Event::Upstream(generation, message)).is_err() {
                    return;
                }
            }
            let _ = events.send(Event::UpstreamEnded(generation));
        })?;
        Ok(server)
    }

    pub fn send(&self, message: Value) {
        let _ = self.messages.send(message);
    }
}

impl Drop for Upstream {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
