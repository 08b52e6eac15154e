//! Where the sizes of a program come from.
//!
//! The operands that give sizes, as of `dynamic_reshape`, are traced to the
//! arguments. Ops on a few integers, which shape refinement folds, need only
//! the values of the arguments ([`sized_by`]). All other sizes, such as the
//! number of elements above a bound, are computed by a separate program
//! ([`keep_sizes`]) before the rest is compiled. An op that uses only the size
//! of a value does not depend on the value.

use halo_core::Literal;
use halo_hlo::{
    literals,
    transforms::stablehlo_refine_shapes::{
        evaluate::MAX_ELEMENTS, set_function_type, shape_operands,
    },
};
use halo_ir::{
    BuildError, Operation, Type, Value, arguments_of, block_argument, body_of, collect_operations,
    defining_operation, name_of, operands_of, operation_key, operations_of,
    ops::{Op, func, shape, stablehlo},
    owner_of, parent_operation, remove_attribute, result_types_of, results_of, set_operand,
    shape_of, terminator_of, value_key, visit, with_builder,
};
use melior::ir::{ValueLike, operation::OperationLike};
use std::collections::{HashMap, HashSet};

/// The operands of an op that say sizes.
fn size_operands(op: Operation) -> Vec<usize> {
    match name_of(op) {
        stablehlo::DynamicIotaOp::NAME => vec![0],
        stablehlo::DynamicReshapeOp::NAME
        | stablehlo::DynamicBroadcastInDimOp::NAME
        | stablehlo::SetDimensionSizeOp::NAME => vec![1],
        stablehlo::DynamicPadOp::NAME => vec![2, 3, 4],
        stablehlo::RealDynamicSliceOp::NAME => vec![1, 2, 3],
        stablehlo::DynamicGatherOp::NAME | stablehlo::DynamicConvOp::NAME => vec![2],
        stablehlo::CustomCallOp::NAME => shape_operands(op).ok().flatten().unwrap_or_default(),
        _ => Vec::new(),
    }
}

/// An operand that says a size.
type SizeOperand<'c> = (Operation<'c>, usize);

/// All operands that say sizes, in the order of the ops.
fn all_sizes(entry: Operation<'_>) -> Vec<SizeOperand<'_>> {
    collect_operations(entry, |op| !size_operands(op).is_empty())
        .into_iter()
        .flat_map(|op| size_operands(op).into_iter().map(move |index| (op, index)))
        .filter(|(op, index)| op.operand_count() > *index)
        .collect()
}

/// The operands that say sizes which folding does not find, even where all
/// arguments are known, of an entry that holds all of the program's ops. They
/// are those of ops of the entry itself: `--halo-pad-bounded-regions` makes
/// values of the sizes that change in loops and branches.
pub fn computed_sizes(entry: Operation<'_>) -> Vec<SizeOperand<'_>> {
    let mut folded = HashMap::new();
    all_sizes(entry)
        .into_iter()
        .filter(|(op, index)| {
            parent_operation(*op) == Some(entry)
                && !is_folded(operands_of(*op)[*index], &mut folded)
        })
        .collect()
}

/// Whether shape refinement finds a value once it knows the arguments.
fn is_folded<'c>(value: Value<'c>, known: &mut HashMap<usize, bool>) -> bool {
    // Each value is entered once it is asked for, its operands before it.
    let mut pending = vec![value];
    while let Some(&next) = pending.last() {
        if known.contains_key(&value_key(next)) {
            pending.pop();
            continue;
        }
        let Some((op, _)) = defining_operation(next) else {
            known.insert(value_key(next), is_few_integers(next.r#type()));
            continue;
        };
        let name = name_of(op);
        let looks_at_sizes = matches!(
            name,
            stablehlo::GetDimensionSizeOp::NAME | shape::ShapeOfOp::NAME
        );
        let operands = operands_of(op);
        let is_ours = name.starts_with("stablehlo.") || name.starts_with("chlo.");
        if looks_at_sizes || name == stablehlo::ConstantOp::NAME || !is_ours {
            known.insert(value_key(next), true);
        } else if op.region_count() > 0
            || !operands.iter().all(|value| is_few_integers(value.r#type()))
            || !result_types_of(op).into_iter().all(is_few_integers)
        {
            known.insert(value_key(next), false);
        } else {
            let open: Vec<Value> = operands
                .iter()
                .copied()
                .filter(|value| !known.contains_key(&value_key(*value)))
                .collect();
            if open.is_empty() {
                let all = operands.iter().all(|value| known[&value_key(*value)]);
                known.insert(value_key(next), all);
            }
            pending.extend(open);
        }
    }
    known.get(&value_key(value)).copied().unwrap_or(false)
}

/// Whether a type is one of so few integers that ops on them are folded, as far
/// as its shape is known.
fn is_few_integers(r#type: Type) -> bool {
    halo_ir::is_integer(halo_ir::element_type(r#type))
        && shape_of(r#type)
            .is_some_and(|shape| shape.into_iter().flatten().product::<i64>() <= MAX_ELEMENTS)
}

/// For each argument of the entry, which must hold all of the program's ops,
/// whether sizes that are not [computed](computed_sizes) depend on its value.
pub fn sized_by(entry: Operation) -> Vec<bool> {
    let arguments = body_of(entry, 0).map(arguments_of).unwrap_or_default();
    let computed: HashSet<(usize, usize)> = computed_sizes(entry)
        .into_iter()
        .map(|(op, index)| (operation_key(op), index))
        .collect();
    let mut pending: Vec<Value> = all_sizes(entry)
        .into_iter()
        .filter(|(op, index)| !computed.contains(&(operation_key(*op), *index)))
        .map(|(op, index)| operands_of(op)[index])
        .collect();
    let mut seen = HashSet::new();
    while let Some(value) = pending.pop() {
        if !seen.insert(value_key(value)) {
            continue;
        }
        // An argument of a region represents any operand of the op around it.
        let around = block_argument(value).and_then(|(block, _)| owner_of(block));
        let source = defining_operation(value).map(|(op, _)| op).or(around);
        let Some(source) = source.filter(|op| *op != entry) else {
            continue;
        };
        if matches!(
            name_of(source),
            stablehlo::GetDimensionSizeOp::NAME | shape::ShapeOfOp::NAME
        ) {
            continue;
        }
        // Uses in regions count as well.
        visit(source, &mut |op| pending.extend(operands_of(op)));
    }
    arguments
        .into_iter()
        .map(|argument| seen.contains(&value_key(argument)))
        .collect()
}

/// Makes of the entry the program that computes its [computed
/// sizes](computed_sizes), in their order, and nothing else.
pub fn keep_sizes(entry: Operation) -> Result<(), BuildError> {
    let sizes: Vec<Value> = computed_sizes(entry)
        .into_iter()
        .map(|(op, index)| operands_of(op)[index])
        .collect();
    let Some(body) = body_of(entry, 0) else {
        return Ok(());
    };
    let Some(terminator) = terminator_of(body) else {
        return Ok(());
    };
    let returned = with_builder(terminator, |b| {
        let returned = func::return_(b, &sizes);
        b.erase(terminator)?;
        returned
    });
    if returned.is_err() {
        return Ok(());
    }
    let mut needed: HashSet<usize> = sizes.iter().map(|value| value_key(*value)).collect();
    for op in operations_of(body).into_iter().rev().skip(1) {
        let results = results_of(op);
        if results.iter().any(|value| needed.contains(&value_key(*value))) {
            visit(op, &mut |nested| {
                needed.extend(operands_of(nested).into_iter().map(value_key));
            });
        } else {
            with_builder(op, |b| b.erase(op))?;
        }
    }
    remove_attribute(entry, "res_attrs");
    set_function_type(entry, &types_of(&arguments_of(body)), &types_of(&sizes));
    Ok(())
}

fn types_of<'c>(values: &[Value<'c>]) -> Vec<Type<'c>> {
    values.iter().map(|value| value.r#type()).collect()
}

/// Puts values in place of the [computed sizes](computed_sizes), in their order.
///
/// # Errors
/// Says which value cannot be a constant.
pub fn set_sizes(entry: Operation, values: &[Literal]) -> Result<(), String> {
    for ((op, index), value) in computed_sizes(entry).into_iter().zip(values) {
        let element = halo_ir::element_type(operands_of(op)[index].r#type());
        let dims: Vec<i64> = value.dims().iter().map(|dim| *dim as i64).collect();
        let constant = literals::attribute_of(value, halo_ir::tensor_type(&dims, element))?;
        let constant = with_builder(op, |b| halo_ir::ops::stablehlo::constant(b, constant));
        set_operand(op, index, constant.map_err(|error| error.to_string())?);
    }
    Ok(())
}
