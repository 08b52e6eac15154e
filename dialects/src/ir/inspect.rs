//! What attributes, types and locations are made of, for those who write
//! programs down.

use super::{
    Attribute, Location, Type, Value, attribute_type, dense_data, integer_width, is_float,
    is_index, is_integer, is_tensor, splat_attribute, tensor_type,
};
use melior::ir::{AttributeLike, TypeLike, ValueLike};

/// Whether an attribute is an array.
pub fn is_array(attribute: Attribute) -> bool {
    // SAFETY: The attribute is valid.
    unsafe { mlir_sys::mlirAttributeIsAArray(attribute.to_raw()) }
}

/// Whether an attribute is a dictionary.
pub fn is_dictionary(attribute: Attribute) -> bool {
    // SAFETY: The attribute is valid.
    unsafe { mlir_sys::mlirAttributeIsADictionary(attribute.to_raw()) }
}

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
    word.get_mut(..data.bytes.len())?
        .copy_from_slice(data.bytes);
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

/// The locations that a location consists of: the child of a name, callee and
/// caller of a call, what was fused.
pub fn locations_in(location: Location<'_>) -> Vec<Location<'_>> {
    // SAFETY: Each question is asked only of a location of its kind; the parts
    // belong to the context.
    unsafe {
        let raw = location.to_raw();
        let part = |raw| Location::from_raw(raw);
        if mlir_sys::mlirLocationIsAName(raw) {
            vec![part(mlir_sys::mlirLocationNameGetChildLoc(raw))]
        } else if mlir_sys::mlirLocationIsACallSite(raw) {
            vec![
                part(mlir_sys::mlirLocationCallSiteGetCallee(raw)),
                part(mlir_sys::mlirLocationCallSiteGetCaller(raw)),
            ]
        } else if mlir_sys::mlirLocationIsAFused(raw) {
            let count = mlir_sys::mlirLocationFusedGetNumLocations(raw) as usize;
            let mut parts = vec![raw; count];
            mlir_sys::mlirLocationFusedGetLocations(raw, parts.as_mut_ptr());
            parts.into_iter().map(part).collect()
        } else {
            Vec::new()
        }
    }
}

/// The name that a location says or the file that it is in; what is no text in
/// it is replaced.
pub fn location_name(location: Location<'_>) -> Option<String> {
    // SAFETY: Each question is asked only of a location of its kind. The name
    // belongs to the context; an empty one may have no address.
    unsafe {
        let raw = location.to_raw();
        let name = if mlir_sys::mlirLocationIsAFileLineColRange(raw) {
            mlir_sys::mlirLocationFileLineColRangeGetFilename(raw)
        } else if mlir_sys::mlirLocationIsAName(raw) {
            mlir_sys::mlirLocationNameGetName(raw)
        } else {
            return None;
        };
        let name = mlir_sys::mlirIdentifierStr(name);
        if name.length == 0 {
            return Some(String::new());
        }
        let bytes = std::slice::from_raw_parts(name.data.cast(), name.length);
        Some(String::from_utf8_lossy(bytes).into_owned())
    }
}

/// Where a value comes from: for an argument of a block, its own location.
pub fn value_location(value: Value<'_>) -> Location<'_> {
    // SAFETY: The value is valid, and its location belongs to the context.
    unsafe { Location::from_raw(mlir_sys::mlirValueGetLocation(value.to_raw())) }
}
