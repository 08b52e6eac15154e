//! Failures at ops.

use halo_core::Diagnostic;
use halo_ir::prelude::*;
use halo_runtime::Error;

/// A failure at an op.
pub fn failure(op: Operation, message: impl Into<String>) -> Error {
    let message = format!("'{}' op {}", op.name(), message.into());
    Diagnostic::new(halo_ir::diagnostics::position_of(op.location()), message).into()
}

/// The computation that a call names.
pub fn symbol_named<'c>(op: Operation<'c>, attribute: &str) -> Result<&'c str, Error> {
    op.attribute(attribute)
        .and_then(Attribute::symbol_value)
        .ok_or_else(|| failure(op, format!("names no function in '{attribute}'")))
}
