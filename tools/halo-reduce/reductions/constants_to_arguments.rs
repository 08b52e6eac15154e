//! Replaces constants by arguments.
//!
//! ```mlir
//! func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
//!   %0 = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
//!   %1 = stablehlo.add %a, %0 : tensor<4xf32>
//!   return %1 : tensor<4xf32>
//! }
//! ```
//! becomes
//! ```mlir
//! func.func @main(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
//!   %0 = stablehlo.add %a, %b : tensor<4xf32>
//!   return %0 : tensor<4xf32>
//! }
//! ```

use crate::{
    program::{Program, inner_operations, is_constant},
    session::Reduction,
};
use halo::{ir::root_of, prelude::*};

pub const REDUCTION: Reduction = Reduction {
    name: "constants to arguments",
    alternatives: false,
    restarts: false,
    sites: |program: &Program| constants(root_of(program.module())).len(),
    apply: |draft, range| {
        let constants = constants(draft.root);
        let Some(chosen) = constants.get(range) else {
            return false;
        };
        for op in chosen {
            let Some(function) = draft.open_function_around(*op) else {
                return false;
            };
            for result in op.results() {
                let Some(argument) = draft.add_argument(function, result) else {
                    return false;
                };
                result.replace_uses_with(argument);
            }
            if !draft.erase(*op) {
                return false;
            }
        }
        draft.sweep();
        true
    },
};

fn constants(root: Operation<'_>) -> Vec<Operation<'_>> {
    let mut ops = inner_operations(root);
    ops.retain(|op| is_constant(*op));
    ops
}
