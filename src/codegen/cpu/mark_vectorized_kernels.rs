//! `--halo-mark-vectorized-kernels`: marks kernels without loops for LLVM's vectorizer.
//!
//! LLVM's loop vectorization passes are slow, and do not change a kernel whose innermost loops
//! already use vectors. `halo_llvm::optimize` skips them for marked kernels.
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
//! gets `attributes {halo.kernel, halo.vectorized}`. With a `memref.load` instead of the
//! `vector.load`, it would not. Scalar remainder loops (`halo.remainder`) do not profit from
//! vectorization. LLVM cannot vectorize a loop that writes memory and exits depending on loaded
//! values, or whose addresses depend on them, such as sorting loops.

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

/// Whether each innermost loop of a function uses vectors or accesses no memory.
fn is_vectorized(function: Operation) -> bool {
    let mut inside = Inside::default();
    inside.add_ops_in(function);
    !inside.is_left_to_llvm
}

/// The contents of an op.
#[derive(Clone, Copy, Default)]
struct Inside {
    /// Scalar loads or stores.
    accesses: bool,
    /// Vectors or loops.
    others: bool,
    /// An innermost loop that LLVM may vectorize, or an op that becomes such a loop.
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

/// Whether data dependences prevent vectorization of a loop: its exit depends on loaded values and
/// it writes memory, or its addresses depend on loop-carried values that depend on loaded ones.
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

/// Whether the addresses of a loop depend on loop-carried values other than induction variables.
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
        // The buffer and the stored value precede the indices.
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
