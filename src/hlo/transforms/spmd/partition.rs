//! `--halo-partition`: partitions a program on whole tensors into an SPMD program.
//!
//! A program with shardings is written for one device. Each of `partitions` processes runs the
//! result on its part of the arguments, and returns its part of the results. Every op becomes an op
//! on tiles, in place: shardings are propagated to all values, an op is divided in the cheapest way
//! (`partition/choice.rs`) by its rule ([`crate::sharding::rules`]), operands in other layouts are
//! resharded (`reshard.rs`), halos of windows are exchanged (`exchange.rs`), and partial results of
//! a divided contraction or reduction are combined.
//!
//! ```mlir
//! // partitions=2, and sdy.meshes = {mesh = #sdy.mesh<["x"=2]>}
//! func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>},
//!                 %b: tensor<4x6xf32>) -> tensor<8x6xf32> {
//!   %0 = stablehlo.tanh %a : tensor<8x4xf32>
//!   %1 = stablehlo.dot_general %0, %b, contracting_dims = [1] x [0]
//!       : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
//!   return %1 : tensor<8x6xf32>
//! }
//! ```
//!
//! becomes
//!
//! ```mlir
//! func.func @main(%a: tensor<8x2xf32>, %b: tensor<4x6xf32>) -> tensor<8x6xf32> {
//!   %0 = stablehlo.tanh %a : tensor<8x2xf32>
//!   %1 = stablehlo.dynamic_slice %b, %start, %zero, sizes = [2, 6] : ... -> tensor<2x6xf32>
//!   %2 = stablehlo.dot_general %0, %1, contracting_dims = [1] x [0]
//!       : (tensor<8x2xf32>, tensor<2x6xf32>) -> tensor<8x6xf32>
//!   %3 = "stablehlo.all_reduce"(%2) ({ add }) {replica_groups = dense<[[0, 1]]>, ...}
//!   return %3 : tensor<8x6xf32>
//! }
//! ```
//!
//! Tiles of an indivisible dimension are padded at the end, also in arguments and results. The
//! contents of padding are unspecified; it is filled where a reduction or a window would read it.
//!
//! A manual computation of Shardy, which `jax.shard_map` creates, is enclosed in two custom calls,
//! `@SPMDFullToShardShape` and `@SPMDShardToFullShape`, and is not changed. An op without a rule is
//! computed on whole operands by every partition. A custom call with a maximal sharding, such as a
//! callback, is executed by one partition, which sends the results to the others.
//!
//! Functions must be inlined before: only shardings of the entry are used.

mod choice;
mod collectives;
mod control_flow;
mod exchange;
mod indexing;
mod manual;
mod maximal;
mod operation;
mod reductions;
mod reshard;
mod sums;
mod tiles;
mod values;

use super::shardy_legalize_to_stablehlo;
use crate::sharding::analysis::{Analysis, Boundaries, annotation};
use crate::sharding::grid::{Grid, Layout};
use crate::sharding::manual::ManualValues;
use crate::sharding::op_sharding::OP_SHARDING;
use crate::sharding::propagation::Layouts;
use crate::sharding::rules::sizes_of;
use crate::sharding::{Meshes, SHARDING, Tiling};
use crate::transforms::legalize::entry_attributes;
use crate::transforms::shapes::stablehlo_refine_shapes::{entry_function, set_function_type};
use halo_ir::prelude::*;
use std::collections::HashMap;
use sums::Term;
use tiles::Tiler;
use values::Tensors;

pass_options! {
    /// The options of the pass.
    struct Options {
        /// The number of processes of each replica
        partitions: i64 = 1,
        /// The number of replicas
        replicas: i64 = 1,
        /// The entry; by default `main`, or the only public function
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

/// An error message and its op.
struct Problem<'c>(Operation<'c>, String);

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    let module = pass.operation();
    let options = pass.options::<Options>();
    let counts = [options.partitions, options.replicas].map(usize::try_from);
    let [Ok(partitions @ 1..), Ok(replicas @ 1..)] = counts else {
        return Err(PassFailure::at(
            module,
            "a program has one partition or more",
        ));
    };
    if partitions == 1 {
        return Ok(());
    }
    shardy_legalize_to_stablehlo::legalize(module)?;
    let Some(main) = entry_function(module, &options.entry)? else {
        return Ok(());
    };
    partition(module, main, partitions, replicas)
        .map_err(|Problem(op, message)| PassFailure::at(op, &message))
}

/// A program that is being partitioned.
struct Partition<'c> {
    meshes: Meshes,
    grid: Grid,
    manual: ManualValues,
    layouts: Layouts,
    tiler: Tiler,
    tensors: Tensors<'c>,
    /// Arguments that are partial sums, by value: the original, and its tiling.
    terms: HashMap<usize, (Value<'c>, Tiling)>,
    /// Sums that are not combined yet, by value.
    sums: HashMap<usize, Term<'c>>,
    /// Calls to erase, with the replacements of their results.
    replaced: Vec<(Operation<'c>, Vec<Value<'c>>)>,
}

fn partition<'c>(
    module: Operation<'c>,
    main: Operation<'c>,
    partitions: usize,
    replicas: usize,
) -> Result<(), Problem<'c>> {
    let analysis = Analysis::of(module, main, partitions);
    let analysis = analysis.map_err(|message| Problem(main, message))?;
    let Boundaries {
        arguments, results, ..
    } = analysis.boundaries;
    let mut partition = Partition {
        meshes: analysis.meshes,
        grid: analysis.grid,
        manual: analysis.manual,
        layouts: analysis.layouts,
        tiler: Tiler::new(module, partitions, replicas),
        tensors: Tensors::default(),
        terms: HashMap::new(),
        sums: HashMap::new(),
        replaced: Vec::new(),
    };
    let Some(body) = main.body(0) else {
        return Ok(());
    };
    let ops = body.operations();
    partition.arguments(main, arguments)?;
    partition.operations(&ops)?;
    partition.results(main, results)?;
    partition.erase_replaced();
    for call in main.collect_nested(|op| op.isa::<stablehlo::CustomCallOp>()) {
        let restricted = maximal::restrict(&partition.meshes, &partition.tiler, call);
        restricted.map_err(|error| Problem(call, error))?;
    }
    main.visit(&mut |op| {
        if op != main {
            op.remove_attribute(SHARDING);
            op.remove_attribute(OP_SHARDING);
        }
    });
    let types = |values: Vec<Value<'c>>| -> Vec<Type<'c>> {
        values.iter().map(|value| value.ty()).collect()
    };
    let arguments = types(body.arguments());
    let results = types(body.terminator().map(Operation::operands).unwrap_or_default());
    set_function_type(main, &arguments, &results);
    entry_attributes::update(main, &arguments, &results, &[SHARDING, OP_SHARDING]);
    Ok(())
}

impl<'c> Partition<'c> {
    /// Replaces the arguments by tiles.
    fn arguments(
        &mut self,
        main: Operation<'c>,
        tilings: Vec<Option<Tiling>>,
    ) -> Result<(), Problem<'c>> {
        let body = main.body(0);
        let Some(first) = body.and_then(|body| body.operations().first().copied()) else {
            return Ok(());
        };
        let arguments = body.map(Block::arguments).unwrap_or_default();
        for (number, (argument, tiling)) in arguments.into_iter().zip(tilings).enumerate() {
            let at = |message: String| Problem(main, format!("argument {number}: {message}"));
            let sizes = sizes_of(argument);
            let Some(tiling) = tiling else {
                if let Some(sizes) = sizes {
                    let whole = Layout::whole(sizes.len());
                    self.tensors.add(argument, &sizes, whole, argument);
                }
                continue;
            };
            let full = argument.ty();
            argument.set_type(tile_type(full, &tiling).map_err(at)?);
            let sizes = sizes.unwrap_or_default();
            let failed = |error: RewriteError| at(error.to_string());
            match self.grid.layout(&tiling) {
                Some(layout) if tiling.terms.is_empty() => {
                    self.tensors.add(argument, &sizes, layout, argument);
                }
                Some(layout) => {
                    let sum = with_builder(first, |b| self.tiler.sum(b, argument, &tiling));
                    self.tensors.add(argument, &sizes, layout, sum);
                    self.terms.insert(argument.key(), (argument, tiling));
                }
                None => {
                    let whole =
                        with_builder(first, |b| self.tiler.gather(b, argument, full, &tiling));
                    let layout = Layout::whole(sizes.len());
                    self.tensors.add(argument, &sizes, layout, whole.map_err(failed)?);
                }
            }
        }
        Ok(())
    }

    /// Replaces the results by tiles.
    fn results(
        &mut self,
        main: Operation<'c>,
        tilings: Vec<Option<Tiling>>,
    ) -> Result<(), Problem<'c>> {
        let Some(end) = main.body(0).and_then(Block::terminator) else {
            return Ok(());
        };
        for (number, (result, tiling)) in end.operands().into_iter().zip(tilings).enumerate() {
            let at = |message: String| Problem(main, format!("result {number}: {message}"));
            let rank = result.ty().static_shape().unwrap_or_default().len();
            let tiling = tiling.unwrap_or_else(|| Tiling::whole(rank, self.grid.partitions));
            let as_it_came = self.terms.get(&result.key());
            let tile = match as_it_came {
                Some((term, own)) if *own == tiling => *term,
                _ => self.own_tile(end, result, &tiling).map_err(at)?,
            };
            end.set_operand(number, tile);
        }
        Ok(())
    }

    /// This partition's tile of a value, before an op. A tile with partial sums is the first
    /// partial sum.
    fn own_tile(
        &mut self,
        before: Operation<'c>,
        value: Value<'c>,
        tiling: &Tiling,
    ) -> Result<Value<'c>, String> {
        with_builder(before, |b| {
            let layout = self.grid.layout(tiling);
            let sizes = self.tensors.sizes(value).map(<[i64]>::to_vec);
            let tile = match (layout, sizes) {
                (Some(layout), Some(sizes)) => {
                    tiling.tile_sizes(&sizes)?;
                    self.tensors.tile(b, &self.tiler, &self.grid, value, &layout)
                }
                // A tiling along other axes, or a value that is manual.
                (_, sizes) => {
                    let whole = self.whole(b, value).map_err(|error| error.to_string())?;
                    let full = match sizes {
                        Some(sizes) => {
                            let element = whole.ty().element_type();
                            tensor_type(&sizes, element)
                        }
                        None => value.ty(),
                    };
                    match tiling.tile_count() {
                        1 => Ok(whole),
                        _ => self.tiler.cut(b, whole, tile_type(full, tiling)?, tiling),
                    }
                }
            };
            let tile = tile.map_err(|error| error.to_string())?;
            if tiling.terms.is_empty() {
                Ok(tile)
            } else {
                let term = self.tiler.term(b, tile, tiling);
                term.map_err(|error| error.to_string())
            }
        })
    }

    /// The replicated value.
    fn whole(&mut self, b: &Builder<'c>, value: Value<'c>) -> Result<Value<'c>, RewriteError> {
        let Some(rank) = self.tensors.sizes(value).map(<[i64]>::len) else {
            return Ok(value);
        };
        let whole = Layout::whole(rank);
        self.tensors.tile(b, &self.tiler, &self.grid, value, &whole)
    }

    /// Partitions the ops of a block, except for its terminator.
    fn block(&mut self, block: Block<'c>) -> Result<(), Problem<'c>> {
        self.operations(&block.operations())
    }

    fn operations(&mut self, ops: &[Operation<'c>]) -> Result<(), Problem<'c>> {
        let all_but_last = ops.iter().take(ops.len().saturating_sub(1));
        all_but_last.copied().try_for_each(|op| self.operation(op))
    }

    fn operation(&mut self, op: Operation<'c>) -> Result<(), Problem<'c>> {
        if annotation(op).is_some() {
            return self.annotation(op);
        }
        let is_manual = self.manual.has_part_in(op);
        if op.isa::<stablehlo::WhileOp>()
            || op.isa::<stablehlo::IfOp>()
            || op.isa::<stablehlo::CaseOp>()
        {
            return self.control_flow(op, is_manual);
        }
        if is_manual {
            return self.on_whole_operands(op, true);
        }
        if op.isa::<stablehlo::ConstantOp>() {
            let result = op.results()[0];
            let splat = op.attribute("value").and_then(Attribute::splat_value);
            if let Some(sizes) = sizes_of(result) {
                self.tensors.add_splat(result, &sizes, splat);
            }
            return Ok(());
        }
        if let Some((result, sizes, splat)) = self.moved_splat(op) {
            // The operand may stand for a tile.
            let operand = op.operands()[0];
            let whole = with_builder(op, |b| self.whole(b, operand));
            op.set_operand(0, whole.map_err(|error| Problem(op, error.to_string()))?);
            self.tensors.add_splat(result, &sizes, Some(splat));
            return Ok(());
        }
        match self.layouts.rule(op).cloned() {
            Some(rule) if !op.isa::<stablehlo::CustomCallOp>() => self.divide(op, &rule),
            _ => self.on_whole_operands(op, false),
        }
    }

    /// The result, its sizes and its element, of a data movement op on a splat.
    fn moved_splat(&self, op: Operation<'c>) -> Option<(Value<'c>, Vec<i64>, Attribute<'c>)> {
        let moves = op.isa::<stablehlo::BroadcastInDimOp>()
            || op.isa::<stablehlo::ReshapeOp>()
            || op.isa::<stablehlo::TransposeOp>();
        let operand = op.operands().first().copied().filter(|_| moves)?;
        let splat = self.tensors.splat(operand)?;
        let result = op.results().first().copied()?;
        Some((result, sizes_of(result)?, splat))
    }

    /// Leaves an op unchanged: all partitions compute it on whole operands.
    fn on_whole_operands(&mut self, op: Operation<'c>, is_manual: bool) -> Result<(), Problem<'c>> {
        let mut all = Vec::new();
        op.visit(&mut |nested| all.push(nested));
        for nested in all {
            for (number, operand) in nested.operands().into_iter().enumerate() {
                if self.tensors.contains(operand) {
                    let whole = with_builder(op, |b| self.whole(b, operand));
                    let whole = whole.map_err(|error| Problem(op, error.to_string()))?;
                    nested.set_operand(number, whole);
                }
            }
        }
        for result in op.results().into_iter().filter(|_| !is_manual) {
            let Some(sizes) = sizes_of(result) else {
                continue;
            };
            let mut whole = result;
            if op.name() == stablehlo::RngOp::NAME {
                // Each partition would draw different numbers.
                let sent = with_builder(op, |b| {
                    b.set_after(op);
                    self.tiler.broadcast(b, result, 0)
                });
                whole = sent.map_err(|error| Problem(op, error.to_string()))?;
            }
            self.tensors.add(result, &sizes, Layout::whole(sizes.len()), whole);
        }
        Ok(())
    }
}

/// The type of a tile of a tensor.
fn tile_type<'c>(full: Type<'c>, tiling: &Tiling) -> Result<Type<'c>, String> {
    if tiling.tile_count() == 1 {
        return Ok(full);
    }
    let sizes = full
        .static_shape()
        .filter(|_| full.is_tensor())
        .ok_or_else(|| format!("'{full}' cannot be divided: its sizes are not known"))?;
    let sizes = tiling.tile_sizes(&sizes)?;
    Ok(tensor_type(&sizes, full.element_type()))
}
