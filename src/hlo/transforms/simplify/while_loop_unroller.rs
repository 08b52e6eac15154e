//! `--while-loop-unroller`: unrolls short loops of elementwise ops.
//!
//! Each iteration of a loop on tensors reads its carried tensors from memory and writes them. If
//! the body is elementwise, the unrolled iterations are one elementwise computation in registers.
//! JAX exports threefry as a loop of five iterations of four rounds; after unrolling, its rotations
//! are by constants, too.
//!
//! ```mlir
//! %0:2 = stablehlo.while(%i = %c0, %x = %a) : tensor<i32>, tensor<8xui32>
//!   cond {
//!     %1 = stablehlo.compare LT, %i, %c2 : (tensor<i32>, tensor<i32>) -> tensor<i1>
//!     stablehlo.return %1 : tensor<i1>
//!   } do {
//!     %1 = stablehlo.xor %x, %b : tensor<8xui32>
//!     %2 = stablehlo.add %i, %c1 : tensor<i32>
//!     stablehlo.return %2, %1 : tensor<i32>, tensor<8xui32>
//!   }
//! ```
//!
//! becomes
//!
//! ```mlir
//! %1 = stablehlo.xor %a, %b : tensor<8xui32>
//! %2 = stablehlo.add %c0, %c1 : tensor<i32>
//! %3 = stablehlo.xor %1, %b : tensor<8xui32>
//! %4 = stablehlo.add %2, %c1 : tensor<i32>
//! ```
//!
//! The loop must count from a constant to a constant, without wrap-around.

use crate::{
    loops::trip_count,
    matchers::{ELEMENTWISE, ensure},
};
use halo_ir::{apply_greedily, prelude::*};

/// The maximum number of unrolled iterations.
const MOST_ITERATIONS: u64 = 8;
/// The maximum number of ops of all iterations together.
const MOST_OPS: u64 = 512;

/// Other ops that a body may have: data movement and constants.
const OTHERS: &[&str] = &[
    stablehlo::BitcastConvertOp::NAME,
    stablehlo::BroadcastInDimOp::NAME,
    stablehlo::ConstantOp::NAME,
    stablehlo::IotaOp::NAME,
    stablehlo::ReshapeOp::NAME,
    stablehlo::SelectOp::NAME,
    stablehlo::SliceOp::NAME,
];

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "while-loop-unroller",
    "Replace short loops of elementwise ops by their iterations",
    |pass| apply_greedily(pass, &[Pattern::new::<stablehlo::WhileOp>(unroll)]),
)
.dependent_dialects(&["stablehlo"]);

fn unroll<'c>(b: &Builder<'c>, op: stablehlo::WhileOp<'c>) -> RewriteResult {
    let body = op.operation().body(1).ok_or_else(|| no_match("it has no body"))?;
    let iterations = trip_count(op.operation())
        .ok_or_else(|| no_match("it does not count from a constant to a constant"))?;
    let ops = body.operations();
    let is_known = |op: &Operation| {
        let name = op.name();
        ELEMENTWISE.contains(&name) || OTHERS.contains(&name)
    };
    let computes = ops.split_last().is_some_and(|(_, ops)| ops.iter().all(is_known));
    ensure(computes, "an op of the body is not elementwise")?;
    ensure(
        iterations <= MOST_ITERATIONS && iterations * ops.len() as u64 <= MOST_OPS,
        "it is long",
    )?;
    let mut carried = op.operation().operands();
    for _ in 0..iterations {
        carried = b.clone_body(body, &carried);
    }
    b.replace(op.operation(), &carried);
    Ok(())
}
