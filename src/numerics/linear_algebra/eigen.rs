//! Eigenvalues of square matrices.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::evd::{ComputeEigenvectors, EvdParams, evd_cplx, evd_real, evd_scratch};
use faer::{Mat, MatRef, Par, diag::Diag};
use num_complex::Complex;
use num_traits::{Float, Zero};

use crate::linear_algebra::{
    Failure,
    matrix::{Field, view},
    scale::scaled,
};
use faer_traits::RealField;

/// Real numbers.
pub(crate) trait RealNumber: Field<Real = Self> + RealField + Float {}
impl<T: Field<Real = T> + RealField + Float> RealNumber for T {}

fn compute(wanted: bool) -> ComputeEigenvectors {
    if wanted {
        ComputeEigenvectors::Yes
    } else {
        ComputeEigenvectors::No
    }
}

pub(crate) fn complex<R: RealNumber>(
    a: &[Complex<R>],
    values: &mut [Complex<R>],
    left: Option<&mut [Complex<R>]>,
    right: Option<&mut [Complex<R>]>,
) -> Result<(), Failure>
where
    Complex<R>: Field<Real = R>,
{
    let size = values.len();
    if !view(a, (size, size)).is_all_finite() {
        return Err(Failure::NoConvergence);
    }
    let a = scaled(a);
    let params = faer::Spec::<EvdParams, Complex<R>>::default();
    let (wants_left, wants_right) = (compute(left.is_some()), compute(right.is_some()));
    let scratch = evd_scratch::<Complex<R>>(size, wants_left, wants_right, Par::Seq, params);
    let mut memory = MemBuffer::new(scratch);
    let mut found = Diag::<Complex<R>>::zeros(size);
    let square = |wanted: bool| wanted.then(|| Mat::<Complex<R>>::zeros(size, size));
    let (mut u_left, mut u_right) = (square(left.is_some()), square(right.is_some()));
    evd_cplx(
        view(&a.elements, (size, size)),
        found.as_mut(),
        u_left.as_mut().map(|u| u.as_mut()),
        u_right.as_mut().map(|u| u.as_mut()),
        Par::Seq,
        MemStack::new(&mut memory),
        params,
    )
    .map_err(|_| Failure::NoConvergence)?;
    for (number, value) in values.iter_mut().enumerate() {
        *value = Complex::new(a.restore(found[number].re), a.restore(found[number].im));
    }
    for (target, vectors) in [(left, u_left), (right, u_right)] {
        if let (Some(target), Some(vectors)) = (target, vectors) {
            for (number, column) in target.chunks_exact_mut(size.max(1)).enumerate() {
                for (row, value) in column.iter_mut().enumerate() {
                    *value = vectors[(row, number)];
                }
                normalize(column);
            }
        }
    }
    Ok(())
}

pub(crate) fn real<R: RealNumber>(
    a: &[R],
    values: &mut [Complex<R>],
    left: Option<&mut [Complex<R>]>,
    right: Option<&mut [Complex<R>]>,
) -> Result<(), Failure> {
    let size = values.len();
    if !view(a, (size, size)).is_all_finite() {
        return Err(Failure::NoConvergence);
    }
    let a = scaled(a);
    let params = faer::Spec::<EvdParams, R>::default();
    let (wants_left, wants_right) = (compute(left.is_some()), compute(right.is_some()));
    let scratch = evd_scratch::<R>(size, wants_left, wants_right, Par::Seq, params);
    let mut memory = MemBuffer::new(scratch);
    let (mut re, mut im) = (Diag::<R>::zeros(size), Diag::<R>::zeros(size));
    let square = |wanted: bool| wanted.then(|| Mat::<R>::zeros(size, size));
    let (mut u_left, mut u_right) = (square(left.is_some()), square(right.is_some()));
    evd_real(
        view(&a.elements, (size, size)),
        re.as_mut(),
        im.as_mut(),
        u_left.as_mut().map(|u| u.as_mut()),
        u_right.as_mut().map(|u| u.as_mut()),
        Par::Seq,
        MemStack::new(&mut memory),
        params,
    )
    .map_err(|_| Failure::NoConvergence)?;
    for (number, value) in values.iter_mut().enumerate() {
        *value = Complex::new(a.restore(re[number]), a.restore(im[number]));
    }
    for (target, vectors) in [(left, u_left), (right, u_right)] {
        if let (Some(target), Some(vectors)) = (target, vectors) {
            unpack(values, vectors.as_ref(), target);
        }
    }
    Ok(())
}

/// The vectors of a conjugate pair are stored in two columns: real parts, and imaginary parts of
/// the first one.
fn unpack<R: RealNumber>(values: &[Complex<R>], vectors: MatRef<'_, R>, target: &mut [Complex<R>]) {
    let size = values.len();
    let mut number = 0;
    while number < size {
        let paired = values[number].im != <R as Zero>::zero() && number + 1 < size;
        let column = &mut target[number * size..][..size];
        for (row, value) in column.iter_mut().enumerate() {
            let im = if paired {
                vectors[(row, number + 1)]
            } else {
                <R as Zero>::zero()
            };
            *value = Complex::new(vectors[(row, number)], im);
        }
        normalize(column);
        if paired {
            let (first, second) = target[number * size..].split_at_mut(size);
            for (value, conjugate) in first.iter().zip(second) {
                *conjugate = value.conj();
            }
        }
        number += if paired { 2 } else { 1 };
    }
}

/// Normalizes a vector to norm 1, with a real largest component.
fn normalize<R: Float>(vector: &mut [Complex<R>]) {
    let zero = R::zero();
    let scale = vector.iter().fold(zero, |scale, value| {
        scale.max(value.re.abs()).max(value.im.abs())
    });
    if scale == zero || !scale.is_finite() {
        return;
    }
    for value in &mut *vector {
        *value = value.unscale(scale);
    }
    let norm = vector.iter().fold(zero, |sum, value| sum + value.norm_sqr()).sqrt();
    let largest = vector.iter().enumerate().fold((0, zero), |best, (number, value)| {
        if value.norm_sqr() > best.1 {
            (number, value.norm_sqr())
        } else {
            best
        }
    });
    let Some(pivot) = vector.get(largest.0).copied() else {
        return;
    };
    let turn = if pivot.im == zero {
        Complex::new(R::one(), zero)
    } else {
        pivot.conj().unscale(pivot.norm())
    };
    for value in &mut *vector {
        *value = (*value * turn).unscale(norm);
    }
    if pivot.im != zero {
        vector[largest.0].im = zero;
    }
}
