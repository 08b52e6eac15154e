//! The failure of a pass, and the pass that runs on a thread.

use crate::{
    diagnostics::{self, Report},
    handles::Operation,
    operation::OperationExt,
};
use melior::ir::Location;
use std::{cell::Cell, fmt};

/// A pass failed and has reported the reason as a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PassFailure;

impl PassFailure {
    /// Reports an error at an op.
    pub fn at(operation: Operation, message: impl fmt::Display) -> Self {
        emit_error(operation.location(), &message.to_string());
        Self
    }

    /// Reports an error of the compiler at an op, unless MLIR has reported an error in this pass,
    /// which is the cause.
    pub fn internal(operation: Operation, error: impl fmt::Display) -> Self {
        if diagnostics::has_reported_errors() {
            return Self;
        }
        Self::at(operation, format_args!("internal error: {error}"))
    }
}

/// Emits an error diagnostic at a location.
pub fn emit_error(location: Location, message: &str) {
    drop(diagnostics::error(location, message));
}

/// The pass fails with the reported error.
impl From<Report<'_>> for PassFailure {
    fn from(_: Report) -> Self {
        Self
    }
}

thread_local! {
    static RUNNING: Cell<Option<&'static str>> = const { Cell::new(None) };
}

/// Runs a function while a pass of a name runs on this thread.
pub(super) fn while_running<T>(pass: &'static str, function: impl FnOnce() -> T) -> T {
    struct Restore(Option<&'static str>);
    impl Drop for Restore {
        fn drop(&mut self) {
            RUNNING.set(self.0);
        }
    }
    let _restore = Restore(RUNNING.replace(Some(pass)));
    function()
}

/// The pass of Halo that runs on this thread.
pub(crate) fn running_pass() -> Option<&'static str> {
    RUNNING.get()
}

/// The beginning of a message about a panic: the pass of Halo that runs on this thread.
pub(crate) fn internal_error() -> String {
    match RUNNING.get() {
        Some(pass) => format!("internal error in pass '{pass}'"),
        None => "internal error".to_owned(),
    }
}
