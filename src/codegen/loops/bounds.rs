//! Bounds of loops.

use halo_ir::{ops::arith::constant_index, prelude::*};

/// The trip count of a loop with constant bounds or range, and step one.
pub fn exact_trip_count(loop_: scf::ForOp) -> Option<i64> {
    let (lower, upper) = (loop_.lower_bound(), loop_.upper_bound());
    if let (Some(lower), Some(upper)) = (constant_index(lower), constant_index(upper)) {
        return upper.checked_sub(lower);
    }
    let sum = upper.defined_by::<arith::AddIOp>()?;
    match (sum.lhs() == lower, sum.rhs() == lower) {
        (true, false) => constant_index(sum.rhs()),
        (false, true) => constant_index(sum.lhs()),
        _ => None,
    }
}

/// Whether an index is a multiple of a number.
pub fn is_multiple(index: Value, factor: i64) -> bool {
    if let Some(constant) = constant_index(index) {
        return constant % factor == 0;
    }
    let both = |lhs, rhs| is_multiple(lhs, factor) && is_multiple(rhs, factor);
    if let Some(product) = index.defined_by::<arith::MulIOp>() {
        return is_multiple(product.lhs(), factor) || is_multiple(product.rhs(), factor);
    }
    if let Some(sum) = index.defined_by::<arith::AddIOp>() {
        return both(sum.lhs(), sum.rhs());
    }
    let least = index.defined_by::<arith::MinSIOp>();
    least.is_some_and(|least| both(least.lhs(), least.rhs()))
}

/// The bounds of a piece of a loop with a constant size.
pub fn piece_bounds<'c>(
    builder: &Builder<'c>,
    number: Value<'c>,
    size: i64,
    piece: i64,
) -> (Value<'c>, Value<'c>) {
    let lower = index::mul(builder, number, piece);
    let mut upper = index::add(builder, lower, piece);
    if size % piece != 0 {
        upper = index::min(builder, upper, size);
    }
    (lower, upper)
}
