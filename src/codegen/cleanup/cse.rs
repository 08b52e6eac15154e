//! `--halo-cse`: merges equal ops.
//!
//! Upstream's `--cse` merges the same ops, and takes three times as long. It looks an op up by a
//! hash of its operands and attributes, without its regions, and compares it with all that have
//! this hash. A program that scales one tensor by a thousand numbers has a thousand structured ops that
//! differ in their regions alone, and a million comparisons. And between two equal reads it looks
//! for writes anew, where an unrolled window reads a buffer a thousand times. This pass hashes
//! regions, and asks each op of a block once whether it writes.
//!
//! ```mlir
//! %0 = linalg.generic ins(%x) outs(%e) { %a = mulf %in, %two; yield %a }
//! %1 = linalg.generic ins(%x) outs(%e) { %a = mulf %in, %three; yield %a }
//! %2 = linalg.generic ins(%x) outs(%e) { %a = mulf %in, %two; yield %a }
//! ```
//!
//! becomes
//!
//! ```mlir
//! %0 = linalg.generic ins(%x) outs(%e) { %a = mulf %in, %two; yield %a }
//! %1 = linalg.generic ins(%x) outs(%e) { %a = mulf %in, %three; yield %a }
//! ```
//!
//! with `%0` in the place of `%2`.

use halo_ir::{cleanup::eliminate_common_subexpressions, prelude::*};

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "halo-cse",
    "Merge equal ops, told apart by their regions too",
    run,
);

fn run(invocation: &mut PassInvocation) -> Result<(), PassFailure> {
    eliminate_common_subexpressions(invocation);
    Ok(())
}
