//! Ops on values of the types `!shape.shape` and `!shape.size`. A shape of known rank is a vector of
//! its sizes.

use super::values::{
    cast, constant_vector, is_of_index, padded_left, result_of, scalar, slice_entry, to_int,
};
use halo_ir::{
    ops::{BinaryFn, shape},
    prelude::*,
};
use melior::ir::attribute::DenseElementsAttribute;

/// The patterns of this file.
pub fn patterns() -> Vec<Pattern<'static>> {
    vec![
        Pattern::named(shape::AddOp::NAME, arithmetic),
        Pattern::new::<shape::ConcatOp>(concat),
        Pattern::new::<shape::ConstSizeOp>(|b, op| {
            let size = scalar(b, op.value())?;
            replace(b, op.operation(), size)
        }),
        Pattern::new::<shape::DimOp>(dim),
        Pattern::named(shape::DivOp::NAME, arithmetic),
        Pattern::new::<shape::FromExtentTensorOp>(|b, op| {
            let sizes = sizes_of(b, op.input())?;
            replace(b, op.operation(), sizes)
        }),
        Pattern::new::<shape::FromExtentsOp>(from_extents),
        Pattern::new::<shape::GetExtentOp>(get_extent),
        Pattern::new::<shape::IndexToSizeOp>(|b, op| {
            let size = size_of(b, op.arg())?;
            replace(b, op.operation(), size)
        }),
        Pattern::new::<shape::IsBroadcastableOp>(|b, op| {
            let condition = broadcastable(b, &op.shapes())?;
            replace(b, op.operation(), condition)
        }),
        Pattern::named(shape::MaxOp::NAME, arithmetic),
        Pattern::named(shape::MinOp::NAME, arithmetic),
        Pattern::named(shape::MulOp::NAME, arithmetic),
        Pattern::new::<shape::RankOp>(rank),
        Pattern::new::<shape::ShapeEqOp>(|b, op| {
            let condition = equal(b, &op.shapes())?;
            replace(b, op.operation(), condition)
        }),
        Pattern::new::<shape::SizeToIndexOp>(|b, op| {
            let size = size_of(b, op.arg())?;
            replace(b, op.operation(), size)
        }),
        Pattern::new::<shape::ToExtentTensorOp>(|b, op| {
            let sizes = sizes_of(b, op.input())?;
            let ty = op.result().ty();
            if ty.static_shape() != sizes.ty().static_shape() {
                return Err(no_match("the length of the result is dynamic"));
            }
            replace(b, op.operation(), sizes)
        }),
    ]
}

fn replace<'c>(b: &Builder<'c>, op: Operation<'c>, value: Value<'c>) -> RewriteResult {
    let value = cast(b, value, result_of(op)?.ty())?;
    b.replace(op, &[value]);
    Ok(())
}

/// The value that was cast to a type of the shape dialect.
fn before_cast<'c>(value: Value<'c>) -> RewriteResult<Value<'c>> {
    let cast = value.defined_by::<builtin::UnrealizedConversionCastOp>();
    match cast.map(|cast| cast.inputs()).as_deref() {
        Some([input]) => Ok(*input),
        _ => Err(no_match("an operand is of unknown rank")),
    }
}

/// A shape as a vector of `i32` of static length.
pub fn sizes_of<'c>(b: &Builder<'c>, shape: Value<'c>) -> RewriteResult<Value<'c>> {
    let sizes = if shape.ty().is_tensor() {
        to_int(b, shape)?
    } else {
        before_cast(shape)?
    };
    if sizes.ty().static_shape().is_none_or(|shape| shape.len() != 1) {
        return Err(no_match("a shape is of dynamic length"));
    }
    Ok(sizes)
}

/// A size or an index as a tensor of `i32` of rank 0.
pub fn size_of<'c>(b: &Builder<'c>, size: Value<'c>) -> RewriteResult<Value<'c>> {
    if is_of_index(size) {
        return to_int(b, size);
    }
    let size = before_cast(size)?;
    if size.ty().static_shape().is_none_or(|shape| !shape.is_empty()) {
        return Err(no_match("an operand is no size"));
    }
    Ok(size)
}

fn arithmetic<'c>(b: &Builder<'c>, op: Operation<'c>) -> RewriteResult {
    let [left, right] = crate::matchers::operands(op)?;
    let counterpart: BinaryFn = match op.name() {
        shape::AddOp::NAME => stablehlo::add,
        shape::DivOp::NAME => stablehlo::divide,
        shape::MaxOp::NAME => stablehlo::maximum,
        shape::MinOp::NAME => stablehlo::minimum,
        _ => stablehlo::multiply,
    };
    let (left, right) = (size_of(b, left)?, size_of(b, right)?);
    let value = counterpart(b, left, right);
    replace(b, op, value)
}

fn concat<'c>(b: &Builder<'c>, op: shape::ConcatOp<'c>) -> RewriteResult {
    let parts = [sizes_of(b, op.lhs())?, sizes_of(b, op.rhs())?];
    let value = stablehlo::concatenate(b, &parts, 0);
    replace(b, op.operation(), value)
}

fn from_extents<'c>(b: &Builder<'c>, op: shape::FromExtentsOp<'c>) -> RewriteResult {
    let mut sizes = Vec::new();
    for extent in op.extents() {
        let size = size_of(b, extent)?;
        let ty = tensor_type(&[1], size.ty().element_type());
        sizes.push(stablehlo::reshape(b, size, ty));
    }
    let value = if sizes.is_empty() {
        constant_vector(b, &[])?
    } else {
        stablehlo::concatenate(b, &sizes, 0)
    };
    replace(b, op.operation(), value)
}

/// The number of a dimension that is constant.
fn number_of(dimension: Value) -> RewriteResult<i64> {
    let constant = dimension.defined_by::<shape::ConstSizeOp>().map(shape::ConstSizeOp::value);
    let cast = || {
        let input = before_cast(dimension).ok()?;
        let constant = input.defined_by::<stablehlo::ConstantOp>()?;
        i64::try_from(*constant.value().dense_integers()?.first()?).ok()
    };
    let number = constant.or_else(|| arith::constant_index(dimension)).or_else(cast);
    number.ok_or_else(|| no_match("the dimension is not constant"))
}

fn entry<'c>(b: &Builder<'c>, sizes: Value<'c>, dimension: i64) -> RewriteResult<Value<'c>> {
    let rank = sizes.ty().element_count().unwrap_or(0);
    if !(0..rank).contains(&dimension) {
        return Err(no_match("a dimension is out of range"));
    }
    Ok(slice_entry(b, sizes, &[dimension]))
}

fn get_extent<'c>(b: &Builder<'c>, op: shape::GetExtentOp<'c>) -> RewriteResult {
    let value = entry(b, sizes_of(b, op.shape())?, number_of(op.dim())?)?;
    replace(b, op.operation(), value)
}

fn dim<'c>(b: &Builder<'c>, op: shape::DimOp<'c>) -> RewriteResult {
    let dimension = number_of(op.index())?;
    let rank = op.value().ty().shape().map_or(0, |shape| shape.len() as i64);
    if !(0..rank).contains(&dimension) {
        return Err(no_match("a dimension is out of range"));
    }
    let value = stablehlo::get_dimension_size(b, op.value(), dimension);
    replace(b, op.operation(), value)
}

fn rank<'c>(b: &Builder<'c>, op: shape::RankOp<'c>) -> RewriteResult {
    let rank = sizes_of(b, op.shape())?.ty().element_count().unwrap_or(0);
    let value = scalar(b, rank)?;
    replace(b, op.operation(), value)
}

/// The conjunction of the elements of a vector of booleans.
fn all<'c>(b: &Builder<'c>, each: Value<'c>) -> Value<'c> {
    let boolean = integer_type(b.context(), 1);
    let vector = tensor_type(&[1], boolean);
    let yes = DenseElementsAttribute::bool_splat(vector, true);
    let mut result = stablehlo::constant(b, yes.into());
    for dimension in 0..each.ty().element_count().unwrap_or(0) {
        let one = stablehlo::slice(b, each, &[dimension], &[dimension + 1], &[1]);
        result = stablehlo::and(b, result, one);
    }
    stablehlo::reshape(b, result, tensor_type(&[], boolean))
}

/// Whether shapes are equal.
pub fn equal<'c>(b: &Builder<'c>, shapes: &[Value<'c>]) -> RewriteResult<Value<'c>> {
    let shapes = shapes
        .iter()
        .map(|shape| sizes_of(b, *shape))
        .collect::<RewriteResult<Vec<_>>>()?;
    let boolean = tensor_type(&[], integer_type(b.context(), 1));
    let constant =
        |value| stablehlo::constant(b, DenseElementsAttribute::bool_splat(boolean, value).into());
    let mut result = constant(true);
    for pair in shapes.windows(2) {
        if pair[0].ty() != pair[1].ty() {
            return Ok(constant(false));
        }
        let each = stablehlo::compare(b, pair[0], pair[1], ComparisonDirection::Eq);
        result = stablehlo::and(b, result, all(b, each));
    }
    Ok(result)
}

/// Whether two shapes are broadcastable: in each dimension, the sizes are equal or one of them is 1.
pub fn broadcastable<'c>(b: &Builder<'c>, shapes: &[Value<'c>]) -> RewriteResult<Value<'c>> {
    let [left, right] = shapes else {
        return Err(no_match("it has not two shapes"));
    };
    let (left, right) = padded_left(b, sizes_of(b, *left)?, sizes_of(b, *right)?)?;
    let count = left.ty().element_count().unwrap_or(0);
    let ones = constant_vector(b, &vec![1; usize::try_from(count).unwrap_or(0)])?;
    let equal = |left, right| stablehlo::compare(b, left, right, ComparisonDirection::Eq);
    let is_one = stablehlo::or(b, equal(left, ones), equal(right, ones));
    let each = stablehlo::or(b, is_one, equal(left, right));
    Ok(all(b, each))
}
