//! Makes a region the entry: its arguments and captured values become arguments of the entry.
//!
//! ```mlir
//! %0 = "stablehlo.if"(%p) ({
//!   %1 = stablehlo.negate %a : tensor<4xf32>
//!   stablehlo.return %1 : tensor<4xf32>
//! }, {
//!   stablehlo.return %a : tensor<4xf32>
//! }) : (tensor<i1>) -> tensor<4xf32>
//! ```
//! becomes
//! ```mlir
//! func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
//!   %1 = stablehlo.negate %a : tensor<4xf32>
//!   return %1 : tensor<4xf32>
//! }
//! ```

use super::inline_regions::with_values;
use crate::{
    program::{Draft, Program, inner_operations, is_constant, symbol_of},
    session::Reduction,
};
use halo::{ir::root_of, prelude::*};
use std::collections::{HashMap, hash_map::Entry};

/// The maximum number of regions to try.
const MOST: usize = 64;

pub const REDUCTION: Reduction = Reduction {
    name: "enter a region",
    alternatives: true,
    restarts: true,
    sites: |program: &Program| regions(root_of(program.module()), program.entry.as_deref()).len(),
    apply: |draft, range| {
        let regions = regions(draft.root, draft.entry.as_deref());
        match regions.get(range.start) {
            Some((op, region)) => enter(draft, *op, *region),
            None => false,
        }
    },
};

/// The regions in the entry function, small ones first, to find the smallest that fails. Regions of
/// at most one op are skipped.
fn regions<'m>(root: Operation<'m>, entry: Option<&str>) -> Vec<(Operation<'m>, usize)> {
    let mut found = Vec::new();
    for op in inner_operations(root) {
        let mut outermost = op;
        while let Some(parent) = outermost.parent().filter(|it| *it != root) {
            outermost = parent;
        }
        if entry.is_none() || symbol_of(outermost) != entry {
            continue;
        }
        for number in 0..op.region_count() {
            let body = op.region(number).map(RegionExt::blocks).unwrap_or_default();
            if let [block] = body[..] {
                let ops = block.operations().into_iter();
                let count: usize = ops.map(|op| 1 + op.collect_nested(|_| true).len()).sum();
                if count > 2 {
                    found.push((count, op, number));
                }
            }
        }
    }
    found.sort_by_key(|(count, ..)| *count);
    found.truncate(MOST);
    found.into_iter().map(|(_, op, number)| (op, number)).collect()
}

fn enter<'m>(draft: &mut Draft<'m, '_>, op: Operation<'m>, region: usize) -> bool {
    let Some(function) = draft.entry_function().filter(|it| draft.is_open(*it)) else {
        return false;
    };
    let (Some(body), Some(block)) = (function.body(0), op.body(region)) else {
        return false;
    };
    let Some(last) = body.terminator() else {
        return false;
    };
    let before = body.operations();
    let moved = block.operations();
    let Some((_, moved)) = moved.split_last() else {
        return false;
    };
    let mut values = Vec::new();
    for argument in block.arguments() {
        match draft.add_argument(function, argument) {
            Some(value) => values.push(value),
            None => return false,
        }
    }
    // Captured values.
    let mut map = HashMap::new();
    for user in moved.iter().flat_map(|op| {
        let mut ops = op.collect_nested(|_| true);
        ops.push(*op);
        ops
    }) {
        for (index, operand) in user.operands().into_iter().enumerate() {
            let Some(owner) = operand.owner().filter(|owner| !owner.is_inside(op)) else {
                continue;
            };
            if owner == function || (is_constant(owner) && before.contains(&owner)) {
                continue;
            }
            let argument = match map.entry(operand.key()) {
                Entry::Occupied(known) => *known.get(),
                Entry::Vacant(new) => match draft.add_argument(function, operand) {
                    Some(argument) => *new.insert(argument),
                    None => return false,
                },
            };
            user.set_operand(index, argument);
        }
    }
    if with_values(block, last, &values).is_none() {
        return false;
    }
    let others: Vec<Operation> =
        before.into_iter().filter(|op| *op != last && !is_constant(*op)).collect();
    let is_done = draft.set_results(function, &[])
        && draft.return_unused(function, moved)
        && others.iter().rev().all(|op| draft.erase(*op));
    draft.sweep();
    is_done
}
