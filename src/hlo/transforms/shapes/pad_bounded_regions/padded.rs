//! A padded value with its sizes.

use super::Failure;
use crate::{
    semantics::{Dim, dims_of},
    transforms::shapes::align_bounded_operands::pad_to_bounds,
};
use halo_ir::prelude::*;

/// A value of the size of its bounds.
#[derive(Clone)]
pub struct Padded<'c> {
    /// The elements; those beyond the sizes are arbitrary.
    pub data: Value<'c>,
    /// The size of each dimension as a `tensor<i32>`, if it differs from the data's.
    pub sizes: Vec<Option<Value<'c>>>,
}

/// The element type of sizes.
pub fn integer<'c>(b: &Builder<'c>) -> Type<'c> {
    integer_type(b.context(), 32)
}

/// Returns true if all sizes of a type are static, or it is not a tensor.
pub fn is_static(ty: Type) -> bool {
    !ty.is_tensor() || ty.static_shape().is_some()
}

/// The sizes or bounds of a type.
pub fn limits_of(ty: Type) -> Result<Vec<i64>, Failure> {
    let dims = dims_of(ty).ok_or_else(|| no_match("a tensor has no rank"))?;
    let limits: Option<Vec<i64>> = dims.iter().map(|dim| dim.limit()).collect();
    limits.ok_or_else(|| no_match("a size has no bound"))
}

/// The type of the data of a value.
pub fn padded_type(ty: Type<'_>) -> Result<Type<'_>, Failure> {
    if is_static(ty) {
        Ok(ty)
    } else {
        Ok(tensor_type(&limits_of(ty)?, ty.element_type()))
    }
}

/// A number as a scalar.
pub fn number<'c>(b: &Builder<'c>, value: i64) -> Result<Value<'c>, Failure> {
    stablehlo::integers(b, tensor_type(&[], integer(b)), &[value])
}

/// A scalar, broadcast.
pub fn repeated<'c>(b: &Builder<'c>, scalar: Value<'c>, sizes: &[i64]) -> Value<'c> {
    let ty = tensor_type(sizes, scalar.ty().element_type());
    stablehlo::broadcast_in_dim(b, scalar, &[], ty)
}

/// Truncates a static value, or extends it with zeros, to other sizes.
pub fn fit<'c>(b: &Builder<'c>, data: Value<'c>, limits: &[i64]) -> Result<Value<'c>, Failure> {
    let sizes = data.ty().static_shape().ok_or_else(|| no_match("a size is not known"))?;
    if sizes.len() != limits.len() {
        return Err(no_match("ranks differ"));
    }
    let (zeros, ones) = (vec![0; sizes.len()], vec![1; sizes.len()]);
    let cut: Vec<i64> = sizes.iter().zip(limits).map(|(size, limit)| *size.min(limit)).collect();
    let mut data = data;
    if cut != sizes {
        data = stablehlo::slice(b, data, &zeros, &cut, &ones);
    }
    if cut != limits {
        let zero = tensor_type(&[], data.ty().element_type());
        let zero = stablehlo::number(b, zero, 0.0)?;
        let high: Vec<i64> = limits.iter().zip(&cut).map(|(limit, size)| limit - size).collect();
        data = stablehlo::pad(b, data, zero, &zeros, &high, &zeros);
    }
    Ok(data)
}

impl<'c> Padded<'c> {
    /// A value of static size.
    pub fn whole(data: Value<'c>) -> Self {
        Self::with_sizes(data, Vec::new())
    }

    pub fn with_sizes(data: Value<'c>, mut sizes: Vec<Option<Value<'c>>>) -> Self {
        let rank = dims_of(data.ty()).map_or(0, |dims| dims.len());
        sizes.resize(rank, None);
        Self { data, sizes }
    }

    /// A bounded value, padded with zeros.
    pub fn of_bounded(b: &Builder<'c>, value: Value<'c>) -> Result<Self, Failure> {
        let dims = dims_of(value.ty()).unwrap_or_default();
        let (data, sizes) = pad_to_bounds(b, value)?;
        let is_bounded = dims.iter().map(|dim| matches!(dim, Dim::Bounded(_)));
        let sizes = sizes.into_iter().zip(is_bounded);
        let sizes = sizes.map(|(size, is_bounded)| is_bounded.then_some(size));
        Ok(Self {
            data,
            sizes: sizes.collect(),
        })
    }

    /// The next value of concatenated padded values and sizes.
    pub fn next(
        ty: Type<'c>,
        values: &mut impl Iterator<Item = Value<'c>>,
    ) -> Result<Self, Failure> {
        let mut take = || values.next().ok_or_else(|| no_match("a value is missing"));
        let data = take()?;
        let mut sizes = Vec::new();
        for dim in dims_of(ty).unwrap_or_default() {
            sizes.push(match dim {
                Dim::Bounded(_) => Some(take()?),
                Dim::Static(_) | Dim::Dynamic => None,
            });
        }
        Ok(Self { data, sizes })
    }

    /// The largest sizes.
    pub fn limits(&self) -> Result<Vec<i64>, Failure> {
        limits_of(self.data.ty())
    }

    /// The size of a dimension.
    pub fn size(&self, b: &Builder<'c>, dimension: usize) -> Result<Value<'c>, Failure> {
        if let Some(Some(size)) = self.sizes.get(dimension) {
            return Ok(*size);
        }
        let limits = self.limits()?;
        let limit = limits.get(dimension).ok_or_else(|| no_match("a dimension is out of range"))?;
        number(b, *limit)
    }

    /// The same value for a declared type: with its bounds, and sizes where it has bounds.
    pub fn fitted(self, b: &Builder<'c>, ty: Type<'c>) -> Result<Self, Failure> {
        if !ty.is_tensor() {
            return Ok(self);
        }
        let mut sizes = Vec::new();
        for (dimension, dim) in dims_of(ty).unwrap_or_default().iter().enumerate() {
            sizes.push(match dim {
                Dim::Bounded(_) => Some(self.size(b, dimension)?),
                Dim::Static(_) | Dim::Dynamic => None,
            });
        }
        let data = fit(b, self.data, &limits_of(ty)?)?;
        Ok(Self { data, sizes })
    }

    /// A mask of the elements within the sizes of some dimensions; `None` if all are.
    pub fn mask(
        &self,
        b: &Builder<'c>,
        dimensions: impl IntoIterator<Item = usize>,
    ) -> Result<Option<Value<'c>>, Failure> {
        let limits = self.limits()?;
        let mut mask: Option<Value> = None;
        for dimension in dimensions {
            let Some(Some(size)) = self.sizes.get(dimension) else {
                continue;
            };
            let index = stablehlo::iota(b, dimension as i64, tensor_type(&limits, integer(b)));
            let size = repeated(b, *size, &limits);
            let within = stablehlo::compare(b, index, size, ComparisonDirection::Lt);
            mask = Some(match mask {
                Some(mask) => stablehlo::and(b, mask, within),
                None => within,
            });
        }
        Ok(mask)
    }

    /// The data with another scalar beyond the sizes of some dimensions.
    pub fn filled(
        &self,
        b: &Builder<'c>,
        dimensions: impl IntoIterator<Item = usize>,
        scalar: impl FnOnce() -> Result<Value<'c>, Failure>,
    ) -> Result<Value<'c>, Failure> {
        let Some(mask) = self.mask(b, dimensions)? else {
            return Ok(self.data);
        };
        let others = repeated(b, scalar()?, &self.limits()?);
        Ok(stablehlo::select(b, mask, self.data, others))
    }

    /// The data with zeros beyond the sizes of some dimensions.
    pub fn zeroed(
        &self,
        b: &Builder<'c>,
        dimensions: impl IntoIterator<Item = usize>,
    ) -> Result<Value<'c>, Failure> {
        let scalar = tensor_type(&[], self.data.ty().element_type());
        self.filled(b, dimensions, || stablehlo::number(b, scalar, 0.0))
    }
}
