//! Functions in f32: exp, exp2, log, log1p, tanh, erf, and the special values of cbrt,
//! whose digits, as those of pow, come from f64.

use super::{code::Code, double};
use crate::loops::loop_ops::Emitted;
use halo_ir::prelude::*;

/// `(e^r - 1 - r) / r^2` for `|r| < ln(2) / 2`; relative error of `e^r` 2^-28.1.
const EXP: [f64; 5] = [
    0.4999999403953552,
    0.16666509211063385,
    0.041668009012937546,
    0.008369989693164825,
    0.0013847033260390162,
];
/// `(2^r - 1) / r` for `|r| < 1/2`; relative error of `2^r` 2^-27.9.
const EXP2: [f64; 7] = [
    0.6931471824645996,
    0.24022650718688965,
    0.055504050105810165,
    0.00961809791624546,
    0.0013338298304006457,
    0.000154213557834737,
    1.401472673023818e-05,
];
/// `(ln(1 + f) - f + f^2 / 2) / f^3` for `1 + f` between the roots of 1/2 and
/// of 2; relative error of the logarithm 2^-26.2.
const LOG: [f64; 8] = [
    0.3333333134651184,
    -0.250008225440979,
    0.20001259446144104,
    -0.1662333905696869,
    0.14200995862483978,
    -0.13158124685287476,
    0.1278248429298401,
    -0.07689525187015533,
];
/// `(ln(1 + m) - m) / m^2` for `m` from -1/4 to below 1/2; error of the logarithm
/// 0.88 steps, over all arguments.
const LOG1P: [f64; 9] = [
    -0.5,
    0.33333528,
    -0.250001878,
    0.199886635,
    -0.166416913,
    0.144911006,
    -0.132279143,
    0.105529785,
    -0.0454559326,
];
/// The bits of 0.75 and of 4.
const THREE_QUARTERS: i64 = 0x3f40_0000;
const FOUR: i64 = 0x4080_0000;
/// `(tanh(x) - x) / x^3` in `x^2` for `|x| < 0.625`; relative error 2^-27.7.
const TANH: [f64; 5] = [
    -0.3333328068256378,
    0.13331405818462372,
    -0.05373651534318924,
    0.02062816731631756,
    -0.005692296661436558,
];
/// `erf(x) / x - 1` in `x^2` for `|x| < 1`; relative error 2^-29.4.
const ERF: [f64; 7] = [
    0.12837916612625122,
    -0.3761262595653534,
    0.11283578723669052,
    -0.026853347197175026,
    0.005187162198126316,
    -0.0007997853099368513,
    7.806903158780187e-05,
];
/// `ln(1 - erf(x))` for `x` from 1 to 3.95; relative error of erf 2^-29.8.
const ERF_TAIL: [f64; 7] = [
    -0.00034152850275859237,
    -1.1270891427993774,
    -0.6381449699401855,
    -0.10310657322406769,
    0.02183794416487217,
    -0.0029476198833435774,
    0.0001863744982983917,
];
/// ln(2) in two parts, of which the first has zeros at its end, so that its
/// product with an exponent is exact.
const LN2_HIGH: f64 = 0.693359375;
const LN2_LOW: f64 = -0.00021219444005469057;
/// ln(2) in two parts for use with fma.
const LN2: f64 = 0.6931471824645996;
const LN2_REST: f64 = -1.9046543e-9;

/// `e^x = 2^k * m`: `m` and `k`. The exponent must be of moderate size.
fn exp_parts<'c>(code: &Code<'_, 'c>, x: Value<'c>) -> Emitted<(Value<'c>, Value<'c>)> {
    let (scale, high, low) = (
        code.float(std::f64::consts::LOG2_E)?,
        code.float(-LN2)?,
        code.float(-LN2_REST)?,
    );
    let (rounded, exponent) = code.round_scaled(x, scale)?;
    let rest = code.fma(rounded, high, x)?;
    let rest = code.fma(rounded, low, rest)?;
    let square = code.mul(rest, rest)?;
    let tail = code.polynomial(rest, &EXP)?;
    let tail = code.fma(square, tail, rest)?;
    let one = code.float(1.0)?;
    Ok((code.add(one, tail)?, exponent))
}

/// `e^x` where neither it nor `x` is far from 1.
fn exp_moderate<'c>(code: &Code<'_, 'c>, x: Value<'c>) -> Emitted<Value<'c>> {
    let (mantissa, exponent) = exp_parts(code, x)?;
    let power = code.power_of_two(exponent)?;
    code.mul(mantissa, power)
}

/// `e^x`
pub fn exp<'c>(code: &Code<'_, 'c>, x: Value<'c>) -> Emitted<Value<'c>> {
    // Beyond, the result is zero or infinite. The zeros, which masked softmax
    // is full of, are made at once: a product that underflows is slow.
    let bounded = code.clamp(x, -104.0, 89.0)?;
    let (mantissa, exponent) = exp_parts(code, bounded)?;
    let zero = code.float(0.0)?;
    let mantissa = code.select_where((x, CmpFPredicate::Olt, -104.0), zero, mantissa)?;
    code.scale(mantissa, exponent)
}

/// `2^x`
pub fn exp2<'c>(code: &Code<'_, 'c>, x: Value<'c>) -> Emitted<Value<'c>> {
    let x = code.clamp(x, -151.0, 129.0)?;
    let (rounded, exponent) = code.round(x)?;
    let rest = code.sub(x, rounded)?;
    let tail = code.polynomial(rest, &EXP2)?;
    let one = code.float(1.0)?;
    let mantissa = code.fma(rest, tail, one)?;
    code.scale(mantissa, exponent)
}

/// `ln(x)`
pub fn log<'c>(code: &Code<'_, 'c>, x: Value<'c>) -> Emitted<Value<'c>> {
    let (exponent, mantissa) = code.split(x)?;
    let exponent = code.small_float_of(exponent)?;
    let one = code.float(1.0)?;
    let f = code.sub(mantissa, one)?;
    let square = code.mul(f, f)?;
    let tail = code.polynomial(f, &LOG)?;
    let half = code.float(-0.5)?;
    let tail = code.fma(f, tail, half)?;
    let tail = code.mul(square, tail)?;
    // exponent * ln(2) + f as an exact sum of two.
    let high = code.float(LN2_HIGH)?;
    let whole = code.mul(exponent, high)?;
    let sum = code.add(whole, f)?;
    let lost = code.sub(whole, sum)?;
    let lost = code.add(lost, f)?;
    let low = code.float(LN2_LOW)?;
    let tail = code.fma(exponent, low, tail)?;
    let tail = code.add(lost, tail)?;
    let result = code.add(sum, tail)?;
    code.logarithm_specials(x, result)
}

/// `ln(1 + x)`, by the scheme of N. Juffa: `1 + x = 2^k (1 + m)`, where `m` is exact
/// but for one rounding.
pub fn log1p<'c>(code: &Code<'_, 'c>, x: Value<'c>) -> Emitted<Value<'c>> {
    let one = code.float(1.0)?;
    let sum = code.add(x, one)?;
    // The exponent of a number from 3/4 to below 3/2, in place.
    let exponent = code.integral_with(arith::subi, code.bits(sum)?, THREE_QUARTERS)?;
    let exponent = code.integral_with(arith::andi, exponent, -(1 << 23))?;
    let scaled = code.integral(arith::subi, code.bits(x)?, exponent)?;
    let four = code.integer(FOUR)?;
    let scale = code.integral(arith::subi, four, exponent)?;
    let scale = code.from_bits(scale)?;
    let rest = code.fma(scale, code.float(0.25)?, code.float(-1.0)?)?;
    let m = code.add(code.from_bits(scaled)?, rest)?;
    let square = code.mul(m, m)?;
    let tail = code.polynomial(m, &LOG1P)?;
    let tail = code.fma(tail, square, m)?;
    let exponent = code.mul(code.float_of(exponent)?, code.float(2_f64.powi(-23))?)?;
    let result = code.fma(exponent, code.float(LN2)?, tail)?;
    let result = code.logarithm_specials(sum, result)?;
    // Also a zero with its sign.
    code.select_where((sum, CmpFPredicate::Oeq, 1.0), x, result)
}

/// `tanh(x)`
pub fn tanh<'c>(code: &Code<'_, 'c>, x: Value<'c>) -> Emitted<Value<'c>> {
    let size = code.abs(x)?;
    let square = code.mul(size, size)?;
    let tail = code.polynomial(square, &TANH)?;
    let cube = code.mul(square, size)?;
    let near = code.fma(cube, tail, size)?;
    // 1 - 2 / (e^2x + 1)
    let twice = code.add(size, size)?;
    let most = code.float(20.0)?;
    let twice = code.select_where((twice, CmpFPredicate::Ogt, 20.0), most, twice)?;
    let power = exp_positive(code, twice)?;
    let (one, two) = (code.float(1.0)?, code.float(2.0)?);
    let sum = code.add(power, one)?;
    let quotient = code.div(two, sum)?;
    let far = code.sub(one, quotient)?;
    // Not a number is near: the power of one may be any.
    let result = code.select_where((size, CmpFPredicate::Oge, 0.625), far, near)?;
    code.copysign(result, x)
}

/// `e^x` from 1 to 20, where errors of the reduced argument that grow with `x` do no harm.
fn exp_positive<'c>(code: &Code<'_, 'c>, x: Value<'c>) -> Emitted<Value<'c>> {
    let scale = code.float(std::f64::consts::LOG2_E)?;
    let (rounded, exponent) = code.round_scaled(x, scale)?;
    let rest = code.fma(rounded, code.float(-LN2)?, x)?;
    let one = code.float(1.0)?;
    let mantissa = code.polynomial(rest, &EXP)?;
    let mantissa = code.fma(mantissa, rest, one)?;
    let mantissa = code.fma(mantissa, rest, one)?;
    let exponent = code.integral_with(arith::shli, exponent, code.mantissa_bits())?;
    code.from_bits(code.integral(arith::addi, code.bits(mantissa)?, exponent)?)
}

/// `erf(x)`
pub fn erf<'c>(code: &Code<'_, 'c>, x: Value<'c>) -> Emitted<Value<'c>> {
    let size = code.abs(x)?;
    let square = code.mul(size, size)?;
    let tail = code.polynomial(square, &ERF)?;
    let near = code.fma(size, tail, size)?;
    let bounded = code.clamp(size, 1.0, 4.0)?;
    let logarithm = code.polynomial(bounded, &ERF_TAIL)?;
    let complement = exp_moderate(code, logarithm)?;
    let one = code.float(1.0)?;
    let far = code.sub(one, complement)?;
    let result = code.select_where((size, CmpFPredicate::Olt, 1.0), near, far)?;
    code.copysign(result, x)
}

/// `1 / sqrt(x)`, for f64 as well.
pub fn rsqrt<'c>(code: &Code<'_, 'c>, x: Value<'c>) -> Emitted<Value<'c>> {
    let root = code.sqrt(x)?;
    let one = code.float(1.0)?;
    code.div(one, root)
}

/// The cube root of `x`
pub fn cbrt<'c>(code: &Code<'_, 'c>, x: Value<'c>) -> Emitted<Value<'c>> {
    let wide = code.with_width(64);
    let size = code.abs(x)?;
    let third = wide.float(1.0 / 3.0)?;
    let root = double::power_of_normal(&wide, wide.extend(size)?, third)?;
    let root = code.truncate(root)?;
    let root = code.copysign(root, x)?;
    // Zeros, infinities and NaN are their own roots.
    let root = code.select_where((size, CmpFPredicate::Oeq, 0.0), x, root)?;
    let finite = code.compare_with(CmpFPredicate::Olt, size, f64::INFINITY)?;
    code.select(finite, root, x)
}

/// `x^y` as IEEE 754 has it.
pub fn pow<'c>(code: &Code<'_, 'c>, x: Value<'c>, y: Value<'c>) -> Emitted<Value<'c>> {
    let wide = code.with_width(64);
    let size = code.abs(x)?;
    let power = double::power_of_normal(&wide, wide.extend(size)?, wide.extend(y)?)?;
    let power = code.truncate(power)?;
    code.power_specials(x, y, power)
}
