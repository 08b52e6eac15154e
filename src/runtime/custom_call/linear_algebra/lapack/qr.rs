//! `geqrf`, and `orgqr` and `ormqr`, which are `ungqr` and `unmqr` for complex numbers.

use halo_core::Complex;

use super::super::matrices::{Element, Input, Output, each};
use super::routines::{parts, routine, runs, same_batches, same_size, zeros};
use crate::custom_call::{CustomCall, CustomCallRegistry};

pub(super) fn register(registry: &mut CustomCallRegistry) {
    routine(registry, "geqrf", "geqrf", runs!(geqrf));
    routine(registry, "orgqr", "ungqr", runs!(orgqr));
    routine(registry, "ormqr", "unmqr", runs!(ormqr));
}

/// `a -> (r and reflections, taus)`
pub(in crate::custom_call::linear_algebra) fn geqrf<T: Element>(
    call: &mut CustomCall<'_>,
) -> Result<(), String> {
    let parallel_for = call.parallel_for;
    let ([a], [packed, taus]) = parts::<1, 2>(call)?;
    let a = Input::<T>::new(a, 2)?;
    let (packed, taus) = (Output::<T>::new(packed, 2)?, Output::<T>::new(taus, 1)?);
    let size = (a.batch.rows, a.batch.columns);
    let rank = size.0.min(size.1);
    same_size((packed.batch.rows, packed.batch.columns), size)?;
    same_size((taus.batch.rows, 1), (rank, 1))?;
    let count = same_batches(&[a.batch.count(), packed.batch.count(), taus.batch.count()])?;
    each(parallel_for, count, |number| {
        let (mut matrix, mut factors) = (a.read(number), zeros(rank));
        T::qr(&mut matrix, size, &mut factors);
        packed.write(number, &matrix);
        taus.write(number, &factors);
    });
    Ok(())
}

/// `(reflections, taus) -> q`
pub(in crate::custom_call::linear_algebra) fn orgqr<T: Element>(
    call: &mut CustomCall<'_>,
) -> Result<(), String> {
    let parallel_for = call.parallel_for;
    let ([packed, taus], [q]) = parts::<2, 1>(call)?;
    let (packed, taus) = (Input::<T>::new(packed, 2)?, Input::<T>::new(taus, 1)?);
    let q = Output::<T>::new(q, 2)?;
    let size = (packed.batch.rows, packed.batch.columns);
    same_size((q.batch.rows, q.batch.columns), size)?;
    if taus.batch.rows > size.1 || size.1 > size.0 {
        return Err("there are more reflections than columns, or columns than rows".to_owned());
    }
    let count = same_batches(&[packed.batch.count(), taus.batch.count(), q.batch.count()])?;
    each(parallel_for, count, |number| {
        let mut matrix = packed.read(number);
        T::form_q(&mut matrix, size, &taus.read(number));
        q.write(number, &matrix);
    });
    Ok(())
}

/// `(reflections, taus, c) -> op(q) c`, or `c op(q)` from the right; `op` is the identity or the
/// adjoint.
fn ormqr<T: Element>(call: &mut CustomCall<'_>) -> Result<(), String> {
    let left = call.site.attributes.flag("left")?;
    let is_adjoint = call.site.attributes.flag("transpose")?;
    let parallel_for = call.parallel_for;
    let ([packed, taus, c], [product]) = parts::<3, 1>(call)?;
    let (packed, taus) = (Input::<T>::new(packed, 2)?, Input::<T>::new(taus, 1)?);
    let (c, product) = (Input::<T>::new(c, 2)?, Output::<T>::new(product, 2)?);
    let size = (packed.batch.rows, packed.batch.columns);
    let (order, other) = if left {
        (c.batch.rows, c.batch.columns)
    } else {
        (c.batch.columns, c.batch.rows)
    };
    same_size(size, (order, size.1))?;
    same_size(
        (product.batch.rows, product.batch.columns),
        (c.batch.rows, c.batch.columns),
    )?;
    if taus.batch.rows > size.0.min(size.1) {
        return Err("there are more reflections than columns or rows".to_owned());
    }
    let counts = [&packed.batch, &taus.batch, &c.batch, &product.batch];
    let count = same_batches(&counts.map(|batch| batch.count()))?;
    each(parallel_for, count, |number| {
        let mut matrix = c.read(number);
        let (packed, taus) = (packed.read(number), taus.read(number));
        T::multiply_q(
            &packed,
            size,
            &taus,
            (&mut matrix, other),
            (left, is_adjoint),
        );
        product.write(number, &matrix);
    });
    Ok(())
}

#[cfg(test)]
mod tests {
    use halo_core::{ElementType, Scalar};

    use super::super::tests::{TYPES, Wide, assert_near, call, complex_a, operand};
    use crate::custom_call::Attribute;

    fn flag(value: bool) -> Attribute {
        Attribute::Number(ElementType::I1, Scalar::Bool(value))
    }

    #[test]
    fn unmqr_with_the_numbers_of_jax() {
        let c = Wide::new;
        let a: Vec<Wide> = complex_a().chunks_exact(4).flat_map(|row| row[..3].to_vec()).collect();
        let results = ["tensor<4x3xcomplex<f64>>", "tensor<3xcomplex<f64>>"];
        let packed = call(
            "lapack_zgeqrf_ffi",
            &[],
            &[operand(results[0], &a)],
            &results,
        );
        let packed = [
            operand(results[0], &packed[0]),
            operand(results[1], &packed[1]),
        ];
        let (re, im) = (
            [1.0, 2.0, 3.0, 4.0, 5.0, 7.0, 8.0, 9.0],
            [8.0, 9.0, 5.0, 7.0, 3.0, 4.0, 1.0, 2.0],
        );
        let b: Vec<Wide> = re.iter().zip(im).map(|(re, im)| c(*re, im)).collect();
        let turned: Vec<Wide> = (0..8).map(|index| b[index % 4 * 2 + index / 4]).collect();
        // One column of each product, in rows of 2, or one row.
        let from_left = |is_adjoint: bool| {
            let ty = "tensor<4x2xcomplex<f64>>";
            let operands = [packed[0].clone(), packed[1].clone(), operand(ty, &b)];
            let attributes = [("left", flag(true)), ("transpose", flag(is_adjoint))];
            let found = call("lapack_zunmqr_ffi", &attributes, &operands, &[ty]);
            found[0].iter().step_by(2).copied().collect::<Vec<Wide>>()
        };
        let from_right = |is_adjoint: bool| {
            let ty = "tensor<2x4xcomplex<f64>>";
            let operands = [packed[0].clone(), packed[1].clone(), operand(ty, &turned)];
            let attributes = [("left", flag(false)), ("transpose", flag(is_adjoint))];
            call("lapack_zunmqr_ffi", &attributes, &operands, &[ty])[0][..4].to_vec()
        };
        let expected = [
            c(-11.884245626780313, -2.667891875399663),
            c(-4.758883212815625, -0.824236837224223),
            c(1.486176809102103, 4.381825579277621),
            c(-0.462870553423715, 2.167338681914367),
        ];
        assert_near(&from_left(true), &expected, 1e-13);
        let expected = [
            c(4.586937996059555, -6.50907843832355),
            c(0.127579234632437, 0.997803762457276),
            c(1.181299455412645, -3.463721364116497),
            c(3.067405335896748, -10.52512229422016),
        ];
        assert_near(&from_left(false), &expected, 1e-13);
        let expected = [
            c(-3.763799144066255, 2.228918243504774),
            c(-2.72873049008559, -11.493035562943042),
            c(-0.139155007167188, -2.343713890954246),
            c(-5.585087013085855, 1.619983662229206),
        ];
        assert_near(&from_right(true), &expected, 1e-13);
        let expected = [
            c(-3.152963125472329, -7.680294792817211),
            c(4.229636401545337, -5.55853754787702),
            c(-6.723850383885807, -4.931761027976405),
            c(3.075654424590006, 1.136947977240935),
        ];
        assert_near(&from_right(false), &expected, 1e-13);
    }

    #[test]
    fn batches_and_empty_matrices_of_all_types() {
        for (prefix, element, _, tolerance) in TYPES {
            let (form, multiply) = if element.starts_with('c') {
                ("ungqr", "unmqr")
            } else {
                ("orgqr", "ormqr")
            };
            for (count, rows, columns) in
                [(0_usize, 3_usize, 2_usize), (2, 3, 2), (2, 3, 0), (2, 0, 0)]
            {
                let packed = format!("tensor<{count}x{rows}x{columns}x{element}>");
                let taus = format!("tensor<{count}x{columns}x{element}>");
                let square = format!("tensor<{count}x{rows}x{rows}x{element}>");
                let reflections = [
                    operand(&packed, &vec![Wide::from(0.5); count * rows * columns]),
                    operand(&taus, &vec![Wide::from(1.5); count * columns]),
                ];
                let name = format!("lapack_{prefix}{form}_ffi");
                let formed = call(&name, &[], &reflections, &[&packed]);
                let identity = (0..count * rows * rows).map(|index| {
                    let index = index % (rows * rows);
                    Wide::from(f64::from(u8::from(index / rows == index % rows)))
                });
                let [packed, taus] = reflections;
                let operands = [
                    packed,
                    taus,
                    operand(&square, &identity.collect::<Vec<Wide>>()),
                ];
                let attributes = [("left", flag(true)), ("transpose", flag(false))];
                let name = format!("lapack_{prefix}{multiply}_ffi");
                let multiplied = call(&name, &attributes, &operands, &[&square]);
                let first_columns = multiplied[0].chunks_exact(rows.max(1));
                let first_columns = first_columns.flat_map(|row| row[..columns].to_vec());
                assert_near(&formed[0], &first_columns.collect::<Vec<Wide>>(), tolerance);
            }
        }
    }
}
