//! `--stablehlo-canonicalize-dynamism`: replaces dynamic ops with constant shapes by static ops.
//!
//! If the shape operand of an op equals the shape of its result type, or its amounts are constants,
//! an op with attributes is equivalent. Backends then need not support the dynamic op.
//!
//! ```mlir
//! %0 = stablehlo.constant dense<[4, 3]> : tensor<2xi64>
//! %1 = stablehlo.dynamic_broadcast_in_dim %a, %0, dims = [1] : (tensor<3xf32>, tensor<2xi64>) -> tensor<4x3xf32>
//! ```
//!
//! becomes
//!
//! ```mlir
//! %1 = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<3xf32>) -> tensor<4x3xf32>
//! ```
//!
//! The same applies to custom calls that represent dynamic ops that StableHLO lacks
//! ([`custom_calls`]).

pub mod custom_calls;

use super::stablehlo_refine_shapes::{
    SHAPE_OPERANDS, constant_integers, result_shapes, shape_operands,
};
use crate::{matchers::ensure, semantics::constant_slice_sizes};
use halo_ir::{apply_greedily, prelude::*};
use melior::ir::attribute::DenseElementsAttribute;

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "stablehlo-canonicalize-dynamism",
    "Replace dynamic ops of known shapes by their static forms",
    |pass| apply_greedily(pass, &patterns()),
)
.dependent_dialects(&["chlo", "stablehlo"]);

fn patterns() -> Vec<Pattern<'static>> {
    vec![
        Pattern::new::<stablehlo::CustomCallOp>(custom_call),
        Pattern::new::<stablehlo::DynamicBroadcastInDimOp>(broadcast_in_dim),
        Pattern::new::<stablehlo::DynamicConvOp>(convolution),
        Pattern::new::<stablehlo::DynamicGatherOp>(gather),
        Pattern::new::<stablehlo::DynamicIotaOp>(iota),
        Pattern::new::<stablehlo::DynamicPadOp>(pad),
        Pattern::new::<stablehlo::DynamicReshapeOp>(reshape),
        Pattern::new::<stablehlo::RealDynamicSliceOp>(slice),
    ]
}

fn has_static_result(op: Operation) -> bool {
    op.result_types().into_iter().all(|ty| ty.static_shape().is_some())
}

/// The numbers of a constant value.
fn constant(value: Value) -> RewriteResult<Vec<i64>> {
    constant_integers(value).ok_or_else(|| no_match("an operand is not constant"))
}

/// An operand of any op.
fn operand<'c>(op: Operation<'c>, number: usize) -> RewriteResult<Value<'c>> {
    op.operands()
        .get(number)
        .copied()
        .ok_or_else(|| no_match("it has another number of operands"))
}

/// The result has the computed shape, or the program is undefined.
fn broadcast_in_dim<'c>(
    b: &Builder<'c>,
    op: stablehlo::DynamicBroadcastInDimOp<'c>,
) -> RewriteResult {
    let (operand, result) = (op.operand(), op.result().ty());
    ensure(
        result.static_shape().is_some() && operand.ty().static_shape().is_some(),
        "a shape is dynamic",
    )?;
    let dimensions = op.broadcast_dimensions();
    let new = stablehlo::BroadcastInDimOp::build(b, operand, &dimensions, result)
        .discardable_attributes_of(op.operation())
        .value();
    b.replace(op.operation(), &[new]);
    Ok(())
}

fn reshape<'c>(b: &Builder<'c>, op: stablehlo::DynamicReshapeOp<'c>) -> RewriteResult {
    let result = op.result().ty();
    ensure(
        result.static_shape().is_some(),
        "the shape of the result is dynamic",
    )?;
    let new = stablehlo::ReshapeOp::build(b, op.operand(), result)
        .discardable_attributes_of(op.operation())
        .value();
    b.replace(op.operation(), &[new]);
    Ok(())
}

fn iota<'c>(b: &Builder<'c>, op: stablehlo::DynamicIotaOp<'c>) -> RewriteResult {
    let result = op.result().ty();
    ensure(
        result.static_shape().is_some(),
        "the shape of the result is dynamic",
    )?;
    let new = stablehlo::IotaOp::build(b, op.iota_dimension(), result)
        .discardable_attributes_of(op.operation())
        .value();
    b.replace(op.operation(), &[new]);
    Ok(())
}

fn pad<'c>(b: &Builder<'c>, op: stablehlo::DynamicPadOp<'c>) -> RewriteResult {
    let low = constant(op.edge_padding_low())?;
    let high = constant(op.edge_padding_high())?;
    let interior = constant(op.interior_padding())?;
    let (operand, value) = (op.operand(), op.padding_value());
    let new = stablehlo::PadOp::build(b, operand, value, &low, &high, &interior)
        .discardable_attributes_of(op.operation())
        .result_types(&[op.result().ty()])
        .value();
    b.replace(op.operation(), &[new]);
    Ok(())
}

fn gather<'c>(b: &Builder<'c>, op: stablehlo::DynamicGatherOp<'c>) -> RewriteResult {
    let sizes = constant(op.slice_sizes())?;
    let new = stablehlo::static_gather(b, op, &sizes);
    b.replace(op.operation(), &[new]);
    Ok(())
}

fn convolution<'c>(b: &Builder<'c>, op: stablehlo::DynamicConvOp<'c>) -> RewriteResult {
    let padding = constant(op.padding())?;
    let rank = padding.len() / 2;
    let ty = tensor_type(&[rank as i64, 2], integer_type(b.context(), 64));
    let padding = DenseElementsAttribute::i64_values(ty, &padding).into();
    // Lists that are longer than the window are truncated.
    let shortened = |factors: Option<Vec<i64>>| {
        let first = factors?.get(..rank)?.to_vec();
        Some(first)
    };
    let reversal = op.window_reversal();
    let reversal = reversal.as_ref().and_then(|reversal| reversal.get(..rank));
    let new = stablehlo::ConvolutionOp::build(
        b,
        op.lhs(),
        op.rhs(),
        &op.dimension_numbers(),
        op.feature_group_count(),
        op.batch_group_count(),
        op.result().ty(),
    )
    .padding(padding)
    .maybe(shortened(op.window_strides()), |new, it| {
        new.window_strides(&it)
    })
    .maybe(shortened(op.lhs_dilation()), |new, it| {
        new.lhs_dilation(&it)
    })
    .maybe(shortened(op.rhs_dilation()), |new, it| {
        new.rhs_dilation(&it)
    })
    .maybe(reversal, |new, it| new.window_reversal(it))
    .maybe(op.precision_config(), |new, it| new.precision_config(&it))
    .discardable_attributes_of(op.operation())
    .value();
    b.replace(op.operation(), &[new]);
    Ok(())
}

/// A slice with constant bounds becomes `slice`; one with constant sizes at computed offsets,
/// `dynamic_slice`.
fn slice<'c>(b: &Builder<'c>, op: stablehlo::RealDynamicSliceOp<'c>) -> RewriteResult {
    let strides = constant(op.strides())?;
    let (operand, result) = (op.operand(), op.result().ty());
    let bounds = (constant(op.start_indices()), constant(op.limit_indices()));
    let new = if let (Ok(starts), Ok(limits)) = bounds {
        stablehlo::SliceOp::build(b, operand, &starts, &limits, &strides)
            .discardable_attributes_of(op.operation())
            .result_types(&[result])
            .value()
    } else {
        let sizes = constant_slice_sizes(op.operation())
            .ok_or_else(|| no_match("the sizes of the slice are not constant"))?;
        let element = op.start_indices().ty().element_type();
        let starts = (0..sizes.len() as i64)
            .map(|dimension| entry(b, op.start_indices(), dimension, element))
            .collect::<Vec<_>>();
        stablehlo::DynamicSliceOp::build(b, operand, &starts, &sizes)
            .discardable_attributes_of(op.operation())
            .result_types(&[result])
            .value()
    };
    b.replace(op.operation(), &[new]);
    Ok(())
}

/// One entry of a vector, as a scalar.
fn entry<'c>(b: &Builder<'c>, vector: Value<'c>, index: i64, element: Type<'c>) -> Value<'c> {
    let part = stablehlo::slice(b, vector, &[index], &[index + 1], &[1]);
    stablehlo::reshape(b, part, tensor_type(&[], element))
}

/// Calls that represent ops are replaced by them. Shape operands are dropped once the result types
/// have the shapes.
fn custom_call<'c>(b: &Builder<'c>, op: stablehlo::CustomCallOp<'c>) -> RewriteResult {
    let call = op.operation();
    if custom_calls::stands_for_op(call) {
        return custom_calls::replace(b, call);
    }
    result_shapes(call).map_err(RewriteError::Invalid)?;
    let indices = shape_operands(call).map_err(RewriteError::Invalid)?;
    let indices = indices.ok_or_else(|| no_match("the operands of shapes are not named"))?;
    ensure(has_static_result(call), "the shape of a result is dynamic")?;
    let new = b.with_operands(call, &without(op.inputs(), &indices));
    new.remove_attribute(SHAPE_OPERANDS);
    if let (Some(new), Some(layouts)) =
        (new.cast::<stablehlo::CustomCallOp>(), op.operand_layouts())
    {
        new.set_operand_layouts(&without(layouts, &indices));
    }
    b.replace(call, &new.results());
    Ok(())
}

/// A list without the entries at some indices.
fn without<T>(list: Vec<T>, numbers: &[usize]) -> Vec<T> {
    list.into_iter()
        .enumerate()
        .filter(|(number, _)| !numbers.contains(number))
        .map(|(_, entry)| entry)
        .collect()
}
