//! Upstream's rewriting of tensors to buffers, without its analysis.

use crate::Operation;
use mlir_sys::MlirOperation;

unsafe extern "C" {
    fn haloBufferize(root: MlirOperation, alignment: i64) -> bool;
}

/// Rewrites all functions of a module from tensors to buffers of an alignment in
/// bytes: each op writes to the buffers of its destination operands, whatever
/// else is in them. Returns whether that was possible; if not, there is a
/// diagnostic.
pub fn bufferize(root: Operation, alignment: u64) -> bool {
    let alignment = i64::try_from(alignment).unwrap_or(i64::MAX);
    // SAFETY: The op is valid.
    unsafe { haloBufferize(root.to_raw(), alignment) }
}
