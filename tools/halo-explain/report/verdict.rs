//! What limits a kernel, and what is known of the time above that, in sentences.

use super::{
    account::{self, Account},
    format, machine,
    roof::{self, Source},
    rows::{Bound, Row},
    tasks,
    thread_times::ThreadTimes,
};
use halo_runtime::compilation_record::{
    Arithmetic, CacheLevel, CallPurpose, CompilationRecord, Machine,
};

/// Reasons that are less of the time than this are not told.
pub const LEAST: f64 = 0.05;
/// Idle threads and an account of the rest are not told of less, in tenths of a percent.
const LEAST_IDLE: f64 = 0.05;
const LEAST_LEFT: i64 = 50;

/// All threads work if as many do on average, as a part of them.
const ALL: f64 = 0.9;
/// Less than this part of the mean is not told.
const LEAST_OF_MEAN: f64 = 0.005;
/// A mean above the fastest run by more than this factor is told.
const SPREAD: f64 = 1.05;

/// What limits a kernel, and what is known of the time above that: a sentence each.
pub fn verdict(record: &CompilationRecord, row: &Row) -> Vec<String> {
    let is_fill = row.purpose == CallPurpose::Fill && !row.kernels.is_empty();
    let fill = is_fill.then(|| "It only fills a buffer with one value.".to_owned());
    let limit = limit(row, record.machine.as_ref());
    let spread = limit.as_ref().and_then(|_| spread_sentence(record, row));
    let all = fill.into_iter().chain(limit);
    all.chain(reasons(record, row)).chain(spread).collect()
}

/// The least time, and what it is for.
fn limit(row: &Row, machine: Option<&Machine>) -> Option<String> {
    let (Some(bound), Some(machine)) = (row.bound, machine) else {
        let bandwidth = row.bandwidth()?;
        return Some(format!("It moves {} GB/s.", format::giga(bandwidth)));
    };
    let seconds = row.estimate.unwrap_or_default();
    let least = format::duration(row.per_call(seconds)?);
    let why = match bound {
        Bound::Start => {
            "for its start, as one that does next to nothing; its arithmetic and its data need less"
                .to_owned()
        }
        Bound::Memory => {
            let limit = row.known_bytes().unwrap_or_default() / seconds.max(1e-12);
            format!(
                "for its data, at the {} GB/s {}",
                format::giga(limit),
                sources(row)
            )
        }
        Bound::Compute => {
            let kind = row.instructions.arithmetic;
            let limit = roof::peak(machine, kind).unwrap_or(machine.flops);
            let instruction = machine.peaks.iter().find(|peak| peak.arithmetic == kind);
            let instruction = instruction.map(|peak| format!(" of {}", peak.instruction));
            format!(
                "for its arithmetic, at the {}{} that it reaches in {}",
                machine::speed(limit, row.is_integer),
                instruction.unwrap_or_default(),
                machine::arithmetic(kind)
            )
        }
    };
    Some(format!(
        "A call cannot take less than {least} on this machine, {why}."
    ))
}

/// What a call took in the fastest run, and how fast that is.
fn measured(row: &Row) -> Option<String> {
    let seconds = row.at_best().and_then(|seconds| row.per_call(seconds))?;
    let reached = match row.bound? {
        Bound::Start => None,
        Bound::Memory => row
            .bandwidth()
            .map(|value| format!("{} GB/s", format::giga(row.rate_at_best(value)))),
        Bound::Compute => row
            .flops_per_second()
            .map(|value| machine::speed(row.rate_at_best(value), row.is_integer)),
    };
    let reached = reached.map(|reached| format!(", at {reached}"));
    Some(format!(
        "In its fastest run a call took {}{}.",
        format::duration(seconds),
        reached.unwrap_or_default()
    ))
}

/// The levels that the data of a call come from at best.
fn sources(row: &Row) -> String {
    let size = |source: &Source| {
        let bytes = row.per_call(source.bytes).unwrap_or(source.bytes);
        format::size(bytes as u64)
    };
    match &row.sources[..] {
        [] => "that memory gives".to_owned(),
        [one] => format!("that {} gives", one.level),
        [first, rest @ ..] => {
            let mut text = format!(
                "that its data allow: at best {} of a call come from {}",
                size(first),
                first.level
            );
            for (number, source) in rest.iter().enumerate() {
                let join = if number + 1 == rest.len() {
                    " and"
                } else {
                    ","
                };
                text += &format!("{join} {} from {}", size(source), source.level);
            }
            text
        }
    }
}

/// What the time of the fastest run is, as far as that is known.
pub fn reasons(record: &CompilationRecord, row: &Row) -> Vec<String> {
    let mut reasons = Vec::new();
    let Some(account) = Account::of(record, row) else {
        return reasons;
    };
    let measured = measured(row).unwrap_or_default();
    reasons.push(format!("{measured} {}", account.parts(row)));
    if row
        .fastest_threads
        .is_some_and(|it| it.not_working() >= LEAST_IDLE)
    {
        reasons.extend(tasks::idle_reasons(record, row));
    }
    if row.bound == Some(Bound::Start) || account.above_limit() < LEAST_LEFT {
        return reasons;
    }
    if let Some(text) = short_vectors(record, row) {
        reasons.push(text);
    }
    if row.bound == Some(Bound::Compute)
        && let Some(text) = cache_reason(record, row)
    {
        reasons.push(text);
    }
    if row.purpose == CallPurpose::Pack {
        reasons.push(
            "It copies an operand into the order in which the product reads it; the limit counts each byte once, from the nearest cache that could hold it."
                .to_owned(),
        );
    }
    if row.bound == Some(Bound::Memory) {
        reasons.extend(level_reason(record, row));
    }
    reasons.extend(account::sentences(record, row, &account));
    reasons
}

/// Whether all threads work while any does.
pub fn are_all_at_work(record: &CompilationRecord, times: &ThreadTimes) -> bool {
    times.at_work() > ALL * f64::from(record.threads)
}

/// How fast the data come while threads work, compared with what caches and memory that are
/// further away give to all threads.
fn level_reason(record: &CompilationRecord, row: &Row) -> Option<String> {
    let machine = record.machine.as_ref()?;
    let threads = f64::from(record.threads);
    let times = row.fastest_threads;
    let at_best = row.rate_at_best(row.bandwidth()?);
    // While no thread works, nothing is read.
    let working = times.map_or(1.0, |it| threads * it.working / it.all.max(1e-12));
    let reached = at_best / working.max(1e-12);
    let levels = machine::levels(machine);
    let limit = levels.iter().position(|level| level.name == row.limit())?;
    let further = &levels[limit + 1..];
    let of_level = |level: &machine::Level| {
        format!(
            "{} gives {} GB/s",
            level.name,
            format::giga(level.bandwidth)
        )
    };
    let are_all = times.is_none_or(|times| are_all_at_work(record, &times));
    let is_alone = !are_all && times.is_some_and(|it| it.shared == 0);
    // Where the two rates have other digits, the reader is told why.
    let differs = format::giga(reached) != format::giga(at_best);
    let while_working = match (is_alone, differs) {
        (true, _) => " while its one thread works",
        (false, true) => " while threads work",
        (false, false) => "",
    };
    let moves = format!("it moves {} GB/s{while_working}", format::giga(reached));
    let near = |level: &&machine::Level| (0.8..1.25).contains(&(reached / level.bandwidth));
    let near = further.iter().find(near);
    // What all threads together cannot get from a level, some of them cannot.
    if let Some(level) = near.filter(|level| reached > level.bandwidth) {
        return Some(format!(
            "Nearer caches give at least {} of its data: {moves}, and {}, which the rest may come from.",
            format::share(reached - level.bandwidth, reached),
            of_level(level)
        ));
    }
    let memory = further.last()?;
    // The processor reads the lines that it writes, too.
    let lines = account::written_lines(record, row).unwrap_or_default() as f64;
    let with_lines = reached * (1.0 + lines / row.per_call(row.known_bytes()?)?);
    let is_slow = with_lines < 0.8 * memory.bandwidth;
    match near {
        Some(level) if are_all => Some(format!(
            "Its data may come from further away: {moves}, and {}.",
            of_level(level)
        )),
        None if are_all && is_slow => Some(format!(
            "Even {}, and {moves}, so the bandwidth of caches and memory is not what it waits for; what it does wait for was not measured.",
            of_level(memory)
        )),
        None if are_all && lines > 0.0 => Some(format!(
            "Its data may come from further away: {moves}, {} GB/s with the lines of caches that it reads before it writes them, and {}.",
            format::giga(with_lines),
            of_level(memory)
        )),
        None if are_all => None,
        _ => is_alone.then(|| {
            format!(
                "In its code, {moves}; the bandwidths of caches and memory were measured with {} together, so it is not known where its data come from.",
                format::plural(record.threads as usize, "thread")
            )
        }),
    }
}

/// How much longer the mean is than the fastest run, which the limit and the account are of.
fn spread_sentence(record: &CompilationRecord, row: &Row) -> Option<String> {
    let runs = record.run.as_ref()?.runs;
    let seconds = row.seconds?;
    let times = seconds / row.fastest.filter(|fastest| *fastest > 0.0)?;
    let mean = format::duration(row.per_call(seconds)?);
    let parts = row.thread_times.map(|times| {
        // What each task takes at least is of one run.
        let at_best = row.least_busy.map(|busy| busy * runs as f64);
        let slowed = at_best.map(|busy| (times.busy - times.preempted - busy).max(0.0));
        [
            (times.not_working(), "time in which threads do not work"),
            (times.part(times.preempted), account::PREEMPTED),
            (times.part(slowed.unwrap_or_default()), account::SLOWED),
        ]
    });
    let parts = parts.into_iter().flatten();
    let parts: Vec<String> = parts
        .filter(|(share, _)| *share >= LEAST_OF_MEAN)
        .map(|(share, what)| format!("{} {what}", format::share(share, 1.0)))
        .collect();
    let why = match parts.is_empty() {
        true => "Other programs, or cold caches, made runs slower.".to_owned(),
        false => format!(
            "Of it: {}; the rest is the work of its tasks{}.",
            parts.join(", "),
            match row.least_busy {
                Some(_) => ", each as fast as in any run",
                None => "",
            }
        ),
    };
    (times > SPREAD).then(|| {
        format!(
            "The mean of {} is {times:.2} times that of the fastest one, {mean} for a call. {why}",
            format::plural(runs as usize, "run"),
        )
    })
}

fn short_vectors(record: &CompilationRecord, row: &Row) -> Option<String> {
    let widest = record.machine.as_ref()?.peaks.first()?;
    let widest = match &widest.instruction {
        name if name.contains("zmm") => 512,
        name if name.contains("ymm") => 256,
        _ => 128,
    };
    let bits = row.instructions.bits;
    let is_short = bits < widest && !row.kernels.is_empty() && row.flops > 0.0;
    let is_matrix = row.instructions.arithmetic == Arithmetic::Matrix;
    (is_short && !is_matrix && has_code(record, row)).then(|| match bits {
        0 => "Its code computes without vectors.".to_owned(),
        bits => format!("Its code computes in vectors of {bits} bits, where there are {widest}."),
    })
}

fn has_code(record: &CompilationRecord, row: &Row) -> bool {
    let kernels = row.kernels.iter();
    let mut kernels = kernels.filter_map(|kernel| record.kernels.get(*kernel as usize));
    kernels.any(|kernel| !kernel.assembly.is_empty())
}

/// What of a call is more than the last cache that does not hold all of it.
fn cache_reason(record: &CompilationRecord, row: &Row) -> Option<String> {
    let further = too_small(record, row)?;
    let (name, least) = (&further.cache.name, format::size(further.least as u64));
    let all = format::size(further.all as u64);
    let size = format::size(further.room as u64);
    let Some((fewest, most)) = further.of_tasks else {
        return Some(format!(
            "A call touches {all}, more than the {size} of {name}, so at least {least} of that come from further away."
        ));
    };
    let count = format::count(u64::from(record.threads));
    let (fewest, most) = (format::size(fewest as u64), format::size(most as u64));
    let touched = match fewest == most {
        true => format!("Each of {count} tasks touches {most}"),
        false => format!("Each of {count} tasks touches {fewest} to {most}"),
    };
    let known = row.per_call(row.known_bytes()?)?;
    let same = match further.all > 1.01 * known {
        true => " (some of it is the same, which each core has for itself)",
        false => "",
    };
    Some(format!(
        "{touched}, more than the {size} of a core's {name}, so at least {least} of the {all} of all tasks{same} come from further away."
    ))
}

/// Data of a call that a cache has no room for.
pub struct Further<'a> {
    pub cache: &'a CacheLevel,
    /// What it holds: for each thread, if it has one of its own, or for all.
    pub room: f64,
    /// What a task touches at least and at most, if each thread has a cache of its own.
    pub of_tasks: Option<(f64, f64)>,
    /// What all tasks touch, or the call.
    pub all: f64,
    /// What comes from further away at least.
    pub least: f64,
}

/// The last cache that does not hold what a call touches.
pub fn too_small<'a>(record: &'a CompilationRecord, row: &Row) -> Option<Further<'a>> {
    let caches = record.machine.as_ref()?.caches.iter().rev();
    let mut caches = caches.filter(|cache| cache.name != "L1");
    caches.find_map(|cache| match own_caches(record, row, cache) {
        Some(further) => Some(further).filter(|further| further.least > 0.0),
        None => {
            let all = row.per_call(row.known_bytes()?)?;
            let room = cache.bytes as f64;
            Some(Further {
                cache,
                room,
                of_tasks: None,
                all,
                least: all - room,
            })
            .filter(|further| further.least > 0.0)
        }
    })
}

/// What tasks touch beside the caches that each thread has for itself; `None` if they share one, or
/// if it is not known what they touch.
fn own_caches<'a>(
    record: &CompilationRecord,
    row: &Row,
    cache: &'a CacheLevel,
) -> Option<Further<'a>> {
    let tasks = &row.work.as_ref()?.of_tasks;
    let threads = u64::from(record.threads);
    let are_own = threads > 1 && cache.count == threads && tasks.len() as u64 == threads;
    let room = (cache.bytes / cache.count.max(1)) as f64;
    let most = tasks.iter().copied().reduce(f64::max)?;
    let fewest = tasks.iter().copied().reduce(f64::min)?;
    are_own.then(|| Further {
        cache,
        room,
        of_tasks: Some((fewest, most)),
        all: tasks.iter().sum(),
        least: tasks.iter().map(|bytes| (bytes - room).max(0.0)).sum(),
    })
}

#[cfg(test)]
mod tests {
    use super::super::{
        loop_work::LoopWork,
        rows,
        samples::{self, cache},
    };
    use super::*;
    use halo_runtime::compilation_record::{CallBuffer, CallTimes, MeasuredSite, Tasks};

    fn verdict_of(bytes: u64, flops: u64, seconds: f64, threads: u32) -> String {
        let mut record = samples::program(12);
        record.calls[0].flops = flops;
        record.calls[0].buffers.clear();
        if threads == 1 {
            record.calls[0].tasks = Some(Tasks {
                iterations: Some(64),
                least: 64,
            });
        }
        let site = &mut record.run.as_mut().unwrap().sites[0];
        (site.sum.count, site.bytes, site.sum.seconds, site.threads) =
            (1, Some(bytes), seconds, threads);
        site.sum.taking_part_seconds = f64::from(threads) * seconds;
        site.sum.busy_seconds = f64::from(threads) * seconds;
        site.sum.waiting_seconds = 0.0;
        site.of_runs = vec![site.sum];
        let rows = rows::rows(&record);
        let row = rows.iter().find(|row| row.name == "main_kernel_0").unwrap();
        verdict(&record, row).join(" ")
    }

    /// What is said of a time adds up to it.
    #[test]
    fn little_idle_time_is_told_without_a_reason() {
        let mut record = samples::program(12);
        record.calls[0].flops = 180_000_000;
        record.calls[0].buffers.clear();
        let site = &mut record.run.as_mut().unwrap().sites[0];
        (site.sum.count, site.bytes, site.sum.seconds, site.threads) = (1, Some(1_000), 0.002, 2);
        site.sum.busy_seconds = 2.0 * 0.002 * 0.96;
        site.of_runs = vec![site.sum];
        let rows = rows::rows(&record);
        let row = rows.iter().find(|row| row.name == "main_kernel_0").unwrap();
        let text = verdict(&record, row).join(" ");
        assert!(
            text.contains(
                "A call cannot take less than 1.000 ms on this machine, for its arithmetic, at the 180.00 GFLOP/s of vfmadd231ps zmm that it reaches in f32. In its fastest run a call took 2.000 ms, at 90.00 GFLOP/s. Of that time, the largest part first: 50.0% that arithmetic, 46.0% the rest of its code, 4.0% time in which threads do not work. The rest of its code, 46.0% (in the time in which they work undisturbed, its threads reach 52.1% of the speed of its limit), is not accounted for: loads"
            ),
            "{text}"
        );
    }

    #[test]
    fn verdicts_tell_what_limits_a_kernel() {
        // The machine has 14 GB/s and 180 GFLOP/s.
        let memory = "for its data, at the 14.00 GB/s that memory gives. In its fastest run a call took 1.250 ms, at 11.20 GB/s. Of that time, the largest part first: 80.0% these data";
        let compute = "for its arithmetic, at the 180.00 GFLOP/s of vfmadd231ps zmm that it reaches in f32. In its fastest run a call took 1.250 ms, at 144.00 GFLOP/s. Of that time, the largest part first: 80.0% that arithmetic, 20.0% the rest";
        let cases = [
            (14_000_000, 0, 0.001_25, 2, memory),
            (
                1_000,
                180_000_000,
                0.01,
                2,
                "largest part first: 90.0% the rest of its code, 10.0% that arithmetic. The rest of its code, 90.0%, is not accounted for: loads and stores",
            ),
            (1_000, 180_000_000, 0.001_25, 2, compute),
            (
                1_000,
                180_000_000,
                0.002_5,
                1,
                "not work for 50.0% of that time: for 50.0% there is no task for the other thread. There is one task of 64 iterations: that is too little work for a second thread",
            ),
        ];
        for (bytes, flops, seconds, threads, expected) in cases {
            let text = verdict_of(bytes, flops, seconds, threads);
            assert!(text.contains(expected), "{text}");
        }
    }

    /// A call of 1 us, of which 0.4 us are those of a call that does next to nothing.
    #[test]
    fn a_kernel_with_little_work_is_limited_by_the_start_of_its_call() {
        let mut record = samples::program(12);
        record.machine.as_mut().unwrap().call_seconds = 0.4e-6;
        record.calls[0].flops = 100;
        let site = &mut record.run.as_mut().unwrap().sites[0];
        (site.sum.count, site.bytes, site.sum.seconds) = (1, Some(1_000), 1e-6);
        site.of_runs = vec![site.sum];
        let rows = rows::rows(&record);
        let row = rows.iter().find(|row| row.name == "main_kernel_0").unwrap();
        assert_eq!(row.limit(), "start");
        let text = verdict(&record, row).join(" ");
        assert!(
            text.starts_with(
                "A call cannot take less than 0.40 us on this machine, for its start, as one that \
                 does next to nothing; its arithmetic and its data need less. In its fastest run a call \
                 took 1.00 us. Of that time"
            ),
            "{text}"
        );
        assert!(!text.contains("accounted for"), "{text}");
    }

    #[test]
    fn what_is_known_of_the_rest_is_told() {
        let mut record = samples::program(12);
        record.kernels[0].assembly = "\tvfmadd231ps\t%ymm1, %ymm2, %ymm3\n".to_owned();
        record.calls[0].flops = 100_000_000;
        record.calls[0].transcendentals = 200_000_000;
        record.calls[0].tasks = Some(Tasks {
            iterations: Some(3),
            least: 1,
        });
        let site = &mut record.run.as_mut().unwrap().sites[0];
        (site.sum.count, site.sum.seconds, site.sum.busy_seconds) = (1, 1.0, 1.5);
        site.sum.waiting_seconds = 0.2;
        (
            site.sum.shared_count,
            site.sum.taking_part_seconds,
            site.sum.late_seconds,
        ) = (1, 2.0, 0.3);
        // The other run was not disturbed.
        (site.sum.count, site.sum.seconds) = (2, 1.5);
        let fastest = CallTimes {
            count: 1,
            seconds: 0.5,
            busy_seconds: 0.75,
            preempted_seconds: 0.0,
            waiting_seconds: 0.1,
            shared_count: 1,
            taking_part_seconds: 1.0,
            late_seconds: 0.15,
        };
        let slowest = CallTimes {
            seconds: 1.0,
            ..fastest
        };
        site.of_runs = vec![slowest, fastest];
        let rows = rows::rows(&record);
        let row = rows.iter().find(|row| row.name == "main_kernel_0").unwrap();
        let text = verdict(&record, row).join(" ");
        for expected in [
            "do not work for 25.0% of that time: for 15.0% tasks have not begun yet, for 10.0% they wait for tasks of others. A thread begins its first task 75.000 ms after the start of a call, on average. Its iterations are 2 tasks, of 2 and of 1, so the shorter one waits.",
            "The mean of 10 runs is 1.50 times that of the fastest one, 750.000 ms for a call. Of it: 50.0% time in which threads do not work; the rest is the work",
            "elementary functions, such as exponentials, which the limit does not count (200.00 M, reckoned as",
            "vectors of 256 bits, where there are 512",
        ] {
            assert!(text.contains(expected), "{text}");
        }
        // Tasks that took less in another run: 1 s in 10 runs, of 1.5.
        record.run.as_mut().unwrap().sites[0].least_busy_seconds = Some(0.1);
        let rows = rows::rows(&record);
        let row = rows.iter().find(|row| row.name == "main_kernel_0").unwrap();
        let text = verdict(&record, row).join(" ");
        let why =
            "Of it: 50.0% time in which threads do not work, 16.7% time that its tasks take longer";
        assert!(
            text.contains(why) && text.ends_with("of its tasks, each as fast as in any run."),
            "{text}"
        );
    }

    /// Caches of 100 kB and 1 MB with 100 and 50 GB/s, and memory with 14.
    fn with_caches(seconds: f64) -> String {
        with_threads(seconds, |_| {})
    }

    /// What changes is the work of threads, both of which are busy all the time else.
    fn with_threads(seconds: f64, change: impl Fn(&mut MeasuredSite)) -> String {
        with_record(seconds, |record| {
            change(&mut record.run.as_mut().unwrap().sites[0]);
        })
    }

    fn with_record(seconds: f64, change: impl Fn(&mut CompilationRecord)) -> String {
        let mut record = samples::program(12);
        record.machine.as_mut().unwrap().caches =
            vec![cache("L1", 100_000, 1e11), cache("L2", 1_000_000, 5e10)];
        record.calls[0].flops = 1_000;
        record.calls[0].buffers.clear();
        let site = &mut record.run.as_mut().unwrap().sites[0];
        (site.sum.count, site.bytes, site.sum.seconds, site.threads) =
            (1, Some(600_000), seconds, 2);
        site.sum.busy_seconds = 2.0 * seconds;
        (site.sum.waiting_seconds, site.sum.late_seconds) = (0.0, 0.0);
        change(&mut record);
        let site = &mut record.run.as_mut().unwrap().sites[0];
        site.of_runs = vec![site.sum];
        let rows = rows::rows(&record);
        let row = rows.iter().find(|row| row.name == "main_kernel_0").unwrap();
        verdict(&record, row).join(" ")
    }

    #[test]
    fn the_cache_that_limits_a_kernel_is_named() {
        // 1 us for what L1 holds and 10 us for the rest.
        let text = with_caches(20e-6);
        assert!(
            text.starts_with(
                "A call cannot take less than 11.00 us on this machine, for its data, at the 54.55 \
                 GB/s that its data allow: at best 100.00 kB of a call come from L1 and 500.00 kB \
                 from L2. In its fastest run a call took 20.00 us, at 30.00 GB/s. Of that time, the \
                 largest part first: 55.0% these data, 45.0% the rest of its code."
            ),
            "{text}"
        );
        // What is not known is named so.
        assert!(
            text.contains("The rest of its code, 45.0%, is not accounted for"),
            "{text}"
        );
        let text = with_caches(600e3 / 14e9);
        assert!(
            text.contains(
                "may come from further away: it moves 14.00 GB/s, and memory gives 14.00 GB/s."
            ),
            "{text}"
        );
        // A tenth more than memory gives.
        let text = with_caches(600e3 / 15.4e9);
        assert!(
            text.contains(
                "Nearer caches give at least 9.1% of its data: it moves 15.40 GB/s, and memory \
                 gives 14.00 GB/s, which the rest may come from."
            ),
            "{text}"
        );
        let text = with_caches(1e-3);
        assert!(
            text.contains("Even memory gives 14.00 GB/s, and it moves 0.60 GB/s, so"),
            "{text}"
        );
    }

    /// 600 kB in 60 us, of which half are written: their lines are read before.
    #[test]
    fn memory_is_not_ruled_out_where_lines_are_read_before_they_are_written() {
        let text = with_record(60e-6, |record| {
            record.calls[0].buffers = vec![CallBuffer {
                touched: Some(300_000),
                is_written: true,
                ..CallBuffer::default()
            }];
        });
        assert!(
            text.contains(
                "Its data may come from further away: it moves 10.00 GB/s, 15.00 GB/s with the lines \
                 of caches that it reads before it writes them, and memory gives 14.00 GB/s."
            ),
            "{text}"
        );
    }

    /// Kernels of one thread of two, which is their time by the clock: 600 kB in 40 us.
    #[test]
    fn rates_are_of_the_time_in_which_a_thread_works() {
        let text = with_threads(40e-6, |site| {
            (site.threads, site.sum.shared_count) = (1, 0);
            (site.sum.busy_seconds, site.sum.taking_part_seconds) =
                (site.sum.seconds, site.sum.seconds);
        });
        assert!(
            text.contains("a call took 40.00 us, at 15.00 GB/s"),
            "{text}"
        );
        // Memory gives 14 GB/s to both threads.
        assert!(
            text.contains("Nearer caches give at least 6.7% of its data: it moves 15.00 GB/s while its one thread works, and"),
            "{text}"
        );
        let text = with_threads(50e-6, |site| {
            (site.threads, site.sum.shared_count) = (1, 0);
            (site.sum.busy_seconds, site.sum.taking_part_seconds) =
                (site.sum.seconds, site.sum.seconds);
        });
        assert!(
            text.contains("In its code, it moves 12.00 GB/s while its one thread works; the bandwidths of caches and memory were measured with 2 threads together, so it is not known"),
            "{text}"
        );
        // One of two threads has a tenth of the work: it waits, and the other one works.
        let text = with_threads(50e-6, |site| {
            site.sum.busy_seconds = 1.1 * site.sum.seconds;
            site.sum.taking_part_seconds = 2.0 * site.sum.seconds;
            site.sum.waiting_seconds = 0.9 * site.sum.seconds;
        });
        assert!(!text.contains("it moves"), "{text}");
    }

    /// Two tasks of 3 MB and 1.5 MB beside caches of 1 MB each, where a call touches 4 MB.
    #[test]
    fn tasks_are_compared_with_the_caches_of_their_threads() {
        let mut record = samples::program(12);
        record.calls[0].buffers.clear();
        let site = &mut record.run.as_mut().unwrap().sites[0];
        (site.sum.count, site.bytes) = (1, Some(4_000_000));
        site.of_runs = vec![site.sum];
        let machine = record.machine.as_mut().unwrap();
        machine.caches = vec![cache("L1", 40_000, 4e11), cache("L2", 2_000_000, 2e11)];
        machine.caches[1].count = 2;
        let rows = rows::rows(&record);
        let mut row = rows
            .into_iter()
            .find(|row| row.name == "main_kernel_0")
            .unwrap();
        let shared = "A call touches 4.00 MB, more than the 2.00 MB of L2, so at least 2.00 MB of that come from further away.";
        assert_eq!(cache_reason(&record, &row).as_deref(), Some(shared));
        let work = |of_tasks: &[f64]| {
            Some(LoopWork {
                of_tasks: of_tasks.to_vec(),
                ..LoopWork::default()
            })
        };
        row.work = work(&[3e6, 1.5e6]);
        let own = "Each of 2 tasks touches 1.50 MB to 3.00 MB, more than the 1.00 MB of a core's L2, so at least 2.50 MB of the 4.50 MB of all tasks (some of it is the same, which each core has for itself) come from further away.";
        assert_eq!(cache_reason(&record, &row).as_deref(), Some(own));
        // One of them fits, and together they touch each byte once.
        row.work = work(&[3.2e6, 0.8e6]);
        let further = too_small(&record, &row).unwrap();
        assert_eq!((further.least, further.all), (2.2e6, 4e6));
        // Both do, although the call does not as a whole.
        row.work = work(&[0.9e6, 0.9e6]);
        assert!(too_small(&record, &row).is_none());
        // Of one thread, or where it is not known what tasks touch, the call counts.
        row.work = work(&[]);
        assert_eq!(too_small(&record, &row).unwrap().least, 2e6);
    }
}
