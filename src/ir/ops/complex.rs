//! The ops of `complex`, with arithmetic in parts.
//!
//! Upstream's folders of `complex.add` and `complex.sub` make `a` of `(a - b) + b`, which is
//! another number where `b` is large or infinite; so sums and products are built in parts.

super::generated! { "complex" }

use super::{BinaryFn, arith};
use crate::{builder::Builder, handles::Value, types::complex_type, value::ValueExt};

/// `complex.create`
#[track_caller]
pub fn from_parts<'c>(b: &Builder<'c>, real: Value<'c>, imaginary: Value<'c>) -> Value<'c> {
    create(b, real, imaginary, complex_type(real.ty()))
}

/// The sum of complex numbers, in parts.
#[track_caller]
pub fn add_parts<'c>(b: &Builder<'c>, left: Value<'c>, right: Value<'c>) -> Value<'c> {
    in_parts(b, arith::addf, left, right)
}

/// The difference of complex numbers, in parts.
#[track_caller]
pub fn subtract_parts<'c>(b: &Builder<'c>, left: Value<'c>, right: Value<'c>) -> Value<'c> {
    in_parts(b, arith::subf, left, right)
}

#[track_caller]
fn in_parts<'c>(b: &Builder<'c>, op: BinaryFn, left: Value<'c>, right: Value<'c>) -> Value<'c> {
    let real = op(b, re(b, left), re(b, right));
    let imaginary = op(b, im(b, left), im(b, right));
    from_parts(b, real, imaginary)
}

/// The product of complex numbers, in parts.
#[track_caller]
pub fn multiply_parts<'c>(b: &Builder<'c>, left: Value<'c>, right: Value<'c>) -> Value<'c> {
    let (a, c) = (re(b, left), re(b, right));
    let (i, j) = (im(b, left), im(b, right));
    let real = arith::subf(b, arith::mulf(b, a, c), arith::mulf(b, i, j));
    let imaginary = arith::addf(b, arith::mulf(b, i, c), arith::mulf(b, a, j));
    from_parts(b, real, imaginary)
}
