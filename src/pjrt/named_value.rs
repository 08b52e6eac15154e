//! Named values, as the interface represents them.

use std::ffi::c_char;

use crate::c_api::{NamedValue, NamedValueContents, NamedValueType};
use crate::handle;
use crate::status::{Result, Status};

/// The value of a property.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Text(String),
    Integer(i64),
    Integers(Vec<i64>),
    Float(f32),
    Boolean(bool),
}

/// The text of an option that is a number, as an integer or as text, if the caller specifies it.
///
/// # Errors
/// Returns an invalid-argument error for a value of another type.
pub fn number(options: &[(String, Value)], option: &str) -> Result<Option<String>> {
    match options.iter().rfind(|(name, _)| name == option) {
        None => Ok(None),
        Some((_, Value::Integer(number))) => Ok(Some(number.to_string())),
        Some((_, Value::Text(text))) => Ok(Some(text.clone())),
        Some(_) => {
            let message = format!("option '{option}' must be a number");
            Err(Status::invalid(message))
        }
    }
}

/// A list with a stable address, since C has pointers to it.
pub struct NamedValues {
    raw: Vec<NamedValue>,
    _owned: Vec<(String, Value)>,
}

// SAFETY: the pointers are to immutable data that the list owns.
unsafe impl Send for NamedValues {}
// SAFETY: as above.
unsafe impl Sync for NamedValues {}

impl NamedValues {
    pub fn new(values: Vec<(&str, Value)>) -> Self {
        let owned = values.into_iter().map(|(name, value)| (name.to_owned(), value));
        let owned: Vec<(String, Value)> = owned.collect();
        let raw = owned.iter().map(|(name, value)| {
            // Strings and lists are on the heap, so their addresses stay valid when the list is
            // moved.
            let (type_, contents, value_size) = match value {
                Value::Text(text) => {
                    let string_value = text.as_ptr().cast::<c_char>();
                    let contents = NamedValueContents { string_value };
                    (NamedValueType::STRING, contents, text.len())
                }
                Value::Integer(integer) => {
                    let int64_value = *integer;
                    (NamedValueType::INT64, NamedValueContents { int64_value }, 1)
                }
                Value::Integers(list) => {
                    let int64_array_value = list.as_ptr();
                    let contents = NamedValueContents { int64_array_value };
                    (NamedValueType::INT64_LIST, contents, list.len())
                }
                Value::Float(float) => {
                    let float_value = *float;
                    (NamedValueType::FLOAT, NamedValueContents { float_value }, 1)
                }
                Value::Boolean(boolean) => {
                    let bool_value = *boolean;
                    (NamedValueType::BOOL, NamedValueContents { bool_value }, 1)
                }
            };
            NamedValue {
                struct_size: size_of::<NamedValue>(),
                extension_start: std::ptr::null_mut(),
                name: name.as_ptr().cast(),
                name_size: name.len(),
                type_,
                contents,
                value_size,
            }
        });
        Self {
            raw: raw.collect(),
            _owned: owned,
        }
    }

    /// The C representation of the list, which lives as long as this.
    pub fn as_raw(&self) -> &[NamedValue] {
        &self.raw
    }
}

/// The options that C passes.
///
/// # Errors
/// Returns an invalid-argument error for text that is not UTF-8, null, or a value of an unknown
/// kind.
///
/// # Safety
/// `values` must point to `count` values whose type fields are correct, or be null if there are
/// none.
pub unsafe fn read(values: *const NamedValue, count: usize) -> Result<Vec<(String, Value)>> {
    // SAFETY: by the requirement above.
    let values = unsafe { handle::slice(values, count) }?;
    let read = |value: &NamedValue| {
        // SAFETY: as above.
        unsafe {
            let name = handle::text(value.name, value.name_size)?.to_owned();
            let contents = match value.type_ {
                NamedValueType::STRING => {
                    let text = handle::text(value.contents.string_value, value.value_size)?;
                    Value::Text(text.to_owned())
                }
                NamedValueType::INT64 => Value::Integer(value.contents.int64_value),
                NamedValueType::INT64_LIST => {
                    let list = handle::slice(value.contents.int64_array_value, value.value_size)?;
                    Value::Integers(list.to_vec())
                }
                NamedValueType::FLOAT => Value::Float(value.contents.float_value),
                NamedValueType::BOOL => Value::Boolean(value.contents.bool_value),
                NamedValueType(other) => {
                    let message = format!("option '{name}' has the unknown type {other}");
                    return Err(Status::invalid(message));
                }
            };
            Ok((name, contents))
        }
    };
    values.iter().map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_survive_the_way_through_c() {
        let values = vec![
            ("a", Value::Text("text".to_owned())),
            ("b", Value::Integer(-3)),
            ("c", Value::Integers(vec![1, 2, 3])),
            ("d", Value::Float(0.5)),
            ("e", Value::Boolean(true)),
        ];
        let list = NamedValues::new(values.clone());
        let raw = list.as_raw();
        // SAFETY: the list has these values.
        let read = unsafe { read(raw.as_ptr(), raw.len()) }.unwrap();
        let expected = values.into_iter().map(|(name, value)| (name.to_owned(), value));
        assert_eq!(read, expected.collect::<Vec<_>>());
    }
}
