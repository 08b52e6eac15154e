//! Upstream's language server, as a library.

use crate::{Plugin, tool};
use halo_ir::{language_server::language_server_main, upstream};
use std::process::ExitCode;

/// The main function of a language server for MLIR on standard input and output, like
/// `mlir-lsp-server`, with the dialects of Halo and of a plug-in. `halo-lsp-server` starts it as a
/// separate process.
///
/// The command line has `flag` and `--load-plugin=`; the name of the tool is for its errors.
pub fn main(name: &'static str, flag: &str, plugin: Plugin) -> ExitCode {
    upstream::know_everything();
    let flag = flag.to_owned();
    tool::run(name, plugin, move |start| {
        let mut rest = start.arguments.iter().skip(1);
        match rest.find(|argument| argument.as_os_str() != flag.as_str()) {
            None => u8::try_from(language_server_main(name)).unwrap_or(1),
            Some(other) => {
                eprintln!("{name}: error: unexpected argument '{}'", other.display());
                1
            }
        }
    })
}
