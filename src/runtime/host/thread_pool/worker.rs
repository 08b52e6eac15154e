//! A thread that waits for ranges of loops: awake for a while, then asleep.
//!
//! The states of a worker, and who changes them:
//!
//! ```text
//!            worker: has seen no work for SPIN
//!       IDLE ─────────────────────────────────▶ ASLEEP
//!        │ ▲                                      │
//! caller │ │ caller: takes the range back         │ caller
//!        ▼ │                                      ▼
//!  CLAIMED ───caller───▶ POSTED ───worker───▶ RUNNING ───worker───▶ IDLE
//! ```
//!
//! `CLOSED` ends the thread.

use std::any::Any;
use std::io;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::thread::{self, JoinHandle, Thread};
use std::time::{Duration, Instant};

/// How long a worker looks out for the next loop, and a caller for the end of
/// one, before it sleeps. To wake a thread takes as long (`benches/thread_pool.rs`).
pub(super) const SPIN: Duration = Duration::from_micros(60);

/// The first part of that time, in which the thread does not offer its core to
/// other threads: a system call would make it see the work later.
const EAGER: Duration = Duration::from_micros(5);

/// Looks between two readings of the clock.
const LOOKS: u32 = 16;

// The states. Any other number is the address of the loop of a range that is posted.
const IDLE: usize = 0;
const ASLEEP: usize = 1;
const CLAIMED: usize = 2;
const RUNNING: usize = 3;
const CLOSED: usize = 4;

/// The cores that this process may use.
pub(super) static CORES: LazyLock<usize> =
    LazyLock::new(|| thread::available_parallelism().map_or(1, NonZeroUsize::get));

/// The workers of all pools that are not asleep.
static AWAKE: AtomicUsize = AtomicUsize::new(0);

/// Whether each worker that is awake has a core, beside the thread that called.
/// If not, a thread that spins would take the time of one that works.
fn may_spin() -> bool {
    AWAKE.load(Ordering::Relaxed) < *CORES
}

/// Looks until `seen` is true, for a short time. Returns whether it was.
fn spin_until(seen: impl Fn() -> bool) -> bool {
    if seen() {
        return true;
    }
    let start = Instant::now();
    while may_spin() {
        for _ in 0..LOOKS {
            std::hint::spin_loop();
            if seen() {
                return true;
            }
        }
        match start.elapsed() {
            past if past > SPIN => return false,
            past if past > EAGER => thread::yield_now(),
            _ => {}
        }
    }
    false
}

/// A loop whose ranges are shared. It is on the stack of its caller, who does
/// not leave it before no range is pending.
pub(super) struct Loop<'a> {
    body: &'a (dyn Fn(i64, i64) + Sync),
    count: i64,
    /// The length of each range but the last.
    step: i64,
    caller: Thread,
    /// The ranges that workers have, and have not ended.
    pending: AtomicUsize,
    /// What a range panicked with.
    panic: Mutex<Option<Box<dyn Any + Send>>>,
}

impl<'a> Loop<'a> {
    /// A loop from 0 to `count`, of which workers have `pending` ranges.
    pub fn new(body: &'a (dyn Fn(i64, i64) + Sync), count: i64, step: i64, pending: usize) -> Self {
        Self {
            body,
            count,
            step,
            caller: thread::current(),
            pending: AtomicUsize::new(pending),
            panic: Mutex::new(None),
        }
    }

    /// Calls the body for one of the ranges. Its panic is kept.
    pub fn run(&self, range: usize) {
        let begin = self.step.saturating_mul(range as i64);
        let end = begin.saturating_add(self.step).min(self.count);
        if begin >= end {
            return;
        }
        let outcome = catch_unwind(AssertUnwindSafe(|| (self.body)(begin, end)));
        if let Err(panic) = outcome {
            let mut first = self.panic.lock().unwrap_or_else(PoisonError::into_inner);
            first.get_or_insert(panic);
        }
    }

    /// Runs those of the ranges 1, 2, ... that the workers they were posted to have
    /// not begun, and waits until all have ended.
    pub fn finish(&self, claims: &[Claim]) {
        for (index, claim) in claims.iter().enumerate() {
            if claim.worker.take_back(self) {
                self.run(1 + index);
                self.pending.fetch_sub(1, Ordering::Relaxed);
            }
        }
        let ended = || self.pending.load(Ordering::Acquire) == 0;
        if !spin_until(ended) {
            while !ended() {
                thread::park();
            }
        }
    }

    /// What a range panicked with.
    pub fn into_panic(self) -> Option<Box<dyn Any + Send>> {
        self.panic.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    fn address(&self) -> usize {
        std::ptr::from_ref(self).expose_provenance()
    }
}

/// What a worker and its callers share. It has two lines of the cache, which
/// processors fetch together, to itself.
#[repr(align(128))]
struct Mailbox {
    state: AtomicUsize,
    /// Which range of the loop is posted.
    range: AtomicUsize,
}

impl Mailbox {
    fn change(&self, from: usize, to: usize) -> bool {
        let (success, failure) = (Ordering::AcqRel, Ordering::Relaxed);
        let changed = self.state.compare_exchange(from, to, success, failure);
        changed.is_ok()
    }

    /// The address of the loop of which a range is posted.
    fn posted(&self) -> Option<usize> {
        Some(self.state.load(Ordering::Relaxed)).filter(|state| *state > CLOSED)
    }

    fn is_closed(&self) -> bool {
        self.state.load(Ordering::Relaxed) == CLOSED
    }

    /// The life of a worker.
    fn serve(&self) {
        AWAKE.fetch_add(1, Ordering::Relaxed);
        while !self.is_closed() {
            if let Some(posted) = self.posted() {
                self.run(posted);
            } else if !spin_until(|| self.posted().is_some() || self.is_closed()) {
                self.sleep();
            }
        }
        AWAKE.fetch_sub(1, Ordering::Relaxed);
    }

    fn run(&self, posted: usize) {
        if !self.change(posted, RUNNING) {
            return;
        }
        // SAFETY: the loop's caller, who posted the address of a `Loop`, waits
        // until `pending` is 0. Now that the state has changed, the caller cannot
        // take the range back, so that `pending` counts it until `fetch_sub` below.
        // The types of the two differ in a lifetime only, which ends later.
        let shared = unsafe { &*std::ptr::with_exposed_provenance::<Loop<'static>>(posted) };
        shared.run(self.range.load(Ordering::Relaxed));
        let caller = shared.caller.clone();
        // The caller's next loop finds this worker ready.
        self.state.store(IDLE, Ordering::Release);
        if shared.pending.fetch_sub(1, Ordering::Release) == 1 {
            caller.unpark();
        }
    }

    fn sleep(&self) {
        if !self.change(IDLE, ASLEEP) {
            return;
        }
        AWAKE.fetch_sub(1, Ordering::Relaxed);
        while self.state.load(Ordering::Relaxed) == ASLEEP {
            thread::park();
        }
        AWAKE.fetch_add(1, Ordering::Relaxed);
    }
}

/// A thread of a pool, as callers see it. It ends when this is dropped.
pub(super) struct Worker {
    mailbox: Arc<Mailbox>,
    thread: Option<JoinHandle<()>>,
    handle: Thread,
}

/// Right to post one range to a worker.
pub(super) struct Claim<'w> {
    worker: &'w Worker,
    is_asleep: bool,
}

impl Worker {
    /// Starts a thread.
    pub fn start(name: String) -> io::Result<Self> {
        let mailbox = Arc::new(Mailbox {
            state: AtomicUsize::new(IDLE),
            range: AtomicUsize::new(0),
        });
        let served = Arc::clone(&mailbox);
        let thread = thread::Builder::new().name(name).spawn(move || served.serve())?;
        Ok(Self {
            mailbox,
            handle: thread.thread().clone(),
            thread: Some(thread),
        })
    }

    /// The right to post a range, if this worker has none.
    pub fn claim(&self) -> Option<Claim<'_>> {
        let cell = &self.mailbox.state;
        let mut state = cell.load(Ordering::Relaxed);
        // A worker that falls asleep in between is as free as before.
        while state == IDLE || state == ASLEEP {
            let (success, failure) = (Ordering::AcqRel, Ordering::Relaxed);
            match cell.compare_exchange(state, CLAIMED, success, failure) {
                Ok(_) => {
                    return Some(Claim {
                        worker: self,
                        is_asleep: state == ASLEEP,
                    });
                }
                Err(other) => state = other,
            }
        }
        None
    }

    /// Whether a posted range of the loop has not begun; the caller must run it then.
    fn take_back(&self, shared: &Loop) -> bool {
        self.mailbox.change(shared.address(), IDLE)
    }
}

#[cfg(test)]
impl Worker {
    /// Counts who still has the mailbox: the worker and its thread.
    pub fn observe(&self) -> std::sync::Weak<impl Sized + use<>> {
        Arc::downgrade(&self.mailbox)
    }
}

impl Claim<'_> {
    /// Posts a range.
    ///
    /// # Safety
    /// `shared.pending` must count the range, and the loop must not be moved or
    /// dropped before [`Loop::finish`] has returned, which must be given the claim.
    pub unsafe fn post(&self, shared: &Loop, range: usize) {
        let mailbox = &self.worker.mailbox;
        mailbox.range.store(range, Ordering::Relaxed);
        mailbox.state.store(shared.address(), Ordering::Release);
        if self.is_asleep {
            self.worker.handle.unpark();
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.mailbox.state.store(CLOSED, Ordering::Release);
        self.handle.unpark();
        if let Some(thread) = self.thread.take() {
            // Bodies' panics are caught, so there is none to pass on.
            let _ = thread.join();
        }
    }
}
