//! Calls of functions, and asynchronous instructions that were imported as such.

use super::computation::{ComputationBuilder, Instruction};
use super::failure::{failure, symbol_named};
use crate::hlo_text::export::computation::Started;
use halo_hlo_text::{Opcode, Shape, Value};
use halo_ir::prelude::*;
use halo_runtime::Error;

/// The composite that the import inserts before the indices of scatters.
const WHOLE_WINDOWS: &str = "xla.whole_windows";

/// The functions that an op names.
pub fn callees<'c>(op: Operation<'c>) -> Vec<&'c str> {
    let attribute = |name: &str| op.attribute(name).and_then(Attribute::symbol_value);
    match op.name() {
        func::CallOp::NAME => attribute("callee").into_iter().collect(),
        stablehlo::CompositeOp::NAME => attribute("decomposition").into_iter().collect(),
        stablehlo::CustomCallOp::NAME => {
            let list = op.attribute("called_computations").map(Attribute::array_elements);
            let list = list.unwrap_or_default().into_iter();
            list.filter_map(Attribute::symbol_value).collect()
        }
        _ => Vec::new(),
    }
}

/// The computation of a function.
pub fn computation_of<'c>(
    builder: &ComputationBuilder<'_, 'c>,
    op: Operation<'c>,
    symbol: &str,
) -> Result<String, Error> {
    let name = builder.exporter.exported.get(symbol).cloned();
    name.ok_or_else(|| failure(op, format!("calls '{symbol}', which is not there")))
}

/// Exports a call; an imported fusion becomes a fusion again.
pub fn call<'c>(builder: &mut ComputationBuilder<'_, 'c>, op: Operation<'c>) -> Result<(), Error> {
    let callee = computation_of(builder, op, symbol_named(op, "callee")?)?;
    let callee = Value::Computation(callee);
    let marked = op.attribute("mhlo.opcode").and_then(Attribute::string_value);
    if marked == Some(Opcode::AsyncStart.name()) {
        return async_start(builder, op, callee);
    }
    let instruction = if marked == Some(Opcode::Fusion.name()) {
        builder.instruction(op, Opcode::Fusion)?.with("calls", callee)
    } else {
        builder.instruction(op, Opcode::Call)?.with("to_apply", callee)
    };
    builder.define(op, instruction)
}

/// The start of a call. Updates and its end follow at the marked conversions, unless the results
/// have uses before.
fn async_start<'c>(
    builder: &mut ComputationBuilder<'_, 'c>,
    op: Operation<'c>,
    callee: Value,
) -> Result<(), Error> {
    let inputs = op.operands().into_iter();
    let inputs = inputs.map(|value| builder.shape_of(op, value));
    let inputs = Shape::Tuple(inputs.collect::<Result<_, _>>()?);
    let instruction = builder.instruction(op, Opcode::AsyncStart)?;
    let output = instruction.0.shape.clone();
    let shape = Shape::Tuple(vec![inputs, output]);
    let instruction = instruction.shaped(shape.clone()).with("calls", callee);
    let name = builder.add_of(op, instruction)?;
    if is_waited_for(op) {
        let started = Started {
            name,
            shape,
            updates: 0,
            passed: Vec::new(),
        };
        builder.started.insert(op.key(), started);
        return Ok(());
    }
    let done = builder.instruction(op, Opcode::AsyncDone)?.on(vec![name]);
    let shape = done.0.shape.clone();
    let done = builder.add(done);
    builder.bind_results(op, &done, &shape)
}

fn is_marked(op: Operation, opcode: Opcode) -> bool {
    let marked = op.attribute("mhlo.opcode").and_then(Attribute::string_value);
    op.isa::<stablehlo::ConvertOp>() && marked == Some(opcode.name())
}

/// Returns true if the results of a start, or of its updates, have no uses before its end.
fn is_waited_for(op: Operation) -> bool {
    let mut running: Vec<usize> = op.results().into_iter().map(ValueExt::key).collect();
    let ops = op.block().map(Block::operations).unwrap_or_default().into_iter();
    for other in ops.skip_while(|other| *other != op).skip(1) {
        let uses = |user: Operation| {
            let operands = user.operands().into_iter();
            operands.map(ValueExt::key).any(|key| running.contains(&key))
        };
        if is_marked(other, Opcode::AsyncUpdate) && uses(other) {
            running.extend(other.results().into_iter().map(ValueExt::key));
        } else if uses(other) || !other.collect_nested(uses).is_empty() {
            return is_marked(other, Opcode::AsyncDone);
        }
    }
    false
}

/// The start of the asynchronous op whose value a marked conversion takes, and the number of
/// updates between them.
fn start_of<'c>(value: halo_ir::Value<'c>) -> Option<(Operation<'c>, usize)> {
    let mut updates = 0;
    let mut op = value.defining_op()?;
    while is_marked(op, Opcode::AsyncUpdate) {
        op = op.operands().first().copied()?.defining_op()?;
        updates += 1;
    }
    Some((op, updates))
}

/// A conversion that represents an update: the first one on the start's results becomes the update.
pub fn async_update<'c>(
    builder: &mut ComputationBuilder<'_, 'c>,
    op: Operation<'c>,
) -> Result<(), Error> {
    let (result, operand) = only_value(op)?;
    let start = start_of(operand).map(|(start, before)| (start.key(), before));
    let started =
        start.and_then(|(key, before)| Some((builder.started.remove(&key)?, key, before)));
    let Some((mut started, key, before)) = started else {
        let name = builder.name_of(op, operand)?;
        builder.bind(result, name);
        return Ok(());
    };
    if started.updates <= before {
        let instruction = Instruction::new(Opcode::AsyncUpdate, started.shape.clone());
        started.name = builder.add_of(op, instruction.on(vec![started.name]))?;
        started.updates += 1;
    }
    started.passed.push((result, operand));
    builder.started.insert(key, started);
    Ok(())
}

/// A conversion that marks the end of an asynchronous op: the first one on a start's results
/// becomes the end, and the others extract elements of its result.
pub fn async_done<'c>(
    builder: &mut ComputationBuilder<'_, 'c>,
    op: Operation<'c>,
) -> Result<(), Error> {
    let (result, operand) = only_value(op)?;
    if let Some((start, _)) = start_of(operand)
        && let Some(started) = builder.started.remove(&start.key())
    {
        let done = builder.instruction(start, Opcode::AsyncDone)?;
        let done = done.on(vec![started.name]);
        let shape = done.0.shape.clone();
        let done = builder.add_of(op, done)?;
        builder.bind_results(start, &done, &shape)?;
        for (value, of) in started.passed {
            let name = builder.name_of(op, of)?;
            builder.bind(value, name);
        }
    }
    let name = builder.name_of(op, operand)?;
    builder.note_imported(op, &name);
    builder.bind(result, name);
    Ok(())
}

/// The result and the operand of a conversion.
fn only_value<'c>(op: Operation<'c>) -> Result<(halo_ir::Value<'c>, halo_ir::Value<'c>), Error> {
    match (&op.results()[..], &op.operands()[..]) {
        ([result], [operand]) => Ok((*result, *operand)),
        _ => Err(failure(op, "has no operand")),
    }
}

/// A call whose frontend attributes contain the name of the instruction that it replaces.
pub fn composite<'c>(
    builder: &mut ComputationBuilder<'_, 'c>,
    op: Operation<'c>,
) -> Result<(), Error> {
    let name = op.attribute("name").and_then(Attribute::string_value);
    let name = name.ok_or_else(|| failure(op, "has no name"))?;
    // A scatter of HLO means that by itself.
    if name == WHOLE_WINDOWS
        && let ([result], [indices]) = (&op.results()[..], &op.operands()[..])
    {
        let indices = builder.name_of(op, *indices)?;
        builder.bind(*result, indices);
        return Ok(());
    }
    let callee = computation_of(builder, op, symbol_named(op, "decomposition")?)?;
    let attributes = op.attribute("composite_attributes");
    let attributes = attributes.map_or_else(|| "{}".to_owned(), |value| value.to_string());
    let version = op.attribute("version").and_then(Attribute::integer_value);
    let frontend = vec![
        ("composite.attributes".to_owned(), attributes),
        ("composite.name".to_owned(), name.to_owned()),
        (
            "composite.version".to_owned(),
            version.unwrap_or_default().to_string(),
        ),
    ];
    let instruction = builder
        .instruction(op, Opcode::Call)?
        .with("to_apply", Value::Computation(callee))
        .with("is_composite", Value::Bool(true))
        .with("frontend_attributes", Value::FrontendAttributes(frontend));
    builder.define(op, instruction)
}
