//! `--halo-kernel-entries`: adds wrappers with a uniform signature to emulated
//! kernels.
//!
//! An emulator launches every kernel with a range of blocks, the extents of the grid and of a
//! block, and a table of the kernel's own arguments, 8 bytes for each: a pointer, or the bytes of a
//! scalar at the beginning of its slot. Each kernel gets a wrapper of that signature.
//!
//! ```mlir
//! llvm.func @add(i64, i64, i64, i64, i64, i64, i64, i64, !llvm.ptr, f32)
//!   attributes {halo.kernel}
//! ```
//!
//! gets
//!
//! ```mlir
//! llvm.func @add__entry(%begin: i64, ..., %z: i64, %table: !llvm.ptr) {
//!   %0 = llvm.load %table : !llvm.ptr -> !llvm.ptr
//!   %slot = llvm.getelementptr %table[1] : (!llvm.ptr) -> !llvm.ptr, i64
//!   %1 = llvm.load %slot : !llvm.ptr -> f32
//!   llvm.call @add(%begin, ..., %z, %0, %1)
//!   llvm.return
//! }
//! ```

use super::emulate_kernels::LAUNCH_ARGUMENTS;
use halo_codegen::cpu::{
    llvm_code::{LlvmCode, linkage},
    lower_to_runtime_abi::ENTRY_SUFFIX,
};
use halo_ir::{
    ops::{halo::KERNEL, llvm},
    prelude::*,
};

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "halo-kernel-entries",
    "Give emulated kernels wrappers that take their arguments from a table",
    run,
)
.on::<builtin::ModuleOp>()
.dependent_dialects(&["llvm"]);

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    let module = pass.operation();
    let kernels = module.collect_nested(|operation| {
        operation.isa::<llvm::LLVMFuncOp>() && operation.has_attribute(KERNEL)
    });
    for kernel in kernels {
        let wrapped = with_builder(kernel, |b| wrap(&LlvmCode { b: *b, module }, kernel));
        wrapped.map_err(|error| {
            emit_error(kernel.location(), &error.to_string());
            PassFailure
        })?;
    }
    Ok(())
}

fn wrap<'c>(code: &LlvmCode<'c>, kernel: Operation<'c>) -> Result<(), RewriteError> {
    let name = kernel
        .attribute("sym_name")
        .and_then(Attribute::string_value)
        .ok_or(RewriteError::NoMatch)?;
    let body = kernel.body(0).ok_or(RewriteError::NoMatch)?;
    let own = body.arguments().into_iter().skip(LAUNCH_ARGUMENTS).collect::<Vec<_>>();
    let mut parameters = vec![code.i64(); LAUNCH_ARGUMENTS];
    parameters.push(code.pointer());
    let numbers = ["i64"; LAUNCH_ARGUMENTS].join(", ");
    code.function(
        &format!("{name}{ENTRY_SUFFIX}"),
        &format!("!llvm.func<void ({numbers}, ptr)>"),
        &parameters,
        false,
        |code, arguments| {
            let (launch, table) = arguments.split_at(LAUNCH_ARGUMENTS);
            let mut operands = launch.to_vec();
            for (number, value) in own.iter().enumerate() {
                operands.push(argument(code, table[0], number, *value));
            }
            code.call_symbol(name, &operands, None);
            llvm::return_(&code.b);
            Ok(())
        },
    )?;
    // The function itself has no external callers.
    let internal = linkage(code.b.context(), "internal")?;
    kernel.set_attribute("linkage", internal);
    Ok(())
}

/// An argument, loaded from its slot in the table. A boolean has a byte.
fn argument<'c>(
    code: &LlvmCode<'c>,
    table: Value<'c>,
    number: usize,
    value: Value<'c>,
) -> Value<'c> {
    let slot = code.element_address(table, code.i64(), &[number as i32]);
    let boolean = integer_type(code.b.context(), 1);
    if value.ty() != boolean {
        return llvm::load(&code.b, slot, value.ty());
    }
    let byte = llvm::load(&code.b, slot, integer_type(code.b.context(), 8));
    llvm::trunc(&code.b, byte, boolean)
}
