//! Attributes from Rust values, and back.

// Handles are copied.
#![allow(clippy::wrong_self_convention)]

use crate::{
    cast::AttributeKind,
    discardable::named,
    elements::{extended, integer_of},
    graveyard::bug,
    handles::{Attribute, Type},
    types::{TypeExt, tensor_type},
    validity,
};
use easy_ext::ext;
use melior::ir::TypeLike;
use melior::{
    Context,
    ir::{
        AffineMap, AttributeLike,
        attribute::{
            ArrayAttribute, BoolAttribute, DenseI32ArrayAttribute, DenseI64ArrayAttribute,
            FloatAttribute, IntegerAttribute, StringAttribute, TypeAttribute,
        },
    },
};
use mlir_sys::{
    MlirAttribute, MlirStringRef, mlirAffineMapAttrGet, mlirAffineMapAttrGetValue,
    mlirAttributeIsAAffineMap, mlirAttributeIsAUnit, mlirUnitAttrGet,
};

unsafe extern "C" {
    fn haloDenseResourceRead(attribute: MlirAttribute, data: *mut MlirStringRef) -> bool;
}

/// `"text"`
pub fn string_attribute<'c>(context: &'c Context, text: &str) -> Attribute<'c> {
    StringAttribute::new(context, text).into()
}

/// Whether an attribute is a string of bytes that are not valid UTF-8.
pub(crate) fn is_invalid_utf8(attribute: Attribute) -> bool {
    // SAFETY: The attribute is valid.
    let is_string = unsafe { mlir_sys::mlirAttributeIsAString(attribute.to_raw()) };
    is_string && attribute.string_value().is_none()
}

/// `value : type`
///
/// # Panics
/// Panics if the type is neither an integer nor `index`.
#[track_caller]
pub fn integer_attribute<'c>(ty: Type<'c>, value: i64) -> Attribute<'c> {
    if !ty.is_integer() && !ty.is_index() {
        bug(format_args!("{value} is not a number of type {ty}"));
    }
    IntegerAttribute::new(ty, value).into()
}

/// `value : type` of a float type. The value is rounded to the type.
///
/// # Panics
/// Panics if the type is not a float type.
#[track_caller]
pub fn float_attribute<'c>(ty: Type<'c>, value: f64) -> Attribute<'c> {
    use melior::ir::TypeLike;
    if !ty.is_float() {
        bug(format_args!("{value} is not a number of type {ty}"));
    }
    // SAFETY: The type is a float of the context that the attribute gets.
    unsafe {
        Attribute::from_raw(mlir_sys::mlirFloatAttrDoubleGet(
            mlir_sys::mlirTypeGetContext(ty.to_raw()),
            ty.to_raw(),
            value,
        ))
    }
}

/// `true` or `false`
pub fn bool_attribute(context: &Context, value: bool) -> Attribute<'_> {
    BoolAttribute::new(context, value).into()
}

/// `unit`
pub fn unit_attribute(context: &Context) -> Attribute<'_> {
    // SAFETY: The context is valid, and the attribute lives as long as it.
    unsafe { Attribute::from_raw(mlirUnitAttrGet(context.to_raw())) }
}

/// A type as an attribute.
pub fn type_attribute(ty: Type<'_>) -> Attribute<'_> {
    TypeAttribute::new(ty).into()
}

/// `[a, b, ...]`
///
/// # Panics
/// Panics if an element is of another context.
#[track_caller]
pub fn array_attribute<'c>(context: &'c Context, elements: &[Attribute<'c>]) -> Attribute<'c> {
    for element in elements {
        validity::part_of(context, *element);
    }
    ArrayAttribute::new(context, elements).into()
}

/// `array<i64: ...>`
pub fn i64_array_attribute<'c>(context: &'c Context, values: &[i64]) -> Attribute<'c> {
    DenseI64ArrayAttribute::new(context, values).into()
}

/// `affine_map<...>`
pub fn affine_map_attribute(map: AffineMap<'_>) -> Attribute<'_> {
    // SAFETY: The map is valid, and the attribute belongs to its context.
    unsafe { Attribute::from_raw(mlirAffineMapAttrGet(map.to_raw())) }
}

/// The elements of a dense attribute in MLIR's storage format: `i1` packed into bits, other
/// integers in whole bytes, one element only for a splat.
#[derive(Clone, Copy, Debug)]
pub struct DenseData<'c> {
    /// The type of the attribute.
    pub ty: Type<'c>,
    /// The stored elements.
    pub bytes: &'c [u8],
    /// Whether one element represents all.
    pub splat: bool,
}

/// `dense<...>` from elements in MLIR's storage format; `None` if their number does not match the
/// type.
pub fn dense_attribute<'c>(ty: Type<'c>, bytes: &[u8]) -> Option<Attribute<'c>> {
    ty.static_shape()?;
    // SAFETY: The type has a shape. The callee checks the size and copies the bytes.
    unsafe {
        let raw = mlir_sys::mlirDenseElementsAttrRawBufferGet(
            ty.to_raw(),
            bytes.len(),
            bytes.as_ptr().cast(),
        );
        (!raw.ptr.is_null()).then(|| Attribute::from_raw(raw))
    }
}

/// A vector or tensor splat. A complex element is a `#complex.number<...>`, or its two components
/// in an array.
///
/// # Panics
/// Panics if the type has no static shape, or the element another type than its elements.
#[track_caller]
pub fn splat_attribute<'c>(ty: Type<'c>, element: Attribute<'c>) -> Attribute<'c> {
    use melior::ir::TypeLike;
    let part = ty.element_type().complex_element();
    let element = match (part, element.complex_value()) {
        (Some(part), Some((re, im))) => {
            let parts = [re, im].map(|value| float_attribute(part, value));
            // SAFETY: The context lives as long as its types.
            let context = unsafe { element.context().to_ref() };
            array_attribute(context, &parts)
        }
        _ => element,
    };
    let is_number =
        element.cast::<IntegerAttribute>().is_some() || element.cast::<FloatAttribute>().is_some();
    let fits = if is_number {
        element.ty() == ty.element_type()
    } else {
        part.is_some() && element.array_elements().len() == 2
    };
    if !fits || ty.static_shape().is_none() {
        bug(format_args!("{element} is not an element of {ty}"));
    }
    // SAFETY: The type is shaped, and the element of its element type; both belong to the
    // context of the result.
    unsafe {
        Attribute::from_raw(mlir_sys::mlirDenseElementsAttrSplatGet(
            ty.to_raw(),
            element.to_raw(),
        ))
    }
}

/// Methods of attributes.
#[ext(AttributeExt)]
pub impl<'c> Attribute<'c> {
    /// The text of a string attribute; `None` if its bytes are not valid UTF-8.
    fn string_value(self) -> Option<&'c str> {
        // SAFETY: The bytes are read only if the attribute has some; they belong to the context.
        unsafe {
            let raw = self.to_raw();
            if !mlir_sys::mlirAttributeIsAString(raw) {
                return None;
            }
            let text = mlir_sys::mlirStringAttrGetValue(raw);
            // An empty string may have no address.
            if text.length == 0 {
                return Some("");
            }
            std::str::from_utf8(std::slice::from_raw_parts(text.data.cast(), text.length)).ok()
        }
    }

    /// The number that an integer attribute of at most 64 bits represents; of 2^63 and more, the bits.
    fn integer_value(self) -> Option<i64> {
        Some(super::elements::integer_of(self)? as i64)
    }

    /// The value of a float attribute.
    fn float_value(self) -> Option<f64> {
        // SAFETY: The value is read only if the attribute has one.
        unsafe {
            let raw = self.to_raw();
            mlir_sys::mlirAttributeIsAFloat(raw).then(|| mlir_sys::mlirFloatAttrGetValueDouble(raw))
        }
    }

    /// The elements of an array attribute; empty for any other.
    fn array_elements(self) -> Vec<Attribute<'c>> {
        self.cast::<ArrayAttribute>()
            .map(|array| (0..array.len()).filter_map(|index| array.element(index).ok()).collect())
            .unwrap_or_default()
    }

    /// The name in a symbol reference without nesting, `@name`.
    fn symbol_value(self) -> Option<&'c str> {
        // SAFETY: The name is read only if the attribute has one; it is interned by the context.
        unsafe {
            let raw = self.to_raw();
            if !mlir_sys::mlirAttributeIsAFlatSymbolRef(raw) {
                return None;
            }
            let name = mlir_sys::mlirFlatSymbolRefAttrGetValue(raw);
            if name.length == 0 {
                return Some("");
            }
            std::str::from_utf8(std::slice::from_raw_parts(name.data.cast(), name.length)).ok()
        }
    }

    /// The names in a symbol reference, `@outer::@inner`, outermost first.
    fn symbol_path(self) -> Option<Vec<&'c str>> {
        let text = |name: mlir_sys::MlirStringRef| {
            if name.length == 0 {
                return Some("");
            }
            // SAFETY: The name is interned by the context.
            let bytes = unsafe { std::slice::from_raw_parts(name.data.cast(), name.length) };
            std::str::from_utf8(bytes).ok()
        };
        let raw = self.to_raw();
        // SAFETY: The attribute is alive, and names are read only if it has some.
        unsafe {
            if !mlir_sys::mlirAttributeIsASymbolRef(raw) {
                return None;
            }
            let root = text(mlir_sys::mlirSymbolRefAttrGetRootReference(raw))?;
            let nested =
                (0..mlir_sys::mlirSymbolRefAttrGetNumNestedReferences(raw)).map(|number| {
                    let nested = mlir_sys::mlirSymbolRefAttrGetNestedReference(raw, number);
                    text(mlir_sys::mlirSymbolRefAttrGetRootReference(nested))
                });
            std::iter::once(Some(root)).chain(nested).collect()
        }
    }

    /// The entry of a dictionary attribute with a name.
    fn dictionary_entry(self, name: &str) -> Option<Attribute<'c>> {
        let name = melior::StringRef::new(name);
        // SAFETY: Entries are read only if the attribute has some.
        unsafe {
            let raw = self.to_raw();
            if !mlir_sys::mlirAttributeIsADictionary(raw) {
                return None;
            }
            let entry = mlir_sys::mlirDictionaryAttrGetElementByName(raw, name.to_raw());
            (!entry.ptr.is_null()).then(|| Attribute::from_raw(entry))
        }
    }

    /// The entries of a dictionary, in order; empty for any other attribute.
    fn dictionary_entries(self) -> Vec<(&'c str, Attribute<'c>)> {
        let raw = self.to_raw();
        // SAFETY: Entries are read only from a dictionary, within its size.
        unsafe {
            if !mlir_sys::mlirAttributeIsADictionary(raw) {
                return Vec::new();
            }
            (0..mlir_sys::mlirDictionaryAttrGetNumElements(raw))
                .map(|index| named(mlir_sys::mlirDictionaryAttrGetElement(raw, index)))
                .collect()
        }
    }

    /// The map of an `affine_map<...>`.
    fn affine_map_value(self) -> Option<AffineMap<'c>> {
        // SAFETY: The map is read only if the attribute has one.
        unsafe {
            mlirAttributeIsAAffineMap(self.to_raw())
                .then(|| AffineMap::from_raw(mlirAffineMapAttrGetValue(self.to_raw())))
        }
    }

    /// The values of an `array<i64: ...>`.
    fn i64_array_value(self) -> Option<Vec<i64>> {
        let array = self.cast::<DenseI64ArrayAttribute>()?;
        (0..array.len()).map(|index| array.element(index).ok()).collect()
    }

    /// The values of an `array<i32: ...>`.
    fn i32_array_value(self) -> Option<Vec<i32>> {
        let array = self.cast::<DenseI32ArrayAttribute>()?;
        (0..array.len()).map(|index| array.element(index).ok()).collect()
    }

    /// The elements of `array<i1: ...>`.
    fn bool_array_value(self) -> Option<Vec<bool>> {
        // SAFETY: Elements are read only if the attribute has some.
        unsafe {
            let raw = self.to_raw();
            mlir_sys::mlirAttributeIsADenseBoolArray(raw).then(|| {
                (0..mlir_sys::mlirDenseArrayGetNumElements(raw))
                    .map(|index| mlir_sys::mlirDenseBoolArrayGetElement(raw, index))
                    .collect()
            })
        }
    }

    /// The bytes of a string attribute.
    fn bytes_value(self) -> Option<&'c [u8]> {
        // SAFETY: The bytes are read only if the attribute has some; they belong to the context. An
        // empty string may have no address.
        unsafe {
            let raw = self.to_raw();
            if !mlir_sys::mlirAttributeIsAString(raw) {
                return None;
            }
            let text = mlir_sys::mlirStringAttrGetValue(raw);
            Some(match text.length {
                0 => &[],
                length => std::slice::from_raw_parts(text.data.cast(), length),
            })
        }
    }

    /// The attribute as one of melior's types; `None` for another kind.
    fn cast<A: AttributeKind<'c>>(self) -> Option<A> {
        A::is(self).then(|| A::try_from(self).ok())?
    }

    /// Whether an attribute is an array.
    fn is_array(self) -> bool {
        AttributeLike::is_array(&self)
    }

    /// Whether an attribute is a dictionary.
    fn is_dictionary(self) -> bool {
        AttributeLike::is_dictionary(&self)
    }

    /// Whether an attribute is `unit`.
    fn is_unit(self) -> bool {
        // SAFETY: The attribute is valid.
        unsafe { mlirAttributeIsAUnit(self.to_raw()) }
    }

    /// Whether an attribute holds dense elements.
    fn is_dense(self) -> bool {
        // SAFETY: The attribute is valid.
        unsafe { mlir_sys::mlirAttributeIsADenseElements(self.to_raw()) }
    }

    /// Whether all elements are equal.
    fn is_splat(self) -> bool {
        // SAFETY: The function is called only for dense attributes.
        unsafe { self.is_dense() && mlir_sys::mlirDenseElementsAttrIsSplat(self.to_raw()) }
    }

    /// Whether an attribute is `dense_resource<...>`.
    fn is_dense_resource(self) -> bool {
        // SAFETY: The attribute is valid.
        unsafe { mlir_sys::mlirAttributeIsADenseResourceElements(self.to_raw()) }
    }

    /// The stored elements of a `dense<...>` attribute; `None` for any other.
    fn dense_data(self) -> Option<DenseData<'c>> {
        let ty = self.ty();
        let element = ty.element_type();
        let width = match element.complex_element() {
            Some(part) => 2 * part.bit_width()?.next_multiple_of(8) as usize,
            None if element.is_index() => 64,
            None => element.bit_width()? as usize,
        };
        // SAFETY: The data are read only from a dense attribute, and are one element for a splat,
        // else all of them. They belong to the context.
        unsafe {
            let raw = self.to_raw();
            if !mlir_sys::mlirAttributeIsADenseElements(raw) {
                return None;
            }
            let splat = mlir_sys::mlirDenseElementsAttrIsSplat(raw);
            // A splat may represent more elements than there is memory for.
            let count = ty
                .static_shape()?
                .into_iter()
                .try_fold(1_usize, |count, size| count.checked_mul(size as usize));
            let size = match (splat, width) {
                (true, _) => width.div_ceil(8),
                (false, 1) => count?.div_ceil(8),
                (false, _) => count? * width.div_ceil(8),
            };
            let data = mlir_sys::mlirDenseElementsAttrGetRawData(raw);
            let bytes = if size == 0 || data.is_null() {
                &[][..]
            } else {
                std::slice::from_raw_parts(data.cast(), size)
            };
            Some(DenseData { ty, bytes, splat })
        }
    }

    /// The bytes of `dense_resource<...>`; `None` for any other attribute, and if the program does
    /// not contain them.
    fn dense_resource_data(self) -> Option<&'c [u8]> {
        let mut data = MlirStringRef {
            data: std::ptr::null(),
            length: 0,
        };
        // SAFETY: The callee fills in bytes that belong to the context; none may have
        // no address.
        unsafe {
            if !haloDenseResourceRead(self.to_raw(), &raw mut data) {
                return None;
            }
            Some(match data.length {
                0 => &[],
                length => std::slice::from_raw_parts(data.data.cast(), length),
            })
        }
    }

    /// The single value of a splat.
    fn splat_value(self) -> Option<Attribute<'c>> {
        // SAFETY: The value is read only if the attribute has one.
        unsafe {
            let raw = self.to_raw();
            (mlir_sys::mlirAttributeIsADenseElements(raw)
                && mlir_sys::mlirDenseElementsAttrIsSplat(raw))
            .then(|| Attribute::from_raw(mlir_sys::mlirDenseElementsAttrGetSplatValue(raw)))
        }
    }

    /// Dense elements with the same bits and another element type of the same width; `None` if the
    /// attribute has no such elements.
    fn bitcast_dense(self, ty: Type<'c>) -> Option<Attribute<'c>> {
        let width = ty.element_type().bit_width()?;
        if self.ty().element_type().bit_width()? != width {
            return None;
        }
        let count: Option<i64> = Some(ty.static_shape()?.into_iter().product());
        // SAFETY: The data are read only from a dense attribute. They are one element for a splat,
        // else all of them; elements of an odd width take whole bytes. The callee copies them.
        unsafe {
            let raw = self.to_raw();
            if !mlir_sys::mlirAttributeIsADenseElements(raw) {
                return None;
            }
            let count = if mlir_sys::mlirDenseElementsAttrIsSplat(raw) {
                1
            } else {
                count? as usize
            };
            let data = mlir_sys::mlirDenseElementsAttrGetRawData(raw);
            let size = count * width.div_ceil(8) as usize;
            let result = mlir_sys::mlirDenseElementsAttrRawBufferGet(ty.to_raw(), size, data);
            (!result.ptr.is_null()).then(|| Attribute::from_raw(result))
        }
    }

    /// The same elements in another shape with the same number of elements.
    fn reshape_dense(self, ty: Type<'c>) -> Option<Attribute<'c>> {
        if !self.is_dense()
            || self.ty().element_type() != ty.element_type()
            || self.ty().element_count()? != ty.element_count()?
        {
            return None;
        }
        // SAFETY: The count and the type of the elements agree, as the callee requires.
        Some(unsafe {
            Attribute::from_raw(mlir_sys::mlirDenseElementsAttrReshapeGet(
                self.to_raw(),
                ty.to_raw(),
            ))
        })
    }

    /// All elements of dense integers or booleans as sizes and indices, in order; `None` if an
    /// unsigned one is out of the range of `i64`.
    fn dense_i64s(self) -> Option<Vec<i64>> {
        let numbers = self.dense_integers()?;
        numbers.into_iter().map(|number| number.try_into().ok()).collect()
    }

    /// The numbers that dense integers or booleans represent, in order; `true` is 1.
    fn dense_integers(self) -> Option<Vec<i128>> {
        if !self.is_dense() {
            return None;
        }
        let ty = self.ty();
        let element = ty.element_type();
        let width = if element.is_index() {
            64
        } else {
            element.integer_width().filter(|width| *width <= 64)?
        };
        let count = usize::try_from(ty.element_count()?).ok()?;
        let raw = self.to_raw();
        if width == 1 {
            // SAFETY: The elements are booleans, and the positions are in range.
            return Some(
                (0..count)
                    .map(|index| unsafe {
                        i128::from(mlir_sys::mlirDenseElementsAttrGetBoolValue(
                            raw,
                            index as isize,
                        ))
                    })
                    .collect(),
            );
        }
        let bytes = width.div_ceil(8) as usize;
        let stored = if self.is_splat() { 1 } else { count };
        // SAFETY: Elements wider than a bit are stored in whole bytes, one element for a splat.
        // There may be no data if there are no elements.
        let data = unsafe {
            let data = mlir_sys::mlirDenseElementsAttrGetRawData(raw).cast::<u8>();
            if stored == 0 || data.is_null() {
                &[]
            } else {
                std::slice::from_raw_parts(data, stored * bytes)
            }
        };
        let mut values = data.chunks_exact(bytes).map(|chunk| {
            let mut word = [0; 8];
            word[..bytes].copy_from_slice(chunk);
            extended(u64::from_le_bytes(word), element, width)
        });
        if stored == count {
            Some(values.collect())
        } else {
            Some(vec![values.next()?; count])
        }
    }

    /// The integer that all dense integers or booleans are; `true` is 1.
    fn splat_integer(self) -> Option<i128> {
        integer_of(self.splat_value()?)
    }

    /// The number that all dense integers, booleans or floats are.
    fn splat_number(self) -> Option<f64> {
        let element = self.splat_value()?;
        match integer_of(element) {
            Some(integer) => Some(integer as f64),
            None => Some(element.cast::<FloatAttribute>()?.value()),
        }
    }

    /// The components of a `#complex.number<...>`.
    fn complex_value(self) -> Option<(f64, f64)> {
        // SAFETY: The parts are read only if the attribute has them.
        unsafe {
            let raw = self.to_raw();
            mlir_sys::mlirAttributeIsAComplex(raw).then(|| {
                (
                    mlir_sys::mlirComplexAttrGetRealDouble(raw),
                    mlir_sys::mlirComplexAttrGetImagDouble(raw),
                )
            })
        }
    }

    /// The type of an integer or a float of at most 64 bits, and its bits.
    fn number_bits(self) -> Option<(Type<'c>, u64)> {
        // SAFETY: The attribute is valid.
        let number = unsafe {
            let raw = self.to_raw();
            mlir_sys::mlirAttributeIsAInteger(raw) || mlir_sys::mlirAttributeIsAFloat(raw)
        };
        if !number {
            return None;
        }
        let ty = self.ty();
        if !(ty.is_integer() || ty.is_float() || ty.is_index()) {
            return None;
        }
        // The elements of a constant are bits; one element is enough.
        let data = splat_attribute(tensor_type(&[1], ty), self).dense_data()?;
        if ty.integer_width() == Some(1) {
            return Some((ty, u64::from(data.bytes.first()? & 1)));
        }
        let mut word = [0; 8];
        word.get_mut(..data.bytes.len())?.copy_from_slice(data.bytes);
        Some((ty, u64::from_le_bytes(word)))
    }

    /// The type of a typed attribute.
    fn ty(self) -> Type<'c> {
        AttributeLike::r#type(&self)
    }
}
