//! Panics of hooks that have no way to fail.
//!
//! MLIR asks a folder, or the rule for running an op early, in the middle of its work, and
//! takes any answer but an error. An op whose hook panics stays as it is, and that is
//! correct, but a compiler that hides its faults is not: the first panic of a pipeline is
//! reported at its op, and the pass that asked has failed.

use crate::{
    Location, Operation, name_of,
    pass::{emit_error, internal_error},
    validity::context_of_operation,
};
use melior::ir::operation::OperationLike;
use mlir_sys::MlirContext;
use std::{
    cell::Cell,
    collections::BTreeMap,
    fmt,
    sync::{Mutex, MutexGuard, PoisonError},
};

/// The panics in each context since its innermost pipeline began.
static PANICS: Mutex<BTreeMap<usize, usize>> = Mutex::new(BTreeMap::new());

fn panics() -> MutexGuard<'static, BTreeMap<usize, usize>> {
    PANICS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Counts a panic of a hook of an op, and reports it if it is the first one.
pub(crate) fn report(operation: Operation, hook: &str, reason: impl fmt::Display) {
    let message = format!(
        "{}: {hook} of '{}' op panicked: {reason}",
        internal_error(),
        name_of(operation),
    );
    let context = context_of_operation(operation);
    fail(context, operation.location(), &message);
}

/// Reports a failure of a hook, if it is the first one.
pub(crate) fn fail(context: MlirContext, location: Location, message: &str) {
    if mark(context) == 1 {
        emit_error(location, message);
    }
}

/// Counts a failure of a hook that is reported already, and tells how many there are.
pub(crate) fn mark(context: MlirContext) -> usize {
    *panics()
        .entry(context.ptr as usize)
        .and_modify(|count| *count += 1)
        .or_insert(1)
}

thread_local! {
    /// The rewrites of declared ops on this thread since its innermost pipeline began.
    static REWRITES: Cell<usize> = const { Cell::new(0) };
}

pub(crate) fn rewrites() -> usize {
    REWRITES.get()
}

pub(crate) fn count_rewrite() {
    REWRITES.set(REWRITES.get() + 1);
}

/// Runs a pipeline, which counts from zero.
pub(crate) fn counting<T>(context: MlirContext, run: impl FnOnce() -> T) -> T {
    let key = context.ptr as usize;
    let before = panics().remove(&key);
    let rewrites = REWRITES.replace(0);
    let result = run();
    REWRITES.set(rewrites);
    match before {
        Some(count) => panics().insert(key, count),
        None => panics().remove(&key),
    };
    result
}

/// Whether a hook has panicked since the pipeline began.
pub(crate) extern "C" fn has_panicked(context: MlirContext) -> bool {
    panics().contains_key(&(context.ptr as usize))
}

/// Whether a hook has panicked outside of [`counting`], in any context.
pub(crate) fn any() -> bool {
    !panics().is_empty()
}
