//! The ops of CHLO. They have no specification: the rules follow the StableHLO ops that they
//! decompose to, and operands may be unranked.

pub mod broadcast;
pub mod ragged_dot;
pub mod scan;

use super::{mlir::elements_agree, op::Op, prelude::*};
use halo_ir::prelude::*;
use halo_stablehlo::semantics::most_specific;

/// The type of a value with other elements.
fn with_elements<'c>(ty: Type<'c>, element: Type<'c>) -> Inferred<'c> {
    if dims_of(ty).is_some() {
        Inferred::Type(ty.with_element_type(element).into())
    } else {
        Inferred::element(element.into())
    }
}

/// Fails unless all operands have one element type, up to quantization parameters; returns it.
fn same_elements(op: Op) -> Result<Type, String> {
    let mut operands = op.operands();
    let Some((first, ty)) = operands.next() else {
        return Err("has no operands".to_string());
    };
    let element = ty.element_type();
    for (subject, other) in operands {
        let other = other.element_type();
        if !elements_agree(other, element) {
            return Err(format!(
                "{subject} has element type {other}, but {first} has element type {element}"
            ));
        }
    }
    Ok(element)
}

/// Functions of one or two operands: all operands and the result have the same
/// type.
pub fn same_type(op: Op) -> Inference {
    let element = same_elements(op)?;
    let ranked: Vec<Tensor> = op
        .operands()
        .filter_map(|(subject, ty)| Tensor::new(subject, ty.into()).ok())
        .collect();
    for operand in ranked.iter().skip(1) {
        operand.expect_shape_of(&ranked[0])?;
    }
    one(most_specific(&ranked).unwrap_or(Inferred::element(element.into())))
}

/// Predicates: a boolean for each element.
pub fn predicate(op: Op) -> Inference {
    let boolean = integer_type(op.context(), 1);
    one(with_elements(op.operand_type(0)?, boolean))
}

/// The op `chlo.constant`: the type of the value.
pub fn constant(op: Op) -> Inference {
    one(Inferred::Type(op.required("value", Some)?.ty().into()))
}

/// The op `chlo.constant_like`: the shape of the operand, the type of the value.
pub fn constant_like(op: Op) -> Inference {
    let value = op.required("value", Some)?.ty();
    one(with_elements(op.operand_type(0)?, value))
}

/// The op `chlo.top_k`: the last dimension has at least `k` entries and becomes
/// `k`.
pub fn top_k(op: Op) -> Inference {
    let ty = op.operand_type(0)?;
    let index = integer_type(op.context(), 32);
    if dims_of(ty).is_none() {
        let results = [ty.element_type(), index];
        return Ok(results.map(|element| Inferred::element(element.into())).to_vec());
    }
    let (operand, k) = (op.operand(0)?, op.integer("k")?);
    let mut shape = operand.dims.clone();
    let Some(last) = shape.last_mut() else {
        return Err("operand 0 has rank 0, but must have at least one dimension".to_string());
    };
    if last.size().is_some_and(|size| size < k) || k < 0 {
        return Err(format!(
            "attribute 'k' is {k}, but the last dimension of operand 0 has size {last}"
        ));
    }
    *last = Dim::Static(k);
    Ok(vec![
        Inferred::tensor(shape.clone(), operand.element),
        Inferred::tensor(shape, index.into()),
    ])
}
