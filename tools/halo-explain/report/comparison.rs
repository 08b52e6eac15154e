//! Two compilations beside each other: what became faster, slower, larger, and what code
//! differs at the end of each phase.
//!
//! Kernels are matched by their name and place, then by their ops and place, and then by
//! their ops in the order of their calls, because numbers in names change with every kernel
//! more.

use super::{format, rows::Row, texts};
use halo_runtime::compilation_record::{CompilationRecord, Step};
use similar::{Algorithm, ChangeTag, TextDiff};
use std::{
    collections::HashMap,
    time::{Duration, Instant},
};

/// How many kernels and passes are listed, those that differ most.
const LISTED: usize = 200;
/// How many lines of differences of a phase are shown.
const LINES: usize = 400;
/// How long the differences of a phase may take; longer ones are found roughly.
const TIME: Duration = Duration::from_millis(400);

pub struct Comparison {
    pub old: String,
    pub new: String,
    /// What both are, where that differs.
    pub warnings: Vec<String>,
    pub totals: Vec<Change>,
    pub kernels: Vec<Change>,
    pub more_kernels: usize,
    pub has_run: bool,
    pub passes: Vec<Change>,
    pub more_passes: usize,
    pub phases: Vec<Phase>,
}

/// Something before and now.
pub struct Change {
    pub name: String,
    /// What it is made of.
    pub of: String,
    /// The row of the table of kernels.
    pub row: Option<usize>,
    pub old: String,
    pub new: String,
    /// The difference in percent, or that it is new or gone.
    pub change: String,
    /// `better`, `worse` or nothing.
    pub class: &'static str,
}

/// The difference of the IR at the end of a phase.
pub struct Phase {
    pub name: String,
    pub gone: usize,
    pub came: usize,
    /// Lines with what they are: `came`, `gone`, `equal`, or `skip` for those left out.
    pub lines: Vec<(&'static str, String)>,
    pub left_out: usize,
}

impl Comparison {
    pub fn new(
        old: &CompilationRecord,
        old_rows: &[Row],
        new: &CompilationRecord,
        rows: &[Row],
    ) -> Self {
        let has_run = old.run.is_some() && new.run.is_some();
        let (mut kernels, mut passes) = (kernels(old_rows, rows, has_run), passes(old, new));
        let more = |changes: &[Change]| changes.len().saturating_sub(LISTED);
        let (more_kernels, more_passes) = (more(&kernels), more(&passes));
        kernels.truncate(LISTED);
        passes.truncate(LISTED);
        Self {
            old: title(old),
            new: title(new),
            warnings: warnings(old, new),
            totals: totals(old, new),
            kernels,
            more_kernels,
            has_run,
            passes,
            more_passes,
            phases: phases(old, new),
        }
    }
}

fn title(record: &CompilationRecord) -> String {
    format!(
        "{} ({}, Halo {})",
        record.program, record.backend, record.halo
    )
}

fn warnings(old: &CompilationRecord, new: &CompilationRecord) -> Vec<String> {
    let parts = [
        ("programs", old.source != new.source),
        ("backends", old.backend != new.backend),
        ("targets", old.target != new.target),
        ("numbers of threads", old.threads != new.threads),
        ("versions of Halo", old.halo != new.halo),
    ];
    let differ = parts.iter().filter(|(_, differs)| *differs);
    let names: Vec<&str> = differ.map(|(name, _)| *name).collect();
    let mut warnings = Vec::new();
    if !names.is_empty() {
        warnings.push(format!("The two differ in their {}.", names.join(", ")));
    }
    for (record, which) in [(old, "earlier"), (new, "later")] {
        if record.error.is_some() {
            warnings.push(format!("The {which} compilation failed."));
        }
    }
    warnings
}

/// A change of a quantity of which less is better.
fn change(name: &str, old: Option<f64>, new: Option<f64>, text: fn(f64) -> String) -> Change {
    let (difference, class) = match (old, new) {
        (Some(old), Some(new)) if old > 0.0 => {
            let part = (new - old) / old;
            let class = match part {
                part if part <= -0.02 => "better",
                part if part >= 0.02 => "worse",
                _ => "",
            };
            (format!("{:+.1}%", part * 100.0), class)
        }
        (None, Some(_)) => ("new".to_owned(), ""),
        (Some(_), None) => ("gone".to_owned(), ""),
        _ => (String::new(), ""),
    };
    Change {
        name: name.to_owned(),
        of: String::new(),
        row: None,
        old: old.map(text).unwrap_or_default(),
        new: new.map(text).unwrap_or_default(),
        change: difference,
        class,
    }
}

fn totals(old: &CompilationRecord, new: &CompilationRecord) -> Vec<Change> {
    let size = |bytes: f64| format::size(bytes as u64);
    let count = |number: f64| format::count(number as u64);
    type Quantity = fn(&CompilationRecord) -> Option<f64>;
    type Text = fn(f64) -> String;
    let quantities: [(&str, Quantity, Text); 8] = [
        (
            "a run",
            |it| {
                it.run
                    .as_ref()
                    .filter(|run| run.runs > 0)
                    .map(|run| run.seconds / run.runs as f64)
            },
            format::duration,
        ),
        (
            "arena",
            |it| it.arena.as_ref().map(|arena| arena.bytes as f64),
            size,
        ),
        (
            "lower bound of the arena",
            |it| it.arena.as_ref().map(|arena| arena.lower_bound as f64),
            size,
        ),
        ("calls", |it| Some(it.calls.len() as f64), count),
        ("kernels", |it| Some(it.kernels.len() as f64), count),
        (
            "machine code",
            |it| it.code_bytes.map(|bytes| bytes as f64),
            size,
        ),
        ("compilation", |it| Some(it.seconds()), format::duration),
        ("decisions", |it| Some(it.remarks.len() as f64), count),
    ];
    let changes = quantities.into_iter().map(|(name, quantity, text)| {
        let change = change(name, quantity(old), quantity(new), text);
        // Fewer kernels or decisions are neither better nor worse.
        let is_cost = !["calls", "kernels", "decisions"].contains(&name);
        Change {
            class: if is_cost { change.class } else { "" },
            ..change
        }
    });
    changes
        .filter(|change| !change.old.is_empty() || !change.new.is_empty())
        .collect()
}

/// The kernels of both, those whose times differ most first.
fn kernels(old: &[Row], new: &[Row], has_run: bool) -> Vec<Change> {
    let cost = |row: &Row| {
        let seconds = if has_run { row.seconds } else { row.estimate };
        seconds.map(|seconds| seconds / row.count.max(1) as f64 * row.calls.len().max(1) as f64)
    };
    let text = |row: &Row| {
        match has_run {
            true => row.seconds,
            false => row.estimate,
        }
        .map(|seconds| seconds / row.count.max(1) as f64)
    };
    let pairs = matches(old, new);
    let mut is_matched = vec![false; old.len()];
    let mut changes: Vec<(f64, Change)> = Vec::new();
    let microseconds = |seconds: f64| format!("{} us", format::microseconds(seconds));
    for (number, row) in new.iter().enumerate() {
        let before = pairs[number].and_then(|before| {
            is_matched[before] = true;
            old.get(before)
        });
        let mut change = change(&row.name, before.and_then(text), text(row), microseconds);
        change.row = Some(number);
        change.of = row.ops.join(", ");
        if let Some(before) = before.filter(|before| before.name != row.name) {
            change.of = format!("{}, before {}", change.of, before.name);
        }
        if before.is_none() {
            change.change = "new".to_owned();
        }
        let difference = cost(row).unwrap_or(0.0) - before.and_then(cost).unwrap_or(0.0);
        changes.push((difference.abs(), change));
    }
    for (row, _) in old
        .iter()
        .zip(&is_matched)
        .filter(|(_, is_matched)| !**is_matched)
    {
        let mut change = change(&row.name, text(row), None, microseconds);
        change.of = row.ops.join(", ");
        change.change = "gone".to_owned();
        changes.push((cost(row).unwrap_or(0.0), change));
    }
    changes.sort_by(|one, other| other.0.total_cmp(&one.0));
    changes.into_iter().map(|(_, change)| change).collect()
}

/// The old row of each new one.
fn matches(old: &[Row], new: &[Row]) -> Vec<Option<usize>> {
    type Key = fn(&Row) -> String;
    let keys: [Key; 3] = [
        |row| format!("{}\0{}\0{}", row.name, row.location, row.ops.join(",")),
        |row| format!("{}\0{}", row.location, row.ops.join(",")),
        |row| row.ops.join(","),
    ];
    let mut found: Vec<Option<usize>> = vec![None; new.len()];
    let mut is_taken = vec![false; old.len()];
    let first_call = |row: &Row| row.calls.first().copied().unwrap_or(u32::MAX);
    let mut order: Vec<usize> = (0..new.len()).collect();
    order.sort_by_key(|number| first_call(&new[*number]));
    for key in keys {
        let mut free: HashMap<String, Vec<usize>> = HashMap::new();
        let mut left: Vec<usize> = (0..old.len()).filter(|number| !is_taken[*number]).collect();
        // The last is taken first.
        left.sort_by_key(|number| std::cmp::Reverse(first_call(&old[*number])));
        for number in left {
            free.entry(key(&old[number])).or_default().push(number);
        }
        for number in &order {
            if found[*number].is_none()
                && let Some(before) = free.get_mut(&key(&new[*number])).and_then(Vec::pop)
            {
                found[*number] = Some(before);
                is_taken[before] = true;
            }
        }
    }
    found
}

/// The times of passes, those that differ most first. Passes that run more than once are
/// matched in their order.
fn passes(old: &CompilationRecord, new: &CompilationRecord) -> Vec<Change> {
    let named = |record: &CompilationRecord| -> Vec<((String, usize), String, f64)> {
        let mut seen: HashMap<String, usize> = HashMap::new();
        let steps = record.steps.iter().filter(|step| !step.pass.is_empty());
        steps
            .map(|step| {
                let times = seen.entry(format::pass(&step.pass).to_owned()).or_insert(0);
                *times += 1;
                (
                    (format::pass(&step.pass).to_owned(), *times),
                    step.phase.clone(),
                    step.seconds,
                )
            })
            .collect()
    };
    let mut before: HashMap<(String, usize), (String, f64)> = named(old)
        .into_iter()
        .map(|(key, phase, seconds)| (key, (phase, seconds)))
        .collect();
    let mut changes: Vec<(f64, Change)> = Vec::new();
    let milliseconds = |seconds: f64| format!("{} ms", format::milliseconds(seconds));
    for (key, phase, seconds) in named(new) {
        let old = before.remove(&key).map(|(_, seconds)| seconds);
        let mut change = change(&key.0, old, Some(seconds), milliseconds);
        change.of = phase;
        changes.push(((seconds - old.unwrap_or(0.0)).abs(), change));
    }
    for ((pass, _), (phase, seconds)) in before {
        let mut change = change(&pass, Some(seconds), None, milliseconds);
        change.of = phase;
        changes.push((seconds, change));
    }
    changes.sort_by(|one, other| {
        other
            .0
            .total_cmp(&one.0)
            .then_with(|| one.1.name.cmp(&other.1.name))
    });
    changes.into_iter().map(|(_, change)| change).collect()
}

/// The differences at the end of each phase that both have.
fn phases(old: &CompilationRecord, new: &CompilationRecord) -> Vec<Phase> {
    let ends = |record: &CompilationRecord| -> Vec<(String, String)> {
        let steps = &record.steps;
        let is_end = |number: usize| {
            steps
                .get(number + 1)
                .is_none_or(|next| next.phase != steps[number].phase)
        };
        let ends = (0..steps.len()).filter(|number| is_end(*number));
        ends.filter(|number| !steps[*number].functions.is_empty())
            .map(|number| (steps[number].phase.clone(), text(record, &steps[number])))
            .collect()
    };
    let before: HashMap<String, String> = ends(old).into_iter().collect();
    let after = ends(new).into_iter();
    let both = after.filter_map(|(name, text)| Some((before.get(&name)?.clone(), name, text)));
    both.map(|(old, name, new)| phase(name, &old, &new))
        .collect()
}

/// The functions of a step as text, without the numbers of values.
fn text(record: &CompilationRecord, step: &Step) -> String {
    let mut text = String::new();
    for function in texts::functions(record, &step.functions) {
        for line in texts::lines(record, function) {
            without_numbers(line, &mut text);
            text.push('\n');
        }
    }
    text
}

fn without_numbers(line: &str, text: &mut String) {
    let mut rest = line;
    while let Some(start) = rest.find('%') {
        text.push_str(&rest[..=start]);
        rest = rest[start + 1..].trim_start_matches(|letter: char| letter.is_ascii_digit());
    }
    text.push_str(rest);
}

fn phase(name: String, old: &str, new: &str) -> Phase {
    let mut configuration = TextDiff::configure();
    configuration
        .algorithm(Algorithm::Histogram)
        .deadline(Instant::now() + TIME);
    let found = configuration.diff_lines(old, new);
    let (mut gone, mut came) = (0, 0);
    for change in found.iter_all_changes() {
        match change.tag() {
            ChangeTag::Delete => gone += 1,
            ChangeTag::Insert => came += 1,
            ChangeTag::Equal => {}
        }
    }
    let mut lines = Vec::new();
    for (number, group) in found.grouped_ops(2).iter().enumerate() {
        if number > 0 {
            lines.push(("skip", "⋯".to_owned()));
        }
        for change in group.iter().flat_map(|op| found.iter_changes(op)) {
            let class = match change.tag() {
                ChangeTag::Delete => "gone",
                ChangeTag::Insert => "came",
                ChangeTag::Equal => "equal",
            };
            lines.push((class, change.value().trim_end().to_owned()));
        }
    }
    let left_out = lines.len().saturating_sub(LINES);
    lines.truncate(LINES);
    Phase {
        name,
        gone,
        came,
        lines,
        left_out,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{rows, samples};
    use super::*;

    fn compare(old: &CompilationRecord, new: &CompilationRecord) -> Comparison {
        Comparison::new(old, &rows::rows(old), new, &rows::rows(new))
    }

    #[test]
    fn equal_compilations_differ_in_nothing() {
        let record = samples::program(60);
        let comparison = compare(&record, &record);
        assert!(comparison.warnings.is_empty());
        let classes = comparison
            .totals
            .iter()
            .chain(&comparison.kernels)
            .chain(&comparison.passes);
        assert!(classes.into_iter().all(|change| change.change == "+0.0%"));
        assert_eq!(comparison.kernels.len(), 15);
        assert!(
            comparison
                .phases
                .iter()
                .all(|phase| phase.gone + phase.came == 0)
        );
    }

    #[test]
    fn what_became_slower_is_first() {
        let old = samples::program(60);
        let mut new = old.clone();
        let run = new.run.as_mut().unwrap();
        let site = run
            .sites
            .iter_mut()
            .find(|site| site.name == "main_kernel_6")
            .unwrap();
        site.sum.seconds *= 3.0;
        let comparison = compare(&old, &new);
        let first = &comparison.kernels[0];
        assert_eq!(
            (&first.name[..], &first.change[..], first.class),
            ("main_kernel_6", "+200.0%", "worse")
        );
    }

    #[test]
    fn kernels_with_other_numbers_are_found_by_ops_and_place() {
        let old = samples::program(60);
        let mut new = old.clone();
        for (call, site) in new
            .calls
            .iter_mut()
            .zip(&mut new.run.as_mut().unwrap().sites)
        {
            call.name = format!("{}0", call.name);
            site.name = call.name.clone();
        }
        let comparison = compare(&old, &new);
        assert!(
            comparison
                .kernels
                .iter()
                .all(|change| change.change == "+0.0%")
        );
        assert!(comparison.kernels[0].of.contains("before main_kernel_"));
    }

    #[test]
    fn larger_programs_have_new_kernels_and_lines() {
        let comparison = compare(&samples::program(24), &samples::program(36));
        assert_eq!(comparison.warnings.len(), 1, "{:?}", comparison.warnings);
        let new = comparison
            .kernels
            .iter()
            .filter(|change| change.change == "new");
        assert_eq!(new.count(), 3);
        assert!(
            comparison
                .phases
                .iter()
                .all(|phase| phase.came >= 10 && phase.gone <= 2)
        );
        let gone = compare(&samples::program(36), &samples::program(24));
        assert_eq!(
            gone.kernels
                .iter()
                .filter(|change| change.change == "gone")
                .count(),
            3
        );
    }

    #[test]
    fn numbers_of_values_are_left_out() {
        let mut text = String::new();
        without_numbers("%12:2 = a.a %arg0, %3#1, 7", &mut text);
        assert_eq!(text, "%:2 = a.a %arg0, %#1, 7");
    }
}
