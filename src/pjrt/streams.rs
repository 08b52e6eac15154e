//! Runs of a device on streams.
//!
//! A run is enqueued on a separate stream, which first waits for the end of the run before. All
//! runs of a device are therefore executed in the order of the calls, and the memory that a run
//! overwrites or releases is not in use by an earlier one; but an error belongs to one run, since a
//! stream that failed skips its later entries. Another thread waits for the ends of runs and reports
//! them, since the driver calls no function of the host after a failure of the device.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use halo_runtime::{Stream, StreamExecutor};

use crate::event::Event;
use crate::queue::Queue;
use crate::status::Result;

/// The maximum number of enqueued runs, each of which has a stream with its workspace. More would
/// not keep the device busier.
const MAX_ENQUEUED: usize = 8;

/// The streams of a device.
pub struct Streams {
    executor: Arc<dyn StreamExecutor>,
    idle: Mutex<Vec<Box<dyn Stream>>>,
    runs: Mutex<Runs>,
    /// Waits for the enqueued runs, one after the other.
    ends: Queue,
}

#[derive(Default)]
struct Runs {
    /// The end of the last run on the device.
    last: Option<Arc<dyn halo_runtime::Event>>,
    /// The completion of each enqueued run.
    unfinished: Vec<Event>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Streams {
    /// # Errors
    /// Returns an internal error if the thread cannot be started.
    pub fn new(device: usize, executor: &Arc<dyn StreamExecutor>) -> Result<Self> {
        Ok(Self {
            executor: Arc::clone(executor),
            idle: Mutex::default(),
            runs: Mutex::default(),
            ends: Queue::new(format!("halo-ends-{device}"), || ())?,
        })
    }

    /// Returns true if the event is the completion of a run that is enqueued here, for which the
    /// next one need not wait on the host.
    pub fn have(&self, event: &Event) -> bool {
        lock(&self.runs).unfinished.iter().any(|done| done.is_same(event))
    }

    /// Returns true if no run is unfinished.
    pub fn are_idle(&self) -> bool {
        lock(&self.runs).unfinished.is_empty()
    }

    /// Waits until the enqueued runs have ended on the device.
    pub fn wait(&self) {
        let last = lock(&self.runs).last.clone();
        last.iter().for_each(|last| last.synchronize());
    }

    /// A stream for one run, after the one before. Waits for an earlier run if too many are
    /// enqueued.
    ///
    /// # Errors
    /// Returns an error of the platform.
    pub fn begin(&self) -> Result<Box<dyn Stream>> {
        let first = {
            let unfinished = &lock(&self.runs).unfinished;
            let is_full = unfinished.len() >= MAX_ENQUEUED;
            is_full.then(|| unfinished.first().cloned()).flatten()
        };
        // An error is the one of its results.
        let _ = first.map(|first| first.wait());
        let idle = lock(&self.idle).pop();
        let stream = idle.map_or_else(|| self.executor.create_stream(), Ok)?;
        if let Some(last) = &lock(&self.runs).last {
            stream.wait(&**last)?;
        }
        Ok(stream)
    }

    /// Ends the run that was enqueued on a stream: when the stream is done, `finish` gets the error
    /// of the stream, and sets the completion.
    pub fn end(
        self: &Arc<Self>,
        stream: Box<dyn Stream>,
        done: &Event,
        finish: impl FnOnce(Result<()>) + Send + 'static,
    ) {
        let event = self.executor.create_event();
        let last = event.and_then(|event| stream.record(&*event).map(|()| event));
        // Without an event, the next run waits here for the end of this one.
        let outcome = last.as_ref().map_or_else(|_| stream.block_until_done(), |_| Ok(()));
        let mut runs = lock(&self.runs);
        runs.last = last.ok();
        runs.unfinished.push(done.clone());
        drop(runs);
        let (own, done) = (Arc::clone(self), done.clone());
        let wait = move || {
            let outcome = outcome.and(stream.block_until_done());
            lock(&own.idle).push(stream);
            finish(outcome.map_err(Into::into));
            lock(&own.runs).unfinished.retain(|other| !other.is_same(&done));
        };
        // The thread lives as long as the streams.
        let _ = self.ends.enqueue(wait);
    }
}
