//! `--halo-canonicalize`: simplifies ops by the patterns of their dialects.
//!
//! Upstream's `--canonicalize` does the same with the patterns of all dialects, which are a
//! thousand, and sorts them whenever it runs: most of the time that a phase takes for a
//! program of a few ops. This pass takes the patterns of the dialects that a program has, and
//! collects them once for all passes and programs of a context. If patterns make ops of
//! another dialect, it goes on with those of that one, too.
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
//! Blocks of regions are not merged: structured code has one in each region, and the search
//! for them takes half of the time.

use halo_ir::{cleanup::canonicalize, prelude::*};

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "halo-canonicalize",
    "Simplify ops by the patterns of the dialects that the program has",
    run,
)
.dependent_dialects(&["halo"]);

fn run(invocation: &mut PassInvocation) -> Result<(), PassFailure> {
    canonicalize(invocation);
    Ok(())
}
