//! What the tool does, from the command line to the exit code.

use std::ffi::OsString;
use std::io::{ErrorKind, Read, Write};
use std::path::Path;

use clap::Parser;
use halo_core::file;
use halo_runtime::{CompileOptions, Error, ProcessorOptions, Program, Registry, Result};

use crate::cli::Cli;

/// What `--emit=` calls a plan, and its text.
const PLAN: &str = "plan";
const LISTING: &str = "listing";

/// Runs the tool and returns its exit code: 0 if all went well, 1 after an
/// error, of which one line, or the compiler's diagnostics, stand on `err`.
pub fn main(
    arguments: impl IntoIterator<Item = OsString>,
    registry: &Registry,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> u8 {
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => return usage(&error, out, err),
    };
    let Err(error) = run(&cli, registry, out) else {
        return 0;
    };
    let prefix = match error.names_place() {
        true => "",
        false => "halo-compile: error: ",
    };
    // Nothing can be done about an unwritable standard error.
    let _ = writeln!(err, "{prefix}{error}");
    1
}

/// Help and version go to standard output; a wrong command line is one line.
fn usage(error: &clap::Error, out: &mut dyn Write, err: &mut dyn Write) -> u8 {
    let text = error.to_string();
    if !error.use_stderr() {
        let _ = write!(out, "{text}");
        return 0;
    }
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let first = lines.next().unwrap_or("error: wrong arguments");
    // A missing argument is named on the second line.
    let detail = match lines.next() {
        Some(line) if first.ends_with(':') => format!(" {line}"),
        _ => String::new(),
    };
    let first = first.strip_prefix("error: ").unwrap_or(first);
    let _ = writeln!(err, "halo-compile: error: {first}{detail} (see --help)");
    1
}

fn run(cli: &Cli, registry: &Registry, out: &mut dyn Write) -> Result<()> {
    let backend = match &cli.backend {
        Some(name) => registry.backend(name)?,
        None => registry.default_backend()?,
    };
    // What can be seen to be wrong without compiling is seen first.
    let is_plan = cli.emit == PLAN;
    if is_plan && cli.output.is_none() {
        return Err(Error::invalid(
            "a plan is no text: say where to write it with -o",
        ));
    }
    if !is_plan && cli.emit != LISTING {
        backend.compiler.phase(&cli.emit)?;
    }
    let program = read_program(&cli.file)?;
    let options = CompileOptions {
        entry: cli.entry.clone(),
        dump_dir: cli.dump_dir.clone(),
        timing: cli.timing,
        no_constant_folding: cli.no_constant_folding,
        processor: ProcessorOptions {
            triple: cli.target.clone(),
            cpu: cli.target_cpu.clone(),
            features: cli.target_features.clone(),
        },
        architecture: cli.gpu_arch.clone(),
        gpu_dot: cli.gpu_dot,
        ..CompileOptions::default()
    };
    let bytes = match cli.emit.as_str() {
        PLAN => backend.compiler.plan(&program, &options)?.to_bytes()?,
        LISTING => {
            let plan = backend.compiler.plan(&program, &options)?;
            plan.to_string().into_bytes()
        }
        phase => {
            let mut text = backend.compiler.compile_to(&program, phase, &options)?;
            if !text.ends_with('\n') {
                text.push('\n');
            }
            text.into_bytes()
        }
    };
    match cli.output.as_deref().filter(|path| !is_dash(path)) {
        Some(path) => Ok(file::write_whole(path, |file| file.write_all(&bytes))?),
        None => print(out, &bytes),
    }
}

fn is_dash(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Writes, minding that a reader may go away.
fn print(out: &mut dyn Write, bytes: &[u8]) -> Result<()> {
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Error::execution(format!("cannot write: {error}")))
        }
        _ => Ok(()),
    }
}

fn read_program(path: &Path) -> Result<Program> {
    if !is_dash(path) {
        return Program::read(path);
    }
    let mut code = Vec::new();
    std::io::stdin()
        .read_to_end(&mut code)
        .map_err(|error| Error::invalid(format!("cannot read standard input: {error}")))?;
    Ok(Program {
        name: "<stdin>".to_owned(),
        code,
    })
}

#[cfg(test)]
#[path = "driver_tests.rs"]
mod tests;
