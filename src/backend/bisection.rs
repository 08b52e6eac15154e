//! A compilation of which a part is disabled, for searches for the cause of a failure.
//!
//! The first [`passes`](Bisection::passes) of a backend run as usual, the last of them with a
//! limited number of applications: rewrites by patterns, and runs on functions. After them,
//! optimizations are disabled, and only the passes run without which nothing can be compiled.

use serde::{Deserialize, Serialize};
use std::{
    fmt,
    sync::{Mutex, PoisonError},
};

/// The enabled part of a compilation, and its description.
pub struct Bisection {
    /// The number of enabled passes.
    pub passes: usize,
    /// The maximum number of applications in the last of them.
    pub applications: u64,
    /// Set if passes that only clean up are enabled, without which some programs do not compile.
    pub cleans_up: bool,
    report: Box<dyn Fn(&Found) + Send + Sync>,
    found: Mutex<Found>,
}

/// A description of the passes that ran.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Found {
    /// All passes of the backend, in order.
    pub passes: Vec<FoundPass>,
    /// The index of the pass that runs.
    pub running: Option<usize>,
    /// The applications in the last enabled pass, up to the limit.
    pub applications: u64,
    /// The last of them, if the limit was reached.
    pub last: Option<FoundApplication>,
    /// The time of a run of the program in seconds, if it was measured.
    pub seconds: Option<f64>,
}

/// A pass of a backend.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FoundPass {
    /// Its place, such as `bufferized/halo-cse#2`.
    pub place: String,
    /// Set if programs can be compiled without it.
    pub is_optional: bool,
}

/// A change to the program.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FoundApplication {
    /// The path of the function that rewrote the op; none for the run of a pass on the op.
    pub pattern: Option<String>,
    /// The name of the op.
    pub op: String,
    /// The location of the op in the source program.
    pub location: String,
    /// The function with the op, before and after it.
    pub before: String,
    pub after: String,
}

impl Bisection {
    /// The first passes, with a limit of the applications in the last of them. `report` gets each
    /// description, because the compiler may crash after it.
    pub fn new(
        passes: usize,
        applications: u64,
        cleans_up: bool,
        report: impl Fn(&Found) + Send + Sync + 'static,
    ) -> Self {
        Self {
            passes,
            applications,
            cleans_up,
            report: Box::new(report),
            found: Mutex::default(),
        }
    }

    /// Changes the description.
    pub fn note(&self, change: impl FnOnce(&mut Found)) {
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut found);
        (self.report)(&found);
    }
}

impl fmt::Debug for Bisection {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Bisection")
            .field("passes", &self.passes)
            .field("applications", &self.applications)
            .field("cleans_up", &self.cleans_up)
            .finish_non_exhaustive()
    }
}
