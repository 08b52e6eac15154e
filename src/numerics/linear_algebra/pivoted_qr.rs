//! QR with column pivoting, so that the diagonal of `r` decreases, in the format of LAPACK's
//! `geqp3` (Businger and Golub, "Linear least squares solutions by Householder transformations",
//! 1965).
//!
//! The norms of the remaining columns are updated, and recomputed if an update would cancel too
//! much (Drmac and Bujanovic, "On the failure of rank-revealing QR factorization software", 2008).

use num_traits::{Float, One, Zero};

use crate::linear_algebra::matrix::{Field, Matrix};
use crate::linear_algebra::reflection::{self, Part};

/// Factors a matrix. `order[j]` is set to the index of the column of `a` that became column `j`;
/// columns marked with `true` come first, in their order.
pub(crate) fn factor<T: Field>(
    a: &mut [T],
    (rows, columns): Matrix,
    first: &[bool],
    order: &mut [usize],
    taus: &mut [T],
) {
    for (number, column) in order.iter_mut().enumerate() {
        *column = number;
    }
    let mut exchange = |a: &mut [T], one: usize, other: usize| {
        if one != other {
            order.swap(one, other);
            let (left, right) = a.split_at_mut(one.max(other) * rows);
            left[one.min(other) * rows..][..rows].swap_with_slice(&mut right[..rows]);
        }
    };
    let mut fixed = 0;
    for (column, _) in first.iter().enumerate().filter(|(_, is_first)| **is_first) {
        exchange(a, column, fixed);
        fixed += 1;
    }
    let mut norms: Vec<[T::Real; 2]> = Vec::new();
    for step in 0..rows.min(columns) {
        if step == fixed {
            let below = |column: usize| norm(&a[column * rows..][step..rows]);
            norms = (0..columns).map(|column| [below(column.max(step)); 2]).collect();
        }
        if step >= fixed {
            let largest = (step + 1..columns).fold(step, |best, column| {
                if norms[column][0] > norms[best][0] {
                    column
                } else {
                    best
                }
            });
            exchange(a, step, largest);
            norms[largest] = norms[step];
        }
        let column = &mut a[step * rows..][step..rows];
        let tau = reflection::make(column);
        taus[step] = tau;
        let mut v = column.to_vec();
        v[0] = T::one();
        let part = Part {
            stride: rows,
            rows: step..rows,
            columns: step + 1..columns,
        };
        reflection::apply_left(a, part, &v, tau.conj());
        if step >= fixed {
            for (column, norms) in norms.iter_mut().enumerate().skip(step + 1) {
                update(norms, &a[column * rows..][step..rows]);
            }
        }
    }
}

/// Updates the norm of a column after removing its first element. The second norm is the last that
/// was computed from all elements.
fn update<T: Field>(norms: &mut [T::Real; 2], column: &[T]) {
    let (zero, one) = (<T::Real as Zero>::zero(), <T::Real as One>::one());
    let [current, computed] = *norms;
    if current == zero {
        return;
    }
    let part = column[0].real().hypot(column[0].imaginary()) / current;
    let rest = (one - part * part).max(zero);
    let ratio = current / computed;
    if rest * ratio * ratio <= <T::Real as Float>::epsilon().sqrt() {
        *norms = [norm(&column[1..]); 2]
    } else {
        norms[0] = current * rest.sqrt()
    }
}

/// The length of a vector, computed without overflow.
fn norm<T: Field>(vector: &[T]) -> T::Real {
    let zero = <T::Real as Zero>::zero();
    let scale = vector.iter().fold(zero, |scale, value| {
        scale.max(value.real().abs()).max(value.imaginary().abs())
    });
    if scale == zero {
        return zero;
    }
    let squares = vector.iter().fold(zero, |sum, value| {
        let (re, im) = (value.real() / scale, value.imaginary() / scale);
        sum + re * re + im * im
    });
    scale * squares.sqrt()
}

#[cfg(test)]
mod tests {
    use num_complex::Complex;

    use crate::linear_algebra::Number;
    use crate::linear_algebra::testing::{TestNumber, Wide, assert_near, product, random, wide};

    /// Fails unless the reordered columns are `q r`; returns the diagonal of `r` and the order.
    fn check<T: TestNumber>(
        a: &[T],
        (rows, columns): (usize, usize),
        first: &[bool],
    ) -> (Vec<f64>, Vec<usize>) {
        let rank = rows.min(columns);
        let (mut packed, mut order) = (a.to_vec(), vec![9; columns]);
        let mut taus = vec![T::from_f64(0.0); rank];
        T::pivoted_qr(&mut packed, (rows, columns), first, &mut order, &mut taus);
        let mut q = vec![T::from_f64(0.0); rows * rows];
        q[..rows * rank].copy_from_slice(&packed[..rows * rank]);
        T::form_q(&mut q, (rows, rows), &taus);
        let mut r = wide(&packed);
        for (number, column) in r.chunks_exact_mut(rows.max(1)).enumerate() {
            column[(number + 1).min(rows)..].fill(Wide::default());
        }
        let columns_of = |column: &usize| wide(&a[*column * rows..][..rows]);
        let reordered: Vec<Wide> = order.iter().flat_map(columns_of).collect();
        assert_near(
            &product(&wide(&q), &r, rows, rows),
            &reordered,
            10.0 * T::TOLERANCE,
        );
        let diagonal = (0..rank).map(|number| r[number * rows + number].norm());
        (diagonal.collect(), order)
    }

    fn all_sizes<T: TestNumber>() {
        for (rows, columns) in [(0, 2), (2, 0), (1, 1), (6, 4), (4, 6), (40, 30)] {
            let a = random::<T>(rows * columns, 8);
            let (diagonal, _) = check(&a, (rows, columns), &vec![false; columns]);
            for pair in diagonal.windows(2) {
                assert!(pair[0] >= pair[1] * (1.0 - 1e-5), "{pair:?}");
            }
            let first: Vec<bool> = (0..columns).map(|column| column % 3 == 1).collect();
            let (_, order) = check(&a, (rows, columns), &first);
            assert!(order.iter().take(columns / 3).all(|column| column % 3 == 1));
        }
    }

    #[test]
    fn all_types() {
        all_sizes::<f32>();
        all_sizes::<f64>();
        all_sizes::<Complex<f32>>();
        all_sizes::<Complex<f64>>();
    }

    #[test]
    fn the_rank_is_seen() {
        // The third column is a linear combination of the others.
        let (x, y) = (random::<f64>(5, 1), random::<f64>(5, 2));
        let mut a = x.clone();
        a.extend(&y);
        a.extend(x.iter().zip(&y).map(|(x, y)| x + 3.0 * y));
        let (diagonal, _) = check(&a, (5, 3), &[false; 3]);
        assert!(diagonal[1] > 0.1 && diagonal[2] < 1e-14, "{diagonal:?}");
        let mut nothing = [f64::NAN; 4];
        f64::pivoted_qr(
            &mut nothing,
            (2, 2),
            &[false; 2],
            &mut [0; 2],
            &mut [0.0; 2],
        );
        assert!(nothing[0].is_nan());
    }
}
