//! Tests of the conditions that MLIR only asserts: contexts, numbers of parts, kinds of attributes,
//! values that are in the program.

use crate::{
    dialect::declared_ops::is_default,
    graveyard::bug,
    handles::{Attribute, Location, Operation, Type, Value, name_of},
};
use melior::{
    Context, StringRef,
    ir::{AttributeLike, TypeLike, ValueLike},
};
use mlir_sys::{MlirAttribute, MlirContext, MlirOperation, MlirStringRef};

unsafe extern "C" {
    fn haloSetAttribute(
        operation: MlirOperation,
        name: MlirStringRef,
        value: MlirAttribute,
    ) -> bool;
    fn haloRemoveAttribute(operation: MlirOperation, name: MlirStringRef) -> bool;
}

pub(crate) fn context_of_type(ty: Type) -> MlirContext {
    // SAFETY: The type is valid.
    unsafe { mlir_sys::mlirTypeGetContext(ty.to_raw()) }
}

pub(crate) fn context_of_location(location: Location) -> MlirContext {
    // SAFETY: The location is valid.
    unsafe { mlir_sys::mlirLocationGetContext(location.to_raw()) }
}

pub(crate) fn context_of_value(value: Value) -> MlirContext {
    // SAFETY: The value is valid.
    unsafe { mlir_sys::mlirValueGetContext(value.to_raw()) }
}

pub(crate) fn context_of_operation(operation: Operation) -> MlirContext {
    // SAFETY: The op is valid.
    unsafe { mlir_sys::mlirOperationGetContext(operation.to_raw()) }
}

/// The context of an attribute; `None` for the null attribute.
pub(crate) fn context_of_attribute(attribute: Attribute) -> Option<MlirContext> {
    let raw = attribute.to_raw();
    // SAFETY: An attribute that is not null is valid.
    (!raw.ptr.is_null()).then(|| unsafe { mlir_sys::mlirAttributeGetContext(raw) })
}

/// Returns true if an object belongs to a context.
pub(crate) fn is_of(context: &Context, other: MlirContext) -> bool {
    context.to_raw().ptr == other.ptr
}

/// Panics if an object does not belong to a context.
#[track_caller]
pub(crate) fn same_context(context: &Context, other: MlirContext) {
    if !is_of(context, other) {
        bug("a part is of another context");
    }
}

/// Panics if an attribute does not belong to a context.
#[track_caller]
pub(crate) fn part_of(context: &Context, attribute: Attribute) {
    if !context_of_attribute(attribute).is_some_and(|other| is_of(context, other)) {
        bug("an attribute is absent or of another context");
    }
}

/// Panics if an object does not belong to the context of an op.
#[track_caller]
pub(crate) fn same_context_as(operation: Operation, other: MlirContext) {
    if context_of_operation(operation).ptr != other.ptr {
        bug(format_args!(
            "a part for '{}' op is of another context",
            name_of(operation)
        ));
    }
}

/// Returns true if the op or the block of a value is in the program, or in a region under
/// construction.
pub(crate) fn is_live(value: Value) -> bool {
    let raw = value.to_raw();
    // SAFETY: The value is valid, and the accessor matches its kind of owner.
    unsafe {
        if mlir_sys::mlirValueIsAOpResult(raw) {
            let owner = mlir_sys::mlirOpResultGetOwner(raw);
            !mlir_sys::mlirOperationGetBlock(owner).ptr.is_null()
        } else {
            let block = mlir_sys::mlirBlockArgumentGetOwner(raw);
            let number = mlir_sys::mlirBlockArgumentGetArgNumber(raw);
            // An erased argument still refers to its block.
            !mlir_sys::mlirBlockGetParentRegion(block).ptr.is_null()
                && number < mlir_sys::mlirBlockGetNumArguments(block)
                && mlir_sys::mlirBlockGetArgument(block, number).ptr == raw.ptr
        }
    }
}

/// Sets an attribute, unless the op's definition does not allow such a value.
pub(crate) fn set_attribute(operation: Operation, name: &str, attribute: Attribute) -> bool {
    if is_default(operation, name, attribute) {
        return remove_attribute(operation, name);
    }
    // SAFETY: Op and attribute are valid and of one context.
    unsafe {
        haloSetAttribute(
            operation.to_raw(),
            StringRef::new(name).to_raw(),
            attribute.to_raw(),
        )
    }
}

/// Removes an attribute, unless the op is invalid without it.
pub(crate) fn remove_attribute(operation: Operation, name: &str) -> bool {
    // SAFETY: The op is valid.
    unsafe { haloRemoveAttribute(operation.to_raw(), StringRef::new(name).to_raw()) }
}
