//! The shapes that a value may have: some sizes known, some not.
//!
//! A program that was exported for any batch size takes `tensor<?x4xf32>`. A value has a [`Shape`];
//! a declared type of a value in a program is a [`ShapePattern`].

use std::fmt;
use std::str::FromStr;

use smallvec::SmallVec;

use crate::{ElementType, Error, Result, Shape};

/// The type of a parameter: `tensor<?x4xf32>`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ShapePattern {
    element_type: ElementType,
    dims: Vec<Option<usize>>,
}

impl ShapePattern {
    /// A pattern of the given sizes, outermost first; `None` is any size.
    pub fn new(element_type: ElementType, dims: impl Into<Vec<Option<usize>>>) -> Self {
        Self {
            element_type,
            dims: dims.into(),
        }
    }

    pub fn element_type(&self) -> ElementType {
        self.element_type
    }

    /// The sizes, outermost first; `None` is any size.
    pub fn dims(&self) -> &[Option<usize>] {
        &self.dims
    }

    pub fn rank(&self) -> usize {
        self.dims.len()
    }

    /// The shape, if the pattern is static.
    ///
    /// # Errors
    /// Returns an invalid-shape error if a size is unknown, or the shape does not fit in memory.
    pub fn to_shape(&self) -> Result<Shape> {
        let dims: Option<SmallVec<_>> = self.dims.iter().copied().collect();
        let dims = dims
            .ok_or_else(|| Error::InvalidShape(format!("{self} has sizes that are not known")))?;
        Shape::of(self.element_type, dims)
    }

    /// Returns true if all sizes are static.
    pub fn is_static(&self) -> bool {
        self.dims.iter().all(Option::is_some)
    }

    /// Returns true if a shape matches the pattern.
    pub fn matches(&self, shape: &Shape) -> bool {
        self.element_type == shape.element_type()
            && self.rank() == shape.rank()
            && (self.dims.iter().zip(shape.dims()))
                .all(|(own, dim)| own.is_none_or(|own| own == *dim))
    }
}

impl From<&Shape> for ShapePattern {
    fn from(shape: &Shape) -> Self {
        let dims: Vec<_> = shape.dims().iter().copied().map(Some).collect();
        Self::new(shape.element_type(), dims)
    }
}

impl From<Shape> for ShapePattern {
    fn from(shape: Shape) -> Self {
        Self::from(&shape)
    }
}

impl fmt::Display for ShapePattern {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("tensor<")?;
        for dim in &self.dims {
            match dim {
                Some(dim) => write!(formatter, "{dim}x")?,
                None => formatter.write_str("?x")?,
            }
        }
        write!(formatter, "{}>", self.element_type)
    }
}

impl FromStr for ShapePattern {
    type Err = Error;

    /// Reads `tensor<?x3xf32>`.
    fn from_str(text: &str) -> Result<Self> {
        let invalid = || Error::InvalidShape(format!("'{text}' is not a ranked tensor type"));
        let mut rest = text
            .trim()
            .strip_prefix("tensor<")
            .and_then(|rest| rest.strip_suffix('>'))
            .ok_or_else(invalid)?
            .trim();
        let mut dims = Vec::new();
        while rest.starts_with(|first: char| first.is_ascii_digit() || first == '?') {
            let (dim, after) = rest.split_once('x').ok_or_else(invalid)?;
            dims.push(match dim.trim() {
                "?" => None,
                size => Some(size.parse().map_err(|_| invalid())?),
            });
            rest = after;
        }
        let pattern = Self::new(rest.trim().parse()?, dims);
        if pattern.is_static() {
            pattern.to_shape()?;
        }
        Ok(pattern)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pattern(text: &str) -> ShapePattern {
        text.parse().unwrap()
    }

    #[test]
    fn text_round_trips() {
        for text in [
            "tensor<f32>",
            "tensor<?x3xbf16>",
            "tensor<2x?xcomplex<f64>>",
        ] {
            assert_eq!(pattern(text).to_string(), text);
        }
        for text in ["f32", "tensor<?>", "tensor<*xf32>", "tensor<?x-1xf32>"] {
            assert!(text.parse::<ShapePattern>().is_err(), "{text}");
        }
    }

    #[test]
    fn unknown_sizes_match_any() {
        let shape = |text: &str| text.parse::<Shape>().unwrap();
        let some = pattern("tensor<?x3xf32>");
        assert!(some.matches(&shape("tensor<0x3xf32>")));
        assert!(some.matches(&shape("tensor<7x3xf32>")));
        assert!(!some.matches(&shape("tensor<7x4xf32>")));
        assert!(!some.matches(&shape("tensor<7x3xf64>")));
        assert!(!some.matches(&shape("tensor<3xf32>")));
        assert!(some.to_shape().is_err());
        let only = shape("tensor<2x3xf32>");
        assert_eq!(ShapePattern::from(&only).to_shape().unwrap(), only);
    }
}
