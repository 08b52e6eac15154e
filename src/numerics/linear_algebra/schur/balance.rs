//! Rows and columns that isolate an eigenvalue, as in LAPACK's `gebal`: a permuted triangular
//! matrix needs no iteration (Parlett and Reinsch, "Balancing a matrix for calculation of
//! eigenvalues and eigenvectors", 1969).

use std::ops::Range;

use crate::linear_algebra::matrix::Field;

/// Rows and columns that were exchanged, in this order.
pub(super) type Exchanges = Vec<(usize, usize)>;

/// Moves rows whose off-diagonal elements are 0 to the end, and such columns to the front, as long
/// as the remaining range has any, and returns that range.
pub(super) fn isolate<T: Field>(a: &mut [T], size: usize) -> (Range<usize>, Exchanges) {
    let mut active = 0..size;
    let mut exchanges = Vec::new();
    let is_zero = |a: &[T], row: usize, column: usize| a[column * size + row] == T::zero();
    while let Some(row) = active.clone().rev().find(|row| {
        let others = active.clone().filter(|column| column != row);
        others.into_iter().all(|column| is_zero(a, *row, column))
    }) {
        active.end -= 1;
        exchange(a, size, (row, active.end));
        exchanges.push((row, active.end));
    }
    while let Some(column) = active.clone().find(|column| {
        let others = active.clone().filter(|row| row != column);
        others.into_iter().all(|row| is_zero(a, row, *column))
    }) {
        exchange(a, size, (column, active.start));
        exchanges.push((column, active.start));
        active.start += 1;
    }
    if active.is_empty() && size > 0 {
        // The last element is an eigenvalue itself.
        active = 0..1;
    }
    (active, exchanges)
}

/// Exchanges rows and columns.
fn exchange<T: Field>(a: &mut [T], size: usize, (one, other): (usize, usize)) {
    if one == other {
        return;
    }
    for row in 0..size {
        a.swap(one * size + row, other * size + row);
    }
    for column in a.chunks_exact_mut(size) {
        column.swap(one, other);
    }
}

/// Exchanges the rows back of vectors of the matrix whose rows and columns were exchanged.
pub(super) fn restore_rows<T: Field>(z: &mut [T], size: usize, exchanges: &Exchanges) {
    for (one, other) in exchanges.iter().rev() {
        for column in z.chunks_exact_mut(size.max(1)) {
            column.swap(*one, *other);
        }
    }
}
