//! The Schur form, in the format of LAPACK's `gees`: isolated rows and columns are moved to the
//! ends, the remaining part is reduced to Hessenberg form, and a QR iteration makes that
//! triangular.
//!
//! faer has such an iteration for its eigenvectors, but does not export its result. The two
//! iterations follow LAPACK's unblocked ones, `lahqr`, so that eigenvalues mostly have LAPACK's
//! order; signs and phases of vectors may differ.

mod balance;
mod complex;
mod real;
mod real_block;

use std::ops::Range;

use num_complex::Complex;
use num_traits::{Float, NumAssign, Zero};

use crate::linear_algebra::eigen::RealNumber;
use crate::linear_algebra::hessenberg;
use crate::linear_algebra::matrix::{Field, view};

/// A matrix that an iteration transforms by similarity, and the accumulated transformation.
struct Iteration<'a, T> {
    size: usize,
    /// In Hessenberg form.
    h: &'a mut [T],
    z: Option<&'a mut [T]>,
    /// The range in which the matrix is not triangular.
    active: Range<usize>,
}

impl<T: Copy> Iteration<'_, T> {
    fn get(&self, row: usize, column: usize) -> T {
        self.h[column * self.size + row]
    }

    fn at(&mut self, row: usize, column: usize) -> &mut T {
        &mut self.h[column * self.size + row]
    }
}

pub(crate) fn real<R: RealNumber>(
    a: &mut [R],
    values: &mut [Complex<R>],
    vectors: Option<&mut [R]>,
) -> Result<(), usize> {
    let size = values.len();
    let outcome = factor(a, size, vectors, real::iterate);
    real_values(a, values);
    outcome
}

pub(crate) fn complex<R: RealNumber>(
    a: &mut [Complex<R>],
    values: &mut [Complex<R>],
    vectors: Option<&mut [Complex<R>]>,
) -> Result<(), usize>
where
    Complex<R>: Field<Real = R>,
{
    let size = values.len();
    let outcome = factor(a, size, vectors, complex::iterate);
    for (number, value) in values.iter_mut().enumerate() {
        *value = a[number * size + number];
    }
    outcome
}

fn factor<T: Field>(
    a: &mut [T],
    size: usize,
    vectors: Option<&mut [T]>,
    iterate: impl FnOnce(Iteration<'_, T>) -> Result<(), usize>,
) -> Result<(), usize> {
    if !view(a, (size, size)).is_all_finite() {
        return Err(size);
    }
    let factor = scale(a);
    for value in &mut *a {
        *value *= T::from_real_impl(&factor);
    }
    let (active, exchanges) = balance::isolate(a, size);
    let mut taus = vec![T::zero(); size.saturating_sub(1)];
    hessenberg::reduce(a, size, active.clone(), &mut taus);
    let mut z = vectors.is_some().then(|| hessenberg::form_q(a, size, active.clone(), &taus));
    for column in 0..size {
        let below = (column + 2).min(size);
        a[column * size..][below..size].fill(T::zero());
    }
    let outcome = iterate(Iteration {
        size,
        h: a,
        z: z.as_deref_mut(),
        active,
    });
    for value in &mut *a {
        *value = value.divided_by(T::from_real_impl(&factor));
    }
    if let (Some(vectors), Some(mut z)) = (vectors, z) {
        balance::restore_rows(&mut z, size, &exchanges);
        vectors.copy_from_slice(&z);
    }
    outcome
}

/// A factor such that no square of an element overflows, nor the square of the largest one
/// underflows.
fn scale<T: Field>(a: &[T]) -> T::Real {
    let (zero, one) = (
        <T::Real as Zero>::zero(),
        <T::Real as num_traits::One>::one(),
    );
    let largest = a.iter().fold(zero, |largest, value| {
        largest.max(value.real().abs()).max(value.imaginary().abs())
    });
    let small = <T::Real as Float>::min_positive_value().sqrt() / <T::Real as Float>::epsilon();
    match largest {
        _ if largest == zero => one,
        _ if largest < small => small / largest,
        _ if largest > small.recip() => small.recip() / largest,
        _ => one,
    }
}

/// The eigenvalues of a real Schur form.
fn real_values<R: Float + NumAssign>(t: &[R], values: &mut [Complex<R>]) {
    let size = values.len();
    let mut number = 0;
    while number < size {
        let diagonal = t[number * size + number];
        let below = t[number * size..][..size].get(number + 1).copied();
        match below {
            Some(below) if below != R::zero() => {
                let above = t[(number + 1) * size + number];
                let im = above.abs().sqrt() * below.abs().sqrt();
                let other = t[(number + 1) * size + number + 1];
                values[number] = Complex::new(diagonal, im);
                values[number + 1] = Complex::new(other, -im);
                number += 2;
            }
            _ => {
                values[number] = Complex::new(diagonal, R::zero());
                number += 1;
            }
        }
    }
}

/// The begin of the diagonal block that ends before `end`: after the last element below the
/// diagonal that is negligible, by the criterion of Ahues and Tisseur ("A new deflation criterion
/// for the QR algorithm", 1997). `element` returns the size of an element, and `difference` the
/// size of the difference of two adjacent diagonal elements.
fn block_begin<R: Float>(
    active: &Range<usize>,
    end: usize,
    element: impl Fn(usize, usize) -> R,
    difference: impl Fn(usize) -> R,
) -> usize {
    let small = R::min_positive_value() * count::<R>(active.len()) / R::epsilon();
    for row in (active.start + 1..end).rev() {
        let below = element(row, row - 1);
        if below <= small {
            return row;
        }
        let mut near = element(row - 1, row - 1) + element(row, row);
        if near == R::zero() {
            if row >= active.start + 2 {
                near = near + element(row - 1, row - 2);
            }
            if row + 1 < active.end {
                near = near + element(row + 1, row);
            }
        }
        if below <= R::epsilon() * near {
            let above = element(row - 1, row);
            let (high, low) = (below.max(above), below.min(above));
            let (diagonal, difference) = (element(row, row), difference(row));
            let (large, little) = (diagonal.max(difference), diagonal.min(difference));
            let sum = large + high;
            if low * (high / sum) <= small.max(R::epsilon() * (little * (large / sum))) {
                return row;
            }
        }
    }
    active.start
}

/// A small count as a number.
fn count<R: Float>(count: usize) -> R {
    R::from(count).unwrap_or_else(R::max_value)
}

/// The maximum number of sweeps for one eigenvalue.
fn sweep_limit(active: &Range<usize>) -> usize {
    30 * active.len().max(10)
}

/// The sweeps without a deflation after which another shift is tried.
const EXCEPTIONAL: usize = 10;

#[cfg(test)]
mod tests;
