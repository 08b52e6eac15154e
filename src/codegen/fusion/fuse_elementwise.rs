//! `--halo-fuse-elementwise`: fuses producers into their consumers.
//!
//! A value that is computed in its consumer's loop is never written to memory.
//! Upstream fuses every producer with one user, and recomputes it for each
//! iteration that uses an element: a broadcast row once for each row of the
//! result, an operand of a matrix product once for each of its columns. A
//! matrix product with arithmetic in its operands is also not recognized by the
//! micro-kernel. The rule here:
//!
//! - nothing is fused into a contraction, or another reduction that reads an
//!   element of an operand more than once;
//! - a producer that only moves elements (broadcast, transpose, iota) is fused
//!   into every user;
//! - one that computes is fused into its only user if no element is computed
//!   twice, or if it is a few ops on integers, such as the positions that a
//!   gather reads, which leave the innermost loop or cost less than a load;
//!   with few elements such a producer may have several users;
//! - no body gets longer than `LONGEST_BODY`. Each step copies a body, and LLVM
//!   takes longer than in proportion for a long one, while what stays in cache
//!   between two loops is read at little cost.
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
//! The option `explain` makes a remark of each reason why a producer stays.

use super::{blocks_around_loops, position_of};
use crate::explain::{Outcome, Reason};
use halo_ir::{fusion::fuse_elementwise, prelude::*};
use std::collections::HashSet;

/// The most ops that a fused body has.
const LONGEST_BODY: usize = 128;
/// Bodies of so few ops on integers may be computed again.
const FEW_OPS: usize = 8;
/// A loop over so few elements costs less than starting it.
pub(super) const FEW_ELEMENTS: i64 = 4096;

pass_options! {
    /// The options of the pass.
    struct Options {
        /// Say why an op is not fused into its user
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

/// Makes remarks of the producers that are left.
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

/// The fusion rule, and why a producer breaks it. Cheap checks come first: it runs for each
/// operand of each op, and for a long body again after each fusion.
fn is_worth_it<'c>(
    producer: Operation<'c>,
    consumer: Operation<'c>,
    number: usize,
) -> Result<(), Reason> {
    let moves = only_moves(producer);
    let is_free = moves || is_cheap(producer) && is_small(producer);
    if !is_free && !is_used_once(producer) {
        return Err(Reason::SeveralUses);
    }
    if length(producer) + length(consumer) > LONGEST_BODY {
        return Err(Reason::LoopTooLong);
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

/// Whether the results of an op have exactly one use.
pub(super) fn is_used_once(op: Operation) -> bool {
    let mut used = op.results().into_iter().filter(|result| !result.is_unused());
    used.next().is_some_and(Value::has_one_use) && used.next().is_none()
}

/// The number of ops in the body of a structured op.
fn length(op: Operation) -> usize {
    op.body(0).map_or(0, |body| body.operations().len())
}

/// Whether each iteration of the consumer reads a different element of an
/// operand.
fn visits_once(consumer: Operation, number: usize) -> bool {
    consumer
        .indexing_maps()
        .and_then(|maps| {
            let map = maps.get(number)?;
            let varying = (0..map.result_count())
                .filter(|number| map.result(*number).is_ok_and(|index| !index.is_constant()))
                .count();
            let sizes = || loop_sizes(consumer).unwrap_or_default();
            Some(varying >= map.dim_count() || reads_each_once(map, &sizes()))
        })
        .unwrap_or(false)
}

/// Whether all loops of more than one iteration are indices of an operand.
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

/// Whether an op reduces operands that it reads more than once: a contraction,
/// or a reduction with a broadcast operand.
fn reuses_operands(op: Operation) -> bool {
    let inputs = op.results().len();
    reduces(op)
        && op.indexing_maps().is_some_and(|maps| {
            let inputs = &maps[..maps.len().saturating_sub(inputs)];
            inputs.iter().any(|map| map.result_count() < map.dim_count())
        })
}

/// Whether an op has loops that its results do not.
pub(super) fn reduces(op: Operation) -> bool {
    op.cast::<linalg::GenericOp>()
        .is_some_and(|generic| generic.iterator_types().contains(&IteratorType::Reduction))
}

/// Whether starting its loop is most of the work of an op.
fn is_small(op: Operation) -> bool {
    let elements = |sizes: Vec<i64>| sizes.into_iter().fold(1, i64::saturating_mul);
    loop_sizes(op).is_some_and(|sizes| elements(sizes) <= FEW_ELEMENTS)
}

/// Whether the body has a few ops on integers only, none of which takes long, and may run
/// again: it does not read what it replaces.
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

/// Whether the body does no arithmetic: it only yields elements, or values
/// computed from their position.
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

/// Whether an op of a body yields values, makes constants or positions, or changes the
/// width of integers.
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
