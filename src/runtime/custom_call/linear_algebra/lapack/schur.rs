//! `gees`: the Schur form.

use halo_core::Complex;
use halo_numerics::linear_algebra::Number;

use super::super::matrices::{Element, Input, Output, each};
use super::routines::{codes, letter, nans, routine, same_batches, same_size, zeros};
use crate::custom_call::{Attributes, CustomCall, CustomCallRegistry, ParallelFor, View, ViewMut};

pub(super) fn register(registry: &mut CustomCallRegistry) {
    routine(
        registry,
        "gees",
        "gees",
        [
            real::<f32>,
            real::<f64>,
            complex::<Complex<f32>>,
            complex::<Complex<f64>>,
        ],
    );
}

/// `a -> (form, vectors, real parts, imaginary parts, selected, info)`
fn real<T: Element + Number<Real = T>>(call: &mut CustomCall<'_>) -> Result<(), String>
where
    Complex<T>: Element,
{
    let [form, vectors, re, im, selected, info] = &mut call.results[..] else {
        return Err("six results are needed".to_owned());
    };
    let (re, im) = (Output::<T>::new(re, 1)?, Output::<T>::new(im, 1)?);
    same_size(
        (re.batch.rows, re.batch.count()),
        (im.batch.rows, im.batch.count()),
    )?;
    let write = |number: usize, values: &[Complex<T>]| {
        let parts = values.iter();
        let real_parts: Vec<T> = parts.clone().map(|value| value.re).collect();
        re.write(number, &real_parts);
        im.write(number, &parts.map(|value| value.im).collect::<Vec<T>>());
    };
    gees::<T>(
        (&call.operands, [form, vectors, selected, info]),
        (&call.site.attributes, call.parallel_for),
        (re.batch.rows, re.batch.count()),
        write,
    )
}

/// `a -> (form, vectors, eigenvalues, selected, info)`
fn complex<T: Element>(call: &mut CustomCall<'_>) -> Result<(), String>
where
    Complex<T::Real>: Element,
{
    let [form, vectors, values, selected, info] = &mut call.results[..] else {
        return Err("five results are needed".to_owned());
    };
    let values = Output::<Complex<T::Real>>::new(values, 1)?;
    let write = |number: usize, found: &[Complex<T::Real>]| values.write(number, found);
    gees::<T>(
        (&call.operands, [form, vectors, selected, info]),
        (&call.site.attributes, call.parallel_for),
        (values.batch.rows, values.batch.count()),
        write,
    )
}

/// The common implementation of both; `values` are the length and number of the vectors of
/// eigenvalues. Sorting by a selection function is not supported, so none is selected.
fn gees<T: Element>(
    (operands, results): (&[View<'_>], [&mut ViewMut<'_>; 4]),
    (attributes, parallel_for): (&Attributes, ParallelFor<'_>),
    values: (usize, usize),
    write: impl Fn(usize, &[Complex<T::Real>]) + Sync,
) -> Result<(), String>
where
    Complex<T::Real>: Element,
{
    let wants_vectors = letter(attributes, "mode")? == b'V';
    if letter(attributes, "sort")? != b'N' {
        return Err("eigenvalues cannot be sorted".to_owned());
    }
    let [a] = operands else {
        return Err("one operand is needed".to_owned());
    };
    let [form, vectors, selected, info] = results;
    let a = Input::<T>::new(a, 2)?;
    let (form, vectors) = (Output::<T>::new(form, 2)?, Output::<T>::new(vectors, 2)?);
    let (selected, info) = (codes(selected)?, codes(info)?);
    let size = a.batch.rows;
    same_size((size, a.batch.columns), (values.0, values.0))?;
    for batch in [&form.batch, &vectors.batch] {
        same_size((batch.rows, batch.columns), (size, size))?;
    }
    let batches = [&a.batch, &form.batch, &vectors.batch];
    let count = same_batches(&batches.map(|batch| batch.count()))?;
    same_batches(&[count, selected.batch.count(), info.batch.count()])?;
    same_batches(&[count, values.1])?;
    each(parallel_for, count, |number| {
        let mut matrix = a.read(number);
        let mut found = zeros::<Complex<T::Real>>(size);
        let mut columns = zeros::<T>(size * size);
        let wanted = wants_vectors.then_some(&mut columns[..]);
        let outcome = T::schur(&mut matrix, &mut found, wanted);
        if outcome.is_err() {
            (matrix, columns) = (nans(size * size), nans(size * size));
            found.fill(Element::nan());
        }
        form.write(number, &matrix);
        vectors.write(number, &columns);
        write(number, &found);
        selected.write(number, &[0]);
        info.write(number, &[outcome.err().map_or(0, |missing| missing as i32)]);
    });
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::tests::{A, TYPES, Wide, assert_near, call, letter, operand, reals, site};
    use crate::custom_call::CustomCallRegistry;

    /// The types of the results of a call.
    fn results(batch: &str, size: usize, (element, real): (&str, &str)) -> Vec<String> {
        let matrix = format!("tensor<{batch}{size}x{size}x{element}>");
        let mut results = vec![matrix.clone(), matrix];
        let parts = if element == real { 2 } else { 1 };
        results.extend(vec![format!("tensor<{batch}{size}x{element}>"); parts]);
        results.extend(vec![format!("tensor<{batch}i32>"); 2]);
        results
    }

    #[test]
    fn a_batch_with_the_numbers_of_jax() {
        let mut with_nan = A;
        with_nan[5] = f64::NAN;
        let a = operand("tensor<2x4x4xf64>", &reals(&[A, with_nan].concat()));
        let results = results("2x", 4, ("f64", "f64"));
        let results: Vec<&str> = results.iter().map(String::as_str).collect();
        let attributes = [("mode", letter('V')), ("sort", letter('N'))];
        let found = call("lapack_dgees_ffi", &attributes, &[a], &results);
        let form = [
            [
                17.749298194600634,
                -3.513930421976063,
                0.840303740304142,
                6.84020842993489,
            ],
            [
                0.0,
                -1.900016728296594,
                3.962299392526583,
                -4.87803924206554,
            ],
            [
                0.0,
                -0.550407439615499,
                -1.900016728296594,
                1.413485567169521,
            ],
            [0.0, 0.0, 0.0, 1.05073526199256],
        ];
        assert_near(&found[0][..16], &reals(&form.concat()), 1e-12);
        let vectors = [
            0.277958972191276,
            0.103386865879436,
            -0.635427869441662,
            0.712938558698312,
        ];
        assert_near(&found[1][..4], &reals(&vectors), 1e-12);
        let re = [
            17.749298194600634,
            -1.900016728296594,
            -1.900016728296594,
            1.05073526199256,
        ];
        assert_near(&found[2][..4], &reals(&re), 1e-12);
        let im = [0.0, 1.476779964527757, -1.476779964527757, 0.0];
        assert_near(&found[3][..4], &reals(&im), 1e-12);
        assert_near(&found[4], &reals(&[0.0, 0.0]), 0.0);
        assert_near(&found[5], &reals(&[0.0, 4.0]), 0.0);
        assert!(found[0][16..].iter().all(|value| value.is_nan()));
    }

    #[test]
    fn all_types_with_and_without_vectors() {
        for (prefix, element, real, tolerance) in TYPES {
            for mode in ['V', 'N'] {
                for (batch, size) in [("0x", 3), ("1x", 0), ("", 1), ("", 3)] {
                    let results = results(batch, size, (element, real));
                    let results: Vec<&str> = results.iter().map(String::as_str).collect();
                    let count = if batch == "0x" { 0 } else { size * size };
                    let values = [2.0, 0.0, 0.0, 5.0, -1.0, 0.0, 7.0, 3.0, 4.0].map(Wide::from);
                    let found = call(
                        &format!("lapack_{prefix}gees_ffi"),
                        &[("mode", letter(mode)), ("sort", letter('N'))],
                        &[operand(results[0], &values[..count])],
                        &results,
                    );
                    assert!(found.iter().rev().take(2).flatten().all(|code| code.re == 0.0));
                    if count == 9 {
                        // The lower triangular matrix is turned around.
                        assert_near(&found[2], &reals(&[4.0, -1.0, 2.0]), tolerance);
                        assert_near(&[found[1][2]], &reals(&[f64::from(mode == 'V')]), tolerance);
                    }
                }
            }
        }
    }

    #[test]
    fn eigenvalues_are_not_sorted() {
        let a = [operand("tensor<2x2xcomplex<f32>>", &reals(&[1.0; 4]))];
        let results = results("", 2, ("complex<f32>", "f32"));
        let results: Vec<&str> = results.iter().map(String::as_str).collect();
        let attributes = [("mode", letter('V')), ("sort", letter('S'))];
        let site = site("lapack_cgees_ffi", &attributes, &a, &results);
        let error = CustomCallRegistry::default().call(&site, &a).unwrap_err();
        assert!(
            error.to_string().contains("eigenvalues cannot be sorted"),
            "{error}"
        );
    }
}
