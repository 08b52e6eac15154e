//! Speculatability of ops: whether they may execute where the program would not have executed them,
//! such as before a loop without iterations, or before a conditional that takes the other branch.
//!
//! An op without effects may still have undefined behaviour: a dynamic size may differ from the
//! size that the op or its result type requires, or the op asserts a property of elements
//! (`indices_are_sorted`). Sizes that verification has compared cannot differ. The results agree
//! with StableHLO's, on which its passes rely.
//!
//! ODS defines whether an op has effects; for an op with effects, such as a collective, this module
//! only considers the sizes.

use super::{op::Op, prelude::*};
use crate::matchers::ELEMENTWISE;
use halo_ir::{
    ops::shape,
    prelude::*,
    semantics::Speculatability::{self, *},
    stablehlo::attributes::{ConvDimensionNumbers, DotDimensionNumbers, FftType},
};

/// Returns true if the sizes allow speculation; fails if the op is malformed.
type Allows = fn(Op) -> Result<bool, String>;

/// The speculatability of an op.
pub fn speculatability(op: Op) -> Speculatability {
    let Some((allows, allowed)) = rule_of(op) else {
        return NotSpeculatable;
    };
    match allows(op) {
        Ok(true) => allowed,
        Ok(false) | Err(_) => NotSpeculatable,
    }
}

/// The condition and kind of speculation of an op. Ops that are not listed are never speculated:
/// their effects are unknown, or, like `cholesky`, they are undefined for some elements.
fn rule_of(op: Op) -> Option<(Allows, Speculatability)> {
    let name = op.name();
    if ELEMENTWISE.binary_search(&name).is_ok() {
        let is_unary = op.operand_count() == 1;
        let allows: Allows = if is_unary {
            results_follow
        } else {
            operands_are_static
        };
        return Some((allows, Speculatable));
    }
    Some(match name {
        stablehlo::AllReduceOp::NAME => (each_result_follows, RecursivelySpeculatable),
        stablehlo::CaseOp::NAME | stablehlo::IfOp::NAME | stablehlo::WhileOp::NAME => {
            (always, RecursivelySpeculatable)
        }
        stablehlo::MapOp::NAME
        | stablehlo::ReduceOp::NAME
        | stablehlo::ReduceWindowOp::NAME
        | stablehlo::SortOp::NAME => (operands_are_static, RecursivelySpeculatable),
        stablehlo::ScatterOp::NAME => (scatter, RecursivelySpeculatable),
        stablehlo::SelectAndScatterOp::NAME => (results_follow, RecursivelySpeculatable),
        stablehlo::AfterAllOp::NAME
        | stablehlo::BroadcastOp::NAME
        | stablehlo::ConstantOp::NAME
        | stablehlo::CreateTokenOp::NAME
        | stablehlo::DotOp::NAME
        | stablehlo::DynamicSliceOp::NAME
        | stablehlo::DynamicUpdateSliceOp::NAME
        | stablehlo::EinsumOp::NAME
        | stablehlo::GetDimensionSizeOp::NAME
        | stablehlo::GetTupleElementOp::NAME
        | stablehlo::IotaOp::NAME
        | stablehlo::OptimizationBarrierOp::NAME
        | stablehlo::PartitionIdOp::NAME
        | stablehlo::ReplicaIdOp::NAME
        | stablehlo::ReturnOp::NAME
        | stablehlo::TorchIndexSelectOp::NAME
        | stablehlo::TupleOp::NAME
        | stablehlo::UnaryEinsumOp::NAME => (always, Speculatable),
        stablehlo::AllGatherOp::NAME => (all_gather, Speculatable),
        stablehlo::AllToAllOp::NAME => (all_to_all, Speculatable),
        stablehlo::BatchNormGradOp::NAME
        | stablehlo::BatchNormInferenceOp::NAME
        | stablehlo::BatchNormTrainingOp::NAME
        | stablehlo::BroadcastInDimOp::NAME
        | stablehlo::ClampOp::NAME
        | stablehlo::ReshapeOp::NAME
        | stablehlo::SelectOp::NAME => (operands_are_static, Speculatable),
        stablehlo::BitcastConvertOp::NAME
        | stablehlo::CollectiveBroadcastOp::NAME
        | stablehlo::CollectivePermuteOp::NAME
        | stablehlo::PadOp::NAME
        | stablehlo::ReverseOp::NAME
        | stablehlo::RngBitGeneratorOp::NAME
        | stablehlo::SliceOp::NAME
        | stablehlo::UniformDequantizeOp::NAME
        | stablehlo::UniformQuantizeOp::NAME => (results_follow, Speculatable),
        stablehlo::ConcatenateOp::NAME => (concatenate, Speculatable),
        stablehlo::ConvolutionOp::NAME => (convolution, Speculatable),
        stablehlo::DotGeneralOp::NAME => (dot_general, Speculatable),
        stablehlo::DynamicBroadcastInDimOp::NAME => (dynamic_broadcast_in_dim, Speculatable),
        stablehlo::DynamicConvOp::NAME
        | stablehlo::DynamicGatherOp::NAME
        | stablehlo::DynamicReshapeOp::NAME
        | stablehlo::RngOp::NAME => (computed_shapes::<1>, Speculatable),
        stablehlo::DynamicIotaOp::NAME => (dynamic_iota, Speculatable),
        stablehlo::DynamicPadOp::NAME | stablehlo::RealDynamicSliceOp::NAME => {
            (computed_shapes::<3>, Speculatable)
        }
        stablehlo::FftOp::NAME => (fft, Speculatable),
        stablehlo::GatherOp::NAME => (gather, Speculatable),
        stablehlo::ReduceScatterOp::NAME => (reduce_scatter, Speculatable),
        stablehlo::SetDimensionSizeOp::NAME => (set_dimension_size, Speculatable),
        stablehlo::TransposeOp::NAME => (transpose, Speculatable),
        stablehlo::TriangularSolveOp::NAME => (triangular_solve, Speculatable),
        _ => return None,
    })
}

fn always(_: Op) -> Result<bool, String> {
    Ok(true)
}

/// For ops whose operands must have compatible sizes.
fn operands_are_static(op: Op) -> Result<bool, String> {
    Ok(op.tensors()?.iter().all(|operand| is_static(&operand.dims)))
}

fn is_static(dims: &[Dim]) -> bool {
    dims.iter().all(|dim| dim.size().is_some())
}

/// Returns true if no static size of the result can differ from the operand's: either the result's
/// size is dynamic, or the operand's is static, and was compared.
fn follows(result: Dim, operand: Dim) -> bool {
    result.size().is_none() || operand.size().is_some()
}

/// For ops whose first result has the dimensions of the first operand, or dimensions that follow
/// from them. A dimension that only one of them has follows from their element types.
fn results_follow(op: Op) -> Result<bool, String> {
    Ok(all_follow(&op.result(0)?, &op.operand(0)?, &[]))
}

/// The same for all dimensions except the listed ones.
fn all_follow(result: &Tensor, operand: &Tensor, but: &[i64]) -> bool {
    let pairs = result.dims.iter().zip(&operand.dims);
    (0..)
        .zip(pairs)
        .all(|(index, (result, operand))| but.contains(&index) || follows(*result, *operand))
}

/// The same for each operand and its result.
fn each_result_follows(op: Op) -> Result<bool, String> {
    grows_with_processes(op, &[])
}

/// Results whose sizes depend on the number of processes must be dynamic in these dimensions.
fn grows_with_processes(op: Op, dimensions: &[i64]) -> Result<bool, String> {
    for number in 0..op.result_count() {
        let (result, operand) = (op.result(number)?, op.operand(number)?);
        let stated =
            |dimension: &i64| result.dim(*dimension).is_none_or(|dim| dim.size().is_some());
        if dimensions.iter().any(stated) || !all_follow(&result, &operand, dimensions) {
            return Ok(false);
        }
    }
    Ok(true)
}

fn all_gather(op: Op) -> Result<bool, String> {
    grows_with_processes(op, &[op.integer("all_gather_dim")?])
}

fn all_to_all(op: Op) -> Result<bool, String> {
    let dimensions = [
        op.integer("split_dimension")?,
        op.integer("concat_dimension")?,
    ];
    grows_with_processes(op, &dimensions)
}

fn reduce_scatter(op: Op) -> Result<bool, String> {
    grows_with_processes(op, &[op.integer("scatter_dimension")?])
}

/// Sizes are compatible except along the concatenated dimension, which must be dynamic.
fn concatenate(op: Op) -> Result<bool, String> {
    let dimension = op.integer("dimension")?;
    let grows_unstated = op.result(0)?.dim(dimension).is_some_and(|dim| dim.size().is_none());
    Ok(op.tensors()?.iter().all(|operand| {
        (0..)
            .zip(&operand.dims)
            .all(|(index, dim)| (index == dimension && grows_unstated) || dim.size().is_some())
    }))
}

/// (C10), (C14), (C15), (C16) and (C25) of `convolution`.
fn convolution(op: Op) -> Result<bool, String> {
    let (lhs, rhs, result) = (op.operand(0)?, op.operand(1)?, op.result(0)?);
    let numbers = op.required("dimension_numbers", ConvDimensionNumbers::from_attribute)?;
    let batch_groups = op.integer("batch_group_count")?;
    let feature_groups = op.integer("feature_group_count")?;
    let is_known =
        |tensor: &Tensor, index: i64| tensor.dim(index).is_some_and(|dim| dim.size().is_some());
    let features = is_known(&lhs, numbers.input_feature_dimension)
        && is_known(&rhs, numbers.kernel_input_feature_dimension);
    let batch = is_known(&lhs, numbers.input_batch_dimension)
        || (batch_groups == 1 && !is_known(&result, numbers.output_batch_dimension));
    let output_features = is_known(&rhs, numbers.kernel_output_feature_dimension)
        || (batch_groups == 1
            && feature_groups == 1
            && !is_known(&result, numbers.output_feature_dimension));
    let spatial = numbers
        .output_spatial_dimensions
        .iter()
        .zip(&numbers.input_spatial_dimensions)
        .zip(&numbers.kernel_spatial_dimensions)
        .all(|((output, input), kernel)| {
            !is_known(&result, *output) || (is_known(&lhs, *input) && is_known(&rhs, *kernel))
        });
    Ok(features && batch && output_features && spatial)
}

/// Batching and contracting dimensions must be compatible; the others follow.
fn dot_general(op: Op) -> Result<bool, String> {
    let (lhs, rhs, result) = (op.operand(0)?, op.operand(1)?, op.result(0)?);
    let numbers = op.required("dot_dimension_numbers", DotDimensionNumbers::from_attribute)?;
    let mut results = result.dims.iter().skip(numbers.lhs_batching_dimensions.len());
    let sides = [
        (
            &lhs,
            &numbers.lhs_batching_dimensions,
            &numbers.lhs_contracting_dimensions,
        ),
        (
            &rhs,
            &numbers.rhs_batching_dimensions,
            &numbers.rhs_contracting_dimensions,
        ),
    ];
    for (operand, batching, contracting) in sides {
        for (index, dim) in (0..).zip(&operand.dims) {
            let allowed = if batching.contains(&index) || contracting.contains(&index) {
                dim.size().is_some()
            } else {
                results.next().is_some_and(|result| follows(*result, *dim))
            };
            if !allowed {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

const CONSTANTS: [&str; 4] = [
    arith::ConstantOp::NAME,
    chlo::ConstantOp::NAME,
    shape::ConstShapeOp::NAME,
    stablehlo::ConstantOp::NAME,
];

/// Returns true if an operand is a constant, of any element type.
fn is_constant(op: Op, number: usize) -> bool {
    op.operand_value(number)
        .and_then(Value::defining_op)
        .is_some_and(|definition| CONSTANTS.contains(&definition.name()))
}

/// For ops whose last operands are shapes: all sizes are static at verification.
fn computed_shapes<const SHAPES: usize>(op: Op) -> Result<bool, String> {
    let count = op.operand_count();
    Ok(operands_are_static(op)?
        && (count.saturating_sub(SHAPES)..count).all(|number| is_constant(op, number)))
}

/// The shape is constant, or the result type is fully dynamic.
fn dynamic_broadcast_in_dim(op: Op) -> Result<bool, String> {
    let operand = op.operand(0)?;
    let is_single = operand.dims.iter().all(|dim| dim.size() == Some(1));
    Ok(is_static(&operand.dims) && (is_constant(op, 1) || (is_single && states_nothing(op)?)))
}

fn dynamic_iota(op: Op) -> Result<bool, String> {
    Ok(is_constant(op, 0) || states_nothing(op)?)
}

/// Returns true if the result type is fully dynamic.
fn states_nothing(op: Op) -> Result<bool, String> {
    Ok(op.result(0)?.dims.iter().all(|dim| dim.size().is_none()))
}

/// The sizes follow; sizes that a real transform changes are static.
fn fft(op: Op) -> Result<bool, String> {
    let operand = op.operand(0)?;
    let transformed = match op.required("fft_type", FftType::from_attribute)? {
        FftType::Fft | FftType::Ifft => 0,
        FftType::Rfft | FftType::Irfft => op.integers("fft_length")?.len(),
    };
    let first = operand.rank().saturating_sub(transformed);
    Ok(results_follow(op)? && is_static(&operand.dims[first..]))
}

/// `indices_are_sorted` is a promise about elements.
fn gather(op: Op) -> Result<bool, String> {
    Ok(!op.flag("indices_are_sorted") && operands_are_static(op)?)
}

/// `indices_are_sorted` and `unique_indices` are promises about elements.
fn scatter(op: Op) -> Result<bool, String> {
    Ok(!op.flag("unique_indices") && gather(op)?)
}

/// `unit_diagonal` is a promise about elements.
fn triangular_solve(op: Op) -> Result<bool, String> {
    Ok(!op.flag("unit_diagonal") && operands_are_static(op)?)
}

/// The size is constant, or the result is dynamic.
fn set_dimension_size(op: Op) -> Result<bool, String> {
    let (operand, result) = (op.operand(0)?, op.result(0)?);
    let dimension = op.integer("dimension")?;
    let is_stated = result.dim(dimension).is_none_or(|dim| dim.size().is_some());
    Ok((is_constant(op, 1) || !is_stated) && all_follow(&result, &operand, &[dimension]))
}

fn transpose(op: Op) -> Result<bool, String> {
    let (operand, result) = (op.operand(0)?, op.result(0)?);
    let permutation = op.integers("permutation")?;
    Ok(result
        .dims
        .iter()
        .zip(permutation)
        .all(|(result, from)| operand.dim(from).is_some_and(|operand| follows(*result, operand))))
}
