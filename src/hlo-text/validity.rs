//! Constraints on types and layouts, in every syntax.

use crate::{ArrayShape, DeviceList, Dimension, Layout, Shape, TileAssignment};

/// The error in a type by itself.
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

/// The error in the array types inside a type.
pub(crate) fn of_sizes(shape: &Shape) -> Result<(), String> {
    match shape {
        Shape::Array(array) | Shape::Buffer(array) => of_shape(array),
        Shape::Tuple(shapes) => shapes.iter().try_for_each(of_sizes),
        Shape::Token | Shape::Opaque => Ok(()),
    }
}

/// The error in the layout of an array of this rank.
pub(crate) fn of_layout(layout: &Layout, rank: usize) -> Result<(), String> {
    let order = &layout.minor_to_major;
    if order.len() != rank {
        return Err(format!(
            "the layout orders {} dimensions, but there are {rank}",
            order.len()
        ));
    }
    if !is_permutation(order, rank) {
        return Err("the layout does not name each dimension once".to_owned());
    }
    Ok(())
}

/// The error in `<=[4,2]T(1,0)`. Without a permutation, dimensions keep
/// their order.
pub(crate) fn of_iota(dimensions: &[i64], permutation: &[i64]) -> Result<(), String> {
    if dimensions.is_empty() {
        return Err("there is no dimension".to_owned());
    }
    if !permutation.is_empty() && !is_permutation(permutation, dimensions.len()) {
        return Err("this does not name each dimension once".to_owned());
    }
    Ok(())
}

/// The error in the devices of tiles.
pub(crate) fn of_tiles(tiles: &TileAssignment) -> Result<(), String> {
    if tiles.dimensions.is_empty() {
        return Err("there is no dimension".to_owned());
    }
    match &tiles.devices {
        DeviceList::Iota {
            reshape_dimensions,
            transpose_permutation,
        } => of_iota(reshape_dimensions, transpose_permutation),
        DeviceList::List(devices) => {
            let mut sizes = tiles.dimensions.iter();
            let count = sizes.try_fold(1_i64, |count, size| count.checked_mul(*size));
            if count != i64::try_from(devices.len()).ok() {
                return Err(format!("{} devices do not fill the tiles", devices.len()));
            }
            Ok(())
        }
    }
}

/// Whether these are the numbers below `count`, each once.
fn is_permutation(numbers: &[i64], count: usize) -> bool {
    let mut sorted = numbers.to_vec();
    sorted.sort_unstable();
    sorted.into_iter().eq((0..).take(count))
}

/// Whether a text can name an instruction or a computation.
pub(crate) fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && is_word(text)
}

/// Whether a text can be a word, such as the name of an attribute.
pub(crate) fn is_word(text: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "_.-".contains(c);
    !text.is_empty() && text.chars().all(is_part)
}
