//! What the time of a kernel is made of, as far as that can be computed: the limit, threads that do
//! not work, what its code does beside that, and what is not accounted for.
//!
//! What can be counted has a part of the time by what was measured of the machine: arithmetic
//! that no result needs, data that no near cache holds or that loops read again, copies within the
//! kernel, the start of a call. The time is that of the fastest run, since other programs only add
//! to it. A processor loads and stores beside arithmetic, so what does not have the units of the
//! limit has a part of the time at most, and what is not accounted for is a range.

use super::{
    format, instructions,
    loop_work::{LoopWork, Rows},
    machine::{self, Level},
    roof,
    rows::{Bound, Row},
    verdict,
};
use halo_runtime::compilation_record::{CompilationRecord, Loop, Machine};
use std::cmp::Reverse;

/// Less than this part of the time is in the rest: parts are told in whole percents.
const LEAST: f64 = 0.005;
/// So much of the time, in tenths of a percent, is worth a guess.
const MUCH: i64 = 50;
/// The operations that an elementary function is made of, about: those of an exponential of f32.
pub const OF_FUNCTION: u64 = 20;

/// Whether an op, by its name, is one of a kind.
type IsOp = fn(&str) -> bool;

/// Work of loops that has no size here, by the names of ops.
const OF_LOOPS: [(&str, IsOp); 3] = [
    ("shuffles of vectors", |op| {
        matches!(op, "vector.shuffle" | "vector.transpose" | "vector.gather")
    }),
    ("divisions", |op| op == "arith.divf"),
    ("conversions", |op| {
        let kinds = ["ext", "trunc", "sitofp", "uitofp", "fpto"];
        let op = op.strip_prefix("arith.").unwrap_or_default();
        kinds.iter().any(|kind| op.starts_with(kind))
    }),
];

/// A part of the time of a call, and what it is.
struct Part {
    seconds: f64,
    text: String,
    /// Whether it may go on at the same time as what the limit is of.
    is_beside: bool,
}

/// A part from 0 to 1 in whole percents.
fn whole_percent(part: f64) -> i64 {
    (part.clamp(0.0, 1.0) * 100.0).round() as i64
}

/// The part of the time in which threads do not work that is known of the fastest run: all of it
/// where one thread had all tasks of every call.
pub fn known_idle(row: &Row, idle: i64) -> i64 {
    match row.thread_times.is_some_and(|times| times.shared == 0) {
        true => idle,
        false => 0,
    }
}

/// Sentences about the whole time of a kernel in its fastest run, of which its limit is so much, in
/// tenths of a percent. The time in which threads do not work is of all runs: in the fastest one
/// they may have waited less for what other programs disturbed.
pub fn sentences(record: &CompilationRecord, row: &Row, (limit, idle): (i64, i64)) -> Vec<String> {
    let Some((machine, time)) = record.machine.as_ref().zip(time_of_call(row)) else {
        return Vec::new();
    };
    let told = parts(record, machine, row)
        .into_iter()
        .map(|part| (part.seconds / time, part))
        .filter(|(share, _)| *share >= LEAST);
    let mut told: Vec<(f64, Part)> = told.collect();
    told.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    let (beside, alone): (Vec<_>, Vec<_>) = told.into_iter().partition(|(_, it)| it.is_beside);
    let sum = |parts: &[(f64, Part)]| parts.iter().map(|(share, _)| share).sum::<f64>();
    let left = (1000 - limit).max(0);
    let known_idle = known_idle(row, idle);
    let most_idle = (idle - known_idle).min(left);
    let most = ((left - known_idle) as f64 / 1000.0 - sum(&alone)).clamp(0.0, 1.0);
    let least = (most - sum(&beside) - most_idle as f64 / 1000.0).max(0.0);
    let (for_what, of_limit) = match row.bound {
        Some(Bound::Compute) => ("arithmetic at the speed of that limit", "arithmetic"),
        _ => ("data at the speed of that limit", "these data"),
    };
    let mut text = format!(
        "Of the time of its fastest run, {} are for {for_what}",
        format::percent(limit)
    );
    for (share, part) in &alone {
        text += &format!(", {}% for {}", whole_percent(*share), part.text);
    }
    if known_idle > 0 {
        text += &format!(
            ", and threads do not work for {}, as in all runs",
            format::percent(known_idle)
        );
    }
    if most_idle > 0 {
        text += &format!(
            ", and threads do not work for up to {}, by what was measured over all runs",
            format::percent(most_idle)
        );
    }
    if !beside.is_empty() && whole_percent(most) > 0 {
        // No more of it than there is left can go on by itself.
        let named = beside.iter().map(|(share, part)| {
            format!(
                "up to {}% for {}",
                whole_percent(share.min(most)),
                part.text
            )
        });
        let named: Vec<String> = named.collect();
        text += &format!(
            "; further, as far as it does not go on beside {of_limit}, {}",
            named.join(", ")
        );
    }
    let rest = match (whole_percent(least), whole_percent(most)) {
        (_, 0) => "Nothing is left that is not accounted for".to_owned(),
        (least, most) if least == most => format!(
            "About {most}% are not accounted for: {}",
            others(record, row).join(", ")
        ),
        (least, most) => format!(
            "Between {least}% and {most}% are not accounted for: {}",
            others(record, row).join(", ")
        ),
    };
    let mut sentences = vec![format!("{text}. {rest}.")];
    sentences.extend(innermost(record, row));
    sentences.extend(from_memory(machine, row, (time, format::tenths(most))));
    sentences.extend(row.work.as_ref().and_then(|work| rows_read(row, work)));
    sentences
}

/// What is known of the time of a call beside its limit.
fn parts(record: &CompilationRecord, machine: &Machine, row: &Row) -> Vec<Part> {
    let work = row.work.as_ref();
    let is_compute = row.bound == Some(Bound::Compute);
    let of_compute = || {
        [
            work.and_then(|work| edges(machine, row, work)),
            further(record, row),
            work.and_then(|work| read_again(record, machine, work)),
        ]
    };
    let of_data = || {
        [
            arithmetic(machine, row),
            work.and_then(|work| loads_and_stores(machine, row, work)),
            written(record, row),
        ]
    };
    let own = match is_compute {
        true => of_compute(),
        false => of_data(),
    };
    let both = [
        work.and_then(|work| copies(record, machine, work)),
        functions(machine, row),
        start(record, machine),
    ];
    own.into_iter().chain(both).flatten().collect()
}

/// What a kernel does that has no size here.
fn others(record: &CompilationRecord, row: &Row) -> Vec<&'static str> {
    let mut others = vec!["loads and stores", "index arithmetic"];
    let kernels = row.kernels.iter();
    let kernels = kernels.filter_map(|number| record.kernels.get(*number as usize));
    let loops: Vec<&Loop> = kernels.flat_map(|kernel| &kernel.loops).collect();
    for (name, is_it) in OF_LOOPS {
        let mut ops = loops.iter().flat_map(|it| &it.ops);
        if ops.any(|(op, _)| is_it(op)) {
            others.push(name);
        }
    }
    let work = row.work.as_ref();
    let has_products = row.bound == Some(Bound::Compute);
    if has_products && work.is_none_or(|work| work.has_edges && work.flops.is_none()) {
        others.push("edges of tiles");
    }
    if has_products && work.is_none_or(|work| work.own_bytes > 0.0 && work.packed.is_none()) {
        others.push("copies within it");
    }
    if has_products && work.is_some_and(|work| work.reads_more) {
        others.push("operands that it reads again, which is not known of parts of buffers and of loops without known ends");
    }
    others.push("waiting for them within its code");
    others
}

/// Of its fastest run.
fn time_of_call(row: &Row) -> Option<f64> {
    row.per_call(row.at_best()?)
        .filter(|seconds| *seconds > 0.0)
}

/// What a call that does next to nothing takes.
fn start(record: &CompilationRecord, machine: &Machine) -> Option<Part> {
    let seconds = machine.call_seconds;
    let threads = f64::from(record.threads.max(1));
    (seconds > 0.0).then(|| Part {
        // The thread that calls is one of all.
        seconds: seconds / threads,
        is_beside: false,
        text: format!("the start of the call ({})", format::duration(seconds)),
    })
}

/// The unit of millions of its operations.
fn unit(row: &Row) -> &'static str {
    if row.is_integer { "MOP" } else { "MFLOP" }
}

/// The arithmetic of a kernel that data limit.
fn arithmetic(machine: &Machine, row: &Row) -> Option<Part> {
    let flops = row.per_call(row.flops).filter(|flops| *flops > 0.0)?;
    let peak = roof::peak(machine, row.instructions.arithmetic)?;
    Some(Part {
        seconds: flops / peak,
        is_beside: true,
        text: format!(
            "arithmetic ({} {} at {})",
            format::mega(flops),
            unit(row),
            machine::speed(peak, row.is_integer)
        ),
    })
}

/// Elementary functions, of which no operations are counted.
fn functions(machine: &Machine, row: &Row) -> Option<Part> {
    let count = row.per_call(row.transcendentals)?;
    let peak = roof::peak(machine, row.instructions.arithmetic)?;
    (count > 0.0).then(|| Part {
        seconds: OF_FUNCTION as f64 * count / peak,
        is_beside: row.bound != Some(Bound::Compute),
        text: format!(
            "{} elementary functions, such as exponentials, which the limit does not count (as {OF_FUNCTION} operations each)",
            format::operations(count)
        ),
    })
}

/// What the loops of a kernel that data limit load and store more often than once: at best from the
/// nearest cache.
fn loads_and_stores(machine: &Machine, row: &Row, work: &LoopWork) -> Option<Part> {
    let (moved, touched) = (work.moved?, row.per_call(row.known_bytes()?)?);
    let cache = machine.caches.first().filter(|it| it.bandwidth > 0.0)?;
    (moved > touched).then(|| Part {
        seconds: (moved - touched) / cache.bandwidth,
        is_beside: true,
        text: format!(
            "loading and storing again what it touches ({} in all, at the {} GB/s of {})",
            format::size(moved as u64),
            format::giga(cache.bandwidth),
            cache.name
        ),
    })
}

/// The lines of caches that are read before they are written, which the limit does not count.
fn written(record: &CompilationRecord, row: &Row) -> Option<Part> {
    let call = record.calls.get(*row.calls.first()? as usize)?;
    let kernels = row.kernels.iter();
    let mut kernels = kernels.filter_map(|it| record.kernels.get(*it as usize));
    // Stores past the caches read no lines.
    if kernels.any(|kernel| kernel.assembly.contains("vmovnt")) {
        return None;
    }
    let written = call.buffers.iter().filter(|buffer| buffer.is_written);
    let bytes: u64 = written.filter_map(|it| it.touched.or(it.bytes)).sum();
    let (estimate, all) = (row.estimate?, row.known_bytes()?);
    let is_data = row.bound == Some(Bound::Memory);
    (bytes > 0 && is_data).then(|| Part {
        seconds: bytes as f64 * estimate / all,
        is_beside: false,
        text: format!(
            "reading the lines that it writes ({}, at the speed of that limit)",
            format::size(bytes)
        ),
    })
}

/// The level that so many bytes of each thread are in.
fn level_of<'a>(levels: &'a [Level<'a>], machine: &Machine, bytes: f64) -> Option<&'a Level<'a>> {
    let mut caches = machine.caches.iter();
    let number = caches.position(|cache| cache.bytes as f64 >= bytes);
    levels.get(number.unwrap_or(machine.caches.len()))
}

/// Data that loops read again, and that the nearest cache does not hold until then.
fn read_again(record: &CompilationRecord, machine: &Machine, work: &LoopWork) -> Option<Part> {
    let levels = machine::levels(machine);
    let nearest = levels.first()?;
    let threads = f64::from(record.threads.max(1));
    let (mut seconds, mut parts) = (0.0, Vec::<(&str, f64, f64)>::new());
    for again in &work.again {
        let level = level_of(&levels, machine, threads * again.between)?;
        if level.name == nearest.name || level.bandwidth <= 0.0 {
            continue;
        }
        seconds += again.bytes / level.bandwidth;
        match parts.iter_mut().find(|(name, ..)| *name == level.name) {
            Some((_, bytes, _)) => *bytes += again.bytes,
            None => parts.push((level.name, again.bytes, level.bandwidth)),
        }
    }
    parts.sort_by_key(|(_, bytes, _)| Reverse(*bytes as u64));
    let texts = parts.iter().map(|(name, bytes, bandwidth)| {
        format!(
            "{} from {name} at {} GB/s",
            format::size(*bytes as u64),
            format::giga(*bandwidth)
        )
    });
    let texts: Vec<String> = texts.collect();
    (!texts.is_empty()).then(|| Part {
        seconds,
        is_beside: true,
        text: format!(
            "operands that its loops read again when {} no longer has them ({})",
            nearest.name,
            texts.join(", ")
        ),
    })
}

/// What data would take that come from memory, where caches could have them and much of the time
/// is not accounted for, in tenths of a percent.
fn from_memory(machine: &Machine, row: &Row, (time, rest): (f64, i64)) -> Option<String> {
    let bytes = row.per_call(row.known_bytes()?)?;
    let is_further = row.bound == Some(Bound::Memory) && row.limit() != machine::MEMORY;
    let share = bytes / machine.bandwidth.max(1.0) / time;
    let more = format::tenths(share - row.efficiency()?);
    let bandwidth = format::giga(machine.bandwidth);
    (is_further && rest >= MUCH && more >= MUCH).then(|| match share > 1.0 {
        true => format!(
            "Its data do not all come from memory: at {bandwidth} GB/s that would take longer than it does; how many come from {} is not known.",
            row.limit()
        ),
        false => format!(
            "It is not known whether its data come from there: from memory, at {bandwidth} GB/s, they would be {}% of its time.",
            whole_percent(share)
        ),
    })
}

/// Narrow rows, which come slower than the streams that bandwidths were measured with.
fn rows_read(row: &Row, work: &LoopWork) -> Option<String> {
    let Rows { bytes, stride } = work.rows?;
    (row.bound == Some(Bound::Memory)).then(|| {
        format!(
            "It reads rows of {}, the next one {} behind: the bandwidths were measured with data that follow each other, of which a processor fetches more ahead.",
            format::size(bytes as u64),
            format::size(stride as u64)
        )
    })
}

/// Arithmetic of whole tiles where a result has a part of one.
fn edges(machine: &Machine, row: &Row, work: &LoopWork) -> Option<Part> {
    let work = Some(work).filter(|work| work.has_edges)?;
    let (computed, needed) = (work.flops?, row.per_call(row.flops)?);
    let peak = roof::peak(machine, row.instructions.arithmetic)?;
    (computed > needed).then(|| Part {
        seconds: (computed - needed) / peak,
        is_beside: false,
        text: format!(
            "arithmetic at edges of tiles ({} {} where {} are needed)",
            format::mega(computed),
            unit(row),
            format::mega(needed)
        ),
    })
}

/// Data of a call that the caches do not hold which are too small for all of it.
fn further(record: &CompilationRecord, row: &Row) -> Option<Part> {
    let (cache, bytes) = verdict::too_small(record, row)?;
    let levels = machine::levels(record.machine.as_ref()?);
    let place = levels.iter().position(|level| level.name == cache.name)?;
    let next = levels.get(place + 1)?;
    (next.bandwidth > 0.0).then(|| Part {
        seconds: bytes / next.bandwidth,
        is_beside: true,
        text: format!(
            "data from further away than {} ({} at the {} GB/s of {})",
            cache.name,
            format::size(bytes as u64),
            format::giga(next.bandwidth),
            next.name
        ),
    })
}

/// Copies of operands to buffers of the kernel, which the nearest cache has that holds those of
/// all threads.
fn copies(record: &CompilationRecord, machine: &Machine, work: &LoopWork) -> Option<Part> {
    let packed = work.packed.filter(|bytes| *bytes > 0.0)?;
    let own = work.own_bytes * f64::from(record.threads.max(1));
    let mut caches = machine.caches.iter();
    let cache = caches.find(|cache| cache.bytes as f64 >= own && cache.bandwidth > 0.0)?;
    Some(Part {
        seconds: packed / cache.bandwidth,
        is_beside: true,
        text: format!(
            "writing operands in another order within it ({} at the {} GB/s of {})",
            format::size(packed as u64),
            format::giga(cache.bandwidth),
            cache.name
        ),
    })
}

/// The loop with the most work of a kernel that multiplies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct MostWork {
    /// Its place among all loops.
    line: usize,
    /// Its place among those with as many products in an iteration, and how many these are.
    order: usize,
    of_as_many: usize,
}

/// The loop with the most products and ops in all of its iterations; `None` without products.
fn most_work(loops: &[Loop]) -> Option<MostWork> {
    let products = |it: &Loop| {
        let ops = it.ops.iter().filter(|(name, _)| name == "vector.fma");
        ops.map(|(_, count)| u64::from(*count)).sum::<u64>()
    };
    let work = |number: usize| {
        let own = &loops[number];
        let ops: u64 = own.ops.iter().map(|(_, count)| u64::from(*count)).sum();
        let (mut depth, mut times) = (own.depth, own.iterations.unwrap_or(1));
        for around in loops[..number].iter().rev() {
            if around.depth < depth {
                depth = around.depth;
                times = times.saturating_mul(around.iterations.unwrap_or(1));
            }
        }
        times.saturating_mul(ops)
    };
    let numbers = (0..loops.len()).filter(|number| products(&loops[*number]) > 0);
    let line = numbers.max_by_key(|number| work(*number))?;
    let is_alike = |it: &&Loop| products(it) == products(&loops[line]);
    Some(MostWork {
        line,
        order: loops[..line].iter().filter(is_alike).count(),
        of_as_many: loops.iter().filter(is_alike).count(),
    })
}

/// Such as `1st`.
fn ordinal(number: usize) -> String {
    let end = match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{number}{end}")
}

/// What the instructions of the innermost loop do.
fn innermost(record: &CompilationRecord, row: &Row) -> Option<String> {
    let [kernel] = row.kernels[..] else {
        return None;
    };
    if row.bound != Some(Bound::Compute) {
        return None;
    }
    let kernel = record.kernels.get(kernel as usize)?;
    let found = most_work(&kernel.loops);
    let (order, of_as_many) = found.map_or((0, 1), |found| (found.order, found.of_as_many));
    let counts = instructions::innermost(&kernel.assembly, (order, of_as_many))?;
    let which = found.map(|found| {
        let line = &kernel.loops[found.line].text;
        format!(
            " with the most work ({line}, the {} of the loops below)",
            ordinal(found.line + 1)
        )
    });
    let which = which.unwrap_or_default();
    Some(format!(
        "Of the {} instructions of its innermost loop{which}, {} compute, {} only read memory, and {} are others.",
        counts.all,
        counts.computing,
        counts.reading,
        counts.all - counts.computing - counts.reading
    ))
}

#[cfg(test)]
mod tests {
    use super::super::{
        loop_work::{Again, EDGES},
        rows,
        samples::{self, cache},
    };
    use super::*;
    use halo_runtime::compilation_record::{CallBuffer, FunctionText, Tasks};

    /// A call of 1 ms with half of the machine's arithmetic.
    fn record() -> CompilationRecord {
        let mut record = samples::program(12);
        let machine = record.machine.as_mut().unwrap();
        machine.flops = 1.6e9;
        machine.peaks[0].flops = 1.6e9;
        machine.caches = vec![cache("L1", 40_000, 1e11), cache("L2", 100_000, 1e9)];
        let call = &mut record.calls[0];
        call.flops = 2 * 49 * 64 * 128;
        call.transcendentals = 0;
        call.buffers.clear();
        call.tasks = Some(Tasks {
            iterations: Some(4),
            least: 1,
        });
        let site = &mut record.run.as_mut().unwrap().sites[0];
        (site.count, site.bytes, site.seconds) = (1, Some(800_000), 1e-3);
        (site.busy_seconds, site.waiting_seconds) = (2e-3, 0.0);
        site.spread.least = 1e-3;
        let fma = "%14 = vector.fma %13, %10, %arg10 : vector<16xf32>\n";
        let text = EDGES.replace("FMAS\n", &fma.repeat(8));
        let first = record.lines.len() as u32;
        record.lines.extend(text.lines().map(str::to_owned));
        record.kernels[0].text = FunctionText {
            lines: (first..record.lines.len() as u32).collect(),
            ..FunctionText::default()
        };
        record
    }

    fn row(record: &CompilationRecord) -> Row {
        let mut rows = rows::rows(record).into_iter();
        rows.find(|row| row.name == "main_kernel_0").unwrap()
    }

    #[test]
    fn parts_of_the_time_above_arithmetic_add_up() {
        let record = record();
        let row = &row(&record);
        // 802 816 operations at 1.6 GFLOP/s are 50.2%, 114 688 more are 7.2%; 700 kB of 14 GB/s
        // are 5.0%, and 32 kB of 100 GB/s 0.03%.
        let told = sentences(&record, row, (502, 0));
        assert_eq!(
            told[0],
            "Of the time of its fastest run, 50.2% are for arithmetic at the speed of that limit, \
             7% for arithmetic at edges of tiles (0.92 MFLOP where 0.80 are needed); further, as \
             far as it does not go on beside arithmetic, up to 5% for data from further away than \
             L2 (700.00 kB at the 14.00 GB/s of memory). Between 38% and 43% are not accounted for: \
             loads and stores, index arithmetic, waiting for them within its code."
        );
        assert_eq!(
            told[1],
            "Of the 6 instructions of its innermost loop, 1 compute, 1 only read memory, and 4 are others."
        );
        // Nothing is less than nothing.
        let told = sentences(&record, row, (502, 398));
        assert!(
            told[0].contains(
                ", and threads do not work for up to 39.8%, by what was measured over all runs; further"
            ) && told[0].contains("Between 0% and 43% are not accounted for"),
            "{}",
            told[0]
        );
        // What one thread runs is idle for the other one in each run.
        let mut alone = row.clone();
        alone.thread_times.as_mut().unwrap().shared = 0;
        let told = sentences(&record, &alone, (502, 498));
        assert!(
            told[0].ends_with(
                "threads do not work for 49.8%, as in all runs. Nothing is left that is not accounted for."
            ),
            "{}",
            told[0]
        );
        // No part is more than there is.
        let told = sentences(&record, row, (922, 160));
        assert!(
            told[0].contains("for up to 7.8%,")
                && told[0].contains("up to 1% for data from further away")
                && told[0].contains("Between 0% and 1%"),
            "{}",
            told[0]
        );
    }

    #[test]
    fn the_loop_with_the_most_work_is_named() {
        let it = |depth, iterations, ops: &[(&str, u32)]| Loop {
            depth,
            iterations,
            ops: ops
                .iter()
                .map(|(op, count)| ((*op).to_owned(), *count as _))
                .collect(),
            ..Loop::default()
        };
        let fma = ("vector.fma", 16);
        let loops = [
            it(0, None, &[]),
            it(1, Some(8), &[("vector.shuffle", 128)]),
            it(2, Some(64), &[fma]),
            it(1, Some(16), &[("arith.divf", 1)]),
            it(2, Some(256), &[fma, ("vector.load", 2)]),
            it(2, Some(4), &[("vector.fma", 2)]),
        ];
        let expected = MostWork {
            line: 4,
            order: 1,
            of_as_many: 2,
        };
        assert_eq!(most_work(&loops), Some(expected));
        assert_eq!(most_work(&loops[..2]), None);
        let mut record = record();
        record.kernels[0].loops = loops.to_vec();
        let others = others(&record, &row(&record));
        assert_eq!(others[2..4], ["shuffles of vectors", "divisions"]);
        assert_eq!(
            [1, 2, 3, 4, 11, 12, 21].map(ordinal).join(" "),
            "1st 2nd 3rd 4th 11th 12th 21st"
        );
    }

    /// Of two call sites with the same code, the one that other programs disturbed has the same
    /// account.
    #[test]
    fn accounts_are_of_the_fastest_run() {
        let mut record = record();
        let account = |record: &CompilationRecord| {
            let row = row(record);
            let limit = format::tenths(row.efficiency().unwrap());
            (limit, sentences(record, &row, (limit, 0)))
        };
        let run = record.run.as_mut().unwrap();
        run.sites[0].spread.least = 1e-3 / run.runs as f64;
        let expected = account(&record);
        assert_eq!(expected.0, 502);
        record.run.as_mut().unwrap().sites[0].seconds = 1.55e-3;
        assert_eq!(account(&record), expected);
    }

    /// Operands that are in L2 when they are read again: 1 MB at 1 GB/s is all of a call of 1 ms.
    #[test]
    fn operands_that_loops_read_again_have_a_size() {
        let record = record();
        let machine = record.machine.as_ref().unwrap();
        let again = |bytes, between| Again { bytes, between };
        let work = LoopWork {
            again: vec![again(1e5, 30_000.0), again(1e6, 10_000.0)],
            ..LoopWork::default()
        };
        let part = read_again(&record, machine, &work).unwrap();
        assert!((part.seconds - 1e-4).abs() < 1e-12);
        assert_eq!(
            part.text,
            "operands that its loops read again when L1 no longer has them (100.00 kB from L2 at 1.00 GB/s)"
        );
    }

    /// A kernel that copies 800 kB of memory, in rows.
    #[test]
    fn kernels_that_data_limit_have_an_account() {
        let mut record = record();
        record.machine.as_mut().unwrap().call_seconds = 2e-6;
        let call = &mut record.calls[0];
        (call.flops, call.tasks) = (16_000, None);
        call.buffers = vec![CallBuffer {
            bytes: Some(400_000),
            touched: Some(400_000),
            is_written: true,
            ..CallBuffer::default()
        }];
        let mut row = row(&record);
        assert_eq!(row.bound, Some(Bound::Memory));
        row.work = Some(LoopWork {
            moved: Some(2_800_000.0),
            rows: Some(Rows {
                bytes: 128.0,
                stride: 3072.0,
            }),
            ..LoopWork::default()
        });
        // 40 kB of L1, 60 kB of L2 and 700 kB of memory are 110.4 us of 1 ms, half of it for what
        // is written; 2 MB of L1 are 20 us, the arithmetic 10 us.
        let told = sentences(&record, &row, (110, 100));
        assert_eq!(
            told[0],
            "Of the time of its fastest run, 11.0% are for data at the speed of that limit, 6% for \
             reading the lines that it writes (400.00 kB, at the speed of that limit), and threads \
             do not work for up to 10.0%, by what was measured over all runs; further, as far as it \
             does not go on beside these data, up to 2% for loading and storing again what it \
             touches (2.80 MB in all, at the 100.00 GB/s of L1), up to 1% for arithmetic (0.02 \
             MFLOP at 1.60 GFLOP/s). Between 70% and 83% are not accounted for: loads and stores, \
             index arithmetic, waiting \
             for them within its code."
        );
        // Its limit is that of memory: nothing is further away.
        assert!(
            told[1].starts_with("It reads rows of 128 B, the next one 3.07 kB behind:"),
            "{}",
            told[1]
        );
    }

    /// A kernel that would have all of its data in L2, and takes as long as if half were elsewhere.
    #[test]
    fn data_that_may_come_from_memory_have_a_size() {
        let mut record = record();
        record.machine.as_mut().unwrap().caches[1].bytes = 1_000_000;
        record.machine.as_mut().unwrap().bandwidth = 8e8;
        record.calls[0].flops = 0;
        record.run.as_mut().unwrap().sites[0].seconds = 2e-3;
        record.run.as_mut().unwrap().sites[0].spread.least = 2e-3;
        let row = row(&record);
        assert_eq!(row.limit(), "L2");
        let told = sentences(&record, &row, (380, 100));
        assert_eq!(
            told[1],
            "It is not known whether its data come from there: from memory, at 0.80 GB/s, they \
             would be 50% of its time."
        );
        // Nothing takes longer than all.
        record.machine.as_mut().unwrap().bandwidth = 3e8;
        let told = sentences(&record, &row, (380, 100));
        assert!(
            told[1].starts_with(
                "Its data do not all come from memory: at 0.30 GB/s that would take longer"
            ),
            "{}",
            told[1]
        );
        // What is accounted for needs no guess.
        let told = sentences(&record, &row, (580, 400)).join(" ");
        assert!(!told.contains("It is not known"), "{told}");
    }
}
