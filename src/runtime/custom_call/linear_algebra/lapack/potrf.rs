//! `potrf`: Cholesky's factorization.

use halo_core::Complex;
use halo_numerics::linear_algebra::Failure;

use super::super::matrices::{Element, Input, Output, factor_cholesky};
use super::routines::{codes, letter, parts, routine, runs, same_batches, same_size};
use crate::custom_call::{CustomCall, CustomCallRegistry};

pub(super) fn register(registry: &mut CustomCallRegistry) {
    routine(registry, "potrf", "potrf", runs!(potrf));
}

/// `a -> (factor, info)`; the triangle that `uplo` does not name is unchanged.
fn potrf<T: Element>(call: &mut CustomCall<'_>) -> Result<(), String> {
    let lower = letter(&call.site.attributes, "uplo")? == b'L';
    let parallel_for = call.parallel_for;
    let ([a], [factor, info]) = parts::<1, 2>(call)?;
    let a = Input::<T>::new(a, 2)?;
    let (factor, info) = (Output::<T>::new(factor, 2)?, codes(info)?);
    let size = a.batch.rows;
    same_size((factor.batch.rows, factor.batch.columns), (size, size))?;
    same_size((a.batch.rows, a.batch.columns), (size, size))?;
    same_batches(&[a.batch.count(), factor.batch.count(), info.batch.count()])?;
    factor_cholesky(parallel_for, (&a, factor), lower, |number, _, outcome| {
        let code = match outcome {
            Ok(()) => 0,
            Err(Failure::NotPositiveDefinite(order)) => order as i32,
            Err(Failure::NoConvergence) => 1,
        };
        info.write(number, &[code]);
    });
    Ok(())
}
