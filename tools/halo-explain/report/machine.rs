//! What the machine reaches, in words.

use super::format;
use halo_runtime::compilation_record::{Arithmetic, CacheLevel, Machine};

/// A level of memory that data comes from.
pub struct Level<'a> {
    /// Such as `L2`, or `memory`.
    pub name: &'a str,
    /// Bytes per second.
    pub bandwidth: f64,
}

/// The name of the last level.
pub const MEMORY: &str = "memory";

/// The caches and the memory, the nearest first.
pub fn levels(machine: &Machine) -> Vec<Level<'_>> {
    let caches = machine.caches.iter().map(|cache| Level {
        name: &cache.name,
        bandwidth: cache.bandwidth,
    });
    let memory = Level {
        name: MEMORY,
        bandwidth: machine.bandwidth,
    };
    caches.chain([memory]).collect()
}

impl Level<'_> {
    /// So many bytes that come from it.
    pub fn text(&self, bytes: f64) -> String {
        format!(
            "{} from {} at {} GB/s",
            format::size(bytes as u64),
            self.name,
            format::giga(self.bandwidth)
        )
    }
}

/// The number of the nearest of the [`levels`] that holds so many bytes.
pub fn holding(machine: &Machine, bytes: f64) -> usize {
    let mut caches = machine.caches.iter();
    let number = caches.position(|cache| cache.bytes as f64 >= bytes);
    number.unwrap_or(machine.caches.len())
}

/// What each kind of arithmetic, each cache and the memory reach: a name and a sentence each.
pub fn limits(machine: &Machine) -> Vec<(String, String)> {
    let mut limits: Vec<(String, String)> = machine
        .peaks
        .iter()
        .map(|peak| {
            let speed = speed(peak.flops, is_integer(peak.arithmetic));
            (
                format!("arithmetic in {}", arithmetic(peak.arithmetic)),
                format!("{speed} of {}", peak.instruction),
            )
        })
        .collect();
    if limits.is_empty() {
        limits.push(("arithmetic in f32".to_owned(), speed(machine.flops, false)));
    }
    for cache in &machine.caches {
        let bandwidth = format::giga(cache.bandwidth);
        limits.push((
            format!("data in {}", cache.name),
            format!("{bandwidth} GB/s; {}", sizes(cache)),
        ));
    }
    let bandwidth = format::giga(machine.bandwidth);
    limits.push(("data in memory".to_owned(), format!("{bandwidth} GB/s")));
    limits
}

/// How much the caches of a level hold, and who has one.
fn sizes(cache: &CacheLevel) -> String {
    let all = format::size(cache.bytes);
    let each = format::size(cache.bytes / cache.count.max(1));
    match (cache.count, cache.cores) {
        (0, _) => format!("{all}, those of all threads together"),
        (1, 1) => format!("{all}, each core has its own"),
        (count, 1) => format!("{count} of {each}, each core has its own"),
        (1, cores) => format!("{all}, which {cores} cores share"),
        (count, cores) => format!("{count} of {each}, each shared by {cores} cores"),
    }
}

/// The name of a kind of arithmetic.
pub fn arithmetic(kind: Arithmetic) -> &'static str {
    match kind {
        Arithmetic::F32 => "f32",
        Arithmetic::F64 => "f64",
        Arithmetic::Bf16 => "bf16",
        Arithmetic::I8 => "int8",
        Arithmetic::Matrix => "tiles of matrices",
    }
}

pub fn is_integer(kind: Arithmetic) -> bool {
    kind == Arithmetic::I8
}

/// Operations per second, of floating-point numbers or of integers.
pub fn speed(value: f64, is_integer: bool) -> String {
    let unit = if is_integer { "GOP/s" } else { "GFLOP/s" };
    format!("{} {unit}", format::giga(value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use halo_runtime::compilation_record::Peak;

    #[test]
    fn limits_tell_units_and_who_shares_a_cache() {
        let cache = |name: &str, count, cores| CacheLevel {
            name: name.to_owned(),
            bytes: 96_000,
            bandwidth: 3e11,
            count,
            cores,
        };
        let machine = Machine {
            bandwidth: 2e10,
            peaks: vec![Peak {
                arithmetic: Arithmetic::I8,
                instruction: "vpdpbusd zmm".to_owned(),
                flops: 1.5e12,
            }],
            caches: vec![
                cache("L1", 2, 1),
                cache("L2", 1, 8),
                cache("L3", 2, 4),
                cache("L4", 0, 0),
            ],
            ..Machine::default()
        };
        let texts: Vec<String> = limits(&machine).into_iter().map(|(_, it)| it).collect();
        assert_eq!(
            texts,
            [
                "1500.00 GOP/s of vpdpbusd zmm",
                "300.00 GB/s; 2 of 48.00 kB, each core has its own",
                "300.00 GB/s; 96.00 kB, which 8 cores share",
                "300.00 GB/s; 2 of 48.00 kB, each shared by 4 cores",
                "300.00 GB/s; 96.00 kB, those of all threads together",
                "20.00 GB/s",
            ]
        );
    }
}
