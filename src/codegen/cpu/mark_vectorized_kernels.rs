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
//! (`halo.remainder`) is as fast without. LLVM cannot vectorize a loop that ends by what it
//! reads and writes memory, or whose accesses go on by what it reads, such as the loops that
//! sort.

use halo_ir::{
    ops::halo::{KERNEL, REMAINDER, VECTORIZED},
    prelude::*,
};
use std::collections::HashSet;

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
        function.set_attribute(VECTORIZED, unit_attribute(function.context()));
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
        for op in around.blocks().into_iter().flat_map(Block::operations) {
            self.add(op);
        }
    }

    fn add(&mut self, op: Operation) {
        let mut inside = Self::default();
        inside.add_ops_in(op);
        let name = op.name();
        let is_loop = matches!(name, scf::ForOp::NAME | scf::WhileOp::NAME);
        let is_innermost = is_loop && inside.accesses && !inside.others;
        self.is_left_to_llvm |= inside.is_left_to_llvm
            || name.starts_with("linalg.")
            || (is_innermost && !op.has_attribute(REMAINDER) && !follows_data(op));
        self.others |= inside.others || is_loop || name.starts_with("vector.");
        self.accesses |=
            inside.accesses || matches!(name, memref::LoadOp::NAME | memref::StoreOp::NAME);
    }
}

/// Whether the iterations of a loop depend on what it reads in a way that has no vectors: it ends
/// by that and writes memory, or accesses memory at places that it carries and finds by that.
fn follows_data(op: Operation) -> bool {
    let contains = |region: usize, name: &str| {
        let ops = op.body(region).map(Block::operations).unwrap_or_default();
        ops.into_iter().any(|op| op.name() == name)
    };
    match op.name() {
        scf::WhileOp::NAME => {
            contains(0, memref::LoadOp::NAME) && contains(1, memref::StoreOp::NAME)
        }
        _ => accesses_by_carried(op),
    }
}

/// Whether the places that a loop accesses depend on values that it carries, other than counts of
/// its iterations.
fn accesses_by_carried(op: Operation) -> bool {
    let Some(block) = op.body(0) else {
        return false;
    };
    let carried = block.arguments().into_iter().skip(1);
    let next = block.terminator().map(Operation::operands).unwrap_or_default();
    let is_count = |(argument, next): &(Value, Value)| {
        let sum = next.defined_by::<arith::AddIOp>();
        sum.is_some_and(|sum| sum.lhs() == *argument || sum.rhs() == *argument)
    };
    let others = carried.zip(next).filter(|pair| !is_count(pair));
    let mut depending: HashSet<_> = others.map(|(argument, _)| argument.key()).collect();
    for op in block.operations() {
        let depends = |value: &Value| depending.contains(&value.key());
        let operands = op.operands();
        // In front of the indices there are the buffer and what is stored.
        let indices = match op.name() {
            memref::LoadOp::NAME => &operands[1..],
            memref::StoreOp::NAME => &operands[2..],
            _ => &[],
        };
        if indices.iter().any(depends) {
            return true;
        }
        if operands.iter().any(depends) {
            depending.extend(op.results().into_iter().map(Value::key));
        }
    }
    false
}
