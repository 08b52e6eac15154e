//! Compilations that are watched while they run.
//!
//! A compilation may last for minutes, on several threads. Whoever shows its progress or
//! measures it implements [`CompileObserver`] and is one of the
//! [`observers`](crate::CompileOptions::observers) of the options; the compiler tells
//! them each [`CompileEvent`]. The compiler prints nothing of this itself.
//!
//! ```
//! use halo_runtime::observer::{CompileEvent, CompileObserver, Observers};
//! use std::sync::{Arc, Mutex};
//!
//! #[derive(Default)]
//! struct Phases(Mutex<Vec<String>>);
//!
//! impl CompileObserver for Phases {
//!     fn observe(&self, event: &CompileEvent<'_>) {
//!         if let CompileEvent::PhaseFinished { name, .. } = event {
//!             self.0.lock().unwrap().push(name.to_string());
//!         }
//!     }
//! }
//!
//! let phases = Arc::new(Phases::default());
//! let mut observers = Observers::default();
//! observers.add(phases.clone());
//! observers.phase_finished("hlo", std::time::Duration::from_millis(2));
//! assert_eq!(*phases.0.lock().unwrap(), ["hlo"]);
//! ```

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// A step of a compilation.
///
/// A program of dynamic shapes is compiled anew for the shapes that it meets, and a
/// program may run others that are compiled for themselves: compilations nest, and later
/// ones follow while the program runs. Events of one compilation name its phases in their
/// order. Events of kernels come from the threads that compile them, in any order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CompileEvent<'a> {
    /// A compilation begins, maybe inside of another one.
    CompilationStarted,
    /// The compilation that began last on this thread ends, with an executable or with an
    /// error.
    CompilationFinished,
    /// A phase begins.
    PhaseStarted {
        /// As in `--compile-to=`.
        name: &'a str,
    },
    /// A phase has ended.
    PhaseFinished {
        /// As in `--compile-to=`.
        name: &'a str,
        /// From its beginning to its end.
        time: Duration,
    },
    /// A pass of a phase has ended, where an observer [wants](CompileObserver::wants_passes) to
    /// know.
    PassFinished {
        /// The pass with its options, in MLIR's syntax.
        name: &'a str,
        /// From its beginning to its end.
        time: Duration,
    },
    /// So many more kernels will be compiled to machine code.
    KernelsFound {
        /// How many are added to those that were found before.
        count: usize,
    },
    /// The calling thread has compiled a kernel to machine code, or several together.
    KernelFinished {
        /// The name of its function; several are separated by commas.
        name: &'a str,
        /// What the thread took for it.
        time: Duration,
    },
    /// The cache of compiled programs and kernels was asked.
    CacheLookup {
        /// What was looked for.
        entry: CacheEntry,
        /// Whether it was there, and valid.
        hit: bool,
    },
}

/// What a cache keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CacheEntry {
    /// The executable of a whole program.
    Program,
    /// The machine code of a kernel, which several programs may have.
    Kernel,
}

/// Watches compilations.
///
/// The compiler waits for each call, so an observer only notes what it is told.
/// Observers are called by several threads at the same time.
pub trait CompileObserver: Send + Sync {
    /// Notes an event.
    fn observe(&self, event: &CompileEvent<'_>);

    /// Whether it is told of each pass. The passes of a phase run one by one then, which takes
    /// a little longer; by default they do not.
    fn wants_passes(&self) -> bool {
        false
    }
}

/// The observers of a compilation; by default, none.
#[derive(Clone, Default)]
pub struct Observers(Vec<Arc<dyn CompileObserver>>);

impl Observers {
    /// Adds an observer, which is told all events from now on.
    pub fn add(&mut self, observer: Arc<dyn CompileObserver>) {
        self.0.push(observer);
    }

    /// Whether nobody watches, so that nothing needs to be measured.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether an observer is to be told of each pass.
    pub fn want_passes(&self) -> bool {
        self.0.iter().any(|observer| observer.wants_passes())
    }

    /// Tells all observers of an event.
    pub fn notify(&self, event: CompileEvent<'_>) {
        for observer in &self.0 {
            observer.observe(&event);
        }
    }

    /// Tells that a compilation begins; it ends when the returned value is dropped.
    pub fn compilation(&self) -> ObservedCompilation {
        self.notify(CompileEvent::CompilationStarted);
        ObservedCompilation(self.clone())
    }

    /// Tells that a phase begins.
    pub fn phase_started(&self, name: &str) {
        self.notify(CompileEvent::PhaseStarted { name });
    }

    /// Tells how long a phase took.
    pub fn phase_finished(&self, name: &str, time: Duration) {
        #[cfg(feature = "observe")]
        tracing::debug!(phase = name, ?time, "phase finished");
        self.notify(CompileEvent::PhaseFinished { name, time });
    }

    /// Tells how long a pass took.
    pub fn pass_finished(&self, name: &str, time: Duration) {
        self.notify(CompileEvent::PassFinished { name, time });
    }

    /// Tells how many more kernels will be compiled to machine code.
    pub fn kernels_found(&self, count: usize) {
        self.notify(CompileEvent::KernelsFound { count });
    }

    /// Tells that the calling thread has compiled a kernel.
    pub fn kernel_finished(&self, name: &str, time: Duration) {
        #[cfg(feature = "observe")]
        tracing::trace!(kernel = name, ?time, "kernel compiled");
        self.notify(CompileEvent::KernelFinished { name, time });
    }

    /// Tells what a cache gave.
    pub fn cache_lookup(&self, entry: CacheEntry, hit: bool) {
        self.notify(CompileEvent::CacheLookup { entry, hit });
    }
}

impl fmt::Debug for Observers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Observers({})", self.0.len())
    }
}

/// A compilation that is watched, until it is dropped.
#[must_use = "the compilation ends when it is dropped"]
#[derive(Debug)]
pub struct ObservedCompilation(Observers);

impl Drop for ObservedCompilation {
    fn drop(&mut self) {
        self.0.notify(CompileEvent::CompilationFinished);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    #[derive(Default)]
    struct Log(Mutex<Vec<String>>);

    impl CompileObserver for Log {
        fn observe(&self, event: &CompileEvent<'_>) {
            self.0.lock().unwrap().push(format!("{event:?}"));
        }
    }

    #[test]
    fn all_observers_are_told_everything_in_order() {
        let logs = [Arc::new(Log::default()), Arc::new(Log::default())];
        let mut observers = Observers::default();
        assert!(observers.is_empty());
        for log in &logs {
            observers.add(log.clone());
        }
        let compilation = observers.compilation();
        observers.phase_started("hlo");
        observers.kernels_found(2);
        observers.kernel_finished("dot", Duration::from_secs(1));
        observers.cache_lookup(CacheEntry::Kernel, true);
        drop(compilation);
        for log in logs {
            assert_eq!(
                *log.0.lock().unwrap(),
                [
                    "CompilationStarted",
                    "PhaseStarted { name: \"hlo\" }",
                    "KernelsFound { count: 2 }",
                    "KernelFinished { name: \"dot\", time: 1s }",
                    "CacheLookup { entry: Kernel, hit: true }",
                    "CompilationFinished",
                ]
            );
        }
    }
}
