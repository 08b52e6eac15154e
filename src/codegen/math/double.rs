//! Elementary functions in f64, for f64 itself and for the f32 functions that
//! go through it.
//!
//! Those that serve f64 (cbrt, exp, expm1, log, log1p, tanh) keep their errors below
//! 3 ULP of it. The others are good for f32: their relative error is below
//! 2^-35.

use super::code::Code;
use crate::loops::loop_ops::Emitted;
use halo_ir::prelude::*;
use std::f64::consts::{FRAC_PI_2, LN_2, LOG2_E, LOG10_2, LOG10_E, PI};

/// `(e^r - 1 - r) / r^2` for `|r| < ln(2) / 2`; relative error of `e^r` 2^-63.
const EXP: [f64; 11] = [
    0.5,
    0.16666666666666685,
    0.04166666666666604,
    0.008333333333315691,
    0.0013888888889133047,
    0.00019841269899749934,
    2.480158690538307e-05,
    2.7557231464985264e-06,
    2.755759139841651e-07,
    2.5113230964890903e-08,
    2.082587280508483e-09,
];
/// `(ln((1 + s) / (1 - s)) - 2s) / s^3` in `s^2`; relative error of the
/// logarithm 2^-59.
const LOG: [f64; 7] = [
    0.6666666666666735,
    0.39999999999411134,
    0.28571428743256355,
    0.22222198476453492,
    0.18183569723326487,
    0.1531390349491253,
    0.14797506746047936,
];
/// `(atan(x) - x) / x^3` in `x^2` for `|x| <= 1`; relative error 2^-42.
const ATAN: [f64; 14] = [
    -0.33333333326485476,
    0.19999999345662203,
    -0.1428569231873069,
    0.11110736469515628,
    -0.09087091072780382,
    0.07666832035183359,
    -0.06548733936344683,
    0.05488209220685432,
    -0.042832409970921304,
    0.029015949381180073,
    -0.01572906532986559,
    0.006203198145372413,
    -0.0015512036922671558,
    0.00018243069712305535,
];
/// `(sinh(x) - x) / x^3` in `x^2` for `|x| <= 1`; relative error 2^-53.
const SINH: [f64; 6] = [
    0.16666666666666025,
    0.008333333333458169,
    0.00019841269760507448,
    2.7557343238686745e-06,
    2.5048500123546913e-08,
    1.6325387429169935e-10,
];
/// ln(2) in two parts, of which the first has zeros at its end, so that its
/// product with an exponent is exact.
const LN2_HIGH: f64 = 0.6931471803691238;
const LN2_LOW: f64 = 1.9082149292705877e-10;
/// The rounding error of [`LN_2`].
pub const LN2_REST: f64 = 2.3190468138462996e-17;

/// `e^x = 2^k * (1 + t)`: `t` and `k`.
fn exp_parts<'c>(code: &Code<'_, 'c>, x: Value<'c>) -> Emitted<(Value<'c>, Value<'c>)> {
    let scale = code.float(LOG2_E)?;
    let (rounded, exponent) = code.round_scaled(x, scale)?;
    let (high, low) = (code.float(-LN_2)?, code.float(-LN2_REST)?);
    let rest = code.fma(rounded, high, x)?;
    let rest = code.fma(rounded, low, rest)?;
    Ok((exp_tail(code, rest)?, exponent))
}

/// `e^r - 1` for `|r| < ln(2) / 2`
pub fn exp_tail<'c>(code: &Code<'_, 'c>, rest: Value<'c>) -> Emitted<Value<'c>> {
    let square = code.mul(rest, rest)?;
    let tail = code.polynomial(rest, &EXP)?;
    code.fma(square, tail, rest)
}

/// `e^x`
pub fn exp<'c>(code: &Code<'_, 'c>, x: Value<'c>) -> Emitted<Value<'c>> {
    let x = code.clamp(x, -746.0, 710.0)?;
    let (tail, exponent) = exp_parts(code, x)?;
    let one = code.float(1.0)?;
    let mantissa = code.add(one, tail)?;
    code.scale(mantissa, exponent)
}

/// `2^x`
fn exp2<'c>(code: &Code<'_, 'c>, x: Value<'c>) -> Emitted<Value<'c>> {
    let x = code.clamp(x, -1080.0, 1030.0)?;
    let (rounded, exponent) = code.round(x)?;
    let rest = code.sub(x, rounded)?;
    let ln2 = code.float(LN_2)?;
    let rest = code.mul(rest, ln2)?;
    let tail = exp_tail(code, rest)?;
    let one = code.float(1.0)?;
    let mantissa = code.add(one, tail)?;
    code.scale(mantissa, exponent)
}

/// `e^x - 1`
pub fn expm1<'c>(code: &Code<'_, 'c>, x: Value<'c>) -> Emitted<Value<'c>> {
    let bounded = code.clamp(x, -50.0, 710.0)?;
    let (tail, exponent) = exp_parts(code, bounded)?;
    // 2^k t + (2^k - 1), halved, since 2^k alone may be infinite.
    let exponent = code.integral_with(arith::subi, exponent, 1)?;
    let power = code.power_of_two(exponent)?;
    let half = code.float(0.5)?;
    let rest = code.sub(power, half)?;
    let result = code.fma(tail, power, rest)?;
    let result = code.add(result, result)?;
    let size = code.abs(x)?;
    code.select_where((size, CmpFPredicate::Olt, f64::EPSILON / 4.0), x, result)
}

/// `ln(x) = k ln(2) + ln(1 + f)`: `k`, and the logarithm of the rest as `f` and
/// a correction.
fn log_parts<'c>(code: &Code<'_, 'c>, x: Value<'c>) -> Emitted<(Value<'c>, Value<'c>, Value<'c>)> {
    let (exponent, mantissa) = code.split(x)?;
    let exponent = code.small_float_of(exponent)?;
    let (one, two, half) = (code.float(1.0)?, code.float(2.0)?, code.float(0.5)?);
    let f = code.sub(mantissa, one)?;
    let sum = code.add(f, two)?;
    let s = code.div(f, sum)?;
    let z = code.mul(s, s)?;
    let series = code.polynomial(z, &LOG)?;
    let half_f = code.mul(half, f)?;
    let half_square = code.mul(half_f, f)?;
    // ln(1 + f) = f - (f^2/2 - s (f^2/2 + z R(z)))
    let inner = code.fma(z, series, half_square)?;
    let product = code.mul(s, inner)?;
    let rest = code.sub(product, half_square)?;
    Ok((exponent, f, rest))
}

/// `ln(x)`
pub fn log<'c>(code: &Code<'_, 'c>, x: Value<'c>) -> Emitted<Value<'c>> {
    let (exponent, f, rest) = log_parts(code, x)?;
    let (high, low) = (code.float(LN2_HIGH)?, code.float(LN2_LOW)?);
    let whole = code.mul(exponent, high)?;
    let sum = code.add(whole, f)?;
    let lost = code.sub(whole, sum)?;
    let lost = code.add(lost, f)?;
    let rest = code.fma(exponent, low, rest)?;
    let rest = code.add(lost, rest)?;
    let result = code.add(sum, rest)?;
    code.logarithm_specials(x, result)
}

fn scaled_log<'c>(code: &Code<'_, 'c>, x: Value<'c>, of_two: f64, of_e: f64) -> Emitted<Value<'c>> {
    let (exponent, f, rest) = log_parts(code, x)?;
    let sum = code.add(f, rest)?;
    let (of_two, of_e) = (code.float(of_two)?, code.float(of_e)?);
    let scaled = code.mul(sum, of_e)?;
    let result = code.fma(exponent, of_two, scaled)?;
    code.logarithm_specials(x, result)
}

/// `log2(x)`, for f32.
pub fn log2<'c>(code: &Code<'_, 'c>, x: Value<'c>) -> Emitted<Value<'c>> {
    scaled_log(code, x, 1.0, LOG2_E)
}

/// `(log2((1 + s) / (1 - s))) / s` in `s^2`; relative error 2^-37.
const LOG2_RATIO: [f64; 5] = [
    2.885390081789987,
    0.9617966734515485,
    0.5770835660048659,
    0.41167376623771057,
    0.3407120415619086,
];
/// `2^r` for `|r| < 1/2`; relative error 2^-34.
const EXP2: [f64; 8] = [
    0.9999999999595618,
    0.6931471805568324,
    0.24022651213498092,
    0.055504109063258665,
    0.009618025613318034,
    0.0013333478473685416,
    0.00015469729214118296,
    1.5303700711365693e-05,
];

/// `log2(x)` of a positive finite f32 that was extended, which is a normal
/// number in f64. Of anything else it is some finite number.
fn log2_of_normal<'c>(code: &Code<'_, 'c>, x: Value<'c>) -> Emitted<Value<'c>> {
    let root = std::f64::consts::FRAC_1_SQRT_2.to_bits() as i64;
    let bits = code.bits(x)?;
    let above = code.integral_with(arith::subi, bits, root)?;
    // The exponent is made positive, so that it can be shifted; it is in the
    // low bits of 2^52.
    let biased = code.integral_with(arith::addi, above, 1023 << 52)?;
    let exponent = code.integral_with(arith::shrui, biased, 52)?;
    let magic = 4_503_599_627_370_496.0_f64;
    let exponent = code.integral_with(arith::ori, exponent, magic.to_bits() as i64)?;
    let exponent = code.from_bits(exponent)?;
    let bias = code.float(magic + 1023.0)?;
    let exponent = code.sub(exponent, bias)?;
    let power = code.integral_with(arith::andi, above, -1 << 52)?;
    let mantissa = code.integral(arith::subi, bits, power)?;
    let mantissa = code.from_bits(mantissa)?;
    let one = code.float(1.0)?;
    let (below, sum) = (code.sub(mantissa, one)?, code.add(mantissa, one)?);
    let s = code.div(below, sum)?;
    let square = code.mul(s, s)?;
    let series = code.polynomial(square, &LOG2_RATIO)?;
    code.fma(s, series, exponent)
}

/// `2^x`, which is far beyond the range of f32 where it is bounded.
fn exp2_for_single<'c>(code: &Code<'_, 'c>, x: Value<'c>) -> Emitted<Value<'c>> {
    let x = code.clamp(x, -200.0, 200.0)?;
    let (rounded, exponent) = code.round(x)?;
    let rest = code.sub(x, rounded)?;
    let mantissa = code.polynomial(rest, &EXP2)?;
    let bits = code.bits(mantissa)?;
    let exponent = code.integral_with(arith::shli, exponent, 52)?;
    let bits = code.integral(arith::addi, bits, exponent)?;
    code.from_bits(bits)
}

/// `x^y` of a positive finite f32 that was extended, for f32. NaN gives any
/// number.
pub fn power_of_normal<'c>(code: &Code<'_, 'c>, x: Value<'c>, y: Value<'c>) -> Emitted<Value<'c>> {
    let logarithm = log2_of_normal(code, x)?;
    let product = code.mul(y, logarithm)?;
    exp2_for_single(code, product)
}

/// `log10(x)`, for f32.
pub fn log10<'c>(code: &Code<'_, 'c>, x: Value<'c>) -> Emitted<Value<'c>> {
    scaled_log(code, x, LOG10_2, LOG10_E)
}

/// `ln(1 + x)`. What rounding `1 + x` loses comes back as a term.
pub fn log1p<'c>(code: &Code<'_, 'c>, x: Value<'c>) -> Emitted<Value<'c>> {
    let one = code.float(1.0)?;
    let sum = code.add(x, one)?;
    let logarithm = log(code, sum)?;
    let difference = code.sub(sum, one)?;
    let lost = code.sub(x, difference)?;
    let term = code.div(lost, sum)?;
    let result = code.add(logarithm, term)?;
    // Neither end of the range has a term.
    let result = code.select_where((sum, CmpFPredicate::Oeq, f64::INFINITY), sum, result)?;
    let result = code.select_where((sum, CmpFPredicate::Oeq, 0.0), logarithm, result)?;
    code.select_where((sum, CmpFPredicate::Oeq, 1.0), x, result)
}

/// `tanh(x)`
pub fn tanh<'c>(code: &Code<'_, 'c>, x: Value<'c>) -> Emitted<Value<'c>> {
    let size = code.abs(x)?;
    let size = code.clamp(size, 0.0, 25.0)?;
    let twice = code.add(size, size)?;
    let power = expm1(code, twice)?;
    let two = code.float(2.0)?;
    let sum = code.add(power, two)?;
    let result = code.div(power, sum)?;
    code.copysign(result, x)
}

/// `sinh(x)`, for f32.
pub fn sinh<'c>(code: &Code<'_, 'c>, x: Value<'c>) -> Emitted<Value<'c>> {
    let size = code.abs(x)?;
    let square = code.mul(size, size)?;
    let series = code.polynomial(square, &SINH)?;
    let cube = code.mul(square, size)?;
    let near = code.fma(cube, series, size)?;
    let (up, down) = halves_of_exp(code, size)?;
    let far = code.sub(up, down)?;
    let result = code.select_where((size, CmpFPredicate::Olt, 1.0), near, far)?;
    code.copysign(result, x)
}

/// `cosh(x)`, for f32.
pub fn cosh<'c>(code: &Code<'_, 'c>, x: Value<'c>) -> Emitted<Value<'c>> {
    let size = code.abs(x)?;
    let (up, down) = halves_of_exp(code, size)?;
    code.add(up, down)
}

/// `e^x / 2` and `e^-x / 2`
fn halves_of_exp<'c>(code: &Code<'_, 'c>, x: Value<'c>) -> Emitted<(Value<'c>, Value<'c>)> {
    let power = exp(code, x)?;
    let half = code.float(0.5)?;
    let down = code.div(half, power)?;
    Ok((code.mul(half, power)?, down))
}

/// `asinh(x)`, for f32.
pub fn asinh<'c>(code: &Code<'_, 'c>, x: Value<'c>) -> Emitted<Value<'c>> {
    let size = code.abs(x)?;
    let one = code.float(1.0)?;
    let square = code.mul(size, size)?;
    let root = code.add(square, one)?;
    let root = code.sqrt(root)?;
    // x + sqrt(x^2 + 1) - 1
    let sum = code.add(root, one)?;
    let rest = code.div(square, sum)?;
    let argument = code.add(size, rest)?;
    let result = log1p(code, argument)?;
    let result = code.select_where((size, CmpFPredicate::Olt, f64::INFINITY), result, size)?;
    code.copysign(result, x)
}

/// `acosh(x)`, for f32.
pub fn acosh<'c>(code: &Code<'_, 'c>, x: Value<'c>) -> Emitted<Value<'c>> {
    let (one, nan) = (code.float(1.0)?, code.float(f64::NAN)?);
    let below = code.sub(x, one)?;
    let above = code.add(x, one)?;
    let root = code.mul(below, above)?;
    let root = code.sqrt(root)?;
    let argument = code.add(below, root)?;
    let result = log1p(code, argument)?;
    code.select_where((x, CmpFPredicate::Ult, 1.0), nan, result)
}

/// `atanh(x)`, for f32.
pub fn atanh<'c>(code: &Code<'_, 'c>, x: Value<'c>) -> Emitted<Value<'c>> {
    let size = code.abs(x)?;
    let (one, half) = (code.float(1.0)?, code.float(0.5)?);
    let twice = code.add(size, size)?;
    let rest = code.sub(one, size)?;
    let quotient = code.div(twice, rest)?;
    let result = log1p(code, quotient)?;
    let result = code.mul(result, half)?;
    code.copysign(result, x)
}

/// The angle of a point with coordinates that are not negative.
fn first_quadrant<'c>(code: &Code<'_, 'c>, y: Value<'c>, x: Value<'c>) -> Emitted<Value<'c>> {
    let steep = code.compare(CmpFPredicate::Ogt, y, x)?;
    let longer = code.select(steep, y, x)?;
    let shorter = code.select(steep, x, y)?;
    let slope = code.div(shorter, longer)?;
    // Neither 0/0 nor infinity/infinity has a slope of its own.
    let (zero, one) = (code.float(0.0)?, code.float(1.0)?);
    let slope = code.select_where((longer, CmpFPredicate::Oeq, 0.0), zero, slope)?;
    let slope = code.select_where((shorter, CmpFPredicate::Oeq, f64::INFINITY), one, slope)?;
    let square = code.mul(slope, slope)?;
    let series = code.polynomial(square, &ATAN)?;
    let cube = code.mul(square, slope)?;
    let angle = code.fma(cube, series, slope)?;
    let right = code.float(FRAC_PI_2)?;
    let other = code.sub(right, angle)?;
    code.select(steep, other, angle)
}

/// `atan(x)`, for f32.
pub fn atan<'c>(code: &Code<'_, 'c>, x: Value<'c>) -> Emitted<Value<'c>> {
    let size = code.abs(x)?;
    let one = code.float(1.0)?;
    let angle = first_quadrant(code, size, one)?;
    code.copysign(angle, x)
}

/// `atan2(y, x)`, for f32.
pub fn atan2<'c>(code: &Code<'_, 'c>, y: Value<'c>, x: Value<'c>) -> Emitted<Value<'c>> {
    let (height, width) = (code.abs(y)?, code.abs(x)?);
    let angle = first_quadrant(code, height, width)?;
    let straight = code.float(PI)?;
    let left = code.sub(straight, angle)?;
    // The sign of x counts even where x is zero.
    let one = code.float(1.0)?;
    let sign = code.copysign(one, x)?;
    let angle = code.select_where((sign, CmpFPredicate::Olt, 0.0), left, angle)?;
    let angle = code.copysign(angle, y)?;
    let unordered = code.compare(CmpFPredicate::Uno, x, y)?;
    let nan = code.float(f64::NAN)?;
    code.select(unordered, nan, angle)
}

/// `sqrt(1 - x^2)`
fn complement<'c>(code: &Code<'_, 'c>, x: Value<'c>) -> Emitted<Value<'c>> {
    let one = code.float(1.0)?;
    let (below, above) = (code.sub(one, x)?, code.add(one, x)?);
    let product = code.mul(below, above)?;
    code.sqrt(product)
}

/// `asin(x)`, for f32.
pub fn asin<'c>(code: &Code<'_, 'c>, x: Value<'c>) -> Emitted<Value<'c>> {
    let other = complement(code, x)?;
    atan2(code, x, other)
}

/// `acos(x)`, for f32.
pub fn acos<'c>(code: &Code<'_, 'c>, x: Value<'c>) -> Emitted<Value<'c>> {
    let other = complement(code, x)?;
    atan2(code, other, x)
}

/// The cube root of `x`, to 2^-40.
fn cbrt_roughly<'c>(code: &Code<'_, 'c>, x: Value<'c>) -> Emitted<Value<'c>> {
    let size = code.abs(x)?;
    let logarithm = log2(code, size)?;
    let third = code.float(1.0 / 3.0)?;
    let logarithm = code.mul(logarithm, third)?;
    let result = exp2(code, logarithm)?;
    let result = code.select_where((size, CmpFPredicate::Oeq, 0.0), size, result)?;
    let result = code.select_where((size, CmpFPredicate::Oeq, f64::INFINITY), size, result)?;
    code.copysign(result, x)
}

/// The cube root of `x` to the last bit or so: a step of Newton's method from
/// a rough one.
pub fn cbrt<'c>(code: &Code<'_, 'c>, x: Value<'c>) -> Emitted<Value<'c>> {
    // The rest of a tiny number's cube must not vanish.
    let size = code.abs(x)?;
    let (one, up, down) = (
        code.float(1.0)?,
        code.float(2_f64.powi(300))?,
        code.float(2_f64.powi(-100))?,
    );
    let tiny = code.compare_with(CmpFPredicate::Olt, size, 2_f64.powi(-700))?;
    let scale = code.select(tiny, up, one)?;
    let unscale = code.select(tiny, down, one)?;
    let scaled = code.mul(size, scale)?;
    let root = cbrt_roughly(code, scaled)?;
    let square = code.mul(root, root)?;
    let negated = code.neg(scaled)?;
    let excess = code.fma(square, root, negated)?;
    let three = code.float(3.0)?;
    let slope = code.mul(square, three)?;
    let step = code.div(excess, slope)?;
    let better = code.sub(root, step)?;
    // Zero and infinity have no slope of use.
    let finite = code.compare_with(CmpFPredicate::Olt, root, f64::INFINITY)?;
    let better = code.select(finite, better, root)?;
    let better = code.select_where((root, CmpFPredicate::Oeq, 0.0), root, better)?;
    let result = code.mul(better, unscale)?;
    code.copysign(result, x)
}
