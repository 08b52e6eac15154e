//! Arithmetic, logic, conversions and complex numbers.

use super::Options;
use crate::{
    matchers::{
        constant_of, defined_by, ensure, is_all_ones, is_integral, is_one, is_zero, operands,
        result_type,
    },
    transforms::emit,
};
use halo_ir::{
    Builder, Operation, OptionPattern, RewriteResult, element_type, is_complex, is_float, name_of,
};
use melior::ir::ValueLike;

type Pattern = OptionPattern<Options>;

pub(super) static PATTERNS: &[Pattern] = &[
    Pattern::new("stablehlo.add", constant_to_rhs),
    Pattern::new("stablehlo.add", zero_on_the_right),
    Pattern::new("stablehlo.and", all_ones_on_the_right),
    Pattern::new("stablehlo.and", constant_to_rhs),
    Pattern::new("stablehlo.and", same_operands),
    Pattern::new("stablehlo.and", zero_absorbs),
    Pattern::new("stablehlo.complex", parts_of_one_number),
    Pattern::new("stablehlo.convert", no_change_of_type),
    Pattern::new("stablehlo.divide", one_on_the_right),
    Pattern::new("stablehlo.imag", part_of_complex),
    Pattern::new("stablehlo.imag", part_of_real),
    Pattern::new("stablehlo.maximum", constant_to_rhs),
    Pattern::new("stablehlo.maximum", same_operands),
    Pattern::new("stablehlo.minimum", constant_to_rhs),
    Pattern::new("stablehlo.minimum", same_operands),
    Pattern::new("stablehlo.multiply", constant_to_rhs),
    Pattern::new("stablehlo.multiply", one_on_the_right),
    Pattern::new("stablehlo.multiply", zero_absorbs),
    Pattern::new("stablehlo.negate", twice),
    Pattern::new("stablehlo.not", twice),
    Pattern::new("stablehlo.or", all_ones_absorb),
    Pattern::new("stablehlo.or", constant_to_rhs),
    Pattern::new("stablehlo.or", same_operands),
    Pattern::new("stablehlo.or", zero_on_the_right),
    Pattern::new("stablehlo.real", part_of_complex),
    Pattern::new("stablehlo.real", part_of_real),
    Pattern::new("stablehlo.shift_left", zero_on_the_right),
    Pattern::new("stablehlo.shift_right_arithmetic", zero_on_the_right),
    Pattern::new("stablehlo.shift_right_logical", zero_on_the_right),
    Pattern::new("stablehlo.subtract", cancels_to_zero),
    Pattern::new("stablehlo.subtract", zero_on_the_right),
    Pattern::new("stablehlo.xor", cancels_to_zero),
    Pattern::new("stablehlo.xor", constant_to_rhs),
    Pattern::new("stablehlo.xor", zero_on_the_right),
];

/// `op(constant, x)` -> `op(x, constant)`, for commutative ops.
fn constant_to_rhs<'c>(b: &Builder<'c>, op: Operation<'c>, _: &Options) -> RewriteResult {
    let [lhs, rhs] = operands(op)?;
    ensure(constant_of(lhs).is_some() && constant_of(rhs).is_none())?;
    let new = emit::with_operands(b, op, &[rhs, lhs])?;
    emit::replace_with(b, op, new)?;
    Ok(())
}

/// `x + 0`, `x - 0`, `x | 0`, `x ^ 0`, `x << 0`, `x >> 0` -> `x`
fn zero_on_the_right<'c>(b: &Builder<'c>, op: Operation<'c>, _: &Options) -> RewriteResult {
    let [lhs, rhs] = operands(op)?;
    ensure(is_zero(rhs) && lhs.r#type() == result_type(op)?)?;
    emit::replace_merged(b, op, lhs)?;
    Ok(())
}

/// `x * 1`, `x / 1` -> `x`
fn one_on_the_right<'c>(b: &Builder<'c>, op: Operation<'c>, _: &Options) -> RewriteResult {
    let [lhs, rhs] = operands(op)?;
    ensure(is_one(rhs) && lhs.r#type() == result_type(op)?)?;
    emit::replace_merged(b, op, lhs)?;
    Ok(())
}

/// `x & -1` -> `x`
fn all_ones_on_the_right<'c>(b: &Builder<'c>, op: Operation<'c>, _: &Options) -> RewriteResult {
    let [lhs, rhs] = operands(op)?;
    ensure(is_all_ones(rhs) && lhs.r#type() == result_type(op)?)?;
    emit::replace_merged(b, op, lhs)?;
    Ok(())
}

/// `x & 0`, `x * 0` -> `0`, for integers: a float may be infinite or no number.
fn zero_absorbs<'c>(b: &Builder<'c>, op: Operation<'c>, _: &Options) -> RewriteResult {
    let [_, rhs] = operands(op)?;
    ensure(is_integral(rhs) && is_zero(rhs) && rhs.r#type() == result_type(op)?)?;
    emit::replace_merged(b, op, rhs)?;
    Ok(())
}

/// `x | -1` -> `-1`
fn all_ones_absorb<'c>(b: &Builder<'c>, op: Operation<'c>, _: &Options) -> RewriteResult {
    let [_, rhs] = operands(op)?;
    ensure(is_all_ones(rhs) && rhs.r#type() == result_type(op)?)?;
    emit::replace_merged(b, op, rhs)?;
    Ok(())
}

/// `x & x`, `x | x`, `max(x, x)`, `min(x, x)` -> `x`
fn same_operands<'c>(b: &Builder<'c>, op: Operation<'c>, _: &Options) -> RewriteResult {
    let [lhs, rhs] = operands(op)?;
    ensure(lhs == rhs && lhs.r#type() == result_type(op)?)?;
    emit::replace_merged(b, op, lhs)?;
    Ok(())
}

/// `x - x`, `x ^ x` -> `0`, for integers.
fn cancels_to_zero<'c>(b: &Builder<'c>, op: Operation<'c>, _: &Options) -> RewriteResult {
    let [lhs, rhs] = operands(op)?;
    let r#type = result_type(op)?;
    ensure(lhs == rhs && is_integral(lhs))?;
    crate::matchers::static_shape(r#type)?;
    let zero = emit::number(b, r#type, 0.0)?;
    b.replace(op, &[zero])?;
    Ok(())
}

/// `-(-x)`, `not(not(x))` -> `x`
fn twice<'c>(b: &Builder<'c>, op: Operation<'c>, _: &Options) -> RewriteResult {
    let [operand] = operands(op)?;
    let [inner] = operands(defined_by(operand, name_of(op))?)?;
    // Quantized values are rounded each time.
    let element = element_type(inner.r#type());
    ensure(is_integral(inner) || is_float(element) || is_complex(element))?;
    ensure(inner.r#type() == result_type(op)?)?;
    b.replace(op, &[inner])?;
    Ok(())
}

/// `convert(x)` to the type of `x` -> `x`
fn no_change_of_type<'c>(b: &Builder<'c>, op: Operation<'c>, _: &Options) -> RewriteResult {
    let [operand] = operands(op)?;
    ensure(operand.r#type() == result_type(op)?)?;
    emit::replace_merged(b, op, operand)?;
    Ok(())
}

/// `complex(real(x), imag(x))` -> `x`
fn parts_of_one_number<'c>(b: &Builder<'c>, op: Operation<'c>, _: &Options) -> RewriteResult {
    let [real, imag] = operands(op)?;
    let [whole] = operands(defined_by(real, "stablehlo.real")?)?;
    let [other] = operands(defined_by(imag, "stablehlo.imag")?)?;
    ensure(whole == other && whole.r#type() == result_type(op)?)?;
    b.replace(op, &[whole])?;
    Ok(())
}

/// `real(complex(r, i))` -> `r`, `imag(complex(r, i))` -> `i`
fn part_of_complex<'c>(b: &Builder<'c>, op: Operation<'c>, _: &Options) -> RewriteResult {
    let [operand] = operands(op)?;
    let [real, imag] = operands(defined_by(operand, "stablehlo.complex")?)?;
    let part = if name_of(op) == "stablehlo.real" {
        real
    } else {
        imag
    };
    ensure(part.r#type() == result_type(op)?)?;
    b.replace(op, &[part])?;
    Ok(())
}

/// Of a real `x`: `real(x)` -> `x`, `imag(x)` -> `0`
fn part_of_real<'c>(b: &Builder<'c>, op: Operation<'c>, _: &Options) -> RewriteResult {
    let [operand] = operands(op)?;
    let r#type = result_type(op)?;
    ensure(is_float(element_type(operand.r#type())) && operand.r#type() == r#type)?;
    let part = if name_of(op) == "stablehlo.real" {
        operand
    } else {
        crate::matchers::static_shape(r#type)?;
        emit::number(b, r#type, 0.0)?
    };
    b.replace(op, &[part])?;
    Ok(())
}
