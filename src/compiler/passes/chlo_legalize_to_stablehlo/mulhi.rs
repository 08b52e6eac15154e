//! The upper half of an integer product.

use super::result_type;
use crate::{
    ir::{
        Builder, Operation, RewriteError, RewriteResult, Type, element_type, integer_width,
        is_unsigned, operands_of,
    },
    passes::formula::{Expression, Formula},
};
use melior::ir::{ValueLike, r#type::IntegerType};

/// Widths below 64 have a type of twice the width. 64 bits are multiplied in
/// halves (Warren, Hacker's Delight, section 8-2).
pub fn decompose<'c>(b: &Builder<'c>, op: Operation<'c>) -> RewriteResult {
    let [left, right] = operands_of(op)[..] else {
        return Err(RewriteError::NoMatch);
    };
    let element = element_type(left.r#type());
    let width = integer_width(element).ok_or(RewriteError::NoMatch)?;
    let unsigned = is_unsigned(element);
    let formula = Formula::new(b, left);
    let (left, right) = (formula.value(left), formula.value(right));
    let result = if width < 64 {
        let wide: Type = if unsigned {
            IntegerType::unsigned(b.context(), 2 * width).into()
        } else {
            IntegerType::new(b.context(), 2 * width).into()
        };
        let product = left.convert(wide) * right.convert(wide);
        down(product, i64::from(width), unsigned).convert(element)
    } else {
        upper_half(left, right, unsigned)
    };
    let result = formula.finish(result, result_type(op)?)?;
    b.replace(op, &[result]);
    Ok(())
}

fn down<'f, 'c>(x: Expression<'f, 'c>, count: i64, unsigned: bool) -> Expression<'f, 'c> {
    if unsigned {
        x.shift_right_logical(count)
    } else {
        x.shift_right_arithmetic(count)
    }
}

/// The upper 64 bits of a product of 64-bit numbers. No partial sum overflows.
fn upper_half<'f, 'c>(
    left: Expression<'f, 'c>,
    right: Expression<'f, 'c>,
    unsigned: bool,
) -> Expression<'f, 'c> {
    let low = |x: Expression<'f, 'c>| x.and(0xffff_ffff_i64);
    let high = |x: Expression<'f, 'c>| down(x, 32, unsigned);
    let lowest = (low(left) * low(right)).shift_right_logical(32);
    let first = high(left) * low(right) + lowest;
    let second = low(left) * high(right) + low(first);
    high(left) * high(right) + high(first) + high(second)
}
