//! Passes written in Rust, registered with MLIR by name.
//!
//! A pass is one [`PassDeclaration`]: its argument, summary, options, dependent
//! dialects and body stand together. Once registered it is a pass like any of
//! upstream's: `--pass-pipeline` finds it, `--help` prints it, timing, IR
//! printing and crash reproducers cover it.

use melior::{
    StringRef,
    ir::{Location, OperationRef, operation::OperationLike},
};
use mlir_sys::{MlirOperation, MlirStringRef, mlirEmitError};
use std::{
    ffi::{CString, c_void},
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Mutex, PoisonError},
};

/// An op that is anchored on nothing in particular accepts this anchor.
pub const ANY_OPERATION: &str = "";

/// A pass failed and has said why in a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PassFailure;

/// The type of an option's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub enum OptionKind {
    /// `true` or `false`.
    Bool = 0,
    /// A signed 64-bit number.
    Integer = 1,
    /// Any text.
    String = 2,
}

/// One option of a pass, written `{name=value}` in a pipeline.
#[derive(Clone, Copy, Debug)]
pub struct PassOption {
    /// The name in a pipeline, with hyphens between words.
    pub name: &'static str,
    /// One line for `--help`.
    pub description: &'static str,
    /// The value where none is given.
    pub default: &'static str,
    /// The type of the value.
    pub kind: OptionKind,
}

/// All that the registry, the documentation and the driver know of a pass.
#[derive(Clone, Copy, Debug)]
pub struct PassDeclaration {
    /// The name without leading dashes.
    pub argument: &'static str,
    /// One line for `--help`.
    pub summary: &'static str,
    /// The op that the pass runs on, or [`ANY_OPERATION`].
    pub anchor: &'static str,
    /// Dialects that the pass may create ops of.
    pub dependent_dialects: &'static [&'static str],
    /// Options, in the order in which [`PassInvocation`] finds them.
    pub options: &'static [PassOption],
    /// The body.
    pub run: fn(&PassInvocation) -> Result<(), PassFailure>,
}

/// One run of a pass: the op that it runs on and the values of its options.
pub struct PassInvocation<'c> {
    operation: OperationRef<'c, 'c>,
    declaration: &'static PassDeclaration,
    values: Vec<&'c str>,
}

impl<'c> PassInvocation<'c> {
    /// The op that the pass runs on.
    pub fn operation(&self) -> OperationRef<'c, 'c> {
        self.operation
    }

    /// The text of an option, or its default where the name is not declared.
    pub fn option(&self, name: &str) -> &str {
        self.declaration
            .options
            .iter()
            .position(|option| option.name == name)
            .and_then(|index| self.values.get(index).copied())
            .unwrap_or_default()
    }

    /// The value of a boolean option.
    pub fn flag(&self, name: &str) -> bool {
        self.option(name) == "true"
    }

    /// The value of an integer option.
    pub fn integer(&self, name: &str) -> i64 {
        self.option(name).parse().unwrap_or_default()
    }
}

/// Emits an error diagnostic at a location.
pub fn emit_error(location: Location, message: &str) {
    // An interior NUL would end the message early: it is made visible.
    if let Ok(text) = CString::new(message.replace('\0', "\\0")) {
        // SAFETY: The location is valid, and the text is NUL-terminated and
        // copied by the callee.
        unsafe { mlirEmitError(location.to_raw(), text.as_ptr()) }
    }
}

#[repr(C)]
struct RawOption {
    name: MlirStringRef,
    description: MlirStringRef,
    default_value: MlirStringRef,
    kind: OptionKind,
}

#[repr(C)]
struct RawDeclaration {
    pass: *const c_void,
    argument: MlirStringRef,
    summary: MlirStringRef,
    anchor: MlirStringRef,
    dependent_dialects: *const MlirStringRef,
    dependent_dialect_count: usize,
    options: *const RawOption,
    option_count: usize,
    run: extern "C" fn(*const c_void, MlirOperation, *const MlirStringRef) -> bool,
}

unsafe extern "C" {
    fn haloRegisterPass(declaration: *const RawDeclaration);
    fn haloRegisterPipeline(argument: MlirStringRef, summary: MlirStringRef, text: MlirStringRef);
    fn haloRegisterUpstreamPasses();
}

fn raw(text: &'static str) -> MlirStringRef {
    StringRef::new(text).to_raw()
}

/// A pass or a pipeline that is not upstream's, as help lists it.
#[derive(Clone, Copy, Debug)]
pub struct Registered {
    /// The name, as it stands on the command line behind `--`.
    pub argument: &'static str,
    pub summary: &'static str,
    pub options: &'static [PassOption],
    pub is_pipeline: bool,
}

static REGISTERED: Mutex<Vec<Registered>> = Mutex::new(Vec::new());

/// The passes and pipelines that were added, in the order in which they were.
pub fn registered() -> Vec<Registered> {
    REGISTERED
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .clone()
}

fn remember(registered: Registered) {
    let mut all = REGISTERED.lock().unwrap_or_else(PoisonError::into_inner);
    all.push(registered);
}

/// Adds every upstream pass and pipeline to the program-wide registry.
pub fn register_upstream_passes() {
    // SAFETY: Registration has no precondition; callers do it once.
    unsafe { haloRegisterUpstreamPasses() }
}

/// Adds a pass to the program-wide registry.
pub fn register_pass(declaration: &'static PassDeclaration) {
    remember(Registered {
        argument: declaration.argument,
        summary: declaration.summary,
        options: declaration.options,
        is_pipeline: false,
    });
    let dialects: &'static [MlirStringRef] = Box::leak(
        declaration
            .dependent_dialects
            .iter()
            .map(|name| raw(name))
            .collect(),
    );
    let options: &'static [RawOption] = Box::leak(
        declaration
            .options
            .iter()
            .map(|option| RawOption {
                name: raw(option.name),
                description: raw(option.description),
                default_value: raw(option.default),
                kind: option.kind,
            })
            .collect(),
    );
    let declaration: &'static RawDeclaration = Box::leak(Box::new(RawDeclaration {
        pass: std::ptr::from_ref(declaration).cast(),
        argument: raw(declaration.argument),
        summary: raw(declaration.summary),
        anchor: raw(declaration.anchor),
        dependent_dialects: dialects.as_ptr(),
        dependent_dialect_count: dialects.len(),
        options: options.as_ptr(),
        option_count: options.len(),
        run: run_pass,
    }));
    // SAFETY: The declaration and all that it points to are leaked, so they
    // live as long as the program.
    unsafe { haloRegisterPass(declaration) }
}

/// Adds a pipeline to the program-wide registry. `text` is in MLIR's pipeline
/// syntax, without the enclosing `builtin.module(...)`.
pub fn register_pipeline(argument: &'static str, summary: &'static str, text: &str) {
    remember(Registered {
        argument,
        summary,
        options: &[],
        is_pipeline: true,
    });
    // SAFETY: The callee copies the text; the other two are static.
    unsafe { haloRegisterPipeline(raw(argument), raw(summary), StringRef::new(text).to_raw()) }
}

/// What MLIR calls to run a pass: finds the declaration, and turns a panic into
/// a diagnostic, since none may cross into C++.
extern "C" fn run_pass(
    pass: *const c_void,
    operation: MlirOperation,
    values: *const MlirStringRef,
) -> bool {
    // SAFETY: The pointer was made from a `&'static PassDeclaration` in
    // `register_pass`.
    let declaration: &'static PassDeclaration = unsafe { &*pass.cast() };
    // SAFETY: MLIR hands over a valid op for the length of this call.
    let operation = unsafe { OperationRef::from_raw(operation) };
    let values = (0..declaration.options.len())
        .map(|index| {
            // SAFETY: There is one value for each declared option, valid for
            // the length of this call.
            let value = unsafe { *values.add(index) };
            // melior's reader relies on a last byte.
            if value.length == 0 {
                return "";
            }
            // SAFETY: As above.
            unsafe { StringRef::from_raw(value) }
                .as_str()
                .unwrap_or_default()
        })
        .collect();
    let invocation = PassInvocation {
        operation,
        declaration,
        values,
    };
    match catch_unwind(AssertUnwindSafe(|| (declaration.run)(&invocation))) {
        Ok(result) => result.is_ok(),
        Err(payload) => {
            emit_error(
                operation.location(),
                &format!(
                    "internal error in pass '{}': {}",
                    declaration.argument,
                    panic_message(payload.as_ref())
                ),
            );
            false
        }
    }
}

/// The text of a caught panic.
pub fn panic_message(payload: &(dyn std::any::Any + Send)) -> &str {
    payload
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("panic")
}
