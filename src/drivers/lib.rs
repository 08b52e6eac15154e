//! The command-line tools as a library: the drivers of `halo-run` and `halo-compile`, and the
//! common parts of all tools: parsing the command line, writing results and errors to the
//! streams, and the thread that a tool runs on.
//!
//! The crate does not depend on the compiler, so that drivers are tested with mock backends, and a
//! build of `halo-run` that only runs plans stays small. The tools themselves register backends and
//! call a driver.
//!
//! A tool exits with 0 on success. An error is one line, or the compiler's diagnostics, on standard
//! error, with the exit code 1. If the reader closes standard output, the tool ends quietly.

mod backend_options;
pub mod bisect;
pub mod cache_options;
mod command_line;
pub mod compile;
mod generated;
pub mod logging;
mod markdown_page;
pub mod numerics;
mod observation;
mod output;
mod pipeline_options;
mod processor_options;
mod profile;
mod progress;
mod rates;
mod reproducer;
pub mod run;
mod terminal;
mod thread;
mod timing;
mod tool;
mod tuning_options;
mod upstream;
mod watch;

/// The style sheet of HTML pages.
pub const PAGE_STYLE: &str = include_str!("templates/page.css");

pub use backend_options::BackendArguments;
pub use cache_options::CacheArguments;
use command_line::describe;
pub use command_line::{count, parse_command_line};
pub use output::{Stop, finish, print, written};
pub use pipeline_options::PipelineArguments;
pub use processor_options::ProcessorArguments;
pub use profile::{
    Label, Profile, ProfileArguments, Recorded, RecordedSlice, Recorder, Step, Totals, instrument,
};
pub use rates::{Rates, rates};
pub use terminal::{Diagnostics, stderr};
pub use thread::on_deep_stack;
pub use timing::{Report, Timing, TimingArguments, TimingFormat};
pub use tool::Tool;
pub use tuning_options::TuningArguments;
pub use upstream::{OptionHelp, ToolHelp, common_options, run_driver};
pub use watch::Watch;
