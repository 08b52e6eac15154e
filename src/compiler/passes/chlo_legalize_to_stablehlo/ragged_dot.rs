//! Matrix products whose rows form groups.
//!
//! Where groups divide a dimension that is not a batching one, `lhs` gets a
//! leading dimension of groups, in each of which only the rows of the group are
//! not zero. Then one `dot_general` does the rest: over a free dimension it
//! contracts the groups too, and each row meets its group's part of `rhs`; over
//! a contracting one the groups become a dimension of the result. Groups of a
//! batching dimension change nothing.

use crate::{
    ir::{
        Builder, Operation, RewriteError, RewriteResult, Type, Value, array_attribute,
        attribute_list, attribute_of, element_type, i64_array_attribute, integer_attribute,
        integer_type, operands_of, shape_of, tensor_type,
    },
    passes::{
        extents::{Extent, Extents},
        formula::compare,
    },
};
use halo_dialects::attributes::{
    ComparisonDirection, DotDimensionNumbers, Precision, RaggedDotDimensionNumbers,
};
use melior::ir::ValueLike;

use super::result_type;

/// Replaces `chlo.ragged_dot` by one `stablehlo.dot_general`.
pub fn decompose<'c>(b: &Builder<'c>, op: Operation<'c>) -> RewriteResult {
    let [lhs, rhs, sizes] = operands_of(op)[..] else {
        return Err(RewriteError::NoMatch);
    };
    let numbers = attribute_of(op, "ragged_dot_dimension_numbers")
        .and_then(RaggedDotDimensionNumbers::from_attribute)
        .ok_or(RewriteError::NoMatch)?;
    let &[ragged] = &numbers.lhs_ragged_dimensions[..] else {
        return Err(RewriteError::Invalid(
            "'chlo.ragged_dot' needs exactly one ragged dimension".to_owned(),
        ));
    };
    let result = result_type(op)?;
    let mut dot = DotDimensionNumbers {
        lhs_batching_dimensions: numbers.lhs_batching_dimensions.clone(),
        rhs_batching_dimensions: numbers.rhs_batching_dimensions.clone(),
        lhs_contracting_dimensions: numbers.lhs_contracting_dimensions.clone(),
        rhs_contracting_dimensions: numbers.rhs_contracting_dimensions.clone(),
    };
    if numbers.lhs_batching_dimensions.contains(&ragged) {
        let value = dot_general(b, op, [lhs, rhs], &dot, result)?;
        b.replace(op, &[value]);
        return Ok(());
    }

    let lhs = split_groups(b, lhs, sizes, &numbers, ragged)?;
    for dimension in dot
        .lhs_batching_dimensions
        .iter_mut()
        .chain(&mut dot.lhs_contracting_dimensions)
    {
        *dimension += 1;
    }
    let value = if numbers.lhs_contracting_dimensions.contains(&ragged) {
        groups_of_result(b, op, [lhs, rhs], &dot, result)?
    } else {
        let &[group] = &numbers.rhs_group_dimensions[..] else {
            return Err(RewriteError::Invalid(
                "'chlo.ragged_dot' needs one group dimension of rhs where the ragged dimension \
                 is free"
                    .to_owned(),
            ));
        };
        dot.lhs_contracting_dimensions.push(0);
        dot.rhs_contracting_dimensions.push(group);
        dot_general(b, op, [lhs, rhs], &dot, result)?
    };
    b.replace(op, &[value]);
    Ok(())
}

/// A product in which the groups, the first free dimension of `lhs`, come
/// behind the batches, brought to the front.
fn groups_of_result<'c>(
    b: &Builder<'c>,
    op: Operation<'c>,
    operands: [Value<'c>; 2],
    dot: &DotDimensionNumbers,
    result: Type<'c>,
) -> Result<Value<'c>, RewriteError> {
    let batches = dot.lhs_batching_dimensions.len();
    if batches == 0 {
        return dot_general(b, op, operands, dot, result);
    }
    let mut sizes: Vec<i64> = shape_of(result)
        .ok_or(RewriteError::NoMatch)?
        .into_iter()
        .map(|size| size.unwrap_or(i64::MIN))
        .collect();
    if sizes.len() <= batches {
        return Err(RewriteError::NoMatch);
    }
    sizes[..=batches].rotate_left(1);
    let product = dot_general(
        b,
        op,
        operands,
        dot,
        tensor_type(&sizes, element_type(result)),
    )?;
    let mut permutation: Vec<i64> = (0..sizes.len() as i64).collect();
    permutation[..=batches].rotate_right(1);
    Ok(b.op("stablehlo.transpose")
        .operands(&[product])
        .attribute(
            "permutation",
            i64_array_attribute(b.context(), &permutation),
        )
        .result(result)
        .value()?)
}

fn dot_general<'c>(
    b: &Builder<'c>,
    op: Operation<'c>,
    operands: [Value<'c>; 2],
    dot: &DotDimensionNumbers,
    result: Type<'c>,
) -> Result<Value<'c>, RewriteError> {
    let context = b.context();
    let mut spec = b
        .op("stablehlo.dot_general")
        .operands(&operands)
        .attribute("dot_dimension_numbers", dot.to_attribute(context))
        .result(result);
    if let Some(precisions) = attribute_of(op, "precision_config") {
        let precisions: Vec<_> = attribute_list(precisions)
            .into_iter()
            .filter_map(Precision::from_attribute)
            .map(|precision| precision.to_attribute(context))
            .collect();
        spec = spec.attribute("precision_config", array_attribute(context, &precisions));
    }
    Ok(spec.value()?)
}

/// The dimensions of `lhs` that the leading dimensions of the group sizes stand
/// for: the batching ones, then those of the kind of the ragged one that come
/// before it.
fn prefix(numbers: &RaggedDotDimensionNumbers, ragged: i64) -> Vec<i64> {
    let batching = &numbers.lhs_batching_dimensions;
    let contracting = &numbers.lhs_contracting_dimensions;
    let before: Vec<i64> = if contracting.contains(&ragged) {
        contracting
            .iter()
            .copied()
            .take_while(|dimension| *dimension != ragged)
            .collect()
    } else {
        (0..ragged)
            .filter(|dimension| !batching.contains(dimension) && !contracting.contains(dimension))
            .collect()
    };
    batching.iter().copied().chain(before).collect()
}

/// `lhs` with a leading dimension of groups: each holds its rows, and zeros.
fn split_groups<'c>(
    b: &Builder<'c>,
    lhs: Value<'c>,
    sizes: Value<'c>,
    numbers: &RaggedDotDimensionNumbers,
    ragged: i64,
) -> Result<Value<'c>, RewriteError> {
    let index = integer_type(b.context(), 64);
    let group_extents = Extents::of(b, sizes)?;
    let lhs_extents = Extents::of(b, lhs)?;
    let Some((groups, leading)) = group_extents.0.split_last() else {
        return Err(RewriteError::Invalid(
            "the group sizes of 'chlo.ragged_dot' are a scalar".to_owned(),
        ));
    };
    let prefix = if leading.is_empty() {
        Vec::new()
    } else {
        prefix(numbers, ragged)
    };
    if prefix.len() != leading.len() {
        return Err(RewriteError::Invalid(format!(
            "the group sizes of 'chlo.ragged_dot' have {} leading dimensions instead of {}",
            leading.len(),
            prefix.len()
        )));
    }

    let sizes = b.value("stablehlo.convert", &[sizes], group_extents.r#type(index))?;
    let ends = running_sum(b, sizes, &group_extents)?;
    let starts = b.value("stablehlo.subtract", &[ends, sizes], ends.r#type())?;

    let mut all: Vec<Extent<'c>> = vec![*groups];
    all.extend(&lhs_extents.0);
    let all = Extents(all);
    let mut placed: Vec<i64> = prefix.iter().map(|dimension| dimension + 1).collect();
    placed.push(0);
    let row = all.iota(b, index, ragged as usize + 1)?;
    let starts = all.broadcast(b, starts, &placed)?;
    let ends = all.broadcast(b, ends, &placed)?;
    let behind = compare(b, row, starts, ComparisonDirection::Ge, None)?;
    let before = compare(b, row, ends, ComparisonDirection::Lt, None)?;
    let inside = b.value("stablehlo.and", &[behind, before], behind.r#type())?;

    let own: Vec<i64> = (1..all.0.len() as i64).collect();
    let repeated = all.broadcast(b, lhs, &own)?;
    let zeros = all.zeros(b, element_type(lhs.r#type()))?;
    Ok(b.value(
        "stablehlo.select",
        &[inside, repeated, zeros],
        repeated.r#type(),
    )?)
}

/// The sums of all group sizes up to each, that one included: sums over the
/// rows of a triangle, since there are few groups.
fn running_sum<'c>(
    b: &Builder<'c>,
    sizes: Value<'c>,
    extents: &Extents<'c>,
) -> Result<Value<'c>, RewriteError> {
    let element = element_type(sizes.r#type());
    let last = extents.0.len() - 1;
    let mut square = extents.clone();
    square.0.push(extents.0[last]);
    let placed: Vec<i64> = (0..last as i64).chain([last as i64 + 1]).collect();
    let repeated = square.broadcast(b, sizes, &placed)?;
    let row = square.iota(b, element, last)?;
    let column = square.iota(b, element, last + 1)?;
    let counts = compare(b, column, row, ComparisonDirection::Le, None)?;
    let zeros = square.zeros(b, element)?;
    let triangle = b.value(
        "stablehlo.select",
        &[counts, repeated, zeros],
        repeated.r#type(),
    )?;
    let scalar = tensor_type(&[], element);
    let zero = b
        .op("stablehlo.constant")
        .attribute(
            "value",
            crate::ir::splat_attribute(scalar, integer_attribute(element, 0)),
        )
        .result(scalar)
        .value()?;
    let add = b.region(&[scalar, scalar], |b, arguments| {
        let sum = b.value("stablehlo.add", arguments, scalar)?;
        b.op("stablehlo.return").operands(&[sum]).insert()?;
        Ok::<_, RewriteError>(())
    })?;
    Ok(b.op("stablehlo.reduce")
        .operands(&[triangle, zero])
        .attribute(
            "dimensions",
            i64_array_attribute(b.context(), &[last as i64 + 1]),
        )
        .region(add)
        .result(extents.r#type(element))
        .value()?)
}
