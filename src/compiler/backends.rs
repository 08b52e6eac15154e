//! Backends. Each is reached only through the registry.

mod call_sites;
pub mod cpu;
pub mod cuda;
#[cfg(feature = "gpu-emulator")]
pub mod emulator;
pub mod interpreter;
pub mod lowering;
pub mod planning;
mod specialization;

#[cfg(feature = "gpu-emulator")]
pub use registry::checked_emulator;
pub use registry::register;
mod registry;
