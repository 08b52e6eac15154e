//! Backends. Each is reached only through the registry.
//!
//! A backend for another device is a [`Target`], and [`TargetCompiler`] is its compiler;
//! `docs/backends.md` builds one.

pub mod c;
mod call_sites;
pub mod cpu;
pub mod cuda;
#[cfg(feature = "gpu-emulator")]
pub mod emulator;
pub mod interpreter;
mod kernel_code;
pub mod lowering;
pub mod planning;
mod registry;
#[cfg(feature = "rocm")]
pub mod rocm;
mod specialization;

pub use lowering::{Lowering, Stored, Target, TargetCompiler, error_at};
pub use registry::register;
