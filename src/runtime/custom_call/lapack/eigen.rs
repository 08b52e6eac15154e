//! `geev`: eigenvalues of square matrices.

use halo_core::{Complex, NativeType};
use halo_numerics::Number;

use super::super::matrices::{Element, Input, Output, each};
use super::{codes, letter, routine, same_batches, same_size, zeros};
use crate::custom_call::{CustomCall, CustomCallRegistry, ViewMut};

pub(super) fn register(registry: &mut CustomCallRegistry) {
    routine(
        registry,
        "geev",
        "geev",
        [
            real::<f32>,
            real::<f64>,
            complex::<Complex<f32>>,
            complex::<Complex<f64>>,
        ],
    );
}

/// `a -> (real parts, imaginary parts, left vectors, right vectors, info)`
fn real<T: Element + Number<Real = T>>(call: &mut CustomCall<'_>) -> Result<(), String>
where
    Complex<T>: Element,
{
    let [re, im, rest @ ..] = &mut call.results[..] else {
        return Err("five results are needed".to_owned());
    };
    let (re, im) = (Output::<T>::new(re, 1)?, Output::<T>::new(im, 1)?);
    same_size(
        (re.batch.rows, re.batch.count()),
        (im.batch.rows, im.batch.count()),
    )?;
    let write = |number: usize, values: &[Complex<T>]| {
        let parts = values.iter();
        re.write(
            number,
            &parts.clone().map(|value| value.re).collect::<Vec<T>>(),
        );
        im.write(number, &parts.map(|value| value.im).collect::<Vec<T>>());
    };
    let shape = (re.batch.rows, re.batch.count());
    eigen::<T>(
        &call.operands,
        rest,
        &call.site.attributes,
        call.parallel_for,
        shape,
        write,
    )
}

/// `a -> (eigenvalues, left vectors, right vectors, info)`
fn complex<T: Element>(call: &mut CustomCall<'_>) -> Result<(), String>
where
    Complex<T::Real>: Element,
{
    let [values, rest @ ..] = &mut call.results[..] else {
        return Err("four results are needed".to_owned());
    };
    let values = Output::<Complex<T::Real>>::new(values, 1)?;
    let shape = (values.batch.rows, values.batch.count());
    let write = |number: usize, found: &[Complex<T::Real>]| values.write(number, found);
    eigen::<T>(
        &call.operands,
        rest,
        &call.site.attributes,
        call.parallel_for,
        shape,
        write,
    )
}

/// The common part of both; `values` are the length and number of the vectors
/// of eigenvalues.
fn eigen<T: Element>(
    operands: &[crate::custom_call::View<'_>],
    results: &mut [ViewMut<'_>],
    attributes: &crate::custom_call::Attributes,
    parallel_for: crate::custom_call::ParallelFor<'_>,
    values: (usize, usize),
    write: impl Fn(usize, &[Complex<T::Real>]) + Sync,
) -> Result<(), String>
where
    Complex<T::Real>: Element + NativeType,
{
    let wants_left = letter(attributes, "compute_left")? == b'V';
    let wants_right = letter(attributes, "compute_right")? == b'V';
    let ([a], [left, right, info]) = (operands, results) else {
        return Err("one operand, vectors and a code are needed".to_owned());
    };
    let a = Input::<T>::new(a, 2)?;
    let left = Output::<Complex<T::Real>>::new(left, 2)?;
    let right = Output::<Complex<T::Real>>::new(right, 2)?;
    let info = codes(info)?;
    let size = a.batch.rows;
    same_size((size, a.batch.columns), (values.0, values.0))?;
    for batch in [&left.batch, &right.batch] {
        same_size((batch.rows, batch.columns), (size, size))?;
    }
    let counts = [&a.batch, &left.batch, &right.batch, &info.batch];
    let count = same_batches(&counts.map(|batch| batch.count()))?;
    same_batches(&[count, values.1])?;
    each(parallel_for, count, |number| {
        let mut found = zeros::<Complex<T::Real>>(size);
        let mut vectors = [zeros(size * size), zeros(size * size)];
        let [l, r] = &mut vectors;
        let outcome = T::eigen(
            &a.read(number),
            &mut found,
            wants_left.then_some(&mut l[..]),
            wants_right.then_some(&mut r[..]),
        );
        if outcome.is_err() {
            found.fill(Element::nan());
        }
        write(number, &found);
        left.write(number, &vectors[0]);
        right.write(number, &vectors[1]);
        info.write(number, &[i32::from(outcome.is_err())]);
    });
    Ok(())
}
