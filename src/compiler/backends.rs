//! Backends. Each is reached only through the registry.

pub mod cpu;

pub use registry::register;
mod registry;
