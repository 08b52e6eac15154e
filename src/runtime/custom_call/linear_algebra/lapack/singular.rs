//! `gesdd` and `gesvd`, which differ only in the method: the singular value decomposition.

use halo_core::Complex;
use halo_numerics::linear_algebra::Factors;

use super::super::matrices::{Element, Input, Output, each};
use super::routines::{codes, letter, nans, parts, routine, runs, same_batches, same_size, zeros};
use crate::custom_call::{CustomCall, CustomCallRegistry};

pub(super) fn register(registry: &mut CustomCallRegistry) {
    routine(registry, "gesdd", "gesdd", runs!(gesdd));
    routine(registry, "gesvd", "gesvd", runs!(gesdd));
}

/// `a -> (overwritten a, singular values, u, v^H, info)`. The mode is `A` for all columns of `u`
/// and rows of `v^H`, `S` for as many as there are singular values, `N` for none.
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

#[cfg(test)]
mod tests {
    use super::super::tests::{
        A, TYPES, Wide, assert_near, call, complex_a, letter, operand, reals,
    };

    /// The types of the results for a matrix, with the given numbers of columns of `u` and rows of
    /// `v^H`.
    fn results(
        batch: &str,
        (rows, columns): (usize, usize),
        (width, height): (usize, usize),
        (element, real): (&str, &str),
    ) -> [String; 5] {
        [
            format!("tensor<{batch}{rows}x{columns}x{element}>"),
            format!("tensor<{batch}{}x{real}>", rows.min(columns)),
            format!("tensor<{batch}{rows}x{width}x{element}>"),
            format!("tensor<{batch}{height}x{columns}x{element}>"),
            format!("tensor<{batch}i32>"),
        ]
    }

    /// Fails unless vectors have norm 1 and are orthogonal.
    #[track_caller]
    fn assert_unitary(vectors: &[Vec<Wide>], tolerance: f64) {
        for (number, one) in vectors.iter().enumerate() {
            for (other_number, other) in vectors.iter().enumerate() {
                let products = one.iter().zip(other).map(|(one, other)| one * other.conj());
                let expected = f64::from(u8::from(number == other_number));
                assert!((products.sum::<Wide>() - expected).norm() <= 30.0 * tolerance);
            }
        }
    }

    #[test]
    fn all_types_modes_and_sizes() {
        for (prefix, element, real, tolerance) in TYPES {
            let all = if element == real {
                reals(&A)
            } else {
                complex_a()
            };
            for (rows, columns) in [(4, 4), (4, 3), (3, 4), (1, 4)] {
                let a: Vec<Wide> = all
                    .chunks_exact(4)
                    .take(rows)
                    .flat_map(|row| row[..columns].to_vec())
                    .collect();
                let rank = rows.min(columns);
                for (routine, mode) in [
                    ("gesdd", 'A'),
                    ("gesdd", 'S'),
                    ("gesvd", 'A'),
                    ("gesvd", 'S'),
                    ("gesvd", 'N'),
                ] {
                    let sizes = if mode == 'S' {
                        (rank, rank)
                    } else {
                        (rows, columns)
                    };
                    let results = results("", (rows, columns), sizes, (element, real));
                    let found = call(
                        &format!("lapack_{prefix}{routine}_ffi"),
                        &[("mode", letter(mode))],
                        &[operand(&results[0], &a)],
                        &results.each_ref().map(String::as_str),
                    );
                    let values = &found[1];
                    assert!(values.windows(2).all(|pair| pair[0].re >= pair[1].re));
                    assert_near(&found[4], &reals(&[0.0]), 0.0);
                    // The sum of squares equals the sum over the elements.
                    let squares: f64 = values.iter().map(|value| value.norm_sqr()).sum();
                    let expected: f64 = a.iter().map(|value| value.norm_sqr()).sum();
                    assert!((squares - expected).abs() <= 1e3 * tolerance);
                    if mode == 'N' {
                        continue;
                    }
                    let element = |index: usize| -> Wide {
                        let (row, column) = (index / columns, index % columns);
                        let part = |k: usize| {
                            found[2][row * sizes.0 + k] * values[k] * found[3][k * columns + column]
                        };
                        (0..rank).map(part).sum()
                    };
                    let product: Vec<Wide> = (0..rows * columns).map(element).collect();
                    assert_near(&product, &a, 30.0 * tolerance);
                    let rows_of_vh =
                        |number: usize| found[3][number * columns..][..columns].to_vec();
                    assert_unitary(&(0..sizes.1).map(rows_of_vh).collect::<Vec<_>>(), tolerance);
                    let column_of_u = |number: usize| -> Vec<Wide> {
                        found[2].iter().skip(number).step_by(sizes.0).copied().collect()
                    };
                    assert_unitary(
                        &(0..sizes.0).map(column_of_u).collect::<Vec<_>>(),
                        tolerance,
                    );
                }
            }
        }
    }

    #[test]
    fn batches_and_empty_matrices() {
        for (count, rows, columns) in [(0_usize, 2, 2), (2, 0, 3), (2, 3, 0), (2, 1, 1)] {
            let batch = format!("{count}x");
            let results = results(&batch, (rows, columns), (rows, columns), ("f64", "f64"));
            for mode in ['A', 'N'] {
                let found = call(
                    "lapack_dgesdd_ffi",
                    &[("mode", letter(mode))],
                    &[operand(
                        &results[0],
                        &vec![Wide::from(-2.0); count * rows * columns],
                    )],
                    &results.each_ref().map(String::as_str),
                );
                let expected = vec![Wide::from(2.0); count * rows.min(columns)];
                assert_near(&found[1], &expected, 1e-14);
            }
        }
    }
}
