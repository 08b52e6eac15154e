//! Replaces an op by one of its operands.
//!
//! ```mlir
//! %0 = stablehlo.add %a, %b : tensor<4xf32>
//! %1 = stablehlo.negate %0 : tensor<4xf32>
//! ```
//! becomes
//! ```mlir
//! %1 = stablehlo.negate %a : tensor<4xf32>
//! ```

use crate::{
    program::{Program, inner_operations},
    session::Reduction,
};
use halo::{ir::root_of, prelude::*};

/// The maximum number of operands to try.
const MOST_OPERANDS: usize = 3;

pub const REDUCTION: Reduction = Reduction {
    name: "replace ops by operands",
    alternatives: false,
    restarts: false,
    sites: |program: &Program| sites(root_of(program.module())).len(),
    apply: |draft, range| {
        let sites = sites(draft.root);
        let Some(chosen) = sites.get(range) else {
            return false;
        };
        for (op, number) in chosen {
            // It was replaced by another operand.
            if !op.is_inside(draft.root) {
                continue;
            }
            let operands = op.operands();
            let (Some(value), [result]) = (operands.get(*number), &op.results()[..]) else {
                return false;
            };
            result.replace_uses_with(*value);
            if !draft.erase(*op) {
                return false;
            }
        }
        draft.sweep();
        true
    },
};

/// The ops with one used result, each with the index of an operand of its type.
fn sites(root: Operation<'_>) -> Vec<(Operation<'_>, usize)> {
    let mut found = Vec::new();
    for op in inner_operations(root) {
        let [result] = op.results()[..] else {
            continue;
        };
        if result.is_unused() {
            continue;
        }
        let is_alike = |value: &Value| value.ty() == result.ty();
        let operands = op.operands();
        let mut numbers: Vec<usize> =
            (0..operands.len()).filter(|number| is_alike(&operands[*number])).collect();
        numbers.dedup_by_key(|number| operands[*number].key());
        numbers.truncate(MOST_OPERANDS);
        found.extend(numbers.into_iter().map(|number| (op, number)));
    }
    found
}
