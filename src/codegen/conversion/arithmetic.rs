//! Constants and conversions that lowerings use, beyond single ops.
//!
//! Each function works on scalars, vectors and tensors alike.

use halo_ir::{
    ops::{BinaryFn, ConversionFn, complex},
    prelude::*,
    template,
};

/// A conversion, or the value where it has the type already.
pub fn cast<'c>(b: &Builder<'c>, op: ConversionFn, value: Value<'c>, to: Type<'c>) -> Value<'c> {
    if value.ty() == to {
        return value;
    }
    op(b, value, to)
}

/// `arith.constant` with an attribute.
pub fn constant<'c>(b: &Builder<'c>, value: Attribute<'c>, ty: Type<'c>) -> Value<'c> {
    arith::ConstantOp::build(b, value).result_types(&[ty]).value()
}

/// A constant of a number type: integer, index, float or complex (with no
/// imaginary part).
pub fn number<'c>(b: &Builder<'c>, ty: Type<'c>, value: i64) -> Value<'c> {
    match ty.complex_element() {
        Some(part) => {
            let real = arith::constant(b, part, value);
            complex(b, real, arith::constant(b, part, 0))
        }
        None => arith::constant(b, ty, value),
    }
}

/// `complex.create`
pub fn complex<'c>(b: &Builder<'c>, real: Value<'c>, imaginary: Value<'c>) -> Value<'c> {
    complex::create(b, real, imaginary, halo_ir::complex_type(real.ty()))
}

/// The sum of complex numbers, in parts: upstream's folders of `complex.add` and
/// `complex.sub` make `a` of `(a - b) + b`, which is another number where `b` is
/// large or infinite.
pub fn add_complex<'c>(b: &Builder<'c>, left: Value<'c>, right: Value<'c>) -> Value<'c> {
    in_parts(b, arith::addf, left, right)
}

/// The difference of complex numbers, in parts as [`add_complex`].
pub fn subtract_complex<'c>(b: &Builder<'c>, left: Value<'c>, right: Value<'c>) -> Value<'c> {
    in_parts(b, arith::subf, left, right)
}

fn in_parts<'c>(b: &Builder<'c>, op: BinaryFn, left: Value<'c>, right: Value<'c>) -> Value<'c> {
    let real = op(b, complex::re(b, left), complex::re(b, right));
    let imaginary = op(b, complex::im(b, left), complex::im(b, right));
    complex(b, real, imaginary)
}

/// The product of complex numbers, in parts as [`add_complex`].
pub fn multiply_complex<'c>(b: &Builder<'c>, left: Value<'c>, right: Value<'c>) -> Value<'c> {
    let (a, c) = (complex::re(b, left), complex::re(b, right));
    let (i, j) = (complex::im(b, left), complex::im(b, right));
    let real = arith::subf(b, arith::mulf(b, a, c), arith::mulf(b, i, j));
    let imaginary = arith::addf(b, arith::mulf(b, i, c), arith::mulf(b, a, j));
    complex(b, real, imaginary)
}

/// Whether a value is a NaN.
pub fn is_nan<'c>(b: &Builder<'c>, value: Value<'c>) -> Value<'c> {
    arith::cmpf(b, CmpFPredicate::Uno, value, value)
}

/// Widens or narrows an integer. Narrowing keeps the low bits.
pub fn resize_integer<'c>(
    b: &Builder<'c>,
    value: Value<'c>,
    to: Type<'c>,
    signed: bool,
) -> Value<'c> {
    let widths = (value.ty().integer_width(), to.integer_width());
    match widths {
        (Some(from), Some(width)) if from < width && signed => cast(b, arith::extsi, value, to),
        (Some(from), Some(width)) if from < width => cast(b, arith::extui, value, to),
        (Some(from), Some(width)) if from > width => cast(b, arith::trunci, value, to),
        _ => value,
    }
}

/// Widens or narrows a float, rounding to the nearest even.
pub fn resize_float<'c>(b: &Builder<'c>, value: Value<'c>, to: Type<'c>) -> Value<'c> {
    use std::cmp::Ordering;
    let from = value.ty();
    if from == to {
        return value;
    }
    let widths = (from.bit_width(), to.bit_width());
    let value = match widths {
        (Some(64), Some(16)) => round_to_odd(b, value),
        _ => value,
    };
    match widths.0.cmp(&widths.1) {
        Ordering::Less => cast(b, arith::extf, value, to),
        Ordering::Greater => cast(b, arith::truncf, value, to),
        // Two formats of one width (f16 and bf16) meet in f32.
        Ordering::Equal => {
            let wide = cast(b, arith::extf, value, Type::float32(b.context()));
            cast(b, arith::truncf, wide, to)
        }
    }
}

/// An f64 as f32, with its last bit set where bits were lost, so that rounding
/// to a narrower float gives the same result as rounding the f64 itself. No
/// instruction does this, and rounding twice may err.
fn round_to_odd<'c>(b: &Builder<'c>, value: Value<'c>) -> Value<'c> {
    let rounded = template!(
        b,
        "
        %nearest = arith.truncf $value : f64 to f32
        %back = arith.extf %nearest : f32 to f64
        %bits = arith.bitcast %nearest : f32 to i32
        %size = math.absf $value : f64
        %size_back = math.absf %back : f64
        %is_larger = arith.cmpf ogt, %size_back, %size : f64
        %is_smaller = arith.cmpf olt, %size_back, %size : f64
        %one = arith.constant 1 : i32
        %less = arith.subi %bits, %one : i32
        %toward_zero = arith.select %is_larger, %less, %bits : i32
        %odd = arith.ori %toward_zero, %one : i32
        %is_inexact = arith.ori %is_larger, %is_smaller : i1
        %rounded = arith.select %is_inexact, %odd, %bits : i32
        %result = arith.bitcast %rounded : i32 to f32"
    );
    rounded[0]
}

/// Whether a float type is narrower than f32, so that functions on it are
/// computed in f32 and rounded.
pub fn is_narrow_float(ty: Type) -> bool {
    use halo_ir::FloatKind;
    matches!(
        ty.float_kind(),
        Some(FloatKind::BF16 | FloatKind::F16 | FloatKind::Narrow)
    )
}
