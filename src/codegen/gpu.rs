//! Kernels for GPUs: from linalg on buffers to the gpu dialect.
//!
//! An entry function keeps the host's part, a plan of launches, copies, loops
//! and conditionals; all computation moves to kernels.
//!
//! | pass | from | to |
//! |---|---|---|
//! | [`contractions`] | contractions | tiles on tensor cores, registers, warps |
//! | [`spill_scalars`] | scalars that loops carry | rank-0 buffers |
//! | [`linalg_to_kernels`] | linalg ops, parallel loops | `gpu.launch` |
//! | [`outline_scalar_code`] | scalar code between them | `gpu.launch` of one thread |
//! | [`annotate_kernel_arguments`] | `gpu.func` | the same with attributes for code generation |
//! | [`lower_kernel_math`] | functions on floats | intrinsics of LLVM |
//! | [`lower_bf16_mma`] | `nvgpu.mma.sync` of bf16 | `nvvm.mma.sync` |

pub mod annotate_kernel_arguments;
pub mod contractions;
pub mod kernel;
pub mod launch;
pub mod linalg_to_kernels;
pub mod lower_bf16_mma;
pub mod lower_kernel_math;
pub mod outline_scalar_code;
pub mod shuffle;
pub mod slices;
pub mod spill_scalars;
pub mod vectors;
