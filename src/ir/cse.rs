//! Upstream's elimination of common subexpressions, in a time that is linear where ops
//! differ in their regions alone.

use crate::pass::PassInvocation;
use mlir_sys::MlirOperation;

unsafe extern "C" {
    fn haloEliminateCommonSubexpressions(root: MlirOperation);
}

/// Merges equal ops in the op of a pass.
pub fn eliminate_common_subexpressions(pass: &mut PassInvocation) {
    // SAFETY: The op is valid, and no handle to its contents is alive.
    unsafe { haloEliminateCommonSubexpressions(pass.operation().to_raw()) }
}
