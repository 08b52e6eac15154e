//! Code generation: from linalg on buffers to loops, vectors and kernels.

pub mod destination_passing;
pub mod runtime_abi;
