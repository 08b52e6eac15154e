//! Kernels for GPUs: from linalg on buffers to the gpu dialect.
//!
//! An entry function keeps what the host does, which is a plan of launches,
//! copies, loops and conditionals; everything that computes becomes a kernel.
//!
//! | pass | from | to |
//! |---|---|---|
//! | [`linalg_to_kernels`] | linalg ops, parallel loops | `gpu.launch` |
//! | [`host_code_to_kernels`] | scalar code between them | `gpu.launch` of one thread |
//! | [`lower_kernel_math`] | functions on floats | intrinsics of LLVM |
//! | [`finish_kernels`] | `gpu.func` | the same with what code generation wants to know |

pub mod finish_kernels;
pub mod host_code_to_kernels;
pub mod launch;
pub mod linalg_to_kernels;
pub mod lower_kernel_math;
pub mod shuffle;
pub mod slices;
pub mod vectors;
