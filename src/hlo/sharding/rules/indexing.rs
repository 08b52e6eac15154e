//! Gathers and scatters.

use super::reduction::combiner_of;
use super::rule::{Build, Combiner, Draft, Kind, Tensor, contains, index};
use halo_ir::prelude::*;

pub(super) const RULES: &[(&str, Build)] = &[
    (stablehlo::GatherOp::NAME, gather),
    (stablehlo::ScatterOp::NAME, scatter),
];

/// Divides dimensions that slices take completely, batches, and index positions. If slices take
/// single elements of a dimension, each partition takes its elements, as a partial result.
/// Dimensions that slices take partially are whole.
fn gather(op: Operation, draft: &mut Draft) -> Option<()> {
    let (operand, indices, result) = (Tensor::Operand(0), Tensor::Operand(1), Tensor::Result(0));
    let op = op.cast::<stablehlo::GatherOp>()?;
    let (numbers, slices) = (op.dimension_numbers(), op.slice_sizes());
    let is_dropped = |one: &usize| {
        contains(&numbers.collapsed_slice_dims, *one)
            || contains(&numbers.operand_batching_dims, *one)
    };
    let kept = (0..draft.rank(operand)).filter(|one| !is_dropped(one));
    for (dimension, offset) in kept.zip(&numbers.offset_dims) {
        if draft.sizes(operand).get(dimension) == slices.get(dimension) {
            draft.parallel(&[(operand, dimension), (result, index(*offset))]);
        }
    }
    for dimension in numbers.start_index_map.iter().map(|one| index(*one)) {
        let size = draft.sizes(operand).get(dimension).copied();
        if slices.get(dimension) == Some(&1) && size > Some(1) {
            let combiner = match op.operand().ty().element_type().integer_width() {
                Some(1) => Combiner::Or,
                _ => Combiner::Add,
            };
            draft.dimensions(Kind::Reduced(combiner), &[(operand, dimension)]);
        }
    }
    let vector = index(numbers.index_vector_dim);
    let batches = (0..draft.rank(result)).filter(|one| !contains(&numbers.offset_dims, *one));
    let batches: Vec<usize> = batches.collect();
    let positions = (0..draft.rank(indices)).filter(|one| *one != vector);
    for (position, batch) in positions.zip(batches) {
        let batching = numbers.start_indices_batching_dims.iter();
        let own = batching.zip(&numbers.operand_batching_dims);
        let own = own.filter(|(at, _)| index(**at) == position);
        let own = own.map(|(_, dimension)| (operand, index(*dimension)));
        let all = own.chain([(indices, position), (result, batch)]);
        draft.parallel(&all.collect::<Vec<_>>());
    }
    Some(())
}

/// Divides unindexed dimensions that updates cover completely, batches, and dimensions of which
/// updates have single elements: a partition skips updates outside of its tile. Other indexed
/// dimensions are whole. Index positions are divided if updates are summed or multiplied: each
/// partition has a partial result of its updates.
fn scatter(op: Operation, draft: &mut Draft) -> Option<()> {
    let op = op.cast::<stablehlo::ScatterOp>()?;
    let numbers = op.scatter_dimension_numbers();
    let inputs = op.inputs().len();
    let (first, indices) = (Tensor::Operand(0), Tensor::Operand(inputs));
    let update = Tensor::Operand(inputs + 1);
    let everywhere = |dimension: usize| {
        let inputs = (0..inputs).map(move |one| (Tensor::Operand(one), dimension));
        inputs.collect::<Vec<_>>()
    };
    let results = |dimension: usize| (0..inputs).map(move |one| (Tensor::Result(one), dimension));
    let updates = |dimension: usize| {
        (0..inputs).map(move |one| (Tensor::Operand(inputs + 1 + one), dimension))
    };
    let vector = index(numbers.index_vector_dim);
    let positions = (0..draft.rank(indices)).filter(|one| *one != vector);
    let positions: Vec<usize> = positions.collect();
    let is_window = |one: &usize| contains(&numbers.update_window_dims, *one);
    let batches: Vec<usize> = (0..draft.rank(update)).filter(|one| !is_window(one)).collect();
    let mut windows = numbers.update_window_dims.iter();
    for dimension in 0..draft.rank(first) {
        let mut all = everywhere(dimension);
        let batching = numbers.input_batching_dims.iter();
        let batching = batching.zip(&numbers.scatter_indices_batching_dims);
        let mut batching = batching.filter(|(own, _)| index(**own) == dimension);
        if let Some((_, at)) = batching.next() {
            let at = index(*at);
            let batch = positions.iter().zip(&batches).find(|(own, _)| **own == at);
            all.push((indices, at));
            all.extend(batch.into_iter().flat_map(|(_, batch)| updates(*batch)));
            all.extend(results(dimension));
            draft.parallel(&all);
            continue;
        }
        if contains(&numbers.inserted_window_dims, dimension) {
            all.extend(results(dimension));
            let is_indexed = contains(&numbers.scatter_dims_to_operand_dims, dimension);
            let kind = if is_indexed {
                Kind::Parallel
            } else {
                Kind::Whole
            };
            draft.dimensions(kind, &all);
            continue;
        }
        let window = index(*windows.next()?);
        let is_all = draft.sizes(update).get(window) == draft.sizes(first).get(dimension)
            && !contains(&numbers.scatter_dims_to_operand_dims, dimension);
        if is_all {
            all.extend(updates(window));
        }
        all.extend(results(dimension));
        draft.dimensions(if is_all { Kind::Parallel } else { Kind::Whole }, &all);
    }
    let combiner = combiner_of(op.operation());
    if let Some(combiner @ (Combiner::Add | Combiner::Multiply)) = combiner {
        let is_batch = |at: &i64| contains(&numbers.scatter_indices_batching_dims, index(*at));
        for (position, batch) in positions.iter().zip(&batches) {
            if !is_batch(&(*position as i64)) {
                let all = [(indices, *position), (update, *batch)];
                draft.dimensions(Kind::Reduced(combiner), &all);
            }
        }
    }
    Some(())
}
