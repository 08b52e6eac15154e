//! Backends. Each is reached only through the registry.
//!
//! A backend for a device of your own is a [`Target`], and [`TargetCompiler`] is its
//! compiler; `docs/backends.md` builds one.

mod call_sites;
pub mod cpu;
pub mod cuda;
#[cfg(feature = "gpu-emulator")]
pub mod emulator;
pub mod interpreter;
pub mod lowering;
pub mod planning;
mod specialization;

pub use lowering::{Lowering, Target, TargetCompiler, error_at};
#[cfg(feature = "gpu-emulator")]
pub use registry::checked_emulator;
pub use registry::register;
mod registry;
