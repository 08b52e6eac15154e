//! Sections `cholesky` and `triangular_solve`.

use super::{prelude::*, scalar::complex};
use halo_core::{Complex, Literal};
use halo_ir::stablehlo::attributes::Transpose;

type C = Complex<f64>;

const ZERO: C = C::new(0.0, 0.0);

/// Section `cholesky`: `a = l l^H`, row by row (Cholesky-Banachiewicz). Only one triangle of `a` is
/// read; the other one of the result is zero. A matrix that is not positive definite gives NaN
/// everywhere, as in XLA.
pub fn cholesky(call: &Call) -> Evaluated {
    let operand = call.tensor(0)?;
    let lower = call.op.flag("lower");
    let mut result = Literal::try_zeros(operand.shape().clone())?;
    let [.., rows, columns] = operand.dims()[..] else {
        return Err("needs a matrix".into());
    };
    let size = rows.min(columns);
    let matrices = operand.element_count() / (rows * columns).max(1);
    for matrix in 0..matrices {
        let origin = matrix * rows * columns;
        // The factor as a lower triangle; an upper one is its adjoint.
        let offset = |row: usize, column: usize| {
            if lower {
                origin + row * columns + column
            } else {
                origin + column * columns + row
            }
        };
        let read = |row, column| {
            let value = operand.get_complex(offset(row, column));
            if lower { value } else { value.conj() }
        };
        let mut factor = vec![vec![ZERO; size]; size];
        let mut is_positive_definite = true;
        for row in 0..size {
            for column in 0..=row {
                let sum: C = (0..column).map(|k| factor[row][k] * factor[column][k].conj()).sum();
                let rest = read(row, column) - sum;
                factor[row][column] = if row == column {
                    is_positive_definite &= rest.re > 0.0 && rest.re.is_finite();
                    C::new(rest.re.sqrt(), 0.0)
                } else {
                    complex::divide(rest, factor[column][column])
                };
                let value = factor[row][column];
                result.set(
                    offset(row, column),
                    if lower { value } else { value.conj() },
                );
            }
        }
        if !is_positive_definite {
            for at in origin..origin + rows * columns {
                result.set(at, C::new(f64::NAN, 0.0));
            }
        }
    }
    single(result)
}

/// Section `triangular_solve`: `op(a) x = b`, or `x op(a) = b`, by substitution.
pub fn triangular_solve(call: &Call) -> Evaluated {
    let (a, b) = (call.tensor(0)?, call.tensor(1)?);
    let (left_side, lower, unit) = (
        call.op.flag("left_side"),
        call.op.flag("lower"),
        call.op.flag("unit_diagonal"),
    );
    let transpose = call
        .op
        .attribute("transpose_a")
        .and_then(Transpose::from_attribute)
        .unwrap_or(Transpose::NoTranspose);
    let ([.., rows, columns], [.., size, _]) = (b.dims(), a.dims()) else {
        return Err("needs matrices".into());
    };
    let (rows, columns, size) = (*rows, *columns, *size);
    if size != if left_side { rows } else { columns } {
        return Err(format!("cannot solve {} for {}", a.shape(), b.shape()).into());
    }
    let mut result = Literal::try_zeros(b.shape().clone())?;
    let is_complex = b.element_type().is_complex();
    let matrices = b.element_count() / (rows * columns).max(1);
    // A solution from the right is one from the left of the transposed matrix.
    let flipped = (transpose != Transpose::NoTranspose) == left_side;
    let conjugate = transpose == Transpose::Adjoint;
    let forward = lower != flipped;
    for matrix in 0..matrices {
        let coefficient = |row: usize, column: usize| -> C {
            if row == column && unit {
                return C::new(1.0, 0.0);
            }
            let (row, column) = if flipped {
                (column, row)
            } else {
                (row, column)
            };
            let value = a.get_complex((matrix * size + row) * size + column);
            if conjugate { value.conj() } else { value }
        };
        let vectors = if left_side { columns } else { rows };
        for vector in 0..vectors {
            let offset = |number: usize| {
                let (row, column) = if left_side {
                    (number, vector)
                } else {
                    (vector, number)
                };
                (matrix * rows + row) * columns + column
            };
            let mut x = vec![ZERO; size];
            for step in 0..size {
                let row = if forward { step } else { size - 1 - step };
                let known = if forward { 0..row } else { row + 1..size };
                // Infinite solutions of real systems have no imaginary part.
                let product = |k: usize| {
                    if is_complex {
                        coefficient(row, k) * x[k]
                    } else {
                        C::from(coefficient(row, k).re * x[k].re)
                    }
                };
                let sum: C = known.map(product).sum();
                let rest = b.get_complex(offset(row)) - sum;
                x[row] = match (unit, is_complex) {
                    (true, _) => rest,
                    (false, true) => complex::divide(rest, coefficient(row, row)),
                    (false, false) => C::from(rest.re / coefficient(row, row).re),
                };
                result.set(offset(row), x[row]);
            }
        }
    }
    single(result)
}
