//! MLIR types as HLO shapes.

use halo_hlo::literals::element_type_of;
use halo_hlo_text::{ArrayShape, Dimension, Layout, Shape};
use halo_ir::{
    prelude::*,
    stablehlo::{
        attributes::TypeExtensions,
        types::{future_types, is_token},
    },
};
use melior::ir::r#type::{RankedTensorType, TupleType};

/// The shape of the values of a type, in the default layout.
///
/// # Errors
/// Returns an error message that names the type if HLO does not support it.
pub fn shape_of_type(ty: Type) -> Result<Shape, String> {
    if is_token(ty) {
        return Ok(Shape::Token);
    }
    if let Some(tuple) = ty.cast::<TupleType>() {
        let elements = (0..tuple.type_count())
            .map(|position| {
                let element = tuple.r#type(position).map_err(|error| error.to_string())?;
                shape_of_type(element)
            })
            .collect::<Result<_, _>>()?;
        return Ok(Shape::Tuple(elements));
    }
    if let Some(types) = future_types(ty) {
        return tuple_of(&types);
    }
    if ty.is_memref() {
        return array(ty).map(Shape::Buffer);
    }
    if ty.is_tensor() {
        return array(ty).map(Shape::Array);
    }
    Err(format!("HLO has no values of type {ty}"))
}

/// The shape of several values: of a single one directly, of others as a tuple.
///
/// # Errors
/// Returns the errors of [`shape_of_type`].
pub fn shape_of_types(types: &[Type]) -> Result<Shape, String> {
    match types {
        [only] => shape_of_type(*only),
        _ => tuple_of(types),
    }
}

/// # Errors
/// Returns the errors of [`shape_of_type`].
pub fn tuple_of(types: &[Type]) -> Result<Shape, String> {
    let elements = types.iter().map(|one| shape_of_type(*one));
    elements.collect::<Result<_, _>>().map(Shape::Tuple)
}

fn array(ty: Type) -> Result<ArrayShape, String> {
    let sizes = ty.shape().ok_or_else(|| format!("the rank of {ty} is not known"))?;
    let bounds = ty
        .cast::<RankedTensorType>()
        .and_then(|tensor| tensor.encoding())
        .and_then(TypeExtensions::from_attribute)
        .map(|extensions| extensions.bounds)
        .unwrap_or_default();
    let dimensions = sizes
        .iter()
        .enumerate()
        .map(|(position, size)| match (size, bounds.get(position)) {
            (Some(size), _) => Dimension::Static(*size),
            (None, Some(Some(bound))) => Dimension::Bounded(*bound),
            (None, _) => Dimension::Unbounded,
        })
        .collect();
    Ok(ArrayShape {
        element_type: element_type_of(ty.element_type())?,
        dimensions,
        layout: default_layout(sizes.len()),
    })
}

/// The last dimension varies fastest; a scalar has no layout.
fn default_layout(rank: usize) -> Option<Layout> {
    (rank > 0).then(|| layout((0..rank as i64).rev().collect()))
}

/// A layout that consists only of the order of the dimensions.
pub fn layout(minor_to_major: Vec<i64>) -> Layout {
    Layout {
        minor_to_major,
        ..Layout::default()
    }
}

/// A shape of static sizes in the default layout.
pub fn array_shape(element_type: halo_core::ElementType, sizes: &[i64]) -> Shape {
    Shape::Array(ArrayShape {
        element_type,
        dimensions: sizes.iter().map(|size| Dimension::Static(*size)).collect(),
        layout: default_layout(sizes.len()),
    })
}

/// Returns true if shapes differ only in layouts.
pub fn is_same_but_for_layouts(one: &Shape, other: &Shape) -> bool {
    match (one, other) {
        (Shape::Array(one), Shape::Array(other)) | (Shape::Buffer(one), Shape::Buffer(other)) => {
            one.element_type == other.element_type && one.dimensions == other.dimensions
        }
        (Shape::Tuple(ones), Shape::Tuple(others)) => {
            ones.len() == others.len()
                && ones.iter().zip(others).all(|(one, other)| is_same_but_for_layouts(one, other))
        }
        _ => one == other,
    }
}
