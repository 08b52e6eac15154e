//! A program on several devices, started by one call.

use std::sync::{Arc, Mutex, PoisonError};

use halo_runtime::Process;

use crate::event::Event;
use crate::status::{Result, Status};

/// State that the runs of a launch share. When one fails, the runs that wait for it fail too. The
/// caller may inspect any of them, so all report the first failure, as soon as each run has ended.
#[derive(Default)]
pub struct Launch {
    failures: Mutex<Vec<Failure>>,
}

struct Failure {
    process: usize,
    /// The process that failed first.
    first: Option<usize>,
    done: Event,
    error: Status,
}

impl Launch {
    /// Ends the run of a process.
    pub fn finish(&self, process: &Process, done: &Event, outcome: Result<()>) {
        let Err(error) = outcome else {
            done.set(Ok(()));
            return;
        };
        process.end(true);
        let failure = Failure {
            process: process.number(),
            first: process.cluster.first_failed(),
            done: done.clone(),
            error,
        };
        let mut failures = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
        failures.push(failure);
    }
}

/// Each run holds a reference until it has ended, also if it did not begin.
impl Drop for Launch {
    fn drop(&mut self) {
        let failures = std::mem::take(&mut self.failures);
        let failures = failures.into_inner().unwrap_or_else(PoisonError::into_inner);
        let is_first = |failure: &&Failure| failure.first == Some(failure.process);
        let first = failures.iter().find(is_first).or(failures.first());
        let Some(error) = first.map(|failure| failure.error.clone()) else {
            return;
        };
        for failure in failures {
            failure.done.set(Err(error.clone()));
        }
    }
}

/// One process of a launch.
#[derive(Clone)]
pub struct Member {
    pub process: Arc<Process>,
    launch: Arc<Launch>,
}

impl Member {
    /// The launches of the processes of a grid.
    pub fn of(processes: Vec<Arc<Process>>) -> Vec<Self> {
        if processes.is_empty() {
            return Vec::new();
        }
        let launch = Arc::<Launch>::default();
        let member = |process| Self {
            process,
            launch: Arc::clone(&launch),
        };
        processes.into_iter().map(member).collect()
    }

    /// Ends the run.
    pub fn finish(self, done: &Event, outcome: Result<()>) {
        self.launch.finish(&self.process, done, outcome);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The run that failed first is the second to report an error.
    #[test]
    fn all_runs_tell_the_first_failure() {
        let mut members = Member::of(Process::grid(1, 3));
        let events = [(); 3].map(|()| Event::default());
        let last = members.pop().unwrap();
        let failing = members.pop().unwrap();
        let waiting = members.pop().unwrap();
        failing.process.end(true);
        waiting.finish(&events[0], Err(Status::internal("waits")));
        failing.finish(&events[1], Err(Status::internal("the reason")));
        assert!(events[0].outcome().is_none());
        last.finish(&events[2], Ok(()));
        for event in &events[..2] {
            let error = event.wait().unwrap_err();
            assert!(error.to_string().contains("the reason"), "{error}");
        }
        assert!(events[2].wait().is_ok());
    }
}
