//! Ops that move elements or compute them from their positions.

use super::rule::{Build, Draft, Kind, Tensor, Window, contains, index};
use halo_ir::prelude::*;
use num_integer::gcd;

pub(super) const RULES: &[(&str, Build)] = &[
    (stablehlo::BitcastConvertOp::NAME, bitcast_convert),
    (stablehlo::BroadcastInDimOp::NAME, broadcast_in_dim),
    (stablehlo::ConcatenateOp::NAME, concatenate),
    (stablehlo::IotaOp::NAME, iota),
    (stablehlo::ReshapeOp::NAME, reshape),
    (stablehlo::ReverseOp::NAME, reverse),
    (stablehlo::TransposeOp::NAME, transpose),
];

const OPERAND: Tensor = Tensor::Operand(0);
const RESULT: Tensor = Tensor::Result(0);

fn transpose(op: Operation, draft: &mut Draft) -> Option<()> {
    let permutation = op.cast::<stablehlo::TransposeOp>()?.permutation();
    for (to, from) in permutation.into_iter().enumerate() {
        draft.parallel(&[(OPERAND, index(from)), (RESULT, to)]);
    }
    draft.rule.is_pass_through = true;
    Some(())
}

/// Expanded dimensions of size 1 are treated like new ones.
fn broadcast_in_dim(op: Operation, draft: &mut Draft) -> Option<()> {
    let dimensions = op.cast::<stablehlo::BroadcastInDimOp>()?;
    let dimensions = dimensions.broadcast_dimensions();
    for to in 0..draft.rank(RESULT) {
        let from = dimensions.iter().position(|one| index(*one) == to);
        let from = from.map(|from| (OPERAND, from));
        let all = from.into_iter().chain([(RESULT, to)]);
        draft.parallel(&all.collect::<Vec<_>>());
    }
    let count = |tensor| draft.sizes(tensor).iter().product::<i64>();
    draft.rule.is_expanding = count(RESULT) > count(OPERAND);
    draft.rule.is_pass_through = true;
    Some(())
}

fn iota(_: Operation, draft: &mut Draft) -> Option<()> {
    (0..draft.rank(RESULT)).for_each(|dimension| draft.parallel(&[(RESULT, dimension)]));
    Some(())
}

/// All dimensions, except for the last one if the element width changes.
fn bitcast_convert(_: Operation, draft: &mut Draft) -> Option<()> {
    for dimension in 0..draft.rank(OPERAND).min(draft.rank(RESULT)) {
        draft.parallel(&[(OPERAND, dimension), (RESULT, dimension)]);
    }
    Some(())
}

fn reverse(op: Operation, draft: &mut Draft) -> Option<()> {
    let reversed = op.cast::<stablehlo::ReverseOp>()?.dimensions();
    for dimension in 0..draft.rank(RESULT) {
        let kind = if contains(&reversed, dimension) {
            Kind::Mirrored
        } else {
            Kind::Parallel
        };
        draft.dimensions(kind, &[(OPERAND, dimension), (RESULT, dimension)]);
    }
    Some(())
}

/// Along the concatenated dimension, a part of the result is a window of each operand, where it has
/// elements.
fn concatenate(op: Operation, draft: &mut Draft) -> Option<()> {
    let op = op.cast::<stablehlo::ConcatenateOp>()?;
    let count = op.inputs().len();
    let joined = index(op.dimension());
    let mut start = 0;
    for operand in 0..count {
        draft.rule.starts.push(start);
        start += draft.sizes(Tensor::Operand(operand)).get(joined).copied()?;
    }
    let window = Window {
        stride: 1,
        offset: 0,
        extent: 1,
    };
    for dimension in 0..draft.rank(RESULT) {
        let kind = if dimension == joined {
            Kind::Window(window)
        } else {
            Kind::Parallel
        };
        let operands = (0..count).map(|one| (Tensor::Operand(one), dimension));
        let all = operands.chain([(RESULT, dimension)]);
        draft.dimensions(kind, &all.collect::<Vec<_>>());
    }
    Some(())
}

/// Sizes that are common products of both shapes, from major to minor. If a dimension ends within
/// one of the other shape, their greatest common divisor is a factor, and the remainder is whole:
///
/// ```text
/// 8x6 -> 2x4x6   [i j, k] -> [i, j, k]
/// 4x6 -> 6x4     [i r, s] -> [i t, u]     i = 2; r, s, t and u whole
/// ```
fn reshape(_: Operation, draft: &mut Draft) -> Option<()> {
    common_factors(draft)
}

fn common_factors(draft: &mut Draft) -> Option<()> {
    let (from, to) = (draft.sizes(OPERAND).to_vec(), draft.sizes(RESULT).to_vec());
    if from.contains(&0) || to.contains(&0) {
        return Some(());
    }
    let (mut own, mut other) = (0, 0);
    let (mut left, mut right) = (1, 1);
    loop {
        // The remaining sizes of the current dimensions.
        while left == 1 && own < from.len() {
            left = from[own];
            own += 1;
        }
        while right == 1 && other < to.len() {
            right = to[other];
            other += 1;
        }
        if left == 1 || right == 1 {
            break;
        }
        let size = gcd(left, right);
        if size > 1 {
            let all = [(OPERAND, own - 1), (RESULT, other - 1)];
            draft.factor(size, Kind::Parallel, &all);
        }
        (left, right) = (left / size, right / size);
        if left == 1 || right == 1 {
            continue;
        }
        // Neither divides the other: both shapes are whole until their products are equal again.
        draft.factor(left, Kind::Whole, &[(OPERAND, own - 1)]);
        draft.factor(right, Kind::Whole, &[(RESULT, other - 1)]);
        let (mut before, mut after) = (left, right);
        while before != after {
            if before < after {
                let size = *from.get(own)?;
                draft.factor(size, Kind::Whole, &[(OPERAND, own)]);
                before *= size;
                own += 1;
            } else {
                let size = *to.get(other)?;
                draft.factor(size, Kind::Whole, &[(RESULT, other)]);
                after *= size;
                other += 1;
            }
        }
        (left, right) = (1, 1);
    }
    draft.rule.is_pass_through = true;
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sharding::rules::Rule;

    /// The factors of both shapes, and their sizes.
    fn reshaped(from: &[i64], to: &[i64]) -> (Vec<Vec<usize>>, Vec<Vec<usize>>, Vec<i64>) {
        let empty = |sizes: &[i64]| vec![vec![Vec::new(); sizes.len()]];
        let mut draft = Draft {
            rule: Rule {
                operands: empty(from),
                results: empty(to),
                ..Rule::default()
            },
            operands: vec![from.to_vec()],
            results: vec![to.to_vec()],
        };
        common_factors(&mut draft).unwrap();
        let rule = draft.rule;
        let parallel = |factors: &Vec<Vec<usize>>| {
            let is_parallel = |one: &usize| rule.factors[*one].kind == Kind::Parallel;
            let own = factors.iter();
            own.map(|own| own.iter().copied().filter(is_parallel).collect()).collect()
        };
        let sizes = rule.factors.iter().map(|factor| factor.size);
        (
            parallel(&rule.operands[0]),
            parallel(&rule.results[0]),
            sizes.collect(),
        )
    }

    #[test]
    fn reshapes_have_the_factors_of_both_shapes() {
        let (from, to, sizes) = reshaped(&[8, 6], &[2, 4, 6]);
        assert_eq!(
            (from, to),
            (vec![vec![0, 1], vec![2]], vec![vec![0], vec![1], vec![2]])
        );
        assert_eq!(sizes, [2, 4, 6]);
        let (from, to, _) = reshaped(&[1, 8], &[8, 1]);
        assert_eq!((from, to), (vec![vec![], vec![0]], vec![vec![0], vec![]]));
        let (from, to, sizes) = reshaped(&[4, 6], &[6, 4]);
        assert_eq!((from, to), (vec![vec![0], vec![]], vec![vec![0], vec![]]));
        assert_eq!(sizes, [2, 2, 3, 6, 4]);
        let (from, to, _) = reshaped(&[6, 5, 2], &[10, 6, 1]);
        assert_eq!(
            (from, to),
            (vec![vec![0], vec![], vec![]], vec![vec![0], vec![], vec![]])
        );
    }
}
