//! The differences between two compilations.

use super::{format, kernels, kernels::Row};
use crate::record::CompilationRecord;
use std::collections::BTreeMap;

/// The maximum number of rows of a table.
const LISTED: usize = 100;

pub struct Comparison {
    /// Differences other than the code.
    pub warnings: Vec<String>,
    pub tables: Vec<Table>,
}

pub struct Table {
    pub title: &'static str,
    pub rows: Vec<Change>,
    pub left_out: usize,
}

/// A number before and after.
pub struct Change {
    pub name: String,
    pub before: String,
    pub after: String,
    /// In percent, `new` or `gone`.
    pub change: String,
    /// `better`, `worse` or empty.
    pub class: &'static str,
}

impl Comparison {
    pub fn new(old: &CompilationRecord, new: &CompilationRecord) -> Self {
        Self {
            warnings: warnings(old, new),
            tables: vec![
                table("Totals", totals(old), totals(new)),
                table("Kernels", times_of_kernels(old), times_of_kernels(new)),
                table("Passes", times_of_passes(old), times_of_passes(new)),
            ],
        }
    }
}

fn warnings(old: &CompilationRecord, new: &CompilationRecord) -> Vec<String> {
    let pairs = [
        ("program", &old.program, &new.program),
        ("entry", &old.signature, &new.signature),
        ("backend", &old.backend, &new.backend),
        ("target", &old.target, &new.target),
    ];
    let differ = pairs.iter().filter(|(_, old, new)| old != new);
    let mut warnings: Vec<String> = differ
        .map(|(name, old, new)| format!("other {name}: {old} before, {new} now"))
        .collect();
    if old.threads != new.threads {
        warnings.push(format!(
            "{} threads before, {} now",
            old.threads, new.threads
        ));
    }
    warnings
}

/// A number with its unit.
#[derive(Clone, Copy)]
enum Amount {
    Seconds(f64),
    Bytes(u64),
}

impl Amount {
    fn value(self) -> f64 {
        match self {
            Self::Seconds(seconds) => seconds,
            Self::Bytes(bytes) => bytes as f64,
        }
    }

    fn text(self) -> String {
        match self {
            Self::Seconds(seconds) => format::duration(seconds),
            Self::Bytes(bytes) => format::size(bytes),
        }
    }
}

type Amounts = BTreeMap<String, Amount>;

fn totals(record: &CompilationRecord) -> Amounts {
    let run = record.run.as_ref();
    let fastest = run.and_then(|run| run.runs.iter().copied().reduce(f64::min));
    let arena = record.arena.as_ref().map(|arena| arena.bytes);
    let amounts = [
        ("fastest run", fastest.map(Amount::Seconds)),
        ("compilation", Some(Amount::Seconds(record.seconds()))),
        ("temporaries", arena.map(Amount::Bytes)),
        ("machine code", record.code_bytes.map(Amount::Bytes)),
    ];
    let known = amounts.into_iter();
    let known = known.filter_map(|(name, amount)| Some((name.to_owned(), amount?)));
    known.collect()
}

/// The time of kernels in the fastest run, by ops, since numbers of kernels change.
fn times_of_kernels(record: &CompilationRecord) -> Amounts {
    let rows = kernels::rows(record);
    let measured = rows.iter().filter(|row| row.seconds > 0.0);
    sums(measured.map(|row| (name_of(row), row.least_seconds)))
}

fn name_of(row: &Row) -> String {
    if row.ops.is_empty() {
        return row.name.to_owned();
    }
    format!("{} of {}", row.work, row.ops.join(", "))
}

fn times_of_passes(record: &CompilationRecord) -> Amounts {
    let steps = record.steps.iter().filter(|step| !step.pass.is_empty());
    sums(steps.map(|step| {
        let pass = format::pass(&step.pass);
        let name = pass.split('{').next().unwrap_or(pass);
        (name.to_owned(), step.seconds)
    }))
}

fn sums(times: impl Iterator<Item = (String, f64)>) -> Amounts {
    let mut sums: BTreeMap<String, f64> = BTreeMap::new();
    for (name, seconds) in times {
        *sums.entry(name).or_default() += seconds;
    }
    let sums = sums.into_iter();
    sums.map(|(name, seconds)| (name, Amount::Seconds(seconds))).collect()
}

/// The changes, the longest times first.
fn table(title: &'static str, old: Amounts, mut new: Amounts) -> Table {
    let mut rows: Vec<(f64, Change)> = Vec::new();
    for (name, before) in old {
        let after = new.remove(&name);
        rows.push(change(name, Some(before), after));
    }
    rows.extend(new.into_iter().map(|(name, after)| change(name, None, Some(after))));
    rows.sort_by(|one, other| other.0.total_cmp(&one.0));
    let left_out = rows.len().saturating_sub(LISTED);
    let rows = rows.into_iter().take(LISTED).map(|(_, change)| change);
    Table {
        title,
        rows: rows.collect(),
        left_out,
    }
}

/// A change with its size in seconds.
fn change(name: String, before: Option<Amount>, after: Option<Amount>) -> (f64, Change) {
    let value = |amount: Option<Amount>| amount.map_or(0.0, Amount::value);
    let text = |amount: Option<Amount>| amount.map_or_else(String::new, Amount::text);
    let (old, new) = (value(before), value(after));
    let (change, class) = match (before, after) {
        (None, _) => ("new".to_owned(), ""),
        (_, None) => ("gone".to_owned(), ""),
        _ if old == new => (String::new(), ""),
        _ => {
            let percent = (new / old.max(1e-12) - 1.0) * 100.0;
            let class = if new > old { "worse" } else { "better" };
            (format!("{percent:+.1}%"), class)
        }
    };
    let row = Change {
        name,
        before: text(before),
        after: text(after),
        change,
        class,
    };
    let is_time = |amount: Option<Amount>| matches!(amount, None | Some(Amount::Seconds(_)));
    let seconds = if is_time(before) && is_time(after) {
        (new - old).abs()
    } else {
        0.0
    };
    (seconds, row)
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    #[test]
    fn equal_compilations_do_not_differ() {
        let record = samples::program();
        let comparison = Comparison::new(&record, &record);
        assert!(comparison.warnings.is_empty());
        let rows = comparison.tables.iter().flat_map(|table| &table.rows);
        assert!(rows.clone().count() > 6);
        for row in rows {
            assert_eq!((&row.before, &row.change[..]), (&row.after, ""));
        }
    }

    #[test]
    fn the_largest_change_is_first() {
        let old = samples::program();
        let mut new = old.clone();
        new.threads = 8;
        let sites = &mut new.run.as_mut().unwrap().sites;
        sites[1].least_seconds *= 3.0;
        for call in &mut new.calls[..2] {
            call.nodes.clear();
        }
        let comparison = Comparison::new(&old, &new);
        assert_eq!(comparison.warnings, ["2 threads before, 8 now"]);
        let rows = comparison.tables[1].rows.iter();
        let rows: Vec<_> = rows.map(|row| (&row.name[..], &row.change[..], row.class)).collect();
        assert_eq!(rows[0], ("compute of reduce (5:8)", "+200.0%", "worse"));
        assert!(rows.contains(&("main_kernel_0", "new", "")), "{rows:?}");
        assert_eq!(rows.len(), 4);
    }
}
