//! Conformance of new ops to their definitions.

use crate::{
    dialect::declared_ops,
    handles::{Attribute, Operation},
    operation::OperationExt,
    ops::{
        self,
        definition::{Arity, Groups, OpInfo, Sizing},
    },
};
use melior::StringRef;
use mlir_sys::{MlirNamedAttribute, MlirOperation, MlirOperationState, MlirType};
use std::{collections::HashMap, ffi::c_void, sync::LazyLock};

unsafe extern "C" {
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

/// The ODS record of an op by its name.
pub(super) fn info_of(name: &str) -> Option<&'static OpInfo> {
    static INFOS: LazyLock<HashMap<&'static str, &'static OpInfo>> =
        LazyLock::new(|| ops::all().map(|info| (info.name, info)).collect());
    INFOS.get(name).copied().or_else(|| declared_ops::info_of(name))
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
pub(super) fn wrong_counts(
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
pub(super) unsafe fn misfit(
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
            if declared_ops::is_default(operation, name.as_str().unwrap_or_default(), given) {
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
pub(super) unsafe fn inferred(state: &MlirOperationState) -> Option<Vec<MlirType>> {
    extern "C" fn append(ty: MlirType, data: *mut c_void) {
        // SAFETY: The data is the vector below.
        unsafe { (*data.cast::<Vec<MlirType>>()).push(ty) }
    }
    let mut types: Vec<MlirType> = Vec::new();
    // SAFETY: The state is valid, and the callback gets the vector that it expects.
    unsafe { haloInferResultTypes(state, append, (&raw mut types).cast()) }.then_some(types)
}
