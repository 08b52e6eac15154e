//! Diagnostics in MLIR's format, and parsing with source locations.
//!
//! A [`Report`] is an error, a warning or a remark at a location, with notes. It is emitted when it
//! is dropped, to all handlers of the context: `--verify-diagnostics` compares it with the
//! expectations of a test, [`with_diagnostics`] collects the errors, and [`print_warnings`] prints
//! the others.

use crate::{
    driver::complain,
    handles::{Operation, Value},
    limits,
    location::{LocationExt, LocationKind},
    operation::OperationExt,
    ops::definition::Op,
    value::ValueExt,
};
use halo_core::{Diagnostic, Note, Position};
use melior::{
    Context,
    diagnostic::{Diagnostic as Reported, DiagnosticHandlerId, DiagnosticSeverity},
    ir::{Location, Module},
};
use mlir_sys::{MlirContext, MlirLocation, MlirModule, MlirStringRef};
use std::{
    any::Any,
    cell::{Cell, RefCell},
    fmt::Write,
    rc::Rc,
};

unsafe extern "C" {
    fn haloParseModule(
        context: MlirContext,
        code: MlirStringRef,
        name: MlirStringRef,
    ) -> MlirModule;
    fn haloEmitDiagnostic(
        location: MlirLocation,
        severity: Severity,
        message: MlirStringRef,
        notes: *const RawNote,
        count: usize,
    );
}

/// The severity of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub enum Severity {
    /// The program is not compiled.
    Error = 0,
    /// The program is likely wrong.
    Warning = 1,
    /// Something about the compilation.
    Remark = 2,
}

#[repr(C)]
struct RawNote {
    location: MlirLocation,
    message: MlirStringRef,
}

/// The location of a diagnostic: an op, a value or a location.
pub trait Place<'c> {
    /// The location.
    fn place(self) -> Location<'c>;
}

impl<'c> Place<'c> for Location<'c> {
    fn place(self) -> Location<'c> {
        self
    }
}

impl<'c> Place<'c> for Operation<'c> {
    fn place(self) -> Location<'c> {
        self.location()
    }
}

impl<'c> Place<'c> for Value<'c> {
    fn place(self) -> Location<'c> {
        self.location()
    }
}

impl<'c, O: Op<'c>> Place<'c> for O {
    fn place(self) -> Location<'c> {
        self.operation().location()
    }
}

/// A diagnostic, which is emitted when it is dropped.
///
/// ```
/// # use halo_ir::{Operation, diagnostics, pass::PassFailure};
/// fn check(op: Operation, other: Operation) -> Result<(), PassFailure> {
///     diagnostics::warning(op, "this is slow").note(other, "because of this");
///     Err(diagnostics::error(op, "this is wrong").into())
/// }
/// ```
#[derive(Debug)]
pub struct Report<'c> {
    severity: Severity,
    location: Location<'c>,
    message: String,
    notes: Vec<(Location<'c>, String)>,
    detail: Option<Rc<dyn Any>>,
}

impl<'c> Report<'c> {
    /// A diagnostic without notes.
    pub fn new(severity: Severity, place: impl Place<'c>, message: impl Into<String>) -> Self {
        Self {
            severity,
            location: place.place(),
            message: visible(message.into()),
            notes: Vec::new(),
            detail: None,
        }
    }

    /// Adds the content of the message as a value, which [`with_remarks`] returns.
    #[allow(clippy::return_self_not_must_use)]
    pub fn detail(mut self, detail: impl Any) -> Self {
        self.detail = Some(Rc::new(detail));
        self
    }

    /// Adds a note at another location.
    #[allow(clippy::return_self_not_must_use)]
    pub fn note(mut self, place: impl Place<'c>, message: impl Into<String>) -> Self {
        self.notes.push((place.place(), visible(message.into())));
        self
    }
}

/// A text without zero bytes, which would terminate it in C.
fn visible(text: String) -> String {
    if text.contains('\0') {
        text.replace('\0', "\\0")
    } else {
        text
    }
}

impl Drop for Report<'_> {
    fn drop(&mut self) {
        let raw = |text: &str| melior::StringRef::new(text).to_raw();
        let note = |(location, message): &(Location, String)| RawNote {
            location: location.to_raw(),
            message: raw(message),
        };
        let notes: Vec<RawNote> = self.notes.iter().map(note).collect();
        // Handlers run on this thread before the call returns.
        DETAIL.set(self.detail.take());
        // SAFETY: Locations and texts live during the call, which copies the texts.
        unsafe {
            haloEmitDiagnostic(
                self.location.to_raw(),
                self.severity,
                raw(&self.message),
                notes.as_ptr(),
                notes.len(),
            );
        }
        DETAIL.set(None);
    }
}

thread_local! {
    /// The detail of the report that is being emitted.
    static DETAIL: RefCell<Option<Rc<dyn Any>>> = const { RefCell::new(None) };
}

/// Reports an error.
pub fn error<'c>(place: impl Place<'c>, message: impl Into<String>) -> Report<'c> {
    Report::new(Severity::Error, place, message)
}

/// Reports a likely mistake in the program.
pub fn warning<'c>(place: impl Place<'c>, message: impl Into<String>) -> Report<'c> {
    Report::new(Severity::Warning, place, message)
}

/// Reports something about the compilation.
pub fn remark<'c>(place: impl Place<'c>, message: impl Into<String>) -> Report<'c> {
    Report::new(Severity::Remark, place, message)
}

/// The alignment of bytecode in memory; `bytecodeAlignment` of Driver.cpp.
const BYTECODE_ALIGNMENT: usize = 4096;

/// Parses a program of text or bytecode and verifies it; `name` represents its file in locations.
/// `None` after errors, which are reported as diagnostics.
pub fn parse_module<'c>(context: &'c Context, code: &[u8], name: &str) -> Option<Module<'c>> {
    if let Err(error) = limits::check(code) {
        let location = Location::new(context, name, error.line, error.column);
        drop(self::error(location, error.to_string()));
        return None;
    }
    if !limits::is_bytecode(code)
        && let Err(error) = std::str::from_utf8(code)
    {
        let line = code[..error.valid_up_to()].iter().filter(|byte| **byte == b'\n').count() + 1;
        let location = Location::new(context, name, line, 1);
        drop(self::error(location, "input is not valid UTF-8"));
        return None;
    }
    // The text parser reads one byte beyond the end, and sections of bytecode are aligned to the
    // alignment of their constants.
    let mut copy = vec![0; code.len() + 1 + BYTECODE_ALIGNMENT];
    let start = copy.as_ptr().align_offset(BYTECODE_ALIGNMENT);
    copy[start..start + code.len()].copy_from_slice(code);
    let code = MlirStringRef {
        data: copy[start..].as_ptr().cast(),
        length: code.len(),
    };
    // SAFETY: The code is followed by a zero and copied; the module is null or owned by the caller.
    unsafe {
        let raw = haloParseModule(
            context.to_raw(),
            code,
            melior::StringRef::new(name).to_raw(),
        );
        Module::from_option_raw(raw)
    }
}

/// A module as MLIR's bytecode.
pub fn bytecode_of(module: &Module) -> Vec<u8> {
    let mut bytes = Vec::new();
    // SAFETY: The op is alive, and the callback gets the vector that it expects.
    unsafe {
        mlir_sys::mlirOperationWriteBytecode(
            module.as_operation().to_raw(),
            Some(append),
            (&raw mut bytes).cast(),
        );
    }
    bytes
}

/// A handler of diagnostics that is detached at its end, also after a panic.
struct Attached<'c>(&'c Context, Option<DiagnosticHandlerId>);

impl Drop for Attached<'_> {
    fn drop(&mut self) {
        if let Some(handler) = self.1.take() {
            self.0.detach_diagnostic_handler(handler);
        }
    }
}

/// Prints the warnings and remarks of a context to standard error, each as `file:line:column:
/// warning: ...` followed by its notes, one per line, unless a handler that is attached later takes
/// them. MLIR itself drops them.
pub fn print_warnings(context: &Context) {
    context.attach_diagnostic_handler(|diagnostic| {
        let severity = match diagnostic.severity() {
            DiagnosticSeverity::Error => return false,
            DiagnosticSeverity::Warning => "warning",
            DiagnosticSeverity::Remark => "remark",
            DiagnosticSeverity::Note => "note",
        };
        complain(&content(&diagnostic).display_as(severity).to_string());
        true
    });
}

/// Runs a function and returns, in addition to its result, the errors that were reported meanwhile.
/// Warnings and remarks go to the handlers that were attached before.
pub fn with_diagnostics<T>(
    context: &Context,
    function: impl FnOnce() -> T,
) -> (T, Vec<Diagnostic>) {
    let (attached, collected) = collecting(context);
    let result = function();
    drop(attached);
    let errors = collected.take();
    (result, errors)
}

/// A handler that collects the errors of a context.
fn collecting(context: &Context) -> (Attached<'_>, Rc<RefCell<Vec<Diagnostic>>>) {
    let collected = Rc::new(RefCell::new(Vec::new()));
    let sink = Rc::clone(&collected);
    let handler = context.attach_diagnostic_handler(move |diagnostic| {
        let is_error = matches!(diagnostic.severity(), DiagnosticSeverity::Error);
        if is_error {
            sink.borrow_mut().push(content(&diagnostic));
        }
        is_error
    });
    (Attached(context, Some(handler)), collected)
}

/// A warning or a remark, with its notes.
#[derive(Clone, Debug)]
pub struct Remarked<'c> {
    /// Warning or remark.
    pub severity: Severity,
    pub location: Location<'c>,
    pub message: String,
    pub notes: Vec<(Location<'c>, String)>,
    /// The value of [`Report::detail`].
    pub detail: Option<Rc<dyn Any>>,
}

/// Runs a function and returns, in addition to its result, the warnings and remarks that were
/// reported meanwhile. Errors go to the handlers that were attached before.
pub fn with_remarks<T>(context: &Context, function: impl FnOnce() -> T) -> (T, Vec<Remarked<'_>>) {
    let collected = Rc::new(RefCell::new(Vec::new()));
    let sink = Rc::clone(&collected);
    let handler = context.attach_diagnostic_handler(move |diagnostic| {
        let severity = match diagnostic.severity() {
            DiagnosticSeverity::Error => return false,
            DiagnosticSeverity::Warning => Severity::Warning,
            _ => Severity::Remark,
        };
        let notes = (0..diagnostic.note_count()).filter_map(|index| diagnostic.note(index).ok());
        let remark = Raw {
            severity,
            location: diagnostic.location().to_raw(),
            message: message(&diagnostic),
            notes: notes.map(|note| (note.location().to_raw(), message(&note))).collect(),
            detail: DETAIL.take(),
        };
        sink.borrow_mut().push(remark);
        true
    });
    let attached = Attached(context, Some(handler));
    let result = function();
    drop(attached);
    let remarks = collected.take().into_iter().map(|raw| raw.of(context));
    (result, remarks.collect())
}

/// A [`Remarked`] whose locations have no lifetime, since its handler has none.
struct Raw {
    severity: Severity,
    location: MlirLocation,
    message: String,
    notes: Vec<(MlirLocation, String)>,
    detail: Option<Rc<dyn Any>>,
}

impl Raw {
    fn of(self, _context: &Context) -> Remarked<'_> {
        // SAFETY: Locations live as long as the context, whose handler was given them.
        let location = |raw: MlirLocation| unsafe { Location::from_raw(raw) };
        let notes = self.notes.into_iter();
        Remarked {
            severity: self.severity,
            location: location(self.location),
            message: self.message,
            notes: notes.map(|(raw, text)| (location(raw), text)).collect(),
            detail: self.detail,
        }
    }
}

/// Runs a function and forwards only the first error that it reports: code that propagates a
/// failure adds errors without further information.
pub(crate) fn with_first_error_only<T>(context: &Context, function: impl FnOnce() -> T) -> T {
    let reported = Cell::new(false);
    // The previously attached handlers, which print, get the diagnostics for which this one returns
    // false.
    let handler = context.attach_diagnostic_handler(move |diagnostic| {
        matches!(diagnostic.severity(), DiagnosticSeverity::Error) && reported.replace(true)
    });
    let attached = Attached(context, Some(handler));
    let result = function();
    drop(attached);
    result
}

thread_local! {
    /// The errors that were reported on this thread while somebody counted.
    static REPORTED: Cell<usize> = const { Cell::new(0) };
    /// Their number when the innermost [`counting_errors`] began.
    static BEGINNING: Cell<usize> = const { Cell::new(0) };
}

/// The number of errors that were reported on this thread within [`counting_errors`]. Code that
/// runs in a pass compares it before and after a step, so that it does not report another error if
/// MLIR has reported the reason.
pub(crate) fn reported_errors() -> usize {
    REPORTED.get()
}

/// Returns true if the innermost [`counting_errors`] has counted an error so far.
pub(crate) fn has_reported_errors() -> bool {
    reported_errors() > BEGINNING.get()
}

/// Runs a function and counts the errors that it reports on this thread; the errors are forwarded
/// to the handlers that print them.
pub(crate) fn counting_errors<T>(context: &Context, function: impl FnOnce() -> T) -> (T, usize) {
    let before = reported_errors();
    // Handlers of one context are called on the reporting thread.
    let handler = context.attach_diagnostic_handler(move |diagnostic| {
        if matches!(diagnostic.severity(), DiagnosticSeverity::Error) {
            REPORTED.set(REPORTED.get() + 1);
        }
        false
    });
    let attached = Attached(context, Some(handler));
    let outer = BEGINNING.replace(before);
    let result = function();
    BEGINNING.set(outer);
    drop(attached);
    (result, reported_errors() - before)
}

/// Emits an error that is not MLIR's, at its position; notes become a part of its message. Returns
/// true if it has a line.
pub fn emit(context: &Context, diagnostic: &Diagnostic) -> bool {
    let Some(Position {
        file,
        line_column: Some((line, column)),
    }) = &diagnostic.position
    else {
        return false;
    };
    let notes = diagnostic.notes.iter().map(|note| format!("\n{note}"));
    let message = [diagnostic.message.clone()].into_iter().chain(notes).collect::<String>();
    drop(error(Location::new(context, file, *line, *column), message));
    true
}

/// The text of a diagnostic, with invalid UTF-8 replaced: it may quote any bytes.
fn message(diagnostic: &Reported) -> String {
    let mut text = String::new();
    if write!(text, "{diagnostic}").is_err() {
        text.push('\u{fffd}');
    }
    text
}

/// Appends text to the `Vec<u8>` that `data` is.
pub(crate) unsafe extern "C" fn append(text: MlirStringRef, data: *mut std::ffi::c_void) {
    // SAFETY: The text lives during the call; an empty one may have no address.
    unsafe {
        if text.length > 0 {
            let bytes = std::slice::from_raw_parts(text.data.cast(), text.length);
            (*data.cast::<Vec<u8>>()).extend_from_slice(bytes);
        }
    }
}

/// The position, message and notes of a diagnostic of MLIR.
fn content(diagnostic: &Reported) -> Diagnostic {
    let notes = (0..diagnostic.note_count()).filter_map(|index| {
        let note = diagnostic.note(index).ok()?;
        Some(Note {
            position: position_of(note.location()),
            message: message(&note),
        })
    });
    // The op in its intermediate state does not help users.
    let notes = notes.filter(|note| !note.message.starts_with("see current operation"));
    Diagnostic {
        position: position_of(diagnostic.location()),
        message: message(diagnostic),
        excerpt: String::new(),
        notes: notes.collect(),
    }
}

/// The position of a location, or the file if the location is the whole file; `None` for unknown
/// locations.
pub fn position_of(location: Location) -> Option<Position> {
    match location.kind() {
        LocationKind::File { name, line: 0, .. } => Some(Position::of_file(name)),
        LocationKind::File {
            name, line, column, ..
        } => Some(Position::new(name, line as usize, column as usize)),
        LocationKind::CallSite { callee, .. } => position_of(callee),
        kind => kind.parts().into_iter().find_map(position_of),
    }
}

/// The text of [`position_of`].
pub fn file_line_column(location: Location) -> Option<String> {
    position_of(location).map(|position| position.to_string())
}
