//! Callbacks of MLIR for declared ops, types and attributes.
//!
//! Each function finds the declaration that C++ got when the dialect was registered, and lets no
//! panic cross into C++. All but the rewrites of `canonicalize` can only read.

use super::{
    constraints,
    declaration::{AttributeDeclaration, OpDeclaration, OpTrait, TypeDeclaration},
    verify,
};
use crate::{
    attributes::AttributeExt,
    build_error::Reported,
    builder::Builder,
    diagnostics::counting_errors,
    graveyard,
    handles::{Attribute, Location, Operation, Type},
    hook_panics,
    operation::OperationExt,
    ops::{
        access,
        definition::{Groups, OPERAND_SEGMENT_SIZES},
    },
    pass::failure::internal_error,
    rewrite::{self, RewriteError},
    semantics::{
        OpParts, RawFoldResult, RawOpParts, RawTypeCallback, VerifyError, array, folded_by,
        parts_from_raw, reported,
    },
    value::ValueExt,
};
use halo_core::panics;
use melior::ir::{AttributeLike, OperationRef, TypeLike};
use mlir_sys::{MlirAttribute, MlirContext, MlirOperation, MlirRewriterBase, MlirStringCallback};
use std::ffi::c_void;

type RawVerify =
    unsafe extern "C" fn(*const c_void, MlirOperation, MlirStringCallback, *mut c_void) -> bool;

/// `HaloDynamicHooks`
#[repr(C)]
pub(super) struct RawHooks {
    verify_parts: RawVerify,
    verify: RawVerify,
    default_attribute: unsafe extern "C" fn(*const c_void, isize, MlirContext) -> MlirAttribute,
    verify_attribute: unsafe extern "C" fn(
        *const c_void,
        isize,
        MlirAttribute,
        MlirStringCallback,
        *mut c_void,
    ) -> bool,
    fold: unsafe extern "C" fn(
        *const c_void,
        MlirOperation,
        isize,
        *const MlirAttribute,
        RawFoldResult,
        *mut c_void,
    ) -> bool,
    infer: unsafe extern "C" fn(
        *const c_void,
        *const RawOpParts,
        RawTypeCallback,
        *mut c_void,
        MlirStringCallback,
        *mut c_void,
    ) -> bool,
    canonicalize:
        unsafe extern "C" fn(*const c_void, MlirOperation, MlirOperation, MlirRewriterBase) -> bool,
    verify_parameters: unsafe extern "C" fn(
        *const c_void,
        isize,
        *const MlirAttribute,
        MlirStringCallback,
        *mut c_void,
    ) -> bool,
}

pub(super) static HOOKS: RawHooks = RawHooks {
    verify_parts,
    verify,
    default_attribute,
    verify_attribute,
    fold,
    infer,
    canonicalize,
    verify_parameters,
};

/// A type or an attribute declaration, which C++ passes as one pointer.
pub(super) enum Parametric {
    Type(&'static TypeDeclaration),
    Attribute(&'static AttributeDeclaration),
}

/// # Safety
///
/// The pointer must point to a declaration of an op.
unsafe fn declaration_of(pointer: *const c_void) -> &'static OpDeclaration {
    // SAFETY: As above; declarations are `static`.
    unsafe { &*pointer.cast() }
}

unsafe extern "C" fn verify_parts(
    declaration: *const c_void,
    op: MlirOperation,
    report: MlirStringCallback,
    data: *mut c_void,
) -> bool {
    // SAFETY: C++ passes the registered declaration, and an op that is alive during the call.
    let (declaration, op) = unsafe { (declaration_of(declaration), OperationRef::from_raw(op)) };
    // SAFETY: The callback is callable with `data`.
    unsafe { reported(|| verify::parts(declaration, op), report, data) }.is_some()
}

unsafe extern "C" fn verify(
    declaration: *const c_void,
    op: MlirOperation,
    report: MlirStringCallback,
    data: *mut c_void,
) -> bool {
    // SAFETY: As above.
    let (declaration, op) = unsafe { (declaration_of(declaration), OperationRef::from_raw(op)) };
    let Some(verify) = declaration.verify else {
        return true;
    };
    // SAFETY: The callback is callable with `data`.
    unsafe { reported(|| verify(op), report, data) }.is_some()
}

/// The default of an attribute; null if it has none.
unsafe extern "C" fn default_attribute(
    declaration: *const c_void,
    number: isize,
    context: MlirContext,
) -> MlirAttribute {
    let none = MlirAttribute {
        ptr: std::ptr::null(),
    };
    // SAFETY: C++ passes the registered declaration, and the context of an op.
    let (declaration, context) = unsafe {
        (
            declaration_of(declaration),
            crate::handles::context_from_raw(context),
        )
    };
    let attribute = usize::try_from(number)
        .ok()
        .and_then(|number| declaration.attributes.get(number));
    let Some(default) = attribute.and_then(|attribute| attribute.default) else {
        return none;
    };
    let made = panics::catch(|| graveyard::read_only(|| default(context)));
    let is_ours = |one: &Attribute| {
        crate::validity::context_of_attribute(*one)
            .is_some_and(|other| crate::validity::is_of(context, other))
    };
    match made {
        Ok(made) => made.filter(is_ours).map_or(none, |made| made.to_raw()),
        Err(panic) => {
            let message = format!(
                "{}: the default of an attribute of '{}' op panicked: {panic}",
                internal_error(),
                declaration.name(),
            );
            hook_panics::fail(context.to_raw(), Location::unknown(context), &message);
            none
        }
    }
}

unsafe extern "C" fn verify_attribute(
    declaration: *const c_void,
    number: isize,
    attribute: MlirAttribute,
    report: MlirStringCallback,
    data: *mut c_void,
) -> bool {
    // SAFETY: C++ passes the registered declaration, and an attribute that is not null.
    let (declaration, attribute) =
        unsafe { (declaration_of(declaration), Attribute::from_raw(attribute)) };
    let hook = || match usize::try_from(number) {
        Ok(number) => verify::attribute(declaration, number, attribute),
        Err(_) => Ok(()),
    };
    // SAFETY: The callback is callable with `data`.
    unsafe { reported(hook, report, data) }.is_some()
}

unsafe extern "C" fn fold(
    declaration: *const c_void,
    op: MlirOperation,
    count: isize,
    operands: *const MlirAttribute,
    report: RawFoldResult,
    data: *mut c_void,
) -> bool {
    // SAFETY: As above.
    let declaration: &OpDeclaration = unsafe { declaration_of(declaration) };
    let Some(fold) = declaration.fold else {
        return false;
    };
    // SAFETY: The caller passes a live op, an array of that many attributes, and a callback with
    // matching `data`.
    unsafe { folded_by(fold, op, array(operands, count), report, data) }
}

unsafe extern "C" fn infer(
    declaration: *const c_void,
    parts: *const RawOpParts,
    append: RawTypeCallback,
    types: *mut c_void,
    report: MlirStringCallback,
    data: *mut c_void,
) -> bool {
    // SAFETY: C++ passes the registered declaration, and valid parts.
    let (declaration, parts) = unsafe { (declaration_of(declaration), parts_from_raw(parts)) };
    // SAFETY: The callback is callable with `data`.
    let inferred = unsafe { reported(|| infer_types(declaration, &parts), report, data) };
    let Some(inferred) = inferred else {
        return false;
    };
    for ty in inferred {
        // SAFETY: The callback appends to the list that `types` is.
        unsafe { append(ty.to_raw(), types) };
    }
    true
}

/// The types of the results: from the hook, the type of the operands, or the only possible types.
fn infer_types<'c>(
    declaration: &'static OpDeclaration,
    parts: &'c OpParts<'c>,
) -> Result<Vec<Type<'c>>, VerifyError> {
    let types = match declaration.infer {
        Some(infer) => infer(parts)?,
        None => default_types(declaration, parts)?,
    };
    let Groups { groups, .. } = declaration.info.results;
    let is_fixed = groups.iter().all(|group| group.arity == crate::ops::definition::Arity::One);
    if is_fixed && types.len() != groups.len() {
        let (expected, found) = (groups.len(), types.len());
        let message = format!("has {expected} results, but {found} types were inferred for them");
        return Err(message.into());
    }
    let is_ours =
        |ty: &Type| crate::validity::is_of(parts.context, crate::validity::context_of_type(*ty));
    if types.iter().all(is_ours) {
        Ok(types)
    } else {
        Err("inferred a type of another context".into())
    }
}

fn default_types<'c>(
    declaration: &'static OpDeclaration,
    parts: &'c OpParts<'c>,
) -> Result<Vec<Type<'c>>, VerifyError> {
    let results = declaration.results;
    if declaration.has(OpTrait::SameOperandsAndResultType) {
        let Some(first) = parts.operands.first() else {
            return Err("has no operand whose type its results have".into());
        };
        return Ok(vec![first.ty(); results.len()]);
    }
    let groups = declaration.info.results.groups;
    let types = groups.iter().zip(results).map(|(group, constraint)| {
        if let Some(operand) = declaration.operand_of_type(group.name) {
            let sizes = parts
                .attributes
                .and_then(|all| all.dictionary_entry(OPERAND_SEGMENT_SIZES)?.i32_array_value());
            let (groups, count) = (&declaration.info.operands, parts.operands.len());
            let at = access::range(groups, count, sizes, operand)?;
            return Some(parts.operands[at].first()?.ty());
        }
        Type::parse(parts.context, &constraint.only_type()?)
    });
    types.collect::<Option<_>>().ok_or_else(|| "has no type inference".into())
}

unsafe extern "C" fn canonicalize(
    declaration: *const c_void,
    op: MlirOperation,
    root: MlirOperation,
    rewriter: MlirRewriterBase,
) -> bool {
    // SAFETY: C++ passes the registered declaration, a live op with a parent, and a rewriter that
    // lives as long as the call.
    let (declaration, op, root, builder) = unsafe {
        let op: Operation = OperationRef::from_raw(op);
        let root: Operation = OperationRef::from_raw(root);
        let builder = Builder::from_raw(op.context(), rewriter, op.location());
        (declaration_of(declaration), op, root, builder)
    };
    let Some(canonicalize) = declaration.canonicalize else {
        return false;
    };
    let (context, location) = (op.context(), op.location());
    let fail = |message: String| hook_panics::fail(context.to_raw(), location, &message);
    if let Some(limit) = hook_panics::reached_limit(root) {
        fail(rewrite::limit::does_not_end(declaration.name(), limit));
        return false;
    }
    builder.set_before(op);
    let ((outcome, stale), errors) = counting_errors(context, || {
        graveyard::owning(context.to_raw(), None, || {
            panics::catch(|| canonicalize(&builder, op))
        })
    });
    if let Some(location) = stale {
        let message = "internal error: the op uses a value or block that a pattern erased";
        hook_panics::fail(context.to_raw(), location, message);
    }
    match outcome {
        Ok(Ok(())) => {
            hook_panics::count_rewrite();
            return true;
        }
        Ok(Err(RewriteError::NoMatch | RewriteError::NoMatchBecause(_))) => {}
        // MLIR has reported why an op could not be created.
        Ok(Err(_)) if errors > 0 => _ = hook_panics::mark(context.to_raw()),
        Ok(Err(error)) => fail(error.to_string()),
        Err(panic) if panic.is::<Reported>() => _ = hook_panics::mark(context.to_raw()),
        Err(panic) => fail(format!(
            "{}: the rewrite of '{}' op panicked: {panic}",
            internal_error(),
            declaration.name(),
        )),
    }
    false
}

unsafe extern "C" fn verify_parameters(
    declaration: *const c_void,
    count: isize,
    parameters: *const MlirAttribute,
    report: MlirStringCallback,
    data: *mut c_void,
) -> bool {
    // SAFETY: C++ passes the registered pointer for a type or an attribute, and an array of
    // attributes.
    let (declaration, parameters) = unsafe {
        let declaration: &'static Parametric = &*declaration.cast();
        let parameters: Vec<_> = array(parameters, count)
            .iter()
            .map(|raw| {
                if raw.ptr.is_null() {
                    crate::untrusted::null_attribute()
                } else {
                    Attribute::from_raw(*raw)
                }
            })
            .collect();
        (declaration, parameters)
    };
    let hook = || {
        let (declared, verify) = match declaration {
            Parametric::Type(one) => (one.parameters, one.verify),
            Parametric::Attribute(one) => (one.parameters, one.verify),
        };
        constraints::verify_parameters(declared, verify, &parameters)
    };
    // SAFETY: The callback is callable with `data`.
    unsafe { reported(hook, report, data) }.is_some()
}
