//! Iteration over the index space of a tensor.

use super::prelude::*;
use halo_core::{Literal, Shape};

/// Calls a function with every index of a shape in row-major order, and its linear position.
pub fn for_each_index(
    dims: &[usize],
    mut visit: impl FnMut(usize, &[usize]) -> Result<(), Failure>,
) -> Result<(), Failure> {
    if dims.contains(&0) {
        return Ok(());
    }
    let mut index = vec![0; dims.len()];
    let mut position = 0;
    loop {
        visit(position, &index)?;
        position += 1;
        // The next index, like an odometer.
        let mut dim = dims.len();
        loop {
            if dim == 0 {
                return Ok(());
            }
            dim -= 1;
            index[dim] += 1;
            if index[dim] < dims[dim] {
                break;
            }
            index[dim] = 0;
        }
    }
}

/// The distance of adjacent elements along each dimension.
pub fn strides(dims: &[usize]) -> Vec<usize> {
    let mut strides = vec![1_usize; dims.len()];
    for dim in (1..dims.len()).rev() {
        strides[dim - 1] = strides[dim].saturating_mul(dims[dim]);
    }
    strides
}

/// The position of an index.
pub fn position(index: &[usize], strides: &[usize]) -> usize {
    index.iter().zip(strides).map(|(i, stride)| i * stride).sum()
}

/// Returns true if an index is within a shape.
pub fn in_bounds(index: &[i64], dims: &[usize]) -> bool {
    index.len() == dims.len()
        && index
            .iter()
            .zip(dims)
            .all(|(index, dim)| usize::try_from(*index).is_ok_and(|index| index < *dim))
}

/// The position of an index within a shape; `None` outside of it.
pub fn position_in(index: &[i64], dims: &[usize]) -> Option<usize> {
    in_bounds(index, dims).then(|| {
        index
            .iter()
            .zip(dims)
            .fold(0, |position, (index, dim)| position * dim + *index as usize)
    })
}

/// A literal whose elements are copied from `source` at the positions that a function returns; zero
/// for `None`.
pub fn gather(
    source: &Literal,
    shape: Shape,
    mut from: impl FnMut(&[usize]) -> Result<Option<usize>, Failure>,
) -> Result<Literal, Failure> {
    let width = source.element_type().byte_width();
    debug_assert_eq!(width, shape.element_type().byte_width());
    let dims = shape.dims().to_vec();
    let mut result = Literal::try_zeros(shape)?;
    let target = result.bytes_mut();
    for_each_index(&dims, |position, index| {
        if let Some(from) = from(index)? {
            copy_element(target, position, source.bytes(), from, width);
        }
        Ok(())
    })?;
    Ok(result)
}

/// Copies one element of this many bytes.
pub fn copy_element(target: &mut [u8], to: usize, source: &[u8], from: usize, width: usize) {
    target[to * width..][..width].copy_from_slice(&source[from * width..][..width]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_come_in_row_major_order() {
        let mut seen = Vec::new();
        for_each_index(&[2, 3], |position, index| {
            seen.push((position, index.to_vec()));
            Ok(())
        })
        .unwrap();
        assert_eq!(seen[4], (4, vec![1, 1]));
        assert_eq!(seen.len(), 6);
        let mut count = 0;
        let mut count_all = |dims: &[usize]| {
            for_each_index(dims, |_, _| {
                count += 1;
                Ok(())
            })
            .unwrap();
            count
        };
        assert_eq!(count_all(&[]), 1);
        assert_eq!(count_all(&[3, 0]), 1);
    }
}
