//! Backends. Each is reached only through the registry.

pub mod cpu;
pub mod emulator;
pub mod interpreter;
pub mod lowering;
pub mod nvptx;
pub mod planning;
mod specialization;

pub use registry::{checked_emulator, register};
mod registry;
