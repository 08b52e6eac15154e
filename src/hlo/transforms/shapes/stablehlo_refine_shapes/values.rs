//! Changes of the types of values that all users accept.

use halo_ir::prelude::*;

/// Returns true if the ops of a dialect accept operands and results of any compatible types.
pub(super) fn is_ours(name: &str) -> bool {
    ["stablehlo.", "chlo.", "check."]
        .iter()
        .any(|dialect| name.starts_with(dialect))
}

/// Refines the types of values, if all users allow it.
pub(super) fn refine_values<'c>(values: &[Value<'c>], types: &[Type<'c>]) {
    for (value, ty) in values.iter().zip(types) {
        if value.ty() != *ty && value.uses().iter().all(|(user, _)| takes(*user)) {
            value.set_type(*ty);
        }
    }
}

/// Returns true if an op accepts a more specific operand type. Calls get specialized functions;
/// function types follow their returned values.
fn takes(user: Operation) -> bool {
    let name = user.name();
    is_ours(name) || matches!(name, func::CallOp::NAME | func::ReturnOp::NAME)
}

/// Replaces a value by another of a compatible type that all users accept.
pub(super) fn replace_refined<'c>(from: Value<'c>, to: Value<'c>) -> bool {
    let allowed = from.uses().iter().all(|(user, _)| takes(*user));
    if allowed {
        from.replace_uses_with(to);
    }
    allowed
}

/// The constant that defines a value.
pub(super) fn constant_of<'c>(value: Value<'c>) -> Option<Attribute<'c>> {
    Some(value.defined_by::<stablehlo::ConstantOp>()?.value())
}
