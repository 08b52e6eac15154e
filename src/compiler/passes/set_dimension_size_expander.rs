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

use super::{emit, stablehlo_refine_shapes::constant_integers};
use crate::ir::{
    Builder, Operation, Pattern, RewriteError, RewriteResult, apply_greedily, attribute_of,
    element_type, integer_attribute_value, operands_of, static_shape_of, tensor_type,
};
use halo_dialects::pass::{PassDeclaration, PassFailure, PassInvocation};
use melior::ir::ValueLike;

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration {
    argument: "set-dimension-size-expander",
    summary: "Replace set_dimension_size of a constant size by a slice",
    anchor: "",
    dependent_dialects: &["stablehlo"],
    options: &[],
    run,
};

fn run(pass: &PassInvocation) -> Result<(), PassFailure> {
    apply_greedily(
        pass.operation(),
        &[Pattern::new("stablehlo.set_dimension_size", expand)],
    )
}

fn expand<'c>(b: &Builder<'c>, op: Operation<'c>) -> RewriteResult {
    let &[value, size] = &operands_of(op)[..] else {
        return Err(RewriteError::NoMatch);
    };
    let mut limits = static_shape_of(value.r#type()).ok_or(RewriteError::NoMatch)?;
    let size = constant_integers(size).and_then(|values| values.first().copied());
    let dimension = attribute_of(op, "dimension").and_then(integer_attribute_value);
    let (Some(size), Some(dimension)) = (size, dimension) else {
        return Err(RewriteError::NoMatch);
    };
    let limit = usize::try_from(dimension)
        .ok()
        .and_then(|dimension| limits.get_mut(dimension))
        .ok_or(RewriteError::NoMatch)?;
    if !(0..=*limit).contains(&size) {
        return Err(RewriteError::NoMatch);
    }
    *limit = size;
    let zeros = vec![0; limits.len()];
    let ones = vec![1; limits.len()];
    let result = tensor_type(&limits, element_type(value.r#type()));
    let part = emit::slice(b, value, &zeros, &limits, &ones, result)?;
    b.replace(op, &[part]);
    Ok(())
}
