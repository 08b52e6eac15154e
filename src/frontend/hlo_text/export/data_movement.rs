//! Ops that move elements.

use super::computation::{ComputationBuilder, Instruction};
use super::elementwise::{integer, integers};
use super::failure::failure;
use super::types::array_shape;
use halo_hlo::literals::element_type_of;
use halo_hlo::semantics::op::Op;
use halo_hlo_text::{Opcode, PaddingDimension, SliceRange, Value};
use halo_ir::{
    ops::Op as _,
    prelude::*,
    stablehlo::attributes::{GatherDimensionNumbers, ScatterDimensionNumbers},
};
use halo_runtime::Error;

/// HLO's `broadcast` maps every dimension of its operand; dimensions that are expanded from 1 are
/// removed before.
pub fn broadcast_in_dim<'c>(
    builder: &mut ComputationBuilder<'_, 'c>,
    op: Operation<'c>,
) -> Result<(), Error> {
    let dimensions = integers(op, "broadcast_dimensions")?;
    let operand = op.operands().first().copied();
    let result = op.result_types().first().copied();
    let (Some(operand), Some(result)) = (operand, result) else {
        return Err(failure(op, "has no operand"));
    };
    let (sizes, results) = (operand.ty().shape(), result.shape());
    let (Some(sizes), Some(results)) = (sizes, results) else {
        return Err(failure(op, "has operands of unknown rank"));
    };
    let kept: Vec<usize> = (0..sizes.len())
        .filter(|position| {
            let target = dimensions.get(*position).map(|target| *target as usize);
            let target = target.and_then(|target| results.get(target).copied());
            sizes[*position] != Some(1) || target == Some(Some(1))
        })
        .collect();
    let mut name = builder.name_of(op, operand)?;
    if kept.len() != sizes.len() {
        let sizes: Option<Vec<i64>> = kept.iter().map(|position| sizes[*position]).collect();
        let sizes = sizes.ok_or_else(|| failure(op, "broadcasts a dimension of unknown size"))?;
        let element = element_type_of(result.element_type());
        let element = element.map_err(|message| failure(op, message))?;
        let shape = array_shape(element, &sizes);
        name = builder.add(Instruction::new(Opcode::Reshape, shape).on(vec![name]));
    }
    let dimensions = kept.iter().filter_map(|position| dimensions.get(*position));
    let dimensions = Value::Integers(dimensions.copied().collect());
    let instruction = builder.instruction(op, Opcode::Broadcast)?.on(vec![name]);
    builder.define(op, instruction.with("dimensions", dimensions))
}

/// `stablehlo.broadcast` adds dimensions in front.
pub fn broadcast<'c>(
    builder: &mut ComputationBuilder<'_, 'c>,
    op: Operation<'c>,
) -> Result<(), Error> {
    let added = integers(op, "broadcast_sizes")?.len() as i64;
    let operand = op.operands().first().copied();
    let rank = operand.and_then(|operand| operand.ty().shape());
    let rank = rank.ok_or_else(|| failure(op, "has no operand"))?.len() as i64;
    let dimensions = Value::Integers((added..added + rank).collect());
    let instruction = builder.instruction(op, Opcode::Broadcast)?;
    builder.define(op, instruction.with("dimensions", dimensions))
}

pub fn concatenate<'c>(
    builder: &mut ComputationBuilder<'_, 'c>,
    op: Operation<'c>,
) -> Result<(), Error> {
    let Value::Integer(dimension) = integer(op, "dimension")? else {
        return Err(failure(op, "has no dimension"));
    };
    let instruction = builder.instruction(op, Opcode::Concatenate)?;
    builder.define(
        op,
        instruction.with("dimensions", Value::Integers(vec![dimension])),
    )
}

/// `transpose` and `reverse`.
pub fn with_dimensions<'c>(
    builder: &mut ComputationBuilder<'_, 'c>,
    op: Operation<'c>,
    attribute: &str,
) -> Result<(), Error> {
    let opcode = match op.name() {
        stablehlo::TransposeOp::NAME => Opcode::Transpose,
        _ => Opcode::Reverse,
    };
    let dimensions = Value::Integers(integers(op, attribute)?);
    let instruction = builder.instruction(op, opcode)?;
    builder.define(op, instruction.with("dimensions", dimensions))
}

pub fn slice<'c>(builder: &mut ComputationBuilder<'_, 'c>, op: Operation<'c>) -> Result<(), Error> {
    let starts = integers(op, "start_indices")?;
    let limits = integers(op, "limit_indices")?;
    let strides = integers(op, "strides")?;
    let ranges = starts.into_iter().zip(limits).zip(strides);
    let ranges = ranges.map(|((start, limit), stride)| SliceRange {
        start,
        limit,
        stride,
    });
    let instruction = builder.instruction(op, Opcode::Slice)?;
    builder.define(
        op,
        instruction.with("slice", Value::SliceRanges(ranges.collect())),
    )
}

pub fn pad<'c>(builder: &mut ComputationBuilder<'_, 'c>, op: Operation<'c>) -> Result<(), Error> {
    let low = integers(op, "edge_padding_low")?;
    let high = integers(op, "edge_padding_high")?;
    let interior = integers(op, "interior_padding")?;
    let padding = low.into_iter().zip(high).zip(interior);
    let padding = padding.map(|((low, high), interior)| PaddingDimension {
        low,
        high,
        interior,
    });
    let instruction = builder.instruction(op, Opcode::Pad)?;
    builder.define(
        op,
        instruction.with("padding", Value::Padding(padding.collect())),
    )
}

pub fn dynamic_slice<'c>(
    builder: &mut ComputationBuilder<'_, 'c>,
    op: Operation<'c>,
) -> Result<(), Error> {
    let sizes = Value::Integers(integers(op, "slice_sizes")?);
    let instruction = builder.instruction(op, Opcode::DynamicSlice)?;
    builder.define(op, instruction.with("dynamic_slice_sizes", sizes))
}

/// A list that is omitted if empty.
fn unless_empty(values: Vec<i64>) -> Option<Value> {
    Some(values).filter(|values| !values.is_empty()).map(Value::Integers)
}

/// A flag that is written if set.
pub fn flag(op: Operation, name: &str) -> Option<Value> {
    Op::Built(op).flag(name).then_some(Value::Bool(true))
}

pub fn gather<'c>(
    builder: &mut ComputationBuilder<'_, 'c>,
    op: Operation<'c>,
) -> Result<(), Error> {
    let numbers = op
        .attribute("dimension_numbers")
        .and_then(GatherDimensionNumbers::from_attribute)
        .ok_or_else(|| failure(op, "has no dimension numbers"))?;
    let instruction = builder
        .instruction(op, Opcode::Gather)?
        .with("offset_dims", Value::Integers(numbers.offset_dims))
        .with(
            "collapsed_slice_dims",
            Value::Integers(numbers.collapsed_slice_dims),
        )
        .with("start_index_map", Value::Integers(numbers.start_index_map))
        .with_some(
            "operand_batching_dims",
            unless_empty(numbers.operand_batching_dims),
        )
        .with_some(
            "start_indices_batching_dims",
            unless_empty(numbers.start_indices_batching_dims),
        )
        .with("index_vector_dim", Value::Integer(numbers.index_vector_dim))
        .with("slice_sizes", Value::Integers(integers(op, "slice_sizes")?))
        .with_some("indices_are_sorted", flag(op, "indices_are_sorted"));
    builder.define(op, instruction)
}

pub fn scatter<'c>(
    builder: &mut ComputationBuilder<'_, 'c>,
    op: Operation<'c>,
) -> Result<(), Error> {
    let numbers = op
        .attribute("scatter_dimension_numbers")
        .and_then(ScatterDimensionNumbers::from_attribute)
        .ok_or_else(|| failure(op, "has no dimension numbers"))?;
    let update = builder.region(op, 0)?;
    let instruction = builder
        .instruction(op, Opcode::Scatter)?
        .with(
            "update_window_dims",
            Value::Integers(numbers.update_window_dims),
        )
        .with(
            "inserted_window_dims",
            Value::Integers(numbers.inserted_window_dims),
        )
        .with(
            "scatter_dims_to_operand_dims",
            Value::Integers(numbers.scatter_dims_to_operand_dims),
        )
        .with_some(
            "input_batching_dims",
            unless_empty(numbers.input_batching_dims),
        )
        .with_some(
            "scatter_indices_batching_dims",
            unless_empty(numbers.scatter_indices_batching_dims),
        )
        .with("index_vector_dim", Value::Integer(numbers.index_vector_dim))
        .with_some("indices_are_sorted", flag(op, "indices_are_sorted"))
        .with_some("unique_indices", flag(op, "unique_indices"))
        .with("to_apply", Value::Computation(update));
    builder.define(op, instruction)
}

pub fn dimension_size<'c>(
    builder: &mut ComputationBuilder<'_, 'c>,
    op: Operation<'c>,
) -> Result<(), Error> {
    let opcode = match op.name() {
        stablehlo::GetDimensionSizeOp::NAME => Opcode::GetDimensionSize,
        _ => Opcode::SetDimensionSize,
    };
    let Value::Integer(dimension) = integer(op, "dimension")? else {
        return Err(failure(op, "has no dimension"));
    };
    let instruction = builder.instruction(op, opcode)?;
    builder.define(
        op,
        instruction.with("dimensions", Value::Integers(vec![dimension])),
    )
}
