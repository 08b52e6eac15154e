//! Matrix products and convolutions.

use super::rule::{Build, Combiner, Draft, Kind, Tensor, Window, contains, index};
use halo_ir::prelude::*;

pub(super) const RULES: &[(&str, Build)] = &[
    (stablehlo::ConvolutionOp::NAME, convolution),
    (stablehlo::DotGeneralOp::NAME, dot_general),
    (stablehlo::DotOp::NAME, dot),
];

const LHS: Tensor = Tensor::Operand(0);
const RHS: Tensor = Tensor::Operand(1);
const RESULT: Tensor = Tensor::Result(0);
const SUM: Kind = Kind::Reduced(Combiner::Add);

fn dot_general(op: Operation, draft: &mut Draft) -> Option<()> {
    let numbers = op.cast::<stablehlo::DotGeneralOp>()?.dot_dimension_numbers();
    let pairs = |lhs: &[i64], rhs: &[i64]| -> Vec<(usize, usize)> {
        let pairs = lhs.iter().zip(rhs);
        pairs.map(|(l, r)| (index(*l), index(*r))).collect()
    };
    let batching = pairs(
        &numbers.lhs_batching_dimensions,
        &numbers.rhs_batching_dimensions,
    );
    let contracting = pairs(
        &numbers.lhs_contracting_dimensions,
        &numbers.rhs_contracting_dimensions,
    );
    products(draft, &batching, &contracting);
    Some(())
}

fn dot(_: Operation, draft: &mut Draft) -> Option<()> {
    let last = draft.rank(LHS).checked_sub(1)?;
    products(draft, &[], &[(last, 0)]);
    Some(())
}

fn products(draft: &mut Draft, batching: &[(usize, usize)], contracting: &[(usize, usize)]) {
    for (number, (lhs, rhs)) in batching.iter().enumerate() {
        draft.parallel(&[(LHS, *lhs), (RHS, *rhs), (RESULT, number)]);
    }
    let mut next = batching.len();
    let used = batching.iter().chain(contracting);
    let (lhs_used, rhs_used): (Vec<usize>, Vec<usize>) = used.copied().unzip();
    for (operand, used) in [(LHS, lhs_used), (RHS, rhs_used)] {
        for dimension in (0..draft.rank(operand)).filter(|one| !used.contains(one)) {
            draft.parallel(&[(operand, dimension), (RESULT, next)]);
            next += 1;
        }
    }
    for (lhs, rhs) in contracting {
        draft.dimensions(SUM, &[(LHS, *lhs), (RHS, *rhs)]);
    }
}

/// `b` images, `f` input and `o` output features in `g` groups, and windows `w` of which each
/// kernel position is read:
///
/// ```text
/// ([b, w, g f], [k, f, g o]) -> [b, w, g o]
/// ```
///
/// Groups of images and dilated images are not divided.
fn convolution(op: Operation, draft: &mut Draft) -> Option<()> {
    let op = op.cast::<stablehlo::ConvolutionOp>()?;
    let numbers = op.dimension_numbers();
    if op.batch_group_count() != 1 {
        return None;
    }
    let images = index(numbers.input_batch_dimension);
    draft.parallel(&[
        (LHS, images),
        (RESULT, index(numbers.output_batch_dimension)),
    ]);
    let groups = op.feature_group_count().max(1);
    let (input, output) = (
        index(numbers.input_feature_dimension),
        index(numbers.output_feature_dimension),
    );
    let kernel_output = index(numbers.kernel_output_feature_dimension);
    let kernel_input = index(numbers.kernel_input_feature_dimension);
    let outputs = draft.sizes(RESULT).get(output).copied()? / groups;
    if groups > 1 {
        let all = [(LHS, input), (RHS, kernel_output), (RESULT, output)];
        draft.factor(groups, Kind::Parallel, &all);
    }
    let inputs = draft.sizes(LHS).get(input).copied()? / groups;
    draft.factor(inputs, SUM, &[(LHS, input), (RHS, kernel_input)]);
    if outputs > 1 || groups == 1 {
        let all = [(RHS, kernel_output), (RESULT, output)];
        draft.factor(outputs, Kind::Parallel, &all);
    }
    let count = numbers.input_spatial_dimensions.len();
    let or = |own: Option<Vec<i64>>, other: i64| own.unwrap_or_else(|| vec![other; count]);
    let (strides, padding) = (or(op.window_strides(), 1), op.padding());
    let padding = padding.map_or_else(|| Some(vec![0; 2 * count]), Attribute::dense_i64s)?;
    let (dilation, kernel_dilation) = (or(op.lhs_dilation(), 1), or(op.rhs_dilation(), 1));
    for number in 0..count {
        let own = (LHS, index(numbers.input_spatial_dimensions[number]));
        let result = (RESULT, index(numbers.output_spatial_dimensions[number]));
        let kernel = index(numbers.kernel_spatial_dimensions[number]);
        let size = draft.sizes(RHS).get(kernel).copied()?;
        if dilation[number] == 1 && size > 0 {
            let window = Window {
                stride: strides[number],
                offset: -padding[2 * number],
                extent: (size - 1) * kernel_dilation[number] + 1,
            };
            draft.dimensions(Kind::Window(window), &[own, result]);
        }
    }
    debug_assert!(!contains(&numbers.input_spatial_dimensions, images));
    Some(())
}

/// Divides the groups of a convolution whose features are divided.
pub fn split_group_count(op: Operation, count: i64) {
    if let Some(op) = op.cast::<stablehlo::ConvolutionOp>() {
        op.set_feature_group_count(op.feature_group_count() / count);
    }
}
