//! Passes written in Rust, registered with MLIR by name.
//!
//! A pass is one [`PassDeclaration`]: its argument, summary, options, dependent dialects and
//! function are declared together. Once registered it is a pass like any of upstream's:
//! `--pass-pipeline` finds it, `--help` prints it, timing, IR printing and crash reproducers cover
//! it.
//!
//! ```
//! use halo_ir::{pass::Statistic, prelude::*};
//!
//! static ADDITIONS: Statistic = Statistic::new("num-additions", "Additions of integers");
//!
//! static COUNT: PassDeclaration =
//!     PassDeclaration::new("count-additions", "Count the additions of each function", |pass| {
//!         let found = pass.operation().collect_nested(|op| op.isa::<arith::AddIOp>());
//!         pass.count(&ADDITIONS, found.len() as u64);
//!         if let [first, .., last] = found[..] {
//!             pass.remark(first, "the first addition").note(last, "the last one");
//!         }
//!         pass.preserve_all();
//!         Ok(())
//!     })
//!     .on::<func::FuncOp>()
//!     .statistics(&[&ADDITIONS]);
//!
//! assert_eq!(COUNT.anchor, "func.func");
//! ```

mod analysis;
pub(crate) mod failure;
mod list;
mod options;
mod statistics;

pub use analysis::Analysis;
pub use failure::{PassFailure, emit_error};
#[doc(hidden)]
pub use list::{Description, Listed, all_passes, describe_pass};
pub use options::{OptionKind, OptionType, PassOption, PassOptions};
#[doc(hidden)]
pub use options::{default_options, hyphenated};
pub(crate) use statistics::report as report_statistics;
pub use statistics::{Count, Statistic, counts};

use crate::{
    build_error::Reported,
    builder::Builder,
    diagnostics::{self, Place, Report, Severity, append},
    edit::with_builder,
    graveyard::{self, bug},
    handles::Operation,
    hook_panics,
    operation::OperationExt,
    ops::definition::Op,
    outcome::Outcome,
    pass::failure::while_running,
    pipeline::Pipeline,
    rewrite::fuel,
    template, upstream,
};
use halo_core::panics;
use melior::{
    StringRef,
    ir::{Module, OperationRef},
};
use mlir_sys::{MlirContext, MlirOperation, MlirStringCallback, MlirStringRef};
use std::{
    any::type_name_of_val,
    ffi::c_void,
    fmt,
    sync::{Arc, Mutex, PoisonError},
};

/// The anchor of passes that run on any op.
pub const ANY_OPERATION: &str = "";

/// The function of a pass.
pub type RunPass = fn(&mut PassInvocation) -> Result<(), PassFailure>;

/// The declaration of a pass, for the registry, the documentation and the driver.
///
/// Created by [`new`](Self::new), with builder methods for optional properties.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct PassDeclaration {
    /// The name without leading dashes.
    pub argument: &'static str,
    /// One line for `--help`.
    pub summary: &'static str,
    /// The op that the pass runs on, or [`ANY_OPERATION`].
    pub anchor: &'static str,
    /// Dialects that the pass may create ops of.
    pub dependent_dialects: &'static [&'static str],
    /// Options, in the order of the fields of their struct.
    pub options: &'static [PassOption],
    /// The statistics of the pass.
    pub statistics: &'static [&'static Statistic],
    /// The file that declares the pass, as passed to the compiler.
    pub file: &'static str,
    /// The text of that file, if its documentation should be shown; empty in Halo, which collects
    /// the documentation of its passes.
    pub source: &'static str,
    /// The body.
    pub run: RunPass,
}

impl PassDeclaration {
    /// A pass that runs on any op, without options.
    #[track_caller]
    pub const fn new(argument: &'static str, summary: &'static str, run: RunPass) -> Self {
        Self {
            argument,
            summary,
            anchor: ANY_OPERATION,
            dependent_dialects: &[],
            options: &[],
            statistics: &[],
            file: std::panic::Location::caller().file(),
            source: "",
            run,
        }
    }

    /// The pass on ops of a type only.
    #[must_use]
    pub const fn on<'c, O: Op<'c>>(self) -> Self {
        self.on_op(O::NAME)
    }

    /// The pass on ops of a name only.
    #[must_use]
    pub const fn on_op(self, anchor: &'static str) -> Self {
        Self { anchor, ..self }
    }

    /// The dialects of ops that the pass may create and that its input need not contain.
    #[must_use]
    pub const fn dependent_dialects(self, dependent_dialects: &'static [&'static str]) -> Self {
        Self {
            dependent_dialects,
            ..self
        }
    }

    /// The options of the pass.
    #[must_use]
    pub const fn options<O: PassOptions>(self) -> Self {
        Self {
            options: O::DECLARED,
            ..self
        }
    }

    /// The text of the file that declares the pass, `include_str!("fold.rs")`, whose
    /// documentation `--explain-pass=` shows.
    #[must_use]
    pub const fn source(self, source: &'static str) -> Self {
        Self { source, ..self }
    }

    /// The statistics that the pass counts by [`PassInvocation::count`].
    #[must_use]
    pub const fn statistics(self, statistics: &'static [&'static Statistic]) -> Self {
        Self { statistics, ..self }
    }
}

/// One run of a pass: the op that it runs on and the values of its options.
///
/// Handles to ops live as long as a borrow of it. Upstream's drivers, which free ops, borrow it
/// mutably, so that no handle lives across them.
pub struct PassInvocation<'c> {
    operation: OperationRef<'c, 'c>,
    declaration: &'static PassDeclaration,
    values: Vec<&'c str>,
    /// The C++ side of the run.
    run: *mut c_void,
}

impl PassInvocation<'_> {
    /// The op that the pass runs on.
    pub fn operation(&self) -> Operation<'_> {
        self.operation
    }

    /// Rewrites each op inside the pass's op for which a predicate holds, outer ones first, with a
    /// builder before it. The ops are listed before any is rewritten. The first error ends the
    /// pass, as an error of the compiler at the op.
    pub fn for_each<'a, R: Outcome<(), Failure: fmt::Display>>(
        &'a self,
        predicate: impl FnMut(Operation<'a>) -> bool,
        mut rewrite: impl FnMut(&Builder<'a>, Operation<'a>) -> R,
    ) -> Result<(), PassFailure> {
        let rule = type_name_of_val(&rewrite);
        for operation in self.operation().collect_nested(predicate) {
            let apply = || with_builder(operation, |b| rewrite(b, operation).into_result());
            if let Some(result) = fuel::apply(rule, operation, apply, |_| true) {
                result.map_err(|error| PassFailure::internal(operation, error))?;
            }
        }
        Ok(())
    }

    /// The values of the options that the pass declares.
    ///
    /// # Panics
    /// Panics if the pass declares others, or a default of them is not a value.
    #[track_caller]
    pub fn options<O: PassOptions>(&self) -> O {
        let pass = self.declaration.argument;
        let names = |options: &'static [PassOption]| options.iter().map(|option| option.name);
        if !names(self.declaration.options).eq(names(O::DECLARED)) {
            let options = std::any::type_name::<O>();
            bug(format_args!("pass '{pass}' does not declare '{options}'"));
        }
        match O::parse(&self.values) {
            Some(options) => options,
            None => bug(format_args!("a default of pass '{pass}' is not a value")),
        }
    }

    /// Reports an error at an op, a value or a location. It converts to the error of the pass:
    /// `return Err(pass.error(op, "...").into())`.
    pub fn error<'a>(&self, place: impl Place<'a>, message: impl Into<String>) -> Report<'a> {
        Report::new(Severity::Error, place, message)
    }

    /// Reports a likely mistake in the program. The pass continues.
    pub fn warning<'a>(&self, place: impl Place<'a>, message: impl Into<String>) -> Report<'a> {
        Report::new(Severity::Warning, place, message)
    }

    /// Reports information about a decision of the pass. The pass continues.
    pub fn remark<'a>(&self, place: impl Place<'a>, message: impl Into<String>) -> Report<'a> {
        Report::new(Severity::Remark, place, message)
    }

    /// Adds to a statistic of the pass, which `--mlir-pass-statistics` shows.
    ///
    /// # Panics
    /// Panics if the pass does not declare the statistic.
    #[track_caller]
    pub fn count(&self, statistic: &Statistic, number: u64) {
        let pass = self.declaration.argument;
        if !self.declaration.statistics.contains(&statistic) {
            let name = statistic.name;
            bug(format_args!(
                "pass '{pass}' does not declare statistic '{name}'"
            ));
        }
        statistics::add(pass, *statistic, number);
    }

    /// The analysis of the op that the pass runs on: the one that an earlier pass computed and all
    /// later ones preserved, or a new one.
    ///
    /// ```
    /// use halo_ir::{pass::Analysis, prelude::*};
    ///
    /// struct Size(usize);
    ///
    /// impl Analysis for Size {
    ///     fn of(operation: Operation) -> Self {
    ///         Self(operation.collect_nested(|_| true).len())
    ///     }
    /// }
    ///
    /// static REPORT: PassDeclaration =
    ///     PassDeclaration::new("report-size", "Report the number of ops", |pass| {
    ///         let size = pass.analysis::<Size>();
    ///         pass.remark(pass.operation(), format!("{} ops", size.0));
    ///         pass.preserve::<Size>();
    ///         Ok(())
    ///     });
    /// # let _ = REPORT;
    /// ```
    pub fn analysis<A: Analysis>(&self) -> Arc<A> {
        // SAFETY: The pass is running while its invocation is borrowed.
        unsafe { analysis::find_or_compute(self.run, self.operation()) }
    }

    /// Marks the analyses of a type as preserved, for the op of the pass and all ops in it.
    /// Analyses that a pass does not preserve are dropped at its end.
    pub fn preserve<A: Analysis>(&self) {
        // SAFETY: As in `analysis`.
        unsafe { analysis::preserve::<A>(self.run) }
    }

    /// Marks all analyses as preserved, MLIR's own included.
    pub fn preserve_all(&self) {
        // SAFETY: As in `analysis`.
        unsafe { analysis::preserve_all(self.run) }
    }

    /// Runs a pipeline on the op of this pass, with the instrumentation of the pipeline
    /// that this pass is in. Ops in it are reached by [`nest`](crate::pipeline::nest).
    ///
    /// # Errors
    /// Returns an error, reported as diagnostics, if one of its passes fails or leaves invalid IR,
    /// or it is not well formed.
    pub fn run_pipeline(&mut self, pipeline: &Pipeline) -> Result<(), PassFailure> {
        let operation = self.operation;
        let fail = |reason: &str| {
            let pass = self.declaration.argument;
            let message = format!("internal error in pass '{pass}': {reason}");
            emit_error(operation.location(), &message);
            PassFailure
        };
        pipeline.check_on(operation.name()).map_err(|reason| fail(&reason))?;
        let mut said: Vec<u8> = Vec::new();
        // SAFETY: The pass is running, and borrowed mutably, so that no handle to an op that a pass
        // frees exists; the callback gets the vector that it expects.
        let outcome = unsafe {
            let text = pipeline.to_string();
            haloRunNested(
                self.run,
                StringRef::new(&text).to_raw(),
                append,
                (&raw mut said).cast(),
            )
        };
        match outcome {
            0 => Ok(()),
            1 => Err(fail(&String::from_utf8_lossy(&said))),
            _ => Err(PassFailure),
        }
    }
}

#[repr(C)]
struct RawOption {
    name: MlirStringRef,
    description: MlirStringRef,
    default_value: MlirStringRef,
    value_name: MlirStringRef,
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
    check_options: unsafe extern "C" fn(
        *const c_void,
        *const MlirStringRef,
        MlirStringCallback,
        *mut c_void,
    ) -> bool,
    run: extern "C" fn(*const c_void, *mut c_void, MlirOperation, *const MlirStringRef) -> bool,
}

unsafe extern "C" {
    fn haloIsRegistered(argument: MlirStringRef) -> bool;
    fn haloRunPipeline(
        operation: MlirOperation,
        pipeline: MlirStringRef,
        verify_each: bool,
        verify_at_end: bool,
        has_panicked: extern "C" fn(MlirContext) -> bool,
        say: unsafe extern "C" fn(MlirStringRef, *mut c_void),
        data: *mut c_void,
    ) -> i32;
    fn haloRunNested(
        run: *mut c_void,
        pipeline: MlirStringRef,
        say: unsafe extern "C" fn(MlirStringRef, *mut c_void),
        data: *mut c_void,
    ) -> i32;
    fn haloRegisterPass(declaration: *const RawDeclaration);
    fn haloRegisterPipeline(argument: MlirStringRef, summary: MlirStringRef, text: MlirStringRef);
}

fn raw(text: &'static str) -> MlirStringRef {
    StringRef::new(text).to_raw()
}

/// A name is a pass's or a pipeline's already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AlreadyRegistered {
    /// The name on the command line, after `--`.
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

/// The reason for which a pipeline did not complete.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PipelineError {
    /// A pass or an option of it is unknown or malformed, with the reason.
    NotParsed(String),
    /// The name of the failed pass; the reason is reported as diagnostics.
    PassFailed(String),
    /// The name of the pass that left invalid IR, or of the pipeline in builds without debug
    /// assertions; the reason is reported as diagnostics.
    Invalid(String),
}

impl fmt::Display for PipelineError {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::NotParsed(reason) => formatter.write_str(reason),
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

/// Whether the verifier runs after each pass of a pipeline, which takes a fifth of the compile
/// time.
const VERIFY_EACH: bool = cfg!(debug_assertions);

/// Whether the verifier runs after a pipeline. In builds with debug assertions, it runs after each
/// of its passes anyway.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verification {
    /// It does.
    AtEnd,
    /// It does not: it runs after a later pipeline, or LLVM verifies the result. If the verifier
    /// runs after each phase, it takes a twelfth of the time until LLVM begins.
    Later,
}

/// Runs a pipeline on a module, in one thread: a pass on functions may read other functions. `text`
/// is in MLIR's pipeline syntax, without the enclosing `builtin.module(...)`. The verifier runs
/// after each pass in builds with debug assertions, and at the end of the pipeline in all others.
///
/// # Errors
/// Returns an error if the text is not a pipeline, or a pass fails or leaves invalid IR. The module
/// is then as that pass left it.
pub fn run_pipeline(module: &mut Module, text: &str) -> Result<(), PipelineError> {
    run_pipeline_with(module, text, Verification::AtEnd)
}

/// Runs a pipeline like [`run_pipeline`], with the given verification.
pub(crate) fn run_pipeline_with(
    module: &mut Module,
    text: &str,
    verification: Verification,
) -> Result<(), PipelineError> {
    let mut said: Vec<u8> = Vec::new();
    let root = module.as_operation().to_raw();
    // SAFETY: The op is valid.
    let context = unsafe { mlir_sys::mlirOperationGetContext(root) };
    // SAFETY: The module is valid and borrowed mutably; the callback gets the vector that it
    // expects.
    let outcome = hook_panics::counting(context, || unsafe {
        haloRunPipeline(
            root,
            StringRef::new(text).to_raw(),
            VERIFY_EACH,
            verification == Verification::AtEnd,
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

/// A pass or a pipeline other than upstream's, for help.
#[derive(Clone, Copy, Debug)]
pub struct Registered {
    /// The name on the command line, after `--`.
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
    REGISTERED.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// Returns true if a pass or a pipeline has a name, upstream's included.
pub fn is_registered(argument: &str) -> bool {
    upstream::register_passes();
    // SAFETY: The text is valid; the registry is read.
    unsafe { haloIsRegistered(StringRef::new(argument).to_raw()) }
}

/// Reserves an unused name for a pass or a pipeline.
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

/// Adds a pass to the program-wide registry.
///
/// # Errors
/// Returns an error if a pass or a pipeline has its name.
pub fn register_pass(declaration: &'static PassDeclaration) -> Result<(), AlreadyRegistered> {
    claim(Registered {
        argument: declaration.argument,
        summary: declaration.summary,
        options: declaration.options,
        is_pipeline: false,
        declaration: Some(declaration),
    })?;
    let dialects: &'static [MlirStringRef] =
        Box::leak(declaration.dependent_dialects.iter().map(|name| raw(name)).collect());
    let options: &'static [RawOption] = Box::leak(
        declaration
            .options
            .iter()
            .map(|option| RawOption {
                name: raw(option.name),
                description: raw(option.description),
                default_value: raw(option.default),
                value_name: raw(option.kind.value_name().leak()),
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
        check_options,
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
/// Returns an error if a pass or a pipeline has its name.
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

/// The texts of the options of a pass.
///
/// # Safety
///
/// There must be one value per declared option, valid for `'a`.
unsafe fn texts_of<'a>(
    declaration: &PassDeclaration,
    values: *const MlirStringRef,
) -> Result<Vec<&'a str>, &'static str> {
    let text = |(index, option): (usize, &PassOption)| {
        // SAFETY: The caller guarantees the number of values.
        let bytes = unsafe { crate::driver::bytes(*values.add(index)) };
        std::str::from_utf8(bytes).map_err(|_| option.name)
    };
    declaration.options.iter().enumerate().map(text).collect()
}

/// MLIR calls this after parsing the options of a pass: reports options whose values do not have
/// their type.
unsafe extern "C" fn check_options(
    pass: *const c_void,
    values: *const MlirStringRef,
    say: MlirStringCallback,
    data: *mut c_void,
) -> bool {
    // SAFETY: The pointer was made from a `&'static PassDeclaration` in
    // `register_pass`.
    let declaration: &'static PassDeclaration = unsafe { &*pass.cast() };
    let pass = declaration.argument;
    // SAFETY: There is one value for each declared option, valid for the length of this
    // call.
    let checked = match unsafe { texts_of(declaration, values) } {
        Ok(texts) => declaration
            .options
            .iter()
            .zip(texts)
            .try_for_each(|(option, text)| option.check(pass, text)),
        Err(option) => Err(format!(
            "option '{option}' of pass '{pass}' is not valid UTF-8"
        )),
    };
    if let (Err(message), Some(say)) = (&checked, say) {
        // SAFETY: The caller passes the data of the callback, which copies the text.
        unsafe { say(StringRef::new(message).to_raw(), data) }
    }
    checked.is_ok()
}

/// MLIR calls this to run a pass: finds the declaration, and turns a panic into a diagnostic, since
/// none may cross into C++.
extern "C" fn run_pass(
    pass: *const c_void,
    run: *mut c_void,
    operation: MlirOperation,
    values: *const MlirStringRef,
) -> bool {
    // SAFETY: The pointer was made from a `&'static PassDeclaration` in
    // `register_pass`.
    let declaration: &'static PassDeclaration = unsafe { &*pass.cast() };
    // SAFETY: MLIR hands over a valid op for the length of this call.
    let operation = unsafe { OperationRef::from_raw(operation) };
    // SAFETY: There is one value for each declared option, valid for the length of this call. They
    // are UTF-8: `check_options` has checked them, or they are the defaults.
    let values = unsafe { texts_of(declaration, values) }.unwrap_or_default();
    for statistic in declaration.statistics {
        statistics::add(declaration.argument, **statistic, 0);
    }
    let context = operation.context();
    let ((outcome, stale), said) = diagnostics::counting_errors(context, || {
        graveyard::owning(context.to_raw(), Some(operation), || {
            let mut invocation = PassInvocation {
                operation,
                declaration,
                values,
                run,
            };
            // A pass that another one runs is a part of that one.
            let is_nested = failure::running_pass().is_some();
            let run = || panics::catch(|| (declaration.run)(&mut invocation));
            let run = || template::keeping(context, || while_running(declaration.argument, run));
            if is_nested {
                run()
            } else {
                fuel::run(operation, run).unwrap_or(Ok(Ok(())))
            }
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
        Err(panic) if panic.is::<Reported>() => false,
        Err(panic) => {
            let pass = declaration.argument;
            let message = format!("internal error in pass '{pass}': {panic}");
            emit_error(operation.location(), &message);
            false
        }
    }
}
