//! Which Rust types view the elements of a literal.

use bytemuck::Pod;
use half::{bf16, f16};
use num_complex::Complex;

use crate::ElementType;

/// A Rust type that elements of some types are stored as.
///
/// Every element type is stored as exactly one of these: `i8` holds `i2`, `i4` and `i8`; `u8` holds
/// `i1` (0 or 1), `ui2`, `ui4`, `ui8` and the bits of all floats of at most a byte; the others hold
/// the type of their name.
pub trait NativeType: Pod + Send + Sync {
    /// The default element type for values of this type.
    const ELEMENT_TYPE: ElementType;

    /// The name of this type in error messages.
    const NAME: &'static str;

    /// Returns true if elements of `element_type` are stored as this type.
    fn stores(element_type: ElementType) -> bool {
        element_type == Self::ELEMENT_TYPE
    }
}

macro_rules! native {
    ($($rust:ty => $element:ident),* $(,)?) => {$(
        impl NativeType for $rust {
            const ELEMENT_TYPE: ElementType = ElementType::$element;
            const NAME: &'static str = stringify!($rust);
        }
    )*};
}

native! {
    i16 => I16, i32 => I32, i64 => I64,
    u16 => Ui16, u32 => Ui32, u64 => Ui64,
    bf16 => BF16, f16 => F16, f32 => F32, f64 => F64,
    Complex<f32> => Complex64, Complex<f64> => Complex128,
}

impl NativeType for i8 {
    const ELEMENT_TYPE: ElementType = ElementType::I8;
    const NAME: &'static str = "i8";

    fn stores(element_type: ElementType) -> bool {
        element_type.is_signed_integer() && element_type.byte_width() == 1
    }
}

impl NativeType for u8 {
    const ELEMENT_TYPE: ElementType = ElementType::Ui8;
    const NAME: &'static str = "u8";

    fn stores(element_type: ElementType) -> bool {
        !element_type.is_signed_integer() && element_type.byte_width() == 1
    }
}
