//! The ops of `linalg`, with functions for the bodies of their regions.

super::generated! { "linalg" }

use crate::{
    builder::Builder,
    handles::{Type, Value},
    outcome::Outcome,
    types::TypeExt,
    value::ValueExt,
};
use melior::ir::AffineMap;

/// `linalg.generic` on tensors or buffers, with one map for each input and
/// output. The body gets an element of each, and returns what to yield.
#[track_caller]
pub fn generic<'c, R: Outcome<Vec<Value<'c>>>>(
    builder: &Builder<'c>,
    inputs: &[Value<'c>],
    outputs: &[Value<'c>],
    maps: &[AffineMap<'c>],
    iterators: &[IteratorType],
    body: impl FnOnce(&Builder<'c>, &[Value<'c>]) -> R,
) -> R::Of<GenericOp<'c>> {
    let elements = element_types(inputs, outputs);
    let region = builder.region(&elements, |builder, elements| {
        yield_(builder, &body(builder, elements).into_result()?);
        Ok(())
    });
    R::of(region.map(|region| {
        let types = tensor_types(outputs);
        GenericOp::build(builder, inputs, outputs, maps, iterators, &types, region).insert()
    }))
}

fn element_types<'c>(inputs: &[Value<'c>], outputs: &[Value<'c>]) -> Vec<Type<'c>> {
    let all = inputs.iter().chain(outputs);
    all.map(|value| value.ty().element_type()).collect()
}

/// The types of the results: an op on buffers has none.
fn tensor_types<'c>(outputs: &[Value<'c>]) -> Vec<Type<'c>> {
    let types = outputs.iter().map(|value| value.ty());
    types.filter(|ty| ty.is_tensor()).collect()
}
