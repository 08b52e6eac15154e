//! The ops of `stablehlo`, and constants.

super::generated! { "stablehlo" }

use crate::{Attribute, BuildError, Builder, Value, attribute_type};

/// `stablehlo.constant`
pub fn constant<'c>(
    builder: &Builder<'c>,
    value: Attribute<'c>,
) -> Result<Value<'c>, BuildError> {
    ConstantOp::build(builder, value, attribute_type(value)).value()
}
