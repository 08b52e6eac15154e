//! The start of every tool: a large stack, panics that are reported once, and the plug-ins
//! installed.

use crate::Plugin;
use halo_backend::Environment;
use halo_core::panics;
use halo_drivers::{Stop, Tool, finish, logging, on_deep_stack};
use halo_ir::limits;
use halo_llvm::fatal_errors;
use std::{
    env,
    ffi::{OsStr, OsString},
    io,
    os::unix::ffi::OsStrExt,
    path::PathBuf,
    process::ExitCode,
};

/// The option that loads a plug-in.
const LOAD_PLUGIN: &str = "--load-plugin";

/// The initial state of a tool.
pub(crate) struct Start {
    pub tool: Tool,
    /// The plug-in of the tool, then the plug-ins that the command line loads.
    pub plugins: Vec<Plugin>,
    pub environment: Environment,
    /// The command line without the options that load plug-ins.
    pub arguments: Vec<OsString>,
}

/// Installs the plug-ins and runs a tool with them on a stack for deeply nested programs.
pub(crate) fn run(
    name: &'static str,
    plugin: Plugin,
    run: impl FnOnce(Start) -> u8 + Send + 'static,
) -> ExitCode {
    panics::report_caught_panics_once();
    on_deep_stack(name, limits::STACK_BYTES, move || {
        if let Err(error) = logging::start() {
            eprintln!("{name}: error: {error}");
            return 1;
        }
        match start(name, plugin) {
            Ok(start) => run(start),
            Err(error) => {
                eprintln!("{name}: error: {error}");
                1
            }
        }
    })
}

/// Reports fatal errors of LLVM as errors of this tool. `halo-opt` does not call it, since
/// upstream's reproducers require the signal.
pub(crate) fn report_fatal_errors(name: &'static str) {
    fatal_errors::exit_by(move |error| {
        let (out, err) = (&mut io::sink(), &mut halo_drivers::stderr());
        finish(name, Err(Stop::from(error)), out, err)
    });
}

fn start(name: &'static str, plugin: Plugin) -> Result<Start, Box<dyn std::error::Error>> {
    let (arguments, paths) = take_options(env::args_os())?;
    let tool = plugin.tool(name);
    let mut plugins = vec![plugin];
    for path in paths {
        let plugin = Plugin::load(&path)?;
        tracing::debug!(
            path = %path.display(),
            name = plugin.name,
            version = plugin.version,
            "plug-in loaded"
        );
        plugins.push(plugin);
    }
    let environment = Plugin::install_all(&plugins)?;
    Ok(Start {
        tool,
        plugins,
        environment,
        arguments,
    })
}

/// Takes the options that load plug-ins out of a command line, up to `--`.
///
/// # Errors
/// Returns an error if the last argument is the option without its value.
fn take_options(
    arguments: impl IntoIterator<Item = OsString>,
) -> Result<(Vec<OsString>, Vec<PathBuf>), String> {
    let (mut rest, mut plugins) = (Vec::new(), Vec::new());
    let mut arguments = arguments.into_iter();
    while let Some(argument) = arguments.next() {
        let bytes = argument.as_encoded_bytes();
        if bytes == b"--" {
            rest.push(argument);
            rest.extend(arguments);
            break;
        }
        match bytes.strip_prefix(LOAD_PLUGIN.as_bytes()) {
            Some(b"") => match arguments.next() {
                Some(path) => plugins.push(path.into()),
                None => return Err(format!("a value is required for '{LOAD_PLUGIN} <FILE>'")),
            },
            Some([b'=', path @ ..]) => plugins.push(OsStr::from_bytes(path).into()),
            _ => rest.push(argument),
        }
    }
    Ok((rest, plugins))
}

impl Plugin {
    /// A tool with this plug-in.
    fn tool(&self, name: &'static str) -> Tool {
        let tool = Tool {
            loads_plugins: true,
            ..Tool::halo(name)
        };
        if self.name.is_empty() {
            return tool;
        }
        let version = format!("{} (Halo {})", self.version, tool.version);
        // One text for the life of the tool.
        let version = version.leak();
        Tool { version, ..tool }
    }
}
