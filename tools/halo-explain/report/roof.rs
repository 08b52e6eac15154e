//! The least time that the machine needs for a kernel: for its arithmetic, for its data, and for
//! the call itself.
//!
//! All are lower bounds by what was measured of the machine, so that no kernel is faster. Data
//! is taken from the nearest cache that could hold it: what a call touches may be in the caches
//! from the call before, an argument that no earlier call of a run has touched is where the data
//! of a whole run is.

use super::{
    machine::MEMORY,
    rows::{Bound, Row},
};
use halo_runtime::compilation_record::{Arithmetic, CompilationRecord, Machine};
use std::collections::BTreeMap;

/// A part of the data of calls, and the level of memory that it comes from at best.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Source {
    /// A cache, or [`MEMORY`].
    pub level: String,
    pub bytes: f64,
    pub seconds: f64,
}

/// The least times of the calls of a record.
pub struct Roof<'a> {
    machine: &'a Machine,
    /// The bytes of each call that come from where the data of a whole run is.
    cold: Vec<f64>,
    /// The bytes of all data of a run.
    of_run: f64,
}

impl<'a> Roof<'a> {
    /// `None` if nothing is known of the machine.
    pub fn new(record: &'a CompilationRecord) -> Option<Self> {
        let machine = record.machine.as_ref()?;
        (machine.bandwidth > 0.0 && machine.flops > 0.0).then(|| Self {
            machine,
            cold: cold_bytes(record),
            of_run: bytes_of_run(record),
        })
    }

    /// The least time of all calls of a row, and what it is for.
    pub fn of(&self, row: &Row) -> Option<(f64, Bound)> {
        let bytes = row
            .bytes
            .filter(|bytes| *bytes > 0)
            .map(|bytes| bytes as f64)?;
        let calls = row.count.max(1) as f64;
        let memory = self.of_call(row, bytes / calls);
        let memory = calls * memory.iter().map(|source| source.seconds).sum::<f64>();
        let compute = match self.peak(row.instructions.arithmetic) {
            Some(peak) => row.flops / peak,
            None => 0.0,
        };
        let start = calls * self.machine.call_seconds;
        Some(match memory >= compute {
            _ if start > memory.max(compute) => (start, Bound::Start),
            true => (memory, Bound::Memory),
            false => (compute, Bound::Compute),
        })
    }

    /// Where the data of all calls of a row come from at best, each level once.
    pub fn sources(&self, row: &Row) -> Vec<Source> {
        let Some(bytes) = row.known_bytes() else {
            return Vec::new();
        };
        let calls = row.count.max(1) as f64;
        let mut sources = Vec::new();
        for mut source in self.of_call(row, bytes / calls) {
            source.bytes *= calls;
            source.seconds *= calls;
            add(&mut sources, source);
        }
        sources
    }

    /// Where so many bytes of a call of a row come from.
    fn of_call(&self, row: &Row, bytes: f64) -> Vec<Source> {
        let calls = row.calls.iter();
        let cold: f64 = calls.filter_map(|call| self.cold.get(*call as usize)).sum();
        let cold = (cold / row.calls.len().max(1) as f64).min(bytes);
        let mut sources = self.read(bytes - cold);
        sources.extend(self.read_of(cold, self.of_run));
        sources
    }

    /// Operations per second of a kind of arithmetic, if they were measured.
    pub fn peak(&self, arithmetic: Arithmetic) -> Option<f64> {
        peak(self.machine, arithmetic)
    }

    /// What so many bytes take, as many as possible from the nearest caches.
    fn read(&self, bytes: f64) -> Vec<Source> {
        let mut sources = Vec::new();
        let mut done = 0.0;
        for cache in &self.machine.caches {
            let part = bytes.min(cache.bytes as f64) - done;
            if part > 0.0 && cache.bandwidth > 0.0 {
                sources.push(source(&cache.name, part, cache.bandwidth));
                done += part;
            }
        }
        if bytes > done {
            sources.push(source(MEMORY, bytes - done, self.machine.bandwidth));
        }
        sources
    }

    /// What a part of so much data takes.
    fn read_of(&self, bytes: f64, of: f64) -> Option<Source> {
        let mut caches = self.machine.caches.iter();
        let (level, bandwidth) = match caches.find(|it| it.bytes as f64 >= of) {
            Some(cache) => (&cache.name[..], cache.bandwidth),
            None => (MEMORY, self.machine.bandwidth),
        };
        (bytes > 0.0).then(|| source(level, bytes, bandwidth.max(1.0)))
    }
}

fn source(level: &str, bytes: f64, bandwidth: f64) -> Source {
    Source {
        level: level.to_owned(),
        bytes,
        seconds: bytes / bandwidth,
    }
}

/// Adds a part to others, of which none has the same level as another one.
pub fn add(sources: &mut Vec<Source>, more: Source) {
    let same = sources.iter_mut().find(|it| it.level == more.level);
    match same {
        Some(same) => {
            same.bytes += more.bytes;
            same.seconds += more.seconds;
        }
        None => sources.push(more),
    }
}

/// Operations per second of a kind of arithmetic, if they were measured.
pub fn peak(machine: &Machine, arithmetic: Arithmetic) -> Option<f64> {
    let measured = machine.peaks.iter().find(|it| it.arithmetic == arithmetic);
    let flops = measured.map(|it| it.flops);
    flops.or_else(|| (arithmetic == Arithmetic::F32).then_some(machine.flops))
}

/// The bytes of all data of a run: arguments, results and the arena.
pub fn bytes_of_run(record: &CompilationRecord) -> f64 {
    let values = record.arguments.iter().chain(&record.results);
    let values: u64 = values.filter_map(|value| value.bytes).sum();
    let arena = record.arena.as_ref().map_or(0, |arena| arena.bytes);
    (values + arena) as f64
}

/// The bytes of each call that no earlier call of a run has touched: of arguments, as far as
/// they have so many.
fn cold_bytes(record: &CompilationRecord) -> Vec<f64> {
    let mut left: BTreeMap<&str, f64> = BTreeMap::new();
    let calls = record.calls.iter().map(|call| {
        let buffers = call
            .buffers
            .iter()
            .filter(|it| it.name.starts_with("argument "));
        let cold = buffers.map(|buffer| {
            let touched = buffer.touched.or(buffer.bytes).unwrap_or(0) as f64;
            let count = call.count.max(1) as f64;
            let left = left
                .entry(&buffer.name)
                .or_insert_with(|| buffer.bytes.unwrap_or(0) as f64);
            let own = (touched * count).min(*left);
            *left -= own;
            own / count
        });
        cold.sum()
    });
    calls.collect()
}

#[cfg(test)]
mod tests {
    use super::super::samples::{self, cache};
    use super::*;
    use halo_runtime::compilation_record::{CallBuffer, KernelCall, Peak};

    /// Caches of 100 and 1000 bytes, which give 100 and 10 bytes per second; memory gives one.
    fn record() -> CompilationRecord {
        let mut record = samples::program(12);
        record.calls = vec![KernelCall::default()];
        record.machine = Some(Machine {
            flops: 1e3,
            bandwidth: 1.0,
            peaks: vec![Peak {
                arithmetic: Arithmetic::Bf16,
                flops: 2e3,
                ..Peak::default()
            }],
            caches: vec![cache("L1", 100, 100.0), cache("L2", 1000, 10.0)],
            ..Machine::default()
        });
        record
    }

    fn row(bytes: u64, flops: f64) -> Row {
        Row {
            calls: vec![0],
            count: 2,
            bytes: Some(2 * bytes),
            flops,
            ..Row::default()
        }
    }

    #[test]
    fn data_comes_from_the_nearest_caches_that_hold_it() {
        let record = record();
        let roof = Roof::new(&record).unwrap();
        let seconds = |bytes| roof.of(&row(bytes, 0.0)).unwrap().0;
        assert!((seconds(50) - 2.0 * 0.5).abs() < 1e-9);
        assert!((seconds(600) - 2.0 * (1.0 + 50.0)).abs() < 1e-9);
        assert!((seconds(1500) - 2.0 * (1.0 + 90.0 + 500.0)).abs() < 1e-9);
        let sources = roof.sources(&row(1500, 0.0));
        let parts: Vec<_> = sources
            .iter()
            .map(|it| (&it.level[..], it.bytes, it.seconds))
            .collect();
        assert_eq!(
            parts,
            [
                ("L1", 200.0, 2.0),
                ("L2", 1800.0, 180.0),
                ("memory", 1000.0, 1000.0)
            ]
        );
    }

    #[test]
    fn an_argument_is_first_read_from_where_a_run_has_its_data() {
        let mut record = record();
        let buffer = CallBuffer {
            name: "argument 0".to_owned(),
            bytes: Some(80),
            touched: Some(40),
            ..CallBuffer::default()
        };
        record.calls = vec![
            KernelCall {
                count: 2,
                buffers: vec![buffer.clone()],
                ..KernelCall::default()
            },
            KernelCall {
                count: 1,
                buffers: vec![buffer],
                ..KernelCall::default()
            },
        ];
        // Two calls touch all of it, so that a third one finds it in a cache.
        assert_eq!(cold_bytes(&record), [40.0, 0.0]);
        record.arguments.clear();
        record.results.clear();
        record.arena.as_mut().unwrap().bytes = 900;
        let roof = Roof::new(&record).unwrap();
        let seconds = roof.of(&row(40, 0.0)).unwrap().0;
        assert!((seconds - 2.0 * 4.0).abs() < 1e-9, "{seconds}");
    }

    /// A call that does next to nothing takes 5 seconds.
    #[test]
    fn kernels_with_little_work_are_limited_by_the_start_of_their_calls() {
        let mut record = record();
        record.machine.as_mut().unwrap().call_seconds = 5.0;
        let roof = Roof::new(&record).unwrap();
        assert_eq!(roof.of(&row(50, 0.0)).unwrap(), (10.0, Bound::Start));
        assert_eq!(roof.of(&row(600, 0.0)).unwrap().1, Bound::Memory);
        assert_eq!(roof.of(&row(1, 2e4)).unwrap().1, Bound::Compute);
    }

    #[test]
    fn arithmetic_is_compared_with_its_own_instruction() {
        let record = record();
        let roof = Roof::new(&record).unwrap();
        let mut row = row(1, 4e3);
        assert_eq!(roof.of(&row).unwrap(), (4.0, Bound::Compute));
        row.instructions.arithmetic = Arithmetic::Bf16;
        assert_eq!(roof.of(&row).unwrap(), (2.0, Bound::Compute));
        // What was not measured limits nothing.
        row.instructions.arithmetic = Arithmetic::Matrix;
        assert_eq!(roof.of(&row).unwrap().1, Bound::Memory);
    }
}
