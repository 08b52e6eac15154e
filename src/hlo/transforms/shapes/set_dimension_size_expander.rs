//! `--set-dimension-size-expander`: slices dimensions to constant sizes.
//!
//! `set_dimension_size` sets the size of a bounded dimension. If the size is a
//! constant, the other elements can be dropped: the result is an ordinary
//! tensor, and `--stablehlo-refine-shapes` propagates its type to its users.
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
//! A larger size is padded with zeros. A result of static shape also determines the size: the
//! computed size equals it, or the program is undefined.

use super::stablehlo_refine_shapes::{
    constant_integers, reconcile, set_function_type, without_shape_cast,
};
use halo_ir::prelude::*;

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "set-dimension-size-expander",
    "Replace set_dimension_size of a constant size by a slice",
    run,
)
.dependent_dialects(&["stablehlo"]);

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    let of_size = |op: Operation| op.isa::<stablehlo::SetDimensionSizeOp>();
    for operation in pass.operation().collect_nested(of_size) {
        let expanded = with_builder(operation, |b| match operation.cast() {
            Some(op) => expand(b, op),
            None => Ok(()),
        });
        match expanded {
            Ok(()) => {}
            Err(error) if error.is_no_match() => {}
            Err(error) => return Err(pass.error(operation, error.to_string()).into()),
        }
    }
    for operation in pass.operation().collect_nested(|op| op.region_count() > 0) {
        reconcile(operation);
    }
    // The types of returned values have changed.
    for function in pass.operation().collect_nested(|op| op.isa::<func::FuncOp>()) {
        let Some(body) = function.body(0) else {
            continue;
        };
        let Some(returned) = body.terminator().filter(|op| op.isa::<func::ReturnOp>()) else {
            continue;
        };
        set_function_type(
            function,
            &body.arguments().types(),
            &returned.operands().types(),
        );
    }
    Ok(())
}

fn expand<'c>(b: &Builder<'c>, op: stablehlo::SetDimensionSizeOp<'c>) -> RewriteResult {
    let value = without_shape_cast(op.operand());
    let mut limits = value.ty().static_shape().ok_or_else(|| no_match("a shape is dynamic"))?;
    let size = constant_integers(op.size()).and_then(|values| values.first().copied());
    let dimension =
        usize::try_from(op.dimension()).map_err(|_| no_match("a dimension is out of range"))?;
    let declared = op.result().ty().static_shape();
    let declared = declared.and_then(|shape| shape.get(dimension).copied());
    let size = declared.or(size).ok_or_else(|| no_match("the size is not constant"))?;
    let limit = limits
        .get_mut(dimension)
        .ok_or_else(|| no_match("a dimension is out of range"))?;
    if *limit == size && declared.is_some() {
        b.replace(op.operation(), &[value]);
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
    let part = if size > present {
        let zero = halo_ir::tensor_type(&[], value.ty().element_type());
        let zero = stablehlo::number(b, zero, 0.0)?;
        let mut high = zeros.clone();
        high[dimension] = size - present;
        stablehlo::pad(b, value, zero, &zeros, &high, &zeros)
    } else {
        stablehlo::slice(b, value, &zeros, &limits, &ones)
    };
    b.replace(op.operation(), &[part]);
    Ok(())
}
