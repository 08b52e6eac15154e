//! Parsing of one element of a constant to its bits.

use halo_core::{ElementType, FloatFormat, element_type::Class, float_format::SpecialValues};

/// The bits of an integer, a truth value or a real float, at the low end.
pub(super) type Bits = u64;

/// The bits of an element that is not complex.
pub(crate) fn element_bits(element_type: ElementType, text: &str) -> Result<u64, String> {
    bits(element_type, text.as_bytes())
}

/// The value of a word in an element type that is not complex.
pub(super) fn bits(element_type: ElementType, word: &[u8]) -> Result<Bits, String> {
    let bits = match element_type.class() {
        Class::Boolean => match word {
            b"true" => Some(1),
            b"false" => Some(0),
            _ => integer(word).map(|value| u64::from(value != 0)),
        },
        Class::Signed => {
            let value = integer(word);
            return in_range(element_type, word, value, true);
        }
        Class::Unsigned => {
            // XLA reads 64 bits with a sign or without.
            let value = integer(word).map(|value| match element_type {
                ElementType::Ui64 if (i128::from(i64::MIN)..0).contains(&value) => {
                    value + (1_i128 << 64)
                }
                _ => value,
            });
            return in_range(element_type, word, value, false);
        }
        Class::Float | Class::Complex => return float(element_type, word),
    };
    bits.ok_or_else(|| no_value(element_type, word))
}

fn no_value(element_type: ElementType, word: &[u8]) -> String {
    let name = crate::element_type::element_type_name(element_type);
    match word {
        [] => format!("expected a value of type {name}"),
        _ => format!("'{}' is not a value of type {name}", shown(word)),
    }
}

fn out_of_range(element_type: ElementType, word: &[u8]) -> String {
    let name = crate::element_type::element_type_name(element_type);
    format!("{} is out of the range of type {name}", shown(word))
}

fn shown(word: &[u8]) -> String {
    String::from_utf8_lossy(word.get(..40).unwrap_or(word)).into_owned()
}

/// An integer of at most 64 bits and a sign.
fn integer(word: &[u8]) -> Option<i128> {
    let (digits, negative) = match word.split_first()? {
        (b'-', digits) => (digits, true),
        _ => (word, false),
    };
    if digits.is_empty() {
        return None;
    }
    let mut value = 0_i128;
    for digit in digits {
        if !digit.is_ascii_digit() {
            return None;
        }
        value = value * 10 + i128::from(digit - b'0');
        if value > i128::from(u64::MAX) {
            // Out of the range of any type.
            value = i128::from(u64::MAX) + 1;
        }
    }
    Some(if negative { -value } else { value })
}

fn in_range(
    element_type: ElementType,
    word: &[u8],
    value: Option<i128>,
    signed: bool,
) -> Result<Bits, String> {
    let Some(value) = value else {
        return Err(no_value(element_type, word));
    };
    let bits = element_type.bit_width();
    let (low, high) = if signed {
        (-(1_i128 << (bits - 1)), (1_i128 << (bits - 1)) - 1)
    } else {
        (0, (1_i128 << bits) - 1)
    };
    if !(low..=high).contains(&value) {
        return Err(out_of_range(element_type, word));
    }
    // Two's complement; types narrower than a byte are extended to a byte.
    Ok(value as u64)
}

/// Rounded to 64 bits first, as XLA does.
fn float(element_type: ElementType, word: &[u8]) -> Result<Bits, String> {
    let Some(format) = element_type.float_format() else {
        return Err(no_value(element_type, word));
    };
    let (magnitude, negative) = match word.split_first() {
        Some((b'-', magnitude)) => (magnitude, true),
        _ => (word, false),
    };
    match magnitude.first() {
        Some(b'n') => {
            let bits = nan(format, magnitude, negative);
            return bits.ok_or_else(|| no_value(element_type, word));
        }
        Some(b'i') if magnitude != b"inf" => return Err(no_value(element_type, word)),
        Some(b'i' | b'0'..=b'9' | b'.') => {}
        _ => return Err(no_value(element_type, word)),
    }
    let value = std::str::from_utf8(word).ok().and_then(decimal);
    let Some(value) = value else {
        return Err(no_value(element_type, word));
    };
    let bits = match element_type.real_part() {
        ElementType::F32 => u64::from((value as f32).to_bits()),
        ElementType::F64 => value.to_bits(),
        _ => format.from_f64(value),
    };
    let is_finite = bits & format.magnitude_mask() <= format.max_finite() && !format.is_nan(bits);
    if !is_finite && magnitude != b"inf" {
        return Err(out_of_range(element_type, word));
    }
    Ok(bits)
}

/// Parses a number in decimal or, as C prints it, hexadecimal.
fn decimal(text: &str) -> Option<f64> {
    let (magnitude, negative) = match text.strip_prefix('-') {
        Some(magnitude) => (magnitude, true),
        None => (text, false),
    };
    let Some(digits) = magnitude.strip_prefix("0x") else {
        return text.parse().ok();
    };
    let (digits, exponent) = digits.split_once('p')?;
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let mut value = 0.0_f64;
    let mut exponent: i32 = exponent.strip_prefix('+').unwrap_or(exponent).parse().ok()?;
    // More digits would be rounded twice.
    if whole.len() + fraction.len() > 14 {
        return None;
    }
    for digit in whole.chars().chain(fraction.chars()) {
        value = value * 16.0 + f64::from(digit.to_digit(16)?);
    }
    exponent = exponent.checked_sub(i32::try_from(fraction.len()).ok()?.checked_mul(4)?)?;
    // In two steps, so that the power itself neither overflows nor vanishes.
    let half = exponent / 2;
    let value = value * 2.0_f64.powi(half) * 2.0_f64.powi(exponent - half);
    Some(if negative { -value } else { value })
}

/// `nan` or `nan(0x7)`
fn nan(format: FloatFormat, word: &[u8], negative: bool) -> Option<Bits> {
    let sign = match format.special {
        SpecialValues::Ieee | SpecialValues::NanOnly if negative => format.sign_bit(),
        _ => 0,
    };
    if word == b"nan" {
        return Some(format.nan() | sign);
    }
    let payload = word.strip_prefix(b"nan(0x")?.strip_suffix(b")")?;
    let payload = u64::from_str_radix(std::str::from_utf8(payload).ok()?, 16).ok()?;
    let largest = (1_u64 << format.mantissa_bits) - 1;
    let has_payloads = format.special == SpecialValues::Ieee;
    if !has_payloads || payload == 0 || payload > largest {
        return None;
    }
    Some((format.max_finite() + 1) | payload | sign)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(element_type: ElementType, word: &str, expected: Result<u64, &str>) {
        let bits = bits(element_type, word.as_bytes());
        assert_eq!(
            bits.as_ref().copied().map_err(String::as_str),
            expected,
            "{word}"
        );
    }

    #[test]
    fn integers_fit_their_type() {
        check(ElementType::I8, "-128", Ok(-128_i64 as u64));
        check(
            ElementType::I8,
            "128",
            Err("128 is out of the range of type s8"),
        );
        check(ElementType::Ui64, "18446744073709551615", Ok(u64::MAX));
        check(ElementType::Ui64, "-1", Ok(u64::MAX));
        check(ElementType::Ui64, "-9223372036854775808", Ok(1 << 63));
        check(
            ElementType::Ui64,
            "-9223372036854775809",
            Err("-9223372036854775809 is out of the range of type u64"),
        );
        let huge = "18446744073709551616";
        let message = "18446744073709551616 is out of the range of type u64";
        check(ElementType::Ui64, huge, Err(message));
        check(
            ElementType::Ui2,
            "-1",
            Err("-1 is out of the range of type u2"),
        );
        check(
            ElementType::I32,
            "1.5",
            Err("'1.5' is not a value of type s32"),
        );
        check(ElementType::I1, "true", Ok(1));
        check(ElementType::I1, "0", Ok(0));
    }

    #[test]
    fn floats_are_decimal_or_special() {
        check(ElementType::F32, "1.5", Ok(0x3fc0_0000));
        check(ElementType::F32, "-0", Ok(0x8000_0000));
        check(ElementType::F32, "-inf", Ok(0xff80_0000));
        check(
            ElementType::F32,
            "1e39",
            Err("1e39 is out of the range of type f32"),
        );
        check(ElementType::F32, "nan", Ok(0x7fc0_0000));
        check(ElementType::F32, "-nan(0x7)", Ok(0xff80_0007));
        check(
            ElementType::F32,
            "infinity",
            Err("'infinity' is not a value of type f32"),
        );
        check(ElementType::F64, "0x1.8p+1", Ok(3.0_f64.to_bits()));
        check(ElementType::F8E4M3FN, "-nan", Ok(0xff));
        check(ElementType::F8E5M2FNUZ, "-nan", Ok(0x80));
        check(
            ElementType::F8E4M3FN,
            "500",
            Err("500 is out of the range of type f8e4m3fn"),
        );
        check(ElementType::BF16, "3", Ok(0x4040));
    }
}
