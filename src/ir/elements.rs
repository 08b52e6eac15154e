//! The elements of constants, as numbers.

use crate::{
    attributes::{AttributeExt, float_attribute, integer_attribute, splat_attribute},
    handles::{Attribute, Type},
    types::TypeExt,
};
use melior::ir::{AttributeLike, TypeLike, attribute::IntegerAttribute};

/// The number that the low bits of a word represent: of an unsigned type or a boolean
/// without a sign.
pub(super) fn extended(bits: u64, element: Type, width: u32) -> i128 {
    let unused = 64 - width;
    if width == 1 || element.is_unsigned() {
        i128::from(bits << unused >> unused)
    } else {
        i128::from((bits << unused) as i64 >> unused)
    }
}

/// The number that an integer or index of at most 64 bits represents; `true` is 1.
pub(super) fn integer_of(attribute: Attribute) -> Option<i128> {
    let integer = attribute.cast::<IntegerAttribute>()?;
    let ty = attribute.ty();
    let width = ty.integer_width().unwrap_or(64);
    (1..=64).contains(&width).then(|| extended(integer.value() as u64, ty, width))
}

/// Dense integers or booleans; `None` if the type has another number of elements or another element
/// type.
pub fn dense_from_integers<'c>(ty: Type<'c>, values: &[i64]) -> Option<Attribute<'c>> {
    let element = ty.element_type();
    if !(element.is_integer() || element.is_index()) || ty.element_count()? != values.len() as i64 {
        return None;
    }
    let elements: Vec<_> =
        values.iter().map(|value| integer_attribute(element, *value).to_raw()).collect();
    Some(from_elements(ty, &elements))
}

/// Dense floats, rounded to the element type; `None` if the type has another number of elements or
/// another element type.
pub fn dense_from_floats<'c>(ty: Type<'c>, values: &[f64]) -> Option<Attribute<'c>> {
    let element = ty.element_type();
    if !element.is_float() || ty.element_count()? != values.len() as i64 {
        return None;
    }
    let elements: Vec<_> =
        values.iter().map(|value| float_attribute(element, *value).to_raw()).collect();
    Some(from_elements(ty, &elements))
}

/// Dense elements for a shape without any.
pub fn dense_empty(ty: Type<'_>) -> Option<Attribute<'_>> {
    let element = ty.element_type();
    let stored = element.is_integer()
        || element.is_index()
        || element.is_float()
        || element.complex_element().is_some();
    (stored && ty.element_count()? == 0).then(|| from_elements(ty, &[]))
}

/// The number and the types of the elements must match the type.
fn from_elements<'c>(ty: Type<'c>, elements: &[mlir_sys::MlirAttribute]) -> Attribute<'c> {
    // SAFETY: The callers have checked type and count; the callee copies.
    unsafe {
        Attribute::from_raw(mlir_sys::mlirDenseElementsAttrGet(
            ty.to_raw(),
            elements.len() as isize,
            elements.as_ptr(),
        ))
    }
}

/// A dense splat of a number, for any numeric type: integers, booleans, floats and complex numbers.
/// Both components of a complex -0 are -0, the neutral element of addition. `None` if the type has
/// no static shape.
pub fn dense_number(ty: Type<'_>, value: f64) -> Option<Attribute<'_>> {
    ty.static_shape()?;
    let element = ty.element_type();
    if element.is_integer() || element.is_index() {
        return Some(splat_attribute(
            ty,
            integer_attribute(element, value as i64),
        ));
    }
    if element.is_float() {
        return Some(splat_attribute(ty, float_attribute(element, value)));
    }
    let part = element.complex_element()?;
    if ty.element_count()? == 0 {
        return dense_empty(ty);
    }
    let imaginary = if value == 0.0 { value } else { 0.0 };
    let bytes = if part.is_f32() {
        [value as f32, imaginary as f32].map(f32::to_le_bytes).concat()
    } else if part.is_f64() {
        [value, imaginary].map(f64::to_le_bytes).concat()
    } else {
        return None;
    };
    // SAFETY: One element represents all; the callee copies it.
    let raw = unsafe {
        mlir_sys::mlirDenseElementsAttrRawBufferGet(ty.to_raw(), bytes.len(), bytes.as_ptr().cast())
    };
    // SAFETY: The attribute belongs to the context of the type.
    (!raw.ptr.is_null()).then(|| unsafe { Attribute::from_raw(raw) })
}
