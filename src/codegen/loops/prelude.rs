//! Names that most passes on loops use.

pub use super::{
    access::{self, Access, Expr, IRREGULAR},
    captures::may_overlap,
    contraction::{Contraction, Group, LHS, RESULT, RHS},
    loop_nest::{Extent, LoopNest, index_dimension},
    reducer::Reducer,
    reduction::Combiner,
    sizes::size_in_bytes,
};
pub use halo_ir::ops::{arith::constant_index, memref::view_source};
