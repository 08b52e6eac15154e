//! Storage types and arithmetic types of elements.
//!
//! Memory has the layout of literals: each element takes one or more whole bytes. Integers of less
//! than a byte are sign- or zero-extended and floats of a byte or less occupy the low bits, so that
//! both are `i8` for every op that moves elements; unsigned integers are signless. Arithmetic uses
//! an `iN` of the element's width, which wraps around, or an f32 (`narrow_float`). An op converts
//! its operands from the storage type to the arithmetic type and its result back:
//!
//! ```mlir
//! ^bb0(%a: i8, %b: i8, %out: i8):                 // ui4 in HLO
//!   %0 = arith.trunci %a : i8 to i4
//!   %1 = arith.trunci %b : i8 to i4
//!   %2 = arith.addi %0, %1 : i4
//!   %3 = arith.extui %2 : i4 to i8
//!   linalg.yield %3 : i8
//! ```

use super::narrow_float;
use halo_core::float_format::FloatFormat;
use halo_hlo::literals;
use halo_ir::{
    dense_attribute,
    ops::{ConversionFn, complex},
    prelude::*,
};

/// The storage type of an HLO type: signless integers of whole bytes (and `i1`), and bytes with the
/// bits of narrow floats.
pub fn stored_type<'c>(context: &'c Context, ty: Type<'c>) -> Type<'c> {
    if is_encoded(ty.element_type()) {
        ty.with_element_type(integer_type(context, 8))
    } else {
        ty.unsigned_to_signless(context)
    }
}

/// The arithmetic type of an element.
pub fn working_type<'c>(context: &'c Context, element: Type<'c>) -> Type<'c> {
    match format_of(element) {
        // The format has the range of f32, and its products exceed it.
        Some(format) if format.exponent_bits == 8 => Type::float64(context),
        Some(_) => Type::float32(context),
        None => element.unsigned_to_signless(context),
    }
}

/// The arithmetic width of an element.
pub fn working_bits(element: Type) -> u32 {
    match format_of(element) {
        Some(format) if format.exponent_bits == 8 => 64,
        Some(_) => 32,
        None => element.bit_width().unwrap_or(64),
    }
}

/// Returns true if the storage type of an HLO element differs from its arithmetic type.
pub fn is_encoded(element: Type) -> bool {
    match element.integer_width() {
        Some(width) => (2..8).contains(&width),
        None => element.float_kind() == Some(FloatKind::Narrow),
    }
}

/// The format of a float of a byte or less.
fn format_of(element: Type) -> Option<FloatFormat> {
    if element.float_kind() != Some(FloatKind::Narrow) {
        return None;
    }
    literals::element_type_of(element).ok()?.float_format()
}

/// Converts an element from the storage type to the arithmetic type. `element` is its type in HLO.
pub fn read<'c>(b: &Builder<'c>, value: Value<'c>, element: Type<'c>) -> RewriteResult<Value<'c>> {
    if !is_encoded(element) {
        return Ok(value);
    }
    match format_of(element) {
        Some(format) => Ok(narrow_float::decode(b, value, format)),
        None => {
            let narrow = working_type(b.context(), element);
            Ok(arith::cast(b, arith::trunci, value, narrow))
        }
    }
}

/// Converts the result of arithmetic to the storage type. A float of any width
/// is rounded.
pub fn write<'c>(b: &Builder<'c>, value: Value<'c>, element: Type<'c>) -> Value<'c> {
    if !is_encoded(element) {
        return value;
    }
    let byte = integer_type(b.context(), 8);
    match format_of(element) {
        Some(format) => narrow_float::encode(b, value, format),
        None => arith::resize_integer(b, value, byte, !element.is_unsigned()),
    }
}

/// The bits of a stored element, as an integer of its width. The low half of a complex number has
/// the real part.
pub fn bits<'c>(b: &Builder<'c>, value: Value<'c>, element: Type<'c>) -> RewriteResult<Value<'c>> {
    if let Some(part) = element.complex_element() {
        let width = part.bit_width().unwrap_or(64);
        let wide = integer_type(b.context(), 2 * width);
        let half = |part_value: Value<'c>| -> RewriteResult<Value<'c>> {
            let bits = bits(b, part_value, part)?;
            Ok(arith::cast(b, arith::extui, bits, wide))
        };
        let low = half(complex::re(b, value))?;
        let high = half(complex::im(b, value))?;
        let distance = arith::constant(b, wide, i64::from(width));
        let high = arith::shli(b, high, distance);
        return Ok(arith::ori(b, low, high));
    }
    let Some(width) = element.bit_width() else {
        return Ok(value);
    };
    let integer = integer_type(b.context(), width);
    let op: ConversionFn = if is_encoded(element) {
        arith::trunci
    } else {
        arith::bitcast
    };
    Ok(arith::cast(b, op, value, integer))
}

/// The stored element with given bits; the inverse of [`bits`].
pub fn from_bits<'c>(
    b: &Builder<'c>,
    value: Value<'c>,
    element: Type<'c>,
) -> RewriteResult<Value<'c>> {
    if let Some(part) = element.complex_element() {
        let width = part.bit_width().unwrap_or(64);
        let narrow = integer_type(b.context(), width);
        let half = |bits: Value<'c>| -> RewriteResult<Value<'c>> {
            let bits = arith::cast(b, arith::trunci, bits, narrow);
            from_bits(b, bits, part)
        };
        let distance = arith::constant(b, value.ty(), i64::from(width));
        let high = arith::shrui(b, value, distance);
        return Ok(complex::from_parts(b, half(value)?, half(high)?));
    }
    let stored = stored_type(b.context(), element);
    if !is_encoded(element) {
        return Ok(arith::cast(b, arith::bitcast, value, stored));
    }
    let signed = !element.is_float() && !element.is_unsigned();
    Ok(arith::resize_integer(b, value, stored, signed))
}

/// A dense attribute with stored elements.
pub fn stored_attribute<'c>(
    context: &'c Context,
    attribute: Attribute<'c>,
) -> Option<Attribute<'c>> {
    let ty = attribute.ty();
    let stored = stored_type(context, ty);
    if stored == ty {
        return Some(attribute);
    }
    let element = ty.element_type();
    let width = element
        .integer_width()
        .filter(|_| is_encoded(element) && !element.is_unsigned());
    let bytes = attribute.dense_data()?.bytes;
    let Some(width) = width else {
        return dense_attribute(stored, bytes);
    };
    let unused = 8 - width;
    let extended: Vec<u8> =
        bytes.iter().map(|byte| ((byte << unused) as i8 >> unused) as u8).collect();
    dense_attribute(stored, &extended)
}
