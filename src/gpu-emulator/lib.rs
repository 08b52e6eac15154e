//! Runs the kernels of a GPU on the host, so that they can be checked, and whole
//! programs run, where there is no GPU.
//!
//! | pass | from | to |
//! |---|---|---|
//! | [`emulate_kernels`] | kernels in `gpu.module` | functions of a range of blocks |
//! | [`kernel_entries`] | such functions in the LLVM dialect | what an emulator launches |

pub mod emulate_kernels;
pub mod kernel_entries;

use halo_ir::pass::PassDeclaration;

/// The passes, in alphabetical order of their arguments.
pub static PASSES: &[&PassDeclaration] = &[&emulate_kernels::PASS, &kernel_entries::PASS];
