//! The reproducer that a pass leaves if it ends the process.

use melior::StringRef;
use mlir_sys::MlirStringRef;
use std::{
    marker::PhantomData,
    sync::{Mutex, MutexGuard, TryLockError},
};

unsafe extern "C" {
    fn haloWatchForCrashes(tool: MlirStringRef, path: MlirStringRef, text: MlirStringRef);
    fn haloStopWatching(writes: bool);
}

/// A process has one reproducer at a time.
static WATCH: Mutex<()> = Mutex::new(());

/// Watches for crashes while it exists.
#[derive(Debug)]
pub struct CrashWatch {
    _lock: MutexGuard<'static, ()>,
    writes: bool,
    /// Signal handlers are process-wide.
    _here: PhantomData<*const ()>,
}

impl CrashWatch {
    /// If a signal ends the process, writes a text to a file: the first of `PATH.reproducer.mlir`,
    /// `PATH.2.reproducer.mlir` and so on that does not exist, which `tool` reports on standard
    /// error. `None` if another watch exists.
    pub fn start(tool: &str, path: &str, text: &str) -> Option<Self> {
        let lock = match WATCH.try_lock() {
            Ok(lock) => lock,
            Err(TryLockError::Poisoned(lock)) => lock.into_inner(),
            Err(TryLockError::WouldBlock) => return None,
        };
        let [tool, path, text] = [tool, path, text].map(|text| StringRef::new(text).to_raw());
        // SAFETY: The texts are copied. The lock is held, so the handlers' data do not change
        // otherwise.
        unsafe { haloWatchForCrashes(tool, path, text) };
        Some(Self {
            _lock: lock,
            writes: false,
            _here: PhantomData,
        })
    }

    /// Writes the file as a crash would.
    pub fn write(mut self) {
        self.writes = true;
    }
}

/// Writes the file of the current watch, if any, for code that ends the process without a signal.
/// The watch has no effect from then on.
pub fn write_at_exit() {
    if let Err(TryLockError::WouldBlock) = WATCH.try_lock() {
        // SAFETY: As in `drop`: the lock is held, by a watch that lives as long as the process.
        unsafe { haloStopWatching(true) };
    }
}

impl Drop for CrashWatch {
    fn drop(&mut self) {
        // SAFETY: The handlers are installed, and their text is complete.
        unsafe { haloStopWatching(self.writes) };
    }
}
