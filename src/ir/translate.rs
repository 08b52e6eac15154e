//! The translation driver, with the options of upstream's `mlir-translate`.
//!
//! A translation is a function from the bytes of a file to the bytes of another. The driver splits
//! inputs, writes outputs whole or not at all, and checks expected diagnostics; several requested
//! translations run one after the other.

use crate::{
    diagnostics,
    driver::{RawTool, Tool, bytes, complain, read_input, run_main},
    handles::context_from_raw,
};
use halo_core::panics;
use halo_core::{Diagnostic, Position};
use melior::{Context, StringRef, ir::Module};
use mlir_sys::{MlirContext, MlirOperation, MlirStringCallback, MlirStringRef};
use std::{
    ffi::{OsString, c_char, c_int, c_void},
    sync::OnceLock,
};

unsafe extern "C" {
    fn haloRegisterTranslationOption(
        name: MlirStringRef,
        summary: MlirStringRef,
        initial: MlirStringRef,
    );
    fn haloRegisterTranslation(
        translation: *const c_void,
        name: MlirStringRef,
        summary: MlirStringRef,
        translate: Translate,
    );
    fn haloTranslateMain(argc: c_int, argv: *mut *mut c_char, tool: *const RawTool) -> c_int;
    fn haloTranslateToLlvmIr(
        module: MlirOperation,
        emit: MlirStringCallback,
        user_data: *mut c_void,
    ) -> bool;
}

/// `HaloTranslate` of Translate.cpp.
type Translate = unsafe extern "C" fn(
    *const c_void,
    MlirContext,
    MlirStringRef,
    MlirStringRef,
    *const MlirStringRef,
    MlirStringCallback,
    *mut c_void,
) -> bool;

/// A translation, `--<name>`.
pub struct TranslationDeclaration {
    pub name: &'static str,
    /// One line for `--help`.
    pub summary: &'static str,
    pub run: fn(&Invocation) -> Result<Vec<u8>, TranslationFailure>,
}

/// An option of translations, `--<name>=`.
#[doc(hidden)]
pub struct TranslationOption {
    pub name: &'static str,
    pub summary: &'static str,
    /// `false` declares a flag.
    pub default: &'static str,
}

/// The arguments of a translation.
pub struct Invocation<'c> {
    /// Knows every dialect.
    pub context: &'c Context,
    /// The name of the input, for diagnostics.
    pub name: &'c str,
    pub code: &'c [u8],
    options: Vec<(&'static str, &'c str)>,
}

impl Invocation<'_> {
    /// The value of an option.
    pub fn option(&self, name: &str) -> &str {
        let found = self.options.iter().find(|(option, _)| *option == name);
        found.map_or("", |(_, value)| value)
    }

    /// Returns true if a flag is set.
    pub fn flag(&self, name: &str) -> bool {
        // A flag without a value is set to the empty text.
        self.option(name) != "false"
    }
}

/// The reasons for which a translation failed.
#[derive(Debug)]
pub struct TranslationFailure(pub Vec<Diagnostic>);

static OPTIONS: OnceLock<&'static [TranslationOption]> = OnceLock::new();

/// Runs the driver on command-line arguments, the program's name first, and
/// returns the exit code. A program calls it once.
#[doc(hidden)]
pub fn translate_main(
    arguments: impl IntoIterator<Item = OsString>,
    tool: Tool,
    translations: &[&'static TranslationDeclaration],
    options: &'static [TranslationOption],
) -> i32 {
    let options = OPTIONS.get_or_init(|| options);
    let raw = |text: &'static str| StringRef::new(text).to_raw();
    for option in *options {
        // SAFETY: The callee copies the texts.
        unsafe {
            haloRegisterTranslationOption(
                raw(option.name),
                raw(option.summary),
                raw(option.default),
            );
        }
    }
    for translation in translations {
        // SAFETY: The declaration and its texts are static.
        unsafe {
            haloRegisterTranslation(
                std::ptr::from_ref(*translation).cast(),
                raw(translation.name),
                raw(translation.summary),
                run_translation,
            );
        }
    }
    run_main(arguments, tool, read_input, |argc, argv, tool| {
        // SAFETY: The arguments and the tool outlive the call, and the driver does
        // not write to them.
        unsafe { haloTranslateMain(argc, argv, tool) }
    })
}

/// The callback of the driver: finds the declaration, reports failures, and
/// turns a panic into a diagnostic, since none may cross into C++.
unsafe extern "C" fn run_translation(
    translation: *const c_void,
    context: MlirContext,
    name: MlirStringRef,
    code: MlirStringRef,
    values: *const MlirStringRef,
    emit: MlirStringCallback,
    user_data: *mut c_void,
) -> bool {
    // SAFETY: The pointer was made from a `&'static TranslationDeclaration` in
    // `translate_main`; the context, the texts and one value for each option are
    // valid for the length of this call.
    let (declaration, invocation) = unsafe {
        let declaration: &'static TranslationDeclaration = &*translation.cast();
        let options = OPTIONS.get().copied().unwrap_or_default();
        let options = options.iter().enumerate();
        let invocation = Invocation {
            context: context_from_raw(context),
            name: str::from_utf8(bytes(name)).unwrap_or("<input>"),
            code: bytes(code),
            options: options
                .map(|(position, option)| {
                    let value = str::from_utf8(bytes(*values.add(position)));
                    (option.name, value.unwrap_or_default())
                })
                .collect(),
        };
        (declaration, invocation)
    };
    let failure = match panics::catch(|| (declaration.run)(&invocation)) {
        Ok(Ok(result)) => {
            let text = MlirStringRef {
                data: result.as_ptr().cast(),
                length: result.len(),
            };
            if let Some(emit) = emit {
                // SAFETY: The callback gets its data, and copies the text.
                unsafe { emit(text, user_data) }
            }
            return true;
        }
        Ok(Err(TranslationFailure(errors))) => errors,
        Err(panic) => {
            let name = declaration.name;
            let message = format!("internal error in translation '{name}': {panic}");
            vec![Diagnostic::new(None, message)]
        }
    };
    for mut error in failure {
        // Without a line, none of the input is shown.
        if !diagnostics::emit(invocation.context, &error) {
            let file = || Position::of_file(invocation.name);
            error.position.get_or_insert_with(file);
            complain(&error.to_string());
        }
    }
    false
}

/// The LLVM IR of a module of the LLVM dialect; `None` after errors, which are reported as
/// diagnostics.
pub fn to_llvm_ir(module: &Module) -> Option<String> {
    let mut text = Vec::new();
    // SAFETY: The module is alive, and the callback gets the vector that it
    // expects.
    let done = unsafe {
        haloTranslateToLlvmIr(
            melior::ir::operation::OperationLike::to_raw(&module.as_operation()),
            Some(crate::diagnostics::append),
            (&raw mut text).cast(),
        )
    };
    done.then(|| String::from_utf8_lossy(&text).into_owned())
}
