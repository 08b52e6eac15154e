//! Semantics of HLO programs, and rewrites of HLO to HLO.
//!
//! | module | contents |
//! |---|---|
//! | [`semantics`] | verification and type inference of ops |
//! | [`folding`] | constants computed while a program is compiled |
//! | [`interpreter`] | the reference interpreter |
//! | [`transforms`] | passes from HLO to HLO |
//! | [`flops`] | operation counts |
//! | [`communication`], [`custom_calls`] | attributes of collectives and custom calls |
//! | [`topology`], [`communication_cost`] | descriptions of machines, and the cost of collectives on them |
//! | [`op_cost`], [`loops`] | the cost of one op, and trip counts of loops |
//! | [`simulation`] | predicted run times |
//! | [`reordering`] | analyses for passes that move ops |
//! | [`sharding`] | shardings of tensors |
//! | [`blocks`] | the blocks that long sums are divided into |
//! | [`literals`], [`matchers`] | constants as values, and predicates for rewrites |
//!
//! Code generation is in `halo-codegen`.

pub mod blocks;
pub mod communication;
pub mod communication_cost;
pub mod custom_calls;
pub mod donated_arguments;
mod driver;
pub mod flops;
pub mod folding;
pub mod interpreter;
pub mod literals;
pub mod loops;
pub mod matchers;
pub mod op_cost;
pub mod reordering;
pub mod semantics;
pub mod sharding;
pub mod simulation;
pub mod topology;
pub mod transforms;

pub use driver::{context, register_passes, run_pipeline, run_pipeline_with, verify};
