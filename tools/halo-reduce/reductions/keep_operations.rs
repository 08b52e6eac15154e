//! Keeps a contiguous range of ops, and removes all others like `remove_operations`.
//!
//! A failure often depends on a few adjacent ops, and programs of these alone are tested faster
//! than programs that lack some ops. If the ops before amplify rounding, only such a program shows
//! the miscompile.
//!
//! ```mlir
//! func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
//!   %0 = stablehlo.sine %a : tensor<4xf32>
//!   %1 = stablehlo.negate %0 : tensor<4xf32>
//!   %2 = stablehlo.tanh %1 : tensor<4xf32>
//!   %3 = stablehlo.cosine %2 : tensor<4xf32>
//!   return %3 : tensor<4xf32>
//! }
//! ```
//! becomes
//! ```mlir
//! func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
//!   %1 = stablehlo.negate %a : tensor<4xf32>
//!   %2 = stablehlo.tanh %1 : tensor<4xf32>
//!   return %2 : tensor<4xf32>
//! }
//! ```

use super::remove_operations::in_functions;
use crate::{
    functions::numbered,
    interest::{Interest, Outcome},
    program::{Draft, Program, inner_operations, is_constant},
    session::{Halt, Reduction, Session},
};
use halo::{ir::root_of, prelude::*};
use std::ops::Range;

/// The minimum part of a program to try, and the minimum number of ops.
const LEAST_PART: usize = 32;
const FEWEST: usize = 4;

/// The number of ops to keep on both sides of one.
const REACHES: [usize; 6] = [0, 1, 2, 4, 8, 16];

/// The results of all values must fit into memory twice.
const MOST_BYTES: u64 = 1 << 30;

/// For ops directly in functions.
pub const OF_FUNCTIONS: Reduction = Reduction {
    name: "keep neighbours of functions",
    alternatives: true,
    restarts: false,
    sites: |program: &Program| windows(in_functions(root_of(program.module())).len()).len(),
    apply: |draft, range| {
        let ops = in_functions(draft.root);
        match windows(ops.len()).get(range.start) {
            Some(kept) => keep(draft, &ops, kept),
            None => false,
        }
    },
};

/// For the ops of one region.
pub const OF_REGIONS: Reduction = Reduction {
    name: "keep neighbours of regions",
    alternatives: true,
    restarts: false,
    sites: |program: &Program| {
        let blocks = regions(root_of(program.module())).into_iter();
        blocks.map(|ops| windows(ops.len()).len()).sum()
    },
    apply: |draft, range| {
        let mut number = range.start;
        for ops in regions(draft.root) {
            let windows = windows(ops.len());
            match windows.get(number) {
                Some(kept) => return keep(draft, &ops, kept),
                None => number -= windows.len(),
            }
        }
        false
    },
};

/// The ops of each region.
fn regions(root: Operation<'_>) -> Vec<Vec<Operation<'_>>> {
    let outer = in_functions(root);
    let mut regions: Vec<Vec<Operation>> = Vec::new();
    for op in inner_operations(root) {
        if is_constant(op) || outer.contains(&op) {
            continue;
        }
        let block = op.block();
        match regions.iter_mut().find(|ops| ops[0].block() == block) {
            Some(ops) => ops.push(op),
            None => regions.push(vec![op]),
        }
    }
    regions
}

fn keep<'m>(draft: &mut Draft<'m, '_>, ops: &[Operation<'m>], kept: &Range<usize>) -> bool {
    draft.remove(&[&ops[..kept.start], &ops[kept.end..]].concat())
}

/// Finds the first op with a wrong value, by a program that returns all values, and keeps the ops
/// around it. Returns true if it was found; other results may change decisions of the compiler.
///
/// # Errors
/// Returns an error at the limits, or if a test cannot be run.
pub fn localize(session: &mut Session) -> Result<bool, Halt> {
    let is_wanted = matches!(session.interest, Interest::Differs { .. });
    if !is_wanted || session.program.value_bytes() > MOST_BYTES {
        return Ok(false);
    }
    let Some(Outcome::Differs(difference)) = session.probe(return_all)? else {
        return Ok(false);
    };
    let ops = returned(root_of(session.program.module()));
    let Some(position) = difference.first.and_then(|first| ops.get(first).copied()) else {
        return Ok(false);
    };
    let found = session.first(REACHES.len(), |program, number| {
        program.changed(|draft| {
            let ops = in_functions(draft.root);
            let reach = REACHES[number];
            let end = (position + reach + 1).min(ops.len());
            let kept = position.saturating_sub(reach)..end;
            kept.len() < ops.len() && keep(draft, &ops, &kept)
        })
    })?;
    Ok(found.is_some())
}

/// The index of the op of each value that [`return_all`] returns.
fn returned(root: Operation) -> Vec<usize> {
    let ops = in_functions(root).into_iter().enumerate();
    let numbers = ops.flat_map(|(number, op)| {
        let results = op.results().into_iter();
        let tensors = results.filter(|value| value.ty().is_tensor());
        tensors.map(move |_| number).collect::<Vec<_>>()
    });
    numbers.collect()
}

/// Makes the entry return all tensors that it computes, and nothing else.
fn return_all(draft: &mut Draft) -> bool {
    let Some(function) = draft.entry_function() else {
        return false;
    };
    let Some(last) = function.body(0).and_then(Block::terminator) else {
        return false;
    };
    let ops = in_functions(draft.root);
    let is_only = ops.iter().all(|op| op.block() == last.block());
    let values = ops.into_iter().flat_map(Operation::results);
    let values: Vec<_> = values
        .filter(|value| value.ty().is_tensor())
        .map(|value| (value, None))
        .collect();
    let before = numbered(last.operands()).len();
    is_only
        && values.len() > before
        && draft.is_open(function)
        && draft.set_results(function, &values)
}

/// Windows of halves, quarters and so on of the ops, overlapping by half, so that the end of one
/// window is the middle of the next.
fn windows(count: usize) -> Vec<Range<usize>> {
    let mut windows = Vec::new();
    let mut length = count.div_ceil(2);
    while length < count && length >= FEWEST.max(count / LEAST_PART) {
        let step = length.div_ceil(2);
        let starts = (0..count - length).step_by(step).chain([count - length]);
        windows.extend(starts.map(|start| start..start + length));
        length = length.div_ceil(2);
    }
    windows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_overlap() {
        assert_eq!(windows(8), [0..4, 2..6, 4..8]);
        assert_eq!(windows(7), [0..4, 2..6, 3..7]);
        assert!(windows(6).is_empty());
        let of_500 = windows(500);
        assert_eq!(&of_500[..3], [0..250, 125..375, 250..500]);
        assert!(of_500.len() < 130, "{}", of_500.len());
        assert!(of_500.iter().all(|window| window.end <= 500));
    }
}
