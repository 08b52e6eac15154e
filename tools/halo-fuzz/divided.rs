//! Programs that are divided among partitions, which are threads, beside the undivided program.

use crate::cases::Case;
use crate::generate::Precision;
use crate::worker::{evaluate, program, same};
use halo_core::{Literal, Shape};
use halo_hlo::sharding::Tiling;
use halo_runtime::{Backend, CompileOptions, Executable, ExecuteOptions, Partitioning, Process};
use std::num::NonZeroUsize;
use std::thread;

/// Runs a program undivided and divided: each partition must have its tiles of the results.
pub fn check(
    case: &Case,
    partitions: usize,
    reference: &Backend,
    backend: &Backend,
) -> Result<(), String> {
    let message = |error: halo_runtime::Error| error.to_string();
    let inputs = evaluate(reference, &case.arguments, false).map_err(message)?;
    let source = program(&case.code);
    let compile = |backend: &Backend, partitioning: Option<Partitioning>| {
        let options = CompileOptions {
            no_constant_folding: true,
            partitioning,
            ..CompileOptions::default()
        };
        backend.compiler.compile(&source, &options)
    };
    let undivided = compile(reference, None).map_err(|error| format!("refused: {error}"))?;
    let expected = undivided
        .run(&inputs)
        .map_err(|error| format!("refused: {error}"))?;
    let count = NonZeroUsize::new(partitions).ok_or("no partitions")?;
    let partitioning = Partitioning {
        replicas: NonZeroUsize::MIN,
        partitions: count,
    };
    let divided =
        compile(backend, Some(partitioning)).map_err(|error| format!("divided: {error}"))?;
    let boundaries = halo_frontend::boundaries(&source, partitions).map_err(message)?;
    let outputs = run(&*divided, partitions, &|partition| {
        tiles(&inputs, &boundaries.arguments, partition)
    });
    for (partition, outputs) in outputs.into_iter().enumerate() {
        let outputs = outputs.map_err(|error| format!("partition {partition}: {error}"))?;
        let expected = tiles(&expected, &boundaries.results, partition)?;
        // Sums of few bits are other ones in another order.
        let is_sum = |number: usize| case.results.get(number) == Some(&Precision::Summed);
        let is_compared =
            |number: &usize| !is_sum(*number) || expected[*number].element_type().bit_width() >= 16;
        let compared: Vec<usize> = (0..expected.len()).filter(is_compared).collect();
        let of = |all: &[Literal]| -> Vec<Literal> {
            compared.iter().map(|number| all[*number].clone()).collect()
        };
        let precisions: Vec<Precision> = compared
            .iter()
            .map(|number| case.results[*number])
            .collect();
        if outputs.len() != expected.len() {
            return Err(format!("partition {partition}: {} results", outputs.len()));
        }
        same(
            &of(&outputs),
            &of(&expected),
            &precisions,
            &format!("partition {partition}"),
        )?;
    }
    Ok(())
}

type Outputs = Result<Vec<Literal>, String>;

/// Runs a program in one thread for each partition.
fn run(
    executable: &dyn Executable,
    partitions: usize,
    inputs: &(dyn Fn(usize) -> Outputs + Sync),
) -> Vec<Outputs> {
    let processes = Process::grid(1, partitions);
    thread::scope(|scope| {
        let run = |(partition, process)| {
            let run = move || {
                let options = ExecuteOptions {
                    process: Some(process),
                    ..ExecuteOptions::default()
                };
                let outputs = executable.run_with(&options, &inputs(partition)?);
                outputs.map_err(|error| error.to_string())
            };
            let thread = thread::Builder::new().stack_size(halo_ir::limits::STACK_BYTES);
            thread.spawn_scoped(scope, run)
        };
        let threads: Vec<_> = processes.iter().enumerate().map(run).collect();
        let outputs = threads
            .into_iter()
            .map(|thread| match thread.map(|thread| thread.join()) {
                Ok(Ok(outputs)) => outputs,
                Ok(Err(_)) => Err("a panic".to_owned()),
                Err(error) => Err(error.to_string()),
            });
        outputs.collect()
    })
}

/// The tiles that a partition has.
fn tiles(
    literals: &[Literal],
    tilings: &[Option<Tiling>],
    partition: usize,
) -> Result<Vec<Literal>, String> {
    let pairs = literals.iter().zip(tilings);
    pairs
        .map(|(literal, tiling)| match tiling {
            Some(tiling) => tile(literal, tiling, partition),
            None => Ok(literal.clone()),
        })
        .collect()
}

fn tile(literal: &Literal, tiling: &Tiling, partition: usize) -> Result<Literal, String> {
    let dims = literal.dims();
    let own: Vec<usize> = dims
        .iter()
        .zip(&tiling.counts)
        .map(|(size, count)| size / count)
        .collect();
    let shape =
        Shape::new(literal.element_type(), own.clone()).map_err(|error| error.to_string())?;
    let position = |mut rest: usize| {
        let (mut position, mut stride) = (0, 1);
        for dimension in (0..dims.len()).rev() {
            let index = rest % own[dimension] + tiling.tiles[partition][dimension] * own[dimension];
            rest /= own[dimension];
            position += index * stride;
            stride *= dims[dimension];
        }
        position
    };
    Ok(Literal::from_fn(shape, |number| {
        literal.get(position(number))
    }))
}
