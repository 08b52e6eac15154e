//! The names that most passes on loops use.

pub use super::{
    access::{Access, Expr, IRREGULAR},
    aliases::view_source,
    captures::may_overlap,
    contraction::{Contraction, Group, LHS, RESULT, RHS},
    loop_nest::{Extent, LoopNest, index_dimension},
    loop_ops::{self, constant_index},
    reduction::Combiner,
    sizes::size_in_bytes,
};
