//! Concurrent tests.

use crate::{execution::Candidate, interest::Outcome, process::Worker, script::Script};
use std::{
    io,
    sync::mpsc::{Receiver, Sender, channel},
    thread,
    time::Duration,
};

/// Runs the tests of candidates.
pub enum Tester {
    Worker(Worker),
    Script(Script),
}

impl Tester {
    fn test(&mut self, candidate: Candidate, limit: Duration) -> io::Result<Outcome> {
        match self {
            Self::Worker(worker) => worker.test(candidate, limit),
            Self::Script(script) => script.test(&candidate.code, limit),
        }
    }
}

struct Job {
    ticket: usize,
    candidate: Candidate,
    limit: Duration,
}

struct Done {
    lane: usize,
    ticket: usize,
    outcome: io::Result<Outcome>,
}

/// Threads that test one candidate each.
pub struct Pool {
    lanes: Vec<Sender<Job>>,
    free: Vec<usize>,
    results: Receiver<Done>,
    next: usize,
}

impl Pool {
    /// # Errors
    /// Returns an error if a tester or a thread cannot be created.
    pub fn new(jobs: usize, tester: impl Fn() -> io::Result<Tester>) -> io::Result<Self> {
        let (sender, results) = channel();
        let mut lanes = Vec::new();
        for lane in 0..jobs.max(1) {
            let mut tester = tester()?;
            let (jobs, of_lane) = channel::<Job>();
            let sender = sender.clone();
            thread::Builder::new().spawn(move || {
                for job in of_lane {
                    let outcome = tester.test(job.candidate, job.limit);
                    let ticket = job.ticket;
                    let done = Done {
                        lane,
                        ticket,
                        outcome,
                    };
                    if sender.send(done).is_err() {
                        break;
                    }
                }
            })?;
            lanes.push(jobs);
        }
        Ok(Self {
            free: (0..lanes.len()).rev().collect(),
            lanes,
            results,
            next: 0,
        })
    }

    /// Returns true if a test can begin now.
    pub fn has_free_lane(&self) -> bool {
        !self.free.is_empty()
    }

    /// Returns true if a test is running.
    pub fn has_tests(&self) -> bool {
        self.free.len() < self.lanes.len()
    }

    /// Begins a test in a free lane; returns its ticket.
    pub fn begin(&mut self, candidate: Candidate, limit: Duration) -> Option<usize> {
        let lane = self.free.pop()?;
        let ticket = self.next;
        self.next += 1;
        let job = Job {
            ticket,
            candidate,
            limit,
        };
        self.lanes[lane].send(job).ok().map(|()| ticket)
    }

    /// Waits for the next test to end.
    ///
    /// # Errors
    /// Returns an error if the test could not be run.
    pub fn wait(&mut self) -> io::Result<(usize, Outcome)> {
        let done = self.results.recv().map_err(io::Error::other)?;
        self.free.push(done.lane);
        Ok((done.ticket, done.outcome?))
    }

    /// The number of tests begun.
    pub fn count(&self) -> usize {
        self.next
    }
}
