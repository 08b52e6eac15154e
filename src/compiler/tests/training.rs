//! Training steps exported by JAX with shardings, under `jit` and `shard_map`. They compute JAX's
//! results, unpartitioned and partitioned over threads, with the communication volumes of the
//! literature. The tests of `halo-run` run them as MPI processes.

mod model;
mod textbook;

use halo_backend::{Backend, CompileOptions, Partitioning, Program, Registry};
use halo_core::{Literal, Rule, compare};
use halo_ir::{ops::Op as _, prelude::*, root_of};
use halo_runtime::{ExecuteOptions, Process, Shard, Sharding};

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::thread;
use textbook::{Collective, Kind, Step, steps};

fn program(step: &Step) -> Program {
    let file = format!("{}.mlir", step.name);
    Program {
        code: std::fs::read(model::folder().join(&file)).unwrap(),
        name: file,
    }
}

fn partitioning(step: &Step) -> Partitioning {
    Partitioning {
        replicas: NonZeroUsize::MIN,
        partitions: NonZeroUsize::new(step.ranks).unwrap(),
    }
}

/// Compares sums of f32 in a different order. Adam divides by square roots close to zero.
fn expect_close(actual: &Literal, expected: &Literal, what: &str) {
    let comparison = compare(actual, expected, Rule::close(1e-4, 1e-5)).unwrap();
    assert_eq!(comparison.mismatches, 0, "{what}: {comparison:?}");
}

fn with_backend(name: &str, run: impl FnOnce(&Backend)) {
    let mut registry = Registry::new();
    halo_compiler::backends::register(&mut registry);
    run(registry.backend(name).unwrap());
}

#[test]
fn undivided_steps_give_the_numbers_of_jax() {
    with_backend("interpreter", |interpreter| {
        for step in steps() {
            // Its body is written for one rank.
            if step.name.contains("manual") {
                continue;
            }
            let compiler = &interpreter.compiler;
            let executable = compiler.compile(&program(&step), &CompileOptions::default());
            let results = executable.unwrap().run(&step.model.inputs()).unwrap();
            let expected = step.model.results();
            assert_eq!(results.len(), expected.len(), "{}", step.name);
            for (number, (own, expected)) in results.iter().zip(&expected).enumerate() {
                expect_close(own, expected, &format!("{}: result {number}", step.name));
            }
        }
    });
}

/// The part of an array on a partition.
fn part(whole: &Literal, sharding: Option<&Sharding>, partition: usize) -> Literal {
    let Some(sharding) = sharding else {
        return whole.clone();
    };
    let dims = whole.dims();
    let Shard { start, sizes, .. } = sharding.shard(partition);
    let position = |at: usize| {
        let (mut rest, mut position, mut stride) = (at, 0, 1);
        for dimension in (0..dims.len()).rev() {
            position += (start[dimension] + rest % sizes[dimension]) * stride;
            rest /= sizes[dimension];
            stride *= dims[dimension];
        }
        position
    };
    let positions = (0..sizes.iter().product()).map(position);
    match whole.as_slice::<f32>() {
        Ok(all) => {
            let own: Vec<f32> = positions.map(|at| all[at]).collect();
            Literal::from_slice(&sizes, &own).unwrap()
        }
        Err(_) => {
            let all = whole.as_slice::<i32>().unwrap();
            let own: Vec<i32> = positions.map(|at| all[at]).collect();
            Literal::from_slice(&sizes, &own).unwrap()
        }
    }
}

#[test]
fn divided_steps_give_the_numbers_of_jax() {
    with_backend("interpreter", |interpreter| {
        for step in steps() {
            let (program, partitioning) = (program(&step), partitioning(&step));
            let options = CompileOptions {
                partitioning: Some(partitioning),
                ..CompileOptions::default()
            };
            let executable = interpreter.compiler.compile(&program, &options).unwrap();
            let shardings = halo_frontend::shardings(&program, partitioning.partitions).unwrap();
            let (inputs, expected) = (step.model.inputs(), step.model.results());
            let run = |partition: usize, process: &Arc<Process>| {
                let own = inputs.iter().zip(&shardings.arguments);
                let own: Vec<Literal> = own
                    .map(|(input, sharding)| part(input, sharding.as_ref(), partition))
                    .collect();
                let options = ExecuteOptions {
                    process: Some(process),
                    ..ExecuteOptions::default()
                };
                let results = executable.run_with(&options, &own).unwrap();
                assert_eq!(results.len(), expected.len(), "{}", step.name);
                for (number, own) in results.iter().enumerate() {
                    let sharding = shardings.results[number].as_ref();
                    let expected = part(&expected[number], sharding, partition);
                    let what = format!("{}: result {number} of {partition}", step.name);
                    expect_close(own, &expected, &what);
                }
            };
            let grid = Process::grid(1, step.ranks);
            thread::scope(|scope| {
                for (partition, process) in grid.iter().enumerate() {
                    let thread = thread::Builder::new().stack_size(halo_ir::limits::STACK_BYTES);
                    let run = &run;
                    thread.spawn_scoped(scope, move || run(partition, process)).unwrap();
                }
            });
        }
    });
}

/// All collectives that one partition runs. Collectives in loops of the models are repeated by the
/// number of iterations.
fn collectives(module: Operation) -> Vec<Collective> {
    let mut found = Vec::new();
    for op in module.collect_nested(|op| halo_hlo::communication::is_collective(op.name())) {
        let kind = match op.name() {
            stablehlo::AllGatherOp::NAME => Kind::AllGather,
            stablehlo::AllReduceOp::NAME => Kind::AllReduce,
            stablehlo::ReduceScatterOp::NAME => Kind::ReduceScatter,
            other => panic!("{other} is in no textbook"),
        };
        let groups = op.attribute("replica_groups").map(Attribute::ty);
        let groups = groups.and_then(Type::static_shape).unwrap();
        let bytes = op.operands().into_iter().map(|operand| {
            let sizes = operand.ty().static_shape().unwrap();
            let bits = operand.ty().element_type().bit_width().unwrap();
            sizes.iter().product::<i64>() as usize * bits as usize / 8
        });
        let own = Collective {
            kind,
            bytes: bytes.sum(),
            group: groups[1] as usize,
        };
        let times = match op.enclosing::<stablehlo::WhileOp>() {
            Some(_) => model::BLOCKS,
            None => 1,
        };
        found.extend(std::iter::repeat_n(own, times));
    }
    found
}

#[test]
fn steps_communicate_what_textbooks_say() {
    for step in steps() {
        let code = halo_frontend::partitioned(&program(&step), partitioning(&step)).unwrap();
        let context = halo_compiler::context();
        let divided = Program {
            name: step.name.to_owned(),
            code,
        };
        let module = halo_frontend::parse(&context, &divided).unwrap();
        let mut found = collectives(root_of(&module));
        found.sort_unstable();
        let mut expected = step.collectives;
        expected.sort_unstable();
        assert_eq!(found, expected, "{}", step.name);
    }
}
