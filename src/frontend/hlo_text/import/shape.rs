//! Ops that create or move elements without arithmetic.

use super::{
    failure::{Failure, failure},
    instruction::Instruction,
    values::Tree,
};
use halo_core::ElementType;
use halo_hlo_text::{Arguments, Constant, Value as AttributeValue};
use halo_ir::prelude::*;

/// `constant`. One whose elements the text leaves out stays without a value.
pub fn constant<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>, Failure> {
    let Arguments::Constant(constant) = &i.source.arguments else {
        return Err(failure("constant must have a value"));
    };
    constant_tree(i, constant)
}

/// The value of a constant; the parser bounds the nesting of tuples by their shape.
fn constant_tree<'m>(i: &Instruction<'_, 'm>, constant: &Constant) -> Result<Tree<'m>, Failure> {
    match constant {
        Constant::Array(literal) => {
            let value = i.importer.dense(literal)?;
            let ty = value.ty();
            i.one(stablehlo::ConstantOp::build(&i.builder, value, ty))
        }
        Constant::Splat { shape, element } => {
            let sizes: Vec<i64> = shape.dims().iter().map(|size| *size as i64).collect();
            let ty = i.importer.tensor_of(&sizes, element.element_type())?;
            let element = i.importer.dense(element)?.splat_value();
            let element = element.ok_or_else(|| failure("expected one element"))?;
            let value = halo_ir::splat_attribute(ty, element);
            i.one(stablehlo::ConstantOp::build(&i.builder, value, ty))
        }
        Constant::Tuple(elements) => {
            let elements = elements.iter().map(|element| constant_tree(i, element));
            Ok(Tree::Tuple(elements.collect::<Result<_, Failure>>()?))
        }
        Constant::Elided => super::attributes::as_custom_call(i),
    }
}

/// `iota`
pub fn iota<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>, Failure> {
    let dimension = i.expected_integer("iota_dimension")?;
    let ty = i.result_type()?;
    i.one(stablehlo::IotaOp::build(&i.builder, dimension, ty))
}

/// `broadcast`: each operand dimension is mapped to the written one.
pub fn broadcast<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>, Failure> {
    let dimensions = i.integers("dimensions")?;
    let ([value], ty) = (i.fixed()?, i.result_type()?);
    i.one(stablehlo::BroadcastInDimOp::build(
        &i.builder,
        value,
        &dimensions,
        ty,
    ))
}

/// `transpose`
pub fn transpose<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>, Failure> {
    let dimensions = i.integers("dimensions")?;
    let [value] = i.fixed()?;
    let op = stablehlo::TransposeOp::build(&i.builder, value, &dimensions);
    i.one(op.result_types(&[i.result_type()?]))
}

/// `reverse`
pub fn reverse<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>, Failure> {
    let dimensions = i.integers("dimensions")?;
    let [value] = i.fixed()?;
    let op = stablehlo::ReverseOp::build(&i.builder, value, &dimensions);
    i.one(op.result_types(&[i.result_type()?]))
}

/// `concatenate`
pub fn concatenate<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>, Failure> {
    let op = stablehlo::ConcatenateOp::build(&i.builder, &i.values()?, i.dimension()?);
    i.one(op.result_types(&[i.result_type()?]))
}

/// `pad`
pub fn pad<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>, Failure> {
    let Some(AttributeValue::Padding(padding)) = i.attribute("padding") else {
        return Err(i.missing("padding"));
    };
    let list = |number: fn(&halo_hlo_text::PaddingDimension) -> i64| {
        padding.iter().map(number).collect::<Vec<i64>>()
    };
    let [value, padding_value] = i.fixed()?;
    let op = stablehlo::PadOp::build(
        &i.builder,
        value,
        padding_value,
        &list(|it| it.low),
        &list(|it| it.high),
        &list(|it| it.interior),
    );
    i.one(op.result_types(&[i.result_type()?]))
}

/// `slice`
pub fn slice<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>, Failure> {
    let Some(AttributeValue::SliceRanges(ranges)) = i.attribute("slice") else {
        return Err(i.missing("slice"));
    };
    let list = |number: fn(&halo_hlo_text::SliceRange) -> i64| {
        ranges.iter().map(number).collect::<Vec<i64>>()
    };
    let [value] = i.fixed()?;
    let op = stablehlo::SliceOp::build(
        &i.builder,
        value,
        &list(|it| it.start),
        &list(|it| it.limit),
        &list(|it| it.stride),
    );
    i.one(op.result_types(&[i.result_type()?]))
}

/// `copy`: the same value, in separate memory.
pub fn copy<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>, Failure> {
    same(i, i.operand(0)?)
}

/// `copy-start`: a tuple of the copy, the operand, and a handle.
pub fn copy_start<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>, Failure> {
    let copied = same(i, i.operand(0)?)?;
    Ok(Tree::Tuple(vec![
        copied,
        i.operand(0)?.clone(),
        Tree::Handle,
    ]))
}

/// `copy-done`: the first element of the result of `copy-start`.
pub fn copy_done<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>, Failure> {
    i.importer.element(&i.builder, i.operand(0)?, 0)
}

/// The same value, with its elements under the name of the instruction.
pub fn same<'m>(i: &Instruction<'_, 'm>, tree: &Tree<'m>) -> Result<Tree<'m>, Failure> {
    match tree {
        Tree::Value(value) => i.same(*value),
        Tree::Tuple(elements) => {
            let elements = elements.iter().map(|element| same(i, element));
            Ok(Tree::Tuple(elements.collect::<Result<_, Failure>>()?))
        }
        Tree::Handle => Ok(Tree::Handle),
    }
}

/// A static slice as an intermediate op: one element of the leading dimension, which is removed.
pub fn leading_slice<'m>(
    i: &Instruction<'_, 'm>,
    value: Value<'m>,
    index: i64,
) -> Result<Value<'m>, Failure> {
    let sizes = value.ty().static_shape();
    let sizes = sizes.ok_or_else(|| failure("expected an array of known size"))?;
    let element = value.ty().element_type();
    let mut starts = vec![0; sizes.len()];
    let mut limits = sizes.clone();
    if let (Some(start), Some(limit)) = (starts.first_mut(), limits.first_mut()) {
        *start = index;
        *limit = index + 1;
    }
    let rest = sizes.get(1..).unwrap_or_default();
    let with_leading = [&[1], rest].concat();
    let strides = vec![1; sizes.len()];
    let op = stablehlo::SliceOp::build(&i.builder, value, &starts, &limits, &strides);
    let cut = i.step(op.result_types(&[halo_ir::tensor_type(&with_leading, element)]))?;
    reshaped(i, cut, rest)
}

/// A static reshape as an intermediate op.
pub fn reshaped<'m>(
    i: &Instruction<'_, 'm>,
    value: Value<'m>,
    sizes: &[i64],
) -> Result<Value<'m>, Failure> {
    let ty = halo_ir::tensor_type(sizes, value.ty().element_type());
    if ty == value.ty() {
        return Ok(value);
    }
    i.step(stablehlo::ReshapeOp::build(&i.builder, value, ty))
}

/// Numbers of rank 0 joined to a vector.
pub fn vector_of<'m>(
    i: &Instruction<'_, 'm>,
    values: &[Value<'m>],
    element: ElementType,
) -> Result<Value<'m>, Failure> {
    let one = i.importer.tensor_of(&[1], element)?;
    let mut parts = Vec::new();
    for value in values {
        parts.push(i.step(stablehlo::ReshapeOp::build(&i.builder, *value, one))?);
    }
    let ty = i.importer.tensor_of(&[parts.len() as i64], element)?;
    let op = stablehlo::ConcatenateOp::build(&i.builder, &parts, 0);
    i.step(op.result_types(&[ty]))
}
