//! A thread that waits for ranges of loops: awake for a while, then asleep.
//!
//! The states of a worker, and the threads that change them:
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

/// The time that a worker polls for the next loop, and a caller for the end of one, before it
/// sleeps. Waking a thread takes as long (`benches/thread_pool.rs`).
pub(super) const SPIN: Duration = Duration::from_micros(60);

/// The first part of that time, in which the thread does not yield its core to other threads: a
/// system call would delay the detection of new work.
const EAGER: Duration = Duration::from_micros(5);

/// Looks between two readings of the clock.
const LOOKS: u32 = 16;

// The states. Any other number is the address of the loop of a posted range.
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

/// Returns true if each awake worker has a core, in addition to the calling thread. Otherwise, a
/// spinning thread would take time from a working one.
fn may_spin() -> bool {
    AWAKE.load(Ordering::Relaxed) < *CORES
}

/// Polls until `seen` is true, for a short time. Returns its last value.
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

/// A loop whose ranges are shared. It is on the stack of its caller, which does not return before
/// all ranges have ended.
pub(super) struct Loop<'a> {
    body: &'a (dyn Fn(i64, i64) + Sync),
    count: i64,
    /// The length of each range but the last.
    step: i64,
    caller: Thread,
    /// The ranges that workers have, and have not ended.
    pending: AtomicUsize,
    /// The payload of a range's panic.
    panic: Mutex<Option<Box<dyn Any + Send>>>,
}

impl<'a> Loop<'a> {
    /// A loop from 0 to `count`, with `pending` ranges for workers.
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

    /// Calls the body for one of the ranges, and stores its panic.
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

    /// Runs the posted ranges 1, 2, ... that workers have not begun, and waits until all have
    /// ended.
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

    /// The payload of a range's panic.
    pub fn into_panic(self) -> Option<Box<dyn Any + Send>> {
        self.panic.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    fn address(&self) -> usize {
        std::ptr::from_ref(self).expose_provenance()
    }
}

/// State shared by a worker and its callers. It has two cache lines, which processors fetch
/// together, to itself.
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

    /// The address of the loop with a posted range.
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
        // SAFETY: the loop's caller, which posted the address of a `Loop`, waits until `pending` is
        // 0. Now that the state has changed, the caller cannot take the range back, so that
        // `pending` counts it until `fetch_sub` below. The two types differ only in a lifetime,
        // which ends later.
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

/// A thread of a pool, from the view of callers. It ends when this is dropped.
pub(super) struct Worker {
    mailbox: Arc<Mailbox>,
    thread: Option<JoinHandle<()>>,
    handle: Thread,
}

/// The right to post one range to a worker.
pub(super) struct Claim<'w> {
    worker: &'w Worker,
    is_asleep: bool,
}

impl Worker {
    /// Starts a thread, which first calls `begin`.
    pub fn start(name: String, begin: impl FnOnce() + Send + 'static) -> io::Result<Self> {
        let mailbox = Arc::new(Mailbox {
            state: AtomicUsize::new(IDLE),
            range: AtomicUsize::new(0),
        });
        let served = Arc::clone(&mailbox);
        let thread = thread::Builder::new().name(name).spawn(move || {
            begin();
            served.serve();
        })?;
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

    /// Returns true if a posted range of the loop has not begun, so that the caller must run it.
    fn take_back(&self, shared: &Loop) -> bool {
        self.mailbox.change(shared.address(), IDLE)
    }
}

#[cfg(test)]
impl Worker {
    /// Counts the owners of the mailbox: the worker and its thread.
    pub fn observe(&self) -> std::sync::Weak<impl Sized + use<>> {
        Arc::downgrade(&self.mailbox)
    }
}

impl Claim<'_> {
    /// Posts a range.
    ///
    /// # Safety
    /// `shared.pending` must count the range, and the loop must not be moved or dropped before
    /// [`Loop::finish`], which must get the claim, has returned.
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
            // Panics of bodies are caught, so there is none to propagate.
            let _ = thread.join();
        }
    }
}
