//! Singular values.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::svd::{ComputeSvdVectors, SvdParams, svd, svd_scratch};
use faer::{Mat, Par, diag::Diag};

use crate::linear_algebra::{
    Failure, Matrix,
    matrix::{Field, view, view_mut},
    scale::scaled,
};

/// The outputs of a singular value decomposition.
pub struct Factors<'a, T> {
    /// `u`, and the number of its columns.
    pub u: (&'a mut [T], usize),
    /// `v^H`, and the number of its rows.
    pub vh: (&'a mut [T], usize),
}

pub(crate) fn values<T: Field>(
    a: &[T],
    size: Matrix,
    values: &mut [T::Real],
    factors: Option<Factors<'_, T>>,
) -> Result<(), Failure> {
    let (rows, columns) = size;
    let count = rows.min(columns);
    if !view(a, size).is_all_finite() {
        return Err(Failure::NoConvergence);
    }
    let a = scaled(a);
    let compute = |wanted: Option<usize>| match wanted {
        None => ComputeSvdVectors::No,
        Some(wanted) if wanted == count => ComputeSvdVectors::Thin,
        Some(_) => ComputeSvdVectors::Full,
    };
    let widths = factors.as_ref().map(|factors| (factors.u.1, factors.vh.1));
    let (compute_u, compute_v) = (
        compute(widths.map(|(u, _)| u)),
        compute(widths.map(|(_, v)| v)),
    );
    let params = faer::Spec::<SvdParams, T>::default();
    let scratch = svd_scratch::<T>(rows, columns, compute_u, compute_v, Par::Seq, params);
    let mut memory = MemBuffer::new(scratch);
    let mut found = Diag::<T>::zeros(count);
    let mut u = widths.map(|(width, _)| Mat::<T>::zeros(rows, width));
    let mut v = widths.map(|(_, width)| Mat::<T>::zeros(columns, width));
    svd(
        view(&a.elements, size),
        found.as_mut(),
        u.as_mut().map(|u| u.as_mut()),
        v.as_mut().map(|v| v.as_mut()),
        Par::Seq,
        MemStack::new(&mut memory),
        params,
    )
    .map_err(|_| Failure::NoConvergence)?;
    for (number, value) in values.iter_mut().enumerate().take(count) {
        *value = a.restore(found[number].real());
    }
    if let (Some(factors), Some(u), Some(v)) = (factors, u, v) {
        view_mut(factors.u.0, (rows, factors.u.1)).copy_from(u.as_ref());
        let height = factors.vh.1;
        view_mut(factors.vh.0, (height, columns)).copy_from(v.adjoint());
    }
    Ok(())
}
