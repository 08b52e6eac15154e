//! The compiler: backends, their phases, and the registry of all passes.
//!
//! A backend is a [`Target`]: its phases, which are [`pipelines`], and the code of the last one. A
//! [`TargetCompiler`] takes a program through the phases of a target, as a [`Lowering`]: the module,
//! in the [`Session`] of one compilation, which has options, cache, record and dumps.
//! Programs of dynamic shapes are compiled when their inputs are known.

pub mod backends;
mod call_sites;
mod diagnostics;
pub mod lowering;
pub mod pipelines;
pub mod record;
pub mod registry;
pub mod session;
mod specialization;
pub mod target;
mod target_compiler;

pub use diagnostics::error_at;
#[doc(hidden)]
pub use lowering::Bisected;
pub use lowering::Lowering;
pub use registry::{context, register_passes};
pub use session::{Session, cache::Stored};
pub use target::Target;
pub use target_compiler::TargetCompiler;
