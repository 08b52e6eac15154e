//! Which kernels are vectorized by Halo, so that LLVM need not look for loops to vectorize:
//! its passes for that take two thirds of the time of all.

use halo_ir::{
    Operation, collect_operations, name_of,
    ops::{OperationExt, memref, scf},
};

/// Whether each innermost loop of a function has vectors, or no memory is accessed in it.
pub fn is_vectorized(function: Operation) -> bool {
    collect_operations(function, |op| {
        name_of(op).starts_with("linalg.") || (is_loop(op) && is_left_to_llvm(op))
    })
    .is_empty()
}

fn is_loop(op: Operation) -> bool {
    op.isa::<scf::ForOp>() || op.isa::<scf::WhileOp>()
}

/// Whether a loop is innermost, and reads or writes elements one by one.
fn is_left_to_llvm(around: Operation) -> bool {
    let mut accesses = false;
    let other = collect_operations(around, |op| {
        accesses |= op.isa::<memref::LoadOp>() || op.isa::<memref::StoreOp>();
        name_of(op).starts_with("vector.") || (is_loop(op) && op != around)
    });
    accesses && other.is_empty()
}
