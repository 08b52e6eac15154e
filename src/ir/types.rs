//! Accessors of types, and types from parts.

// Handles are copied.
#![allow(clippy::wrong_self_convention)]

use crate::{
    cast::TypeKind,
    graveyard::bug,
    handles::{Attribute, Type, context_from_raw},
    validity,
};
use easy_ext::ext;
use melior::{
    Context,
    ir::{TypeLike, r#type::IntegerType},
};
use mlir_sys::{
    mlirComplexTypeGet, mlirComplexTypeGetElementType,
    mlirQuantizedTypeGetStorageTypeIntegralWidth, mlirRankedTensorTypeGetEncoding,
    mlirShapedTypeGetDimSize, mlirShapedTypeGetElementType, mlirShapedTypeHasRank,
    mlirTypeIsAComplex, mlirTypeIsAMemRef, mlirTypeIsAQuantizedType, mlirTypeIsARankedTensor,
    mlirTypeIsAShaped, mlirTypeIsAUniformQuantizedPerAxisType, mlirTypeIsAUniformQuantizedType,
};

/// The float types that processors and LLVM support.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FloatKind {
    /// 16 bits, 8 of exponent.
    BF16,
    /// IEEE binary16.
    F16,
    /// IEEE binary32.
    F32,
    /// IEEE binary64.
    F64,
    /// Any narrower format.
    Narrow,
}

/// A type that MLIR created or rejected with a diagnostic.
///
/// # Safety
///
/// The type must be null or live as long as `'c`.
#[track_caller]
unsafe fn made<'c>(raw: mlir_sys::MlirType, what: &str) -> Type<'c> {
    if raw.ptr.is_null() {
        bug(format_args!(
            "{what} of such sizes or elements is not a type"
        ));
    }
    // SAFETY: The caller guarantees it.
    unsafe { Type::from_raw(raw) }
}

/// A location of the context of a type, at which MLIR reports rejections.
fn nowhere(ty: Type) -> mlir_sys::MlirLocation {
    // SAFETY: The type is valid, and its context as well.
    unsafe { mlir_sys::mlirLocationUnknownGet(mlir_sys::mlirTypeGetContext(ty.to_raw())) }
}

/// `complex<element>`
///
/// # Panics
/// Panics if the element is neither an integer nor a float.
#[track_caller]
pub fn complex_type(element: Type<'_>) -> Type<'_> {
    if !element.is_integer() && !element.is_float() {
        bug(format_args!("complex<{element}> is not a type"));
    }
    // SAFETY: The element type is valid, and the result belongs to its context.
    unsafe { Type::from_raw(mlirComplexTypeGet(element.to_raw())) }
}

/// The width of the widest integer.
const MAX_INTEGER_WIDTH: u32 = (1 << 24) - 1;

/// `iN`
///
/// # Panics
/// Panics if the width is 2^24 or more.
#[track_caller]
pub fn integer_type(context: &Context, width: u32) -> Type<'_> {
    if width > MAX_INTEGER_WIDTH {
        bug(format_args!("i{width} is wider than any integer"));
    }
    IntegerType::new(context, width).into()
}

/// `tensor<dims x element>`
///
/// # Panics
/// Panics if a size is negative and not the dynamic one, or tensors cannot have such elements.
#[track_caller]
pub fn tensor_type<'c>(dims: &[i64], element: Type<'c>) -> Type<'c> {
    // SAFETY: The sizes are as many as the rank; the result belongs to the context of the
    // element type.
    unsafe {
        let raw = mlir_sys::mlirRankedTensorTypeGetChecked(
            nowhere(element),
            dims.len() as isize,
            dims.as_ptr(),
            element.to_raw(),
            mlir_sys::mlirAttributeGetNull(),
        );
        made(raw, "a tensor")
    }
}

/// `tensor<*xelement>`
///
/// # Panics
/// Panics if tensors cannot have such elements.
#[track_caller]
pub fn unranked_tensor_type(element: Type<'_>) -> Type<'_> {
    // SAFETY: The element type is valid, and the result belongs to its context.
    unsafe {
        let raw = mlir_sys::mlirUnrankedTensorTypeGetChecked(nowhere(element), element.to_raw());
        made(raw, "a tensor")
    }
}

/// `memref<dims x element>`, contiguous and in row-major order.
///
/// # Panics
/// Panics if a size is negative and not the dynamic one, or memrefs cannot have such elements.
#[track_caller]
pub fn memref_type<'c>(dims: &[i64], element: Type<'c>) -> Type<'c> {
    // SAFETY: As in `tensor_type`.
    unsafe {
        let raw = mlir_sys::mlirMemRefTypeContiguousGetChecked(
            nowhere(element),
            element.to_raw(),
            dims.len() as isize,
            dims.as_ptr(),
            mlir_sys::mlirAttributeGetNull(),
        );
        made(raw, "a memref")
    }
}

/// `vector<dims x element>`
///
/// # Panics
/// Panics if a size is not positive, or vectors cannot have such elements.
#[track_caller]
pub fn vector_type<'c>(dims: &[i64], element: Type<'c>) -> Type<'c> {
    // SAFETY: As in `tensor_type`.
    unsafe {
        let raw = mlir_sys::mlirVectorTypeGetChecked(
            nowhere(element),
            dims.len() as isize,
            dims.as_ptr(),
            element.to_raw(),
        );
        made(raw, "a vector")
    }
}

/// The strides of a memref with an identity layout, from its shape, without the affine expressions
/// that MLIR would create.
fn row_major_strides(ty: Type) -> Option<Vec<Option<i64>>> {
    let shape = ty.static_shape()?;
    // In MLIR, strides past a dimension of no elements vary.
    if !ty.has_identity_layout() || shape.contains(&0) {
        return None;
    }
    let mut stride = 1_i64;
    let mut strides = vec![None; shape.len()];
    for (axis, size) in shape.iter().enumerate().rev() {
        strides[axis] = Some(stride);
        stride = stride.checked_mul(*size)?;
    }
    Some(strides)
}

/// Methods of types.
#[ext(TypeExt)]
pub impl<'c> Type<'c> {
    /// The element type of a shaped type, or the type itself.
    fn element_type(self) -> Type<'c> {
        // SAFETY: The element type is read only from a shaped type.
        unsafe {
            if mlirTypeIsAShaped(self.to_raw()) {
                Type::from_raw(mlirShapedTypeGetElementType(self.to_raw()))
            } else {
                self
            }
        }
    }

    /// The dimensions of a ranked tensor, memref or vector, `None` for a dynamic one; `None` for
    /// any other type.
    fn shape(self) -> Option<Vec<Option<i64>>> {
        let raw = self.to_raw();
        // SAFETY: The rank is read only if the type has one, and sizes only below it.
        unsafe {
            if !mlirTypeIsAShaped(raw) || !mlirShapedTypeHasRank(raw) {
                return None;
            }
            let rank = mlir_sys::mlirShapedTypeGetRank(raw) as isize;
            Some(
                (0..rank)
                    .map(|index| mlirShapedTypeGetDimSize(raw, index))
                    .map(|size| (size >= 0).then_some(size))
                    .collect(),
            )
        }
    }

    /// The dimensions of a shaped type without dynamic ones.
    fn static_shape(self) -> Option<Vec<i64>> {
        self.shape()?.into_iter().collect()
    }

    /// The sizes of a shaped type of static shape; none of an element.
    #[track_caller]
    fn sizes(self) -> Vec<i64> {
        if self.is_float() || self.is_integer() || self.is_index() || self.is_complex() {
            return Vec::new();
        }
        self.static_shape()
            .unwrap_or_else(|| bug(format!("expected a static shape, got {self}")))
    }

    /// Whether a float type is narrower than f32, so that functions on it are
    /// computed in f32 and rounded.
    fn is_narrow_float(self) -> bool {
        matches!(
            self.float_kind(),
            Some(FloatKind::BF16 | FloatKind::F16 | FloatKind::Narrow)
        )
    }

    /// The strides of a memref in elements and its offset, `None` for a dynamic one; `None` if the
    /// layout is not strided.
    fn strides(self) -> Option<(Vec<Option<i64>>, Option<i64>)> {
        if !self.is_memref() {
            return None;
        }
        if let Some(strides) = row_major_strides(self) {
            return Some((strides, Some(0)));
        }
        let rank = self.shape()?.len();
        let mut strides = vec![0_i64; rank];
        let mut offset = 0_i64;
        // SAFETY: The type is a memref, and there is room for as many strides as it
        // has dimensions.
        let (result, dynamic) = unsafe {
            (
                mlir_sys::mlirMemRefTypeGetStridesAndOffset(
                    self.to_raw(),
                    strides.as_mut_ptr(),
                    &mut offset,
                ),
                mlir_sys::mlirShapedTypeGetDynamicStrideOrOffset(),
            )
        };
        let fixed = |value: i64| (value != dynamic).then_some(value);
        (result.value != 0).then(|| (strides.into_iter().map(fixed).collect(), fixed(offset)))
    }

    /// The width in bits of an integer or a float.
    fn bit_width(self) -> Option<u32> {
        if let Some(width) = self.integer_width() {
            return Some(width);
        }
        TypeLike::is_float(&self).then(|| self.float_width())
    }

    /// The size of an element of this type in memory, in bytes: the width, rounded up to a power of
    /// two. A complex number has two parts; a quantized number is stored as an integer.
    fn byte_width(self) -> Option<u64> {
        if let Some(part) = self.complex_element() {
            return Some(2 * part.byte_width()?);
        }
        // SAFETY: The type is valid; both kinds are stored as integers.
        let stored = unsafe {
            (mlirTypeIsAUniformQuantizedType(self.to_raw())
                || mlirTypeIsAUniformQuantizedPerAxisType(self.to_raw()))
            .then(|| mlirQuantizedTypeGetStorageTypeIntegralWidth(self.to_raw()))
        };
        let index = self.is_index().then_some(64);
        let bits = stored.or(index).or_else(|| self.bit_width())?;
        Some(u64::from(bits.div_ceil(8).next_power_of_two()))
    }

    /// The width of an integer type.
    fn integer_width(self) -> Option<u32> {
        Some(self.cast::<IntegerType>()?.width())
    }

    /// Which float a type is.
    fn float_kind(self) -> Option<FloatKind> {
        if self.is_f32() {
            Some(FloatKind::F32)
        } else if self.is_f64() {
            Some(FloatKind::F64)
        } else if self.is_f16() {
            Some(FloatKind::F16)
        } else if self.is_bf16() {
            Some(FloatKind::BF16)
        } else if TypeLike::is_float(&self) {
            Some(FloatKind::Narrow)
        } else {
            None
        }
    }

    /// The component type of a complex type.
    fn complex_element(self) -> Option<Type<'c>> {
        self.is_complex().then(|| {
            // SAFETY: The type is complex.
            unsafe { Type::from_raw(mlirComplexTypeGetElementType(self.to_raw())) }
        })
    }

    /// The type as one of melior's types; `None` for another kind.
    fn cast<T: TypeKind<'c>>(self) -> Option<T> {
        T::is(self).then(|| T::try_from(self).ok())?
    }

    /// The context that owns a type.
    fn context(self) -> &'c Context {
        // SAFETY: The context outlives its types.
        unsafe { context_from_raw(mlir_sys::mlirTypeGetContext(self.to_raw())) }
    }

    /// Whether a type is `f32`.
    fn is_f32(self) -> bool {
        TypeLike::is_f32(&self)
    }

    /// Whether a type is `f64`.
    fn is_f64(self) -> bool {
        TypeLike::is_f64(&self)
    }

    /// Whether a type is a vector.
    fn is_vector(self) -> bool {
        TypeLike::is_vector(&self)
    }

    /// Whether a type is complex.
    fn is_complex(self) -> bool {
        // SAFETY: The type is valid.
        unsafe { mlirTypeIsAComplex(self.to_raw()) }
    }

    /// Whether a type is a float.
    fn is_float(self) -> bool {
        self.float_kind().is_some()
    }

    /// Whether a type is `index`.
    fn is_index(self) -> bool {
        TypeLike::is_index(&self)
    }

    /// Whether a type is an integer of any signedness.
    fn is_integer(self) -> bool {
        TypeLike::is_integer(&self)
    }

    /// Whether a type is a ranked memref.
    fn is_memref(self) -> bool {
        // SAFETY: The type is valid.
        unsafe { mlirTypeIsAMemRef(self.to_raw()) }
    }

    /// Whether a type is an integer of no signedness.
    fn is_signless(self) -> bool {
        self.cast::<IntegerType>().is_some_and(|integer| integer.is_signless())
    }

    /// Whether a type is a ranked tensor.
    fn is_tensor(self) -> bool {
        // SAFETY: The type is valid.
        unsafe { mlirTypeIsARankedTensor(self.to_raw()) }
    }

    /// Whether a type is an unsigned integer.
    fn is_unsigned(self) -> bool {
        self.cast::<IntegerType>().is_some_and(|integer| integer.is_unsigned())
    }

    /// Whether a memref is contiguous, in row-major order and without offset.
    fn has_identity_layout(self) -> bool {
        // SAFETY: The layout is read only from a memref.
        unsafe {
            self.is_memref()
                && mlir_sys::mlirAffineMapIsIdentity(mlir_sys::mlirMemRefTypeGetAffineMap(
                    self.to_raw(),
                ))
        }
    }

    /// The encoding of a ranked tensor type, if any.
    fn encoding(self) -> Option<Attribute<'c>> {
        // SAFETY: The encoding is read only from a ranked tensor.
        unsafe {
            if !self.is_tensor() {
                return None;
            }
            let encoding = mlir_sys::mlirRankedTensorTypeGetEncoding(self.to_raw());
            (!encoding.ptr.is_null()).then(|| Attribute::from_raw(encoding))
        }
    }

    /// The number of elements of a type of static shape.
    fn element_count(self) -> Option<i64> {
        self.static_shape()?
            .into_iter()
            .try_fold(1_i64, |count, size| count.checked_mul(size))
    }

    /// Whether a type is a quantized type of the quant dialect.
    fn is_quantized(self) -> bool {
        // SAFETY: The type is valid.
        unsafe { mlirTypeIsAQuantizedType(self.to_raw()) }
    }

    /// A tensor type with the same dimensions and encoding, and another element
    /// type; any other type becomes the element type.
    fn with_element_type(self, element: Type<'c>) -> Type<'c> {
        if !self.is_tensor() {
            return element;
        }
        if validity::context_of_type(self).ptr != validity::context_of_type(element).ptr {
            bug("an element type is of another context");
        }
        // SAFETY: The type is a ranked tensor; sizes are as many as its rank.
        unsafe {
            let raw = self.to_raw();
            let rank = mlir_sys::mlirShapedTypeGetRank(raw);
            let sizes: Vec<i64> =
                (0..rank as isize).map(|index| mlirShapedTypeGetDimSize(raw, index)).collect();
            let raw = mlir_sys::mlirRankedTensorTypeGetChecked(
                nowhere(element),
                rank as isize,
                sizes.as_ptr(),
                element.to_raw(),
                mlirRankedTensorTypeGetEncoding(raw),
            );
            made(raw, "a tensor")
        }
    }

    /// A vector type with the same dimensions, scalable ones too, and another element type.
    ///
    /// # Panics
    /// Panics if the type is not a vector, or vectors cannot have such elements.
    #[track_caller]
    fn vector_with_element(self, element: Type<'c>) -> Type<'c> {
        if !self.is_vector() {
            bug(format_args!("'{self}' is no vector"));
        }
        // SAFETY: The dimensions are read from a vector. As in `tensor_type`.
        unsafe {
            let rank = mlir_sys::mlirShapedTypeGetRank(self.to_raw()) as isize;
            let dims: Vec<i64> = (0..rank)
                .map(|dim| mlir_sys::mlirShapedTypeGetDimSize(self.to_raw(), dim))
                .collect();
            let are_scalable: Vec<bool> = (0..rank)
                .map(|dim| mlir_sys::mlirVectorTypeIsDimScalable(self.to_raw(), dim))
                .collect();
            let raw = mlir_sys::mlirVectorTypeGetScalableChecked(
                nowhere(element),
                rank,
                dims.as_ptr(),
                are_scalable.as_ptr(),
                element.to_raw(),
            );
            made(raw, "a vector")
        }
    }

    /// The type with other element types: in scalars, and within tensors, memrefs, tuples and
    /// functions. Types for which the function returns `None` are unchanged.
    fn map_elements(
        self,
        context: &'c Context,
        function: &dyn Fn(Type<'c>) -> Option<Type<'c>>,
    ) -> Type<'c> {
        if let Some(mapped) = function(self) {
            return mapped;
        }
        let inner = |raw: mlir_sys::MlirType| {
            // SAFETY: The type is part of one that is alive.
            (unsafe { Type::from_raw(raw) }).map_elements(context, function).to_raw()
        };
        let raw = self.to_raw();
        // SAFETY: Each accessor is called only for types of its kind, with an index below the
        // count.
        unsafe {
            let converted = if mlir_sys::mlirTypeIsATuple(raw) {
                let parts: Vec<_> = (0..mlir_sys::mlirTupleTypeGetNumTypes(raw))
                    .map(|index| inner(mlir_sys::mlirTupleTypeGetType(raw, index)))
                    .collect();
                mlir_sys::mlirTupleTypeGet(context.to_raw(), parts.len() as isize, parts.as_ptr())
            } else if mlir_sys::mlirTypeIsAFunction(raw) {
                let inputs: Vec<_> = (0..mlir_sys::mlirFunctionTypeGetNumInputs(raw))
                    .map(|index| inner(mlir_sys::mlirFunctionTypeGetInput(raw, index)))
                    .collect();
                let results: Vec<_> = (0..mlir_sys::mlirFunctionTypeGetNumResults(raw))
                    .map(|index| inner(mlir_sys::mlirFunctionTypeGetResult(raw, index)))
                    .collect();
                mlir_sys::mlirFunctionTypeGet(
                    context.to_raw(),
                    inputs.len() as isize,
                    inputs.as_ptr(),
                    results.len() as isize,
                    results.as_ptr(),
                )
            } else if mlirTypeIsAShaped(raw) {
                let old = mlirShapedTypeGetElementType(raw);
                let element = inner(old);
                if mlir_sys::mlirTypeEqual(old, element) {
                    return self;
                }
                let sizes = || -> Vec<i64> {
                    let rank = mlir_sys::mlirShapedTypeGetRank(raw) as isize;
                    (0..rank).map(|index| mlirShapedTypeGetDimSize(raw, index)).collect()
                };
                if mlirTypeIsARankedTensor(raw) {
                    return self.with_element_type(Type::from_raw(element));
                } else if mlir_sys::mlirTypeIsAUnrankedTensor(raw) {
                    mlir_sys::mlirUnrankedTensorTypeGetChecked(nowhere(self), element)
                } else if mlirTypeIsAMemRef(raw) {
                    let sizes = sizes();
                    mlir_sys::mlirMemRefTypeGetChecked(
                        nowhere(self),
                        element,
                        sizes.len() as isize,
                        sizes.as_ptr(),
                        mlir_sys::mlirMemRefTypeGetLayout(raw),
                        mlir_sys::mlirMemRefTypeGetMemorySpace(raw),
                    )
                } else if mlir_sys::mlirTypeIsAUnrankedMemRef(raw) {
                    mlir_sys::mlirUnrankedMemRefTypeGetChecked(
                        nowhere(self),
                        element,
                        mlir_sys::mlirUnrankedMemrefGetMemorySpace(raw),
                    )
                } else {
                    return self;
                }
            } else {
                return self;
            };
            made(converted, "a type")
        }
    }

    /// The type with every integer in it made signless: in scalars, and within
    /// tensors, memrefs, tuples and functions.
    fn integers_signless(self, context: &'c Context) -> Type<'c> {
        self.map_elements(context, &|element| {
            element.integer_width().map(|width| integer_type(context, width))
        })
    }

    /// The type with unsigned integers made signless: in scalars and in the
    /// elements of tensors. Arithmetic keeps no signs in its types.
    fn unsigned_to_signless(self, context: &'c Context) -> Type<'c> {
        let element = self.element_type();
        if !element.is_unsigned() {
            return self;
        }
        match element.integer_width() {
            Some(width) => self.with_element_type(integer_type(context, width)),
            None => self,
        }
    }

    /// A memref type in the default memory space; any other type unchanged.
    fn without_memory_space(self) -> Type<'c> {
        if !self.is_memref() {
            return self;
        }
        // SAFETY: The type is a ranked memref; sizes are as many as its rank, and a
        // memory space may be null.
        unsafe {
            let raw = self.to_raw();
            if mlir_sys::mlirMemRefTypeGetMemorySpace(raw).ptr.is_null() {
                return self;
            }
            let rank = mlir_sys::mlirShapedTypeGetRank(raw);
            let sizes: Vec<i64> =
                (0..rank as isize).map(|index| mlirShapedTypeGetDimSize(raw, index)).collect();
            Type::from_raw(mlir_sys::mlirMemRefTypeGet(
                mlirShapedTypeGetElementType(raw),
                rank as isize,
                sizes.as_ptr(),
                mlir_sys::mlirMemRefTypeGetLayout(raw),
                mlir_sys::mlirAttributeGetNull(),
            ))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strides_are_those_of_the_layout() {
        let context = Context::new();
        type Strides<'a> = (&'a [Option<i64>], Option<i64>);
        let all: [(&str, Strides); 8] = [
            ("memref<4x3x2xf32>", (&[Some(6), Some(2), Some(1)], Some(0))),
            ("memref<f32>", (&[], Some(0))),
            ("memref<?x4xf32>", (&[Some(4), Some(1)], Some(0))),
            ("memref<4x?xf32>", (&[None, Some(1)], Some(0))),
            // MLIR's result for memrefs without elements.
            ("memref<3x0xf32>", (&[None, Some(1)], Some(0))),
            (
                "memref<4x3xf32, strided<[8, 2], offset: 5>>",
                (&[Some(8), Some(2)], Some(5)),
            ),
            ("memref<4xf32, strided<[1]>>", (&[Some(1)], Some(0))),
            (
                "memref<4x3xf32, affine_map<(i, j) -> (j * 4 + i)>>",
                (&[Some(1), Some(4)], Some(0)),
            ),
        ];
        for (text, (strides, offset)) in all {
            let ty = Type::parse(&context, text).unwrap();
            assert_eq!(ty.strides(), Some((strides.to_vec(), offset)), "{text}");
        }
    }
}
