//! Systems with a tridiagonal matrix, by elimination with partial pivoting, which fills a
//! second diagonal above the first (LAPACK's `gtsv`).

use crate::matrix::Field;

/// The diagonals of a matrix, which elimination overwrites. The others are one element
/// shorter than the main one.
pub struct Diagonals<'a, T> {
    pub below: &'a mut [T],
    pub main: &'a mut [T],
    pub above: &'a mut [T],
}

/// Solves for all columns of `b`, which the solutions replace. An error is the number of
/// the first pivot that is 0; `b` is then of no use.
pub(crate) fn solve<T: Field>(
    Diagonals { below, main, above }: Diagonals<'_, T>,
    b: &mut [T],
) -> Result<(), usize> {
    let size = main.len();
    for row in 0..size.saturating_sub(1) {
        let has_next = row + 2 < size;
        if below[row] == T::zero() {
            if main[row] == T::zero() {
                return Err(row);
            }
        } else if T::abs1_impl(&main[row]) >= T::abs1_impl(&below[row]) {
            let factor = below[row].divided_by(main[row]);
            main[row + 1] -= factor * above[row];
            for column in b.chunks_exact_mut(size) {
                let part = factor * column[row];
                column[row + 1] -= part;
            }
            if has_next {
                below[row] = T::zero();
            }
        } else {
            // The rows are exchanged.
            let factor = main[row].divided_by(below[row]);
            main[row] = below[row];
            let next = main[row + 1];
            main[row + 1] = above[row] - factor * next;
            if has_next {
                below[row] = above[row + 1];
                above[row + 1] = -factor * below[row];
            }
            above[row] = next;
            for column in b.chunks_exact_mut(size) {
                let first = column[row];
                column[row] = column[row + 1];
                column[row + 1] = first - factor * column[row];
            }
        }
    }
    if main.last().is_some_and(|pivot| *pivot == T::zero()) {
        return Err(size - 1);
    }
    for column in b.chunks_exact_mut(size.max(1)) {
        for row in (0..size).rev() {
            let mut value = column[row];
            if row + 1 < size {
                value -= above[row] * column[row + 1];
            }
            if row + 2 < size {
                // The second diagonal has taken the place of the one below.
                value -= below[row] * column[row + 2];
            }
            column[row] = value.divided_by(main[row]);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use num_complex::Complex;

    use super::Diagonals;
    use crate::Number;
    use crate::testing::{TestNumber, assert_near, product, random, wide};

    /// Fails unless solutions fulfil their system.
    fn check<T: TestNumber>(size: usize, sides: usize) {
        let [mut below, mut main, mut above] = [1, 2, 3].map(|seed| random::<T>(size, seed));
        below.truncate(size.saturating_sub(1));
        above.truncate(size.saturating_sub(1));
        let mut a = vec![T::from_f64(0.0).wide(); size * size];
        for row in 0..size {
            a[row * size + row] = main[row].wide();
            if row + 1 < size {
                a[row * size + row + 1] = below[row].wide();
                a[(row + 1) * size + row] = above[row].wide();
            }
        }
        let b = random::<T>(size * sides, 4);
        let mut x = b.clone();
        let diagonals = Diagonals {
            below: &mut below,
            main: &mut main,
            above: &mut above,
        };
        assert_eq!(T::solve_tridiagonal(diagonals, &mut x), Ok(()));
        // The residual is small beside the solution, which may be large.
        let largest = wide(&x)
            .iter()
            .fold(1.0, |largest: f64, value| largest.max(value.norm()));
        let tolerance = 10.0 * T::TOLERANCE * largest;
        assert_near(&product(&a, &wide(&x), size, size), &wide(&b), tolerance);
    }

    #[test]
    fn solutions_fulfil_their_system() {
        for (size, sides) in [(0, 2), (1, 1), (2, 3), (3, 0), (4, 2), (50, 3)] {
            check::<f32>(size, sides);
            check::<f64>(size, sides);
            check::<Complex<f32>>(size, sides);
            check::<Complex<f64>>(size, sides);
        }
    }

    #[test]
    fn the_first_pivot_of_zero_is_told() {
        for (main, first) in [([1.0, 0.0, 1.0], 1), ([1.0, 1.0, 0.0], 2), ([0.0; 3], 0)] {
            let mut main: [f64; 3] = main;
            let diagonals = Diagonals {
                below: &mut [0.0; 2],
                main: &mut main,
                above: &mut [5.0; 2],
            };
            assert_eq!(f64::solve_tridiagonal(diagonals, &mut [1.0; 6]), Err(first));
        }
    }
}
