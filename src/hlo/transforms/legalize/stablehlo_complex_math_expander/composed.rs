//! Functions that are compositions of others: abs, divide, power and functions with a division.
//!
//! A quotient of complex numbers squares its operands, and a power is the exponential of a product,
//! whose error grows with its size. For f32 they are computed in f64, which has enough range and
//! digits; for f64 the operands are scaled to a moderate size by powers of two.

use super::functions::{self, Parts};
use crate::transforms::legalize::formula::{Expression, Formula, is_complex_tensor};
use halo_ir::prelude::*;

/// A function of the parts of one or two operands.
pub type Composed<'c> = for<'f> fn(&[Parts<'f, 'c>]) -> Parts<'f, 'c>;

/// Replaces an op by a formula computed in f64. A real result is the first part.
pub fn rewrite<'c>(b: &Builder<'c>, op: Operation<'c>, function: Composed<'c>) -> RewriteResult {
    let (operands, &[result]) = (op.operands(), &op.result_types()[..]) else {
        return Err(no_match("it has another number of results"));
    };
    let Some(first) = operands.first() else {
        return Err(no_match("it has no operand"));
    };
    if !operands.iter().all(|operand| is_complex_tensor(*operand)) {
        return Err(no_match("it is not on complex numbers"));
    }
    let formula = Formula::new(b, *first);
    let wide = Type::float64(b.context());
    let parts: Vec<Parts> = operands
        .iter()
        .map(|operand| {
            let value = formula.value(*operand);
            (value.real().convert(wide), value.imaginary().convert(wide))
        })
        .collect();
    let (real, imaginary) = function(&parts);
    let part = formula.value(*first).real().element();
    let [real, imaginary] = [real, imaginary].map(|value| match part {
        Some(part) => value.convert(part),
        None => value,
    });
    let value = if result.element_type().is_complex() {
        real.complex(imaginary)
    } else {
        real
    };
    b.replace(op, &[formula.finish(value, result)?]);
    Ok(())
}

/// `|z|`; infinite if a part is, even if the other is NaN.
pub fn abs<'f, 'c>(operands: &[Parts<'f, 'c>]) -> Parts<'f, 'c> {
    let (x, y) = (operands[0].0.abs(), operands[0].1.abs());
    let infinite = x.eq(f64::INFINITY).or(y.eq(f64::INFINITY));
    let size = infinite.select(x.constant(f64::INFINITY), functions::hypot(x, y));
    (size, size)
}

/// A scaling power of two, such that the square of the larger scaled part does not overflow, and
/// the square of the square root of its inverse.
fn scale_of<'f, 'c>((x, y): Parts<'f, 'c>) -> (Expression<'f, 'c>, Expression<'f, 'c>) {
    let large = x.abs().max(y.abs());
    let choose = |of_huge: f64, of_tiny: f64| {
        let rest = (large.lt(2_f64.powi(-500))).select(x.constant(of_tiny), 1.0);
        large.gt(2_f64.powi(500)).select(x.constant(of_huge), rest)
    };
    (
        choose(2_f64.powi(-600), 2_f64.powi(600)),
        choose(2_f64.powi(300), 2_f64.powi(-300)),
    )
}

/// `(a + b i) / (c + d i) = ((a c + b d) + (b c - a d) i) / (c^2 + d^2)`
fn quotient<'f, 'c>((a, b): Parts<'f, 'c>, (c, d): Parts<'f, 'c>) -> Parts<'f, 'c> {
    let (up, up_back) = scale_of((a, b));
    let (down, down_back) = scale_of((c, d));
    let (n, m) = (a * up, b * up);
    let (p, q) = (c * down, d * down);
    let norm = p * p + q * q;
    // In two steps, neither of which overflows before the result does.
    let back = up_back / down_back;
    let general = |part: Expression<'f, 'c>| part / norm * back * back;
    let (real, imaginary) = (general(n * p + m * q), general(m * p - n * q));
    // Division by a zero, which has the sign of its real part.
    let by_zero = c.eq(0.0).and(d.eq(0.0));
    // Finite numbers divided by an infinity keep their signs.
    let infinite = c.abs().eq(f64::INFINITY).or(d.abs().eq(f64::INFINITY));
    let unit = |part: Expression<'f, 'c>| {
        let one = part.constant(1.0);
        let size = part.abs().eq(f64::INFINITY).select(one, 0.0);
        size.with_sign_of(part)
    };
    let (u, v) = (unit(c), unit(d));
    let choose =
        |general: Expression<'f, 'c>, zero: Expression<'f, 'c>, over: Expression<'f, 'c>| {
            by_zero.select(zero, infinite.select(0.0 * over, general))
        };
    (
        choose(real, a / c, a * u + b * v),
        choose(imaginary, b / c, b * u - a * v),
    )
}

/// `z / w`
pub fn divide<'f, 'c>(operands: &[Parts<'f, 'c>]) -> Parts<'f, 'c> {
    quotient(operands[0], operands[1])
}

fn inverse<'f, 'c>(z: Parts<'f, 'c>) -> Parts<'f, 'c> {
    quotient((z.0.constant(1.0), z.0.constant(0.0)), z)
}

/// `1 / sqrt(z)`
pub fn rsqrt<'f, 'c>(operands: &[Parts<'f, 'c>]) -> Parts<'f, 'c> {
    inverse(functions::sqrt(operands[0]))
}

/// `1 / (1 + e^-z)`
pub fn logistic<'f, 'c>(operands: &[Parts<'f, 'c>]) -> Parts<'f, 'c> {
    let (x, y) = operands[0];
    let (real, imaginary) = functions::exp((-x, -y));
    inverse((real + 1.0, imaginary))
}

/// The root with a third of the angle; for a positive number the real one.
pub fn cbrt<'f, 'c>(operands: &[Parts<'f, 'c>]) -> Parts<'f, 'c> {
    let (x, y) = operands[0];
    let size = abs(operands).0.cbrt();
    let angle = y.atan2(x) / 3.0;
    let real = y.eq(0.0).and(x.ge(0.0));
    (
        real.select(x.cbrt(), size * angle.cos()),
        real.select(y, size * angle.sin()),
    )
}

/// `z^w = |z|^c e^(-d t) (cos(s) + sin(s) i)` with `w = c + d i`, the angle `t` of `z`, and `s = c
/// t + d log(|z|)`: this avoids the error of a large exponent in the exponential of `w log(z)`.
/// Anything to the power of zero is one; for zero, only powers with a positive real part are
/// defined. One to any power is one, and infinity to a real power infinite or zero, as in XLA.
pub fn power<'f, 'c>(operands: &[Parts<'f, 'c>]) -> Parts<'f, 'c> {
    let ((a, b), (c, d)) = (operands[0], operands[1]);
    let (size, angle) = functions::log((a, b));
    let turned = c * angle + d * size;
    let (real, imaginary) = functions::exp((c * size - d * angle, turned));
    let (stretch, decay) = (abs(operands).0.power(c), (-d * angle).exp());
    let length = stretch * decay;
    let moderate = length
        .gt(length.limits().smallest_normal)
        .and(stretch.is_finite())
        .and(decay.is_finite())
        .and(length.is_finite());
    let real = moderate.select(length * turned.cos(), real);
    let axis = turned.eq(0.0).select(turned, length * turned.sin());
    let imaginary = moderate.select(axis, imaginary);
    let of_zero = a.eq(0.0).and(b.eq(0.0));
    let nothing = c.gt(0.0).select(a.constant(0.0), f64::NAN);
    let to_zero = c.eq(0.0).and(d.eq(0.0));
    let is_one = to_zero.or(a.eq(1.0).and(b.eq(0.0)));
    let of_infinity = a.eq(f64::INFINITY).and(b.eq(0.0)).and(d.eq(0.0));
    let is_infinite = of_infinity.and(c.gt(0.0));
    let is_zero = of_infinity.and(c.lt(0.0));
    let (zero, one) = (a.constant(0.0), a.constant(1.0));
    let real = is_infinite.select(a, is_zero.select(zero, of_zero.select(nothing, real)));
    let is_real = is_one.or(is_infinite).or(is_zero);
    (
        is_one.select(one, real),
        is_real.select(zero, of_zero.select(nothing, imaginary)),
    )
}

/// `atan2(y, x) = -i log((x + y i) / sqrt(x^2 + y^2))`
pub fn atan2<'f, 'c>(operands: &[Parts<'f, 'c>]) -> Parts<'f, 'c> {
    let (y, x) = (operands[0], operands[1]);
    let (square_x, square_y) = (functions::square(x), functions::square(y));
    let sum = (square_x.0 + square_y.0, square_x.1 + square_y.1);
    let point = (x.0 - y.1, x.1 + y.0);
    let (real, imaginary) = functions::log(quotient(point, functions::sqrt(sum)));
    (imaginary, -real)
}
