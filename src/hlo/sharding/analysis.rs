//! The shardings of all values of an entry: given ones, and propagated ones.
//!
//! `--halo-propagate-shardings` prints them, `--halo-partition` applies them, and runtimes query
//! its [`Boundaries`].

use super::grid::{AxisNumber, Grid, Layout};
use super::manual::{FULL_TO_SHARD, ManualValues, SHARD_TO_FULL};
use super::op_sharding::{self, OP_SHARDING, OpSharding};
use super::propagation::{Given, Layouts, Propagation};
use super::rules::sizes_of;
use super::{Meshes, SHARDING, Sharding, Tiling, manual_axes};
use halo_ir::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// Constrains the sharding of a value.
pub const SHARDING_CONSTRAINT: &str = "Sharding";

/// Groups values that must have the same sharding.
pub const SHARDING_GROUP: &str = "xla.sdy.ShardingGroup";

/// The group id in such a call.
pub const SHARDING_GROUP_ID: &str = "sdy.sharding_group_id";

/// Reports the sharding of its operand. `backend_config` belongs to the caller.
pub const INSPECT_SHARDING: &str = "InspectSharding";

/// The name of a custom call that annotates its operands, or reports their sharding.
pub fn annotation(op: Operation<'_>) -> Option<&'static str> {
    let call = op.cast::<stablehlo::CustomCallOp>()?;
    [
        SHARDING_CONSTRAINT,
        SHARDING_GROUP,
        INSPECT_SHARDING,
        FULL_TO_SHARD,
        SHARD_TO_FULL,
    ]
    .into_iter()
    .find(|name| *name == call.call_target_name())
}

/// For each argument, and each result, of an entry its tiles; `None` if it is replicated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Boundaries {
    pub arguments: Vec<Option<Tiling>>,
    pub results: Vec<Option<Tiling>>,
    /// For each inspected value ([`INSPECT_SHARDING`]), the `backend_config` of the call and the
    /// tiles of the value, in the order of the calls.
    pub inspected: Vec<(String, Option<Tiling>)>,
}

impl Boundaries {
    /// The boundaries that `--halo-partition` gives the entry of a module in which functions are
    /// inlined, for a number of partitions.
    ///
    /// Arguments and results are divided by their attributes. A result with an open sharding gets
    /// the propagated one, as far as whole axes of a mesh divide its sizes evenly: frameworks can
    /// express neither sub-axes nor padding.
    ///
    /// # Errors
    /// Returns a message if an attribute is not a sharding, or contradicts the meshes.
    pub fn of(module: Operation, entry: Operation, partitions: usize) -> Result<Self, String> {
        Ok(Analysis::of(module, entry, partitions)?.boundaries)
    }
}

/// The sharding attribute of a value.
struct Said {
    tiling: Tiling,
    open: Vec<bool>,
    priorities: Vec<usize>,
}

/// The shardings of an entry.
pub struct Analysis {
    pub meshes: Meshes,
    pub grid: Grid,
    pub manual: ManualValues,
    pub layouts: Layouts,
    pub boundaries: Boundaries,
    /// The axes of each dimension that is divided by a given sharding.
    given_axes: BTreeSet<Vec<AxisNumber>>,
}

impl Analysis {
    /// # Errors
    /// Returns a message if an attribute is not a sharding, or contradicts the meshes.
    pub fn of(module: Operation, entry: Operation, partitions: usize) -> Result<Self, String> {
        let meshes = Meshes::of_module(module, partitions)?;
        let grid = Grid::new(&meshes);
        let manual = ManualValues::of(entry);
        let body = entry.body(0);
        let arguments = body.map(Block::arguments).unwrap_or_default();
        let results = body.and_then(Block::terminator).map(Operation::operands);
        let results = results.unwrap_or_default();
        let given = at_boundary(&meshes, entry, "arg_attrs", "argument", &arguments)?;
        let wanted = at_boundary(&meshes, entry, "res_attrs", "result", &results)?;

        let mut propagation = Propagation::new(&grid, &manual);
        let layout = |tiling: &Tiling| grid.layout(tiling);
        for (argument, said) in arguments.iter().zip(&given) {
            let rank = argument.ty().static_shape().unwrap_or_default().len();
            let own = said.as_ref().and_then(|said| layout(&said.tiling));
            let own = own.unwrap_or_else(|| Layout::whole(rank));
            propagation.give(*argument, Given::closed(own));
        }
        for (result, said) in results.iter().zip(&wanted) {
            if let Some(own) = said.as_ref().and_then(|said| closed(said, layout)) {
                propagation.want(*result, Given::closed(own));
            }
        }
        if let Some(body) = body {
            operations(&mut propagation, &meshes, &grid, body)?;
        }
        groups(&mut propagation, entry);
        let given_axes = propagation.given_axes();
        let layouts = propagation.run();

        let decide = |result: &Value, said: Option<Said>| {
            let is_open = said.as_ref().is_none_or(|said| said.open.contains(&true));
            let said = said.map(|said| said.tiling);
            match said.filter(|tiling| !tiling.is_whole()) {
                None if is_open => {
                    let own = layouts.of(*result)?;
                    let sizes = sizes_of(*result)?;
                    let own = grid.in_whole_axes(own, Some(&sizes), &given_axes);
                    Some(grid.tiling(&own)).filter(|tiling| !tiling.is_whole())
                }
                tiling => tiling,
            }
        };
        let is_divided = |said: Said| Some(said.tiling).filter(|tiling| !tiling.is_whole());
        let boundaries = Boundaries {
            arguments: given.into_iter().map(|said| said.and_then(is_divided)).collect(),
            results: results
                .iter()
                .zip(wanted)
                .map(|(result, said)| decide(result, said))
                .collect(),
            inspected: inspected(entry, &grid, &layouts, &given_axes),
        };
        Ok(Self {
            meshes,
            grid,
            manual,
            layouts,
            boundaries,
            given_axes,
        })
    }

    /// The tiles of a value along whole axes of a mesh that divide its sizes evenly, which
    /// frameworks can express; `None` if there are none.
    pub fn whole_tiling(&self, value: Value) -> Option<Tiling> {
        let layout = self.layouts.of(value)?;
        let sizes = sizes_of(value)?;
        let layout = self.grid.in_whole_axes(layout, Some(&sizes), &self.given_axes);
        Some(self.grid.tiling(&layout)).filter(|tiling| !tiling.is_whole())
    }
}

/// The shardings of inspected values, in whole axes, except in manual computations.
fn inspected(
    entry: Operation,
    grid: &Grid,
    layouts: &Layouts,
    given_axes: &BTreeSet<Vec<AxisNumber>>,
) -> Vec<(String, Option<Tiling>)> {
    let calls = entry.collect_nested(|op| annotation(op) == Some(INSPECT_SHARDING));
    let calls = calls.into_iter().map(|call| {
        let key = call.attribute("backend_config").and_then(Attribute::string_value);
        let value = call.operands().first().copied();
        let layout = value.and_then(|value| layouts.of(value));
        let tiling =
            layout.map(|layout| grid.tiling(&grid.in_whole_axes(layout, None, given_axes)));
        let divided = tiling.filter(|tiling| !tiling.is_whole());
        (key.unwrap_or_default().to_owned(), divided)
    });
    calls.collect()
}

/// The layout of a result with a determined sharding: one with axes, or without open dimensions.
fn closed(said: &Said, layout: impl Fn(&Tiling) -> Option<Layout>) -> Option<Layout> {
    let is_decided = !said.tiling.is_whole() || !said.open.contains(&true);
    layout(&said.tiling).filter(|_| is_decided)
}

/// The shardings in the attributes of arguments or results.
fn at_boundary(
    meshes: &Meshes,
    entry: Operation,
    attributes: &str,
    what: &str,
    values: &[Value],
) -> Result<Vec<Option<Said>>, String> {
    let all = entry.attribute(attributes).map(Attribute::array_elements);
    let mut all: Vec<Option<Attribute>> = all.unwrap_or_default().into_iter().map(Some).collect();
    all.resize(values.len(), None);
    let said = all.into_iter().zip(values).enumerate();
    said.map(|(number, (own, value))| {
        let named = |name: &str| own.and_then(|own| own.dictionary_entry(name));
        let said = match (named(SHARDING), named(OP_SHARDING)) {
            (Some(sharding), _) => Sharding::of(sharding)
                .and_then(|sharding| of_sharding(meshes, &sharding))
                .map(Some),
            (None, Some(sharding)) => of_string(meshes, sharding, *value),
            (None, None) => Ok(None),
        };
        said.map_err(|message| format!("{what} {number}: {message}"))
    })
    .collect()
}

fn of_sharding(meshes: &Meshes, sharding: &Sharding) -> Result<Said, String> {
    Ok(Said {
        tiling: meshes.tiling(sharding, |_| true)?,
        open: sharding.open.clone(),
        priorities: sharding.priorities.clone(),
    })
}

fn of_string(meshes: &Meshes, text: Attribute, value: Value) -> Result<Option<Said>, String> {
    let rank = value.ty().static_shape().unwrap_or_default().len();
    let text = text.string_value().ok_or("'mhlo.sharding' is not a string")?;
    match op_sharding::parse(text, rank, meshes.partitions)? {
        OpSharding::Tiled(tiling) => Ok(Some(Said {
            tiling,
            open: vec![false; rank],
            priorities: vec![0; rank],
        })),
        OpSharding::Maximal(_) | OpSharding::Manual => Ok(None),
    }
}

/// The shardings in the attributes of an op.
fn of_results(meshes: &Meshes, op: Operation) -> Result<Vec<Option<Said>>, String> {
    let results = op.results();
    if let Some(shardings) = op.attribute(SHARDING) {
        let shardings = Sharding::per_value(shardings)?;
        let said = shardings.iter().zip(&results).map(|(sharding, result)| {
            // One partition executes a call with a maximal sharding for all.
            if meshes.only_partition(sharding)?.is_some() {
                return Ok(None);
            }
            let fits = sizes_of(*result).is_some_and(|own| own.len() == sharding.dimensions.len());
            let said = of_sharding(meshes, sharding)?;
            Ok(Some(said).filter(|_| fits))
        });
        return said.collect();
    }
    match (op.attribute(OP_SHARDING), &results[..]) {
        (Some(text), [result]) => Ok(vec![of_string(meshes, text, *result)?]),
        _ => Ok(Vec::new()),
    }
}

/// The tilings of the operands or results of a manual computation, along its manual axes.
///
/// # Errors
/// Returns a message if it has no shardings, or invalid ones.
pub fn manual_tilings(meshes: &Meshes, call: Operation) -> Result<Vec<Tiling>, String> {
    let is_end = annotation(call) == Some(SHARD_TO_FULL);
    if call.has_attribute(OP_SHARDING) && call.attribute("sdy.manual_axes").is_none() {
        return Ok(vec![manual_tiling_of_string(meshes, call, is_end)?]);
    }
    let attribute = |name: &str| -> Result<Attribute, String> {
        let found = call.attribute(name);
        found.ok_or_else(|| format!("a manual computation needs attribute '{name}'"))
    };
    let shardings = if is_end {
        attribute("sdy.out_shardings")?
    } else {
        attribute("sdy.in_shardings")?
    };
    let axes = manual_axes(attribute("sdy.manual_axes")?)?;
    let is_manual = |name: &str| axes.iter().any(|axis| axis == name);
    Sharding::per_value(shardings)?
        .iter()
        .map(|sharding| meshes.tiling(sharding, is_manual))
        .collect()
}

/// In programs of the older partitioner, a constraint before the manual computation gives the
/// sharding of its operand.
fn manual_tiling_of_string(
    meshes: &Meshes,
    call: Operation,
    is_end: bool,
) -> Result<Tiling, String> {
    let (Some(operand), Some(result)) = (
        call.operands().first().copied(),
        call.results().first().copied(),
    ) else {
        return Err("a manual computation has operands and results".to_owned());
    };
    let (source, value) = if is_end {
        (Some(call), result)
    } else {
        (operand.defining_op(), operand)
    };
    let text = source.and_then(|source| source.attribute(OP_SHARDING));
    let said = text.map(|text| of_string(meshes, text, value)).transpose()?;
    let said = said.flatten().map(|said| said.tiling);
    said.ok_or_else(|| "a manual computation needs a sharding of what it divides".to_owned())
}

/// Adds the ops of a block, and nested ones.
fn operations(
    propagation: &mut Propagation,
    meshes: &Meshes,
    grid: &Grid,
    block: Block,
) -> Result<(), String> {
    for op in block.operations() {
        operation(propagation, meshes, grid, op)?;
        let is_control_flow = op.isa::<stablehlo::WhileOp>()
            || op.isa::<stablehlo::IfOp>()
            || op.isa::<stablehlo::CaseOp>();
        for region in (0..op.region_count()).filter(|_| is_control_flow) {
            if let Some(body) = op.body(region) {
                operations(propagation, meshes, grid, body)?;
            }
        }
    }
    Ok(())
}

fn operation(
    propagation: &mut Propagation,
    meshes: &Meshes,
    grid: &Grid,
    op: Operation,
) -> Result<(), String> {
    let (operands, results) = (op.operands(), op.results());
    let closed = |tiling: &Tiling| grid.layout(tiling).map(Given::closed);
    match annotation(op) {
        Some(FULL_TO_SHARD) => {
            for (operand, tiling) in operands.iter().zip(manual_tilings(meshes, op)?) {
                if let Some(given) = closed(&tiling) {
                    propagation.want(*operand, given);
                }
            }
            return Ok(());
        }
        Some(SHARD_TO_FULL) => {
            for (result, tiling) in results.iter().zip(manual_tilings(meshes, op)?) {
                let rank = tiling.counts.len();
                let given = closed(&tiling).unwrap_or_else(|| Given::closed(Layout::whole(rank)));
                propagation.give(*result, given);
            }
            return Ok(());
        }
        Some(SHARDING_CONSTRAINT | INSPECT_SHARDING) => {
            for (operand, result) in operands.iter().zip(&results) {
                propagation.link(&[*operand, *result]);
            }
        }
        _ => {}
    }
    for (result, said) in results.iter().zip(of_results(meshes, op)?) {
        let Some(said) = said else {
            continue;
        };
        if let Some(layout) = grid.layout(&said.tiling) {
            let Said {
                open, priorities, ..
            } = said;
            propagation.give(
                *result,
                Given {
                    layout,
                    open,
                    priorities,
                },
            );
        }
    }
    if annotation(op).is_none() {
        control_flow(propagation, op);
        propagation.operation(op);
    }
    Ok(())
}

/// Loop-carried values have the same sharding everywhere, and so do branch results.
fn control_flow(propagation: &mut Propagation, op: Operation) {
    let returned = |region: usize, number: usize| {
        let end = op.body(region).and_then(Block::terminator)?;
        end.operands().get(number).copied()
    };
    let argument = |region: usize, number: usize| {
        let body = op.body(region)?;
        body.arguments().get(number).copied()
    };
    for (number, result) in op.results().into_iter().enumerate() {
        let mut alike = vec![result];
        if op.isa::<stablehlo::WhileOp>() {
            alike.extend(op.operands().get(number));
            alike.extend(
                [
                    argument(0, number),
                    argument(1, number),
                    returned(1, number),
                ]
                .into_iter()
                .flatten(),
            );
        } else if op.isa::<stablehlo::IfOp>() || op.isa::<stablehlo::CaseOp>() {
            let branches = 0..op.region_count();
            alike.extend(branches.filter_map(|region| returned(region, number)));
        } else {
            return;
        }
        propagation.link(&alike);
    }
}

/// Values of one sharding group have the same sharding.
fn groups(propagation: &mut Propagation, entry: Operation) {
    let mut groups: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for call in entry.collect_nested(|op| annotation(op) == Some(SHARDING_GROUP)) {
        let group = call.attribute(SHARDING_GROUP_ID);
        let group = group.map(|group| group.to_string()).unwrap_or_default();
        groups.entry(group).or_default().extend(call.operands());
    }
    for values in groups.into_values() {
        propagation.link(&values);
    }
}
