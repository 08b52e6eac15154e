//! Semantics of HLO programs, and rewrites of HLO to HLO.
//!
//! | module | what it is |
//! |---|---|
//! | [`semantics`] | what verifies ops and infers their types |
//! | [`folding`] | constants computed while a program is compiled |
//! | [`interpreter`] | the reference: programs run op by op |
//! | [`transforms`] | passes from HLO to HLO |
//! | [`flops`] | how much arithmetic ops are |
//! | [`communication`], [`custom_calls`] | what collectives and custom calls say |
//! | [`topology`], [`communication_cost`] | what machines a program runs on, and how long collectives take there |
//! | [`op_cost`], [`loops`] | how long one op takes, and how often loops iterate |
//! | [`simulation`] | how long a program is predicted to take |
//! | [`reordering`] | what passes that move ops ask |
//! | [`sharding`] | which part of a tensor each partition has |
//! | [`blocks`] | the blocks that long sums are divided into |
//! | [`literals`], [`matchers`] | constants as values, and questions that rewrites ask |
//!
//! Nothing here knows how code is made of a program: that is `halo-codegen`.

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
