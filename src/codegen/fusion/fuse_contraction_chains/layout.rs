//! The relation of a value's dimensions to the loops of a chain.
//!
//! Reshapes between the products split and collapse loops, such as the heads and the queries of
//! grouped attention. Therefore a dimension is a list of factors. Some factors are axes: loops that
//! all ops of the chain have in common.

use std::collections::VecDeque;

/// A factor of a dimension, whose stride is the product of the sizes of the factors after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Factor {
    pub size: i64,
    /// Its axis; `None` if a tile has all of its elements.
    pub axis: Option<usize>,
}

/// The factors of a dimension, the outermost first, none of size 1.
pub(super) type Dim = Vec<Factor>;

/// A dimension that each tile contains as a whole.
pub(super) fn whole(size: i64) -> Dim {
    normalized(vec![Factor { size, axis: None }])
}

/// Removes factors of size 1, and merges adjacent factors without axes.
fn normalized(factors: Vec<Factor>) -> Dim {
    let mut dim: Dim = Vec::new();
    for factor in factors.into_iter().filter(|factor| factor.size != 1) {
        match dim.last_mut() {
            Some(last) if last.axis.is_none() && factor.axis.is_none() => last.size *= factor.size,
            _ => dim.push(factor),
        }
    }
    dim
}

/// The loops of a chain. An axis that a reshape splits, or that equals others, consists of parts.
#[derive(Clone, Debug, Default)]
pub(super) struct Axes {
    sizes: Vec<i64>,
    parts: Vec<Vec<usize>>,
}

impl Axes {
    /// Adds an axis.
    pub fn add(&mut self, size: i64) -> usize {
        self.sizes.push(size);
        self.parts.push(Vec::new());
        self.sizes.len() - 1
    }

    /// The dimension of a new axis.
    pub fn new_dim(&mut self, size: i64) -> Dim {
        let axis = self.add(size);
        self.dim(axis)
    }

    /// The dimension of an axis.
    pub fn dim(&self, axis: usize) -> Dim {
        let factor = Factor {
            size: self.sizes[axis],
            axis: Some(axis),
        };
        self.resolve(&[factor])
    }

    /// The unsplit axes that an axis consists of, outermost first.
    pub fn leaves(&self, axis: usize) -> Vec<usize> {
        match &self.parts[axis][..] {
            [] => vec![axis],
            parts => parts.iter().flat_map(|part| self.leaves(*part)).collect(),
        }
    }

    /// The number of axes, including split ones.
    pub fn len(&self) -> usize {
        self.sizes.len()
    }

    /// The size of an axis.
    pub fn size(&self, axis: usize) -> i64 {
        self.sizes[axis]
    }

    /// The factors of a dimension after all splits.
    pub fn resolve(&self, dim: &[Factor]) -> Dim {
        let mut factors = Vec::new();
        for factor in dim {
            match factor.axis {
                None => factors.push(*factor),
                Some(axis) => factors.extend(self.leaves(axis).into_iter().map(|leaf| Factor {
                    size: self.sizes[leaf],
                    axis: Some(leaf),
                })),
            }
        }
        normalized(factors)
    }

    /// The dimensions of a reshape to a shape, if the factors can be split accordingly.
    pub fn reshape(&mut self, dims: &[Dim], shape: &[i64]) -> Option<Vec<Dim>> {
        let factors = dims.iter().flat_map(|dim| self.resolve(dim));
        let mut rest: VecDeque<Factor> = factors.collect();
        let mut reshaped = Vec::new();
        for size in shape {
            let (mut dim, mut left) = (Vec::new(), *size);
            while left > 1 {
                let factor = rest.pop_front()?;
                if left % factor.size == 0 {
                    left /= factor.size;
                    dim.push(factor);
                } else if factor.size % left == 0 {
                    let [outer, inner] = self.divide(factor, left);
                    dim.push(outer);
                    rest.push_front(inner);
                    left = 1;
                } else {
                    return None;
                }
            }
            reshaped.push(normalized(dim));
        }
        rest.is_empty().then_some(reshaped)
    }

    /// Identifies the axes of two lists of dimensions of the same sizes; `shared` axes are distinct
    /// from all others. Returns false if they differ.
    pub fn unify(&mut self, ones: &[Dim], others: &[Dim], shared: &[usize]) -> bool {
        let mut pairs = ones.iter().zip(others);
        ones.len() == others.len()
            && pairs.all(|(one, other)| {
                let [one, other] = [self.resolve(one), self.resolve(other)];
                one == other
                    || self.replace(&one, &other, shared)
                    || self.replace(&other, &one, shared)
            })
    }

    /// Replaces a dimension of one axis, which is not shared, by others.
    fn replace(&mut self, dim: &[Factor], by: &[Factor], shared: &[usize]) -> bool {
        let [factor] = dim else { return false };
        let axes: Option<Vec<usize>> = by.iter().map(|factor| factor.axis).collect();
        let (Some(axis), Some(axes)) = (factor.axis, axes) else {
            return false;
        };
        let size: i64 = by.iter().map(|factor| factor.size).product();
        let is_replaceable =
            size == factor.size && !shared.contains(&axis) && !axes.contains(&axis);
        if is_replaceable {
            self.parts[axis] = axes;
        }
        is_replaceable
    }

    /// Splits a factor into an outer factor of a size and an inner one.
    fn divide(&mut self, factor: Factor, size: i64) -> [Factor; 2] {
        let sizes = [size, factor.size / size];
        let axes = match factor.axis {
            None => [None; 2],
            Some(axis) => {
                let parts = sizes.map(|size| self.add(size));
                self.parts[axis] = parts.to_vec();
                parts.map(Some)
            }
        };
        [0, 1].map(|part| Factor {
            size: sizes[part],
            axis: axes[part],
        })
    }
}

/// The iterations of each axis in a tile.
pub(super) type Extents = [i64];

/// The elements of a factor in a tile.
fn extent(factor: &Factor, extents: &Extents) -> i64 {
    factor.axis.map_or(factor.size, |axis| extents[axis])
}

/// The elements of a dimension in a tile.
pub(super) fn tile_size(dim: &[Factor], extents: &Extents) -> i64 {
    dim.iter().map(|factor| extent(factor, extents)).product()
}

/// The stride of a tile's elements in a dimension, if it is uniform.
pub(super) fn tile_stride(dim: &[Factor], extents: &Extents) -> Option<i64> {
    let (mut stride, mut count, mut behind) = (1, 1, 1);
    for factor in dim.iter().rev() {
        let extent = extent(factor, extents);
        if extent != 1 {
            if count == 1 {
                stride = behind;
            } else if behind != stride * count {
                return None;
            }
            count *= extent;
        }
        behind *= factor.size;
    }
    Some(stride)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(axis: usize, size: i64) -> Factor {
        Factor {
            size,
            axis: Some(axis),
        }
    }

    #[test]
    fn reshapes_divide_and_join_axes() {
        let mut axes = Axes::default();
        let (heads, rows) = (axes.add(4), axes.add(3072));
        let dims = [axes.dim(heads), axes.dim(rows), whole(64)];
        let reshaped = axes.reshape(&dims, &[1, 4, 3, 1024, 64]).unwrap();
        let [groups, queries] = axes.leaves(rows)[..] else {
            panic!("the axis is divided");
        };
        let expected = [
            vec![],
            vec![of(heads, 4)],
            vec![of(groups, 3)],
            vec![of(queries, 1024)],
            whole(64),
        ];
        assert_eq!(reshaped, expected);
        // The parts replace the axis.
        assert_eq!(axes.resolve(&dims[1]), [of(groups, 3), of(queries, 1024)]);
        // And back, in another order.
        let swapped = [
            expected[1].clone(),
            expected[3].clone(),
            expected[2].clone(),
        ];
        let joined = axes.reshape(&swapped, &[4, 3072]).unwrap();
        assert_eq!(joined[1], [of(queries, 1024), of(groups, 3)]);
        assert_eq!(axes.reshape(&swapped, &[5, 3072]), None);
        assert_eq!(axes.reshape(&swapped, &[4, 3071]), None);
    }

    #[test]
    fn axes_are_replaced_by_parts_of_others() {
        let mut axes = Axes::default();
        let (rows, columns, others) = (axes.add(24), axes.add(24), axes.add(24));
        let ones = [axes.dim(rows), axes.dim(columns)];
        assert!(axes.unify(&ones, &[axes.dim(rows), axes.dim(others)], &[rows]));
        assert_eq!(axes.dim(columns), axes.dim(others));
        let parts = axes.reshape(&[axes.dim(others)], &[4, 6]).unwrap().concat();
        assert!(axes.unify(&[axes.dim(columns)], &[parts], &[rows]));
        // Shared axes differ from all others.
        assert!(!axes.unify(&[axes.dim(rows)], &[vec![of(columns, 24)]], &[rows, others]));
    }

    #[test]
    fn whole_dimensions_are_joined() {
        let mut axes = Axes::default();
        let rows = axes.add(8);
        let dims = [axes.dim(rows), whole(4), whole(6)];
        let joined = axes.reshape(&dims, &[8, 24]).unwrap();
        assert_eq!(joined, [axes.dim(rows), whole(24)]);
        let divided = axes.reshape(&joined, &[8, 3, 8]).unwrap();
        assert_eq!(divided, [axes.dim(rows), whole(3), whole(8)]);
    }

    #[test]
    fn elements_of_a_tile_are_equally_far_from_each_other() {
        // Axis 0 has one iteration, axis 1 has 128 of 1024.
        let extents = [1, 128];
        let (groups, queries) = (of(0, 3), of(1, 1024));
        assert_eq!(tile_stride(&[groups, queries], &extents), Some(1));
        assert_eq!(tile_stride(&[queries, groups], &extents), Some(3));
        assert_eq!(tile_size(&[queries, groups], &extents), 128);
        // 128 rows of 5 elements each.
        let five = whole(5)[0];
        assert_eq!(tile_stride(&[queries, five], &extents), Some(1));
        assert_eq!(tile_size(&[queries, five], &extents), 640);
        // 5 blocks of 128 of 1024: no uniform stride.
        assert_eq!(tile_stride(&[five, queries], &extents), None);
        assert_eq!(tile_stride(&[queries, groups, five], &extents), None);
        assert_eq!(tile_stride(&[], &extents), Some(1));
    }
}
