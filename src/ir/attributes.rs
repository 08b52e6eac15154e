//! Attributes from Rust values, and back.

use super::{Attribute, Type, attribute_as, graveyard::misused, validity};
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

/// The text of a string attribute; `None` if its bytes are not valid UTF-8.
pub fn string_value<'c>(attribute: Attribute<'c>) -> Option<&'c str> {
    // SAFETY: The attribute is asked for its bytes only where it has some, which
    // belong to the context.
    unsafe {
        let raw = attribute.to_raw();
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

/// Whether an attribute is a string of bytes that are not valid UTF-8.
pub(crate) fn is_invalid_utf8(attribute: Attribute) -> bool {
    // SAFETY: The attribute is valid.
    let is_string = unsafe { mlir_sys::mlirAttributeIsAString(attribute.to_raw()) };
    is_string && string_value(attribute).is_none()
}

/// The name in a symbol reference without nesting, `@name`.
pub fn symbol_value<'c>(attribute: Attribute<'c>) -> Option<&'c str> {
    // SAFETY: The attribute is asked for its name only where it has one; the
    // name is interned by the context.
    unsafe {
        let raw = attribute.to_raw();
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
pub fn symbol_path<'c>(attribute: Attribute<'c>) -> Option<Vec<&'c str>> {
    let text = |name: mlir_sys::MlirStringRef| {
        if name.length == 0 {
            return Some("");
        }
        // SAFETY: The name is interned by the context.
        let bytes = unsafe { std::slice::from_raw_parts(name.data.cast(), name.length) };
        std::str::from_utf8(bytes).ok()
    };
    let raw = attribute.to_raw();
    // SAFETY: The attribute is alive, and is asked for names only where it has
    // some.
    unsafe {
        if !mlir_sys::mlirAttributeIsASymbolRef(raw) {
            return None;
        }
        let root = text(mlir_sys::mlirSymbolRefAttrGetRootReference(raw))?;
        let nested = (0..mlir_sys::mlirSymbolRefAttrGetNumNestedReferences(raw)).map(|number| {
            let nested = mlir_sys::mlirSymbolRefAttrGetNestedReference(raw, number);
            text(mlir_sys::mlirSymbolRefAttrGetRootReference(nested))
        });
        std::iter::once(Some(root)).chain(nested).collect()
    }
}

/// The entry of a dictionary attribute that has a name.
pub fn dictionary_entry<'c>(attribute: Attribute<'c>, name: &str) -> Option<Attribute<'c>> {
    let name = melior::StringRef::new(name);
    // SAFETY: The attribute is asked for entries only where it has some.
    unsafe {
        let raw = attribute.to_raw();
        if !mlir_sys::mlirAttributeIsADictionary(raw) {
            return None;
        }
        let entry = mlir_sys::mlirDictionaryAttrGetElementByName(raw, name.to_raw());
        (!entry.ptr.is_null()).then(|| Attribute::from_raw(entry))
    }
}

/// `value : type`
///
/// # Panics
/// Where the type is neither an integer nor `index`.
#[track_caller]
pub fn integer_attribute<'c>(r#type: Type<'c>, value: i64) -> Attribute<'c> {
    if !super::is_integer(r#type) && !super::is_index(r#type) {
        misused(format_args!("{value} is not a number of type {type}"));
    }
    IntegerAttribute::new(r#type, value).into()
}

/// The number that an integer attribute of at most 64 bits represents; of 2^63 and more, the bits.
pub fn integer_attribute_value(attribute: Attribute) -> Option<i64> {
    Some(super::elements::integer_of(attribute)? as i64)
}

/// `value : type` of a float type. The value is rounded to the type.
///
/// # Panics
/// If the type is not a float type.
#[track_caller]
pub fn float_attribute<'c>(r#type: Type<'c>, value: f64) -> Attribute<'c> {
    use melior::ir::TypeLike;
    if !r#type.is_float() {
        misused(format_args!("{value} is not a number of type {type}"));
    }
    // SAFETY: The type is a float of the context that the attribute gets.
    unsafe {
        Attribute::from_raw(mlir_sys::mlirFloatAttrDoubleGet(
            mlir_sys::mlirTypeGetContext(r#type.to_raw()),
            r#type.to_raw(),
            value,
        ))
    }
}

/// The value of a float attribute.
pub fn float_attribute_value(attribute: Attribute) -> Option<f64> {
    // SAFETY: The attribute is asked for its value only where it has one.
    unsafe {
        let raw = attribute.to_raw();
        mlir_sys::mlirAttributeIsAFloat(raw).then(|| mlir_sys::mlirFloatAttrGetValueDouble(raw))
    }
}

/// `value : index`
pub fn index_attribute(context: &Context, value: i64) -> Attribute<'_> {
    integer_attribute(Type::index(context), value)
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

/// Whether an attribute is `unit`.
pub fn is_unit(attribute: Attribute) -> bool {
    // SAFETY: The attribute is valid.
    unsafe { mlirAttributeIsAUnit(attribute.to_raw()) }
}

/// A type as an attribute.
pub fn type_attribute(r#type: Type<'_>) -> Attribute<'_> {
    TypeAttribute::new(r#type).into()
}

/// `[a, b, ...]`
///
/// # Panics
/// Where an element is of another context.
#[track_caller]
pub fn array_attribute<'c>(context: &'c Context, elements: &[Attribute<'c>]) -> Attribute<'c> {
    for element in elements {
        validity::part_of(context, *element);
    }
    ArrayAttribute::new(context, elements).into()
}

/// The elements of an array attribute; empty where it is none.
pub fn attribute_list(attribute: Attribute<'_>) -> Vec<Attribute<'_>> {
    attribute_as::<ArrayAttribute>(attribute)
        .map(|array| (0..array.len()).filter_map(|index| array.element(index).ok()).collect())
        .unwrap_or_default()
}

/// `array<i64: ...>`
pub fn i64_array_attribute<'c>(context: &'c Context, values: &[i64]) -> Attribute<'c> {
    DenseI64ArrayAttribute::new(context, values).into()
}

/// The values of an `array<i64: ...>`.
pub fn i64_array_value(attribute: Attribute) -> Option<Vec<i64>> {
    let array = attribute_as::<DenseI64ArrayAttribute>(attribute)?;
    (0..array.len()).map(|index| array.element(index).ok()).collect()
}

/// `affine_map<...>`
pub fn affine_map_attribute(map: AffineMap<'_>) -> Attribute<'_> {
    // SAFETY: The map is valid, and the attribute belongs to its context.
    unsafe { Attribute::from_raw(mlirAffineMapAttrGet(map.to_raw())) }
}

/// The map of an `affine_map<...>`.
pub fn affine_map_value(attribute: Attribute<'_>) -> Option<AffineMap<'_>> {
    // SAFETY: The attribute is asked for its map only where it has one.
    unsafe {
        mlirAttributeIsAAffineMap(attribute.to_raw())
            .then(|| AffineMap::from_raw(mlirAffineMapAttrGetValue(attribute.to_raw())))
    }
}

/// The type of a typed attribute.
pub fn attribute_type(attribute: Attribute<'_>) -> Type<'_> {
    attribute.r#type()
}

/// Dense elements with the same bits and another element type of the same
/// width; `None` where the attribute holds no such elements.
pub fn dense_elements_as<'c>(attribute: Attribute<'c>, r#type: Type<'c>) -> Option<Attribute<'c>> {
    use super::{bits_of, element_type, static_shape_of};
    let width = bits_of(element_type(r#type))?;
    if bits_of(element_type(attribute.r#type()))? != width {
        return None;
    }
    let count: Option<i64> = Some(static_shape_of(r#type)?.into_iter().product());
    // SAFETY: The attribute is asked for its data only where it is dense. Its
    // data are one element where it is a splat, else all of them; elements of
    // an odd width take whole bytes. The callee copies them.
    unsafe {
        let raw = attribute.to_raw();
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
        let result = mlir_sys::mlirDenseElementsAttrRawBufferGet(r#type.to_raw(), size, data);
        (!result.ptr.is_null()).then(|| Attribute::from_raw(result))
    }
}

/// The elements of a dense attribute as MLIR stores them: `i1` packed by the
/// bit, other integers in whole bytes, one element only where all are the same.
#[derive(Clone, Copy, Debug)]
pub struct DenseData<'c> {
    /// The type of the attribute.
    pub r#type: Type<'c>,
    /// The stored elements.
    pub bytes: &'c [u8],
    /// Whether one element represents all.
    pub splat: bool,
}

/// The stored elements of a `dense<...>` attribute; `None` for any other.
pub fn dense_data(attribute: Attribute<'_>) -> Option<DenseData<'_>> {
    use super::{bits_of, complex_element, element_type, static_shape_of};
    let r#type = attribute.r#type();
    let element = element_type(r#type);
    let width = match complex_element(element) {
        Some(part) => 2 * bits_of(part)?.next_multiple_of(8) as usize,
        None if super::is_index(element) => 64,
        None => bits_of(element)? as usize,
    };
    // SAFETY: The attribute is asked for its data only where it is dense, and
    // its data are one element where it is a splat, else all of them. They
    // belong to the context.
    unsafe {
        let raw = attribute.to_raw();
        if !mlir_sys::mlirAttributeIsADenseElements(raw) {
            return None;
        }
        let splat = mlir_sys::mlirDenseElementsAttrIsSplat(raw);
        // A splat may represent more elements than there is memory for.
        let count = static_shape_of(r#type)?
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
        Some(DenseData {
            r#type,
            bytes,
            splat,
        })
    }
}

/// Whether an attribute is `dense_resource<...>`.
pub fn is_dense_resource(attribute: Attribute) -> bool {
    // SAFETY: The attribute is valid.
    unsafe { mlir_sys::mlirAttributeIsADenseResourceElements(attribute.to_raw()) }
}

/// The bytes of `dense_resource<...>`, as many as they may be; `None` for any other
/// attribute, and where the program does not have them.
pub fn dense_resource_data(attribute: Attribute<'_>) -> Option<&[u8]> {
    let mut data = MlirStringRef {
        data: std::ptr::null(),
        length: 0,
    };
    // SAFETY: The callee fills in bytes that belong to the context; none may have
    // no address.
    unsafe {
        if !haloDenseResourceRead(attribute.to_raw(), &raw mut data) {
            return None;
        }
        Some(match data.length {
            0 => &[],
            length => std::slice::from_raw_parts(data.data.cast(), length),
        })
    }
}

/// `dense<...>` from elements as MLIR stores them; `None` where their number is
/// not that of the type.
pub fn dense_attribute<'c>(r#type: Type<'c>, bytes: &[u8]) -> Option<Attribute<'c>> {
    super::static_shape_of(r#type)?;
    // SAFETY: The type has a shape. The callee checks the size and copies the bytes.
    unsafe {
        let raw = mlir_sys::mlirDenseElementsAttrRawBufferGet(
            r#type.to_raw(),
            bytes.len(),
            bytes.as_ptr().cast(),
        );
        (!raw.ptr.is_null()).then(|| Attribute::from_raw(raw))
    }
}

/// The one value of dense elements that are all the same.
pub fn dense_splat(attribute: Attribute<'_>) -> Option<Attribute<'_>> {
    // SAFETY: The attribute is asked for its value only where it has one.
    unsafe {
        let raw = attribute.to_raw();
        (mlir_sys::mlirAttributeIsADenseElements(raw)
            && mlir_sys::mlirDenseElementsAttrIsSplat(raw))
        .then(|| Attribute::from_raw(mlir_sys::mlirDenseElementsAttrGetSplatValue(raw)))
    }
}

/// A vector or tensor constant with the same element everywhere. One that is complex
/// is a `#complex.number<...>`, or its two parts in an array.
///
/// # Panics
/// Where the type has no static shape, or the element another type than its elements.
#[track_caller]
pub fn splat_attribute<'c>(r#type: Type<'c>, element: Attribute<'c>) -> Attribute<'c> {
    use melior::ir::TypeLike;
    let part = super::complex_element(super::element_type(r#type));
    let element = match (part, complex_value(element)) {
        (Some(part), Some((re, im))) => {
            let parts = [re, im].map(|value| float_attribute(part, value));
            // SAFETY: The context lives as long as its types.
            let context = unsafe { element.context().to_ref() };
            array_attribute(context, &parts)
        }
        _ => element,
    };
    let is_number = attribute_as::<IntegerAttribute>(element).is_some()
        || attribute_as::<FloatAttribute>(element).is_some();
    let fits = if is_number {
        attribute_type(element) == super::element_type(r#type)
    } else {
        part.is_some() && attribute_list(element).len() == 2
    };
    if !fits || super::static_shape_of(r#type).is_none() {
        misused(format_args!("{element} is not an element of {type}"));
    }
    // SAFETY: The type is shaped, and the element of its element type; both belong to the
    // context of the result.
    unsafe {
        Attribute::from_raw(mlir_sys::mlirDenseElementsAttrSplatGet(
            r#type.to_raw(),
            element.to_raw(),
        ))
    }
}

/// The parts of a `#complex.number<...>`.
pub fn complex_value(attribute: Attribute) -> Option<(f64, f64)> {
    // SAFETY: The attribute is asked for its parts only where it has them.
    unsafe {
        let raw = attribute.to_raw();
        mlir_sys::mlirAttributeIsAComplex(raw).then(|| {
            (
                mlir_sys::mlirComplexAttrGetRealDouble(raw),
                mlir_sys::mlirComplexAttrGetImagDouble(raw),
            )
        })
    }
}

/// The values of an `array<i32: ...>`.
pub fn i32_array_value(attribute: Attribute) -> Option<Vec<i32>> {
    let array = attribute_as::<DenseI32ArrayAttribute>(attribute)?;
    (0..array.len()).map(|index| array.element(index).ok()).collect()
}
