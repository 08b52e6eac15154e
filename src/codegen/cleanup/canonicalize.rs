//! `--halo-canonicalize`: simplifies ops by the patterns of their dialects.
//!
//! Upstream's `--canonicalize` applies the patterns of all loaded dialects, about a thousand, and
//! sorts them in each run. This dominates the time of a phase for programs of a few ops. This pass
//! applies the patterns of the dialects in the program, and collects them once per context. If
//! patterns create ops of another dialect, its patterns are added.
//!
//! ```mlir
//! %0 = arith.addi %x, %zero : index
//! %1 = tensor.cast %t : tensor<4xf32> to tensor<?xf32>
//! %2 = tensor.dim %1, %zero : tensor<?xf32>
//! %3 = arith.addi %0, %2 : index
//! ```
//!
//! becomes
//!
//! ```mlir
//! %3 = arith.addi %x, %four : index
//! ```
//!
//! Blocks of regions are not merged: structured code has one block per region, and the search for
//! equal blocks would take half of the time.

use halo_ir::{cleanup::canonicalize, prelude::*};

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "halo-canonicalize",
    "Canonicalize ops by the patterns of the dialects in the program",
    run,
)
.dependent_dialects(&["halo"]);

fn run(invocation: &mut PassInvocation) -> Result<(), PassFailure> {
    canonicalize(invocation);
    Ok(())
}
