//! Quantized element types, through the C interface of the `quant` dialect.

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
}
