//! `--stablehlo-legalize-deprecated-ops`: ops that StableHLO is giving up, as
//! the ops that stay.
//!
//! `broadcast`, `create_token`, `cross-replica-sum`, `dot` and `unary_einsum`
//! have general forms. `map` and `rng` have none, and are errors unless
//! `fail-on-unused=false` leaves them.
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

use crate::{
    matchers::{dims, ensure, operands, result_type},
    semantics::quantization::Quantized,
    transforms::emit,
};
use halo_ir::{
    Builder, Operation, OptionPattern, RewriteError, RewriteResult, apply_without_folding,
    attribute_of, collect_operations, discardable_attributes, element_type, name_of, shape_of,
    string_attribute, string_value, tensor_type,
};
use halo_ir::{
    pass::{OptionKind, PassDeclaration, PassFailure, PassInvocation, PassOption, emit_error},
    stablehlo::attributes::DotDimensionNumbers,
};
use melior::ir::{ValueLike, operation::OperationLike};

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration {
    argument: "stablehlo-legalize-deprecated-ops",
    summary: "Express deprecated StableHLO ops by those that stay",
    anchor: "",
    dependent_dialects: &["stablehlo"],
    options: &[PassOption {
        name: "fail-on-unused",
        description: "Fail on deprecated ops that no other op expresses",
        default: "true",
        kind: OptionKind::Bool,
    }],
    run,
};

static PATTERNS: &[OptionPattern<()>] = &[
    OptionPattern::new("stablehlo.broadcast", broadcast),
    OptionPattern::new("stablehlo.create_token", create_token),
    OptionPattern::new("stablehlo.cross-replica-sum", cross_replica_sum),
    OptionPattern::new("stablehlo.dot", dot),
    OptionPattern::new("stablehlo.unary_einsum", unary_einsum),
];

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    apply_without_folding(pass, PATTERNS, &())?;
    if !pass.flag("fail-on-unused") {
        return Ok(());
    }
    let left = collect_operations(pass.operation(), |op| {
        matches!(name_of(op), "stablehlo.map" | "stablehlo.rng")
    });
    for op in &left {
        emit_error(
            op.location(),
            &format!(
                "failed to legalize operation '{}' that was explicitly marked illegal: it is \
                 deprecated, and no other op expresses it",
                name_of(*op)
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
fn broadcast<'c>(b: &Builder<'c>, op: Operation<'c>, (): &()) -> RewriteResult {
    let [operand] = operands(op)?;
    let added = dims(op, "broadcast_sizes")?.len() as i64;
    let result = result_type(op)?;
    let rank = shape_of(result).ok_or(RewriteError::NoMatch)?.len() as i64;
    let dimensions: Vec<i64> = (added..rank).collect();
    let new = emit::broadcast_in_dim(b, operand, &dimensions, result)?;
    emit::replace_merged(b, op, new)?;
    Ok(())
}

fn create_token<'c>(b: &Builder<'c>, op: Operation<'c>, (): &()) -> RewriteResult {
    let new = b.value("stablehlo.after_all", &[], result_type(op)?)?;
    emit::replace_merged(b, op, new)?;
    Ok(())
}

fn cross_replica_sum<'c>(b: &Builder<'c>, op: Operation<'c>, (): &()) -> RewriteResult {
    let [operand] = operands(op)?;
    let groups = attribute_of(op, "replica_groups").ok_or(RewriteError::NoMatch)?;
    let scalar = tensor_type(&[], element_type(operand.r#type()));
    let region = b.region(&[scalar, scalar], |b, arguments| -> RewriteResult {
        let [lhs, rhs] = arguments[..] else {
            return Err(RewriteError::NoMatch);
        };
        let sum = emit::binary(b, "stablehlo.add", lhs, rhs)?;
        b.op("stablehlo.return").operands(&[sum]).insert()?;
        Ok(())
    })?;
    let new = b
        .op("stablehlo.all_reduce")
        .operands(&[operand])
        .result(result_type(op)?)
        .attribute("replica_groups", groups)
        .region(region)
        .insert()?;
    emit::replace_with(b, op, new)?;
    Ok(())
}

/// Contracts the last dimension of the left side with the first of the right.
fn dot<'c>(b: &Builder<'c>, op: Operation<'c>, (): &()) -> RewriteResult {
    let [lhs, rhs] = operands(op)?;
    let rank = shape_of(lhs.r#type()).ok_or(RewriteError::NoMatch)?.len() as i64;
    // `dot_general` allows no zero points of its right operand.
    ensure(Quantized::of(element_type(rhs.r#type())).is_none_or(Quantized::is_symmetric))?;
    let numbers = DotDimensionNumbers {
        lhs_contracting_dimensions: vec![rank - 1],
        rhs_contracting_dimensions: vec![0],
        ..DotDimensionNumbers::default()
    };
    let mut spec = b
        .op("stablehlo.dot_general")
        .operands(&[lhs, rhs])
        .result(result_type(op)?)
        .attribute("dot_dimension_numbers", numbers.to_attribute(b.context()));
    if let Some(precision) = attribute_of(op, "precision_config") {
        spec = spec.attribute("precision_config", precision);
    }
    for (name, attribute) in discardable_attributes(op) {
        spec = spec.attribute(name, attribute);
    }
    let new = spec.insert()?;
    emit::replace_with(b, op, new)?;
    Ok(())
}

/// A product with the scalar 1.
fn unary_einsum<'c>(b: &Builder<'c>, op: Operation<'c>, (): &()) -> RewriteResult {
    let [operand] = operands(op)?;
    let config = attribute_of(op, "einsum_config")
        .and_then(string_value)
        .ok_or(RewriteError::NoMatch)?;
    let one = emit::number(b, tensor_type(&[], element_type(operand.r#type())), 1.0)?;
    let new = b
        .op("stablehlo.einsum")
        .operands(&[one, operand])
        .result(result_type(op)?)
        .attribute(
            "einsum_config",
            string_attribute(b.context(), &format!(",{config}")),
        )
        .insert()?;
    emit::replace_with(b, op, new)?;
    Ok(())
}
