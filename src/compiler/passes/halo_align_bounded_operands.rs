//! `--halo-align-bounded-operands`: operands of one size for elementwise ops.
//!
//! XLA combines a value whose size is bounded, as of what `set_dimension_size`
//! made, with one of the size that is its bound, such as a constant: the elements
//! beyond the size count for nothing. Here both have the size that is found at
//! run time.
//!
//! ```mlir
//! %0 = stablehlo.multiply %x, %two
//!   : (tensor<?xf32, #stablehlo.bounds<5>>, tensor<5xf32>) -> tensor<?xf32, #stablehlo.bounds<5>>
//! ```
//!
//! becomes
//!
//! ```mlir
//! %n = stablehlo.get_dimension_size %x, dim = 0
//!   : (tensor<?xf32, #stablehlo.bounds<5>>) -> tensor<i32>
//! %cut = stablehlo.set_dimension_size %two, %n, dim = 0
//!   : (tensor<5xf32>, tensor<i32>) -> tensor<?xf32, #stablehlo.bounds<5>>
//! %0 = stablehlo.multiply %x, %cut : tensor<?xf32, #stablehlo.bounds<5>>
//! ```

use crate::{
    ir::{
        BuildError, Builder, Operation, Value, collect_operations, integer_attribute, integer_type,
        name_of, operands_of, set_operand, with_builder,
    },
    semantics::{Dim, dims_of},
};
use halo_dialects::pass::{PassDeclaration, PassFailure, PassInvocation, emit_error};
use melior::ir::{ValueLike, operation::OperationLike};

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration {
    argument: "halo-align-bounded-operands",
    summary: "Cut operands of elementwise ops to the sizes of bounded ones",
    anchor: "",
    dependent_dialects: &["stablehlo"],
    options: &[],
    run,
};

/// Whether an op has one shape for all of its operands.
fn is_elementwise(name: &str) -> bool {
    matches!(
        name.strip_prefix("stablehlo.").unwrap_or_default(),
        "add"
            | "and"
            | "atan2"
            | "clamp"
            | "compare"
            | "complex"
            | "divide"
            | "maximum"
            | "minimum"
            | "multiply"
            | "or"
            | "power"
            | "remainder"
            | "select"
            | "shift_left"
            | "shift_right_arithmetic"
            | "shift_right_logical"
            | "subtract"
            | "xor"
    )
}

fn run(pass: &PassInvocation) -> Result<(), PassFailure> {
    for operation in collect_operations(pass.operation(), |op| is_elementwise(name_of(op))) {
        if let Err(error) = with_builder(operation, |b| align(b, operation)) {
            emit_error(operation.location(), &format!("internal error: {error}"));
            return Err(PassFailure);
        }
    }
    Ok(())
}

fn align<'c>(b: &Builder<'c>, operation: Operation<'c>) -> Result<(), BuildError> {
    let operands = operands_of(operation);
    let shapes: Vec<Vec<Dim>> = operands
        .iter()
        .map(|value| dims_of(value.r#type()).unwrap_or_default())
        .collect();
    let rank = shapes.iter().map(Vec::len).max().unwrap_or_default();
    for dimension in 0..rank {
        let bounded =
            shapes
                .iter()
                .zip(&operands)
                .find_map(|(shape, value)| match shape.get(dimension) {
                    Some(Dim::Bounded(bound)) => Some((*bound, *value)),
                    _ => None,
                });
        let Some((bound, sized)) = bounded else {
            continue;
        };
        for (index, shape) in shapes.iter().enumerate() {
            if shape
                .get(dimension)
                .is_some_and(|dim| *dim == Dim::Static(bound))
            {
                let whole = operands_of(operation)[index];
                set_operand(operation, index, cut(b, whole, sized, dimension)?);
            }
        }
    }
    Ok(())
}

/// A value with the size of another one along a dimension.
fn cut<'c>(
    b: &Builder<'c>,
    whole: Value<'c>,
    sized: Value<'c>,
    dimension: usize,
) -> Result<Value<'c>, BuildError> {
    let dimension = integer_attribute(integer_type(b.context(), 64), dimension as i64);
    let size = b
        .op("stablehlo.get_dimension_size")
        .operands(&[sized])
        .attribute("dimension", dimension)
        .infer_results()
        .value()?;
    b.op("stablehlo.set_dimension_size")
        .operands(&[whole, size])
        .attribute("dimension", dimension)
        .infer_results()
        .value()
}
