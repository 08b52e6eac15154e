//! Calls of functions, and asynchronous instructions that were imported as such.

use super::computation::ComputationBuilder;
use super::{failure, symbol_named};
use crate::ir::{
    Operation, attribute_list, attribute_of, collect_operations, defining_operation,
    integer_attribute_value, name_of, operands_of, operation_key, operations_of, parent_block,
    results_of, string_value, symbol_value, value_key,
};
use halo_hlo_text::{Opcode, Shape, Value};
use halo_runtime::Error;

/// The composite that the import puts before the indices of scatters.
const WHOLE_WINDOWS: &str = "xla.whole_windows";

/// The functions that an op names.
pub fn callees<'c>(op: Operation<'c>) -> Vec<&'c str> {
    let attribute = |name: &str| attribute_of(op, name).and_then(symbol_value);
    match name_of(op) {
        "func.call" => attribute("callee").into_iter().collect(),
        "stablehlo.composite" => attribute("decomposition").into_iter().collect(),
        "stablehlo.custom_call" => {
            let list = attribute_of(op, "called_computations").map(attribute_list);
            let list = list.unwrap_or_default().into_iter();
            list.filter_map(symbol_value).collect()
        }
        _ => Vec::new(),
    }
}

/// The computation that a function has become.
pub fn computation_of<'c>(
    builder: &ComputationBuilder<'_, 'c>,
    op: Operation<'c>,
    symbol: &str,
) -> Result<String, Error> {
    let name = builder.exporter.exported.get(symbol).cloned();
    name.ok_or_else(|| failure(op, format!("calls '{symbol}', which is not there")))
}

/// A call; one that was a fusion is one again.
pub fn call<'c>(builder: &mut ComputationBuilder<'_, 'c>, op: Operation<'c>) -> Result<(), Error> {
    let callee = computation_of(builder, op, symbol_named(op, "callee")?)?;
    let callee = Value::Computation(callee);
    let marked = attribute_of(op, "mhlo.opcode").and_then(string_value);
    if marked == Some(Opcode::AsyncStart.name()) {
        return async_start(builder, op, callee);
    }
    let instruction = if marked == Some(Opcode::Fusion.name()) {
        builder
            .instruction(op, Opcode::Fusion)?
            .with("calls", callee)
    } else {
        builder
            .instruction(op, Opcode::Call)?
            .with("to_apply", callee)
    };
    builder.define(op, instruction)
}

/// The start of a call. Its end follows at the conversion marked so, unless
/// something uses the results before.
fn async_start<'c>(
    builder: &mut ComputationBuilder<'_, 'c>,
    op: Operation<'c>,
    callee: Value,
) -> Result<(), Error> {
    let inputs = operands_of(op).into_iter();
    let inputs = inputs.map(|value| builder.shape_of(op, value));
    let inputs = Shape::Tuple(inputs.collect::<Result<_, _>>()?);
    let instruction = builder.instruction(op, Opcode::AsyncStart)?;
    let output = instruction.0.shape.clone();
    let instruction = instruction
        .shaped(Shape::Tuple(vec![inputs, output]))
        .with("calls", callee);
    let start = builder.add_of(op, instruction)?;
    if first_use(op).is_some_and(|user| is_done(user)) {
        builder.started.insert(operation_key(op), start);
        return Ok(());
    }
    let done = builder.instruction(op, Opcode::AsyncDone)?.on(vec![start]);
    let shape = done.0.shape.clone();
    let done = builder.add(done);
    builder.bind_results(op, &done, &shape)
}

fn is_done(op: Operation) -> bool {
    let marked = attribute_of(op, "mhlo.opcode").and_then(string_value);
    name_of(op) == "stablehlo.convert" && marked == Some(Opcode::AsyncDone.name())
}

/// The first op behind one, in its block, that uses a result of it or has an op
/// in its regions that does.
fn first_use<'c>(op: Operation<'c>) -> Option<Operation<'c>> {
    let results: Vec<usize> = results_of(op).into_iter().map(value_key).collect();
    let uses = |user: Operation<'c>| {
        let operands = operands_of(user).into_iter();
        operands.map(value_key).any(|key| results.contains(&key))
    };
    let ops = operations_of(parent_block(op)?).into_iter();
    let mut behind = ops.skip_while(|other| *other != op).skip(1);
    behind.find(|user| uses(*user) || !collect_operations(*user, uses).is_empty())
}

/// A conversion that stands for the end of what was started: the first one of a
/// start's results is it, and the others take their parts of what it gives.
pub fn async_done<'c>(
    builder: &mut ComputationBuilder<'_, 'c>,
    op: Operation<'c>,
) -> Result<(), Error> {
    let (results, operands) = (results_of(op), operands_of(op));
    let (Some(result), Some(operand)) = (results.first(), operands.first()) else {
        return Err(failure(op, "has no operand"));
    };
    if let Some((started, _)) = defining_operation(*operand)
        && let Some(start) = builder.started.remove(&operation_key(started))
    {
        let done = builder.instruction(started, Opcode::AsyncDone)?;
        let done = done.on(vec![start]);
        let shape = done.0.shape.clone();
        let done = builder.add_of(op, done)?;
        builder.bind_results(started, &done, &shape)?;
    }
    let name = builder.name_of(op, *operand)?;
    builder.note_imported(op, &name);
    builder.bind(*result, name);
    Ok(())
}

/// A call that says in its frontend attributes what it stands for.
pub fn composite<'c>(
    builder: &mut ComputationBuilder<'_, 'c>,
    op: Operation<'c>,
) -> Result<(), Error> {
    let name = attribute_of(op, "name").and_then(string_value);
    let name = name.ok_or_else(|| failure(op, "has no name"))?;
    // A scatter of HLO means that by itself.
    if name == WHOLE_WINDOWS
        && let ([result], [indices]) = (&results_of(op)[..], &operands_of(op)[..])
    {
        let indices = builder.name_of(op, *indices)?;
        builder.bind(*result, indices);
        return Ok(());
    }
    let callee = computation_of(builder, op, symbol_named(op, "decomposition")?)?;
    let attributes = attribute_of(op, "composite_attributes");
    let attributes = attributes.map_or_else(|| "{}".to_owned(), |value| value.to_string());
    let version = attribute_of(op, "version").and_then(integer_attribute_value);
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
