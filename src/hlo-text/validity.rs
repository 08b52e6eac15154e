//! What holds for every type and layout, however it is written.

use crate::{ArrayShape, Dimension, Layout};

/// What is wrong with a type by itself.
pub(crate) fn of_shape(shape: &ArrayShape) -> Result<(), String> {
    let sizes = shape.dimensions.iter().map(|dimension| match dimension {
        Dimension::Static(size) | Dimension::Bounded(size) => *size,
        Dimension::Unbounded => 1,
    });
    if sizes.clone().any(|size| size < 0) {
        return Err("the size of a dimension is negative".to_owned());
    }
    let width = i64::from(shape.element_type.bit_width());
    let mut nonzero = sizes.filter(|size| *size != 0);
    if nonzero
        .try_fold(width, |bits, size| bits.checked_mul(size))
        .is_none()
    {
        return Err("the type has too many elements".to_owned());
    }
    Ok(())
}

/// What is wrong with the layout of an array of so many dimensions.
pub(crate) fn of_layout(layout: &Layout, rank: usize) -> Result<(), String> {
    let order = &layout.minor_to_major;
    if order.len() != rank {
        return Err(format!(
            "the layout orders {} dimensions, but there are {rank}",
            order.len()
        ));
    }
    let mut sorted = order.clone();
    sorted.sort_unstable();
    if !sorted.into_iter().eq((0..).take(rank)) {
        return Err("the layout does not name each dimension once".to_owned());
    }
    Ok(())
}
