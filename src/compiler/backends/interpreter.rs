//! The interpreter backend: the reference for all others, and an example of a backend without code
//! generation.
//!
//! Its phases decompose CHLO; the executable is a host function that walks the module.

mod executable;
mod target;

use crate::TargetCompiler;
use halo_backend::Backend;

/// The backend.
pub fn backend() -> Backend {
    Backend::host(
        "interpreter",
        "evaluation of one op after the other, by the specification",
        TargetCompiler::new(target::InterpreterTarget),
    )
}
