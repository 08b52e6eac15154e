//! Functions of `z = x + yi` as real arithmetic on `x` and `y`.
//!
//! Values at infinities and the sides of branch cuts follow Annex G of the C standard: the sign of
//! a zero selects the side.

use super::double_word;
use crate::transforms::legalize::formula::{Expression, Formula, is_complex_tensor};
use halo_ir::prelude::*;
use std::f64::consts::SQRT_2;

/// A complex number as its real and its imaginary part.
pub type Parts<'f, 'c> = (Expression<'f, 'c>, Expression<'f, 'c>);

/// A function from parts to parts.
pub type ComplexFunction<'c> = for<'f> fn(Parts<'f, 'c>) -> Parts<'f, 'c>;

/// Replaces an op of one complex operand by formulas for the parts of its
/// result.
pub fn rewrite<'c>(
    b: &Builder<'c>,
    op: Operation<'c>,
    function: ComplexFunction<'c>,
) -> RewriteResult {
    let (&[operand], &[result]) = (&op.operands()[..], &op.result_types()[..]) else {
        return Err(no_match("it has another number of operands"));
    };
    if !is_complex_tensor(operand) {
        return Err(no_match("it is not on complex numbers"));
    }
    let formula = Formula::new(b, operand);
    let value = formula.value(operand);
    let (real, imaginary) = function((value.real(), value.imaginary()));
    b.replace(op, &[formula.finish(real.complex(imaginary), result)?]);
    Ok(())
}

/// `sqrt(x^2 + y^2)` of nonnegative numbers, without overflow or underflow of the squares.
pub fn hypot<'f, 'c>(x: Expression<'f, 'c>, y: Expression<'f, 'c>) -> Expression<'f, 'c> {
    let (large, small) = (x.max(y), x.min(y));
    let ratio = small / large;
    let square = ratio * ratio;
    let root = (1.0 + square).sqrt();
    // Where the root rounds to one, half of the square still matters.
    let general = root
        .eq(1.0)
        .and(square.gt(0.0))
        .select(large + large * square / 2.0, large * root);
    large.eq(small).select(large * SQRT_2, general)
}

/// `(cosh(x) or sinh(x)) * factor`, given the hyperbolic function: the product may be finite where
/// the function overflows, and an infinity times an exact zero is a zero.
pub fn scaled<'f, 'c>(
    hyperbolic: Expression<'f, 'c>,
    x: Expression<'f, 'c>,
    factor: Expression<'f, 'c>,
    odd: bool,
) -> Expression<'f, 'c> {
    let size = x.abs();
    let root = (size * 0.5).exp();
    let signed = if odd { factor * x.sign() } else { factor };
    let product = size
        .gt(x.limits().largest.ln() - 1.0)
        .select(root * 0.5 * signed * root, hyperbolic * factor);
    let product = factor.eq(0.0).select(signed, product);
    if odd {
        // sinh(0) times an infinity is still a zero.
        x.eq(0.0).and(factor.ne(factor)).select(x, product)
    } else {
        product
    }
}

/// `sinh(x)` without cancellation, and without the overflow of `e^x` alone.
fn sinh<'f, 'c>(x: Expression<'f, 'c>) -> Expression<'f, 'c> {
    let growth = x.abs().expm1();
    let size = 0.5 * (growth + growth / (growth + 1.0));
    size.with_sign_of(x)
}

/// `cosh(x)`
fn cosh<'f, 'c>(x: Expression<'f, 'c>) -> Expression<'f, 'c> {
    let power = x.abs().exp();
    0.5 * (power + 1.0 / power)
}

/// `e^z = e^x cos(y) + e^x sin(y) i`. Where `e^x` overflows, its square root is
/// multiplied twice.
pub fn exp<'f, 'c>((x, y): Parts<'f, 'c>) -> Parts<'f, 'c> {
    let power = x.exp();
    let root = (x * 0.5).exp();
    let large = x.gt(x.limits().largest.ln() - 1.0);
    let part = |factor: Expression<'f, 'c>| large.select(root * factor * root, power * factor);
    (part(y.cos()), y.eq(0.0).select(y, part(y.sin())))
}

/// `e^z - 1 = (e^x - 1) cos(y) - 2 sin(y/2)^2 + e^x sin(y) i`
pub fn expm1<'f, 'c>((x, y): Parts<'f, 'c>) -> Parts<'f, 'c> {
    let (real, imaginary) = exp((x, y));
    let half = (y * 0.5).sin();
    let small = x.expm1() * y.cos() - 2.0 * half * half;
    // Where e^x is large, one does not matter.
    let large = x.gt(x.limits().largest.ln() / 2.0);
    (large.select(real, small), imaginary)
}

/// `log(max) + log1p((min / max)^2) / 2` of nonnegative numbers: the logarithm of their hypotenuse,
/// which itself could overflow or underflow.
fn log_hypot<'f, 'c>(x: Expression<'f, 'c>, y: Expression<'f, 'c>) -> Expression<'f, 'c> {
    let (large, small) = (x.max(y), x.min(y));
    // The quotient of two zeros or two infinities is undefined.
    let ratio = large.eq(small).select(x.constant(1.0), small / large);
    let size = large.log() + 0.5 * (ratio * ratio).log1p();
    // An infinite part determines the result even if the other is NaN.
    let infinite = x.eq(f64::INFINITY).or(y.eq(f64::INFINITY));
    infinite.select(x.constant(f64::INFINITY), size)
}

/// `log(z) = log(|z|) + atan2(y, x) i`. Close to the unit circle `|z|^2 - 1` is summed in twice the
/// precision.
pub fn log<'f, 'c>((x, y): Parts<'f, 'c>) -> Parts<'f, 'c> {
    let excess = double_word::add_squares(x.constant(-1.0), x, y);
    let near = excess.gt(-0.5).and(excess.lt(3.0));
    let real = near.select(0.5 * excess.log1p(), log_hypot(x.abs(), y.abs()));
    (real, y.atan2(x))
}

/// `log(1 + z) = log1p(2x + x^2 + y^2) / 2 + atan2(y, 1 + x) i`, where the sum is computed in twice
/// the precision. Where squares overflow, and close to -1, where they underflow, it is the
/// logarithm of a hypotenuse.
pub fn log1p<'f, 'c>((x, y): Parts<'f, 'c>) -> Parts<'f, 'c> {
    let shifted = x + 1.0;
    let (a, b) = (shifted.abs(), y.abs());
    let far = x.abs().max(b).gt(x.limits().largest.sqrt() * 0.01);
    let close = (a + b).lt(0.2);
    let near_zero = 0.5 * double_word::add_squares(x + x, x, y).log1p();
    let real = far.or(close).select(log_hypot(a, b), near_zero);
    (real, y.atan2(shifted))
}

/// `sqrt(z)`: with `u = sqrt((|z| + |x|) / 2)` the parts are `u` and `y / 2u`, in this order for
/// `x >= 0`. The operand is first scaled close to one by a power of four where `|z|` would overflow
/// or lose digits.
pub fn sqrt<'f, 'c>((x, y): Parts<'f, 'c>) -> Parts<'f, 'c> {
    let limits = x.limits();
    let (a, b) = (x.abs(), y.abs());
    let large = a.max(b);
    let huge = large.gt(limits.largest / 8.0);
    // The digits of a number as a power of two, so that the least number times
    // their square is a normal one.
    let digits = (limits.smallest_normal / limits.smallest).log2() as i32;
    let tiny = large.lt(limits.smallest_normal * 2_f64.powi(digits));
    let choose = |of_huge: f64, of_tiny: f64| {
        let rest = tiny.select(x.constant(of_tiny), 1.0);
        huge.select(x.constant(of_huge), rest)
    };
    let scale = choose(1.0 / 16.0, 2_f64.powi(2 * digits));
    let unscale = choose(4.0, 2_f64.powi(-digits));
    let (a, b) = (a * scale, b * scale);
    let root = (0.5 * hypot(a, b) + 0.5 * a).sqrt();
    let other = large.eq(0.0).select(large, b / (root + root)) * unscale;
    let root = root * unscale;
    let infinite = y.abs().eq(f64::INFINITY);
    let root = infinite.select(y.abs(), root);
    let other = infinite.select(y.abs(), other);
    let right = x.ge(0.0).or(x.ne(x));
    (
        right.select(root, other),
        right.select(other, root).with_sign_of(y),
    )
}

/// `sin(z) = sin(x) cosh(y) + cos(x) sinh(y) i`
pub fn sin<'f, 'c>((x, y): Parts<'f, 'c>) -> Parts<'f, 'c> {
    (
        scaled(cosh(y), y, x.sin(), false),
        scaled(sinh(y), y, x.cos(), true),
    )
}

/// `cos(z) = cos(x) cosh(y) - sin(x) sinh(y) i`
pub fn cos<'f, 'c>((x, y): Parts<'f, 'c>) -> Parts<'f, 'c> {
    (
        scaled(cosh(y), y, x.cos(), false),
        -scaled(sinh(y), y, x.sin(), true),
    )
}

/// `tanh(z)` after Kahan, "Branch cuts for complex elementary functions" (1987):
/// with `t = tan(y)`, `s = sinh(x)` and `b = 1 + t^2` it is
/// `(b s sqrt(1 + s^2) + t i) / (1 + b s^2)`. Where `s^2` could overflow,
/// `|tanh(x)|` is one and the imaginary part is `2 sin(2y) e^(-2|x|)`.
pub fn tanh<'f, 'c>((x, y): Parts<'f, 'c>) -> Parts<'f, 'c> {
    let tangent = y.tan();
    let sine = sinh(x);
    let slope = 1.0 + tangent * tangent;
    let denominator = 1.0 + slope * sine * sine;
    let real = slope * sine * (1.0 + sine * sine).sqrt() / denominator;
    let imaginary = tangent / denominator;
    let far = x.abs().gt(x.limits().largest.ln() / 4.0);
    let decay = (-x.abs()).exp();
    let far_imaginary = 4.0 * (y.sin() * decay) * (y.cos() * decay);
    // The limit at an infinity has no imaginary part, for any angle.
    let far_imaginary =
        x.abs().eq(f64::INFINITY).select(x.constant(0.0).with_sign_of(y), far_imaginary);
    // On the real axis the result is real, even for NaN.
    let imaginary = y.eq(0.0).select(y, imaginary);
    (
        far.select(x.sign(), real),
        far.select(far_imaginary, imaginary),
    )
}

/// `tan(z) = -i tanh(iz)`
pub fn tan<'f, 'c>((x, y): Parts<'f, 'c>) -> Parts<'f, 'c> {
    let (real, imaginary) = tanh((-y, x));
    (imaginary, -real)
}

/// `z^2 = (x - y)(x + y) + 2xy i`; the real part is zero if the parts have the same finite
/// magnitude, even if their sum overflows.
pub fn square<'f, 'c>((x, y): Parts<'f, 'c>) -> Parts<'f, 'c> {
    square_of(x, || y)
}

/// `z^2` as above, for a complex value.
pub fn complex_square<'f, 'c>(z: Expression<'f, 'c>) -> Expression<'f, 'c> {
    let (real, imaginary) = square_of(z.real(), || z.imaginary());
    real.complex(imaginary)
}

fn square_of<'f, 'c>(
    x: Expression<'f, 'c>,
    imaginary: impl FnOnce() -> Expression<'f, 'c>,
) -> Parts<'f, 'c> {
    let (is_finite, size) = (x.is_finite(), x.abs());
    let y = imaginary();
    let vanishes = is_finite.and(size.eq(y.abs()));
    let zero = x.constant(0.0);
    let real = vanishes.select(zero, (x - y) * (x + y));
    let two = x.constant(2.0);
    (real, two * (x * y))
}

/// `z / |z|`, and zero for zero. The parts are first scaled to the size of the larger one, so that
/// `|z|` neither overflows nor underflows.
pub fn sign<'f, 'c>((x, y): Parts<'f, 'c>) -> Parts<'f, 'c> {
    let large = x.abs().max(y.abs());
    let (a, b) = (x / large, y / large);
    let length = (a * a + b * b).sqrt();
    let is_zero = large.eq(0.0);
    (is_zero.select(x, a / length), is_zero.select(y, b / length))
}
