//! Loops and conditions on tensors, for ops that `linalg.generic` cannot
//! express: those whose iterations depend on one another or on the data.
//!
//! Tensors that a loop carries are written in place once they are buffers.

use super::{
    slice::{self, Offset, Part},
    structured, type_dims,
};
use halo_ir::{ops::halo, prelude::*};

/// The values of several results or iterations.
pub type Values<'c> = Result<Vec<Value<'c>>, RewriteError>;

/// `scf.for` from `lower` to `upper`, both of index type, that carries values.
/// The body gets the index and the values, and returns the next values.
pub fn for_loop<'c>(
    b: &Builder<'c>,
    (lower, upper): (Value<'c>, Value<'c>),
    carried: &[Value<'c>],
    body: impl FnOnce(&Builder<'c>, Value<'c>, &[Value<'c>]) -> Values<'c>,
) -> Values<'c> {
    let step = arith::index(b, 1);
    Ok(scf::for_(b, (lower, upper, step), carried, body)?.results())
}

/// Marks the loop that has some results: its iterations are independent of each other, but for
/// reductions that it carries.
pub fn mark_parallel(results: &[Value<'_>]) {
    if let Some(op) = results.first().copied().and_then(Value::defining_op) {
        op.set_attribute(halo::PARALLEL, unit_attribute(op.context()));
    }
}

/// The body of a nest of loops: takes the indices and the carried values, and
/// returns the next ones.
pub type NestBody<'a, 'c> = dyn FnMut(&Builder<'c>, &[Value<'c>], &[Value<'c>]) -> Values<'c> + 'a;

/// A nest of loops from 0 to each of the sizes, the first one outermost.
pub fn nest<'c>(
    b: &Builder<'c>,
    sizes: &[i64],
    carried: &[Value<'c>],
    body: &mut NestBody<'_, 'c>,
) -> Values<'c> {
    fn inner<'c>(
        b: &Builder<'c>,
        sizes: &[i64],
        indices: &mut Vec<Value<'c>>,
        carried: &[Value<'c>],
        body: &mut NestBody<'_, 'c>,
    ) -> Values<'c> {
        let Some((size, rest)) = sizes.split_first() else {
            return body(b, indices, carried);
        };
        let bounds = (arith::index(b, 0), arith::index(b, *size));
        for_loop(b, bounds, carried, |b, index, carried| {
            indices.push(index);
            let next = inner(b, rest, indices, carried, body);
            indices.pop();
            next
        })
    }
    inner(b, sizes, &mut Vec::new(), carried, body)
}

/// Computes the rows of tensors of two dimensions independently of each other,
/// by an `scf.forall` from which a kernel is made. The body gets the number of
/// a row and the rows to write, and returns the written ones.
pub fn for_each_row<'c>(
    b: &Builder<'c>,
    types: &[Type<'c>],
    body: impl FnOnce(&Builder<'c>, Value<'c>, &[Value<'c>]) -> Values<'c>,
) -> Values<'c> {
    let sizes = types.iter().map(|ty| type_dims(*ty)).collect::<Result<Vec<_>, _>>()?;
    let rows = sizes.first().and_then(|sizes| sizes.first()).copied();
    let rows = rows.ok_or_else(|| {
        RewriteError::Invalid("internal error: a loop over the rows of nothing".into())
    })?;
    if rows == 1 {
        return one_row(b, types, &sizes, body);
    }
    let outputs = types
        .iter()
        .map(|ty| structured::empty(b, *ty))
        .collect::<Result<Vec<_>, _>>()?;
    let mut arguments = vec![Type::index(b.context())];
    arguments.extend(types);
    let region = b.region(&arguments, |b, arguments| {
        let (row, shared) = (arguments[0], &arguments[1..]);
        let parts: Vec<Part> = sizes
            .iter()
            .map(|sizes| Part {
                offsets: vec![Offset::Dynamic(row), Offset::Static(0)],
                sizes: vec![1, sizes[1]],
                strides: vec![1, 1],
            })
            .collect();
        let outputs = shared
            .iter()
            .zip(&parts)
            .map(|(shared, part)| slice::extract_as(b, *shared, part, &part.sizes[1..]))
            .collect::<Result<Vec<_>, _>>()?;
        let written = body(b, row, &outputs)?;
        let insertions = b.region(&[], |b, _| {
            for ((value, shared), part) in written.iter().zip(shared).zip(&parts) {
                slice::insert_in_parallel(b, *value, *shared, part)?;
            }
            Ok::<_, RewriteError>(())
        })?;
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

/// The only row, which is a tensor of its own.
fn one_row<'c>(
    b: &Builder<'c>,
    types: &[Type<'c>],
    sizes: &[Vec<i64>],
    body: impl FnOnce(&Builder<'c>, Value<'c>, &[Value<'c>]) -> Values<'c>,
) -> Values<'c> {
    let outputs = types
        .iter()
        .zip(sizes)
        .map(|(ty, sizes)| structured::empty(b, tensor_type(&sizes[1..], ty.element_type())))
        .collect::<Result<Vec<_>, _>>()?;
    body(b, arith::index(b, 0), &outputs)?
        .into_iter()
        .zip(sizes)
        .map(|(value, sizes)| structured::reshape(b, value, sizes))
        .collect()
}

/// `scf.if` with the results of its branches.
pub fn if_else<'c>(
    b: &Builder<'c>,
    condition: Value<'c>,
    on_true: impl FnOnce(&Builder<'c>) -> Values<'c>,
    on_false: impl FnOnce(&Builder<'c>) -> Values<'c>,
) -> Values<'c> {
    Ok(scf::if_else(b, condition, on_true, on_false)?.results())
}

/// `scf.while`: goes on with the values that `body` returns as long as
/// `condition` gives a true `i1` for them.
pub fn while_loop<'c>(
    b: &Builder<'c>,
    carried: &[Value<'c>],
    condition: impl FnOnce(&Builder<'c>, &[Value<'c>]) -> RewriteResult<Value<'c>>,
    body: impl FnOnce(&Builder<'c>, &[Value<'c>]) -> Values<'c>,
) -> Values<'c> {
    let before =
        |b: &Builder<'c>, carried: &[Value<'c>]| Ok((condition(b, carried)?, carried.to_vec()));
    Ok(scf::while_(b, carried, before, body)?.results())
}

/// An element of a tensor.
pub fn extract<'c>(
    b: &Builder<'c>,
    tensor: Value<'c>,
    indices: &[Value<'c>],
) -> RewriteResult<Value<'c>> {
    Ok(tensor::extract(b, tensor, indices))
}

/// A tensor with one element replaced.
pub fn insert<'c>(
    b: &Builder<'c>,
    scalar: Value<'c>,
    tensor: Value<'c>,
    indices: &[Value<'c>],
) -> RewriteResult<Value<'c>> {
    Ok(tensor::insert(b, scalar, tensor, indices))
}
