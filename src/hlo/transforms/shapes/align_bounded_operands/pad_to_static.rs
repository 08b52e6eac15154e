//! `PadToStatic`, XLA's call that converts a bounded array to an array of the bound's size, and its
//! sizes.

use crate::semantics::{Dim, dims_of};
use halo_ir::prelude::*;

pub fn is_pad_to_static(operation: Operation) -> bool {
    operation
        .cast::<stablehlo::CustomCallOp>()
        .is_some_and(|call| call.call_target_name() == "PadToStatic")
}

/// Pads with zeros; XLA leaves the memory uninitialized.
pub fn expand<'c>(b: &Builder<'c>, call: Operation<'c>) -> RewriteResult {
    let (operands, results) = (call.operands(), call.result_types());
    let [operand] = operands[..] else {
        return Err(no_match("it has another number of operands"));
    };
    let (value, sizes) = pad_to_bounds(b, operand)?;
    let mut values = vec![value];
    values.extend(sizes);
    match results[..] {
        // A tuple.
        [tuple] if values.len() > 1 || dims_of(tuple).is_none() => {
            let whole = stablehlo::TupleOp::build(b, &values);
            let whole = whole.result_types(&[tuple]).value();
            b.replace(call, &[whole]);
        }
        _ if results.len() == values.len() => b.replace(call, &values),
        _ => return Err(no_match("it has another number of results")),
    }
    Ok(())
}

/// A value padded to its bounds with zeros, and the size of each dimension.
pub fn pad_to_bounds<'c>(
    b: &Builder<'c>,
    operand: Value<'c>,
) -> RewriteResult<(Value<'c>, Vec<Value<'c>>)> {
    let dims = dims_of(operand.ty()).ok_or_else(|| no_match("a tensor is unranked"))?;
    let bounds: Option<Vec<i64>> = dims.iter().map(|dim| dim.limit()).collect();
    let bounds = bounds.ok_or_else(|| no_match("a dimension has no bound"))?;
    let element = operand.ty().element_type();
    let integer = integer_type(b.context(), 32);
    let (scalar, single) = (tensor_type(&[], integer), tensor_type(&[1], integer));

    let mut sizes = Vec::new();
    let mut missing = Vec::new();
    for (dimension, (dim, bound)) in dims.iter().zip(&bounds).enumerate() {
        let whole = stablehlo::integers(b, scalar, &[*bound])?;
        let size = match dim {
            Dim::Bounded(_) => stablehlo::get_dimension_size(b, operand, dimension as i64),
            _ => whole,
        };
        let rest = stablehlo::subtract(b, whole, size);
        missing.push(stablehlo::reshape(b, rest, single));
        sizes.push(size);
    }
    let padded = tensor_type(&bounds, element);
    let value = if dims.iter().any(|dim| matches!(dim, Dim::Bounded(_))) {
        let zero = stablehlo::number(b, tensor_type(&[], element), 0.0)?;
        let vector = tensor_type(&[bounds.len() as i64], integer);
        let none = stablehlo::integers(b, vector, &vec![0; bounds.len()])?;
        let high = stablehlo::concatenate(b, &missing, 0);
        stablehlo::dynamic_pad(b, operand, zero, none, high, none, padded)
    } else {
        operand
    };
    Ok((value, sizes))
}
