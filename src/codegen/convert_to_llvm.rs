//! `--halo-convert-to-llvm`: converts loops, vectors and buffers to the LLVM dialect.
//!
//! Upstream has a conversion for each dialect. Each walks the whole program, and creates casts that
//! the next one removes. This pass is a single conversion; functions take a pointer for each
//! buffer.
//!
//! A function without results whose ops all have direct equivalents in the LLVM dialect, such as a
//! kernel, is rebuilt op by op. Other functions are converted by upstream's patterns, which take
//! several times as long and create a descriptor for each buffer, which canonicalization folds.
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
//! An address is the sum of a variable and a constant offset. Elements at constant distances, such
//! as the elements of a window or of a tile, share the variable address, and the constant offset is
//! folded into the instruction:
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
//! A loop with `halo.unroll` is unrolled by this factor. Unrolling is part of this pass, so that
//! earlier passes process fewer ops:
//!
//! ```mlir
//! %sum = scf.for %i = %c0 to %c8 step %c1 iter_args(%x = %zero) -> (f32) {
//!   %next = math.fma %x, %y, %y : f32
//!   scf.yield %next : f32
//! } {halo.unroll = 2 : index}
//! ```
//!
//! becomes blocks of a loop with step 2 and two `llvm.intr.fma`.
//!
//! Upstream passes expand rare ops (linalg, complex numbers, libm functions), and run only if the
//! program has such ops.

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

/// The kinds of rare ops in a program.
#[derive(Default)]
struct Rare {
    has_linalg: bool,
    has_complex: bool,
    has_transfers: bool,
    has_functions: bool,
}

impl Rare {
    /// Collects the rare ops of a program.
    fn of(root: Operation) -> Self {
        let mut found = Self::default();
        root.walk(WalkOrder::PreOrder, |operation| {
            let name = operation.name();
            match name.split_once('.') {
                Some(("linalg", _)) => found.has_linalg = true,
                // Complex arithmetic is expanded to functions of real numbers.
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

    /// The passes that expand the rare ops.
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

/// Returns true if LLVM has an instruction or an intrinsic for a math op, and the conversion
/// supports it.
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
