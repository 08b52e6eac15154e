//! Section `sort`.

use super::{
    body::Body,
    indexing::{copy_element, for_each_index, position, strides},
    prelude::*,
};
use halo_core::Literal;
use std::cmp::Ordering;

/// Sorts all operands together along a dimension by the comparator, which returns true if its left
/// elements come before its right ones. The sort is always stable.
pub fn sort(call: &Call) -> Evaluated {
    let operands = call.tensors(0..call.operands.len())?;
    let first = operands.first().ok_or("has no operand")?;
    let rank = first.shape().rank();
    let dimension = call.op.integer("dimension")?;
    let wrapped = if dimension < 0 {
        dimension + rank as i64
    } else {
        dimension
    };
    let mut results: Vec<Literal> = operands.iter().map(|operand| (*operand).clone()).collect();
    if rank == 0 {
        return Ok(results.into_iter().map(Into::into).collect());
    }
    let dimension = usize::try_from(wrapped)
        .ok()
        .filter(|dimension| *dimension < rank)
        .ok_or_else(|| format!("has no dimension {dimension}"))?;
    let elements = operands.iter().flat_map(|operand| [operand.element_type(); 2]).collect();
    let comparator = Body::new(call, 0, elements);
    let (strides, size) = (strides(first.dims()), first.dims()[dimension]);
    let mut lines = first.dims().to_vec();
    lines[dimension] = lines[dimension].min(1);
    for_each_index(&lines, |_, index| {
        let origin = position(index, &strides);
        let at = |number: usize| origin + number * strides[dimension];
        let before = |left: usize, right: usize| -> Result<bool, Failure> {
            let arguments: Vec<_> = operands
                .iter()
                .flat_map(|operand| [operand.get(at(left)), operand.get(at(right))])
                .collect();
            comparator.holds(&arguments)
        };
        for (to, from) in merge_sort(size, before)?.into_iter().enumerate() {
            for (result, operand) in results.iter_mut().zip(&operands) {
                let width = operand.element_type().byte_width();
                copy_element(result.bytes_mut(), at(to), operand.bytes(), at(from), width);
            }
        }
        Ok(())
    })?;
    Ok(results.into_iter().map(Into::into).collect())
}

/// The numbers below `count` in a stable order. A comparator that is not an order gives some
/// permutation.
fn merge_sort(
    count: usize,
    before: impl Fn(usize, usize) -> Result<bool, Failure>,
) -> Result<Vec<usize>, Failure> {
    let mut order: Vec<usize> = (0..count).collect();
    let mut width = 1;
    while width < count {
        let mut merged = Vec::with_capacity(count);
        for run in order.chunks(2 * width) {
            let (left, right) = run.split_at(width.min(run.len()));
            let (mut left, mut right) = (left.iter().peekable(), right.iter().peekable());
            loop {
                let next = match (left.peek(), right.peek()) {
                    (Some(l), Some(r)) if before(**r, **l)? => Ordering::Greater,
                    (Some(_), _) => Ordering::Less,
                    (None, Some(_)) => Ordering::Greater,
                    (None, None) => break,
                };
                merged.extend(match next {
                    Ordering::Greater => right.next(),
                    _ => left.next(),
                });
            }
        }
        order = merged;
        width *= 2;
    }
    Ok(order)
}
