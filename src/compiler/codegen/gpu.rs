//! Code generation for GPUs, and the emulation of what it makes.
//!
//! | pass | from | to |
//! |---|---|---|
//! | [`contractions`] | matrix products and convolutions | tiles on tensor cores, registers, warps |
//! | [`emulate_kernels`] | kernels in `gpu.module` | functions of a range of blocks |
//! | [`kernel_entries`] | such functions in the LLVM dialect | what an emulator launches |
//! | [`lower_bf16_mma`] | `nvgpu.mma.sync` of bf16 | `nvvm.mma.sync` |

pub mod contractions;
pub mod emulate_kernels;
pub mod kernel;
pub mod kernel_entries;
pub mod lower_bf16_mma;
