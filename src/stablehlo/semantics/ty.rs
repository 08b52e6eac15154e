//! The types of a representation of programs.

use super::dims::Dim;
use std::fmt::{Debug, Display};

/// A type of a program.
pub trait Ty: Copy + PartialEq + Debug + Display {
    /// The dimensions of a ranked tensor with their bounds; `None` for any other type.
    fn dims(self) -> Option<Vec<Dim>>;
    /// The type of the elements of a tensor; any other type itself.
    fn element_type(self) -> Self;
    /// A tensor type of the same shape; for a type that is no tensor, the element type.
    fn with_element_type(self, element: Self) -> Self;
    /// A ranked tensor type, for an element type.
    fn tensor_of(self, dims: &[Dim]) -> Self;
    /// `tensor<*xT>`, for an element type.
    fn unranked_tensor_of(self) -> Self;
    /// Returns true for tensors, ranked or not.
    fn is_tensor(self) -> bool;
    fn is_token(self) -> bool;
    fn is_float(self) -> bool;
    /// Returns true for integers of any signedness, and booleans.
    fn is_integer(self) -> bool;
    fn is_signless(self) -> bool;
    fn is_unsigned(self) -> bool;
    /// The width of an integer or a float.
    fn bit_width(self) -> Option<u32>;
    /// The type of the parts of a complex type.
    fn complex_element(self) -> Option<Self>;
    /// The complex type of this type of parts.
    fn complex_of(self) -> Self;
    /// The quantization of an element type, if any.
    fn quantized(self) -> Option<Quantized<Self>>;
    /// The element types of a tuple.
    fn tuple_types(self) -> Option<Vec<Self>>;
    /// The types of the values of a future.
    fn future_types(self) -> Option<Vec<Self>>;

    /// The width of an integer type.
    fn integer_width(self) -> Option<u32> {
        if self.is_integer() {
            self.bit_width()
        } else {
            None
        }
    }

    fn is_complex(self) -> bool {
        self.complex_element().is_some()
    }
}

/// A uniformly quantized element type, per tensor or per axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Quantized<T> {
    /// The type of the stored integers.
    pub storage: T,
    pub is_signed: bool,
    /// The type of the represented real numbers.
    pub expressed: T,
    /// The smallest and the largest stored integer.
    pub range: (i64, i64),
    /// The dimension with separate scales per slice; `None` for per-tensor quantization.
    pub axis: Option<i64>,
    /// The scales and their zero points: one, or one for each slice.
    pub parameters: Vec<(f64, i64)>,
}

impl<T: Ty> Quantized<T> {
    /// Returns true if all zero points are zero.
    pub fn is_symmetric(&self) -> bool {
        self.parameters.iter().all(|(_, zero)| *zero == 0)
    }

    /// Returns true if both have the same storage and expressed types.
    pub fn stores_like(&self, other: &Self) -> bool {
        self.storage == other.storage
            && self.is_signed == other.is_signed
            && self.expressed == other.expressed
            && self.range == other.range
    }
}
