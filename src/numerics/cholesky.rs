//! Cholesky's factorization.

use faer::Par;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::factor::{
    LltError, LltParams, LltRegularization, cholesky_in_place, cholesky_in_place_scratch,
};

use crate::{
    Failure,
    matrix::{Field, view_mut},
};

pub(crate) fn factor<T: Field>(a: &mut [T], size: usize) -> Result<(), Failure> {
    let params = faer::Spec::<LltParams, T>::default();
    let mut memory = MemBuffer::new(cholesky_in_place_scratch::<T>(size, Par::Seq, params));
    let outcome = cholesky_in_place(
        view_mut(a, (size, size)),
        LltRegularization::default(),
        Par::Seq,
        MemStack::new(&mut memory),
        params,
    );
    match outcome {
        Ok(_) => Ok(()),
        Err(LltError::NonPositivePivot { index }) => Err(Failure::NotPositiveDefinite(index + 1)),
    }
}
