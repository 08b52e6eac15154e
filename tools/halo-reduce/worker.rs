//! The process that tests programs, and its protocol.
//!
//! Messages are encoded by postcard, each after its length in eight bytes. Output of programs goes
//! to standard error.

use crate::{
    cli::Cli,
    execution::{Candidate, Execution, transformed},
    interest::Outcome,
    reproducer,
};
use halo::runtime::{Environment, Error, Program};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::{
    fs::File,
    io::{self, Read, Write},
    process::exit,
    sync::mpsc,
    thread,
};

/// A request to a worker.
#[derive(Debug, Serialize, Deserialize)]
pub enum Request {
    Test(Candidate),
    /// Returns the program after passes.
    Transform {
        code: Vec<u8>,
        pipeline: String,
    },
}

/// The response.
#[derive(Debug, Serialize, Deserialize)]
pub enum Response {
    /// Sent without a request: the worker has started. The start does not count as test time.
    Ready,
    Outcome(Outcome),
    /// `None` if a pass failed.
    Transformed(Option<Vec<u8>>),
}

/// The file name of candidates in diagnostics.
const NAME: &str = "candidate.mlir";

/// The maximum length of a message.
const MOST_BYTES: u64 = 1 << 32;

/// Writes a message.
///
/// # Errors
/// Returns an error if the other end is closed.
pub fn send<T: Serialize>(stream: &mut impl Write, message: &T) -> io::Result<()> {
    let bytes = postcard::to_stdvec(message).map_err(io::Error::other)?;
    stream.write_all(&(bytes.len() as u64).to_le_bytes())?;
    stream.write_all(&bytes)?;
    stream.flush()
}

/// Reads a message.
///
/// # Errors
/// Returns an error at the end of the stream, or for an invalid message.
pub fn receive<T: DeserializeOwned>(stream: &mut impl Read) -> io::Result<T> {
    let mut length = [0; 8];
    stream.read_exact(&mut length)?;
    let length = u64::from_le_bytes(length);
    if length > MOST_BYTES {
        return Err(io::Error::other("the message is too long"));
    }
    let mut bytes = Vec::new();
    stream.take(length).read_to_end(&mut bytes)?;
    postcard::from_bytes(&bytes).map_err(io::Error::other)
}

/// Serves requests until standard input ends, because the parent has ended. Returns the exit code.
pub fn serve(cli: &Cli, environment: &Environment) -> u8 {
    match answer_all(cli, environment) {
        Ok(()) => 0,
        Err(error) => {
            eprintln!("halo-reduce: error: {error}");
            1
        }
    }
}

fn answer_all(cli: &Cli, environment: &Environment) -> Result<(), Error> {
    let stream = |error: io::Error| Error::execution(format!("cannot talk to the parent: {error}"));
    let mut out = private_output().map_err(stream)?;
    let pipeline = reproducer::pipeline_of(cli)?;
    let execution = Execution::new(cli, environment, pipeline.as_deref())?;
    send(&mut out, &Response::Ready).map_err(stream)?;
    let (sender, requests) = mpsc::channel();
    // The parent may end during a test.
    thread::spawn(move || {
        let mut input = io::stdin().lock();
        while let Ok(request) = receive::<Request>(&mut input) {
            if sender.send(request).is_err() {
                break;
            }
        }
        exit(0);
    });
    for request in requests {
        let response = match request {
            Request::Test(candidate) => Response::Outcome(execution.test(NAME, &candidate)),
            Request::Transform { code, pipeline } => {
                let program = Program {
                    name: NAME.to_owned(),
                    code,
                };
                Response::Transformed(transformed(&program, &pipeline).ok())
            }
        };
        send(&mut out, &response).map_err(stream)?;
    }
    Ok(())
}

/// The stream to the parent. Other output goes to standard error.
fn private_output() -> io::Result<File> {
    let own = rustix::io::fcntl_dupfd_cloexec(rustix::stdio::stdout(), 3)?;
    rustix::stdio::dup2_stdout(rustix::stdio::stderr())?;
    Ok(File::from(own))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_come_back() {
        let mut bytes = Vec::new();
        let outcome = Outcome::Died {
            how: "signal 6".to_owned(),
            line: "line".to_owned(),
        };
        send(&mut bytes, &Response::Outcome(outcome.clone())).unwrap();
        send(&mut bytes, &Response::Transformed(None)).unwrap();
        let mut stream = bytes.as_slice();
        let first = receive(&mut stream).unwrap();
        assert!(matches!(first, Response::Outcome(other) if other == outcome));
        let second = receive(&mut stream).unwrap();
        assert!(matches!(second, Response::Transformed(None)));
        assert!(receive::<Response>(&mut stream).is_err());
    }
}
