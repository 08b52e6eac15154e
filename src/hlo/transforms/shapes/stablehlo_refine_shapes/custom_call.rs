//! Custom calls with operands that are the shapes of their results.

use super::values::{constant_of, refine_values, replace_refined};
use crate::{
    literals, semantics::refine_type,
    transforms::shapes::stablehlo_canonicalize_dynamism::custom_calls,
};
use halo_core::Literal;
use halo_ir::prelude::*;
use melior::ir::r#type::TupleType;

/// The call that `--stablehlo-refine-arguments` inserts between an argument of a refined type and
/// the uses of the old one.
pub const OPERAND_WRAPPER: &str = "stablehlo.shape_refinement_operand_wrapper";

/// The attribute with the indices of shape operands, one for each tensor result.
pub const SHAPE_OPERANDS: &str = "indices_of_shape_operands";

/// The indices of shape operands, one for each tensor in the results; `None` if the call has none.
///
/// # Errors
/// Returns the error in the attribute.
pub fn shape_operands(call: Operation) -> Result<Option<Vec<usize>>, String> {
    let Some(attribute) = call.attribute(SHAPE_OPERANDS) else {
        return Ok(None);
    };
    let Some((dims, indices)) = literals::literal_of(attribute)
        .ok()
        .and_then(|literal| Some((literal.shape().dims().len(), integers(&literal)?)))
    else {
        return Ok(None);
    };
    let types = call.result_types();
    let count = types.iter().copied().map(leaf_count).sum::<usize>();
    if indices.len() != count {
        let flattened = if count == types.len() {
            ""
        } else {
            ", with tuples flattened"
        };
        return Err(format!(
            "{SHAPE_OPERANDS}: number of elements ({}) must be equal to the number of operation \
             results ({count}){flattened}",
            indices.len()
        ));
    }
    if dims != 1 {
        return Err(format!("{SHAPE_OPERANDS}: must have rank = 1"));
    }
    if attribute.ty().element_type().integer_width() != Some(64) {
        return Err(format!("{SHAPE_OPERANDS}: must have i64 element type"));
    }
    let operands = call.operand_count();
    indices
        .into_iter()
        .enumerate()
        .map(|(number, index)| {
            usize::try_from(index).ok().filter(|index| *index < operands).ok_or_else(|| {
                format!(
                    "{SHAPE_OPERANDS}: index #{number} ({index}) must be within bounds for \
                         operation operands (from 0 to {operands})"
                )
            })
        })
        .collect::<Result<_, _>>()
        .map(Some)
}

/// The shapes in the call's shape operands, `None` for non-constant ones.
///
/// # Errors
/// Returns the error in the attribute, or the shape that does not match its result.
pub fn result_shapes(call: Operation) -> Result<Option<Vec<Option<Vec<i64>>>>, String> {
    let Some(indices) = shape_operands(call)? else {
        return Ok(None);
    };
    let operands = call.operands();
    let mut results = Vec::new();
    call.result_types().into_iter().for_each(|ty| push_leaves(ty, &mut results));
    let mut shapes = Vec::with_capacity(indices.len());
    for (number, (index, result)) in indices.into_iter().zip(results).enumerate() {
        let shape = operands
            .get(index)
            .filter(|operand| operand.ty().shape().is_some_and(|dims| dims.len() == 1))
            .and_then(|operand| constant_integers(*operand))
            .filter(|sizes| sizes.iter().all(|size| *size >= 0));
        if let (Some(sizes), Some(dims)) = (&shape, result.shape())
            && (dims.len() != sizes.len()
                || dims.iter().zip(sizes).any(|(dim, size)| dim.is_some_and(|dim| dim != *size)))
        {
            return Err(format!(
                "refinement #{number} ({sizes:?}) must be compatible with operation result \
                 #{number} ('{result}')"
            ));
        }
        shapes.push(shape);
    }
    Ok(Some(shapes))
}

/// The number of non-tuple values in a value.
fn leaf_count(ty: Type) -> usize {
    let mut leaves = Vec::new();
    push_leaves(ty, &mut leaves);
    leaves.len()
}

fn push_leaves<'c>(ty: Type<'c>, leaves: &mut Vec<Type<'c>>) {
    match ty.cast::<TupleType>() {
        Some(tuple) => (0..tuple.type_count())
            .filter_map(|index| tuple.r#type(index).ok())
            .for_each(|part| push_leaves(part, leaves)),
        None => leaves.push(ty),
    }
}

/// A type with the next shapes for its tensors.
fn with_shapes<'c>(
    context: &'c Context,
    ty: Type<'c>,
    shapes: &mut impl Iterator<Item = Option<Vec<i64>>>,
) -> Type<'c> {
    if let Some(tuple) = ty.cast::<TupleType>() {
        let parts: Vec<Type> = (0..tuple.type_count())
            .filter_map(|index| tuple.r#type(index).ok())
            .map(|part| with_shapes(context, part, shapes))
            .collect();
        return TupleType::new(context, &parts).into();
    }
    shapes
        .next()
        .flatten()
        .and_then(|sizes| refine_type(ty, tensor_type(&sizes, ty.element_type())))
        .unwrap_or(ty)
}

/// The values of a literal of integers or booleans.
fn integers(literal: &Literal) -> Option<Vec<i64>> {
    let element = literal.element_type();
    if !element.is_integer() && !element.is_boolean() {
        return None;
    }
    (0..literal.element_count())
        .map(|index| i64::try_from(literal.get(index).to_i128()).ok())
        .collect()
}

/// The values of a constant integer or boolean operand.
pub fn constant_integers(value: Value) -> Option<Vec<i64>> {
    integers(&literals::literal_of(constant_of(value)?).ok()?)
}

/// Sets the shapes of results from constant shape operands, and removes a wrapper once the
/// argument's type is refined.
///
/// # Errors
/// Returns the error in the shapes of the call.
pub fn refine(call: Operation) -> Result<(), String> {
    let target = (call.cast::<stablehlo::CustomCallOp>()).map(|call| call.call_target_name());
    let (operands, results) = (call.operands(), call.results());
    if target == Some(OPERAND_WRAPPER)
        && let ([operand, ..], [result]) = (&operands[..], &results[..])
        && refine_type(result.ty(), operand.ty()).is_some()
        && replace_refined(*result, *operand)
    {
        with_builder(call, |b| b.erase(call));
        return Ok(());
    }
    if let Some(types) = custom_calls::inferred_types(call) {
        let types: Vec<Type> = results
            .iter()
            .zip(types)
            .map(|(result, inferred)| refine_type(result.ty(), inferred).unwrap_or(result.ty()))
            .collect();
        refine_values(&results, &types);
        return Ok(());
    }
    let Some(shapes) = result_shapes(call)? else {
        return Ok(());
    };
    let mut shapes = shapes.into_iter();
    let types: Vec<Type> = results
        .iter()
        .map(|result| with_shapes(call.context(), result.ty(), &mut shapes))
        .collect();
    refine_values(&results, &types);
    Ok(())
}
