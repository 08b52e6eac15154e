//! A limit of the changes to a program, which finds the one that makes it wrong.
//!
//! A compilation is repeated with fewer and fewer *applications*, until one of them decides whether
//! the program is right. An application is one of
//!
//! - a [`Pattern`](super::Pattern) that rewrote an op,
//! - an op that [`PassInvocation::for_each`](crate::pass::PassInvocation::for_each) rewrote,
//! - a producer that [`fuse_elementwise`](crate::fusion::fuse_elementwise) fused,
//! - the run of a pass on an op, such as a function: all that it changes by other means.
//!
//! Beyond the limit, no pattern applies and no pass runs, and all else remains as it is. The
//! lowerings of a [`Conversion`](crate::conversion::Conversion) are part of the run, because most
//! conversions fail if one op is not lowered.

use crate::{
    handles::Operation,
    location::{LocationExt, LocationKind},
    operation::OperationExt,
};
use melior::ir::operation::{OperationLike, OperationPrintingFlags};
use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};

/// Constants of more elements are not printed.
const MOST_ELEMENTS: usize = 16;

/// An application, with the enclosing symbol, such as a function, before and after it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Application {
    /// The path of the function that rewrote the op; none for the run of a pass.
    pub pattern: Option<String>,
    /// The name of the op.
    pub op: String,
    /// The location of the op in the source program, such as `a.mlir:3:4`.
    pub location: String,
    pub before: String,
    pub after: String,
}

/// The applications of [`limited`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Applications {
    pub count: u64,
    /// The last one that the limit permits, if it was attempted.
    pub last: Option<Application>,
}

/// The state of [`limited`].
struct Limited {
    limit: u64,
    done: Applications,
    /// The IR before the last one in the generic form, in which invalid IR is printed.
    generic: String,
    attempted: Rc<dyn Fn(&Application)>,
}

thread_local! {
    static IS_LIMITED: Cell<bool> = const { Cell::new(false) };
    static LIMITED: RefCell<Option<Limited>> = const { RefCell::new(None) };
}

/// Runs passes in this thread with a maximum number of applications. `attempted` is called before
/// the last one, which may crash.
pub fn limited<T>(
    limit: u64,
    attempted: impl Fn(&Application) + 'static,
    run: impl FnOnce() -> T,
) -> (T, Applications) {
    struct Restore(Option<Limited>);
    impl Drop for Restore {
        fn drop(&mut self) {
            IS_LIMITED.set(self.0.is_some());
            LIMITED.replace(self.0.take());
        }
    }
    let state = Limited {
        limit,
        done: Applications::default(),
        generic: String::new(),
        attempted: Rc::new(attempted),
    };
    let _restore = Restore(LIMITED.replace(Some(state)));
    IS_LIMITED.set(true);
    let result = run();
    let done = LIMITED.take().map(|state| state.done);
    (result, done.unwrap_or_default())
}

/// Performs the application of a pattern, or returns `None` if it is beyond the limit. An
/// application counts if `is_applied` returns true.
#[inline]
pub(crate) fn apply<T>(
    pattern: &str,
    op: Operation,
    perform: impl FnOnce() -> T,
    is_applied: impl FnOnce(&T) -> bool,
) -> Option<T> {
    if !IS_LIMITED.get() {
        return Some(perform());
    }
    if left() == 0 {
        return None;
    }
    let enclosing = enclosing(op);
    let is_last = left() == 1;
    if is_last {
        attempt(application(Some(pattern), op, enclosing));
    }
    // An application that panics counts.
    count(1);
    let result = perform();
    if !is_applied(&result) {
        count(-1);
    } else if is_last {
        note_after(enclosing);
    }
    Some(result)
}

/// Runs a pass on an op, or returns `None` if that is beyond the limit.
#[inline]
pub(crate) fn run<T>(op: Operation, run: impl FnOnce() -> T) -> Option<T> {
    if !IS_LIMITED.get() {
        return Some(run());
    }
    if left() == 0 {
        return None;
    }
    let is_last = left() == 1;
    if is_last {
        attempt(application(None, op, op));
    }
    count(1);
    let result = run();
    if is_last {
        note_after(op);
    }
    Some(result)
}

/// Ends a driver that performs the applications itself, after `apply` has permitted them.
pub(crate) fn end(root: Operation) {
    let is_of_pattern = |state: &Limited| {
        let last = state.done.last.as_ref();
        state.done.count == state.limit && last.is_some_and(|last| last.pattern.is_some())
    };
    if LIMITED.with_borrow(|state| state.as_ref().is_some_and(is_of_pattern)) {
        note_after(root);
    }
}

/// The number of applications that the limit permits.
fn left() -> u64 {
    LIMITED.with_borrow(|state| {
        let left = state.as_ref().map(|state| state.limit.saturating_sub(state.done.count));
        left.unwrap_or(u64::MAX)
    })
}

fn attempt((application, generic): (Application, String)) {
    let attempted = LIMITED.with_borrow_mut(|state| {
        let state = state.as_mut()?;
        state.done.last = Some(application.clone());
        state.generic = generic;
        Some(Rc::clone(&state.attempted))
    });
    if let Some(attempted) = attempted {
        attempted(&application);
    }
}

fn count(change: i64) {
    LIMITED.with_borrow_mut(|state| {
        if let Some(state) = state {
            state.done.count = state.done.count.saturating_add_signed(change);
        }
    });
}

fn note_after(enclosing: Operation) {
    let text = text(enclosing, false);
    LIMITED.with_borrow_mut(|state| {
        let Some(Limited { done, generic, .. }) = state else {
            return;
        };
        if let Some(last) = &mut done.last {
            if text.starts_with('"') {
                last.before = std::mem::take(generic);
            }
            last.after = text;
        }
    });
}

/// The description of an application, and the enclosing op in the generic form.
fn application(
    pattern: Option<&str>,
    op: Operation,
    enclosing: Operation,
) -> (Application, String) {
    let application = Application {
        pattern: pattern.map(|rule| rule.trim_end_matches("::{{closure}}").to_owned()),
        op: op.name().to_owned(),
        location: place(op.location().kind()).unwrap_or_else(|| "an unknown location".to_owned()),
        before: text(enclosing, false),
        after: String::new(),
    };
    (application, text(enclosing, true))
}

/// The outermost op around an op that is not the module.
fn enclosing<'c>(op: Operation<'c>) -> Operation<'c> {
    let mut found = op;
    while let Some(parent) = found.parent() {
        if parent.parent().is_none() {
            // A pattern for a function may erase it.
            return if found == op { parent } else { found };
        }
        found = parent;
    }
    found
}

fn text(op: Operation, is_generic: bool) -> String {
    let flags = OperationPrintingFlags::new().elide_large_elements_attributes(MOST_ELEMENTS);
    let flags = if is_generic {
        flags.print_generic_operation_form()
    } else {
        flags
    };
    op.to_string_with_flags(flags).unwrap_or_default()
}

/// The first position in a file of a location.
fn place(location: LocationKind) -> Option<String> {
    match location {
        LocationKind::File {
            name, line, column, ..
        } => Some(format!("{name}:{line}:{column}")),
        other => other.parts().into_iter().find_map(|part| place(part.kind())),
    }
}
