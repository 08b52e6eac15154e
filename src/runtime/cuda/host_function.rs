//! Functions of the host that a stream calls.
//!
//! The driver calls them on a separate thread, in which the driver must not be called. After a
//! failure of the device it calls no more of them; pending functions are then dropped, so that no
//! thread waits for them.
//!
//! Is called by the driver; see the [parent module](super).

use std::ffi::c_void;
use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use cudarc::driver::{result, sys};
use halo_core::panics;

use super::driver::without_driver;
use crate::stream::Callback;
use crate::{Error, Result};

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The first error of the entries of a stream since the last query.
#[derive(Default)]
pub(super) struct Failure {
    error: Mutex<Option<Error>>,
    /// Whether there is an error.
    present: AtomicBool,
}

impl Failure {
    pub fn set(&self, error: Error) {
        lock(&self.error).get_or_insert(error);
        self.present.store(true, Ordering::Release);
    }

    pub fn is_set(&self) -> bool {
        self.present.load(Ordering::Acquire)
    }

    pub fn take(&self) -> Option<Error> {
        let mut error = lock(&self.error);
        self.present.store(false, Ordering::Release);
        error.take()
    }
}

/// A function that waits in a stream.
pub(super) struct HostFunction {
    run: Mutex<Option<Callback>>,
    failure: Arc<Failure>,
}

impl HostFunction {
    /// Enqueues a function, and returns the handle to drop it if it is never called, and the
    /// driver's result. It is not called after a failure.
    ///
    /// # Safety
    /// The stream must belong to the current context.
    pub unsafe fn enqueue(
        stream: sys::CUstream,
        failure: &Arc<Failure>,
        run: Callback,
    ) -> (Arc<Self>, Result<(), result::DriverError>) {
        let function = Arc::new(Self {
            run: Mutex::new(Some(run)),
            failure: Arc::clone(failure),
        });
        let argument = Arc::into_raw(Arc::clone(&function)).cast_mut();
        // SAFETY: the argument is a separate reference to the function, which the call takes back.
        let outcome = unsafe {
            result::stream::launch_host_function(stream, call, argument.cast::<c_void>())
        };
        if outcome.is_err() {
            // SAFETY: the driver will not call it, so the reference is still owned here.
            drop(unsafe { Arc::from_raw(argument) });
        }
        (function, outcome)
    }

    /// Drops the function if it was not called; the stream is done.
    pub fn abandon(&self) {
        drop(lock(&self.run).take());
    }
}

/// The callback of the driver.
unsafe extern "C" fn call(argument: *mut c_void) {
    // SAFETY: this is the reference that `enqueue` made, and the driver calls it once.
    let function = unsafe { Arc::from_raw(argument.cast_const().cast::<HostFunction>()) };
    // No panic may leave an `extern "C"` function, including panics of destructors.
    let _ = std::panic::catch_unwind(AssertUnwindSafe(|| {
        without_driver(|| {
            let run = lock(&function.run).take();
            let Some(run) = run.filter(|_| !function.failure.is_set()) else {
                return;
            };
            let outcome = panics::catch(run).unwrap_or_else(|panic| {
                Err(Error::internal(format!(
                    "a callback on a stream panicked: {panic}"
                )))
            });
            if let Err(error) = outcome {
                function.failure.set(error);
            }
        });
    }));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Calls it as the driver does.
    fn called(failure: &Arc<Failure>, run: Callback) {
        let function = Arc::new(HostFunction {
            run: Mutex::new(Some(run)),
            failure: Arc::clone(failure),
        });
        let argument = Arc::into_raw(Arc::clone(&function)).cast_mut();
        // SAFETY: the argument is a separate reference.
        unsafe { call(argument.cast()) };
        assert_eq!(Arc::strong_count(&function), 1);
    }

    #[test]
    fn errors_and_panics_are_kept_and_skip_what_follows() {
        let failure = Arc::new(Failure::default());
        called(&failure, Box::new(|| Ok(())));
        assert!(!failure.is_set());
        called(&failure, Box::new(|| Err(Error::execution("boom"))));
        called(&failure, Box::new(|| panic!("expected not to be called")));
        assert_eq!(failure.take().unwrap().to_string(), "boom");
        assert!(!failure.is_set() && failure.take().is_none());
        called(&failure, Box::new(|| panic!("expected by the test")));
        assert!(matches!(failure.take(), Some(Error::Internal(_))));
    }

    #[test]
    fn the_driver_is_out_of_reach_meanwhile() {
        use super::super::driver::may_call;
        let failure = Arc::new(Failure::default());
        let run = || {
            if may_call() {
                Err(Error::internal("it may be called"))
            } else {
                Ok(())
            }
        };
        called(&failure, Box::new(run));
        assert!(!failure.is_set() && may_call());
    }
}
