//! The interpreter as a backend: the reference that all others are compared
//! with, and the example of one that generates no code.
//!
//! Its phases are the decomposition of CHLO; the executable is a function of the host that
//! walks the module.

mod executable;
mod target;

use super::lowering::TargetCompiler;
use halo_runtime::Backend;

/// The backend.
pub fn backend() -> Backend {
    Backend::host(
        "interpreter",
        "evaluation of one op after the other, by the specification",
        TargetCompiler::new(target::InterpreterTarget),
    )
}
