//! What the threads of a program do while a kernel runs: over all runs, and in each of them.

use super::format;
use halo_runtime::compilation_record::CallTimes;
use std::{iter::Sum, ops::Add};

/// What threads do while a kernel runs: sums over all of them and over calls, in seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ThreadTimes {
    pub all: f64,
    /// They worked.
    pub busy: f64,
    /// The part of it in which they had no processor.
    pub preempted: f64,
    /// The time by the clock in which one of them worked at least, or a little more.
    pub working: f64,
    /// They had done their task, and waited for those of others.
    pub waiting: f64,
    /// They had no task.
    pub idle: f64,
    /// The part of [`idle`](Self::idle) of threads that had no task of a call at all.
    pub absent: f64,
    /// The part of it before the first task of threads that had one.
    pub late: f64,
    /// How often a thread had tasks of a call.
    pub begun: f64,
    pub calls: u64,
    /// The calls that several threads had tasks of.
    pub shared: u64,
}

impl ThreadTimes {
    /// Of a program of so many threads; `None` if nothing is known of them.
    pub fn of(times: &CallTimes, threads: u32) -> Option<Self> {
        let all = times.seconds * f64::from(threads);
        let is_known = all > 0.0 && times.busy_seconds > 0.0;
        is_known.then(|| {
            let left = (all - times.busy_seconds).max(0.0);
            let waiting = times.waiting_seconds.clamp(0.0, left);
            let idle = left - waiting;
            let absent = (all - times.taking_part_seconds).clamp(0.0, idle);
            let late = times.late_seconds.clamp(0.0, idle - absent);
            // As many threads have tasks of a call, in the mean. All of them wait behind the
            // last task, but the first of several begins before the others.
            let together = (times.taking_part_seconds / times.seconds).max(1.0);
            let behind = (idle - absent - late) / together;
            Self {
                all,
                busy: times.busy_seconds,
                preempted: times.preempted_seconds.clamp(0.0, times.busy_seconds),
                working: times.busy_seconds.min(times.seconds - behind),
                waiting,
                idle,
                absent,
                late,
                begun: times.count as f64 * times.taking_part_seconds / times.seconds,
                calls: times.count,
                shared: times.shared_count,
            }
        })
    }

    /// How many threads work at the same time while any does, in the mean.
    pub fn at_work(&self) -> f64 {
        self.busy / self.working.max(1e-12)
    }

    /// A part of the time of all threads, from 0 to 1.
    pub fn part(&self, seconds: f64) -> f64 {
        seconds / self.all.max(1e-12)
    }

    /// The part in which they did not work, from 0 to 1.
    pub fn not_working(&self) -> f64 {
        self.part(self.waiting + self.idle)
    }

    /// The parts in which they waited and were idle, in tenths of a percent that add up to that in
    /// which they did not work.
    pub fn waiting_and_idle(&self) -> (i64, i64) {
        let parts = [self.part(self.waiting), self.part(self.idle)];
        let tenths = format::apportioned(&parts, format::tenths(self.not_working()));
        (tenths[0], tenths[1])
    }
}

impl Add for ThreadTimes {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            all: self.all + other.all,
            busy: self.busy + other.busy,
            preempted: self.preempted + other.preempted,
            working: self.working + other.working,
            waiting: self.waiting + other.waiting,
            idle: self.idle + other.idle,
            absent: self.absent + other.absent,
            late: self.late + other.late,
            begun: self.begun + other.begun,
            calls: self.calls.saturating_add(other.calls),
            shared: self.shared.saturating_add(other.shared),
        }
    }
}

impl Sum for ThreadTimes {
    fn sum<I: Iterator<Item = Self>>(times: I) -> Self {
        times.fold(Self::default(), Add::add)
    }
}

/// The calls of a row in one run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RunTimes {
    pub calls: u64,
    pub seconds: f64,
    pub threads: Option<ThreadTimes>,
}

impl RunTimes {
    pub fn of(times: &CallTimes, threads: u32) -> Self {
        Self {
            calls: times.count,
            seconds: times.seconds,
            threads: ThreadTimes::of(times, threads),
        }
    }

    /// The run whose calls took the least: other programs make a time longer, never shorter.
    pub fn fastest(runs: &[Self]) -> Option<&Self> {
        let runs = runs.iter().filter(|run| run.calls > 0);
        runs.min_by(|one, other| one.per_call().total_cmp(&other.per_call()))
    }

    /// The time of a call.
    pub fn per_call(&self) -> f64 {
        self.seconds / self.calls.max(1) as f64
    }
}

impl Add for RunTimes {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        let threads = match (self.threads, other.threads) {
            (Some(own), Some(more)) => Some(own + more),
            // A site that is not called in a run adds nothing to it.
            (own, None) if other.calls == 0 => own,
            (None, more) if self.calls == 0 => more,
            _ => None,
        };
        Self {
            calls: self.calls.saturating_add(other.calls),
            seconds: self.seconds + other.seconds,
            threads,
        }
    }
}
