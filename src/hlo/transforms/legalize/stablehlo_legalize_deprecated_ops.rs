//! `--stablehlo-legalize-deprecated-ops`: replaces deprecated ops by their successors.
//!
//! `broadcast`, `create_token`, `cross-replica-sum`, `dot` and `unary_einsum` have general forms.
//! `map` and `rng` have none, and are errors unless `fail-on-unused=false` keeps them.
//!
//! ```mlir
//! %0 = stablehlo.dot %a, %b : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
//! ```
//!
//! becomes
//!
//! ```mlir
//! %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
//!        : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
//! ```

use crate::{matchers::ensure, semantics::quantization::Quantized};
use halo_ir::{apply_without_folding, prelude::*, stablehlo::attributes::DotDimensionNumbers};

pass_options! {
    /// The options of the pass.
    struct Options {
        /// Fail on deprecated ops that no other op expresses
        fail_on_unused: bool = true,
    }
}

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "stablehlo-legalize-deprecated-ops",
    "Express deprecated StableHLO ops by those that stay",
    run,
)
.dependent_dialects(&["stablehlo"])
.options::<Options>();

fn patterns() -> Vec<Pattern<'static>> {
    vec![
        Pattern::new::<stablehlo::BroadcastOp>(broadcast),
        Pattern::new::<stablehlo::CreateTokenOp>(create_token),
        Pattern::new::<stablehlo::CrossReplicaSumOp>(cross_replica_sum),
        Pattern::new::<stablehlo::DotOp>(dot),
        Pattern::new::<stablehlo::UnaryEinsumOp>(unary_einsum),
    ]
}

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    apply_without_folding(pass, &patterns())?;
    if !pass.options::<Options>().fail_on_unused {
        return Ok(());
    }
    let left = pass
        .operation()
        .collect_nested(|op| matches!(op.name(), stablehlo::MapOp::NAME | stablehlo::RngOp::NAME));
    for op in &left {
        emit_error(
            op.location(),
            &format!(
                "failed to legalize operation '{}' that was explicitly marked illegal: it is \
                 deprecated, and no other op expresses it",
                op.name()
            ),
        );
    }
    if left.is_empty() {
        Ok(())
    } else {
        Err(PassFailure)
    }
}

/// The dimensions of the operand are the last ones of the result.
fn broadcast<'c>(b: &Builder<'c>, op: stablehlo::BroadcastOp<'c>) -> RewriteResult {
    let added = op.broadcast_sizes().len() as i64;
    let result = op.result().ty();
    let rank = result.shape().ok_or_else(|| no_match("a tensor is unranked"))?.len() as i64;
    let dimensions: Vec<i64> = (added..rank).collect();
    let new = stablehlo::broadcast_in_dim(b, op.operand(), &dimensions, result);
    b.replace_merged(op.operation(), new)
}

fn create_token<'c>(b: &Builder<'c>, op: stablehlo::CreateTokenOp<'c>) -> RewriteResult {
    let new = stablehlo::after_all(b, &[]);
    b.replace_merged(op.operation(), new)
}

fn cross_replica_sum<'c>(b: &Builder<'c>, op: stablehlo::CrossReplicaSumOp<'c>) -> RewriteResult {
    let scalar = tensor_type(&[], op.operand().ty().element_type());
    let sum = stablehlo::region(b, &[scalar, scalar], |b, arguments| {
        vec![stablehlo::add(b, arguments[0], arguments[1])]
    });
    let new = stablehlo::AllReduceOp::build(b, &[op.operand()], op.replica_groups(), sum)
        .result_types(&[op.result().ty()])
        .insert();
    b.replace_with(op.operation(), new.operation())
}

/// Contracts the last dimension of the left side with the first of the right.
fn dot<'c>(b: &Builder<'c>, op: stablehlo::DotOp<'c>) -> RewriteResult {
    let (lhs, rhs) = (op.lhs(), op.rhs());
    let rank = lhs.ty().shape().ok_or_else(|| no_match("a tensor is unranked"))?.len() as i64;
    // `dot_general` allows no zero points of its right operand.
    ensure(
        Quantized::of(rhs.ty().element_type()).is_none_or(Quantized::is_symmetric),
        "the right operand is quantized with zero points",
    )?;
    let numbers = DotDimensionNumbers {
        lhs_contracting_dimensions: vec![rank - 1],
        rhs_contracting_dimensions: vec![0],
        ..DotDimensionNumbers::default()
    };
    let new = stablehlo::DotGeneralOp::build(b, lhs, rhs, &numbers, op.result().ty())
        .maybe(op.precision_config(), |dot, precision| {
            dot.precision_config(&precision)
        })
        .value();
    b.replace_merged(op.operation(), new)
}

/// A product with the scalar 1.
fn unary_einsum<'c>(b: &Builder<'c>, op: stablehlo::UnaryEinsumOp<'c>) -> RewriteResult {
    let operand = op.operand();
    let one = stablehlo::number(b, tensor_type(&[], operand.ty().element_type()), 1.0)?;
    let config = format!(",{}", op.einsum_config());
    let new = stablehlo::einsum(b, one, operand, &config, op.result().ty());
    b.replace_merged(op.operation(), new)
}
