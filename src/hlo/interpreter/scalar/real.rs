//! Real floats, in `f64`.

use super::Function;
use halo_ir::prelude::*;

/// The function of an op on floats.
pub fn function(name: &str) -> Option<Function> {
    let unary = |function: fn(f64) -> f64| -> Option<Function> {
        Some(Box::new(move |v| function(v[0].to_f64()).into()))
    };
    let binary = |function: fn(f64, f64) -> f64| -> Option<Function> {
        Some(Box::new(move |v| {
            function(v[0].to_f64(), v[1].to_f64()).into()
        }))
    };
    match name {
        stablehlo::AbsOp::NAME => unary(f64::abs),
        stablehlo::AddOp::NAME => binary(|left, right| left + right),
        stablehlo::Atan2Op::NAME => binary(f64::atan2),
        stablehlo::CbrtOp::NAME => unary(f64::cbrt),
        stablehlo::CeilOp::NAME => unary(f64::ceil),
        stablehlo::CosineOp::NAME => unary(f64::cos),
        stablehlo::DivOp::NAME => binary(|left, right| left / right),
        stablehlo::ExpOp::NAME => unary(f64::exp),
        stablehlo::Expm1Op::NAME => unary(f64::exp_m1),
        stablehlo::FloorOp::NAME => unary(f64::floor),
        stablehlo::IsFiniteOp::NAME => Some(Box::new(|v| v[0].to_f64().is_finite().into())),
        stablehlo::LogOp::NAME => unary(f64::ln),
        stablehlo::Log1pOp::NAME => unary(f64::ln_1p),
        stablehlo::LogisticOp::NAME => unary(|value| 1.0 / (1.0 + (-value).exp())),
        stablehlo::MaxOp::NAME => binary(maximum),
        stablehlo::MinOp::NAME => binary(|left, right| -maximum(-left, -right)),
        stablehlo::MulOp::NAME => binary(|left, right| left * right),
        stablehlo::NegOp::NAME => unary(|value| -value),
        stablehlo::PowOp::NAME => binary(f64::powf),
        stablehlo::RemOp::NAME => binary(|left, right| left % right),
        stablehlo::RoundOp::NAME => unary(f64::round),
        stablehlo::RoundNearestEvenOp::NAME => unary(f64::round_ties_even),
        // Rounding the root first is a second rounding only in f64.
        stablehlo::RsqrtOp::NAME => unary(|value| 1.0 / value.sqrt()),
        stablehlo::SignOp::NAME => unary(|value| {
            if value == 0.0 || value.is_nan() {
                value
            } else {
                value.signum()
            }
        }),
        stablehlo::SineOp::NAME => unary(f64::sin),
        stablehlo::SqrtOp::NAME => unary(f64::sqrt),
        stablehlo::SubtractOp::NAME => binary(|left, right| left - right),
        stablehlo::TanOp::NAME => unary(f64::tan),
        stablehlo::TanhOp::NAME => unary(f64::tanh),
        _ => None,
    }
}

/// `maximum` of IEEE-754: propagates NaN, and 0 is greater than -0.
fn maximum(left: f64, right: f64) -> f64 {
    if left.is_nan() || right.is_nan() {
        left + right
    } else if left == right {
        // Equal except for the sign of zero.
        if left.is_sign_negative() { right } else { left }
    } else if left > right {
        left
    } else {
        right
    }
}

/// Section `reduce_precision`: rounds a value of a source format to a format with these numbers of
/// exponent and mantissa bits, to the nearest even; overflow gives infinity, and subnormal results
/// zero of the same sign. Subnormal numbers of the source are rounded by their bits, regardless of
/// the width of the other exponent.
pub fn reduce_precision(value: f64, source: (i64, i64), target: (i64, i64)) -> f64 {
    let (exponent_bits, mantissa_bits) = target;
    if value == 0.0 || !value.is_finite() {
        // A format without mantissa has no NaN.
        if value.is_nan() && mantissa_bits == 0 {
            return f64::INFINITY.copysign(value);
        }
        return value;
    }
    let bias_of = |bits: i64| (1_i64 << (bits - 1).clamp(0, 62)) - 1;
    let exponent_of = |value: f64| (value.to_bits() >> 52 & 0x7ff) as i64 - 1023;
    let least = 1 - bias_of(source.0);
    let dropped = 52 - mantissa_bits.min(source.1);
    let rounded = if source.0 < 11 && exponent_of(value) < least {
        let unit = ((least - mantissa_bits.min(source.1)) as f64).exp2();
        (value / unit).round_ties_even() * unit
    } else if dropped <= 0 {
        value
    } else {
        let bits = value.to_bits();
        let last = bits >> dropped & 1;
        let half = (1_u64 << dropped >> 1) - 1;
        f64::from_bits((bits + half + last) >> dropped << dropped)
    };
    if exponent_bits >= source.0 {
        return rounded;
    }
    let bias = bias_of(exponent_bits);
    if exponent_of(rounded) > bias {
        f64::INFINITY.copysign(value)
    } else if exponent_of(rounded) < 1 - bias {
        0.0_f64.copysign(value)
    } else {
        rounded
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signed_zeros_and_nan_are_ordered() {
        assert!(maximum(-0.0, 0.0).is_sign_positive());
        assert!(maximum(0.0, -0.0).is_sign_positive());
        assert!(maximum(f64::NAN, 1.0).is_nan());
        assert_eq!(maximum(1.0, 2.0), 2.0);
    }

    /// The values come from NumPy for the same formats.
    #[test]
    fn precision_is_reduced_to_a_format() {
        // To bf16: 8 bits of exponent, 7 of mantissa.
        assert_eq!(reduce_precision(1.00390625, (11, 52), (8, 7)), 1.0);
        assert_eq!(reduce_precision(1.01171875, (11, 52), (8, 7)), 1.015625);
        // To f16: the largest number is 65504.
        assert_eq!(reduce_precision(65519.0, (11, 52), (5, 10)), 65504.0);
        assert_eq!(reduce_precision(65520.0, (11, 52), (5, 10)), f64::INFINITY);
        assert_eq!(
            reduce_precision(-1e-8, (11, 52), (5, 10)).to_bits(),
            (-0.0_f64).to_bits()
        );
        assert_eq!(reduce_precision(3.5, (11, 52), (11, 52)), 3.5);
        // The bits of an f32, of which the last 18 are rounded away.
        let least = f64::from(f32::from_bits(1));
        assert_eq!(reduce_precision(least, (8, 23), (9, 5)), 0.0);
        assert_eq!(reduce_precision(least, (8, 23), (8, 23)), least);
        let many = f64::from(f32::from_bits(0x6_0000));
        let even = f64::from(f32::from_bits(0x8_0000));
        assert_eq!(reduce_precision(many, (8, 23), (8, 5)), even);
    }
}
