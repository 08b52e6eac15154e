//! Machine code of a module, by LLVM's code generator.
//!
//! One of the few modules with `unsafe`: it calls C++ with handles of inkwell's.

use super::module::type_of;
use halo_core::panics;
use halo_runtime::Error;
use inkwell::{
    llvm_sys::{
        prelude::LLVMModuleRef,
        target_machine::{LLVMCodeGenFileType, LLVMTargetMachineRef},
    },
    module::Module,
    targets::{FileType, TargetMachine},
    types::AnyTypeEnum,
    values::{CallSiteValue, FunctionValue, InstructionOpcode, InstructionValue, Operand},
};
use mlir_sys::MlirStringRef;
use std::ffi::c_void;

unsafe extern "C" {
    fn haloEmit(
        machine: LLVMTargetMachineRef,
        module: LLVMModuleRef,
        kind: LLVMCodeGenFileType,
        reduce_loop_strength: bool,
        done: extern "C" fn(MlirStringRef, *mut c_void),
        data: *mut c_void,
    ) -> bool;
}

/// The object file or the assembly of a module.
///
/// Loop strength reduction takes a fifth of the code generator's time. Without it, kernels
/// are as fast on x86-64, whose instructions add addresses up, but for those of several
/// streams. The other modules for it go without.
///
/// # Errors
/// Internal where LLVM fails.
pub fn emit(module: &Module, machine: &TargetMachine, kind: FileType) -> Result<Vec<u8>, Error> {
    let kind = match kind {
        FileType::Assembly => LLVMCodeGenFileType::LLVMAssemblyFile,
        FileType::Object => LLVMCodeGenFileType::LLVMObjectFile,
    };
    let triple = machine.get_triple();
    let is_measured = triple.as_str().to_bytes().starts_with(b"x86_64");
    let reduce_loop_strength = !is_measured || has_streams(module);
    let mut code = Vec::new();
    let data: *mut Vec<u8> = &raw mut code;
    let emitted = panics::catch(|| {
        // SAFETY: The handles are valid, and so is `data` during the call.
        unsafe {
            haloEmit(
                machine.as_mut_ptr(),
                module.as_mut_ptr(),
                kind,
                reduce_loop_strength,
                copy,
                data.cast(),
            )
        }
    })
    .map_err(|panic| Error::internal(format!("LLVM: {panic}")))?;
    match emitted {
        true => Ok(code),
        false => Err(Error::internal("LLVM: the target emits no such file")),
    }
}

/// The bytes of a line of a cache.
const LINE_BYTES: u64 = 64;

/// Whether a loop copies lines, or computes with what it prefetches: it reads several
/// streams, each of which needs a register for its address and one for the address ahead.
fn has_streams(module: &Module) -> bool {
    let mut blocks = module
        .get_functions()
        .flat_map(FunctionValue::get_basic_block_iter);
    blocks.any(|block| {
        let is_prefetch = |instruction| is_call(instruction, "llvm.prefetch.");
        block.get_instructions().any(copies_lines)
            || (block.get_instructions().any(is_prefetch)
                && block.get_instructions().any(is_arithmetic))
    })
}

/// Whether an instruction copies a line, or a length that is not known.
fn copies_lines(instruction: InstructionValue) -> bool {
    if !is_call(instruction, "llvm.memcpy.") {
        return false;
    }
    let length = instruction.get_operand(2).and_then(Operand::value);
    let length = length.and_then(|length| length.into_int_value().get_zero_extended_constant());
    length.is_none_or(|length| length >= LINE_BYTES)
}

/// Whether an instruction calls an intrinsic whose name starts so.
fn is_call(instruction: InstructionValue, name: &str) -> bool {
    CallSiteValue::try_from(instruction)
        .ok()
        .and_then(|call| call.get_called_fn_value())
        .is_some_and(|called| called.get_name().to_bytes().starts_with(name.as_bytes()))
}

/// Whether an instruction computes a vector of floats: by itself, or as a multiply-add.
fn is_arithmetic(instruction: InstructionValue) -> bool {
    let computes = matches!(
        instruction.get_opcode(),
        InstructionOpcode::Call | InstructionOpcode::FAdd | InstructionOpcode::FMul
    );
    let is_of_floats = |type_: AnyTypeEnum| {
        type_.is_vector_type() && type_.into_vector_type().get_element_type().is_float_type()
    };
    computes && type_of(instruction).is_some_and(is_of_floats)
}

extern "C" fn copy(code: MlirStringRef, data: *mut c_void) {
    // SAFETY: `data` is the vector of `emit`, and `code` is valid for the call.
    unsafe {
        let code = std::slice::from_raw_parts(code.data.cast::<u8>(), code.length);
        (*data.cast::<Vec<u8>>()).extend_from_slice(code);
    }
}
