//! `--while-loop-unroller`: replaces short loops of elementwise ops by their
//! iterations.
//!
//! Each iteration of a loop on tensors reads its carried tensors from memory and
//! writes them. If all that it computes is elementwise, its iterations can be one
//! computation of an element, in registers. JAX writes threefry as a loop of five
//! iterations of four rounds; unrolled, its rotations are by constants, too.
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
//! The loop counts from a constant up to a constant.

use crate::matchers::{ELEMENTWISE, ensure};
use halo_ir::ops::{Op as _, ValueExt, stablehlo};
use halo_ir::{
    Block, Builder, Operation, Pattern, RewriteError, RewriteResult, Value, apply_greedily,
    arguments_of, body_of, clone_body, name_of, no_match, operands_of, operations_of,
    pass::{PassDeclaration, PassFailure, PassInvocation},
    splat_integer,
    stablehlo::attributes::ComparisonDirection,
    terminator_of,
};

/// The most iterations that are unrolled.
const MOST_ITERATIONS: i64 = 8;
/// The most ops of all iterations together.
const MOST_OPS: i64 = 512;

/// Ops beside the elementwise ones that a body may have: they move elements or make
/// constants.
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
    run,
)
.dependent_dialects(&["stablehlo"]);

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    apply_greedily(pass, &[Pattern::new::<stablehlo::WhileOp>(unroll)])
}

fn unroll<'c>(b: &Builder<'c>, op: stablehlo::WhileOp<'c>) -> RewriteResult {
    let body = body_of(op.operation(), 1).ok_or_else(|| no_match("it has no body"))?;
    let iterations = iterations(op.operation(), body)?;
    let ops = operations_of(body);
    let is_known = |op: &Operation| {
        let name = name_of(*op);
        ELEMENTWISE.contains(&name) || OTHERS.contains(&name)
    };
    let computes = ops
        .split_last()
        .is_some_and(|(_, ops)| ops.iter().all(is_known));
    ensure(computes, "an op of the body is not elementwise")?;
    ensure(
        iterations <= MOST_ITERATIONS && iterations * ops.len() as i64 <= MOST_OPS,
        "it is long",
    )?;
    let mut carried = operands_of(op.operation());
    for _ in 0..iterations {
        carried = clone_body(b, body, &carried);
    }
    b.replace(op.operation(), &carried)?;
    Ok(())
}

/// How often a loop iterates.
fn iterations<'c>(op: Operation<'c>, body: Block<'c>) -> Result<i64, RewriteError> {
    let none = || no_match("it does not count up to a constant");
    let condition = body_of(op, 0).ok_or_else(none)?;
    let end = terminator_of(condition).ok_or_else(none)?;
    let verdict = operands_of(end).first().copied().ok_or_else(none)?;
    let compare = verdict
        .defined_by::<stablehlo::CompareOp>()
        .ok_or_else(none)?;
    ensure(
        compare.comparison_direction() == ComparisonDirection::Lt,
        "it does not count up to a constant",
    )?;
    let counter = arguments_of(condition)
        .iter()
        .position(|argument| *argument == compare.lhs())
        .ok_or_else(none)?;
    let next = terminator_of(body).map(operands_of).unwrap_or_default();
    let sum = (next.get(counter).copied())
        .and_then(|next| next.defined_by::<stablehlo::AddOp>())
        .ok_or_else(none)?;
    let argument = arguments_of(body).get(counter).copied().ok_or_else(none)?;
    let step = match (sum.lhs() == argument, sum.rhs() == argument) {
        (true, false) => sum.rhs(),
        (false, true) => sum.lhs(),
        _ => return Err(none()),
    };
    let start = operands_of(op).get(counter).copied().ok_or_else(none)?;
    let [start, step, bound] = [start, step, compare.rhs()].map(constant);
    let (start, step, bound) = (
        start.ok_or_else(none)?,
        step.ok_or_else(none)?,
        bound.ok_or_else(none)?,
    );
    // What is at least zero and at most one step above a bound does not wrap.
    ensure(
        start >= 0 && step == 1 && bound <= i64::from(i8::MAX),
        "it does not count from zero or more in steps of one",
    )?;
    Ok((bound - start).max(0))
}

/// The number that a tensor of integers is made of.
fn constant(value: Value) -> Option<i64> {
    splat_integer(value.defined_by::<stablehlo::ConstantOp>()?.value())
}
