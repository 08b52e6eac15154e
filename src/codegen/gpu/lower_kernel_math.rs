//! `--halo-lower-kernel-math`: lowers the remaining math functions of kernels
//! to LLVM intrinsics.
//!
//! Upstream's lowering to NVVM calls NVIDIA's libdevice, which may not be
//! redistributed. Halo expands the elementary functions (`--halo-expand-math`);
//! the others are one or a few GPU instructions, and LLVM has an intrinsic for
//! each.
//!
//! ```mlir
//! %0 = math.sqrt %x : f32
//! ```
//!
//! becomes
//!
//! ```mlir
//! %0 = llvm.call_intrinsic "llvm.sqrt"(%x) : (f32) -> f32
//! ```
//!
//! A function without an expansion is an error at its op.
//!
//! Amounts of 64-bit shifts are limited to 63 by `arith.andi`. Shifts of PTX
//! take 32 bits of an amount. Where a `select` gives zero for amounts of 64 and
//! more, LLVM 22 drops it and relies on the instruction, which shifts by 0 for
//! an amount of 2^32. LLVM sees through a minimum, but not through the mask.

use crate::loops::prelude::*;
use halo_ir::{
    ops::{llvm, math},
    prelude::*,
};

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "halo-lower-kernel-math",
    "Lower the functions that kernels have left to intrinsics of LLVM",
    run,
)
.on::<gpu::GPUModuleOp>()
.dependent_dialects(&["llvm"]);

/// Functions on floats and the intrinsics that compute them.
const INTRINSICS: &[(&str, &str)] = &[
    (math::AbsFOp::NAME, "llvm.fabs"),
    (math::CeilOp::NAME, "llvm.ceil"),
    (math::CopySignOp::NAME, "llvm.copysign"),
    (math::FloorOp::NAME, "llvm.floor"),
    (math::FmaOp::NAME, "llvm.fma"),
    (math::RoundOp::NAME, "llvm.round"),
    (math::RoundEvenOp::NAME, "llvm.roundeven"),
    (math::SqrtOp::NAME, "llvm.sqrt"),
    (math::TruncOp::NAME, "llvm.trunc"),
];

fn run(invocation: &mut PassInvocation) -> Result<(), PassFailure> {
    let functions = collect_operations(invocation.operation(), |operation| {
        name_of(operation).starts_with("math.")
            && results_of(operation)
                .iter()
                .all(|result| float_kind(element_type(result.r#type())).is_some())
    });
    let mut failed = false;
    for operation in functions {
        let name = name_of(operation);
        let Some((_, intrinsic)) = INTRINSICS.iter().find(|(known, _)| *known == name) else {
            let bits = bits_of(element_type(results_of(operation)[0].r#type())).unwrap_or(0);
            let message = format!("'{name}' op on {bits} bits has no code for GPUs");
            emit_error(operation.location(), &message);
            failed = true;
            continue;
        };
        let called = with_builder(operation, |builder| call(builder, operation, intrinsic));
        if let Err(error) = called {
            emit_error(operation.location(), &format!("internal error: {error}"));
            failed = true;
        }
    }
    invocation.for_each(is_wide_shift, |builder, shift| bound_amount(builder, shift))?;
    if failed { Err(PassFailure) } else { Ok(()) }
}

/// Whether an op shifts 64 bits by an amount that may be 64 or more.
fn is_wide_shift(operation: Operation) -> bool {
    (operation.isa::<arith::ShLIOp>() || operation.isa::<arith::ShRUIOp>())
        && integer_width(results_of(operation)[0].r#type()) == Some(64)
        && operands_of(operation)[1].defined_by::<arith::ConstantOp>().is_none()
}

fn bound_amount<'c>(builder: &Builder<'c>, shift: Operation<'c>) -> Emitted<()> {
    let amount = operands_of(shift)[1];
    let last = arith::constant(builder, amount.r#type(), 63)?;
    set_operand(shift, 1, arith::andi(builder, amount, last)?);
    Ok(())
}

fn call<'c>(builder: &Builder<'c>, operation: Operation<'c>, intrinsic: &str) -> Emitted<()> {
    let operands = operands_of(operation);
    let value = llvm::CallIntrinsicOp::build(builder, intrinsic, &operands, &[], &[])
        .results_type(results_of(operation)[0].r#type())
        .value()?;
    builder.replace(operation, &[value])
}
