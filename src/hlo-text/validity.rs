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
    if nonzero.try_fold(width, |bits, size| bits.checked_mul(size)).is_none() {
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

/// The error in the devices of tiles: each tile has one, and no device has two.
pub(crate) fn of_tiles(tiles: &TileAssignment) -> Result<(), String> {
    if tiles.dimensions.is_empty() {
        return Err("there is no dimension".to_owned());
    }
    let product = |sizes: &[i64]| {
        let mut sizes = sizes.iter();
        sizes.try_fold(1_i64, |count, size| {
            count.checked_mul(*size).filter(|_| *size > 0)
        })
    };
    let Some(count) = product(&tiles.dimensions) else {
        return Err("expected positive numbers of tiles, got another one, or too many".to_owned());
    };
    let devices = match &tiles.devices {
        DeviceList::Iota {
            reshape_dimensions,
            transpose_permutation,
        } => {
            of_iota(reshape_dimensions, transpose_permutation)?;
            product(reshape_dimensions)
        }
        DeviceList::List(devices) => {
            let mut sorted = devices.clone();
            sorted.sort_unstable();
            if sorted.first().is_some_and(|device| *device < 0) {
                return Err("expected devices of 0 or more, got a negative one".to_owned());
            }
            if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
                return Err(format!("device {} has more than one tile", pair[0]));
            }
            i64::try_from(devices.len()).ok()
        }
    };
    if devices != Some(count) {
        let devices = devices.map_or("too many".to_owned(), |devices| devices.to_string());
        return Err(format!(
            "expected {count} devices for as many tiles, got {devices}"
        ));
    }
    Ok(())
}

/// Returns true if the numbers are a permutation of 0 to `count` - 1.
fn is_permutation(numbers: &[i64], count: usize) -> bool {
    let mut sorted = numbers.to_vec();
    sorted.sort_unstable();
    sorted.into_iter().eq((0..).take(count))
}

/// Returns true if a text is a valid name of an instruction or a computation.
pub(crate) fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && is_word(text)
}

/// Returns true if a text is a valid word, such as the name of an attribute.
pub(crate) fn is_word(text: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "_.-".contains(c);
    !text.is_empty() && text.chars().all(is_part)
}
