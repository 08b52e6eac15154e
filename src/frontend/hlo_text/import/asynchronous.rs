//! Instructions in two halves.
//!
//! A collective that is started becomes `stablehlo.async_start`, whose future `async_done` waits
//! for. Any other computation runs where it is started, which programs cannot observe: a call
//! marked `async-start`, whose results are waited for by conversions to the same type marked
//! `async-done`.

use super::{
    collectives, control_flow,
    failure::{Failure, failure},
    instruction::Instruction,
    values::{Tree, tuple_elements},
};
use crate::hlo_text::attribute_names::UPDATES;
use halo_hlo_text::{
    Arguments, Attributes, HloComputation, HloInstruction, HloModule, Opcode, Shape,
    Value as AttributeValue,
};
use halo_ir::{prelude::*, stablehlo::types::future_types};

/// `all-gather-start`, `all-reduce-start` and `collective-permute-start`
pub fn start_collective<'m>(i: &Instruction<'_, 'm>, opcode: Opcode) -> Result<Tree<'m>, Failure> {
    let values = i.values()?;
    let arguments = values.types();
    let results = started_types(i, opcode)?;
    if opcode == Opcode::CollectivePermute
        && (i.source.attributes.get("slice_sizes").is_some() || values.len() != 1)
    {
        return super::attributes::as_custom_call(i);
    }
    let body = i.builder.region(&arguments, |builder, arguments| {
        let op = collectives::spec(i, opcode, arguments, &results)?;
        let returned = i.create(op)?.results();
        stablehlo::return_(builder, &returned);
        Ok::<_, super::failure::Failure>(())
    })?;
    let future = halo_ir::stablehlo::types::future(i.importer.context, &results)
        .ok_or_else(|| failure("the results of an asynchronous computation must be arrays"))?;
    let op = stablehlo::AsyncStartOp::build(&i.builder, &values, body);
    let started = i.one(op.result_types(&[future]))?;
    Ok(match opcode {
        Opcode::AllReduce => started,
        _ => {
            let operand = match &i.operands[..] {
                [one] => one.clone(),
                several => Tree::Tuple(several.to_vec()),
            };
            Tree::Tuple(vec![operand, started])
        }
    })
}

/// The result types of a collective: its start's shape contains the operands too, except in
/// `all-reduce-start` and in short texts.
fn started_types<'m>(
    i: &Instruction<'_, 'm>,
    opcode: Opcode,
) -> Result<Vec<halo_ir::Type<'m>>, Failure> {
    let count = i.operands.len();
    let all = i.result_types()?;
    if all.len() == count {
        return Ok(all);
    }
    if opcode == Opcode::AllReduce {
        return Ok(all.get(count..).unwrap_or_default().to_vec());
    }
    match &i.source.shape {
        Shape::Tuple(elements) => match elements.get(1) {
            Some(shape) => i.importer.flat_types(shape),
            None => Err(failure("expected a tuple of operand and result")),
        },
        _ => Err(failure("expected a tuple of operand and result")),
    }
}

/// The second half of a collective.
pub fn finish_collective<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>, Failure> {
    let started = i.operand(0)?;
    if let Some(future) = future_in(started) {
        return wait(i, future);
    }
    // An asynchronous op ends before it leaves its computation.
    match (i.source.opcode, started) {
        (Opcode::AllReduceDone, _) => Ok(started.clone()),
        (_, Tree::Value(value)) if tuple_elements(value.ty()).is_none() => Ok(started.clone()),
        _ => i.importer.element(&i.builder, started, 1),
    }
}

fn wait<'m>(i: &Instruction<'_, 'm>, future: halo_ir::Value<'m>) -> Result<Tree<'m>, Failure> {
    let types = future_types(future.ty()).unwrap_or_default();
    let op = stablehlo::AsyncDoneOp::build(&i.builder, future);
    let results = i.finish(op.result_types(&types))?.results();
    match results[..] {
        [value] => Ok(Tree::Value(value)),
        _ => i.importer.assemble(&i.source.shape, &results),
    }
}

fn future_in<'m>(tree: &Tree<'m>) -> Option<halo_ir::Value<'m>> {
    let is_future = |value: &halo_ir::Value<'m>| future_types(value.ty()).is_some();
    match tree {
        Tree::Value(value) => Some(*value).filter(is_future),
        Tree::Tuple(elements) => match elements.get(1) {
            Some(Tree::Value(value)) => Some(*value).filter(is_future),
            _ => None,
        },
        Tree::Handle => None,
    }
}

/// `async-start`: a tuple of the operands, the results, and a handle.
pub fn start<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>, Failure> {
    let name = ["calls", "to_apply", "called_computation"]
        .into_iter()
        .find(|name| i.source.attributes.get(name).is_some());
    let name = name.ok_or_else(|| i.missing("calls"))?;
    let computation = i.computation(name)?;
    let result = if is_collective(computation) {
        let values = i.values()?;
        let body = i.importer.region(&i.builder, computation)?;
        let types = i.importer.flat_types(&i.importer.root(computation)?.shape)?;
        let future = halo_ir::stablehlo::types::future(i.importer.context, &types)
            .ok_or_else(|| failure("the results of an asynchronous computation must be arrays"))?;
        let op = stablehlo::AsyncStartOp::build(&i.builder, &values, body);
        i.one(op.result_types(&[future]))?
    } else {
        control_flow::call_now(i, name)?
    };
    let mut elements = vec![Tree::Tuple(i.operands.clone()), result];
    if let Shape::Tuple(parts) = &i.source.shape {
        elements.resize(parts.len().clamp(2, 8), Tree::Handle);
    }
    Ok(Tree::Tuple(elements))
}

/// Returns true if a computation is one collective of its parameters, in their order, that becomes
/// one op.
fn is_collective(computation: &HloComputation) -> bool {
    let Some(root) = computation.root() else {
        return false;
    };
    let parameters: Vec<&HloInstruction> = computation
        .instructions
        .iter()
        .filter(|it| it.opcode == Opcode::Parameter)
        .collect();
    let single = root.operands().len() == 1;
    let one_op = match root.opcode {
        Opcode::AllGather
        | Opcode::AllReduce
        | Opcode::CollectiveBroadcast
        | Opcode::CollectiveReduce => true,
        Opcode::CollectivePermute => single && root.attributes.get("slice_sizes").is_none(),
        Opcode::ReduceScatter => single,
        Opcode::AllToAll => single && root.attributes.get("dimensions").is_some(),
        _ => false,
    };
    one_op && parameters.len() + 1 == computation.instructions.len()
}

/// `async-update` forwards a started op: the results of a call go through marked conversions, and
/// the start of a collective lists its updates.
pub fn update<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>, Failure> {
    said_at_start(i);
    let started = i.operand(0)?;
    if let Some(future) = future_in(started) {
        note_update(i, future);
        return Ok(started.clone());
    }
    let mut passed = started.clone();
    if let Tree::Tuple(elements) = &mut passed
        && let Some(result) = elements.get_mut(1)
    {
        *result = super::shape::same(i, result)?;
    }
    Ok(passed)
}

fn note_update<'m>(i: &Instruction<'_, 'm>, future: halo_ir::Value<'m>) {
    let Some(start) = future.defining_op() else {
        return;
    };
    let updates = start.attribute(UPDATES).map(Attribute::array_elements);
    let mut updates = updates.unwrap_or_default();
    updates.push(i.importer.string(&i.source.name));
    start.set_attribute(UPDATES, i.importer.array(updates));
}

/// `async-done`
pub fn done<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>, Failure> {
    said_at_start(i);
    let started = i.operand(0)?;
    match future_in(started) {
        Some(future) => wait(i, future),
        None => {
            let result = i.importer.element(&i.builder, started, 1)?;
            super::shape::same(i, &result)
        }
    }
}

/// Older texts repeat the started computation at the other halves.
fn said_at_start(i: &Instruction) {
    let said_again: Vec<&str> = i.all().map(|(name, _)| name).collect();
    for name in said_again {
        if !is_of_half(name) || name == "async_execution_thread" {
            i.attribute(name);
        }
    }
}

/// Returns true if an attribute belongs to an asynchronous instruction itself, and not to the
/// started computation.
fn is_of_half(name: &str) -> bool {
    matches!(
        name,
        "async_execution_thread"
            | "backend_config"
            | "control-predecessors"
            | "frontend_attributes"
            | "metadata"
            | "sharding"
    )
}

/// A module in which asynchronous instructions with a specific opcode (`custom-call-start`) are
/// replaced by generic ones: each starts a computation of one instruction. `None` if there is
/// nothing to do.
pub fn unwrapped(hlo: &HloModule) -> Option<HloModule> {
    let is_wrapped =
        |it: &HloInstruction| it.opcode == Opcode::AsyncStart && it.wrapped_opcode.is_some();
    let mut computations = hlo.computations.iter();
    if !computations.any(|it| it.instructions.iter().any(is_wrapped)) {
        return None;
    }
    let mut module = hlo.clone();
    for computation in &mut module.computations {
        let shapes: std::collections::HashMap<String, Shape> = computation
            .instructions
            .iter()
            .map(|it| (it.name.clone(), it.shape.clone()))
            .collect();
        for instruction in &mut computation.instructions {
            if is_wrapped(instruction) {
                unwrap(instruction, &shapes);
            }
        }
    }
    Some(module)
}

fn unwrap(instruction: &mut HloInstruction, shapes: &std::collections::HashMap<String, Shape>) {
    let Some(opcode) = instruction.wrapped_opcode.take() else {
        return;
    };
    let operands = instruction.operands();
    let shape_of = |name: &String| shapes.get(name).cloned().unwrap_or_default();
    let mut instructions: Vec<HloInstruction> = operands
        .iter()
        .enumerate()
        .map(|(number, name)| HloInstruction {
            name: format!("param_{number}"),
            shape: shape_of(name),
            opcode: Opcode::Parameter,
            wrapped_opcode: None,
            arguments: Arguments::Parameter(number),
            attributes: Attributes::default(),
            position: instruction.position,
        })
        .collect();
    let names = instructions.iter().map(|it| it.name.clone()).collect();
    let shape = match &instruction.shape {
        Shape::Tuple(elements) => elements.get(1).cloned().unwrap_or_default(),
        shape => shape.clone(),
    };
    let attributes = std::mem::take(&mut instruction.attributes).0;
    let (own, inner): (Vec<_>, Vec<_>) = attributes.into_iter().partition(|attribute| {
        is_of_half(&attribute.name)
            && !matches!(
                &attribute.name[..],
                "backend_config" | "frontend_attributes"
            )
    });
    instruction.attributes = Attributes(own);
    instructions.push(HloInstruction {
        name: opcode.name().to_owned(),
        shape,
        opcode,
        wrapped_opcode: None,
        arguments: Arguments::Operands(names),
        attributes: Attributes(inner),
        position: instruction.position,
    });
    let root = instructions.len() - 1;
    let computation = HloComputation {
        name: format!("async_{}", instruction.name),
        instructions,
        root,
        position: instruction.position,
        ..HloComputation::default()
    };
    let inline = AttributeValue::InlineComputation(Box::new(computation));
    instruction.attributes.push("calls", inline);
}
