//! Runs the kernels of a GPU on the host, so that they can be checked, and
//! whole programs run, without a GPU.
//!
//! | pass | from | to |
//! |---|---|---|
//! | [`emulate_kernels`] | kernels in `gpu.module` | functions of a range of blocks |
//! | [`kernel_entries`] | such functions in the LLVM dialect | entry points for the emulator |
//!
//! [`EmulatorPlatform`] is a device for these kernels, with the memory and
//! streams of the host.

mod accesses;
mod asynchronous;
pub mod emulate_kernels;
mod executor;
pub mod kernel_entries;
mod module;

pub use executor::{EmulatorExecutor, EmulatorPlatform};
use halo_ir::pass::PassDeclaration;

/// The name of the platform.
pub const NAME: &str = "cuda-emulator";

/// The passes, in alphabetical order of their arguments.
pub static PASSES: &[&PassDeclaration] = &[&emulate_kernels::PASS, &kernel_entries::PASS];
