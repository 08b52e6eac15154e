//! Integers. Values are exact here and wrap when they are stored.

use super::Function;
use halo_core::{ElementType, Scalar};
use halo_ir::prelude::*;

/// The function of an op on integers of a type.
pub fn function(name: &str, element: ElementType) -> Option<Function> {
    let bits = element.bit_width();
    let signed = element.is_signed_integer();
    let unary = |function: fn(i128) -> i128| -> Option<Function> {
        Some(Box::new(move |v| function(v[0].to_i128()).into()))
    };
    let binary = |function: fn(i128, i128) -> i128| -> Option<Function> {
        Some(Box::new(move |v| {
            function(v[0].to_i128(), v[1].to_i128()).into()
        }))
    };
    // The bits of a value, without sign.
    let pattern = move |value: i128| value as u128 & ((1 << bits) - 1);
    match name {
        stablehlo::AbsOp::NAME => unary(i128::abs),
        stablehlo::AddOp::NAME => binary(|left, right| left + right),
        stablehlo::AndOp::NAME => binary(|left, right| left & right),
        stablehlo::ClzOp::NAME => Some(Box::new(move |v| {
            let zeros = pattern(v[0].to_i128()).leading_zeros() - (u128::BITS - bits);
            i128::from(zeros).into()
        })),
        stablehlo::DivOp::NAME => binary(|left, right| if right == 0 { -1 } else { left / right }),
        stablehlo::MaxOp::NAME => binary(i128::max),
        stablehlo::MinOp::NAME => binary(i128::min),
        stablehlo::MulOp::NAME => binary(i128::wrapping_mul),
        stablehlo::NegOp::NAME => unary(|value| -value),
        stablehlo::NotOp::NAME => unary(|value| !value),
        stablehlo::OrOp::NAME => binary(|left, right| left | right),
        stablehlo::PopulationCountOp::NAME => Some(Box::new(move |v| {
            i128::from(pattern(v[0].to_i128()).count_ones()).into()
        })),
        stablehlo::PowOp::NAME => Some(Box::new(move |v| {
            power(v[0].to_i128(), v[1].to_i128(), element).into()
        })),
        stablehlo::RemOp::NAME => {
            binary(|left, right| if right == 0 { left } else { left % right })
        }
        stablehlo::ShiftLeftOp::NAME => Some(Box::new(move |v| {
            let amount = pattern(v[1].to_i128());
            let shifted = if amount >= bits.into() {
                0
            } else {
                v[0].to_i128() << amount
            };
            shifted.into()
        })),
        stablehlo::ShiftRightArithmeticOp::NAME => Some(Box::new(move |v| {
            let amount = pattern(v[1].to_i128()).min(bits.into());
            let unused = i128::BITS - bits;
            let extended = v[0].to_i128() << unused >> unused;
            (extended >> amount.min(127)).into()
        })),
        stablehlo::ShiftRightLogicalOp::NAME => Some(Box::new(move |v| {
            let amount = pattern(v[1].to_i128());
            let shifted = if amount >= bits.into() {
                0
            } else {
                pattern(v[0].to_i128()) >> amount
            };
            Scalar::Int(shifted as i128)
        })),
        stablehlo::SignOp::NAME if signed => unary(i128::signum),
        stablehlo::SubtractOp::NAME => binary(|left, right| left - right),
        stablehlo::XorOp::NAME => binary(|left, right| left ^ right),
        _ => None,
    }
}

/// Section `power`. A negative exponent gives the reciprocal, truncated: zero
/// for all bases but 1 and -1.
fn power(base: i128, exponent: i128, element: ElementType) -> i128 {
    if exponent < 0 {
        return match base {
            1 => 1,
            -1 if exponent % 2 == 0 => 1,
            -1 => -1,
            _ => 0,
        };
    }
    let (mut result, mut square, mut left) = (1_i128, base, exponent);
    while left > 0 {
        if left & 1 != 0 {
            result = wrap(result.wrapping_mul(square), element);
        }
        square = wrap(square.wrapping_mul(square), element);
        left >>= 1;
    }
    result
}

fn wrap(value: i128, element: ElementType) -> i128 {
    Scalar::Int(value).stored_as(element).to_i128()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(name: &str, element: ElementType, operands: &[i128]) -> i128 {
        let operands: Vec<Scalar> = operands.iter().map(|value| (*value).into()).collect();
        let value = function(name, element).unwrap()(&operands);
        value.stored_as(element).to_i128()
    }

    #[test]
    fn results_wrap_and_corners_are_defined() {
        use ElementType::{I8, I32, I64, Ui8, Ui64};
        assert_eq!(call(stablehlo::AddOp::NAME, I8, &[127, 1]), -128);
        assert_eq!(call(stablehlo::NegOp::NAME, I8, &[-128]), -128);
        assert_eq!(call(stablehlo::AbsOp::NAME, I8, &[-128]), -128);
        assert_eq!(call(stablehlo::DivOp::NAME, I8, &[-128, -1]), -128);
        assert_eq!(call(stablehlo::DivOp::NAME, Ui8, &[7, 0]), 255);
        assert_eq!(call(stablehlo::RemOp::NAME, I8, &[-7, 2]), -1);
        assert_eq!(call(stablehlo::RemOp::NAME, I8, &[-7, 0]), -7);
        assert_eq!(call(stablehlo::ShiftLeftOp::NAME, I8, &[1, 8]), 0);
        assert_eq!(
            call(stablehlo::ShiftRightArithmeticOp::NAME, I8, &[-128, 100]),
            -1
        );
        assert_eq!(
            call(stablehlo::ShiftRightArithmeticOp::NAME, Ui8, &[128, 7]),
            255
        );
        assert_eq!(call(stablehlo::ShiftRightLogicalOp::NAME, I8, &[-1, 4]), 15);
        assert_eq!(call(stablehlo::ShiftLeftOp::NAME, I32, &[1, -1]), 0);
        assert_eq!(call(stablehlo::ClzOp::NAME, I32, &[1]), 31);
        assert_eq!(call(stablehlo::PopulationCountOp::NAME, I64, &[-1]), 64);
        assert_eq!(
            call(
                stablehlo::MulOp::NAME,
                Ui64,
                &[u64::MAX.into(), u64::MAX.into()]
            ),
            1
        );
        assert_eq!(call(stablehlo::PowOp::NAME, I64, &[-1, -3]), -1);
        assert_eq!(call(stablehlo::PowOp::NAME, I64, &[2, -1]), 0);
        assert_eq!(
            call(stablehlo::PowOp::NAME, I64, &[3, 40]),
            12_157_665_459_056_928_801_u64 as i64 as i128
        );
    }
}
