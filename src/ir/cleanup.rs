//! Upstream's canonicalization and elimination of common subexpressions, in less time.

use crate::pass::PassInvocation;
use mlir_sys::MlirOperation;

unsafe extern "C" {
    fn haloCanonicalize(root: MlirOperation) -> usize;
    fn haloEliminateCommonSubexpressions(root: MlirOperation);
}

/// Canonicalizes the contents of the op of a pass, with the patterns of its loaded dialects. The
/// pass depends on the dialect `halo`. Returns the number of inspected ops, which is linear in the
/// size of the program.
pub fn canonicalize(pass: &mut PassInvocation) -> usize {
    // SAFETY: The op is valid, and no handle to its contents is alive.
    unsafe { haloCanonicalize(pass.operation().to_raw()) }
}

/// Merges equal ops in the op of a pass, in linear time also for ops that differ only in their
/// regions, or read unmodified memory.
pub fn eliminate_common_subexpressions(pass: &mut PassInvocation) {
    // SAFETY: The op is valid, and no handle to its contents is alive.
    unsafe { haloEliminateCommonSubexpressions(pass.operation().to_raw()) }
}
