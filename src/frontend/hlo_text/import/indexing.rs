//! Ops that read or write at computed places.

use super::{Result, failure, instruction::Instruction, types::array_of, values::Tree};

use halo_hlo_text::Dimension;
use halo_ir::stablehlo::attributes::GatherDimensionNumbers;

/// `dynamic-slice`
pub fn dynamic_slice<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>> {
    let sizes = i.integers("dynamic_slice_sizes")?;
    let values = start_indices(i, 1)?;
    let op = i.op("stablehlo.dynamic_slice").operands(&values).attribute(
        "slice_sizes",
        halo_ir::i64_array_attribute(i.importer.context, &sizes),
    );
    i.one(op.result(i.result_type()?))
}

/// `dynamic-update-slice`
pub fn dynamic_update_slice<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>> {
    let values = start_indices(i, 2)?;
    let op = i.op("stablehlo.dynamic_update_slice").operands(&values);
    i.one(op.result(i.result_type()?))
}

/// The operands, with the starts as numbers of rank 0: old texts give them as one
/// vector.
fn start_indices<'m>(i: &Instruction<'_, 'm>, first: usize) -> Result<Vec<halo_ir::Value<'m>>> {
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
pub fn gather<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>> {
    let (numbers, slice_sizes, sorted) = gather_attributes(i)?;
    let context = i.importer.context;
    let op = i
        .op("stablehlo.gather")
        .operands(&i.values()?)
        .attribute("dimension_numbers", numbers)
        .attribute(
            "slice_sizes",
            halo_ir::i64_array_attribute(context, &slice_sizes),
        )
        .attribute(
            "indices_are_sorted",
            halo_ir::bool_attribute(context, sorted),
        );
    i.one(op.result(i.result_type()?))
}

fn gather_attributes<'m>(
    i: &Instruction<'_, 'm>,
) -> Result<(halo_ir::Attribute<'m>, Vec<i64>, bool)> {
    let numbers = GatherDimensionNumbers {
        offset_dims: i.integers("offset_dims")?,
        collapsed_slice_dims: i.integers("collapsed_slice_dims")?,
        operand_batching_dims: i.integers("operand_batching_dims")?,
        start_indices_batching_dims: i.integers("start_indices_batching_dims")?,
        start_index_map: i.integers("start_index_map")?,
        index_vector_dim: i.expected_integer("index_vector_dim")?,
    };
    let slice_sizes = i.integers("slice_sizes")?;
    let sorted = i.boolean("indices_are_sorted")?;
    Ok((
        numbers.to_attribute(i.importer.context),
        slice_sizes,
        sorted,
    ))
}

/// `get-tuple-element`
pub fn get_tuple_element<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>> {
    let index = i.expected_integer("index")?;
    let index = usize::try_from(index).map_err(|_| failure("an index is not negative"))?;
    i.importer.element(&i.builder, i.operand(0)?, index)
}

/// `tuple`: a value of tuple type is made of it only where an op asks for one.
pub fn tuple<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>> {
    Ok(Tree::Tuple(i.operands.clone()))
}

/// `get-dimension-size`
pub fn get_dimension_size<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>> {
    with_dimension(i, "stablehlo.get_dimension_size")
}

/// `set-dimension-size`
pub fn set_dimension_size<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>> {
    with_dimension(i, "stablehlo.set_dimension_size")
}

fn with_dimension<'m>(i: &Instruction<'_, 'm>, name: &str) -> Result<Tree<'m>> {
    let dimension = i.importer.integer_attribute(64, i.dimension()?);
    let op = i.op(name).operands(&i.values()?);
    i.one(
        op.attribute("dimension", dimension)
            .result(i.result_type()?),
    )
}

/// `dynamic-reshape`: the sizes are numbers of rank 0.
pub fn dynamic_reshape<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>> {
    let values = i.values()?;
    let Some((operand, sizes)) = values.split_first() else {
        return Err(failure("dynamic-reshape has an operand"));
    };
    if sizes.is_empty() {
        return i.plain("stablehlo.reshape");
    }
    let element = array_of(i.operand_shape(1)?)?.element_type;
    let sizes = super::shape::vector_of(i, sizes, element)?;
    let op = i
        .op("stablehlo.dynamic_reshape")
        .operands(&[*operand, sizes]);
    i.one(op.result(i.result_type()?))
}
