//! What the time of a kernel is made of, as far as that can be computed: the limit, threads that do
//! not work, what its code does beyond that, and what is left.
//!
//! What can be counted has a part of the time by what was measured of the machine: arithmetic
//! that no result needs, data that no near cache holds or that loops read again, copies within the
//! kernel, the start of a call. All is of the fastest run, since other programs only add to it: its
//! time, and what threads did in it. A processor loads and stores while it computes, so what does
//! not have the units of the limit has no part of its own.

use super::{
    code_samples, copied, format, inner_loop, last_use,
    loop_work::{LoopWork, Rows},
    machine::{self, Level},
    reread, roof,
    rows::{Bound, Row},
    verdict,
};
use halo_runtime::compilation_record::{CompilationRecord, Loop, Machine};
use std::cmp::Reverse;

/// Less than this part of the time is in the rest, which is told from so many tenths of a percent
/// on.
const LEAST: f64 = 0.002;
const LEAST_REST: i64 = 5;
/// So much of the time, in tenths of a percent, is worth a guess.
const MUCH: i64 = 50;
/// The operations that an elementary function is made of, about: those of an exponential of f32.
pub const OF_FUNCTION: u64 = 20;

/// What is said of tasks whose threads have no processor.
pub const PREEMPTED: &str = "time in which other programs have the cores of its tasks";

/// What is said of tasks that took less in other runs.
pub const SLOWED: &str = "time that its tasks take longer than each did in another run, with the same code and data (other programs use the same cores and caches, or the clock is slower)";

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
pub struct Part {
    pub seconds: f64,
    pub text: String,
    pub kind: PartKind,
}

/// How a part of the time is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartKind {
    /// It is reckoned, and nothing of the limit goes on meanwhile.
    Alone,
    /// It is reckoned, and may go on at the same time as what the limit is of.
    Beside,
    /// It was measured by samples of the code, which are right within some percent.
    Sampled,
}

/// The whole time of a kernel in its fastest run, in tenths of a percent.
pub struct Account {
    limit: i64,
    idle: i64,
    /// Threads had tasks, and no processor.
    preempted: i64,
    /// Tasks took longer than in the runs where they took the least.
    slowed: i64,
    /// What else is in no other part, the most first.
    alone: Vec<(i64, String)>,
    /// What may go on at the same time as the work of the limit.
    beside: Vec<(i64, String)>,
    /// What is left.
    pub rest: i64,
    /// The part of the time in which threads do not work, have no processor or are disturbed.
    away: f64,
}

impl Account {
    /// `None` if the time of a call or the limit is not known.
    pub fn of(record: &CompilationRecord, row: &Row) -> Option<Self> {
        let (machine, time) = record.machine.as_ref().zip(time_of_call(row))?;
        let limit = format::tenths(row.efficiency()?);
        let threads = row.fastest_threads.unwrap_or_default();
        let at_best = row.least_busy.unwrap_or(threads.busy);
        let slowed = (threads.busy - threads.preempted - at_best).max(0.0);
        let away = [
            threads.not_working(),
            threads.part(threads.preempted),
            threads.part(slowed),
        ];
        let [idle, preempted, slowed] = away.map(format::tenths);
        let away: f64 = away.iter().sum();
        let working = (1.0 - away) * time;
        let parts = match row.bound {
            Some(Bound::Start) => Vec::new(),
            _ => parts(record, machine, row, working),
        };
        let told = parts
            .into_iter()
            .filter(|part| part.seconds / time >= LEAST);
        let (mut beside, mut alone) = (Vec::new(), Vec::new());
        let mut left = 1000 - limit - idle - preempted - slowed;
        let (sampled, others): (Vec<Part>, Vec<Part>) =
            told.partition(|part| part.kind == PartKind::Sampled);
        for part in others.into_iter().chain(sampled) {
            let share = format::tenths(part.seconds / time);
            let share = match part.kind {
                PartKind::Beside => {
                    beside.push((share, part.text));
                    continue;
                }
                PartKind::Alone => share,
                // No more than there is.
                PartKind::Sampled => share.min(left.max(0)),
            };
            left -= share;
            alone.push((share, part.text));
        }
        beside.sort_by_key(|(share, _)| Reverse(*share));
        Some(Self {
            limit,
            idle,
            preempted,
            slowed,
            alone,
            beside,
            rest: left,
            away,
        })
    }

    /// The part of the time above the limit in which threads work undisturbed, in tenths of a
    /// percent.
    pub fn above_limit(&self) -> i64 {
        1000 - self.limit - self.idle - self.preempted - self.slowed
    }

    /// What the time went to: a sentence.
    pub fn parts(&self, row: &Row) -> String {
        let for_what = match row.bound {
            Some(Bound::Start) => "the start of the call",
            Some(Bound::Compute) => "that arithmetic",
            _ => "these data",
        };
        let mut told: Vec<(i64, String)> = self.alone.clone();
        told.push((self.limit, for_what.to_owned()));
        told.push((self.idle, "time in which threads do not work".to_owned()));
        told.push((self.preempted, PREEMPTED.to_owned()));
        told.push((self.slowed, SLOWED.to_owned()));
        if self.rest >= LEAST_REST {
            told.push((self.rest, "the rest of its code".to_owned()));
        }
        told.retain(|(share, _)| *share > 0);
        told.sort_by_key(|(share, _)| Reverse(*share));
        let order = match told.len() {
            0 | 1 => "",
            _ => ", the largest part first",
        };
        let told: Vec<String> = told
            .iter()
            .map(|(share, text)| format!("{} {text}", format::percent(*share)))
            .collect();
        let over = match (-self.rest >= LEAST_REST, self.idle > 0, row.bound) {
            (false, ..) | (_, _, Some(Bound::Start)) => "",
            (true, true, Some(Bound::Memory)) => {
                ". That is more than all: a thread that works while another one does not gets more than its part of the data"
            }
            _ => ". That is more than all: the machine was slower when its limits were measured",
        };
        format!("Of that time{order}: {}{over}.", told.join(", "))
    }
}

/// What is known of the rest of the time of a kernel in its fastest run, in sentences.
pub fn sentences(record: &CompilationRecord, row: &Row, account: &Account) -> Vec<String> {
    let Some(time) = time_of_call(row) else {
        return Vec::new();
    };
    let rest = account.rest;
    let kernels = row.kernels.iter();
    let kernels = kernels.filter_map(|number| record.kernels.get(*number as usize));
    let mut sentences: Vec<String> = kernels.filter_map(code_samples::sentence).collect();
    // Where loops were measured, a little that is left needs no list of what it may be.
    let least = match sentences.is_empty() {
        true => LEAST_REST,
        false => MUCH,
    };
    if rest >= least {
        sentences.push(rest_sentence(record, row, account));
    }
    let above = account.above_limit();
    if above >= LEAST_REST && row.bound == Some(Bound::Compute) {
        let working = (1.0 - account.away) * time;
        let copied = row
            .work
            .as_ref()
            .and_then(|work| copied::sentence(record, row, work, working));
        sentences.extend(copied);
    }
    sentences.extend(inner_loop::sentence(record, row));
    sentences.extend(from_memory(record, row, (time, rest)));
    sentences.extend(
        row.work
            .as_ref()
            .and_then(|work| rows_read(record, row, above, work)),
    );
    sentences
}

/// What the rest of the code may be.
fn rest_sentence(record: &CompilationRecord, row: &Row, account: &Account) -> String {
    let Account {
        idle,
        preempted,
        slowed,
        beside,
        rest,
        ..
    } = account;
    let away = idle + preempted + slowed;
    let mut text = format!("The rest of its code, {}", format::percent(*rest));
    let limit = row.efficiency();
    if let (Some(limit), Some(Bound::Compute), 1..) = (limit, row.bound, away) {
        let reached = limit / (1.0 - account.away).max(1e-3);
        text += &format!(
            " (in the time in which they work undisturbed, its threads reach {} of the speed of its limit)",
            format::share(reached, 1.0)
        );
    }
    let others = others(record, row).join(", ");
    if beside.is_empty() {
        return format!("{text}, is not accounted for: {others}.");
    }
    let named = beside
        .iter()
        .map(|(share, part)| format!("{} {part}", format::percent(*share)));
    let named: Vec<String> = named.collect();
    let while_what = match row.bound {
        Some(Bound::Compute) => "it computes",
        _ => "its data come",
    };
    format!(
        "{text}. Its other work, as far as it was counted, would take by itself at what was measured of the machine: {}. Some of it goes on while {while_what}, and data that do not follow each other take longer. Others have no size here: {others}.",
        named.join(", ")
    )
}

/// What is known of the time of a call beside its limit. Its threads work undisturbed for a part of
/// it.
fn parts(record: &CompilationRecord, machine: &Machine, row: &Row, working: f64) -> Vec<Part> {
    let work = row.work.as_ref();
    let is_compute = row.bound == Some(Bound::Compute);
    let (own, again) = match is_compute {
        true => {
            let edges = work.and_then(|work| edges(machine, row, work));
            let again = reread::parts(record, machine, row);
            (vec![edges, further(record, row)], again)
        }
        false => {
            let moves = work.and_then(|work| loads_and_stores(machine, row, work));
            let own = vec![arithmetic(machine, row), moves, written(record, row)];
            (own, Vec::new())
        }
    };
    let sampled = || copied::sampled(record, row, working);
    let sampled = is_compute.then(sampled).flatten();
    let copies = work.and_then(|work| copied::copies(record, machine, work));
    let both = [
        // What was measured is known better than what can be reckoned.
        sampled.or(copies),
        functions(machine, row),
        start(record, machine),
    ];
    let known = own.into_iter().chain(both).flatten();
    known.chain(again).collect()
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
        others.push("operands that it reads several times (how often is not known, since it reads parts of buffers or its loops end where a call says)");
    }
    others.push("stalls on them within its code");
    others
}

/// Of its fastest run.
pub fn time_of_call(row: &Row) -> Option<f64> {
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
        kind: PartKind::Alone,
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
        kind: PartKind::Beside,
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
        kind: match row.bound {
            Some(Bound::Compute) => PartKind::Alone,
            _ => PartKind::Beside,
        },
        text: format!(
            "elementary functions, such as exponentials, which the limit does not count ({}, reckoned as {OF_FUNCTION} operations each)",
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
        kind: PartKind::Beside,
        text: format!(
            "loading and storing again what it touches ({} in all, at the {} GB/s of {})",
            format::size(moved as u64),
            format::giga(cache.bandwidth),
            cache.name
        ),
    })
}

/// The bytes of caches' lines that a call reads before it writes them, which the limit does not
/// count.
pub fn written_lines(record: &CompilationRecord, row: &Row) -> Option<u64> {
    let call = record.calls.get(*row.calls.first()? as usize)?;
    let kernels = row.kernels.iter();
    let mut kernels = kernels.filter_map(|it| record.kernels.get(*it as usize));
    // Stores past the caches read no lines.
    if kernels.any(|kernel| kernel.assembly.contains("vmovnt")) {
        return None;
    }
    let written = call.buffers.iter().filter(|buffer| buffer.is_written);
    let bytes: u64 = written.filter_map(|it| it.touched.or(it.bytes)).sum();
    (bytes > 0 && row.bound == Some(Bound::Memory)).then_some(bytes)
}

/// The time of these.
fn written(record: &CompilationRecord, row: &Row) -> Option<Part> {
    let bytes = written_lines(record, row)?;
    let (estimate, all) = (row.estimate?, row.known_bytes()?);
    Some(Part {
        seconds: bytes as f64 * estimate / all,
        kind: PartKind::Alone,
        text: format!(
            "reading the lines that it writes ({}, at the speed of that limit)",
            format::size(bytes)
        ),
    })
}

/// What data would take that come from memory, where caches could have them and much of the time
/// is not accounted for, in tenths of a percent.
fn from_memory(record: &CompilationRecord, row: &Row, (time, rest): (f64, i64)) -> Option<String> {
    let machine = record.machine.as_ref()?;
    let bytes = row.per_call(row.known_bytes()?)?;
    // Bandwidths are those of all threads together.
    let are_all =
        (row.fastest_threads).is_none_or(|times| verdict::are_all_at_work(record, &times));
    let is_further = are_all && row.bound == Some(Bound::Memory) && row.limit() != machine::MEMORY;
    let share = bytes / machine.bandwidth.max(1.0) / time;
    let more = format::tenths(share - row.efficiency()?);
    let bandwidth = format::giga(machine.bandwidth);
    let is_worth = is_further && rest >= MUCH && more >= MUCH;
    is_worth.then(|| match share > 1.0 {
        true => format!(
            "Its data do not all come from memory: at {bandwidth} GB/s that would take longer than it does; how many come from {} is not known.",
            row.limit()
        ),
        false => format!(
            "It is not known whether its data come from there: from memory, at {bandwidth} GB/s, they would be {} of its time.",
            format::share(share, 1.0)
        ),
    })
}

/// Narrow rows, which come slower than the streams that bandwidths were measured with.
fn rows_read(record: &CompilationRecord, row: &Row, above: i64, work: &LoopWork) -> Option<String> {
    let Rows { bytes, stride } = work.rows?;
    let has_further = || above >= LEAST_REST && verdict::too_small(record, row).is_some();
    let are_told = row.bound == Some(Bound::Memory) || has_further();
    are_told.then(|| {
        format!(
            "It reads rows of {}, each {} after the one before: the bandwidths were measured with data that follow each other, of which a processor fetches more ahead.",
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
        kind: PartKind::Alone,
        text: format!(
            "arithmetic at edges of tiles ({} {} where {} are needed)",
            format::mega(computed),
            unit(row),
            format::mega(needed)
        ),
    })
}

/// Data of a call that the caches of its cores have no room for, from the nearest level that can
/// still have them.
fn further(record: &CompilationRecord, row: &Row) -> Option<Part> {
    let verdict::Further { cache, all, .. } = verdict::too_small(record, row)?;
    let machine = record.machine.as_ref()?;
    let levels = machine::levels(machine);
    let place = levels.iter().position(|level| level.name == cache.name)?;
    let mut of_levels = vec![0.0; levels.len()];
    let mut left = all;
    let known = last_use::parts(record, row);
    for part in &known {
        let holding = machine::holding(machine, part.between);
        let bytes = part.bytes.min(left);
        of_levels[holding.max(place + 1)] += bytes;
        left -= bytes;
    }
    // What several threads read comes from further away once.
    let rest = match known.is_empty() {
        true => levels.len() - 1,
        false => place + 1,
    };
    of_levels[rest] += left.max(0.0);
    let parts = levels.iter().zip(of_levels).rev();
    let parts: Vec<(&Level<'_>, f64)> = parts.filter(|(_, bytes)| *bytes >= 1.0).collect();
    let seconds = parts
        .iter()
        .map(|(level, bytes)| bytes / level.bandwidth.max(1.0));
    let texts = parts.iter().map(|(level, bytes)| level.text(*bytes));
    let texts: Vec<String> = texts.collect();
    Some(Part {
        seconds: seconds.sum(),
        kind: PartKind::Beside,
        text: format!(
            "data from further away than {} (at most {}, by what a run touches between one use of them and the next)",
            cache.name,
            texts.join(", ")
        ),
    })
}

#[cfg(test)]
mod tests {
    use super::super::{
        loop_work::EDGES,
        rows,
        samples::{self, cache},
    };
    use super::*;
    use halo_runtime::compilation_record::{
        BlockSamples, CallBuffer, CallTimes, FunctionText, Tasks,
    };

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
        (site.sum.count, site.bytes, site.sum.seconds) = (1, Some(800_000), 1e-3);
        site.sum.taking_part_seconds = 2e-3;
        (site.sum.busy_seconds, site.sum.waiting_seconds) = (2e-3, 0.0);
        (site.sum.late_seconds, site.sum.shared_count) = (0.0, 1);
        site.of_runs = vec![site.sum];
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

    /// The parts, and what is said of the rest.
    fn account(record: &CompilationRecord, row: &Row) -> (String, Vec<String>) {
        let account = Account::of(record, row).unwrap();
        (account.parts(row), sentences(record, row, &account))
    }

    fn row(record: &CompilationRecord) -> Row {
        let mut rows = rows::rows(record).into_iter();
        rows.find(|row| row.name == "main_kernel_0").unwrap()
    }

    #[test]
    fn parts_of_the_time_above_arithmetic_add_up() {
        let record = record();
        let row = &row(&record);
        // 802 816 operations at 1.6 GFLOP/s are 50.2%, 114 688 more are 7.2%; 800 kB of 14 GB/s
        // are 5.7%, and 32 kB of 100 GB/s 0.03%.
        let (parts, told) = account(&record, row);
        assert_eq!(
            parts,
            "Of that time, the largest part first: 50.2% that arithmetic, 42.6% the rest of its \
             code, 7.2% arithmetic at edges of tiles (0.92 MFLOP where 0.80 are needed)."
        );
        assert_eq!(
            told[0],
            "The rest of its code, 42.6%. Its other work, as far as it was counted, would take by \
             itself at what was measured of the machine: 5.7% data from further away than L2 \
             (at most 800.00 kB from memory at 14.00 GB/s, by what a run touches between one use of \
             them and the next). Some of it goes on while it computes, and data that do not follow \
             each other take longer. Others have no size here: loads and stores, index arithmetic, \
             stalls on them within its code."
        );
        assert_eq!(
            told[1],
            "It copies 32.77 kB of a buffer in loops that compute nothing."
        );
        assert_eq!(
            told[2],
            "Of the 6 instructions of its innermost loop, 1 compute, 1 only read memory, and 4 are others."
        );
        // The threads wait in the fastest run for so much of its time, whatever they did in others.
        let idle = |part: f64| {
            let mut row = row.clone();
            let times = row.fastest_threads.as_mut().unwrap();
            times.waiting = part * times.all;
            account(&record, &row)
        };
        let (parts, told) = idle(0.398);
        assert!(
            parts.contains(
                "50.2% that arithmetic, 39.8% time in which threads do not work, 7.2% arithmetic"
            ) && parts.ends_with(", 2.8% the rest of its code."),
            "{parts}"
        );
        // Or other programs have its cores.
        let mut disturbed = row.clone();
        let times = disturbed.fastest_threads.as_mut().unwrap();
        times.preempted = 0.2 * times.all;
        assert!(
            account(&record, &disturbed)
                .0
                .contains("22.6% the rest of its code, 20.0% time in which other programs have"),
        );
        // Or its tasks were faster in other runs.
        let mut slowed = row.clone();
        slowed.least_busy = Some(1.8e-3);
        assert!(
            account(&record, &slowed)
                .0
                .contains("32.6% the rest of its code, 10.0% time that its tasks take longer than"),
        );
        // No part is more than there is.
        assert!(
            told[0].starts_with(
                "The rest of its code, 2.8% (in the time in which they work undisturbed, its threads reach 83.3% of the speed of its limit). Its other work"
            ) && told[0].contains(": 5.7% data from further away"),
            "{}",
            told[0]
        );
        // Nothing is left, and no part is cut without a word.
        let (parts, told) = idle(0.498);
        assert!(
            parts.ends_with("7.2% arithmetic at edges of tiles (0.92 MFLOP where 0.80 are needed). That is more than all: the machine was slower when its limits were measured."),
            "{parts}"
        );
        assert_eq!(told.len(), 1, "{told:?}");
    }

    /// All samples are in a loop that computes nothing: it has no more than what is left.
    #[test]
    fn samples_are_of_no_more_than_is_left() {
        let mut record = record();
        record.kernels[0].assembly =
            "main_kernel_0:\n.LBB0_1:\n\tvmovups\t(%rdi), %zmm0\n\tjb\t.LBB0_1\n".to_owned();
        record.kernels[0].samples = vec![BlockSamples {
            function: "main_kernel_0".to_owned(),
            block: 1,
            count: 400,
        }];
        let row = row(&record);
        let (parts, told) = account(&record, &row);
        assert!(
            parts.contains("% its loops that compute nothing (.LBB0_1, by how often"),
            "{parts}"
        );
        assert!(!parts.contains("more than all") && !parts.contains("the rest of its code"));
        assert!(
            told[0].starts_with("Of 400 times that a thread was found in its code, it was, in loops without those within them: 100.0% in .LBB0_1, which computes nothing among 2 instructions. Shares of so many are right within about 5.0%"),
            "{told:?}"
        );
    }

    #[test]
    fn ops_that_have_no_size_are_named() {
        let mut record = record();
        record.kernels[0].loops = vec![Loop {
            ops: vec![
                ("vector.shuffle".to_owned(), 2),
                ("arith.divf".to_owned(), 1),
            ],
            ..Loop::default()
        }];
        let others = others(&record, &row(&record));
        assert_eq!(others[2..4], ["shuffles of vectors", "divisions"]);
    }

    /// Of two call sites with the same code, the one that other programs disturbed has the same
    /// account.
    #[test]
    fn accounts_are_of_the_fastest_run() {
        let mut record = record();
        let told = |record: &CompilationRecord| account(record, &row(record));
        let expected = told(&record);
        let site = &mut record.run.as_mut().unwrap().sites[0];
        let disturbed = CallTimes {
            seconds: 2.1e-3,
            waiting_seconds: 1e-3,
            ..site.sum
        };
        site.of_runs.insert(0, disturbed);
        site.sum += disturbed;
        site.bytes = site.bytes.map(|bytes| 2 * bytes);
        assert_eq!(told(&record), expected);
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
        let (parts, told) = account(&record, &row);
        assert_eq!(
            parts,
            "Of that time, the largest part first: 83.5% the rest of its code, 11.0% these data, \
             5.5% reading the lines that it writes (400.00 kB, at the speed of that limit)."
        );
        assert_eq!(
            told[0],
            "The rest of its code, 83.5%. Its other work, as far as it was counted, would take by \
             itself at what was measured of the machine: 2.0% loading and storing again what it \
             touches (2.80 MB in all, at the 100.00 GB/s of L1), 1.0% arithmetic (0.02 MFLOP at \
             1.60 GFLOP/s). Some of it goes on while its data come, and data that do not follow each \
             other take longer. Others have no size here: loads and stores, index arithmetic, stalls \
             on them within its code."
        );
        // Its limit is that of memory: nothing is further away.
        assert!(
            told[1].starts_with("It reads rows of 128 B, each 3.07 kB after the one before:"),
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
        let site = &mut record.run.as_mut().unwrap().sites[0];
        (site.sum.seconds, site.sum.busy_seconds) = (2e-3, 4e-3);
        site.sum.taking_part_seconds = 4e-3;
        site.of_runs = vec![site.sum];
        let mut row = row(&record);
        assert_eq!(row.limit(), "L2");
        let told = account(&record, &row).1;
        assert_eq!(
            told[1],
            "It is not known whether its data come from there: from memory, at 0.80 GB/s, they \
             would be 50.0% of its time."
        );
        // Nothing takes longer than all.
        record.machine.as_mut().unwrap().bandwidth = 3e8;
        let told = account(&record, &row).1;
        assert!(
            told[1].starts_with(
                "Its data do not all come from memory: at 0.30 GB/s that would take longer"
            ),
            "{}",
            told[1]
        );
        // What is accounted for needs no guess.
        let times = row.fastest_threads.as_mut().unwrap();
        times.idle = 0.6 * times.all;
        let told = account(&record, &row).1.join(" ");
        assert!(!told.contains("It is not known"), "{told}");
    }
}
