//! `syevd`, which is `heevd` for complex numbers: eigenvalues of Hermitian
//! matrices.

use halo_core::Complex;

use super::super::matrices::{Element, Input, Output, each};
use super::routines::{codes, letter, nans, parts, routine, runs, same_batches, same_size, zeros};
use crate::custom_call::{CustomCall, CustomCallRegistry};

pub(super) fn register(registry: &mut CustomCallRegistry) {
    routine(registry, "syevd", "heevd", runs!(syevd));
}

/// `a -> (eigenvectors, eigenvalues, info)`
fn syevd<T: Element>(call: &mut CustomCall<'_>) -> Result<(), String> {
    let lower = letter(&call.site.attributes, "uplo")? == b'L';
    let wants_vectors = letter(&call.site.attributes, "mode")? == b'V';
    let parallel_for = call.parallel_for;
    let ([a], [vectors, values, info]) = parts::<1, 3>(call)?;
    let a = Input::<T>::new(a, 2)?;
    let vectors = Output::<T>::new(vectors, 2)?;
    let (values, info) = (Output::<T::Real>::new(values, 1)?, codes(info)?);
    let size = a.batch.rows;
    same_size((a.batch.rows, a.batch.columns), (size, size))?;
    same_size((vectors.batch.rows, vectors.batch.columns), (size, size))?;
    same_size((values.batch.rows, 1), (size, 1))?;
    let counts = [&a.batch, &vectors.batch, &values.batch, &info.batch];
    let count = same_batches(&counts.map(|batch| batch.count()))?;
    each(parallel_for, count, |number| {
        let mut matrix = a.read(number);
        if !lower {
            take_upper(&mut matrix, size);
        }
        let mut found = zeros::<T::Real>(size);
        let outcome = T::symmetric_eigen(&mut matrix, &mut found, wants_vectors);
        if outcome.is_err() {
            matrix = nans(size * size);
        }
        vectors.write(number, &matrix);
        values.write(number, &found);
        info.write(number, &[i32::from(outcome.is_err())]);
    });
    Ok(())
}

/// Copies the upper triangle to the lower one.
fn take_upper<T: Element>(matrix: &mut [T], size: usize) {
    for column in 0..size {
        for row in column + 1..size {
            matrix[column * size + row] = matrix[row * size + column].conjugate();
        }
    }
}

/// Replaces a matrix, reading one triangle, by its eigenvectors, and writes the eigenvalues; NaN if
/// they do not converge.
pub(in crate::custom_call::linear_algebra) fn factor<T: Element>(
    matrix: &mut Vec<T>,
    size: usize,
    lower: bool,
    values: &mut [T::Real],
) {
    if !lower {
        take_upper(matrix, size);
    }
    if T::symmetric_eigen(matrix, values, true).is_err() {
        *matrix = nans(size * size);
    }
}
