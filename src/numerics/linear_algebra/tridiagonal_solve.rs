//! Systems with a tridiagonal matrix, by elimination with partial pivoting, which fills a
//! second diagonal above the first (LAPACK's `gtsv`).

use num_traits::{Float, One, Zero};

use crate::linear_algebra::matrix::Field;

/// The diagonals of a matrix, which elimination overwrites. The off-diagonals are one element
/// shorter than the main one.
pub struct Diagonals<'a, T> {
    pub below: &'a mut [T],
    pub main: &'a mut [T],
    pub above: &'a mut [T],
}

/// Eliminates the elements below the diagonal in a column. Returns false, without changes, if there
/// is no pivot.
fn eliminate<T: Field>(diagonals: &mut Diagonals<'_, T>, row: usize, b: &mut [T]) -> bool {
    let Diagonals { below, main, above } = diagonals;
    let size = main.len();
    let has_next = row + 2 < size;
    if below[row] == T::zero() {
        return main[row] != T::zero();
    }
    if T::abs1_impl(&main[row]) >= T::abs1_impl(&below[row]) {
        let factor = below[row].divided_by(main[row]);
        main[row + 1] -= factor * above[row];
        for column in b.chunks_exact_mut(size) {
            let part = factor * column[row];
            column[row + 1] -= part;
        }
        if has_next {
            below[row] = T::zero();
        }
        return true;
    }
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
    true
}

/// Backward substitution in each column of `b`. `pivot` returns the divisor of a row, from its
/// pivot and the dividend.
fn substitute<T: Field>(diagonals: &Diagonals<'_, T>, b: &mut [T], pivot: impl Fn(T, T) -> T) {
    let size = diagonals.main.len();
    for column in b.chunks_exact_mut(size.max(1)) {
        for row in (0..size).rev() {
            let mut value = column[row];
            if row + 1 < size {
                value -= diagonals.above[row] * column[row + 1];
            }
            if row + 2 < size {
                // The second superdiagonal is stored in place of the subdiagonal.
                value -= diagonals.below[row] * column[row + 2];
            }
            column[row] = value.divided_by(pivot(diagonals.main[row], value));
        }
    }
}

/// Solves for all columns of `b`, which the solutions replace. Returns the number of the first
/// pivot that is 0 as an error; the contents of `b` are then arbitrary.
pub(crate) fn solve<T: Field>(mut diagonals: Diagonals<'_, T>, b: &mut [T]) -> Result<(), usize> {
    let size = diagonals.main.len();
    for row in 0..size.saturating_sub(1) {
        if !eliminate(&mut diagonals, row, b) {
            return Err(row);
        }
    }
    if diagonals.main.last().is_some_and(|pivot| *pivot == T::zero()) {
        return Err(size - 1);
    }
    substitute(&diagonals, b, |pivot, _| pivot);
    Ok(())
}

/// The same, but a pivot that is so small that the solution would overflow is moved away from 0
/// until it does not, first by the precision of the largest pivot (LAPACK's `lagts`). The solutions
/// of a singular system are then approximately multiples of a null vector, as inverse iteration for
/// eigenvectors requires.
pub(crate) fn solve_perturbed<T: Field>(mut diagonals: Diagonals<'_, T>, b: &mut [T]) {
    let size = diagonals.main.len();
    for row in 0..size.saturating_sub(1) {
        eliminate(&mut diagonals, row, b);
    }
    let (zero, one) = (<T::Real as Zero>::zero(), <T::Real as One>::one());
    let modulus = |value: T| value.real().hypot(value.imaginary());
    let second = &diagonals.below[..size.saturating_sub(2)];
    let factors = diagonals.main.iter().chain(diagonals.above.iter()).chain(second);
    let largest = factors.fold(zero, |largest, value| largest.max(modulus(*value)));
    let smallest = <T::Real as Float>::min_positive_value();
    let first_step = (<T::Real as Float>::epsilon() * largest).max(smallest);
    substitute(&diagonals, b, |mut pivot, value| {
        let mut step = if pivot.real().is_sign_negative() {
            -first_step
        } else {
            first_step
        };
        let value = modulus(value);
        let overflows = |pivot: T::Real| pivot < one && (pivot == zero || value * smallest > pivot);
        while overflows(modulus(pivot)) {
            pivot += T::from_real_impl(&step);
            step = step + step;
        }
        pivot
    });
}

#[cfg(test)]
mod tests {
    use num_complex::Complex;

    use super::Diagonals;
    use crate::linear_algebra::Number;
    use crate::linear_algebra::testing::{TestNumber, assert_near, product, random, wide};

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
        // The residual is small relative to the solution, which may be large.
        let largest = wide(&x).iter().fold(1.0, |largest: f64, value| largest.max(value.norm()));
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

    #[test]
    fn small_pivots_are_moved_away_from_zero() {
        // The numbers of jax.lax.linalg.tridiagonal_solve with perturb_singular.
        let solve = |diagonals: [[f64; 3]; 3]| {
            let [mut below, mut main, mut above] = diagonals;
            let diagonals = Diagonals {
                below: &mut below[1..],
                main: &mut main,
                above: &mut above[..2],
            };
            let mut b = [1.0, 2.0, 4.0];
            f64::solve_tridiagonal_perturbed(diagonals, &mut b);
            b
        };
        let near = |actual: [f64; 3], expected: [f64; 3]| {
            for (actual, expected) in actual.into_iter().zip(expected) {
                assert!(
                    (actual / expected - 1.0).abs() < 1e-14,
                    "{actual}, not {expected}"
                );
            }
        };
        let found = solve([[0.0, -1.0, -1.0], [1.0, 2.0, 1.0], [-1.0, -1.0, 0.0]]);
        near(
            found,
            [
                3.1525197391593468e16,
                3.1525197391593468e16,
                3.152519739159347e16,
            ],
        );
        let found = solve([[0.0; 3], [0.0; 3], [0.0; 3]]);
        near(
            found,
            [
                4.49423283715579e307,
                2.9961552247705263e307,
                2.5681330498033083e307,
            ],
        );
        let found = solve([[0.0; 3], [1.0, 0.0, 2.0], [0.0; 3]]);
        near(found, [1.0, 4.503599627370496e15, 2.0]);
        let found = solve([[0.0; 3], [1.0, -1e-300, 2.0], [0.0; 3]]);
        near(found, [1.0, -1.9999999999999998e300, 2.0]);
        for value in [f64::NAN, f64::INFINITY] {
            assert!(solve([[value; 3], [0.0; 3], [value; 3]])[0].is_nan());
        }
    }
}
