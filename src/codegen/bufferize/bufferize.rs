//! `--halo-bufferize`: tensors become buffers, all writes in place.
//!
//! Upstream's One-Shot Bufferize finds out by an analysis of all pairs of reads
//! and writes what can be written in place. That takes time with the cube of the
//! program, and refuses programs where two loops carry one tensor. Here
//! `--halo-insert-tensor-copies` has put copies where they are needed, and what
//! is left is upstream's rewriting, op by op.
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

use super::buffer_assignment::ALIGNMENT;
use halo_ir::{
    bufferize::bufferize,
    pass::{PassDeclaration, PassFailure, PassInvocation},
};

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration {
    argument: "halo-bufferize",
    summary: "Rewrite tensors to buffers, with every write in place",
    anchor: "builtin.module",
    dependent_dialects: &["bufferization", "memref"],
    options: &[],
    run,
};

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    match bufferize(pass, ALIGNMENT) {
        true => Ok(()),
        false => Err(PassFailure),
    }
}
