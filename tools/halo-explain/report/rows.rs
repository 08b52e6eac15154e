//! The kernels as rows of a table, as `halo-run --profile=summary` has them: calls of one
//! name at one place are one row.

use super::{
    code_times::CodeTimes,
    entry_loops::{self, CallRun, EntryCall},
    format,
    instructions::{self, Instructions},
    loop_work::LoopWork,
    machine, names,
    roof::{Roof, Source},
    thread_times::{RunTimes, ThreadTimes},
};
use halo_runtime::compilation_record::{
    CallKind, CallPurpose, CompilationRecord, Node, Run, Spread,
};
use std::collections::{BTreeSet, HashMap};

/// What bounds the time of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    Memory,
    Compute,
    /// The call itself: it takes longer than the work of the kernel needs.
    Start,
}

impl Bound {
    pub fn name(self) -> &'static str {
        match self {
            Self::Memory => "memory",
            Self::Compute => "compute",
            Self::Start => "start",
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
    /// Where its data come from at best.
    pub sources: Vec<Source>,
    /// Whether most of its operations are on integers.
    pub is_integer: bool,
    pub compile_seconds: Option<f64>,
    /// Bytes of machine code.
    pub code_bytes: Option<u64>,
    /// What the threads of the program did while it ran.
    pub thread_times: Option<ThreadTimes>,
    /// Its calls in each run, of which the following figures are ([`Row::set_runs`]).
    pub of_runs: Vec<RunTimes>,
    /// The time of all its calls in a run.
    pub spread: Option<Spread>,
    /// The time that all calls would take if they were as fast as in the run where they took the
    /// least: other programs make a time longer, never shorter.
    pub fastest: Option<f64>,
    /// What the threads of the program did in that run.
    pub fastest_threads: Option<ThreadTimes>,
    /// The time that threads would be busy in a run if each task took as long as in the run where
    /// it took the least.
    pub least_busy: Option<f64>,
    /// The time of all runs if each was as fast as the fastest one.
    pub fastest_runs: Option<f64>,
    /// What its code computes with.
    pub instructions: Instructions,
    pub purpose: CallPurpose,
    /// What the loops of its kernel do in a call, if it has one kernel whose IR is known.
    pub work: Option<LoopWork>,
    /// How many iterations the loops of the entry have that its first call is in, the outermost
    /// first.
    pub loops: Vec<u64>,
}

impl Row {
    /// Notes its calls in each run. Those of all runs are known before.
    pub fn set_runs(&mut self, runs: Vec<RunTimes>) {
        let times = runs.iter().map(|run| run.seconds);
        self.spread = (!runs.is_empty()).then(|| Spread::of(times.collect()));
        let fastest = RunTimes::fastest(&runs);
        let seconds = fastest.map(|run| run.per_call() * self.count as f64);
        self.fastest = seconds
            .zip(self.seconds)
            .map(|(seconds, all)| seconds.min(all))
            .or(self.seconds);
        self.fastest_threads = fastest.and_then(|run| run.threads);
        self.of_runs = runs;
    }

    pub fn per_call(&self, value: f64) -> Option<f64> {
        (self.count > 0).then(|| value / self.count as f64)
    }

    /// The value divided by the measured time.
    fn per_second(&self, value: Option<f64>) -> Option<f64> {
        let seconds = self.seconds.filter(|seconds| *seconds > 0.0)?;
        value
            .filter(|value| *value > 0.0)
            .map(|value| value / seconds)
    }

    pub fn known_bytes(&self) -> Option<f64> {
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

    /// The time of all calls by their fastest run, or else as it was measured.
    pub fn at_best(&self) -> Option<f64> {
        self.fastest.or(self.seconds)
    }

    /// A rate of all runs as it was in the fastest one.
    pub fn rate_at_best(&self, rate: f64) -> f64 {
        let times = self.seconds.zip(self.at_best());
        let times = times.filter(|(_, fastest)| *fastest > 0.0);
        times.map_or(rate, |(seconds, fastest)| rate * seconds / fastest)
    }

    /// The part of what the machine reaches that the kernel reaches in its fastest run.
    pub fn efficiency(&self) -> Option<f64> {
        self.per_second(self.estimate)
            .map(|part| self.rate_at_best(part))
    }

    /// What limits it, in a word: `compute`, or the cache or memory that its data take the
    /// most time from, or `start`.
    pub fn limit(&self) -> &str {
        match self.bound {
            None => "",
            Some(bound @ (Bound::Compute | Bound::Start)) => bound.name(),
            Some(Bound::Memory) => {
                let sources = self.sources.iter();
                let slowest = sources.max_by(|one, other| one.seconds.total_cmp(&other.seconds));
                slowest.map_or(machine::MEMORY, |source| &source.level)
            }
        }
    }

    /// What it does, in a word or two, if it computes nothing.
    pub fn work(&self) -> &'static str {
        match self.kind {
            CallKind::Kernel => names::work(self.purpose),
            _ => "",
        }
    }

    /// Operations per second if it took the least time that the machine needs.
    pub fn ceiling(&self) -> Option<f64> {
        let estimate = self.estimate.filter(|estimate| *estimate > 0.0)?;
        (self.flops > 0.0).then(|| self.flops / estimate)
    }

    /// The time that would be saved of its fastest run if it took no more than the machine needs,
    /// for all calls.
    pub fn saving(&self) -> Option<f64> {
        let (seconds, estimate) = self.at_best().zip(self.estimate)?;
        Some((seconds - estimate).max(0.0))
    }

    /// That, as a part of the time of the fastest run.
    pub fn saving_share(&self) -> Option<f64> {
        let whole = self.fastest_runs.filter(|whole| *whole > 0.0)?;
        Some((self.saving()? / whole).min(1.0))
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
        let mut row = Row {
            name: site.name.clone(),
            location: names::place(&record.program, &site.location, &site.callers),
            calls,
            count: site.sum.count,
            seconds: Some(site.sum.seconds),
            threads: Some(site.threads),
            bytes: site.bytes,
            thread_times: ThreadTimes::of(&site.sum, record.threads),
            least_busy: site.least_busy_seconds,
            ..Row::default()
        };
        let runs = site.of_runs.iter();
        row.set_runs(runs.map(|run| RunTimes::of(run, record.threads)).collect());
        rows.push(row);
    }
    let mut by_site: HashMap<(u8, &str, &str, &[String]), usize> = HashMap::new();
    for (number, call) in record.calls.iter().enumerate() {
        if is_measured[number] {
            continue;
        }
        let (kind, location) = (call.kind as u8, &call.location[..]);
        let key = (kind, &call.name[..], location, &call.callers[..]);
        let row = *by_site.entry(key).or_insert_with(|| {
            rows.push(Row {
                name: call.name.clone(),
                location: names::place(&record.program, location, &call.callers),
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
    let times = CodeTimes::of(record).kernels;
    let instructions: Vec<Instructions> = record.kernels.iter().map(instructions::of).collect();
    let roof = Roof::new(record);
    let entry = entry_loops::calls(record);
    let run = record.run.as_ref();
    let fastest_runs = run.map(fastest_runs);
    for row in &mut rows {
        row.fastest_runs = fastest_runs;
        add_static(row, record, (&times, &instructions));
        add_loops(row, record, &entry);
        if let Some((estimate, bound)) = roof.as_ref().and_then(|roof| roof.of(row)) {
            (row.estimate, row.bound) = (Some(estimate), Some(bound));
            row.sources = roof
                .as_ref()
                .map_or_else(Vec::new, |roof| roof.sources(row));
        }
    }
    rows.sort_by(|one, other| {
        let key = |row: &Row| (row.seconds.is_some(), row.cost());
        let (one, other) = (key(one), key(other));
        other.0.cmp(&one.0).then(other.1.total_cmp(&one.1))
    });
    rows
}

/// The time of all runs of which each is as fast as the fastest one, which is no more than what
/// they took together.
fn fastest_runs(run: &Run) -> f64 {
    match run.spread.least > 0.0 {
        true => (run.spread.least * run.runs as f64).min(run.seconds),
        false => run.seconds,
    }
}

/// Adds to a row what is known of its calls without running them.
fn add_static(
    row: &mut Row,
    record: &CompilationRecord,
    (compile_times, instructions): (&[Option<f64>], &[Instructions]),
) {
    let calls = row
        .calls
        .iter()
        .filter_map(|call| record.calls.get(*call as usize));
    let (mut count, mut flops, mut transcendentals) = (0.0, 0.0, 0.0);
    let (mut kernels, mut nodes) = (BTreeSet::new(), BTreeSet::new());
    for call in calls {
        row.kind = call.kind;
        row.purpose = call.purpose;
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
    let kernels = || row.kernels.iter().map(|kernel| *kernel as usize);
    let times: Vec<f64> = kernels()
        .filter_map(|kernel| compile_times.get(kernel).copied().flatten())
        .collect();
    let sizes = kernels().filter_map(|kernel| record.kernels.get(kernel)?.code_bytes);
    row.code_bytes = Some(sizes.sum()).filter(|bytes| *bytes > 0);
    row.compile_seconds = (!times.is_empty()).then(|| times.iter().sum());
    let used = kernels().filter_map(|kernel| instructions.get(kernel));
    row.instructions = used.max_by_key(|it| it.bits).copied().unwrap_or_default();
    row.is_integer =
        machine::is_integer(row.instructions.arithmetic) || is_mostly_integer(record, &row.nodes);
}

/// Adds what the loops of a row's kernel and those around its call do.
fn add_loops(row: &mut Row, record: &CompilationRecord, entry: &[EntryCall]) {
    let Some(first) = row.calls.first().map(|call| *call as usize) else {
        return;
    };
    let (call, entry) = (&record.calls[first], &entry[first]);
    row.loops = entry.loops.clone().unwrap_or_default();
    let [kernel] = row.kernels[..] else {
        return;
    };
    let kernel = record.kernels.get(kernel as usize);
    let Some(kernel) = kernel.filter(|kernel| !kernel.text.lines.is_empty()) else {
        return;
    };
    let of_tasks = [CallRun {
        iterations: call.tasks.and_then(|tasks| tasks.iterations),
        ..CallRun::default()
    }];
    let runs = match entry.runs.is_empty() {
        true => &of_tasks[..],
        false => &entry.runs[..],
    };
    let least = call.tasks.map_or(1, |tasks| tasks.least);
    row.work = Some(LoopWork::of(record, &kernel.text, runs, least));
}

/// Whether most operations of nodes have results that are integers.
fn is_mostly_integer(record: &CompilationRecord, nodes: &[u32]) -> bool {
    let nodes = nodes
        .iter()
        .filter_map(|node| record.nodes.get(*node as usize));
    let (mut integers, mut all) = (0, 0_u64);
    for node in nodes {
        all = all.saturating_add(node.flops);
        if is_integer_type(&node.results) {
            integers += node.flops;
        }
    }
    integers > all / 2
}

/// Whether a type such as `i32[4,8]` or `tensor<4x8xi32>` has integers as elements.
fn is_integer_type(text: &str) -> bool {
    let element = match text.strip_prefix("tensor<") {
        Some(rest) => rest.trim_end_matches('>').rsplit('x').next(),
        None => text.split('[').next(),
    };
    let element = element.unwrap_or_default().trim_start_matches(['s', 'u']);
    let digits = element.strip_prefix('i').unwrap_or_default();
    !digits.is_empty() && digits.bytes().all(|it| it.is_ascii_digit())
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
