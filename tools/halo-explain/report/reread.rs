//! Operands that the loops of a kernel read again from further caches.
//!
//! A processor fetches them while it computes, so that the time which the bandwidth of a cache
//! gives for them is often far from what they cost.

use super::{
    account::{Part, PartKind},
    machine,
    rows::Row,
};
use halo_runtime::compilation_record::{CompilationRecord, Machine};

/// The time for what the loops of a kernel that computes read again, for each level that is further
/// away than the nearest one.
pub fn parts(record: &CompilationRecord, machine: &Machine, row: &Row) -> Vec<Part> {
    let threads = f64::from(record.threads.max(1));
    let levels = machine::levels(machine);
    let mut of_levels = vec![0.0; levels.len()];
    for again in row.work.iter().flat_map(|work| &work.again) {
        of_levels[machine::holding(machine, threads * again.between)] += again.bytes;
    }
    let further = levels.iter().zip(of_levels).skip(1);
    let further = further.filter(|(level, bytes)| *bytes > 0.0 && level.bandwidth > 0.0);
    let parts = further.map(|(level, bytes)| Part {
        seconds: bytes / level.bandwidth,
        kind: PartKind::Beside,
        text: format!(
            "operands that its loops read again when {} no longer has them ({}, as far as it still has them)",
            levels[0].name,
            level.text(bytes)
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
