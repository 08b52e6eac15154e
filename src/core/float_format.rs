//! Binary float formats as data, and exact conversion between them and `f64`.
//!
//! One algorithm in integer arithmetic serves every format from 4 to 32 bits, without tables or
//! intermediate narrow formats, hence without double rounding. (The conversion instructions for
//! `f16` take `f32`, so code that uses them rounds an `f64` twice.) The ends of each format's range
//! follow numpy's `ml_dtypes`, which JAX uses:
//!
//! | special values                  | overflow          | NaN           |
//! |---------------------------------|-------------------|---------------|
//! | [`SpecialValues::Ieee`]         | infinity          | quiet NaN     |
//! | [`SpecialValues::NanOnly`]      | NaN               | all ones      |
//! | [`SpecialValues::None`]         | largest finite    | negative zero |
//! | [`SpecialValues::NegativeZeroIsNan`] | NaN          | `0x80`        |
//! | [`SpecialValues::PowersOfTwo`]  | NaN               | `0xFF`        |

/// Which bit patterns of a format are not ordinary numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpecialValues {
    /// The largest exponent holds infinities and NaNs.
    Ieee,
    /// `FN`: only the all-ones pattern of either sign is NaN; no infinity.
    NanOnly,
    /// `FN` of fewer than eight bits: every pattern is a number.
    None,
    /// `FNUZ`: the pattern of negative zero is the only NaN; no infinity.
    NegativeZeroIsNan,
    /// `E8M0FNU`: an exponent only, no sign, no zero; `0xFF` is NaN.
    PowersOfTwo,
}

/// A binary float format of at most 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FloatFormat {
    pub exponent_bits: u32,
    /// Bits of the fraction, without the implicit leading one.
    pub mantissa_bits: u32,
    pub bias: i32,
    pub special: SpecialValues,
}

const fn format(exponent_bits: u32, mantissa_bits: u32, bias: i32) -> FloatFormat {
    FloatFormat {
        exponent_bits,
        mantissa_bits,
        bias,
        special: SpecialValues::Ieee,
    }
}

const fn with(special: SpecialValues, format: FloatFormat) -> FloatFormat {
    FloatFormat { special, ..format }
}

pub const F4E2M1FN: FloatFormat = with(SpecialValues::None, format(2, 1, 1));
pub const F6E2M3FN: FloatFormat = with(SpecialValues::None, format(2, 3, 1));
pub const F6E3M2FN: FloatFormat = with(SpecialValues::None, format(3, 2, 3));
pub const F8E3M4: FloatFormat = format(3, 4, 3);
pub const F8E4M3: FloatFormat = format(4, 3, 7);
pub const F8E4M3FN: FloatFormat = with(SpecialValues::NanOnly, format(4, 3, 7));
pub const F8E4M3FNUZ: FloatFormat = with(SpecialValues::NegativeZeroIsNan, format(4, 3, 8));
pub const F8E4M3B11FNUZ: FloatFormat = with(SpecialValues::NegativeZeroIsNan, format(4, 3, 11));
pub const F8E5M2: FloatFormat = format(5, 2, 15);
pub const F8E5M2FNUZ: FloatFormat = with(SpecialValues::NegativeZeroIsNan, format(5, 2, 16));
pub const F8E8M0FNU: FloatFormat = with(SpecialValues::PowersOfTwo, format(8, 0, 127));
pub const BF16: FloatFormat = format(8, 7, 127);
pub const F16: FloatFormat = format(5, 10, 15);
pub const F32: FloatFormat = format(8, 23, 127);
pub const F64: FloatFormat = format(11, 52, 1023);

impl FloatFormat {
    /// The number of bits of a value, including the sign if there is one.
    pub const fn bit_width(self) -> u32 {
        self.exponent_bits + self.mantissa_bits + self.has_sign() as u32
    }

    /// Significant binary digits, the implicit one included.
    pub const fn precision(self) -> u32 {
        self.mantissa_bits + 1
    }

    const fn has_sign(self) -> bool {
        !matches!(self.special, SpecialValues::PowersOfTwo)
    }

    /// The bits of a magnitude: everything below the sign.
    pub const fn magnitude_mask(self) -> u64 {
        (1 << (self.exponent_bits + self.mantissa_bits)) - 1
    }

    /// The sign bit; zero for unsigned formats.
    pub const fn sign_bit(self) -> u64 {
        if self.has_sign() {
            1 << (self.exponent_bits + self.mantissa_bits)
        } else {
            0
        }
    }

    /// The largest finite magnitude.
    pub const fn max_finite(self) -> u64 {
        let all_ones = self.magnitude_mask();
        match self.special {
            SpecialValues::Ieee => all_ones - (1 << self.mantissa_bits),
            SpecialValues::NanOnly | SpecialValues::PowersOfTwo => all_ones - 1,
            SpecialValues::None | SpecialValues::NegativeZeroIsNan => all_ones,
        }
    }

    /// The bits that NaN converts to.
    pub const fn nan(self) -> u64 {
        match self.special {
            SpecialValues::Ieee => {
                self.max_finite() + 1 + (1 << self.mantissa_bits.saturating_sub(1))
            }
            SpecialValues::NanOnly | SpecialValues::PowersOfTwo => self.magnitude_mask(),
            SpecialValues::None | SpecialValues::NegativeZeroIsNan => self.sign_bit(),
        }
    }

    /// Returns true if `bits` is a NaN of this format.
    pub const fn is_nan(self, bits: u64) -> bool {
        let magnitude = bits & self.magnitude_mask();
        match self.special {
            SpecialValues::Ieee => magnitude > self.max_finite() + 1,
            SpecialValues::NanOnly | SpecialValues::PowersOfTwo => {
                magnitude == self.magnitude_mask()
            }
            SpecialValues::None => false,
            SpecialValues::NegativeZeroIsNan => {
                bits & (self.sign_bit() | self.magnitude_mask()) == self.sign_bit()
            }
        }
    }

    /// The position of a number among the numbers of its format, zero being at zero whatever its
    /// sign: adjacent numbers differ by one, so that the distance of two numbers in units in the
    /// last place is the difference of their positions. `None` for NaN. An infinity follows the
    /// largest finite number.
    pub const fn ordinal(self, bits: u64) -> Option<i64> {
        if self.is_nan(bits) {
            return None;
        }
        let magnitude = (bits & self.magnitude_mask()) as i64;
        Some(if bits & self.sign_bit() != 0 {
            -magnitude
        } else {
            magnitude
        })
    }

    /// The value of `bits`; exact. Bits above the format's width are ignored.
    pub fn to_f64(self, bits: u64) -> f64 {
        if self == F64 {
            return f64::from_bits(bits);
        }
        let magnitude = bits & self.magnitude_mask();
        let negative = bits & self.sign_bit() != 0;
        if self.is_nan(bits) {
            // The total order of all values depends on the sign of NaN.
            let signed = matches!(self.special, SpecialValues::Ieee | SpecialValues::NanOnly);
            return if negative && signed {
                -f64::NAN
            } else {
                f64::NAN
            };
        }
        let value = if magnitude > self.max_finite() {
            f64::INFINITY
        } else {
            let exponent = (magnitude >> self.mantissa_bits) as i32;
            let fraction = magnitude & ((1 << self.mantissa_bits) - 1);
            let mantissa_bits = self.mantissa_bits as i32;
            if exponent == 0 && self.special != SpecialValues::PowersOfTwo {
                fraction as f64 * power_of_two(1 - self.bias - mantissa_bits)
            } else {
                let significand = fraction | (1 << self.mantissa_bits);
                significand as f64 * power_of_two(exponent - self.bias - mantissa_bits)
            }
        };
        if negative { -value } else { value }
    }

    /// The bits of the number nearest to `value`, with ties to even.
    pub fn from_f64(self, value: f64) -> u64 {
        if self == F64 {
            return value.to_bits();
        }
        let sign = if value.is_sign_negative() {
            self.sign_bit()
        } else {
            0
        };
        if value.is_nan() {
            // Formats with a single NaN, which has no sign, have its own bits; the others keep the
            // sign.
            return match self.special {
                SpecialValues::Ieee | SpecialValues::NanOnly => sign | self.nan(),
                _ => self.nan(),
            };
        }
        if value.is_infinite() {
            return self.overflow(sign);
        }
        if self.special == SpecialValues::PowersOfTwo && value <= 0.0 {
            return self.nan();
        }
        if value == 0.0 {
            return self.signed(sign, 0);
        }

        // |value| = significand * 2^(exponent - 52), 2^52 <= significand < 2^53.
        let (significand, exponent) = decompose(value);
        let min_exponent = match self.special {
            SpecialValues::PowersOfTwo => -self.bias,
            _ => 1 - self.bias,
        };
        // The number of significand bits below the result's last place.
        let shift = 52 - self.mantissa_bits as i32 + (min_exponent - exponent).max(0);
        let rounded = round_shift_right(significand, shift);
        let magnitude = if exponent >= min_exponent {
            // A carry out of the fraction moves into the exponent by itself.
            let biased = (exponent + self.bias) as u64;
            (biased << self.mantissa_bits) + rounded - (1 << self.mantissa_bits)
        } else if self.special == SpecialValues::PowersOfTwo {
            0
        } else {
            rounded
        };
        if magnitude > self.max_finite() {
            self.overflow(sign)
        } else {
            self.signed(sign, magnitude)
        }
    }

    /// Returns true if a number is in the range of this format: neither an infinity, nor rounded to
    /// an overflow.
    pub fn holds(self, value: f64) -> bool {
        let magnitude = value.abs();
        let sign_fits = self.special != SpecialValues::PowersOfTwo || value > 0.0;
        let saturates = self.special == SpecialValues::None;
        let rounds_down =
            || !saturates && value.is_finite() && self.from_f64(magnitude) == self.max_finite();
        sign_fits && (magnitude <= self.to_f64(self.max_finite()) || rounds_down())
    }

    /// The bits of a magnitude with a sign; FNUZ has no negative zero.
    const fn signed(self, sign: u64, magnitude: u64) -> u64 {
        if magnitude == 0 && matches!(self.special, SpecialValues::NegativeZeroIsNan) {
            0
        } else {
            sign | magnitude
        }
    }

    /// The bits that a number too large for the format becomes.
    pub const fn overflow(self, sign: u64) -> u64 {
        match self.special {
            SpecialValues::Ieee => sign | (self.max_finite() + 1),
            SpecialValues::NanOnly => sign | self.nan(),
            SpecialValues::None => sign | self.max_finite(),
            SpecialValues::NegativeZeroIsNan | SpecialValues::PowersOfTwo => self.nan(),
        }
    }
}

/// 2^exponent for exponents of normal `f64` numbers.
fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((exponent + 1023) as u64) << 52)
}

/// The significand (with its leading one at bit 52) and exponent of a finite
/// number other than zero.
fn decompose(value: f64) -> (u64, i32) {
    let bits = value.to_bits();
    let fraction = bits & ((1 << 52) - 1);
    let exponent = ((bits >> 52) & 0x7ff) as i32;
    if exponent == 0 {
        let shift = fraction.leading_zeros() as i32 - 11;
        (fraction << shift, -1022 - shift)
    } else {
        (fraction | (1 << 52), exponent - 1023)
    }
}

/// `value / 2^shift`, to the nearest integer, ties to even; `shift` >= 1.
fn round_shift_right(value: u64, shift: i32) -> u64 {
    if shift > 54 {
        return 0;
    }
    let quotient = value >> shift;
    let remainder = value & ((1 << shift) - 1);
    let half = 1 << (shift - 1);
    if remainder > half || (remainder == half && quotient & 1 == 1) {
        quotient + 1
    } else {
        quotient
    }
}

#[cfg(test)]
#[path = "float_format_tests.rs"]
mod tests;
