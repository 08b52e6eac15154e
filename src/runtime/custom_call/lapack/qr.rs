//! `geqrf`, and `orgqr`, which is `ungqr` for complex numbers.

use halo_core::Complex;

use super::super::matrices::{Element, Input, Output, each};
use super::{parts, routine, runs, same_batches, same_size, zeros};
use crate::custom_call::{CustomCall, CustomCallRegistry};

pub(super) fn register(registry: &mut CustomCallRegistry) {
    routine(registry, "geqrf", "geqrf", runs!(geqrf));
    routine(registry, "orgqr", "ungqr", runs!(orgqr));
}

/// `a -> (r and reflections, taus)`
pub(in crate::custom_call) fn geqrf<T: Element>(call: &mut CustomCall<'_>) -> Result<(), String> {
    let parallel_for = call.parallel_for;
    let ([a], [packed, taus]) = parts::<1, 2>(call)?;
    let a = Input::<T>::new(a, 2)?;
    let (packed, taus) = (Output::<T>::new(packed, 2)?, Output::<T>::new(taus, 1)?);
    let size = (a.batch.rows, a.batch.columns);
    let rank = size.0.min(size.1);
    same_size((packed.batch.rows, packed.batch.columns), size)?;
    same_size((taus.batch.rows, 1), (rank, 1))?;
    let count = same_batches(&[a.batch.count(), packed.batch.count(), taus.batch.count()])?;
    each(parallel_for, count, |number| {
        let (mut matrix, mut factors) = (a.read(number), zeros(rank));
        T::qr(&mut matrix, size, &mut factors);
        packed.write(number, &matrix);
        taus.write(number, &factors);
    });
    Ok(())
}

/// `(reflections, taus) -> q`
pub(in crate::custom_call) fn orgqr<T: Element>(call: &mut CustomCall<'_>) -> Result<(), String> {
    let parallel_for = call.parallel_for;
    let ([packed, taus], [q]) = parts::<2, 1>(call)?;
    let (packed, taus) = (Input::<T>::new(packed, 2)?, Input::<T>::new(taus, 1)?);
    let q = Output::<T>::new(q, 2)?;
    let size = (packed.batch.rows, packed.batch.columns);
    same_size((q.batch.rows, q.batch.columns), size)?;
    if taus.batch.rows > size.1 || size.1 > size.0 {
        return Err("there are more reflections than columns, or columns than rows".to_owned());
    }
    let count = same_batches(&[packed.batch.count(), taus.batch.count(), q.batch.count()])?;
    each(parallel_for, count, |number| {
        let mut matrix = packed.read(number);
        T::form_q(&mut matrix, size, &taus.read(number));
        q.write(number, &matrix);
    });
    Ok(())
}
