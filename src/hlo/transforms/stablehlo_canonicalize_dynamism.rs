//! `--stablehlo-canonicalize-dynamism`: dynamic ops whose shapes are known,
//! in their static forms.
//!
//! Where the shape that an op is given is that of its result's type, or where
//! the amounts it is given are constants, an op with attributes says the same.
//! Backends then need not know the dynamic form.
//!
//! ```mlir
//! %0 = stablehlo.constant dense<[4, 3]> : tensor<2xi64>
//! %1 = stablehlo.dynamic_broadcast_in_dim %a, %0, dims = [1] : (tensor<3xf32>, tensor<2xi64>) -> tensor<4x3xf32>
//! ```
//!
//! becomes
//!
//! ```mlir
//! %1 = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<3xf32>) -> tensor<4x3xf32>
//! ```
//!
//! So do the custom calls that stand for dynamic ops that StableHLO lacks
//! ([`custom_calls`]).

pub mod custom_calls;

use super::stablehlo_refine_shapes::{
    SHAPE_OPERANDS, constant_integers, result_shapes, shape_operands,
};
use crate::semantics::constant_slice_sizes;
use halo_ir::pass::{PassDeclaration, PassFailure, PassInvocation};
use halo_ir::{
    Attribute, Builder, Operation, Pattern, RewriteError, RewriteResult, Type, Value,
    apply_greedily, array_attribute, attribute_list, attribute_of, bool_array_attribute,
    bool_array_value, element_type, i64_array_attribute, i64_array_value, integer_type,
    operands_of, result_types_of, static_shape_of, tensor_type,
};
use melior::ir::{ValueLike, attribute::DenseElementsAttribute, operation::OperationLike};

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration {
    argument: "stablehlo-canonicalize-dynamism",
    summary: "Replace dynamic ops of known shapes by their static forms",
    anchor: "",
    dependent_dialects: &["chlo", "stablehlo"],
    options: &[],
    run,
};

static PATTERNS: &[Pattern] = &[
    Pattern::new("stablehlo.custom_call", custom_call),
    Pattern::new("stablehlo.dynamic_broadcast_in_dim", broadcast_in_dim),
    Pattern::new("stablehlo.dynamic_conv", convolution),
    Pattern::new("stablehlo.dynamic_gather", gather),
    Pattern::new("stablehlo.dynamic_iota", iota),
    Pattern::new("stablehlo.dynamic_pad", pad),
    Pattern::new("stablehlo.dynamic_reshape", reshape),
    Pattern::new("stablehlo.real_dynamic_slice", slice),
];

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    apply_greedily(pass, PATTERNS)
}

/// An op on its way to another name: the attributes that stay, the operands
/// that stay.
fn replace<'c>(
    b: &Builder<'c>,
    op: Operation<'c>,
    name: &str,
    operands: &[Value<'c>],
    attributes: &[(&str, Attribute<'c>)],
    dropped: &[&str],
) -> RewriteResult {
    let mut new = b.op(name).operands(operands).results(&result_types_of(op));
    for (name, attribute) in op.attributes() {
        let name = name.as_string_ref();
        let name = name.as_str().unwrap_or_default();
        if !dropped.contains(&name) {
            new = new.attribute(name, attribute);
        }
    }
    for (name, attribute) in attributes {
        new = new.attribute(name, *attribute);
    }
    let new = new.insert()?;
    b.replace(op, &halo_ir::results_of(new))?;
    Ok(())
}

fn has_static_result(op: Operation) -> bool {
    result_types_of(op)
        .into_iter()
        .all(|r#type| static_shape_of(r#type).is_some())
}

fn operand<'c>(op: Operation<'c>, number: usize) -> Result<Value<'c>, RewriteError> {
    operands_of(op)
        .get(number)
        .copied()
        .ok_or(RewriteError::NoMatch)
}

fn constant(op: Operation, number: usize) -> Result<Vec<i64>, RewriteError> {
    constant_integers(operand(op, number)?).ok_or(RewriteError::NoMatch)
}

/// The result has the shape that is computed, or the program is undefined.
fn broadcast_in_dim<'c>(b: &Builder<'c>, op: Operation<'c>) -> RewriteResult {
    let value = operand(op, 0)?;
    if !has_static_result(op) || static_shape_of(value.r#type()).is_none() {
        return Err(RewriteError::NoMatch);
    }
    let hints = [
        "known_expanding_dimensions",
        "known_nonexpanding_dimensions",
    ];
    replace(b, op, "stablehlo.broadcast_in_dim", &[value], &[], &hints)
}

fn reshape<'c>(b: &Builder<'c>, op: Operation<'c>) -> RewriteResult {
    let value = operand(op, 0)?;
    if !has_static_result(op) {
        return Err(RewriteError::NoMatch);
    }
    replace(b, op, "stablehlo.reshape", &[value], &[], &[])
}

fn iota<'c>(b: &Builder<'c>, op: Operation<'c>) -> RewriteResult {
    if !has_static_result(op) {
        return Err(RewriteError::NoMatch);
    }
    replace(b, op, "stablehlo.iota", &[], &[], &[])
}

fn pad<'c>(b: &Builder<'c>, op: Operation<'c>) -> RewriteResult {
    let [low, high, interior] = [constant(op, 2)?, constant(op, 3)?, constant(op, 4)?];
    let array = |values: &[i64]| i64_array_attribute(b.context(), values);
    let attributes = [
        ("edge_padding_low", array(&low)),
        ("edge_padding_high", array(&high)),
        ("interior_padding", array(&interior)),
    ];
    let operands = [operand(op, 0)?, operand(op, 1)?];
    replace(b, op, "stablehlo.pad", &operands, &attributes, &[])
}

fn gather<'c>(b: &Builder<'c>, op: Operation<'c>) -> RewriteResult {
    let sizes = i64_array_attribute(b.context(), &constant(op, 2)?);
    let operands = [operand(op, 0)?, operand(op, 1)?];
    let attributes = [("slice_sizes", sizes)];
    replace(b, op, "stablehlo.gather", &operands, &attributes, &[])
}

fn convolution<'c>(b: &Builder<'c>, op: Operation<'c>) -> RewriteResult {
    let padding = constant(op, 2)?;
    let rank = padding.len() / 2;
    let r#type = tensor_type(&[rank as i64, 2], integer_type(b.context(), 64));
    let padding = DenseElementsAttribute::i64_values(r#type, &padding).into();
    let operands = [operand(op, 0)?, operand(op, 1)?];
    let mut attributes = vec![("padding", padding)];
    // Lists that are longer than the window are shortened to it.
    for name in ["window_strides", "lhs_dilation", "rhs_dilation"] {
        let factors = attribute_of(op, name).and_then(i64_array_value);
        if let Some(factors) = factors.as_deref().and_then(|factors| factors.get(..rank)) {
            attributes.push((name, i64_array_attribute(b.context(), factors)));
        }
    }
    let reversal = attribute_of(op, "window_reversal").and_then(bool_array_value);
    if let Some(reversal) = reversal
        .as_deref()
        .and_then(|reversal| reversal.get(..rank))
    {
        let reversal = bool_array_attribute(b.context(), reversal);
        attributes.push(("window_reversal", reversal));
    }
    let dropped: Vec<&str> = attributes.iter().map(|(name, _)| *name).collect();
    replace(
        b,
        op,
        "stablehlo.convolution",
        &operands,
        &attributes,
        &dropped,
    )
}

/// A slice of constant places becomes `slice`; one of constant sizes at computed
/// places, `dynamic_slice`.
fn slice<'c>(b: &Builder<'c>, op: Operation<'c>) -> RewriteResult {
    let strides = constant(op, 3)?;
    let array = |values: &[i64]| i64_array_attribute(b.context(), values);
    let value = operand(op, 0)?;
    if let (Ok(starts), Ok(limits)) = (constant(op, 1), constant(op, 2)) {
        let attributes = [
            ("start_indices", array(&starts)),
            ("limit_indices", array(&limits)),
            ("strides", array(&strides)),
        ];
        return replace(b, op, "stablehlo.slice", &[value], &attributes, &[]);
    }
    let sizes = constant_slice_sizes(op).ok_or(RewriteError::NoMatch)?;
    let starts = operand(op, 1)?;
    let element = element_type(starts.r#type());
    let mut operands = vec![value];
    for dimension in 0..sizes.len() as i64 {
        operands.push(entry(b, starts, dimension, element)?);
    }
    let attributes = [("slice_sizes", array(&sizes))];
    replace(
        b,
        op,
        "stablehlo.dynamic_slice",
        &operands,
        &attributes,
        &[],
    )
}

/// One entry of a vector, as a scalar.
fn entry<'c>(
    b: &Builder<'c>,
    vector: Value<'c>,
    index: i64,
    element: Type<'c>,
) -> Result<Value<'c>, RewriteError> {
    let array = |value: i64| i64_array_attribute(b.context(), &[value]);
    let part = b
        .op("stablehlo.slice")
        .operands(&[vector])
        .attribute("start_indices", array(index))
        .attribute("limit_indices", array(index + 1))
        .attribute("strides", array(1))
        .infer_results()
        .value()?;
    Ok(b.value("stablehlo.reshape", &[part], tensor_type(&[], element))?)
}

/// Calls that stand for ops become these. Operands that are shapes of results
/// are dropped once the results have them.
fn custom_call<'c>(b: &Builder<'c>, op: Operation<'c>) -> RewriteResult {
    if custom_calls::stands_for_op(op) {
        return custom_calls::replace(b, op);
    }
    result_shapes(op).map_err(RewriteError::Invalid)?;
    let indices = shape_operands(op).map_err(RewriteError::Invalid)?;
    let indices = indices.ok_or(RewriteError::NoMatch)?;
    if !has_static_result(op) {
        return Err(RewriteError::NoMatch);
    }
    let kept: Vec<Value> = without(operands_of(op), &indices);
    let layouts = attribute_of(op, "operand_layouts").map(|layouts| {
        let layouts = without(attribute_list(layouts), &indices);
        ("operand_layouts", array_attribute(b.context(), &layouts))
    });
    replace(
        b,
        op,
        "stablehlo.custom_call",
        &kept,
        layouts.as_slice(),
        &[SHAPE_OPERANDS, "operand_layouts"],
    )
}

/// The entries of a list but those of some numbers.
fn without<T>(list: Vec<T>, numbers: &[usize]) -> Vec<T> {
    list.into_iter()
        .enumerate()
        .filter(|(number, _)| !numbers.contains(number))
        .map(|(_, entry)| entry)
        .collect()
}
