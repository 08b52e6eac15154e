//! Loop nests: accesses of structured ops, aliases of buffers, and shorthands
//! for the ops of loops. Passes for CPUs and for GPUs share these analyses.

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
pub mod loop_nest;
pub mod loop_ops;
pub mod order;
pub mod padded_reads;
pub mod padding;
pub mod reduction;
pub mod selection;
pub mod sizes;

/// The names that most passes on loops use.
pub mod prelude {
    pub use super::{
        access::{Access, Expr, IRREGULAR},
        aliases::view_source,
        captures::may_overlap,
        contraction::{Contraction, Group, LHS, RESULT, RHS},
        loop_nest::{Extent, LoopNest, index_dimension},
        loop_ops::{self, Emitted, constant_index},
        reduction::Combiner,
        sizes::size_in_bytes,
    };
}
