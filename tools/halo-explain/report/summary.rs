//! The summary: what one asks first, answered in sentences.

use super::{
    account,
    buffers::Plan,
    compile_time, format,
    groups::{self, Group},
    machine,
    memory::holders,
    rows::{Bound, Row},
    thread_times::ThreadTimes,
    verdict::verdict,
};
use halo_runtime::compilation_record::{CompilationRecord, EntryValue, Machine, SourceOp};

/// How many kernels and ops are named.
const NAMED: usize = 8;

/// A median that is larger by this factor is another one.
const CLEARLY: f64 = 1.02;
/// The most letters of a line of the program.
const LINE: usize = 120;

pub struct Summary {
    /// What was compiled: a name and a value each.
    pub facts: Vec<(&'static str, String)>,
    pub slowest: Option<Slowest>,
    /// Why no kernel is named.
    pub without: &'static str,
    /// The times of runs, in sentences.
    pub run: Vec<String>,
    pub peak: Option<Peak>,
    pub compilation: String,
    pub fusion: String,
    /// The line of the program that the error is about, and its text.
    pub error_line: Option<(usize, String)>,
    /// The last pass that ended.
    pub last_pass: String,
    /// The kernels with the most to save, or else the most expensive.
    pub top: Vec<Top>,
    /// The others: how many, and their part of the time.
    pub others: Option<(usize, Top)>,
    /// What the bars show.
    pub top_meaning: String,
    /// Whether limits and savings are known.
    pub has_limits: bool,
    /// The time by kinds of ops.
    pub kinds: Vec<KindBar>,
    /// The operations that an elementary function counts as there.
    pub of_function: u64,
}

pub struct Slowest {
    /// The address of its page.
    pub page: String,
    pub name: String,
    /// The part of the time.
    pub share: String,
    /// What limits it, a sentence each.
    pub verdict: Vec<String>,
    /// What there is to save: the page of the kernel with the most, its name, and a sentence.
    pub saving: Option<(String, String, String)>,
    /// The ops of the program that it was made of.
    pub ops: Vec<MadeOf>,
    pub more: usize,
}

/// An op that a kernel was made of.
pub struct MadeOf {
    pub op: String,
    /// Its line in the program; 0 if it is in another file.
    pub line: u32,
    /// Where it is, if it has no line.
    pub place: String,
    /// The text of the line.
    pub text: String,
}

pub struct Peak {
    pub sentence: String,
    /// What arguments and results add to it.
    pub all: String,
    /// The call at the peak.
    pub at: String,
    pub holders: Vec<(u32, String)>,
    pub more: usize,
}

pub struct Top {
    /// The address of its page.
    pub page: String,
    pub name: String,
    pub place: String,
    pub ops: String,
    pub share: String,
    pub time: String,
    pub of_limit: String,
    pub saving: String,
    /// The length of the bar and of its part that the machine needs, from 0 to 100.
    pub length: String,
    pub limit_length: String,
    pub bound: &'static str,
    /// What it does, if it computes nothing.
    pub work: &'static str,
}

pub struct KindBar {
    pub name: String,
    pub kernels: String,
    pub share: String,
    pub time: String,
    pub length: String,
    /// The part that moves data for them.
    pub moving: String,
}

impl Summary {
    pub fn new(
        record: &CompilationRecord,
        rows: &[Row],
        groups: &[Group],
        plan: Option<&Plan>,
    ) -> Self {
        let run = record.run.as_ref();
        let estimated: f64 = rows.iter().map(Row::cost).sum();
        let whole = run.map_or(estimated, |run| run.seconds);
        let saving = |group: &Group| group.sum.saving().unwrap_or(0.0);
        let has_limits = groups.iter().any(|group| group.sum.saving().is_some());
        let mut ranked: Vec<(usize, &Group)> = groups.iter().enumerate().collect();
        if has_limits {
            ranked.sort_by(|(_, one), (_, other)| saving(other).total_cmp(&saving(one)));
        }
        let kept = if ranked.len() > NAMED + 1 {
            NAMED
        } else {
            ranked.len()
        };
        let rest = &ranked[kept..];
        let rest_cost: f64 = rest.iter().map(|(_, group)| group.sum.cost()).sum();
        let costs = ranked[..kept].iter().map(|(_, group)| group.sum.cost());
        let longest = costs.chain([rest_cost]).fold(1e-12, f64::max);
        let others = (!rest.is_empty()).then(|| {
            let savings: f64 = rest.iter().map(|(_, group)| saving(group)).sum();
            let fastest = rest.iter().map(|(_, group)| group.sum.at_best());
            let fastest: Option<f64> = fastest.sum();
            let sum = Row {
                seconds: Some(rest_cost),
                estimate: fastest
                    .filter(|_| has_limits)
                    .map(|fastest| fastest - savings),
                fastest,
                fastest_runs: rows.first().and_then(|row| row.fastest_runs),
                ..Row::default()
            };
            (rest.len(), top(String::new(), &sum, whole, longest))
        });
        Self {
            facts: facts(record),
            slowest: slowest(record, groups, whole),
            without: match record.error {
                Some(_) => "The compilation ended before there were kernels.",
                None => "The backend makes no kernels of this program.",
            },
            run: run_sentences(record, rows),
            peak: plan.and_then(|plan| peak(record, plan)),
            compilation: compilation(record),
            fusion: fusion(record, rows),
            error_line: error_line(record),
            last_pass: record
                .steps
                .last()
                .map(|step| format::pass(&step.pass).to_owned())
                .unwrap_or_default(),
            top: ranked[..kept]
                .iter()
                .map(|(number, group)| {
                    let page = group.page(*number);
                    let mut bar = top(page, &group.sum, whole, longest);
                    if group.rows.len() > 1 {
                        bar.place = format::plural(group.rows.len(), "call site");
                    }
                    bar
                })
                .collect(),
            others,
            top_meaning: match (run, &record.machine) {
                (Some(run), Some(_)) => format!(
                    "Measured time, the sum of {}. The kernels with the most to save are first: the time of the fastest run above what this machine needs at least",
                    format::plural(run.runs as usize, "run")
                ),
                (Some(run), None) => format!(
                    "Measured time, the sum of {}",
                    format::plural(run.runs as usize, "run")
                ),
                (None, Some(_)) => "Estimated time of a run; none was measured".to_owned(),
                (None, None) => {
                    "Estimated cost; no run was measured, and the machine's limits are unknown"
                        .to_owned()
                }
            },
            has_limits,
            kinds: kind_bars(record, groups, whole),
            of_function: account::OF_FUNCTION,
        }
    }
}

fn kind_bars(record: &CompilationRecord, groups: &[Group], whole: f64) -> Vec<KindBar> {
    let kinds = groups::kinds(record, groups);
    let longest = kinds.iter().map(|kind| kind.cost).fold(1e-12, f64::max);
    let bar = |kind: &groups::Kind| KindBar {
        name: kind.name.clone(),
        kernels: match kind.mixed {
            0 => format::plural(kind.kernels, "kernel"),
            mixed => format!(
                "{}, {} with ops of other kinds, too",
                format::plural(kind.kernels, "kernel"),
                format::count(mixed as u64)
            ),
        },
        share: format::share(kind.cost, whole),
        time: match record.run {
            Some(_) => format::duration(kind.cost),
            None => String::new(),
        },
        length: format!("{:.2}", (kind.cost / longest * 100.0).min(100.0)),
        moving: match kind.moving > 0.0 {
            true => format!(
                "{} to pack or rearrange operands",
                format::share(kind.moving, whole)
            ),
            false => String::new(),
        },
    };
    kinds.iter().take(2 * NAMED).map(bar).collect()
}

/// The times of runs, and the parts of them that are in no kernel's work.
fn run_sentences(record: &CompilationRecord, rows: &[Row]) -> Vec<String> {
    let Some(run) = record.run.as_ref().filter(|run| run.runs > 0) else {
        return Vec::new();
    };
    let mean = format::duration(run.seconds / run.runs as f64);
    let spread = run.spread;
    let mut sentences = vec![format!(
        "{mean} is the mean of {}: least {}, median {}, most {}.",
        format::plural(run.runs as usize, "run"),
        format::duration(spread.least),
        format::duration(spread.median),
        format::duration(spread.most)
    )];
    if spread.least > 0.0 && spread.most > 1.3 * spread.least {
        sentences.push(
            "The runs differ: other programs may have had the processors, so compare the least times."
                .to_owned(),
        );
    }
    let measured: f64 = rows.iter().filter_map(|row| row.seconds).sum();
    let times: ThreadTimes = rows.iter().filter_map(|row| row.thread_times).sum();
    let outside = format::share((run.seconds - measured).max(0.0), run.seconds);
    let worked = times.all - times.idle - times.waiting;
    let parts = [worked, times.waiting, times.idle].map(|it| it / times.all.max(1e-12));
    let parts = format::apportioned(&parts, 1000);
    sentences.push(match times.all > 0.0 {
        true => format!(
            "While kernels ran, the {} worked for {} of their time, waited for others of their kernel for {}, and had no task for {}. {outside} of the time of the runs is outside of kernels.",
            format::plural(record.threads as usize, "thread"),
            format::percent(parts[0]),
            format::percent(parts[1]),
            format::percent(parts[2]),
        ),
        false => format!("{outside} of the time of the runs is outside of kernels."),
    });
    sentences
}

fn top(page: String, row: &Row, whole: f64, longest: f64) -> Top {
    Top {
        page,
        name: row.name.clone(),
        place: row.location.clone(),
        ops: row.ops.join(", "),
        share: format::share(row.cost(), whole),
        time: row.seconds.map(format::duration).unwrap_or_default(),
        of_limit: row
            .efficiency()
            .map(|part| format::share(part, 1.0))
            .unwrap_or_default(),
        saving: row
            .saving_share()
            .map(|saving| format::share(saving, 1.0))
            .unwrap_or_default(),
        length: format!("{:.2}", (row.cost() / longest * 100.0).min(100.0)),
        limit_length: row
            .seconds
            .and(row.efficiency())
            .map_or_else(String::new, |part| {
                let least = part.min(1.0) * row.cost();
                format!("{:.2}", (least / longest * 100.0).min(100.0))
            }),
        bound: row.bound.map_or("unknown", Bound::name),
        work: row.work(),
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
    let seconds = record.seconds();
    if seconds > 0.0 {
        let all = format::duration(seconds);
        let mut text = match record.times.verification > 0.0 {
            true => format!(
                "{all}, of which {} are of the verifier, which checks more often for this report",
                format::duration(record.times.verification)
            ),
            false => all,
        };
        if record.times.unrecorded > 0.0 {
            let time = format::duration(record.times.unrecorded);
            text += &format!("; {time} without a report");
        }
        facts.push(("Compilation", text));
    }
    if let Some(bytes) = record.code_bytes {
        facts.push(("Machine code", format::size(bytes)));
    }
    if let Some(machine) = &record.machine {
        facts.push(("Machine", machine_text(machine)));
    }
    facts.push(("Halo", record.halo.clone()));
    facts.retain(|(_, value)| !value.is_empty());
    facts
}

/// What the machine reaches.
fn machine_text(machine: &Machine) -> String {
    let limits = machine::limits(machine).into_iter();
    let texts: Vec<String> = limits
        .map(|(name, text)| format!("{name}: {text}"))
        .collect();
    texts.join(" · ")
}

fn slowest(record: &CompilationRecord, groups: &[Group], whole: f64) -> Option<Slowest> {
    let group = groups.first()?;
    let row = &group.sum;
    let share = format::share(row.cost(), whole);
    let sites = match group.rows.len() {
        1 => String::new(),
        count => format!(" at {count} call sites"),
    };
    let share = match (row.seconds, &record.run) {
        (Some(seconds), Some(run)) => format!(
            "{share} of the time{sites}: {}",
            time_of_runs(seconds, row.count, run.runs)
        ),
        _ => format!("{share} of the estimated time{sites}"),
    };
    let most = groups.iter().enumerate().max_by(|(_, one), (_, other)| {
        let saving = |group: &Group| group.sum.saving().unwrap_or(0.0);
        saving(one).total_cmp(&saving(other))
    });
    let saving = most.and_then(|(number, most)| {
        let share = format::share(most.sum.saving_share()?, 1.0);
        let also = if most.sum.name == row.name { "also " } else { "" };
        Some((
            most.page(number),
            most.sum.name.clone(),
            format!("{also}has the most to save: {share} of the time of the fastest run, if nothing disturbed it and it took no more than this machine needs at least"),
        ))
    });
    let ops = source_ops(record, &row.nodes);
    Some(Slowest {
        page: group.page(0),
        name: row.name.clone(),
        share,
        verdict: median_sentence(groups, row)
            .into_iter()
            .chain(verdict(record, row))
            .collect(),
        saving,
        more: ops.len().saturating_sub(NAMED),
        ops: ops
            .iter()
            .take(NAMED)
            .map(|op| made_of(record, op))
            .collect(),
    })
}

/// The time of calls in a run, and in all of them.
fn time_of_runs(seconds: f64, calls: u64, runs: u64) -> String {
    let calls_of = |calls: u64| format::plural(calls as usize, "call");
    let all = format!("{} in {}", format::duration(seconds), calls_of(calls));
    match runs {
        0 | 1 => all,
        runs => {
            let of_run = match calls % runs {
                0 => format!(" in {}", calls_of(calls / runs)),
                _ => String::new(),
            };
            format!(
                "{}{of_run} of a run, on average; {all} of all {runs} runs",
                format::duration(seconds / runs as f64)
            )
        }
    }
}

/// Which kernel takes longer by the median of runs than the slowest one by the mean: some runs of
/// that were disturbed.
fn median_sentence(groups: &[Group], slowest: &Row) -> Option<String> {
    let median = |row: &Row| row.spread.map(|spread| spread.median);
    let own = median(slowest)?;
    let others = groups
        .iter()
        .filter_map(|group| Some((group, median(&group.sum)?)));
    let (group, most) = others.max_by(|(_, one), (_, other)| one.total_cmp(other))?;
    (most > CLEARLY * own).then(|| {
        format!(
            "That is by the mean of all runs, of which some were disturbed. By the median, {} takes longer: {} of a run, and this one {}.",
            group.sum.name,
            format::duration(most),
            format::duration(own)
        )
    })
}

fn made_of(record: &CompilationRecord, op: &SourceOp) -> MadeOf {
    let number = (op.line as usize).checked_sub(1);
    let line = number.and_then(|number| record.source.lines().nth(number));
    MadeOf {
        op: format::short(&op.name).to_owned(),
        line: op.line,
        place: format::place(&record.program, &op.location),
        text: format::clipped(line.unwrap_or_default().trim(), LINE),
    }
}

/// The ops of the program that nodes were made of, by their lines.
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

fn peak(record: &CompilationRecord, plan: &Plan) -> Option<Peak> {
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
        0 => "the least for these kernels in this order".to_owned(),
        over => format!(
            "{} above the lower bound of {}",
            format::share(over as f64, arena.lower_bound.max(1) as f64),
            format::size(arena.lower_bound)
        ),
    };
    Some(Peak {
        sentence: format!(
            "{} for intermediate values (the arena), {bound}",
            format::size(arena.bytes)
        ),
        all: all_memory(record, arena.bytes),
        at: plan.at_peak(),
        holders: held
            .into_iter()
            .filter_map(|number| {
                let buffer = arena.buffers.get(number as usize)?;
                let content = &plan.buffers.get(number as usize)?.content;
                let what = if content.is_empty() {
                    &buffer.r#type
                } else {
                    content
                };
                Some((number, format!("{}: {what}", format::size(buffer.bytes))))
            })
            .collect(),
        more,
    })
}

/// What arguments and results have, and all together.
pub fn all_memory(record: &CompilationRecord, arena: u64) -> String {
    let sum = |values: &[EntryValue]| values.iter().filter_map(|value| value.bytes).sum::<u64>();
    let (arguments, results) = (sum(&record.arguments), sum(&record.results));
    if arguments + results == 0 {
        return String::new();
    }
    format!(
        "With {} of {} and {} of {} it is {} in all.",
        format::size(arguments),
        format::plural(record.arguments.len(), "argument"),
        format::size(results),
        format::plural(record.results.len(), "result"),
        format::size(arguments + results + arena)
    )
}

fn compilation(record: &CompilationRecord) -> String {
    let all = format::duration(record.seconds());
    let passes = record.steps.iter().filter(|step| !step.pass.is_empty());
    let runs = passes.count();
    let different = compile_time::passes(record);
    let passes = format::plural(different, "pass");
    let mut text = match runs == different {
        true => format!("{all} with {passes}"),
        false => format!("{all} with {} of {passes}", format::plural(runs, "run")),
    };
    if let Some((name, seconds)) = compile_time::slowest(record) {
        text += &format!(
            "; the slowest pass is {name}, {} in all of its runs",
            format::duration(seconds)
        );
    }
    let times = &record.times;
    if times.machine_code > 0.0 {
        let threads = match times.machine_code_threads {
            0 | 1 => String::new(),
            threads => format!(" on {threads} threads"),
        };
        text += &format!(
            "; machine code took {}{threads}",
            format::duration(times.machine_code)
        );
    }
    if times.unrecorded > 0.0 {
        text += &format!(
            "; without this report it took {}",
            format::duration(times.unrecorded)
        );
    }
    text + "."
}

fn fusion(record: &CompilationRecord, rows: &[Row]) -> String {
    let ops = format::plural(record.ops.len(), "op");
    if rows.is_empty() {
        return format!("The program has {ops}.");
    }
    let kernels = format::plural(record.kernels.len(), "kernel");
    let sites = format::plural(rows.len(), "call site");
    let calls: u64 = record.calls.iter().map(|call| call.count.max(1)).sum();
    let calls = format::plural(calls as usize, "call");
    format!(
        "The program has {ops}, constants and returns included, without the functions that they are in. They became {kernels}, called at {sites}: {calls} in a run."
    )
}

#[cfg(test)]
mod tests {
    use super::super::{buffers, rows, samples};
    use super::*;

    #[test]
    fn a_kernel_that_is_the_slowest_by_its_worst_run_alone_is_told() {
        let mut record = samples::program(60);
        let sentence = |record: &CompilationRecord| {
            let rows = rows::rows(record);
            let groups = groups::groups(&rows);
            let slowest = Summary::new(record, &rows, &groups, None).slowest.unwrap();
            (slowest.name, slowest.verdict[0].clone())
        };
        let (name, text) = sentence(&record);
        assert_eq!(name, "main_kernel_9");
        assert!(!text.contains("median"), "{text}");
        for site in &mut record.run.as_mut().unwrap().sites {
            for run in &mut site.of_runs {
                run.seconds = if site.name == "main_kernel_8" {
                    0.002
                } else {
                    0.001
                };
            }
        }
        let (name, text) = sentence(&record);
        assert_eq!(name, "main_kernel_9");
        assert!(
            text.ends_with("main_kernel_8 takes longer: 2.000 ms of a run, and this one 1.000 ms."),
            "{text}"
        );
    }

    #[test]
    fn summaries_name_the_slowest_kernel_and_the_holders_of_the_peak() {
        let record = samples::program(60);
        let rows = rows::rows(&record);
        let groups = groups::groups(&rows);
        let plan = buffers::plan(&record);
        let summary = Summary::new(&record, &rows, &groups, plan.as_ref());
        let slowest = summary.slowest.unwrap();
        assert_eq!(slowest.name, "main_kernel_9");
        assert!(
            slowest
                .share
                .starts_with("20.8% of the time: 653.72 us in 1 call of a run, on average; 6.537 ms in 10 calls of all 10 runs"),
            "{}",
            slowest.share
        );
        let ops: Vec<&str> = slowest.ops.iter().map(|it| &it.op[..]).collect();
        assert_eq!(ops, ["constant", "dot_general", "broadcast_in_dim", "add"]);
        assert_eq!(slowest.ops[1].line, 39);
        assert!(
            slowest.ops[1]
                .text
                .starts_with("%37 = stablehlo.dot_general"),
            "{}",
            slowest.ops[1].text
        );
        let peak = summary.peak.unwrap();
        assert_eq!(
            peak.sentence,
            "262.14 kB for intermediate values (the arena), 33.3% above the lower bound of 196.61 kB"
        );
        // 64 x 256 f32 and 256 f32, a result of 64 x 256, and the arena.
        assert_eq!(
            peak.all,
            "With 66.56 kB of 2 arguments and 65.54 kB of 1 result it is 394.24 kB in all."
        );
        assert_eq!(
            peak.holders[0],
            (0, "65.54 kB: result of add (line 5)".to_owned())
        );
        assert_eq!(peak.at, "main_kernel_2");
        // The sentence on waiting is on the summary, with the spread of the runs.
        assert!(
            summary.run[0].contains("10 runs: least"),
            "{:?}",
            summary.run
        );
        let waiting = summary.run.last().unwrap();
        assert!(
            waiting.starts_with("While kernels ran, the 2 threads worked for "),
            "{waiting}"
        );
    }
}
