//! Shorthands for the ops of loop code.
//!
//! Constants of indices stand at the start of a block, each once. Canonicalization and CSE,
//! which follow these passes, merge those of several blocks.

use super::access::{Access, Expr};
pub use halo_ir::ops::arith::constant_index;
use halo_ir::{ops::arith::IntegerOverflowFlags, prelude::*};

/// `arith.constant N : index`, at the start of the block.
pub fn index<'c>(builder: &Builder<'c>, value: i64) -> Value<'c> {
    let Some(block) = builder.block() else {
        return arith::index(builder, value);
    };
    let next = builder.next_operation();
    let mut place = block.first_operation();
    while let Some(operation) = place
        && place != next
        && let Some(constant) = operation.cast::<arith::ConstantOp>()
    {
        let number = constant.result();
        if number.ty().is_index() && constant_index(number) == Some(value) {
            return number;
        }
        place = operation.next_in_block();
    }
    match place {
        Some(behind) if place != next => builder.with_insertion_point(|builder| {
            builder.set_before(behind);
            arith::index(builder, value)
        }),
        _ => arith::index(builder, value),
    }
}

/// An index: a value, or a number that becomes a constant where it is used.
pub trait Index<'c> {
    fn value(self, builder: &Builder<'c>) -> Value<'c>;
}

impl<'c> Index<'c> for Value<'c> {
    fn value(self, _: &Builder<'c>) -> Value<'c> {
        self
    }
}

impl<'c> Index<'c> for i64 {
    fn value(self, builder: &Builder<'c>) -> Value<'c> {
        index(builder, self)
    }
}

/// A constant of a float, integer or index type. Integers are truncated to
/// their width.
pub fn scalar<'c>(builder: &Builder<'c>, ty: Type<'c>, real: f64, integer: i64) -> Value<'c> {
    if ty.is_float() {
        arith::constant(builder, ty, real)
    } else {
        arith::constant(builder, ty, integer)
    }
}

/// `lhs + rhs`; this and the following fold trivial cases.
pub fn add<'c>(builder: &Builder<'c>, lhs: impl Index<'c>, rhs: impl Index<'c>) -> Value<'c> {
    let (lhs, rhs) = (lhs.value(builder), rhs.value(builder));
    match (constant_index(lhs), constant_index(rhs)) {
        (Some(0), _) => rhs,
        (_, Some(0)) => lhs,
        (Some(a), Some(b)) => index(builder, a + b),
        (None, Some(b)) => match sum_with_constant(lhs) {
            Some((value, a)) => add(builder, value, a + b),
            None => arith::addi(builder, lhs, rhs),
        },
        _ => arith::addi(builder, lhs, rhs),
    }
}

/// Where a range of a length ends that is in a program's memory: [`add`] that does not overflow. A
/// loop over a range of a constant length, which is one by this, is known to have iterations.
pub fn end_of_range<'c>(
    builder: &Builder<'c>,
    lower: Value<'c>,
    length: impl Index<'c>,
) -> Value<'c> {
    let length = length.value(builder);
    if constant_index(lower).is_some() {
        return add(builder, lower, length);
    }
    let sum = arith::AddIOp::build(builder, lower, length);
    sum.overflow_flags(IntegerOverflowFlags::NSW).value()
}

/// `x` and `N` of `x + N`.
pub fn sum_with_constant<'c>(value: Value<'c>) -> Option<(Value<'c>, i64)> {
    let sum = value.defined_by::<arith::AddIOp>()?;
    Some((sum.lhs(), constant_index(sum.rhs())?))
}

/// `lhs - rhs`
pub fn sub<'c>(builder: &Builder<'c>, lhs: impl Index<'c>, rhs: impl Index<'c>) -> Value<'c> {
    let (lhs, rhs) = (lhs.value(builder), rhs.value(builder));
    match (constant_index(lhs), constant_index(rhs)) {
        (_, Some(0)) => lhs,
        (Some(a), Some(b)) => index(builder, a - b),
        _ => arith::subi(builder, lhs, rhs),
    }
}

/// `lhs * rhs`
pub fn mul<'c>(builder: &Builder<'c>, lhs: impl Index<'c>, rhs: impl Index<'c>) -> Value<'c> {
    let (lhs, rhs) = (lhs.value(builder), rhs.value(builder));
    match (constant_index(lhs), constant_index(rhs)) {
        (Some(1), _) => rhs,
        (_, Some(1)) => lhs,
        (Some(a), Some(b)) => index(builder, a * b),
        _ => arith::muli(builder, lhs, rhs),
    }
}

/// `lhs / rhs`, unsigned.
pub fn div<'c>(builder: &Builder<'c>, lhs: impl Index<'c>, rhs: impl Index<'c>) -> Value<'c> {
    let (lhs, rhs) = (lhs.value(builder), rhs.value(builder));
    match constant_index(rhs) {
        Some(1) => lhs,
        _ => arith::divui(builder, lhs, rhs),
    }
}

/// `lhs % rhs`, unsigned.
pub fn rem<'c>(builder: &Builder<'c>, lhs: impl Index<'c>, rhs: impl Index<'c>) -> Value<'c> {
    let (lhs, rhs) = (lhs.value(builder), rhs.value(builder));
    match constant_index(rhs) {
        Some(1) => index(builder, 0),
        _ => arith::remui(builder, lhs, rhs),
    }
}

/// The smaller one of two signed indices.
pub fn min<'c>(builder: &Builder<'c>, lhs: Value<'c>, rhs: impl Index<'c>) -> Value<'c> {
    arith::minsi(builder, lhs, rhs.value(builder))
}

/// The larger one of two signed indices.
pub fn max<'c>(builder: &Builder<'c>, lhs: Value<'c>, rhs: impl Index<'c>) -> Value<'c> {
    arith::maxsi(builder, lhs, rhs.value(builder))
}

/// `arith.cmpi` of an index with another one.
pub fn compare<'c>(
    builder: &Builder<'c>,
    predicate: CmpIPredicate,
    lhs: Value<'c>,
    rhs: impl Index<'c>,
) -> Value<'c> {
    arith::cmpi(builder, predicate, lhs, rhs.value(builder))
}

/// `lhs * factor`
pub fn scale<'c>(builder: &Builder<'c>, lhs: Value<'c>, factor: i64) -> Value<'c> {
    mul(builder, lhs, factor)
}

/// Delinearizes an index into the indices of dimensions of the given sizes,
/// outermost first.
pub fn delinearize<'c>(builder: &Builder<'c>, linear: Value<'c>, sizes: &[i64]) -> Vec<Value<'c>> {
    let mut indices = Vec::new();
    let mut rest = linear;
    for (position, size) in sizes.iter().enumerate().rev() {
        if position == 0 {
            indices.push(rest);
            break;
        }
        indices.push(rem(builder, rest, *size));
        rest = div(builder, rest, *size);
    }
    indices.reverse();
    indices
}

/// `memref.alloc` of a contiguous buffer, aligned to a cache line.
pub fn alloc<'c>(builder: &Builder<'c>, dims: &[i64], element: Type<'c>) -> Value<'c> {
    memref::AllocOp::build(builder, &[], &[], memref_type(dims, element))
        .alignment(64)
        .value()
}

/// `scf.for` that carries values; the function gets the index and the carried
/// values and returns the next ones.
pub fn for_loop<'c>(
    builder: &Builder<'c>,
    (lower, upper, step): (impl Index<'c>, impl Index<'c>, impl Index<'c>),
    carried: &[Value<'c>],
    body: impl FnOnce(&Builder<'c>, Value<'c>, &[Value<'c>]) -> Vec<Value<'c>>,
) -> Vec<Value<'c>> {
    let bounds = (
        lower.value(builder),
        upper.value(builder),
        step.value(builder),
    );
    scf::for_(builder, bounds, carried, body).results()
}

/// Where the last whole step from a lower bound on ends that is not above the upper one.
pub fn end_of_whole_steps<'c>(
    builder: &Builder<'c>,
    (lower, upper): (Value<'c>, Value<'c>),
    step: Value<'c>,
) -> Value<'c> {
    let length = sub(builder, upper, lower);
    let steps = div(builder, length, step);
    let whole = mul(builder, steps, step);
    end_of_range(builder, lower, whole)
}

/// `scf.for` without carried values.
pub fn for_each<'c>(
    builder: &Builder<'c>,
    bounds: (impl Index<'c>, impl Index<'c>, impl Index<'c>),
    body: impl FnOnce(&Builder<'c>, Value<'c>),
) {
    for_loop(builder, bounds, &[], |builder, iv, _| {
        body(builder, iv);
        Vec::new()
    });
}

/// [`for_each`] from 0 to a constant in steps of a constant.
pub fn for_range<'c>(
    builder: &Builder<'c>,
    upper: i64,
    step: i64,
    body: impl FnOnce(&Builder<'c>, Value<'c>),
) {
    for_each(builder, (0, upper, step), body)
}

/// A one-dimensional `scf.parallel` from 0 in steps of 1.
pub fn parallel<'c>(
    builder: &Builder<'c>,
    count: impl Index<'c>,
    body: impl FnOnce(&Builder<'c>, Value<'c>),
) -> Operation<'c> {
    let range = (index(builder, 0), count.value(builder), index(builder, 1));
    let op = scf::parallel(builder, &[range], |builder, indices| {
        body(builder, indices[0])
    });
    op.operation()
}

/// `linalg.index`
pub fn linalg_index<'c>(builder: &Builder<'c>, dim: usize) -> Value<'c> {
    linalg::index(builder, dim as i64)
}

/// `linalg.generic` on memrefs. The last `outputs` of the operands are written;
/// the function gets an element of each operand and returns the values to yield.
pub fn generic<'c>(
    builder: &Builder<'c>,
    operands: &[Access<'c>],
    outputs: usize,
    reductions: &[bool],
    body: impl FnOnce(&Builder<'c>, &[Value<'c>]) -> Vec<Value<'c>>,
) -> Operation<'c> {
    let context = builder.context();
    let maps: Vec<_> = operands
        .iter()
        .map(|access| {
            let results: Vec<_> =
                access.indices.iter().map(|index| index.to_affine(context)).collect();
            AffineMap::new(context, reductions.len(), 0, &results)
        })
        .collect();
    let kinds: Vec<_> = reductions
        .iter()
        .map(|reduction| {
            if *reduction {
                IteratorType::Reduction
            } else {
                IteratorType::Parallel
            }
        })
        .collect();
    let values = (operands.iter().map(|access| access.view(builder))).collect::<Vec<_>>();
    let (inputs, outputs) = values.split_at(values.len() - outputs);
    let op = linalg::generic(builder, inputs, outputs, &maps, &kinds, body);
    op.operation()
}

/// Zero of a scalar type, or of a vector of them.
pub fn zero<'c>(builder: &Builder<'c>, ty: Type<'c>) -> Value<'c> {
    arith::constant(builder, ty, 0)
}

/// The copy as an elementwise op.
pub fn copy_as_generic<'c>(builder: &Builder<'c>, operation: Operation<'c>) -> Operation<'c> {
    let accesses: Vec<Access> = operation
        .operands()
        .into_iter()
        .map(|value| {
            let rank = value.ty().shape().map_or(0, |shape| shape.len());
            Access::of_memref(value, (0..rank).map(Expr::Dim).collect())
        })
        .collect();
    let parallel = vec![false; accesses[0].indices.len()];
    generic(builder, &accesses, 1, &parallel, |_, values| {
        vec![values[0]]
    })
}
