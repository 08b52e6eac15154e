//! Code generation for GPUs, and the emulation of what it makes.
//!
//! | pass | from | to |
//! |---|---|---|
//! | [`emulate_kernels`] | kernels in `gpu.module` | functions of a range of blocks |
//! | [`kernel_entries`] | such functions in the LLVM dialect | what an emulator launches |

pub mod emulate_kernels;
pub mod kernel_entries;
