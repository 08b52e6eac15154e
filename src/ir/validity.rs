//! Tests of the conditions that MLIR only asserts: contexts, numbers of parts, kinds of attributes,
//! values that are in the program.

use crate::{
    Attribute, Location, Operation, OperationExt, Type, Value,
    graveyard::bug,
    ops::{self, Arity, Groups, OpInfo, Sizing},
};
use melior::{
    Context, StringRef,
    ir::{AttributeLike, TypeLike, ValueLike},
};
use mlir_sys::{
    MlirAttribute, MlirContext, MlirNamedAttribute, MlirOperation, MlirOperationState,
    MlirStringRef, MlirType,
};
use std::{collections::HashMap, ffi::c_void, sync::LazyLock};

unsafe extern "C" {
    fn haloSetAttribute(
        operation: MlirOperation,
        name: MlirStringRef,
        value: MlirAttribute,
    ) -> bool;
    fn haloRemoveAttribute(operation: MlirOperation, name: MlirStringRef) -> bool;
    fn haloPartsFit(operation: MlirOperation) -> bool;
    fn haloAttributesFit(
        operation: MlirOperation,
        count: isize,
        attributes: *const MlirNamedAttribute,
    ) -> bool;
    fn haloInferResultTypes(
        state: *const MlirOperationState,
        append: extern "C" fn(MlirType, *mut c_void),
        data: *mut c_void,
    ) -> bool;
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
            operation.name()
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

/// The ODS record of an op by its name.
pub(crate) fn info_of(name: &str) -> Option<&'static OpInfo> {
    static INFOS: LazyLock<HashMap<&'static str, &'static OpInfo>> =
        LazyLock::new(|| ops::all().map(|info| (info.name, info)).collect());
    INFOS.get(name).copied().or_else(|| crate::dialect::info_of(name))
}

/// The minimum and maximum number of values of groups.
fn bounds(groups: &Groups) -> (usize, Option<usize>) {
    let least = groups.groups.iter().filter(|group| group.arity == Arity::One);
    let open = groups.groups.iter().any(|group| group.arity == Arity::Variadic);
    let least = match groups.sizing {
        // An attribute has the size of each group.
        Sizing::Segments => 0,
        Sizing::Rest | Sizing::Same => least.count(),
    };
    (least, (!open).then_some(groups.groups.len()))
}

/// The reason for which an op cannot have the given numbers of operands and results; the latter are
/// not counted if they are inferred.
pub(crate) fn wrong_counts(
    info: Option<&OpInfo>,
    operands: usize,
    results: Option<usize>,
) -> Option<String> {
    let info = info?;
    let wrong = |groups: &Groups, count: usize, what: &str| {
        let (least, most) = bounds(groups);
        (count < least || most.is_some_and(|most| count > most))
            .then(|| format!("its definition does not allow {count} {what}"))
    };
    wrong(&info.operands, operands, "operands")
        .or_else(|| wrong(&info.results, results?, "results"))
}

/// The mismatch of a new op with its definition: attributes that it dropped or lacks, sizes of
/// groups. Upstream's folders and canonicalizers run on the op before a verifier does, and assume
/// that there are no mismatches.
///
/// # Safety
///
/// The attributes must be the ones that the op was created with.
pub(crate) unsafe fn misfit(
    operation: Operation,
    info: Option<&OpInfo>,
    attributes: &[MlirNamedAttribute],
) -> Option<String> {
    let raw = operation.to_raw();
    for attribute in attributes {
        // SAFETY: Op, name and attribute are valid.
        let (name, kept) = unsafe {
            let name = mlir_sys::mlirIdentifierStr(attribute.name);
            (name, mlir_sys::mlirOperationGetAttributeByName(raw, name))
        };
        if kept.ptr.is_null() {
            // SAFETY: The context has the name, and the attribute is valid.
            let (name, given) = unsafe {
                let given = Attribute::from_raw(attribute.attribute);
                (StringRef::from_raw(name), given)
            };
            if crate::dialect::is_default(operation, name.as_str().unwrap_or_default(), given) {
                continue;
            }
            return Some(format!(
                "attribute '{}' is of the wrong kind",
                name.as_str().unwrap_or_default()
            ));
        }
    }
    let count = attributes.len() as isize;
    // SAFETY: Op and attributes are valid, and the count is the length.
    let fit = count == 0 || unsafe { haloAttributesFit(raw, count, attributes.as_ptr()) };
    if !fit {
        return Some(
            "an attribute does not satisfy its constraint in the definition of the op".to_owned(),
        );
    }
    let required = info.map(|info| info.required).unwrap_or_default();
    if let Some(name) = required.iter().find(|name| !operation.has_attribute(name)) {
        return Some(format!("attribute '{name}' is missing"));
    }
    // SAFETY: The op is valid.
    (!unsafe { haloPartsFit(raw) })
        .then(|| "its definition asks for other regions, successors or sizes of groups".to_owned())
}

/// The types of the results of an op under construction, if they can be inferred.
///
/// # Safety
///
/// The parts of the state must be valid.
pub(crate) unsafe fn inferred(state: &MlirOperationState) -> Option<Vec<MlirType>> {
    extern "C" fn append(ty: MlirType, data: *mut c_void) {
        // SAFETY: The data is the vector below.
        unsafe { (*data.cast::<Vec<MlirType>>()).push(ty) }
    }
    let mut types: Vec<MlirType> = Vec::new();
    // SAFETY: The state is valid, and the callback gets the vector that it expects.
    unsafe { haloInferResultTypes(state, append, (&raw mut types).cast()) }.then_some(types)
}

/// Sets an attribute, unless the op's definition does not allow such a value.
pub(crate) fn set_attribute(operation: Operation, name: &str, attribute: Attribute) -> bool {
    if crate::dialect::is_default(operation, name, attribute) {
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
