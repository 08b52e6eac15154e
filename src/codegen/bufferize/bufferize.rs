//! `--halo-bufferize`: replaces tensors by buffers, with all writes in place.
//!
//! Upstream's One-Shot Bufferize decides by an analysis of all pairs of reads
//! and writes which writes can be in place. That takes cubic time, and rejects
//! programs where two loops carry one tensor. Here
//! `--halo-insert-tensor-copies` has inserted the necessary copies, and
//! upstream's rewriting remains, op by op.
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
