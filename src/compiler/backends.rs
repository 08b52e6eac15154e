//! Backends. Each is reached only through the registry.
//!
//! A backend for another device is a [`Target`](crate::Target), and
//! [`TargetCompiler`](crate::TargetCompiler) is its compiler; `docs/backends.md` builds one.

pub mod c;
pub mod cpu;
pub mod cuda;
#[cfg(feature = "gpu-emulator")]
pub mod emulator;
pub mod interpreter;
mod kernel_code;
pub mod pjrt;
pub mod planning;
mod registry;
#[cfg(feature = "rocm")]
pub mod rocm;

pub use registry::register;
