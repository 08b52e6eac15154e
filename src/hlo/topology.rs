//! The machines that a program runs on: what a device computes, and what lies between two.
//!
//! Devices are numbered, and levels group them from the inside out: with levels of 8 and 4
//! units, device 13 is the sixth one of the second node. A message between two devices crosses
//! the innermost level that has both. What one *unit* of a level sends to other units of it, all
//! of its devices together, shares the bandwidth of the level; so the bandwidth of a level of
//! nodes is that of a node's network cards.
//!
//! `topology/file.rs` reads one from TOML; `docs/distributed.md` describes the keys.

mod file;

use halo_ir::{i64_array_attribute, ops::halo, prelude::*};
use std::collections::BTreeMap;

/// The machines.
#[derive(Clone, Debug, PartialEq)]
pub struct Topology {
    pub device: Device,
    /// The innermost first; one or more.
    pub levels: Vec<Level>,
    /// Which algorithms communicate.
    pub algorithms: Algorithms,
    /// Whether messages move while a device computes. If not, a device that waits for no
    /// message still has to move it.
    pub overlap: bool,
}

/// Which algorithms a program communicates by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Algorithms {
    /// Those of Halo's own transport: each member sends every other one what it needs.
    Halo,
    /// For each collective the fastest one that is known.
    Best,
}

/// What a device computes at most.
#[derive(Clone, Debug, PartialEq)]
pub struct Device {
    /// Floating-point operations per second, a multiplication and an addition being two.
    pub flops: f64,
    /// The same of products whose factors have an element type, such as `bf16`.
    pub flops_by_type: BTreeMap<String, f64>,
    /// Elementary functions per second.
    pub transcendentals: f64,
    /// Bytes that it reads and writes per second.
    pub bandwidth: f64,
    /// Bytes that it has.
    pub memory: Option<u64>,
    /// The time of a kernel that computes nothing, in seconds.
    pub overhead: f64,
}

/// How the units of a level are connected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Shape {
    /// Any two at the same distance, as by a switch or a tree whose links get wider.
    #[default]
    Switch,
    /// Each unit with two neighbours. A message goes the shorter way, and loads each link on it.
    Ring,
}

/// Units that are connected: devices, nodes, racks.
#[derive(Clone, Debug, PartialEq)]
pub struct Level {
    pub name: String,
    /// How many units there are in one of the next level.
    pub size: usize,
    pub shape: Shape,
    /// The time of an empty message, in seconds; in a ring that of each hop.
    pub latency: f64,
    /// By how much longer two messages take that a device sends at once, in seconds.
    pub overhead: f64,
    /// Bytes that one unit sends, and as many that it receives, per second.
    pub bandwidth: f64,
    /// What the devices of one instance of the level have together.
    pub shared: Option<Shared>,
}

/// What devices share, such as the ranks of a machine its cores and memory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shared {
    pub flops: f64,
    /// Bytes of memory that are read and written per second.
    pub bandwidth: f64,
    /// How many devices run at the same time; others wait for their turn, and so do messages
    /// that are for them.
    pub processors: usize,
    /// How long a process runs, in seconds, until it is the turn of another one.
    pub slice: f64,
}

impl Level {
    /// Processes of one machine under Halo's transport, for decisions that are made where no
    /// topology is given: a message takes 20 us and 0.5 ns for each byte.
    pub fn of_one_machine(processes: usize) -> Self {
        Self {
            name: "machine".to_owned(),
            size: processes.max(1),
            shape: Shape::Switch,
            latency: 20e-6,
            overhead: 5e-6,
            bandwidth: 2e9,
            shared: None,
        }
    }

    /// What the attribute `halo.link` of a module says of messages, or else the level of
    /// [`of_one_machine`](Self::of_one_machine).
    pub fn of_module(module: Operation) -> Self {
        let own = module.attribute(halo::LINK).and_then(Attribute::i64_array_value);
        let assumed = Self::of_one_machine(2);
        match own.as_deref() {
            Some([latency, overhead, bandwidth]) => Self {
                latency: *latency as f64 * 1e-9,
                overhead: *overhead as f64 * 1e-9,
                bandwidth: *bandwidth as f64,
                ..assumed
            },
            _ => assumed,
        }
    }

    /// Writes it to the attribute `halo.link` of a module.
    pub fn mark(&self, module: Operation) {
        let numbers = [self.latency * 1e9, self.overhead * 1e9, self.bandwidth];
        let numbers = numbers.map(|number| (number.round() as i64).max(1));
        let link = i64_array_attribute(module.context(), &numbers);
        module.set_attribute(halo::LINK, link);
    }

    /// The bytes whose transfer takes as long as an empty message.
    pub fn latency_bound_bytes(&self) -> f64 {
        self.latency * self.bandwidth
    }

    /// The bytes up to which collectives are combined: with these, latency is a ninth of the
    /// time.
    pub fn combined_bytes(&self) -> f64 {
        8.0 * self.latency_bound_bytes()
    }
}

impl Topology {
    /// The level whose messages must be largest to use its bandwidth.
    pub fn link(&self) -> Level {
        let levels = self.levels.iter();
        let slowest = levels.max_by(|one, other| {
            let bytes = [one, other].map(|level| level.latency_bound_bytes());
            bytes[0].total_cmp(&bytes[1])
        });
        slowest.map_or_else(|| Level::of_one_machine(2), Level::clone)
    }

    /// How many devices there are.
    pub fn devices(&self) -> usize {
        self.levels.iter().fold(1, |product: usize, level| {
            product.saturating_mul(level.size)
        })
    }

    /// How many devices one unit of a level has.
    pub fn unit_size(&self, level: usize) -> usize {
        self.levels[..level].iter().fold(1, |product: usize, level| {
            product.saturating_mul(level.size)
        })
    }

    /// The innermost level whose instances have both devices; `None` for one and the same.
    pub fn crossed(&self, one: usize, other: usize) -> Option<usize> {
        if one == other {
            return None;
        }
        let last = self.levels.len() - 1;
        let meets = |level: &usize| {
            let size = self.unit_size(level + 1);
            one / size == other / size
        };
        Some((0..last).find(meets).unwrap_or(last))
    }

    /// The device of a program on so many of them, with its part of what they share.
    pub fn device_among(&self, processes: usize) -> Device {
        let mut device = self.device.clone();
        for (number, level) in self.levels.iter().enumerate() {
            let Some(shared) = level.shared else {
                continue;
            };
            let sharing = processes.min(self.unit_size(number + 1)).max(1) as f64;
            let part = (shared.flops / sharing / device.flops).min(1.0);
            device.flops *= part;
            device.transcendentals *= part;
            for flops in device.flops_by_type.values_mut() {
                *flops *= part;
            }
            device.bandwidth = device.bandwidth.min(shared.bandwidth / sharing);
            let turns = (sharing / shared.processors as f64).max(1.0);
            device.overhead *= turns;
        }
        device
    }

    /// How much longer messages of a level take because processes wait for a processor.
    pub fn turns(&self, level: usize, processes: usize) -> f64 {
        let shared = self.levels.iter().enumerate().take(level + 1);
        shared.fold(1.0, |turns: f64, (number, level)| {
            let Some(shared) = level.shared else {
                return turns;
            };
            let sharing = processes.min(self.unit_size(number + 1)).max(1);
            turns.max(sharing as f64 / shared.processors as f64)
        })
    }

    /// How long a message of a level waits for its receiver to get its turns: the thread that
    /// takes messages, and the one that computes.
    pub fn waiting(&self, level: usize, processes: usize) -> f64 {
        let turns = self.turns(level, processes);
        let shared = self.levels[..=level].iter().filter_map(|level| level.shared);
        let slice = shared.map(|shared| shared.slice).fold(0.0, f64::max);
        2.0 * (turns - 1.0) * slice
    }
}

impl Device {
    /// The rate of products of an element type.
    pub fn flops_of(&self, element: &str) -> f64 {
        let known = self.flops_by_type.get(element);
        known.copied().unwrap_or(self.flops)
    }

    /// The time of a kernel by the roofline: that of its arithmetic, or of its bytes if that is
    /// longer.
    pub fn seconds(&self, arithmetic: f64, transcendentals: f64, bytes: f64) -> f64 {
        let computing = arithmetic + transcendentals / self.transcendentals;
        self.overhead + computing.max(bytes / self.bandwidth)
    }
}

#[cfg(test)]
#[path = "topology_tests.rs"]
mod tests;
