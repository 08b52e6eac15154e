//! Conversions of f16 and bf16 for processors without instructions for them.
//!
//! LLVM calls them by the names of compiler-rt, and not every libgcc has them: the conversions of
//! f16 exist since version 12 on x86-64 and 13 on RISC-V, the conversions of bf16 since 13. An
//! object file contains its own, so that it links everywhere. (Code of this process finds them in
//! `support.rs`.)

use super::{module::type_of, target::TargetDescription};
use halo_runtime::{Error, Result};
use inkwell::{
    basic_block::BasicBlock, memory_buffer::MemoryBuffer, module::Module, types::AnyTypeEnum,
    values::FunctionValue,
};

/// The functions, in terms of integers, f32 and f64.
const FUNCTIONS: &str = include_str!("float16_conversions.ll");

/// Adds the functions, with external linkage, to an unoptimized module, if its target lacks an
/// instruction and the module computes with such numbers.
///
/// # Errors
/// Returns an internal error if LLVM does not read them.
pub fn add(module: &Module, target: &TargetDescription) -> Result<()> {
    if !uses_float16(module) || target.converts_float16()? {
        return Ok(());
    }
    let internal = |error: String| Error::internal(format!("LLVM: {error}"));
    let text = MemoryBuffer::create_from_memory_range_copy(FUNCTIONS.as_bytes(), "float16");
    let functions = module.get_context().create_module_from_ir(text);
    let functions = functions.map_err(|error| internal(error.to_string()))?;
    module.link_in_module(functions).map_err(|error| internal(error.to_string()))
}

/// Returns true if an instruction has a result of f16 or bf16, or of vectors of them.
fn uses_float16(module: &Module) -> bool {
    let context = module.get_context();
    let types = [context.f16_type(), context.bf16_type()];
    let blocks = module.get_functions().flat_map(FunctionValue::get_basic_block_iter);
    let mut instructions = blocks.flat_map(BasicBlock::get_instructions);
    instructions.any(|instruction| match type_of(instruction) {
        Some(AnyTypeEnum::FloatType(type_)) => types.contains(&type_),
        Some(AnyTypeEnum::VectorType(type_)) => {
            let element = type_.get_element_type();
            types.iter().any(|type_| element == (*type_).into())
        }
        _ => false,
    })
}
