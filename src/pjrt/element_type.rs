//! Element types by the numbers of PJRT.

use halo_core::{ElementType, Shape};

use crate::c_api::BufferType;
use crate::handle;
use crate::status::{Result, Status};

/// The types that both sides have.
const TYPES: [(BufferType, ElementType); 30] = [
    (BufferType::PRED, ElementType::I1),
    (BufferType::S2, ElementType::I2),
    (BufferType::S4, ElementType::I4),
    (BufferType::S8, ElementType::I8),
    (BufferType::S16, ElementType::I16),
    (BufferType::S32, ElementType::I32),
    (BufferType::S64, ElementType::I64),
    (BufferType::U2, ElementType::Ui2),
    (BufferType::U4, ElementType::Ui4),
    (BufferType::U8, ElementType::Ui8),
    (BufferType::U16, ElementType::Ui16),
    (BufferType::U32, ElementType::Ui32),
    (BufferType::U64, ElementType::Ui64),
    (BufferType::F4E2M1FN, ElementType::F4E2M1FN),
    (BufferType::F6E2M3FN, ElementType::F6E2M3FN),
    (BufferType::F6E3M2FN, ElementType::F6E3M2FN),
    (BufferType::F8E3M4, ElementType::F8E3M4),
    (BufferType::F8E4M3, ElementType::F8E4M3),
    (BufferType::F8E4M3FN, ElementType::F8E4M3FN),
    (BufferType::F8E4M3FNUZ, ElementType::F8E4M3FNUZ),
    (BufferType::F8E4M3B11FNUZ, ElementType::F8E4M3B11FNUZ),
    (BufferType::F8E5M2, ElementType::F8E5M2),
    (BufferType::F8E5M2FNUZ, ElementType::F8E5M2FNUZ),
    (BufferType::F8E8M0FNU, ElementType::F8E8M0FNU),
    (BufferType::BF16, ElementType::BF16),
    (BufferType::F16, ElementType::F16),
    (BufferType::F32, ElementType::F32),
    (BufferType::F64, ElementType::F64),
    (BufferType::C64, ElementType::Complex64),
    (BufferType::C128, ElementType::Complex128),
];

/// The number of an element type.
pub fn to_buffer_type(element_type: ElementType) -> BufferType {
    let found = TYPES.iter().find(|(_, own)| *own == element_type);
    found.map_or(BufferType::INVALID, |(number, _)| *number)
}

/// The element type of a number.
///
/// # Errors
/// Returns an unimplemented error for tokens and 1-bit integers, an invalid-argument error for
/// other numbers.
pub fn from_buffer_type(number: BufferType) -> Result<ElementType> {
    let found = TYPES.iter().find(|(other, _)| *other == number);
    match (found, number) {
        (Some((_, element_type)), _) => Ok(*element_type),
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
