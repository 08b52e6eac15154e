//! Allocations that are watched.
//!
//! A profile shows how much memory is in use over time. Memory belongs to devices, which all
//! programs of a process share, so [`observe`] reports all allocations to a [`MemoryObserver`]
//! until the [`Observation`] is dropped. Without observers, an allocation costs one additional read
//! of a flag.

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
    /// The allocator: `cpu memory`, `cpu arenas`, `cuda memory`.
    pub memory: &'a str,
    /// The size of the block in bytes.
    pub bytes: u64,
    /// Whether it is freed.
    pub is_release: bool,
    /// Bytes of this memory that are in use from now on.
    pub in_use: u64,
    pub time: Instant,
}

/// Watches memory.
///
/// Allocations wait for each call, so an observer should only record the event. Several threads
/// call observers at the same time. An observer must not allocate on a device.
pub trait MemoryObserver: Send + Sync {
    /// Notes an event.
    fn observe(&self, event: &MemoryEvent<'_>);
}

static IS_WATCHED: AtomicBool = AtomicBool::new(false);
static OBSERVERS: RwLock<Vec<Arc<dyn MemoryObserver>>> = RwLock::new(Vec::new());

/// Reports all allocations to an observer until the returned value is dropped.
pub fn observe(observer: Arc<dyn MemoryObserver>) -> Observation {
    let mut observers = OBSERVERS.write().unwrap_or_else(PoisonError::into_inner);
    observers.push(Arc::clone(&observer));
    IS_WATCHED.store(true, Ordering::Release);
    Observation(observer)
}

/// The registration of an observer, until it is dropped.
#[must_use = "memory is watched until it is dropped"]
pub struct Observation(Arc<dyn MemoryObserver>);

impl Drop for Observation {
    fn drop(&mut self) {
        let mut observers = OBSERVERS.write().unwrap_or_else(PoisonError::into_inner);
        observers.retain(|observer| !Arc::ptr_eq(observer, &self.0));
        IS_WATCHED.store(!observers.is_empty(), Ordering::Release);
    }
}

/// Notifies all observers, if any.
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
