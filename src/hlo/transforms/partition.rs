//! `--halo-partition`: the program of each partition, from one on whole tensors.
//!
//! A program with shardings is written as if there were one device. Each of `partitions`
//! processes is to run it with its part of the arguments, and to return its part of the
//! results. The entry takes and returns tiles; arguments are gathered, the program runs as it
//! is written on every partition, and its results are cut. Shardings of values in between are
//! hints, and are dropped.
//!
//! What is written for one partition (a manual computation of Shardy, which is what
//! `jax.shard_map` makes) stands between two custom calls, `@SPMDFullToShardShape` and
//! `@SPMDShardToFullShape`. The first one cuts its operands, the second one gathers them. A
//! tensor that is gathered and cut again into the same tiles is neither, so that a program
//! which consists of a manual computation communicates only where it says so itself.
//!
//! ```mlir
//! // partitions=2, and sdy.meshes = {mesh = #sdy.mesh<["x"=2]>}
//! func.func @main(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<4xf32> {
//!   %0 = stablehlo.sine %a : tensor<4xf32>
//!   return %0 : tensor<4xf32>
//! }
//! ```
//!
//! becomes
//!
//! ```mlir
//! func.func @main(%a: tensor<2xf32>) -> tensor<4xf32> {
//!   %0 = stablehlo.reshape %a : (tensor<2xf32>) -> tensor<1x2xf32>
//!   %1 = "stablehlo.all_gather"(%0) {all_gather_dim = 0, replica_groups = dense<[[0, 1]]>, ...}
//!   %2 = stablehlo.reshape %1 : (tensor<2x2xf32>) -> tensor<4xf32>
//!   %3 = stablehlo.sine %2 : tensor<4xf32>
//!   return %3 : tensor<4xf32>
//! }
//! ```
//!
//! A custom call with a maximal sharding, such as a callback, is made by one partition alone,
//! which sends the results to the others. A result without a sharding of its own is divided as
//! it follows from what it is computed of; where that is element by element, it is computed on
//! tiles.
//!
//! Functions must be inlined before: only the entry has shardings that count.

mod boundaries;
mod cut;
mod elementwise;
mod inference;
mod maximal;
mod rules;
mod tiles;

pub use boundaries::Boundaries;

use super::entry_attributes;
use super::stablehlo_refine_shapes::{entry_function, set_function_type};
use crate::sharding::{Meshes, SHARDING, Tiling};
use cut::GatheredTensors;
use halo_ir::ops::{OperationExt, builtin, stablehlo};
use halo_ir::pass::{PassDeclaration, PassFailure, PassInvocation, emit_error};
use halo_ir::{
    Operation, Type, Value, arguments_of, body_of, collect_operations, operands_of, operations_of,
    pass_options, results_of, set_operand, set_type, static_shape_of, terminator_of, uses_of,
    with_builder,
};
use melior::ir::{ValueLike, operation::OperationLike};
use tiles::Tiler;

pass_options! {
    /// The options of the pass.
    struct Options {
        /// How many processes run the program of each replica
        partitions: i64 = 1,
        /// How many groups of as many processes there are
        replicas: i64 = 1,
        /// The entry; `main`, or the only public function, where none is named
        entry: String = "",
    }
}

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "halo-partition",
    "Make the program of each partition from one on whole tensors",
    run,
)
.on::<builtin::ModuleOp>()
.dependent_dialects(&["stablehlo"])
.options::<Options>();

/// Says how a value is to be divided.
const SHARDING_CONSTRAINT: &str = "Sharding";

/// The beginning and the end of a manual computation.
const FULL_TO_SHARD: &str = "SPMDFullToShardShape";
const SHARD_TO_FULL: &str = "SPMDShardToFullShape";

/// Says which values are to be divided alike.
const SHARDING_GROUP: &str = "xla.sdy.ShardingGroup";

/// What is wrong, and where.
struct Problem<'c>(Operation<'c>, String);

type Outcome<'c, T> = Result<T, Problem<'c>>;

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    let module = pass.operation();
    let options = pass.options::<Options>();
    let counts = [options.partitions, options.replicas].map(usize::try_from);
    let [Ok(partitions @ 1..), Ok(replicas @ 1..)] = counts else {
        emit_error(module.location(), "a program has one partition or more");
        return Err(PassFailure);
    };
    if partitions == 1 {
        return Ok(());
    }
    let Some(main) = entry_function(module, &options.entry)? else {
        return Ok(());
    };
    partition(module, main, partitions, replicas).map_err(|Problem(op, message)| {
        emit_error(op.location(), &message);
        PassFailure
    })
}

/// The name of a custom call that says something of its operands.
fn annotation(op: Operation<'_>) -> Option<&'static str> {
    let call = op.cast::<stablehlo::CustomCallOp>()?;
    [
        SHARDING_CONSTRAINT,
        SHARDING_GROUP,
        FULL_TO_SHARD,
        SHARD_TO_FULL,
    ]
    .into_iter()
    .find(|name| *name == call.call_target_name())
}

struct Partition<'c> {
    meshes: Meshes,
    tiler: Tiler,
    gathered: GatheredTensors<'c>,
}

fn partition<'c>(
    module: Operation<'c>,
    main: Operation<'c>,
    partitions: usize,
    replicas: usize,
) -> Outcome<'c, ()> {
    let meshes =
        Meshes::of_module(module, partitions).map_err(|message| Problem(module, message))?;
    let mut partition = Partition {
        meshes,
        tiler: Tiler::new(module, partitions, replicas),
        gathered: GatheredTensors::default(),
    };
    let Some(body) = body_of(main, 0) else {
        return Ok(());
    };
    let boundaries = Boundaries::with(&partition.meshes, main);
    let boundaries = boundaries.map_err(|message| Problem(main, message))?;
    partition.arguments(main, boundaries.arguments)?;
    for call in collect_operations(module, |op| annotation(op).is_some()) {
        partition.annotation(call)?;
    }
    for call in collect_operations(module, |op| op.isa::<stablehlo::CustomCallOp>()) {
        let restricted = maximal::restrict(&partition.meshes, &partition.tiler, call);
        restricted.map_err(|error| Problem(call, error))?;
    }
    partition.results(main, boundaries.results)?;
    let erased = partition.gathered.erase_unused();
    erased.map_err(|error| Problem(main, error.to_string()))?;
    let types = |values: Vec<Value<'c>>| -> Vec<Type<'c>> {
        values.iter().map(|value| value.r#type()).collect()
    };
    let arguments = types(arguments_of(body));
    let results = types(terminator_of(body).map(operands_of).unwrap_or_default());
    set_function_type(main, &arguments, &results);
    entry_attributes::update(main, &arguments, &results, SHARDING);
    Ok(())
}

impl<'c> Partition<'c> {
    /// Makes the arguments tiles, and gathers them.
    fn arguments(&mut self, main: Operation<'c>, tilings: Vec<Option<Tiling>>) -> Outcome<'c, ()> {
        let body = body_of(main, 0);
        let Some(first) = body.and_then(|body| operations_of(body).first().copied()) else {
            return Ok(());
        };
        let arguments = body.map(arguments_of).unwrap_or_default();
        for (number, (argument, tiling)) in arguments.iter().zip(tilings).enumerate() {
            let Some(tiling) = tiling else {
                continue;
            };
            let at = |message: String| Problem(main, format!("argument {number}: {message}"));
            let full = argument.r#type();
            let tile = tile_type(full, &tiling).map_err(at)?;
            let uses = uses_of(*argument);
            set_type(*argument, tile);
            let gathered = with_builder(first, |b| self.tiler.gather(b, *argument, full, &tiling));
            let gathered = gathered.map_err(|error| at(error.to_string()))?;
            for (user, number) in uses {
                set_operand(user, number, gathered);
            }
            self.gathered.add(gathered, *argument, tiling);
        }
        Ok(())
    }

    /// Cuts the results.
    fn results(&mut self, main: Operation<'c>, tilings: Vec<Option<Tiling>>) -> Outcome<'c, ()> {
        let Some(end) = body_of(main, 0).and_then(terminator_of) else {
            return Ok(());
        };
        for (number, (result, tiling)) in operands_of(end).into_iter().zip(tilings).enumerate() {
            let Some(tiling) = tiling else {
                continue;
            };
            let at = |message: String| Problem(main, format!("result {number}: {message}"));
            let tile = with_builder(end, |b| {
                cut::cut(b, &self.tiler, &mut self.gathered, result, &tiling)
            })
            .map_err(at)?;
            set_operand(end, number, tile);
        }
        Ok(())
    }

    /// Replaces a custom call that says something of its operands.
    fn annotation(&mut self, call: Operation<'c>) -> Outcome<'c, ()> {
        let at = |message: String| Problem(call, message);
        let name = annotation(call);
        if name == Some(SHARDING_GROUP) {
            let erased = with_builder(call, |b| b.erase(call));
            return erased.map_err(|error| at(error.to_string()));
        }
        if name == Some(SHARDING_CONSTRAINT) {
            let operands = operands_of(call);
            let replaced = with_builder(call, |b| b.replace(call, &operands));
            return replaced.map_err(|error| at(error.to_string()));
        }
        let (operands, results) = (operands_of(call), results_of(call));
        let tilings = boundaries::manual_tilings(&self.meshes, call).map_err(at)?;
        if operands.len() != results.len() || operands.len() != tilings.len() {
            return Err(at(format!(
                "{} operands, {} results and {} shardings are given",
                operands.len(),
                results.len(),
                tilings.len()
            )));
        }
        let mut new = Vec::with_capacity(results.len());
        let is_cut = name == Some(FULL_TO_SHARD);
        for ((operand, result), tiling) in operands.iter().zip(&results).zip(tilings) {
            let (full, tile) = match is_cut {
                true => (operand.r#type(), result.r#type()),
                false => (result.r#type(), operand.r#type()),
            };
            let expected = tile_type(full, &tiling).map_err(at)?;
            if expected != tile {
                return Err(at(format!(
                    "'{expected}' is a tile of '{full}', not '{tile}'"
                )));
            }
            let value = with_builder(call, |b| match is_cut {
                true => cut::cut(b, &self.tiler, &mut self.gathered, *operand, &tiling),
                false => {
                    let gathered = self.tiler.gather(b, *operand, full, &tiling);
                    let gathered = gathered.map_err(|error| error.to_string())?;
                    self.gathered.add(gathered, *operand, tiling.clone());
                    Ok(gathered)
                }
            });
            new.push(value.map_err(at)?);
        }
        let replaced = with_builder(call, |b| b.replace(call, &new));
        replaced.map_err(|error| at(error.to_string()))
    }
}

/// The type of a tile of a tensor.
fn tile_type<'c>(full: Type<'c>, tiling: &Tiling) -> Result<Type<'c>, String> {
    if tiling.tile_count() == 1 {
        return Ok(full);
    }
    let sizes = static_shape_of(full)
        .filter(|_| halo_ir::is_tensor(full))
        .ok_or_else(|| format!("'{full}' cannot be divided: its sizes are not known"))?;
    let sizes = tiling.tile_sizes(&sizes)?;
    Ok(halo_ir::tensor_type(&sizes, halo_ir::element_type(full)))
}
