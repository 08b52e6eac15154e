//! `bitcast`: the same bytes under another shape.
//!
//! The layouts determine the meaning for the elements: the operand is transposed to its memory
//! order, read as another array of the same size in bytes, and that is transposed from its memory
//! order to the result's. In the default layout it is a reshape.

use super::{
    failure::{Failure, failure},
    instruction::Instruction,
    shape::reshaped,
    types::{minor_to_major, static_sizes},
    values::Tree,
};
use halo_ir::prelude::*;

/// `bitcast`
pub fn bitcast<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>, Failure> {
    let from = i.operand_array(0)?;
    let to = i.result_array()?;
    let value = i.value(0)?;
    let result = i.result_type()?;
    if value.ty() == result && minor_to_major(from) == minor_to_major(to) {
        return i.same(value);
    }
    let (Some(from_sizes), Some(to_sizes)) = (static_sizes(from), static_sizes(to)) else {
        return i.plain::<stablehlo::ReshapeOp>();
    };
    let element = result.element_type();
    let into_memory: Vec<i64> = minor_to_major(from).into_iter().rev().collect();
    let in_memory: Vec<i64> = minor_to_major(to).into_iter().rev().collect();
    let physical = permuted(&to_sizes, &in_memory)?;
    let mut back = vec![0; in_memory.len()];
    for (position, dimension) in in_memory.iter().enumerate() {
        let index = usize::try_from(*dimension).ok();
        let index = index.and_then(|index| back.get_mut(index));
        *index.ok_or_else(|| failure("the layout is not an order of dimensions"))? =
            position as i64;
    }
    let same_element = element == value.ty().element_type();
    let direct = compose(&into_memory, &back)?;
    let value = if same_element && permuted(&from_sizes, &into_memory)? == physical {
        // The memory is not changed: at most the dimensions are permuted.
        transposed(i, value, &direct)?
    } else {
        let laid_out = transposed(i, value, &into_memory)?;
        let read = if same_element {
            reshaped(i, laid_out, &physical)?
        } else {
            converted(i, laid_out, element, &physical)?
        };
        transposed(i, read, &back)?
    };
    if let Some(operation) = value.defining_op() {
        i.stands_for(operation);
    }
    Ok(Tree::Value(value))
}

/// The sizes in another order.
fn permuted(sizes: &[i64], order: &[i64]) -> Result<Vec<i64>, Failure> {
    let size = |dimension: &i64| {
        let index = usize::try_from(*dimension).ok()?;
        sizes.get(index).copied()
    };
    let found: Option<Vec<i64>> = order.iter().map(size).collect();
    found.ok_or_else(|| failure("the layout is not an order of dimensions"))
}

/// The composition of two permutations; the identity if their lengths differ.
fn compose(first: &[i64], second: &[i64]) -> Result<Vec<i64>, Failure> {
    if first.len() != second.len() {
        return Ok(Vec::new());
    }
    permuted(first, second)
}

fn transposed<'m>(
    i: &Instruction<'_, 'm>,
    value: Value<'m>,
    order: &[i64],
) -> Result<Value<'m>, Failure> {
    if order.is_sorted() {
        return Ok(value);
    }
    let sizes = value.ty().static_shape().unwrap_or_default();
    let sizes = permuted(&sizes, order)?;
    let ty = halo_ir::tensor_type(&sizes, value.ty().element_type());
    let op = stablehlo::TransposeOp::build(&i.builder, value, order);
    i.step(op.result_types(&[ty]))
}

/// The bits of elements read as elements of another type, in the order of
/// memory.
fn converted<'m>(
    i: &Instruction<'_, 'm>,
    value: Value<'m>,
    element: Type<'m>,
    sizes: &[i64],
) -> Result<Value<'m>, Failure> {
    let from = width(value.ty().element_type())?;
    let to = width(element)?;
    let convert = |value: Value<'m>, sizes: &[i64]| {
        let ty = halo_ir::tensor_type(sizes, element);
        i.step(stablehlo::BitcastConvertOp::build(&i.builder, value, ty))
    };
    if from == to {
        let reshaped = reshaped(i, value, sizes)?;
        return convert(reshaped, sizes);
    }
    if from < to {
        // Several elements become one.
        let grouped = [sizes, &[i64::from(to / from)]].concat();
        let grouped = reshaped(i, value, &grouped)?;
        return convert(grouped, sizes);
    }
    let old = value.ty().static_shape().unwrap_or_default();
    let split = convert(value, &[&old[..], &[i64::from(from / to)]].concat())?;
    reshaped(i, split, sizes)
}

fn width(element: Type) -> Result<u32, Failure> {
    let bits = match element.complex_element() {
        Some(part) => part.bit_width().map(|bits| 2 * bits),
        None => element.bit_width(),
    };
    let bits = bits.filter(|bits| *bits > 0);
    bits.ok_or_else(|| failure(format!("elements of {element} have no bits")))
}
