//! The elements of constants, as numbers.

use super::{
    Attribute, Type, attribute_as, complex_element, element_type, float_attribute,
    integer_attribute, integer_width, is_float, is_index, is_integer, splat_attribute,
    static_shape_of,
};
use melior::ir::{
    AttributeLike, TypeLike,
    attribute::{FloatAttribute, IntegerAttribute},
};

/// Whether an attribute holds dense elements.
pub fn is_dense(attribute: Attribute) -> bool {
    // SAFETY: The attribute is valid.
    unsafe { mlir_sys::mlirAttributeIsADenseElements(attribute.to_raw()) }
}

/// Whether all elements are the same.
pub fn is_splat(attribute: Attribute) -> bool {
    // SAFETY: The attribute is asked only where it is dense.
    unsafe { is_dense(attribute) && mlir_sys::mlirDenseElementsAttrIsSplat(attribute.to_raw()) }
}

/// How many elements a type of static shape has.
pub fn element_count(r#type: Type) -> Option<i64> {
    static_shape_of(r#type)?
        .into_iter()
        .try_fold(1_i64, |count, size| count.checked_mul(size))
}

/// All elements of dense integers or booleans as sizes and indices, in order; `None` if an
/// unsigned one is out of the range of `i64`.
pub fn dense_i64s(attribute: Attribute) -> Option<Vec<i64>> {
    let numbers = dense_integers(attribute)?;
    numbers.into_iter().map(|number| number.try_into().ok()).collect()
}

/// The numbers that dense integers or booleans represent, in order; `true` is 1.
pub fn dense_integers(attribute: Attribute) -> Option<Vec<i128>> {
    if !is_dense(attribute) {
        return None;
    }
    let r#type = attribute.r#type();
    let element = element_type(r#type);
    let width = if is_index(element) {
        64
    } else {
        integer_width(element).filter(|width| *width <= 64)?
    };
    let count = usize::try_from(element_count(r#type)?).ok()?;
    let raw = attribute.to_raw();
    if width == 1 {
        // SAFETY: The elements are booleans, and the positions are in range.
        return Some(
            (0..count)
                .map(|index| unsafe {
                    i128::from(mlir_sys::mlirDenseElementsAttrGetBoolValue(
                        raw,
                        index as isize,
                    ))
                })
                .collect(),
        );
    }
    let bytes = width.div_ceil(8) as usize;
    let stored = if is_splat(attribute) { 1 } else { count };
    // SAFETY: Elements wider than a bit are stored in whole bytes, one of them
    // where all are the same. There may be no data where there are no elements.
    let data = unsafe {
        let data = mlir_sys::mlirDenseElementsAttrGetRawData(raw).cast::<u8>();
        if stored == 0 || data.is_null() {
            &[]
        } else {
            std::slice::from_raw_parts(data, stored * bytes)
        }
    };
    let mut values = data.chunks_exact(bytes).map(|chunk| {
        let mut word = [0; 8];
        word[..bytes].copy_from_slice(chunk);
        extended(u64::from_le_bytes(word), element, width)
    });
    if stored == count {
        Some(values.collect())
    } else {
        Some(vec![values.next()?; count])
    }
}

/// The number that the low bits of a word represent: of an unsigned type or a boolean
/// without a sign.
fn extended(bits: u64, element: Type, width: u32) -> i128 {
    let unused = 64 - width;
    if width == 1 || super::is_unsigned(element) {
        i128::from(bits << unused >> unused)
    } else {
        i128::from((bits << unused) as i64 >> unused)
    }
}

/// The number that an integer or index of at most 64 bits represents; `true` is 1.
pub(super) fn integer_of(attribute: Attribute) -> Option<i128> {
    let integer = attribute_as::<IntegerAttribute>(attribute)?;
    let r#type = attribute.r#type();
    let width = integer_width(r#type).unwrap_or(64);
    (1..=64)
        .contains(&width)
        .then(|| extended(integer.value() as u64, r#type, width))
}

/// Dense integers or booleans; `None` where the type holds another number of
/// elements or other elements.
pub fn dense_from_integers<'c>(r#type: Type<'c>, values: &[i64]) -> Option<Attribute<'c>> {
    let element = element_type(r#type);
    if !(is_integer(element) || is_index(element)) || element_count(r#type)? != values.len() as i64
    {
        return None;
    }
    let elements: Vec<_> =
        values.iter().map(|value| integer_attribute(element, *value).to_raw()).collect();
    Some(from_elements(r#type, &elements))
}

/// Dense floats, rounded to the element type; `None` where the type holds
/// another number of elements or other elements.
pub fn dense_from_floats<'c>(r#type: Type<'c>, values: &[f64]) -> Option<Attribute<'c>> {
    let element = element_type(r#type);
    if !is_float(element) || element_count(r#type)? != values.len() as i64 {
        return None;
    }
    let elements: Vec<_> =
        values.iter().map(|value| float_attribute(element, *value).to_raw()).collect();
    Some(from_elements(r#type, &elements))
}

/// Dense elements for a shape without any.
pub fn dense_empty(r#type: Type<'_>) -> Option<Attribute<'_>> {
    let element = element_type(r#type);
    let stored = is_integer(element)
        || is_index(element)
        || is_float(element)
        || complex_element(element).is_some();
    (stored && element_count(r#type)? == 0).then(|| from_elements(r#type, &[]))
}

/// There must be as many elements as the type holds, of its element type.
fn from_elements<'c>(r#type: Type<'c>, elements: &[mlir_sys::MlirAttribute]) -> Attribute<'c> {
    // SAFETY: The callers have checked type and count; the callee copies.
    unsafe {
        Attribute::from_raw(mlir_sys::mlirDenseElementsAttrGet(
            r#type.to_raw(),
            elements.len() as isize,
            elements.as_ptr(),
        ))
    }
}

/// Dense elements that are all the same number, for any type that numbers
/// have: integers, booleans, floats and complex numbers. Both parts of a complex -0 are -0, the
/// neutral element of addition. `None` where the type has no static shape.
pub fn dense_number(r#type: Type<'_>, value: f64) -> Option<Attribute<'_>> {
    static_shape_of(r#type)?;
    let element = element_type(r#type);
    if is_integer(element) || is_index(element) {
        return Some(splat_attribute(
            r#type,
            integer_attribute(element, value as i64),
        ));
    }
    if is_float(element) {
        return Some(splat_attribute(r#type, float_attribute(element, value)));
    }
    let part = complex_element(element)?;
    if element_count(r#type)? == 0 {
        return dense_empty(r#type);
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
        mlir_sys::mlirDenseElementsAttrRawBufferGet(
            r#type.to_raw(),
            bytes.len(),
            bytes.as_ptr().cast(),
        )
    };
    // SAFETY: The attribute belongs to the context of the type.
    (!raw.ptr.is_null()).then(|| unsafe { Attribute::from_raw(raw) })
}

/// The same elements in another shape with as many of them.
pub fn dense_reshape<'c>(attribute: Attribute<'c>, r#type: Type<'c>) -> Option<Attribute<'c>> {
    if !is_dense(attribute)
        || element_type(attribute.r#type()) != element_type(r#type)
        || element_count(attribute.r#type())? != element_count(r#type)?
    {
        return None;
    }
    // SAFETY: The count and the type of the elements agree, as the callee
    // needs them to.
    Some(unsafe {
        Attribute::from_raw(mlir_sys::mlirDenseElementsAttrReshapeGet(
            attribute.to_raw(),
            r#type.to_raw(),
        ))
    })
}

/// The number that all dense integers, booleans or floats are.
pub fn splat_number(attribute: Attribute) -> Option<f64> {
    let element = super::dense_splat(attribute)?;
    match integer_of(element) {
        Some(integer) => Some(integer as f64),
        None => Some(attribute_as::<FloatAttribute>(element)?.value()),
    }
}

/// The integer that all dense integers or booleans are; `true` is 1.
pub fn splat_integer(attribute: Attribute) -> Option<i128> {
    integer_of(super::dense_splat(attribute)?)
}
