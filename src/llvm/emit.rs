//! Machine code of a module, by LLVM's code generator.
//!
//! Uses `unsafe` to call C++ with handles of inkwell.

use super::{diagnostics, fatal_errors::first_line, module::type_of};
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
use std::{ffi::c_void, fmt::Display, ptr::NonNull};

unsafe extern "C" {
    fn haloCodeGeneratorCreate(
        machine: LLVMTargetMachineRef,
        kind: LLVMCodeGenFileType,
        reduce_loop_strength: bool,
    ) -> *mut c_void;
    fn haloCodeGeneratorEmit(
        generator: *mut c_void,
        machine: LLVMTargetMachineRef,
        module: LLVMModuleRef,
        done: extern "C" fn(MlirStringRef, *mut c_void),
        data: *mut c_void,
    );
    fn haloCodeGeneratorDestroy(generator: *mut c_void);
}

/// The object file or the assembly of a module.
///
/// # Errors
/// Returns an internal error if LLVM fails.
pub fn emit(module: &Module, machine: &TargetMachine, kind: FileType) -> Result<Vec<u8>, Error> {
    CodeGenerator::new(machine, kind, reduces_loop_strength(module, machine))?.emit(module, machine)
}

/// Returns true if the code of a module needs loop strength reduction.
///
/// Loop strength reduction takes a fifth of the code generator's time. Without it, kernels are as
/// fast on x86-64, whose addressing modes add, except for loops of several streams. Other modules
/// for x86-64 skip it.
fn reduces_loop_strength(module: &Module, machine: &TargetMachine) -> bool {
    let triple = machine.get_triple();
    let is_measured = triple.as_str().to_bytes().starts_with(b"x86_64");
    !is_measured || has_streams(module)
}

/// The generators of object files for one machine, created on first use: without and with loop
/// strength reduction.
#[derive(Default)]
pub struct CodeGenerators([Option<CodeGenerator>; 2]);

impl CodeGenerators {
    /// The object file of a module, which must be dropped before the next call. All calls are for
    /// the same machine, which outlives the value.
    ///
    /// # Errors
    /// Returns an internal error if LLVM fails.
    pub fn object(&mut self, module: &Module, machine: &TargetMachine) -> Result<Vec<u8>, Error> {
        let reduces = reduces_loop_strength(module, machine);
        let kept = &mut self.0[usize::from(reduces)];
        // One that fails in the middle is not used again.
        let generator = match kept.take() {
            Some(generator) => generator,
            None => CodeGenerator::new(machine, FileType::Object, reduces)?,
        };
        let code = generator.emit(module, machine)?;
        *kept = Some(generator);
        Ok(code)
    }
}

/// LLVM's code generator for one machine and file type.
struct CodeGenerator(NonNull<c_void>);

impl CodeGenerator {
    fn new(machine: &TargetMachine, kind: FileType, reduces: bool) -> Result<Self, Error> {
        let kind = match kind {
            FileType::Assembly => LLVMCodeGenFileType::LLVMAssemblyFile,
            FileType::Object => LLVMCodeGenFileType::LLVMObjectFile,
        };
        // SAFETY: The machine is valid.
        let create = || unsafe { haloCodeGeneratorCreate(machine.as_mut_ptr(), kind, reduces) };
        let generator = panics::catch(create).map_err(failed)?;
        let generator = NonNull::new(generator).map(Self);
        generator.ok_or_else(|| Error::internal("LLVM: the target emits no such file"))
    }

    fn emit(&self, module: &Module, machine: &TargetMachine) -> Result<Vec<u8>, Error> {
        let mut code = Vec::new();
        let data: *mut Vec<u8> = &raw mut code;
        let emit = || {
            // SAFETY: The handles are valid, and so is `data` during the call.
            unsafe {
                haloCodeGeneratorEmit(
                    self.0.as_ptr(),
                    machine.as_mut_ptr(),
                    module.as_mut_ptr(),
                    copy,
                    data.cast(),
                );
            }
        };
        let (result, error) = diagnostics::first_error(module, || panics::catch(emit));
        result.map_err(failed)?;
        match error {
            Some(error) => Err(failed(first_line(&error))),
            None => Ok(code),
        }
    }
}

impl Drop for CodeGenerator {
    fn drop(&mut self) {
        // SAFETY: The generator is valid, and not used again.
        unsafe { haloCodeGeneratorDestroy(self.0.as_ptr()) }
    }
}

fn failed(panic: impl Display) -> Error {
    Error::internal(format!("LLVM: {panic}"))
}

/// The bytes of a line of a cache.
const LINE_BYTES: u64 = 64;

/// Returns true if a loop copies rows, or computes with prefetched data: it reads several streams,
/// each of which needs a register for its address and one for the prefetch address.
fn has_streams(module: &Module) -> bool {
    let mut blocks = module.get_functions().flat_map(FunctionValue::get_basic_block_iter);
    blocks.any(|block| {
        let is_prefetch = |instruction| is_call(instruction, "llvm.prefetch.");
        block.get_instructions().any(copies_lines)
            || (block.get_instructions().any(is_prefetch)
                && block.get_instructions().any(is_arithmetic))
    })
}

/// Returns true if an instruction copies a row, or a dynamic length.
fn copies_lines(instruction: InstructionValue) -> bool {
    if !is_call(instruction, "llvm.memcpy.") {
        return false;
    }
    let length = instruction.get_operand(2).and_then(Operand::value);
    let length = length.and_then(|length| length.into_int_value().get_zero_extended_constant());
    length.is_none_or(|length| length >= LINE_BYTES)
}

/// Returns true if an instruction calls an intrinsic with a name prefix.
fn is_call(instruction: InstructionValue, name: &str) -> bool {
    CallSiteValue::try_from(instruction)
        .ok()
        .and_then(|call| call.get_called_fn_value())
        .is_some_and(|called| called.get_name().to_bytes().starts_with(name.as_bytes()))
}

/// Returns true if an instruction computes a vector of floats, also as a multiply-add.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::target::TargetDescription;
    use halo_backend::ProcessorOptions;
    use inkwell::{context::Context, memory_buffer::MemoryBuffer};

    /// The object file of a function, from a kept machine's code generator or a new one.
    fn object(code: &str, kept: bool) -> Result<Vec<u8>, Error> {
        let target = TargetDescription::of(&ProcessorOptions::default()).unwrap();
        let machine = target.machine().unwrap();
        let context = Context::create();
        let text = MemoryBuffer::create_from_memory_range_copy(code.as_bytes(), "test");
        let module = context.create_module_from_ir(text).unwrap();
        if kept {
            machine.object(&module)
        } else {
            emit(&module, &machine, FileType::Object)
        }
    }

    #[test]
    fn a_kept_generator_emits_what_a_new_one_does() {
        let programs = [
            "define i32 @a(ptr %p) { %x = load i32, ptr %p\n ret i32 %x }",
            "@c = constant [2 x i64] [i64 3, i64 5]\n\
             define i64 @b(i64 %i) {\n\
             %p = getelementptr [2 x i64], ptr @c, i64 0, i64 %i\n\
             %x = load i64, ptr %p\n ret i64 %x }",
            // Types that belong to a context, and a constant of the code generator.
            "declare i33 @f(i33)\n\
             define <3 x float> @a(<3 x float> %x) {\n\
             %y = fmul <3 x float> %x, <float 3.0, float 5.0, float 7.0>\n\
             ret <3 x float> %y }\n\
             define i33 @d(i33 %x) { %y = call i33 @f(i33 %x)\n ret i33 %y }",
        ];
        for code in programs.iter().chain(programs.iter().rev()) {
            let [kept, new] = [true, false].map(|kept| object(code, kept).unwrap());
            assert_eq!(kept, new, "{code}");
        }
    }

    /// Without the handler, LLVM ends the process.
    #[test]
    fn errors_are_returned() {
        let wrong = "define void @a() { call void asm \"frobnicate\", \"\"()\n ret void }";
        for kept in [true, false, true] {
            let message = object(wrong, kept).unwrap_err().to_string();
            assert!(message.starts_with("internal error: LLVM: "), "{message}");
            assert!(message.contains("frobnicate"), "{message}");
            assert!(!object("define void @a() { ret void }", kept).unwrap().is_empty());
        }
    }
}
