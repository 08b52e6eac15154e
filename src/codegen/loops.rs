//! Analyses of loop nests that passes for CPUs and for GPUs share: accesses of structured ops,
//! aliases of buffers, and helpers for loop ops.

pub mod access;
pub mod aliases;
pub mod body;
pub mod bounds;
pub mod captures;
pub mod contraction;
pub mod elementwise;
pub mod fill;
pub mod folded_writes;
pub mod footprint;
pub mod invariants;
pub mod lane_offsets;
pub mod loop_nest;
pub mod order;
pub mod padded_reads;
pub mod padding;
pub mod prelude;
pub mod reducer;
pub mod reduction;
pub mod selection;
pub mod sizes;
pub mod vector_body;
