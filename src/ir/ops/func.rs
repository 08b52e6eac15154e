//! The ops of `func`, with a function for the body of a function.

super::generated! { "func" }

use crate::{BuildError, Builder, Type, Value};
use melior::ir::r#type::FunctionType;

/// `func.func` with one block. The body gets the arguments, and returns the
/// results.
pub fn func<'c, E: From<BuildError>>(
    builder: &Builder<'c>,
    name: &str,
    inputs: &[Type<'c>],
    results: &[Type<'c>],
    body: impl FnOnce(&Builder<'c>, &[Value<'c>]) -> Result<Vec<Value<'c>>, E>,
) -> Result<FuncOp<'c>, E> {
    let region = builder.region(inputs, |builder, arguments| {
        let values = body(builder, arguments)?;
        return_(builder, &values)?;
        Ok::<_, E>(())
    })?;
    let ty = FunctionType::new(builder.context(), inputs, results).into();
    Ok(FuncOp::build(builder, name, ty, region).insert()?)
}
