//! The adjacent float, computed from its bits.

use crate::matchers::result_type;
use crate::transforms::legalize::formula::Formula;
use halo_ir::prelude::*;

/// `next_after(x, y)`, C's `nextafter`: floats of one sign are ordered like the integers with the
/// same bits.
pub fn decompose<'c>(b: &Builder<'c>, op: Operation<'c>) -> RewriteResult {
    let [x, y] = op.operands()[..] else {
        return Err(no_match("it has another number of operands"));
    };
    let element = x.ty().element_type();
    let width = element.bit_width().ok_or_else(|| no_match("the element type has no width"))?;
    let formula = Formula::new(b, x);
    let (x, y) = (formula.value(x), formula.value(y));
    // Comparisons are exact in f32 for formats that backends cannot compare.
    let (wide_x, wide_y) = (x.widened(), y.widened());
    let (x_bits, y_bits) = (x.bits(), y.bits());
    let is_nan = wide_x.ne(wide_x).or(wide_y.ne(wide_y));
    let nan = x.constant(f64::NAN).bits();

    let name = element.to_string();
    let result = if name.contains("E8M0") {
        // Only powers of two: no sign, no zero.
        let up = wide_x.lt(wide_y);
        let step = up.select(x_bits.integer(1), -1_i64);
        wide_x.eq(wide_y).select(y_bits, x_bits + step)
    } else {
        let sign_bit = (-1_i64) << (width - 1);
        let (sign, size) = (x_bits.integer(sign_bit), x_bits.integer(!sign_bit));
        let (x_size, y_size) = (x_bits.and(size), y_bits.and(size));
        let is_same = wide_x.eq(wide_y);
        let zero = x_bits.integer(0);
        let (x_is_zero, y_is_zero) = (x_size.eq(zero), y_size.eq(zero));
        let (x_sign, y_sign) = (x_bits.and(sign), y_bits.and(sign));
        let one = x_bits.integer(1);
        let least = y_sign.or(one);
        // Towards zero if y has the other sign, or is closer to zero.
        let crosses = x_sign.ne(y_sign);
        let inwards = x_size.gt(y_size).or(crosses);
        let back = x_bits.integer(-1);
        let moved = x_bits + inwards.select(back, one);
        // Formats without a negative zero use its bits for NaN.
        let moved = if name.contains("FNUZ") {
            moved.eq(sign).select(zero, moved)
        } else {
            moved
        };
        let from_zero = y_is_zero.select(y_bits, least);
        let moved = x_is_zero.select(from_zero, moved);
        is_same.select(y_bits, moved)
    };
    let result = is_nan.select(nan, result).bitcast(element);
    let result = formula.finish(result, result_type(op)?)?;
    b.replace(op, &[result]);
    Ok(())
}
