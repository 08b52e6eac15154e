//! Operands that the loops of a kernel read again from further caches, and how much of the time for
//! that shows.
//!
//! A processor fetches them while it computes, so that the time which the bandwidth of a cache
//! gives for them is an upper bound, and often far from what they cost. Other kernels of the
//! program tell more: where one reads as much from the same cache and has little time left over,
//! most of it goes on meanwhile.

use super::{
    account::{self, Account, Part},
    format,
    machine::{self, Level},
    rows::{Bound, Row},
    verdict,
};
use halo_runtime::compilation_record::{CompilationRecord, Machine};

/// A kernel shows how much of this time is left over if it has so much of it, as a part of a call.
const MUCH: f64 = 0.1;

/// What of the time for data from a level is left over at most in the kernel that has the least.
#[derive(Clone, Debug, PartialEq)]
pub struct Shown {
    level: String,
    kernel: String,
    /// The line of its op.
    place: String,
    /// The rest of its code and the time for the data, in seconds of a call.
    left: f64,
    seconds: f64,
    share: f64,
}

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
    let parts = reads.into_iter().map(|read| {
        let shown = row.shown.iter().find(|it| it.level == read.level.name);
        let shown = shown.filter(|it| it.kernel != row.name && it.share < 1.0);
        let part = shown.map_or(1.0, |it| it.share);
        let of_other = shown.map(|it| {
            format!(
                "; in {} ({}) this alone would take {}, and the rest of its code is {}, so that {} of the time is told here",
                it.kernel,
                it.place,
                format::duration(it.seconds),
                format::duration(it.left),
                format::share(it.share, 1.0)
            )
        });
        Part {
            seconds: part * read.seconds,
            is_beside: true,
            text: format!(
                "operands that its loops read again when {} no longer has them ({} from {} at {} GB/s, as far as it still has them{})",
                levels[0].name,
                format::size(read.bytes as u64),
                read.level.name,
                format::giga(read.level.bandwidth),
                of_other.unwrap_or_default()
            ),
        }
    });
    parts.collect()
}

/// What kernels show of the time for data that are read again, for each level.
pub fn shown(record: &CompilationRecord, rows: &[Row]) -> Vec<Shown> {
    let Some(machine) = &record.machine else {
        return Vec::new();
    };
    let levels = machine::levels(machine);
    let mut all: Vec<Shown> = Vec::new();
    for row in rows.iter().filter(|row| row.bound == Some(Bound::Compute)) {
        let account = Account::of(record, row);
        let Some((account, time)) = account.zip(account::time_of_call(row)) else {
            continue;
        };
        let left = account.rest as f64 / 1000.0 * time;
        for read in reads(record, machine, &levels, row) {
            // Of less, the page of the kernel says nothing, and limits differ by as much.
            if account.rest < verdict::LEAST_LEFT || read.seconds < MUCH * time {
                continue;
            }
            let own = Shown {
                level: read.level.name.to_owned(),
                kernel: row.name.clone(),
                place: format::in_program(&record.program, &row.location),
                left,
                seconds: read.seconds,
                share: left / read.seconds,
            };
            match all.iter_mut().find(|it| it.level == own.level) {
                Some(known) if known.share <= own.share => {}
                Some(known) => *known = own,
                None => all.push(own),
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::super::{
        loop_work::{Again, LoopWork},
        rows, samples,
    };
    use super::*;

    fn work(again: &[(f64, f64)]) -> Option<LoopWork> {
        let again = again.iter();
        let again = again.map(|(bytes, between)| Again {
            bytes: *bytes,
            between: *between,
        });
        Some(LoopWork {
            again: again.collect(),
            ..LoopWork::default()
        })
    }

    /// Caches of 40 kB and 100 kB of two threads, and two kernels of 1 ms, half of which is
    /// arithmetic.
    fn record() -> (CompilationRecord, Vec<Row>) {
        let mut record = samples::program(12);
        let machine = record.machine.as_mut().unwrap();
        machine.caches = vec![
            samples::cache("L1", 40_000, 1e11),
            samples::cache("L2", 100_000, 1e9),
        ];
        let rows = rows::rows(&record);
        let mut rows: Vec<Row> = rows.into_iter().take(2).collect();
        for (row, name) in rows.iter_mut().zip(["one", "other"]) {
            (row.name, row.bound) = (name.to_owned(), Some(Bound::Compute));
            row.count = 1;
            (row.seconds, row.fastest, row.estimate) = (Some(1e-3), Some(1e-3), Some(5e-4));
            row.fastest_threads = None;
        }
        (record, rows)
    }

    #[test]
    fn operands_that_loops_read_again_have_a_size() {
        let (record, mut rows) = record();
        let machine = record.machine.as_ref().unwrap();
        rows[0].work = work(&[(1e5, 30_000.0), (1e6, 10_000.0), (5e4, 45_000.0)]);
        let parts = parts(&record, machine, &rows[0]);
        assert_eq!(parts.len(), 1);
        assert!((parts[0].seconds - 1.5e-4).abs() < 1e-12);
        assert_eq!(
            parts[0].text,
            "operands that its loops read again when L1 no longer has them (150.00 kB from L2 at 1.00 GB/s, as far as it still has them)"
        );
    }

    /// One kernel reads for 1.25 ms and has 0.5 ms left over, so that no more than 0.4 of the time
    /// shows: 0.1 ms of the other one's 0.25.
    #[test]
    fn kernels_show_how_much_of_the_time_is_left_over() {
        let (record, mut rows) = record();
        let machine = record.machine.as_ref().unwrap();
        rows[0].work = work(&[(1.25e6, 30_000.0)]);
        rows[1].work = work(&[(2.5e5, 30_000.0)]);
        let shown = shown(&record, &rows);
        let [one] = &shown[..] else {
            panic!("{shown:?}");
        };
        assert_eq!((&one.level[..], &one.kernel[..]), ("L2", "one"));
        assert!((one.share - 0.4).abs() < 1e-12, "{one:?}");
        for row in &mut rows {
            row.shown = shown.clone();
        }
        let own = parts(&record, machine, &rows[0]);
        assert!((own[0].seconds - 1.25e-3).abs() < 1e-12, "{}", own[0].text);
        let other = parts(&record, machine, &rows[1]);
        assert!((other[0].seconds - 1e-4).abs() < 1e-12, "{}", other[0].text);
        assert!(
            other[0].text.ends_with(
                "as far as it still has them; in one (line 2:8) this alone would take 1.250 ms, and the rest of its code is 500.00 us, so that 40.0% of the time is told here)"
            ),
            "{}",
            other[0].text
        );
    }
}
