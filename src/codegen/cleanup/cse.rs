//! `--halo-cse`: merges equal ops.
//!
//! Upstream's `--cse` merges the same ops, but takes three times as long. Its hash covers operands
//! and attributes, but not regions, so that ops that differ only in their regions collide. A
//! program that scales one tensor by a thousand numbers needs a million comparisons. Upstream also
//! searches for writes between each two equal reads, of which an unrolled window has a thousand.
//! This pass hashes regions, and queries the side effects of each op of a block once.
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
//! with `%0` replacing `%2`.

use halo_ir::{cleanup::eliminate_common_subexpressions, prelude::*};

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "halo-cse",
    "Eliminate common subexpressions, including ops with equal regions",
    run,
);

fn run(invocation: &mut PassInvocation) -> Result<(), PassFailure> {
    eliminate_common_subexpressions(invocation);
    Ok(())
}
