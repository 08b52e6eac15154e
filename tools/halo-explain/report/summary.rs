//! The summary: what one asks first, answered in sentences.

use super::{
    compile_time, format,
    memory::holders,
    rows::{Bound, Row},
};
use halo_runtime::compilation_record::{CompilationRecord, Machine, SourceOp};

/// How many kernels and ops are named.
const NAMED: usize = 8;

pub struct Summary {
    /// What was compiled: a name and a value each.
    pub facts: Vec<(&'static str, String)>,
    pub slowest: Option<Slowest>,
    /// Why no kernel is named.
    pub without: &'static str,
    pub peak: Option<Peak>,
    pub compilation: String,
    pub fusion: String,
    /// The line of the program that the error is about, and its text.
    pub error_line: Option<(usize, String)>,
    /// The last pass that ended.
    pub last_pass: String,
    /// The most expensive kernels.
    pub top: Vec<Top>,
    /// The others: how many, and their part of the time.
    pub others: Option<(usize, Top)>,
    /// What the bars show.
    pub top_meaning: String,
}

pub struct Slowest {
    pub name: String,
    /// The part of the time.
    pub share: String,
    pub verdict: String,
    /// The ops that it was made of, with their lines in the program.
    pub ops: Vec<(String, u32)>,
    pub more: usize,
}

pub struct Peak {
    pub sentence: String,
    pub holders: Vec<(u32, String)>,
    pub more: usize,
}

pub struct Top {
    pub number: usize,
    pub name: String,
    pub place: String,
    pub ops: String,
    pub share: String,
    pub time: String,
    /// The length of the bar, from 0 to 100.
    pub length: String,
    pub bound: &'static str,
}

impl Summary {
    pub fn new(record: &CompilationRecord, rows: &[Row]) -> Self {
        let run = record.run.as_ref();
        let estimated: f64 = rows.iter().map(Row::cost).sum();
        let whole = run.map_or(estimated, |run| run.seconds);
        let kept = if rows.len() > NAMED + 1 {
            NAMED
        } else {
            rows.len()
        };
        let rest = &rows[kept..];
        let costs = [
            rows.first().map_or(0.0, Row::cost),
            rest.iter().map(Row::cost).sum(),
        ];
        let longest = costs.into_iter().fold(1e-12, f64::max);
        let bar = |number: usize, row: &Row| top(number, row, whole, longest);
        let others = (!rest.is_empty()).then(|| {
            let cost: f64 = rest.iter().map(Row::cost).sum();
            let sum = Row {
                seconds: Some(cost),
                ..Row::default()
            };
            (rest.len(), bar(0, &sum))
        });
        Self {
            facts: facts(record),
            slowest: rows.first().map(|row| slowest(record, row, whole)),
            without: match record.error {
                Some(_) => "The compilation ended before there were kernels.",
                None => "The backend makes no kernels of this program.",
            },
            peak: peak(record),
            compilation: compilation(record),
            fusion: fusion(record, rows),
            error_line: error_line(record),
            last_pass: record
                .steps
                .last()
                .map(|step| format::pass(&step.pass).to_owned())
                .unwrap_or_default(),
            top: rows[..kept]
                .iter()
                .enumerate()
                .map(|(number, row)| bar(number, row))
                .collect(),
            others,
            top_meaning: match (run, &record.machine) {
                (Some(run), _) => format!(
                    "Measured time of {}",
                    format::plural(run.runs as usize, "run")
                ),
                (None, Some(_)) => "Estimated time of a run; none was measured".to_owned(),
                (None, None) => {
                    "Estimated cost; no run was measured, and the machine's limits are unknown"
                        .to_owned()
                }
            },
        }
    }
}

fn top(number: usize, row: &Row, whole: f64, longest: f64) -> Top {
    Top {
        number,
        name: row.name.clone(),
        place: row.location.clone(),
        ops: row.ops.join(", "),
        share: format::share(row.cost(), whole),
        time: row.seconds.map(format::duration).unwrap_or_default(),
        length: format!("{:.2}", (row.cost() / longest * 100.0).min(100.0)),
        bound: row.bound.map_or("unknown", Bound::name),
    }
}

/// The line of the program that an error names at its begin: `file:line:column: `.
fn error_line(record: &CompilationRecord) -> Option<(usize, String)> {
    let error = record.error.as_ref()?;
    let rest = error.strip_prefix(&record.program)?.strip_prefix(':')?;
    let number: usize = rest.split(':').next()?.parse().ok()?;
    let line = record.source.lines().nth(number.checked_sub(1)?)?;
    Some((number, line.trim().chars().take(200).collect()))
}

fn facts(record: &CompilationRecord) -> Vec<(&'static str, String)> {
    let mut facts = vec![
        ("Program", record.program.clone()),
        ("Backend", record.backend.clone()),
        ("Target", record.target.clone()),
    ];
    if record.threads > 0 {
        facts.push(("Threads", record.threads.to_string()));
    }
    facts.push(("Entry", record.signature.clone()));
    let seconds = compile_time::total(record);
    if seconds > 0.0 {
        facts.push(("Compilation", format::duration(seconds)));
    }
    if let Some(run) = record.run.as_ref().filter(|run| run.runs > 0) {
        let mean = format::duration(run.seconds / run.runs as f64);
        let runs = format::plural(run.runs as usize, "run");
        facts.push(("A run", format!("{mean}, the mean of {runs}")));
    }
    if let Some(bytes) = record.code_bytes {
        facts.push(("Machine code", format::size(bytes)));
    }
    if let Some(machine) = &record.machine {
        let flops = format::giga(machine.flops);
        let bandwidth = format::giga(machine.bandwidth);
        facts.push(("Machine", format!("{flops} GFLOP/s, {bandwidth} GB/s")));
    }
    facts.push(("Halo", record.halo.clone()));
    facts.retain(|(_, value)| !value.is_empty());
    facts
}

/// What bounds the time of a kernel, in sentences.
pub fn verdict(record: &CompilationRecord, row: &Row) -> String {
    let mut text = bound_of(row, record.machine.as_ref());
    if record.threads > 1 && row.threads == Some(1) {
        text += &format!(" It runs on 1 of {} threads.", record.threads);
    }
    text.trim_start().to_owned()
}

fn bound_of(row: &Row, machine: Option<&Machine>) -> String {
    let (Some(bound), Some(machine)) = (row.bound, machine) else {
        return match row.bandwidth() {
            Some(bandwidth) => format!("It moves {} GB/s.", format::giga(bandwidth)),
            None => String::new(),
        };
    };
    let limit = match bound {
        Bound::Memory => format!("{} GB/s of memory", format::giga(machine.bandwidth)),
        Bound::Compute => format!("{} GFLOP/s", format::giga(machine.flops)),
    };
    let reached = match bound {
        Bound::Memory => row
            .bandwidth()
            .map(|value| format!("{} GB/s", format::giga(value))),
        Bound::Compute => row
            .flops_per_second()
            .map(|value| format!("{} GFLOP/s", format::giga(value))),
    };
    let bound = bound.name();
    let (Some(reached), Some(part)) = (reached, row.efficiency()) else {
        return format!("By its bytes and flops it is limited by {bound}: {limit}.");
    };
    let share = format::share(part, 1.0);
    if row.is_cached() {
        return format!(
            "Memory would limit it, but its data come from caches: {reached}, {share} of the {limit}."
        );
    }
    if part > 1.05 {
        return format!("Compute limits it: {reached}, more than the {limit} that were measured.");
    }
    let far = match part {
        part if part >= 0.6 => "",
        part if row.transcendentals > 0.1 * row.flops.max(1.0) && part < 0.6 => {
            " Its elementary functions, such as exponentials, take time that flops do not count."
        }
        part if part >= 0.25 => " It is some way from that limit.",
        _ => " It is far from that limit: its time goes elsewhere.",
    };
    format!("It is limited by {bound}: {reached}, {share} of the {limit}.{far}")
}

fn slowest(record: &CompilationRecord, row: &Row, whole: f64) -> Slowest {
    let share = format::share(row.cost(), whole);
    let share = match row.seconds {
        Some(seconds) => {
            let calls = format::plural(row.count as usize, "call");
            format!(
                "{share} of the time: {} in {calls}",
                format::duration(seconds)
            )
        }
        None => format!("{share} of the estimated time"),
    };
    let ops = source_ops(record, &row.nodes);
    Slowest {
        name: row.name.clone(),
        share,
        verdict: verdict(record, row),
        more: ops.len().saturating_sub(NAMED),
        ops: ops
            .iter()
            .take(NAMED)
            .map(|op| (format::short(&op.name).to_owned(), op.line))
            .collect(),
    }
}

/// The ops of the program that nodes were made of.
fn source_ops<'a>(record: &'a CompilationRecord, nodes: &[u32]) -> Vec<&'a SourceOp> {
    let nodes = nodes
        .iter()
        .filter_map(|node| record.nodes.get(*node as usize));
    let mut origins: Vec<u32> = nodes
        .flat_map(|node| node.origins.iter().copied())
        .collect();
    origins.sort_unstable();
    origins.dedup();
    let ops = origins.iter().filter_map(|op| record.ops.get(*op as usize));
    ops.filter(|op| !op.name.ends_with(".return")).collect()
}

fn peak(record: &CompilationRecord) -> Option<Peak> {
    let arena = record.arena.as_ref()?;
    let mut held = holders(arena);
    let all = held.len();
    // Vectors of a few bytes are not what holds the peak.
    let is_large = |number: &u32| {
        let buffer = arena.buffers.get(*number as usize);
        buffer.is_some_and(|buffer| buffer.bytes.saturating_mul(100) >= arena.lower_bound)
    };
    held.retain(is_large);
    held.truncate(NAMED);
    let more = all - held.len();
    let bound = match arena.bytes.saturating_sub(arena.lower_bound) {
        0 => "which is the least that is possible".to_owned(),
        over => format!(
            "{} above the lower bound of {}",
            format::share(over as f64, arena.lower_bound.max(1) as f64),
            format::size(arena.lower_bound)
        ),
    };
    Some(Peak {
        sentence: format!("{} in the arena, {bound}", format::size(arena.bytes)),
        holders: held
            .into_iter()
            .filter_map(|number| {
                let buffer = arena.buffers.get(number as usize)?;
                let ops = super::rows::op_names(record, &buffer.nodes).join(", ");
                let what = if ops.is_empty() { &buffer.r#type } else { &ops };
                Some((number, format!("{} of {what}", format::size(buffer.bytes))))
            })
            .collect(),
        more,
    })
}

fn compilation(record: &CompilationRecord) -> String {
    let all = format::duration(compile_time::total(record));
    let steps = record.steps.iter().filter(|step| !step.pass.is_empty());
    let count = steps.clone().count();
    let slowest = steps.max_by(|one, other| one.seconds.total_cmp(&other.seconds));
    let generation: f64 = record.code_generation.iter().map(|part| part.seconds).sum();
    let mut text = format!("{all} for {}", format::plural(count, "pass"));
    if let Some(step) = slowest {
        text += &format!(
            "; the slowest is {}, {}",
            format::pass(&step.pass),
            format::duration(step.seconds)
        );
    }
    if generation > 0.0 {
        text += &format!(
            "; machine code took {} of all threads",
            format::duration(generation)
        );
    }
    text + "."
}

fn fusion(record: &CompilationRecord, rows: &[Row]) -> String {
    let ops = format::plural(record.ops.len(), "op");
    if rows.is_empty() {
        return format!("The program has {ops}.");
    }
    let calls = format::plural(record.calls.len(), "call");
    let kernels = format::plural(record.kernels.len(), "kernel");
    let remarks = match record.remarks.len() {
        0 => String::new(),
        count => format!("; passes tell of {}", format::plural(count, "decision")),
    };
    format!("{ops} of the program became {calls} of {kernels}{remarks}.")
}

#[cfg(test)]
mod tests {
    use super::super::{rows, samples};
    use super::*;

    fn verdict_of(bytes: u64, flops: u64, seconds: f64, threads: u32) -> String {
        let mut record = samples::program(12);
        record.calls[0].flops = flops;
        let site = &mut record.run.as_mut().unwrap().sites[0];
        (site.count, site.bytes, site.seconds, site.threads) = (1, Some(bytes), seconds, threads);
        let rows = rows::rows(&record);
        let row = rows.iter().find(|row| row.name == "main_kernel_0").unwrap();
        verdict(&record, row)
    }

    #[test]
    fn verdicts_tell_what_limits_a_kernel() {
        // The machine has 14 GB/s and 180 GFLOP/s.
        let cases = [
            (
                14_000_000,
                0,
                0.001_25,
                2,
                "limited by memory: 11.20 GB/s, 80.0% of the 14.00 GB/s of memory.",
            ),
            (
                14_000_000,
                0,
                0.000_5,
                2,
                "its data come from caches: 28.00 GB/s, 200.0%",
            ),
            (14_000_000, 0, 0.01, 2, "far from that limit"),
            (
                1_000,
                180_000_000,
                0.001_25,
                2,
                "limited by compute: 144.00 GFLOP/s, 80.0% of the 180.00 GFLOP/s.",
            ),
            (
                1_000,
                180_000_000,
                0.000_5,
                2,
                "360.00 GFLOP/s, more than the 180.00 GFLOP/s that were measured",
            ),
            (1_000, 180_000_000, 0.002_5, 1, "It runs on 1 of 2 threads."),
        ];
        for (bytes, flops, seconds, threads, expected) in cases {
            let text = verdict_of(bytes, flops, seconds, threads);
            assert!(text.contains(expected), "{text}");
        }
    }

    #[test]
    fn summaries_name_the_slowest_kernel_and_the_holders_of_the_peak() {
        let record = samples::program(60);
        let summary = Summary::new(&record, &rows::rows(&record));
        let slowest = summary.slowest.unwrap();
        assert_eq!(slowest.name, "main_kernel_9");
        assert!(
            slowest
                .share
                .starts_with("20.8% of the time: 6.537 ms in 10 calls"),
            "{}",
            slowest.share
        );
        let ops: Vec<&str> = slowest.ops.iter().map(|(name, _)| &name[..]).collect();
        assert_eq!(ops, ["constant", "dot_general", "broadcast_in_dim", "add"]);
        assert_eq!(slowest.ops[1].1, 39);
        let peak = summary.peak.unwrap();
        assert_eq!(
            peak.sentence,
            "262.14 kB in the arena, 33.3% above the lower bound of 196.61 kB"
        );
        assert_eq!(peak.holders[0], (0, "65.54 kB of add".to_owned()));
    }
}
