//! `geev`: eigenvalues of square matrices.

use halo_core::{Complex, NativeType};
use halo_numerics::linear_algebra::Number;

use super::super::matrices::{Element, Input, Output, each};
use super::routines::{codes, letter, routine, same_batches, same_size, zeros};
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

/// The common implementation of both; `values` are the length and number of the vectors of
/// eigenvalues.
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

#[cfg(test)]
mod tests {
    use super::super::tests::{
        A, TYPES, Wide, assert_near, call, complex_a, letter, operand, reals,
    };

    /// The types of the results of a call.
    fn results(batch: &str, size: usize, (element, real): (&str, &str)) -> Vec<String> {
        let parts = if element == real { 2 } else { 1 };
        let mut results = vec![format!("tensor<{batch}{size}x{element}>"); parts];
        let vectors = format!("tensor<{batch}{size}x{size}xcomplex<{real}>>");
        results.extend([vectors.clone(), vectors, format!("tensor<{batch}i32>")]);
        results
    }

    /// Fails unless `a v = w v` and `u^H a = w u^H`, for vectors of norm 1 whose largest
    /// component is real.
    #[track_caller]
    fn check(a: &[Wide], values: &[Wide], left: &[Wide], right: &[Wide], tolerance: f64) {
        let size = values.len();
        for (number, value) in values.iter().enumerate() {
            let column = |vectors: &[Wide]| -> Vec<Wide> {
                (0..size).map(|row| vectors[row * size + number]).collect()
            };
            let (left, right) = (column(left), column(right));
            for vector in [&left, &right] {
                let norm: f64 = vector.iter().map(|value| value.norm_sqr()).sum();
                assert!((norm - 1.0).abs() <= tolerance, "{norm}");
                let largest = vector.iter().max_by(|a, b| a.norm().total_cmp(&b.norm()));
                assert!(largest.is_some_and(|largest| largest.im.abs() <= tolerance));
            }
            for index in 0..size {
                let sum: Wide = (0..size).map(|k| a[index * size + k] * right[k]).sum();
                assert!(
                    (sum - value * right[index]).norm() <= 30.0 * tolerance,
                    "right {number}"
                );
                let sum: Wide = (0..size).map(|k| left[k].conj() * a[k * size + index]).sum();
                let expected = value * left[index].conj();
                assert!((sum - expected).norm() <= 30.0 * tolerance, "left {number}");
            }
        }
    }

    #[test]
    fn left_and_right_vectors_of_all_types() {
        for (prefix, element, real, tolerance) in TYPES {
            let is_real = element == real;
            let a = if is_real { reals(&A) } else { complex_a() };
            let results = results("", 4, (element, real));
            let results: Vec<&str> = results.iter().map(String::as_str).collect();
            let attributes = [
                ("compute_left", letter('V')),
                ("compute_right", letter('V')),
            ];
            let operands = [operand(&format!("tensor<4x4x{element}>"), &a)];
            let mut found = call(
                &format!("lapack_{prefix}geev_ffi"),
                &attributes,
                &operands,
                &results,
            );
            let mut values = found.remove(0);
            if is_real {
                let im = found.remove(0);
                values = values.iter().zip(im).map(|(re, im)| Wide::new(re.re, im.re)).collect();
            }
            check(&a, &values, &found[0], &found[1], tolerance);
            if is_real {
                let mut expected = [
                    Wide::from(17.749298194600634),
                    Wide::new(-1.900016728296594, 1.476779964527757),
                    Wide::new(-1.900016728296594, -1.476779964527757),
                    Wide::from(1.05073526199256),
                ];
                let order = |a: &Wide, b: &Wide| a.re.total_cmp(&b.re).then(a.im.total_cmp(&b.im));
                if real == "f64" {
                    expected.sort_by(order);
                    values.sort_by(order);
                    assert_near(&values, &expected, 1e-12);
                }
            }
            assert_near(&found[2], &reals(&[0.0]), 0.0);
        }
    }

    #[test]
    fn batches_and_empty_matrices_of_all_types() {
        for (prefix, element, real, tolerance) in TYPES {
            for (batch, count, size) in [("0x", 0, 3), ("2x", 2, 0), ("2x", 2, 1), ("", 1, 0)] {
                let results = results(batch, size, (element, real));
                let results: Vec<&str> = results.iter().map(String::as_str).collect();
                let attributes = [
                    ("compute_left", letter('V')),
                    ("compute_right", letter('N')),
                ];
                let ty = format!("tensor<{batch}{size}x{size}x{element}>");
                let values = vec![Wide::from(2.0); count * size * size];
                let name = format!("lapack_{prefix}geev_ffi");
                let found = call(&name, &attributes, &[operand(&ty, &values)], &results);
                assert_near(&found[0], &vec![Wide::from(2.0); count * size], tolerance);
            }
        }
    }
}
