//! `--halo-bufferize`: replaces tensors by buffers, with all writes in place.
//!
//! Upstream's One-Shot Bufferize analyzes all pairs of reads and writes to find the writes that can
//! be in place. This takes cubic time, and rejects programs in which two loops carry one tensor.
//! Here `--halo-insert-tensor-copies` has inserted the necessary copies, so that this pass only
//! runs upstream's rewrites, op by op.
//!
//! ```mlir
//! %0 = linalg.generic ... outs(%x : tensor<4xf32>) { ... } -> tensor<4xf32>
//! ```
//!
//! becomes
//!
//! ```mlir
//! linalg.generic ... outs(%x : memref<4xf32>) { ... }
//! ```
//!
//! A custom call whose result is only copied to a result of the entry writes it there.

mod call_results;

use super::buffer_assignment::ALIGNMENT;
use call_results::write_results_in_place;
use halo_ir::{bufferize::bufferize, prelude::*};

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "halo-bufferize",
    "Rewrite tensors to buffers, with every write in place",
    run,
)
.on::<builtin::ModuleOp>()
.dependent_dialects(&["bufferization", "memref"]);

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    if !bufferize(pass, ALIGNMENT) {
        return Err(PassFailure);
    }
    let module = pass.operation();
    write_results_in_place(module);
    Ok(())
}
