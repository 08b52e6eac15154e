//! `gtsv`: systems with a tridiagonal matrix.

use halo_core::Complex;
use halo_numerics::Diagonals;

use super::super::matrices::{Element, Input, Output, each};
use super::{codes, parts, routine, runs, same_batches, same_size};
use crate::custom_call::{CustomCall, CustomCallRegistry};

pub(super) fn register(registry: &mut CustomCallRegistry) {
    routine(registry, "gtsv", "gtsv", runs!(gtsv));
}

/// `(below, main, above, b) -> (below, main, above, x, info)`. All diagonals have the
/// length of the main one: that below begins, that above ends with an element that is not
/// read.
fn gtsv<T: Element>(call: &mut CustomCall<'_>) -> Result<(), String> {
    let parallel_for = call.parallel_for;
    let ([below, main, above, b], [left_below, left_main, left_above, x, info]) =
        parts::<4, 5>(call)?;
    let diagonals = [
        Input::<T>::new(below, 1)?,
        Input::<T>::new(main, 1)?,
        Input::<T>::new(above, 1)?,
    ];
    let left = [
        Output::<T>::new(left_below, 1)?,
        Output::<T>::new(left_main, 1)?,
        Output::<T>::new(left_above, 1)?,
    ];
    let b = Input::<T>::new(b, 2)?;
    let (x, info) = (Output::<T>::new(x, 2)?, codes(info)?);
    let size = b.batch.rows;
    let batches = diagonals.iter().map(|diagonal| &diagonal.batch);
    for batch in batches.chain(left.iter().map(|diagonal| &diagonal.batch)) {
        same_size((batch.rows, 1), (size, 1))?;
        same_batches(&[batch.count(), b.batch.count()])?;
    }
    same_size((x.batch.rows, x.batch.columns), (size, b.batch.columns))?;
    let count = same_batches(&[b.batch.count(), x.batch.count(), info.batch.count()])?;
    each(parallel_for, count, |number| {
        let [mut below, mut main, mut above] =
            [0, 1, 2].map(|diagonal: usize| diagonals[diagonal].read(number));
        let mut solution = b.read(number);
        let outcome = match size {
            0 => Ok(()),
            _ => {
                let diagonals = Diagonals {
                    below: &mut below[1..],
                    main: &mut main,
                    above: &mut above[..size - 1],
                };
                T::solve_tridiagonal(diagonals, &mut solution)
            }
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
            }
        }
    }
}
