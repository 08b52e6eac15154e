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
    Operation, collect_operations, context_of, name_of,
    ops::{
        OperationExt, func,
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
    accesses && other.is_empty() && !around.has_attribute(REMAINDER)
}
