//! Contention of messages on links.
//!
//! A message from one unit of a level to another loads the sender's outgoing and the receiver's
//! incoming link; in a ring, the links on the shorter way. The time of a step is the latency of its
//! longest path plus the bytes of its most loaded link over its bandwidth.

use super::algorithms::{Pattern, Step};
use crate::topology::{Shape, Topology};
use std::collections::{BTreeMap, HashMap};

/// A link: the level, the unit, and the direction: outgoing or incoming, or in a ring, up or down.
type Link = (usize, usize, bool);

/// The load of a step.
struct Traffic<'a> {
    topology: &'a Topology,
    processes: usize,
    loads: HashMap<Link, f64>,
    latency: f64,
    /// The longest time of the further messages of a member.
    further: f64,
}

/// The time of a step that all groups take at the same time.
pub fn seconds(topology: &Topology, processes: usize, step: &Step, groups: &[&[usize]]) -> f64 {
    let mut traffic = Traffic {
        topology,
        processes,
        loads: HashMap::new(),
        latency: 0.0,
        further: 0.0,
    };
    for group in groups {
        match step.pattern {
            Pattern::All => traffic.all(group, step.bytes),
            pattern => traffic.pairs(group, pattern, step.bytes),
        }
    }
    traffic.seconds()
}

impl Traffic<'_> {
    fn seconds(&self) -> f64 {
        let times = self.loads.iter().map(|((level, _, _), bytes)| {
            let turns = self.topology.turns(*level, self.processes);
            bytes * turns / self.topology.levels[*level].bandwidth
        });
        self.latency + self.further + times.fold(0.0, f64::max)
    }

    /// Bytes from one unit of a level to another, in units of the level.
    fn load(&mut self, level: usize, from: usize, to: usize, bytes: f64) {
        let own = &self.topology.levels[level];
        let turns = self.topology.turns(level, self.processes);
        let hops = match own.shape {
            Shape::Switch => {
                *self.loads.entry((level, from, true)).or_default() += bytes;
                *self.loads.entry((level, to, false)).or_default() += bytes;
                1
            }
            Shape::Ring => {
                let first = from / own.size * own.size;
                let up = (to + own.size - from) % own.size;
                let down = own.size - up;
                for hop in 0..up.min(down) {
                    let unit = if up <= down {
                        (from - first + hop) % own.size
                    } else {
                        (from - first + own.size - hop) % own.size
                    };
                    let link = (level, first + unit, up <= down);
                    *self.loads.entry(link).or_default() += bytes;
                }
                up.min(down)
            }
        };
        let waiting = self.topology.waiting(level, self.processes);
        self.latency = self.latency.max(own.latency * hops as f64 * turns + waiting);
    }

    /// One message between members of a group.
    fn message(&mut self, from: usize, to: usize, bytes: f64) -> Option<usize> {
        let level = self.topology.crossed(from, to)?;
        let size = self.topology.unit_size(level);
        self.load(level, from / size, to / size, bytes);
        Some(level)
    }

    /// Messages of which each member sends at most one, or one member all.
    fn pairs(&mut self, group: &[usize], pattern: Pattern, bytes: f64) {
        let n = group.len();
        let others = |count: usize| 0..count.min(n);
        let pairs: Vec<(usize, usize)> = match pattern {
            Pattern::All => Vec::new(),
            Pattern::Shift(by) => others(n).map(|place| (place, (place + by) % n)).collect(),
            Pattern::Exchange(bit) => others(n).map(|place| (place, place ^ bit)).collect(),
            Pattern::Grow(count) => others(count).map(|place| (place, place + count)).collect(),
            Pattern::Shrink(count) => others(count).map(|place| (place + count, place)).collect(),
            Pattern::FromFirst => (1..n).map(|place| (0, place)).collect(),
            Pattern::ToFirst => (1..n).map(|place| (place, 0)).collect(),
        };
        let mut overheads = Vec::new();
        for (from, to) in pairs {
            let (Some(from), Some(to)) = (group.get(from), group.get(to)) else {
                continue;
            };
            if let Some(level) = self.message(*from, *to, bytes) {
                overheads.push(self.overhead(level));
            }
        }
        if matches!(pattern, Pattern::FromFirst | Pattern::ToFirst) {
            self.add_further(&overheads);
        }
    }

    fn overhead(&self, level: usize) -> f64 {
        self.topology.levels[level].overhead * self.topology.turns(level, self.processes)
    }

    /// All messages of a member except the one with the largest overhead.
    fn add_further(&mut self, overheads: &[f64]) {
        let largest = overheads.iter().copied().fold(0.0, f64::max);
        let further: f64 = overheads.iter().sum::<f64>() - largest;
        self.further = self.further.max(further);
    }

    /// Messages from every member to every other one, without enumerating the pairs.
    fn all(&mut self, group: &[usize], bytes: f64) {
        let mut further = vec![0.0; group.len()];
        let mut largest: f64 = 0.0;
        for level in 0..self.topology.levels.len() {
            let size = self.topology.unit_size(level);
            let last = level + 1 == self.topology.levels.len();
            let units_of_next = self.topology.levels[level].size;
            let parent = |unit: usize| if last { 0 } else { unit / units_of_next };
            let mut units: BTreeMap<usize, usize> = BTreeMap::new();
            for member in group {
                *units.entry(member / size).or_default() += 1;
            }
            let mut parents: BTreeMap<usize, Vec<(usize, usize)>> = BTreeMap::new();
            for (unit, members) in &units {
                parents.entry(parent(*unit)).or_default().push((*unit, *members));
            }
            let overhead = self.overhead(level);
            for children in parents.values().filter(|children| children.len() > 1) {
                self.all_of(level, children, bytes);
                largest = largest.max(overhead);
            }
            let count_of = |unit: usize| -> usize {
                let children = parents.get(&parent(unit));
                children.map_or(0, |children| children.iter().map(|(_, count)| count).sum())
            };
            let counts: BTreeMap<usize, usize> =
                units.iter().map(|(unit, own)| (*unit, count_of(*unit) - own)).collect();
            for (member, further) in group.iter().zip(&mut further) {
                *further += counts[&(member / size)] as f64 * overhead;
            }
        }
        let most = further.into_iter().fold(0.0, f64::max);
        self.further = self.further.max(most - largest);
    }

    /// The messages between members in different units of one instance of a level.
    fn all_of(&mut self, level: usize, units: &[(usize, usize)], bytes: f64) {
        match self.topology.levels[level].shape {
            Shape::Switch => {
                let all: usize = units.iter().map(|(_, members)| members).sum();
                for (unit, members) in units {
                    let bytes = (members * (all - members)) as f64 * bytes;
                    *self.loads.entry((level, *unit, true)).or_default() += bytes;
                    *self.loads.entry((level, *unit, false)).or_default() += bytes;
                }
                let turns = self.topology.turns(level, self.processes);
                let waiting = self.topology.waiting(level, self.processes);
                let latency = self.topology.levels[level].latency * turns;
                self.latency = self.latency.max(latency + waiting);
            }
            Shape::Ring => {
                for (from, senders) in units {
                    for (to, receivers) in units.iter().filter(|(to, _)| to != from) {
                        self.load(level, *from, *to, (senders * receivers) as f64 * bytes);
                    }
                }
            }
        }
    }
}
