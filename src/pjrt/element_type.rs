//! Element types by the numbers of PJRT.

use halo_core::{ElementType, Shape};

use halo_pjrt_api::from_buffer_type as known;
pub use halo_pjrt_api::to_buffer_type;

use crate::c_api::BufferType;
use crate::handle;
use crate::status::{Result, Status};

/// The element type of a number.
///
/// # Errors
/// Returns an unimplemented error for tokens and 1-bit integers, an invalid-argument error for
/// other numbers.
pub fn from_buffer_type(number: BufferType) -> Result<ElementType> {
    match (known(number), number) {
        (Some(element_type), _) => Ok(element_type),
        (None, BufferType::TOKEN) => Err(Status::unimplemented("buffers of tokens")),
        (None, BufferType::S1 | BufferType::U1) => {
            Err(Status::unimplemented("buffers of 1-bit integers"))
        }
        (None, BufferType(number)) => Err(Status::invalid(format!(
            "{number} is no PJRT_Buffer_Type of an array"
        ))),
    }
}

/// The shape that C describes.
///
/// # Errors
/// Returns the errors of [`from_buffer_type`]; an invalid-argument error for a negative size, or a
/// shape that does not fit in memory.
///
/// # Safety
/// `dims` must point to `rank` sizes, or be null if there are none.
pub unsafe fn shape(number: BufferType, dims: *const i64, rank: usize) -> Result<Shape> {
    // SAFETY: by the requirement above.
    let dims = unsafe { handle::slice(dims, rank) }?;
    let sizes: Result<Vec<usize>, _> = dims.iter().map(|size| usize::try_from(*size)).collect();
    let sizes = sizes.map_err(|_| Status::invalid(format!("negative sizes: {dims:?}")))?;
    Ok(Shape::new(from_buffer_type(number)?, sizes)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_element_type_has_a_number_of_its_own() {
        for element_type in ElementType::ALL {
            let number = to_buffer_type(element_type);
            assert_eq!(from_buffer_type(number), Ok(element_type));
        }
    }

    #[test]
    fn other_numbers_are_errors() {
        let message = |number| from_buffer_type(number).unwrap_err().to_string();
        assert_eq!(message(BufferType::TOKEN), "buffers of tokens");
        let expected = "99 is no PJRT_Buffer_Type of an array";
        assert_eq!(message(BufferType(99)), expected);
        // SAFETY: the array has one size.
        let negative = unsafe { shape(BufferType::F32, [-1].as_ptr(), 1) };
        assert_eq!(negative.unwrap_err().to_string(), "negative sizes: [-1]");
    }
}
