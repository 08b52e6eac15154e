//! Integers. A value is exact here and wraps where it is stored.

use super::Function;
use halo_core::{ElementType, Scalar};

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
        "abs" => unary(i128::abs),
        "add" => binary(|left, right| left + right),
        "and" => binary(|left, right| left & right),
        "count_leading_zeros" => Some(Box::new(move |v| {
            let zeros = pattern(v[0].to_i128()).leading_zeros() - (u128::BITS - bits);
            i128::from(zeros).into()
        })),
        "divide" => binary(|left, right| if right == 0 { -1 } else { left / right }),
        "maximum" => binary(i128::max),
        "minimum" => binary(i128::min),
        "multiply" => binary(i128::wrapping_mul),
        "negate" => unary(|value| -value),
        "not" => unary(|value| !value),
        "or" => binary(|left, right| left | right),
        "popcnt" => Some(Box::new(move |v| {
            i128::from(pattern(v[0].to_i128()).count_ones()).into()
        })),
        "power" => Some(Box::new(move |v| {
            power(v[0].to_i128(), v[1].to_i128(), element).into()
        })),
        "remainder" => binary(|left, right| if right == 0 { left } else { left % right }),
        "shift_left" => Some(Box::new(move |v| {
            let amount = pattern(v[1].to_i128());
            let shifted = if amount >= bits.into() {
                0
            } else {
                v[0].to_i128() << amount
            };
            shifted.into()
        })),
        "shift_right_arithmetic" => Some(Box::new(move |v| {
            let amount = pattern(v[1].to_i128()).min(bits.into());
            let unused = i128::BITS - bits;
            let extended = v[0].to_i128() << unused >> unused;
            (extended >> amount.min(127)).into()
        })),
        "shift_right_logical" => Some(Box::new(move |v| {
            let amount = pattern(v[1].to_i128());
            let shifted = if amount >= bits.into() {
                0
            } else {
                pattern(v[0].to_i128()) >> amount
            };
            Scalar::Int(shifted as i128)
        })),
        "sign" if signed => unary(i128::signum),
        "subtract" => binary(|left, right| left - right),
        "xor" => binary(|left, right| left ^ right),
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
        assert_eq!(call("add", I8, &[127, 1]), -128);
        assert_eq!(call("negate", I8, &[-128]), -128);
        assert_eq!(call("abs", I8, &[-128]), -128);
        assert_eq!(call("divide", I8, &[-128, -1]), -128);
        assert_eq!(call("divide", Ui8, &[7, 0]), 255);
        assert_eq!(call("remainder", I8, &[-7, 2]), -1);
        assert_eq!(call("remainder", I8, &[-7, 0]), -7);
        assert_eq!(call("shift_left", I8, &[1, 8]), 0);
        assert_eq!(call("shift_right_arithmetic", I8, &[-128, 100]), -1);
        assert_eq!(call("shift_right_arithmetic", Ui8, &[128, 7]), 255);
        assert_eq!(call("shift_right_logical", I8, &[-1, 4]), 15);
        assert_eq!(call("shift_left", I32, &[1, -1]), 0);
        assert_eq!(call("count_leading_zeros", I32, &[1]), 31);
        assert_eq!(call("popcnt", I64, &[-1]), 64);
        assert_eq!(
            call("multiply", Ui64, &[u64::MAX.into(), u64::MAX.into()]),
            1
        );
        assert_eq!(call("power", I64, &[-1, -3]), -1);
        assert_eq!(call("power", I64, &[2, -1]), 0);
        assert_eq!(
            call("power", I64, &[3, 40]),
            12_157_665_459_056_928_801_u64 as i64 as i128
        );
    }
}
