//! Panics of hooks that cannot report errors.
//!
//! MLIR calls folders, and the rule for speculating an op, during its work, and treats any result
//! as a success. An op whose hook panics is not changed, which is correct, but would hide the
//! fault: the first panic of a pipeline is reported at its op, and the calling pass fails.

use crate::{
    handles::{Location, Operation},
    operation::OperationExt,
    pass::failure::{emit_error, internal_error},
    rewrite::limit::rewrite_limit,
    validity::context_of_operation,
};

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
        operation.name(),
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

/// Counts a failure of a hook that is already reported, and returns the total.
pub(crate) fn mark(context: MlirContext) -> usize {
    *panics()
        .entry(context.ptr as usize)
        .and_modify(|count| *count += 1)
        .or_insert(1)
}

/// The rewrites of declared ops in an op.
#[derive(Clone, Copy, Default)]
struct Rewrites {
    root: usize,
    count: u64,
    limit: u64,
}

thread_local! {
    /// The rewrites of this thread since its innermost pipeline began.
    static REWRITES: Cell<Rewrites> = const {
        Cell::new(Rewrites { root: 0, count: 0, limit: 0 })
    };
}

/// The number of rewrites of declared ops in an op, if no more may follow. It depends on
/// the size that the op had before the first.
pub(crate) fn reached_limit(root: Operation) -> Option<u64> {
    let mut rewrites = REWRITES.get();
    if rewrites.root != root.key() {
        rewrites = Rewrites {
            root: root.key(),
            count: 0,
            limit: rewrite_limit(root),
        };
        REWRITES.set(rewrites);
    }
    (rewrites.count >= rewrites.limit).then_some(rewrites.limit)
}

pub(crate) fn count_rewrite() {
    let rewrites = REWRITES.get();
    REWRITES.set(Rewrites {
        count: rewrites.count + 1,
        ..rewrites
    });
}

/// Runs a pipeline, which counts from zero.
pub(crate) fn counting<T>(context: MlirContext, run: impl FnOnce() -> T) -> T {
    let key = context.ptr as usize;
    let before = panics().remove(&key);
    let rewrites = REWRITES.take();
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
