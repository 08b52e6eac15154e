//! The largest entries of a dimension, by sorting it.

use super::operand;
use crate::{
    ir::{
        Builder, Operation, RewriteError, RewriteResult, attribute_of, bool_attribute,
        element_type, i64_array_attribute, integer_attribute, integer_attribute_value,
        integer_type, is_float, result_types_of, results_of, tensor_type,
    },
    passes::{
        extents::{Extent, Extents},
        formula::compare,
    },
};
use halo_dialects::attributes::{ComparisonDirection, ComparisonType};
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
    let extents = Extents::of(b, operand)?;
    let Some(last) = extents.0.len().checked_sub(1) else {
        return Err(RewriteError::Invalid(
            "'chlo.top_k' of a scalar has no dimension to sort".to_owned(),
        ));
    };
    let element = element_type(operand.r#type());
    let index = element_type(indices_type);
    let iota = extents.iota(b, index, last)?;
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

    let mut limits = extents;
    limits.0[last] = match limits.0[last] {
        Extent::Known(size) => Extent::Known(size.min(k)),
        Extent::Computed(_) => Extent::Known(k),
    };
    let zeros = vec![0; limits.0.len()];
    let ones = vec![1; limits.0.len()];
    let mut results = Vec::new();
    for (value, r#type) in results_of(sorted)
        .into_iter()
        .zip([values_type, indices_type])
    {
        let slice = if let Some(limits) = limits.known() {
            b.op("stablehlo.slice")
                .operands(&[value])
                .attribute("start_indices", i64_array_attribute(context, &zeros))
                .attribute("limit_indices", i64_array_attribute(context, &limits))
                .attribute("strides", i64_array_attribute(context, &ones))
                .result(r#type)
                .value()?
        } else {
            let same = |number| Extents(vec![Extent::Known(number); limits.0.len()]).tensor(b);
            let operands = [value, same(0)?, limits.tensor(b)?, same(1)?];
            b.value("stablehlo.real_dynamic_slice", &operands, r#type)?
        };
        results.push(slice);
    }
    b.replace(op, &results);
    Ok(())
}
