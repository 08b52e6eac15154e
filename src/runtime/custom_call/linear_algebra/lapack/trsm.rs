//! `trsm`: substitution.

use halo_core::Complex;
use halo_numerics::linear_algebra::{Transpose, Triangle};

use super::super::matrices::{Element, Input, Output, solve_triangular};
use super::routines::{letter, parts, routine, runs, same_batches, same_size};
use crate::custom_call::{CustomCall, CustomCallRegistry};

pub(super) fn register(registry: &mut CustomCallRegistry) {
    routine(registry, "trsm", "trsm", runs!(trsm));
}

/// `(a, b) -> x`, with `op(a) x = b` or `x op(a) = b`.
fn trsm<T: Element>(call: &mut CustomCall<'_>) -> Result<(), String> {
    let attributes = &call.site.attributes;
    let triangle = Triangle {
        left: letter(attributes, "side")? == b'L',
        lower: letter(attributes, "uplo")? == b'L',
        unit: letter(attributes, "diag")? == b'U',
        transpose: match letter(attributes, "trans_x")? {
            b'T' => Transpose::Transposed,
            b'C' => Transpose::Adjoint,
            _ => Transpose::No,
        },
    };
    let parallel_for = call.parallel_for;
    let ([a, b], [x]) = parts::<2, 1>(call)?;
    let (a, b) = (Input::<T>::new(a, 2)?, Input::<T>::new(b, 2)?);
    let x = Output::<T>::new(x, 2)?;
    let size = (b.batch.rows, b.batch.columns);
    let order = if triangle.left { size.0 } else { size.1 };
    same_size((a.batch.rows, a.batch.columns), (order, order))?;
    same_size((x.batch.rows, x.batch.columns), size)?;
    same_batches(&[a.batch.count(), b.batch.count(), x.batch.count()])?;
    solve_triangular(parallel_for, (&a, &b, x), triangle);
    Ok(())
}
