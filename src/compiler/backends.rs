//! Backends. Each is reached only through the registry.

pub mod cpu;
pub mod interpreter;

pub use registry::register;
mod registry;
