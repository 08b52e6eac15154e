//! `getrf`: LU with partial pivoting.

use halo_core::Complex;

use super::super::matrices::{Element, Input, Output, each};
use super::routines::{codes, parts, routine, runs, same_batches, same_size};
use crate::custom_call::{CustomCall, CustomCallRegistry};

pub(super) fn register(registry: &mut CustomCallRegistry) {
    routine(registry, "getrf", "getrf", runs!(getrf));
}

/// `a -> (factors, pivots, info)`; pivots and `info` count from 1.
fn getrf<T: Element>(call: &mut CustomCall<'_>) -> Result<(), String> {
    let parallel_for = call.parallel_for;
    let ([a], [factors, pivots, info]) = parts::<1, 3>(call)?;
    let a = Input::<T>::new(a, 2)?;
    let factors = Output::<T>::new(factors, 2)?;
    let (pivots, info) = (Output::<i32>::new(pivots, 1)?, codes(info)?);
    let size = (a.batch.rows, a.batch.columns);
    let rank = size.0.min(size.1);
    same_size((factors.batch.rows, factors.batch.columns), size)?;
    same_size((pivots.batch.rows, 1), (rank, 1))?;
    let counts = [&a.batch, &factors.batch, &pivots.batch, &info.batch];
    let count = same_batches(&counts.map(|batch| batch.count()))?;
    each(parallel_for, count, |number| {
        let mut matrix = a.read(number);
        let mut exchanged = vec![0; rank];
        let singular = T::lu(&mut matrix, size, &mut exchanged);
        let exchanged: Vec<i32> = exchanged.iter().map(|row| *row as i32 + 1).collect();
        factors.write(number, &matrix);
        pivots.write(number, &exchanged);
        info.write(number, &[singular.map_or(0, |column| column as i32 + 1)]);
    });
    Ok(())
}
