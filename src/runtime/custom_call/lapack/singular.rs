//! `gesdd`: the singular value decomposition.

use halo_core::Complex;
use halo_numerics::Factors;

use super::super::matrices::{Element, Input, Output, each};
use super::{codes, letter, nans, parts, routine, runs, same_batches, same_size, zeros};
use crate::custom_call::{CustomCall, CustomCallRegistry};

pub(super) fn register(registry: &mut CustomCallRegistry) {
    routine(registry, "gesdd", "gesdd", runs!(gesdd));
}

/// `a -> (the rest of a, singular values, u, v^H, info)`. The mode is `A` for
/// all columns of `u` and rows of `v^H`, `S` for as many as there are singular
/// values, `N` for none.
fn gesdd<T: Element>(call: &mut CustomCall<'_>) -> Result<(), String> {
    let wants_factors = letter(&call.site.attributes, "mode")? != b'N';
    let parallel_for = call.parallel_for;
    let ([a], [rest, values, u, vh, info]) = parts::<1, 5>(call)?;
    let a = Input::<T>::new(a, 2)?;
    let (rest, values) = (
        Output::<T>::new(rest, 2)?,
        Output::<T::Real>::new(values, 1)?,
    );
    let (u, vh) = (Output::<T>::new(u, 2)?, Output::<T>::new(vh, 2)?);
    let info = codes(info)?;
    let size @ (rows, columns) = (a.batch.rows, a.batch.columns);
    let rank = rows.min(columns);
    let (width, height) = (u.batch.columns, vh.batch.rows);
    same_size((rest.batch.rows, rest.batch.columns), size)?;
    same_size((values.batch.rows, 1), (rank, 1))?;
    same_size((u.batch.rows, vh.batch.columns), size)?;
    let wide = |count: usize, all: usize| count == rank || count == all;
    if wants_factors && !(wide(width, rows) && wide(height, columns)) {
        return Err(format!("u has {width} columns and v^H {height} rows"));
    }
    let count = same_batches(&[
        a.batch.count(),
        rest.batch.count(),
        values.batch.count(),
        u.batch.count(),
        vh.batch.count(),
        info.batch.count(),
    ])?;
    each(parallel_for, count, |number| {
        let matrix = a.read(number);
        let mut found = zeros::<T::Real>(rank);
        let (mut left, mut right) = (zeros::<T>(rows * width), zeros::<T>(height * columns));
        let factors = wants_factors.then_some(Factors {
            u: (&mut left, width),
            vh: (&mut right, height),
        });
        let outcome = T::singular(&matrix, size, &mut found, factors);
        if outcome.is_err() {
            (left, right) = (nans(left.len()), nans(right.len()));
        }
        rest.write(number, &matrix);
        values.write(number, &found);
        u.write(number, &left);
        vh.write(number, &right);
        info.write(number, &[i32::from(outcome.is_err())]);
    });
    Ok(())
}
