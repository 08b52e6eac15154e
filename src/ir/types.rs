//! Questions about types, and types from parts.

use super::{Type, graveyard::misused, validity};
use melior::{
    Context,
    ir::{TypeLike, r#type::IntegerType},
};
use mlir_sys::{
    mlirComplexTypeGet, mlirComplexTypeGetElementType, mlirRankedTensorTypeGetEncoding,
    mlirShapedTypeGetDimSize, mlirShapedTypeGetElementType, mlirShapedTypeHasRank,
    mlirTypeIsAComplex, mlirTypeIsAMemRef, mlirTypeIsAQuantizedType, mlirTypeIsARankedTensor,
    mlirTypeIsAShaped,
};

/// The float types that processors and LLVM know.
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

/// Whether a type is a ranked tensor.
pub fn is_tensor(r#type: Type) -> bool {
    // SAFETY: The type is valid.
    unsafe { mlirTypeIsARankedTensor(r#type.to_raw()) }
}

/// Whether a type is a ranked memref.
pub fn is_memref(r#type: Type) -> bool {
    // SAFETY: The type is valid.
    unsafe { mlirTypeIsAMemRef(r#type.to_raw()) }
}

/// Whether a type is an integer of any signedness.
pub fn is_integer(r#type: Type) -> bool {
    r#type.is_integer()
}

/// Whether a type is an integer of no signedness.
pub fn is_signless(r#type: Type) -> bool {
    crate::type_as::<IntegerType>(r#type).is_some_and(|integer| integer.is_signless())
}

/// Whether a type is an unsigned integer.
pub fn is_unsigned(r#type: Type) -> bool {
    crate::type_as::<IntegerType>(r#type).is_some_and(|integer| integer.is_unsigned())
}

/// Whether a type is `index`.
pub fn is_index(r#type: Type) -> bool {
    r#type.is_index()
}

/// Whether a type is a float.
pub fn is_float(r#type: Type) -> bool {
    float_kind(r#type).is_some()
}

/// Whether a type is a quantized type of the quant dialect.
pub fn quantized(r#type: Type) -> bool {
    // SAFETY: The type is valid.
    unsafe { mlirTypeIsAQuantizedType(r#type.to_raw()) }
}

/// Which float a type is.
pub fn float_kind(r#type: Type) -> Option<FloatKind> {
    if r#type.is_f32() {
        Some(FloatKind::F32)
    } else if r#type.is_f64() {
        Some(FloatKind::F64)
    } else if r#type.is_f16() {
        Some(FloatKind::F16)
    } else if r#type.is_bf16() {
        Some(FloatKind::BF16)
    } else if r#type.is_float() {
        Some(FloatKind::Narrow)
    } else {
        None
    }
}

/// Whether a type is complex.
pub fn is_complex(r#type: Type) -> bool {
    // SAFETY: The type is valid.
    unsafe { mlirTypeIsAComplex(r#type.to_raw()) }
}

/// The type of the parts of a complex type.
pub fn complex_element(r#type: Type<'_>) -> Option<Type<'_>> {
    is_complex(r#type).then(|| {
        // SAFETY: The type is complex.
        unsafe { Type::from_raw(mlirComplexTypeGetElementType(r#type.to_raw())) }
    })
}

/// A type that MLIR created or rejected with a diagnostic.
///
/// # Safety
///
/// The type must be null or live as long as `'c`.
#[track_caller]
unsafe fn made<'c>(raw: mlir_sys::MlirType, what: &str) -> Type<'c> {
    if raw.ptr.is_null() {
        misused(format_args!(
            "{what} of such sizes or elements is not a type"
        ));
    }
    // SAFETY: The caller sees to it.
    unsafe { Type::from_raw(raw) }
}

/// A location of the context of a type, at which MLIR reports rejections.
fn nowhere(r#type: Type) -> mlir_sys::MlirLocation {
    // SAFETY: The type is valid, and its context as well.
    unsafe { mlir_sys::mlirLocationUnknownGet(mlir_sys::mlirTypeGetContext(r#type.to_raw())) }
}

/// `complex<element>`
///
/// # Panics
/// Where the element is neither an integer nor a float.
#[track_caller]
pub fn complex_type(element: Type<'_>) -> Type<'_> {
    if !is_integer(element) && !is_float(element) {
        misused(format_args!("complex<{element}> is not a type"));
    }
    // SAFETY: The element type is valid, and the result belongs to its context.
    unsafe { Type::from_raw(mlirComplexTypeGet(element.to_raw())) }
}

/// The width of an integer type.
pub fn integer_width(r#type: Type) -> Option<u32> {
    Some(crate::type_as::<IntegerType>(r#type)?.width())
}

/// The width in bits of an integer or a float.
pub fn bits_of(r#type: Type) -> Option<u32> {
    if let Some(width) = integer_width(r#type) {
        return Some(width);
    }
    r#type.is_float().then(|| r#type.float_width())
}

/// The width of the widest integer.
const MAX_INTEGER_WIDTH: u32 = (1 << 24) - 1;

/// `iN`
///
/// # Panics
/// Where the width is 2^24 or more.
#[track_caller]
pub fn integer_type(context: &Context, width: u32) -> Type<'_> {
    if width > MAX_INTEGER_WIDTH {
        misused(format_args!("i{width} is wider than any integer"));
    }
    IntegerType::new(context, width).into()
}

/// `index`
pub fn index_type(context: &Context) -> Type<'_> {
    Type::index(context)
}

/// The dimensions of a ranked tensor, memref or vector, `None` standing for a
/// dynamic one; `None` for any other type.
pub fn shape_of(r#type: Type) -> Option<Vec<Option<i64>>> {
    let raw = r#type.to_raw();
    // SAFETY: The type is asked for its rank only where it has one, and for
    // sizes below it.
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

/// The element type of a shaped type, or the type itself.
pub fn element_type(r#type: Type<'_>) -> Type<'_> {
    // SAFETY: Only a shaped type is asked for its element type.
    unsafe {
        if mlirTypeIsAShaped(r#type.to_raw()) {
            Type::from_raw(mlirShapedTypeGetElementType(r#type.to_raw()))
        } else {
            r#type
        }
    }
}

/// `tensor<dims x element>`
///
/// # Panics
/// Where a size is negative and not the dynamic one, or tensors have no such elements.
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
/// Where tensors have no such elements.
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
/// Where a size is negative and not the dynamic one, or memrefs have no such elements.
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

/// A memref type in the default memory space; any other type as it is.
pub fn without_memory_space(r#type: Type<'_>) -> Type<'_> {
    if !is_memref(r#type) {
        return r#type;
    }
    // SAFETY: The type is a ranked memref; sizes are as many as its rank, and a
    // memory space may be null.
    unsafe {
        let raw = r#type.to_raw();
        if mlir_sys::mlirMemRefTypeGetMemorySpace(raw).ptr.is_null() {
            return r#type;
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

/// `vector<dims x element>`
///
/// # Panics
/// Where a size is not positive, or vectors have no such elements.
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

/// A vector type with the same dimensions, those of scalable vectors too, and another element
/// type.
///
/// # Panics
/// Where the type is no vector, or vectors have no such elements.
#[track_caller]
pub fn vector_type_with_element<'c>(vector: Type<'c>, element: Type<'c>) -> Type<'c> {
    if !vector.is_vector() {
        misused(format_args!("'{vector}' is no vector"));
    }
    // SAFETY: The type is a vector, whose dimensions are asked for. As in `tensor_type`.
    unsafe {
        let rank = mlir_sys::mlirShapedTypeGetRank(vector.to_raw()) as isize;
        let dims: Vec<i64> = (0..rank)
            .map(|dim| mlir_sys::mlirShapedTypeGetDimSize(vector.to_raw(), dim))
            .collect();
        let are_scalable: Vec<bool> = (0..rank)
            .map(|dim| mlir_sys::mlirVectorTypeIsDimScalable(vector.to_raw(), dim))
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

/// A tensor type with the same dimensions and encoding, and another element
/// type; any other type becomes the element type.
pub fn with_element_type<'c>(r#type: Type<'c>, element: Type<'c>) -> Type<'c> {
    if !is_tensor(r#type) {
        return element;
    }
    if validity::context_of_type(r#type).ptr != validity::context_of_type(element).ptr {
        misused("an element type is of another context");
    }
    // SAFETY: The type is a ranked tensor; sizes are as many as its rank.
    unsafe {
        let raw = r#type.to_raw();
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

/// The type with unsigned integers made signless: in scalars and in the
/// elements of tensors. Arithmetic keeps no signs in its types.
pub fn unsigned_to_signless<'c>(context: &'c Context, r#type: Type<'c>) -> Type<'c> {
    let element = element_type(r#type);
    if !is_unsigned(element) {
        return r#type;
    }
    match integer_width(element) {
        Some(width) => with_element_type(r#type, integer_type(context, width)),
        None => r#type,
    }
}

/// The dimensions of a shaped type without dynamic ones.
pub fn static_shape_of(r#type: Type) -> Option<Vec<i64>> {
    shape_of(r#type)?.into_iter().collect()
}

/// The strides of a memref in elements and its offset, `None` standing for a
/// dynamic one; `None` where the layout has no strides.
pub fn strides_of(r#type: Type) -> Option<(Vec<Option<i64>>, Option<i64>)> {
    if !is_memref(r#type) {
        return None;
    }
    if let Some(strides) = row_major_strides(r#type) {
        return Some((strides, Some(0)));
    }
    let rank = shape_of(r#type)?.len();
    let mut strides = vec![0_i64; rank];
    let mut offset = 0_i64;
    // SAFETY: The type is a memref, and there is room for as many strides as it
    // has dimensions.
    let (result, dynamic) = unsafe {
        (
            mlir_sys::mlirMemRefTypeGetStridesAndOffset(
                r#type.to_raw(),
                strides.as_mut_ptr(),
                &mut offset,
            ),
            mlir_sys::mlirShapedTypeGetDynamicStrideOrOffset(),
        )
    };
    let fixed = |value: i64| (value != dynamic).then_some(value);
    (result.value != 0).then(|| (strides.into_iter().map(fixed).collect(), fixed(offset)))
}

/// The strides of a memref with an identity layout, from its shape: MLIR makes affine expressions
/// for them, and takes them apart.
fn row_major_strides(r#type: Type) -> Option<Vec<Option<i64>>> {
    let shape = static_shape_of(r#type)?;
    // MLIR says that strides past a dimension of no elements vary.
    if !has_identity_layout(r#type) || shape.contains(&0) {
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

/// Whether a memref is contiguous, in row-major order and without offset.
pub fn has_identity_layout(r#type: Type) -> bool {
    // SAFETY: Only a memref is asked for its layout.
    unsafe {
        is_memref(r#type)
            && mlir_sys::mlirAffineMapIsIdentity(mlir_sys::mlirMemRefTypeGetAffineMap(
                r#type.to_raw(),
            ))
    }
}

/// The type with every integer in it made signless: in scalars, and within
/// tensors, memrefs, tuples and functions.
pub fn with_integers_signless<'c>(context: &'c Context, r#type: Type<'c>) -> Type<'c> {
    map_elements(context, r#type, &|element| {
        integer_width(element).map(|width| integer_type(context, width))
    })
}

/// The type with other element types: in scalars, and within tensors, memrefs,
/// tuples and functions. Where the function gives none, they stay.
pub fn map_elements<'c>(
    context: &'c Context,
    r#type: Type<'c>,
    function: &dyn Fn(Type<'c>) -> Option<Type<'c>>,
) -> Type<'c> {
    if let Some(mapped) = function(r#type) {
        return mapped;
    }
    let inner = |raw: mlir_sys::MlirType| {
        // SAFETY: The type is part of one that is alive.
        map_elements(context, unsafe { Type::from_raw(raw) }, function).to_raw()
    };
    let raw = r#type.to_raw();
    // SAFETY: Each question is asked only of a type that it is for, and parts
    // by a number below their count.
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
                return r#type;
            }
            let sizes = || -> Vec<i64> {
                let rank = mlir_sys::mlirShapedTypeGetRank(raw) as isize;
                (0..rank).map(|index| mlirShapedTypeGetDimSize(raw, index)).collect()
            };
            if mlirTypeIsARankedTensor(raw) {
                return with_element_type(r#type, Type::from_raw(element));
            } else if mlir_sys::mlirTypeIsAUnrankedTensor(raw) {
                mlir_sys::mlirUnrankedTensorTypeGetChecked(nowhere(r#type), element)
            } else if mlirTypeIsAMemRef(raw) {
                let sizes = sizes();
                mlir_sys::mlirMemRefTypeGetChecked(
                    nowhere(r#type),
                    element,
                    sizes.len() as isize,
                    sizes.as_ptr(),
                    mlir_sys::mlirMemRefTypeGetLayout(raw),
                    mlir_sys::mlirMemRefTypeGetMemorySpace(raw),
                )
            } else if mlir_sys::mlirTypeIsAUnrankedMemRef(raw) {
                mlir_sys::mlirUnrankedMemRefTypeGetChecked(
                    nowhere(r#type),
                    element,
                    mlir_sys::mlirUnrankedMemrefGetMemorySpace(raw),
                )
            } else {
                return r#type;
            }
        } else {
            return r#type;
        };
        made(converted, "a type")
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
            // MLIR's answer where there are no elements.
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
            let r#type = Type::parse(&context, text).unwrap();
            assert_eq!(
                strides_of(r#type),
                Some((strides.to_vec(), offset)),
                "{text}"
            );
        }
    }
}
