//! Passes of a few patterns, one of which is wrong in a way that real patterns are.

use halo::{
    ir::{apply_patterns_once, apply_without_folding},
    prelude::*,
};

/// `--wrong-fold`: removes ops that do nothing, and one that does something.
///
/// ```mlir
/// %0 = stablehlo.maximum %x, %zeros : tensor<4xf32>
/// ```
///
/// becomes `%x`, as if it had no negative elements.
pub static WRONG_FOLD: PassDeclaration = PassDeclaration::new(
    "wrong-fold",
    "Fold ops with neutral operands, and maxima with zero",
    |pass| {
        let add = Pattern::new::<stablehlo::AddOp>(|b, op| fold_neutral(b, *op, 0.0));
        let multiply = Pattern::new::<stablehlo::MulOp>(|b, op| fold_neutral(b, *op, 1.0));
        let maximum = Pattern::new::<stablehlo::MaxOp>(fold_maximum);
        apply_without_folding(pass, &[add, multiply, maximum])
    },
);

fn fold_neutral<'c>(b: &Builder<'c>, op: Operation<'c>, neutral: f64) -> RewriteResult {
    if splat_of(op.operand(1)) != Some(neutral) {
        return Err(no_match("the right operand is not neutral"));
    }
    b.replace(op, &op.operands()[..1]);
    Ok(())
}

fn fold_maximum<'c>(b: &Builder<'c>, op: stablehlo::MaxOp<'c>) -> RewriteResult {
    fold_neutral(b, *op, 0.0)
}

fn splat_of(value: Option<Value>) -> Option<f64> {
    value?.defined_by::<stablehlo::ConstantOp>()?.value().splat_number()
}

/// `--wrong-fusion`: fuses structured ops that move elements into their consumers.
///
/// ```mlir
/// %0 = linalg.generic {indexing_maps = [(i, j) -> (j, i), (i, j) -> (i, j)], ...} ins(%x) ...
/// ```
///
/// becomes `%x`: the consumer should read it by the composition of the maps.
pub static WRONG_FUSION: PassDeclaration = PassDeclaration::new(
    "wrong-fusion",
    "Fuse copies of elements into structured ops",
    |pass| apply_without_folding(pass, &[Pattern::new::<linalg::GenericOp>(fuse_copies)]),
);

fn fuse_copies<'c>(b: &Builder<'c>, consumer: linalg::GenericOp<'c>) -> RewriteResult {
    for (number, operand) in consumer.operands().into_iter().enumerate() {
        let Some(producer) = operand.defined_by::<linalg::GenericOp>() else {
            continue;
        };
        let source = producer.operands()[0];
        let body = producer.body(0).map(Block::operations).unwrap_or_default();
        if body.len() == 1 && source.ty() == operand.ty() {
            b.modify(*consumer, || consumer.set_operand(number, source));
            return Ok(());
        }
    }
    Err(no_match("no operand is a copy"))
}

/// `--lost-write`: erases writes to buffers that later ops write to.
///
/// ```mlir
/// linalg.fill ins(%one : f32) outs(%sums : memref<8xf32>)
/// linalg.generic ... outs(%sums : memref<8xf32>) {
/// ^bb0(%in: f32, %out: f32):
///   %0 = arith.addf %out, %in : f32
/// ```
///
/// loses the first op, although the second one reads the buffer.
pub static LOST_WRITE: PassDeclaration = PassDeclaration::new(
    "lost-write",
    "Erase writes to buffers that are overwritten",
    |pass| {
        let erase = Pattern::new::<linalg::FillOp>(erase_overwritten);
        apply_patterns_once(pass.operation(), &[erase])
    },
);

fn erase_overwritten<'c>(b: &Builder<'c>, fill: linalg::FillOp<'c>) -> RewriteResult {
    let Some(buffer) = fill.operand(1) else {
        return Err(RewriteError::NoMatch);
    };
    let mut later = fill.next_in_block();
    while let Some(op) = later {
        if op.name().starts_with("linalg.") && op.operands().last() == Some(&buffer) {
            b.erase(*fill);
            return Ok(());
        }
        later = op.next_in_block();
    }
    Err(no_match("no later op writes to the buffer"))
}

/// `--swapped-operand`: moves constants to the right.
///
/// ```mlir
/// %0 = arith.subf %three, %x : f32
/// ```
///
/// becomes `%x - 3`.
pub static SWAPPED_OPERAND: PassDeclaration = PassDeclaration::new(
    "swapped-operand",
    "Move constant operands to the right",
    |pass| {
        let patterns = [
            Pattern::new::<arith::AddFOp>(|b, op| constant_to_the_right(b, *op)),
            Pattern::new::<arith::MulFOp>(|b, op| constant_to_the_right(b, *op)),
            Pattern::new::<arith::SubFOp>(swap_difference),
        ];
        apply_patterns_once(pass.operation(), &patterns)
    },
);

fn constant_to_the_right<'c>(b: &Builder<'c>, op: Operation<'c>) -> RewriteResult {
    let [lhs, rhs] = op.operands()[..] else {
        return Err(RewriteError::NoMatch);
    };
    if lhs.defined_by::<arith::ConstantOp>().is_none() {
        return Err(no_match("the left operand is not constant"));
    }
    b.modify(op, || {
        op.set_operand(0, rhs);
        op.set_operand(1, lhs);
    });
    Ok(())
}

fn swap_difference<'c>(b: &Builder<'c>, op: arith::SubFOp<'c>) -> RewriteResult {
    constant_to_the_right(b, *op)
}

/// `--wrong-bound`: rounds the number of iterations of loops down, as for the main part of an
/// unrolled loop, and forgets the remainder.
///
/// ```mlir
/// scf.for %i = %c0 to %c10 step %c1 { ... }
/// ```
///
/// ends at 8.
pub static WRONG_BOUND: PassDeclaration = PassDeclaration::new(
    "wrong-bound",
    "Round bounds of loops down to multiples of four",
    |pass| {
        let round = Pattern::new::<scf::ForOp>(round_bound);
        apply_patterns_once(pass.operation(), &[round])
    },
);

fn round_bound<'c>(b: &Builder<'c>, op: scf::ForOp<'c>) -> RewriteResult {
    let Some(bound) = arith::constant_index(op.upper_bound()) else {
        return Err(no_match("the bound is not constant"));
    };
    let rounded = arith::constant(b, op.upper_bound().ty(), bound / 4 * 4);
    b.modify(*op, || op.set_operand(1, rounded));
    Ok(())
}
