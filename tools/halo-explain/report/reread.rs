//! Operands that the loops of a kernel read again from further caches.
//!
//! A processor fetches them while it computes, so that the time which the bandwidth of a cache
//! gives for them is often far from what they cost.

use super::{
    account::Part,
    format,
    machine::{self, Level},
    rows::Row,
};
use halo_runtime::compilation_record::{CompilationRecord, Machine};

/// The bytes that a call reads again from a level, and the time that its bandwidth gives.
struct Read<'a> {
    level: &'a Level<'a>,
    bytes: f64,
    seconds: f64,
}

/// The level that so many bytes are in.
fn level_of<'a>(levels: &'a [Level<'a>], machine: &Machine, bytes: f64) -> Option<&'a Level<'a>> {
    let mut caches = machine.caches.iter();
    let number = caches.position(|cache| cache.bytes as f64 >= bytes);
    levels.get(number.unwrap_or(machine.caches.len()))
}

/// What a call reads again from caches that are further away than the nearest one.
fn reads<'a>(
    record: &CompilationRecord,
    machine: &Machine,
    levels: &'a [Level<'a>],
    row: &Row,
) -> Vec<Read<'a>> {
    let threads = f64::from(record.threads.max(1));
    let mut reads: Vec<Read<'_>> = Vec::new();
    let again = row.work.iter().flat_map(|work| &work.again);
    for again in again {
        let level = level_of(levels, machine, threads * again.between);
        let Some(level) = level.filter(|level| level.name != levels[0].name) else {
            continue;
        };
        if level.bandwidth <= 0.0 {
            continue;
        }
        let seconds = again.bytes / level.bandwidth;
        match reads.iter_mut().find(|read| read.level.name == level.name) {
            Some(read) => {
                read.bytes += again.bytes;
                read.seconds += seconds;
            }
            None => reads.push(Read {
                level,
                bytes: again.bytes,
                seconds,
            }),
        }
    }
    reads
}

/// The time for what the loops of a kernel that computes read again, for each level.
pub fn parts(record: &CompilationRecord, machine: &Machine, row: &Row) -> Vec<Part> {
    let levels = machine::levels(machine);
    let reads = reads(record, machine, &levels, row);
    let parts = reads.into_iter().map(|read| Part {
        seconds: read.seconds,
        is_beside: true,
        is_sampled: false,
        text: format!(
            "operands that its loops read again when {} no longer has them ({} from {} at {} GB/s, as far as it still has them)",
            levels[0].name,
            format::size(read.bytes as u64),
            read.level.name,
            format::giga(read.level.bandwidth)
        ),
    });
    parts.collect()
}

#[cfg(test)]
mod tests {
    use super::super::{
        loop_work::{Again, LoopWork},
        samples,
    };
    use super::*;

    /// Caches of 40 kB and 100 kB of two threads.
    #[test]
    fn operands_that_loops_read_again_have_a_size() {
        let mut record = samples::program(12);
        let machine = record.machine.as_mut().unwrap();
        machine.caches = vec![
            samples::cache("L1", 40_000, 1e11),
            samples::cache("L2", 100_000, 1e9),
        ];
        let again = [(1e5, 30_000.0), (1e6, 10_000.0), (5e4, 45_000.0)];
        let again = again.map(|(bytes, between)| Again { bytes, between });
        let row = Row {
            work: Some(LoopWork {
                again: again.into(),
                ..LoopWork::default()
            }),
            ..Row::default()
        };
        let machine = record.machine.as_ref().unwrap();
        let parts = parts(&record, machine, &row);
        assert_eq!(parts.len(), 1);
        assert!((parts[0].seconds - 1.5e-4).abs() < 1e-12);
        assert_eq!(
            parts[0].text,
            "operands that its loops read again when L1 no longer has them (150.00 kB from L2 at 1.00 GB/s, as far as it still has them)"
        );
    }
}
