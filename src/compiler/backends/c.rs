//! The backend of C: the example of a code generator other than LLVM.
//!
//! Loops over buffers become C11 by way of EmitC, which any C compiler makes machine code of, for
//! processors that LLVM does not know as well. To run a program, the system's compiler makes
//! one of it.

mod target;

use super::lowering::TargetCompiler;
use halo_runtime::Backend;

/// The backend.
pub fn backend() -> Backend {
    Backend::host(
        "c",
        "C11, which the system's C compiler makes programs of",
        TargetCompiler::new(target::CTarget::default()),
    )
}
