//! `interpreter.run_parallel`: programs on a grid of processes.

use super::super::{
    call::Call,
    evaluator::{Evaluated, Evaluator, Failure, STACK_BYTES},
    value::Value,
};
use super::tensors;
use halo_ir::{attribute_list, blocks_of, symbol_value};
use halo_runtime::Error;
use melior::ir::{BlockLike, operation::OperationLike};
use std::sync::Arc;
use std::thread;

/// Runs the functions of attribute `programs`, a row for each replica with a
/// function for each partition. The operands are those of the functions one
/// after the other, and so are the results. The functions of attribute `infeed`
/// give the values of the infeed.
pub fn run_parallel(call: &Call) -> Evaluated {
    let programs: Vec<Vec<&str>> = call
        .op
        .attribute("programs")
        .map(attribute_list)
        .unwrap_or_default()
        .into_iter()
        .map(|row| {
            attribute_list(row)
                .into_iter()
                .filter_map(symbol_value)
                .collect()
        })
        .collect();
    let partitions = programs.first().map_or(0, Vec::len);
    if partitions == 0 || programs.iter().any(|row| row.len() != partitions) {
        return Err("needs programs in rows of one length".into());
    }
    let processes = (call.evaluator.process).grid_within(programs.len(), partitions)?;
    let cluster = Arc::clone(&processes[0].cluster);
    let infeed = cluster.open_infeed();
    if let Some(functions) = call.op.attribute("infeed") {
        for name in attribute_list(functions)
            .into_iter()
            .filter_map(symbol_value)
        {
            infeed.put(tensors(&call.evaluator.call(name, &[])?)?);
        }
    }
    drop(infeed);
    let mut operands = call.operands;
    let mut tasks = Vec::new();
    for (name, process) in programs.iter().flatten().zip(processes) {
        let count = argument_count(call, name)?;
        let (own, others) = operands
            .split_at_checked(count)
            .ok_or_else(|| format!("has too few operands for '{name}'"))?;
        operands = others;
        tasks.push((*name, own, process));
    }
    if !operands.is_empty() {
        return Err(format!("has {} operands too many", operands.len()).into());
    }
    let environment = call.evaluator.environment;
    let outcomes: Vec<Result<Vec<Value>, Error>> = thread::scope(|scope| {
        let threads: Vec<_> = tasks
            .into_iter()
            .map(|(name, arguments, process)| {
                thread::Builder::new()
                    .stack_size(STACK_BYTES)
                    .spawn_scoped(scope, move || {
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
    // What failed first is the cause of what failed later.
    if let Some(first) = cluster.first_failed() {
        if let Some(Err(error)) = outcomes.into_iter().nth(first) {
            return Err(error.into());
        }
        return Err("has a process that failed".into());
    }
    let mut results = Vec::new();
    for outcome in outcomes {
        results.extend(outcome?);
    }
    Ok(results)
}

fn argument_count(call: &Call, name: &str) -> Result<usize, Failure> {
    let function = call
        .evaluator
        .environment
        .function(name)
        .ok_or_else(|| format!("runs '{name}', which is not a function of the module"))?;
    let block = function.regions().flat_map(blocks_of).next();
    Ok(block.map_or(0, |block| block.argument_count()))
}
