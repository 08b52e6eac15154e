//! The element types that StableHLO tensors may have.
//!
//! Types narrower than a byte are stored one element per byte, as numpy's `ml_dtypes` stores them:
//! integers sign- or zero-extended, floats with their bits in the low end. Packing is a property of
//! a device buffer, never of a literal. `tf32` is intentionally absent: the specification allows it
//! as the precision of a dot algorithm, not as the element type of a tensor.

use std::fmt;
use std::str::FromStr;

use crate::float_format::{self, FloatFormat};
use crate::{Error, Result};

/// The type of the elements of a tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ElementType {
    I1,
    I2,
    I4,
    I8,
    I16,
    I32,
    I64,
    Ui2,
    Ui4,
    Ui8,
    Ui16,
    Ui32,
    Ui64,
    F4E2M1FN,
    F6E2M3FN,
    F6E3M2FN,
    F8E3M4,
    F8E4M3,
    F8E4M3FN,
    F8E4M3FNUZ,
    F8E4M3B11FNUZ,
    F8E5M2,
    F8E5M2FNUZ,
    F8E8M0FNU,
    BF16,
    F16,
    F32,
    F64,
    /// `complex<f32>`: real part, then imaginary part.
    Complex64,
    /// `complex<f64>`: real part, then imaginary part.
    Complex128,
}

/// The arithmetic of an element type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// `i1`.
    Boolean,
    /// `iN`, N > 1: two's complement.
    Signed,
    /// `uiN`.
    Unsigned,
    /// Any of the binary float formats.
    Float,
    /// A pair of floats.
    Complex,
}

impl ElementType {
    /// Every element type, in the order of the declaration.
    pub const ALL: [Self; 30] = [
        Self::I1,
        Self::I2,
        Self::I4,
        Self::I8,
        Self::I16,
        Self::I32,
        Self::I64,
        Self::Ui2,
        Self::Ui4,
        Self::Ui8,
        Self::Ui16,
        Self::Ui32,
        Self::Ui64,
        Self::F4E2M1FN,
        Self::F6E2M3FN,
        Self::F6E3M2FN,
        Self::F8E3M4,
        Self::F8E4M3,
        Self::F8E4M3FN,
        Self::F8E4M3FNUZ,
        Self::F8E4M3B11FNUZ,
        Self::F8E5M2,
        Self::F8E5M2FNUZ,
        Self::F8E8M0FNU,
        Self::BF16,
        Self::F16,
        Self::F32,
        Self::F64,
        Self::Complex64,
        Self::Complex128,
    ];

    /// The spelling in MLIR: `i1`, `ui8`, `f8E4M3FN`, `complex<f32>`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::I1 => "i1",
            Self::I2 => "i2",
            Self::I4 => "i4",
            Self::I8 => "i8",
            Self::I16 => "i16",
            Self::I32 => "i32",
            Self::I64 => "i64",
            Self::Ui2 => "ui2",
            Self::Ui4 => "ui4",
            Self::Ui8 => "ui8",
            Self::Ui16 => "ui16",
            Self::Ui32 => "ui32",
            Self::Ui64 => "ui64",
            Self::F4E2M1FN => "f4E2M1FN",
            Self::F6E2M3FN => "f6E2M3FN",
            Self::F6E3M2FN => "f6E3M2FN",
            Self::F8E3M4 => "f8E3M4",
            Self::F8E4M3 => "f8E4M3",
            Self::F8E4M3FN => "f8E4M3FN",
            Self::F8E4M3FNUZ => "f8E4M3FNUZ",
            Self::F8E4M3B11FNUZ => "f8E4M3B11FNUZ",
            Self::F8E5M2 => "f8E5M2",
            Self::F8E5M2FNUZ => "f8E5M2FNUZ",
            Self::F8E8M0FNU => "f8E8M0FNU",
            Self::BF16 => "bf16",
            Self::F16 => "f16",
            Self::F32 => "f32",
            Self::F64 => "f64",
            Self::Complex64 => "complex<f32>",
            Self::Complex128 => "complex<f64>",
        }
    }

    /// The number of value bits; for complex types, of both components.
    pub const fn bit_width(self) -> u32 {
        match self {
            Self::I1 => 1,
            Self::I2 | Self::Ui2 => 2,
            Self::I4 | Self::Ui4 | Self::F4E2M1FN => 4,
            Self::F6E2M3FN | Self::F6E3M2FN => 6,
            Self::I8
            | Self::Ui8
            | Self::F8E3M4
            | Self::F8E4M3
            | Self::F8E4M3FN
            | Self::F8E4M3FNUZ
            | Self::F8E4M3B11FNUZ
            | Self::F8E5M2
            | Self::F8E5M2FNUZ
            | Self::F8E8M0FNU => 8,
            Self::I16 | Self::Ui16 | Self::BF16 | Self::F16 => 16,
            Self::I32 | Self::Ui32 | Self::F32 => 32,
            Self::I64 | Self::Ui64 | Self::F64 | Self::Complex64 => 64,
            Self::Complex128 => 128,
        }
    }

    /// The size of an element in a literal in bytes; at least one.
    pub const fn byte_width(self) -> usize {
        (self.bit_width() as usize).div_ceil(8)
    }

    /// The arithmetic of the type.
    pub const fn class(self) -> Class {
        match self {
            Self::I1 => Class::Boolean,
            Self::I2 | Self::I4 | Self::I8 | Self::I16 | Self::I32 | Self::I64 => Class::Signed,
            Self::Ui2 | Self::Ui4 | Self::Ui8 | Self::Ui16 | Self::Ui32 | Self::Ui64 => {
                Class::Unsigned
            }
            Self::Complex64 | Self::Complex128 => Class::Complex,
            _ => Class::Float,
        }
    }

    /// Returns true if this is `i1`.
    pub const fn is_boolean(self) -> bool {
        matches!(self.class(), Class::Boolean)
    }

    /// Returns true if this is a signed or unsigned integer of two bits or more.
    pub const fn is_integer(self) -> bool {
        matches!(self.class(), Class::Signed | Class::Unsigned)
    }

    /// Returns true if this is a signed integer of two bits or more.
    pub const fn is_signed_integer(self) -> bool {
        matches!(self.class(), Class::Signed)
    }

    /// Returns true if this is an unsigned integer of two bits or more.
    pub const fn is_unsigned_integer(self) -> bool {
        matches!(self.class(), Class::Unsigned)
    }

    /// Returns true if this is a real float.
    pub const fn is_float(self) -> bool {
        matches!(self.class(), Class::Float)
    }

    /// Returns true if this is `complex<f32>` or `complex<f64>`.
    pub const fn is_complex(self) -> bool {
        matches!(self.class(), Class::Complex)
    }

    /// The component type of a complex type; any other type itself.
    pub const fn real_part(self) -> Self {
        match self {
            Self::Complex64 => Self::F32,
            Self::Complex128 => Self::F64,
            other => other,
        }
    }

    /// The bit format of a float type, or of the components of a complex type.
    pub const fn float_format(self) -> Option<FloatFormat> {
        Some(match self.real_part() {
            Self::F4E2M1FN => float_format::F4E2M1FN,
            Self::F6E2M3FN => float_format::F6E2M3FN,
            Self::F6E3M2FN => float_format::F6E3M2FN,
            Self::F8E3M4 => float_format::F8E3M4,
            Self::F8E4M3 => float_format::F8E4M3,
            Self::F8E4M3FN => float_format::F8E4M3FN,
            Self::F8E4M3FNUZ => float_format::F8E4M3FNUZ,
            Self::F8E4M3B11FNUZ => float_format::F8E4M3B11FNUZ,
            Self::F8E5M2 => float_format::F8E5M2,
            Self::F8E5M2FNUZ => float_format::F8E5M2FNUZ,
            Self::F8E8M0FNU => float_format::F8E8M0FNU,
            Self::BF16 => float_format::BF16,
            Self::F16 => float_format::F16,
            Self::F32 => float_format::F32,
            Self::F64 => float_format::F64,
            _ => return None,
        })
    }
}

impl fmt::Display for ElementType {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

impl FromStr for ElementType {
    type Err = Error;

    /// Reads the MLIR spelling.
    fn from_str(text: &str) -> Result<Self> {
        Self::ALL
            .into_iter()
            .find(|element_type| element_type.name() == text)
            .ok_or_else(|| Error::UnknownElementType(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_reads_back() {
        for element_type in ElementType::ALL {
            assert_eq!(
                element_type.to_string().parse::<ElementType>().unwrap(),
                element_type
            );
        }
    }

    #[test]
    fn unknown_names_are_errors() {
        for text in ["", "f33", "si8", "F32", "complex<i32>", "tf32"] {
            assert_eq!(
                text.parse::<ElementType>().unwrap_err().to_string(),
                format!("unknown element type '{text}'")
            );
        }
    }

    #[test]
    fn narrow_types_take_a_byte() {
        assert_eq!(ElementType::I1.byte_width(), 1);
        assert_eq!(ElementType::Ui4.byte_width(), 1);
        assert_eq!(ElementType::F6E3M2FN.byte_width(), 1);
        assert_eq!(ElementType::BF16.byte_width(), 2);
        assert_eq!(ElementType::Complex128.byte_width(), 16);
    }

    #[test]
    fn classes_partition_the_types() {
        for element_type in ElementType::ALL {
            let classes = [
                element_type.is_boolean(),
                element_type.is_integer(),
                element_type.is_float(),
                element_type.is_complex(),
            ];
            assert_eq!(classes.into_iter().filter(|yes| *yes).count(), 1);
            assert_eq!(
                element_type.float_format().is_some(),
                element_type.is_float() || element_type.is_complex()
            );
        }
    }
}
