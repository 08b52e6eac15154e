//! The cost of collectives.
//!
//! The time of a message of `b` bytes is `a + b / B`, its latency and its bytes over the bandwidth
//! of a link ([`Level`](crate::topology::Level)). An algorithm is a list of steps
//! (`algorithms.rs`); in a step, members of a group send messages at the same time, and the
//! messages of all groups share links (`traffic.rs`). On a switch with one level, the times agree
//! with Thakur, Rabenseifner and Gropp, "Optimization of Collective Communication Operations in
//! MPICH", International Journal of High Performance Computing Applications 19 (2005): with `n`
//! members and `c` the time of combining a byte,
//!
//! | op, of `b` bytes | algorithm | time |
//! |---|---|---|
//! | `all_gather`, `b` of each | ring | `(n - 1) (a + b / B)` |
//! | | recursive doubling | `lg n a + (n - 1) b / B` |
//! | `reduce_scatter` | recursive halving | `lg n a + (n - 1) / n (b / B + b c)` |
//! | `all_reduce` | recursive doubling | `lg n (a + b / B + b c)` |
//! | | halving and doubling | `2 lg n a + (n - 1) / n (2 b / B + b c)` |
//! | | ring | `2 (n - 1) a + (n - 1) / n (2 b / B + b c)` |
//! | `all_to_all` | Bruck | `lg n (a + b / 2 B)` |
//! | `collective_broadcast` | binomial tree | `lg n (a + b / B)` |
//! | | scatter and ring | `(lg n + n - 1) a + 2 (n - 1) / n b / B` |
//! | `collective_reduce` | binomial tree | `lg n (a + b / B + b c)` |
//!
//! Halo's transport sends the data that each member needs directly, in one round: all messages of a
//! member leave at once, so that an `all_gather` takes `a + (n - 2) o + (n - 1) b / B` with `o` the
//! overhead of a further message. The time includes the copies of sent and received values. If a
//! group spans several units of a level, the fastest algorithm may combine one within the units and
//! one across them.

mod algorithms;
mod traffic;

use crate::topology::{Algorithms, Device, Topology};
use algorithms::{Step, steps};
use std::collections::BTreeMap;
use std::fmt;

/// Halo computes an all_reduce of at least this many bytes in parts, one on each member, if it has
/// three members or more: the second exchange of messages takes less time than the bytes that it
/// saves.
pub const LARGE_REDUCTION_BYTES: u64 = 32 << 10;

/// The kind of exchange.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    AllGather,
    AllReduce,
    AllToAll,
    Broadcast,
    Permute,
    Reduce,
    ReduceScatter,
}

/// The algorithm of an exchange.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// Every member sends to every other one directly, all at once.
    Direct,
    Ring,
    RecursiveDoubling,
    /// Recursive halving, followed by recursive doubling.
    HalvingDoubling,
    Bruck,
    BinomialTree,
    ScatterAllGather,
    /// One algorithm within units, and one across them.
    Hierarchical,
}

impl fmt::Display for Algorithm {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Direct => "direct",
            Self::Ring => "ring",
            Self::RecursiveDoubling => "recursive doubling",
            Self::HalvingDoubling => "halving and doubling",
            Self::Bruck => "Bruck",
            Self::BinomialTree => "binomial tree",
            Self::ScatterAllGather => "scatter and all_gather",
            Self::Hierarchical => "hierarchical",
        })
    }
}

/// A collective: groups of processes that exchange values at the same time.
#[derive(Clone, Debug, PartialEq)]
pub struct Exchange {
    pub kind: Kind,
    /// The bytes of the operands of one member.
    pub bytes: f64,
    /// The members of each group, in order; for a permutation, source and target.
    pub groups: Vec<Vec<usize>>,
}

/// The cost of an exchange.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cost {
    pub seconds: f64,
    pub algorithm: Algorithm,
    /// The maximum number of bytes that a member sends.
    pub sent: f64,
}

/// The network of a program on the first devices of a topology.
pub struct Network<'a> {
    topology: &'a Topology,
    processes: usize,
    device: Device,
}

impl<'a> Network<'a> {
    pub fn new(topology: &'a Topology, processes: usize) -> Self {
        Self {
            topology,
            processes,
            device: topology.device_among(processes),
        }
    }

    /// The device of each process.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// The cost of an exchange by the algorithms of the topology.
    pub fn cost(&self, exchange: &Exchange) -> Cost {
        match self.topology.algorithms {
            Algorithms::Best => self.fastest(exchange),
            Algorithms::Halo => {
                let mut cost = self.cost_by(exchange, Algorithm::Direct);
                cost.seconds += self.copying_seconds(exchange);
                cost
            }
        }
    }

    /// The time of the copies to and from the transport, including the member's own value.
    fn copying_seconds(&self, exchange: &Exchange) -> f64 {
        let members = exchange.groups.iter().map(Vec::len).max().unwrap_or(1);
        let (b, n) = (exchange.bytes, members as f64);
        let in_parts = members > 2 && b >= LARGE_REDUCTION_BYTES as f64;
        let copied = match exchange.kind {
            Kind::AllReduce if in_parts => b + b / n + 2.0 * b,
            Kind::AllGather | Kind::AllReduce | Kind::Reduce => b + n * b,
            Kind::AllToAll | Kind::Broadcast | Kind::Permute | Kind::ReduceScatter => 2.0 * b,
        };
        2.0 * copied / self.device.bandwidth
    }

    fn fastest(&self, exchange: &Exchange) -> Cost {
        let candidates = algorithms::of(exchange.kind).iter();
        let flat = candidates.filter_map(|algorithm| self.by_one(exchange, *algorithm));
        let all = flat.chain(self.hierarchical(exchange));
        let none = Cost {
            seconds: 0.0,
            algorithm: Algorithm::Direct,
            sent: 0.0,
        };
        let fastest = all.min_by(|one, other| one.seconds.total_cmp(&other.seconds));
        fastest.unwrap_or(none)
    }

    /// The cost by one algorithm, or the direct one if the algorithm does not support the groups.
    pub fn cost_by(&self, exchange: &Exchange, algorithm: Algorithm) -> Cost {
        self.by_one(exchange, algorithm).unwrap_or_else(|| {
            let direct = self.by_one(exchange, Algorithm::Direct);
            direct.unwrap_or(Cost {
                seconds: 0.0,
                algorithm: Algorithm::Direct,
                sent: 0.0,
            })
        })
    }

    /// Groups of one size take the same steps at the same time; the slowest size determines the
    /// time.
    fn by_one(&self, exchange: &Exchange, algorithm: Algorithm) -> Option<Cost> {
        let mut by_size: BTreeMap<usize, Vec<&[usize]>> = BTreeMap::new();
        for group in &exchange.groups {
            by_size.entry(group.len()).or_default().push(group);
        }
        let mut cost = Cost {
            seconds: 0.0,
            algorithm,
            sent: 0.0,
        };
        for (size, groups) in by_size.into_iter().filter(|(size, _)| *size > 1) {
            let steps = steps(exchange.kind, algorithm, size, exchange.bytes)?;
            let seconds = steps.iter().map(|step| self.seconds(step, &groups));
            cost.seconds = cost.seconds.max(seconds.sum());
            let sent = steps.iter().map(|step| step.sent(size));
            cost.sent = cost.sent.max(sent.sum());
        }
        Some(cost)
    }

    /// The time of a step. A byte is combined by reading two and writing one.
    fn seconds(&self, step: &Step, groups: &[&[usize]]) -> f64 {
        let moving = traffic::seconds(self.topology, self.processes, step, groups);
        let combining = 3.0 * step.reduced / self.device.bandwidth;
        step.times * (moving + combining)
    }

    /// The cost within the units of the outermost level that groups span, plus the cost across
    /// them.
    fn hierarchical(&self, exchange: &Exchange) -> Option<Cost> {
        let [within, across] = self.split(&exchange.groups)?;
        let inner = within.first()?.len() as f64;
        let outer = across.first()?.len() as f64;
        let part = |kind, bytes, groups: &Vec<Vec<usize>>| {
            self.fastest(&Exchange {
                kind,
                bytes,
                groups: groups.clone(),
            })
        };
        let bytes = exchange.bytes;
        let parts = match exchange.kind {
            Kind::AllReduce => vec![
                part(Kind::ReduceScatter, bytes, &within),
                part(Kind::AllReduce, bytes / inner, &across),
                part(Kind::AllGather, bytes / inner, &within),
            ],
            Kind::ReduceScatter => vec![
                part(Kind::ReduceScatter, bytes, &within),
                part(Kind::ReduceScatter, bytes / inner, &across),
            ],
            Kind::AllGather => vec![
                part(Kind::AllGather, bytes, &across),
                part(Kind::AllGather, bytes * outer, &within),
            ],
            _ => return None,
        };
        Some(Cost {
            seconds: parts.iter().map(|part| part.seconds).sum(),
            algorithm: Algorithm::Hierarchical,
            sent: parts.iter().map(|part| part.sent).sum(),
        })
    }

    /// Splits groups into the members of each unit, and the members at the same position of all
    /// units, if each unit has equally many, and more than one.
    fn split(&self, groups: &[Vec<usize>]) -> Option<[Vec<Vec<usize>>; 2]> {
        let crossed = groups.iter().filter_map(|group| {
            let (first, others) = group.split_first()?;
            let levels = others.iter();
            levels.filter_map(|other| self.topology.crossed(*first, *other)).max()
        });
        let level = crossed.max()?;
        let size = self.topology.unit_size(level);
        let (mut within, mut across) = (Vec::new(), Vec::new());
        for group in groups {
            let mut units: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
            for member in group {
                units.entry(member / size).or_default().push(*member);
            }
            let units: Vec<Vec<usize>> = units.into_values().collect();
            let inner = units.first()?.len();
            let is_even = units.iter().all(|unit| unit.len() == inner);
            if inner < 2 || units.len() < 2 || !is_even {
                return None;
            }
            for place in 0..inner {
                across.push(units.iter().map(|unit| unit[place]).collect());
            }
            within.extend(units);
        }
        Some([within, across])
    }
}

#[cfg(test)]
#[path = "communication_cost_tests.rs"]
mod tests;
