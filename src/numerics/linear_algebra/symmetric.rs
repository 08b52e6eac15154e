//! Eigenvalues of Hermitian matrices.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::evd::{
    ComputeEigenvectors, SelfAdjointEvdParams, self_adjoint_evd, self_adjoint_evd_scratch,
};
use faer::{Mat, Par, diag::Diag};

use crate::linear_algebra::{
    Failure,
    matrix::{Field, view, view_mut},
    scale::scaled,
};

pub(crate) fn eigen<T: Field>(
    a: &mut [T],
    values: &mut [T::Real],
    vectors: bool,
) -> Result<(), Failure> {
    let size = values.len();
    if size == 0 {
        return Ok(());
    }
    // The iterations need not converge on elements that are not finite.
    if view(a, (size, size)).has_nan() || !view(a, (size, size)).is_all_finite() {
        return Err(Failure::NoConvergence);
    }
    let multiple = scaled(a);
    let params = faer::Spec::<SelfAdjointEvdParams, T>::default();
    let compute = if vectors {
        ComputeEigenvectors::Yes
    } else {
        ComputeEigenvectors::No
    };
    let scratch = self_adjoint_evd_scratch::<T>(size, compute, Par::Seq, params);
    let mut memory = MemBuffer::new(scratch);
    let mut found = Diag::<T>::zeros(size);
    let mut u = vectors.then(|| Mat::<T>::zeros(size, size));
    self_adjoint_evd(
        view(&multiple.elements, (size, size)),
        found.as_mut(),
        u.as_mut().map(|u| u.as_mut()),
        Par::Seq,
        MemStack::new(&mut memory),
        params,
    )
    .map_err(|_| Failure::NoConvergence)?;
    for (number, value) in values.iter_mut().enumerate() {
        *value = multiple.restore(found[number].real());
    }
    if let Some(u) = u {
        view_mut(a, (size, size)).copy_from(u.as_ref());
    }
    Ok(())
}
