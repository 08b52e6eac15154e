//! The compiler: backends, their phases, and the registry of all passes.

pub mod backends;
pub mod pipelines;
pub mod record;
pub mod registry;

pub use registry::{context, register_passes};
