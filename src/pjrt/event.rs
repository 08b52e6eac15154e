//! Events with an outcome.

use std::ffi::c_void;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use crate::c_api;
use crate::handle::{self, Handle};
use crate::status::{Result, Status, to_raw};

type Callback = Box<dyn FnOnce(&Result<()>) + Send>;

/// A one-shot event. Clones are the same event.
#[derive(Clone, Default)]
pub struct Event(Arc<Shared>);

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    done: Condvar,
}

#[derive(Default)]
struct State {
    outcome: Option<Result<()>>,
    callbacks: Vec<Callback>,
    /// The number of waiting threads, since notifying none would still be a system call.
    waiting: usize,
}

impl Event {
    /// An event that is already set.
    pub fn ready(outcome: Result<()>) -> Self {
        let event = Self::default();
        event.set(outcome);
        event
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets the event with an outcome. Only the first outcome counts.
    pub fn set(&self, outcome: Result<()>) {
        self.set_first(outcome);
    }

    /// The same. Returns true if the outcome is the first one.
    pub fn set_first(&self, outcome: Result<()>) -> bool {
        let callbacks = {
            let mut state = self.lock();
            if state.outcome.is_some() {
                return false;
            }
            state.outcome = Some(outcome.clone());
            if state.waiting > 0 {
                self.0.done.notify_all();
            }
            std::mem::take(&mut state.callbacks)
        };
        for callback in callbacks {
            callback(&outcome);
        }
        true
    }

    /// Returns true if both are the same event.
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// The outcome, if it is set.
    pub fn outcome(&self) -> Option<Result<()>> {
        self.lock().outcome.clone()
    }

    /// Returns true if it is set to success.
    pub fn has_succeeded(&self) -> bool {
        matches!(self.lock().outcome, Some(Ok(())))
    }

    /// Waits until it is set.
    ///
    /// # Errors
    /// Returns the error that it was set with.
    pub fn wait(&self) -> Result<()> {
        let mut state = self.lock();
        loop {
            if let Some(outcome) = &state.outcome {
                return outcome.clone();
            }
            state.waiting += 1;
            state = self.0.done.wait(state).unwrap_or_else(PoisonError::into_inner);
            state.waiting -= 1;
        }
    }

    /// Calls a function when it is set: now if it already is, or on the thread that sets it.
    pub fn on_ready(&self, callback: impl FnOnce(&Result<()>) + Send + 'static) {
        let outcome = {
            let mut state = self.lock();
            match &state.outcome {
                Some(outcome) => outcome.clone(),
                None => return state.callbacks.push(Box::new(callback)),
            }
        };
        callback(&outcome);
    }

    /// Gives the handle to the caller, which must destroy it.
    pub fn into_raw(self) -> *mut c_api::Event {
        handle::into_raw(self)
    }
}

impl Handle for Event {
    type Opaque = c_api::Event;
}

/// A pointer of the caller, which may be passed to another thread.
struct CallerPointer(*mut c_void);

// SAFETY: the interface lets callbacks run on any thread.
unsafe impl Send for CallerPointer {}

impl CallerPointer {
    fn get(&self) -> *mut c_void {
        self.0
    }
}

pub unsafe fn destroy(arguments: &mut c_api::EventDestroyArgs) -> Result<()> {
    // SAFETY: the caller passes a valid event, or null.
    unsafe { handle::destroy::<Event>(arguments.event) };
    Ok(())
}

pub unsafe fn is_ready(arguments: &mut c_api::EventIsReadyArgs) -> Result<()> {
    // SAFETY: the caller passes a valid event.
    let event: &Event = unsafe { handle::borrow(arguments.event) }?;
    arguments.is_ready = event.outcome().is_some();
    Ok(())
}

pub unsafe fn error(arguments: &mut c_api::EventErrorArgs) -> Result<()> {
    // SAFETY: the caller passes a valid event.
    let event: &Event = unsafe { handle::borrow(arguments.event) }?;
    event.outcome().unwrap_or_else(|| {
        Err(Status::new(
            c_api::ErrorCode::FAILED_PRECONDITION,
            "PJRT_Event_Error was called before the event was ready",
        ))
    })
}

pub unsafe fn wait(arguments: &mut c_api::EventAwaitArgs) -> Result<()> {
    // SAFETY: the caller passes a valid event.
    let event: &Event = unsafe { handle::borrow(arguments.event) }?;
    event.wait()
}

pub unsafe fn on_ready(arguments: &mut c_api::EventOnReadyArgs) -> Result<()> {
    // SAFETY: the caller passes a valid event.
    let event: &Event = unsafe { handle::borrow(arguments.event) }?;
    let (callback, argument) = (arguments.callback, CallerPointer(arguments.user_arg));
    let callback = callback.ok_or_else(|| Status::invalid("the callback is null"))?;
    event.on_ready(move |outcome| {
        // SAFETY: the caller's function takes its own argument, and an error to destroy.
        unsafe { callback(to_raw(outcome.clone()), argument.get()) };
    });
    Ok(())
}

pub unsafe fn create(arguments: &mut c_api::EventCreateArgs) -> Result<()> {
    arguments.event = Event::default().into_raw();
    Ok(())
}

pub unsafe fn set(arguments: &mut c_api::EventSetArgs) -> Result<()> {
    // SAFETY: the caller passes a valid event.
    let event: &Event = unsafe { handle::borrow(arguments.event) }?;
    let (text, size) = (arguments.error_message, arguments.error_message_size);
    // SAFETY: the caller passes the text of its error.
    event.set(unsafe { Status::outcome(arguments.error_code, text, size) });
    Ok(())
}
