//! `--chlo-legalize-to-stablehlo`: CHLO's broadcasting forms and conveniences,
//! spelled out.
//!
//! CHLO's binary ops broadcast their operands as NumPy does; StableHLO's do
//! not. Functions that the specification lacks (erf, asin, ...) stay: backends
//! have code for them that no composition of StableHLO ops matches in accuracy.
//!
//! ```mlir
//! %0 = chlo.broadcast_add %a, %b : (tensor<4x3xf32>, tensor<3xf32>) -> tensor<4x3xf32>
//! ```
//!
//! becomes
//!
//! ```mlir
//! %b1 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<3xf32>) -> tensor<4x3xf32>
//! %0 = stablehlo.add %a, %b1 : tensor<4x3xf32>
//! ```

use crate::ir::{
    self, Builder, Operation, Pattern, RewriteError, RewriteResult, Type, Value, apply_greedily,
    element_type, i64_array_attribute, i64_array_value, name_of, operands_of, shape_of,
    tensor_type,
};
use halo_dialects::pass::{PassDeclaration, PassFailure, PassInvocation};
use melior::ir::{ValueLike, operation::OperationLike};

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration {
    argument: "chlo-legalize-to-stablehlo",
    summary: "Decompose CHLO's broadcasting ops and conveniences into StableHLO",
    anchor: "",
    dependent_dialects: &["stablehlo"],
    options: &[],
    run,
};

static PATTERNS: &[Pattern] = &[
    Pattern::new("chlo.broadcast_add", broadcast),
    Pattern::new("chlo.broadcast_and", broadcast),
    Pattern::new("chlo.broadcast_atan2", broadcast),
    Pattern::new("chlo.broadcast_compare", broadcast),
    Pattern::new("chlo.broadcast_complex", broadcast),
    Pattern::new("chlo.broadcast_divide", broadcast),
    Pattern::new("chlo.broadcast_maximum", broadcast),
    Pattern::new("chlo.broadcast_minimum", broadcast),
    Pattern::new("chlo.broadcast_multiply", broadcast),
    Pattern::new("chlo.broadcast_next_after", broadcast),
    Pattern::new("chlo.broadcast_or", broadcast),
    Pattern::new("chlo.broadcast_polygamma", broadcast),
    Pattern::new("chlo.broadcast_power", broadcast),
    Pattern::new("chlo.broadcast_remainder", broadcast),
    Pattern::new("chlo.broadcast_select", broadcast),
    Pattern::new("chlo.broadcast_shift_left", broadcast),
    Pattern::new("chlo.broadcast_shift_right_arithmetic", broadcast),
    Pattern::new("chlo.broadcast_shift_right_logical", broadcast),
    Pattern::new("chlo.broadcast_subtract", broadcast),
    Pattern::new("chlo.broadcast_xor", broadcast),
    Pattern::new("chlo.broadcast_zeta", broadcast),
    Pattern::new("chlo.constant", constant),
    Pattern::new("chlo.square", square),
];

fn run(pass: &PassInvocation) -> Result<(), PassFailure> {
    apply_greedily(pass.operation(), PATTERNS)
}

fn static_dims(r#type: Type) -> Result<Vec<i64>, RewriteError> {
    shape_of(r#type)
        .and_then(|shape| shape.into_iter().collect::<Option<Vec<_>>>())
        .ok_or(RewriteError::NoMatch)
}

/// The shape that NumPy's rule gives for several shapes.
fn common_shape(shapes: &[Vec<i64>]) -> Result<Vec<i64>, RewriteError> {
    let rank = shapes.iter().map(Vec::len).max().unwrap_or(0);
    let mut common = vec![1; rank];
    for shape in shapes {
        let start = rank - shape.len();
        for (position, size) in shape.iter().enumerate() {
            let entry = &mut common[start + position];
            if *entry == 1 {
                *entry = *size;
            } else if *size != 1 && *size != *entry {
                return Err(RewriteError::Invalid(format!(
                    "operands do not broadcast: dimension {} has sizes {entry} and {size}",
                    start + position
                )));
            }
        }
    }
    Ok(common)
}

fn broadcast<'c>(b: &Builder<'c>, op: Operation<'c>) -> RewriteResult {
    let operands = operands_of(op);
    let shapes = operands
        .iter()
        .map(|operand| static_dims(operand.r#type()))
        .collect::<Result<Vec<_>, _>>()?;
    let common = common_shape(&shapes)?;
    // Explicit dimensions say where those of the operand of lower rank go.
    let explicit = op
        .attribute("broadcast_dimensions")
        .ok()
        .and_then(i64_array_value);
    let expanded = operands
        .iter()
        .zip(&shapes)
        .map(|(operand, shape)| {
            let trailing: Vec<i64> = (common.len() - shape.len()..common.len())
                .map(|index| index as i64)
                .collect();
            let dimensions = match &explicit {
                Some(explicit) if shape.len() < common.len() => explicit,
                _ => &trailing,
            };
            expand(b, *operand, shape, &common, dimensions)
        })
        .collect::<Result<Vec<Value>, RewriteError>>()?;
    let short = name_of(op).trim_start_matches("chlo.broadcast_");
    let dialect = match short {
        "next_after" | "polygamma" | "zeta" => "chlo",
        _ => "stablehlo",
    };
    let mut spec = b
        .op(&format!("{dialect}.{short}"))
        .operands(&expanded)
        .results(&ir::result_types_of(op));
    for (name, attribute) in op.attributes() {
        let name = name.as_string_ref().as_str().unwrap_or_default().to_owned();
        match name.as_str() {
            "broadcast_dimensions" => {}
            "comparison_direction" | "compare_type" => {
                let text = attribute.to_string().replace("#chlo<", "#stablehlo<");
                let renamed = ir::Attribute::parse(b.context(), &text).ok_or_else(|| {
                    RewriteError::Invalid(format!("'{name}' has an unknown form: {text}"))
                })?;
                spec = spec.attribute(&name, renamed);
            }
            _ => spec = spec.attribute(&name, attribute),
        }
    }
    let result = spec.value()?;
    b.replace(op, &[result]);
    Ok(())
}

fn expand<'c>(
    b: &Builder<'c>,
    operand: Value<'c>,
    shape: &[i64],
    common: &[i64],
    dimensions: &[i64],
) -> Result<Value<'c>, RewriteError> {
    if shape == common {
        return Ok(operand);
    }
    Ok(b.op("stablehlo.broadcast_in_dim")
        .operands(&[operand])
        .attribute(
            "broadcast_dimensions",
            i64_array_attribute(b.context(), dimensions),
        )
        .result(tensor_type(common, element_type(operand.r#type())))
        .value()?)
}

fn constant<'c>(b: &Builder<'c>, op: Operation<'c>) -> RewriteResult {
    let value = op.attribute("value").map_err(|_| RewriteError::NoMatch)?;
    let result = b
        .op("stablehlo.constant")
        .attribute("value", value)
        .results(&ir::result_types_of(op))
        .value()?;
    b.replace(op, &[result]);
    Ok(())
}

fn square<'c>(b: &Builder<'c>, op: Operation<'c>) -> RewriteResult {
    let operand = operands_of(op)[0];
    let result = b
        .op("stablehlo.multiply")
        .operands(&[operand, operand])
        .result(operand.r#type())
        .value()?;
    b.replace(op, &[result]);
    Ok(())
}
