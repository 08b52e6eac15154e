//! Background work, on one thread of the process.
//!
//! The thread is started with the first job and ends when there are no more. A job polls its
//! [`Cancellation`]: dropping an owner cancels its [`Jobs`] and waits for the running one, and so
//! does the end of the process, because libraries such as LLVM must not be used while their data
//! are destroyed.
//!
//! Uses `unsafe` to register a callback of the C library for the end of the process.

use std::collections::VecDeque;
use std::mem;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};

use halo_core::panics;
use halo_runtime::{Error, Result};

/// The size of the thread's stack, which allows programs as deep as the tools compile.
const STACK_BYTES: usize = 256 << 20;

/// Set when the process ends.
static IS_ENDING: AtomicBool = AtomicBool::new(false);

/// The request to end a job early.
#[derive(Clone, Debug, Default)]
pub struct Cancellation(Arc<AtomicBool>);

impl Cancellation {
    /// Asks the job to end.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Returns true if the job should end.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed) || IS_ENDING.load(Ordering::Relaxed)
    }

    /// Goes on with the job, or not.
    ///
    /// # Errors
    /// Returns an execution error if the job should end.
    pub fn check(&self) -> Result<()> {
        if self.is_cancelled() {
            Err(Error::execution("the work in the background was cancelled"))
        } else {
            Ok(())
        }
    }
}

/// The jobs of one owner, in their order.
#[derive(Debug, Default)]
pub struct Jobs {
    cancellation: Cancellation,
    count: Arc<Count>,
}

/// The number of pending and running jobs.
#[derive(Debug, Default)]
struct Count {
    pending: Mutex<usize>,
    changed: Condvar,
}

/// A pending or running job, until it is dropped.
struct Pending(Arc<Count>);

impl Pending {
    fn new(count: &Arc<Count>) -> Self {
        *lock(&count.pending) += 1;
        Self(Arc::clone(count))
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        *lock(&self.0.pending) -= 1;
        self.0.changed.notify_all();
    }
}

struct Job {
    /// Dropped before the job is counted as done.
    run: Box<dyn FnOnce(&Cancellation) + Send>,
    cancellation: Cancellation,
    pending: Pending,
}

impl Jobs {
    /// Queues a job after the pending jobs of the process. A panic ends only the job. A process
    /// that cannot create a thread drops the job.
    pub fn submit(&self, run: impl FnOnce(&Cancellation) + Send + 'static) {
        submit(Job {
            run: Box::new(run),
            cancellation: self.cancellation.clone(),
            pending: Pending::new(&self.count),
        });
    }

    /// Waits until all jobs have run.
    pub fn wait(&self) {
        let mut pending = lock(&self.count.pending);
        while *pending > 0 {
            let woken = self.count.changed.wait(pending);
            pending = woken.unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl Drop for Jobs {
    fn drop(&mut self) {
        self.cancellation.cancel();
        let is_own = |job: &Job| Arc::ptr_eq(&job.pending.0, &self.count);
        let mut queue = QUEUE.lock();
        let (own, others): (Vec<_>, VecDeque<_>) =
            partition(mem::take(&mut queue.jobs), |job| is_own(job));
        queue.jobs = others;
        drop(queue);
        // Jobs may own other owners, which need the queue.
        drop(own);
        self.wait();
    }
}

fn partition(jobs: VecDeque<Job>, is_own: impl Fn(&Job) -> bool) -> (Vec<Job>, VecDeque<Job>) {
    let (mut own, mut others) = (Vec::new(), VecDeque::new());
    for job in jobs {
        if is_own(&job) {
            own.push(job)
        } else {
            others.push_back(job)
        }
    }
    (own, others)
}

/// The jobs of the process.
struct Queue {
    state: Mutex<State>,
    idle: Condvar,
}

struct State {
    jobs: VecDeque<Job>,
    /// Whether a thread runs them.
    is_running: bool,
    thread: Option<ThreadId>,
}

static QUEUE: Queue = Queue {
    state: Mutex::new(State {
        jobs: VecDeque::new(),
        is_running: false,
        thread: None,
    }),
    idle: Condvar::new(),
};

impl Queue {
    fn lock(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn submit(job: Job) {
    let mut queue = QUEUE.lock();
    queue.jobs.push_back(job);
    if mem::replace(&mut queue.is_running, true) {
        return;
    }
    drop(queue);
    finish_before_exit();
    let thread = thread::Builder::new()
        .name("halo-background".to_owned())
        .stack_size(STACK_BYTES);
    if thread.spawn(run_jobs).is_err() {
        let mut queue = QUEUE.lock();
        queue.is_running = false;
        let dropped = mem::take(&mut queue.jobs);
        drop(queue);
        drop(dropped);
    }
}

fn run_jobs() {
    QUEUE.lock().thread = Some(thread::current().id());
    loop {
        let mut queue = QUEUE.lock();
        let Some(job) = queue.jobs.pop_front() else {
            (queue.is_running, queue.thread) = (false, None);
            QUEUE.idle.notify_all();
            return;
        };
        drop(queue);
        let Job {
            run,
            cancellation,
            pending,
        } = job;
        // A panic leaves the work undone, and its owner continues without it.
        let _ = panics::catch(|| {
            if cancellation.is_cancelled() {
                drop(run)
            } else {
                run(&cancellation)
            }
        });
        drop(pending);
    }
}

/// Makes the end of the process wait for the job that runs.
fn finish_before_exit() {
    #[cfg(target_os = "linux")]
    {
        static ONCE: std::sync::Once = std::sync::Once::new();
        // If the registration fails, the process ends without waiting.
        ONCE.call_once(|| {
            // SAFETY: The function may be called at any time, on any thread.
            unsafe { libc::atexit(end) };
        });
    }
}

/// Cancels all jobs, and waits for the running one.
#[cfg(target_os = "linux")]
extern "C" fn end() {
    IS_ENDING.store(true, Ordering::Relaxed);
    let mut queue = QUEUE.lock();
    // Data owned by jobs must not be destroyed any more.
    mem::forget(mem::take(&mut queue.jobs));
    while queue.is_running && queue.thread != Some(thread::current().id()) {
        let woken = QUEUE.idle.wait(queue);
        queue = woken.unwrap_or_else(PoisonError::into_inner);
    }
}

#[cfg(test)]
#[path = "background_tests.rs"]
mod tests;
