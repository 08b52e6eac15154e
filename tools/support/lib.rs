//! The common parts of the command-line tools: parsing the command line,
//! writing results and errors to the streams, and the thread that a tool runs
//! on.
//!
//! A tool that is wrong about nothing exits with 0. An error is one line, or the
//! compiler's diagnostics, on standard error, and the exit code 1. A reader of
//! standard output that has read enough ends the tool quietly.

mod backend_options;
mod command_line;
mod output;
mod thread;
mod upstream;

pub use backend_options::BackendArguments;
pub use command_line::{count, parse_command_line};
pub use output::{Stop, finish, print, written};
pub use thread::on_deep_stack;
pub use upstream::{OptionHelp, ToolHelp, common_options, run_driver};
