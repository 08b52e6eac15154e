//! The ops of `vector`, with accesses of one or several adjacent elements.

super::generated! { "vector" }

use super::{arith, memref};
use crate::{
    builder::Builder,
    handles::{Type, Value},
    types::{TypeExt, vector_type},
    value::ValueExt,
};

/// Loads adjacent elements of a flat buffer, from a multiple of their number.
#[track_caller]
pub fn load_elements<'c>(
    builder: &Builder<'c>,
    buffer: Value<'c>,
    at: Value<'c>,
    count: i64,
) -> Value<'c> {
    if count == 1 {
        return memref::load(builder, buffer, &[at]);
    }
    let element = buffer.ty().element_type();
    let ty = vector_type(&[count], element);
    LoadOp::build(builder, buffer, &[at], ty)
        .alignment(bytes(element, count))
        .value()
}

/// Stores as [`load_elements`] loads.
#[track_caller]
pub fn store_elements<'c>(
    builder: &Builder<'c>,
    value: Value<'c>,
    buffer: Value<'c>,
    at: Value<'c>,
    count: i64,
) {
    if count == 1 {
        memref::store(builder, value, buffer, &[at]);
        return;
    }
    let element = buffer.ty().element_type();
    StoreOp::build(builder, value, buffer, &[at])
        .alignment(bytes(element, count))
        .insert();
}

/// The size of a number of elements in bytes.
pub fn bytes(element: Type, count: i64) -> i64 {
    element.bit_width().map_or(1, |bits| i64::from(bits.div_ceil(8)) * count)
}

/// Zero, as a number or a vector of them.
#[track_caller]
pub fn zeros<'c>(builder: &Builder<'c>, element: Type<'c>, count: i64) -> Value<'c> {
    if count == 1 {
        return arith::constant(builder, element, 0);
    }
    let ty = vector_type(&[count], element);
    arith::constant(builder, ty, 0)
}
