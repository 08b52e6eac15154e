//! The parts of attributes and types, for writers of other formats.

use super::{
    Attribute, Type, attribute_type, dense_data, integer_width, is_float, is_index, is_integer,
    is_tensor, splat_attribute, tensor_type,
};
use melior::ir::{AttributeLike, TypeLike};

/// The type of an integer or a float of at most 64 bits, and its bits.
pub fn number_bits(attribute: Attribute<'_>) -> Option<(Type<'_>, u64)> {
    // SAFETY: The attribute is valid.
    let number = unsafe {
        let raw = attribute.to_raw();
        mlir_sys::mlirAttributeIsAInteger(raw) || mlir_sys::mlirAttributeIsAFloat(raw)
    };
    if !number {
        return None;
    }
    let r#type = attribute_type(attribute);
    if !(is_integer(r#type) || is_float(r#type) || is_index(r#type)) {
        return None;
    }
    // The elements of a constant are bits; one of all is enough.
    let data = dense_data(splat_attribute(tensor_type(&[1], r#type), attribute))?;
    if integer_width(r#type) == Some(1) {
        return Some((r#type, u64::from(data.bytes.first()? & 1)));
    }
    let mut word = [0; 8];
    word.get_mut(..data.bytes.len())?.copy_from_slice(data.bytes);
    Some((r#type, u64::from_le_bytes(word)))
}

/// The encoding of a ranked tensor type, where it has one.
pub fn encoding_of(r#type: Type<'_>) -> Option<Attribute<'_>> {
    // SAFETY: Only a ranked tensor is asked for its encoding.
    unsafe {
        if !is_tensor(r#type) {
            return None;
        }
        let encoding = mlir_sys::mlirRankedTensorTypeGetEncoding(r#type.to_raw());
        (!encoding.ptr.is_null()).then(|| Attribute::from_raw(encoding))
    }
}
