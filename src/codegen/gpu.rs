//! GPU kernels: lowers linalg on buffers to the gpu dialect.
//!
//! An entry function becomes host code: a plan of launches, copies, loops and conditionals. All
//! computation moves to kernels.

pub mod annotate_kernel_arguments;
pub mod buffers;
pub mod dynamic_workgroup_memory;
pub mod gpu_contraction_chains;
pub mod gpu_contractions;
pub mod hoist_tensor_maps;
pub mod launch;
pub mod linalg_to_kernels;
pub mod lower_async_copies;
pub mod lower_bf16_mma;
pub mod lower_kernel_math;
pub mod lower_private_memory;
pub mod mark_grid_constants;
pub mod outline_scalar_code;
pub mod shuffle;
pub mod slices;
pub mod spill_scalars;
pub mod vectors;
