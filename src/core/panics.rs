//! Panics that become errors.
//!
//! External code, such as a pass, a hook of a dialect or a custom call, may panic where unwinding
//! is impossible because its callers are in C++ or must continue. They call it through [`catch`]
//! and report the [`Panic`] as an error. Rust's panic hook prints additional lines before that; a
//! tool prints one message, so it calls [`report_caught_panics_once`]. A library leaves the hook to
//! the program.

use std::{
    any::Any,
    cell::{Cell, RefCell},
    env, fmt,
    panic::{AssertUnwindSafe, Location, PanicHookInfo, catch_unwind, resume_unwind},
    sync::Once,
};

/// A caught panic. It is displayed as its message, with its location if the hook of
/// [`report_caught_panics_once`] recorded it.
pub struct Panic {
    payload: Box<dyn Any + Send>,
    place: Option<String>,
}

thread_local! {
    /// The nesting of [`catch`] on this thread.
    static DEPTH: Cell<usize> = const { Cell::new(0) };
    /// The location of the last panic on this thread within [`catch`].
    static PLACE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Calls a function, and returns its panic as an error.
///
/// # Errors
/// Returns an error if the function panics. Its changes of state until then remain.
pub fn catch<T>(function: impl FnOnce() -> T) -> Result<T, Panic> {
    let outer = PLACE.take();
    DEPTH.set(DEPTH.get() + 1);
    let outcome = catch_unwind(AssertUnwindSafe(function));
    DEPTH.set(DEPTH.get() - 1);
    let place = PLACE.replace(outer);
    outcome.map_err(|payload| Panic { payload, place })
}

impl Panic {
    /// The text that the panic was raised with.
    pub fn message(&self) -> &str {
        message_of(&*self.payload).unwrap_or("panic")
    }

    /// Returns true if its payload has type `T`.
    pub fn is<T: Any>(&self) -> bool {
        self.payload.is::<T>()
    }

    /// Resumes the panic, up to the next [`catch`].
    pub fn resume(self) -> ! {
        PLACE.set(self.place);
        resume_unwind(self.payload)
    }
}

impl fmt::Display for Panic {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.message())?;
        match &self.place {
            Some(place) => write!(formatter, " (panicked at {place})"),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Panic {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Panic({self})")
    }
}

fn message_of(payload: &(dyn Any + Send)) -> Option<&str> {
    let text = payload.downcast_ref::<&str>().copied();
    text.or_else(|| payload.downcast_ref::<String>().map(String::as_str))
}

/// The first words of Rust's messages about a panic that aborts the process, caught or not.
const ABORTS: [&str; 2] = [
    "panic in a function that cannot unwind",
    "panic in a destructor during cleanup",
];

/// Installs a panic hook that prints nothing for panics within [`catch`], whose caller reports
/// them, and records their locations. All other panics go to the previous hook, and so do all
/// panics if `RUST_BACKTRACE` requests a backtrace. For the main functions of tools.
pub fn report_caught_panics_once() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let wants_backtrace = env::var_os("RUST_BACKTRACE").is_some_and(|value| value != "0");
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            let aborts = message_of(info.payload())
                .is_some_and(|message| ABORTS.iter().any(|start| message.starts_with(start)));
            if DEPTH.get() == 0 || aborts || wants_backtrace {
                before(info);
            }
            if DEPTH.get() > 0 {
                PLACE.set(place_of(info));
            }
        }));
    });
}

fn place_of(info: &PanicHookInfo<'_>) -> Option<String> {
    info.location().map(Location::to_string)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// The hook belongs to the process, so one test covers all of it.
    #[test]
    fn panics_are_reported_once() {
        static SEEN: AtomicUsize = AtomicUsize::new(0);
        let seen = || SEEN.load(Ordering::Relaxed);
        let plain = catch(|| panic!("before")).unwrap_err();
        assert_eq!(plain.to_string(), "before");

        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(|_| _ = SEEN.fetch_add(1, Ordering::Relaxed)));
        report_caught_panics_once();
        let at = |line: u32| format!(" (panicked at {}:{line}:", file!());

        let line = line!() + 1;
        let caught = catch(|| panic!("number {}", 1)).unwrap_err();
        assert!(caught.to_string().starts_with(&("number 1".to_owned() + &at(line))));

        // A resumed panic keeps its location, and an outer one gets none from an inner one.
        let line = line!() + 1;
        let inner = catch(|| panic!("inner")).unwrap_err();
        let outer = catch(|| inner.resume()).unwrap_err();
        assert!(outer.to_string().contains(&at(line)), "{outer}");
        let raised = catch(|| {
            _ = catch(|| panic!("inner"));
            resume_unwind(Box::new(7))
        });
        let raised = raised.unwrap_err();
        assert!(raised.is::<i32>());
        assert_eq!(raised.to_string(), "panic");
        let wants_backtrace = env::var_os("RUST_BACKTRACE").is_some_and(|value| value != "0");
        assert!(seen() == 0 || wants_backtrace);

        let before = seen();
        assert!(catch_unwind(|| panic!("not caught by `catch`")).is_err());
        assert!(std::thread::spawn(|| panic!("of a thread")).join().is_err());
        assert_eq!(seen(), before + 2);
        std::panic::set_hook(usual);
    }
}
