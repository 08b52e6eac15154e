//! `--stablehlo-legalize-qdq-to-quantized-op`: dequantize, compute, quantize, as
//! one op on quantized tensors.
//!
//! The inverse of [`--stablehlo-legalize-quantized-op-to-qdq`], for programs of frameworks that
//! export this form.
//!
//! ```mlir
//! %0 = stablehlo.uniform_dequantize %a : (tensor<4x!quant.uniform<i8:f32, 0.5>>) -> tensor<4xf32>
//! %1 = stablehlo.abs %0 : tensor<4xf32>
//! %2 = stablehlo.uniform_quantize %1 : (tensor<4xf32>) -> tensor<4x!quant.uniform<i8:f32, 0.5>>
//! ```
//!
//! becomes
//!
//! ```mlir
//! %2 = stablehlo.abs %a : tensor<4x!quant.uniform<i8:f32, 0.5>>
//! ```
//!
//! [`--stablehlo-legalize-quantized-op-to-qdq`]: crate::stablehlo_legalize_quantized_op_to_qdq

use halo_hlo::{
    matchers::{defined_by, ensure},
    transforms::quantization::quantized_ops,
};
use halo_ir::{apply_without_folding, ops::Op as _, prelude::*};

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "stablehlo-legalize-qdq-to-quantized-op",
    "Fuse dequantize, compute, quantize into quantized ops",
    run,
)
.dependent_dialects(&["stablehlo"])
.source(include_str!("stablehlo_legalize_qdq_to_quantized_op.rs"));

fn patterns() -> Vec<Pattern<'static>> {
    vec![Pattern::new::<stablehlo::UniformQuantizeOp>(fuse)]
}

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    apply_without_folding(pass, &patterns())
}

fn fuse<'c>(b: &Builder<'c>, op: stablehlo::UniformQuantizeOp<'c>) -> RewriteResult {
    let number = op.operand();
    let compute = number
        .defining_op()
        .ok_or_else(|| no_match("the quantized number is an argument"))?;
    ensure(
        compute.region_count() == 0 && compute.result_count() == 1,
        "the number is computed by an op with regions or several results",
    )?;
    let inputs = compute.operands();
    ensure(!inputs.is_empty(), "no operand is dequantized")?;
    let quantized = inputs
        .into_iter()
        .map(|input| {
            let source = defined_by::<stablehlo::UniformDequantizeOp>(input)?.operand();
            Ok(source)
        })
        .collect::<Result<Vec<_>, RewriteError>>()?;
    let result = op.result().ty();
    // Ops that move elements keep their quantization.
    let name = compute.name();
    let moves = MOVES.contains(&name)
        && quantized
            .iter()
            .all(|operand| operand.ty().element_type() == result.element_type());
    let computes = PRODUCTS.contains(&name) || quantized_ops::OPS.contains(&name);
    ensure(
        moves || computes,
        "the op does not compute on quantized elements",
    )?;
    b.set_after(compute);
    let new = b.rebuild(compute, name, &quantized, &[result]);
    b.replace(op.operation(), &new.results());
    Ok(())
}

static PRODUCTS: &[&str] = &[
    stablehlo::ConvolutionOp::NAME,
    stablehlo::DotOp::NAME,
    stablehlo::DotGeneralOp::NAME,
];

static MOVES: &[&str] = &[
    stablehlo::BroadcastInDimOp::NAME,
    stablehlo::ConcatenateOp::NAME,
    stablehlo::ReshapeOp::NAME,
    stablehlo::ReverseOp::NAME,
    stablehlo::SliceOp::NAME,
    stablehlo::TransposeOp::NAME,
];
