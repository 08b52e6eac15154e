//! `halo-lsp-server`: a Language Server Protocol server for MLIR and HLO text, on standard input
//! and output.
//!
//! ```text
//!  editor ──▶ halo-lsp-server ──▶ halo-lsp-server --upstream
//!             documents, HLO text    mlir-lsp-server with the dialects of Halo
//! ```
//!
//! MLIR's server does the parsing, in a separate process. It crashes on some incomplete texts,
//! which is reported as a diagnostic of the text; then it is restarted.

mod completion;
mod document;
mod documents;
mod hlo;
mod hover;
mod server;
mod transport;
mod upstream;
mod withheld;

use clap::Parser;
use halo::{Plugin, ir::limits};
use halo_drivers::{on_deep_stack, parse_command_line};
#[cfg(feature = "shared")]
use halo_shared as _;
use serde_json::Value;
use std::{
    ffi::OsString,
    io::{self, BufReader, stdin},
    path::PathBuf,
    process::ExitCode,
    sync::mpsc,
    thread,
};
use transport::ReadError;

const NAME: &str = "halo-lsp-server";

/// The argument of the process that runs upstream's server.
const UPSTREAM: &str = "--upstream";

/// Language server for programs of MLIR and HLO text, on standard input and output.
///
/// Editors start it; docs/editors.md has their settings.
#[derive(Parser)]
#[command(name = NAME, version)]
struct Arguments {
    /// Load a plug-in, a shared library, with its dialects; may be given several times
    #[arg(long, value_name = "FILE")]
    load_plugin: Vec<PathBuf>,
    /// Accepted for editors that pass it: the server supports only this transport
    #[arg(long, hide = true)]
    stdio: bool,
}

/// An event of the server.
enum Event {
    /// The client's next message, the end of its input, or an error.
    Client(Result<Option<Value>, ReadError>),
    /// A message of upstream's server with this generation number.
    Upstream(u64, Value),
    UpstreamEnded(u64),
}

fn main() -> ExitCode {
    halo_allocator::replace_malloc();
    if std::env::args_os().any(|argument| argument == UPSTREAM) {
        return halo::language_server::main(NAME, UPSTREAM, Plugin::default());
    }
    halo::core::panics::report_caught_panics_once();
    on_deep_stack(NAME, limits::STACK_BYTES, || {
        let (out, err) = (&mut io::stdout(), &mut io::stderr());
        match parse_command_line(std::env::args_os(), |command| command, out, err) {
            Ok(arguments) => serve(arguments),
            Err(code) => code,
        }
    })
}

fn fail(message: &str) -> u8 {
    eprintln!("{NAME}: error: {message}");
    1
}

fn serve(arguments: Arguments) -> u8 {
    // Report a plug-in that cannot be loaded once, immediately. The others provide documentation of
    // their ops.
    let mut plugins = Vec::new();
    for path in &arguments.load_plugin {
        match Plugin::load(path) {
            Ok(plugin) => plugins.push(plugin),
            Err(error) => return fail(&error.to_string()),
        }
    }
    if let Err(error) = Plugin::install_all(&plugins) {
        return fail(&error.to_string());
    }
    let mut upstream = vec![OsString::from(UPSTREAM)];
    for path in arguments.load_plugin {
        let mut option = OsString::from("--load-plugin=");
        option.push(path);
        upstream.push(option);
    }
    let (sender, events) = mpsc::channel();
    let client = sender.clone();
    let reader = thread::Builder::new().spawn(move || {
        let mut input = BufReader::new(stdin());
        loop {
            let message = transport::read(&mut input);
            let is_last = matches!(&message, Ok(None) | Err(ReadError::Stream(_)));
            if client.send(Event::Client(message)).is_err() || is_last {
                break;
            }
        }
    });
    match reader {
        Ok(_) => server::serve(upstream, &events, sender),
        Err(error) => fail(&format!("cannot start a thread: {error}")),
    }
}
