//! Squares in vector registers.

use crate::loops::loop_ops::Emitted;
use halo_ir::{Builder, Value, ops::vector};

/// Rounds that transpose a square: each takes two vectors at a distance, and leaves two in
/// their places. What they select are single instructions for registers of 256 bits, within
/// halves of them but for the last.
struct Rounds {
    /// The distance and what the two select.
    rounds: &'static [(usize, [&'static [i64]; 2])],
    /// Where each result is.
    order: &'static [usize],
}

const FOUR: Rounds = Rounds {
    rounds: &[
        (1, [&[0, 4, 2, 6], &[1, 5, 3, 7]]),
        (2, [&[0, 1, 4, 5], &[2, 3, 6, 7]]),
    ],
    order: &[0, 1, 2, 3],
};
const EIGHT: Rounds = Rounds {
    rounds: &[
        (
            1,
            [&[0, 8, 1, 9, 4, 12, 5, 13], &[2, 10, 3, 11, 6, 14, 7, 15]],
        ),
        (
            2,
            [&[0, 1, 8, 9, 4, 5, 12, 13], &[2, 3, 10, 11, 6, 7, 14, 15]],
        ),
        (
            4,
            [&[0, 1, 2, 3, 8, 9, 10, 11], &[4, 5, 6, 7, 12, 13, 14, 15]],
        ),
    ],
    order: &[0, 2, 1, 3, 4, 6, 5, 7],
};

/// Transposes a square of n vectors of n lanes.
pub(super) fn transposed<'c>(
    builder: &Builder<'c>,
    mut rows: Vec<Value<'c>>,
) -> Emitted<Vec<Value<'c>>> {
    let Rounds { rounds, order } = match rows.len() {
        4 => FOUR,
        8 => EIGHT,
        _ => return interleave(builder, rows),
    };
    for (distance, selected) in rounds {
        for first in (0..rows.len()).filter(|number| number & distance == 0) {
            let second = first + distance;
            let pair = (rows[first], rows[second]);
            rows[first] = vector::shuffle(builder, pair.0, pair.1, selected[0])?;
            rows[second] = vector::shuffle(builder, pair.0, pair.1, selected[1])?;
        }
    }
    Ok(order.iter().map(|number| rows[*number]).collect())
}

/// Transposes a square of n vectors of n lanes. Each round interleaves the
/// vectors of the first half with those of the second, which rotates the bits
/// of an element's row and lane by one; log2(n) rounds exchange row and lane.
pub fn interleave<'c>(builder: &Builder<'c>, mut rows: Vec<Value<'c>>) -> Emitted<Vec<Value<'c>>> {
    let lanes = rows.len();
    let masks: Vec<Vec<i64>> = [0, lanes / 2]
        .iter()
        .map(|start| {
            (0..lanes)
                .map(|lane| (start + lane / 2 + (lane % 2) * lanes) as i64)
                .collect()
        })
        .collect();
    for _ in 0..lanes.ilog2() {
        let mut next = Vec::new();
        for number in 0..lanes / 2 {
            let (first, second) = (rows[number], rows[number + lanes / 2]);
            for mask in &masks {
                next.push(vector::shuffle(builder, first, second, mask)?);
            }
        }
        rows = next;
    }
    Ok(rows)
}
