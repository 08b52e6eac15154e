//! Reduces the sizes of tensors: one size, at all its occurrences, becomes another.
//!
//! ```mlir
//! %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
//!        : (tensor<64x1024xf32>, tensor<1024x64xf32>) -> tensor<64x64xf32>
//! ```
//! becomes
//! ```mlir
//! %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
//!        : (tensor<1x2xf32>, tensor<2x1xf32>) -> tensor<1x1xf32>
//! ```
//!
//! Constants keep their first elements, and attributes with sizes are updated. If ops derive a size
//! from others, like reshapes and concatenations, most changes give invalid programs, which cost no
//! test.

use crate::{
    program::{Program, value_types},
    retyping::Retyping,
    session::Reduction,
};
use halo::{ir::root_of, prelude::*};
use std::collections::BTreeSet;

/// The sizes to try for all larger ones, and for each.
const SMALL: [i64; 6] = [1, 2, 3, 4, 8, 16];

/// The maximum number of different sizes that are tried one by one.
const MOST_SIZES: usize = 24;

pub const REDUCTION: Reduction = Reduction {
    name: "shrink shapes",
    alternatives: true,
    restarts: false,
    sites: |program: &Program| alternatives(root_of(program.module())).len(),
    apply: |draft, range| {
        let alternatives = alternatives(draft.root);
        match alternatives.get(range.start) {
            Some(change) if range.len() == 1 => {
                Retyping::of_sizes(|size| change.of(size)).apply(draft.root).is_some()
            }
            _ => false,
        }
    },
};

/// A change of sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Change {
    /// All larger sizes become this.
    Limit(i64),
    /// One size becomes another.
    Size { from: i64, to: i64 },
}

impl Change {
    fn of(self, size: i64) -> i64 {
        match self {
            Self::Limit(most) => size.min(most),
            Self::Size { from, to } if size == from => to,
            Self::Size { .. } => size,
        }
    }
}

fn alternatives(root: Operation) -> Vec<Change> {
    let sizes = sizes(root);
    let Some(largest) = sizes.last().copied() else {
        return Vec::new();
    };
    let below = |size: i64| SMALL.into_iter().filter(move |small| *small < size);
    let mut changes: Vec<Change> = below(largest).map(Change::Limit).collect();
    for from in sizes.iter().rev().take(MOST_SIZES).copied() {
        let half = Some(from / 2).filter(|half| !SMALL.contains(half));
        let smaller = below(from).chain(half);
        changes.extend(smaller.map(|to| Change::Size { from, to }));
    }
    changes
}

/// The sizes in a program that can be reduced.
fn sizes(root: Operation) -> BTreeSet<i64> {
    let types = value_types(root).into_iter();
    let sizes = types.filter_map(Type::shape).flatten().flatten();
    sizes.filter(|size| *size > 1).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_of_one_size_or_of_all() {
        let limit = Change::Limit(2);
        assert_eq!([1, 2, 3].map(|size| limit.of(size)), [1, 2, 2]);
        let one = Change::Size { from: 3, to: 1 };
        assert_eq!([1, 2, 3].map(|size| one.of(size)), [1, 2, 1]);
    }
}
