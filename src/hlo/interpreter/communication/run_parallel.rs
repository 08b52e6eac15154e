//! `interpreter.run_parallel`: programs on a grid of processes, each a thread, or the process of a
//! rank if a grid of ranks runs the op.

use super::super::{
    call::Call,
    evaluator::{Evaluated, Evaluator, Failure, STACK_BYTES},
    value::Value,
};
use super::values::tensors;
use halo_ir::prelude::*;
use halo_runtime::{Error, Process};

use std::sync::Arc;
use std::thread;

/// Runs the functions of attribute `programs`, a row for each replica with a function for each
/// partition. Operands and results of the functions are concatenated. The functions of attribute
/// `infeed` compute the values of the infeed.
pub fn run_parallel(call: &Call) -> Evaluated {
    let programs: Vec<Vec<&str>> = call
        .op
        .attribute("programs")
        .map(Attribute::array_elements)
        .unwrap_or_default()
        .into_iter()
        .map(|row| row.array_elements().into_iter().filter_map(Attribute::symbol_value).collect())
        .collect();
    let partitions = programs.first().map_or(0, Vec::len);
    if partitions == 0 || programs.iter().any(|row| row.len() != partitions) {
        return Err("needs programs in rows of one length".into());
    }
    let cluster = call.evaluator.process.grid_within(programs.len(), partitions)?;
    let infeed = cluster.open_infeed();
    if let Some(functions) = call.op.attribute("infeed") {
        for name in functions.array_elements().into_iter().filter_map(Attribute::symbol_value) {
            infeed.put(tensors(&call.evaluator.call(name, &[])?)?);
        }
    }
    drop(infeed);
    let mut operands = call.operands;
    let mut tasks = Vec::new();
    let mut numbers = Vec::new();
    for (number, name) in programs.iter().flatten().enumerate() {
        let count = argument_count(call, name)?;
        let (own, others) = operands
            .split_at_checked(count)
            .ok_or_else(|| format!("has too few operands for '{name}'"))?;
        operands = others;
        if cluster.is_here(number) {
            numbers.push(number);
            tasks.push((*name, own, Process::of(&cluster, number)));
        }
    }
    if !operands.is_empty() {
        return Err(format!("has {} operands too many", operands.len()).into());
    }
    let environment = call.evaluator.environment;
    let outcomes: Vec<Result<Vec<Value>, Error>> = thread::scope(|scope| {
        let threads: Vec<_> = tasks
            .into_iter()
            .map(|(name, arguments, process)| {
                thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, move || {
                    let evaluator = Evaluator::for_process(environment, Arc::clone(&process));
                    process.run(|| evaluator.call(name, arguments))
                })
            })
            .collect();
        threads
            .into_iter()
            .map(|thread| match thread.map(thread::ScopedJoinHandle::join) {
                Ok(Ok(outcome)) => outcome,
                Ok(Err(_)) => Err(Error::internal("a process of the interpreter panicked")),
                Err(error) => Err(Error::execution(format!("cannot start a process: {error}"))),
            })
            .collect()
    });
    // The first failure is the cause of later ones.
    let first = cluster.first_failed();
    let mut results = Vec::new();
    let mut failure = None;
    for (number, outcome) in numbers.into_iter().zip(outcomes) {
        match outcome {
            Ok(values) => results.push(tensors(&values)?),
            Err(error) if first == Some(number) => return Err(error.into()),
            Err(error) => failure = failure.or(Some(error)),
        }
    }
    if let Some(error) = failure {
        return Err(error.into());
    }
    let all = call.evaluator.process.share(&cluster, results)?;
    let mut values = all.into_iter().flatten();
    (0..call.op.result_count())
        .map(|number| {
            if is_token(call.op.result_type(number)?) {
                Ok(Value::Token)
            } else {
                let value = values.next().ok_or("has more results than its programs")?;
                Ok(Value::Tensor(value))
            }
        })
        .collect()
}

fn is_token(ty: Type) -> bool {
    ty.to_string() == "!stablehlo.token"
}

fn argument_count(call: &Call, name: &str) -> Result<usize, Failure> {
    let function = call
        .evaluator
        .environment
        .function(name)
        .ok_or_else(|| format!("runs '{name}', which is not a function of the module"))?;
    let block = function.blocks().into_iter().next();
    Ok(block.map_or(0, |block| block.argument_count()))
}
