//! Compilations that are watched while they run.
//!
//! A compilation may last for minutes, on several threads. To show its progress or measure it,
//! implement [`CompileObserver`] and add it to the [`observers`](crate::CompileOptions::observers)
//! of the options; the compiler sends each [`CompileEvent`] to them. The compiler itself prints
//! none of this.
//!
//! ```
//! use halo_backend::observer::{CompileEvent, CompileObserver, Observers};
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
/// A dynamic program is compiled again for each new shape, and a program may run others that are
/// compiled separately: compilations nest, and later ones follow while the program runs. Events of
/// one compilation name its phases in order. Events of kernels come from the threads that compile
/// them, in any order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CompileEvent<'a> {
    /// A compilation begins, possibly inside of another one.
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
    /// A pass of a phase has ended. Sent only if an observer [wants](CompileObserver::wants_passes)
    /// passes.
    PassFinished {
        /// The pass with its options, in MLIR's syntax.
        name: &'a str,
        /// From its beginning to its end.
        time: Duration,
    },
    /// More kernels will be compiled to machine code.
    KernelsFound {
        /// The number of additional kernels.
        count: usize,
    },
    /// The calling thread has compiled a kernel to machine code, or several together.
    KernelFinished {
        /// The name of its function; several are separated by commas.
        name: &'a str,
        /// Time on the compiling thread.
        time: Duration,
    },
    /// The cache of compiled programs and kernels was queried.
    CacheLookup {
        /// The type of the entry.
        entry: CacheEntry,
        /// Whether the entry was present, and valid.
        hit: bool,
    },
}

/// The types of cache entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CacheEntry {
    /// The executable of a whole program.
    Program,
    /// The machine code of a kernel, which several programs may have.
    Kernel,
}

/// Watches compilations.
///
/// The compiler waits for each call, so an observer should only record the event. Several threads
/// call observers at the same time.
pub trait CompileObserver: Send + Sync {
    /// Notes an event.
    fn observe(&self, event: &CompileEvent<'_>);

    /// Returns true to receive an event for each pass. The passes of a phase then run one at a
    /// time, which takes a little longer.
    fn wants_passes(&self) -> bool {
        false
    }
}

/// The observers of a compilation; by default, none.
#[derive(Clone, Default)]
pub struct Observers(Vec<Arc<dyn CompileObserver>>);

impl Observers {
    /// Adds an observer, which receives all later events.
    pub fn add(&mut self, observer: Arc<dyn CompileObserver>) {
        self.0.push(observer);
    }

    /// Returns true if there are no observers, so that nothing needs to be measured.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns true if an observer wants an event for each pass.
    pub fn want_passes(&self) -> bool {
        self.0.iter().any(|observer| observer.wants_passes())
    }

    /// Sends an event to all observers.
    pub fn notify(&self, event: CompileEvent<'_>) {
        for observer in &self.0 {
            observer.observe(&event);
        }
    }

    /// Reports the begin of a compilation, which ends when the returned value is dropped.
    pub fn compilation(&self) -> ObservedCompilation {
        self.notify(CompileEvent::CompilationStarted);
        ObservedCompilation(self.clone())
    }

    /// Reports the begin of a phase.
    pub fn phase_started(&self, name: &str) {
        self.notify(CompileEvent::PhaseStarted { name });
    }

    /// Reports the time of a phase.
    pub fn phase_finished(&self, name: &str, time: Duration) {
        tracing::debug!(phase = name, ?time, "phase finished");
        self.notify(CompileEvent::PhaseFinished { name, time });
    }

    /// Reports the time of a pass.
    pub fn pass_finished(&self, name: &str, time: Duration) {
        self.notify(CompileEvent::PassFinished { name, time });
    }

    /// Reports how many more kernels will be compiled to machine code.
    pub fn kernels_found(&self, count: usize) {
        self.notify(CompileEvent::KernelsFound { count });
    }

    /// Reports that the calling thread has compiled a kernel.
    pub fn kernel_finished(&self, name: &str, time: Duration) {
        tracing::trace!(kernel = name, ?time, "kernel compiled");
        self.notify(CompileEvent::KernelFinished { name, time });
    }

    /// Reports a cache hit or miss.
    pub fn cache_lookup(&self, entry: CacheEntry, hit: bool) {
        self.notify(CompileEvent::CacheLookup { entry, hit });
    }
}

impl fmt::Debug for Observers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Observers({})", self.0.len())
    }
}

/// A compilation in progress, until it is dropped.
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
