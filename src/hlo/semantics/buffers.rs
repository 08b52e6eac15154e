//! Buffers of custom calls: values in memory that a call may write.

use super::{op::Op, prelude::*};
use halo_ir::{prelude::*, stablehlo::attributes::OutputOperandAlias};
use melior::ir::r#type::TupleType;

/// The buffers among some values, each with its index and its path through nested tuples.
fn buffer_leaves<'c>(values: impl Iterator<Item = Type<'c>>) -> Vec<(usize, Vec<i64>)> {
    fn collect(ty: Type, path: &mut Vec<i64>, found: &mut Vec<Vec<i64>>) {
        if ty.is_memref() {
            found.push(path.clone());
        }
        let Some(tuple) = ty.cast::<TupleType>() else {
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
        .flat_map(|(number, ty)| {
            let mut found = Vec::new();
            collect(ty, &mut Vec::new(), &mut found);
            found.into_iter().map(move |path| (number, path))
        })
        .collect()
}

/// Section `custom_call`, buffers: a buffer is used at most once, a buffer result must alias a
/// buffer operand, and only three known targets create, pin and unpin buffers.
pub fn buffers(op: Op) -> VerifyResult {
    let target = op.required("call_target_name", Attribute::string_value)?;
    match target {
        "CreateBuffer" | "Pin" | "Unpin" => return buffer_conversion(op, target),
        _ => {}
    }
    let operands = buffer_leaves(op.operands().map(|(_, ty)| ty));
    let results = buffer_leaves(op.results().map(|(_, ty)| ty));
    if operands.is_empty() && results.is_empty() {
        return Ok(());
    }
    let name = "output_operand_aliases";
    let aliases: Vec<OutputOperandAlias> = op
        .attribute(name)
        .map(Attribute::array_elements)
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

/// `CreateBuffer` creates a buffer, `Pin` converts a tensor to a buffer, `Unpin` a buffer to a
/// tensor.
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
        .is_some_and(|aliases| !aliases.array_elements().is_empty())
    {
        return Err(format!("has aliases, but '{target}' has none"));
    }
    let result = op.result_type(0)?;
    let expect = |what: &str, ty: Type, buffer: bool| {
        let fits = if buffer {
            ty.is_memref()
        } else {
            ty.is_tensor()
        };
        let kind = if buffer { "buffer" } else { "tensor" };
        if fits {
            return Ok(());
        }
        Err(format!(
            "{what} has type {ty}, but that of '{target}' is a {kind}"
        ))
    };
    expect("result 0", result, target != "Unpin")?;
    if operands == 0 {
        return Ok(());
    }
    let operand = op.operand_type(0)?;
    expect("operand 0", operand, target == "Unpin")?;
    if operand.shape() == result.shape() && operand.element_type() == result.element_type() {
        return Ok(());
    }
    Err(format!(
        "result 0 has type {result}, but '{target}' keeps shape and elements of {operand}"
    ))
}
