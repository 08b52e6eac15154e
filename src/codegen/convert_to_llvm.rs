//! `--halo-convert-to-llvm`: loops, vectors and buffers become the LLVM dialect.
//!
//! Upstream has a conversion for each dialect. Each walks the whole program, and makes casts
//! that the next one takes away. This is one conversion; functions take a pointer for each
//! buffer.
//!
//! A function that returns nothing and whose ops all have one form in the LLVM dialect, as
//! kernels are, is written anew op by op. The others are converted with the patterns of
//! upstream, which takes several times as long, and makes a descriptor for each buffer, which
//! canonicalization folds.
//!
//! ```mlir
//! func.func @first(%x: memref<4xf32>) -> f32 {
//!   %zero = arith.constant 0 : index
//!   %0 = memref.load %x[%zero] : memref<4xf32>
//!   return %0 : f32
//! }
//! ```
//!
//! becomes
//!
//! ```mlir
//! llvm.func @first(%x: !llvm.ptr) -> f32 {
//!   %0 = llvm.load %x : !llvm.ptr -> f32
//!   llvm.return %0 : f32
//! }
//! ```
//!
//! An address is what varies and a constant. Elements that are a constant apart, such as those
//! of a window or of a tile, have the first in common, and the second is part of an
//! instruction:
//!
//! ```mlir
//! %next = arith.addi %i, %c1 : index
//! %0 = vector.load %x[%next, %j] : memref<8x16xf32>, vector<4xf32>
//! ```
//!
//! becomes
//!
//! ```mlir
//! %row = llvm.mul %i, %c16 : i64
//! %varying = llvm.add %row, %j : i64
//! %address = llvm.getelementptr %x[%varying] : (!llvm.ptr, i64) -> !llvm.ptr, f32
//! %element = llvm.getelementptr %address[16] : (!llvm.ptr) -> !llvm.ptr, f32
//! %0 = llvm.load %element {alignment = 4 : i64} : !llvm.ptr -> vector<4xf32>
//! ```
//!
//! A loop with `halo.unroll` is repeated so often within one iteration. It is here that it
//! becomes long, so that the passes before have a fraction of its ops:
//!
//! ```mlir
//! %sum = scf.for %i = %c0 to %c8 step %c1 iter_args(%x = %zero) -> (f32) {
//!   %next = math.fma %x, %y, %y : f32
//!   scf.yield %next : f32
//! } {halo.unroll = 2 : index}
//! ```
//!
//! becomes blocks that count in steps of two, with two `llvm.intr.fma`.
//!
//! What few programs have (linalg, numbers that are complex, functions that libm computes)
//! is made into the rest by passes of upstream, which run where there is such an op.

use halo_ir::{
    llvm_conversion::convert_to_llvm,
    ops::math,
    pipeline::{Pipeline, Step, upstream},
    prelude::*,
};

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "halo-convert-to-llvm",
    "Convert loops, vectors and buffers to the LLVM dialect",
    run,
)
.on::<builtin::ModuleOp>()
.dependent_dialects(&["arith", "cf", "halo", "llvm", "memref", "scf"]);

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    let rare = Rare::of(pass.operation());
    let passes = rare.passes();
    if !passes.steps.is_empty() {
        pass.run_pipeline(&passes)?;
    }
    if convert_to_llvm(pass) {
        Ok(())
    } else {
        Err(PassFailure)
    }
}

/// What few programs have.
#[derive(Default)]
struct Rare {
    has_linalg: bool,
    has_complex: bool,
    has_transfers: bool,
    has_functions: bool,
}

impl Rare {
    /// What a program has of it.
    fn of(root: Operation) -> Self {
        let mut found = Self::default();
        root.walk(WalkOrder::PreOrder, |operation| {
            let name = operation.name();
            match name.split_once('.') {
                Some(("linalg", _)) => found.has_linalg = true,
                // Its arithmetic becomes functions of real numbers.
                Some(("complex", _)) => {
                    found.has_complex = true;
                    found.has_functions = true;
                }
                Some(("math", _)) if !is_instruction(name) => found.has_functions = true,
                _ if [vector::TransferReadOp::NAME, vector::TransferWriteOp::NAME]
                    .contains(&name) =>
                {
                    found.has_transfers = true;
                }
                _ => {}
            }
        });
        found
    }

    /// The passes that make it into the rest.
    fn passes(&self) -> Pipeline {
        let passes = [
            (self.has_linalg, "convert-linalg-to-loops"),
            (self.has_complex, "convert-complex-to-standard"),
            (self.has_transfers, "convert-vector-to-scf"),
            (self.has_functions, "convert-math-to-llvm"),
            (self.has_functions, "convert-math-to-libm"),
        ];
        let needed = passes.into_iter().filter(|(is_needed, _)| *is_needed);
        Pipeline {
            steps: needed.map(|(_, name)| Step::from(upstream(name))).collect(),
        }
    }
}

/// Whether LLVM has an instruction or an intrinsic for a function on numbers, and the
/// conversion a pattern.
fn is_instruction(name: &str) -> bool {
    matches!(
        name,
        math::AbsFOp::NAME
            | math::AbsIOp::NAME
            | math::CeilOp::NAME
            | math::CopySignOp::NAME
            | math::CountLeadingZerosOp::NAME
            | math::CountTrailingZerosOp::NAME
            | math::CtPopOp::NAME
            | math::FloorOp::NAME
            | math::FmaOp::NAME
            | math::IsFiniteOp::NAME
            | math::IsNaNOp::NAME
            | math::RoundEvenOp::NAME
            | math::RoundOp::NAME
            | math::RsqrtOp::NAME
            | math::SqrtOp::NAME
            | math::TruncOp::NAME
    )
}
