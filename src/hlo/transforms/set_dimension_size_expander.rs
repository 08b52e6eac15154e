//! `--set-dimension-size-expander`: dimensions of a size that is known, cut off.
//!
//! `set_dimension_size` says of a tensor of some bound how much of a dimension
//! counts. Where that is a constant, the rest can go: what is left is a tensor
//! like any other, and `--stablehlo-refine-shapes` says so to its users.
//!
//! ```mlir
//! %n = stablehlo.constant dense<3> : tensor<i32>
//! %0 = stablehlo.set_dimension_size %x, %n, dim = 0
//!   : (tensor<4xi32>, tensor<i32>) -> tensor<?xi32, #stablehlo.bounds<4>>
//! ```
//!
//! becomes
//!
//! ```mlir
//! %0 = stablehlo.slice %x [0:3] : (tensor<4xi32>) -> tensor<3xi32>
//! ```
//!
//! A size beyond what there is is filled up with zeros.
//! A result of static shape says the size as well: the size that is computed is
//! that one, or the program is undefined.

use super::{
    emit,
    stablehlo_refine_shapes::{constant_integers, set_function_type},
};
use halo_ir::pass::{PassDeclaration, PassFailure, PassInvocation, emit_error};
use halo_ir::{
    Builder, Operation, RewriteError, RewriteResult, Type, Value, arguments_of, attribute_of,
    body_of, collect_operations, element_type, i64_array_attribute, integer_attribute_value,
    name_of, operands_of, result_types_of, static_shape_of, terminator_of, with_builder,
};
use melior::ir::{ValueLike, operation::OperationLike};

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration {
    argument: "set-dimension-size-expander",
    summary: "Replace set_dimension_size of a constant size by a slice",
    anchor: "",
    dependent_dialects: &["stablehlo"],
    options: &[],
    run,
};

const NAME: &str = "stablehlo.set_dimension_size";

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    for operation in collect_operations(pass.operation(), |op| name_of(op) == NAME) {
        match with_builder(operation, |b| expand(b, operation)) {
            Ok(()) | Err(RewriteError::NoMatch) => {}
            Err(RewriteError::Invalid(message)) => {
                emit_error(operation.location(), &message);
                return Err(PassFailure);
            }
        }
    }
    // What is returned has other types now.
    for function in collect_operations(pass.operation(), |op| name_of(op) == "func.func") {
        let Some(body) = body_of(function, 0) else {
            continue;
        };
        let Some(returned) = terminator_of(body).filter(|op| name_of(*op) == "func.return") else {
            continue;
        };
        set_function_type(
            function,
            &types_of(&arguments_of(body)),
            &types_of(&operands_of(returned)),
        );
    }
    Ok(())
}

fn types_of<'c>(values: &[Value<'c>]) -> Vec<Type<'c>> {
    values.iter().map(|value| value.r#type()).collect()
}

fn expand<'c>(b: &Builder<'c>, op: Operation<'c>) -> RewriteResult {
    let &[value, size] = &operands_of(op)[..] else {
        return Err(RewriteError::NoMatch);
    };
    let mut limits = static_shape_of(value.r#type()).ok_or(RewriteError::NoMatch)?;
    let size = constant_integers(size).and_then(|values| values.first().copied());
    let dimension = attribute_of(op, "dimension").and_then(integer_attribute_value);
    let dimension = dimension.and_then(|dimension| usize::try_from(dimension).ok());
    let dimension = dimension.ok_or(RewriteError::NoMatch)?;
    let declared = result_types_of(op)
        .first()
        .copied()
        .and_then(static_shape_of);
    let declared = declared.and_then(|shape| shape.get(dimension).copied());
    let size = declared.or(size).ok_or(RewriteError::NoMatch)?;
    let limit = limits.get_mut(dimension).ok_or(RewriteError::NoMatch)?;
    if *limit == size && declared.is_some() {
        b.replace(op, &[value])?;
        return Ok(());
    }
    let present = *limit;
    if size < 0 {
        return Err(RewriteError::Invalid(format!(
            "sets the size of dimension {dimension} to {size}"
        )));
    }
    *limit = size;
    let zeros = vec![0; limits.len()];
    let ones = vec![1; limits.len()];
    let result = halo_ir::tensor_type(&limits, element_type(value.r#type()));
    let part = if size > present {
        let zero = halo_ir::tensor_type(&[], element_type(value.r#type()));
        let zero = emit::number(b, zero, 0.0)?;
        let mut high = zeros.clone();
        high[dimension] = size - present;
        let array = |values: &[i64]| i64_array_attribute(b.context(), values);
        b.op("stablehlo.pad")
            .operands(&[value, zero])
            .attribute("edge_padding_low", array(&zeros))
            .attribute("edge_padding_high", array(&high))
            .attribute("interior_padding", array(&zeros))
            .result(result)
            .value()?
    } else {
        emit::slice(b, value, &zeros, &limits, &ones, result)?
    };
    b.replace(op, &[part])?;
    Ok(())
}
