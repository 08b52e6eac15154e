//! Reports from the callbacks of generated code to the observer of a run.
//!
//! It is separate from them so that a run without an observer only pays for checking whether there
//! is one.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Instant;

use super::thread_pool::ThreadPool;
use crate::CustomCallSite;
use crate::run_observer::{KERNEL_END, KERNEL_START, Part, RunObserver, Site, Slice};

/// The type of a call site, for observers.
pub(super) enum Role {
    /// The call before a kernel, with the site of the kernel.
    KernelStart(Arc<Site>),
    /// The call after a kernel.
    KernelEnd,
    /// A function.
    Call(Arc<Site>),
}

impl Role {
    pub fn of(site: &CustomCallSite) -> Self {
        match &site.target[..] {
            KERNEL_START => Self::KernelStart(Arc::new(Site::of_kernel_start(site))),
            KERNEL_END => Self::KernelEnd,
            _ => Self::Call(Arc::new(Site::of_custom_call(site))),
        }
    }

    /// Returns true if only the observer is called.
    pub fn is_mark(&self) -> bool {
        !matches!(self, Self::Call(_))
    }

    /// The site of a function.
    pub fn site(&self) -> Option<&Arc<Site>> {
        match self {
            Self::Call(site) => Some(site),
            _ => None,
        }
    }
}

/// An observed run.
pub(super) struct Recording<'a> {
    observer: &'a dyn RunObserver,
    /// The active kernels and functions, callers first.
    open: Mutex<Vec<(Arc<Site>, Instant)>>,
}

/// The start and the end of a slice.
type Times = (Instant, Instant);

/// A running function, until it is ended.
pub(super) struct Recorded<'a>(&'a Recording<'a>);

impl<'a> Recording<'a> {
    pub fn new(observer: &'a dyn RunObserver) -> Self {
        Self {
            observer,
            open: Mutex::default(),
        }
    }

    fn open(&self) -> MutexGuard<'_, Vec<(Arc<Site>, Instant)>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes a call before or after a kernel.
    pub fn mark(&self, role: &Role) {
        match role {
            Role::KernelStart(site) => self.start(site),
            Role::KernelEnd => self.finish(false),
            Role::Call(_) => {}
        }
    }

    /// Notes that a function begins.
    pub fn begin(&self, site: &Arc<Site>) -> Recorded<'_> {
        self.start(site);
        Recorded(self)
    }

    fn start(&self, site: &Arc<Site>) {
        let mut open = self.open();
        open.push((Arc::clone(site), Instant::now()));
    }

    fn finish(&self, has_failed: bool) {
        let mut open = self.open();
        let last = open.pop().map(|(site, start)| (site, (start, Instant::now())));
        drop(open);
        if let Some((site, times)) = last {
            self.tell(&site, Part::Whole, times, has_failed);
        }
    }

    fn tell(&self, site: &Arc<Site>, part: Part, times: Times, has_failed: bool) {
        self.observer.observe(&Slice {
            site,
            part,
            start: times.0,
            end: times.1,
            has_failed,
        });
    }

    /// [`ThreadPool::parallel_for`], with a slice for each task, and one for the time in which the
    /// caller waits for others.
    pub fn parallel_for(
        &self,
        pool: &ThreadPool,
        (count, grain): (i64, i64),
        body: &(dyn Fn(i64, i64) + Sync),
    ) {
        let site = self.open().last().map(|(site, _)| Arc::clone(site));
        let Some(site) = site else {
            return pool.parallel_for(count, grain, body);
        };
        let caller = thread::current().id();
        let (has_helpers, last) = (AtomicBool::new(false), Mutex::new(None));
        pool.parallel_for(count, grain, &|begin, end| {
            let start = Instant::now();
            body(begin, end);
            let times = (start, Instant::now());
            if thread::current().id() == caller {
                *last.lock().unwrap_or_else(PoisonError::into_inner) = Some(times.1)
            } else {
                has_helpers.store(true, Ordering::Relaxed)
            }
            self.tell(&site, Part::Task { begin, end }, times, false);
        });
        let returned = Instant::now();
        let last = last.into_inner().unwrap_or_else(PoisonError::into_inner);
        if has_helpers.into_inner()
            && let Some(last) = last
        {
            self.tell(&site, Part::Wait, (last, returned), false);
        }
    }
}

impl Recorded<'_> {
    /// Records the return of the function.
    pub fn end(self, has_failed: bool) {
        self.0.finish(has_failed);
    }
}

#[cfg(test)]
#[path = "recording_tests.rs"]
mod tests;
