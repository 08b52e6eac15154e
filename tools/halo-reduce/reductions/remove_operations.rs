//! Removes ops. Their results become arguments of the entry, and values that only they used become
//! results, so that the remaining ops compute the same.
//!
//! ```mlir
//! func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
//!   %0 = stablehlo.sine %a : tensor<4xf32>
//!   %1 = stablehlo.negate %0 : tensor<4xf32>
//!   %2 = stablehlo.cosine %1 : tensor<4xf32>
//!   return %2 : tensor<4xf32>
//! }
//! ```
//! without its first and last op becomes
//! ```mlir
//! func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
//!   %0 = stablehlo.negate %a : tensor<4xf32>
//!   return %0 : tensor<4xf32>
//! }
//! ```
//!
//! In a function with callers, and in regions that cannot capture values, another value of the same
//! type or zeros replace a result. Constants are kept while they are used.

use crate::{
    program::{Program, functions, inner_operations, is_constant},
    session::Reduction,
};
use halo::{ir::root_of, prelude::*};

/// For ops directly in functions.
pub const OF_FUNCTIONS: Reduction = Reduction {
    name: "remove ops of functions",
    alternatives: false,
    restarts: false,
    sites: |program: &Program| in_functions(root_of(program.module())).len(),
    apply: |draft, range| {
        let ops = in_functions(draft.root);
        ops.get(range).is_some_and(|ops| draft.remove(ops))
    },
};

/// For ops in regions of other ops, too.
pub const OF_REGIONS: Reduction = Reduction {
    name: "remove ops of regions",
    alternatives: false,
    restarts: false,
    sites: |program: &Program| all(root_of(program.module())).len(),
    apply: |draft, range| {
        let ops = all(draft.root);
        ops.get(range).is_some_and(|ops| draft.remove(ops))
    },
};

/// The ops of functions, without the ops in their regions, and constants.
pub fn in_functions(root: Operation<'_>) -> Vec<Operation<'_>> {
    let functions = functions(root);
    let mut ops = all(root);
    ops.retain(|op| op.parent().is_some_and(|parent| functions.contains(&parent)));
    ops
}

fn all(root: Operation<'_>) -> Vec<Operation<'_>> {
    let mut ops = inner_operations(root);
    ops.retain(|op| !is_constant(*op));
    ops
}
