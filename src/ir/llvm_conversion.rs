//! The conversion to the LLVM dialect: op by op, and by upstream's patterns.

use crate::pass::PassInvocation;
use mlir_sys::MlirOperation;

unsafe extern "C" {
    fn haloConvertToLLVM(root: MlirOperation) -> bool;
}

/// Converts the module of a pass to the LLVM dialect: its ops of `affine`, `arith`, `cf`,
/// `complex`, `func`, `index`, `math`, `memref`, `scf`, `ub` and `vector`, as far as upstream has
/// patterns for them; functions that need none are built again. Functions take a pointer for each
/// buffer. Other ops stay, between casts. Returns true on success; otherwise the reason is reported
/// as diagnostics.
pub fn convert_to_llvm(pass: &mut PassInvocation) -> bool {
    // SAFETY: The op is valid, and no handle to its contents is alive.
    unsafe { haloConvertToLLVM(pass.operation().to_raw()) }
}
