//! `gtsv`, and JAX's `tridiagonal_solve_perturbed`: systems with a tridiagonal matrix.

use halo_core::Complex;
use halo_numerics::linear_algebra::Diagonals;

use super::super::matrices::{Element, Input, MatrixBatch, Output, each, for_element, handler};
use super::routines::{codes, parts, routine, runs, same_batches, same_size};
use crate::custom_call::{CustomCall, CustomCallRegistry, View};

pub(super) fn register(registry: &mut CustomCallRegistry) {
    routine(registry, "gtsv", "gtsv", runs!(gtsv));
    registry.register_factory("tridiagonal_solve_perturbed_ffi", |site| {
        for_element(site, runs!(perturbed)).map(handler)
    });
}

/// `(below, main, above, b) -> (below, main, above, x, info)`. All diagonals have the length of the
/// main one: the first element below it, and the last element above it are not read.
fn gtsv<T: Element>(call: &mut CustomCall<'_>) -> Result<(), String> {
    let parallel_for = call.parallel_for;
    let ([below, main, above, b], [left_below, left_main, left_above, x, info]) =
        parts::<4, 5>(call)?;
    let diagonals = inputs::<T>([below, main, above])?;
    let left = [
        Output::<T>::new(left_below, 1)?,
        Output::<T>::new(left_main, 1)?,
        Output::<T>::new(left_above, 1)?,
    ];
    let b = Input::<T>::new(b, 2)?;
    let (x, info) = (Output::<T>::new(x, 2)?, codes(info)?);
    let size = b.batch.rows;
    let batches = diagonals.iter().map(|diagonal| &diagonal.batch);
    fit(
        batches.chain(left.iter().map(|diagonal| &diagonal.batch)),
        &b.batch,
    )?;
    same_size((x.batch.rows, x.batch.columns), (size, b.batch.columns))?;
    let count = same_batches(&[b.batch.count(), x.batch.count(), info.batch.count()])?;
    each(parallel_for, count, |number| {
        let [mut below, mut main, mut above] =
            [0, 1, 2].map(|diagonal: usize| diagonals[diagonal].read(number));
        let mut solution = b.read(number);
        let outcome = match diagonals_of(&mut below, &mut main, &mut above) {
            Some(diagonals) => T::solve_tridiagonal(diagonals, &mut solution),
            None => Ok(()),
        };
        for (output, diagonal) in left.iter().zip([below, main, above]) {
            output.write(number, &diagonal);
        }
        x.write(number, &solution);
        let code = outcome.err().map_or(0, |pivot| pivot as i32 + 1);
        info.write(number, &[code]);
    });
    Ok(())
}

/// `(below, main, above, b) -> x`; small pivots are moved away from 0.
fn perturbed<T: Element>(call: &mut CustomCall<'_>) -> Result<(), String> {
    let parallel_for = call.parallel_for;
    let ([below, main, above, b], [x]) = parts::<4, 1>(call)?;
    let diagonals = inputs::<T>([below, main, above])?;
    let (b, x) = (Input::<T>::new(b, 2)?, Output::<T>::new(x, 2)?);
    fit(diagonals.iter().map(|diagonal| &diagonal.batch), &b.batch)?;
    same_size(
        (x.batch.rows, x.batch.columns),
        (b.batch.rows, b.batch.columns),
    )?;
    let count = same_batches(&[b.batch.count(), x.batch.count()])?;
    each(parallel_for, count, |number| {
        let [mut below, mut main, mut above] =
            [0, 1, 2].map(|diagonal: usize| diagonals[diagonal].read(number));
        let mut solution = b.read(number);
        if let Some(diagonals) = diagonals_of(&mut below, &mut main, &mut above) {
            T::solve_tridiagonal_perturbed(diagonals, &mut solution);
        }
        x.write(number, &solution);
    });
    Ok(())
}

fn inputs<'a, T: Element>(diagonals: [&View<'a>; 3]) -> Result<[Input<'a, T>; 3], String> {
    let [below, main, above] = diagonals;
    Ok([
        Input::new(below, 1)?,
        Input::new(main, 1)?,
        Input::new(above, 1)?,
    ])
}

/// Fails unless diagonals have the length of right-hand sides.
fn fit<'a>(
    diagonals: impl Iterator<Item = &'a MatrixBatch>,
    b: &MatrixBatch,
) -> Result<(), String> {
    for batch in diagonals {
        same_size((batch.rows, 1), (b.rows, 1))?;
        same_batches(&[batch.count(), b.count()])?;
    }
    Ok(())
}

/// The diagonals without the elements that are not read.
fn diagonals_of<'a, T>(
    below: &'a mut [T],
    main: &'a mut [T],
    above: &'a mut [T],
) -> Option<Diagonals<'a, T>> {
    let (_, below) = below.split_first_mut()?;
    let (_, above) = above.split_last_mut()?;
    Some(Diagonals { below, main, above })
}

#[cfg(test)]
mod tests {
    use super::super::tests::{TYPES, Wide, assert_near, call, operand, reals};

    #[test]
    fn a_batch_with_the_numbers_of_jax() {
        let vector = "tensor<2x4xf64>";
        let operands = [
            operand(vector, &reals(&[0.0, 1.0, 4.0, 2.0, 0.0, 0.0, 0.0, 0.0])),
            operand(vector, &reals(&[2.0, 1.0, 1.0, 3.0, 2.0, 0.0, 1.0, 3.0])),
            operand(vector, &reals(&[1.0, 2.0, 3.0, 9.0, 1.0, 2.0, 3.0, 9.0])),
            operand(
                "tensor<2x4x2xf64>",
                &reals(&[[1.0, 2.0, 3.0, 4.0, 5.0, 7.0, 8.0, 9.0]; 2].concat()),
            ),
        ];
        let results = [vector, vector, vector, "tensor<2x4x2xf64>", "tensor<2xi32>"];
        let found = call("lapack_dgtsv_ffi", &[], &operands, &results);
        assert_near(&found[0][..4], &reals(&[0.0, 0.0, 3.0, 2.0]), 1e-14);
        assert_near(&found[1][..4], &reals(&[2.0, 4.0, 2.0, -3.1875]), 1e-14);
        assert_near(&found[2][..4], &reals(&[1.0, 1.0, 3.0, 9.0]), 1e-14);
        let solution = [
            [0.705882352941176, 1.058823529411765],
            [-0.411764705882353, -0.117647058823529],
            [1.352941176470588, 1.529411764705882],
            [1.764705882352941, 1.980392156862745],
        ];
        assert_near(&found[3][..8], &reals(&solution.concat()), 1e-14);
        assert_near(&found[4], &reals(&[0.0, 2.0]), 0.0);
    }

    #[test]
    fn empty_and_small_systems_of_all_types() {
        for (prefix, element, _, tolerance) in TYPES {
            for (batch, size, sides) in [("0x", 3, 1), ("2x", 0, 2), ("", 1, 2), ("", 3, 0)] {
                let count: usize = match batch {
                    "0x" => 0,
                    "2x" => 2,
                    _ => 1,
                };
                let vector = format!("tensor<{batch}{size}x{element}>");
                let matrix = format!("tensor<{batch}{size}x{sides}x{element}>");
                let info = format!("tensor<{batch}i32>");
                let diagonal = operand(&vector, &vec![Wide::from(2.0); count * size]);
                let operands = [
                    diagonal.clone(),
                    diagonal.clone(),
                    diagonal,
                    operand(&matrix, &vec![Wide::from(3.0); count * size * sides]),
                ];
                let results = [&vector[..], &vector, &vector, &matrix, &info];
                let found = call(
                    &format!("lapack_{prefix}gtsv_ffi"),
                    &[],
                    &operands,
                    &results,
                );
                let expected = vec![Wide::from(1.5); count * size * sides];
                assert_near(&found[3], &expected, tolerance);
                let target = "tridiagonal_solve_perturbed_ffi";
                let found = call(target, &[], &operands, &[&matrix]);
                assert_near(&found[0], &expected, tolerance);
            }
        }
    }
}
