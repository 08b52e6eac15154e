//! `--halo-fuse-elementwise`: fuses producers into their consumers.
//!
//! A value that is computed in its consumer's loop is never written to memory. Upstream fuses every
//! producer with one user, and recomputes it for each iteration that uses an element: a broadcast
//! row once for each row of the result, an operand of a matrix product once for each of its
//! columns. Arithmetic in the operands of a matrix product also prevents the micro-kernel. The
//! rules of this pass:
//!
//! - no producer is fused into a contraction, or another reduction that reads an element of an
//!   operand more than once;
//! - a producer that only moves elements (broadcast, transpose, iota) is fused
//!   into every user;
//! - a selection between elements at computed indices, such as interior padding, is fused into its
//!   only user also if that is a window that reads no other operand;
//! - a producer with arithmetic is fused into its only user if no element is computed twice, or if
//!   it is a few ops on integers, such as the indices of a gather, which are hoisted out of the
//!   innermost loop or cheaper than a load; such a producer may have several users if it has few
//!   elements and reads no other such producer, since each op of a chain would recompute all ops
//!   before it;
//! - no body gets longer than `LONGEST_BODY`. Each fusion copies a body, and the time of LLVM is
//!   superlinear in its length, while loads from cache between two loops are cheap.
//!
//! ```mlir
//! %0 = linalg.generic {indexing_maps = [#row, #id]} ins(%b) outs(%e) { yield %in }
//! %1 = linalg.generic {indexing_maps = [#id, #id, #id]} ins(%a, %0) outs(%e) { addf }
//! %2 = linalg.generic {indexing_maps = [#id, #id]} ins(%1) outs(%e) { math.tanh }
//! ```
//!
//! becomes
//!
//! ```mlir
//! %2 = linalg.generic {indexing_maps = [#id, #row, #id]} ins(%a, %b) outs(%e) {
//!   ^bb0(%x: f32, %y: f32, %out: f32):
//!     %3 = arith.addf %x, %y : f32
//!     %4 = math.tanh %3 : f32
//!     linalg.yield %4 : f32
//! }
//! ```
//!
//! The option `explain` emits a remark with the reason for each producer that is not fused.

use super::{blocks_around_loops, position_of};
use crate::explain::{Outcome, Reason};
use halo_ir::{fusion::fuse_elementwise, prelude::*};
use std::collections::HashSet;

/// The maximal ops of a fused body.
const LONGEST_BODY: usize = 128;
/// Bodies of at most so many ops on integers may be recomputed.
const FEW_OPS: usize = 8;
/// The overhead of a loop dominates for at most so many elements.
pub(super) const FEW_ELEMENTS: i64 = 4096;

pass_options! {
    /// The options of the pass.
    struct Options {
        /// Report why ops are not fused into their users
        explain: bool = false,
    }
}

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "halo-fuse-elementwise",
    "Fuse elementwise producers into their users where nothing is computed twice",
    run,
)
.on::<func::FuncOp>()
.dependent_dialects(&["affine", "linalg", "tensor"])
.options::<Options>();

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    if !fuse_elementwise(pass, |producer, consumer, number| {
        is_worth_it(producer, consumer, number).is_ok()
    }) {
        return Err(PassFailure::at(
            pass.operation(),
            "fusion did not come to an end",
        ));
    }
    if pass.options::<Options>().explain {
        explain(pass);
    }
    Ok(())
}

/// Emits remarks for the remaining producers.
fn explain(pass: &PassInvocation) {
    let mut explained = HashSet::new();
    for consumer in blocks_around_loops(pass.operation()).flat_map(Block::operations) {
        let Some(generic) = consumer.cast::<linalg::GenericOp>() else {
            continue;
        };
        for (number, input) in generic.inputs().into_iter().enumerate() {
            let producer =
                input.defining_op().filter(|producer| producer.isa::<linalg::GenericOp>());
            let Some(producer) = producer else {
                continue;
            };
            let reason = if reduces(producer) {
                Reason::IsReduction
            } else {
                match is_worth_it(producer, consumer, number) {
                    Err(reason) => reason,
                    Ok(()) => continue,
                }
            };
            if explained.insert((producer.key(), reason)) {
                Outcome::NotFusedIntoUser
                    .because(reason)
                    .remark(pass, producer)
                    .note(consumer, "the user");
            }
        }
    }
}

/// Checks the fusion rules, with the reason for rejected producers. Cheap checks come first, since
/// it runs for each operand of each op, and for a long body again after each fusion.
fn is_worth_it<'c>(
    producer: Operation<'c>,
    consumer: Operation<'c>,
    number: usize,
) -> Result<(), Reason> {
    let moves = only_moves(producer);
    let is_free = || moves || is_cheap(producer) && is_small(producer) && !is_chained(producer);
    if !is_used_once(producer) && !is_free() {
        return Err(Reason::SeveralUses);
    }
    is_worth_it_once(producer, consumer, number)
}

/// Checks the rules for a producer without other users.
fn is_worth_it_once<'c>(
    producer: Operation<'c>,
    consumer: Operation<'c>,
    number: usize,
) -> Result<(), Reason> {
    let moves = only_moves(producer);
    if length(producer) + length(consumer) > LONGEST_BODY {
        return Err(Reason::LoopTooLong);
    }
    if selects(producer) && reads_only(consumer, number) {
        return Ok(());
    }
    if reuses_operands(consumer) {
        return Err(Reason::UserReadsRepeatedly);
    }
    if moves || visits_once(consumer, number) || is_cheap(producer) && !reduces(consumer) {
        Ok(())
    } else {
        Err(Reason::UserRecomputes)
    }
}

/// Returns true if a copy of a producer with no other user would be fused into an op.
pub(super) fn can_fuse_copy<'c>(
    producer: Operation<'c>,
    consumer: Operation<'c>,
    number: usize,
) -> bool {
    consumer.cast::<linalg::GenericOp>().is_some_and(|generic| {
        number < generic.inputs().len() && is_worth_it_once(producer, consumer, number).is_ok()
    })
}

/// Returns true if the results of an op have exactly one use.
pub(super) fn is_used_once(op: Operation) -> bool {
    let mut used = op.results().into_iter().filter(|result| !result.is_unused());
    used.next().is_some_and(Value::has_one_use) && used.next().is_none()
}

/// Returns true if an op reads a result of an op that computes elements for several users.
fn is_chained(op: Operation) -> bool {
    let mut producers = op.operands().into_iter().filter_map(Value::defining_op);
    producers.any(|op| op.isa::<linalg::GenericOp>() && !is_used_once(op) && !only_moves(op))
}

/// The number of ops in the body of a structured op.
fn length(op: Operation) -> usize {
    op.body(0).map_or(0, |body| body.operations().len())
}

/// Returns true if the body of an op reads no operand but one.
fn reads_only(op: Operation, number: usize) -> bool {
    let arguments = op.body(0).map(Block::arguments).unwrap_or_default();
    let inputs = arguments.len().saturating_sub(op.results().len());
    let mut others = arguments[..inputs].iter().enumerate().filter(|(at, _)| *at != number);
    others.all(|(_, other)| other.is_unused())
}

/// Returns true if each iteration of the consumer reads a different element of an operand.
fn visits_once(consumer: Operation, number: usize) -> bool {
    consumer
        .indexing_map(number)
        .map(|map| {
            let varying = (0..map.result_count())
                .filter(|number| map.result(*number).is_ok_and(|index| !index.is_constant()))
                .count();
            let sizes = || loop_sizes(consumer).unwrap_or_default();
            varying >= map.dim_count() || reads_each_once(&map, &sizes())
        })
        .unwrap_or(false)
}

/// Returns true if all loops of more than one iteration index an operand.
pub(super) fn reads_each_once(map: &AffineMap, sizes: &[i64]) -> bool {
    let is_index = |dim| position_of(map, dim).is_some();
    !sizes.is_empty() && (0..sizes.len()).all(|dim| sizes[dim] == 1 || is_index(dim))
}

/// The sizes of the loops of a structured op, if they are known.
pub(super) fn loop_sizes(op: Operation) -> Option<Vec<i64>> {
    let maps = op.indexing_maps()?;
    let mut sizes = vec![None; maps.first()?.dim_count()];
    for (map, operand) in maps.iter().zip(op.operands()) {
        let shape = operand.ty().static_shape()?;
        for (position, size) in shape.into_iter().enumerate() {
            let index = map.result(position).ok()?;
            if index.is_dim() {
                sizes[index.dim_position()] = Some(size);
            }
        }
    }
    sizes.into_iter().collect()
}

/// Returns true if an op reduces operands that it reads more than once: a contraction, or a
/// reduction with a broadcast operand.
fn reuses_operands(op: Operation) -> bool {
    let inputs = op.results().len();
    reduces(op)
        && op.indexing_maps().is_some_and(|maps| {
            let inputs = &maps[..maps.len().saturating_sub(inputs)];
            inputs.iter().any(|map| map.result_count() < map.dim_count())
        })
}

/// Returns true if an op has reduction loops.
pub(super) fn reduces(op: Operation) -> bool {
    op.cast::<linalg::GenericOp>()
        .is_some_and(|generic| generic.iterator_types().contains(&IteratorType::Reduction))
}

/// Returns true if the loop overhead dominates the work of an op.
fn is_small(op: Operation) -> bool {
    let elements = |sizes: Vec<i64>| sizes.into_iter().fold(1, i64::saturating_mul);
    loop_sizes(op).is_some_and(|sizes| elements(sizes) <= FEW_ELEMENTS)
}

/// Returns true if the body is a few cheap ops on integers that may be recomputed: it does not read
/// its outputs.
pub(super) fn is_cheap(op: Operation) -> bool {
    let Some(body) = op.body(0) else {
        return false;
    };
    let (operations, arguments) = (body.operations(), body.arguments());
    let places = arguments.len().saturating_sub(op.results().len());
    operations.len() <= FEW_OPS
        && !reduces(op)
        && arguments[places..].iter().copied().all(Value::is_unused)
        && operations.into_iter().all(|op| {
            let computes = matches!(
                op.name(),
                arith::AddIOp::NAME
                    | arith::SubIOp::NAME
                    | arith::CmpIOp::NAME
                    | arith::MaxSIOp::NAME
                    | arith::MinSIOp::NAME
                    | arith::MaxUIOp::NAME
                    | arith::MinUIOp::NAME
                    | arith::AndIOp::NAME
                    | arith::OrIOp::NAME
            );
            computes
                || moves_integers(op)
                || op.isa::<arith::SelectOp>() && op.results().iter().all(is_integer_value)
        })
}

fn is_integer_value(value: &Value) -> bool {
    value.ty().is_integer() || value.ty().is_index()
}

/// Returns true if the body only yields elements, or values computed from their position.
pub(super) fn only_moves(op: Operation) -> bool {
    let Some(body) = op.body(0) else {
        return false;
    };
    body.operations().into_iter().all(|op| {
        let converts = matches!(
            op.name(),
            arith::SIToFPOp::NAME | arith::ExtFOp::NAME | arith::BitcastOp::NAME
        );
        converts || moves_integers(op)
    })
}

/// Returns true if the body selects between elements at computed indices, and otherwise computes as
/// fast as an addition.
fn selects(op: Operation) -> bool {
    let nested = op.collect_nested(|nested| nested != op);
    let is_selection = |op: &Operation| {
        matches!(
            op.name(),
            scf::IfOp::NAME | scf::YieldOp::NAME | tensor::ExtractOp::NAME
        ) || moves_integers(*op)
            || super::is_cheap(*op)
    };
    nested.iter().any(|op| op.isa::<scf::IfOp>()) && nested.iter().all(is_selection)
}

/// Returns true for a yield, a constant, an index op, or a cast between integer widths.
fn moves_integers(op: Operation) -> bool {
    matches!(
        op.name(),
        linalg::YieldOp::NAME
            | linalg::IndexOp::NAME
            | arith::ConstantOp::NAME
            | arith::IndexCastOp::NAME
            | arith::TruncIOp::NAME
            | arith::ExtSIOp::NAME
            | arith::ExtUIOp::NAME
    )
}
