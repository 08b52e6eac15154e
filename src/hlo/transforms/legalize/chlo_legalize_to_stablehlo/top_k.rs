//! The largest entries of a dimension, by sorting.

use crate::transforms::shapes::mixed_sizes;
use halo_ir::{prelude::*, stablehlo::attributes::ComparisonType};

/// Sorts the entries with their indices, stably and in descending order, and takes the first `k`.
/// Floats are compared in total order, where a NaN is above infinity.
pub fn decompose<'c>(b: &Builder<'c>, op: chlo::TopKOp<'c>) -> RewriteResult {
    let (operand, k) = (op.operand(), op.k());
    let [values_type, indices_type] = [op.values(), op.indices()].map(|value| value.ty());
    let shape = operand.ty().shape().ok_or_else(|| no_match("a tensor is unranked"))?;
    let Some(last) = shape.len().checked_sub(1) else {
        return Err(RewriteError::Invalid(
            "'chlo.top_k' of a scalar has no dimension to sort".to_owned(),
        ));
    };
    let element = operand.ty().element_type();
    let index = indices_type.element_type();
    let index_type = operand.ty().with_element_type(index);
    // The shape and the limits of the slices, if they are dynamic.
    let computed = if shape.iter().all(Option::is_some) {
        None
    } else {
        let mut sizes = mixed_sizes::parts_of(b, operand)?;
        let all = mixed_sizes::join(b, &sizes);
        sizes[last] = mixed_sizes::part(
            b,
            mixed_sizes::scalar(b, shape[last].map_or(k, |size| size.min(k))),
        );
        Some((all, mixed_sizes::join(b, &sizes)))
    };
    let iota = match computed {
        Some((shape, _)) => stablehlo::dynamic_iota(b, shape, last as i64, index_type),
        None => stablehlo::iota(b, last as i64, index_type),
    };
    let inputs = [operand, iota];
    let sorted = stablehlo::sort(b, &inputs, last as i64, true, |b, elements| {
        let greater =
            stablehlo::CompareOp::build(b, elements[0], elements[1], ComparisonDirection::Gt);
        if element.is_float() {
            greater.compare_type(ComparisonType::TotalOrder)
        } else {
            greater
        }
        .value()
    });

    let rank = shape.len() as i64;
    let dynamic = computed.map(|(_, limits)| {
        [
            mixed_sizes::integers(b, &[rank], 0),
            limits,
            mixed_sizes::integers(b, &[rank], 1),
        ]
    });
    let mut results = Vec::new();
    for (value, ty) in sorted.results().into_iter().zip([values_type, indices_type]) {
        results.push(match dynamic {
            Some([start, limits, strides]) => {
                stablehlo::real_dynamic_slice(b, value, start, limits, strides, ty)
            }
            None => {
                let mut limits: Vec<i64> = shape.iter().copied().flatten().collect();
                limits[last] = limits[last].min(k);
                let (start, strides) = (vec![0; limits.len()], vec![1; limits.len()]);
                stablehlo::SliceOp::build(b, value, &start, &limits, &strides)
                    .result_types(&[ty])
                    .value()
            }
        });
    }
    b.replace(op.operation(), &results);
    Ok(())
}
