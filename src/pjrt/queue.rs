//! The work queues of a device.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread::{self, JoinHandle};

use halo_core::panics;

use crate::status::{Result, Status};

type Task = Box<dyn FnOnce() + Send>;

/// The stack of the thread: programs run on it, and callbacks of frameworks.
const STACK_BYTES: usize = 64 << 20;

thread_local! {
    /// Whether this is the thread of a queue.
    static IS_WORKER: Cell<bool> = const { Cell::new(false) };
}

/// A thread that runs tasks one after the other.
pub struct Queue {
    /// Present until the queue is dropped.
    sender: Option<Sender<Task>>,
    worker: Option<JoinHandle<()>>,
    /// The number of waiting and running tasks.
    pending: Arc<AtomicUsize>,
}

impl Queue {
    /// A queue whose thread first calls `begin`.
    ///
    /// # Errors
    /// Returns an internal error if the thread cannot be started.
    pub fn new(name: String, begin: impl FnOnce() + Send + 'static) -> Result<Self> {
        let (sender, tasks) = channel::<Task>();
        let pending = Arc::new(AtomicUsize::new(0));
        let left = Arc::clone(&pending);
        let worker = thread::Builder::new()
            .name(name)
            .stack_size(STACK_BYTES)
            .spawn(move || {
                IS_WORKER.set(true);
                begin();
                for task in tasks {
                    // Tasks report their failures; a panic is a defect, after which the next task
                    // must still run.
                    let _ = panics::catch(task);
                    left.fetch_sub(1, Ordering::Release);
                }
            })
            .map_err(|error| Status::internal(format!("no thread for a device: {error}")))?;
        Ok(Self {
            sender: Some(sender),
            worker: Some(worker),
            pending,
        })
    }

    /// The queue of a device of another process, which takes no tasks.
    pub fn closed() -> Self {
        Self {
            sender: None,
            worker: None,
            pending: Arc::default(),
        }
    }

    /// Runs a task after the tasks that were enqueued before.
    ///
    /// # Errors
    /// Returns an internal error if the thread is gone.
    pub fn enqueue(&self, task: impl FnOnce() + Send + 'static) -> Result<()> {
        self.pending.fetch_add(1, Ordering::Relaxed);
        let sent = self.sender.as_ref().and_then(|sender| sender.send(Box::new(task)).ok());
        sent.ok_or_else(|| {
            self.pending.fetch_sub(1, Ordering::Relaxed);
            Status::internal("the thread of the device is gone")
        })
    }

    /// Returns true if all tasks are done.
    pub fn is_idle(&self) -> bool {
        self.pending.load(Ordering::Acquire) == 0
    }
}

impl Drop for Queue {
    /// Waits for the enqueued tasks, but not on the thread of a queue: tasks of one may wait for
    /// tasks of another.
    fn drop(&mut self) {
        drop(self.sender.take());
        if let Some(worker) = self.worker.take()
            && !IS_WORKER.get()
        {
            // The thread catches panics, so there is none to propagate.
            let _ = worker.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    #[test]
    fn tasks_run_in_order_and_a_panic_ends_none_but_its_own() {
        let queue = Queue::new("halo-test".to_owned(), || ()).unwrap();
        let log = Arc::new(Mutex::new(Vec::new()));
        for number in 0..4 {
            let log = Arc::clone(&log);
            let task = move || {
                assert!(number != 1, "expected by the test");
                log.lock().unwrap().push(number);
            };
            queue.enqueue(task).unwrap();
        }
        while !queue.is_idle() {
            thread::yield_now();
        }
        assert_eq!(*log.lock().unwrap(), [0, 2, 3]);
    }
}
