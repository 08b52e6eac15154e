//! The subjects of the specification's constraints: tensors with shapes and element types, each
//! with a name for messages.
//!
//! Checks build messages only on failure, and first compare types by identity: types are unique in
//! a context, and types that must be compatible are usually identical.

use super::{
    dims::{Dim, ShapeText, shapes_agree},
    ty::Ty,
};
use std::fmt;

/// An error if the op is invalid.
pub type VerifyResult = Result<(), String>;

/// A value of an op, for messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// An operand, by number.
    Operand(usize),
    /// A result, by number.
    Result(usize),
    /// An argument of a region.
    Argument { region: usize, number: usize },
    /// A value that a region returns.
    Returned { region: usize, number: usize },
}

impl fmt::Display for Subject {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Operand(number) => write!(formatter, "operand {number}"),
            Self::Result(number) => write!(formatter, "result {number}"),
            Self::Argument { region, number } => {
                write!(formatter, "argument {number} of region {region}")
            }
            Self::Returned { region, number } => {
                write!(formatter, "value {number} returned by region {region}")
            }
        }
    }
}

/// The widest element in bytes, `complex<f64>`.
const MAX_ELEMENT_BYTES: i64 = 16;

/// Fails if the byte size of a tensor overflows, so that later code need not check products of
/// sizes. Dimensions of size zero do not hide an overflow of the others, because strides need
/// those.
pub fn expect_countable<T: Ty>(subject: Subject, ty: T) -> VerifyResult {
    let bytes = ty.dims().unwrap_or_default().into_iter().try_fold(
        MAX_ELEMENT_BYTES,
        |bytes, dim| match dim.size() {
            Some(size) => bytes.checked_mul(size.max(1)),
            None => Some(bytes),
        },
    );
    match bytes {
        Some(_) => Ok(()),
        None => Err(format!(
            "{subject} has type {ty}, which has more elements than memory can hold"
        )),
    }
}

/// A value of ranked tensor type.
#[derive(Clone, Debug)]
pub struct Tensor<T> {
    /// Which value it is.
    pub subject: Subject,
    /// Its type.
    pub ty: T,
    /// Its shape.
    pub dims: Vec<Dim>,
    /// The type of its elements.
    pub element: T,
}

impl<T: Ty> Tensor<T> {
    /// Fails if the type is not a ranked tensor.
    pub fn new(subject: Subject, ty: T) -> Result<Self, String> {
        let Some(dims) = dims_of(ty) else {
            return Err(format!(
                "{subject} has type {ty}, which is not a ranked tensor"
            ));
        };
        Ok(Self {
            subject,
            ty,
            dims,
            element: ty.element_type(),
        })
    }

    /// The number of dimensions.
    pub fn rank(&self) -> usize {
        self.dims.len()
    }

    /// The dimension with this index, which may be out of range.
    pub fn dim(&self, number: i64) -> Option<Dim> {
        self.dims.get(usize::try_from(number).ok()?).copied()
    }

    /// The number of elements of a static shape.
    pub fn element_count(&self) -> Option<i64> {
        self.dims.iter().try_fold(1_i64, |count, dim| count.checked_mul(dim.size()?))
    }

    /// Fails if no value of the tensor can have the number of elements of another tensor, as a
    /// reshape requires.
    pub fn expect_element_count_of(&self, other: &Self) -> VerifyResult {
        let product = |sizes: Option<Vec<i64>>| {
            let mut sizes = sizes?.into_iter();
            sizes.try_fold(1_i64, i64::checked_mul)
        };
        for (open, known) in [(self, other), (other, self)] {
            let Some(count) = known.element_count() else {
                continue;
            };
            let limit = product(open.dims.iter().map(|dim| dim.limit()).collect());
            let sizes = open.dims.iter().filter_map(|dim| dim.size());
            let step = product(Some(sizes.collect())).unwrap_or_default();
            let is_multiple = match step {
                0 => count == 0,
                step => count % step == 0,
            };
            let elements = match (open.element_count(), limit) {
                (Some(own), _) if own != count => own.to_string(),
                (None, Some(limit)) if limit < count => format!("at most {limit}"),
                (None, _) if !is_multiple => format!("a multiple of {step}"),
                _ => continue,
            };
            return Err(format!(
                "{} has {elements} elements, but {} has {count} elements",
                open.subject, known.subject
            ));
        }
        Ok(())
    }

    /// Fails unless the tensor has this many dimensions.
    pub fn expect_rank(&self, rank: usize) -> VerifyResult {
        if self.rank() == rank {
            return Ok(());
        }
        Err(format!(
            "{} has rank {}, but it must have rank {rank}",
            self.subject,
            self.rank()
        ))
    }

    /// Fails unless the tensor can have this shape; `source` describes its origin.
    pub fn expect_shape(&self, shape: &[Dim], source: &str) -> VerifyResult {
        if shapes_agree(&self.dims, shape) {
            return Ok(());
        }
        Err(format!(
            "{} has shape {}, but {source} shape {}",
            self.subject,
            ShapeText(&self.dims),
            ShapeText(shape)
        ))
    }

    /// Fails unless a result can have the inferred shape.
    pub fn expect_inferred_shape(&self, shape: &[Dim]) -> VerifyResult {
        self.expect_shape(shape, "the operands and attributes of the op imply")
    }

    /// Fails unless both tensors can have the same shape.
    pub fn expect_shape_of(&self, other: &Self) -> VerifyResult {
        if shapes_agree(&self.dims, &other.dims) {
            return Ok(());
        }
        Err(format!(
            "{} has shape {}, but {} has shape {}",
            self.subject,
            ShapeText(&self.dims),
            other.subject,
            ShapeText(&other.dims)
        ))
    }

    /// Fails unless both tensors have the same element type, up to quantization parameters.
    pub fn expect_element_of(&self, other: &Self) -> VerifyResult {
        if elements_agree(self.element, other.element) {
            return Ok(());
        }
        Err(format!(
            "{} has element type {}, but {} has element type {}",
            self.subject, self.element, other.subject, other.element
        ))
    }
}

/// The dimensions of a ranked tensor with their bounds; `None` for any other type.
pub fn dims_of<T: Ty>(ty: T) -> Option<Vec<Dim>> {
    ty.dims()
}

/// Returns true if two element types are equal up to quantization parameters, which may differ for
/// each value.
pub fn elements_agree<T: Ty>(left: T, right: T) -> bool {
    if left == right {
        return true;
    }
    match (left.quantized(), right.quantized()) {
        (Some(left), Some(right)) => {
            left.stores_like(&right) && left.axis.is_some() == right.axis.is_some()
        }
        _ => false,
    }
}

/// Returns true if the two types may have a common value at run time.
pub fn types_agree<T: Ty>(left: T, right: T) -> bool {
    if left == right {
        return true;
    }
    if let (Some(left), Some(right)) = (left.tuple_types(), right.tuple_types()) {
        let mut pairs = left.iter().zip(&right);
        return left.len() == right.len() && pairs.all(|(left, right)| types_agree(*left, *right));
    }
    match (dims_of(left), dims_of(right)) {
        (Some(left_dims), Some(right_dims)) => {
            shapes_agree(&left_dims, &right_dims)
                && elements_agree(left.element_type(), right.element_type())
        }
        _ => false,
    }
}

/// Fails unless two values have compatible types.
pub fn expect_same_type<T: Ty>(left: (Subject, T), right: (Subject, T)) -> VerifyResult {
    if types_agree(left.1, right.1) {
        return Ok(());
    }
    if let (Ok(left), Ok(right)) = (Tensor::new(left.0, left.1), Tensor::new(right.0, right.1)) {
        left.expect_element_of(&right)?;
        left.expect_shape_of(&right)?;
    }
    Err(format!(
        "{} has type {}, but {} has type {}",
        left.0, left.1, right.0, right.1
    ))
}

/// The type of the real part of a complex type; any other type itself.
pub fn real_type<T: Ty>(element: T) -> T {
    element.complex_element().unwrap_or(element)
}
