//! The required accuracy of a result, and the algorithm of a product.

use melior::{
    Context,
    ir::{Attribute, Type, TypeLike},
};
use mlir_sys::{MlirAttribute, MlirContext, MlirType};

use super::access;

/// `#stablehlo.result_accuracy`: the error that an elementwise function may
/// have.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum ResultAccuracy {
    /// The accuracy of the backend.
    #[default]
    Default,
    /// The most accurate implementation of the backend.
    Highest,
    /// The error is within `atol + rtol * |exact|` or `ulps` units in the last place.
    Tolerance { atol: f64, rtol: f64, ulps: i64 },
}

#[repr(C)]
struct RawResultAccuracy {
    atol: f64,
    rtol: f64,
    ulps: i64,
    mode: u32,
}

/// The cases of `ResultAccuracyMode` in Enums.td.
const MODE_DEFAULT: u32 = 0;
const MODE_HIGHEST: u32 = 1;
const MODE_TOLERANCE: u32 = 2;

impl ResultAccuracy {
    pub fn from_attribute(attribute: Attribute) -> Option<Self> {
        // SAFETY: the function and the struct belong together.
        let raw = unsafe { access::read(haloResultAccuracyRead, attribute)? };
        match raw.mode {
            MODE_DEFAULT => Some(Self::Default),
            MODE_HIGHEST => Some(Self::Highest),
            MODE_TOLERANCE => Some(Self::Tolerance {
                atol: raw.atol,
                rtol: raw.rtol,
                ulps: raw.ulps,
            }),
            _ => None,
        }
    }

    /// Returns `None` for a negative tolerance.
    pub fn to_attribute(self, context: &Context) -> Option<Attribute<'_>> {
        let exact = |mode| RawResultAccuracy {
            atol: 0.0,
            rtol: 0.0,
            ulps: 0,
            mode,
        };
        let raw = match self {
            Self::Default => exact(MODE_DEFAULT),
            Self::Highest => exact(MODE_HIGHEST),
            Self::Tolerance { atol, rtol, ulps } => RawResultAccuracy {
                atol,
                rtol,
                ulps,
                mode: MODE_TOLERANCE,
            },
        };
        // SAFETY: the function and the struct belong together.
        unsafe { access::build(haloResultAccuracyBuild, context, &raw) }
    }
}

/// `#stablehlo.dot_algorithm`: the arithmetic that `dot_general` must use.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DotAlgorithm<'c> {
    pub lhs_precision_type: Type<'c>,
    pub rhs_precision_type: Type<'c>,
    pub accumulation_type: Type<'c>,
    pub lhs_component_count: i64,
    pub rhs_component_count: i64,
    pub num_primitive_operations: i64,
    pub allow_imprecise_accumulation: bool,
}

/// `HaloDotAlgorithm` of AttributesCAPI.h.
#[repr(C)]
pub(crate) struct RawDotAlgorithm {
    lhs_precision_type: MlirType,
    rhs_precision_type: MlirType,
    accumulation_type: MlirType,
    lhs_component_count: i64,
    rhs_component_count: i64,
    num_primitive_operations: i64,
    allow_imprecise_accumulation: bool,
}

impl<'c> DotAlgorithm<'c> {
    pub fn from_attribute(attribute: Attribute<'c>) -> Option<Self> {
        // SAFETY: the function and the struct belong together.
        let raw = unsafe { access::read(haloDotAlgorithmRead, attribute)? };
        // SAFETY: the types of an attribute live as long as its context.
        Some(unsafe { Self::from_raw(&raw) })
    }

    /// # Safety
    ///
    /// The types must live as long as `'c`.
    pub(crate) unsafe fn from_raw(raw: &RawDotAlgorithm) -> Self {
        // SAFETY: the caller guarantees it.
        let ty = |raw| unsafe { Type::from_raw(raw) };
        Self {
            lhs_precision_type: ty(raw.lhs_precision_type),
            rhs_precision_type: ty(raw.rhs_precision_type),
            accumulation_type: ty(raw.accumulation_type),
            lhs_component_count: raw.lhs_component_count,
            rhs_component_count: raw.rhs_component_count,
            num_primitive_operations: raw.num_primitive_operations,
            allow_imprecise_accumulation: raw.allow_imprecise_accumulation,
        }
    }

    /// Returns `None` for types or counts of an invalid algorithm.
    pub fn to_attribute(self, context: &'c Context) -> Option<Attribute<'c>> {
        let raw = RawDotAlgorithm {
            lhs_precision_type: self.lhs_precision_type.to_raw(),
            rhs_precision_type: self.rhs_precision_type.to_raw(),
            accumulation_type: self.accumulation_type.to_raw(),
            lhs_component_count: self.lhs_component_count,
            rhs_component_count: self.rhs_component_count,
            num_primitive_operations: self.num_primitive_operations,
            allow_imprecise_accumulation: self.allow_imprecise_accumulation,
        };
        // SAFETY: the function and the struct belong together, and the types
        // are alive.
        unsafe { access::build(haloDotAlgorithmBuild, context, &raw) }
    }
}

unsafe extern "C" {
    fn haloResultAccuracyRead(attribute: MlirAttribute, members: *mut RawResultAccuracy) -> bool;
    fn haloResultAccuracyBuild(
        context: MlirContext,
        members: *const RawResultAccuracy,
    ) -> MlirAttribute;
    fn haloDotAlgorithmRead(attribute: MlirAttribute, members: *mut RawDotAlgorithm) -> bool;
    fn haloDotAlgorithmBuild(
        context: MlirContext,
        members: *const RawDotAlgorithm,
    ) -> MlirAttribute;
}
