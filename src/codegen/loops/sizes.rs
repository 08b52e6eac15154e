//! The sizes of buffers and elements in bytes.

use halo_ir::prelude::*;

/// The size of a contiguous static memref in bytes.
pub fn size_in_bytes(ty: Type) -> Option<u64> {
    if !ty.has_identity_layout() {
        return None;
    }
    ty.static_shape()?
        .into_iter()
        .try_fold(element_bytes(ty.element_type())?, |size, dim| {
            size.checked_mul(u64::try_from(dim).ok()?)
        })
}

/// The size of an element in memory, in bytes.
pub fn element_bytes(element: Type) -> Option<u64> {
    if let Some(part) = element.complex_element() {
        return Some(2 * element_bytes(part)?);
    }
    if element.is_index() {
        return Some(8);
    }
    let bytes = element.bit_width()?.div_ceil(8);
    Some(u64::from(bytes.next_power_of_two()))
}

/// The total size in bytes of the arguments of a function that have static sizes.
pub fn argument_bytes(function: Operation) -> i64 {
    let arguments = function.body(0).map(Block::arguments).unwrap_or_default();
    let sizes = arguments.iter().filter_map(|argument| size_in_bytes(argument.ty()));
    i64::try_from(sizes.fold(0, u64::saturating_add)).unwrap_or(i64::MAX)
}
