//! The sizes of buffers and elements in bytes.

use halo_ir::prelude::*;

/// The size of a contiguous static memref.
pub fn size_in_bytes(r#type: Type) -> Option<u64> {
    if !has_identity_layout(r#type) {
        return None;
    }
    static_shape_of(r#type)?
        .into_iter()
        .try_fold(element_bytes(element_type(r#type))?, |size, dim| {
            size.checked_mul(u64::try_from(dim).ok()?)
        })
}

/// The size of an element in memory, in bytes.
pub fn element_bytes(element: Type) -> Option<u64> {
    if let Some(part) = complex_element(element) {
        return Some(2 * element_bytes(part)?);
    }
    if is_index(element) {
        return Some(8);
    }
    let bytes = bits_of(element)?.div_ceil(8);
    Some(u64::from(bytes.next_power_of_two()))
}

/// The bytes of the arguments of a function, as far as their sizes are known.
pub fn argument_bytes(function: Operation) -> i64 {
    let arguments = body_of(function, 0).map(arguments_of).unwrap_or_default();
    let sizes = (arguments.iter()).filter_map(|argument| size_in_bytes(argument.r#type()));
    i64::try_from(sizes.fold(0, u64::saturating_add)).unwrap_or(i64::MAX)
}
