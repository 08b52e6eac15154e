//! Types and attributes from untrusted data.
//!
//! MLIR's getters assume valid arguments. These functions check them.

use crate::{
    attributes::{AttributeExt, dense_attribute},
    elements::dense_empty,
    handles::{Attribute, Location, Type},
    types::{TypeExt, tensor_type},
};
use melior::{
    Context,
    ir::{AttributeLike, TypeLike},
};
use mlir_sys::{
    MlirAttribute, MlirStringRef, mlirDenseBoolArrayGet, mlirMemRefTypeContiguousGetChecked,
    mlirRankedTensorTypeGetChecked, mlirStringAttrGet, mlirUnrankedTensorTypeGetChecked,
};

/// A string of bytes that need not be UTF-8.
pub fn bytes_attribute<'c>(context: &'c Context, bytes: &[u8]) -> Attribute<'c> {
    let text = MlirStringRef {
        data: bytes.as_ptr().cast(),
        length: bytes.len(),
    };
    // SAFETY: The callee copies the bytes into the context.
    unsafe { Attribute::from_raw(mlirStringAttrGet(context.to_raw(), text)) }
}

/// `tensor<shape x element, encoding>`; `i64::MIN` is a dynamic size. `None` if the type is
/// invalid; a diagnostic reports the reason.
pub fn checked_tensor_type<'c>(
    location: Location<'c>,
    shape: &[i64],
    element: Type<'c>,
    encoding: Option<Attribute<'c>>,
) -> Option<Type<'c>> {
    const NULL: MlirAttribute = MlirAttribute {
        ptr: std::ptr::null(),
    };
    // SAFETY: The sizes are as many as the rank, the rest is alive.
    unsafe {
        from_type(mlirRankedTensorTypeGetChecked(
            location.to_raw(),
            shape.len() as isize,
            shape.as_ptr(),
            element.to_raw(),
            encoding.map_or(NULL, |encoding| encoding.to_raw()),
        ))
    }
}

/// `tensor<* x element>`, as for [`checked_tensor_type`].
pub fn checked_unranked_type<'c>(location: Location<'c>, element: Type<'c>) -> Option<Type<'c>> {
    // SAFETY: Both are alive.
    unsafe {
        from_type(mlirUnrankedTensorTypeGetChecked(
            location.to_raw(),
            element.to_raw(),
        ))
    }
}

/// `memref<shape x element>`, as for [`checked_tensor_type`].
pub fn checked_memref_type<'c>(
    location: Location<'c>,
    shape: &[i64],
    element: Type<'c>,
) -> Option<Type<'c>> {
    const NULL: MlirAttribute = MlirAttribute {
        ptr: std::ptr::null(),
    };
    // SAFETY: The sizes are as many as the rank, the rest is alive.
    unsafe {
        from_type(mlirMemRefTypeContiguousGetChecked(
            location.to_raw(),
            element.to_raw(),
            shape.len() as isize,
            shape.as_ptr(),
            NULL,
        ))
    }
}

/// # Safety
///
/// The type must be null or live as long as `'c`.
unsafe fn from_type<'c>(raw: mlir_sys::MlirType) -> Option<Type<'c>> {
    // SAFETY: The caller guarantees it.
    (!raw.ptr.is_null()).then(|| unsafe { Type::from_raw(raw) })
}

/// `complex<element>`, for a numeric element type.
pub fn checked_complex_type(element: Type<'_>) -> Option<Type<'_>> {
    (element.is_integer() || element.is_float()).then(|| super::types::complex_type(element))
}

/// Elements of a static tensor type: all of them or, for a splat, one; booleans packed into bits.
pub fn checked_dense<'c>(ty: Type<'c>, data: &[u8]) -> Option<Attribute<'c>> {
    let element = ty.element_type();
    let number = element.is_integer()
        || element.is_float()
        || element.is_index()
        || element.complex_element().is_some();
    if !ty.is_tensor() || !number {
        return None;
    }
    let count = ty
        .static_shape()?
        .into_iter()
        .try_fold(1_i64, |count, size| count.checked_mul(size))?;
    if count == 0 {
        // jaxlib writes an element for an empty tensor, like a splat.
        let is_splat = || checked_dense(tensor_type(&[1], element), data).is_some();
        let fits = data.is_empty() || is_splat();
        return fits.then(|| dense_empty(ty)).flatten();
    }
    if element.integer_width() == Some(1) {
        return dense_attribute(ty, &booleans(count, data)?);
    }
    dense_attribute(ty, data)
}

/// Booleans with a single byte for a splat, in MLIR's storage format.
fn booleans(count: i64, data: &[u8]) -> Option<Vec<u8>> {
    let count = usize::try_from(count).ok()?;
    let packed = count.div_ceil(8);
    if packed != data.len() {
        // For more than eight, one byte represents a splat.
        return match data {
            [byte] => Some(vec![if *byte == 0 { 0 } else { 0xff }]),
            _ => None,
        };
    }
    let unused = packed * 8 - count;
    let mut bytes = data.to_vec();
    let last = bytes.last_mut()?;
    *last &= 0xff >> unused;
    let full = |(index, byte): (usize, &u8)| {
        *byte
            == if index + 1 == packed {
                0xff >> unused
            } else {
                0xff
            }
    };
    if bytes.iter().all(|byte| *byte == 0) {
        return Some(vec![0]);
    }
    if bytes.iter().enumerate().all(full) {
        return Some(vec![0xff]);
    }
    Some(bytes)
}

/// An integer or float attribute of a type from its bits.
pub fn checked_number(ty: Type<'_>, bits: u64) -> Option<Attribute<'_>> {
    if !(ty.is_integer() || ty.is_float() || ty.is_index()) {
        return None;
    }
    if ty.integer_width() == Some(1) {
        // SAFETY: The type is alive, and its context as long.
        let context =
            unsafe { super::handles::context_from_raw(mlir_sys::mlirTypeGetContext(ty.to_raw())) };
        return Some(super::attributes::bool_attribute(context, bits & 1 == 1));
    }
    let width = if ty.is_index() { 64 } else { ty.bit_width()? };
    let bytes = bits.to_le_bytes();
    let used = bytes.get(..width.div_ceil(8) as usize)?;
    dense_attribute(tensor_type(&[1], ty), used)?.splat_value()
}

/// `array<i1: ...>`
pub fn bool_array_attribute<'c>(context: &'c Context, values: &[bool]) -> Attribute<'c> {
    let values: Vec<i32> = values.iter().map(|value| i32::from(*value)).collect();
    // SAFETY: The callee copies the given number of values.
    unsafe {
        Attribute::from_raw(mlirDenseBoolArrayGet(
            context.to_raw(),
            values.len() as isize,
            values.as_ptr(),
        ))
    }
}

/// The null attribute, for functions that take an optional attribute.
pub(crate) fn null_attribute<'c>() -> Attribute<'c> {
    // SAFETY: Null means an absent attribute in the C interface. It is only
    // passed on.
    unsafe {
        Attribute::from_raw(MlirAttribute {
            ptr: std::ptr::null(),
        })
    }
}
