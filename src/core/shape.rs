//! Static shapes: an element type and the sizes of the dimensions.
//!
//! The byte size of a [`Shape`] always fits the address space, so that its users multiply sizes
//! without overflow checks. Dynamic dimensions exist only in the compiler: they are resolved before
//! a value exists.

use std::fmt;
use std::str::FromStr;

use smallvec::SmallVec;

use crate::{ElementType, Error, Result, ShapePattern};

/// The type of a value: `tensor<2x3xf32>`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Shape {
    element_type: ElementType,
    dims: SmallVec<[usize; 4]>,
    element_count: usize,
}

impl Shape {
    /// A shape of the given dimensions, outermost first; empty for a scalar.
    ///
    /// # Errors
    /// Returns an error if the elements would not fit in `isize::MAX` bytes. Dimensions of size
    /// zero do not hide an overflow of the others: strides need those.
    pub fn new(element_type: ElementType, dims: impl Into<Vec<usize>>) -> Result<Self> {
        Self::of(element_type, SmallVec::from_vec(dims.into()))
    }

    /// Like [`new`](Self::new), for sizes that are stored inline if they are few.
    pub(crate) fn of(element_type: ElementType, dims: SmallVec<[usize; 4]>) -> Result<Self> {
        let nonzero = dims.iter().filter(|dim| **dim != 0);
        nonzero
            .copied()
            .try_fold(element_type.byte_width(), usize::checked_mul)
            .filter(|bytes| isize::try_from(*bytes).is_ok())
            .ok_or_else(|| {
                Error::InvalidShape(format!(
                    "{} does not fit in memory",
                    Spelling(element_type, &dims)
                ))
            })?;
        Ok(Self {
            element_count: dims.iter().product(),
            element_type,
            dims,
        })
    }

    /// The shape of a single element.
    pub fn scalar(element_type: ElementType) -> Self {
        Self {
            element_type,
            dims: SmallVec::new(),
            element_count: 1,
        }
    }

    pub fn element_type(&self) -> ElementType {
        self.element_type
    }

    /// The sizes of the dimensions, outermost first.
    pub fn dims(&self) -> &[usize] {
        &self.dims
    }

    pub fn rank(&self) -> usize {
        self.dims.len()
    }

    pub fn element_count(&self) -> usize {
        self.element_count
    }

    /// The size of a literal of this shape in bytes; see [`ElementType::byte_width`].
    pub fn byte_size(&self) -> usize {
        self.element_count * self.element_type.byte_width()
    }

    /// The same dimensions with another element type.
    ///
    /// # Errors
    /// Returns an error if those elements would not fit in memory.
    pub fn with_element_type(&self, element_type: ElementType) -> Result<Self> {
        Self::of(element_type, self.dims.clone())
    }

    /// The distance, in elements, between adjacent elements along each dimension in row-major
    /// order.
    pub fn strides(&self) -> Vec<usize> {
        let mut strides = vec![1; self.dims.len()];
        for axis in (1..self.dims.len()).rev() {
            strides[axis - 1] = strides[axis] * self.dims[axis].max(1);
        }
        strides
    }

    /// The row-major position of an index; `None` if it is out of range.
    pub fn linear_index(&self, index: &[usize]) -> Option<usize> {
        if index.len() != self.dims.len() {
            return None;
        }
        index
            .iter()
            .zip(&self.dims)
            .try_fold(0, |linear, (&i, &dim)| (i < dim).then(|| linear * dim + i))
    }

    /// The index at a row-major position: the inverse of
    /// [`linear_index`](Self::linear_index).
    pub fn multi_index(&self, mut linear: usize) -> Vec<usize> {
        let mut index = vec![0; self.dims.len()];
        for (i, &dim) in index.iter_mut().zip(&self.dims).rev() {
            *i = linear % dim.max(1);
            linear /= dim.max(1);
        }
        index
    }

    /// All indices in row-major order.
    pub fn indices(&self) -> Indices<'_> {
        Indices {
            dims: &self.dims,
            next: (self.element_count > 0).then(|| vec![0; self.dims.len()]),
        }
    }
}

/// The iterator of [`Shape::indices`].
pub struct Indices<'a> {
    dims: &'a [usize],
    next: Option<Vec<usize>>,
}

impl Iterator for Indices<'_> {
    type Item = Vec<usize>;

    fn next(&mut self) -> Option<Vec<usize>> {
        let current = self.next.take()?;
        let mut next = current.clone();
        for axis in (0..next.len()).rev() {
            next[axis] += 1;
            if next[axis] < self.dims[axis] {
                self.next = Some(next);
                break;
            }
            next[axis] = 0;
        }
        Some(current)
    }
}

struct Spelling<'a>(ElementType, &'a [usize]);

impl fmt::Display for Spelling<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("tensor<")?;
        for dim in self.1 {
            write!(formatter, "{dim}x")?;
        }
        write!(formatter, "{}>", self.0)
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        Spelling(self.element_type, &self.dims).fmt(formatter)
    }
}

impl FromStr for Shape {
    type Err = Error;

    /// Parses `tensor<2x3xf32>`; the dimensions must be static.
    fn from_str(text: &str) -> Result<Self> {
        let pattern: ShapePattern = text.parse()?;
        pattern.to_shape()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(text: &str) -> Shape {
        text.parse().unwrap()
    }

    #[test]
    fn text_round_trips() {
        for text in [
            "tensor<f32>",
            "tensor<2x3xbf16>",
            "tensor<0x4xcomplex<f64>>",
            "tensor<1xui4>",
        ] {
            assert_eq!(shape(text).to_string(), text);
        }
        for text in [
            "f32",
            "tensor<?xf32>",
            "tensor<2xf32",
            "tensor<2x3>",
            "tensor<>",
        ] {
            assert!(text.parse::<Shape>().is_err(), "{text}");
        }
    }

    #[test]
    fn counts_and_strides() {
        let s = shape("tensor<2x3x4xi16>");
        assert_eq!((s.rank(), s.element_count(), s.byte_size()), (3, 24, 48));
        assert_eq!(s.strides(), [12, 4, 1]);
        assert_eq!(shape("tensor<f64>").element_count(), 1);
        assert_eq!(shape("tensor<3x0xf64>").byte_size(), 0);
    }

    #[test]
    fn sizes_beyond_the_address_space_are_errors() {
        let error = Shape::new(ElementType::F32, [1 << 40, 1 << 40]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "invalid shape: tensor<1099511627776x1099511627776xf32> does not fit in memory"
        );
        assert!(Shape::new(ElementType::I8, [usize::MAX]).is_err());
        assert!(Shape::new(ElementType::I8, [0, usize::MAX, 2]).is_err());
    }

    #[test]
    fn indices_and_positions_agree() {
        let s = shape("tensor<2x3x2xi8>");
        for (position, index) in s.indices().enumerate() {
            assert_eq!(s.linear_index(&index), Some(position));
            assert_eq!(s.multi_index(position), index);
        }
        assert_eq!(s.indices().count(), 12);
        assert_eq!(shape("tensor<i8>").indices().count(), 1);
        assert_eq!(shape("tensor<2x0xi8>").indices().count(), 0);
        assert_eq!(s.linear_index(&[0, 3, 0]), None);
        assert_eq!(s.linear_index(&[0, 0]), None);
    }
}
