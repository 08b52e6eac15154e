//! The largest entries of a dimension, by sorting it.

use super::operand;
use crate::transforms::{emit, extents, formula::compare};
use halo_ir::stablehlo::attributes::{ComparisonDirection, ComparisonType};
use halo_ir::{
    Builder, Operation, RewriteError, RewriteResult, attribute_of, bool_attribute, element_type,
    integer_attribute, integer_attribute_value, integer_type, is_float, result_types_of,
    results_of, shape_of, tensor_type, with_element_type,
};
use melior::ir::ValueLike;

/// Sorts the entries with their indices, stably and falling, and takes the
/// first `k`. Floats are in total order, where a NaN is above infinity.
pub fn decompose<'c>(b: &Builder<'c>, op: Operation<'c>) -> RewriteResult {
    let context = b.context();
    let operand = operand(op)?;
    let k = attribute_of(op, "k")
        .and_then(integer_attribute_value)
        .ok_or(RewriteError::NoMatch)?;
    let &[values_type, indices_type] = &result_types_of(op)[..] else {
        return Err(RewriteError::NoMatch);
    };
    let shape = shape_of(operand.r#type()).ok_or(RewriteError::NoMatch)?;
    let Some(last) = shape.len().checked_sub(1) else {
        return Err(RewriteError::Invalid(
            "'chlo.top_k' of a scalar has no dimension to sort".to_owned(),
        ));
    };
    let element = element_type(operand.r#type());
    let index = element_type(indices_type);
    let index_type = with_element_type(operand.r#type(), index);
    // The shape and the limits of the slices, where they are computed.
    let computed = if shape.iter().all(Option::is_some) {
        None
    } else {
        let mut sizes = extents::parts_of(b, operand)?;
        let all = extents::join(b, &sizes)?;
        sizes[last] = extents::part(
            b,
            extents::scalar(b, shape[last].map_or(k, |size| size.min(k)))?,
        )?;
        Some((all, extents::join(b, &sizes)?))
    };
    let iota = match computed {
        Some((shape, _)) => emit::dynamic_iota(b, shape, last as i64, index_type)?,
        None => emit::iota(b, last as i64, index_type)?,
    };
    let scalars = [element, element, index, index].map(|r#type| tensor_type(&[], r#type));
    let comparator = b.region(&scalars, |b, arguments| {
        let &[left, right, ..] = arguments else {
            return Err(RewriteError::NoMatch);
        };
        let kind = is_float(element).then_some(ComparisonType::TotalOrder);
        let greater = compare(b, left, right, ComparisonDirection::Gt, kind)?;
        b.op("stablehlo.return").operands(&[greater]).insert()?;
        Ok(())
    })?;
    let sorted = b
        .op("stablehlo.sort")
        .operands(&[operand, iota])
        .attribute(
            "dimension",
            integer_attribute(integer_type(context, 64), last as i64),
        )
        .attribute("is_stable", bool_attribute(context, true))
        .results(&[operand.r#type(), iota.r#type()])
        .region(comparator)
        .insert()?;

    let rank = shape.len() as i64;
    let dynamic = match computed {
        Some((_, limits)) => Some([
            extents::integers(b, &[rank], 0)?,
            limits,
            extents::integers(b, &[rank], 1)?,
        ]),
        None => None,
    };
    let mut results = Vec::new();
    for (value, r#type) in results_of(sorted)
        .into_iter()
        .zip([values_type, indices_type])
    {
        results.push(match dynamic {
            Some([start, limits, strides]) => {
                let operands = [value, start, limits, strides];
                b.value("stablehlo.real_dynamic_slice", &operands, r#type)?
            }
            None => {
                let mut limits: Vec<i64> = shape.iter().copied().flatten().collect();
                limits[last] = limits[last].min(k);
                let (start, strides) = (vec![0; limits.len()], vec![1; limits.len()]);
                emit::slice(b, value, &start, &limits, &strides, r#type)?
            }
        });
    }
    b.replace(op, &results)?;
    Ok(())
}
