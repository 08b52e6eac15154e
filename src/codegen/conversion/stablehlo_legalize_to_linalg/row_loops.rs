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
    shapes: &[Shape<'c>],
    body: impl FnOnce(&Builder<'c>, Value<'c>, &[Value<'c>]) -> RewriteResult<Vec<Value<'c>>>,
) -> RewriteResult<Vec<Value<'c>>> {
    let rows = shapes.first().and_then(|shape| shape.sizes.first()).copied();
    let rows = rows.unwrap_or_else(|| bug("a loop over the rows of nothing"));
    if rows == Size::Static(1) {
        return one_row(b, shapes, body);
    }
    let outputs = shapes.iter().map(|shape| structured::empty(b, shape)).collect::<Vec<_>>();
    let types = outputs.types();
    let mut arguments = vec![Type::index(b.context())];
    arguments.extend(&types);
    let region = b.region(&arguments, |b, arguments| {
        let (row, shared) = (arguments[0], &arguments[1..]);
        let parts: Vec<Part> = shapes
            .iter()
            .map(|shape| {
                let offsets = vec![Size::Dynamic(row), Size::Static(0)];
                Part::adjacent(offsets, vec![1.into(), shape.sizes[1]])
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
        &sizes::values(&[rows]),
        &[],
        &[0],
        &sizes::numbers(&[rows]),
        &[1],
        &outputs,
        &types,
        region,
    );
    Ok(op.insert().results())
}

/// Computes the only row, without a loop.
fn one_row<'c>(
    b: &Builder<'c>,
    shapes: &[Shape<'c>],
    body: impl FnOnce(&Builder<'c>, Value<'c>, &[Value<'c>]) -> RewriteResult<Vec<Value<'c>>>,
) -> RewriteResult<Vec<Value<'c>>> {
    let outputs = shapes
        .iter()
        .map(|shape| structured::empty(b, Shape::new(shape.sizes[1..].to_vec(), shape.element)))
        .collect::<Vec<_>>();
    let row = body(b, index::constant(b, 0), &outputs)?.into_iter();
    Ok(row
        .zip(shapes)
        .map(|(value, shape)| structured::reshape_to(b, value, &shape.sizes))
        .collect())
}
