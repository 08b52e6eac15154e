//! Sizes with bounds become sizes that a check limits.

use crate::function::{function_type, set_signature};
use halo_hlo::semantics::{Dim, dims_of, tensor_of};
use halo_ir::{ops::cf, prelude::*};

/// Removes the bounds of all types. Functions check the sizes of their arguments and results.
pub fn check_bounds(module: Operation) {
    for function in module.collect_nested(|op| op.isa::<func::FuncOp>()) {
        let Some(block) = function.body(0) else {
            continue;
        };
        let (first, end) = (block.first_operation(), block.terminator());
        let (Some(first), Some(end)) = (first, end) else {
            continue;
        };
        check(first, "argument", &block.arguments());
        check(end, "result", &end.operands());
        let mut values = block.arguments();
        function.walk(WalkOrder::PreOrder, |op| {
            values.extend(op.results());
            let blocks = op.regions().into_iter().flat_map(RegionExt::blocks);
            values.extend(blocks.flat_map(Block::arguments));
        });
        for value in values {
            if let Some(ty) = without_bounds(value.ty()) {
                value.set_type(ty);
            }
        }
        if function_type(function).is_some() {
            let (inputs, results) = (block.arguments().types(), end.operands().types());
            set_signature(function, &inputs, &results);
        }
    }
}

/// Checks that sizes are within their bounds.
fn check<'c>(place: Operation<'c>, role: &str, values: &[Value<'c>]) {
    for (number, value) in values.iter().enumerate() {
        for (dimension, size) in dims_of(value.ty()).into_iter().flatten().enumerate() {
            let Dim::Bounded(bound) = size else {
                continue;
            };
            with_builder(place, |b| {
                let position = index::constant(b, dimension as i64);
                let size = tensor::dim(b, *value, position);
                let bound_value = index::constant(b, bound);
                let fits = arith::cmpi(b, CmpIPredicate::Sle, size, bound_value);
                let message = format!(
                    "dimension {dimension} of {role} {number} is larger than its bound, {bound}"
                );
                cf::assert(b, fits, &message);
            });
        }
    }
}

/// The type without bounds, if it has any.
fn without_bounds(ty: Type<'_>) -> Option<Type<'_>> {
    let dims = dims_of(ty)?;
    let is_bounded = dims.iter().any(|dim| matches!(dim, Dim::Bounded(_)));
    let unbounded = |dim: &Dim| match dim {
        Dim::Bounded(_) => Dim::Dynamic,
        dim => *dim,
    };
    is_bounded.then(|| {
        let dims: Vec<Dim> = dims.iter().map(unbounded).collect();
        tensor_of(&dims, ty.element_type())
    })
}
