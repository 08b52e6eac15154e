//! An order of the ops of a block in which collectives overlap with computation.
//!
//! Ops are scheduled in program order. If the next op waits for a collective, a later independent
//! one comes first, as long as the collective is not covered by the ops since its start, and memory
//! suffices.

use crate::communication::{collective, is_collective};
use crate::reordering::{Dependences, is_free_of_effects};
use crate::semantics::op::Op;
use halo_cost::communication_cost::Network;
use halo_cost::op_cost::{bytes_of, exchange, seconds_alone};
use halo_cost::topology::{Algorithms, Device, Level, Topology};
use halo_ir::prelude::*;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// The number of ops after the next one that are considered.
const WINDOW: usize = 512;

/// A step of a schedule, with the index of an op.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    Run(usize),
    /// The start of a collective that becomes a pair.
    Start(usize),
    Finish(usize),
}

/// The order of a block.
pub struct Schedule<'c> {
    pub ops: Vec<Operation<'c>>,
    pub events: Vec<Event>,
}

/// The role of an op in the schedule.
#[derive(Clone, Copy, PartialEq)]
enum Role {
    /// Computes for this many seconds.
    Computes(f64),
    /// Communicates for this many seconds.
    Communicates(f64),
    /// Keeps its order relative to communication and other ops with effects.
    HasEffects,
}

impl<'c> Schedule<'c> {
    pub fn of(block: Block<'c>, memory_percent: u64, link: &Level) -> Self {
        let dependences = Dependences::of(block);
        let roles: Vec<Role> = dependences.ops.iter().map(|op| role(*op, link)).collect();
        let has_collective = roles.iter().any(|role| matches!(role, Role::Communicates(_)));
        if !has_collective {
            return Self {
                ops: dependences.ops,
                events: Vec::new(),
            };
        }
        let memory = Memory::of(block, &dependences);
        let mut in_order = memory.clone();
        let numbers = 0..dependences.ops.len();
        let peak = numbers.map(|number| in_order.take(number, &dependences)).max();
        let limit = peak.unwrap_or(0).saturating_mul(memory_percent) / 100;
        let mut scheduler = Scheduler {
            dependences: &dependences,
            roles: &roles,
            left: (0..dependences.ops.len()).collect(),
            done: vec![false; dependences.ops.len()],
            pending: VecDeque::new(),
            memory,
            limit,
            events: Vec::new(),
        };
        scheduler.run();
        let events = without_idle_pairs(&scheduler.events, &roles);
        Self {
            ops: dependences.ops,
            events,
        }
    }

    /// Returns true if a collective overlaps with any op.
    pub fn overlaps(&self) -> bool {
        self.events.iter().any(|event| matches!(event, Event::Start(_)))
    }
}

/// A machine model with one kind of link, for ratios of computation and communication.
fn assumed(processes: usize, link: &Level) -> Topology {
    Topology {
        device: Device {
            flops: 5e10,
            flops_by_type: BTreeMap::new(),
            transcendentals: 2e9,
            bandwidth: 1e10,
            memory: None,
            overhead: 1e-6,
        },
        levels: vec![Level {
            size: processes.max(1),
            ..link.clone()
        }],
        algorithms: Algorithms::Halo,
        overlap: true,
    }
}

fn role(op: Operation, link: &Level) -> Role {
    let name = op.name();
    if is_collective(name) && name != stablehlo::CrossReplicaSumOp::NAME {
        let collective = collective(Op::Built(op)).ok();
        let exchange = collective.and_then(|collective| exchange(op, &collective, None));
        let Some(exchange) = exchange else {
            return Role::Communicates(0.0);
        };
        let members = exchange.groups.iter().flatten().max();
        let processes = members.map_or(1, |last| last + 1);
        let topology = assumed(processes, link);
        let cost = Network::new(&topology, processes).cost(&exchange);
        return Role::Communicates(cost.seconds);
    }
    if is_free_of_effects(op) {
        Role::Computes(seconds_alone(op, &assumed(1, link).device))
    } else {
        Role::HasEffects
    }
}

/// The live values.
#[derive(Clone)]
struct Memory {
    /// For each op, the number of unscheduled users in the block, including the terminator.
    readers: Vec<usize>,
    bytes: Vec<u64>,
    live: u64,
}

impl Memory {
    fn of(block: Block, dependences: &Dependences) -> Self {
        let count = dependences.ops.len();
        let mut readers = vec![0; count];
        for read in dependences.reads.iter().flatten() {
            readers[*read] += 1;
        }
        let returned = block.terminator().map(Operation::operands);
        for value in returned.unwrap_or_default() {
            let definition = value.defining_op();
            let number = definition.and_then(|op| {
                let mut ops = dependences.ops.iter();
                ops.position(|other| *other == op)
            });
            if let Some(number) = number {
                readers[number] += 1;
            }
        }
        let bytes = dependences.ops.iter().map(|op| match op.name() {
            // Constants are part of the program.
            stablehlo::ConstantOp::NAME => 0,
            _ => {
                let results = op.results().into_iter();
                results.filter_map(|result| bytes_of(result.ty())).sum()
            }
        });
        Self {
            readers,
            bytes: bytes.collect(),
            live: 0,
        }
    }

    /// The live bytes while an op runs.
    fn with(&self, number: usize) -> u64 {
        self.live.saturating_add(self.bytes[number])
    }

    /// Schedules an op, and returns the live bytes while it runs.
    fn take(&mut self, number: usize, dependences: &Dependences) -> u64 {
        let most = self.with(number);
        self.live = most;
        for read in &dependences.reads[number] {
            self.readers[*read] -= 1;
            if self.readers[*read] == 0 {
                self.live = self.live.saturating_sub(self.bytes[*read]);
            }
        }
        if self.readers[number] == 0 {
            self.live = self.live.saturating_sub(self.bytes[number]);
        }
        most
    }
}

/// A started collective.
struct Pending {
    number: usize,
    /// The time not covered by computation.
    left: f64,
}

struct Scheduler<'a, 'c> {
    dependences: &'a Dependences<'c>,
    roles: &'a [Role],
    /// The unscheduled ops, in program order.
    left: VecDeque<usize>,
    /// For each op, whether its results are available.
    done: Vec<bool>,
    pending: VecDeque<Pending>,
    memory: Memory,
    limit: u64,
    events: Vec<Event>,
}

impl Scheduler<'_, '_> {
    fn run(&mut self) {
        while let Some(first) = self.left.front().copied() {
            if let Some(place) = self.startable() {
                self.left.remove(place).into_iter().for_each(|number| self.start(number));
            } else if self.is_ready(first) {
                if self.roles[first] == Role::HasEffects {
                    self.finish_all();
                }
                self.left.pop_front();
                self.compute(first);
            } else if let Some(place) = self.independent(first) {
                self.left.remove(place).into_iter().for_each(|number| self.compute(number));
            } else {
                self.finish_one();
            }
        }
        self.finish_all();
    }

    fn is_ready(&self, number: usize) -> bool {
        let mut reads = self.dependences.reads[number].iter();
        reads.all(|read| self.done[*read])
    }

    /// The index of the next collective, if all of its operands are available and no op with
    /// effects precedes it.
    fn startable(&self) -> Option<usize> {
        let ordered = self
            .left
            .iter()
            .take(WINDOW)
            .position(|number| !matches!(self.roles[*number], Role::Computes(_)))?;
        let number = self.left[ordered];
        let is_collective = matches!(self.roles[number], Role::Communicates(_));
        (is_collective && self.is_ready(number)).then_some(ordered)
    }

    /// The index of an op that may run while the next one waits.
    fn independent(&self, first: usize) -> Option<usize> {
        let needed = self.waits_for(first);
        let is_covered = self
            .pending
            .iter()
            .all(|pending| pending.left <= 0.0 || !needed.contains(&pending.number));
        if is_covered {
            return None;
        }
        let behind = self.left.iter().enumerate().take(WINDOW).skip(1);
        let mut behind = behind.take_while(|(_, number)| self.roles[**number] != Role::HasEffects);
        let found = behind.find(|(_, number)| {
            matches!(self.roles[**number], Role::Computes(_))
                && self.is_ready(**number)
                && self.memory.with(**number) <= self.limit
        });
        found.map(|(place, _)| place)
    }

    /// The running collectives that an op depends on.
    fn waits_for(&self, number: usize) -> BTreeSet<usize> {
        let mut found = BTreeSet::new();
        let mut open = vec![number];
        let mut seen = BTreeSet::new();
        while let Some(number) = open.pop() {
            for read in &self.dependences.reads[number] {
                if self.done[*read] || !seen.insert(*read) {
                    continue;
                }
                if self.pending.iter().any(|pending| pending.number == *read) {
                    _ = found.insert(*read)
                } else {
                    open.push(*read)
                }
            }
        }
        found
    }

    fn start(&mut self, number: usize) {
        let Role::Communicates(seconds) = self.roles[number] else {
            return;
        };
        self.memory.take(number, self.dependences);
        self.pending.push_back(Pending {
            number,
            left: seconds,
        });
        self.events.push(Event::Start(number));
    }

    /// Messages of collectives are sequential, so computation covers the first uncovered one.
    fn compute(&mut self, number: usize) {
        self.memory.take(number, self.dependences);
        self.done[number] = true;
        self.events.push(Event::Run(number));
        let mut seconds = match self.roles[number] {
            Role::Computes(seconds) => seconds,
            _ => 0.0,
        };
        for pending in &mut self.pending {
            let covered = pending.left.min(seconds);
            pending.left -= covered;
            seconds -= covered;
        }
    }

    fn finish_one(&mut self) {
        if let Some(pending) = self.pending.pop_front() {
            self.done[pending.number] = true;
            self.events.push(Event::Finish(pending.number));
        }
    }

    fn finish_all(&mut self) {
        while !self.pending.is_empty() {
            self.finish_one();
        }
    }
}

/// Merges the steps of collectives without ops in between. Such a collective runs at its second
/// step, so that its order relative to others is unchanged.
fn without_idle_pairs(events: &[Event], roles: &[Role]) -> Vec<Event> {
    let overlaps = |number: usize| {
        let between = events.iter().skip_while(|event| **event != Event::Start(number));
        let mut between = between.skip(1).take_while(|event| **event != Event::Finish(number));
        between.any(|event| match event {
            Event::Run(other) => matches!(roles[*other], Role::Computes(seconds) if seconds > 0.0),
            Event::Start(_) => true,
            Event::Finish(_) => false,
        })
    };
    let kept = events.iter().filter_map(|event| match *event {
        Event::Start(number) if !overlaps(number) => None,
        Event::Finish(number) if !overlaps(number) => Some(Event::Run(number)),
        event => Some(event),
    });
    kept.collect()
}
