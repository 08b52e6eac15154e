//! Types: the builtin ones and the types of the quant dialect, which the reader makes without their
//! verifiers.

use super::{
    attributes::Attribute,
    encodings,
    entries::{Entries, Members, Value},
};
use crate::{
    Error,
    bytecode::types::{builtin, float_bits},
};

/// A dynamic dimension.
pub const DYNAMIC: i64 = i64::MIN;

/// MLIR's widest integer.
const MAX_WIDTH: u64 = (1 << 24) - 1;

/// A type, as far as it affects others. Types and attributes are indices in their tables.
pub enum Type {
    Integer(u64),
    Index,
    /// A float with a number of bits.
    Float(u64),
    Complex(usize),
    RankedTensor {
        shape: Vec<i64>,
        element: usize,
        encoding: Option<usize>,
    },
    UnrankedTensor(usize),
    Vector {
        shape: Vec<i64>,
        element: usize,
        scalable: Option<usize>,
    },
    MemRef {
        shape: Vec<i64>,
        element: usize,
        layout: usize,
    },
    UnrankedMemRef(usize),
    Quantized(Quantized),
    /// Another builtin type: a function, a tuple, none.
    Other,
    /// One of a dialect.
    Dialect,
}

/// The parameters of a quantized type.
pub struct Quantized {
    signed: bool,
    storage: usize,
    expressed: Option<usize>,
    min: i64,
    max: i64,
    scales: Vec<f64>,
    zero_points: Vec<i64>,
    /// Whether dimensions, scales and blocks are consistent.
    is_regular: bool,
}

/// The bits of bf16, f16, f32, f64, f80 and f128, in the order of their codes.
const FLOATS: [u64; 6] = [16, 16, 32, 64, 80, 128];

/// Reads a type in the encoding of its dialect.
pub fn read(members: &mut Members, dialect: &[u8]) -> Result<Type, Error> {
    if dialect == b"builtin" {
        return read_builtin(members);
    }
    let (code, values) = members.read_entry(encodings::types(dialect), dialect)?;
    Ok(match dialect {
        b"quant" => quantized(code, values).map_or(Type::Dialect, Type::Quantized),
        _ => Type::Dialect,
    })
}

fn read_builtin(members: &mut Members) -> Result<Type, Error> {
    let offset = members.cursor.offset();
    let number = members.number()?;
    Ok(match number {
        builtin::INTEGER => {
            let bits = members.number()?;
            if bits & 3 == 3 || bits >> 2 > MAX_WIDTH {
                let message = format!("there is no integer {bits}");
                return Err(Error::malformed(offset, message));
            }
            Type::Integer(bits >> 2)
        }
        builtin::INDEX => Type::Index,
        builtin::FUNCTION => {
            members.types()?;
            members.types()?;
            Type::Other
        }
        builtin::BF16..=builtin::F128 => {
            let index = (number - builtin::BF16) as usize;
            Type::Float(FLOATS.get(index).copied().unwrap_or_default())
        }
        builtin::COMPLEX => Type::Complex(members.ty()?),
        builtin::MEMREF | builtin::MEMREF_IN_SPACE => {
            if number == builtin::MEMREF_IN_SPACE {
                members.attribute()?;
            }
            Type::MemRef {
                shape: members.signed_list()?,
                element: members.ty()?,
                layout: members.attribute()?,
            }
        }
        builtin::NONE => Type::Other,
        builtin::RANKED_TENSOR | builtin::RANKED_TENSOR_WITH_ENCODING => {
            let encoding = if number == builtin::RANKED_TENSOR_WITH_ENCODING {
                Some(members.attribute()?)
            } else {
                None
            };
            Type::RankedTensor {
                encoding,
                shape: members.signed_list()?,
                element: members.ty()?,
            }
        }
        builtin::TUPLE => {
            members.types()?;
            Type::Other
        }
        builtin::UNRANKED_MEMREF | builtin::UNRANKED_MEMREF_IN_SPACE => {
            if number == builtin::UNRANKED_MEMREF_IN_SPACE {
                members.attribute()?;
            }
            Type::UnrankedMemRef(members.ty()?)
        }
        builtin::UNRANKED_TENSOR => Type::UnrankedTensor(members.ty()?),
        builtin::VECTOR | builtin::SCALABLE_VECTOR => {
            let scalable = if number == builtin::SCALABLE_VECTOR {
                let flags = members.cursor.list("flags", |cursor| cursor.byte("a flag"))?;
                Some(flags.len())
            } else {
                None
            };
            Type::Vector {
                scalable,
                shape: members.signed_list()?,
                element: members.ty()?,
            }
        }
        _ => {
            let message = format!("type {number} of dialect 'builtin' is not known");
            return Err(Error::malformed(offset, message));
        }
    })
}

/// A type written as text.
pub fn from_text(text: &str) -> Type {
    let width = text.trim_start_matches(['s', 'u']).strip_prefix('i');
    if let Some(width) = width.and_then(|width| width.parse().ok()) {
        return Type::Integer(width);
    }
    match text {
        "index" => Type::Index,
        "bf16" | "f16" => Type::Float(16),
        "f32" => Type::Float(32),
        "f64" => Type::Float(64),
        "f80" => Type::Float(80),
        "f128" => Type::Float(128),
        _ if text.starts_with('!') && !text.starts_with("!builtin.") => Type::Dialect,
        _ => float_bits(text.as_bytes()).map_or(Type::Other, |bits| Type::Float(bits.into())),
    }
}

/// A type of the quant dialect with rules, from its code and its members.
fn quantized(code: usize, values: Vec<Value>) -> Option<Quantized> {
    let (mut numbers, mut signed, mut types) = (Vec::new(), Vec::new(), Vec::new());
    let (mut lists, mut scales) = (Vec::new(), Vec::new());
    for value in values {
        match value {
            Value::Number(number) => numbers.push(number),
            Value::Signed(number) => signed.push(number),
            Value::SignedList(list) => lists.push(list),
            Value::Double(number) => scales.push(number),
            Value::Doubles(list) => scales = list,
            Value::Type(number) => types.push(number),
            Value::Other => {}
        }
    }
    // The calibrated type has only bounds.
    let flags = *numbers.first()?;
    let (zero_points, is_regular) = match code {
        4 => (vec![signed.remove(0)], true),
        5 => {
            let dimension = *numbers.get(1)?;
            let zero_points = lists.pop()?;
            let is_regular = zero_points.len() == scales.len() && i32::try_from(dimension).is_ok();
            (zero_points, is_regular)
        }
        6 => {
            let (sizes, dimensions) = (lists.pop()?, lists.pop()?);
            let is_regular = sizes.len() == dimensions.len()
                && sizes.iter().all(|size| *size > 0)
                && dimensions.iter().all(|dim| (0..1 << 31).contains(dim));
            (Vec::new(), is_regular)
        }
        _ => (Vec::new(), true),
    };
    Some(Quantized {
        signed: flags & 1 != 0,
        storage: *types.first()?,
        expressed: types.get(1).copied(),
        max: signed.pop()?,
        min: signed.pop()?,
        scales,
        zero_points,
        is_regular,
    })
}

/// Checks a type against its parts; returns an error message.
pub fn check(ty: &Type, entries: &Entries) -> Result<(), String> {
    match ty {
        Type::Complex(element) => match entries.ty(*element) {
            Some(Type::Integer(_) | Type::Float(_)) => Ok(()),
            _ => Err("a complex type whose elements are not numbers".to_owned()),
        },
        Type::RankedTensor {
            shape,
            element,
            encoding,
        } => {
            check_tensor_element(*element, entries)?;
            check_shape(shape)?;
            match encoding.and_then(|encoding| entries.attribute(encoding)) {
                Some(encoding) => check_encoding(encoding, shape),
                None => Ok(()),
            }
        }
        Type::UnrankedTensor(element) => check_tensor_element(*element, entries),
        Type::Vector {
            shape,
            element,
            scalable,
        } => {
            let is_element = matches!(
                entries.ty(*element),
                Some(Type::Integer(_) | Type::Index | Type::Float(_) | Type::Dialect)
            );
            if !is_element {
                return Err("a vector whose elements are not numbers".to_owned());
            }
            if scalable.is_some_and(|count| count != shape.len()) {
                return Err("a vector with flags for other dimensions".to_owned());
            }
            match shape.iter().find(|size| **size <= 0) {
                Some(size) => Err(format!("a vector with a dimension of {size}")),
                None => Ok(()),
            }
        }
        Type::MemRef {
            shape,
            element,
            layout,
        } => {
            check_memref_element(*element, entries)?;
            check_shape(shape)?;
            match entries.attribute(*layout) {
                Some(Attribute::Text(text)) if rank_in(text) == Some(shape.len()) => Ok(()),
                _ => Err("a memref with a layout of another rank".to_owned()),
            }
        }
        Type::UnrankedMemRef(element) => check_memref_element(*element, entries),
        Type::Quantized(quantized) => check_quantized(quantized, entries),
        Type::Integer(_) | Type::Index | Type::Float(_) | Type::Other | Type::Dialect => Ok(()),
    }
}

fn check_shape(shape: &[i64]) -> Result<(), String> {
    match shape.iter().find(|size| **size < 0 && **size != DYNAMIC) {
        Some(size) => Err(format!("a dimension of {size}")),
        None => Ok(()),
    }
}

fn check_tensor_element(element: usize, entries: &Entries) -> Result<(), String> {
    match entries.ty(element) {
        Some(
            Type::Integer(_)
            | Type::Index
            | Type::Float(_)
            | Type::Complex(_)
            | Type::Vector { .. }
            | Type::Quantized(_)
            | Type::Dialect,
        ) => Ok(()),
        _ => Err("a tensor of an invalid element type".to_owned()),
    }
}

fn check_memref_element(element: usize, entries: &Entries) -> Result<(), String> {
    match entries.ty(element) {
        None | Some(Type::RankedTensor { .. } | Type::UnrankedTensor(_) | Type::Other) => {
            Err("a memref of an invalid element type".to_owned())
        }
        _ => Ok(()),
    }
}

/// Checks an encoding of a tensor as its verifier would.
fn check_encoding(encoding: &Attribute, shape: &[i64]) -> Result<(), String> {
    match encoding {
        Attribute::Bounds(bounds) => {
            let is_static = |(size, bound): (&i64, &i64)| *size != DYNAMIC && *bound != DYNAMIC;
            if bounds.len() != shape.len() || shape.iter().zip(bounds).any(is_static) {
                return Err("a tensor with bounds of another shape".to_owned());
            }
            Ok(())
        }
        Attribute::Text(text)
            if text.starts_with("#sparse_tensor.") && rank_in(text) != Some(shape.len()) =>
        {
            Err("a tensor with an encoding of another rank".to_owned())
        }
        _ => Ok(()),
    }
}

/// The number of dimensions of a layout or a sparse encoding: from its affine map, or its strides.
fn rank_in(text: &str) -> Option<usize> {
    let open = if text.starts_with("strided<") {
        '['
    } else {
        '('
    };
    let (_, list) = text.split_once(open)?;
    let (mut depth, mut count, mut is_empty) = (0_usize, 1, true);
    for letter in list.chars() {
        match letter {
            ')' | ']' if depth == 0 => return Some(if is_empty { 0 } else { count }),
            '(' | '[' | '<' | '{' => depth += 1,
            ')' | ']' | '>' | '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => count += 1,
            _ => {}
        }
        is_empty &= letter == ' ';
    }
    None
}

/// Checks a quantized type as its verifier would.
fn check_quantized(quantized: &Quantized, entries: &Entries) -> Result<(), String> {
    let wrong = |what: &str| Err(format!("a quantized type with {what}"));
    let Some(Type::Integer(width @ 1..=32)) = entries.ty(quantized.storage) else {
        return wrong("a storage that is not an integer of up to 32 bits");
    };
    let (least, most) = if quantized.signed {
        (-(1_i64 << (width - 1)), (1_i64 << (width - 1)) - 1)
    } else {
        (0, (1_i64 << width) - 1)
    };
    if quantized.min >= quantized.max || quantized.min < least || quantized.max > most {
        return wrong("bounds that its storage has not");
    }
    if let Some(expressed) = quantized.expressed
        && !matches!(entries.ty(expressed), Some(Type::Float(_)))
    {
        return wrong("an expressed type that is not a float");
    }
    if !quantized.is_regular {
        return wrong("dimensions that do not fit together");
    }
    if quantized.scales.iter().any(|scale| !scale.is_finite() || *scale <= 0.0) {
        return wrong("a scale that is not positive and finite");
    }
    let range = quantized.min..=quantized.max;
    if quantized.zero_points.iter().any(|point| !range.contains(point)) {
        return wrong("a zero point that its storage has not");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layouts_say_their_rank() {
        assert_eq!(
            rank_in("affine_map<(d0, d1)[s0] -> (d0 * s0 + d1)>"),
            Some(2)
        );
        assert_eq!(rank_in("affine_map<() -> ()>"), Some(0));
        assert_eq!(rank_in("strided<[?, 1, 3], offset: ?>"), Some(3));
        let sparse = "#sparse_tensor.encoding<{ map = [s0](d0 : #sparse_tensor<slice(1, 4, 2)>, \
                      d1) -> (d0 : dense, d1 : compressed) }>";
        assert_eq!(rank_in(sparse), Some(2));
        assert_eq!(rank_in("affine_map<"), None);
    }

    #[test]
    fn texts_are_types_of_their_kind() {
        assert!(matches!(from_text("si8"), Type::Integer(8)));
        assert!(matches!(from_text("f8E4M3FN"), Type::Float(8)));
        assert!(matches!(from_text("f6E2M3FN"), Type::Float(6)));
        assert!(matches!(from_text("!llvm.ptr"), Type::Dialect));
        assert!(matches!(from_text("tuple<>"), Type::Other));
    }
}
