//! The columns of the table of kernels.

use super::{
    format,
    rows::{Bound, Row},
};

/// A cell: what it shows, and what it is sorted by.
#[derive(Clone, Debug, Default)]
pub struct Cell {
    pub text: String,
    pub value: f64,
}

impl Cell {
    /// With a unit that is not that of the column, if that is so.
    fn of(mut self, is_other: bool, unit: &str) -> Self {
        if is_other && !self.text.is_empty() {
            self.text = format!("{} {unit}", self.text);
        }
        self
    }
}

/// What memory has in place of the number of a cache.
const FURTHEST: f64 = 9.0;

/// A column of numbers: its title and what it means.
pub struct Column {
    pub title: &'static str,
    pub meaning: &'static str,
    /// Whether it is of a measured run.
    pub is_measured: bool,
}

const fn column(title: &'static str, is_measured: bool, meaning: &'static str) -> Column {
    Column {
        title,
        meaning,
        is_measured,
    }
}

pub const COLUMNS: [Column; 21] = [
    column(
        "total ms",
        true,
        "measured time of all calls in all runs, in milliseconds",
    ),
    column("share", true, "part of the time of all runs"),
    column(
        "of limit",
        true,
        "the least time that this machine needs, divided by that of the run where its calls took the least (min ms): other programs make times longer, never shorter",
    ),
    column(
        "could save",
        true,
        "part of the time of the fastest run that would be saved if its calls took the least time that this machine needs, and not that of the run where they took the least (min ms): also what disturbs that run counts. For a kernel with several call sites that is the run where all of its calls took the least, and each of them may have its least in another",
    ),
    column(
        "limit",
        false,
        "what the least time is for: arithmetic (compute), data from a cache (L1, L2, L3) or from memory, as near as they could be, or the call itself (start)",
    ),
    column(
        "calls",
        false,
        "how often it was called in all runs that were measured, or is called in one run",
    ),
    column("mean us", true, "measured time of a call, in microseconds"),
    column(
        "limit us",
        false,
        "the least time that this machine needs for a call, in microseconds",
    ),
    column(
        "mean ms",
        true,
        "time of all its calls in a run, the mean of all runs, in milliseconds; its part of that of a run is the share",
    ),
    column(
        "min ms",
        true,
        "time of all its calls in the run where they took the least, in milliseconds",
    ),
    column(
        "median ms",
        true,
        "time of all its calls in a run, the median of all runs, in milliseconds",
    ),
    column(
        "max ms",
        true,
        "time of all its calls in the run where they took the most, in milliseconds",
    ),
    column("threads", true, "threads that ran a part of it"),
    column(
        "waiting",
        true,
        "part of the time of all threads of the program in which they had done their tasks of it, and waited for those of others",
    ),
    column(
        "idle",
        true,
        "part of the time of all threads of the program in which they had no task of it while it ran, or none yet",
    ),
    column(
        "MB",
        false,
        "bytes that a call touches of its buffers, each once, in millions; the mean of its calls",
    ),
    column("GB/s", true, "these bytes divided by the time"),
    column(
        "MFLOP",
        false,
        "operations of a call, in millions, the mean of its calls: MFLOP on floating-point numbers, MOP on integers",
    ),
    column(
        "GFLOP/s",
        true,
        "operations divided by the time, in thousands of millions each second: GFLOP/s of floating-point numbers, GOP/s of integers",
    ),
    column(
        "compile ms",
        false,
        "time of LLVM for it, in milliseconds; of kernels that were compiled together, a part in proportion to their machine code (code kB). Callers are the code that calls kernels; call sites of a kernel share its time",
    ),
    column(
        "code kB",
        false,
        "machine code of the kernel, in thousands of bytes; its call sites share it",
    ),
];

impl Row {
    /// The cells of [`COLUMNS`].
    pub fn cells(&self, run_seconds: f64) -> [Cell; COLUMNS.len()] {
        let number = |value: Option<f64>, text: fn(f64) -> String| Cell {
            text: value.map(text).unwrap_or_default(),
            value: value.unwrap_or(-1.0),
        };
        let share = |value: Option<f64>| Cell {
            text: value
                .map(|value| format::share(value, run_seconds))
                .unwrap_or_default(),
            value: value.unwrap_or(-1.0),
        };
        let tenths = |value: Option<i64>| Cell {
            text: value.map(format::percent).unwrap_or_default(),
            value: value.map_or(-1.0, |tenths| tenths as f64),
        };
        let per_call = |value: Option<f64>| value.and_then(|value| self.per_call(value));
        let worked = Some(self.flops).filter(|flops| *flops > 0.0);
        let not_working = self.thread_times.map(|it| it.waiting_and_idle());
        let spread = self.spread.filter(|spread| spread.most > 0.0);
        [
            number(self.seconds, format::milliseconds),
            share(self.seconds),
            number(self.efficiency(), |part| format::share(part, 1.0)),
            number(self.saving_share(), |part| format::share(part, 1.0)),
            Cell {
                text: self.limit().to_owned(),
                value: self.bound.map_or(-1.0, |bound| match bound {
                    Bound::Compute => FURTHEST + 1.0,
                    Bound::Start => FURTHEST + 2.0,
                    // `L1`, `L2` and on, and then memory.
                    Bound::Memory => self
                        .limit()
                        .get(1..)
                        .and_then(|it| it.parse().ok())
                        .unwrap_or(FURTHEST),
                }),
            },
            Cell {
                text: match self.count {
                    0 => String::new(),
                    count => count.to_string(),
                },
                value: self.count as f64,
            },
            number(per_call(self.seconds), format::microseconds),
            number(per_call(self.estimate), format::microseconds),
            number(spread.map(|it| it.mean), format::milliseconds),
            number(spread.map(|it| it.least), format::milliseconds),
            number(spread.map(|it| it.median), format::milliseconds),
            number(spread.map(|it| it.most), format::milliseconds),
            number(
                self.threads.filter(|threads| *threads > 0).map(f64::from),
                |threads| threads.to_string(),
            ),
            tenths(not_working.map(|(waiting, _)| waiting)),
            tenths(not_working.map(|(_, idle)| idle)),
            number(per_call(self.known_bytes()), format::mega),
            number(self.bandwidth(), format::giga),
            number(per_call(worked), format::mega).of(self.is_integer, "MOP"),
            number(self.flops_per_second(), format::giga).of(self.is_integer, "GOP/s"),
            number(self.compile_seconds, format::milliseconds),
            number(self.code_bytes.map(|bytes| bytes as f64 / 1e3), |size| {
                format!("{size:.2}")
            }),
        ]
    }
}
