//! Semantics of HLO programs, and rewrites of HLO to HLO.
//!
//! | module | contents |
//! |---|---|
//! | [`semantics`] | verification and type inference of ops |
//! | [`folding`] | constants computed while a program is compiled |
//! | [`interpreter`] | the reference interpreter |
//! | [`transforms`] | passes from HLO to HLO |
//! | [`communication`], [`custom_calls`] | attributes of collectives and custom calls |
//! | [`loops`] | trip counts of loops |
//! | [`reordering`] | analyses for passes that move ops |
//! | [`sharding`] | shardings of tensors |
//! | [`blocks`] | the blocks that long sums are divided into |
//! | [`literals`], [`matchers`] | constants as values, and predicates for rewrites |
//!
//! Code generation is in `halo-codegen`, costs are in `halo-cost`.

pub mod blocks;
pub mod communication;
pub mod custom_calls;
pub mod donated_arguments;
mod driver;
pub mod folding;
pub mod interpreter;
pub mod literals;
pub mod loops;
pub mod matchers;
pub mod reordering;
pub mod semantics;
pub mod sharding;
pub mod transforms;

pub use driver::{context, register_passes, run_pipeline, run_pipeline_with, verify};
