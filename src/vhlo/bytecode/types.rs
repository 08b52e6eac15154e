//! The encodings of types.

use super::{attributes::Decoder, cursor::Cursor, emitter::Emitter, numbers::Numbers};
use crate::{
    Error,
    types::{Builtin, FloatFormat, QuantizedStorage, Signedness, Type},
};

/// The numbers of the floats of VHLO.
const FLOATS: [(u64, FloatFormat); 16] = [
    (2, FloatFormat::BF16),
    (3, FloatFormat::F16),
    (4, FloatFormat::F32),
    (5, FloatFormat::F64),
    (6, FloatFormat::F8E4M3FN),
    (7, FloatFormat::F8E5M2),
    (27, FloatFormat::F8E4M3FNUZ),
    (28, FloatFormat::F8E5M2FNUZ),
    (29, FloatFormat::F8E4M3B11FNUZ),
    (34, FloatFormat::TF32),
    (35, FloatFormat::F8E4M3),
    (36, FloatFormat::F8E3M4),
    (37, FloatFormat::F4E2M1FN),
    (38, FloatFormat::F6E2M3FN),
    (39, FloatFormat::F6E3M2FN),
    (40, FloatFormat::F8E8M0FNU),
];

/// The codes of the integers of VHLO: width, and whether it is signless.
const INTEGERS: [(u64, u32, bool); 12] = [
    (10, 4, false),
    (11, 8, false),
    (12, 16, false),
    (13, 32, false),
    (14, 64, false),
    (15, 4, true),
    (16, 8, true),
    (17, 16, true),
    (18, 32, true),
    (19, 64, true),
    (31, 2, false),
    (32, 2, true),
];

/// The codes of the other types of VHLO.
mod code {
    pub const BOOLEAN: u64 = 0;
    pub const COMPLEX: u64 = 1;
    pub const FUNCTION: u64 = 8;
    pub const INDEX: u64 = 9;
    pub const RANKED_TENSOR: u64 = 20;
    pub const RANKED_TENSOR_WITH_ENCODING: u64 = 21;
    pub const TOKEN: u64 = 22;
    pub const TUPLE: u64 = 23;
    pub const UNIFORM_QUANTIZED: u64 = 24;
    pub const UNRANKED_TENSOR: u64 = 25;
    pub const WITNESS: u64 = 26;
    pub const UNIFORM_QUANTIZED_PER_AXIS: u64 = 30;
    pub const NONE: u64 = 33;
    pub const RANKED_BUFFER: u64 = 41;
    pub const FUTURE: u64 = 42;
}

/// The codes of MLIR's builtin types.
pub(super) mod builtin {
    pub const INTEGER: u64 = 0;
    pub const INDEX: u64 = 1;
    pub const FUNCTION: u64 = 2;
    pub const BF16: u64 = 3;
    pub const F16: u64 = 4;
    pub const F32: u64 = 5;
    pub const F64: u64 = 6;
    // 7 is f80, which StableHLO lacks.
    pub const F128: u64 = 8;
    pub const COMPLEX: u64 = 9;
    pub const MEMREF: u64 = 10;
    pub const MEMREF_IN_SPACE: u64 = 11;
    pub const NONE: u64 = 12;
    pub const RANKED_TENSOR: u64 = 13;
    pub const RANKED_TENSOR_WITH_ENCODING: u64 = 14;
    pub const TUPLE: u64 = 15;
    pub const UNRANKED_MEMREF: u64 = 16;
    pub const UNRANKED_MEMREF_IN_SPACE: u64 = 17;
    pub const UNRANKED_TENSOR: u64 = 18;
    pub const VECTOR: u64 = 19;
    pub const SCALABLE_VECTOR: u64 = 20;
}

/// The floats that MLIR writes as text.
const BUILTIN_FLOATS: [(&str, FloatFormat); 12] = [
    ("tf32", FloatFormat::TF32),
    ("f4E2M1FN", FloatFormat::F4E2M1FN),
    ("f6E2M3FN", FloatFormat::F6E2M3FN),
    ("f6E3M2FN", FloatFormat::F6E3M2FN),
    ("f8E3M4", FloatFormat::F8E3M4),
    ("f8E4M3", FloatFormat::F8E4M3),
    ("f8E4M3B11FNUZ", FloatFormat::F8E4M3B11FNUZ),
    ("f8E4M3FN", FloatFormat::F8E4M3FN),
    ("f8E4M3FNUZ", FloatFormat::F8E4M3FNUZ),
    ("f8E5M2", FloatFormat::F8E5M2),
    ("f8E5M2FNUZ", FloatFormat::F8E5M2FNUZ),
    ("f8E8M0FNU", FloatFormat::F8E8M0FNU),
];

/// A type written as text.
pub(super) fn from_text(text: &[u8]) -> Type {
    let float = BUILTIN_FLOATS.iter().find(|(name, _)| name.as_bytes() == text);
    match float {
        Some((_, format)) => Type::Builtin(Builtin::Float(*format)),
        None => Type::Text(text.into()),
    }
}

/// The number of bits of a float type written as text.
pub(super) fn float_bits(text: &[u8]) -> Option<u32> {
    let float = BUILTIN_FLOATS.iter().find(|(name, _)| name.as_bytes() == text);
    float.map(|(_, format)| format.width())
}

/// Reads a type of VHLO.
pub(super) fn read_vhlo(decoder: &Decoder, cursor: &mut Cursor) -> Result<Type, Error> {
    let offset = cursor.offset();
    let number = cursor.number("the number of a type")?;
    if let Some((_, format)) = FLOATS.iter().find(|(code, _)| *code == number) {
        return Ok(Type::Float(*format));
    }
    if let Some((_, width, unsigned)) = INTEGERS.iter().find(|(code, ..)| *code == number) {
        return Ok(Type::Integer {
            width: *width,
            unsigned: *unsigned,
        });
    }
    Ok(match number {
        code::BOOLEAN => Type::Boolean,
        code::COMPLEX => Type::Complex(decoder.ty(cursor)?),
        code::FUNCTION => Type::Function {
            inputs: decoder.types(cursor)?,
            outputs: decoder.types(cursor)?,
        },
        code::INDEX => Type::Index,
        code::RANKED_TENSOR | code::RANKED_TENSOR_WITH_ENCODING => {
            let encoding = if number == code::RANKED_TENSOR_WITH_ENCODING {
                Some(decoder.attribute(cursor)?)
            } else {
                None
            };
            Type::RankedTensor {
                encoding,
                shape: cursor.signed_list("sizes of a tensor")?,
                element: decoder.ty(cursor)?,
            }
        }
        code::TOKEN => Type::Token,
        code::TUPLE => Type::Tuple(decoder.types(cursor)?),
        code::UNIFORM_QUANTIZED => {
            let (flags, storage, expressed) = read_quantized(decoder, cursor)?;
            let scale = cursor.bits(64, "a scale")?;
            let zero_point = cursor.signed("a zero point")?;
            Type::UniformQuantized {
                scale,
                zero_point,
                storage: QuantizedStorage {
                    flags,
                    storage,
                    expressed,
                    min: cursor.signed("the smallest stored value")?,
                    max: cursor.signed("the largest stored value")?,
                },
            }
        }
        code::UNIFORM_QUANTIZED_PER_AXIS => {
            let (flags, storage, expressed) = read_quantized(decoder, cursor)?;
            let dimension = cursor.number("a quantized dimension")?;
            Type::UniformQuantizedPerAxis {
                dimension,
                storage: QuantizedStorage {
                    flags,
                    storage,
                    expressed,
                    min: cursor.signed("the smallest stored value")?,
                    max: cursor.signed("the largest stored value")?,
                },
                scales: cursor.list("scales", |cursor| cursor.bits(64, "a scale"))?,
                zero_points: cursor.signed_list("zero points")?,
            }
        }
        code::UNRANKED_TENSOR => Type::UnrankedTensor(decoder.ty(cursor)?),
        code::WITNESS => Type::Witness,
        code::NONE => Type::None,
        code::RANKED_BUFFER => Type::RankedBuffer {
            shape: cursor.signed_list("sizes of a buffer")?,
            element: decoder.ty(cursor)?,
        },
        code::FUTURE => Type::Future(decoder.types(cursor)?),
        _ => return Err(decoder.unknown(offset, format!("type {number} of dialect 'vhlo'"))),
    })
}

fn read_quantized(
    decoder: &Decoder,
    cursor: &mut Cursor,
) -> Result<(u64, crate::TypeId, crate::TypeId), Error> {
    Ok((
        cursor.number("the flags of a quantized type")?,
        decoder.ty(cursor)?,
        decoder.ty(cursor)?,
    ))
}

/// Reads a type of StableHLO, whose only type that is not builtin is the token.
pub(super) fn read_stablehlo(cursor: &mut Cursor) -> Result<Type, Error> {
    let offset = cursor.offset();
    match cursor.number("the number of a type")? {
        0 => Ok(Type::Token),
        number => Err(Error::malformed(
            offset,
            format!("type {number} of StableHLO"),
        )),
    }
}

/// Reads a type of MLIR itself.
pub(super) fn read_builtin(decoder: &Decoder, cursor: &mut Cursor) -> Result<Type, Error> {
    let offset = cursor.offset();
    let number = cursor.number("the number of a type")?;
    Ok(Type::Builtin(match number {
        builtin::INTEGER => {
            let bits = cursor.number("the width of an integer")?;
            let signedness = match bits & 3 {
                0 => Signedness::Signless,
                1 => Signedness::Signed,
                2 => Signedness::Unsigned,
                _ => return Err(Error::malformed(offset, "an integer of no signedness")),
            };
            match u32::try_from(bits >> 2) {
                Ok(width @ 1..=64) => Builtin::Integer { width, signedness },
                _ => {
                    let message = format!("an integer of {} bits", bits >> 2);
                    return Err(Error::malformed(offset, message));
                }
            }
        }
        builtin::INDEX => Builtin::Index,
        builtin::FUNCTION => Builtin::Function {
            inputs: decoder.types(cursor)?,
            outputs: decoder.types(cursor)?,
        },
        builtin::BF16 => Builtin::Float(FloatFormat::BF16),
        builtin::F16 => Builtin::Float(FloatFormat::F16),
        builtin::F32 => Builtin::Float(FloatFormat::F32),
        builtin::F64 => Builtin::Float(FloatFormat::F64),
        builtin::COMPLEX => Builtin::Complex(decoder.ty(cursor)?),
        builtin::NONE => Builtin::None,
        builtin::RANKED_TENSOR | builtin::RANKED_TENSOR_WITH_ENCODING => {
            let encoding = if number == builtin::RANKED_TENSOR_WITH_ENCODING {
                Some(decoder.attribute(cursor)?)
            } else {
                None
            };
            Builtin::RankedTensor {
                encoding,
                shape: cursor.signed_list("sizes of a tensor")?,
                element: decoder.ty(cursor)?,
            }
        }
        builtin::TUPLE => Builtin::Tuple(decoder.types(cursor)?),
        builtin::UNRANKED_TENSOR => Builtin::UnrankedTensor(decoder.ty(cursor)?),
        _ => {
            let message = format!("type {number} of dialect 'builtin' is not expected here");
            return Err(Error::malformed(offset, message));
        }
    }))
}

/// Writes a type; `None` if it is written as text.
pub(super) fn write(emitter: &mut Emitter, ty: &Type, numbers: &Numbers) -> Option<()> {
    match ty {
        Type::Float(format) => {
            let (number, _) = FLOATS.iter().find(|(_, float)| float == format)?;
            emitter.number(*number);
        }
        Type::Integer { width, unsigned } => {
            let found =
                INTEGERS.iter().find(|(_, bits, natural)| bits == width && natural == unsigned);
            emitter.number(found?.0);
        }
        Type::Boolean => emitter.number(code::BOOLEAN),
        Type::Complex(element) => {
            emitter.number(code::COMPLEX);
            emitter.number(numbers.ty(*element));
        }
        Type::Function { inputs, outputs } => {
            emitter.number(code::FUNCTION);
            numbers.write_types(emitter, inputs);
            numbers.write_types(emitter, outputs);
        }
        Type::Index => emitter.number(code::INDEX),
        Type::RankedTensor {
            shape,
            element,
            encoding,
        } => {
            match encoding {
                Some(encoding) => {
                    emitter.number(code::RANKED_TENSOR_WITH_ENCODING);
                    emitter.number(numbers.attribute(*encoding));
                }
                None => emitter.number(code::RANKED_TENSOR),
            }
            emitter.signed_list(shape);
            emitter.number(numbers.ty(*element));
        }
        Type::UnrankedTensor(element) => {
            emitter.number(code::UNRANKED_TENSOR);
            emitter.number(numbers.ty(*element));
        }
        Type::RankedBuffer { shape, element } => {
            emitter.number(code::RANKED_BUFFER);
            emitter.signed_list(shape);
            emitter.number(numbers.ty(*element));
        }
        Type::Token => emitter.number(code::TOKEN),
        Type::Tuple(elements) => {
            emitter.number(code::TUPLE);
            numbers.write_types(emitter, elements);
        }
        Type::Future(elements) => {
            emitter.number(code::FUTURE);
            numbers.write_types(emitter, elements);
        }
        Type::UniformQuantized {
            storage,
            scale,
            zero_point,
        } => {
            emitter.number(code::UNIFORM_QUANTIZED);
            write_quantized(emitter, storage, numbers);
            emitter.bits(64, *scale);
            emitter.signed(*zero_point);
            emitter.signed(storage.min);
            emitter.signed(storage.max);
        }
        Type::UniformQuantizedPerAxis {
            storage,
            dimension,
            scales,
            zero_points,
        } => {
            emitter.number(code::UNIFORM_QUANTIZED_PER_AXIS);
            write_quantized(emitter, storage, numbers);
            emitter.number(*dimension);
            emitter.signed(storage.min);
            emitter.signed(storage.max);
            emitter.number(scales.len() as u64);
            for scale in scales {
                emitter.bits(64, *scale);
            }
            emitter.signed_list(zero_points);
        }
        Type::Witness => emitter.number(code::WITNESS),
        Type::None => emitter.number(code::NONE),
        Type::Builtin(ty) => write_builtin(emitter, ty, numbers)?,
        Type::Text(_) => return None,
    }
    Some(())
}

fn write_quantized(emitter: &mut Emitter, storage: &QuantizedStorage, numbers: &Numbers) {
    emitter.number(storage.flags);
    emitter.number(numbers.ty(storage.storage));
    emitter.number(numbers.ty(storage.expressed));
}

fn write_builtin(emitter: &mut Emitter, ty: &Builtin, numbers: &Numbers) -> Option<()> {
    match ty {
        Builtin::Integer { width, signedness } => {
            emitter.number(builtin::INTEGER);
            let sign = match signedness {
                Signedness::Signless => 0,
                Signedness::Signed => 1,
                Signedness::Unsigned => 2,
            };
            emitter.number(u64::from(*width) << 2 | sign);
        }
        Builtin::Index => emitter.number(builtin::INDEX),
        Builtin::Float(FloatFormat::BF16) => emitter.number(builtin::BF16),
        Builtin::Float(FloatFormat::F16) => emitter.number(builtin::F16),
        Builtin::Float(FloatFormat::F32) => emitter.number(builtin::F32),
        Builtin::Float(FloatFormat::F64) => emitter.number(builtin::F64),
        Builtin::Float(_) => return None,
        Builtin::Complex(element) => {
            emitter.number(builtin::COMPLEX);
            emitter.number(numbers.ty(*element));
        }
        Builtin::Function { inputs, outputs } => {
            emitter.number(builtin::FUNCTION);
            numbers.write_types(emitter, inputs);
            numbers.write_types(emitter, outputs);
        }
        Builtin::None => emitter.number(builtin::NONE),
        Builtin::RankedTensor {
            shape,
            element,
            encoding,
        } => {
            match encoding {
                Some(encoding) => {
                    emitter.number(builtin::RANKED_TENSOR_WITH_ENCODING);
                    emitter.number(numbers.attribute(*encoding));
                }
                None => emitter.number(builtin::RANKED_TENSOR),
            }
            emitter.signed_list(shape);
            emitter.number(numbers.ty(*element));
        }
        Builtin::UnrankedTensor(element) => {
            emitter.number(builtin::UNRANKED_TENSOR);
            emitter.number(numbers.ty(*element));
        }
        Builtin::Tuple(elements) => {
            emitter.number(builtin::TUPLE);
            numbers.write_types(emitter, elements);
        }
    }
    Some(())
}

/// The text of a type that has no other encoding.
pub(super) fn text(ty: &Type) -> &[u8] {
    match ty {
        Type::Text(text) => text,
        Type::Builtin(Builtin::Float(format)) => {
            let float = BUILTIN_FLOATS.iter().find(|(_, float)| float == format);
            float.map_or(b"none", |(name, _)| name.as_bytes())
        }
        _ => b"none",
    }
}
