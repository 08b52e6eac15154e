//! One compilation of a program: its options and its cache entry, and the output for tools: times,
//! dumps, the record, and a reproducer of a crash.

pub(crate) mod cache;
mod reproducer;

use crate::record::{CompilationRecord, Recorder, Recording};
use cache::{Entry, Stored};
use halo_backend::{
    CompilationCache, CompileOptions, Program, background::Cancellation,
    observer::ObservedCompilation,
};
use halo_core::file::write_whole;
use halo_runtime::{Error, Result};
pub(crate) use reproducer::Reproducer;
use std::{
    io::Write,
    path::Path,
    time::{Duration, Instant},
};

/// A compilation.
pub struct Session<'a> {
    /// The options of the compilation.
    pub options: &'a CompileOptions,
    /// The program in its source form.
    pub program: &'a Program,
    /// The programs that run this one through `interpreter.run_parallel`.
    pub(crate) enclosing: &'a [String],
    /// The cache entry of the executable.
    pub(crate) entry: Option<Entry<'a>>,
    /// Cancels a background compilation.
    pub(crate) cancellation: Option<&'a Cancellation>,
    /// The record of the compilation, if it has one.
    pub(crate) recording: Option<Recording>,
    /// The number of steps that have finished, which orders dumps.
    steps: usize,
    /// Dropped with the session.
    _observed: ObservedCompilation,
}

impl<'a> Session<'a> {
    /// The start of a compilation.
    pub(crate) fn new(
        program: &'a Program,
        options: &'a CompileOptions,
        enclosing: &'a [String],
    ) -> Self {
        Self {
            options,
            program,
            enclosing,
            entry: None,
            cancellation: None,
            recording: Recording::of(options, Instant::now()),
            steps: 0,
            _observed: options.observers.compilation(),
        }
    }

    /// Notifies the observers that a phase begins, and returns the time.
    pub fn begin(&self, phase: &str) -> Instant {
        self.options.observers.phase_started(phase);
        Instant::now()
    }

    /// Notifies the observers of the time of a phase.
    pub fn report(&self, phase: &str, time: Duration) {
        self.options.observers.phase_finished(phase, time);
    }

    /// Writes the output of a step to the dumps, if requested, as a file with this name and
    /// extension, and counts the step.
    ///
    /// # Errors
    /// Returns invalid input if the file cannot be written.
    pub fn dump(
        &mut self,
        (name, extension): (&str, &str),
        text: impl FnOnce() -> String,
    ) -> Result<()> {
        if let Some(folder) = &self.options.dump_dir {
            write_dump(
                folder,
                &format!("{:02}-{name}.{extension}", self.steps),
                &text(),
            )?;
        }
        self.steps += 1;
        Ok(())
    }

    /// Adds results that a target computes after the phases to the record, if there is one.
    pub fn record(&self, put: impl FnOnce(&mut CompilationRecord)) {
        if let Some(recorder) = self.recorder() {
            put(&mut recorder.record());
        }
    }

    /// The recorder of the compilation, if it has one.
    pub fn recorder(&self) -> Option<&Recorder> {
        self.recording.as_ref().map(Recording::recorder)
    }

    /// The cancellation of a background compilation, which runs in one thread.
    pub fn cancellation(&self) -> Option<&'a Cancellation> {
        self.cancellation
    }

    /// The cache for parts of the executable, in addition to [`store`](Self::store).
    pub fn cache(&self) -> Option<&CompilationCache> {
        self.entry.as_ref().map(Entry::cache)
    }

    /// Stores an executable in the cache, if there is one; the counterpart of
    /// [`Target::restored`](crate::Target::restored).
    ///
    /// # Errors
    /// Returns the error of `stored`.
    pub fn store(&self, stored: impl FnOnce() -> Result<Stored>) -> Result<()> {
        if let Some(entry) = &self.entry {
            entry.store(stored()?);
        }
        Ok(())
    }
}

/// Writes a dump atomically.
fn write_dump(folder: &Path, name: &str, text: &str) -> Result<()> {
    std::fs::create_dir_all(folder)
        .map_err(|error| Error::invalid_file(folder.display().to_string(), error.to_string()))?;
    let write = |file: &mut dyn Write| file.write_all(text.as_bytes());
    Ok(write_whole(&folder.join(name), write)?)
}
