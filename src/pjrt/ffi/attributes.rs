//! The attributes of a call site as `XLA_FFI_Attrs`.
//!
//! XLA's attributes are scalars, arrays of one element type, strings and dictionaries. They are
//! sorted by name, in byte order, as Halo's are.

use std::ffi::c_void;
use std::ptr;

use halo_core::{ElementType, Literal, Shape};
use halo_runtime::custom_call::{self, Attribute};

use super::data_type;
use crate::c_api::Struct;
use crate::c_api::xla_ffi::{Array, AttrType, Attrs, ByteSpan, Scalar};

/// Attributes with all memory that they point to.
pub struct Attributes {
    attrs: Attrs,
    _types: Box<[AttrType]>,
    _spans: Box<[ByteSpan]>,
    _names: Box<[*mut ByteSpan]>,
    _texts: Box<[Box<str>]>,
    _values: Box<[Value]>,
    _pointers: Box<[*mut c_void]>,
}

// SAFETY: the pointers refer to memory that the value owns, and that is only read.
unsafe impl Send for Attributes {}
// SAFETY: as above.
unsafe impl Sync for Attributes {}

/// The C representation of an attribute, with the memory that it points to.
enum Value {
    Scalar(
        Box<Scalar>,
        #[expect(dead_code, reason = "pointed to")] Literal,
    ),
    Array(
        Box<Array>,
        #[expect(dead_code, reason = "pointed to")] Literal,
    ),
    String(
        Box<ByteSpan>,
        #[expect(dead_code, reason = "pointed to")] Box<str>,
    ),
    Dictionary(Box<Attributes>),
}

fn span(text: &str) -> ByteSpan {
    ByteSpan {
        ptr: text.as_ptr().cast(),
        len: text.len(),
    }
}

fn data(literal: &Literal) -> *mut c_void {
    literal.bytes().as_ptr().cast_mut().cast()
}

impl Attributes {
    /// The attributes of a call site, and their text in the program.
    ///
    /// # Errors
    /// Returns one line of text for a list other than numbers of one type, and for numbers of an
    /// unsupported type.
    pub fn new(attributes: &custom_call::Attributes, text: &str) -> Result<Self, String> {
        let named = |(name, attribute): (&String, &Attribute)| {
            let value = Value::new(attribute, || empty_type(name, text), text);
            value.map_err(|error| format!("attribute '{name}': {error}"))
        };
        let values = attributes.0.iter().map(named).collect::<Result<Box<[_]>, _>>()?;
        let texts: Box<[Box<str>]> = attributes.0.keys().map(|name| name.as_str().into()).collect();
        let types: Box<[AttrType]> = values.iter().map(Value::kind).collect();
        let spans: Box<[ByteSpan]> = texts.iter().map(|text| span(text)).collect();
        let names = spans.iter().map(|span| ptr::from_ref(span).cast_mut());
        let names: Box<[*mut ByteSpan]> = names.collect();
        let pointers: Box<[*mut c_void]> = values.iter().map(Value::pointer).collect();
        Ok(Self {
            attrs: Attrs {
                struct_size: Attrs::SIZE,
                extension_start: ptr::null_mut(),
                size: values.len() as i64,
                types: types.as_ptr().cast_mut(),
                names: names.as_ptr().cast_mut(),
                attrs: pointers.as_ptr().cast_mut(),
            },
            _types: types,
            _spans: spans,
            _names: names,
            _texts: texts,
            _values: values,
            _pointers: pointers,
        })
    }

    /// The attributes of a call frame, as long as they are borrowed.
    pub fn attrs(&self) -> Attrs {
        self.attrs
    }
}

impl Value {
    fn new(
        attribute: &Attribute,
        empty: impl Fn() -> Option<ElementType>,
        text: &str,
    ) -> Result<Self, String> {
        Ok(match attribute {
            Attribute::Number(element_type, _) => {
                let literal = literal(*element_type, &[], std::slice::from_ref(attribute))?;
                let scalar = Scalar {
                    dtype: data_type::of(*element_type)?,
                    value: data(&literal),
                };
                Self::Scalar(Box::new(scalar), literal)
            }
            Attribute::List(elements) => {
                let element_type = if elements.is_empty() {
                    empty().unwrap_or(ElementType::I64)
                } else {
                    element_type(elements)?
                };
                let literal = literal(element_type, &[elements.len()], elements)?;
                let array = Array {
                    dtype: data_type::of(element_type)?,
                    size: elements.len(),
                    data: data(&literal),
                };
                Self::Array(Box::new(array), literal)
            }
            Attribute::Text(text) => {
                let text: Box<str> = text.as_str().into();
                Self::String(Box::new(span(&text)), text)
            }
            Attribute::Dictionary(entries) => {
                Self::Dictionary(Box::new(Attributes::new(entries, text)?))
            }
        })
    }

    fn kind(&self) -> AttrType {
        match self {
            Self::Scalar(..) => AttrType::SCALAR,
            Self::Array(..) => AttrType::ARRAY,
            Self::String(..) => AttrType::STRING,
            Self::Dictionary(_) => AttrType::DICTIONARY,
        }
    }

    fn pointer(&self) -> *mut c_void {
        match self {
            Self::Scalar(scalar, _) => ptr::from_ref(&**scalar).cast_mut().cast(),
            Self::Array(array, _) => ptr::from_ref(&**array).cast_mut().cast(),
            Self::String(span, _) => ptr::from_ref(&**span).cast_mut().cast(),
            Self::Dictionary(entries) => ptr::from_ref(&entries.attrs).cast_mut().cast(),
        }
    }
}

/// The element type that all elements of a list have.
fn element_type(elements: &[Attribute]) -> Result<ElementType, String> {
    let mut types = elements.iter().map(|element| match element {
        Attribute::Number(element_type, _) => Ok(*element_type),
        _ => Err("XLA's FFI has no lists of anything but numbers".to_owned()),
    });
    let first = types.next().unwrap_or(Ok(ElementType::I64))?;
    if types.all(|other| other.as_ref() == Ok(&first)) {
        Ok(first)
    } else {
        Err("XLA's FFI has no lists of different types".to_owned())
    }
}

/// The element type of an array without elements, which only the text of the program has: `NAME =
/// dense<> : tensor<0xf32>`.
fn empty_type(name: &str, text: &str) -> Option<ElementType> {
    let pattern = format!("{name} = dense<> : tensor<");
    let found = text.match_indices(&pattern).find(|(position, _)| {
        // The match is a whole name.
        text[..*position].ends_with(['{', ' '])
    });
    let (position, _) = found?;
    let (r#type, _) = text[position + pattern.len()..].split_once('>')?;
    r#type.rsplit('x').next()?.parse().ok()
}

/// Numbers in memory.
fn literal(
    element_type: ElementType,
    dims: &[usize],
    elements: &[Attribute],
) -> Result<Literal, String> {
    let shape = Shape::new(element_type, dims).map_err(|error| error.to_string())?;
    let mut literal = Literal::zeros(shape);
    for (position, element) in elements.iter().enumerate() {
        if let Attribute::Number(_, value) = element {
            literal.set(position, *value);
        }
    }
    Ok(literal)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::c_api::xla_ffi::DataType;
    use halo_core::Scalar as Number;

    fn number(element_type: ElementType, value: impl Into<Number>) -> Attribute {
        Attribute::Number(element_type, value.into())
    }

    fn attributes(entries: Vec<(&str, Attribute)>) -> custom_call::Attributes {
        let entries = entries.into_iter();
        custom_call::Attributes(entries.map(|(name, value)| (name.to_owned(), value)).collect())
    }

    #[test]
    fn values_are_as_in_c() {
        let inner = attributes(vec![("on", number(ElementType::I1, true))]);
        let list = [1, -2].map(|value| number(ElementType::I16, Number::Int(value)));
        let given = attributes(vec![
            ("scale", number(ElementType::F32, 1.5)),
            ("mode", Attribute::Text("fast".to_owned())),
            ("axes", Attribute::List(list.to_vec())),
            ("zone", Attribute::Dictionary(inner)),
        ]);
        let own = Attributes::new(&given, "").unwrap();
        let attrs = own.attrs();
        assert_eq!((attrs.size, attrs.struct_size), (4, 48));
        // SAFETY: the attributes have the types of their type fields.
        unsafe {
            let name = |position: usize| {
                let name = **attrs.names.add(position);
                std::slice::from_raw_parts(name.ptr.cast::<u8>(), name.len)
            };
            assert_eq!([name(0), name(1)], [&b"axes"[..], b"mode"]);
            assert_eq!([name(2), name(3)], [&b"scale"[..], b"zone"]);
            let kinds = std::slice::from_raw_parts(attrs.types, 4);
            let (array, text) = (AttrType::ARRAY, AttrType::STRING);
            let (scalar, entries) = (AttrType::SCALAR, AttrType::DICTIONARY);
            assert_eq!(kinds, [array, text, scalar, entries]);
            let array = &**attrs.attrs.cast::<*mut Array>();
            assert_eq!((array.dtype, array.size), (DataType::S16, 2));
            assert_eq!(
                std::slice::from_raw_parts(array.data.cast::<i16>(), 2),
                [1, -2]
            );
            let text = &**attrs.attrs.add(1).cast::<*mut ByteSpan>();
            assert_eq!(
                std::slice::from_raw_parts(text.ptr.cast::<u8>(), text.len),
                b"fast"
            );
            let scalar = &**attrs.attrs.add(2).cast::<*mut Scalar>();
            assert_eq!(
                (scalar.dtype, *scalar.value.cast::<f32>()),
                (DataType::F32, 1.5)
            );
            let entries = &**attrs.attrs.add(3).cast::<*mut Attrs>();
            assert_eq!((entries.size, *entries.types), (1, AttrType::SCALAR));
        }
    }

    #[test]
    fn empty_arrays_have_types() {
        let text = "{mhlo.backend_config = {not_a = dense<> : tensor<0xi8>, \
                    a = dense<> : tensor<3x0xf32>}}";
        assert_eq!(empty_type("a", text), Some(ElementType::F32));
        assert_eq!(empty_type("b", text), None);
    }

    #[test]
    fn lists_that_are_no_arrays_are_errors() {
        let message = |list: Vec<Attribute>| {
            let given = attributes(vec![("list", Attribute::List(list))]);
            Attributes::new(&given, "").err().unwrap()
        };
        let texts = message(vec![Attribute::Text("a".to_owned())]);
        assert_eq!(
            texts,
            "attribute 'list': XLA's FFI has no lists of anything but numbers"
        );
        let mixed = vec![number(ElementType::F32, 1.0), number(ElementType::F64, 1.0)];
        let mixed = message(mixed);
        assert_eq!(
            mixed,
            "attribute 'list': XLA's FFI has no lists of different types"
        );
    }
}
