//! `--halo-mark-vectorized-kernels`: marks kernels that leave no loop to LLVM's vectorizer.
//!
//! LLVM's passes for loops that it may vectorize take much time, and change nothing in a
//! kernel whose innermost loops have vectors. `halo_llvm::optimize` runs the others alone
//! on a kernel with the mark.
//!
//! ```mlir
//! func.func private @kernel(%begin: index, %end: index, %x: memref<64x16xf32>)
//!     attributes {halo.kernel} {
//!   scf.for %i = %begin to %end step %c1 {
//!     %row = vector.load %x[%i, %c0] : memref<64x16xf32>, vector<16xf32>
//!     // ...
//!   }
//!   return
//! }
//! ```
//!
//! gets `attributes {halo.kernel, halo.vectorized}`. With a `memref.load` in place of the
//! `vector.load`, and no vector in the loop, it would not. What a loop of vectors has left over
//! (`halo.remainder`) is as fast without.

use halo_ir::pass::{PassDeclaration, PassFailure, PassInvocation};
use halo_ir::{
    Operation, blocks_of, context_of, name_of, operations_of,
    ops::{
        Op, func,
        halo::{KERNEL, REMAINDER, VECTORIZED},
        memref, scf,
    },
    set_attribute, unit_attribute,
};
use melior::ir::operation::OperationLike;

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "halo-mark-vectorized-kernels",
    "Mark kernels that leave no loop to LLVM's vectorizer",
    run,
)
.on::<func::FuncOp>();

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    let function = pass.operation();
    if function.has_attribute(KERNEL) && is_vectorized(function) {
        set_attribute(function, VECTORIZED, unit_attribute(context_of(function)));
    }
    Ok(())
}

/// Whether each innermost loop of a function has vectors, or no memory is accessed in it.
fn is_vectorized(function: Operation) -> bool {
    let mut inside = Inside::default();
    inside.add_ops_in(function);
    !inside.is_left_to_llvm
}

/// What is in an op.
#[derive(Clone, Copy, Default)]
struct Inside {
    /// Elements that are read or written one by one.
    accesses: bool,
    /// Vectors, or loops.
    others: bool,
    /// An innermost loop that LLVM may make vectors of, or an op that such a loop is made of.
    is_left_to_llvm: bool,
}

impl Inside {
    fn add_ops_in(&mut self, around: Operation) {
        for op in around.regions().flat_map(blocks_of).flat_map(operations_of) {
            self.add(op);
        }
    }

    fn add(&mut self, op: Operation) {
        let mut inside = Self::default();
        inside.add_ops_in(op);
        let name = name_of(op);
        let is_loop = matches!(name, scf::ForOp::NAME | scf::WhileOp::NAME);
        let is_innermost = is_loop && inside.accesses && !inside.others;
        self.is_left_to_llvm |= inside.is_left_to_llvm
            || name.starts_with("linalg.")
            || (is_innermost && !op.has_attribute(REMAINDER));
        self.others |= inside.others || is_loop || name.starts_with("vector.");
        self.accesses |=
            inside.accesses || matches!(name, memref::LoadOp::NAME | memref::StoreOp::NAME);
    }
}
