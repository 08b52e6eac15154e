//! LU with partial pivoting, in blocks of columns (Golub and Van Loan, Matrix
//! Computations, section 3.4).
//!
//! A column without a pivot is unchanged, as in LAPACK, so that the determinant of a singular
//! matrix is 0 and not NaN.

use faer::{MatMut, reborrow::ReborrowMut};

use crate::linear_algebra::Transpose;
use crate::linear_algebra::matrix::{Field, Matrix, plain, subtract_product, view_mut};
use crate::linear_algebra::triangular::{Triangle, solve};

/// The number of columns that are eliminated before the remaining part is updated with a matrix
/// product.
const BLOCK: usize = 32;

pub(crate) fn factor<T: Field>(
    a: &mut [T],
    (rows, columns): Matrix,
    pivots: &mut [usize],
) -> Option<usize> {
    let rank = rows.min(columns);
    let mut singular = None;
    let mut a = view_mut(a, (rows, columns));
    for begin in (0..rank).step_by(BLOCK) {
        let end = (begin + BLOCK).min(rank);
        for (column, pivot) in (begin..end).zip(&mut pivots[begin..end]) {
            if !eliminate(a.rb_mut(), column, end, pivot) {
                singular = singular.or(Some(column));
            }
        }
        let (left, right) = a.rb_mut().split_at_col_mut(end);
        let panel = left.as_ref().subcols(begin, end - begin).subrows(begin, rows - begin);
        let right = right.subrows_mut(begin, rows - begin);
        let (diagonal, below) = panel.split_at_row(end - begin);
        let (mut upper, lower) = right.split_at_row_mut(end - begin);
        let unit_lower = Triangle {
            left: true,
            lower: true,
            unit: true,
            transpose: Transpose::No,
        };
        if upper.ncols() != 0 {
            solve(diagonal, upper.rb_mut(), unit_lower);
            if lower.nrows() != 0 {
                subtract_product(lower, plain(below), plain(upper.as_ref()));
            }
        }
    }
    singular
}

/// Swaps the largest element of a column to the diagonal, and eliminates the elements below it in
/// the columns up to `end`. Returns false if all are 0.
fn eliminate<T: Field>(mut a: MatMut<'_, T>, column: usize, end: usize, pivot: &mut usize) -> bool {
    let rows = a.nrows();
    // LAPACK compares |re| + |im|.
    let size = |value: &T| T::abs1_impl(value);
    let mut best = column;
    let mut largest = size(&a[(column, column)]);
    for row in column + 1..rows {
        let candidate = size(&a[(row, column)]);
        if candidate > largest {
            (best, largest) = (row, candidate);
        }
    }
    *pivot = best;
    if best != column {
        for other in 0..a.ncols() {
            let value = a[(column, other)];
            a[(column, other)] = a[(best, other)];
            a[(best, other)] = value;
        }
    }
    let diagonal = a[(column, column)];
    if diagonal == T::zero_impl() {
        return false;
    }
    for row in column + 1..rows {
        a[(row, column)] = a[(row, column)].divided_by(diagonal);
    }
    for other in column + 1..end {
        let factor = a[(column, other)];
        for row in column + 1..rows {
            let product = a[(row, column)] * factor;
            a[(row, other)] -= product;
        }
    }
    true
}
