//! Complex numbers, as pairs of `f64`.
//!
//! Infinities, NaN and signed zeros follow annex G of the C standard. If a part would lose digits
//! to cancellation, it is computed from exact products and sums; see W. Kahan, "Branch Cuts for
//! Complex Elementary Functions", and T. Ogita, S. Rump, S. Oishi, "Accurate Sum and Dot Product".

use super::Function;
use halo_core::Complex;
use halo_ir::prelude::*;

type C = Complex<f64>;

/// The function of an op on complex numbers.
pub fn function(name: &str) -> Option<Function> {
    let unary = |function: fn(C) -> C| -> Option<Function> {
        Some(Box::new(move |v| function(v[0].to_complex()).into()))
    };
    let binary = |function: fn(C, C) -> C| -> Option<Function> {
        Some(Box::new(move |v| {
            function(v[0].to_complex(), v[1].to_complex()).into()
        }))
    };
    match name {
        stablehlo::AbsOp::NAME => Some(Box::new(|v| abs(v[0].to_complex()).into())),
        stablehlo::AddOp::NAME => binary(|left, right| left + right),
        stablehlo::Atan2Op::NAME => binary(atan2),
        stablehlo::CbrtOp::NAME => unary(cbrt),
        stablehlo::CosineOp::NAME => unary(cos),
        stablehlo::DivOp::NAME => binary(divide),
        stablehlo::ExpOp::NAME => unary(exp),
        stablehlo::Expm1Op::NAME => unary(exp_m1),
        stablehlo::LogOp::NAME => unary(ln),
        stablehlo::Log1pOp::NAME => unary(ln_1p),
        stablehlo::LogisticOp::NAME => unary(|z| divide(ONE, ONE + exp(-z))),
        stablehlo::MaxOp::NAME => {
            binary(|left, right| if less(left, right) { right } else { left })
        }
        stablehlo::MinOp::NAME => {
            binary(|left, right| if less(right, left) { right } else { left })
        }
        stablehlo::MulOp::NAME => binary(multiply),
        stablehlo::NegOp::NAME => unary(|z| -z),
        stablehlo::PowOp::NAME => binary(power),
        stablehlo::RsqrtOp::NAME => unary(|z| divide(ONE, sqrt(z))),
        stablehlo::SignOp::NAME => unary(sign),
        stablehlo::SineOp::NAME => unary(sin),
        stablehlo::SqrtOp::NAME => unary(sqrt),
        stablehlo::SubtractOp::NAME => binary(|left, right| left - right),
        stablehlo::TanOp::NAME => unary(|z| {
            let t = tanh(C::new(-z.im, z.re));
            C::new(t.im, -t.re)
        }),
        stablehlo::TanhOp::NAME => unary(tanh),
        _ => None,
    }
}

const ONE: C = C::new(1.0, 0.0);

/// The lexicographic order of `maximum` and `minimum`. NaN is unordered.
fn less(left: C, right: C) -> bool {
    left.re < right.re || left.re == right.re && left.im < right.im
}

fn abs(z: C) -> f64 {
    z.re.hypot(z.im)
}

/// The product, each part of which is rounded once except for overflow.
pub fn multiply(a: C, b: C) -> C {
    C::new(
        difference_of_products(a.re, b.re, a.im, b.im),
        difference_of_products(a.re, b.im, -a.im, b.re),
    )
}

/// `a * b - c * d` (W. Kahan's algorithm with fused operations).
fn difference_of_products(a: f64, b: f64, c: f64, d: f64) -> f64 {
    let product = c * d;
    let error = c.mul_add(-d, product);
    let difference = a.mul_add(b, -product);
    let sum = difference + error;
    if sum.is_nan() { a * b - c * d } else { sum }
}

/// The quotient, scaled against overflow and underflow of intermediate steps.
pub fn divide(a: C, b: C) -> C {
    if b.re == 0.0 && b.im == 0.0 {
        return C::new(
            a.re / b.re.abs().copysign(b.re),
            a.im / b.re.abs().copysign(b.re),
        );
    }
    if b.re.is_infinite() || b.im.is_infinite() {
        if a.re.is_finite() && a.im.is_finite() {
            let unit = |part: f64| if part.is_infinite() { 1.0_f64 } else { 0.0 }.copysign(part);
            let (c, d) = (unit(b.re), unit(b.im));
            return C::new(0.0 * (a.re * c + a.im * d), 0.0 * (a.im * c - a.re * d));
        }
        return C::new(f64::NAN, f64::NAN);
    }
    let (a_scale, b_scale) = (exponent(a), exponent(b));
    let (n, d) = (scale(a, -a_scale), scale(b, -b_scale));
    let norm = d.re * d.re + d.im * d.im;
    let quotient = C::new(
        difference_of_products(n.re, d.re, -n.im, d.im) / norm,
        difference_of_products(n.im, d.re, n.re, d.im) / norm,
    );
    scale(quotient, a_scale - b_scale)
}

/// The exponent of the larger part; 0 for zeros and non-finite numbers.
fn exponent(z: C) -> i32 {
    let largest = z.re.abs().max(z.im.abs());
    if largest == 0.0 || !largest.is_finite() {
        return 0;
    }
    largest.log2().floor() as i32
}

/// Multiplies by a power of two, in steps that do not overflow before the result does.
fn scale(z: C, exponent: i32) -> C {
    let (mut z, mut left) = (z, exponent);
    while left != 0 {
        let step = left.clamp(-1000, 1000);
        z = z.scale(f64::from(step).exp2());
        left -= step;
    }
    z
}

/// `z / |z|`; zero and NaN themselves.
fn sign(z: C) -> C {
    if z.re == 0.0 && z.im == 0.0 {
        return z;
    }
    if z.re.is_nan() || z.im.is_nan() {
        return C::new(f64::NAN, f64::NAN);
    }
    let z = scale(z, -exponent(z));
    z.unscale(abs(z))
}

/// The square root with a nonnegative real part.
pub fn sqrt(z: C) -> C {
    let (re, im) = (z.re, z.im);
    if im.is_infinite() {
        return C::new(f64::INFINITY, im);
    }
    if re.is_infinite() {
        return match (re > 0.0, im.is_nan()) {
            (true, true) => C::new(re, im),
            (true, false) => C::new(re, 0.0_f64.copysign(im)),
            (false, true) => C::new(im, f64::INFINITY),
            (false, false) => C::new(0.0, f64::INFINITY.copysign(im)),
        };
    }
    if re.is_nan() || im.is_nan() {
        return C::new(f64::NAN, f64::NAN);
    }
    if re == 0.0 && im == 0.0 {
        return C::new(0.0, im);
    }
    // An even exponent leaves a number whose square does not overflow.
    let exponent = exponent(z) & !1;
    let scaled = scale(z, -exponent);
    let root = ((scaled.re.abs() + abs(scaled)) / 2.0).sqrt() * f64::from(exponent / 2).exp2();
    // The smaller part may vanish under the scale of the larger one.
    let other = im.abs() / (2.0 * root);
    if re >= 0.0 {
        C::new(root, other.copysign(im))
    } else {
        C::new(other, root.copysign(im))
    }
}

fn cbrt(z: C) -> C {
    if z.im == 0.0 && z.re >= 0.0 {
        return C::new(z.re.cbrt(), z.im);
    }
    C::from_polar(abs(z).cbrt(), z.im.atan2(z.re) / 3.0)
}

/// `factor * exp(power)` where the exponential alone may overflow.
fn times_exp(factor: f64, power: f64) -> f64 {
    if power.abs() < 700.0 {
        return factor * power.exp();
    }
    let half = (power / 2.0).exp();
    factor * half * half
}

/// The exponential, by its formula: an infinite real part with a non-finite imaginary part gives
/// NaN.
pub fn exp(z: C) -> C {
    let (re, im) = (z.re, z.im);
    if im == 0.0 {
        return C::new(re.exp(), im);
    }
    let (sin, cos) = im.sin_cos();
    C::new(times_exp(cos, re), times_exp(sin, re))
}

/// `exp(z) - 1`: the real part is `(e^x - 1) cos y - 2 sin(y / 2)^2`.
fn exp_m1(z: C) -> C {
    let (re, im) = (z.re, z.im);
    if im == 0.0 {
        return C::new(re.exp_m1(), im);
    }
    if !re.is_finite() || re > 700.0 {
        let result = exp(z);
        return C::new(result.re - 1.0, result.im);
    }
    let half = (im / 2.0).sin();
    C::new(
        difference_of_products(re.exp_m1(), im.cos(), 2.0 * half, half),
        times_exp(im.sin(), re),
    )
}

/// The natural logarithm.
pub fn ln(z: C) -> C {
    C::new(ln_abs(z), z.im.atan2(z.re))
}

/// `ln |z|`.
fn ln_abs(z: C) -> f64 {
    let (re, im) = (z.re.abs(), z.im.abs());
    let (large, small) = if re >= im { (re, im) } else { (im, re) };
    if re.is_infinite() || im.is_infinite() {
        return f64::INFINITY;
    }
    if re.is_nan() || im.is_nan() || large == 0.0 || small == 0.0 {
        return if re.is_nan() || im.is_nan() {
            f64::NAN
        } else {
            large.ln()
        };
    }
    if (0.5..=2.0).contains(&large) {
        // large^2 + small^2 - 1, in which the digits of one part may cancel.
        let (square, error) = two_product(large, large);
        let (other, other_error) = two_product(small, small);
        return 0.5 * exact_sum([square, -1.0, other, error, other_error]).ln_1p();
    }
    let ratio = small / large;
    large.ln() + 0.5 * (ratio * ratio).ln_1p()
}

/// `ln(1 + z)`.
pub fn ln_1p(z: C) -> C {
    let (re, im) = (z.re, z.im);
    let shifted = C::new(1.0 + re, im);
    let argument = im.atan2(1.0 + re);
    if !re.is_finite() || !im.is_finite() || re.abs().max(im.abs()) > 1e8 {
        return C::new(ln_abs(shifted), argument);
    }
    // (1 + re)^2 + im^2 - 1, in which the digits may cancel.
    let (square, error) = two_product(re, re);
    let (other, other_error) = two_product(im, im);
    let excess = exact_sum([2.0 * re, square, other, error, other_error]);
    let modulus = if excess.abs() < 0.5 || square < 1e-290 && other < 1e-290 {
        0.5 * excess.ln_1p()
    } else {
        ln_abs(shifted)
    };
    C::new(modulus, argument)
}

/// A product and its rounding error.
fn two_product(a: f64, b: f64) -> (f64, f64) {
    let product = a * b;
    (product, a.mul_add(b, -product))
}

/// A sum and its rounding error.
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let part = sum - a;
    (sum, (a - (sum - part)) + (b - part))
}

/// The sum of a few numbers, as if it were rounded once: the errors of each pass are the terms of
/// the next.
fn exact_sum<const N: usize>(mut terms: [f64; N]) -> f64 {
    for _ in 0..N {
        for index in 1..N {
            let (sum, error) = two_sum(terms[index], terms[index - 1]);
            (terms[index], terms[index - 1]) = (sum, error);
        }
    }
    terms.iter().sum()
}

/// `sin(x + iy) = sin x cosh y + i cos x sinh y`.
fn sin(z: C) -> C {
    let (sin, cos) = z.re.sin_cos();
    let (sinh, cosh) = (times_sinh(cos, z.im), times_cosh(sin, z.im));
    C::new(cosh, sinh)
}

/// `cos(x + iy) = cos x cosh y - i sin x sinh y`.
fn cos(z: C) -> C {
    let (sin, cos) = z.re.sin_cos();
    C::new(times_cosh(cos, z.im), -times_sinh(sin, z.im))
}

fn times_cosh(factor: f64, y: f64) -> f64 {
    if y.abs() < 700.0 || factor == 0.0 && !y.is_nan() {
        factor * y.abs().min(700.0).cosh()
    } else {
        times_exp(factor / 2.0, y.abs())
    }
}

fn times_sinh(factor: f64, y: f64) -> f64 {
    // For a real number, whatever its factor is: C99, annex G.6.2.5.
    if y == 0.0 && factor.is_nan() {
        y
    } else if y.abs() < 700.0 || factor == 0.0 && !y.is_nan() {
        factor * y.clamp(-700.0, 700.0).sinh()
    } else {
        times_exp(factor / 2.0, y.abs()) * 1.0_f64.copysign(y)
    }
}

/// Kahan's formula: with `t = tan y`, `b = 1 + t^2` and `s = sinh x`, it is
/// `(b s sqrt(1 + s^2) + i t) / (1 + b s^2)`.
pub fn tanh(z: C) -> C {
    let (re, im) = (z.re, z.im);
    if re.is_nan() {
        return C::new(re, if im == 0.0 { im } else { f64::NAN });
    }
    if re.abs() > 22.0 {
        // The remainder is below half a unit in the last place of 1.
        let tail = if im.is_finite() {
            4.0 * im.sin() * im.cos() * (-2.0 * re.abs()).exp()
        } else {
            0.0
        };
        return C::new(1.0_f64.copysign(re), tail);
    }
    if !im.is_finite() {
        return C::new(if re == 0.0 { re } else { f64::NAN }, f64::NAN);
    }
    let tangent = im.tan();
    let factor = 1.0 + tangent * tangent;
    let sine = re.sinh();
    let cosine = (1.0 + sine * sine).sqrt();
    if tangent.is_infinite() {
        return C::new(cosine / sine, 1.0 / tangent);
    }
    let denominator = 1.0 + factor * sine * sine;
    C::new(factor * cosine * sine / denominator, tangent / denominator)
}

/// `a^b = exp(b ln a)`.
fn power(base: C, exponent: C) -> C {
    if exponent.re == 0.0 && exponent.im == 0.0 {
        return ONE;
    }
    if base == ONE {
        return ONE;
    }
    let of_infinity = base.re == f64::INFINITY && base.im == 0.0 && exponent.im == 0.0;
    if of_infinity && exponent.re > 0.0 {
        return C::new(f64::INFINITY, 0.0);
    }
    if of_infinity && exponent.re < 0.0 {
        return C::new(0.0, 0.0);
    }
    if base.re == 0.0 && base.im == 0.0 {
        return if exponent.re > 0.0 {
            C::new(0.0, 0.0)
        } else {
            C::new(f64::NAN, f64::NAN)
        };
    }
    exp(multiply(exponent, ln(base)))
}

/// `-i ln((x + iy) / sqrt(x^2 + y^2))`.
fn atan2(y: C, x: C) -> C {
    let i_y = C::new(-y.im, y.re);
    let norm = sqrt(multiply(x, x) + multiply(y, y));
    let angle = ln(divide(x + i_y, norm));
    C::new(angle.im, -angle.re)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(actual: C, re: f64, im: f64) {
        let near = |a: f64, b: f64| a == b || (a - b).abs() <= 4.0 * f64::EPSILON * b.abs();
        assert!(
            near(actual.re, re) && near(actual.im, im),
            "{actual} is not {re} + {im}i"
        );
    }

    /// As in XLA.
    #[test]
    fn powers_of_one_and_of_infinity() {
        let (inf, nan) = (f64::INFINITY, f64::NAN);
        for (base, exponent, expected) in [
            ((1.0, 0.0), (inf, 0.0), (1.0, 0.0)),
            ((1.0, -0.0), (nan, nan), (1.0, 0.0)),
            ((inf, 0.0), (2.0, 0.0), (inf, 0.0)),
            ((inf, -0.0), (-1.0, 0.0), (0.0, 0.0)),
            ((nan, inf), (0.0, 0.0), (1.0, 0.0)),
        ] {
            let result = power(C::new(base.0, base.1), C::new(exponent.0, exponent.1));
            assert_eq!(
                result,
                C::new(expected.0, expected.1),
                "{base:?}^{exponent:?}"
            );
        }
        assert!(power(C::new(inf, 0.0), C::new(2.0, 1.0)).re.is_nan());
    }

    /// As in C and NumPy, functions of infinite real numbers are real.
    #[test]
    fn infinite_real_numbers_stay_real() {
        for (function, name) in [(sin as fn(C) -> C, "sin"), (cos, "cos")] {
            let result = function(C::new(f64::INFINITY, 0.0));
            assert!(result.re.is_nan() && result.im == 0.0, "{name}: {result}");
        }
    }

    /// The expected values come from mpmath, with 60 digits.
    #[test]
    fn cancelling_parts_keep_their_digits() {
        close(
            ln(C::new(0.6, 0.8)),
            2.2204460492503132e-17,
            0.9272952180016123,
        );
        close(ln(C::new(1.0, 1e-10)), 5e-21, 1e-10);
        close(
            ln_1p(C::new(-0.5, 0.8660254037844386)),
            -4.345318932600586e-17,
            1.0471975511965977,
        );
        close(ln_1p(C::new(1e-300, 1e-200)), 1e-300, 1e-200);
        close(
            exp_m1(C::new(1e-12, 1e-6)),
            5.000000000000417e-13,
            1.0000000000008333e-6,
        );
    }

    #[test]
    fn extremes_do_not_overflow_on_the_way() {
        close(
            sqrt(C::new(1e308, 1e308)),
            1.09868411346781e154,
            4.550898605622273e153,
        );
        close(sqrt(C::new(-4.0, 0.0)), 0.0, 2.0);
        close(
            sqrt(C::new(5e-324, 5e-324)),
            2.4421097261308304e-162,
            1.0115549693666347e-162,
        );
        close(
            exp(C::new(710.0, 2.3)),
            -1.4884571443581758e308,
            1.6659015411023014e308,
        );
        close(divide(C::new(1e308, 1e308), C::new(1e308, 1e308)), 1.0, 0.0);
        // Annex G: a zero is not lost to an infinity.
        close(sin(C::new(0.0, f64::INFINITY)), 0.0, f64::INFINITY);
        close(cos(C::new(0.0, f64::INFINITY)), f64::INFINITY, 0.0);
        close(tanh(C::new(300.0, 1.0)), 1.0, 4.819997531428953e-261);
    }
}
