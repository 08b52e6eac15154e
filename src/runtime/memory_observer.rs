//! Allocations that are watched.
//!
//! A profile shows how much memory is in use over time. Memory belongs to devices, which all
//! programs of a process share, so a [`MemoryObserver`] is told of all of it, by [`observe`],
//! until the [`Observation`] is dropped. While nobody watches, an allocation costs one read of a
//! flag more.

use std::{
    sync::{
        Arc, PoisonError, RwLock,
        atomic::{AtomicBool, Ordering},
    },
    time::Instant,
};

/// An allocation or a release of memory.
#[derive(Clone, Copy, Debug)]
pub struct MemoryEvent<'a> {
    /// What was allocated: `cpu memory`, `cpu arenas`, `cuda memory`.
    pub memory: &'a str,
    /// The size of the block in bytes.
    pub bytes: u64,
    /// Whether it is given back.
    pub is_release: bool,
    /// Bytes of this memory that are in use from now on.
    pub in_use: u64,
    pub time: Instant,
}

/// Watches memory.
///
/// Allocations wait for each call, so an observer only notes what it is told. Observers are
/// called by several threads at the same time, and must not allocate on a device.
pub trait MemoryObserver: Send + Sync {
    /// Notes an event.
    fn observe(&self, event: &MemoryEvent<'_>);
}

static IS_WATCHED: AtomicBool = AtomicBool::new(false);
static OBSERVERS: RwLock<Vec<Arc<dyn MemoryObserver>>> = RwLock::new(Vec::new());

/// Tells an observer of all allocations, until the returned value is dropped.
pub fn observe(observer: Arc<dyn MemoryObserver>) -> Observation {
    let mut observers = OBSERVERS.write().unwrap_or_else(PoisonError::into_inner);
    observers.push(Arc::clone(&observer));
    IS_WATCHED.store(true, Ordering::Release);
    Observation(observer)
}

/// Memory that is watched, until it is dropped.
#[must_use = "memory is watched until it is dropped"]
pub struct Observation(Arc<dyn MemoryObserver>);

impl Drop for Observation {
    fn drop(&mut self) {
        let mut observers = OBSERVERS.write().unwrap_or_else(PoisonError::into_inner);
        observers.retain(|observer| !Arc::ptr_eq(observer, &self.0));
        IS_WATCHED.store(!observers.is_empty(), Ordering::Release);
    }
}

/// Tells all observers, if there are some.
pub(crate) fn notify(event: impl FnOnce() -> MemoryEvent<'static>) {
    if !IS_WATCHED.load(Ordering::Acquire) {
        return;
    }
    let event = event();
    let observers = OBSERVERS.read().unwrap_or_else(PoisonError::into_inner);
    for observer in &*observers {
        observer.observe(&event);
    }
}
