//! `XLA_FFI_Future`: the end of work that a handler continues after its return.
//!
//! A handler makes a future, returns it in its call frame, and completes it from any thread. Halo
//! waits for it before the program continues.

use std::sync::{Arc, Condvar, Mutex, PoisonError};

use super::error;
use crate::c_api::ErrorCode;
use crate::c_api::xla_ffi::{self, FutureCreateArgs, FutureSetAvailableArgs, FutureSetErrorArgs};
use crate::status::{Result, Status};

/// The outcome, once complete, and the waiting threads.
#[derive(Default)]
struct Future {
    outcome: Mutex<Option<Result<()>>>,
    completed: Condvar,
}

impl Future {
    fn complete(&self, outcome: Result<()>) -> Result<()> {
        let mut place = self.outcome.lock().unwrap_or_else(PoisonError::into_inner);
        if place.is_some() {
            let message = "the XLA_FFI_Future is completed already";
            return Err(Status::new(ErrorCode::FAILED_PRECONDITION, message));
        }
        *place = Some(outcome);
        self.completed.notify_all();
        Ok(())
    }

    fn wait(&self) -> Result<()> {
        let mut place = self.outcome.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Some(outcome) = place.take() {
                return outcome;
            }
            let woken = self.completed.wait(place);
            place = woken.unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// Waits for a future of a handler, and consumes it.
///
/// # Safety
/// The pointer must come from [`create`], and be used elsewhere only to complete it once.
pub unsafe fn wait(future: *mut xla_ffi::Future) -> Result<()> {
    // SAFETY: by the requirement above. The completing thread has a separate reference.
    let future = unsafe { Arc::from_raw(future.cast::<Future>().cast_const()) };
    future.wait()
}

/// A reference to a future, so that the waiting thread may drop its own.
///
/// # Safety
/// The pointer must be null, or from [`create`] and not yet consumed by a wait.
unsafe fn share(future: *mut xla_ffi::Future) -> Result<Arc<Future>> {
    if future.is_null() {
        return Err(Status::invalid("XLA_FFI_Future is null"));
    }
    let future = future.cast::<Future>().cast_const();
    // SAFETY: by the requirement above.
    unsafe {
        Arc::increment_strong_count(future);
        Ok(Arc::from_raw(future))
    }
}

pub unsafe fn create(arguments: &mut FutureCreateArgs) -> Result<()> {
    let future = Arc::into_raw(Arc::<Future>::default());
    arguments.future = future.cast_mut().cast();
    Ok(())
}

pub unsafe fn set_available(arguments: &mut FutureSetAvailableArgs) -> Result<()> {
    // SAFETY: the handler passes a future that it made and has not completed.
    unsafe { share(arguments.future) }?.complete(Ok(()))
}

pub unsafe fn set_error(arguments: &mut FutureSetErrorArgs) -> Result<()> {
    // SAFETY: the handler passes ownership of the error.
    let outcome = unsafe { error::from_raw(arguments.error) };
    let outcome = outcome.and_then(|()| Err(Status::internal("an XLA_FFI_Error is null")));
    // SAFETY: as in `set_available`.
    unsafe { share(arguments.future) }?.complete(outcome)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_future_is_completed_by_another_thread_once() {
        let future = Arc::<Future>::default();
        let other = Arc::clone(&future);
        let worker = std::thread::spawn(move || {
            other.complete(Err(Status::internal("late"))).unwrap();
            other.complete(Ok(())).unwrap_err().code
        });
        assert_eq!(worker.join().unwrap(), ErrorCode::FAILED_PRECONDITION);
        assert_eq!(future.wait(), Err(Status::internal("late")));
    }
}
