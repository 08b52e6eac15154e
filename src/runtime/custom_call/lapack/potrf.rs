//! `potrf`: Cholesky's factorization.

use halo_core::Complex;
use halo_numerics::Failure;

use super::super::matrices::{Element, Input, Output, each};
use super::{codes, letter, parts, routine, runs, same_batches, same_size};
use crate::custom_call::{CustomCall, CustomCallRegistry};

pub(super) fn register(registry: &mut CustomCallRegistry) {
    routine(registry, "potrf", "potrf", runs!(potrf));
}

/// `a -> (factor, info)`; the triangle that `uplo` does not name stays as it
/// was.
fn potrf<T: Element>(call: &mut CustomCall<'_>) -> Result<(), String> {
    let lower = letter(&call.site.attributes, "uplo")? == b'L';
    let parallel_for = call.parallel_for;
    let ([a], [factor, info]) = parts::<1, 2>(call)?;
    let a = Input::<T>::new(a, 2)?;
    let (factor, info) = (Output::<T>::new(factor, 2)?, codes(info)?);
    let size = a.batch.rows;
    same_size((factor.batch.rows, factor.batch.columns), (size, size))?;
    same_size((a.batch.rows, a.batch.columns), (size, size))?;
    let count = same_batches(&[a.batch.count(), factor.batch.count(), info.batch.count()])?;
    each(parallel_for, count, |number| {
        let mut matrix = a.read(number);
        // The upper factor of a is the conjugate transpose of the lower one.
        if !lower {
            adjoint(&mut matrix, size);
        }
        let outcome = T::cholesky(&mut matrix, size);
        if !lower {
            adjoint(&mut matrix, size);
        }
        // The factorization may have used the other triangle.
        for (index, original) in a.read(number).into_iter().enumerate() {
            let (row, column) = (index % size, index / size);
            if (lower && row < column) || (!lower && row > column) {
                matrix[index] = original;
            }
        }
        factor.write(number, &matrix);
        info.write(
            number,
            &[match outcome {
                Ok(()) => 0,
                Err(Failure::NotPositiveDefinite(order)) => order as i32,
                Err(Failure::NoConvergence) => 1,
            }],
        );
    });
    Ok(())
}

fn adjoint<T: Element>(matrix: &mut [T], size: usize) {
    for column in 0..size {
        for row in 0..=column {
            let (here, there) = (column * size + row, row * size + column);
            (matrix[here], matrix[there]) = (matrix[there].conjugate(), matrix[here].conjugate());
        }
    }
}
