//! Values whose elements are in another order than a literal's.

use std::borrow::Cow;

use halo_core::{Layout, Shape};

/// The elements of a literal in the order of a layout.
pub(super) fn from_row_major<'a>(
    shape: &Shape,
    layout: &Layout,
    elements: &'a [u8],
) -> Cow<'a, [u8]> {
    reorder(shape, layout, elements, |result, to, from, width| {
        result[to..to + width].copy_from_slice(&elements[from..from + width]);
    })
}

/// The elements of a literal, converted from the order of a layout.
pub(super) fn to_row_major<'a>(
    shape: &Shape,
    layout: &Layout,
    elements: &'a [u8],
) -> Cow<'a, [u8]> {
    reorder(shape, layout, elements, |result, from, to, width| {
        result[to..to + width].copy_from_slice(&elements[from..from + width]);
    })
}

/// Calls `copy` with the new elements, the indices of an element in the layout and in row-major
/// order, and its size.
fn reorder<'a>(
    shape: &Shape,
    layout: &Layout,
    elements: &'a [u8],
    copy: impl Fn(&mut [u8], usize, usize, usize),
) -> Cow<'a, [u8]> {
    let strides = match layout.strides(shape) {
        Ok(strides) if !layout.is_row_major() && elements.len() == shape.byte_size() => strides,
        _ => return Cow::Borrowed(elements),
    };
    let width = shape.element_type().byte_width();
    let mut result = vec![0; elements.len()];
    let mut index = vec![0; shape.rank()];
    for position in 0..shape.element_count() {
        let target: usize = index.iter().zip(&strides).map(|(i, stride)| i * stride).sum();
        copy(&mut result, target * width, position * width, width);
        for (index, size) in index.iter_mut().zip(shape.dims()).rev() {
            *index += 1;
            if *index < *size {
                break;
            }
            *index = 0;
        }
    }
    Cow::Owned(result)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back() {
        let shape: Shape = "tensor<2x3xi8>".parse().unwrap();
        let column_major = Layout::column_major(2);
        let elements = [1, 2, 3, 4, 5, 6];
        let columns = from_row_major(&shape, &column_major, &elements);
        assert_eq!(*columns, [1, 4, 2, 5, 3, 6]);
        assert_eq!(*to_row_major(&shape, &column_major, &columns), elements);
    }

    #[test]
    fn batches_of_columns() {
        let shape: Shape = "tensor<2x1x2xi16>".parse().unwrap();
        let layout = Layout::new([1, 2, 0]).unwrap();
        let elements = [1, 0, 2, 0, 3, 0, 4, 0];
        assert_eq!(*from_row_major(&shape, &layout, &elements), elements);
    }
}
