//! The ops of `func`, with a function for the body of a function.

super::generated! { "func" }

use crate::{
    builder::Builder,
    handles::{Type, Value},
    outcome::Outcome,
};
use melior::ir::r#type::FunctionType;

/// `func.func` with one block. The body gets the arguments, and returns the
/// results.
#[track_caller]
pub fn func<'c, R: Outcome<Vec<Value<'c>>>>(
    builder: &Builder<'c>,
    name: &str,
    inputs: &[Type<'c>],
    results: &[Type<'c>],
    body: impl FnOnce(&Builder<'c>, &[Value<'c>]) -> R,
) -> R::Of<FuncOp<'c>> {
    let region = builder.region(inputs, |builder, arguments| {
        return_(builder, &body(builder, arguments).into_result()?);
        Ok(())
    });
    R::of(region.map(|region| {
        let ty = FunctionType::new(builder.context(), inputs, results).into();
        FuncOp::build(builder, name, ty, region).insert()
    }))
}
