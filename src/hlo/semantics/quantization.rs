//! Quantized element types, through the C interface of the `quant` dialect.
//!
//! Ops that compute require operands and results of one storage and expressed type, with any scales
//! and zero points; ops that only move elements also preserve scales and zero points, along the
//! corresponding dimension.

use super::{
    dims::Dim,
    tensor::{Subject, Tensor, VerifyResult, dims_of},
};
use halo_ir::prelude::*;
use melior::ir::TypeLike;

use mlir_sys::{
    mlirQuantizedTypeGetExpressedType, mlirQuantizedTypeGetStorageType,
    mlirQuantizedTypeGetStorageTypeIntegralWidth, mlirQuantizedTypeGetStorageTypeMax,
    mlirQuantizedTypeGetStorageTypeMin, mlirQuantizedTypeIsSigned,
    mlirTypeIsAUniformQuantizedPerAxisType, mlirTypeIsAUniformQuantizedType,
    mlirUniformQuantizedPerAxisTypeGetNumDims,
    mlirUniformQuantizedPerAxisTypeGetQuantizedDimension, mlirUniformQuantizedPerAxisTypeGetScale,
    mlirUniformQuantizedPerAxisTypeGetZeroPoint, mlirUniformQuantizedTypeGetScale,
    mlirUniformQuantizedTypeGetZeroPoint,
};

/// A uniformly quantized element type, per tensor or per axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quantized<'c> {
    ty: Type<'c>,
    per_axis: bool,
}

impl<'c> Quantized<'c> {
    /// The quantization of an element type, if any.
    pub fn of(ty: Type<'c>) -> Option<Self> {
        if !ty.is_quantized() {
            return None;
        }
        // SAFETY: The type is valid.
        let (per_tensor, per_axis) = unsafe {
            (
                mlirTypeIsAUniformQuantizedType(ty.to_raw()),
                mlirTypeIsAUniformQuantizedPerAxisType(ty.to_raw()),
            )
        };
        (per_tensor || per_axis).then_some(Self { ty, per_axis })
    }

    /// The type of the stored integers.
    pub fn storage(self) -> Type<'c> {
        // SAFETY: The type is quantized.
        unsafe { Type::from_raw(mlirQuantizedTypeGetStorageType(self.ty.to_raw())) }
    }

    /// The width of the stored integers in bits.
    pub fn storage_width(self) -> u32 {
        // SAFETY: The type is quantized.
        unsafe { mlirQuantizedTypeGetStorageTypeIntegralWidth(self.ty.to_raw()) }
    }

    /// Returns true if the stored integers are signed.
    pub fn is_signed(self) -> bool {
        // SAFETY: The type is quantized.
        unsafe { mlirQuantizedTypeIsSigned(self.ty.to_raw()) }
    }

    /// The type of the represented real numbers.
    pub fn expressed(self) -> Type<'c> {
        // SAFETY: The type is quantized.
        unsafe { Type::from_raw(mlirQuantizedTypeGetExpressedType(self.ty.to_raw())) }
    }

    /// The smallest and the largest stored integer.
    pub fn range(self) -> (i64, i64) {
        // SAFETY: The type is quantized.
        unsafe {
            (
                mlirQuantizedTypeGetStorageTypeMin(self.ty.to_raw()),
                mlirQuantizedTypeGetStorageTypeMax(self.ty.to_raw()),
            )
        }
    }

    /// The dimension with separate scales per slice; `None` for per-tensor quantization.
    pub fn axis(self) -> Option<i64> {
        self.per_axis.then(|| {
            // SAFETY: The type is quantized per axis.
            i64::from(unsafe {
                mlirUniformQuantizedPerAxisTypeGetQuantizedDimension(self.ty.to_raw())
            })
        })
    }

    /// The number of scales.
    pub fn scale_count(self) -> usize {
        if !self.per_axis {
            return 1;
        }
        // SAFETY: The type is quantized per axis.
        unsafe { mlirUniformQuantizedPerAxisTypeGetNumDims(self.ty.to_raw()) as usize }
    }

    /// A scale and its zero point, by index.
    pub fn parameters(self, number: usize) -> (f64, i64) {
        let raw = self.ty.to_raw();
        debug_assert!(number < self.scale_count());
        // SAFETY: The type is of the kind that each function requires, and the index is in range.
        unsafe {
            if self.per_axis {
                (
                    mlirUniformQuantizedPerAxisTypeGetScale(raw, number as isize),
                    mlirUniformQuantizedPerAxisTypeGetZeroPoint(raw, number as isize),
                )
            } else {
                (
                    mlirUniformQuantizedTypeGetScale(raw),
                    mlirUniformQuantizedTypeGetZeroPoint(raw),
                )
            }
        }
    }

    /// Returns true if all zero points are zero.
    pub fn is_symmetric(self) -> bool {
        (0..self.scale_count()).all(|number| self.parameters(number).1 == 0)
    }

    /// Returns true if both have the same storage and expressed types.
    pub fn stores_like(self, other: Quantized) -> bool {
        self.storage() == other.storage()
            && self.is_signed() == other.is_signed()
            && self.expressed() == other.expressed()
            && self.range() == other.range()
    }

    /// Returns true if both have the same scales and zero points.
    pub fn scales_like(self, other: Quantized) -> bool {
        self.scale_count() == other.scale_count()
            && (0..self.scale_count())
                .all(|number| self.parameters(number) == other.parameters(number))
    }
}

/// Fails unless two tensors have the same element type with all quantization parameters, where
/// `axis` is the dimension of `left` that the quantized dimension of `right` maps to.
pub fn expect_moved(
    left: &Tensor,
    right: &Tensor,
    axis: impl FnOnce(i64) -> Option<i64>,
) -> VerifyResult {
    if left.element == right.element && Quantized::of(left.element).is_none_or(|q| !q.per_axis) {
        return Ok(());
    }
    left.expect_element_of(right)?;
    let (Some(moved), Some(original)) = (Quantized::of(left.element), Quantized::of(right.element))
    else {
        return Ok(());
    };
    if !moved.scales_like(original) {
        return Err(format!(
            "{} has element type {}, but {} has element type {}, which has other scales or zero \
             points",
            left.subject, left.element, right.subject, right.element
        ));
    }
    if let (Some(found), Some(expected)) = (moved.axis(), original.axis().and_then(axis))
        && found != expected
    {
        return Err(format!(
            "{} is quantized along dimension {found}, but the quantized dimension of {} becomes \
             dimension {expected}",
            left.subject, right.subject
        ));
    }
    Ok(())
}

/// The constraints of quantized types: (C8), (C12), (C13). Storage types are spelled like element
/// types; `i8` is signed.
pub fn expect_wellformed(subject: Subject, ty: Type) -> VerifyResult {
    let Some(quantized) = Quantized::of(ty.element_type()) else {
        return Ok(());
    };
    if !quantized.storage().is_signless() && !quantized.storage().is_unsigned() {
        return Err(format!(
            "{subject} has type {ty}, which stores {}",
            quantized.storage()
        ));
    }
    let (minimum, maximum) = quantized.range();
    for number in 0..quantized.scale_count() {
        let (_, zero) = quantized.parameters(number);
        if !(minimum..=maximum).contains(&zero) {
            return Err(format!(
                "{subject} has type {ty}, whose zero point {zero} is not between {minimum} and \
                 {maximum}"
            ));
        }
    }
    let (Some(axis), Some(dims)) = (quantized.axis(), dims_of(ty)) else {
        return Ok(());
    };
    let Some(dim) = usize::try_from(axis).ok().and_then(|axis| dims.get(axis)) else {
        return Err(format!(
            "{subject} has type {ty}, which is quantized along dimension {axis}, but has rank {}",
            dims.len()
        ));
    };
    let count = quantized.scale_count();
    if !dim.agrees_with(Dim::Static(count as i64)) {
        return Err(format!(
            "{subject} has type {ty}, which has {count} scales for a dimension of size {dim}"
        ));
    }
    Ok(())
}
