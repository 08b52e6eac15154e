//! Factorizations, solvers, transforms and normalizations, which are divided along batch
//! dimensions.

use super::rule::{Build, Draft, Tensor, index};
use halo_ir::prelude::*;

pub(super) const RULES: &[(&str, Build)] = &[
    (stablehlo::BatchNormGradOp::NAME, features),
    (stablehlo::BatchNormInferenceOp::NAME, features),
    (stablehlo::BatchNormTrainingOp::NAME, features),
    (stablehlo::CholeskyOp::NAME, matrices),
    (stablehlo::FftOp::NAME, transforms),
    (stablehlo::TriangularSolveOp::NAME, systems),
];

const RESULT: Tensor = Tensor::Result(0);

/// Batches of matrices.
fn matrices(_: Operation, draft: &mut Draft) -> Option<()> {
    batch(draft, 2, &[Tensor::Operand(0), RESULT]);
    Some(())
}

/// Batches of systems of equations.
fn systems(_: Operation, draft: &mut Draft) -> Option<()> {
    batch(draft, 2, &[Tensor::Operand(0), Tensor::Operand(1), RESULT]);
    Some(())
}

/// Batches of transforms, which are over the last dimensions.
fn transforms(op: Operation, draft: &mut Draft) -> Option<()> {
    let transformed = op.cast::<stablehlo::FftOp>()?.fft_length().len();
    batch(draft, transformed, &[Tensor::Operand(0), RESULT]);
    Some(())
}

fn batch(draft: &mut Draft, problem: usize, tensors: &[Tensor]) {
    for dimension in 0..draft.rank(RESULT).saturating_sub(problem) {
        let all = tensors.iter().map(|tensor| (*tensor, dimension));
        draft.parallel(&all.collect::<Vec<_>>());
    }
}

/// The features, for which one-dimensional operands and results have one value each; for inference,
/// which computes no means, also all other dimensions.
fn features(op: Operation, draft: &mut Draft) -> Option<()> {
    let feature = op.attribute("feature_index").and_then(Attribute::integer_value);
    let feature = index(feature?);
    let rank = draft.rank(Tensor::Operand(0));
    let operands = (0..op.operands().len()).map(Tensor::Operand);
    let results = (0..op.results().len()).map(Tensor::Result);
    let all: Vec<Tensor> = operands.chain(results).collect();
    let full = |one: &Tensor| *one == Tensor::Operand(0) || draft.rank(*one) == rank && rank > 1;
    let full: Vec<Tensor> = all.iter().copied().filter(full).collect();
    let is_inference = op.isa::<stablehlo::BatchNormInferenceOp>();
    for dimension in 0..rank {
        if dimension == feature && rank > 1 {
            let at = all.iter().map(|one| {
                if full.contains(one) {
                    (*one, dimension)
                } else {
                    (*one, 0)
                }
            });
            draft.parallel(&at.collect::<Vec<_>>());
        } else if is_inference && dimension != feature {
            let at = full.iter().map(|one| (*one, dimension));
            draft.parallel(&at.collect::<Vec<_>>());
        }
    }
    Some(())
}
