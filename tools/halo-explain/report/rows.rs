//! The kernels as rows of a table, as `halo-run --profile=summary` has them: calls of one
//! name at one place are one row.

use super::format;
use halo_runtime::compilation_record::{CallKind, CompilationRecord, Machine, Node};
use std::collections::{BTreeSet, HashMap};

/// What bounds the time of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    Memory,
    Compute,
}

impl Bound {
    pub fn name(self) -> &'static str {
        match self {
            Self::Memory => "memory",
            Self::Compute => "compute",
        }
    }
}

/// A row of the table.
#[derive(Clone, Debug, Default)]
pub struct Row {
    /// As profiles show it.
    pub name: String,
    pub location: String,
    pub kind: CallKind,
    /// By number, as the following ones.
    pub calls: Vec<u32>,
    pub kernels: Vec<u32>,
    pub nodes: Vec<u32>,
    /// The names of the nodes, each once.
    pub ops: Vec<String>,
    /// How many calls the other figures are sums of: those of all runs that were measured, or
    /// of one run.
    pub count: u64,
    /// The measured time.
    pub seconds: Option<f64>,
    pub threads: Option<u32>,
    pub bytes: Option<u64>,
    pub flops: f64,
    pub transcendentals: f64,
    /// The time that the machine needs for the bytes or the flops of all calls.
    pub estimate: Option<f64>,
    pub bound: Option<Bound>,
    pub compile_seconds: Option<f64>,
}

impl Row {
    fn per_call(&self, value: f64) -> Option<f64> {
        (self.count > 0).then(|| value / self.count as f64)
    }

    /// The value divided by the measured time.
    fn per_second(&self, value: Option<f64>) -> Option<f64> {
        let seconds = self.seconds.filter(|seconds| *seconds > 0.0)?;
        value
            .filter(|value| *value > 0.0)
            .map(|value| value / seconds)
    }

    fn known_bytes(&self) -> Option<f64> {
        self.bytes
            .filter(|bytes| *bytes > 0)
            .map(|bytes| bytes as f64)
    }

    pub fn bandwidth(&self) -> Option<f64> {
        self.per_second(self.known_bytes())
    }

    pub fn flops_per_second(&self) -> Option<f64> {
        self.per_second(Some(self.flops))
    }

    /// Floating-point operations for each byte.
    pub fn intensity(&self) -> Option<f64> {
        self.known_bytes().map(|bytes| self.flops / bytes)
    }

    /// The part of what the machine reaches that the kernel reaches.
    pub fn efficiency(&self) -> Option<f64> {
        self.per_second(self.estimate)
    }

    /// The time that rows are sorted by and colored for.
    pub fn cost(&self) -> f64 {
        self.seconds.or(self.estimate).unwrap_or_else(|| {
            // Without a machine: some machine's balance.
            self.known_bytes()
                .unwrap_or_default()
                .max(self.flops / 10.0)
                * 1e-10
        })
    }
}

/// A cell: what it shows, and what it is sorted by.
#[derive(Clone, Debug, Default)]
pub struct Cell {
    pub text: String,
    pub value: f64,
}

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

pub const COLUMNS: [Column; 14] = [
    column(
        "total ms",
        true,
        "measured time of all calls in all runs, in milliseconds",
    ),
    column("share", true, "part of the time of all runs"),
    column(
        "count",
        false,
        "calls in all runs that were measured, or in one run",
    ),
    column("mean us", true, "measured time of a call, in microseconds"),
    column("threads", true, "threads that ran a part of it"),
    column(
        "MB",
        false,
        "size of the buffers of a call, in millions of bytes",
    ),
    column("GB/s", true, "size of the buffers divided by the time"),
    column(
        "MFLOP",
        false,
        "floating-point operations of a call, in millions",
    ),
    column(
        "GFLOP/s",
        true,
        "floating-point operations divided by the time",
    ),
    column(
        "flop/B",
        false,
        "floating-point operations for each byte of the buffers",
    ),
    column("limit", false, "what bounds its time on this machine"),
    column(
        "of limit",
        true,
        "the estimate divided by the measured time",
    ),
    column(
        "est. us",
        false,
        "time of a call by the limits of the machine, in microseconds",
    ),
    column(
        "compile ms",
        false,
        "time of the compilation to machine code, in milliseconds; of kernels that were compiled together, that of all",
    ),
];

impl Row {
    /// The cells of [`COLUMNS`].
    pub fn cells(&self, run_seconds: f64) -> [Cell; COLUMNS.len()] {
        let number = |value: Option<f64>, text: fn(f64) -> String| Cell {
            text: value.map(text).unwrap_or_default(),
            value: value.unwrap_or(-1.0),
        };
        let per_call = |value: Option<f64>| value.and_then(|value| self.per_call(value));
        let worked = Some(self.flops).filter(|flops| *flops > 0.0);
        [
            number(self.seconds, format::milliseconds),
            Cell {
                text: self
                    .seconds
                    .map(|seconds| format::share(seconds, run_seconds))
                    .unwrap_or_default(),
                value: self.seconds.unwrap_or(-1.0),
            },
            Cell {
                text: match self.count {
                    0 => String::new(),
                    count => count.to_string(),
                },
                value: self.count as f64,
            },
            number(per_call(self.seconds), format::microseconds),
            number(
                self.threads.filter(|threads| *threads > 0).map(f64::from),
                |threads| threads.to_string(),
            ),
            number(per_call(self.known_bytes()), format::mega),
            number(self.bandwidth(), format::giga),
            number(per_call(worked), format::mega),
            number(self.flops_per_second(), format::giga),
            number(self.intensity().filter(|it| *it > 0.0), |it| {
                format!("{it:.2}")
            }),
            Cell {
                text: self.bound.map_or("", Bound::name).to_owned(),
                value: self.bound.map_or(-1.0, |bound| bound as u8 as f64),
            },
            number(self.efficiency(), |part| format::share(part, 1.0)),
            number(per_call(self.estimate), format::microseconds),
            number(self.compile_seconds, format::milliseconds),
        ]
    }

    /// Whether the machine reads the buffers of a call faster than memory can give them, which
    /// caches do.
    pub fn is_cached(&self) -> bool {
        self.bound == Some(Bound::Memory) && self.efficiency().is_some_and(|part| part > 1.05)
    }
}

/// The rows of a compilation, the most expensive first.
pub fn rows(record: &CompilationRecord) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    let mut is_measured = vec![false; record.calls.len()];
    for site in record.run.iter().flat_map(|run| &run.sites) {
        let calls: Vec<u32> = site
            .calls
            .iter()
            .copied()
            .filter(|call| (*call as usize) < record.calls.len())
            .collect();
        for call in &calls {
            is_measured[*call as usize] = true;
        }
        rows.push(Row {
            name: site.name.clone(),
            location: site.location.clone(),
            calls,
            count: site.count,
            seconds: Some(site.seconds),
            threads: Some(site.threads),
            bytes: site.bytes,
            ..Row::default()
        });
    }
    let mut by_site: HashMap<(u8, &str, &str), usize> = HashMap::new();
    for (number, call) in record.calls.iter().enumerate() {
        if is_measured[number] {
            continue;
        }
        let key = (call.kind as u8, &call.name[..], &call.location[..]);
        let row = *by_site.entry(key).or_insert_with(|| {
            rows.push(Row {
                name: call.name.clone(),
                location: call.location.clone(),
                bytes: Some(0),
                ..Row::default()
            });
            rows.len() - 1
        });
        let row = &mut rows[row];
        let count = call.count.max(1);
        row.calls.push(number as u32);
        row.count = row.count.saturating_add(count);
        let bytes = call.bytes.and_then(|bytes| bytes.checked_mul(count));
        row.bytes = row
            .bytes
            .zip(bytes)
            .and_then(|(all, own)| all.checked_add(own));
    }
    for row in &mut rows {
        add_static(row, record);
    }
    rows.sort_by(|one, other| {
        let key = |row: &Row| (row.seconds.is_some(), row.cost());
        let (one, other) = (key(one), key(other));
        other.0.cmp(&one.0).then(other.1.total_cmp(&one.1))
    });
    rows
}

/// Adds to a row what is known of its calls without running them.
fn add_static(row: &mut Row, record: &CompilationRecord) {
    let calls = row
        .calls
        .iter()
        .filter_map(|call| record.calls.get(*call as usize));
    let (mut count, mut flops, mut transcendentals) = (0.0, 0.0, 0.0);
    let (mut kernels, mut nodes) = (BTreeSet::new(), BTreeSet::new());
    for call in calls {
        row.kind = call.kind;
        let times = call.count.max(1) as f64;
        count += times;
        flops += times * call.flops as f64;
        transcendentals += times * call.transcendentals as f64;
        kernels.extend(call.kernel);
        nodes.extend(call.nodes.iter().copied());
    }
    // Of loops whose counts are unknown the measured calls are more.
    let scale = match count > 0.0 {
        true => row.count as f64 / count,
        false => 0.0,
    };
    row.flops = flops * scale;
    row.transcendentals = transcendentals * scale;
    row.kernels = kernels.into_iter().collect();
    row.nodes = nodes.into_iter().collect();
    row.ops = op_names(record, &row.nodes);
    row.name = display_name(row.kind, &row.name);
    row.location = format::place(&record.program, &row.location);
    let compiled = row
        .kernels
        .iter()
        .filter_map(|kernel| record.kernels.get(*kernel as usize));
    let times: Vec<f64> = compiled
        .filter_map(|kernel| kernel.compile_seconds)
        .collect();
    row.compile_seconds = (!times.is_empty()).then(|| times.iter().sum());
    if let Some(machine) = &record.machine {
        (row.estimate, row.bound) = estimate(row, machine);
    }
}

fn estimate(row: &Row, machine: &Machine) -> (Option<f64>, Option<Bound>) {
    if machine.bandwidth <= 0.0 || machine.flops <= 0.0 {
        return (None, None);
    }
    let Some(bytes) = row.known_bytes() else {
        return (None, None);
    };
    let (memory, compute) = (bytes / machine.bandwidth, row.flops / machine.flops);
    match memory >= compute {
        true => (Some(memory), Some(Bound::Memory)),
        false => (Some(compute), Some(Bound::Compute)),
    }
}

fn display_name(kind: CallKind, name: &str) -> String {
    format::plain(&match (kind, name) {
        (_, "") => "kernel".to_owned(),
        (CallKind::Function, name) if !name.starts_with('@') => format!("@{name}"),
        (_, name) => name.to_owned(),
    })
}

/// The names of nodes, each once, in the order of the program, without those that only end
/// regions.
pub fn op_names(record: &CompilationRecord, nodes: &[u32]) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let nodes = nodes
        .iter()
        .filter_map(|node| record.nodes.get(*node as usize));
    nodes
        .filter(|node| !is_end(node))
        .map(|node| format::short(&node.name))
        .filter(|name| seen.insert(*name))
        .map(str::to_owned)
        .collect()
}

/// Whether a node ends a region.
pub fn is_end(node: &Node) -> bool {
    node.name.ends_with(".return")
}

/// The number of the row of each call.
pub fn row_of_calls(rows: &[Row], calls: usize) -> Vec<Option<u32>> {
    let mut numbers = vec![None; calls];
    for (number, row) in rows.iter().enumerate() {
        for call in &row.calls {
            if let Some(entry) = numbers.get_mut(*call as usize) {
                *entry = Some(number as u32);
            }
        }
    }
    numbers
}
