//! Ops that read or write at computed indices.

use super::{
    failure::{Failure, failure},
    instruction::Instruction,
    types::array_of,
    values::Tree,
};

use halo_hlo_text::{ArrayShape, Dimension};
use halo_ir::ops::stablehlo;
use halo_ir::stablehlo::attributes::GatherDimensionNumbers;

/// `dynamic-slice`
pub fn dynamic_slice<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>, Failure> {
    let sizes = i.integers("dynamic_slice_sizes")?;
    let values = start_indices(i, 1)?;
    let Some((value, starts)) = values.split_first() else {
        return Err(failure("dynamic-slice has an operand"));
    };
    let op = stablehlo::DynamicSliceOp::build(&i.builder, *value, starts, &sizes);
    i.one(op.result_types(&[i.result_type()?]))
}

/// `dynamic-update-slice`
pub fn dynamic_update_slice<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>, Failure> {
    let values = start_indices(i, 2)?;
    let [value, update, starts @ ..] = &values[..] else {
        return Err(failure("dynamic-update-slice has an operand and an update"));
    };
    let op = stablehlo::DynamicUpdateSliceOp::build(&i.builder, *value, *update, starts);
    i.one(op.result_types(&[i.result_type()?]))
}

/// The operands, with the starts as scalars: old texts have them as one vector.
fn start_indices<'m>(
    i: &Instruction<'_, 'm>,
    first: usize,
) -> Result<Vec<halo_ir::Value<'m>>, Failure> {
    let mut values = i.values()?;
    if values.len() != first + 1 {
        return Ok(values);
    }
    let array = i.operand_array(first)?;
    let [Dimension::Static(count)] = array.dimensions[..] else {
        return Ok(values);
    };
    let rank = i.operand_array(0)?.dimensions.len();
    if usize::try_from(count) != Ok(rank) {
        return Err(failure(format!(
            "there are {count} starts for {rank} dimensions"
        )));
    }
    let Some(vector) = values.pop() else {
        return Ok(values);
    };
    for number in 0..count {
        values.push(super::shape::leading_slice(i, vector, number)?);
    }
    Ok(values)
}

/// `gather`
pub fn gather<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>, Failure> {
    let numbers = GatherDimensionNumbers {
        offset_dims: i.integers("offset_dims")?,
        collapsed_slice_dims: i.integers("collapsed_slice_dims")?,
        operand_batching_dims: i.integers("operand_batching_dims")?,
        start_indices_batching_dims: i.integers("start_indices_batching_dims")?,
        start_index_map: i.integers("start_index_map")?,
        index_vector_dim: i.expected_integer("index_vector_dim")?,
    };
    let slice_sizes = i.integers("slice_sizes")?;
    let [value, indices] = i.fixed()?;
    let op = stablehlo::GatherOp::build(&i.builder, value, indices, &numbers, &slice_sizes)
        .indices_are_sorted(i.boolean("indices_are_sorted")?);
    i.one(op.result_types(&[i.result_type()?]))
}

/// `get-tuple-element`
pub fn get_tuple_element<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>, Failure> {
    let index = i.expected_integer("index")?;
    let index = usize::try_from(index).map_err(|_| failure("an index is not negative"))?;
    i.importer.element(&i.builder, i.operand(0)?, index)
}

/// `tuple`: a value of tuple type is made of it only if an op requires one.
pub fn tuple<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>, Failure> {
    Ok(Tree::Tuple(i.operands.clone()))
}

/// `get-dimension-size`
pub fn get_dimension_size<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>, Failure> {
    let dimension = i.dimension()?;
    let [value] = i.fixed()?;
    let op = stablehlo::GetDimensionSizeOp::build(&i.builder, value, dimension);
    i.one(op.result_types(&[i.result_type()?]))
}

/// `set-dimension-size`
pub fn set_dimension_size<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>, Failure> {
    let dimension = i.dimension()?;
    let [value, size] = i.fixed()?;
    let op = stablehlo::SetDimensionSizeOp::build(&i.builder, value, size, dimension);
    i.one(op.result_types(&[i.result_type()?]))
}

/// `dynamic-reshape`: the sizes are numbers of rank 0.
pub fn dynamic_reshape<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>, Failure> {
    let values = i.values()?;
    let Some((operand, sizes)) = values.split_first() else {
        return Err(failure("dynamic-reshape has an operand"));
    };
    if sizes.is_empty() {
        return i.plain::<stablehlo::ReshapeOp>();
    }
    let (from, to) = (i.operand_array(0)?, i.result_array()?);
    if let (Some(of_operand), Some(of_result)) = (most_elements(from), most_elements(to))
        && of_operand > of_result
    {
        return Err(failure(format!(
            "the operand has up to {of_operand} elements, but the result has at most {of_result}"
        )));
    }
    let element = array_of(i.operand_shape(1)?)?.element_type;
    let sizes = super::shape::vector_of(i, sizes, element)?;
    let ty = i.result_type()?;
    i.one(stablehlo::DynamicReshapeOp::build(
        &i.builder, *operand, sizes, ty,
    ))
}

/// The number of elements of an array, if its sizes equal its bounds.
fn most_elements(shape: &ArrayShape) -> Option<i64> {
    let mut sizes = shape.dimensions.iter();
    sizes.try_fold(1_i64, |count, size| match size {
        Dimension::Static(size) | Dimension::Bounded(size) => count.checked_mul(*size),
        Dimension::Unbounded => None,
    })
}
