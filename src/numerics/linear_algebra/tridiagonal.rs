//! The tridiagonal form of Hermitian matrices in the format of LAPACK's `sytrd` and `hetrd` (Golub
//! and Van Loan, Matrix Computations, section 8.3).

use num_traits::One;

use crate::linear_algebra::matrix::Field;
use crate::linear_algebra::reflection;

/// The outputs for the real elements of the form.
pub struct Tridiagonal<'a, R> {
    pub main: &'a mut [R],
    /// One element shorter.
    pub beside: &'a mut [R],
}

/// `a = q t q^H`: the triangle that is read is replaced by `t` and the reflections whose product is
/// `q`, without the 1 of each; the other is unchanged.
pub(crate) fn reduce<T: Field>(
    a: &mut [T],
    lower: bool,
    form: Tridiagonal<'_, T::Real>,
    taus: &mut [T],
) {
    let size = form.main.len();
    let real = |value: T| T::from_real_impl(&value.real());
    for diagonal in a.iter_mut().step_by(size + 1) {
        *diagonal = real(*diagonal);
    }
    for step in 0..size.saturating_sub(1) {
        // The column whose elements become 0, and the rows of the remaining part.
        let (column, rest) = if lower {
            (step, step + 1..size)
        } else {
            (size - 1 - step, 0..size - 1 - step)
        };
        let number = if lower { column } else { column - 1 };
        let mut v = a[column * size..][rest.clone()].to_vec();
        // In the upper triangle, the element next to the diagonal is the last one.
        let pivot = if lower { 0 } else { v.len() - 1 };
        v.swap(0, pivot);
        let tau = reflection::make(&mut v);
        form.beside[number] = v[0].real();
        taus[number] = tau;
        v.swap(0, pivot);
        a[column * size..][rest.clone()].copy_from_slice(&v);
        v[pivot] = T::one();
        let inner = Square {
            a,
            size,
            first: rest.start,
            lower,
        };
        inner.reflect(&v, tau);
    }
    for (main, diagonal) in form.main.iter_mut().zip(a.iter().step_by(size + 1)) {
        *main = diagonal.real();
    }
}

/// A Hermitian submatrix, stored in one triangle.
struct Square<'a, T> {
    a: &'a mut [T],
    size: usize,
    first: usize,
    lower: bool,
}

impl<T: Field> Square<'_, T> {
    /// `h^H a h` for the reflection `h`, as `a - v w^H - w v^H`.
    fn reflect(self, v: &[T], tau: T) {
        if tau == T::zero() {
            return;
        }
        let mut w = self.multiply(v);
        for value in &mut w {
            *value *= tau;
        }
        let product = w.iter().zip(v);
        let product = product.fold(T::zero(), |sum, (w, v)| sum + w.conj() * *v);
        let one = <T::Real as One>::one();
        let half = T::from_real_impl(&(one / (one + one)));
        for (w, v) in w.iter_mut().zip(v) {
            *w -= half * tau * product * *v;
        }
        for column in 0..v.len() {
            let rows = self.rows(column, v.len());
            let (from_w, from_v) = (w[column].conj(), v[column].conj());
            let elements = &mut self.a[(self.first + column) * self.size + self.first..];
            let elements = elements[rows.clone()].iter_mut();
            for (element, (v, w)) in elements.zip(v[rows.clone()].iter().zip(&w[rows])) {
                *element -= *v * from_w + *w * from_v;
            }
            let diagonal = (self.first + column) * (self.size + 1);
            self.a[diagonal] = T::from_real_impl(&self.a[diagonal].real());
        }
    }

    /// The rows of the triangle in a column.
    fn rows(&self, column: usize, count: usize) -> std::ops::Range<usize> {
        if self.lower {
            column..count
        } else {
            0..column + 1
        }
    }

    fn multiply(&self, v: &[T]) -> Vec<T> {
        let mut product = vec![T::zero(); v.len()];
        for column in 0..v.len() {
            let elements = &self.a[(self.first + column) * self.size + self.first..];
            let mut sum = T::zero();
            for row in self.rows(column, v.len()) {
                product[row] += elements[row] * v[column];
                if row != column {
                    sum += elements[row].conj() * v[row];
                }
            }
            product[column] += sum;
        }
        product
    }
}

#[cfg(test)]
mod tests {
    use num_complex::Complex;

    use super::Tridiagonal;
    use crate::linear_algebra::testing::{
        TestNumber, Wide, adjoint, assert_near, identity, product, random, wide,
    };

    /// Fails unless `a = q t q^H`; the other triangle is NaN.
    fn check<T: TestNumber>(size: usize, lower: bool) {
        let half = random::<T>(size * size, 4);
        let (half, turned) = (wide(&half), adjoint(&wide(&half), size));
        let full: Vec<Wide> = half.iter().zip(turned).map(|(one, other)| one + other).collect();
        let nan = T::of(Wide::new(f64::NAN, f64::NAN));
        let element = |index: usize| {
            let (row, column) = (index % size, index / size);
            if row == column || (row > column) == lower {
                T::of(full[index])
            } else {
                nan
            }
        };
        let mut a: Vec<T> = (0..size * size).map(element).collect();
        let zero = T::real_of(0.0);
        let (mut main, mut beside) = (vec![zero; size], vec![zero; size.saturating_sub(1)]);
        let mut taus = vec![T::from_f64(0.0); size.saturating_sub(1)];
        let form = Tridiagonal {
            main: &mut main,
            beside: &mut beside,
        };
        T::tridiagonal(&mut a, lower, form, &mut taus);
        let mut t = vec![Wide::default(); size * size];
        for (number, value) in main.iter().enumerate() {
            t[number * (size + 1)] = T::real(*value).into();
        }
        for (number, value) in beside.iter().enumerate() {
            t[number * (size + 1) + 1] = T::real(*value).into();
            t[(number + 1) * (size + 1) - 1] = T::real(*value).into();
            let (row, column) = if lower {
                (number + 1, number)
            } else {
                (number, number + 1)
            };
            assert_eq!(a[column * size + row].wide(), Wide::from(T::real(*value)));
        }
        // With the lower triangle, the first reflection is the first factor of `q`; with the upper
        // one, the last.
        let mut q = identity(size);
        for step in 0..taus.len() {
            let number = if lower { taus.len() - 1 - step } else { step };
            let mut v = vec![Wide::default(); size];
            if lower {
                v[number + 1] = 1.0.into();
                (number + 2..size).for_each(|row| v[row] = a[number * size + row].wide());
            } else {
                v[number] = 1.0.into();
                (0..number).for_each(|row| v[row] = a[(number + 1) * size + row].wide());
            }
            let inner = product(&adjoint(&v, size), &q, 1, size);
            let change = product(&v, &inner, size, 1);
            let tau = taus[number].wide();
            q.iter_mut().zip(change).for_each(|(q, change)| *q -= tau * change);
        }
        let back = product(&product(&q, &t, size, size), &adjoint(&q, size), size, size);
        assert_near(&back, &full, 10.0 * T::TOLERANCE);
    }

    #[test]
    fn forms_of_both_triangles_and_all_types() {
        for size in [0, 1, 2, 3, 6, 40] {
            for lower in [true, false] {
                check::<f32>(size, lower);
                check::<f64>(size, lower);
                check::<Complex<f32>>(size, lower);
                check::<Complex<f64>>(size, lower);
            }
        }
    }
}
