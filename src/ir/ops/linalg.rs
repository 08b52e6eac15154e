//! The ops of `linalg`, with functions for the bodies of their regions.

super::generated! { "linalg" }

use crate::{BuildError, Builder, Value, element_type, is_tensor};
use melior::ir::{AffineMap, ValueLike};

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
    let elements: Vec<_> = inputs
        .iter()
        .chain(outputs)
        .map(|value| element_type(value.r#type()))
        .collect();
    let region = builder.region(&elements, |builder, elements| {
        let values = body(builder, elements)?;
        yield_(builder, &values)?;
        Ok::<_, E>(())
    })?;
    let types: Vec<_> = outputs
        .iter()
        .map(|value| value.r#type())
        .filter(|r#type| is_tensor(*r#type))
        .collect();
    let op = GenericOp::build(builder, inputs, outputs, maps, iterators, &types, region);
    Ok(op.insert()?)
}
