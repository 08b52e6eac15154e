//! Removes ops. What they compute becomes an argument of the entry, and what only they used
//! becomes a result, so that what is left computes as before.
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
//! In a function that is called, and in regions that use nothing from around them, another
//! value of the same type takes the place, or zeros. Constants are kept while something uses
//! them.

use crate::{
    program::{Program, functions, inner_operations, is_constant},
    session::Reduction,
};
use halo::{ir::root_of, prelude::*};

/// Of the ops that stand in functions.
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

/// Of those that stand in regions of other ops too.
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

/// The ops of functions, those of their regions left out, and constants.
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
