//! Element types by the numbers of PJRT.

use halo_core::ElementType;

use crate::c_api::BufferType;

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

/// The element type of a number; `None` for tokens, 1-bit integers and unknown numbers.
pub fn from_buffer_type(number: BufferType) -> Option<ElementType> {
    let found = TYPES.iter().find(|(other, _)| *other == number);
    found.map(|(_, element_type)| *element_type)
}
