//! Floats, in as few digits as XLA prints.

use halo_core::{ElementType, FloatFormat, float_format::SpecialValues};

/// The text of a float from its bits, which reads back as the same bits.
pub(super) fn float(element_type: ElementType, bits: u64) -> String {
    let Some(format) = element_type.float_format() else {
        return String::new();
    };
    if format.is_nan(bits) {
        return nan(format, bits);
    }
    let value = match element_type.real_part() {
        ElementType::F64 => f64::from_bits(bits),
        ElementType::F32 => f64::from(f32::from_bits(bits as u32)),
        _ => format.to_f64(bits),
    };
    if value.is_infinite() {
        let text = if value < 0.0 { "-inf" } else { "inf" };
        return text.to_owned();
    }
    // XLA parses `-0` as an integer, which has no sign.
    if value == 0.0 && value.is_sign_negative() {
        return "-0.0".to_owned();
    }
    match element_type.real_part() {
        ElementType::F64 => decimal(value),
        ElementType::F32 => {
            let short = general(value, 6);
            let rounded = short.parse().map(|value: f64| value as f32);
            if rounded.is_ok_and(|rounded| f64::from(rounded) == value) {
                return short;
            }
            general(value, 9)
        }
        _ => general(value, digits(format)),
    }
}

/// A number with 15 digits, or 17 if needed.
pub(super) fn decimal(value: f64) -> String {
    let short = general(value, 15);
    if short.parse() == Ok(value) {
        return short;
    }
    general(value, 17)
}

/// The number of decimal digits that distinguish the numbers of a format.
fn digits(format: FloatFormat) -> usize {
    // 1 + ceil(precision * log10(2))
    1 + (format.precision() as usize * 30103).div_ceil(100_000)
}

fn nan(format: FloatFormat, bits: u64) -> String {
    let is_negative = match format.special {
        SpecialValues::Ieee | SpecialValues::NanOnly => bits & format.sign_bit() != 0,
        // The only NaN has the sign bit.
        SpecialValues::NegativeZeroIsNan => true,
        SpecialValues::None | SpecialValues::PowersOfTwo => false,
    };
    let sign = if is_negative { "-" } else { "" };
    let magnitude = bits & format.magnitude_mask();
    if format.special != SpecialValues::Ieee || magnitude == format.nan() {
        return format!("{sign}nan");
    }
    let payload = magnitude & ((1 << format.mantissa_bits) - 1);
    format!("{sign}nan(0x{payload:x})")
}

/// C's format `%.<digits>g`.
fn general(value: f64, digits: usize) -> String {
    let scientific = format!("{value:.*e}", digits.saturating_sub(1));
    let Some((mantissa, exponent)) = scientific.split_once('e') else {
        return scientific;
    };
    let exponent: i32 = exponent.parse().unwrap_or_default();
    let decimals = digits as i32 - 1 - exponent;
    if exponent < -4 || decimals < 0 {
        let sign = if exponent < 0 { '-' } else { '+' };
        let exponent = exponent.unsigned_abs();
        return format!("{}e{sign}{exponent:02}", without_zeros(mantissa));
    }
    let fixed = format!("{value:.*}", decimals as usize);
    without_zeros(&fixed).to_owned()
}

/// Without the zeros after the point.
fn without_zeros(text: &str) -> &str {
    if !text.contains('.') {
        return text;
    }
    text.trim_end_matches('0').trim_end_matches('.')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Expected as C's printf prints.
    #[test]
    fn general_is_that_of_c() {
        let cases = [
            (100_000.0, 6, "100000"),
            (1_000_000.0, 6, "1e+06"),
            (0.0001, 6, "0.0001"),
            (0.00001, 6, "1e-05"),
            (1.5, 6, "1.5"),
            (3.140625, 4, "3.141"),
            (65504.0, 5, "65504"),
            (1e300, 15, "1e+300"),
            (0.0, 6, "0"),
            (-2.5, 2, "-2.5"),
        ];
        for (value, digits, text) in cases {
            assert_eq!(general(value, digits), text);
        }
    }

    #[test]
    fn floats_read_back() {
        let cases = [
            (ElementType::F32, 0x3dcc_cccd, "0.1"),
            (ElementType::F32, 0x3eaa_aaab, "0.333333343"),
            (ElementType::F32, 0x8000_0000, "-0.0"),
            (ElementType::F32, 0xff80_0007, "-nan(0x7)"),
            (
                ElementType::F64,
                0x4009_21fb_5444_2d18,
                "3.1415926535897931",
            ),
            (ElementType::F16, 0x2e66, "0.099976"),
            (ElementType::F8E5M2FNUZ, 0x80, "-nan"),
            (ElementType::F8E8M0FNU, 0x7e, "0.5"),
            (ElementType::F4E2M1FN, 0x7, "6"),
        ];
        for (element_type, bits, text) in cases {
            assert_eq!(float(element_type, bits), text);
        }
    }

    /// Every value of every type of at most 16 bits.
    #[test]
    fn narrow_floats_read_back() {
        for element_type in ElementType::ALL {
            if !element_type.is_float() || element_type.bit_width() > 16 {
                continue;
            }
            for bits in 0..1_u64 << element_type.bit_width() {
                let text = float(element_type, bits);
                let read = crate::parser::element_bits(element_type, &text);
                assert_eq!(read, Ok(bits), "{element_type} {text}");
            }
        }
    }
}
