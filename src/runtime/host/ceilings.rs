//! What this machine reaches: arithmetic of all threads, and reads from its caches and its memory.
//!
//! A kernel is compared with these numbers, so they are upper bounds: loops of the fastest
//! instruction of a kind on registers alone, with enough independent sums to hide its latency,
//! and loops of the widest loads. All threads run at the same time, since they share clocks,
//! caches and memory. The best of many rounds counts: other programs only make a round slower.
//!
//! One of the few modules with `unsafe`: the loops are assembly, so that no compiler makes less
//! of them ([`instructions`]).

mod instructions;

use crate::compilation_record::{CacheLevel, Peak};
use instructions::{Arithmetic, Reads};
use std::{
    fs,
    sync::Barrier,
    thread,
    time::{Duration, Instant},
};

/// How many rounds of each loop are measured, and how long one is at least.
const ROUNDS: usize = 40;
const ROUND: Duration = Duration::from_micros(500);
/// The least and the most bytes that are read from memory.
const LEAST_MEMORY: u64 = 64 << 20;
const MOST_MEMORY: u64 = 640 << 20;
/// The most bytes of the last cache that are read.
const MOST_OF_CACHE: u64 = 64 << 20;

/// What the machine reaches.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ceilings {
    /// Operations per second; none where no loop is known for this kind of processor.
    pub peaks: Vec<Peak>,
    /// The nearest first; none if the system does not tell their sizes.
    pub caches: Vec<CacheLevel>,
    /// Bytes per second that are read from memory.
    pub bandwidth: f64,
}

impl Ceilings {
    /// Measures this machine with so many threads, which takes half a second.
    pub fn measure(threads: usize) -> Self {
        let threads = threads.max(1);
        let peaks = instructions::arithmetic().into_iter().map(|it| Peak {
            arithmetic: it.kind,
            instruction: it.instruction.to_owned(),
            flops: peak(&it, threads),
        });
        let reads = instructions::reads();
        let sizes = cache_sizes(threads);
        let mut below = 0;
        let mut caches = Vec::new();
        for cache in &sizes {
            // More than the caches before hold, and less than this one does.
            let bytes = (cache.bytes / 2).min(MOST_OF_CACHE).max(2 * below);
            below = cache.bytes;
            caches.push(CacheLevel {
                bandwidth: bandwidth(reads, threads, bytes),
                ..cache.clone()
            });
        }
        // A machine may have several caches of the last level, of which it tells one.
        let bytes = (8 * below).clamp(LEAST_MEMORY, MOST_MEMORY);
        let bytes = bytes.min(available_memory() / 4);
        Self {
            peaks: peaks.collect(),
            caches,
            bandwidth: bandwidth(reads, threads, bytes),
        }
    }
}

/// The operations per second of a loop on all threads.
fn peak(arithmetic: &Arithmetic, threads: usize) -> f64 {
    let time = |iterations: u64| {
        let start = Instant::now();
        arithmetic.run(iterations);
        start.elapsed()
    };
    // How many iterations a round has.
    let tried = 20_000;
    let once = (0..3).map(|_| time(tried)).min().unwrap_or(ROUND);
    let iterations = tried as f64 * ROUND.as_secs_f64() / once.as_secs_f64().max(1e-9);
    let iterations = (iterations as u64).max(1);
    let seconds = best_round(threads, ROUNDS, |_| time(iterations));
    let of_thread = iterations as f64 * arithmetic.flops as f64;
    threads as f64 * of_thread / seconds
}

/// The bytes per second that all threads read, each from its part of so many bytes.
fn bandwidth(reads: Reads, threads: usize, bytes: u64) -> f64 {
    let own = usize::try_from(bytes).unwrap_or(usize::MAX) / threads;
    let own = own.max(Reads::STEP) / Reads::STEP * Reads::STEP;
    let mut blocks: Vec<Vec<u64>> = Vec::new();
    for _ in 0..threads {
        // Not zeros, for which the system has one page.
        blocks.push(vec![1; own / size_of::<u64>()]);
    }
    let time = |block: &[u64], times: u64| {
        let start = Instant::now();
        reads.run(block, times);
        start.elapsed()
    };
    let once = (0..3).map(|_| time(&blocks[0], 1)).min();
    let once = once.unwrap_or(ROUND).as_secs_f64().max(1e-9);
    let times = (ROUND.as_secs_f64() / once).ceil().max(1.0) as u64;
    let seconds = best_round(threads, ROUNDS, |number| time(&blocks[number], times));
    (threads * own) as f64 * times as f64 / seconds
}

/// Runs rounds, each on all threads at the same time, and returns the time of the slowest thread
/// in the fastest of them, in seconds.
fn best_round(threads: usize, rounds: usize, round: impl Fn(usize) -> Duration + Sync) -> f64 {
    let start = Barrier::new(threads);
    let run = |number: usize| {
        let times = (0..rounds).map(|_| {
            start.wait();
            round(number)
        });
        times.collect::<Vec<Duration>>()
    };
    let times: Vec<Vec<Duration>> = thread::scope(|scope| {
        let run = &run;
        let others: Vec<_> = (1..threads)
            .map(|number| scope.spawn(move || run(number)))
            .collect();
        let own = run(0);
        let others = others.into_iter().filter_map(|thread| thread.join().ok());
        others.chain([own]).collect()
    });
    let slowest = (0..rounds).map(|round| times.iter().map(|times| times[round]).max());
    let best = slowest.flatten().min().unwrap_or(ROUND);
    best.as_secs_f64().max(1e-9)
}

/// The caches of so many threads, with no bandwidth yet.
fn cache_sizes(threads: usize) -> Vec<CacheLevel> {
    let mut caches = Vec::new();
    let siblings = "/sys/devices/system/cpu/cpu0/topology/thread_siblings_list";
    let siblings = fs::read_to_string(siblings).map_or(1, |list| processors(list.trim()));
    for number in 0..8 {
        let folder = format!("/sys/devices/system/cpu/cpu0/cache/index{number}");
        let text = |name: &str| {
            let text = fs::read_to_string(format!("{folder}/{name}")).ok()?;
            Some(text.trim().to_owned())
        };
        let (Some(level), Some(kind), Some(size)) = (text("level"), text("type"), text("size"))
        else {
            continue;
        };
        let Some(size) = size_of_text(&size).filter(|_| kind != "Instruction") else {
            continue;
        };
        let sharing = text("shared_cpu_list").map_or(1, |list| processors(&list));
        let count = threads.div_ceil(sharing.max(1)) as u64;
        caches.push(CacheLevel {
            name: format!("L{level}"),
            bytes: size.saturating_mul(count),
            bandwidth: 0.0,
            count,
            cores: (sharing / siblings.max(1)).max(1) as u64,
        });
    }
    caches.sort_by_key(|cache| cache.bytes);
    caches
}

/// `48K` in bytes.
fn size_of_text(text: &str) -> Option<u64> {
    let (number, unit) = match text.strip_suffix('K') {
        Some(number) => (number, 1 << 10),
        None => match text.strip_suffix('M') {
            Some(number) => (number, 1 << 20),
            None => (text, 1),
        },
    };
    number.parse::<u64>().ok()?.checked_mul(unit)
}

/// How many processors a list such as `0-3,8` names.
fn processors(list: &str) -> usize {
    let ranges = list.split(',').filter_map(|range| {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        let (first, last): (usize, usize) = (first.parse().ok()?, last.parse().ok()?);
        Some(last.checked_sub(first)? + 1)
    });
    ranges.sum()
}

/// The memory that the system can give, in bytes; much if it does not say.
fn available_memory() -> u64 {
    let text = fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:"));
    let kilobytes =
        line.and_then(|line| line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok());
    kilobytes.map_or(u64::MAX, |kilobytes| kilobytes.saturating_mul(1024))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_the_system_are_read() {
        assert_eq!(
            ["48K", "2M", "512", "x"].map(size_of_text),
            [Some(49_152), Some(2_097_152), Some(512), None]
        );
        assert_eq!(["0", "0-3,8", "0-1", ""].map(processors), [1, 5, 2, 0]);
    }

    #[test]
    fn the_best_round_is_as_slow_as_its_slowest_thread() {
        let seconds = best_round(3, 4, |number| Duration::from_millis(1 + number as u64));
        assert!((seconds - 0.003).abs() < 1e-9, "{seconds}");
    }

    #[test]
    fn this_machine_is_measured() {
        let ceilings = Ceilings::measure(2);
        assert!(ceilings.bandwidth > 1e8, "{ceilings:?}");
        let flops: Vec<f64> = ceilings.peaks.iter().map(|peak| peak.flops).collect();
        if cfg!(any(target_arch = "x86_64", target_arch = "aarch64")) {
            // Vectors of f32 have twice as many lanes as those of f64.
            assert!(flops.len() >= 2, "{ceilings:?}");
            let ratio = flops[0] / flops[1];
            assert!((1.2..3.4).contains(&ratio), "{ratio}");
        }
        let sizes: Vec<u64> = ceilings.caches.iter().map(|cache| cache.bytes).collect();
        assert!(sizes.is_sorted(), "{sizes:?}");
    }
}
