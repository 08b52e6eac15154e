//! The ops of declared dialects, as far as the code that creates and changes ops depends on them.
//! Their hooks, which create ops, are in their declarations.

use crate::{
    handles::{Attribute, Operation, context_from_raw, name_of},
    ops::definition::OpInfo,
};
use melior::Context;
use std::{
    collections::HashMap,
    sync::{LazyLock, PoisonError, RwLock},
};

/// Creates the value of an absent attribute; `None` if the context has not loaded its dialect.
pub type DefaultAttribute = for<'c> fn(&'c Context) -> Option<Attribute<'c>>;

/// A declared op.
struct DeclaredOp {
    info: &'static OpInfo,
    defaults: Vec<(&'static str, DefaultAttribute)>,
}

static OPS: LazyLock<RwLock<HashMap<&'static str, DeclaredOp>>> = LazyLock::new(RwLock::default);

/// Adds an op, with the defaults of its attributes.
pub(super) fn add(
    info: &'static OpInfo,
    defaults: impl Iterator<Item = (&'static str, DefaultAttribute)>,
) {
    let defaults = defaults.collect();
    let mut ops = OPS.write().unwrap_or_else(PoisonError::into_inner);
    ops.insert(info.name, DeclaredOp { info, defaults });
}

/// The record of an op by its name with the dialect.
pub(crate) fn info_of(op: &str) -> Option<&'static OpInfo> {
    let ops = OPS.read().unwrap_or_else(PoisonError::into_inner);
    ops.get(op).map(|declared| declared.info)
}

/// Returns true if an attribute of an op has the default value, so that the op drops it.
pub(crate) fn is_default(operation: Operation, name: &str, value: Attribute) -> bool {
    let default = {
        let ops = OPS.read().unwrap_or_else(PoisonError::into_inner);
        let declared = ops.get(name_of(operation));
        declared.and_then(|op| op.defaults.iter().find(|one| one.0 == name).map(|one| one.1))
    };
    let Some(default) = default else {
        return false;
    };
    // SAFETY: The handle is valid, and the context outlives it.
    let context =
        unsafe { context_from_raw(mlir_sys::mlirOperationGetContext(operation.to_raw())) };
    default(context) == Some(value)
}
