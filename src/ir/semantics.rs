//! The functions that define the semantics of the dialects' ops.
//!
//! MLIR calls an op's verifier and folder from C++. They only call the hooks installed here, so
//! that shapes, bodies and constants are checked by Rust code that can be compared with the
//! specification. Without hooks, ops are checked against their TableGen definitions and nothing
//! folds.

use std::{cell::Cell, ffi::c_void, slice, sync::OnceLock};

use halo_core::panics;
use melior::{
    Context, StringRef,
    ir::{
        Attribute, AttributeLike, RegionRef, Type, TypeLike, Value, ValueLike,
        operation::OperationRef,
    },
};
use mlir_sys::{
    MlirAttribute, MlirContext, MlirOperation, MlirRegion, MlirStringCallback, MlirStringRef,
    MlirType, MlirValue,
};

use crate::{
    graveyard::read_only,
    handles::context_from_raw,
    hook_panics,
    operation::OperationExt,
    pass::failure::internal_error,
    stablehlo::attributes::{DotAlgorithm, RawDotAlgorithm},
    validity,
};

/// The reason for which an op is invalid. The reported message begins with the op's name, at the
/// op's location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifyError {
    pub message: String,
}

impl VerifyError {
    pub fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
        }
    }
}

impl<T: Into<String>> From<T> for VerifyError {
    fn from(message: T) -> Self {
        Self::new(message)
    }
}

/// The folded value of one result of an op.
#[derive(Clone, Copy, Debug)]
pub enum FoldResult<'c, 'a> {
    /// A constant, which the dialect materializes as an op.
    Attribute(Attribute<'c>),
    /// An existing value.
    Value(Value<'c, 'a>),
}

/// Judges one op.
pub type Verify = for<'c, 'a> fn(OperationRef<'c, 'a>) -> Result<(), VerifyError>;

/// Folds one op, given the constants among its operands. The result has an entry for each result of
/// the op; `None` does not fold.
pub type Fold =
    for<'c> fn(OperationRef<'c, 'c>, &[Option<Attribute<'c>>]) -> Option<Vec<FoldResult<'c, 'c>>>;

/// An op that does not exist yet: the inputs of result type inference.
#[derive(Clone, Debug)]
pub struct OpParts<'c> {
    pub context: &'c Context,
    /// The name, such as `stablehlo.add`.
    pub name: &'c str,
    pub operands: Vec<Value<'c, 'c>>,
    /// A dictionary of all attributes.
    pub attributes: Option<Attribute<'c>>,
    pub regions: Vec<RegionRef<'c, 'c>>,
}

/// Infers the types of the results of an op.
pub type Infer = for<'c> fn(&'c OpParts<'c>) -> Result<Vec<Type<'c>>, VerifyError>;

/// Judges `#stablehlo.dot_algorithm`.
#[doc(hidden)]
pub type VerifyDotAlgorithm = for<'c> fn(&DotAlgorithm<'c>) -> Result<(), VerifyError>;

/// Whether an op may be executed speculatively: before a loop that runs no iteration, say.
/// Independent of effects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speculatability {
    NotSpeculatable,
    Speculatable,
    /// If the ops in its regions may.
    RecursivelySpeculatable,
}

/// Returns whether an op, which need not be verified, may be speculated.
pub type Speculate = for<'c, 'a> fn(OperationRef<'c, 'a>) -> Speculatability;

/// The op or value that an attribute is attached to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(hidden)]
pub enum Bearer {
    Operation,
    /// The argument of a function, by its number.
    Argument(usize),
    /// The result of a function, by its number.
    Result(usize),
}

/// Verifies a discardable attribute.
#[doc(hidden)]
pub type VerifyAttribute =
    for<'c, 'a> fn(OperationRef<'c, 'a>, Bearer, &str, Attribute<'c>) -> Result<(), VerifyError>;

/// Verifies the op that the symbol in an op names; `None` if it does not exist.
#[doc(hidden)]
pub type VerifyCallee =
    for<'c, 'a> fn(OperationRef<'c, 'a>, Option<OperationRef<'c, 'a>>) -> Result<(), VerifyError>;

/// The semantics of all ops of `stablehlo`, `chlo`, `check`, `interpreter` and
/// `halo`.
///
/// Each function gets every op of the dialects and dispatches on its name. Hooks are called from
/// any thread, several at a time. A panic becomes an error at the op: in verifiers and type
/// inference by MLIR's error handling, in others by the failure of the calling pass.
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
pub struct SemanticsHooks {
    /// Verifies an op that satisfies the constraints of its TableGen definition. The hook may read
    /// the op, the types inside, which are not verified yet, and the definitions of the operands,
    /// but not symbols.
    pub verify: Verify,
    /// Judges the symbols that an op names; called for ops that may name some.
    pub verify_symbol_uses: Verify,
    pub fold: Fold,
    /// Infers the types of the results of an op that is being built.
    pub infer: Infer,
    /// Verifies a dot algorithm that is being created.
    pub verify_dot_algorithm: VerifyDotAlgorithm,
    /// Returns which ops may be speculated; called for ops of `stablehlo`.
    pub speculate: Speculate,
    /// Judges attributes of the names `halo.<...>` on ops of any dialect, and on
    /// arguments and results of functions.
    pub verify_attribute: VerifyAttribute,
    /// Judges the callees of ops of `halo`.
    pub verify_callee: VerifyCallee,
}

impl Default for SemanticsHooks {
    /// Hooks that accept every op, fold none, infer nothing and allow no speculation.
    fn default() -> Self {
        Self {
            verify: |_| Ok(()),
            verify_symbol_uses: |_| Ok(()),
            fold: |_, _| None,
            infer: |_| Err(VerifyError::new("has no type inference")),
            verify_dot_algorithm: |_| Ok(()),
            speculate: |_| Speculatability::NotSpeculatable,
            verify_attribute: |_, _, _, _| Ok(()),
            verify_callee: |_, _| Ok(()),
        }
    }
}

/// Other hooks were installed before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(hidden)]
pub struct AlreadyInstalled;

impl std::fmt::Display for AlreadyInstalled {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("the semantics of the dialects were already installed")
    }
}

impl std::error::Error for AlreadyInstalled {}

/// Installs the hooks for the whole process. Call it once, before the first
/// context is made.
#[doc(hidden)]
pub fn install_hooks(hooks: SemanticsHooks) -> Result<(), AlreadyInstalled> {
    HOOKS.set(hooks).map_err(|_| AlreadyInstalled)?;
    let raw = RawHooks {
        verify: Some(verify),
        verify_symbol_uses: Some(verify_symbol_uses),
        fold: Some(fold),
        infer: Some(infer),
        verify_dot_algorithm: Some(verify_dot_algorithm),
        speculate: Some(speculate),
        verify_attribute: Some(verify_attribute),
        verify_callee: Some(verify_callee),
    };
    // SAFETY: the function copies the pointers, which are to functions of
    // the types that Hooks.h declares.
    unsafe { haloSetSemanticsHooks(&raw) };
    Ok(())
}

static HOOKS: OnceLock<SemanticsHooks> = OnceLock::new();

thread_local! {
    static FOLDING_SUSPENDED: Cell<bool> = const { Cell::new(false) };
}

/// Runs a function while folding of the dialects' ops is disabled on this thread: for rewrites
/// whose patterns decide about folding. Ops of other dialects fold.
#[doc(hidden)]
pub fn without_folding<T>(function: impl FnOnce() -> T) -> T {
    struct Restore(bool);
    impl Drop for Restore {
        fn drop(&mut self) {
            FOLDING_SUSPENDED.set(self.0);
        }
    }
    let _restore = Restore(FOLDING_SUSPENDED.replace(true));
    function()
}

/// `HaloVerifyHook` of Hooks.h.
type RawVerifyHook = unsafe extern "C" fn(MlirOperation, MlirStringCallback, *mut c_void) -> bool;

/// `HaloFoldResultCallback` of Hooks.h.
pub(crate) type RawFoldResult = unsafe extern "C" fn(MlirAttribute, MlirValue, *mut c_void);

/// `HaloFoldHook` of Hooks.h.
type RawFoldHook = unsafe extern "C" fn(
    MlirOperation,
    isize,
    *const MlirAttribute,
    RawFoldResult,
    *mut c_void,
) -> bool;

/// `HaloOpParts` of Hooks.h.
#[repr(C)]
pub(crate) struct RawOpParts {
    context: MlirContext,
    name: MlirStringRef,
    operand_count: isize,
    operands: *const MlirValue,
    attributes: MlirAttribute,
    region_count: isize,
    regions: *const MlirRegion,
}

/// `HaloTypeCallback` of Hooks.h.
pub(crate) type RawTypeCallback = unsafe extern "C" fn(MlirType, *mut c_void);

/// `HaloInferHook` of Hooks.h.
type RawInferHook = unsafe extern "C" fn(
    *const RawOpParts,
    RawTypeCallback,
    *mut c_void,
    MlirStringCallback,
    *mut c_void,
) -> bool;

/// `HaloVerifyDotAlgorithmHook` of Hooks.h.
type RawVerifyDotAlgorithmHook =
    unsafe extern "C" fn(*const RawDotAlgorithm, MlirStringCallback, *mut c_void) -> bool;

/// `HaloSpeculatability` of Hooks.h.
type RawSpeculatability = i32;
const NOT_SPECULATABLE: RawSpeculatability = 0;
const SPECULATABLE: RawSpeculatability = 1;
const RECURSIVELY_SPECULATABLE: RawSpeculatability = 2;

/// `HaloSpeculateHook` of Hooks.h.
type RawSpeculateHook = unsafe extern "C" fn(MlirOperation) -> RawSpeculatability;

/// `HaloAttributeBearer` of Hooks.h.
type RawBearer = i32;
const ON_ARGUMENT: RawBearer = 1;
const ON_RESULT: RawBearer = 2;

/// `HaloVerifyAttributeHook` of Hooks.h.
type RawVerifyAttributeHook = unsafe extern "C" fn(
    MlirOperation,
    RawBearer,
    isize,
    MlirStringRef,
    MlirAttribute,
    MlirStringCallback,
    *mut c_void,
) -> bool;

/// `HaloVerifyCalleeHook` of Hooks.h.
type RawVerifyCalleeHook =
    unsafe extern "C" fn(MlirOperation, MlirOperation, MlirStringCallback, *mut c_void) -> bool;

/// `HaloSemanticsHooks` of Hooks.h.
#[repr(C)]
struct RawHooks {
    verify: Option<RawVerifyHook>,
    verify_symbol_uses: Option<RawVerifyHook>,
    fold: Option<RawFoldHook>,
    infer: Option<RawInferHook>,
    verify_dot_algorithm: Option<RawVerifyDotAlgorithmHook>,
    speculate: Option<RawSpeculateHook>,
    verify_attribute: Option<RawVerifyAttributeHook>,
    verify_callee: Option<RawVerifyCalleeHook>,
}

unsafe extern "C" {
    fn haloSetSemanticsHooks(hooks: *const RawHooks);
    fn haloGetSpeculatability(op: MlirOperation, result: *mut RawSpeculatability) -> bool;
}

unsafe extern "C" fn verify(
    op: MlirOperation,
    report: MlirStringCallback,
    data: *mut c_void,
) -> bool {
    // SAFETY: the arguments are forwarded from this function's caller.
    unsafe { call_verify(|hooks| hooks.verify, op, report, data) }
}

unsafe extern "C" fn verify_symbol_uses(
    op: MlirOperation,
    report: MlirStringCallback,
    data: *mut c_void,
) -> bool {
    // SAFETY: the arguments are forwarded from this function's caller.
    unsafe { call_verify(|hooks| hooks.verify_symbol_uses, op, report, data) }
}

/// # Safety
///
/// `op` must be alive during the call, and `report` callable with `data`.
unsafe fn call_verify(
    choose: fn(&SemanticsHooks) -> Verify,
    op: MlirOperation,
    report: MlirStringCallback,
    data: *mut c_void,
) -> bool {
    let Some(hooks) = HOOKS.get() else {
        return true;
    };
    // SAFETY: the op is alive during the call, and the hook cannot keep it.
    let op = unsafe { OperationRef::from_raw(op) };
    // SAFETY: the callback is callable with `data`.
    unsafe { reported(|| choose(hooks)(op), report, data) }.is_some()
}

unsafe extern "C" fn verify_attribute(
    op: MlirOperation,
    bearer: RawBearer,
    number: isize,
    name: MlirStringRef,
    attribute: MlirAttribute,
    report: MlirStringCallback,
    data: *mut c_void,
) -> bool {
    let Some(hooks) = HOOKS.get() else {
        return true;
    };
    let number = number.unsigned_abs();
    let bearer = match bearer {
        ON_ARGUMENT => Bearer::Argument(number),
        ON_RESULT => Bearer::Result(number),
        _ => Bearer::Operation,
    };
    // SAFETY: the caller passes a live op, which the hook cannot keep, a name and an attribute of
    // its context, and a callback with matching `data`.
    unsafe {
        let op = OperationRef::from_raw(op);
        let name = StringRef::from_raw(name);
        let attribute = Attribute::from_raw(attribute);
        let name = name.as_str().unwrap_or_default();
        let hook = || (hooks.verify_attribute)(op, bearer, name, attribute);
        reported(hook, report, data).is_some()
    }
}

unsafe extern "C" fn verify_callee(
    op: MlirOperation,
    callee: MlirOperation,
    report: MlirStringCallback,
    data: *mut c_void,
) -> bool {
    let Some(hooks) = HOOKS.get() else {
        return true;
    };
    // SAFETY: the caller passes live ops, which the hook cannot keep, and a callback with matching
    // `data`.
    unsafe {
        let op = OperationRef::from_raw(op);
        let callee = (!callee.ptr.is_null()).then(|| OperationRef::from_raw(callee));
        reported(|| (hooks.verify_callee)(op, callee), report, data).is_some()
    }
}

/// Runs a hook; its errors and panics are passed to the callback.
///
/// # Safety
///
/// `report` must be callable with `data`.
pub(crate) unsafe fn reported<T>(
    hook: impl FnOnce() -> Result<T, VerifyError>,
    report: MlirStringCallback,
    data: *mut c_void,
) -> Option<T> {
    let message = match panics::catch(|| read_only(hook)) {
        Ok(Ok(value)) => return Some(value),
        Ok(Err(error)) => error.message,
        Err(panic) => format!("{}: {panic}", internal_error()),
    };
    if let Some(report) = report {
        let text = MlirStringRef {
            data: message.as_ptr().cast(),
            length: message.len(),
        };
        // SAFETY: the callback copies the text before it returns.
        unsafe { report(text, data) };
    }
    None
}

unsafe extern "C" fn infer(
    parts: *const RawOpParts,
    append: RawTypeCallback,
    types: *mut c_void,
    report: MlirStringCallback,
    data: *mut c_void,
) -> bool {
    let Some(hooks) = HOOKS.get() else {
        return false;
    };
    // SAFETY: the caller passes valid parts.
    let parts = unsafe { parts_from_raw(parts) };
    // SAFETY: the callback is callable with `data`.
    let Some(inferred) = (unsafe { reported(|| (hooks.infer)(&parts), report, data) }) else {
        return false;
    };
    for ty in inferred {
        // SAFETY: the callback appends to the list that `types` is.
        unsafe { append(ty.to_raw(), types) };
    }
    true
}

/// # Safety
///
/// The parts must be valid during the call that they are passed to: handles, and arrays of the
/// given lengths.
pub(crate) unsafe fn parts_from_raw<'c>(parts: *const RawOpParts) -> OpParts<'c> {
    // SAFETY: as above.
    unsafe {
        let raw = &*parts;
        OpParts {
            context: context_from_raw(raw.context),
            name: StringRef::from_raw(raw.name).as_str().unwrap_or_default(),
            operands: array(raw.operands, raw.operand_count)
                .iter()
                .map(|operand| Value::from_raw(*operand))
                .collect(),
            attributes: (!raw.attributes.ptr.is_null())
                .then(|| Attribute::from_raw(raw.attributes)),
            regions: array(raw.regions, raw.region_count)
                .iter()
                .map(|region| RegionRef::from_raw(*region))
                .collect(),
        }
    }
}

/// # Safety
///
/// There must be `count` elements at `data`.
pub(crate) unsafe fn array<'a, T>(data: *const T, count: isize) -> &'a [T] {
    match usize::try_from(count) {
        // SAFETY: the caller passes an array of that many elements.
        Ok(count) if count > 0 => unsafe { slice::from_raw_parts(data, count) },
        _ => &[],
    }
}

unsafe extern "C" fn verify_dot_algorithm(
    algorithm: *const RawDotAlgorithm,
    report: MlirStringCallback,
    data: *mut c_void,
) -> bool {
    let Some(hooks) = HOOKS.get() else {
        return true;
    };
    // SAFETY: the caller passes a valid struct of valid types, and a callback with matching `data`.
    unsafe {
        let algorithm = DotAlgorithm::from_raw(&*algorithm);
        reported(|| (hooks.verify_dot_algorithm)(&algorithm), report, data).is_some()
    }
}

unsafe extern "C" fn fold(
    op: MlirOperation,
    count: isize,
    operands: *const MlirAttribute,
    report: RawFoldResult,
    data: *mut c_void,
) -> bool {
    let Some(hooks) = HOOKS.get().filter(|_| !FOLDING_SUSPENDED.get()) else {
        return false;
    };
    // SAFETY: the caller passes a live op, which the hook cannot keep, an array of that many
    // attributes, and a callback with matching `data`.
    unsafe { folded_by(hooks.fold, op, array(operands, count), report, data) }
}

/// Folds an op by a hook, on attributes that are null for operands that are not constant. Passes
/// the results to a callback, and returns true if there are any.
///
/// # Safety
///
/// The op and the attributes must be alive, and the callback callable with `data`.
pub(crate) unsafe fn folded_by(
    fold: Fold,
    op: MlirOperation,
    operands: &[MlirAttribute],
    report: RawFoldResult,
    data: *mut c_void,
) -> bool {
    // SAFETY: the caller guarantees it.
    let op = unsafe { OperationRef::from_raw(op) };
    let constants: Vec<_> = operands
        .iter()
        .map(|raw| {
            (!raw.ptr.is_null()).then(|| {
                // SAFETY: the attribute is not null, and lives as long as the context of the op.
                unsafe { Attribute::from_raw(*raw) }
            })
        })
        .collect();
    let folded = panics::catch(|| read_only(|| fold(op, &constants)));
    let results = match folded {
        Ok(Some(results)) => results,
        Ok(None) => return false,
        Err(panic) => {
            hook_panics::report(op, "the folder", &panic);
            return false;
        }
    };
    let null = std::ptr::null();
    let context = op.context();
    for result in results {
        let (attribute, value, owner) = match result {
            FoldResult::Attribute(attribute) => {
                let owner = validity::context_of_attribute(attribute);
                (attribute.to_raw(), MlirValue { ptr: null }, owner)
            }
            FoldResult::Value(value) => {
                let owner = validity::context_of_value(value);
                (MlirAttribute { ptr: null }, value.to_raw(), Some(owner))
            }
        };
        if !owner.is_some_and(|owner| validity::is_of(context, owner)) {
            let message = "a result is of another context".to_owned();
            hook_panics::report(op, "the folder", &message);
            return false;
        }
        // SAFETY: the callback appends to the list that `data` is.
        unsafe { report(attribute, value, data) };
    }
    true
}

unsafe extern "C" fn speculate(op: MlirOperation) -> RawSpeculatability {
    let Some(hooks) = HOOKS.get() else {
        return NOT_SPECULATABLE;
    };
    // SAFETY: the op is alive during the call, and the hook cannot keep it.
    let op = unsafe { OperationRef::from_raw(op) };
    match panics::catch(|| read_only(|| (hooks.speculate)(op))) {
        Ok(Speculatability::Speculatable) => SPECULATABLE,
        Ok(Speculatability::RecursivelySpeculatable) => RECURSIVELY_SPECULATABLE,
        Ok(Speculatability::NotSpeculatable) => NOT_SPECULATABLE,
        Err(panic) => {
            hook_panics::report(op, "the rule for speculation", &panic);
            NOT_SPECULATABLE
        }
    }
}

/// Whether MLIR may speculate an op of any dialect; `None` if the op does not implement the
/// interface, which MLIR treats as not speculatable.
pub fn speculatability_of(op: OperationRef) -> Option<Speculatability> {
    let mut result = NOT_SPECULATABLE;
    // SAFETY: the op is alive, and the function writes to the variable only.
    let says = unsafe { haloGetSpeculatability(op.to_raw(), &mut result) };
    says.then_some(match result {
        SPECULATABLE => Speculatability::Speculatable,
        RECURSIVELY_SPECULATABLE => Speculatability::RecursivelySpeculatable,
        _ => Speculatability::NotSpeculatable,
    })
}
