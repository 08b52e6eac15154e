//! Dependences of a program's sizes.
//!
//! The size operands of ops such as `dynamic_reshape` are traced to the arguments. Ops on a few
//! integers, which shape refinement folds, only need the values of the arguments ([`sized_by`]). A
//! separate program ([`keep_sizes`]) computes all other sizes, such as the number of elements above
//! a bound, before the program is compiled. An op that only uses the size of a value does not
//! depend on the value.

use halo_core::Literal;
use halo_hlo::{
    literals,
    transforms::shapes::stablehlo_refine_shapes::{
        evaluate::MAX_ELEMENTS, set_function_type, shape_operands,
    },
};
use halo_ir::{ops::shape, prelude::*};

use std::collections::{HashMap, HashSet};

/// The indices of the size operands of an op.
fn size_operands(op: Operation) -> Vec<usize> {
    match op.name() {
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

/// A size operand: the op, and the operand's index.
type SizeOperand<'c> = (Operation<'c>, usize);

/// All size operands, in the order of the ops.
fn all_sizes(entry: Operation<'_>) -> Vec<SizeOperand<'_>> {
    entry
        .collect_nested(|op| !size_operands(op).is_empty())
        .into_iter()
        .flat_map(|op| size_operands(op).into_iter().map(move |index| (op, index)))
        .filter(|(op, index)| op.operand_count() > *index)
        .collect()
}

/// The size operands that folding cannot compute from known arguments, for an entry that holds all
/// of the program's ops. Only ops directly in the entry are considered:
/// `--halo-pad-bounded-regions` turns sizes that change in loops and branches into values.
pub fn computed_sizes(entry: Operation<'_>) -> Vec<SizeOperand<'_>> {
    let mut folded = HashMap::new();
    all_sizes(entry)
        .into_iter()
        .filter(|(op, index)| {
            op.parent() == Some(entry) && !is_folded(op.operands()[*index], &mut folded)
        })
        .collect()
}

/// Returns true if shape refinement can compute a value from known arguments.
fn is_folded<'c>(value: Value<'c>, known: &mut HashMap<usize, bool>) -> bool {
    // An entry is added for each visited value, after its operands.
    let mut pending = vec![value];
    while let Some(&next) = pending.last() {
        if known.contains_key(&next.key()) {
            pending.pop();
            continue;
        }
        let Some(op) = next.defining_op() else {
            known.insert(next.key(), is_few_integers(next.ty()));
            continue;
        };
        let name = op.name();
        let looks_at_sizes = matches!(
            name,
            stablehlo::GetDimensionSizeOp::NAME | shape::ShapeOfOp::NAME
        );
        let operands = op.operands();
        let is_ours = name.starts_with("stablehlo.") || name.starts_with("chlo.");
        if looks_at_sizes || name == stablehlo::ConstantOp::NAME || !is_ours {
            known.insert(next.key(), true);
        } else if op.region_count() > 0
            || !operands.iter().all(|value| is_few_integers(value.ty()))
            || !op.result_types().into_iter().all(is_few_integers)
        {
            known.insert(next.key(), false);
        } else {
            let open: Vec<Value> = operands
                .iter()
                .copied()
                .filter(|value| !known.contains_key(&value.key()))
                .collect();
            if open.is_empty() {
                let all = operands.iter().all(|value| known[&value.key()]);
                known.insert(next.key(), all);
            }
            pending.extend(open);
        }
    }
    known.get(&value.key()).copied().unwrap_or(false)
}

/// Returns true for a type of so few integers that ops on them are folded, as far as its shape is
/// known.
fn is_few_integers(ty: Type) -> bool {
    ty.element_type().is_integer()
        && ty
            .shape()
            .is_some_and(|shape| shape.into_iter().flatten().product::<i64>() <= MAX_ELEMENTS)
}

/// For each argument of the entry, which must hold all of the program's ops, whether sizes that are
/// not [computed](computed_sizes) depend on its value.
pub fn sized_by(entry: Operation) -> Vec<bool> {
    let arguments = entry.body(0).map(Block::arguments).unwrap_or_default();
    let computed: HashSet<(usize, usize)> =
        computed_sizes(entry).into_iter().map(|(op, index)| (op.key(), index)).collect();
    let mut pending: Vec<Value> = all_sizes(entry)
        .into_iter()
        .filter(|(op, index)| !computed.contains(&(op.key(), *index)))
        .map(|(op, index)| op.operands()[index])
        .collect();
    let mut seen = HashSet::new();
    while let Some(value) = pending.pop() {
        if !seen.insert(value.key()) {
            continue;
        }
        // An argument of a region may be any operand of the enclosing op.
        let around = value.as_block_argument().and_then(|(block, _)| block.parent());
        let source = value.defining_op().or(around);
        let Some(source) = source.filter(|op| *op != entry) else {
            continue;
        };
        if matches!(
            source.name(),
            stablehlo::GetDimensionSizeOp::NAME | shape::ShapeOfOp::NAME
        ) {
            continue;
        }
        // Uses in regions count as well.
        source.visit(&mut |op| pending.extend(op.operands()));
    }
    arguments.into_iter().map(|argument| seen.contains(&argument.key())).collect()
}

/// Slices the entry to the program that computes its [computed sizes](computed_sizes), in order.
pub fn keep_sizes(entry: Operation) {
    let sizes: Vec<Value> = computed_sizes(entry)
        .into_iter()
        .map(|(op, index)| op.operands()[index])
        .collect();
    let Some(body) = entry.body(0) else {
        return;
    };
    let Some(terminator) = body.terminator() else {
        return;
    };
    with_builder(terminator, |b| {
        func::return_(b, &sizes);
        b.erase(terminator);
    });
    let mut needed: HashSet<usize> = sizes.iter().map(|value| value.key()).collect();
    for op in body.operations().into_iter().rev().skip(1) {
        let results = op.results();
        if results.iter().any(|value| needed.contains(&value.key())) {
            op.visit(&mut |nested| {
                needed.extend(nested.operands().into_iter().map(Value::key));
            });
        } else {
            with_builder(op, |b| b.erase(op));
        }
    }
    entry.remove_attribute("res_attrs");
    set_function_type(entry, &body.arguments().types(), &sizes.types());
}

/// Replaces the [computed sizes](computed_sizes) by values, in order.
///
/// # Errors
/// Returns a message with the value that cannot be a constant.
pub fn set_sizes(entry: Operation, values: &[Literal]) -> Result<(), String> {
    for ((op, index), value) in computed_sizes(entry).into_iter().zip(values) {
        let element = op.operands()[index].ty().element_type();
        let dims: Vec<i64> = value.dims().iter().map(|dim| *dim as i64).collect();
        let constant = literals::attribute_of(value, halo_ir::tensor_type(&dims, element))?;
        let constant = with_builder(op, |b| halo_ir::ops::stablehlo::constant(b, constant));
        op.set_operand(index, constant);
    }
    Ok(())
}
