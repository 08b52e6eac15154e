//! HLO's names of element types.

use halo_core::ElementType;

/// The name in HLO text: `pred`, `u8`, `f8e4m3fn`, `c64`.
pub fn element_type_name(element_type: ElementType) -> &'static str {
    match element_type {
        ElementType::I1 => "pred",
        ElementType::I2 => "s2",
        ElementType::I4 => "s4",
        ElementType::I8 => "s8",
        ElementType::I16 => "s16",
        ElementType::I32 => "s32",
        ElementType::I64 => "s64",
        ElementType::Ui2 => "u2",
        ElementType::Ui4 => "u4",
        ElementType::Ui8 => "u8",
        ElementType::Ui16 => "u16",
        ElementType::Ui32 => "u32",
        ElementType::Ui64 => "u64",
        ElementType::F4E2M1FN => "f4e2m1fn",
        ElementType::F6E2M3FN => "f6e2m3fn",
        ElementType::F6E3M2FN => "f6e3m2fn",
        ElementType::F8E3M4 => "f8e3m4",
        ElementType::F8E4M3 => "f8e4m3",
        ElementType::F8E4M3FN => "f8e4m3fn",
        ElementType::F8E4M3FNUZ => "f8e4m3fnuz",
        ElementType::F8E4M3B11FNUZ => "f8e4m3b11fnuz",
        ElementType::F8E5M2 => "f8e5m2",
        ElementType::F8E5M2FNUZ => "f8e5m2fnuz",
        ElementType::F8E8M0FNU => "f8e8m0fnu",
        ElementType::BF16 => "bf16",
        ElementType::F16 => "f16",
        ElementType::F32 => "f32",
        ElementType::F64 => "f64",
        ElementType::Complex64 => "c64",
        ElementType::Complex128 => "c128",
    }
}

/// The element type of a name in HLO text.
pub fn element_type_of_name(name: &str) -> Option<ElementType> {
    // The most common types first.
    let common = [ElementType::F32, ElementType::I32, ElementType::I1];
    let all = common.into_iter().chain(ElementType::ALL);
    all.into_iter().find(|element_type| element_type_name(*element_type) == name)
}
