//! The Hessenberg form in the format of LAPACK's `gehrd`, from which the Schur form is computed
//! (Golub and Van Loan, Matrix Computations, section 7.4).

use std::ops::Range;

use crate::linear_algebra::matrix::Field;
use crate::linear_algebra::qr;
use crate::linear_algebra::reflection::{self, Part};

pub(crate) fn reduce<T: Field>(a: &mut [T], size: usize, active: Range<usize>, taus: &mut [T]) {
    taus.fill(T::zero());
    for column in active.start..active.end.saturating_sub(1) {
        let rows = column + 1..active.end;
        let below = &mut a[column * size..][rows.clone()];
        let tau = reflection::make(below);
        let mut v = below.to_vec();
        v[0] = T::one();
        let part = |rows, columns| Part {
            stride: size,
            rows,
            columns,
        };
        reflection::apply_right(a, part(0..active.end, rows.clone()), &v, tau);
        reflection::apply_left(a, part(rows, column + 1..size), &v, tau.conj());
        taus[column] = tau;
    }
}

/// The unitary matrix that [`reduce`] stored as reflections.
pub(crate) fn form_q<T: Field>(a: &[T], size: usize, active: Range<usize>, taus: &[T]) -> Vec<T> {
    let mut q = vec![T::zero(); size * size];
    for number in 0..size {
        q[number * size + number] = T::one();
    }
    let count = active.len().saturating_sub(1);
    let mut inner = Vec::with_capacity(count * count);
    for column in active.start..active.start + count {
        inner.extend_from_slice(&a[column * size..][active.start + 1..active.end]);
    }
    qr::form_q(&mut inner, (count, count), &taus[active.start..][..count]);
    for (number, column) in inner.chunks_exact(count.max(1)).enumerate() {
        let first = (active.start + 1 + number) * size + active.start + 1;
        q[first..first + count].copy_from_slice(column);
    }
    q
}
