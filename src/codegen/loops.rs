//! Loop nests: how structured ops walk memory, which values are views of a
//! buffer, and the ops that loops are built of. Passes for processors and for
//! GPUs ask the same questions here.

pub mod access;
pub mod aliases;
pub mod body;
pub mod captures;
pub mod contraction;
pub mod emit;
pub mod fill;
pub mod loop_nest;
pub mod order;
pub mod reduction;
pub mod sizes;
