//! The C backend: an example of a code generator other than LLVM.
//!
//! Loops over buffers become C11 by way of EmitC. Any C compiler compiles it, so processors without
//! an LLVM target are supported. To run a program, the system's compiler compiles it for this
//! machine.

mod target;

use crate::TargetCompiler;
use halo_backend::Backend;

/// The backend.
pub fn backend() -> Backend {
    Backend::host(
        "c",
        "C11, which the system's C compiler makes programs of",
        TargetCompiler::new(target::CTarget::default()),
    )
}
