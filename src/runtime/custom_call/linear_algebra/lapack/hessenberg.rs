//! `gehrd`: the Hessenberg form.

use halo_core::Complex;

use super::super::matrices::{Element, Input, Output, each};
use super::routines::{codes, parts, routine, runs, same_batches, same_size, zeros};
use crate::custom_call::{CustomCall, CustomCallRegistry};

pub(super) fn register(registry: &mut CustomCallRegistry) {
    routine(registry, "gehrd", "gehrd", runs!(gehrd));
}

/// `a -> (h and reflections, taus, info)`. The part that is not upper triangular is in the rows and
/// columns from `low` to `high`, which count from 1.
fn gehrd<T: Element>(call: &mut CustomCall<'_>) -> Result<(), String> {
    let low = call.site.attributes.integer("low")?;
    let high = call.site.attributes.integer("high")?;
    let parallel_for = call.parallel_for;
    let ([a], [packed, taus, info]) = parts::<1, 3>(call)?;
    let a = Input::<T>::new(a, 2)?;
    let (packed, taus) = (Output::<T>::new(packed, 2)?, Output::<T>::new(taus, 1)?);
    let info = codes(info)?;
    let size = a.batch.rows;
    same_size((size, a.batch.columns), (size, size))?;
    same_size((packed.batch.rows, packed.batch.columns), (size, size))?;
    same_size((taus.batch.rows, 1), (size.saturating_sub(1), 1))?;
    if low < 1 || low > (size as i64).max(1) || high > size as i64 || high < low.min(size as i64) {
        return Err(format!(
            "rows {low} to {high} are no part of a matrix of {size} rows"
        ));
    }
    let active = low as usize - 1..high as usize;
    let counts = [&a.batch, &packed.batch, &taus.batch, &info.batch];
    let count = same_batches(&counts.map(|batch| batch.count()))?;
    each(parallel_for, count, |number| {
        let (mut matrix, mut factors) = (a.read(number), zeros(size.saturating_sub(1)));
        T::hessenberg(&mut matrix, size, active.clone(), &mut factors);
        packed.write(number, &matrix);
        taus.write(number, &factors);
        info.write(number, &[0]);
    });
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::tests::{
        A, TYPES, Wide, assert_near, call, complex_a, integer, operand, reals, site,
    };
    use crate::custom_call::CustomCallRegistry;

    #[test]
    fn a_batch_with_the_numbers_of_jax() {
        let attributes = [("low", integer(1)), ("high", integer(4))];
        let identity: Vec<f64> = (0..16).map(|index| f64::from(u8::from(index % 5 == 0))).collect();
        let a = operand(
            "tensor<2x4x4xf64>",
            &reals(&[identity.clone(), A.to_vec()].concat()),
        );
        let results = ["tensor<2x4x4xf64>", "tensor<2x3xf64>", "tensor<2xi32>"];
        let found = call("lapack_dgehrd_ffi", &attributes, &[a], &results);
        assert_near(&found[0][..16], &reals(&identity), 0.0);
        let expected = [
            [
                1.0,
                -4.798394540253481,
                1.714958988045979,
                1.741931544402903,
            ],
            [
                -11.045361017187261,
                11.377049180327864,
                -3.579076056100904,
                -2.818065138212758,
            ],
            [
                0.560909785099849,
                -10.559222422977419,
                2.998779069218383,
                1.119715728945123,
            ],
            [
                0.249293237822155,
                -0.22279275415916,
                -0.962606430032803,
                -0.375828249546255,
            ],
        ];
        assert_near(&found[0][16..], &reals(&expected.concat()), 1e-13);
        let taus = [0.0, 0.0, 0.0, 1.452678730212593, 1.90542134149823, 0.0];
        assert_near(&found[1], &reals(&taus), 1e-13);
        assert_near(&found[2], &reals(&[0.0, 0.0]), 0.0);
    }

    #[test]
    fn complex_numbers_of_jax() {
        let attributes = [("low", integer(1)), ("high", integer(4))];
        let a = operand("tensor<4x4xcomplex<f64>>", &complex_a());
        let results = [
            "tensor<4x4xcomplex<f64>>",
            "tensor<3xcomplex<f64>>",
            "tensor<i32>",
        ];
        let found = call("lapack_zgehrd_ffi", &attributes, &[a], &results);
        let c = Wide::new;
        let column = [
            c(-1.457737973711325, -9.175174305124223),
            c(11.125, 10.882352941176467),
            c(-13.689571129109996, 0.0),
            c(-0.175039970114837, -0.304255138577737),
        ];
        let second: Vec<Wide> = found[0].iter().skip(1).step_by(4).copied().collect();
        assert_near(&second, &column, 1e-13);
        let taus = [
            c(1.428746462856272, 0.257247877713763),
            c(1.662265742975737, 0.443532040155022),
            c(1.603829843431118, -0.797113241755493),
        ];
        assert_near(&found[1], &taus, 1e-13);
    }

    #[test]
    fn empty_and_small_matrices_of_all_types() {
        for (prefix, element, _, _) in TYPES {
            let target = format!("lapack_{prefix}gehrd_ffi");
            for (batch, size) in [("0x", 3), ("2x", 0), ("2x", 1), ("", 0), ("", 1)] {
                let count = if batch == "2x" {
                    2
                } else {
                    usize::from(batch.is_empty())
                };
                let matrix = format!("tensor<{batch}{size}x{size}x{element}>");
                let taus = format!(
                    "tensor<{batch}{}x{element}>",
                    (size as usize).saturating_sub(1)
                );
                let info = format!("tensor<{batch}i32>");
                let values = vec![Wide::from(3.0); count * (size * size) as usize];
                let found = call(
                    &target,
                    &[("low", integer(1)), ("high", integer(size))],
                    &[operand(&matrix, &values)],
                    &[&matrix, &taus, &info],
                );
                assert_eq!(found[0], values);
                assert_eq!(found[2], vec![Wide::default(); count]);
            }
        }
    }

    #[test]
    fn rows_that_a_matrix_lacks_are_an_error() {
        let a = [operand("tensor<2x2xf32>", &reals(&[1.0; 4]))];
        let results = ["tensor<2x2xf32>", "tensor<1xf32>", "tensor<i32>"];
        for (low, high) in [(0, 2), (1, 3), (3, 2), (2, 1), (-1, -1)] {
            let attributes = [("low", integer(low)), ("high", integer(high))];
            let site = site("lapack_sgehrd_ffi", &attributes, &a, &results);
            let error = CustomCallRegistry::default().call(&site, &a).unwrap_err();
            assert!(
                error.to_string().contains("no part of a matrix of 2 rows"),
                "{error}"
            );
        }
    }
}
