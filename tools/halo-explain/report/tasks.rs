//! How the iterations of a kernel are divided among threads, and what these do while it runs.
//!
//! A call makes at most one task for each thread, of iterations that follow each other. The
//! thread that calls also runs the tasks that no other thread has begun when its own is done
//! (`halo_runtime::host`), so that short calls often run on one thread.

use super::{format, rows::Row, thread_times::ThreadTimes, verdict};
use halo_runtime::{
    compilation_record::{CallBuffer, CallKind, CallPurpose, CompilationRecord, KernelCall, Tasks},
    host::ThreadPool,
};
use std::{
    cmp::Reverse,
    ops::{Range, RangeInclusive},
};

/// Tasks of a call: how many there are, of how many iterations, and how many the last one has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Division {
    tasks: u64,
    each: u64,
    last: u64,
}

impl Division {
    /// The ranges of the runtime's pool of threads, all of which are free.
    fn of(iterations: u64, least: u64, threads: u64) -> Self {
        let [count, grain, threads] = [iterations, least, threads]
            .map(|number| i64::try_from(number).unwrap_or(i64::MAX).max(1));
        let each = ThreadPool::range_length(count, grain, threads).unsigned_abs();
        let tasks = iterations.div_ceil(each).max(1);
        Self {
            tasks,
            each: each.min(iterations),
            last: iterations - (tasks - 1) * each.min(iterations),
        }
    }

    fn text(self) -> String {
        let Self { tasks, each, last } = self;
        let each = format::count(each);
        match (tasks, last == self.each) {
            (2, true) => format!("2 tasks of {each}"),
            (2, false) => format!("2 tasks, of {each} and of {}", format::count(last)),
            (_, true) => format!("{tasks} tasks of {each}"),
            (_, false) => format!(
                "{tasks} tasks of {each}, the last one of {}",
                format::count(last)
            ),
        }
    }
}

/// The iterations of each task.
pub fn ranges(iterations: u64, least: u64, threads: u64) -> Vec<Range<i64>> {
    let division = Division::of(iterations, least, threads);
    let end = i64::try_from(iterations).unwrap_or(i64::MAX);
    let each = i64::try_from(division.each).unwrap_or(i64::MAX).max(1);
    let begins = (0..i64::try_from(division.tasks).unwrap_or(i64::MAX)).map(|it| it * each);
    begins
        .map(|begin| begin..begin.saturating_add(each).min(end))
        .filter(|task| !task.is_empty())
        .collect()
}

/// How the calls of a row are divided among threads and repeated, a sentence each.
pub fn sentences(record: &CompilationRecord, row: &Row) -> Vec<String> {
    let Some(call) = first_call(record, row) else {
        return Vec::new();
    };
    let division = (call.kind == CallKind::Kernel && record.threads > 0)
        .then(|| division(record, row, call))
        .flatten();
    division
        .into_iter()
        .chain(repetition(record, call, &row.loops))
        .collect()
}

fn first_call<'a>(record: &'a CompilationRecord, row: &Row) -> Option<&'a KernelCall> {
    record.calls.get(*row.calls.first()? as usize)
}

fn division(record: &CompilationRecord, row: &Row, call: &KernelCall) -> Option<String> {
    let Tasks { iterations, least } = call.tasks?;
    let threads = u64::from(record.threads);
    let at_least = format::plural(least as usize, "iteration");
    let Some(iterations) = iterations else {
        return Some(format!(
            "It divides its iterations among {}, at least {at_least} to a task: how many there are depends on the call.",
            format::plural(threads as usize, "thread")
        ));
    };
    let all = format::plural(iterations as usize, "iteration");
    let division = Division::of(iterations, least, threads);
    let is_idle = row
        .fastest_threads
        .is_some_and(|it| it.not_working() >= verdict::LEAST);
    if division.tasks == 1 && is_idle && row.efficiency().is_some() {
        // Its limits say so.
        return None;
    }
    Some(match division.tasks {
        1 => format!(
            "A call runs its {all} as one task, on one thread{}.",
            why_one(iterations, least, threads)
        ),
        tasks => format!(
            "A call divides its {all} into {}, which {} can run at the same time{}. A task that its thread has not begun when the thread that calls is done is run by that one, too.",
            division.text(),
            format::plural(tasks as usize, "thread"),
            row.thread_times.map(shared).unwrap_or_default()
        ),
    })
}

/// In how many calls several threads had tasks.
fn shared(times: ThreadTimes) -> String {
    let calls = format::plural(times.calls as usize, "call");
    match times.shared {
        0 => format!("; in the {calls} that were measured, one thread ran all of them"),
        all if all >= times.calls => format!("; in the {calls} that were measured, they did"),
        some => format!(
            "; in {} of the {calls} that were measured they did, in the others one thread ran all of them",
            format::count(some)
        ),
    }
}

/// Why all iterations are one task.
fn why_one(iterations: u64, least: u64, threads: u64) -> String {
    match (iterations, threads) {
        (_, 0 | 1) => String::new(),
        (0 | 1, _) => ": there is nothing to divide".to_owned(),
        _ => format!(
            ": that is too little work for a second thread, which gets a task from {} iterations on",
            format::count(least.saturating_add(1))
        ),
    }
}

/// Parts of a buffer that are its whole together, as far as means and ends of blocks let one say.
const WHOLE: RangeInclusive<f64> = 0.9..=1.1;

/// Why a run makes a call several times.
fn repetition(record: &CompilationRecord, call: &KernelCall, loops: &[u64]) -> Option<String> {
    if call.count <= 1 {
        return None;
    }
    let times = format::count(call.count);
    let mut nodes = call.nodes.iter();
    let is_of_program = nodes.any(|node| {
        let node = record.nodes.get(*node as usize);
        node.is_some_and(|node| node.parent.is_some())
    });
    if is_of_program {
        return Some(format!(
            "A run calls it {times} times, in a loop of the program."
        ));
    }
    let nest = match loops {
        [_, _, ..] if product(loops) == Some(call.count) => {
            let counts: Vec<String> = loops.iter().map(|it| format::count(*it)).collect();
            format!(
                "loops that the compiler made, of {} iterations",
                counts.join(" x ")
            )
        }
        _ => "a loop that the compiler made".to_owned(),
    };
    Some(format!(
        "A run calls it {times} times, in {nest}: {}, so that what is packed for it stays in a cache.",
        division_of_work(call)
    ))
}

fn product(counts: &[u64]) -> Option<u64> {
    let mut counts = counts.iter();
    counts.try_fold(1_u64, |all, count| all.checked_mul(*count))
}

/// What one of several calls does of a whole: a part of the operand that is packed, or of the
/// result, for all terms of its sums or for a part of these.
fn division_of_work(call: &KernelCall) -> String {
    let part = |is_it: &dyn Fn(&CallBuffer) -> bool| {
        let buffers = call.buffers.iter().filter(|buffer| is_it(buffer));
        let parts = buffers.filter_map(|buffer| {
            let (touched, bytes) = (buffer.touched?, buffer.bytes?);
            let parts = bytes as f64 / (touched as f64).max(1.0);
            let rounded = parts.round().max(1.0);
            let is_whole = WHOLE.contains(&(parts / rounded));
            is_whole.then_some((bytes, touched, rounded as u64))
        });
        parts.max_by_key(|(bytes, ..)| *bytes)
    };
    let sizes = |(bytes, touched, _): (u64, u64, u64)| {
        format!("{} of the {}", format::size(touched), format::size(bytes))
    };
    let count = format::count;
    if call.purpose == CallPurpose::Pack {
        let operand = call.buffers.iter().find(|buffer| !buffer.is_written);
        let name = match operand {
            Some(operand) if operand.arena.is_none() => &operand.name[..],
            _ => "the operand",
        };
        return match part(&|buffer| !buffer.is_written) {
            Some(it) if it.2 == call.count => format!(
                "each call packs one of {} parts of {name}, {} on average",
                count(it.2),
                sizes(it)
            ),
            _ => format!("each call packs a part of {name}"),
        };
    }
    let Some(result) = part(&|buffer| buffer.is_written) else {
        return "each call computes a part of the result".to_owned();
    };
    match (result.2, call.count / result.2, call.count % result.2) {
        (1, terms, _) => format!(
            "each call adds one of {} parts of the terms to all of the result",
            count(terms)
        ),
        (parts, 1, 0) => format!(
            "each call computes one of {} parts of the result, {} on average",
            count(parts),
            sizes(result)
        ),
        (parts, terms, 0) => format!(
            "the result is in {} parts, {} each, and the terms of its sums are in {}: each call adds a part of the terms to a part of the result",
            count(parts),
            sizes(result),
            count(terms)
        ),
        _ => "each call computes a part of the result".to_owned(),
    }
}

/// A sleeping thread takes tens of microseconds to wake up: a call of fewer, in seconds, is short.
const SHORT: f64 = 200e-6;

/// Less than this part of the time is not told.
const LEAST: f64 = 0.0005;

/// Why threads do not work for a kernel in its fastest run: a sentence with the parts, which add
/// up, and one for each part that there is more to say of.
pub fn idle_reasons(record: &CompilationRecord, row: &Row) -> Vec<String> {
    let Some(times) = row.fastest_threads else {
        return Vec::new();
    };
    let call = first_call(record, row);
    let (waiting, idle) = times.waiting_and_idle();
    let (others, threads) = match record.threads {
        1 => ("other threads", "The thread does".to_owned()),
        2 => ("the other thread", "The 2 threads do".to_owned()),
        threads => ("other threads", format!("The {threads} threads do")),
    };
    let after = times.idle - times.absent - times.late;
    let of_idle = [times.absent, times.late, after].map(|seconds| times.part(seconds));
    let of_idle = format::apportioned(&of_idle, idle);
    let mut told = vec![
        (of_idle[0], format!("there is no task for {others}")),
        (of_idle[1], "tasks have not begun yet".to_owned()),
        (waiting, "they wait for tasks of others".to_owned()),
        (of_idle[2], "the call returns after its tasks".to_owned()),
    ];
    told.retain(|(tenths, _)| *tenths > 0);
    told.sort_by_key(|(tenths, _)| Reverse(*tenths));
    let told = told
        .iter()
        .map(|(tenths, text)| format!("for {} {text}", format::percent(*tenths)));
    let told: Vec<String> = told.collect();
    let mut sentences = vec![format!(
        "{threads} not work for {} of that time: {}.",
        format::percent(waiting + idle),
        told.join(", ")
    )];
    let is_told = |seconds: f64| times.part(seconds) >= LEAST;
    if is_told(times.absent) {
        sentences.extend(absent_reason(record, row, call, times));
    }
    if is_told(times.late) {
        sentences.push(format!(
            "A thread begins its first task {} after the start of a call, on average.",
            format::duration(times.late / times.begun.max(1.0)),
        ));
    }
    if is_told(times.waiting) {
        sentences.extend(call.and_then(|call| waiting_reason(record, call, times)));
    }
    sentences
}

/// Why threads that have done their tasks wait for others.
fn waiting_reason(
    record: &CompilationRecord,
    call: &KernelCall,
    times: ThreadTimes,
) -> Option<String> {
    if let Some(tasks) = uneven(record, call) {
        return Some(format!(
            "Its iterations are {tasks}, so the shorter one waits."
        ));
    }
    let Tasks { iterations, least } = call.tasks?;
    let tasks = iterations.map(|it| Division::of(it, least, u64::from(record.threads)));
    let why = match tasks {
        Some(Division { tasks: 1, .. }) => return None,
        Some(tasks) => format!(
            "its iterations are {}, which take different times: other programs may have one core and not the other, or data be further from it",
            tasks.text()
        ),
        None => {
            "how many iterations its tasks have depends on the call, so they may not be of one size"
                .to_owned()
        }
    };
    // All threads with a task but the last one wait.
    let others = f64::from(record.threads.max(2)) - 1.0;
    let wait = times.waiting / others / times.shared.max(1) as f64;
    Some(format!(
        "In a call that several threads run, one waits {} for another, on average: {why}.",
        format::duration(wait)
    ))
}

/// The tasks of a call, if they are not of one length.
fn uneven(record: &CompilationRecord, call: &KernelCall) -> Option<String> {
    let Tasks { iterations, least } = call.tasks?;
    let division = Division::of(iterations?, least, u64::from(record.threads));
    let is_uneven = division.last as f64 <= 0.95 * division.each as f64;
    (division.tasks > 1 && is_uneven).then(|| division.text())
}

/// Why threads have no task of calls at all.
fn absent_reason(
    record: &CompilationRecord,
    row: &Row,
    call: Option<&KernelCall>,
    times: ThreadTimes,
) -> Option<String> {
    let threads = u64::from(record.threads);
    let alone = times.calls.saturating_sub(times.shared);
    let Some(Tasks { iterations, least }) = call.and_then(|call| call.tasks) else {
        let text = match row.kind {
            CallKind::Kernel => "It is not divided into tasks: one thread runs all of it.",
            CallKind::Copy => "One thread copies.",
            CallKind::Function => "It runs on the thread that calls it.",
        };
        return (times.shared == 0).then(|| text.to_owned());
    };
    let tasks = iterations.map(|iterations| Division::of(iterations, least, threads).tasks);
    Some(match (iterations, tasks) {
        (Some(iterations), Some(1)) => format!(
            "There is one task of {}{}.",
            format::plural(iterations as usize, "iteration"),
            why_one(iterations, least, threads)
        ),
        (Some(_), Some(tasks)) if tasks < threads && alone == 0 => {
            format!("There are {tasks} tasks for {threads} threads.")
        }
        _ => {
            let mean = times.all / threads as f64 / times.calls.max(1) as f64;
            let why = match mean < SHORT {
                true => "to wake up takes a thread about as long as such a call lasts",
                false => {
                    "such a call is long enough to wake up in, so another program may have had its core"
                }
            };
            let which = match times.calls {
                1 => "In its call".to_owned(),
                calls => format!(
                    "In {} of {} calls",
                    format::count(alone),
                    format::count(calls)
                ),
            };
            format!("{which} one thread ran all tasks before another one had begun any: {why}.")
        }
    })
}

#[cfg(test)]
mod tests {
    use super::super::{rows, samples};
    use super::*;

    /// The ranges that `halo_runtime::host` makes (`ranges_are_static_and_cover_everything`).
    #[test]
    fn tasks_are_the_ranges_of_the_pool() {
        let of = |iterations, least, threads| {
            let Division { tasks, each, last } = Division::of(iterations, least, threads);
            (tasks, each, last)
        };
        assert_eq!(of(10, 1, 1), (1, 10, 10));
        assert_eq!(of(10, 1, 3), (3, 4, 2));
        assert_eq!(of(10, 4, 3), (3, 4, 2));
        assert_eq!(of(10, 100, 3), (1, 10, 10));
        assert_eq!(of(9, 2, 4), (3, 4, 1));
        assert_eq!(of(5, 0, 2), (2, 3, 2));
        assert_eq!(of(0, 1, 2), (1, 0, 0));
    }

    fn record(iterations: Option<u64>, least: u64) -> CompilationRecord {
        let mut record = samples::program(12);
        record.calls[0].tasks = Some(Tasks { iterations, least });
        record
    }

    fn row(record: &CompilationRecord) -> Row {
        let mut rows = rows::rows(record).into_iter();
        rows.find(|row| row.name == "main_kernel_0").unwrap()
    }

    fn division_of(iterations: Option<u64>, least: u64) -> String {
        let record = CompilationRecord {
            run: None,
            ..record(iterations, least)
        };
        sentences(&record, &row(&record)).join(" ")
    }

    #[test]
    fn a_division_is_told_as_it_is_made() {
        let seven = division_of(Some(7), 1);
        let expected = "A call divides its 7 iterations into 2 tasks, of 4 and of 3, which 2 threads can run at the same time. A task";
        assert!(seven.starts_with(expected), "{seven}");
        let even = division_of(Some(196), 98);
        assert!(even.contains("into 2 tasks of 98,"), "{even}");
        assert_eq!(
            division_of(Some(49), 92),
            "A call runs its 49 iterations as one task, on one thread: that is too little work for a second thread, which gets a task from 93 iterations on."
        );
        // Where threads were idle, that is told as the reason.
        let idle = record(Some(49), 92);
        assert!(sentences(&idle, &row(&idle)).is_empty());
        let unknown = division_of(None, 1);
        assert!(unknown.ends_with("depends on the call."), "{unknown}");
    }

    /// What threads can do is told beside what they did.
    #[test]
    fn tasks_that_ran_together_are_counted() {
        let told = |shared_count| {
            let mut record = record(Some(7), 1);
            let site = &mut record.run.as_mut().unwrap().sites[0];
            (site.sum.count, site.sum.shared_count) = (10, shared_count);
            sentences(&record, &row(&record)).join(" ")
        };
        for (shared, expected) in [
            (
                0,
                "can run at the same time; in the 10 calls that were measured, one thread ran all of them. ",
            ),
            (
                10,
                "can run at the same time; in the 10 calls that were measured, they did. ",
            ),
            (
                4,
                "; in 4 of the 10 calls that were measured they did, in the others one thread ran all of them. ",
            ),
        ] {
            let text = told(shared);
            assert!(text.contains(expected), "{text}");
        }
    }

    #[test]
    fn calls_that_are_repeated_say_by_which_loop() {
        let mut record = record(Some(8), 1);
        let call = &mut record.calls[0];
        call.count = 5;
        call.buffers[0].bytes = Some(9_437_184);
        call.buffers[0].touched = Some(1_887_437);
        let told = |record: &CompilationRecord| sentences(record, &row(record))[1].clone();
        assert_eq!(
            told(&record),
            "A run calls it 5 times, in a loop that the compiler made: each call adds one of 5 parts \
             of the terms to all of the result, so that what is packed for it stays in a cache."
        );
        // A result in 3 parts, of which each is added up in 2 calls: the loops of the entry.
        let call = &mut record.calls[0];
        call.count = 6;
        call.buffers[0].is_written = true;
        call.buffers[0].touched = Some(9_437_184 / 3);
        let mut row = row(&record);
        row.loops = vec![2, 3];
        assert_eq!(
            sentences(&record, &row)[1],
            "A run calls it 6 times, in loops that the compiler made, of 2 x 3 iterations: the \
             result is in 3 parts, 3.15 MB of the 9.44 MB each, and the terms of its sums are in 2: \
             each call adds a part of the terms to a part of the result, so that what is packed for \
             it stays in a cache."
        );
        for (count, touched, expected) in [
            (
                3,
                3_145_728,
                "one of 3 parts of the result, 3.15 MB of the 9.44 MB on average,",
            ),
            (
                2,
                9_437_184,
                "adds one of 2 parts of the terms to all of the result,",
            ),
        ] {
            record.calls[0].count = count;
            record.calls[0].buffers[0].touched = Some(touched);
            assert!(told(&record).contains(expected), "{}", told(&record));
        }
        let call = &mut record.calls[0];
        (call.count, call.purpose) = (6, CallPurpose::Pack);
        call.buffers[0].is_written = false;
        call.buffers[0].touched = Some(9_437_184 / 6);
        let packs =
            "each call packs one of 6 parts of argument 0, 1.57 MB of the 9.44 MB on average,";
        assert!(told(&record).contains(packs), "{}", told(&record));
        record.calls[0].count = 5;
        record.nodes[0].parent = Some(5);
        assert_eq!(
            told(&record),
            "A run calls it 5 times, in a loop of the program."
        );
    }

    /// Ten calls of 20 us on 2 threads, of which each part is a multiple of 1%.
    #[test]
    fn the_parts_of_idle_time_add_up() {
        let mut record = record(Some(7), 1);
        let site = &mut record.run.as_mut().unwrap().sites[0];
        (site.sum.count, site.sum.seconds, site.threads) = (10, 200e-6, 2);
        // Every other call is shared. The time of all threads is 400 us.
        (site.sum.shared_count, site.sum.taking_part_seconds) = (5, 300e-6);
        (site.sum.busy_seconds, site.sum.waiting_seconds) = (220e-6, 32e-6);
        site.sum.late_seconds = 30e-6;
        site.of_runs = vec![site.sum];
        let text = idle_reasons(&record, &row(&record)).join(" ");
        for part in [
            "The 2 threads do not work for 45.0% of that time: for 25.0% there is no task for the other thread, for 8.0% they wait for tasks of others, for 7.5% tasks have not begun yet, for 4.5% the call returns after its tasks. ",
            "In 5 of 10 calls one thread ran all tasks before another one had begun any: to wake up takes a thread about as long as such a call lasts. ",
            "A thread begins its first task 2.00 us after the start of a call, on average. ",
            "Its iterations are 2 tasks, of 4 and of 3, so the shorter one waits.",
        ] {
            assert!(text.contains(part), "{text}");
        }
        // 32 us of waiting in 5 calls.
        record.calls[0].tasks = Some(Tasks {
            iterations: Some(8),
            least: 1,
        });
        let text = idle_reasons(&record, &row(&record)).join(" ");
        let why = "In a call that several threads run, one waits 6.40 us for another, on average: its iterations are 2 tasks of 4, which take different times: other programs";
        assert!(text.contains(why), "{text}");
        // It is not known whether tasks are of one size.
        record.calls[0].tasks = Some(Tasks {
            iterations: None,
            least: 1,
        });
        let text = idle_reasons(&record, &row(&record)).join(" ");
        let why = "6.40 us for another, on average: how many iterations its tasks have depends on the call, so they may not be of one size.";
        assert!(text.contains(why), "{text}");
        record.calls[0].tasks = Some(Tasks {
            iterations: Some(1),
            least: 1,
        });
        let text = idle_reasons(&record, &row(&record)).join(" ");
        let why = "There is one task of 1 iteration: there is nothing to divide.";
        assert!(text.contains(why), "{text}");
    }
}
