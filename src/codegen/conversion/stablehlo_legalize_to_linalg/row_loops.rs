//! Parallel loops over the rows of tensors, for ops that `linalg.generic` cannot express.
//!
//! Bufferization makes writes to loop-carried tensors in place.

use super::slice::{self, Part};
use halo_ir::{ops::halo, prelude::*};

/// Marks the loop of some results as parallel: its iterations are independent, except for carried
/// reductions.
pub fn mark_parallel(results: &[Value<'_>]) {
    if let Some(op) = results.first().copied().and_then(Value::defining_op) {
        op.set_attribute(halo::PARALLEL, unit_attribute(op.context()));
    }
}

/// Computes the rows of tensors of two dimensions independently, by an `scf.forall` that becomes a
/// kernel. The body gets the index of a row and the rows to write, and returns the written rows.
pub fn for_each_row<'c>(
    b: &Builder<'c>,
    types: &[Type<'c>],
    body: impl FnOnce(&Builder<'c>, Value<'c>, &[Value<'c>]) -> RewriteResult<Vec<Value<'c>>>,
) -> RewriteResult<Vec<Value<'c>>> {
    let sizes = types.iter().map(|ty| ty.sizes()).collect::<Vec<_>>();
    let rows = sizes.first().and_then(|sizes| sizes.first()).copied();
    let rows = rows.unwrap_or_else(|| bug("a loop over the rows of nothing"));
    if rows == 1 {
        return one_row(b, types, &sizes, body);
    }
    let outputs = types.iter().map(|ty| structured::empty(b, *ty)).collect::<Vec<_>>();
    let mut arguments = vec![Type::index(b.context())];
    arguments.extend(types);
    let region = b.region(&arguments, |b, arguments| {
        let (row, shared) = (arguments[0], &arguments[1..]);
        let parts: Vec<Part> = sizes
            .iter()
            .map(|sizes| {
                let offsets = vec![Size::Dynamic(row), Size::Static(0)];
                Part::adjacent(offsets, sizes::fixed(&[1, sizes[1]]))
            })
            .collect();
        let outputs = shared
            .iter()
            .zip(&parts)
            .map(|(shared, part)| slice::extract_as(b, *shared, part, &part.sizes[1..]))
            .collect::<Vec<_>>();
        let written = body(b, row, &outputs)?;
        let insertions = b.region(&[], |b, _| {
            for ((value, shared), part) in written.iter().zip(shared).zip(&parts) {
                slice::insert_in_parallel(b, *value, *shared, part);
            }
        });
        scf::forall_in_parallel(b, insertions);
        Ok::<_, RewriteError>(())
    })?;
    let op = scf::ForallOp::build(
        b,
        &[],
        &[],
        &[],
        &[0],
        &[rows],
        &[1],
        &outputs,
        types,
        region,
    );
    Ok(op.insert().results())
}

/// Computes the only row, without a loop.
fn one_row<'c>(
    b: &Builder<'c>,
    types: &[Type<'c>],
    sizes: &[Vec<i64>],
    body: impl FnOnce(&Builder<'c>, Value<'c>, &[Value<'c>]) -> RewriteResult<Vec<Value<'c>>>,
) -> RewriteResult<Vec<Value<'c>>> {
    let outputs = types
        .iter()
        .zip(sizes)
        .map(|(ty, sizes)| structured::empty(b, tensor_type(&sizes[1..], ty.element_type())))
        .collect::<Vec<_>>();
    let row = body(b, index::constant(b, 0), &outputs)?.into_iter();
    Ok(row
        .zip(sizes)
        .map(|(value, sizes)| structured::reshape(b, value, sizes))
        .collect())
}
