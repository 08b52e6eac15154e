//! Copies between memory of any strides and row-major memory.

use halo_core::{Layout, Shape};

/// The strides in bytes of row-major elements.
pub fn row_major(shape: &Shape) -> Vec<i64> {
    in_layout(shape, None)
}

/// The strides in bytes of elements in memory, row-major without a layout. The layout must fit the
/// shape.
pub fn in_layout(shape: &Shape, layout: Option<&Layout>) -> Vec<i64> {
    let strides = layout.and_then(|layout| layout.strides(shape).ok());
    let width = byte_width(shape);
    let strides = strides.unwrap_or_else(|| shape.strides()).into_iter();
    strides.map(|stride| (stride * width) as i64).collect()
}

/// The strides in bytes of elements in the order of `minor_to_major`, or `None` if it is not a
/// permutation of the dimensions.
pub fn of_order(shape: &Shape, minor_to_major: &[i64]) -> Option<Vec<i64>> {
    let mut strides = vec![None; shape.rank()];
    let mut stride = byte_width(shape) as i64;
    for dimension in minor_to_major {
        let dimension = usize::try_from(*dimension).ok()?;
        if strides.get_mut(dimension)?.replace(stride).is_some() {
            return None;
        }
        stride *= shape.dims()[dimension].max(1) as i64;
    }
    strides.into_iter().collect()
}

/// Returns true if elements with these strides are in row-major order: strides of dimensions of one
/// element are ignored.
pub fn is_row_major(shape: &Shape, strides: &[i64]) -> bool {
    let own = row_major(shape);
    let mut pairs = shape.dims().iter().zip(strides).zip(&own);
    shape.element_count() == 0 || pairs.all(|((size, one), other)| *size == 1 || one == other)
}

/// Returns true if elements with these strides are dense, in some order.
pub fn is_dense(shape: &Shape, strides: &[i64]) -> bool {
    order_of(shape, strides).is_some()
}

/// The order of dense elements with these strides, minor to major.
pub fn order_of(shape: &Shape, strides: &[i64]) -> Option<Vec<usize>> {
    let mut order: Vec<usize> = (0..shape.rank()).collect();
    order.sort_by_key(|dimension| {
        // Dimensions of one element come first: their strides are ignored.
        match shape.dims()[*dimension] {
            1 => 0,
            _ => strides[*dimension],
        }
    });
    let layout = Layout::new(order.clone()).ok()?;
    let dense = in_layout(shape, Some(&layout));
    let mut pairs = shape.dims().iter().zip(strides).zip(&dense);
    let is_dense =
        shape.element_count() == 0 || pairs.all(|((size, one), other)| *size == 1 || one == other);
    is_dense.then_some(order)
}

/// Bytes of an element in memory.
pub fn byte_width(shape: &Shape) -> usize {
    let element = Shape::scalar(shape.element_type());
    element.byte_size()
}

/// Copies elements, each from `source` + its index times `from` to `target` + its index times `to`;
/// strides are in bytes.
///
/// # Safety
/// All addressed elements must be valid, in the source for reading and in the target for writing,
/// and must not overlap.
pub unsafe fn copy(shape: &Shape, source: *const u8, from: &[i64], target: *mut u8, to: &[i64]) {
    if shape.element_count() == 0 {
        return;
    }
    // The longest runs that are contiguous on both sides are copied at once.
    let mut run = byte_width(shape);
    let mut outer = shape.rank();
    while outer > 0 {
        let (size, stride) = (shape.dims()[outer - 1], run as i64);
        if size != 1 && (from[outer - 1] != stride || to[outer - 1] != stride) {
            break;
        }
        run *= size;
        outer -= 1;
    }
    // SAFETY: by the requirement above; the runs consist of contiguous elements.
    unsafe { copy_runs(&shape.dims()[..outer], run, source, from, target, to) };
}

unsafe fn copy_runs(
    dims: &[usize],
    run: usize,
    source: *const u8,
    from: &[i64],
    target: *mut u8,
    to: &[i64],
) {
    let Some((size, dims)) = dims.split_first() else {
        // SAFETY: by the requirement of `copy`.
        unsafe { std::ptr::copy_nonoverlapping(source, target, run) };
        return;
    };
    for index in 0..*size as i64 {
        let source = source.wrapping_offset((index * from[0]) as isize);
        let target = target.wrapping_offset((index * to[0]) as isize);
        // SAFETY: as above.
        unsafe { copy_runs(dims, run, source, &from[1..], target, &to[1..]) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(text: &str) -> Shape {
        text.parse().unwrap()
    }

    #[test]
    fn orders_have_strides() {
        let shape = shape("tensor<2x3x4xf32>");
        assert_eq!(row_major(&shape), [48, 16, 4]);
        assert_eq!(of_order(&shape, &[2, 1, 0]).unwrap(), [48, 16, 4]);
        assert_eq!(of_order(&shape, &[0, 1, 2]).unwrap(), [4, 8, 24]);
        for wrong in [&[0, 1][..], &[0, 0, 1], &[0, 1, 3], &[-1, 0, 1]] {
            assert_eq!(of_order(&shape, wrong), None);
        }
        assert!(is_row_major(&shape, &[48, 16, 4]));
        assert!(!is_row_major(&shape, &[4, 8, 24]));
        assert!(is_dense(&shape, &[4, 8, 24]) && is_dense(&shape, &[12, 4, 24]));
        assert!(!is_dense(&shape, &[96, 32, 8]) && !is_dense(&shape, &[48, 16, -4]));
    }

    #[test]
    fn transposed_reversed_and_sliced_elements_are_copied() {
        let shape = shape("tensor<2x3xi16>");
        let source: Vec<i16> = (0..12).collect();
        let gather = |offset: usize, from: [i64; 2]| {
            let mut target = [0i16; 6];
            // SAFETY: the addressed elements are in the array.
            unsafe {
                copy(
                    &shape,
                    source.as_ptr().add(offset).cast(),
                    &from,
                    target.as_mut_ptr().cast(),
                    &row_major(&shape),
                );
            }
            target
        };
        assert_eq!(gather(0, [6, 2]), [0, 1, 2, 3, 4, 5]);
        assert_eq!(gather(0, [2, 4]), [0, 2, 4, 1, 3, 5]);
        assert_eq!(gather(5, [-6, -2]), [5, 4, 3, 2, 1, 0]);
        assert_eq!(gather(1, [12, 4]), [1, 3, 5, 7, 9, 11]);
        assert_eq!(gather(7, [0, 0]), [7; 6]);
    }
}
