//! `geqp3`: QR with exchanges of columns.

use halo_core::Complex;

use super::super::matrices::{Element, Input, Output, each};
use super::routines::{parts, routine, runs, same_batches, same_size, zeros};
use crate::custom_call::{CustomCall, CustomCallRegistry};

pub(super) fn register(registry: &mut CustomCallRegistry) {
    routine(registry, "geqp3", "geqp3", runs!(geqp3));
}

/// `(a, first) -> (r and reflections, order, taus)`. Columns for which `first` is not 0
/// come before the others. The order counts from 1.
fn geqp3<T: Element>(call: &mut CustomCall<'_>) -> Result<(), String> {
    let parallel_for = call.parallel_for;
    let ([a, first], [packed, order, taus]) = parts::<2, 3>(call)?;
    let (a, first) = (Input::<T>::new(a, 2)?, Input::<i32>::new(first, 1)?);
    let (packed, order) = (Output::<T>::new(packed, 2)?, Output::<i32>::new(order, 1)?);
    let taus = Output::<T>::new(taus, 1)?;
    let size @ (rows, columns) = (a.batch.rows, a.batch.columns);
    let rank = rows.min(columns);
    same_size((packed.batch.rows, packed.batch.columns), size)?;
    same_size((first.batch.rows, order.batch.rows), (columns, columns))?;
    same_size((taus.batch.rows, 1), (rank, 1))?;
    let counts = [
        &a.batch,
        &first.batch,
        &packed.batch,
        &order.batch,
        &taus.batch,
    ];
    let count = same_batches(&counts.map(|batch| batch.count()))?;
    each(parallel_for, count, |number| {
        let (mut matrix, mut factors) = (a.read(number), zeros(rank));
        let first: Vec<bool> = first.read(number).iter().map(|first| *first != 0).collect();
        let mut places = vec![0; columns];
        T::pivoted_qr(&mut matrix, size, &first, &mut places, &mut factors);
        let places: Vec<i32> = places.iter().map(|column| *column as i32 + 1).collect();
        packed.write(number, &matrix);
        order.write(number, &places);
        taus.write(number, &factors);
    });
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::tests::{A, TYPES, Wide, assert_near, call, complex_a, operand, reals};

    #[test]
    fn a_batch_with_the_numbers_of_jax() {
        let a: Vec<f64> = A.chunks_exact(4).flat_map(|row| row[..3].to_vec()).collect();
        let operands = [
            operand("tensor<2x4x3xf64>", &reals(&[a.clone(), a].concat())),
            operand("tensor<2x3xi32>", &reals(&[0.0, 0.0, 1.0, 0.0, 0.0, 0.0])),
        ];
        let results = ["tensor<2x4x3xf64>", "tensor<2x3xi32>", "tensor<2x3xf64>"];
        let found = call("lapack_dgeqp3_ffi", &[], &operands, &results);
        let expected = [
            [-10.535653752852737, -7.972927164320993, -8.067842963896243],
            [0.51715270852911, -7.709243311274617, 0.43121279094442],
            [0.147757916722603, 0.951084753754092, 0.850861586179463],
            [0.51715270852911, -0.079363480673618, 0.105690319874227],
            [-11.090536506409416, -7.574024931206432, -5.500184771471337],
            [0.413546578131534, -7.323533733209906, -5.91810797813279],
            [0.74438384063676, -0.590023210955955, -0.850861586179466],
            [0.330837262505227, 0.351907394009383, -0.397285468405331],
        ];
        assert_near(&found[0], &reals(&expected.concat()), 1e-13);
        assert_near(&found[1], &reals(&[3.0, 1.0, 2.0, 1.0, 3.0, 2.0]), 0.0);
        let taus = [
            [1.28474739872575, 1.046648730493566, 1.977905913321446],
            [1.090166963466743, 1.358726848039051, 1.727360734361624],
        ];
        assert_near(&found[2], &reals(&taus.concat()), 1e-13);
    }

    #[test]
    fn complex_numbers_of_jax() {
        let operands = [
            operand("tensor<3x4xcomplex<f64>>", &complex_a()[..12]),
            operand("tensor<4xi32>", &reals(&[0.0; 4])),
        ];
        let results = [
            "tensor<3x4xcomplex<f64>>",
            "tensor<4xi32>",
            "tensor<3xcomplex<f64>>",
        ];
        let found = call("lapack_zgeqp3_ffi", &[], &operands, &results);
        let c = Wide::new;
        let row = [
            c(0.231741945757897, 0.199348371208714),
            c(0.974624870157371, -0.069907203614454),
            c(2.206132651631751, 0.0),
            c(0.571424522881669, 1.215181263849623),
        ];
        assert_near(&found[0][8..], &row, 1e-13);
        assert_near(&found[1], &reals(&[4.0, 1.0, 2.0, 3.0]), 0.0);
        let taus = [
            c(1.283552482003334, 0.425328723005002),
            c(1.021837911429862, 0.036373882021608),
            c(1.200905401284437, -0.979610647009688),
        ];
        assert_near(&found[2], &taus, 1e-13);
    }

    #[test]
    fn empty_matrices_of_all_types() {
        for (prefix, element, _, _) in TYPES {
            for (count, rows, columns) in
                [(0_usize, 2_usize, 2_usize), (2, 0, 3), (2, 3, 0), (1, 1, 1)]
            {
                let matrix = format!("tensor<{count}x{rows}x{columns}x{element}>");
                let order = format!("tensor<{count}x{columns}xi32>");
                let taus = format!("tensor<{count}x{}x{element}>", rows.min(columns));
                let operands = [
                    operand(&matrix, &vec![Wide::from(2.0); count * rows * columns]),
                    operand(&order, &vec![Wide::default(); count * columns]),
                ];
                let name = format!("lapack_{prefix}geqp3_ffi");
                let found = call(&name, &[], &operands, &[&matrix, &order, &taus]);
                let expected = (0..count).flat_map(|_| 1..=columns);
                let expected: Vec<Wide> = expected.map(|column| (column as f64).into()).collect();
                assert_eq!(found[1], expected);
            }
        }
    }
}
