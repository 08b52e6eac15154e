//! The interpreter as a backend: the reference that all others are compared
//! with, and the example of one that generates no code.
//!
//! It has its own [`Compiler`](halo_runtime::Compiler) and
//! [`Executable`](halo_runtime::Executable), and uses the host's devices and
//! transfers. Compiling is parsing and the decomposition of CHLO; the
//! executable is the module itself.

mod compiler;
mod executable;

use halo_runtime::{
    Backend,
    host::{HostPlatform, HostTransferManager},
};
use std::sync::Arc;

/// The backend.
pub fn backend() -> Backend {
    Backend {
        name: "interpreter",
        summary: "evaluation of one op after the other, by the specification",
        platform: Arc::new(HostPlatform::new()),
        compiler: Arc::new(compiler::InterpreterCompiler),
        transfer_manager: Arc::new(HostTransferManager),
    }
}
