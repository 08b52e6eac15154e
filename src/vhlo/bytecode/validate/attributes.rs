//! Builtin attributes, which the reader makes without their verifiers.

use super::{
    encodings,
    entries::{Entries, Members, Value},
    types::{DYNAMIC, Type},
};
use crate::{Error, attribute::Bytes, bytecode::attributes::builtin};

/// An attribute, as far as it has rules or affects others. Types and attributes are indices in
/// their tables.
pub enum Attribute<'a> {
    /// An attribute written as text, which MLIR's parser verifies.
    Text(&'a str),
    String(Bytes),
    /// The keys of a dictionary.
    Dictionary(Vec<usize>),
    DenseArray {
        element: usize,
        size: u64,
        data: &'a [u8],
    },
    DenseElements {
        ty: usize,
        data: &'a [u8],
    },
    /// Elements that are strings.
    DenseStrings {
        ty: usize,
        /// The number of elements; `None` for a splat.
        count: Option<usize>,
    },
    SparseElements {
        ty: usize,
        indices: usize,
        values: usize,
    },
    /// Elements in a resource.
    Resource {
        ty: usize,
    },
    /// The bounds of a tensor's dimensions.
    Bounds(Vec<i64>),
    Other,
}

/// The code of `#stablehlo.bounds`.
const BOUNDS: usize = 13;

/// Reads an attribute in the encoding of its dialect, after the types.
pub fn read<'a>(
    members: &mut Members<'_, 'a>,
    dialect: &[u8],
    entries: &Entries,
) -> Result<Attribute<'a>, Error> {
    if dialect == b"builtin" {
        return read_builtin(members, entries);
    }
    let (code, mut values) = members.read_entry(encodings::attributes(dialect), dialect)?;
    Ok(match (dialect, code, values.pop()) {
        (b"stablehlo", BOUNDS, Some(Value::SignedList(bounds))) => Attribute::Bounds(bounds),
        _ => Attribute::Other,
    })
}

fn read_builtin<'a>(
    members: &mut Members<'_, 'a>,
    entries: &Entries,
) -> Result<Attribute<'a>, Error> {
    let offset = members.cursor.offset();
    let number = members.number()?;
    match number {
        builtin::ARRAY => {
            members.attributes()?;
        }
        builtin::DICTIONARY => {
            let count = members.cursor.count("entries of a dictionary")?;
            let keys: Result<_, Error> = (0..count)
                .map(|_| {
                    let key = members.attribute()?;
                    members.attribute()?;
                    Ok(key)
                })
                .collect();
            return Ok(Attribute::Dictionary(keys?));
        }
        builtin::STRING | builtin::STRING_WITH_TYPE => {
            let text = members.strings.read_reference(&mut members.cursor, "a string")?;
            if number == builtin::STRING_WITH_TYPE {
                members.ty()?;
            }
            return Ok(Attribute::String(text));
        }
        builtin::FLAT_SYMBOL_REF => {
            members.attribute()?;
        }
        builtin::SYMBOL_REF => {
            members.attribute()?;
            members.attributes()?;
        }
        builtin::TYPE => {
            members.ty()?;
        }
        builtin::UNIT | builtin::UNKNOWN => {}
        builtin::INTEGER => {
            let ty = members.ty()?;
            let width = match entries.ty(ty) {
                Some(Type::Integer(width)) => *width,
                Some(Type::Index) => 64,
                _ => return Err(Error::malformed(offset, "an integer of another type")),
            };
            read_bits(members, width)?;
        }
        builtin::FLOAT => {
            let ty = members.ty()?;
            let Some(Type::Float(width)) = entries.ty(ty) else {
                return Err(Error::malformed(offset, "a float of another type"));
            };
            read_bits(members, *width)?;
        }
        builtin::CALL_SITE | builtin::NAME => {
            members.attribute()?;
            members.attribute()?;
        }
        builtin::FILE_LINE_COL => {
            members.attribute()?;
            members.number()?;
            members.number()?;
        }
        builtin::FUSED => {
            members.attributes()?;
        }
        builtin::FUSED_WITH_METADATA => {
            members.attributes()?;
            members.attribute()?;
        }
        builtin::RESOURCE => {
            let ty = members.ty()?;
            members.number()?;
            return Ok(Attribute::Resource { ty });
        }
        builtin::DENSE_ARRAY => {
            return Ok(Attribute::DenseArray {
                element: members.ty()?,
                size: members.number()?,
                data: read_blob(members)?,
            });
        }
        builtin::DENSE_ELEMENTS => {
            return Ok(Attribute::DenseElements {
                ty: members.ty()?,
                data: read_blob(members)?,
            });
        }
        builtin::DENSE_STRINGS => {
            let ty = members.ty()?;
            let is_splat = members.number()? != 0;
            let mut count = 0;
            while !members.cursor.is_empty() {
                members.string()?;
                count += 1;
            }
            if is_splat && count != 1 {
                return Err(members.cursor.error("one string for all elements"));
            }
            let count = (!is_splat).then_some(count);
            return Ok(Attribute::DenseStrings { ty, count });
        }
        builtin::SPARSE_ELEMENTS => {
            return Ok(Attribute::SparseElements {
                ty: members.ty()?,
                indices: members.attribute()?,
                values: members.attribute()?,
            });
        }
        builtin::DISTINCT => {
            members.attribute()?;
        }
        builtin::FILE_LINE_COL_RANGE => {
            members.attribute()?;
            let numbers = members.cursor.list("places", |cursor| cursor.number("a place"))?;
            if numbers.len() > 4 {
                return Err(Error::malformed(offset, "a range of more than two places"));
            }
        }
        _ => {
            let message = format!("attribute {number} of dialect 'builtin' is not known");
            return Err(Error::malformed(offset, message));
        }
    }
    Ok(Attribute::Other)
}

fn read_blob<'a>(members: &mut Members<'_, 'a>) -> Result<&'a [u8], Error> {
    let size = members.number()?;
    members.cursor.bytes(size, "elements")
}

/// Reads the bits of a number, which must fit its width.
fn read_bits(members: &mut Members, width: u64) -> Result<(), Error> {
    let cursor = &mut members.cursor;
    let offset = cursor.offset();
    let fits = |word: u64, width: u64| width >= 64 || word >> width == 0;
    let is_fitting = match width {
        0..=8 => fits(u64::from(cursor.byte("a number")?), width),
        9..=64 => fits(cursor.signed("a number")? as u64, width),
        _ => {
            let words = cursor.list("words", |cursor| cursor.signed("a number"))?;
            let last = words.len() as u64;
            match words.last() {
                Some(word) => {
                    last <= width.div_ceil(64) && fits(*word as u64, width - (last - 1) * 64)
                }
                None => false,
            }
        }
    };
    if is_fitting {
        return Ok(());
    }
    let message = format!("a number of more than {width} bits");
    Err(Error::malformed(offset, message))
}

/// Checks an attribute against its parts; returns an error message.
pub fn check(attribute: &Attribute, entries: &Entries) -> Result<(), String> {
    match attribute {
        Attribute::Dictionary(keys) => {
            let mut names = Vec::with_capacity(keys.len());
            for key in keys {
                match entries.attribute(*key) {
                    Some(Attribute::String(name)) if !name.is_empty() => names.push(name),
                    _ => return Err("a dictionary with a key that is not a name".to_owned()),
                }
            }
            names.sort();
            if names.windows(2).any(|pair| matches!(pair, [a, b] if a == b)) {
                Err("a dictionary with two values for one key".to_owned())
            } else {
                Ok(())
            }
        }
        Attribute::DenseArray {
            element,
            size,
            data,
        } => {
            let bytes = match entries.ty(*element) {
                Some(Type::Integer(1)) => 1,
                Some(Type::Integer(width)) if width % 8 == 0 && *width > 0 => width / 8,
                Some(Type::Float(width)) => width.div_ceil(8),
                Some(Type::Index) => 8,
                _ => return Err("an array whose elements are not numbers".to_owned()),
            };
            if size.checked_mul(bytes) == Some(data.len() as u64) {
                Ok(())
            } else {
                Err(format!("{} bytes for {size} elements", data.len()))
            }
        }
        Attribute::DenseElements { ty, data } => {
            let (count, element) = static_shape(*ty, entries)?;
            let width =
                element_width(element, entries).ok_or("elements of a type that has no encoding")?;
            let is_whole = if width == 1 {
                data.len() as u64 == count.div_ceil(8) || matches!(data, [0 | 0xff])
            } else {
                let bytes = width.div_ceil(8);
                data.len() as u64 == bytes || count.checked_mul(bytes) == Some(data.len() as u64)
            };
            if is_whole {
                Ok(())
            } else {
                Err(format!("{} bytes for {count} elements", data.len()))
            }
        }
        Attribute::DenseStrings { ty, count } => {
            let (expected, _) = static_shape(*ty, entries)?;
            match count {
                Some(count) if *count as u64 != expected => {
                    Err(format!("{count} strings for {expected} elements"))
                }
                _ => Ok(()),
            }
        }
        Attribute::SparseElements {
            ty,
            indices,
            values,
        } => check_sparse(*ty, *indices, *values, entries),
        Attribute::Resource { ty } => static_shape(*ty, entries).map(|_| ()),
        Attribute::Text(_) | Attribute::String(_) | Attribute::Bounds(_) | Attribute::Other => {
            Ok(())
        }
    }
}

/// The number of elements of a type of static shape, and their type.
fn static_shape(ty: usize, entries: &Entries) -> Result<(u64, usize), String> {
    let Some(Type::RankedTensor { shape, element, .. } | Type::Vector { shape, element, .. }) =
        entries.ty(ty)
    else {
        return Err("elements of a type without a static shape".to_owned());
    };
    let mut sizes = shape.iter();
    let count = sizes.try_fold(1_u64, |count, size| {
        let size = u64::try_from(*size).ok().filter(|_| *size != DYNAMIC)?;
        count.checked_mul(size)
    });
    match count.filter(|count| i64::try_from(*count).is_ok()) {
        Some(count) => Ok((count, *element)),
        None => Err("elements of a type without a static shape".to_owned()),
    }
}

/// The width of an element in bits.
fn element_width(element: usize, entries: &Entries) -> Option<u64> {
    match entries.ty(element)? {
        Type::Integer(0) => None,
        Type::Integer(width) | Type::Float(width) => Some(*width),
        Type::Index => Some(64),
        Type::Complex(part) => match entries.ty(*part)? {
            Type::Integer(width) | Type::Float(width) => Some(width.div_ceil(8) * 16),
            _ => None,
        },
        _ => None,
    }
}

/// Checks that sparse elements are in their tensor.
fn check_sparse(ty: usize, indices: usize, values: usize, entries: &Entries) -> Result<(), String> {
    let wrong = || Err("sparse elements that do not fit together".to_owned());
    static_shape(ty, entries)?;
    let (
        Some(Type::RankedTensor { shape, element, .. } | Type::Vector { shape, element, .. }),
        Some(Attribute::DenseElements {
            ty: index_type,
            data,
        }),
        Some(Attribute::DenseElements { ty: value_type, .. }),
    ) = (
        entries.ty(ty),
        entries.attribute(indices),
        entries.attribute(values),
    )
    else {
        return wrong();
    };
    let (
        Some(Type::RankedTensor {
            shape: index_shape,
            element: index_element,
            ..
        }),
        Some(Type::RankedTensor {
            shape: value_shape,
            element: value_element,
            ..
        }),
    ) = (entries.ty(*index_type), entries.ty(*value_type))
    else {
        return wrong();
    };
    let is_indexed = matches!(entries.ty(*index_element), Some(Type::Integer(64)));
    let rank = shape.len() as i64;
    let (count, is_shaped) = match (index_shape.as_slice(), shape.len()) {
        ([count], 1) => (*count, true),
        ([count, size], _) => (*count, *size == rank),
        _ => (0, false),
    };
    if !is_indexed || !is_shaped || *value_shape != [count] || value_element != element {
        return wrong();
    }
    let mut numbers = data.chunks_exact(8).map(|bytes| {
        let word = bytes.first_chunk().copied().unwrap_or_default();
        i64::from_le_bytes(word)
    });
    // A splat has one number.
    let is_inside = if data.len() == 8 {
        let number = numbers.next().unwrap_or(-1);
        shape.iter().all(|size| (0..*size).contains(&number)) || count == 0
    } else {
        numbers
            .zip(shape.iter().cycle())
            .all(|(number, size)| (0..*size).contains(&number))
    };
    if is_inside { Ok(()) } else { wrong() }
}
