//! Rows that belong together: the call sites of a kernel, and the kernels that work for ops of
//! one kind.

use super::{
    account, format, roof,
    rows::{self, Row},
    thread_times::RunTimes,
};
use halo_runtime::compilation_record::{CallKind, CallPurpose, CompilationRecord};
use std::collections::HashMap;

/// The call sites of a kernel.
#[derive(Clone, Debug, Default)]
pub struct Group {
    /// The rows by number, the most expensive first.
    pub rows: Vec<usize>,
    /// All of them as one row.
    pub sum: Row,
}

impl Group {
    /// The address of its page in the report: that of its only call site, or one of all of them,
    /// by the number of the group.
    pub fn page(&self, number: usize) -> String {
        match self.rows[..] {
            [row] => format!("kernel/{row}"),
            _ => format!("kernel/sites/{number}"),
        }
    }
}

/// The kernels with their call sites, the most expensive first.
pub fn groups(rows: &[Row]) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut numbers: HashMap<&str, usize> = HashMap::new();
    for (number, row) in rows.iter().enumerate() {
        // Copies and functions have one name for many things.
        let is_kernel = row.kind == CallKind::Kernel && !row.kernels.is_empty();
        let group = match is_kernel {
            true => *numbers.entry(&row.name[..]).or_insert(groups.len()),
            false => groups.len(),
        };
        if group == groups.len() {
            groups.push(Group {
                rows: vec![number],
                sum: row.clone(),
            });
        } else {
            groups[group].rows.push(number);
            add(&mut groups[group].sum, row);
        }
    }
    groups.sort_by(|one, other| other.sum.cost().total_cmp(&one.sum.cost()));
    groups
}

/// Adds a site to the sum of others.
fn add(sum: &mut Row, row: &Row) {
    let both = |one: Option<f64>, other: Option<f64>| Some(one? + other?);
    let thread_times = sum.thread_times.zip(row.thread_times);
    sum.thread_times = thread_times.map(|(own, more)| own + more);
    sum.seconds = both(sum.seconds, row.seconds);
    sum.least_busy = both(sum.least_busy, row.least_busy);
    sum.estimate = both(sum.estimate, row.estimate);
    sum.count = sum.count.saturating_add(row.count);
    sum.threads = sum.threads.max(row.threads);
    sum.bytes = sum
        .bytes
        .zip(row.bytes)
        .and_then(|(one, other)| one.checked_add(other));
    for source in &row.sources {
        roof::add(&mut sum.sources, source.clone());
    }
    sum.flops += row.flops;
    sum.transcendentals += row.transcendentals;
    sum.calls.extend(&row.calls);
    sum.nodes.extend(&row.nodes);
    for op in &row.ops {
        if !sum.ops.contains(op) {
            sum.ops.push(op.clone());
        }
    }
    sum.location.clear();
    // Runs are not slow at all sites at the same time: each is summed up by itself.
    let mut runs = std::mem::take(&mut sum.of_runs);
    runs.resize(runs.len().max(row.of_runs.len()), RunTimes::default());
    for (own, more) in runs.iter_mut().zip(&row.of_runs) {
        *own = *own + *more;
    }
    sum.set_runs(runs);
}

/// The time of kernels that work for ops of one kind.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Kind {
    pub name: String,
    pub kernels: usize,
    /// How many of them have ops of other kinds, too.
    pub mixed: usize,
    pub cost: f64,
    /// The part that packs operands or moves elements for them.
    pub moving: f64,
}

/// Kernels that write one value to all of a buffer.
const FILLS: &str = "fills of buffers";
const MOVEMENT: &str = "movement of data";
const ELEMENTWISE: &str = "elementwise ops";

/// The time by kinds of ops, the most first. A kernel counts for the kind whose ops have the most
/// arithmetic in it, all ops of the kind together; of several with as much, for the one that comes
/// first in the program. One that fills a buffer is of a kind of its own.
pub fn kinds(record: &CompilationRecord, groups: &[Group]) -> Vec<Kind> {
    let mut kinds: Vec<Kind> = Vec::new();
    for group in groups {
        let found = kinds_of(record, &group.sum);
        let name = found.first().map_or("other", |(name, _)| name);
        let number = kinds.iter().position(|kind| kind.name == name);
        let number = number.unwrap_or_else(|| {
            kinds.push(Kind {
                name: name.to_owned(),
                ..Kind::default()
            });
            kinds.len() - 1
        });
        let kind = &mut kinds[number];
        kind.kernels += 1;
        // What only names elements anew is no kind beside others.
        let mut others = found.iter().skip(1);
        kind.mixed += usize::from(others.any(|(_, work)| *work > 0));
        kind.cost += group.sum.cost();
        if matches!(group.sum.purpose, CallPurpose::Pack | CallPurpose::Move) {
            kind.moving += group.sum.cost();
        }
    }
    kinds.sort_by(|one, other| other.cost.total_cmp(&one.cost));
    kinds
}

/// The kinds of the ops of a row with their arithmetic, the one that it counts for first.
fn kinds_of(record: &CompilationRecord, row: &Row) -> Vec<(String, u64)> {
    if row.kind != CallKind::Kernel {
        return vec![(row.name.clone(), 0)];
    }
    if row.purpose == CallPurpose::Fill {
        return vec![(FILLS.to_owned(), 0)];
    }
    let nodes = row
        .nodes
        .iter()
        .filter_map(|node| record.nodes.get(*node as usize));
    let mut kinds: Vec<(String, u64)> = Vec::new();
    for node in nodes.filter(|node| !rows::is_end(node)) {
        let work = node
            .flops
            .saturating_add(account::OF_FUNCTION * node.transcendentals);
        let name = kind_of(format::short(&node.name), work);
        match kinds.iter_mut().find(|(known, _)| known == name) {
            Some((_, all)) => *all = all.saturating_add(work),
            None => kinds.push((name.to_owned(), work)),
        }
    }
    kinds.sort_by_key(|(_, work)| std::cmp::Reverse(*work));
    kinds
}

/// The kind of an op with so much arithmetic.
fn kind_of(name: &str, work: u64) -> &str {
    let large = [
        "dot",
        "convolution",
        "reduce",
        "fft",
        "scatter",
        "gather",
        "sort",
    ];
    match (large.iter().any(|it| name.starts_with(it)), work) {
        (true, _) => name,
        (false, 0) => MOVEMENT,
        (false, _) => ELEMENTWISE,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{rows, samples};
    use super::*;
    use halo_runtime::compilation_record::CallTimes;

    #[test]
    fn sites_of_a_kernel_are_one_group() {
        let record = samples::shared_kernel(60);
        let name = &record.calls[0].name;
        let run = record.run.as_ref().unwrap();
        let seconds = run.sites[0].sum.seconds + run.sites[3].sum.seconds;
        let all = rows::rows(&record);
        let groups = groups(&all);
        assert_eq!(groups.len(), all.len() - 1);
        let group = groups.iter().find(|group| group.sum.name == *name).unwrap();
        assert_eq!(group.rows.len(), 2);
        assert!((group.sum.seconds.unwrap() - seconds).abs() < 1e-12);
        assert_eq!(group.sum.count, 20);
        // Each site is fast in the run where the other one is slow.
        let mut other = record.clone();
        let sites = &mut other.run.as_mut().unwrap().sites;
        for (site, times) in [(0, [1e-3, 4e-3, 2e-3]), (3, [5e-3, 1e-3, 3e-3])] {
            let sum = CallTimes {
                count: 3,
                seconds: times.iter().sum(),
                ..CallTimes::default()
            };
            sites[site].sum = sum;
            let of_run = |seconds| CallTimes {
                count: 1,
                seconds,
                busy_seconds: 1.5 * seconds,
                taking_part_seconds: 2.0 * seconds,
                ..CallTimes::default()
            };
            sites[site].of_runs = times.map(of_run).into();
        }
        let sum = super::groups(&rows::rows(&other));
        let sum = &sum
            .iter()
            .find(|group| group.sum.name == *name)
            .unwrap()
            .sum;
        let spread = sum.spread.unwrap();
        let found = [
            spread.least,
            spread.median,
            spread.most,
            sum.fastest.unwrap(),
        ];
        for (found, expected) in found.iter().zip([5e-3, 5e-3, 6e-3, 15e-3]) {
            assert!((found - expected).abs() < 1e-12, "{found} {expected}");
        }
        let idle = sum.fastest_threads.unwrap();
        assert!((idle.all - 10e-3).abs() < 1e-12 && (idle.idle - 2.5e-3).abs() < 1e-12);
        assert_eq!(
            (group.page(0), groups[1].page(1)),
            ("kernel/sites/0".to_owned(), "kernel/0".to_owned())
        );
        let costs: Vec<f64> = groups.iter().map(|group| group.sum.cost()).collect();
        assert!(costs.is_sorted_by(|one, other| one >= other), "{costs:?}");
        // A kernel of several kinds counts for the one with the most arithmetic, and a fill for none
        // of the ops that it works for.
        let mut other = record.clone();
        other.calls[1].purpose = CallPurpose::Fill;
        for node in &mut other.nodes {
            node.flops = u64::from(node.name.ends_with(".add")) * 100
                + u64::from(node.name.ends_with(".dot_general")) * 150;
        }
        let rows = rows::rows(&other);
        let row = |name: &str| rows.iter().find(|row| row.name == name).unwrap();
        let of = |row: &Row| kinds_of(&other, row);
        assert_eq!(of(row("main_kernel_1")), [(FILLS.to_owned(), 0)]);
        assert_eq!(
            of(row(name))[..2],
            [
                ("dot_general".to_owned(), 150),
                (ELEMENTWISE.to_owned(), 100)
            ]
        );
        // All time is in one kind or the other.
        let sum: f64 = kinds(&record, &groups).iter().map(|kind| kind.cost).sum();
        let all: f64 = all.iter().map(Row::cost).sum();
        assert!((sum - all).abs() < 1e-9);
    }
}
