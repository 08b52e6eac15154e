//! Products of a dynamic number of groups.
//!
//! `lhs` gets a leading group dimension; in each group only its rows are not zero. Then one
//! `dot_general` computes the result: over a free dimension it also contracts the groups, and each
//! row is multiplied by its group's part of `rhs`; over a contracting one the groups become a
//! dimension of the result. This needs memory for one copy of `lhs` per group.

use super::{RaggedDot, dot_general};
use crate::transforms::shapes::mixed_sizes::{MixedSize, MixedSizes};
use halo_ir::{prelude::*, stablehlo::attributes::DotDimensionNumbers};

/// The product as one `stablehlo.dot_general`.
pub(super) fn decompose<'c>(b: &Builder<'c>, ragged: &RaggedDot<'c>) -> RewriteResult<Value<'c>> {
    let numbers = &ragged.numbers;
    let lhs = split_groups(b, ragged)?;
    let behind = |dimensions: &[i64]| dimensions.iter().map(|other| other + 1).collect();
    let mut dot = DotDimensionNumbers {
        lhs_batching_dimensions: behind(&numbers.lhs_batching_dimensions),
        rhs_batching_dimensions: numbers.rhs_batching_dimensions.clone(),
        lhs_contracting_dimensions: behind(&numbers.lhs_contracting_dimensions),
        rhs_contracting_dimensions: numbers.rhs_contracting_dimensions.clone(),
    };
    if numbers.lhs_contracting_dimensions.contains(&ragged.ragged) {
        return groups_of_result(b, ragged, lhs, &dot);
    }
    dot.lhs_contracting_dimensions.push(0);
    dot.rhs_contracting_dimensions.push(ragged.group_dimension()?);
    dot_general(b, ragged.op, lhs, ragged.rhs, &dot, ragged.result)
}

/// A product whose group dimension, the first free dimension of `lhs`, is moved from after the
/// batches to the front.
fn groups_of_result<'c>(
    b: &Builder<'c>,
    ragged: &RaggedDot<'c>,
    lhs: Value<'c>,
    dot: &DotDimensionNumbers,
) -> RewriteResult<Value<'c>> {
    let (op, rhs, result) = (ragged.op, ragged.rhs, ragged.result);
    let batches = dot.lhs_batching_dimensions.len();
    if batches == 0 {
        return dot_general(b, op, lhs, rhs, dot, result);
    }
    let mut sizes: Vec<i64> = result
        .shape()
        .ok_or_else(|| no_match("a tensor is unranked"))?
        .into_iter()
        .map(|size| size.unwrap_or(i64::MIN))
        .collect();
    if sizes.len() <= batches {
        return Err(no_match("a dimension is out of range"));
    }
    sizes[..=batches].rotate_left(1);
    let transposed = tensor_type(&sizes, result.element_type());
    let product = dot_general(b, op, lhs, rhs, dot, transposed)?;
    let mut permutation: Vec<i64> = (0..sizes.len() as i64).collect();
    permutation[..=batches].rotate_right(1);
    let product = stablehlo::TransposeOp::build(b, product, &permutation);
    Ok(product.result_types(&[result]).value())
}

/// `lhs` with a leading group dimension: each group has its rows, and zeros.
fn split_groups<'c>(b: &Builder<'c>, dot: &RaggedDot<'c>) -> RewriteResult<Value<'c>> {
    let index = integer_type(b.context(), 64);
    let (lhs, sizes) = (dot.lhs, dot.sizes);
    let group_sizes = MixedSizes::of(b, sizes)?;
    let lhs_sizes = MixedSizes::of(b, lhs)?;
    let groups = *group_sizes.0.last().ok_or_else(|| no_match("the group sizes are a scalar"))?;

    let ends = running_sum(b, sizes, &group_sizes)?;
    let starts = stablehlo::subtract(b, ends, sizes);

    let mut all: Vec<MixedSize<'c>> = vec![groups];
    all.extend(&lhs_sizes.0);
    let all = MixedSizes(all);
    let mut dimensions: Vec<i64> = dot.prefix.iter().map(|other| other + 1).collect();
    dimensions.push(0);
    let row = all.iota(b, index, dot.ragged as usize + 1);
    let starts = all.broadcast(b, starts, &dimensions);
    let ends = all.broadcast(b, ends, &dimensions);
    let behind = stablehlo::compare(b, row, starts, ComparisonDirection::Ge);
    let before = stablehlo::compare(b, row, ends, ComparisonDirection::Lt);
    let inside = stablehlo::and(b, behind, before);

    let own: Vec<i64> = (1..all.0.len() as i64).collect();
    let repeated = all.broadcast(b, lhs, &own);
    let zeros = all.zeros(b, lhs.ty().element_type())?;
    Ok(stablehlo::select(b, inside, repeated, zeros))
}

/// The inclusive prefix sums of the group sizes: sums over the rows of a triangle, because there
/// are few groups.
fn running_sum<'c>(
    b: &Builder<'c>,
    sizes: Value<'c>,
    mixed_sizes: &MixedSizes<'c>,
) -> RewriteResult<Value<'c>> {
    let element = sizes.ty().element_type();
    let last = mixed_sizes.0.len() - 1;
    let mut square = mixed_sizes.clone();
    square.0.push(mixed_sizes.0[last]);
    let dimensions: Vec<i64> = (0..last as i64).chain([last as i64 + 1]).collect();
    let repeated = square.broadcast(b, sizes, &dimensions);
    let row = square.iota(b, element, last);
    let column = square.iota(b, element, last + 1);
    let counts = stablehlo::compare(b, column, row, ComparisonDirection::Le);
    let zeros = square.zeros(b, element)?;
    let triangle = stablehlo::select(b, counts, repeated, zeros);
    stablehlo::sum(b, triangle, &[last as i64 + 1])
}
