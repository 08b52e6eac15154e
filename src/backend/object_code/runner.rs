//! Object files and C as executables of this process, whatever processor they are for.
//!
//! A C compiler builds a program from the code and `templates/runner.c`, and a runner, such as
//! QEMU, runs it. Inputs and outputs go through its standard streams; so do the operands and
//! results of custom calls, which are made in this process: a program for another processor has all
//! the functions that one for this processor has.
//!
//! | to the program | from the program |
//! |---|---|
//! | once: the sizes of inputs and outputs, of the arena, and of each call's operands and results | |
//! | 1, the inputs | 1, the number of a call, the operands |
//! | whether the call failed, the results | 0, the status of the run, the outputs |
//! | 0: the program ends | |

use std::io::{BufReader, BufWriter, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};

use halo_core::{Literal, Shape};
use halo_runtime::custom_call::{Handler, invoke_on};
use halo_runtime::host::{HostFunctionExecutable, abi::status_text};
use halo_runtime::{CustomCallRegistry, CustomCallSite, Error, Executable, Process, Result};

use super::ObjectCode;
use super::linker::{Linked, link};

/// The main function of programs, and the files that it includes.
const MAIN: &str = include_str!("templates/runner.c");
const INTERFACE: &str = include_str!("templates/interface.h");

/// The [`ObjectCode::name`] that the main function expects.
pub const NAME: &str = "program";

/// Links programs from objects, and runs them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Runner {
    /// The command that runs a program, whose path is appended: `qemu-aarch64`. Empty if programs
    /// run directly.
    pub command: Vec<String>,
    /// The command that compiles C and links, with its arguments: `aarch64-linux-gnu-gcc`.
    pub linker: Vec<String>,
}

impl Runner {
    /// Links code with the name [`NAME`]. Custom calls are looked up in the registry.
    ///
    /// # Errors
    /// Returns an invalid-input error if a custom call is not registered, or a shape is unknown; an
    /// execution error if the linker fails.
    pub fn executable(
        &self,
        code: ObjectCode,
        registry: &CustomCallRegistry,
    ) -> Result<Box<dyn Executable>> {
        if !code.signature.is_static() {
            return Err(Error::invalid(format!(
                "a runner runs programs whose shapes are known; {} has dimensions that are not",
                code.signature
            )));
        }
        let bind = |site: &CustomCallSite| Ok((site.clone(), registry.bind(site)?));
        let calls = code.custom_calls.iter().map(bind);
        let program = Program {
            calls: calls.collect::<Result<_>>()?,
            linked: link(
                &self.linker,
                code.form.flags(),
                &[
                    ("main.c", MAIN.as_bytes()),
                    ("interface.h", INTERFACE.as_bytes()),
                    (&format!("program.{}", code.form.extension()), &code.code),
                ],
            )?,
            command: self.command.clone(),
            outputs: shapes(&code.signature.outputs)?,
            sizes: sizes(&code)?,
            idle: Mutex::default(),
        };
        Ok(Box::new(HostFunctionExecutable::of_processes(
            code.signature,
            move |process, inputs| program.run(process, &inputs),
        )))
    }
}

fn shapes(patterns: &[halo_core::ShapePattern]) -> Result<Vec<Shape>> {
    let shape = |pattern: &halo_core::ShapePattern| pattern.to_shape().map_err(Error::from);
    patterns.iter().map(shape).collect()
}

/// The first message to the program.
fn sizes(code: &ObjectCode) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let number = |bytes: &mut Vec<u8>, number: usize| bytes.extend((number as u64).to_le_bytes());
    let list = |bytes: &mut Vec<u8>, shapes: &[Shape]| {
        number(bytes, shapes.len());
        for shape in shapes {
            number(bytes, shape.byte_size());
        }
    };
    list(&mut bytes, &shapes(&code.signature.inputs)?);
    list(&mut bytes, &shapes(&code.signature.outputs)?);
    number(&mut bytes, code.arena_size);
    number(&mut bytes, code.custom_calls.len());
    for call in &code.custom_calls {
        list(&mut bytes, &call.operands);
        list(&mut bytes, &call.results);
    }
    Ok(bytes)
}

/// A linked program, and the processes that run it.
struct Program {
    calls: Vec<(CustomCallSite, Handler)>,
    linked: Linked,
    command: Vec<String>,
    outputs: Vec<Shape>,
    sizes: Vec<u8>,
    /// Idle connections: several runs are active at once if their custom calls communicate.
    idle: Mutex<Vec<Connection>>,
}

/// A process that runs a program. It ends when its input is closed.
struct Connection {
    child: Child,
    input: BufWriter<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Drop for Connection {
    fn drop(&mut self) {
        // The process has ended, or waits for a message that will never arrive.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Program {
    fn run(&self, process: &Arc<Process>, inputs: &[Literal]) -> Result<Vec<Literal>> {
        let waiting = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut connection = waiting.map_or_else(|| self.start(), Ok)?;
        let (outputs, failure) = self
            .converse(&mut connection, process, inputs)
            .map_err(|error| connection.failed(&error))?;
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.push(connection);
        failure.map_or(Ok(outputs), Err)
    }

    fn start(&self) -> Result<Connection> {
        let program = self.linked.path();
        let mut command = match &self.command[..] {
            [] => Command::new(&program),
            [runner, arguments @ ..] => {
                let mut command = Command::new(runner);
                command.args(arguments).arg(&program);
                command
            }
        };
        let name = command.get_program().to_string_lossy().into_owned();
        let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let failed = |message: String| Error::execution(format!("runner '{name}': {message}"));
        let mut child = child.map_err(|error| failed(error.to_string()))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(failed("it has no streams".to_owned()));
        };
        let mut connection = Connection {
            child,
            input: BufWriter::new(input),
            output: BufReader::new(output),
        };
        let told = connection.input.write_all(&self.sizes);
        told.map_err(|error| connection.failed(&error))?;
        Ok(connection)
    }

    /// One run: the outputs, and the error of a custom call or of the program.
    fn converse(
        &self,
        connection: &mut Connection,
        process: &Arc<Process>,
        inputs: &[Literal],
    ) -> std::io::Result<(Vec<Literal>, Option<Error>)> {
        let mut failure = None;
        connection.write_number(1)?;
        for input in inputs {
            connection.input.write_all(input.bytes())?;
        }
        loop {
            connection.input.flush()?;
            let is_call = connection.read_number()? != 0;
            let number = connection.read_number()?;
            if !is_call {
                let outputs = connection.read_literals(&self.outputs)?;
                if number != 0 && failure.is_none() {
                    let status = u32::try_from(number).unwrap_or_default().cast_signed();
                    failure = Some(Error::execution(status_text(status)));
                }
                return Ok((outputs, failure));
            }
            let call = usize::try_from(number).ok();
            let Some((site, handler)) = call.and_then(|index| self.calls.get(index)) else {
                let message = format!("it makes call {number}, which the program does not have");
                return Err(std::io::Error::other(message));
            };
            let operands = connection.read_literals(&site.operands)?;
            let mut results = None;
            if failure.is_none() {
                let operands: Vec<&[u8]> = operands.iter().map(Literal::bytes).collect();
                match invoke_on(handler, site, &operands, process) {
                    Ok(computed) => results = Some(computed),
                    Err(error) => failure = Some(error),
                }
            }
            // The program may use them before it ends.
            let results = results.unwrap_or_else(|| zeros(&site.results));
            connection.write_number(u64::from(failure.is_some()))?;
            for result in &results {
                connection.input.write_all(result.bytes())?;
            }
        }
    }
}

fn zeros(shapes: &[Shape]) -> Vec<Literal> {
    shapes.iter().cloned().map(Literal::zeros).collect()
}

impl Connection {
    fn write_number(&mut self, number: u64) -> std::io::Result<()> {
        self.input.write_all(&number.to_le_bytes())
    }

    fn read_number(&mut self) -> std::io::Result<u64> {
        let mut bytes = [0; 8];
        self.output.read_exact(&mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }

    fn read_literals(&mut self, shapes: &[Shape]) -> std::io::Result<Vec<Literal>> {
        let mut literals = zeros(shapes);
        for literal in &mut literals {
            self.output.read_exact(literal.bytes_mut())?;
        }
        Ok(literals)
    }

    /// The error of the communication: the exit status of the process, if it has ended.
    fn failed(&mut self, error: &std::io::Error) -> Error {
        let is_end = matches!(
            error.kind(),
            std::io::ErrorKind::UnexpectedEof | std::io::ErrorKind::BrokenPipe
        );
        let status = if is_end { self.child.wait().ok() } else { None };
        match status {
            Some(status) => Error::execution(format!("the program ended with {status}")),
            None => Error::execution(format!("the program: {error}")),
        }
    }
}
