//! Replaces an op by the body of one of its regions: a loop by one iteration, a conditional by a
//! branch, a reduction by its body on scalars.
//!
//! ```mlir
//! %0 = stablehlo.while(%i = %a) : tensor<f32>
//!   cond {
//!     %1 = stablehlo.compare LT, %i, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
//!     stablehlo.return %1 : tensor<i1>
//!   } do {
//!     %1 = stablehlo.add %i, %b : tensor<f32>
//!     stablehlo.return %1 : tensor<f32>
//!   }
//! ```
//! becomes
//! ```mlir
//! %0 = stablehlo.add %a, %b : tensor<f32>
//! ```

use crate::{
    program::{Draft, Program, inner_operations},
    session::Reduction,
};
use halo::{ir::root_of, prelude::*};

pub const REDUCTION: Reduction = Reduction {
    name: "inline regions",
    alternatives: false,
    restarts: true,
    sites: |program: &Program| sites(root_of(program.module())).len(),
    apply: |draft, range| {
        let sites = sites(draft.root);
        let Some(chosen) = sites.get(range) else {
            return false;
        };
        for (op, region) in chosen {
            // It may have been in an erased region.
            if op.is_inside(draft.root) && !inline(draft, *op, *region) {
                return false;
            }
        }
        draft.sweep();
        true
    },
};

/// The ops with single-block regions, each with the index of a region. Bodies come before
/// conditions, which are shorter.
fn sites(root: Operation<'_>) -> Vec<(Operation<'_>, usize)> {
    let mut found = Vec::new();
    for op in inner_operations(root) {
        let regions = (0..op.region_count()).rev();
        let inlinable = regions
            .filter(|number| op.region(*number).is_some_and(|region| region.blocks().len() == 1));
        found.extend(inlinable.map(|number| (op, number)));
    }
    found
}

fn inline<'m>(draft: &mut Draft<'m, '_>, op: Operation<'m>, region: usize) -> bool {
    let Some(block) = op.region(region).and_then(|region| region_blocks(region)) else {
        return false;
    };
    let operands = op.operands();
    let mut values = Vec::new();
    for (number, argument) in block.arguments().into_iter().enumerate() {
        let fits = |value: &&Value<'m>| value.ty() == argument.ty();
        let same = operands.get(number).filter(fits);
        let value = match same.or_else(|| operands.iter().find(fits)) {
            Some(value) => *value,
            None => match draft.stand_in(argument, op) {
                Some(value) => value,
                None => return false,
            },
        };
        values.push(value);
    }
    let moved = block.operations();
    let moved = &moved[..moved.len().saturating_sub(1)];
    let Some(returned) = with_values(block, op, &values) else {
        return false;
    };
    for (number, result) in op.results().into_iter().enumerate() {
        let fits = returned.get(number).filter(|it| it.ty() == result.ty());
        let value = match fits {
            Some(value) => *value,
            None if result.is_unused() => continue,
            None => match draft.stand_in(result, op) {
                Some(value) => value,
                None => return false,
            },
        };
        result.replace_uses_with(value);
    }
    // Values computed in the region that its terminator used.
    if let Some(function) = draft.open_function_around(op)
        && !draft.return_unused(function, moved)
    {
        return false;
    }
    draft.erase(op)
}

/// Moves the ops of a block before another op, with values for its arguments; returns the operands
/// of the terminator.
pub fn with_values<'m>(
    block: halo::ir::Block<'m>,
    before: Operation<'m>,
    values: &[Value<'m>],
) -> Option<Vec<Value<'m>>> {
    with_builder(before, |b| b.try_inline_before(block, before, values)).ok()
}

fn region_blocks<'m>(region: halo::melior::ir::RegionRef<'m, 'm>) -> Option<halo::ir::Block<'m>> {
    match region.blocks()[..] {
        [block] => Some(block),
        _ => None,
    }
}
