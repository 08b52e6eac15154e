//! Replaces constants by ones.
//!
//! ```mlir
//! %0 = stablehlo.constant dense<[3.0, 2.5, 3.0, 4.0]> : tensor<4xf32>
//! ```
//! becomes
//! ```mlir
//! %0 = stablehlo.constant dense<1.0> : tensor<4xf32>
//! ```

use crate::{
    program::{Program, inner_operations, is_constant},
    session::Reduction,
};
use halo::{
    ir::{dense_number, root_of},
    prelude::*,
};

pub const REDUCTION: Reduction = Reduction {
    name: "simplify constants",
    alternatives: false,
    restarts: false,
    sites: |program: &Program| constants(root_of(program.module())).len(),
    apply: |draft, range| {
        let constants = constants(draft.root);
        let Some(chosen) = constants.get(range) else {
            return false;
        };
        for (op, value) in chosen {
            let simple = dense_number(value.ty(), 1.0);
            match simple {
                Some(simple) => op.set_attribute("value", simple),
                None => return false,
            }
        }
        true
    },
};

/// The constants other than one, with their values.
fn constants(root: Operation<'_>) -> Vec<(Operation<'_>, Attribute<'_>)> {
    let ops = inner_operations(root).into_iter();
    let constants = ops.filter(|op| is_constant(*op));
    constants
        .filter_map(|op| Some((op, op.attribute("value")?)))
        .filter(|(_, value)| {
            let is_one = value.is_splat() && value.splat_number() == Some(1.0);
            !is_one && dense_number(value.ty(), 1.0).is_some()
        })
        .collect()
}
