//! The order in which a buffer keeps the elements of a shape.
//!
//! `minor_to_major` is the format of StableHLO's `operand_layouts` and HLO's `{1,0}`: the fastest
//! varying dimension comes first. Literals are always row-major; other layouts occur only at the
//! interfaces of a program.

use std::fmt;
use std::str::FromStr;

use crate::{Error, Result, Shape};

/// A permutation of the dimensions, fastest varying first.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Layout {
    minor_to_major: Vec<usize>,
}

impl Layout {
    /// # Errors
    /// Returns an error if `minor_to_major` does not name every dimension once.
    pub fn new(minor_to_major: impl Into<Vec<usize>>) -> Result<Self> {
        let minor_to_major = minor_to_major.into();
        let mut seen = vec![false; minor_to_major.len()];
        for &dim in &minor_to_major {
            match seen.get_mut(dim) {
                Some(seen) if !*seen => *seen = true,
                _ => {
                    return Err(Error::InvalidLayout(format!(
                        "{minor_to_major:?} is not a permutation of {} dimensions",
                        seen.len()
                    )));
                }
            }
        }
        Ok(Self { minor_to_major })
    }

    /// The default: the last dimension varies fastest.
    pub fn row_major(rank: usize) -> Self {
        Self {
            minor_to_major: (0..rank).rev().collect(),
        }
    }

    /// Fortran's order: the first dimension varies fastest.
    pub fn column_major(rank: usize) -> Self {
        Self {
            minor_to_major: (0..rank).collect(),
        }
    }

    pub fn minor_to_major(&self) -> &[usize] {
        &self.minor_to_major
    }

    pub fn rank(&self) -> usize {
        self.minor_to_major.len()
    }

    /// The dimensions, slowest varying first: the permutation of a row-major tensor with the
    /// elements in memory order.
    pub fn major_to_minor(&self) -> Vec<usize> {
        self.minor_to_major.iter().rev().copied().collect()
    }

    /// The permutation that undoes [`major_to_minor`](Self::major_to_minor).
    pub fn from_major_to_minor(&self) -> Vec<usize> {
        let mut inverse = vec![0; self.rank()];
        for (position, &dim) in self.minor_to_major.iter().rev().enumerate() {
            inverse[dim] = position;
        }
        inverse
    }

    pub fn is_row_major(&self) -> bool {
        self.minor_to_major.iter().rev().copied().eq(0..self.rank())
    }

    /// The shape of the row-major tensor with a tensor's elements in memory order.
    ///
    /// # Errors
    /// Returns an error if the shape has another rank than this layout.
    pub fn memory_shape(&self, shape: &Shape) -> Result<Shape> {
        permuted(shape, &self.major_to_minor())
    }

    /// The shape of a tensor, from its [`memory_shape`](Self::memory_shape).
    ///
    /// # Errors
    /// Returns an error if the shape has another rank than this layout.
    pub fn tensor_shape(&self, memory: &Shape) -> Result<Shape> {
        permuted(memory, &self.from_major_to_minor())
    }

    /// The distance, in elements, between adjacent elements along each dimension.
    ///
    /// # Errors
    /// Returns an error if the shape has another rank than this layout.
    pub fn strides(&self, shape: &Shape) -> Result<Vec<usize>> {
        check_rank(shape, self.rank())?;
        let mut strides = vec![1; self.rank()];
        let mut stride = 1;
        for &dim in &self.minor_to_major {
            strides[dim] = stride;
            stride *= shape.dims()[dim].max(1);
        }
        Ok(strides)
    }
}

fn check_rank(shape: &Shape, rank: usize) -> Result<()> {
    if shape.rank() == rank {
        Ok(())
    } else {
        Err(Error::InvalidLayout(format!(
            "a layout of {rank} dimensions does not fit {shape}"
        )))
    }
}

fn permuted(shape: &Shape, order: &[usize]) -> Result<Shape> {
    check_rank(shape, order.len())?;
    let sizes: Vec<usize> = order.iter().map(|dim| shape.dims()[*dim]).collect();
    Shape::new(shape.element_type(), sizes)
}

/// Parses HLO's format. `E(4)`, the bits of an element, is ignored: each element of a buffer has at
/// least a byte.
impl FromStr for Layout {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let invalid = |what: &str| Error::InvalidLayout(format!("'{text}' {what}"));
        let no_layout = || invalid("is no layout, such as {1,0}");
        let body = text
            .strip_prefix('{')
            .and_then(|rest| rest.strip_suffix('}'))
            .ok_or_else(no_layout)?;
        let (order, rest) = body.split_once(':').unwrap_or((body, ""));
        let is_element_size = |rest: &str| rest.starts_with("E(") && rest.ends_with(')');
        if !rest.is_empty() && !is_element_size(rest) {
            return Err(invalid("has tiles or a memory space"));
        }
        let dims = order.split(',').filter(|_| !order.trim().is_empty());
        let dims: Option<Vec<usize>> = dims.map(|dim| dim.trim().parse().ok()).collect();
        Self::new(dims.ok_or_else(no_layout)?)
    }
}

impl fmt::Display for Layout {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("{")?;
        for (position, dim) in self.minor_to_major.iter().enumerate() {
            let separator = if position == 0 { "" } else { "," };
            write!(formatter, "{separator}{dim}")?;
        }
        formatter.write_str("}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn permutations_only() {
        assert!(Layout::new([1, 0, 2]).is_ok());
        assert!(Layout::new([]).is_ok());
        for bad in [vec![0, 0], vec![1], vec![0, 2]] {
            assert!(Layout::new(bad).is_err());
        }
    }

    #[test]
    fn strides_follow_the_order() {
        let shape: Shape = "tensor<2x3x4xf32>".parse().unwrap();
        assert_eq!(
            Layout::row_major(3).strides(&shape).unwrap(),
            shape.strides()
        );
        assert_eq!(Layout::column_major(3).strides(&shape).unwrap(), [1, 2, 6]);
        assert_eq!(
            Layout::new([1, 2, 0]).unwrap().strides(&shape).unwrap(),
            [12, 1, 3]
        );
        assert!(Layout::row_major(2).strides(&shape).is_err());
    }

    #[test]
    fn text() {
        let layout = Layout::row_major(2);
        assert!(layout.is_row_major());
        assert_eq!(layout.to_string(), "{1,0}");
        assert!(!Layout::column_major(2).is_row_major());
        assert!(Layout::column_major(1).is_row_major());
        for (text, layout) in [
            ("{1,0}", Layout::row_major(2)),
            ("{0, 1:E(4)}", Layout::column_major(2)),
            ("{}", Layout::row_major(0)),
        ] {
            assert_eq!(text.parse::<Layout>().unwrap(), layout);
        }
        for bad in [
            "",
            "1,0",
            "{a}",
            "{1,1}",
            "{,}",
            "{1,0:T(8,128)}",
            "{0:S(1)}",
        ] {
            assert!(bad.parse::<Layout>().is_err(), "{bad}");
        }
    }

    #[test]
    fn permutations_undo_each_other() {
        let layout = Layout::new([1, 2, 0]).unwrap();
        assert_eq!(layout.major_to_minor(), [0, 2, 1]);
        let layout = Layout::new([1, 0, 2]).unwrap();
        assert_eq!(layout.major_to_minor(), [2, 0, 1]);
        assert_eq!(layout.from_major_to_minor(), [1, 2, 0]);
        let shape: Shape = "tensor<2x3x4xf32>".parse().unwrap();
        let memory: Shape = "tensor<4x2x3xf32>".parse().unwrap();
        assert_eq!(layout.memory_shape(&shape).unwrap(), memory);
        assert_eq!(layout.tensor_shape(&memory).unwrap(), shape);
        assert!(Layout::row_major(2).memory_shape(&shape).is_err());
    }
}
