//! The report of `--timing` about the time of compilations.
//!
//! As text it is a readable table. As JSON it is one object on one line, for tools:
//!
//! ```json
//! {"phases": [{"name": "hlo", "ms": 1.5}],
//!  "kernels": [{"name": "main_kernel_0", "ms": 2.5, "thread": 1}],
//!  "cache": {"programs": {"hits": 0, "misses": 1}, "kernels": {"hits": 3, "misses": 1}},
//!  "total_ms": 6.5}
//! ```
//!
//! Phases are in the order in which they ended; phases of a nested compilation come before the rest
//! of the outer one. Kernels are in the order of their cost, with the number of the thread that
//! compiled them, if the backend compiles them one by one. The total is the wall-clock time during
//! which a compilation was active.

use halo_backend::observer::{CacheEntry, CompileEvent, CompileObserver};
use serde::Serialize;
use std::{
    fmt,
    sync::{Mutex, PoisonError},
    thread::{self, ThreadId},
    time::{Duration, Instant},
};

/// The format of the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum TimingFormat {
    /// A table.
    Text,
    /// One JSON object on one line.
    Json,
}

/// The option for the report, on the command lines of all tools that compile.
#[derive(clap::Args, Clone, Copy, Debug, Default)]
pub struct TimingArguments {
    /// Report on standard error the times of the compiler's phases and of kernels: as a table, or
    /// as one line of JSON
    #[arg(
        long,
        value_name = "FORMAT",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "text"
    )]
    pub timing: Option<TimingFormat>,
}

/// The number of kernels in the table.
const LISTED_KERNELS: usize = 10;

/// Collects the times of compilations.
#[derive(Default)]
pub struct Timing(Mutex<State>);

#[derive(Default)]
struct State {
    report: Report,
    /// The threads that compiled kernels, by their numbers.
    threads: Vec<ThreadId>,
    /// The number of nested compilations, and the begin of the outermost one.
    depth: usize,
    start: Option<Instant>,
}

/// The times of compilations.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Report {
    phases: Vec<Phase>,
    kernels: Vec<Kernel>,
    cache: Cache,
    #[serde(rename = "total_ms", serialize_with = "milliseconds")]
    total: Duration,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct Phase {
    name: String,
    #[serde(rename = "ms", serialize_with = "milliseconds")]
    time: Duration,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct Kernel {
    name: String,
    #[serde(rename = "ms", serialize_with = "milliseconds")]
    time: Duration,
    thread: usize,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
struct Cache {
    programs: Lookups,
    kernels: Lookups,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
struct Lookups {
    hits: usize,
    misses: usize,
}

fn in_milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn milliseconds<S: serde::Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(in_milliseconds(*time))
}

impl CompileObserver for Timing {
    fn observe(&self, event: &CompileEvent<'_>) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.note(event, Instant::now(), thread::current().id());
    }
}

impl Timing {
    /// The measurements until now.
    pub fn report(&self) -> Report {
        let state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut report = state.report.clone();
        let cost = |kernel: &Kernel| std::cmp::Reverse(kernel.time);
        report.kernels.sort_by_key(cost);
        report
    }
}

impl State {
    fn note(&mut self, event: &CompileEvent<'_>, now: Instant, thread: ThreadId) {
        match *event {
            CompileEvent::CompilationStarted => {
                self.depth += 1;
                self.start.get_or_insert(now);
            }
            CompileEvent::CompilationFinished => {
                self.depth = self.depth.saturating_sub(1);
                if self.depth == 0
                    && let Some(start) = self.start.take()
                {
                    self.report.total += now.saturating_duration_since(start);
                }
            }
            CompileEvent::PhaseFinished { name, time } => self.report.phases.push(Phase {
                name: name.to_owned(),
                time,
            }),
            CompileEvent::KernelFinished { name, time } => {
                let known = self.threads.iter().position(|known| *known == thread);
                let thread = known.unwrap_or_else(|| {
                    self.threads.push(thread);
                    self.threads.len() - 1
                });
                self.report.kernels.push(Kernel {
                    name: name.to_owned(),
                    time,
                    thread,
                });
            }
            CompileEvent::CacheLookup { entry, hit } => {
                let lookups = match entry {
                    CacheEntry::Program => &mut self.report.cache.programs,
                    CacheEntry::Kernel => &mut self.report.cache.kernels,
                };
                if hit {
                    lookups.hits += 1
                } else {
                    lookups.misses += 1
                }
            }
            _ => {}
        }
    }
}

impl Report {
    /// The report in a format, followed by a line break.
    pub fn text(&self, format: TimingFormat) -> String {
        match format {
            // If nothing was compiled, only the error is of interest.
            TimingFormat::Text if self.phases.is_empty() => String::new(),
            TimingFormat::Text => self.to_string(),
            TimingFormat::Json => match serde_json::to_string(self) {
                Ok(json) => json + "\n",
                Err(error) => format!("--timing: error: {error}\n"),
            },
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for phase in &self.phases {
            line(f, phase.time, &phase.name)?;
        }
        line(f, self.total, "total")?;
        self.fmt_kernels(f)?;
        for (lookups, names) in [
            (self.cache.programs, "programs"),
            (self.cache.kernels, "kernels"),
        ] {
            let Lookups { hits, misses } = lookups;
            if hits + misses > 0 {
                writeln!(f, "cache: {hits} of {} {names} found", hits + misses)?;
            }
        }
        Ok(())
    }
}

impl Report {
    fn fmt_kernels(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.kernels.len();
        if count == 0 {
            return Ok(());
        }
        let threads = self.kernels.iter().map(|kernel| kernel.thread).max();
        let threads = threads.map_or(0, |last| last + 1);
        writeln!(f, "kernels: {count}, threads: {threads}")?;
        for thread in 0..threads {
            let own = self.kernels.iter().filter(|kernel| kernel.thread == thread);
            let (count, time) = own.fold((0, Duration::ZERO), |(count, time), kernel| {
                (count + 1, time + kernel.time)
            });
            line(f, time, &format!("thread {thread}, {count} kernels"))?;
        }
        for kernel in self.kernels.iter().take(LISTED_KERNELS) {
            let text = format!("{} (thread {})", kernel.name, kernel.thread);
            line(f, kernel.time, &text)?;
        }
        match self.kernels.get(LISTED_KERNELS..) {
            None | Some([]) => Ok(()),
            Some(others) => {
                let time = others.iter().map(|kernel| kernel.time).sum();
                line(f, time, &format!("{} other kernels", others.len()))
            }
        }
    }
}

fn line(f: &mut fmt::Formatter<'_>, time: Duration, text: &str) -> fmt::Result {
    writeln!(f, "{:>9.3} ms  {text}", in_milliseconds(time))
}

#[cfg(test)]
#[path = "timing_tests.rs"]
mod tests;
