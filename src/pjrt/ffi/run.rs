//! Information for handlers about the run that calls them, and for the run about their errors.
//!
//! The runtime calls a handler on the thread of the run, without PJRT's data in its arguments, and
//! gets only the message of its error. Both are therefore kept in thread-local state.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::ffi::c_void;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::c_api::ErrorCode;
use crate::status::{Result, Status};

/// The framework's data for handlers, by the number of its type.
#[derive(Default)]
pub struct UserData(Mutex<BTreeMap<i64, Pointer>>);

#[derive(Clone, Copy)]
struct Pointer(*mut c_void);

// SAFETY: the framework passes the data to handlers, which run on any thread.
unsafe impl Send for Pointer {}

impl UserData {
    /// # Errors
    /// Returns an already-exists error if there is data of this type.
    pub fn add(&self, type_id: i64, data: *mut c_void) -> Result<()> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if all.contains_key(&type_id) {
            let message = format!("the context has user data of the type {type_id} already");
            return Err(Status::new(ErrorCode::ALREADY_EXISTS, message));
        }
        all.insert(type_id, Pointer(data));
        Ok(())
    }

    pub fn get(&self, type_id: i64) -> Option<*mut c_void> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.get(&type_id).map(|data| data.0)
    }
}

/// A run of a program on a device.
#[derive(Clone)]
pub struct Run {
    /// The same for all devices that run the program together.
    pub id: i64,
    pub device: usize,
    pub user_data: Option<Arc<UserData>>,
}

/// A number for a new run.
pub fn next_id() -> i64 {
    static NEXT: AtomicI64 = AtomicI64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

thread_local! {
    static CURRENT: RefCell<Option<Run>> = const { RefCell::new(None) };
    static FAILURE: Cell<Option<ErrorCode>> = const { Cell::new(None) };
}

/// The run of this thread.
pub fn current() -> Option<Run> {
    CURRENT.with_borrow(Clone::clone)
}

/// Remembers the code of a handler's error, for the run or the compilation of this thread.
pub fn note_failure(code: ErrorCode) {
    FAILURE.set(FAILURE.get().or(Some(code)));
}

/// Runs a function that may call handlers. If a handler fails, the function's error gets its code.
pub fn within<T>(run: Option<&Run>, work: impl FnOnce() -> Result<T>) -> Result<T> {
    /// Restores the previous state, even after a panic.
    struct Restore(Option<Run>, Option<ErrorCode>);

    impl Drop for Restore {
        fn drop(&mut self) {
            CURRENT.set(self.0.take());
            FAILURE.set(self.1);
        }
    }

    let _restore = Restore(CURRENT.replace(run.cloned()), FAILURE.take());
    work().map_err(|status| match FAILURE.take() {
        Some(code) => Status::new(code, status.message),
        None => status,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_code_of_a_handler_is_that_of_the_run() {
        let failed = |code: Option<ErrorCode>| {
            let outcome: Result<()> = within(None, || {
                code.into_iter().for_each(note_failure);
                Err(Status::internal("failed"))
            });
            outcome.unwrap_err().code
        };
        assert_eq!(failed(Some(ErrorCode::DATA_LOSS)), ErrorCode::DATA_LOSS);
        assert_eq!(failed(None), ErrorCode::INTERNAL);
    }

    #[test]
    fn a_run_is_known_on_its_thread() {
        let user_data = Arc::<UserData>::default();
        user_data.add(5, std::ptr::dangling_mut()).unwrap();
        let again = user_data.add(5, std::ptr::null_mut()).unwrap_err();
        assert_eq!(again.code, ErrorCode::ALREADY_EXISTS);
        let run = Run {
            id: next_id(),
            device: 3,
            user_data: Some(user_data),
        };
        within(Some(&run), || {
            let known = current().unwrap();
            assert_eq!((known.id, known.device), (run.id, 3));
            assert!(known.user_data.unwrap().get(5).is_some());
            Ok(())
        })
        .unwrap();
        assert!(current().is_none());
    }
}
