//! NumPy broadcasting of tensors whose sizes may be bounded.
//!
//! Dimensions are matched from the last to the first: their sizes are equal, or one of them is 1 or
//! absent. A bounded size matches another one of the same bound, which must be equal at run time. A
//! dimension is broadcast to the bound of such a size and then truncated.

use crate::semantics::{Dim, dims_of, tensor_of};
use halo_ir::prelude::*;

/// A size of the result, with an operand that has it and its dimension there.
#[derive(Clone, Copy)]
struct Size<'c> {
    dim: Dim,
    owner: Value<'c>,
    dimension: i64,
}

/// The reason why values do not broadcast, and the mismatching one, if it is one.
pub struct Mismatch<'c> {
    pub value: Option<Value<'c>>,
    pub message: String,
}

impl<'c> From<RewriteError> for Mismatch<'c> {
    fn from(error: RewriteError) -> Self {
        let message = match error {
            RewriteError::Invalid(message) => message,
            RewriteError::NoMatch => "tensors cannot be broadcast".to_owned(),
            RewriteError::NoMatchBecause(reason) => reason.into_owned(),
        };
        Self {
            value: None,
            message,
        }
    }
}

/// Broadcasts tensors to their common shape.
///
/// # Errors
/// Returns the operand that does not match the earlier ones, and the reason.
pub fn broadcast<'c>(
    b: &Builder<'c>,
    values: &[Value<'c>],
) -> Result<Vec<Value<'c>>, Mismatch<'c>> {
    let whole = |message: &str| Mismatch {
        value: None,
        message: message.to_owned(),
    };
    if values.is_empty() {
        return Err(whole("requires at least one operand to broadcast"));
    }
    let mut shape: Vec<Size> = Vec::new();
    for value in values {
        let dims = dims_of(value.ty()).filter(|_| value.ty().is_tensor());
        let dims = dims.ok_or_else(|| whole("expected ranked tensor type for broadcast inputs"))?;
        let sizes: Vec<Size> = dims
            .into_iter()
            .zip(0..)
            .map(|(dim, dimension)| Size {
                dim,
                owner: *value,
                dimension,
            })
            .collect();
        shape = join(shape, sizes).map_err(|message| Mismatch {
            value: Some(*value),
            message,
        })?;
    }
    values.iter().map(|value| Ok(broadcast_to(b, *value, &shape)?)).collect()
}

/// The sizes of the common shape of two shapes.
fn join<'c>(left: Vec<Size<'c>>, right: Vec<Size<'c>>) -> Result<Vec<Size<'c>>, String> {
    let is_swapped = left.len() < right.len();
    let (mut long, short) = if is_swapped {
        (right, left)
    } else {
        (left, right)
    };
    let offset = long.len() - short.len();
    for (own, other) in long[offset..].iter_mut().zip(short) {
        match (own.dim, other.dim) {
            (own, other) if own == other => {}
            (_, Dim::Static(1)) => {}
            (Dim::Static(1), _) => *own = other,
            (Dim::Static(_), Dim::Bounded(_) | Dim::Dynamic)
            | (Dim::Bounded(_) | Dim::Dynamic, Dim::Static(_)) => {
                return Err("cannot mix bounded and static dimensions in broadcast".to_owned());
            }
            (own, other) => {
                let (left, right) = if is_swapped {
                    (other, own)
                } else {
                    (own, other)
                };
                return Err(format!(
                    "incompatible shapes for broadcasting {left} and {right}"
                ));
            }
        }
    }
    Ok(long)
}

/// Broadcasts a value to a shape.
fn broadcast_to<'c>(
    b: &Builder<'c>,
    value: Value<'c>,
    shape: &[Size<'c>],
) -> RewriteResult<Value<'c>> {
    let own = dims_of(value.ty()).ok_or_else(|| no_match("a tensor is unranked"))?;
    let offset = shape.len() - own.len();
    let has = |dimension: usize| {
        dimension
            .checked_sub(offset)
            .is_some_and(|index| own[index] == shape[dimension].dim)
    };
    if offset == 0 && (0..shape.len()).all(has) {
        return Ok(value);
    }
    let element = value.ty().element_type();
    let mut dims: Vec<Dim> = shape.iter().map(|size| size.dim).collect();
    let mut cut = Vec::new();
    for (dimension, dim) in dims.iter_mut().enumerate() {
        match dim {
            Dim::Bounded(bound) if !has(dimension) => {
                *dim = Dim::Static(*bound);
                cut.push(dimension);
            }
            Dim::Dynamic if !has(dimension) => {
                let message = "a size without a bound cannot be broadcast to".to_owned();
                return Err(RewriteError::Invalid(message));
            }
            _ => {}
        }
    }
    let dimensions: Vec<i64> = (offset..shape.len()).map(|dimension| dimension as i64).collect();
    let mut value = stablehlo::broadcast_in_dim(b, value, &dimensions, tensor_of(&dims, element));
    for dimension in cut {
        let Size {
            dim,
            owner,
            dimension: number,
        } = shape[dimension];
        dims[dimension] = dim;
        let size = stablehlo::get_dimension_size(b, owner, number);
        let ty = tensor_of(&dims, element);
        value = stablehlo::SetDimensionSizeOp::build(b, value, size, dimension as i64)
            .result_types(&[ty])
            .value();
    }
    Ok(value)
}
