//! The ops of `linalg`, with functions for the bodies of their regions.

super::generated! { "linalg" }


use crate::{TypeExt, ValueExt};
use crate::{BuildError, Builder, Type, Value,  };
use melior::ir::AffineMap;

/// `linalg.generic` on tensors or buffers, with one map for each input and
/// output. The body gets an element of each, and returns what to yield.
pub fn generic<'c, E: From<BuildError>>(
    builder: &Builder<'c>,
    inputs: &[Value<'c>],
    outputs: &[Value<'c>],
    maps: &[AffineMap<'c>],
    iterators: &[IteratorType],
    body: impl FnOnce(&Builder<'c>, &[Value<'c>]) -> Result<Vec<Value<'c>>, E>,
) -> Result<GenericOp<'c>, E> {
    let elements = element_types(inputs, outputs);
    let region = builder.region(&elements, |builder, elements| {
        let values = body(builder, elements)?;
        yield_(builder, &values)?;
        Ok::<_, E>(())
    })?;
    let types = tensor_types(outputs);
    let op = GenericOp::build(builder, inputs, outputs, maps, iterators, &types, region);
    Ok(op.insert()?)
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
