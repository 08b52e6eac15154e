//! `sytrd`, which is `hetrd` for complex numbers: the tridiagonal form.

use halo_core::Complex;
use halo_numerics::linear_algebra::Tridiagonal;

use super::super::matrices::{Element, Input, Output, each};
use super::routines::{codes, letter, parts, routine, runs, same_batches, same_size, zeros};
use crate::custom_call::{CustomCall, CustomCallRegistry};

pub(super) fn register(registry: &mut CustomCallRegistry) {
    routine(registry, "sytrd", "hetrd", runs!(sytrd));
}

/// `a -> (form and reflections, diagonal, off-diagonal elements, taus, info)`; the triangle that
/// `uplo` does not name is unchanged.
fn sytrd<T: Element>(call: &mut CustomCall<'_>) -> Result<(), String> {
    let lower = letter(&call.site.attributes, "uplo")? == b'L';
    let parallel_for = call.parallel_for;
    let ([a], [packed, main, beside, taus, info]) = parts::<1, 5>(call)?;
    let (a, packed) = (Input::<T>::new(a, 2)?, Output::<T>::new(packed, 2)?);
    let main = Output::<T::Real>::new(main, 1)?;
    let beside = Output::<T::Real>::new(beside, 1)?;
    let (taus, info) = (Output::<T>::new(taus, 1)?, codes(info)?);
    let size = a.batch.rows;
    let shorter = size.saturating_sub(1);
    same_size((size, a.batch.columns), (size, size))?;
    same_size((packed.batch.rows, packed.batch.columns), (size, size))?;
    same_size((main.batch.rows, 1), (size, 1))?;
    same_size((beside.batch.rows, 1), (shorter, 1))?;
    same_size((taus.batch.rows, 1), (shorter, 1))?;
    let counts = [
        &a.batch,
        &packed.batch,
        &main.batch,
        &beside.batch,
        &taus.batch,
        &info.batch,
    ];
    let count = same_batches(&counts.map(|batch| batch.count()))?;
    each(parallel_for, count, |number| {
        let (mut matrix, mut factors) = (a.read(number), zeros(shorter));
        let (mut found, mut found_beside) = (zeros(size), zeros(shorter));
        let form = Tridiagonal {
            main: &mut found,
            beside: &mut found_beside,
        };
        T::tridiagonal(&mut matrix, lower, form, &mut factors);
        packed.write(number, &matrix);
        main.write(number, &found);
        beside.write(number, &found_beside);
        taus.write(number, &factors);
        info.write(number, &[0]);
    });
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::tests::{
        A, TYPES, Wide, assert_near, call, complex_a, letter, operand, reals,
    };

    const REAL: [&str; 5] = [
        "tensor<4x4xf64>",
        "tensor<4xf64>",
        "tensor<3xf64>",
        "tensor<3xf64>",
        "tensor<i32>",
    ];

    const COMPLEX: [&str; 5] = [
        "tensor<4x4xcomplex<f64>>",
        "tensor<4xf64>",
        "tensor<3xf64>",
        "tensor<3xcomplex<f64>>",
        "tensor<i32>",
    ];

    #[test]
    fn both_triangles_with_the_numbers_of_jax() {
        let find = |uplo| {
            let a = operand(REAL[0], &reals(&A));
            call("lapack_dsytrd_ffi", &[("uplo", letter(uplo))], &[a], &REAL)
        };
        let found = find('L');
        let packed = [
            [1.0, 2.0, 3.0, 4.0],
            [-11.045361017187261, 9.852459016393436, 7.0, 8.0],
            [0.560909785099849, -7.45662004381533, 0.453091705722441, 3.0],
            [
                0.249293237822155,
                -0.559086237962492,
                -1.391481012083445,
                3.694449277884112,
            ],
        ];
        assert_near(&found[0], &reals(&packed.concat()), 1e-13);
        let main = [1.0, 9.852459016393436, 0.453091705722441, 3.694449277884112];
        assert_near(&found[1], &reals(&main), 1e-13);
        let beside = [-11.045361017187261, -7.45662004381533, -1.391481012083445];
        assert_near(&found[2], &reals(&beside), 1e-13);
        let taus = [1.452678730212593, 1.523719642949777, 0.0];
        assert_near(&found[3], &reals(&taus), 1e-13);
        let found = find('U');
        let packed = [
            [
                0.246987951807229,
                -0.625143328027846,
                0.339092973863053,
                0.32169905660283,
            ],
            [
                5.0,
                -1.966089075402733,
                -4.764071443640527,
                0.64339811320566,
            ],
            [9.0, 1.0, 10.719101123595511, -9.433981132056603],
            [4.0, 5.0, 7.0, 6.0],
        ];
        assert_near(&found[0], &reals(&packed.concat()), 1e-13);
        let taus = [0.0, 1.793747640700635, 1.317999364001908];
        assert_near(&found[3], &reals(&taus), 1e-13);
    }

    #[test]
    fn complex_numbers_of_jax() {
        let find = |uplo| {
            let a = operand(COMPLEX[0], &complex_a());
            call(
                "lapack_zhetrd_ffi",
                &[("uplo", letter(uplo))],
                &[a],
                &COMPLEX,
            )
        };
        let c = Wide::new;
        let found = find('L');
        let main = [1.0, 7.970588235294116, 1.24735636715796, 4.782055397547917];
        assert_near(&found[1], &reals(&main), 1e-13);
        let beside = [-11.661903789690601, -14.216519583419283, 2.985541267508824];
        assert_near(&found[2], &reals(&beside), 1e-13);
        let taus = [
            c(1.428746462856272, 0.257247877713763),
            c(1.307690751110135, -0.186586851605455),
            c(1.951503601490112, -0.307637605554564),
        ];
        assert_near(&found[3], &taus, 1e-13);
        let found = find('U');
        let row = [
            c(-1.663723345413719, 0.0),
            c(2.7701162939267, 0.0),
            c(0.719921657119369, -0.306251216683798),
            c(0.309869081510298, 0.260169713131648),
        ];
        assert_near(&found[0][..4], &row, 1e-13);
        let taus = [
            c(1.841759646175286, 0.539852478063088),
            c(1.180346921941657, 0.266761073691249),
            c(1.212664361502501, 0.354440602504168),
        ];
        assert_near(&found[3], &taus, 1e-13);
    }

    #[test]
    fn batches_and_empty_matrices_of_all_types() {
        for (prefix, element, real, tolerance) in TYPES {
            let name = if element == real { "sytrd" } else { "hetrd" };
            for (count, size) in [(0_usize, 3_usize), (2, 0), (2, 1), (2, 2)] {
                let shorter = size.saturating_sub(1);
                let matrix = format!("tensor<{count}x{size}x{size}x{element}>");
                let results = [
                    matrix.clone(),
                    format!("tensor<{count}x{size}x{real}>"),
                    format!("tensor<{count}x{shorter}x{real}>"),
                    format!("tensor<{count}x{shorter}x{element}>"),
                    format!("tensor<{count}xi32>"),
                ];
                let found = call(
                    &format!("lapack_{prefix}{name}_ffi"),
                    &[("uplo", letter('U'))],
                    &[operand(
                        &matrix,
                        &vec![Wide::from(2.0); count * size * size],
                    )],
                    &results.each_ref().map(String::as_str),
                );
                assert_near(&found[1], &vec![Wide::from(2.0); count * size], tolerance);
                assert_near(
                    &found[2],
                    &vec![Wide::from(2.0); count * shorter],
                    tolerance,
                );
            }
        }
    }
}
