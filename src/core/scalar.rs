//! One element of a literal, independent of its storage.

use num_complex::Complex;

use crate::ElementType;
use crate::literal::{scalar_at, set_scalar_at};

/// The value of an element, wide enough for every element type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scalar {
    Bool(bool),
    /// Of a signed or unsigned integer type.
    Int(i128),
    /// Of any float type; exact, since `f64` holds every narrower format.
    Float(f64),
    Complex(Complex<f64>),
}

impl Scalar {
    /// The value as a real number: the real part of a complex one, 0 or 1 for a boolean. Integers
    /// beyond 2^53 are rounded.
    pub fn to_f64(self) -> f64 {
        match self {
            Self::Bool(value) => f64::from(u8::from(value)),
            Self::Int(value) => value as f64,
            Self::Float(value) => value,
            Self::Complex(value) => value.re,
        }
    }

    /// The value as an integer: floats truncated toward zero and saturated,
    /// NaN as 0.
    pub fn to_i128(self) -> i128 {
        match self {
            Self::Bool(value) => i128::from(value),
            Self::Int(value) => value,
            Self::Float(value) => value as i128,
            Self::Complex(value) => value.re as i128,
        }
    }

    /// The value as a complex number.
    pub fn to_complex(self) -> Complex<f64> {
        match self {
            Self::Complex(value) => value,
            other => Complex::new(other.to_f64(), 0.0),
        }
    }

    /// The value of an element of this type after it was [set](crate::Literal::set) to this one.
    pub fn stored_as(self, element_type: ElementType) -> Self {
        let mut bytes = [0; 16];
        set_scalar_at(element_type, &mut bytes, 0, self);
        scalar_at(element_type, &bytes, 0)
    }

    /// Returns true if the value differs from zero; NaN does.
    pub fn to_bool(self) -> bool {
        match self {
            Self::Bool(value) => value,
            Self::Int(value) => value != 0,
            Self::Float(value) => value != 0.0,
            Self::Complex(value) => value.re != 0.0 || value.im != 0.0,
        }
    }
}

impl From<bool> for Scalar {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<i128> for Scalar {
    fn from(value: i128) -> Self {
        Self::Int(value)
    }
}

impl From<i64> for Scalar {
    fn from(value: i64) -> Self {
        Self::Int(value.into())
    }
}

impl From<f64> for Scalar {
    fn from(value: f64) -> Self {
        Self::Float(value)
    }
}

impl From<Complex<f64>> for Scalar {
    fn from(value: Complex<f64>) -> Self {
        Self::Complex(value)
    }
}
