//! Arithmetic on indices that folds trivial cases.
//!
//! Operands are values or numbers. Constants stand at the start of a block, each once;
//! canonicalization and CSE merge the constants of several blocks.

use super::arith::{self, AddIOp, CmpIPredicate, ConstantOp, IntegerOverflowFlags, constant_index};
use crate::{
    block::BlockExt,
    builder::Builder,
    handles::{Type, Value},
    operation::OperationExt,
    types::TypeExt,
    value::ValueExt,
};

/// `arith.constant N : index`, at the start of the block.
#[track_caller]
pub fn constant<'c>(builder: &Builder<'c>, value: i64) -> Value<'c> {
    let Some(block) = builder.block() else {
        return plain(builder, value);
    };
    let next = builder.next_operation();
    let mut place = block.first_operation();
    while let Some(operation) = place
        && place != next
        && let Some(constant) = operation.cast::<ConstantOp>()
    {
        let number = constant.result();
        if number.ty().is_index() && constant_index(number) == Some(value) {
            return number;
        }
        place = operation.next_in_block();
    }
    match place {
        Some(first) if place != next => builder.with_insertion_point(|builder| {
            builder.set_before(first);
            plain(builder, value)
        }),
        _ => plain(builder, value),
    }
}

/// `arith.constant N : index`, at the insertion point.
#[track_caller]
fn plain<'c>(builder: &Builder<'c>, value: i64) -> Value<'c> {
    arith::constant(builder, Type::index(builder.context()), value)
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
        constant(builder, self)
    }
}

/// `lhs + rhs`; this and the following fold trivial cases.
#[track_caller]
pub fn add<'c>(builder: &Builder<'c>, lhs: impl Index<'c>, rhs: impl Index<'c>) -> Value<'c> {
    let (lhs, rhs) = (lhs.value(builder), rhs.value(builder));
    match (constant_index(lhs), constant_index(rhs)) {
        (Some(0), _) => rhs,
        (_, Some(0)) => lhs,
        (Some(a), Some(b)) => constant(builder, a + b),
        (None, Some(b)) => match sum_with_constant(lhs) {
            Some((value, a)) => add(builder, value, a + b),
            None => arith::addi(builder, lhs, rhs),
        },
        _ => arith::addi(builder, lhs, rhs),
    }
}

/// The end of a range: a sum that does not overflow (`nsw`), so that a loop over a range of
/// constant length provably has iterations.
#[track_caller]
pub fn end_of_range<'c>(
    builder: &Builder<'c>,
    lower: Value<'c>,
    length: impl Index<'c>,
) -> Value<'c> {
    let length = length.value(builder);
    if constant_index(lower).is_some() {
        return add(builder, lower, length);
    }
    let sum = AddIOp::build(builder, lower, length);
    sum.overflow_flags(IntegerOverflowFlags::NSW).value()
}

/// `x` and `N` of `x + N`.
#[track_caller]
pub fn sum_with_constant<'c>(value: Value<'c>) -> Option<(Value<'c>, i64)> {
    let sum = value.defined_by::<AddIOp>()?;
    Some((sum.lhs(), constant_index(sum.rhs())?))
}

/// `lhs - rhs`
#[track_caller]
pub fn sub<'c>(builder: &Builder<'c>, lhs: impl Index<'c>, rhs: impl Index<'c>) -> Value<'c> {
    let (lhs, rhs) = (lhs.value(builder), rhs.value(builder));
    match (constant_index(lhs), constant_index(rhs)) {
        (_, Some(0)) => lhs,
        (Some(a), Some(b)) => constant(builder, a - b),
        _ => arith::subi(builder, lhs, rhs),
    }
}

/// `lhs * rhs`
#[track_caller]
pub fn mul<'c>(builder: &Builder<'c>, lhs: impl Index<'c>, rhs: impl Index<'c>) -> Value<'c> {
    let (lhs, rhs) = (lhs.value(builder), rhs.value(builder));
    match (constant_index(lhs), constant_index(rhs)) {
        (Some(1), _) => rhs,
        (_, Some(1)) => lhs,
        (Some(a), Some(b)) => constant(builder, a * b),
        _ => arith::muli(builder, lhs, rhs),
    }
}

/// `lhs / rhs`, unsigned.
#[track_caller]
pub fn div<'c>(builder: &Builder<'c>, lhs: impl Index<'c>, rhs: impl Index<'c>) -> Value<'c> {
    let (lhs, rhs) = (lhs.value(builder), rhs.value(builder));
    match constant_index(rhs) {
        Some(1) => lhs,
        _ => arith::divui(builder, lhs, rhs),
    }
}

/// `lhs % rhs`, unsigned.
#[track_caller]
pub fn rem<'c>(builder: &Builder<'c>, lhs: impl Index<'c>, rhs: impl Index<'c>) -> Value<'c> {
    let (lhs, rhs) = (lhs.value(builder), rhs.value(builder));
    match constant_index(rhs) {
        Some(1) => constant(builder, 0),
        _ => arith::remui(builder, lhs, rhs),
    }
}

/// The smaller one of two signed indices.
#[track_caller]
pub fn min<'c>(builder: &Builder<'c>, lhs: Value<'c>, rhs: impl Index<'c>) -> Value<'c> {
    arith::minsi(builder, lhs, rhs.value(builder))
}

/// The larger one of two signed indices.
#[track_caller]
pub fn max<'c>(builder: &Builder<'c>, lhs: Value<'c>, rhs: impl Index<'c>) -> Value<'c> {
    arith::maxsi(builder, lhs, rhs.value(builder))
}

/// `arith.cmpi` of an index with another one.
#[track_caller]
pub fn compare<'c>(
    builder: &Builder<'c>,
    predicate: CmpIPredicate,
    lhs: Value<'c>,
    rhs: impl Index<'c>,
) -> Value<'c> {
    arith::cmpi(builder, predicate, lhs, rhs.value(builder))
}

/// Delinearizes an index into the indices of dimensions of the given sizes,
/// outermost first.
#[track_caller]
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

/// The end of the last whole step between two bounds.
#[track_caller]
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

/// `lhs < bound`, for indices that are not negative.
#[track_caller]
pub fn below<'c>(builder: &Builder<'c>, lhs: Value<'c>, bound: i64) -> Value<'c> {
    compare(builder, CmpIPredicate::Ult, lhs, bound)
}

/// Quotient and remainder by a constant.
#[track_caller]
pub fn divide<'c>(builder: &Builder<'c>, value: Value<'c>, by: i64) -> (Value<'c>, Value<'c>) {
    (div(builder, value, by), rem(builder, value, by))
}
