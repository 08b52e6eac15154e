//! Partitioned programs, run on threads and compared with the unpartitioned program.

use crate::cases::Case;
use crate::generate::{Mesh, Precision};
use crate::worker::{evaluate, program, same};
use halo_backend::{Backend, CompileOptions, Partitioning};
use halo_core::{Literal, Scalar, Shape};
use halo_hlo::sharding::Tiling;
use halo_runtime::{Executable, ExecuteOptions, Process};
use std::num::NonZeroUsize;
use std::thread;

/// Runs a program unpartitioned and partitioned: each partition must have its tiles of the results.
/// The padding of arguments is chosen so that it would change results.
pub fn check(
    case: &Case,
    mesh: Mesh,
    reference: &Backend,
    backend: &Backend,
) -> Result<(), String> {
    let message = |error: halo_runtime::Error| error.to_string();
    let partitions = mesh.iter().map(|(_, size)| *size as usize).product();
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
    let expected = undivided.run(&inputs).map_err(|error| format!("refused: {error}"))?;
    let count = NonZeroUsize::new(partitions).ok_or("no partitions")?;
    let partitioning = Partitioning {
        replicas: NonZeroUsize::MIN,
        partitions: count,
    };
    let divided =
        compile(backend, Some(partitioning)).map_err(|error| format!("divided: {error}"))?;
    let boundaries = halo_frontend::boundaries(&source, partitions).map_err(message)?;
    let results = expected.iter().zip(&boundaries.results).enumerate();
    for (number, (whole, tiling)) in results {
        let is_open = case.open_results.get(number) == Some(&true);
        if let (true, Some(tiling)) = (is_open, tiling) {
            divides_evenly(whole.dims(), &tiling.counts, mesh)
                .map_err(|message| format!("result {number}: {message}"))?;
        }
    }
    let outputs = run(&*divided, partitions, &|partition| {
        tiles(&inputs, &boundaries.arguments, partition)
    });
    for (partition, outputs) in outputs.into_iter().enumerate() {
        let outputs = outputs.map_err(|error| format!("partition {partition}: {error}"))?;
        let own = |dims: &[usize], tiling: &Option<Tiling>| Part::of(dims, tiling, partition);
        let parts = expected.iter().zip(&boundaries.results);
        let parts: Vec<Part> = parts.map(|(whole, tiling)| own(whole.dims(), tiling)).collect();
        let expected = expected.iter().zip(&parts);
        let expected: Vec<Literal> =
            expected.map(|(whole, part)| part.of_whole(whole)).collect::<Result<_, _>>()?;
        if outputs.len() != expected.len() {
            return Err(format!("partition {partition}: {} results", outputs.len()));
        }
        let outputs = outputs.iter().zip(&parts);
        let outputs: Vec<Literal> =
            outputs.map(|(tile, part)| part.of_tile(tile)).collect::<Result<_, _>>()?;
        // Sums of few bits depend on the order.
        let is_sum = |number: usize| case.results.get(number) == Some(&Precision::Summed);
        let is_compared =
            |number: &usize| !is_sum(*number) || expected[*number].element_type().bit_width() >= 16;
        let compared: Vec<usize> = (0..expected.len()).filter(is_compared).collect();
        let of = |all: &[Literal]| -> Vec<Literal> {
            compared.iter().map(|number| all[*number].clone()).collect()
        };
        let precisions: Vec<Precision> =
            compared.iter().map(|number| case.results[*number]).collect();
        same(
            &of(&outputs),
            &of(&expected),
            &precisions,
            &format!("partition {partition}"),
        )?;
    }
    Ok(())
}

/// Frameworks can only express whole axes of the mesh that divide a result's sizes evenly.
fn divides_evenly(dims: &[usize], counts: &[usize], mesh: Mesh) -> Result<(), String> {
    let products = mesh.iter().fold(vec![1], |products, (_, size)| {
        let longer = products.iter().map(|product| product * *size as usize);
        products.iter().copied().chain(longer).collect()
    });
    let is_even = |(size, count): (&usize, &usize)| size % count == 0 && products.contains(count);
    if dims.iter().zip(counts).all(is_even) {
        Ok(())
    } else {
        Err(format!(
            "expected whole axes that divide {dims:?}, got {counts:?} tiles"
        ))
    }
}

type Outputs = Result<Vec<Literal>, String>;

/// Runs a program in one thread per partition.
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
        let outputs = threads.into_iter().map(|thread| match thread.map(|thread| thread.join()) {
            Ok(Ok(outputs)) => outputs,
            Ok(Err(_)) => Err("a panic".to_owned()),
            Err(error) => Err(error.to_string()),
        });
        outputs.collect()
    })
}

/// The tiles of a partition, padded.
fn tiles(literals: &[Literal], tilings: &[Option<Tiling>], partition: usize) -> Outputs {
    let pairs = literals.iter().zip(tilings);
    pairs
        .map(|(literal, tiling)| Part::of(literal.dims(), tiling, partition).padded(literal))
        .collect()
}

/// The part of a tensor in a partition.
struct Part {
    start: Vec<usize>,
    /// The sizes without padding.
    sizes: Vec<usize>,
    /// The sizes with padding.
    tile: Vec<usize>,
}

impl Part {
    fn of(dims: &[usize], tiling: &Option<Tiling>, partition: usize) -> Self {
        let count = |dimension: usize| tiling.as_ref().map_or(1, |own| own.counts[dimension]);
        let number =
            |dimension: usize| tiling.as_ref().map_or(0, |own| own.tiles[partition][dimension]);
        let all = || dims.iter().copied().enumerate();
        let tile: Vec<usize> =
            all().map(|(dimension, size)| size.div_ceil(count(dimension))).collect();
        let start: Vec<usize> = all()
            .map(|(dimension, size)| size.min(tile[dimension] * number(dimension)))
            .collect();
        let sizes = all()
            .map(|(dimension, size)| tile[dimension].min(size - start[dimension]))
            .collect();
        Self { start, sizes, tile }
    }

    fn of_whole(&self, whole: &Literal) -> Result<Literal, String> {
        block(whole, &self.start, &self.sizes)
    }

    fn of_tile(&self, tile: &Literal) -> Result<Literal, String> {
        if tile.dims() != self.tile {
            return Err(format!("a tile is {}", tile.shape()));
        }
        block(tile, &vec![0; self.tile.len()], &self.sizes)
    }

    fn padded(&self, whole: &Literal) -> Result<Literal, String> {
        block(whole, &self.start, &self.tile)
    }
}

/// A block of a literal. Padding has values that change the results of ops on it.
fn block(from: &Literal, start: &[usize], sizes: &[usize]) -> Result<Literal, String> {
    let shape = Shape::new(from.element_type(), sizes.to_vec());
    let shape = shape.map_err(|error| error.to_string())?;
    let padding = if from.element_type().is_float() {
        Scalar::Float(f64::NAN)
    } else {
        Scalar::Int(i128::from(i32::MAX) - 2)
    };
    let dims = from.dims();
    let position = |mut rest: usize| {
        let (mut position, mut stride) = (0, 1);
        for dimension in (0..dims.len()).rev() {
            let index = rest % sizes[dimension] + start[dimension];
            if index >= dims[dimension] {
                return None;
            }
            rest /= sizes[dimension];
            position += index * stride;
            stride *= dims[dimension];
        }
        Some(position)
    };
    Ok(Literal::from_fn(shape, |number| {
        position(number).map_or(padding, |position| from.get(position))
    }))
}
