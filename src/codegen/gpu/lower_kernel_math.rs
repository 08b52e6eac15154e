//! `--halo-lower-kernel-math`: lowers the remaining math functions of kernels
//! to LLVM intrinsics.
//!
//! Upstream's lowering to NVVM calls NVIDIA's libdevice, which may not be redistributed. Halo
//! expands the elementary functions (`--halo-expand-math`); the other functions are one or a few
//! GPU instructions with an LLVM intrinsic.
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
//! Amounts of 64-bit shifts are masked to 63 by `arith.andi`. PTX shifts use only 32 bits of the
//! amount. LLVM 22 drops a `select` of zero for amounts of at least 64 and relies on the
//! instruction, which shifts by 0 for an amount of 2^32. LLVM looks through a minimum, but not
//! through the mask.

use halo_ir::{
    ops::{llvm, math},
    prelude::*,
};

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "halo-lower-kernel-math",
    "Lower the remaining math functions of kernels to LLVM intrinsics",
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
    let functions = invocation.operation().collect_nested(|operation| {
        operation.name().starts_with("math.")
            && operation
                .results()
                .iter()
                .all(|result| result.ty().element_type().float_kind().is_some())
    });
    let mut failed = false;
    for operation in functions {
        let name = operation.name();
        let Some((_, intrinsic)) = INTRINSICS.iter().find(|(known, _)| *known == name) else {
            let bits = operation.results()[0].ty().element_type().bit_width().unwrap_or(0);
            let message = format!("'{name}' op on {bits} bits has no code for GPUs");
            emit_error(operation.location(), &message);
            failed = true;
            continue;
        };
        with_builder(operation, |builder| call(builder, operation, intrinsic));
    }
    invocation.for_each(is_wide_shift, |builder, shift| bound_amount(builder, shift))?;
    if failed { Err(PassFailure) } else { Ok(()) }
}

/// Returns true if an op shifts 64 bits by an amount that may be 64 or more.
fn is_wide_shift(operation: Operation) -> bool {
    (operation.isa::<arith::ShLIOp>() || operation.isa::<arith::ShRUIOp>())
        && operation.results()[0].ty().integer_width() == Some(64)
        && operation.operands()[1].defined_by::<arith::ConstantOp>().is_none()
}

fn bound_amount<'c>(builder: &Builder<'c>, shift: Operation<'c>) {
    let amount = shift.operands()[1];
    let last = arith::constant(builder, amount.ty(), 63);
    shift.set_operand(1, arith::andi(builder, amount, last));
}

fn call<'c>(builder: &Builder<'c>, operation: Operation<'c>, intrinsic: &str) {
    let operands = operation.operands();
    let value = llvm::CallIntrinsicOp::build(builder, intrinsic, &operands, &[], &[])
        .results_type(operation.results()[0].ty())
        .value();
    builder.replace(operation, &[value])
}
