//! The limit of rewrites, after which patterns are considered endless.

use crate::{handles::Operation, operation::OperationExt};

/// The maximum number of rewrites of one application of patterns, per op at its begin: only
/// patterns that undo each other come near to that.
const REWRITES_PER_OP: u64 = 1000;
const MORE_REWRITES: u64 = 100_000;

/// The number of rewrites in an op, at its current size, that is considered endless.
pub(crate) fn rewrite_limit(operation: Operation) -> u64 {
    let mut operations = 0;
    operation.visit(&mut |_| operations += 1);
    operations * REWRITES_PER_OP + MORE_REWRITES
}

/// The message of an application of patterns that reached its limit.
pub(crate) fn does_not_end(root: &str, limit: u64) -> String {
    format!("rewriting does not end: '{root}' still matches after {limit} rewrites")
}
