//! The indices of the lanes of a vector relative to its first lane, and of unrolled iterations
//! relative to the first one.
//!
//! A vector of 16 lanes along `d` starts at a multiple of 16. Then `d floordiv 64` is the same for
//! all lanes, such as the scale of a group of 64 weights; `d floordiv 2` is 0, 0, 1, 1, 2, ..., such
//! as the bytes of pairs of 4-bit weights; and `d mod 8` repeats 0 to 7.

use super::prelude::*;
use access::Operator;
use halo_ir::prelude::*;

/// Vectors start at a multiple of their lanes, or of this number if they have more.
pub const MOST_LANES: i64 = 16;

/// The values of an index in the lanes of a vector, or in iterations.
struct Lanes {
    /// The value in the first lane.
    first: Expr,
    /// The value in each lane minus the value in the first lane.
    offsets: Vec<i64>,
    /// The value of the first lane is a multiple of this number, and all offsets are less; 0 if no
    /// such number is known.
    period: i64,
}

impl Lanes {
    /// The values of an index where the loop `dim` has these offsets from a multiple of `period`.
    fn of(index: &Expr, dim: usize, steps: (&[i64], i64)) -> Option<Self> {
        let uniform = |first: Expr| Self {
            first,
            offsets: vec![0; steps.0.len()],
            period: 1,
        };
        let (operator, lhs, rhs) = match index {
            _ if !index.mentions(dim) => return Some(uniform(index.clone())),
            Expr::Dim(_) | Expr::Constant(_) => {
                return Some(Self {
                    first: index.clone(),
                    offsets: steps.0.to_vec(),
                    period: steps.1,
                });
            }
            Expr::Binary(operator, lhs, rhs) => (operator, lhs, rhs),
        };
        let binary = |lhs, rhs| Expr::Binary(*operator, Box::new(lhs), Box::new(rhs));
        if *operator == Operator::Add {
            let (lhs, rhs) = (Self::of(lhs, dim, steps)?, Self::of(rhs, dim, steps)?);
            let offsets = lhs.offsets.iter().zip(&rhs.offsets);
            return Some(Self {
                offsets: offsets.map(|(lhs, rhs)| lhs + rhs).collect(),
                first: binary(lhs.first, rhs.first),
                period: 0,
            });
        }
        let (index, number) = match (&**lhs, &**rhs) {
            (_, Expr::Constant(number)) => (lhs, *number),
            (Expr::Constant(number), _) if *operator == Operator::Multiply => (rhs, *number),
            _ => return None,
        };
        let Self {
            first,
            offsets,
            period,
        } = Self::of(index, dim, steps)?;
        let first = binary(first, Expr::Constant(number));
        let map = |period: i64, change: &dyn Fn(i64) -> i64| Self {
            first: first.clone(),
            offsets: offsets.iter().map(|offset| change(*offset)).collect(),
            period,
        };
        let is_whole = number > 0 && period > 0 && number % period == 0;
        let is_part = number > 0 && period > 0 && period % number == 0;
        match operator {
            Operator::Multiply if number > 0 => {
                Some(map(period * number, &|offset| offset * number))
            }
            Operator::FloorDivide if is_whole => Some(uniform(first)),
            Operator::FloorDivide if is_part => {
                Some(map(period / number, &|offset| offset / number))
            }
            Operator::Modulo if is_whole => Some(map(period, &|offset| offset)),
            Operator::Modulo if is_part => Some(Self {
                first: Expr::Constant(0),
                ..map(number, &|offset| offset % number)
            }),
            _ => None,
        }
    }
}

/// The offsets of the elements of an access from the element of the first lane, in elements, if a
/// vector of adjacent elements contains all.
pub fn lane_offsets(indices: &[Expr], dim: usize, lanes: i64) -> Option<Vec<i64>> {
    let Some((last, outer)) = indices.split_last() else {
        return Some(vec![0; lanes as usize]);
    };
    let steps = (0..lanes).collect::<Vec<_>>();
    let of_lanes = |index: &Expr| Lanes::of(index, dim, (&steps, lanes));
    for index in outer {
        let lanes = of_lanes(index)?;
        lanes.offsets.iter().all(|offset| *offset == 0).then_some(())?;
    }
    let offsets = of_lanes(last)?.offsets;
    offsets.iter().all(|offset| (0..lanes).contains(offset)).then_some(offsets)
}

/// An iteration of an unrolled loop.
#[derive(Clone, Copy, Debug)]
pub struct Unrolled<'c> {
    /// The loop.
    pub dim: usize,
    /// Its index in the first iteration, a multiple of `count`.
    pub first: Value<'c>,
    /// The number of this iteration.
    pub number: i64,
    /// The number of iterations.
    pub count: i64,
}

impl<'c> Unrolled<'c> {
    /// An index in this iteration as a function of the index of the loop in the first iteration.
    pub fn index(&self, index: &Expr) -> Expr {
        match Lanes::of(index, self.dim, (&[self.number], self.count)) {
            Some(Lanes { first, offsets, .. }) => match first {
                Expr::Constant(first) => Expr::Constant(first + offsets[0]),
                first => first.plus(offsets[0]),
            },
            None => {
                let mut moved = index.clone();
                moved.rename(&|dim| {
                    let number = if dim == self.dim { self.number } else { 0 };
                    Expr::Dim(dim).plus(number)
                });
                moved
            }
        }
    }

    /// The indices of loops in the first iteration.
    pub fn ivs(&self, ivs: &[Value<'c>]) -> Vec<Value<'c>> {
        let mut ivs = ivs.to_vec();
        ivs[self.dim] = self.first;
        ivs
    }
}

/// Returns true if all lanes have the same element.
pub fn are_uniform(offsets: &[i64]) -> bool {
    offsets.iter().all(|offset| *offset == 0)
}

/// Returns true if the lanes have adjacent elements.
pub fn are_adjacent(offsets: &[i64]) -> bool {
    (0..).zip(offsets).all(|(lane, offset)| lane == *offset)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn binary(operator: Operator, lhs: Expr, rhs: i64) -> Expr {
        Expr::Binary(operator, Box::new(lhs), Box::new(Expr::Constant(rhs)))
    }

    fn divided(index: Expr, by: i64) -> Expr {
        binary(Operator::FloorDivide, index, by)
    }

    fn remainder(index: Expr, by: i64) -> Expr {
        binary(Operator::Modulo, index, by)
    }

    #[test]
    fn lanes_have_offsets_where_vectors_are_aligned() {
        let offsets = |index: Expr| lane_offsets(&[Expr::Dim(1), index], 0, 8);
        let k = || Expr::Dim(0);
        assert_eq!(offsets(k()), Some((0..8).collect()));
        assert_eq!(offsets(Expr::Dim(1)), Some(vec![0; 8]));
        assert_eq!(offsets(divided(k(), 64)), Some(vec![0; 8]));
        assert_eq!(offsets(divided(k(), 2)), Some(vec![0, 0, 1, 1, 2, 2, 3, 3]));
        assert_eq!(
            offsets(remainder(k(), 4)),
            Some(vec![0, 1, 2, 3, 0, 1, 2, 3])
        );
        assert_eq!(offsets(remainder(k(), 64)), Some((0..8).collect()));
        let byte = divided(remainder(k(), 64), 2);
        assert_eq!(offsets(byte), Some(vec![0, 0, 1, 1, 2, 2, 3, 3]));
        // Not aligned, strided, or not a part of a vector.
        assert_eq!(offsets(divided(k(), 3)), None);
        assert_eq!(offsets(divided(k().plus(1), 2)), None);
        assert_eq!(offsets(binary(Operator::Multiply, k(), 2)), None);
        assert_eq!(lane_offsets(&[k(), Expr::Dim(1)], 0, 8), None);
        assert_eq!(
            lane_offsets(&[divided(k(), 8), Expr::Dim(1)], 0, 8),
            Some(vec![0; 8])
        );
    }
}
