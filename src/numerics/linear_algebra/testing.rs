//! The arithmetic of the tests of factorizations: matrices of all number types, whose products are
//! complex numbers of `f64`.

use num_complex::Complex;

use crate::linear_algebra::Number;

pub(crate) type Wide = Complex<f64>;

/// A number type, to and from complex numbers.
pub(crate) trait TestNumber: Number {
    const TOLERANCE: f64;

    fn of(value: Wide) -> Self;

    fn wide(self) -> Wide;

    fn real(value: Self::Real) -> f64;

    fn real_of(value: f64) -> Self::Real;
}

macro_rules! test_number {
    ($type:ty, $tolerance:expr, $of:expr, $wide:expr) => {
        impl TestNumber for $type {
            const TOLERANCE: f64 = $tolerance;

            fn of(value: Wide) -> Self {
                $of(value)
            }

            fn wide(self) -> Wide {
                $wide(self)
            }

            fn real(value: Self::Real) -> f64 {
                f64::from(value)
            }

            fn real_of(value: f64) -> Self::Real {
                value as Self::Real
            }
        }
    };
}

test_number!(
    f32,
    2e-5,
    |value: Wide| value.re as f32,
    |value| Wide::from(f64::from(value))
);
test_number!(f64, 1e-13, |value: Wide| value.re, Wide::from);
test_number!(
    Complex<f32>,
    2e-5,
    |value: Wide| Complex::new(value.re as f32, value.im as f32),
    |value: Complex<f32>| Wide::new(value.re.into(), value.im.into())
);
test_number!(Complex<f64>, 1e-13, |value| value, |value| value);

/// A column-major matrix of numbers between -1 and 1.
pub(crate) fn random<T: TestNumber>(count: usize, seed: u64) -> Vec<T> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    };
    (0..count).map(|_| T::of(Wide::new(next(), next()))).collect()
}

pub(crate) fn wide<T: TestNumber>(a: &[T]) -> Vec<Wide> {
    a.iter().map(|value| value.wide()).collect()
}

/// The product of matrices, the first of `rows` rows and `inner` columns.
pub(crate) fn product(a: &[Wide], b: &[Wide], rows: usize, inner: usize) -> Vec<Wide> {
    let columns = b.len() / inner.max(1);
    let mut c = vec![Wide::default(); rows * columns];
    for column in 0..columns {
        for k in 0..inner {
            for row in 0..rows {
                c[column * rows + row] += a[k * rows + row] * b[column * inner + k];
            }
        }
    }
    c
}

/// The conjugate transpose of a matrix with a number of rows.
pub(crate) fn adjoint(a: &[Wide], rows: usize) -> Vec<Wide> {
    let element = |index: usize| {
        let columns = a.len() / rows.max(1);
        a[(index % columns) * rows + index / columns].conj()
    };
    (0..a.len()).map(element).collect()
}

pub(crate) fn identity(size: usize) -> Vec<Wide> {
    let element = |index: usize| f64::from(u8::from(index % size == index / size)).into();
    (0..size * size).map(element).collect()
}

/// Fails unless matrices are equal up to a fraction of the largest expected element.
#[track_caller]
pub(crate) fn assert_near(actual: &[Wide], expected: &[Wide], tolerance: f64) {
    assert_eq!(actual.len(), expected.len());
    let largest = expected.iter().fold(0.0, |largest: f64, value| largest.max(value.norm()));
    for (number, (actual, expected)) in actual.iter().zip(expected).enumerate() {
        assert!(
            (actual - expected).norm() <= tolerance * largest,
            "{number}: {actual}, not {expected}"
        );
    }
}
