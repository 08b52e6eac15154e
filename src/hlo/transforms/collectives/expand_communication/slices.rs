//! Operands in slices, one for each member of a group, along a new first dimension.
//!
//! A member needs only its slice of another one's contribution if the op divides its operands
//! (`all_to_all`, `reduce_scatter`), and if a large `all_reduce` is computed in parts: each member
//! reduces one part, and all gather the parts. A process then sends `2 (n - 1) / n` of an operand
//! instead of `n - 1` times it, and adds `1 / n` of the elements.

use super::collectives::{dimension, shape};
use halo_ir::prelude::*;
use halo_runtime::communication::Collective;

/// The division of an operand by an op: along a dimension, or of its flattened elements.
fn split_of(op: Operation, collective: &Collective) -> RewriteResult<(Option<usize>, i64)> {
    if let Some(exchange) = op.cast::<stablehlo::AllToAllOp>() {
        return Ok((
            Some(dimension(exchange.split_dimension())?),
            exchange.split_count(),
        ));
    }
    let count = collective.size.unwrap_or(1) as i64;
    match op.cast::<stablehlo::ReduceScatterOp>() {
        Some(scatter) => Ok((Some(dimension(scatter.scatter_dimension())?), count)),
        None => Ok((None, count)),
    }
}

/// The sizes of one of `count` equal parts along a dimension.
fn part_sizes(ty: Type, dimension: usize, count: i64) -> RewriteResult<Vec<i64>> {
    let mut sizes = shape(ty)?;
    let size = sizes.get_mut(dimension);
    let size = size.filter(|size| count > 0 && **size % count == 0);
    let size = size.ok_or_else(|| {
        RewriteError::Invalid(format!(
            "cannot split dimension {dimension} of {ty} by {count}"
        ))
    })?;
    *size /= count;
    Ok(sizes)
}

/// The type of one slice of an operand.
pub fn part_type<'c>(
    op: Operation<'c>,
    collective: &Collective,
    operand: Type<'c>,
) -> RewriteResult<Type<'c>> {
    let (dimension, count) = split_of(op, collective)?;
    let sizes = match dimension {
        Some(dimension) => part_sizes(operand, dimension, count)?,
        None => {
            let elements: i64 = shape(operand)?.iter().product();
            vec![(elements as u64).div_ceil(count as u64) as i64]
        }
    };
    Ok(tensor_type(&sizes, operand.element_type()))
}

/// All slices of an operand. For a reduction in parts, the last one is padded with zeros, which no
/// result contains, if the elements are not divisible.
pub fn of_operand<'c>(
    b: &Builder<'c>,
    op: Operation<'c>,
    collective: &Collective,
    operand: Value<'c>,
) -> RewriteResult<Value<'c>> {
    let (ty, (dimension, count)) = (operand.ty(), split_of(op, collective)?);
    let element = ty.element_type();
    let Some(dimension) = dimension else {
        let elements: i64 = shape(ty)?.iter().product();
        let part = (elements as u64).div_ceil(count as u64) as i64;
        let mut flat = stablehlo::reshape(b, operand, tensor_type(&[elements], element));
        let missing = part * count - elements;
        if missing > 0 {
            let zero = stablehlo::number(b, tensor_type(&[], element), 0.0)?;
            flat = stablehlo::pad(b, flat, zero, &[0], &[missing], &[0]);
        }
        return Ok(stablehlo::reshape(
            b,
            flat,
            tensor_type(&[count, part], element),
        ));
    };
    let part = part_sizes(ty, dimension, count)?;
    let mut sizes = part.clone();
    sizes.insert(dimension, count);
    let divided = stablehlo::reshape(b, operand, tensor_type(&sizes, element));
    if dimension == 0 {
        return Ok(divided);
    }
    let mut order: Vec<i64> = (0..sizes.len() as i64).collect();
    order.remove(dimension);
    order.insert(0, dimension as i64);
    Ok(stablehlo::transpose(b, divided, &order))
}
