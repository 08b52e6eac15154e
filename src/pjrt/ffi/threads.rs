//! The threads on which handlers schedule tasks.
//!
//! Halo has a separate thread pool for this: a task may block for any time, which the threads of
//! programs must not. They start with the first task.

use std::collections::VecDeque;
use std::ffi::c_void;
use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError};
use std::thread;

use crate::c_api::xla_ffi::{ThreadPoolNumThreadsArgs, ThreadPoolScheduleArgs};
use crate::status::{Result, Status};

/// A function of a handler with its data.
struct Scheduled {
    task: unsafe extern "C" fn(*mut c_void),
    data: *mut c_void,
}

// SAFETY: the handler requests that the task run on another thread.
unsafe impl Send for Scheduled {}

#[derive(Default)]
struct Pool {
    tasks: Mutex<VecDeque<Scheduled>>,
    added: Condvar,
}

impl Pool {
    fn work(&self) {
        loop {
            let mut tasks = self.tasks.lock().unwrap_or_else(PoisonError::into_inner);
            let next = loop {
                match tasks.pop_front() {
                    Some(next) => break next,
                    None => {
                        let woken = self.added.wait(tasks);
                        tasks = woken.unwrap_or_else(PoisonError::into_inner);
                    }
                }
            };
            drop(tasks);
            // SAFETY: the handler passed a task that may be called once with its data.
            unsafe { (next.task)(next.data) };
        }
    }

    fn add(&self, scheduled: Scheduled) {
        let mut tasks = self.tasks.lock().unwrap_or_else(PoisonError::into_inner);
        tasks.push_back(scheduled);
        self.added.notify_one();
    }
}

/// The number of hardware threads.
fn count() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// The pool, with its threads.
///
/// # Errors
/// Returns an unavailable error if not even one thread can be started.
fn pool() -> Result<&'static Pool> {
    static POOL: OnceLock<Option<Arc<Pool>>> = OnceLock::new();
    let pool = POOL.get_or_init(|| {
        let pool = Arc::<Pool>::default();
        let started = (0..count()).filter(|number| {
            let own = Arc::clone(&pool);
            let thread = thread::Builder::new().name(format!("halo-ffi-{number}"));
            thread.spawn(move || own.work()).is_ok()
        });
        (started.count() > 0).then_some(pool)
    });
    pool.as_deref()
        .ok_or_else(|| Status::internal("no thread for the tasks of handlers can be started"))
}

pub unsafe fn schedule(arguments: &mut ThreadPoolScheduleArgs) -> Result<()> {
    let task = arguments.task.ok_or_else(|| Status::invalid("XLA_FFI_Task is null"))?;
    let data = arguments.data;
    pool()?.add(Scheduled { task, data });
    Ok(())
}

pub unsafe fn num_threads(arguments: &mut ThreadPoolNumThreadsArgs) -> Result<()> {
    if arguments.num_threads.is_null() {
        return Err(Status::invalid(
            "there is no place for the number of threads",
        ));
    }
    // SAFETY: the handler passes a pointer for the number.
    unsafe { arguments.num_threads.write(count() as i64) };
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::{Sender, channel};

    unsafe extern "C" fn send(data: *mut c_void) {
        // SAFETY: the test passes ownership of a sender.
        let sender = unsafe { Box::from_raw(data.cast::<Sender<thread::ThreadId>>()) };
        sender.send(thread::current().id()).unwrap();
    }

    #[test]
    fn tasks_run_on_other_threads() {
        let (sender, receiver) = channel::<thread::ThreadId>();
        for _ in 0..4 {
            let data = Box::into_raw(Box::new(sender.clone())).cast();
            pool().unwrap().add(Scheduled { task: send, data });
        }
        for _ in 0..4 {
            assert_ne!(receiver.recv().unwrap(), thread::current().id());
        }
    }
}
