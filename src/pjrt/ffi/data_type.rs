//! Element types by the numbers of XLA's foreign functions.

use halo_core::ElementType;

use crate::c_api::xla_ffi::DataType;

/// The number of an element type.
///
/// # Errors
/// Returns one line of text for a type that the interface does not support.
pub fn of(element_type: ElementType) -> Result<DataType, String> {
    use ElementType as E;
    Ok(match element_type {
        E::I1 => DataType::PRED,
        E::I2 => DataType::S2,
        E::I4 => DataType::S4,
        E::I8 => DataType::S8,
        E::I16 => DataType::S16,
        E::I32 => DataType::S32,
        E::I64 => DataType::S64,
        E::Ui2 => DataType::U2,
        E::Ui4 => DataType::U4,
        E::Ui8 => DataType::U8,
        E::Ui16 => DataType::U16,
        E::Ui32 => DataType::U32,
        E::Ui64 => DataType::U64,
        E::F4E2M1FN => DataType::F4E2M1FN,
        E::F8E3M4 => DataType::F8E3M4,
        E::F8E4M3 => DataType::F8E4M3,
        E::F8E4M3FN => DataType::F8E4M3FN,
        E::F8E4M3FNUZ => DataType::F8E4M3FNUZ,
        E::F8E4M3B11FNUZ => DataType::F8E4M3B11FNUZ,
        E::F8E5M2 => DataType::F8E5M2,
        E::F8E5M2FNUZ => DataType::F8E5M2FNUZ,
        E::F8E8M0FNU => DataType::F8E8M0FNU,
        E::BF16 => DataType::BF16,
        E::F16 => DataType::F16,
        E::F32 => DataType::F32,
        E::F64 => DataType::F64,
        E::Complex64 => DataType::C64,
        E::Complex128 => DataType::C128,
        E::F6E2M3FN | E::F6E3M2FN => {
            return Err(format!("XLA's FFI has no data type {element_type}"));
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn element_types_have_numbers_of_their_own() {
        let numbers = ElementType::ALL.iter().filter_map(|one| of(*one).ok());
        let mut numbers: Vec<u32> = numbers.map(|number| number.0).collect();
        numbers.sort_unstable();
        numbers.dedup();
        assert_eq!(numbers.len(), ElementType::ALL.len() - 2);
        assert!(of(ElementType::F6E2M3FN).unwrap_err().contains("f6E2M3FN"));
    }
}
