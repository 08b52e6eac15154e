//! Enumerations.
//!
//! `chlo` has separate comparison directions, comparison types and precisions, with the same cases
//! as in `stablehlo`. Here both are one Rust enum: `from_attribute` reads either, so that an op of
//! one dialect is easily converted to the other.

use crate::attributes::AttributeExt;
use melior::{
    Context,
    ir::{Attribute, AttributeLike, attribute::IntegerAttribute, r#type::IntegerType},
};
use mlir_sys::{MlirAttribute, MlirContext};

/// `HaloEnum` of AttributesCAPI.h.
#[repr(C)]
#[derive(Clone, Copy)]
#[allow(dead_code, reason = "the numbers of all cases matter")]
enum Kind {
    StablehloPrecision,
    StablehloResultAccuracyMode,
    StablehloFftType,
    StablehloComparisonDirection,
    StablehloComparisonType,
    StablehloTranspose,
    StablehloRngDistribution,
    StablehloRngAlgorithm,
    ChloPrecision,
    ChloComparisonDirection,
    ChloComparisonType,
}

unsafe extern "C" {
    fn haloEnumRead(attribute: MlirAttribute, kind: Kind, value: *mut u32) -> bool;
    fn haloEnumBuild(context: MlirContext, kind: Kind, value: u32) -> MlirAttribute;
}

fn read(attribute: Attribute, kinds: &[Kind]) -> Option<u32> {
    let mut value = 0;
    kinds
        .iter()
        // SAFETY: the attribute is alive, and the number is written only here.
        .any(|kind| unsafe { haloEnumRead(attribute.to_raw(), *kind, &mut value) })
        .then_some(value)
}

/// `value` must be the number of a case of `kind`.
fn build(context: &Context, kind: Kind, value: u32) -> Attribute<'_> {
    // SAFETY: the context is alive, and the attribute is not null since the number is a valid case;
    // it lives as long as the context.
    unsafe { Attribute::from_raw(haloEnumBuild(context.to_raw(), kind, value)) }
}

/// Declares an enumeration with the numbers of its cases in Enums.td.
macro_rules! attribute_enum {
    (
        $(#[$doc:meta])*
        $name:ident($kind:ident $(, $chlo:ident)?) {
            $($(#[$case_doc:meta])* $case:ident = $value:literal => $text:literal,)+
        }
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u32)]
        pub enum $name {
            $($(#[$case_doc])* $case = $value,)+
        }

        impl $name {
            /// Reads the attribute of `stablehlo`, or of `chlo` if it has one.
            pub fn from_attribute(attribute: Attribute) -> Option<Self> {
                match read(attribute, &[Kind::$kind $(, Kind::$chlo)?])? {
                    $($value => Some(Self::$case),)+
                    _ => None,
                }
            }

            /// The attribute of `stablehlo`.
            pub fn to_attribute(self, context: &Context) -> Attribute<'_> {
                build(context, Kind::$kind, self as u32)
            }

            $(
                /// The attribute of `chlo`.
                pub fn to_chlo_attribute(self, context: &Context) -> Attribute<'_> {
                    build(context, Kind::$chlo, self as u32)
                }
            )?

            /// The case in the spelling of programs.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$case => $text,)+
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str(self.as_str())
            }
        }
    };
}

attribute_enum! {
    /// The relation that `compare` tests.
    ComparisonDirection(StablehloComparisonDirection, ChloComparisonDirection) {
        Eq = 0 => "EQ",
        Ne = 1 => "NE",
        Ge = 2 => "GE",
        Gt = 3 => "GT",
        Le = 4 => "LE",
        Lt = 5 => "LT",
    }
}

attribute_enum! {
    /// The order that `compare` uses.
    ComparisonType(StablehloComparisonType, ChloComparisonType) {
        /// The default for the element type.
        NoType = 0 => "NOTYPE",
        Float = 1 => "FLOAT",
        TotalOrder = 2 => "TOTALORDER",
        Signed = 3 => "SIGNED",
        Unsigned = 4 => "UNSIGNED",
    }
}

attribute_enum! {
    /// The accuracy that a backend may trade for speed on one operand.
    Precision(StablehloPrecision, ChloPrecision) {
        Default = 0 => "DEFAULT",
        High = 1 => "HIGH",
        Highest = 2 => "HIGHEST",
    }
}

attribute_enum! {
    /// Direction and element kind of `fft`.
    FftType(StablehloFftType) {
        Fft = 0 => "FFT",
        Ifft = 1 => "IFFT",
        Rfft = 2 => "RFFT",
        Irfft = 3 => "IRFFT",
    }
}

attribute_enum! {
    /// The transposition of the matrix of `triangular_solve`.
    Transpose(StablehloTranspose) {
        Invalid = 0 => "TRANSPOSE_INVALID",
        NoTranspose = 1 => "NO_TRANSPOSE",
        Transpose = 2 => "TRANSPOSE",
        Adjoint = 3 => "ADJOINT",
    }
}

attribute_enum! {
    /// The distribution that `rng` draws from.
    RngDistribution(StablehloRngDistribution) {
        Uniform = 1 => "UNIFORM",
        Normal = 2 => "NORMAL",
    }
}

attribute_enum! {
    /// The generator of `rng_bit_generator`.
    RngAlgorithm(StablehloRngAlgorithm) {
        Default = 0 => "DEFAULT",
        ThreeFry = 1 => "THREE_FRY",
        Philox = 2 => "PHILOX",
    }
}

/// The calling convention of a custom call's target. An `i32` attribute with
/// named values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum CustomCallApiVersion {
    Unspecified = 0,
    #[default]
    Original = 1,
    StatusReturning = 2,
    StatusReturningUnified = 3,
    TypedFfi = 4,
}

impl CustomCallApiVersion {
    pub fn from_attribute(attribute: Attribute) -> Option<Self> {
        let number = attribute.cast::<IntegerAttribute>()?;
        match number.value() {
            0 => Some(Self::Unspecified),
            1 => Some(Self::Original),
            2 => Some(Self::StatusReturning),
            3 => Some(Self::StatusReturningUnified),
            4 => Some(Self::TypedFfi),
            _ => None,
        }
    }

    pub fn to_attribute(self, context: &Context) -> Attribute<'_> {
        IntegerAttribute::new(IntegerType::new(context, 32).into(), self as i64).into()
    }
}
