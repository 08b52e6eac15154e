//! Upstream's rewriting of tensors to buffers, without its analysis.

use crate::{diagnostics::with_first_error_only, operation::OperationExt, pass::PassInvocation};
use mlir_sys::MlirOperation;

unsafe extern "C" {
    fn haloBufferize(root: MlirOperation, alignment: i64) -> bool;
}

/// Rewrites all functions of the module of a pass from tensors to buffers of an alignment in bytes:
/// each op writes to the buffers of its destination operands, regardless of their contents. Returns
/// true on success; otherwise, there is one diagnostic.
pub fn bufferize(pass: &mut PassInvocation, alignment: u64) -> bool {
    let root = pass.operation();
    let (context, root) = (root.context(), root.to_raw());
    let alignment = i64::try_from(alignment).unwrap_or(i64::MAX);
    // SAFETY: The op is valid, and no handle to its contents is alive.
    with_first_error_only(context, || unsafe { haloBufferize(root, alignment) })
}
