//! Section `convert`.

use halo_core::element_type::Class;
use halo_core::{ElementType, Scalar};

/// Converts an element to another type.
///
/// Booleans are 0 and 1, and nonzero numbers are true; for a complex number, only the real part
/// counts. Floats are truncated to integers, with saturation. Integers become the nearest float,
/// ties to even. Conversion from complex to real drops the imaginary part.
pub fn convert(value: Scalar, from: ElementType, to: ElementType) -> Scalar {
    match (from.class(), to.class()) {
        (Class::Complex, Class::Boolean) => (value.to_f64() != 0.0).into(),
        (Class::Float | Class::Complex, Class::Signed | Class::Unsigned) => {
            let (minimum, maximum) = integer_range(to);
            value.to_i128().clamp(minimum, maximum).into()
        }
        (Class::Signed | Class::Unsigned, Class::Float | Class::Complex) => {
            let value = value.to_i128();
            match to.real_part() {
                ElementType::F64 => (value as f64).into(),
                _ => to_odd(value).into(),
            }
        }
        _ => value,
    }
}

/// The smallest and the largest integer of a type.
pub fn integer_range(element: ElementType) -> (i128, i128) {
    let bits = element.bit_width();
    if element.is_signed_integer() {
        (-(1 << (bits - 1)), (1 << (bits - 1)) - 1)
    } else {
        (0, (1 << bits) - 1)
    }
}

/// Converts an integer to `f64` with rounding to odd: rounding the result to a narrower format is
/// then as exact as rounding once.
fn to_odd(value: i128) -> f64 {
    let magnitude = value.unsigned_abs();
    let excess = (u128::BITS - magnitude.leading_zeros()).saturating_sub(f64::MANTISSA_DIGITS);
    let kept = magnitude >> excess;
    let sticky = u128::from(kept << excess != magnitude);
    let rounded = (kept | sticky) as f64 * (excess as f64).exp2();
    if value < 0 { -rounded } else { rounded }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_rounded_once() {
        let float = |value: i128, to| convert(value.into(), ElementType::I64, to).stored_as(to);
        // Half way between two f32, except for the last bit.
        let value = (1 << 62) + (1 << 38) + 1;
        assert_eq!(
            float(value, ElementType::F32),
            Scalar::Float(2_f64.powi(62) + 2_f64.powi(39))
        );
        assert_eq!(
            float(-value, ElementType::F64),
            Scalar::Float(-(value as f64))
        );
    }

    #[test]
    fn floats_saturate() {
        let integer = |value: f64, to| convert(value.into(), ElementType::F32, to);
        assert_eq!(integer(300.7, ElementType::Ui8), Scalar::Int(255));
        assert_eq!(integer(-1.5, ElementType::Ui8), Scalar::Int(0));
        assert_eq!(integer(-1.5, ElementType::I8), Scalar::Int(-1));
        assert_eq!(integer(f64::NAN, ElementType::I8), Scalar::Int(0));
        assert_eq!(integer(f64::INFINITY, ElementType::I4), Scalar::Int(7));
    }
}
