//! Substitution.

use faer::linalg::triangular_solve::{
    solve_lower_triangular_in_place_with_conj, solve_unit_lower_triangular_in_place_with_conj,
    solve_unit_upper_triangular_in_place_with_conj, solve_upper_triangular_in_place_with_conj,
};
use faer::{Conj, MatMut, MatRef, Par};
use num_traits::Float;

use crate::linear_algebra::matrix::Field;

/// The operation `op(a)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transpose {
    No,
    Transposed,
    /// The transposed conjugate.
    Adjoint,
}

/// The coefficients of a system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Triangle {
    /// `op(a) x = b`, else `x op(a) = b`.
    pub left: bool,
    /// Which triangle of `a` is read.
    pub lower: bool,
    /// Whether the diagonal is taken as 1, without reading it.
    pub unit: bool,
    pub transpose: Transpose,
}

pub(crate) fn solve<T: Field>(a: MatRef<'_, T>, b: MatMut<'_, T>, triangle: Triangle) {
    if b.nrows() == 0 || b.ncols() == 0 {
        return;
    }
    // Solving from the right is solving the transposed system from the left.
    let b = if triangle.left { b } else { b.transpose_mut() };
    let flipped = (triangle.transpose != Transpose::No) == triangle.left;
    let a = if flipped { a.transpose() } else { a };
    let conj = match triangle.transpose {
        Transpose::Adjoint => Conj::Yes,
        _ => Conj::No,
    };
    let lower = triangle.lower != flipped;
    if !triangle.unit && !can_be_inverted(a) {
        return substitute(a, conj, b, lower);
    }
    match (lower, triangle.unit) {
        (true, false) => solve_lower_triangular_in_place_with_conj(a, conj, b, Par::Seq),
        (true, true) => solve_unit_lower_triangular_in_place_with_conj(a, conj, b, Par::Seq),
        (false, false) => solve_upper_triangular_in_place_with_conj(a, conj, b, Par::Seq),
        (false, true) => solve_unit_upper_triangular_in_place_with_conj(a, conj, b, Par::Seq),
    }
}

/// Returns true if no element of the diagonal is zero or infinite.
fn can_be_inverted<T: Field>(a: MatRef<'_, T>) -> bool {
    let is_regular = |number: usize| {
        let value = a[(number, number)];
        !value.is_zero() && value.real().is_finite() && value.imaginary().is_finite()
    };
    (0..a.nrows()).all(is_regular)
}

/// Divides by each element of the diagonal, if the product with the inverse of a block would be
/// NaN: a solution of a singular system is infinite, as in LAPACK.
fn substitute<T: Field>(a: MatRef<'_, T>, conj: Conj, mut b: MatMut<'_, T>, lower: bool) {
    let element = |row: usize, column: usize| match conj {
        Conj::Yes => Field::conj(a[(row, column)]),
        Conj::No => a[(row, column)],
    };
    let size = a.nrows();
    for column in 0..b.ncols() {
        for step in 0..size {
            let (row, rest) = if lower {
                (step, step + 1..size)
            } else {
                (size - 1 - step, 0..size - 1 - step)
            };
            let solution = b[(row, column)].divided_by(element(row, row));
            b[(row, column)] = solution;
            for other in rest {
                b[(other, column)] -= solution * element(other, row);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linear_algebra::Number;

    /// Values: LAPACK's.
    #[test]
    fn singular_systems_have_infinite_solutions() {
        let solve = |a: [f32; 4], b: [f32; 2], lower: bool, transpose: Transpose| {
            let mut x = b;
            let triangle = Triangle {
                left: true,
                lower,
                unit: false,
                transpose,
            };
            let a = MatRef::from_column_major_slice(&a, 2, 2);
            let target = MatMut::from_column_major_slice_mut(&mut x, 2, 1);
            f32::solve_triangular(a, target, triangle);
            x
        };
        let (no, inf) = (Transpose::No, f32::INFINITY);
        assert_eq!(
            solve([0.0, 0.0, 0.0, 1.0], [1.0, 1.0], false, no),
            [inf, 1.0]
        );
        assert_eq!(
            solve([0.0, 0.0, 1.0, 1.0], [0.0, 1.0], false, no),
            [-inf, 1.0]
        );
        assert_eq!(
            solve([0.0, 0.0, 1.0, 0.0], [1.0, 1.0], false, no),
            [-inf, inf]
        );
        let transposed = Transpose::Transposed;
        assert_eq!(
            solve([1.0, 1.0, 0.0, 0.0], [1.0, 0.0], true, no),
            [1.0, -inf]
        );
        assert_eq!(
            solve([1.0, 0.0, 1.0, 0.0], [1.0, 0.0], false, transposed),
            [1.0, -inf]
        );
        assert_eq!(
            solve([inf, 2.0, 0.0, 3.0], [1.0, 6.0], true, no),
            [0.0, 2.0]
        );
    }
}
