//! Scaling of matrices whose squared elements would overflow or underflow: eigenvalues and singular
//! values are computed for a multiple, as in LAPACK's `syev`, `geev` and `gesdd`, here by a power
//! of 2, which is exact.

use std::borrow::Cow;

use num_traits::{Float, One, Zero};

use crate::linear_algebra::matrix::Field;

/// A matrix whose elements can be squared.
pub(crate) struct Scaled<'a, T: Field> {
    pub elements: Cow<'a, [T]>,
    /// The exponent of the power of 2 by which it was divided.
    exponent: i32,
}

/// Divides a finite matrix by a power of 2, unless its largest element is far from the limits of
/// its type (the limits of LAPACK).
pub(crate) fn scaled<T: Field>(a: &[T]) -> Scaled<'_, T> {
    let largest = a.iter().fold(<T::Real as Zero>::zero(), |largest, value| {
        largest.max(value.real().abs()).max(value.imaginary().abs())
    });
    let small = T::Real::min_positive_value().sqrt() / T::Real::epsilon();
    if largest.is_zero() || (largest >= small && largest <= small.recip()) {
        return Scaled {
            elements: Cow::Borrowed(a),
            exponent: 0,
        };
    }
    let (mantissa, exponent, _) = largest.integer_decode();
    let exponent = i32::from(exponent) + mantissa.checked_ilog2().unwrap_or(0) as i32;
    let [first, second] = powers_of_two::<T::Real>(-exponent);
    let multiply = |&value: &T| value * T::from_real_impl(&first) * T::from_real_impl(&second);
    Scaled {
        elements: a.iter().map(multiply).collect(),
        exponent,
    }
}

impl<T: Field> Scaled<'_, T> {
    /// Converts a value of the scaled matrix to the original scale.
    pub fn restore(&self, value: T::Real) -> T::Real {
        if self.exponent == 0 {
            return value;
        }
        let [first, second] = powers_of_two::<T::Real>(self.exponent);
        value * first * second
    }
}

/// Two powers of 2 whose product may be out of range of the type.
fn powers_of_two<R: Float + One>(exponent: i32) -> [R; 2] {
    let two = R::one() + R::one();
    [two.powi(exponent / 2), two.powi(exponent - exponent / 2)]
}

#[cfg(test)]
mod tests {
    use num_complex::Complex;

    use crate::linear_algebra::Factors;
    use crate::linear_algebra::testing::{
        TestNumber, Wide, adjoint, assert_near, product, random, wide,
    };

    /// A scale, and the precision that its numbers keep.
    type Scale = (f64, f64);

    fn times<T: TestNumber>(a: &[T], scale: f64) -> Vec<T> {
        a.iter().map(|a| T::of(a.wide() * scale)).collect()
    }

    fn divided(a: &[Wide], scale: f64) -> Vec<Wide> {
        a.iter().map(|value| value / scale).collect()
    }

    fn diagonal<R: Copy>(values: &[R], real: impl Fn(R) -> f64, scale: f64) -> Vec<Wide> {
        let size = values.len();
        let mut all = vec![Wide::default(); size * size];
        for (number, value) in values.iter().enumerate() {
            all[number * (size + 1)] = (real(*value) / scale).into();
        }
        all
    }

    fn singular<T: TestNumber>((scale, digits): Scale) {
        let a = times(&random::<T>(30, 1), scale);
        let (mut u, mut vh) = (
            times(&random::<T>(30, 1), 0.0),
            times(&random::<T>(25, 1), 0.0),
        );
        let mut values = vec![T::real_of(0.0); 5];
        let factors = Factors {
            u: (&mut u, 5),
            vh: (&mut vh, 5),
        };
        T::singular(&a, (6, 5), &mut values, Some(factors)).unwrap();
        let middle = diagonal(&values, T::real, scale);
        let left = product(&wide(&u), &middle, 6, 5);
        let all = product(&left, &wide(&vh), 6, 5);
        assert_near(&all, &divided(&wide(&a), scale), digits * T::TOLERANCE);
    }

    fn symmetric<T: TestNumber>((scale, digits): Scale) {
        let a = wide(&random::<T>(36, 2));
        let sum = a
            .iter()
            .zip(&adjoint(&a, 6))
            .map(|(a, b)| T::of((a + b) * scale))
            .collect::<Vec<T>>();
        let (mut vectors, mut values) = (sum.clone(), vec![T::real_of(0.0); 6]);
        T::symmetric_eigen(&mut vectors, &mut values, true).unwrap();
        let vectors = wide(&vectors);
        let middle = diagonal(&values, T::real, scale);
        let all = product(
            &product(&vectors, &middle, 6, 6),
            &adjoint(&vectors, 6),
            6,
            6,
        );
        assert_near(&all, &divided(&wide(&sum), scale), digits * T::TOLERANCE);
    }

    fn general<T: TestNumber>((scale, digits): Scale) {
        let a = times(&random::<T>(36, 3), scale);
        let zero = Complex::new(T::real_of(0.0), T::real_of(0.0));
        let (mut vectors, mut values) = (vec![zero; 36], vec![zero; 6]);
        T::eigen(&a, &mut values, None, Some(&mut vectors)).unwrap();
        let wide_of = |value: &Complex<T::Real>| Wide::new(T::real(value.re), T::real(value.im));
        let vectors: Vec<Wide> = vectors.iter().map(wide_of).collect();
        let mut right = vectors.clone();
        for (column, value) in right.chunks_exact_mut(6).zip(&values) {
            column.iter_mut().for_each(|element| *element *= wide_of(value) / scale);
        }
        let left = product(&divided(&wide(&a), scale), &vectors, 6, 6);
        assert_near(&left, &right, 5.0 * digits * T::TOLERANCE);
    }

    fn check<T: TestNumber>(scales: &[Scale]) {
        for &scale in scales {
            singular::<T>(scale);
            symmetric::<T>(scale);
            general::<T>(scale);
        }
    }

    #[test]
    fn near_the_limits_of_the_type() {
        let narrow = [
            (1.0, 1.0),
            (1e30, 1.0),
            (1e37, 1.0),
            (1e-30, 1.0),
            (1e-40, 50.0),
        ];
        let wide = [(1e200, 1.0), (1e307, 1.0), (1e-200, 1.0), (1e-310, 1e4)];
        check::<f32>(&narrow);
        check::<Complex<f32>>(&narrow);
        check::<f64>(&wide);
        check::<Complex<f64>>(&wide);
    }
}
