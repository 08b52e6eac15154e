//! Custom calls that say which of their operands are the shapes of their
//! results.

use super::{constant_of, refine_values, replace_refined};
use crate::{
    ir::{
        Operation, Type, Value, attribute_of, element_type, name_of, operands_of, results_of,
        shape_of, string_value, tensor_type, with_builder,
    },
    passes::stablehlo_canonicalize_dynamism::custom_calls,
    semantics::refine_type,
};
use halo_core::Literal;
use melior::ir::ValueLike;

/// The call that `--stablehlo-refine-arguments` puts between an argument of a
/// refined type and the uses of the old one.
pub const OPERAND_WRAPPER: &str = "stablehlo.shape_refinement_operand_wrapper";

/// The attribute with the numbers of the operands that are shapes, one for each
/// result that is a tensor.
pub const SHAPE_OPERANDS: &str = "indices_of_shape_operands";

/// The numbers of the operands that are shapes of results.
pub fn shape_operands(call: Operation) -> Option<Vec<usize>> {
    let literal = crate::literals::literal_of(attribute_of(call, SHAPE_OPERANDS)?).ok()?;
    integers(&literal)?
        .into_iter()
        .map(|index| usize::try_from(index).ok())
        .collect()
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

/// The values of an operand that is a constant of integers or booleans.
pub fn constant_integers(value: Value) -> Option<Vec<i64>> {
    integers(&crate::literals::literal_of(constant_of(value)?).ok()?)
}

/// Takes the shapes of results from the operands that are constants, and lets a
/// wrapped argument through once its type is refined.
pub fn refine(call: Operation) {
    let target = attribute_of(call, "call_target_name").and_then(string_value);
    let (operands, results) = (operands_of(call), results_of(call));
    if target == Some(OPERAND_WRAPPER)
        && let ([operand, ..], [result]) = (&operands[..], &results[..])
        && refine_type(result.r#type(), operand.r#type()).is_some()
        && replace_refined(*result, *operand)
    {
        with_builder(call, |b| b.erase(call));
        return;
    }
    if let Some(types) = custom_calls::inferred_types(call) {
        let types: Vec<Type> = results
            .iter()
            .zip(types)
            .map(|(result, inferred)| {
                refine_type(result.r#type(), inferred).unwrap_or(result.r#type())
            })
            .collect();
        refine_values(&results, &types);
        return;
    }
    let Some(indices) = shape_operands(call) else {
        return;
    };
    debug_assert_eq!(name_of(call), "stablehlo.custom_call");
    let types: Vec<Type> = results
        .iter()
        .zip(&indices)
        .map(|(result, index)| {
            let declared = result.r#type();
            operands
                .get(*index)
                .and_then(|operand| constant_integers(*operand))
                .filter(|sizes| {
                    shape_of(declared).is_some_and(|dims| dims.len() == sizes.len())
                        && sizes.iter().all(|size| *size >= 0)
                })
                .and_then(|sizes| {
                    refine_type(declared, tensor_type(&sizes, element_type(declared)))
                })
                .unwrap_or(declared)
        })
        .collect();
    refine_values(&results, &types);
}
