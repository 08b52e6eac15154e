//! Conversion between literals and MLIR: types to shapes, and dense attributes to literals and
//! back.
//!
//! A literal stores every element in whole bytes; MLIR packs `i1` by the bit and stores splats as
//! one element. A quantized tensor is the literal of its stored integers, and `index` is `i64`.

use crate::semantics::quantization::Quantized;
use halo_core::{ElementType, Literal, Shape};
use halo_cost::op_cost::bytes_of;
use halo_ir::{DenseData, dense_attribute, prelude::*};

/// The element type of literals for an MLIR element type.
///
/// # Errors
/// Returns a message with the type if literals do not support it.
pub fn element_type_of(ty: Type) -> Result<ElementType, String> {
    use ElementType as E;
    let none = || format!("there are no values of type {ty}");
    if let Some(width) = ty.integer_width() {
        return Ok(match (ty.is_unsigned(), width) {
            (false, 1) => E::I1,
            (false, 2) => E::I2,
            (false, 4) => E::I4,
            (false, 8) => E::I8,
            (false, 16) => E::I16,
            (false, 32) => E::I32,
            (false, 64) => E::I64,
            (true, 2) => E::Ui2,
            (true, 4) => E::Ui4,
            (true, 8) => E::Ui8,
            (true, 16) => E::Ui16,
            (true, 32) => E::Ui32,
            (true, 64) => E::Ui64,
            _ => return Err(none()),
        });
    }
    if ty.is_index() {
        return Ok(E::I64);
    }
    if let Some(quantized) = Quantized::of(ty) {
        let storage = quantized.storage();
        return match (quantized.is_signed(), quantized.storage_width()) {
            (false, 2) => Ok(E::Ui2),
            (false, 4) => Ok(E::Ui4),
            (false, 8) => Ok(E::Ui8),
            (false, 16) => Ok(E::Ui16),
            (false, 32) => Ok(E::Ui32),
            _ => element_type_of(storage),
        };
    }
    if let Some(part) = ty.complex_element() {
        return match element_type_of(part)? {
            E::F32 => Ok(E::Complex64),
            E::F64 => Ok(E::Complex128),
            _ => Err(none()),
        };
    }
    if ty.float_kind() == Some(FloatKind::F32) {
        return Ok(E::F32);
    }
    ty.to_string().parse().map_err(|_| none())
}

/// The shape of the values of a tensor type.
///
/// # Errors
/// Returns a message with the type if it is not a tensor, has dynamic dimensions or unsupported
/// elements.
pub fn shape_of(ty: Type) -> Result<Shape, String> {
    if !ty.is_tensor() {
        return Err(format!("{ty} is not a tensor"));
    }
    let dims = ty
        .static_shape()
        .ok_or_else(|| format!("{ty} has a dimension that is not known"))?;
    let dims: Vec<usize> = dims.into_iter().map(|dim| dim as usize).collect();
    Shape::new(element_type_of(ty.element_type())?, dims).map_err(|error| error.to_string())
}

/// The value of a `dense<...>` attribute.
///
/// # Errors
/// Returns a message if the attribute is of another kind or too large.
pub fn literal_of(attribute: Attribute) -> Result<Literal, String> {
    let data = attribute
        .dense_data()
        .ok_or_else(|| format!("elements of type {} are not dense", attribute.ty()))?;
    unpack(data, shape_of(data.ty)?)
}

/// The value of a `dense<...>` attribute in the element type of a tensor type that stores it:
/// quantized elements as their stored integers.
///
/// # Errors
/// Like [`literal_of`].
pub fn literal_for(attribute: Attribute, ty: Type) -> Result<Literal, String> {
    let literal = literal_of(attribute)?;
    let element = element_type_of(ty.element_type())?;
    if literal.element_type() == element {
        return Ok(literal);
    }
    let shape = literal.shape().with_element_type(element);
    let shape = shape.map_err(|error| error.to_string())?;
    if element.byte_width() == literal.element_type().byte_width() {
        return Literal::from_bytes(shape, literal.bytes()).map_err(|error| error.to_string());
    }
    literal.convert(element).map_err(|error| error.to_string())
}

fn unpack(data: DenseData, shape: Shape) -> Result<Literal, String> {
    let element = shape.element_type();
    let width = element.byte_width();
    let mut literal = Literal::try_zeros(shape).map_err(|error| error.to_string())?;
    let missing = || "dense elements end early".to_owned();
    let narrow = element.is_integer() && element.bit_width() < 8;
    if element.is_boolean() {
        for position in 0..literal.element_count() {
            let (byte, bit) = if data.splat {
                (0, 0)
            } else {
                (position / 8, position % 8)
            };
            let byte = *data.bytes.get(byte).ok_or_else(missing)?;
            literal.set(position, byte >> bit & 1 != 0);
        }
        return Ok(literal);
    }
    if !data.splat && data.bytes.len() != literal.bytes().len() {
        return Err(missing());
    }
    let stored = if data.splat {
        data.bytes.get(..width).ok_or_else(missing)?.repeat(literal.element_count())
    } else {
        data.bytes.to_vec()
    };
    literal.bytes_mut().copy_from_slice(&stored);
    if narrow {
        // The upper bits of an element are undefined in MLIR; the literal is sign-extended.
        for position in 0..literal.element_count() {
            let value = literal.get(position);
            literal.set(position, value.to_i128());
        }
    }
    Ok(literal)
}

/// The `dense<...>` attribute of a value. The type must correspond to the literal's.
///
/// # Errors
/// Returns a message if the type differs.
pub fn attribute_of<'c>(literal: &Literal, ty: Type<'c>) -> Result<Attribute<'c>, String> {
    let element = literal.element_type();
    let width = element.byte_width();
    let splat = literal.is_splat();
    let bytes: Vec<u8> = if element.is_boolean() {
        if splat {
            vec![if literal.get_bool(0) { 0xff } else { 0 }]
        } else {
            let mut packed = vec![0; literal.element_count().div_ceil(8)];
            for position in 0..literal.element_count() {
                packed[position / 8] |= u8::from(literal.get_bool(position)) << (position % 8);
            }
            packed
        }
    } else {
        let count = if splat { 1 } else { literal.element_count() };
        let bytes = &literal.bytes()[..count * width];
        if element.is_integer() && element.bit_width() < 8 {
            let mask = (1_u8 << element.bit_width()) - 1;
            bytes.iter().map(|byte| byte & mask).collect()
        } else {
            bytes.to_vec()
        }
    };
    dense_attribute(ty, &bytes)
        .ok_or_else(|| format!("a value of {} does not have type {ty}", literal.shape()))
}

/// The bytes of the operands of an op, if all sizes are static.
pub fn bytes_of_operands(op: Operation) -> Option<u64> {
    let operands = op.operands().into_iter();
    operands
        .map(|operand| bytes_of(operand.ty()))
        .try_fold(0_u64, |sum, bytes| sum.checked_add(bytes?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dense_attributes_and_literals_convert_both_ways() {
        let context = crate::context();
        for text in [
            "dense<[true, false, true]> : tensor<3xi1>",
            "dense<true> : tensor<9xi1>",
            "dense<[[1, -2], [3, 4]]> : tensor<2x2xi32>",
            "dense<-1> : tensor<i4>",
            "dense<[-2, 1]> : tensor<2xi2>",
            "dense<[3, 1]> : tensor<2xui2>",
            "dense<2.5> : tensor<4xbf16>",
            "dense<[1.0, -0.5]> : tensor<2xf8E4M3FN>",
            "dense<[0.5, -6.0]> : tensor<2xf4E2M1FN>",
            "dense<[(1.0, 2.0), (3.0, -4.0)]> : tensor<2xcomplex<f32>>",
            "dense<> : tensor<0x3xf64>",
            "dense<[255, 7]> : tensor<2xui8>",
        ] {
            let attribute = Attribute::parse(&context, text).expect(text);
            let literal = literal_of(attribute).expect(text);
            let (value, ty) = text.split_once(" : ").expect(text);
            let parsed = Literal::parse(value, Some(&ty.parse().expect(text)));
            assert_eq!(literal, parsed.expect(text), "{text}");
            let back = attribute_of(&literal, attribute.ty()).expect(text);
            assert_eq!(back, attribute, "{text}");
        }
    }
}
