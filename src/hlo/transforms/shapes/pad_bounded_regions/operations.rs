//! The table of padded forms, and the padded forms of elementwise ops.

use super::{
    Failure, Padder, indexing, is_control_flow, layout,
    padded::{Padded, fit, integer, is_static, limits_of, number},
    reductions,
};
use crate::sharding::rules::elementwise::is_elementwise;
use halo_ir::prelude::*;

/// Returns true if an op, or one of its regions, has a value of dynamic size.
fn is_open(op: Operation) -> bool {
    let is_open_value = |value: Value| !is_static(value.ty());
    let has_open_argument = |block: Block| block.arguments().into_iter().any(is_open_value);
    op.operands().into_iter().any(is_open_value)
        || op.results().into_iter().any(is_open_value)
        || op
            .blocks()
            .into_iter()
            .any(|block| has_open_argument(block) || block.operations().into_iter().any(is_open))
}

impl<'c> Padder<'c> {
    /// The padded form of an op, after its operands.
    pub(super) fn operation(&mut self, b: &Builder<'c>, op: Operation<'c>) -> Result<(), Failure> {
        if !is_open(op) {
            b.clone_op(op, &mut self.values);
            return Ok(());
        }
        if is_control_flow(op) {
            return self.control_flow(b, op);
        }
        let operands = self.all(b, &op.operands())?;
        let results = if is_elementwise(op) {
            vec![self.elementwise(b, op, &operands)?]
        } else if let Some(op) = op.cast::<stablehlo::GetDimensionSizeOp>() {
            vec![Padded::whole(
                operands[0].size(b, dimension(op.dimension())?)?,
            )]
        } else if let Some(op) = op.cast::<stablehlo::SetDimensionSizeOp>() {
            vec![set_size(b, op, &operands)?]
        } else if op.isa::<stablehlo::OptimizationBarrierOp>() {
            self.barrier(b, op, operands)
        } else if let Some(op) = op.cast::<stablehlo::ReduceOp>() {
            reductions::reduce(self, b, op, &operands)?
        } else if let Some(op) = op.cast::<stablehlo::SortOp>() {
            reductions::sort(self, b, op, operands)?
        } else {
            let form = match op.name() {
                stablehlo::DotGeneralOp::NAME | stablehlo::DotOp::NAME => reductions::product,
                stablehlo::BroadcastInDimOp::NAME | stablehlo::DynamicBroadcastInDimOp::NAME => {
                    layout::broadcast
                }
                stablehlo::ConcatenateOp::NAME => layout::concatenate,
                stablehlo::DynamicIotaOp::NAME => layout::iota,
                stablehlo::PadOp::NAME | stablehlo::DynamicPadOp::NAME => layout::pad,
                stablehlo::ReshapeOp::NAME | stablehlo::DynamicReshapeOp::NAME => layout::reshape,
                stablehlo::ReverseOp::NAME => layout::reverse,
                stablehlo::SliceOp::NAME | stablehlo::RealDynamicSliceOp::NAME => layout::slice,
                stablehlo::TransposeOp::NAME => layout::transpose,
                stablehlo::DynamicSliceOp::NAME => indexing::dynamic_slice,
                stablehlo::DynamicUpdateSliceOp::NAME => indexing::dynamic_update_slice,
                stablehlo::GatherOp::NAME => indexing::gather,
                stablehlo::ScatterOp::NAME => indexing::scatter,
                name => return Err(no_match(format!("'{name}' has no padded form"))),
            };
            form(self, b, op, &operands)?
        };
        self.define(b, op, results)
    }

    /// A copy of an op, with its regions, with other operands and result types.
    pub(super) fn copied(
        &mut self,
        b: &Builder<'c>,
        op: Operation<'c>,
        operands: &[Value<'c>],
        types: &[Type<'c>],
    ) -> Vec<Value<'c>> {
        let copy = b.clone_op(op, &mut self.values);
        for (number, operand) in operands.iter().enumerate() {
            copy.set_operand(number, *operand);
        }
        let results = copy.results();
        for (result, ty) in results.iter().zip(types) {
            result.set_type(*ty);
        }
        results
    }

    fn elementwise(
        &mut self,
        b: &Builder<'c>,
        op: Operation<'c>,
        operands: &[Padded<'c>],
    ) -> Result<Padded<'c>, Failure> {
        let result = op.result_types()[0];
        let limits = limits_of(result)?;
        let mut values = Vec::new();
        for operand in operands {
            let is_scalar = operand.sizes.is_empty();
            values.push(if is_scalar {
                operand.data
            } else {
                fit(b, operand.data, &limits)?
            });
        }
        let mut sizes = common_sizes(operands, limits.len());
        for (at, size) in sizes.iter_mut().enumerate() {
            // A static size is padded as well.
            let mut least = limits[at];
            for operand in operands.iter().filter(|operand| !operand.sizes.is_empty()) {
                least = least.min(operand.limits()?[at]);
            }
            if size.is_none() && least < limits[at] {
                *size = Some(number(b, least)?);
            }
        }
        let ty = tensor_type(&limits, result.element_type());
        let data = self.copied(b, op, &values, &[ty])[0];
        Ok(Padded { data, sizes })
    }

    fn barrier(
        &mut self,
        b: &Builder<'c>,
        op: Operation<'c>,
        operands: Vec<Padded<'c>>,
    ) -> Vec<Padded<'c>> {
        let values: Vec<Value> = operands.iter().map(|operand| operand.data).collect();
        let types = values.types();
        let results = self.copied(b, op, &values, &types).into_iter().zip(operands);
        results.map(|(data, operand)| Padded { data, ..operand }).collect()
    }
}

/// The sizes of values of one shape.
pub(super) fn common_sizes<'c>(values: &[Padded<'c>], rank: usize) -> Vec<Option<Value<'c>>> {
    let size = |dimension: usize| {
        let mut sizes = values.iter().map(|value| value.sizes.get(dimension).copied().flatten());
        sizes.find_map(|size| size)
    };
    (0..rank).map(size).collect()
}

/// The index of a dimension.
pub(super) fn dimension(number: i64) -> Result<usize, Failure> {
    usize::try_from(number).map_err(|_| no_match("a dimension is out of range"))
}

/// A computed size, as a `tensor<i32>`.
pub(super) fn size_of<'c>(b: &Builder<'c>, scalar: Value<'c>) -> Value<'c> {
    stablehlo::convert_elements(b, scalar, integer(b))
}

/// Extends with zeros.
fn set_size<'c>(
    b: &Builder<'c>,
    op: stablehlo::SetDimensionSizeOp<'c>,
    operands: &[Padded<'c>],
) -> Result<Padded<'c>, Failure> {
    let dimension = dimension(op.dimension())?;
    let [operand, size] = operands else {
        return Err(no_match("it has other operands"));
    };
    let data = operand.zeroed(b, [dimension])?;
    let mut sizes = operand.sizes.clone();
    let new = sizes
        .get_mut(dimension)
        .ok_or_else(|| no_match("a dimension is out of range"))?;
    *new = Some(size_of(b, size.data));
    Ok(Padded { data, sizes })
}
