//! The order in which a buffer keeps the elements of a shape.
//!
//! `minor_to_major` is the form StableHLO's `operand_layouts` and HLO's
//! `{1,0}` have: the dimension that varies fastest comes first. Literals are
//! always row-major; other layouts occur at the borders of a program.

use std::fmt;

use crate::{Error, Result, Shape};

/// A permutation of the dimensions, fastest varying first.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Layout {
    minor_to_major: Vec<usize>,
}

impl Layout {
    /// # Errors
    /// If `minor_to_major` does not name every dimension once.
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

    pub fn is_row_major(&self) -> bool {
        self.minor_to_major.iter().rev().copied().eq(0..self.rank())
    }

    /// How far apart, in elements, neighbours along each dimension lie.
    ///
    /// # Errors
    /// If the shape has another rank than this layout.
    pub fn strides(&self, shape: &Shape) -> Result<Vec<usize>> {
        if shape.rank() != self.rank() {
            return Err(Error::InvalidLayout(format!(
                "a layout of {} dimensions does not fit {shape}",
                self.rank()
            )));
        }
        let mut strides = vec![1; self.rank()];
        let mut stride = 1;
        for &dim in &self.minor_to_major {
            strides[dim] = stride;
            stride *= shape.dims()[dim].max(1);
        }
        Ok(strides)
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
    }
}
