//! Products: folds transpositions of the operands and of the result into dimension numbers.

use crate::matchers::{defined_by, ensure};
use halo_ir::{
    prelude::*,
    stablehlo::attributes::{DotAlgorithm, DotDimensionNumbers},
};

pub(super) fn patterns() -> Vec<Pattern<'static>> {
    vec![
        Pattern::new::<stablehlo::DotGeneralOp>(product_of_transposes),
        Pattern::new::<stablehlo::TransposeOp>(transpose_of_product),
    ]
}

/// `dot_general(transpose(x), transpose(y))` -> `dot_general(x, y)`, where the dimensions
/// of the result keep their order
fn product_of_transposes<'c>(b: &Builder<'c>, op: stablehlo::DotGeneralOp<'c>) -> RewriteResult {
    let mut numbers = op.dot_dimension_numbers();
    let mut factors = [op.lhs(), op.rhs()];
    let DotDimensionNumbers {
        lhs_batching_dimensions,
        rhs_batching_dimensions,
        lhs_contracting_dimensions,
        rhs_contracting_dimensions,
    } = &mut numbers;
    let of_lhs = source(
        factors[0],
        lhs_batching_dimensions,
        lhs_contracting_dimensions,
    );
    let of_rhs = source(
        factors[1],
        rhs_batching_dimensions,
        rhs_contracting_dimensions,
    );
    ensure(
        of_lhs.is_some() || of_rhs.is_some(),
        "no factor is a transposition that keeps the order of the result",
    )?;
    for (factor, source) in factors.iter_mut().zip([of_lhs, of_rhs]) {
        *factor = source.unwrap_or(*factor);
    }
    let new = stablehlo::DotGeneralOp::build(b, factors[0], factors[1], &numbers, op.result().ty())
        .maybe(op.precision_config().as_deref(), |new, value| {
            new.precision_config(value)
        })
        .maybe(op.algorithm(), |new, value| new.algorithm(value))
        .value();
    b.replace_merged(op.operation(), new)
}

/// The source of a transposed operand, if its free dimensions keep their order; its batching and
/// contracting dimensions are mapped to the source.
fn source<'c>(
    factor: Value<'c>,
    batching: &mut Vec<i64>,
    contracting: &mut Vec<i64>,
) -> Option<Value<'c>> {
    let transpose = defined_by::<stablehlo::TransposeOp>(factor).ok()?;
    let permutation = transpose.permutation();
    let is_free =
        |dimension: &i64| !batching.contains(dimension) && !contracting.contains(dimension);
    let free = (0..permutation.len() as i64).filter(is_free);
    let moved = |dimension: i64| permutation.get(usize::try_from(dimension).ok()?).copied();
    let is_sorted = free.map(moved).collect::<Option<Vec<_>>>()?.is_sorted();
    let all =
        |dimensions: &[i64]| dimensions.iter().map(|at| moved(*at)).collect::<Option<Vec<_>>>();
    let (batch, sums) = (all(batching)?, all(contracting)?);
    is_sorted.then(|| {
        (*batching, *contracting) = (batch, sums);
        transpose.operand()
    })
}

/// `transpose(dot_general(x, y))` whose last dimension is the last one of the rows ->
/// `transpose(dot_general(y, x))`, which leaves the last dimension in place, or `dot_general(y, x)`
/// if that is all
///
/// `jax.numpy.einsum` writes attention so if heads share keys: the scores of a query were stored
/// far from each other.
fn transpose_of_product<'c>(b: &Builder<'c>, op: stablehlo::TransposeOp<'c>) -> RewriteResult {
    let operand = op.operand();
    let dot = defined_by::<stablehlo::DotGeneralOp>(operand)?;
    let (lhs, rhs) = (dot.lhs(), dot.rhs());
    let element = lhs.ty().element_type();
    ensure(operand.has_one_use(), "the product has other users")?;
    ensure(
        element == rhs.ty().element_type() && !element.is_quantized(),
        "the factors have types of their own",
    )?;
    let numbers = dot.dot_dimension_numbers();
    let rank = |value: Value| value.ty().shape().map(|shape| shape.len());
    let (Some(lhs_rank), Some(rank)) = (rank(lhs), rank(operand)) else {
        return Err(no_match("a tensor is unranked"));
    };
    let batch = numbers.lhs_batching_dimensions.len();
    let rows = lhs_rank - batch - numbers.lhs_contracting_dimensions.len();
    let permutation = op.permutation();
    ensure(
        rows > 0 && permutation.last() == Some(&((batch + rows) as i64 - 1)),
        "the last dimension is not the last one of the rows",
    )?;
    // Each dimension of the product among the dimensions of the exchanged one.
    let columns = rank - batch - rows;
    let exchanged = |dimension: i64| match dimension as usize {
        at if at < batch => dimension,
        at if at < batch + rows => dimension + columns as i64,
        _ => dimension - rows as i64,
    };
    let permutation: Vec<i64> = permutation.into_iter().map(exchanged).collect();
    let is_left = !permutation.is_sorted();
    let product = if is_left {
        let result = op.result().ty();
        let sizes = result.static_shape().ok_or_else(|| no_match("a size is dynamic"))?;
        let mut of_product = sizes.clone();
        for (size, dimension) in sizes.iter().zip(&permutation) {
            of_product[*dimension as usize] = *size;
        }
        tensor_type(&of_product, result.element_type())
    } else {
        op.result().ty()
    };
    let numbers = DotDimensionNumbers {
        lhs_batching_dimensions: numbers.rhs_batching_dimensions,
        rhs_batching_dimensions: numbers.lhs_batching_dimensions,
        lhs_contracting_dimensions: numbers.rhs_contracting_dimensions,
        rhs_contracting_dimensions: numbers.lhs_contracting_dimensions,
    };
    let precision = dot.precision_config().map(|mut precision| {
        precision.reverse();
        precision
    });
    let algorithm = dot.algorithm().map(|algorithm| DotAlgorithm {
        lhs_precision_type: algorithm.rhs_precision_type,
        rhs_precision_type: algorithm.lhs_precision_type,
        lhs_component_count: algorithm.rhs_component_count,
        rhs_component_count: algorithm.lhs_component_count,
        ..algorithm
    });
    let mut new = stablehlo::DotGeneralOp::build(b, rhs, lhs, &numbers, product)
        .maybe(precision.as_deref(), |new, value| {
            new.precision_config(value)
        })
        .maybe(algorithm, |new, value| new.algorithm(value))
        .value();
    if is_left {
        new = stablehlo::transpose(b, new, &permutation);
    }
    b.replace_merged(op.operation(), new)
}
