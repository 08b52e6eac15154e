//! Householder's reflections `1 - tau v v^H` as in LAPACK's `larfg`, on which all reductions are
//! based (Golub and Van Loan, Matrix Computations, section 5.1).

use std::ops::Range;

use num_traits::{Float, Zero};

use crate::linear_algebra::matrix::Field;

/// The rows whose products with a vector are kept on the stack.
const BLOCK: usize = 64;

/// Makes the reflection whose adjoint maps a vector to a real multiple of the first unit vector,
/// and returns its `tau`. The multiple replaces the first component; the other components are
/// replaced by `v` without its leading 1.
pub(crate) fn make<T: Field>(vector: &mut [T]) -> T {
    let Some((first, below)) = vector.split_first_mut() else {
        return T::zero();
    };
    let alpha = *first;
    let zero = <T::Real as Zero>::zero();
    let scale = below.iter().fold(zero, |scale, value| {
        let size = T::abs1_impl(value);
        // NaN must be propagated.
        if size > scale || size.is_nan() {
            size
        } else {
            scale
        }
    });
    if scale == zero && alpha.imaginary() == zero {
        return T::zero();
    }
    let norm_below = if scale == zero {
        zero
    } else {
        let squares = below.iter().fold(zero, |sum, value| {
            let (re, im) = (value.real() / scale, value.imaginary() / scale);
            sum + re * re + im * im
        });
        scale * squares.sqrt()
    };
    let norm = alpha.real().hypot(alpha.imaginary()).hypot(norm_below);
    let beta = T::from_real_impl(&if alpha.real() < zero { norm } else { -norm });
    let pivot = alpha - beta;
    for value in below {
        *value = value.divided_by(pivot);
    }
    *first = beta;
    (beta - alpha).divided_by(beta)
}

/// A submatrix of a slice.
#[derive(Clone)]
pub(crate) struct Part {
    /// The distance between columns.
    pub stride: usize,
    pub rows: Range<usize>,
    pub columns: Range<usize>,
}

/// `c -= tau v (v^H c)`: the reflection from the left.
pub(crate) fn apply_left<T: Field>(a: &mut [T], part: Part, v: &[T], tau: T) {
    if tau == T::zero() {
        return;
    }
    for column in part.columns {
        let elements = &mut a[column * part.stride..][part.rows.clone()];
        let products = elements.iter().zip(v);
        let sum = products.fold(T::zero(), |sum, (element, v)| sum + v.conj() * *element);
        for (element, v) in elements.iter_mut().zip(v) {
            *element -= *v * (tau * sum);
        }
    }
}

/// `c -= tau (c v) v^H`: the reflection from the right.
pub(crate) fn apply_right<T: Field>(a: &mut [T], part: Part, v: &[T], tau: T) {
    if tau == T::zero() {
        return;
    }
    for first in part.rows.clone().step_by(BLOCK) {
        let rows = first..part.rows.end.min(first + BLOCK);
        let mut products = [T::zero(); BLOCK];
        for (column, v) in part.columns.clone().zip(v) {
            let elements = &a[column * part.stride..][rows.clone()];
            for (product, element) in products.iter_mut().zip(elements) {
                *product += *element * *v;
            }
        }
        for (column, v) in part.columns.clone().zip(v) {
            let factor = tau * v.conj();
            let elements = &mut a[column * part.stride..][rows.clone()];
            for (element, product) in elements.iter_mut().zip(&products) {
                *element -= *product * factor;
            }
        }
    }
}
