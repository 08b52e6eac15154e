//! The sizes of buffers in bytes.

use halo_ir::prelude::*;

/// The size of a contiguous static memref in bytes.
pub fn size_in_bytes(ty: Type) -> Option<u64> {
    if !ty.has_identity_layout() {
        return None;
    }
    ty.static_shape()?
        .into_iter()
        .try_fold(ty.element_type().byte_width()?, |size, dim| {
            size.checked_mul(u64::try_from(dim).ok()?)
        })
}

/// The total size in bytes of the arguments of a function that have static sizes.
pub fn argument_bytes(function: Operation) -> i64 {
    let arguments = function.body(0).map(Block::arguments).unwrap_or_default();
    let sizes = arguments.iter().filter_map(|argument| size_in_bytes(argument.ty()));
    i64::try_from(sizes.fold(0, u64::saturating_add)).unwrap_or(i64::MAX)
}
