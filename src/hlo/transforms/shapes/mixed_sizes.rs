//! Shapes with static and dynamic sizes.
//!
//! StableHLO's dynamic ops take a shape as a one-dimensional tensor. Static sizes stay numbers for
//! as long as possible, so that a program of static shapes gets no size arithmetic.

use crate::semantics::{Dim, dims_of};
use halo_ir::{
    float_attribute, prelude::*, splat_attribute, stablehlo::attributes::bounded_tensor_type,
};

/// The size of one dimension.
#[derive(Clone, Copy, Debug)]
pub enum MixedSize<'c> {
    /// A compile-time size.
    Static(i64),
    /// A scalar `tensor<i64>`.
    Dynamic(Value<'c>),
}

/// The sizes of all dimensions of a tensor.
#[derive(Clone, Debug)]
pub struct MixedSizes<'c>(pub Vec<MixedSize<'c>>);

/// A scalar `tensor<i64>` constant.
pub fn scalar<'c>(b: &Builder<'c>, number: i64) -> Value<'c> {
    integers(b, &[], number)
}

/// A `tensor<i64>` of some shape, a splat.
pub fn integers<'c>(b: &Builder<'c>, dims: &[i64], number: i64) -> Value<'c> {
    let element = integer_type(b.context(), 64);
    let ty = tensor_type(dims, element);
    let number = splat_attribute(ty, integer_attribute(element, number));
    stablehlo::constant(b, number)
}

/// The size of a dimension, static or dynamic, as a scalar.
pub fn size_of<'c>(b: &Builder<'c>, value: Value<'c>, dimension: usize) -> Value<'c> {
    let size = stablehlo::get_dimension_size(b, value, dimension as i64);
    stablehlo::convert_elements(b, size, integer_type(b.context(), 64))
}

/// The sizes of a value as tensors of one element.
pub fn parts_of<'c>(b: &Builder<'c>, value: Value<'c>) -> RewriteResult<Vec<Value<'c>>> {
    let shape = ranked_shape(value)?;
    let parts = shape.into_iter().enumerate().map(|(dimension, size)| {
        let size = match size {
            Some(size) => scalar(b, size),
            None => size_of(b, value, dimension),
        };
        part(b, size)
    });
    Ok(parts.collect())
}

/// A scalar as a tensor of one element.
pub fn part<'c>(b: &Builder<'c>, scalar: Value<'c>) -> Value<'c> {
    let one = tensor_type(&[1], scalar.ty().element_type());
    stablehlo::reshape(b, scalar, one)
}

/// Tensors of one element as one tensor.
pub fn join<'c>(b: &Builder<'c>, parts: &[Value<'c>]) -> Value<'c> {
    if let [part] = parts {
        return *part;
    }
    stablehlo::concatenate(b, parts, 0)
}

fn ranked_shape(value: Value) -> RewriteResult<Vec<Option<i64>>> {
    value.ty().shape().ok_or_else(|| {
        RewriteError::Invalid("a tensor without a rank cannot be decomposed".to_owned())
    })
}

impl<'c> MixedSize<'c> {
    /// The static size.
    fn known(self) -> Option<i64> {
        match self {
            Self::Static(size) => Some(size),
            Self::Dynamic(_) => None,
        }
    }
}

impl<'c> MixedSizes<'c> {
    /// The sizes of a value.
    pub fn of(b: &Builder<'c>, value: Value<'c>) -> RewriteResult<Self> {
        let mixed_sizes = ranked_shape(value)?.into_iter().enumerate();
        let mixed_sizes = mixed_sizes.map(|(dimension, size)| match size {
            Some(size) => MixedSize::Static(size),
            None => MixedSize::Dynamic(size_of(b, value, dimension)),
        });
        Ok(Self(mixed_sizes.collect()))
    }

    /// The static sizes, if all are static.
    pub fn known(&self) -> Option<Vec<i64>> {
        self.0.iter().map(|mixed_size| mixed_size.known()).collect()
    }

    /// Returns true if all sizes equal another shape's: equal numbers, or the same values.
    pub fn is_same(&self, other: &Self) -> bool {
        self.0.len() == other.0.len()
            && self.0.iter().zip(&other.0).all(|pair| match pair {
                (MixedSize::Static(left), MixedSize::Static(right)) => left == right,
                (MixedSize::Dynamic(left), MixedSize::Dynamic(right)) => left == right,
                _ => false,
            })
    }

    /// The tensor type of these sizes.
    pub fn ty(&self, element: Type<'c>) -> Type<'c> {
        let sizes: Vec<i64> =
            self.0.iter().map(|mixed_size| mixed_size.known().unwrap_or(i64::MIN)).collect();
        tensor_type(&sizes, element)
    }

    /// The sizes as a `tensor<Rxi64>`.
    pub fn tensor(&self, b: &Builder<'c>) -> Value<'c> {
        let parts = self.0.iter().map(|mixed_size| match *mixed_size {
            MixedSize::Static(size) => integers(b, &[1], size),
            MixedSize::Dynamic(value) => part(b, value),
        });
        join(b, &parts.collect::<Vec<_>>())
    }

    /// A value broadcast to these sizes, with its dimensions mapped to `dimensions`.
    pub fn broadcast(&self, b: &Builder<'c>, value: Value<'c>, dimensions: &[i64]) -> Value<'c> {
        let result = self.ty(value.ty().element_type());
        let is_static = self.known().is_some() && value.ty().static_shape().is_some();
        if is_static {
            stablehlo::broadcast_in_dim(b, value, dimensions, result)
        } else {
            let shape = self.tensor(b);
            stablehlo::dynamic_broadcast_in_dim(b, value, shape, dimensions, result)
        }
    }

    /// A tensor of zeros, or of `false`.
    pub fn zeros(&self, b: &Builder<'c>, element: Type<'c>) -> RewriteResult<Value<'c>> {
        let part = element.complex_element().unwrap_or(element);
        let number = if part.is_float() {
            float_attribute(part, 0.0)
        } else if part.is_integer() {
            integer_attribute(part, 0)
        } else {
            return Err(RewriteError::Invalid(format!(
                "elements of type {element} have no zero"
            )));
        };
        // The elements of a complex constant are pairs.
        let number = if part == element {
            number
        } else {
            array_attribute(b.context(), &[number, number])
        };
        let constant = |ty: Type<'c>| stablehlo::constant(b, splat_attribute(ty, number));
        if self.known().is_some() {
            Ok(constant(self.ty(element)))
        } else {
            let scalar = constant(tensor_type(&[], element));
            Ok(self.broadcast(b, scalar, &[]))
        }
    }

    /// A tensor of these sizes whose elements are their index in a dimension.
    pub fn iota(&self, b: &Builder<'c>, element: Type<'c>, dimension: usize) -> Value<'c> {
        let result = self.ty(element);
        if self.known().is_some() {
            stablehlo::iota(b, dimension as i64, result)
        } else {
            stablehlo::dynamic_iota(b, self.tensor(b), dimension as i64, result)
        }
    }
}

/// Broadcasts a scalar to a tensor of type `ty` with sizes `shape`.
pub fn fill<'c>(b: &Builder<'c>, scalar: Value<'c>, shape: Value<'c>, ty: Type<'c>) -> Value<'c> {
    if ty.static_shape().is_some() {
        stablehlo::broadcast_in_dim(b, scalar, &[], ty)
    } else {
        stablehlo::dynamic_broadcast_in_dim(b, scalar, shape, &[], ty)
    }
}

/// Broadcasts a scalar to a tensor of type `ty` with the sizes of `like`, if all dynamic sizes are
/// bounded: the tensor is created with the size of the bounds and truncated. `None` if a size has
/// no bound.
pub fn fill_bounded<'c>(
    b: &Builder<'c>,
    scalar: Value<'c>,
    like: Value<'c>,
    ty: Type<'c>,
) -> Option<Value<'c>> {
    let (Some(shape), Some(dims)) = (ty.shape(), dims_of(like.ty())) else {
        return None;
    };
    let most: Option<Vec<i64>> = dims
        .iter()
        .map(|dim| match dim {
            Dim::Static(size) | Dim::Bounded(size) => Some(*size),
            Dim::Dynamic => None,
        })
        .collect();
    let most = most.filter(|most| most.len() == shape.len())?;
    let element = scalar.ty().element_type();
    let mut value = stablehlo::broadcast_in_dim(b, scalar, &[], tensor_type(&most, element));
    let mut sizes: Vec<Option<i64>> = most.iter().copied().map(Some).collect();
    let mut bounds = vec![None; sizes.len()];
    for (dimension, _) in shape.iter().enumerate().filter(|(_, size)| size.is_none()) {
        sizes[dimension] = None;
        bounds[dimension] = Some(most[dimension]);
        let size = stablehlo::get_dimension_size(b, like, dimension as i64);
        let cut = stablehlo::SetDimensionSizeOp::build(b, value, size, dimension as i64);
        let ty = bounded_tensor_type(&sizes, &bounds, element);
        value = cut.result_types(&[ty]).value();
    }
    Some(value)
}
