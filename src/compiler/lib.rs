//! The compiler: the way of HLO programs down to machine code.

pub mod backends;
pub mod frontend;
pub mod pipelines;
pub mod registry;
pub mod translations;

pub use registry::register_passes;
