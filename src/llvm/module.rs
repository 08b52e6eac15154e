//! From the LLVM dialect to LLVM IR.
//!
//! One of the few modules with `unsafe`: MLIR hands over a raw LLVM module,
//! which inkwell then owns, and inkwell does not know all types.

use halo_ir::{
    Operation, WalkOrder, WalkResult, context_of,
    diagnostics::{error, with_diagnostics},
    dialect, name_of, walk,
};
use halo_runtime::Error;
use inkwell::{
    context::Context,
    llvm_sys::{
        LLVMTypeKind,
        core::{LLVMGetTypeKind, LLVMTypeOf},
    },
    module::{FlagBehavior, Module},
    types::AnyTypeEnum,
    values::{AsValueRef, InstructionValue},
};

/// The type of an instruction; none if it is a tile of AMX, which inkwell has no type for.
pub fn type_of(instruction: InstructionValue<'_>) -> Option<AnyTypeEnum<'_>> {
    // SAFETY: The instruction is valid, and so is its type.
    let kind = unsafe { LLVMGetTypeKind(LLVMTypeOf(instruction.as_value_ref())) };
    (kind != LLVMTypeKind::LLVMX86_AMXTypeKind).then(|| instruction.get_type())
}

/// Translates a module of the LLVM dialect, or a `gpu.module`, to LLVM IR.
pub fn translate<'l>(module: Operation, context: &'l Context) -> Result<Module<'l>, Error> {
    // SAFETY: Both are valid; the result is null or a module that the caller
    // owns in the given context.
    unsafe {
        let (raw, errors) =
            with_diagnostics(context_of(module), || match first_declared_op(module) {
                Some(op) => {
                    let name = name_of(op);
                    let message = format!("'{name}' op has no lowering to the LLVM dialect");
                    drop(error(op, message));
                    std::ptr::null_mut()
                }
                None => {
                    mlir_sys::mlirTranslateModuleToLLVMIR(module.to_raw(), context.raw().cast())
                }
            });
        if raw.is_null() {
            let message = "the LLVM dialect could not be translated";
            return Err(match errors.is_empty() {
                true => Error::internal(message),
                false => Error::diagnosed(message, errors),
            });
        }
        let module = Module::new(raw.cast());
        name_dwarf_version(&module);
        Ok(module)
    }
}

/// Says in which form line tables are, if there are some: the one that names the folder of the
/// program in the table itself.
fn name_dwarf_version(module: &Module) {
    if module.get_global_metadata("llvm.dbg.cu").is_empty() {
        return;
    }
    let version = module.get_context().i32_type().const_int(5, false);
    module.add_basic_value_flag("Dwarf Version", FlagBehavior::Warning, version);
}

/// An op of a dialect that is declared in Rust: MLIR translates none.
fn first_declared_op(module: Operation<'_>) -> Option<Operation<'_>> {
    let mut found = None;
    walk(module, WalkOrder::PreOrder, |op| {
        if dialect::declaration_of(name_of(op)).is_none() {
            return WalkResult::Advance;
        }
        found = Some(op);
        WalkResult::Interrupt
    });
    found
}
