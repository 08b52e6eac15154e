//! The compiler: what HLO programs mean, and the way down to machine code.

pub mod backends;
pub mod codegen;
pub mod communication;
pub mod conversion;
pub mod custom_calls;
pub mod folding;
pub mod frontend;
pub mod interpreter;
pub mod literals;
pub mod native;
pub mod passes;
pub mod pipelines;
pub mod semantics;
pub mod translations;

pub use passes::registry::register_passes;
