//! Ops on vectors that are partly out of bounds, and of any element type.

use halo_ir::prelude::*;

/// The mask of the first `count` lanes.
pub fn constant_mask<'c>(builder: &Builder<'c>, count: i64, lanes: i64) -> Value<'c> {
    let i1 = halo_ir::integer_type(builder.context(), 1);
    vector::constant_mask(builder, &[count], vector_type(&[lanes], i1))
}

/// A vector of zeros.
pub fn zero_vector<'c>(builder: &Builder<'c>, element: Type<'c>, lanes: i64) -> Value<'c> {
    arith::constant(builder, vector_type(&[lanes], element), 0)
}

/// `vector.load`, masked if the vector is partly out of bounds.
pub fn load_vector<'c>(
    builder: &Builder<'c>,
    memref: Value<'c>,
    indices: &[Value<'c>],
    lanes: i64,
    mask: Option<Value<'c>>,
) -> Value<'c> {
    let element = memref.ty().element_type();
    let ty = vector_type(&[lanes], element);
    let Some(mask) = mask else {
        return vector::load(builder, memref, indices, ty);
    };
    let zero = zero_vector(builder, element, lanes);
    vector::maskedload(builder, memref, indices, mask, zero, ty)
}

/// `vector.store`, masked if the vector is partly out of bounds.
pub fn store_vector<'c>(
    builder: &Builder<'c>,
    value: Value<'c>,
    memref: Value<'c>,
    indices: &[Value<'c>],
    mask: Option<Value<'c>>,
) {
    match mask {
        None => _ = vector::store(builder, value, memref, indices),
        Some(mask) => _ = vector::maskedstore(builder, memref, indices, mask, value),
    }
}

/// `lhs * rhs + sum`
pub fn multiply_add<'c>(
    builder: &Builder<'c>,
    lhs: Value<'c>,
    rhs: Value<'c>,
    sum: Value<'c>,
) -> Value<'c> {
    let ty = sum.ty();
    if matches!(
        ty.element_type().float_kind(),
        Some(FloatKind::F32 | FloatKind::F64)
    ) {
        return vector::fma(builder, lhs, rhs, sum);
    }
    let product = arith::muli(builder, lhs, rhs);
    arith::addi(builder, sum, product)
}
