//! Passes written in Rust, registered with MLIR by name.
//!
//! A pass is one [`PassDeclaration`]: its argument, summary, options, dependent
//! dialects and body stand together. Once registered it is a pass like any of
//! upstream's: `--pass-pipeline` finds it, `--help` prints it, timing, IR
//! printing and crash reproducers cover it.

use crate::{
    Builder, Operation, collect_operations,
    diagnostics::{self, append},
    graveyard, hook_panics,
    pipeline::Pipeline,
    with_builder,
};
use melior::{
    StringRef,
    ir::{Location, Module, OperationRef, operation::OperationLike},
};
use mlir_sys::{MlirContext, MlirOperation, MlirStringRef, mlirEmitError};
use std::{
    cell::Cell,
    ffi::{CString, c_void},
    fmt,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Mutex, Once, PoisonError},
};

/// An op that is anchored on nothing in particular accepts this anchor.
pub const ANY_OPERATION: &str = "";

/// A pass failed and has said why in a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PassFailure;

impl PassFailure {
    /// Reports an error of the compiler at an op; nothing where MLIR has reported an
    /// error in this pass, which is the reason.
    pub fn internal(operation: Operation, error: impl fmt::Display) -> Self {
        if diagnostics::has_reported_errors() {
            return Self;
        }
        emit_error(operation.location(), &format!("internal error: {error}"));
        Self
    }
}

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
    pub run: fn(&mut PassInvocation) -> Result<(), PassFailure>,
}

/// One run of a pass: the op that it runs on and the values of its options.
///
/// Handles to ops live as long as a borrow of it. Upstream's drivers, which free ops,
/// borrow it mutably, so that no handle lives across them.
pub struct PassInvocation<'c> {
    operation: OperationRef<'c, 'c>,
    declaration: &'static PassDeclaration,
    values: Vec<&'c str>,
}

impl PassInvocation<'_> {
    /// The op that the pass runs on.
    pub fn operation(&self) -> Operation<'_> {
        self.operation
    }

    /// Rewrites each op inside that of the pass for which a predicate holds, outer ones
    /// first, with a builder in front of it. The ops are listed before any is rewritten. The first
    /// error ends the pass, as an error of the compiler at the op.
    pub fn for_each<'a, E: fmt::Display>(
        &'a self,
        predicate: impl FnMut(Operation<'a>) -> bool,
        mut rewrite: impl FnMut(&Builder<'a>, Operation<'a>) -> Result<(), E>,
    ) -> Result<(), PassFailure> {
        for operation in collect_operations(self.operation(), predicate) {
            with_builder(operation, |builder| rewrite(builder, operation))
                .map_err(|error| PassFailure::internal(operation, error))?;
        }
        Ok(())
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
    fn haloIsRegistered(argument: MlirStringRef) -> bool;
    fn haloRunPipeline(
        operation: MlirOperation,
        pipeline: MlirStringRef,
        verify_each: bool,
        has_panicked: extern "C" fn(MlirContext) -> bool,
        say: unsafe extern "C" fn(MlirStringRef, *mut c_void),
        data: *mut c_void,
    ) -> i32;
    fn haloRegisterPass(declaration: *const RawDeclaration);
    fn haloRegisterPipeline(argument: MlirStringRef, summary: MlirStringRef, text: MlirStringRef);
    fn haloRegisterUpstreamPasses();
}

fn raw(text: &'static str) -> MlirStringRef {
    StringRef::new(text).to_raw()
}

/// A name is a pass's or a pipeline's already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AlreadyRegistered {
    /// The name, as it stands on the command line behind `--`.
    pub argument: &'static str,
}

impl fmt::Display for AlreadyRegistered {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        write!(
            formatter,
            "a pass or pipeline '{}' is registered already",
            self.argument
        )
    }
}

impl std::error::Error for AlreadyRegistered {}

/// Why a pipeline did not run to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PipelineError {
    /// A pass or an option of it is not known or not well formed, with the reason.
    NotParsed(String),
    /// A pass failed, by its name; diagnostics have said why.
    PassFailed(String),
    /// A pass left IR that is not valid, by its name, or by the pipeline in builds
    /// without debug assertions; diagnostics have said how.
    Invalid(String),
}

impl fmt::Display for PipelineError {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::NotParsed(reason) => formatter.write_str(reason.trim_end()),
            Self::PassFailed(pass) => write!(formatter, "pass '{pass}' failed"),
            Self::Invalid(pass) if VERIFY_EACH => {
                write!(formatter, "pass '{pass}' left invalid IR")
            }
            Self::Invalid(passes) => {
                write!(formatter, "a pass of '{passes}' left invalid IR")
            }
        }
    }
}

impl std::error::Error for PipelineError {}

/// Whether the verifier runs after each pass of a pipeline, or once at its end: it
/// takes a fifth of the time that a program takes to compile where it runs each time.
const VERIFY_EACH: bool = cfg!(debug_assertions);

/// Runs a pipeline on a module, in one thread: a pass that runs on functions may look at
/// other functions. `text` is in MLIR's pipeline syntax, without the enclosing
/// `builtin.module(...)`. The verifier runs after each pass in builds with
/// debug assertions, and at the end of the pipeline in all others.
///
/// # Errors
/// Where the text is not a pipeline, or a pass fails or leaves invalid IR. The
/// module is then as that pass left it.
pub fn run_pipeline(module: &mut Module, text: &str) -> Result<(), PipelineError> {
    let mut said: Vec<u8> = Vec::new();
    let root = module.as_operation().to_raw();
    // SAFETY: The op is valid.
    let context = unsafe { mlir_sys::mlirOperationGetContext(root) };
    // SAFETY: The module is valid and borrowed alone; the callback gets the vector
    // that it expects.
    let outcome = hook_panics::counting(context, || unsafe {
        haloRunPipeline(
            root,
            StringRef::new(text).to_raw(),
            VERIFY_EACH,
            hook_panics::has_panicked,
            append,
            (&raw mut said).cast(),
        )
    });
    let said = String::from_utf8_lossy(&said).into_owned();
    match outcome {
        0 => Ok(()),
        1 => Err(PipelineError::NotParsed(said)),
        2 => Err(PipelineError::PassFailed(said)),
        _ => Err(PipelineError::Invalid(said)),
    }
}

/// A pass or a pipeline that is not upstream's, as help lists it.
#[derive(Clone, Copy, Debug)]
pub struct Registered {
    /// The name, as it stands on the command line behind `--`.
    pub argument: &'static str,
    pub summary: &'static str,
    pub options: &'static [PassOption],
    pub is_pipeline: bool,
    /// The declaration of a pass.
    pub declaration: Option<&'static PassDeclaration>,
}

static REGISTERED: Mutex<Vec<Registered>> = Mutex::new(Vec::new());

/// The passes and pipelines that were added, in the order in which they were.
pub fn registered() -> Vec<Registered> {
    REGISTERED
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .clone()
}

/// Whether a pass or a pipeline has a name, upstream's included.
pub fn is_registered(argument: &str) -> bool {
    register_upstream_passes();
    // SAFETY: The text is valid; the registry is read.
    unsafe { haloIsRegistered(StringRef::new(argument).to_raw()) }
}

/// Takes a name for a pass or a pipeline, where nothing has it, upstream's included.
fn claim(registered: Registered) -> Result<(), AlreadyRegistered> {
    let argument = registered.argument;
    let is_upstream = is_registered(argument);
    let mut all = REGISTERED.lock().unwrap_or_else(PoisonError::into_inner);
    if is_upstream || all.iter().any(|other| other.argument == argument) {
        return Err(AlreadyRegistered { argument });
    }
    all.push(registered);
    Ok(())
}

/// Adds every upstream pass and pipeline to the program-wide registry, once.
pub fn register_upstream_passes() {
    static ONCE: Once = Once::new();
    // SAFETY: Registration has no precondition but to be done once.
    ONCE.call_once(|| unsafe { haloRegisterUpstreamPasses() });
}

/// Adds a pass to the program-wide registry.
///
/// # Errors
/// Where a pass or a pipeline has its name.
pub fn register_pass(declaration: &'static PassDeclaration) -> Result<(), AlreadyRegistered> {
    claim(Registered {
        argument: declaration.argument,
        summary: declaration.summary,
        options: declaration.options,
        is_pipeline: false,
        declaration: Some(declaration),
    })?;
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
    Ok(())
}

/// Adds a pipeline to the program-wide registry.
///
/// # Errors
/// Where a pass or a pipeline has its name.
pub fn register_pipeline(
    argument: &'static str,
    summary: &'static str,
    pipeline: &Pipeline,
) -> Result<(), AlreadyRegistered> {
    claim(Registered {
        argument,
        summary,
        options: &[],
        is_pipeline: true,
        declaration: None,
    })?;
    let text = pipeline.to_string();
    // SAFETY: The callee copies the text; the other two are static.
    unsafe { haloRegisterPipeline(raw(argument), raw(summary), StringRef::new(&text).to_raw()) }
    Ok(())
}

thread_local! {
    static RUNNING: Cell<Option<&'static str>> = const { Cell::new(None) };
}

/// The payload of an unwinding that is not a panic: the program is wrong, and the error
/// is reported already.
pub(crate) struct Reported;

/// Runs a function while a pass of a name runs on this thread.
fn while_running<T>(pass: &'static str, function: impl FnOnce() -> T) -> T {
    struct Restore(Option<&'static str>);
    impl Drop for Restore {
        fn drop(&mut self) {
            RUNNING.set(self.0);
        }
    }
    let _restore = Restore(RUNNING.replace(Some(pass)));
    function()
}

/// How a message about a panic begins: with the pass of Halo that runs on this thread.
pub(crate) fn internal_error() -> String {
    match RUNNING.get() {
        Some(pass) => format!("internal error in pass '{pass}'"),
        None => "internal error".to_owned(),
    }
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
    let context = crate::context_of(operation);
    let ((outcome, stale), said) = diagnostics::counting_errors(context, || {
        graveyard::owning(context.to_raw(), Some(operation), || {
            let mut invocation = PassInvocation {
                operation,
                declaration,
                values,
            };
            let run = AssertUnwindSafe(|| (declaration.run)(&mut invocation));
            while_running(declaration.argument, || catch_unwind(run))
        })
    });
    if let Some(location) = stale {
        let pass = declaration.argument;
        let message = format!(
            "internal error in pass '{pass}': the op uses a value or block that was erased"
        );
        emit_error(location, &message);
        return false;
    }
    match outcome {
        Ok(Ok(())) => true,
        Ok(Err(PassFailure)) => {
            if said == 0 {
                let pass = declaration.argument;
                let message = format!("pass '{pass}' failed and did not say why");
                emit_error(operation.location(), &message);
            }
            false
        }
        Err(payload) if payload.is::<Reported>() => false,
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
