//! The predicted time of a program, from its ops and a topology.
//!
//! All processes run the same ops at the same time, so one is simulated. It runs kernels
//! (`simulation/kernels.rs`) with times from the roofline, and collectives with times from the cost
//! model ([`crate::communication_cost`]). A process has one network: collectives run one after the
//! other. It waits for a collective where its result is needed, which is immediately except for a
//! pair of `async_start` and `async_done`.

mod kernels;

use crate::communication_cost::{Algorithm, Cost, Network};
use crate::op_cost::{Grid, exchange};
use crate::topology::Topology;
use halo_backend::prediction::{PredictedPart, Prediction};
use halo_ir::{diagnostics::file_line_column, prelude::*};
use halo_runtime::communication::Collective;
use kernels::{Kernel, Kernels};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The semantics of HLO that a prediction depends on.
#[derive(Clone, Copy)]
pub struct Semantics {
    /// The participants of a collective; `None` for other ops, and for contradicting attributes.
    pub collective: fn(Operation) -> Option<Collective>,
    /// Returns true for the name of an op that is elementwise.
    pub is_elementwise: fn(&str) -> bool,
    /// The trip count of a `while`; `None` if it is unknown.
    pub trip_count: fn(Operation) -> Option<u64>,
}

/// Predicts the time of one run of a function by all processes of a grid, on the first devices of a
/// topology. Memory is not included.
pub fn predict(
    function: Operation,
    topology: &Topology,
    grid: Grid,
    semantics: Semantics,
) -> Prediction {
    let processes = grid.replicas * grid.partitions;
    let mut process = SimulatedProcess {
        network: Network::new(topology, processes),
        topology,
        grid,
        semantics,
        clock: Clock::default(),
        times: 1.0,
        totals: Totals::default(),
        costs: HashMap::new(),
    };
    if let Some(body) = function.body(0) {
        process.run(body);
    }
    let mut totals = process.totals;
    let direct = Algorithm::Direct.to_string();
    let mut algorithms = totals.parts.values().filter_map(|part| part.algorithm.as_ref());
    if algorithms.any(|algorithm| *algorithm != direct) {
        let note = "algorithms other than 'direct' are those of a library of collectives: Halo's \
                    transport sends each member what it needs at once";
        totals.notes.insert(note.to_owned());
    }
    let mut parts: Vec<PredictedPart> = totals.parts.into_values().collect();
    parts.sort_by(|one, other| other.seconds.total_cmp(&one.seconds));
    Prediction {
        replicas: grid.replicas,
        partitions: grid.partitions,
        seconds: process.clock.now,
        computing_seconds: totals.computing,
        communicating_seconds: totals.communicating,
        waiting_seconds: totals.waiting,
        sent_bytes: totals.sent,
        flops: totals.flops,
        transcendentals: totals.transcendentals,
        parts,
        notes: totals.notes.into_iter().collect(),
        ..Prediction::default()
    }
}

/// Times in seconds since the beginning of the step.
#[derive(Clone, Default)]
struct Clock {
    now: f64,
    /// The time at which the network is idle.
    network: f64,
}

/// A running collective.
#[derive(Clone, Copy)]
struct UnderWay {
    end: f64,
    seconds: f64,
}

#[derive(Clone, Default)]
struct Totals {
    computing: f64,
    communicating: f64,
    waiting: f64,
    sent: f64,
    flops: f64,
    transcendentals: f64,
    parts: BTreeMap<(String, Option<String>), PredictedPart>,
    notes: BTreeSet<String>,
}

struct SimulatedProcess<'a> {
    network: Network<'a>,
    topology: &'a Topology,
    grid: Grid,
    semantics: Semantics,
    clock: Clock,
    /// The trip count of the loops around the current op.
    times: f64,
    totals: Totals,
    /// The costs of collectives, by their attributes and bytes: layers repeat them.
    costs: HashMap<String, Cost>,
}

impl SimulatedProcess<'_> {
    fn run(&mut self, block: Block) {
        let kernels = Kernels::of(block, self.semantics.is_elementwise);
        let mut futures: HashMap<usize, UnderWay> = HashMap::new();
        for (number, op) in block.operations().into_iter().enumerate() {
            if let Some(start) = op.cast::<stablehlo::AsyncStartOp>() {
                let body = op.body(0).map(Block::operations).unwrap_or_default();
                if let Some(cost) = body.first().and_then(|op| self.communicate(*op)) {
                    let begin = self.clock.now.max(self.clock.network);
                    self.clock.network = begin + cost.seconds;
                    let under_way = UnderWay {
                        end: self.clock.network,
                        seconds: cost.seconds,
                    };
                    futures.insert(start.result().key(), under_way);
                }
            } else if op.isa::<stablehlo::AsyncDoneOp>() {
                let future = op.operands().first().map(|future| future.key());
                if let Some(under_way) = future.and_then(|key| futures.get(&key)) {
                    if self.topology.overlap {
                        self.wait_until(under_way.end)
                    } else {
                        self.wait_until(self.clock.now + under_way.seconds)
                    }
                }
            } else if let Some(cost) = self.communicate(op) {
                let begin = self.clock.now.max(self.clock.network);
                self.clock.network = begin + cost.seconds;
                self.wait_until(self.clock.network);
            } else if op.isa::<stablehlo::WhileOp>() {
                self.iterate(op);
            } else if op.isa::<stablehlo::IfOp>() || op.isa::<stablehlo::CaseOp>() {
                self.branch(op);
            } else if let Some(kernel) = kernels.at(number) {
                self.compute(kernel);
            }
            self.note(op);
        }
    }

    fn wait_until(&mut self, end: f64) {
        let waited = (end - self.clock.now).max(0.0);
        self.totals.waiting += waited * self.times;
        self.clock.now += waited;
    }

    /// The cost of a collective; `None` for any other op.
    fn communicate(&mut self, op: Operation) -> Option<Cost> {
        let collective = (self.semantics.collective)(op)?;
        let exchange = exchange(op, &collective, Some(self.grid))?;
        let groups = ["replica_groups", "source_target_pairs", "channel_handle"]
            .map(|name| op.attribute(name).map(|attribute| attribute.to_string()));
        let flag = op.has_attribute("use_global_device_ids");
        let key = format!("{:?} {} {flag} {groups:?}", exchange.kind, exchange.bytes);
        let network = &self.network;
        let cost = *self.costs.entry(key).or_insert_with(|| network.cost(&exchange));
        let times = self.times;
        self.totals.communicating += cost.seconds * times;
        self.totals.sent += cost.sent * times;
        let algorithm = Some(cost.algorithm.to_string());
        let part = self.part(op.name(), algorithm);
        part.count += times;
        part.seconds += cost.seconds * times;
        part.bytes += cost.sent * times;
        Some(cost)
    }

    fn part(&mut self, name: &str, algorithm: Option<String>) -> &mut PredictedPart {
        let key = (name.to_owned(), algorithm.clone());
        self.totals.parts.entry(key).or_insert_with(|| PredictedPart {
            op: name.to_owned(),
            algorithm,
            ..PredictedPart::default()
        })
    }

    fn compute(&mut self, kernel: &Kernel) {
        let device = self.network.device();
        let arithmetic =
            kernel.product_flops / device.flops_of(&kernel.element) + kernel.flops / device.flops;
        let seconds = device.seconds(arithmetic, kernel.transcendentals, kernel.bytes);
        self.clock.now += seconds;
        let times = self.times;
        let flops = kernel.product_flops + kernel.flops;
        self.totals.computing += seconds * times;
        self.totals.flops += flops * times;
        self.totals.transcendentals += kernel.transcendentals * times;
        let part = self.part(kernel.name, None);
        part.count += times;
        part.seconds += seconds * times;
        part.flops += flops * times;
        part.bytes += kernel.bytes * times;
    }

    /// One iteration represents all.
    fn iterate(&mut self, op: Operation) {
        let count = (self.semantics.trip_count)(op);
        if count.is_none() {
            let place = place(op);
            let note = format!("{place}a loop is counted as one iteration: how many is not known");
            self.totals.notes.insert(note);
        }
        let Some(body) = op.body(1) else {
            return;
        };
        let count = count.unwrap_or(1) as f64;
        let outer = self.times;
        let start = self.clock.now;
        self.times *= count;
        self.run(body);
        self.times = outer;
        self.clock.now = start + (self.clock.now - start) * count;
        self.clock.network = self.clock.network.min(self.clock.now);
    }

    /// The branch that takes longest.
    fn branch(&mut self, op: Operation) {
        let before = (self.clock.clone(), self.totals.clone());
        let mut longest: Option<(Clock, Totals)> = None;
        for region in 0..op.region_count() {
            (self.clock, self.totals) = before.clone();
            if let Some(body) = op.body(region) {
                self.run(body);
            }
            let is_longer = longest.as_ref().is_none_or(|(clock, _)| self.clock.now > clock.now);
            if is_longer {
                longest = Some((self.clock.clone(), self.totals.clone()));
            }
        }
        (self.clock, self.totals) = longest.unwrap_or(before);
    }

    /// Adds a note about underestimated costs.
    fn note(&mut self, op: Operation) {
        let what = match op.name() {
            stablehlo::CustomCallOp::NAME => {
                let target = op.attribute("call_target_name").and_then(Attribute::string_value);
                let target = target.unwrap_or_default();
                format!("custom call @{target} is counted as the memory that it reads and writes")
            }
            stablehlo::SendOp::NAME
            | stablehlo::RecvOp::NAME
            | stablehlo::InfeedOp::NAME
            | stablehlo::OutfeedOp::NAME => format!("'{}' op is counted as nothing", op.name()),
            _ => {
                let results = op.results().into_iter();
                let mut types = results.map(Value::ty);
                let is_dynamic = types.any(|ty| ty.is_tensor() && ty.static_shape().is_none());
                if is_dynamic {
                    "tensors of unknown sizes are counted as nothing".to_owned()
                } else {
                    return;
                }
            }
        };
        let place = place(op);
        self.totals.notes.insert(format!("{place}{what}"));
    }
}

/// The location of an op, as a message prefix.
fn place(op: Operation) -> String {
    let place = file_line_column(op.location());
    place.map_or_else(String::new, |place| format!("{place}: "))
}
