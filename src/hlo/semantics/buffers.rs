//! Buffers of custom calls: values that live in memory which a call may write.

use super::{op::Op, prelude::*};
use halo_ir::{prelude::*, stablehlo::attributes::OutputOperandAlias};
use melior::ir::r#type::TupleType;

/// The buffers among some values, each by its number and the indices that lead
/// to it through nested tuples.
fn buffer_leaves<'c>(values: impl Iterator<Item = Type<'c>>) -> Vec<(usize, Vec<i64>)> {
    fn collect(r#type: Type, path: &mut Vec<i64>, found: &mut Vec<Vec<i64>>) {
        if is_memref(r#type) {
            found.push(path.clone());
        }
        let Some(tuple) = halo_ir::type_as::<TupleType>(r#type) else {
            return;
        };
        for index in 0..tuple.type_count() {
            if let Ok(element) = tuple.r#type(index) {
                path.push(index as i64);
                collect(element, path, found);
                path.pop();
            }
        }
    }
    values
        .enumerate()
        .flat_map(|(number, r#type)| {
            let mut found = Vec::new();
            collect(r#type, &mut Vec::new(), &mut found);
            found.into_iter().map(move |path| (number, path))
        })
        .collect()
}

/// Section `custom_call`, buffers: a buffer is handed on at most once, a result
/// that is a buffer is one that came in, and only three targets of known meaning
/// make, take in and give back buffers.
pub fn buffers(op: Op) -> VerifyResult {
    let target = op.required("call_target_name", string_value)?;
    match target {
        "CreateBuffer" | "Pin" | "Unpin" => return buffer_conversion(op, target),
        _ => {}
    }
    let operands = buffer_leaves(op.operands().map(|(_, r#type)| r#type));
    let results = buffer_leaves(op.results().map(|(_, r#type)| r#type));
    if operands.is_empty() && results.is_empty() {
        return Ok(());
    }
    let name = "output_operand_aliases";
    let aliases: Vec<OutputOperandAlias> = op
        .attribute(name)
        .map(attribute_list)
        .unwrap_or_default()
        .into_iter()
        .filter_map(OutputOperandAlias::from_attribute)
        .collect();
    for (number, path) in operands {
        let uses = aliases.iter().filter(|alias| {
            alias.operand_index == number as i64 && alias.operand_tuple_indices == path
        });
        if uses.count() > 1 {
            return Err(format!(
                "attribute '{name}' has the buffer {path:?} of operand {number} more than once"
            ));
        }
    }
    for (number, mut path) in results {
        if op.result_count() > 1 {
            path.insert(0, number as i64);
        }
        let uses = aliases.iter();
        match uses.filter(|alias| alias.output_tuple_indices == path).count() {
            0 => {
                return Err(format!(
                    "attribute '{name}' says of no operand that it becomes the buffer {path:?} of \
                     the output"
                ));
            }
            1 => {}
            _ => {
                return Err(format!(
                    "attribute '{name}' has the buffer {path:?} of the output more than once"
                ));
            }
        }
    }
    Ok(())
}

/// `CreateBuffer` makes a buffer, `Pin` makes one from a tensor, `Unpin` a tensor
/// from one.
fn buffer_conversion(op: Op, target: &str) -> VerifyResult {
    let operands = usize::from(target != "CreateBuffer");
    if op.operand_count() != operands || op.result_count() != 1 {
        return Err(format!(
            "has {} operands and {} results, but '{target}' has {operands} and 1",
            op.operand_count(),
            op.result_count()
        ));
    }
    if op
        .attribute("output_operand_aliases")
        .is_some_and(|aliases| !attribute_list(aliases).is_empty())
    {
        return Err(format!("has aliases, but '{target}' has none"));
    }
    let result = op.result_type(0)?;
    let expect = |what: &str, r#type: Type, buffer: bool| {
        let fits = if buffer {
            is_memref(r#type)
        } else {
            is_tensor(r#type)
        };
        let kind = if buffer { "buffer" } else { "tensor" };
        if fits {
            return Ok(());
        }
        Err(format!(
            "{what} has type {type}, but that of '{target}' is a {kind}"
        ))
    };
    expect("result 0", result, target != "Unpin")?;
    if operands == 0 {
        return Ok(());
    }
    let operand = op.operand_type(0)?;
    expect("operand 0", operand, target == "Unpin")?;
    if shape_of(operand) == shape_of(result) && element_type(operand) == element_type(result) {
        return Ok(());
    }
    Err(format!(
        "result 0 has type {result}, but '{target}' keeps shape and elements of {operand}"
    ))
}
