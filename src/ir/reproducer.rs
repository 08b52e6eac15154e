//! The file that a pass leaves behind where it ends the process.

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

/// There is one reproducer at a time in a process.
static WATCH: Mutex<()> = Mutex::new(());

/// Looks out for crashes while it is there.
#[derive(Debug)]
pub struct CrashWatch {
    _lock: MutexGuard<'static, ()>,
    writes: bool,
    /// Handlers of signals are of the whole process.
    _here: PhantomData<*const ()>,
}

impl CrashWatch {
    /// Where a signal ends the process, a text is written to a file: the first of
    /// `PATH.reproducer.mlir`, `PATH.2.reproducer.mlir` and so on that is not there, of which
    /// `tool` tells on standard error. `None` where another one is looking out already.
    pub fn start(tool: &str, path: &str, text: &str) -> Option<Self> {
        let lock = match WATCH.try_lock() {
            Ok(lock) => lock,
            Err(TryLockError::Poisoned(lock)) => lock.into_inner(),
            Err(TryLockError::WouldBlock) => return None,
        };
        let [tool, path, text] = [tool, path, text].map(|text| StringRef::new(text).to_raw());
        // SAFETY: The texts are copied. Nobody else changes what the handlers write, because
        // the lock is held.
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

/// Writes the file of the one who is looking out, if there is one, for code that ends the process
/// without a signal. Whoever it is goes on looking out for nothing.
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
