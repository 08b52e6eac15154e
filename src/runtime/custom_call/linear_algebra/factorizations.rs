//! The factorizations that XLA's builders and frameworks call by name, and
//! XLA's compilers expand: `Qr`, `ProductOfElementaryHouseholderReflectors`,
//! `LuDecomposition` and `Eigh`.
//!
//! Matrices are the last two dimensions of the operands; the dimensions before
//! them are a batch.

use halo_core::Complex;

use super::lapack::routines::{parts, runs, same_batches, same_size, zeros};
use super::lapack::{qr, symmetric};
use super::matrices::{Element, Input, Output, Run, each, for_element, handler};
use crate::custom_call::{CustomCall, CustomCallRegistry};

pub(super) fn register(registry: &mut CustomCallRegistry) {
    let calls: [(&str, [Run; 4]); 4] = [
        ("Eigh", runs!(eigh)),
        ("LuDecomposition", runs!(lu)),
        (
            "ProductOfElementaryHouseholderReflectors",
            [
                qr::orgqr::<f32>,
                qr::orgqr::<f64>,
                qr::orgqr::<Complex<f32>>,
                qr::orgqr::<Complex<f64>>,
            ],
        ),
        (
            "Qr",
            [
                qr::geqrf::<f32>,
                qr::geqrf::<f64>,
                qr::geqrf::<Complex<f32>>,
                qr::geqrf::<Complex<f64>>,
            ],
        ),
    ];
    for (name, runs) in calls {
        registry.register_factory(name, move |site| for_element(site, runs).map(handler));
    }
}

/// `a -> (eigenvectors, eigenvalues)`. The configuration is a list of numbers, the first of which
/// selects the lower triangle; the others configure a method that is not implemented here.
/// Eigenvalues are in ascending order.
fn eigh<T: Element>(call: &mut CustomCall<'_>) -> Result<(), String> {
    let first = call.site.backend_config.split(',').next();
    let lower = first.is_none_or(|number| number.trim() != "0");
    let parallel_for = call.parallel_for;
    let ([a], [vectors, values]) = parts::<1, 2>(call)?;
    let a = Input::<T>::new(a, 2)?;
    let vectors = Output::<T>::new(vectors, 2)?;
    let values = Output::<T::Real>::new(values, 1)?;
    let size = a.batch.rows;
    same_size((a.batch.rows, a.batch.columns), (size, size))?;
    same_size((vectors.batch.rows, vectors.batch.columns), (size, size))?;
    same_size((values.batch.rows, 1), (size, 1))?;
    let counts = [&a.batch, &vectors.batch, &values.batch];
    let count = same_batches(&counts.map(|batch| batch.count()))?;
    each(parallel_for, count, |number| {
        let mut matrix = a.read(number);
        let mut found = zeros::<T::Real>(size);
        // Results of a failed factorization are NaN.
        symmetric::factor(&mut matrix, size, lower, &mut found);
        vectors.write(number, &matrix);
        values.write(number, &found);
    });
    Ok(())
}

/// `a -> (factors, pivots, permutation)`; rows count from 0.
fn lu<T: Element>(call: &mut CustomCall<'_>) -> Result<(), String> {
    let parallel_for = call.parallel_for;
    let ([a], [factors, pivots, permutation]) = parts::<1, 3>(call)?;
    let a = Input::<T>::new(a, 2)?;
    let factors = Output::<T>::new(factors, 2)?;
    let pivots = Output::<i32>::new(pivots, 1)?;
    let permutation = Output::<i32>::new(permutation, 1)?;
    let size = (a.batch.rows, a.batch.columns);
    let rank = size.0.min(size.1);
    same_size((factors.batch.rows, factors.batch.columns), size)?;
    same_size((pivots.batch.rows, 1), (rank, 1))?;
    same_size((permutation.batch.rows, 1), (size.0, 1))?;
    let counts = [&a.batch, &factors.batch, &pivots.batch, &permutation.batch];
    let count = same_batches(&counts.map(|batch| batch.count()))?;
    each(parallel_for, count, |number| {
        let mut matrix = a.read(number);
        let mut exchanged = vec![0; rank];
        T::lu(&mut matrix, size, &mut exchanged);
        let mut order: Vec<i32> = (0..size.0 as i32).collect();
        for (row, other) in exchanged.iter().enumerate() {
            order.swap(row, *other);
        }
        let exchanged: Vec<i32> = exchanged.iter().map(|row| *row as i32).collect();
        factors.write(number, &matrix);
        pivots.write(number, &exchanged);
        permutation.write(number, &order);
    });
    Ok(())
}
