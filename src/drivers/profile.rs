//! `--profile=`: the time of a program, from its compilation to its last run.
//!
//! `--timing` sums times; a profile also records when, on which thread, and why a thread was idle.
//! A [`Recorder`] collects the events of the compiler and the runtime, [`trace`] writes all of them
//! for viewers of the Trace Event Format, [`summary`] a table of the kernels.

mod recorder;
mod sources;
mod summary;
mod trace;

use crate::Stop;
use halo_backend::{CompileObserver, CompileOptions, Compiler, EditAction, PipelineEdit};
use halo_core::file;
use halo_runtime::{
    Error, Result,
    memory_observer::{self, Observation},
    run_observer::RunObserver,
};
pub use recorder::{Label, Recorded, RecordedSlice, Recorder, Step, Totals};
use sources::Sources;
use std::{io::Write, path::PathBuf, sync::Arc};

/// The pass that makes kernels visible, and the pass that it is inserted after.
const INSTRUMENTATION: &str = "halo-instrument-kernels";
const OUTLINING: &str = "halo-outline-kernels";

/// The format of a profile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Output {
    /// A table on standard error.
    Summary,
    /// A file of trace events.
    Trace(PathBuf),
}

fn output(text: &str) -> std::result::Result<Output, String> {
    let path = PathBuf::from(text);
    match text {
        "" => Err("a file name, or 'summary', is missing".to_owned()),
        "summary" => Ok(Output::Summary),
        _ if file::is_standard_stream(&path) => {
            Err("a trace is written to a file, as results go to standard output".to_owned())
        }
        _ => Ok(Output::Trace(path)),
    }
}

/// The profiles that are wanted, on a command line.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct ProfileArguments {
    /// Measure the compilation and all runs, and write a trace for ui.perfetto.dev or
    /// chrome://tracing to a file; or, for 'summary', a table of kernels to standard error.
    /// May be given twice
    #[arg(
        long = "profile",
        value_name = "FILE|summary",
        require_equals = true,
        value_parser = output
    )]
    pub profiles: Vec<Output>,
}

/// A profile in the making.
pub struct Profile {
    outputs: Vec<Output>,
    recorder: Arc<Recorder>,
    observer: Arc<dyn RunObserver>,
    /// Observes memory during the profile.
    _memory: Observation,
}

impl Profile {
    /// Begins the recording, if a profile is requested.
    ///
    /// # Errors
    /// Returns an error if a file cannot be written, before a possibly long run.
    pub fn new(arguments: &ProfileArguments) -> Result<Option<Self>> {
        let outputs = arguments.profiles.clone();
        if outputs.is_empty() {
            return Ok(None);
        }
        for output in &outputs {
            if let Output::Trace(path) = output {
                file::check_writable(path)?;
            }
        }
        let recorder = Arc::new(Recorder::default());
        Ok(Some(Self {
            outputs,
            observer: recorder.clone(),
            _memory: memory_observer::observe(recorder.clone()),
            recorder,
        }))
    }

    /// For the options of compilations.
    pub fn compile_observer(&self) -> Arc<dyn CompileObserver> {
        self.recorder.clone()
    }

    /// For the options of runs.
    pub fn run_observer(&self) -> &Arc<dyn RunObserver> {
        &self.observer
    }

    /// Records steps of the tool itself.
    pub fn recorder(&self) -> &Recorder {
        &self.recorder
    }

    /// Adds the instrumentation of kernels, if the compiler supports it.
    ///
    /// # Errors
    /// Returns an invalid-input error if another process runs the program.
    pub fn instrument(&self, compiler: &dyn Compiler, options: &mut CompileOptions) -> Result<()> {
        if options.processor.runner.is_some() {
            return Err(Error::invalid(
                "--profile: the program runs in another process, which is not measured",
            ));
        }
        instrument(compiler, options);
        Ok(())
    }

    /// Writes the profile of all measurements until now. `program` is the text of the file, if
    /// known, and `about` describes the run to the reader of a trace.
    ///
    /// # Errors
    /// Returns an error if a file cannot be written.
    pub fn write(&self, about: &About<'_>, err: &mut dyn Write) -> std::result::Result<(), Stop> {
        let recorded = self.recorder.recorded();
        let sources = Sources::new(about.program, about.code);
        for output in &self.outputs {
            match output {
                Output::Summary => {
                    let text = summary::text(&recorded, &sources, summary::terminal_width());
                    // Errors of standard error are ignored.
                    let _ = err.write_all(text.as_bytes());
                }
                Output::Trace(path) => {
                    file::write_whole(path, |file| trace::write(&recorded, &sources, about, file))?;
                    if recorded.left_out > 0 {
                        let _ = writeln!(
                            err,
                            "{}: the trace ends after {} slices; {} more were measured",
                            path.display(),
                            recorded.slices.len(),
                            recorded.left_out
                        );
                    }
                }
            }
        }
        Ok(())
    }
}

/// Adds the instrumentation of kernels, if the compiler supports it.
pub fn instrument(compiler: &dyn Compiler, options: &mut CompileOptions) {
    let mut instrumented = options.clone();
    instrumented.pipeline_edits.push(PipelineEdit {
        action: EditAction::InsertAfter,
        place: OUTLINING.to_owned(),
        passes: INSTRUMENTATION.to_owned(),
    });
    if compiler.check_pipeline(&instrumented).is_ok() {
        *options = instrumented;
    }
}

/// The subject of a profile.
#[derive(Clone, Copy, Default)]
pub struct About<'a> {
    /// The name of the file.
    pub program: &'a str,
    /// Its contents.
    pub code: &'a [u8],
    /// The error that ended the tool.
    pub error: Option<&'a str>,
}

#[cfg(test)]
#[path = "profile_tests.rs"]
mod tests;
