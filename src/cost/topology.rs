//! The machines that a program runs on: devices, and their interconnect.
//!
//! Devices are numbered, and levels group them from the inside out: with levels of 8 and 4 units,
//! device 13 is the sixth one of the second node. A message between two devices crosses the
//! innermost level that contains both. All messages from a *unit* of a level, with all its devices,
//! to other units share the bandwidth of the level; so the bandwidth of a level of nodes is the
//! bandwidth of a node's network cards.
//!
//! `topology/file.rs` parses one from TOML; `docs/distributed.md` describes the keys.

mod file;

use halo_ir::{i64_array_attribute, ops::halo, prelude::*};
use std::collections::BTreeMap;

/// The machines.
#[derive(Clone, Debug, PartialEq)]
pub struct Topology {
    pub device: Device,
    /// The levels, innermost first; at least one.
    pub levels: Vec<Level>,
    /// The communication algorithms.
    pub algorithms: Algorithms,
    /// Set if messages move while a device computes. Otherwise messages take time of the computing
    /// device.
    pub overlap: bool,
}

/// The communication algorithms of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Algorithms {
    /// The algorithms of Halo's transport: each member sends to every other one directly.
    Halo,
    /// The fastest known algorithm for each collective.
    Best,
}

/// The peak rates of a device.
#[derive(Clone, Debug, PartialEq)]
pub struct Device {
    /// Floating-point operations per second, a multiplication and an addition being two.
    pub flops: f64,
    /// The same for products with an operand element type, such as `bf16`.
    pub flops_by_type: BTreeMap<String, f64>,
    /// Elementary functions per second.
    pub transcendentals: f64,
    /// Memory bandwidth, in bytes per second.
    pub bandwidth: f64,
    /// Memory, in bytes.
    pub memory: Option<u64>,
    /// The time of an empty kernel, in seconds.
    pub overhead: f64,
}

/// The interconnect of the units of a level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Shape {
    /// Any two units at the same distance, as with a switch or a fat tree.
    #[default]
    Switch,
    /// Each unit has two adjacent ones. A message goes the shorter way, and loads each link on it.
    Ring,
}

/// Connected units: devices, nodes, racks.
#[derive(Clone, Debug, PartialEq)]
pub struct Level {
    pub name: String,
    /// The number of units in one unit of the next level.
    pub size: usize,
    pub shape: Shape,
    /// The time of an empty message, in seconds; in a ring, per hop.
    pub latency: f64,
    /// The additional time of each further message that a device sends at once, in seconds.
    pub overhead: f64,
    /// Bytes that one unit sends, and also receives, per second.
    pub bandwidth: f64,
    /// The resources shared by the devices of one instance of the level.
    pub shared: Option<Shared>,
}

/// Shared resources, such as the cores and memory of a machine for its ranks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shared {
    pub flops: f64,
    /// Memory bandwidth, in bytes per second.
    pub bandwidth: f64,
    /// The number of devices that run at the same time; others wait for their turn, and so do
    /// messages to them.
    pub processors: usize,
    /// The time slice of a process, in seconds.
    pub slice: f64,
}

impl Level {
    /// Processes of one machine under Halo's transport, the default without a topology: a message
    /// takes 20 us and 0.5 ns per byte.
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

    /// The cost of messages in the attribute `halo.link` of a module, or else the level of
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

    /// The size up to which collectives are combined: at this size, latency is a ninth of the time.
    pub fn combined_bytes(&self) -> f64 {
        8.0 * self.latency_bound_bytes()
    }
}

impl Topology {
    /// The level that needs the largest messages to use its bandwidth.
    pub fn link(&self) -> Level {
        let levels = self.levels.iter();
        let slowest = levels.max_by(|one, other| {
            let bytes = [one, other].map(|level| level.latency_bound_bytes());
            bytes[0].total_cmp(&bytes[1])
        });
        slowest.map_or_else(|| Level::of_one_machine(2), Level::clone)
    }

    /// The number of devices.
    pub fn devices(&self) -> usize {
        self.levels.iter().fold(1, |product: usize, level| {
            product.saturating_mul(level.size)
        })
    }

    /// The number of devices in one unit of a level.
    pub fn unit_size(&self, level: usize) -> usize {
        self.levels[..level].iter().fold(1, |product: usize, level| {
            product.saturating_mul(level.size)
        })
    }

    /// The innermost level whose instances contain both devices; `None` for the same device.
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

    /// The device in a program on this many devices, with its part of shared resources.
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

    /// The slowdown of messages of a level because processes wait for a processor.
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

    /// The time that a message of a level waits for the receiver's turn: for the thread that
    /// receives messages, and for the computing one.
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

    /// The time of a kernel by the roofline: of its arithmetic or of its memory traffic, whichever
    /// is longer.
    pub fn seconds(&self, arithmetic: f64, transcendentals: f64, bytes: f64) -> f64 {
        let computing = arithmetic + transcendentals / self.transcendentals;
        self.overhead + computing.max(bytes / self.bandwidth)
    }
}

#[cfg(test)]
#[path = "topology_tests.rs"]
mod tests;
