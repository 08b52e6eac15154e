//! The upper half of an integer product.

use crate::matchers::result_type;
use crate::transforms::legalize::formula::{Expression, Formula};
use halo_ir::prelude::*;
use melior::ir::r#type::IntegerType;

/// Widths below 64 have a type of twice the width. Unsigned 64-bit numbers are multiplied in halves
/// (Warren, Hacker's Delight, section 8-2), signed ones as unsigned, which adds `2^64` times the
/// other factor for each negative one (section 8-3).
pub fn decompose<'c>(b: &Builder<'c>, op: Operation<'c>) -> RewriteResult {
    let [left, right] = op.operands()[..] else {
        return Err(no_match("it has another number of operands"));
    };
    let element = left.ty().element_type();
    let width = element
        .integer_width()
        .ok_or_else(|| no_match("the elements are no integers"))?;
    let is_unsigned = element.is_unsigned();
    let formula = Formula::new(b, left);
    let (left, right) = (formula.value(left), formula.value(right));
    let result = if width < 64 {
        let wide: Type = if is_unsigned {
            IntegerType::unsigned(b.context(), 2 * width).into()
        } else {
            IntegerType::new(b.context(), 2 * width).into()
        };
        let product = left.convert(wide) * right.convert(wide);
        let upper = if is_unsigned {
            product.shift_right_logical(i64::from(width))
        } else {
            product.shift_right_arithmetic(i64::from(width))
        };
        upper.convert(element)
    } else if is_unsigned {
        upper_half(left, right)
    } else {
        let unsigned: Type = IntegerType::unsigned(b.context(), width).into();
        let upper = upper_half(left.convert(unsigned), right.convert(unsigned));
        let upper = upper - excess(left, right, unsigned);
        (upper - excess(right, left, unsigned)).convert(element)
    };
    let result = formula.finish(result, result_type(op)?)?;
    b.replace(op, &[result]);
    Ok(())
}

/// The upper 64 bits of a product of unsigned numbers. No partial sum overflows.
fn upper_half<'f, 'c>(left: Expression<'f, 'c>, right: Expression<'f, 'c>) -> Expression<'f, 'c> {
    let low = |x: Expression<'f, 'c>| x.and(0xffff_ffff_i64);
    let high = |x: Expression<'f, 'c>| x.shift_right_logical(32);
    let (left_high, right_high) = (high(left), high(right));
    let highest = left_high * right_high;
    let left_low = low(left);
    let first = left_low * right_high;
    let right_low = low(right);
    let first = first + high(left_low * right_low);
    let sum = highest + high(first);
    let second = left_high * right_low + low(first);
    sum + high(second)
}

/// The excess in the upper half of a product of unsigned numbers if a factor
/// was negative.
fn excess<'f, 'c>(
    factor: Expression<'f, 'c>,
    other: Expression<'f, 'c>,
    unsigned: Type<'c>,
) -> Expression<'f, 'c> {
    let is_negative = factor.lt(0_i64);
    let all = other.convert(unsigned);
    is_negative.select(all, other.convert(unsigned).integer(0))
}
