//! From the LLVM dialect to LLVM IR.
//!
//! Uses `unsafe`: MLIR returns a raw LLVM module, which inkwell then owns, and inkwell does not
//! support all types.

use super::fatal_errors::first_line;
use halo_ir::{
    diagnostics::{error, with_diagnostics},
    dialect,
    prelude::*,
};
use halo_runtime::Error;
use inkwell::{
    context::Context,
    llvm_sys::{
        LLVMTypeKind,
        core::{LLVMGetTypeKind, LLVMTypeOf},
        prelude::{LLVMContextRef, LLVMModuleRef},
    },
    module::{FlagBehavior, Module},
    types::AnyTypeEnum,
    values::{AsValueRef, InstructionValue},
};
use mlir_sys::MlirOperation;

/// The type of an instruction; `None` for AMX tiles, which inkwell does not support.
pub fn type_of(instruction: InstructionValue<'_>) -> Option<AnyTypeEnum<'_>> {
    // SAFETY: The instruction is valid, and so is its type.
    let kind = unsafe { LLVMGetTypeKind(LLVMTypeOf(instruction.as_value_ref())) };
    (kind != LLVMTypeKind::LLVMX86_AMXTypeKind).then(|| instruction.get_type())
}

unsafe extern "C" {
    fn haloTranslateUnverified(module: MlirOperation, context: LLVMContextRef) -> LLVMModuleRef;
}

/// Translates a module of the LLVM dialect, or a `gpu.module`, to LLVM IR.
///
/// # Errors
/// Returns an invalid-input error with diagnostics if an op has no translation; an internal error
/// if the result is not valid.
pub fn translate<'l>(module: Operation, context: &'l Context) -> Result<Module<'l>, Error> {
    let module = translate_unverified(module, context)?;
    verify(&module)?;
    Ok(module)
}

/// Verifies a module of LLVM.
///
/// # Errors
/// Returns an internal error if it is not valid: the LLVM dialect that it was translated from was
/// not.
pub fn verify(module: &Module) -> Result<(), Error> {
    let verified = module.verify();
    verified.map_err(|error| Error::internal(format!("LLVM: {}", first_line(&error.to_string()))))
}

/// Like [`translate`], for callers that [verify](verify) the result.
pub fn translate_unverified<'l>(
    module: Operation,
    context: &'l Context,
) -> Result<Module<'l>, Error> {
    // SAFETY: Both are valid; the result is null or a module that the caller owns in the given
    // context.
    unsafe {
        let (raw, errors) =
            with_diagnostics(module.context(), || match first_declared_op(module) {
                Some(op) => {
                    let name = op.name();
                    let message = format!("'{name}' op has no lowering to the LLVM dialect");
                    drop(error(op, message));
                    std::ptr::null_mut()
                }
                None => haloTranslateUnverified(module.to_raw(), context.raw().cast()),
            });
        if raw.is_null() {
            let message = "the LLVM dialect could not be translated";
            return Err(if errors.is_empty() {
                Error::internal(message)
            } else {
                Error::diagnosed(message, errors)
            });
        }
        let module = Module::new(raw.cast());
        name_dwarf_version(&module);
        Ok(module)
    }
}

/// Sets the DWARF version of line tables, if any: the version that stores the folder of the program
/// in the table itself.
fn name_dwarf_version(module: &Module) {
    if module.get_global_metadata("llvm.dbg.cu").is_empty() {
        return;
    }
    let version = module.get_context().i32_type().const_int(5, false);
    module.add_basic_value_flag("Dwarf Version", FlagBehavior::Warning, version);
}

/// An op of a dialect declared in Rust, which MLIR cannot translate.
fn first_declared_op(module: Operation<'_>) -> Option<Operation<'_>> {
    let mut found = None;
    module.walk(WalkOrder::PreOrder, |op| {
        if dialect::declaration_of(op.name()).is_none() {
            return WalkResult::Advance;
        }
        found = Some(op);
        WalkResult::Interrupt
    });
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_modules_are_told() {
        let context = Context::create();
        let module = context.create_module("test");
        assert!(verify(&module).is_ok());
        let function = module.add_function("f", context.void_type().fn_type(&[], false), None);
        context.append_basic_block(function, "entry");
        let message = verify(&module).unwrap_err().to_string();
        assert!(message.starts_with("internal error: LLVM: "), "{message}");
        assert!(message.contains("terminator"), "{message}");
    }
}
