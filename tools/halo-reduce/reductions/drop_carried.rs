//! Drops loop-carried values, results of branches, and operands of variadic reductions and sorts.
//!
//! ```mlir
//! %0:2 = stablehlo.while(%i = %a, %j = %b) : tensor<f32>, tensor<f32>
//!   cond {
//!     %1 = stablehlo.compare LT, %i, %a : (tensor<f32>, tensor<f32>) -> tensor<i1>
//!     stablehlo.return %1 : tensor<i1>
//!   } do {
//!     %1 = stablehlo.add %i, %j : tensor<f32>
//!     stablehlo.return %1, %j : tensor<f32>, tensor<f32>
//!   }
//! ```
//! becomes
//! ```mlir
//! %0 = stablehlo.while(%i = %a) : tensor<f32>
//!   cond {
//!     %1 = stablehlo.compare LT, %i, %a : (tensor<f32>, tensor<f32>) -> tensor<i1>
//!     stablehlo.return %1 : tensor<i1>
//!   } do {
//!     %1 = stablehlo.add %i, %b : tensor<f32>
//!     stablehlo.return %1 : tensor<f32>
//!   }
//! ```

use crate::{
    program::{Draft, Program, inner_operations},
    session::Reduction,
};
use halo::{ir::root_of, prelude::*};
use std::collections::BTreeSet;

pub const REDUCTION: Reduction = Reduction {
    name: "drop carried values",
    alternatives: false,
    restarts: false,
    sites: |program: &Program| sites(root_of(program.module())).len(),
    apply: |draft, range| {
        let sites = sites(draft.root);
        let Some(chosen) = sites.get(range) else {
            return false;
        };
        let mut ops: Vec<Operation> = chosen.iter().map(|(op, _)| *op).collect();
        ops.dedup();
        // Inner ones first; they move with the outer ones.
        for op in ops.into_iter().rev() {
            let of_op = chosen.iter().filter(|(other, _)| *other == op);
            let numbers: BTreeSet<usize> = of_op.map(|(_, number)| *number).collect();
            if !drop_values(draft, op, &numbers) {
                return false;
            }
        }
        draft.sweep();
        true
    },
};

/// The ops of this kind with the numbers of their results.
fn sites(root: Operation<'_>) -> Vec<(Operation<'_>, usize)> {
    let mut found = Vec::new();
    for op in inner_operations(root) {
        let least = match op.name() {
            "stablehlo.while" | "stablehlo.if" | "stablehlo.case" => 1,
            "stablehlo.reduce" | "stablehlo.sort" => 2,
            _ => continue,
        };
        let count = op.result_count();
        if count >= least {
            found.extend((0..count).map(|number| (op, number)));
        }
    }
    found
}

/// The parts of an op that belong to some results.
struct Parts {
    operands: BTreeSet<usize>,
    /// The arguments of each region's block.
    arguments: BTreeSet<usize>,
    /// The regions that return them.
    returning: Vec<usize>,
}

impl Parts {
    fn of(op: Operation, numbers: &BTreeSet<usize>) -> Self {
        let count = op.result_count();
        let both = || numbers.iter().flat_map(|it| [*it, it + count]).collect();
        match op.name() {
            "stablehlo.while" => Self {
                operands: numbers.clone(),
                arguments: numbers.clone(),
                returning: vec![1],
            },
            "stablehlo.reduce" => Self {
                operands: both(),
                arguments: both(),
                returning: vec![0],
            },
            "stablehlo.sort" => Self {
                operands: numbers.clone(),
                arguments: numbers.iter().flat_map(|it| [2 * it, 2 * it + 1]).collect(),
                returning: Vec::new(),
            },
            _ => Self {
                operands: BTreeSet::new(),
                arguments: BTreeSet::new(),
                returning: (0..op.region_count()).collect(),
            },
        }
    }
}

fn drop_values<'m>(
    draft: &mut Draft<'m, '_>,
    op: Operation<'m>,
    numbers: &BTreeSet<usize>,
) -> bool {
    let parts = Parts::of(op, numbers);
    let results = op.results();
    for number in numbers {
        let result = results[*number];
        if result.is_unused() {
            continue;
        }
        match draft.stand_in(result, op) {
            Some(value) => result.replace_uses_with(value),
            None => return false,
        }
    }
    let operands = op.operands();
    for region in 0..op.region_count() {
        let Some(block) = op.body(region) else {
            return false;
        };
        if parts.returning.contains(&region) && !return_without(block, numbers) {
            return false;
        }
        if !drop_arguments(draft, op, block, &parts, &operands) {
            return false;
        }
    }
    let kept = |dropped: &BTreeSet<usize>, values: &[Value<'m>]| -> Vec<Value<'m>> {
        let all = values.iter().enumerate();
        let kept = all.filter(|(number, _)| !dropped.contains(number));
        kept.map(|(_, value)| *value).collect()
    };
    let operands = kept(&parts.operands, &operands);
    let results = kept(numbers, &results);
    let types = results.types();
    let created = with_builder(op, |b| {
        let mut new = b.op(op.name()).operands(&operands).results(&types);
        for (name, attribute) in op.attributes() {
            new = new.attribute(name, attribute);
        }
        for region in (0..op.region_count()).filter_map(|number| op.take_region(number)) {
            new = new.region(region);
        }
        new.try_insert()
    });
    let Ok(created) = created else {
        return false;
    };
    for (old, new) in results.into_iter().zip(created.results()) {
        old.replace_uses_with(new);
    }
    draft.erase(op)
}

/// Drops operands of a terminator.
fn return_without(block: Block, numbers: &BTreeSet<usize>) -> bool {
    let Some(last) = block.terminator() else {
        return false;
    };
    let all = last.operands().into_iter().enumerate();
    let kept: Vec<Value> = all
        .filter(|(number, _)| !numbers.contains(number))
        .map(|(_, value)| value)
        .collect();
    with_builder(last, |b| {
        b.op(last.name()).operands(&kept).try_insert()?;
        b.try_erase(last)
    })
    .is_ok()
}

fn drop_arguments<'m>(
    draft: &mut Draft<'m, '_>,
    op: Operation<'m>,
    block: Block<'m>,
    parts: &Parts,
    operands: &[Value<'m>],
) -> bool {
    let arguments = block.arguments();
    let is_loop = op.name() == "stablehlo.while";
    for number in parts.arguments.iter().rev() {
        let argument = arguments[*number];
        if !argument.is_unused() {
            // The regions of loops capture values; others use only their arguments.
            let first = block.operations().first().copied();
            let value = if is_loop {
                operands.get(*number).copied()
            } else {
                first.and_then(|first| draft.stand_in(argument, first))
            };
            match value {
                Some(value) => argument.replace_uses_with(value),
                None => return false,
            }
        }
        block.erase_argument(*number);
    }
    true
}
