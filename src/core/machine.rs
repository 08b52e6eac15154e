//! The machine model: the numbers about a CPU or a GPU that code generation and its estimates use.
//!
//! [`KINDS`] has a row for each kind of CPU, by LLVM's names. The model of the host has the cores
//! and caches of the [`System`]. As text, in options of passes, a machine is the name of a row and
//! the sizes that differ from it: `znver4:cores=96`. [`GPUS`] has a row for each architecture of
//! GPUs.

mod gpu;
mod kinds;
mod system;
mod text;

pub use gpu::{GPU_NAMES, GPUS, Gpu, Rates, STATIC_SHARED_MEMORY, Vendor};
pub use kinds::{AARCH64, KINDS, RISCV64, RISCV64_V, X86_64, X86_64_V3, X86_64_V4};
pub use system::System;

/// The model of a kind of CPU, or of one CPU.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Machine {
    /// LLVM's names of the kind. The first one names its row.
    pub names: &'static [&'static str],
    /// Bits of a vector register.
    pub vector_bits: i64,
    /// Vectors of that width that the registers hold.
    pub vector_registers: i64,
    /// Bits of an SVE register, if all CPUs of the kind have the same length.
    pub sve_bits: Option<u32>,
    /// Bits of a vector in SME's streaming mode, if all CPUs of the kind have the same length.
    pub streaming_bits: Option<u32>,
    /// Cores that code is tuned for. A program runs on any number of threads.
    pub cores: i64,
    /// The first cache for data, the second cache, and the last one.
    pub caches: [Cache; 3],
    /// Bytes per nanosecond that a core moves to and from the second cache, the last cache, and
    /// memory.
    pub bandwidth: [f64; 3],
    /// Bytes per nanosecond that a core fetches from the second cache of another core, in any
    /// order.
    pub fetched: f64,
    /// Cycles per nanosecond (GHz), with all cores busy.
    pub clock: f64,
    /// Scalar or vector ops that a core completes per cycle.
    pub issue: f64,
    /// The shortest task that is worth waking a thread, in nanoseconds.
    pub woken: f64,
    /// The shortest task that is worth a thread that is awake, in nanoseconds.
    pub awake: f64,
}

/// A cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cache {
    /// Size in bytes.
    pub bytes: i64,
    /// Number of cores that share it.
    pub cores: i64,
}

impl Cache {
    /// The bytes per core.
    pub fn share(self) -> i64 {
        self.bytes / self.cores
    }
}

impl Machine {
    /// The row of a CPU, by LLVM's name.
    pub fn of_kind(name: &str) -> Option<Self> {
        KINDS.iter().find(|kind| kind.names.contains(&name)).copied()
    }

    /// Half of the first cache, rounded down to a power of two: the working set of a loop that
    /// also reads something else.
    pub fn half_of_first_cache(&self) -> i64 {
        1 << (self.caches[0].share() / 2).ilog2()
    }

    /// Half of the last cache. Larger buffers are assumed to be read from memory again.
    pub fn kept_bytes(&self) -> i64 {
        self.caches[2].bytes / 2
    }

    /// The time in nanoseconds in which a core moves bytes to and from the first level that holds
    /// all of them. At most half a megabyte of the second cache counts, since other loops use it,
    /// too (estimate).
    pub fn time_of_moving(&self, bytes: f64) -> f64 {
        let second = self.caches[1].share().min(500_000);
        let last = self.kept_bytes().max(second);
        let level = [second, last].iter().filter(|most| bytes > **most as f64).count();
        bytes / self.bandwidth[level]
    }

    /// The number of f32 multiplications of a core in a time in nanoseconds, rounded up to a power
    /// of two.
    pub fn multiplications_in(&self, time: f64) -> i64 {
        let lanes = (self.vector_bits / 32) as f64;
        let count = time * lanes * self.issue * self.clock;
        (count as u64).next_power_of_two() as i64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_moved_in_the_level_that_has_them() {
        let rate = |bytes: f64| bytes / X86_64.time_of_moving(bytes);
        for (bytes, expected) in [(1e3, 40.0), (500_000.0, 40.0), (500_001.0, 20.0)] {
            assert!((rate(bytes) - expected).abs() < 1e-9, "{bytes}");
        }
        assert!((rate(1e8) - 10.0).abs() < 1e-9);
        // The second cache is the last one, and each core has a quarter of it.
        let small = Machine::of_kind("cortex-a72").unwrap();
        assert!(small.time_of_moving(2e5) < small.time_of_moving(3e5) / 2.0);
    }

    #[test]
    fn texts_are_rows_and_sizes_that_differ() {
        for text in ["znver4:cores=96", "apple-m1", "a64fx:second-cache=262144/2"] {
            assert_eq!(Machine::parse(text).unwrap().to_string(), text);
        }
        let wide = Machine::parse("emeraldrapids:vector-bits=512").unwrap();
        assert_eq!(wide.to_string(), "sapphirerapids");
        for text in [
            "",
            "zen4",
            "znver4:",
            "znver4:cores",
            "znver4:cores=0",
            "znver4:cores=x",
            "znver4:vector-bits=384",
            "znver4:first-cache=2097152",
            "znver4:l1=4096",
            "znver4:last-cache=33554432/0",
        ] {
            assert_eq!(Machine::parse(text), None, "{text}");
        }
    }

    #[test]
    fn rows_have_sizes_that_are_possible() {
        for kind in KINDS {
            assert!(
                kind.is_possible(),
                "expected sizes in range and caches in order, got {kind:?}"
            );
            for name in kind.names {
                let found = Machine::of_kind(name);
                assert_eq!(found.as_ref(), Some(kind), "{name} is in two rows");
            }
        }
    }

    #[test]
    fn numbers_follow_from_sizes_and_rates() {
        let machine = Machine::of_kind("sapphirerapids").unwrap();
        assert_eq!(machine.half_of_first_cache(), 16 << 10);
        assert_eq!(machine.multiplications_in(5_000.0), 1 << 19);
        assert_eq!(X86_64.multiplications_in(5_000.0), 1 << 17);
    }
}
