//! Rows that belong together: the call sites of a kernel, and the kernels that work for ops of
//! one kind.

use super::{
    format, roof,
    rows::{self, Row},
};
use halo_runtime::compilation_record::{CallKind, CallPurpose, CompilationRecord, Node, Spread};
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
    // Runs are not slow at all sites at the same time: these are bounds of the sum.
    sum.spread = sum.spread.zip(row.spread).map(|(one, other)| Spread {
        mean: one.mean + other.mean,
        least: one.least + other.least,
        median: one.median + other.median,
        most: one.most + other.most,
    });
    sum.seconds = both(sum.seconds, row.seconds);
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
}

/// The time of kernels that work for ops of one kind.
#[derive(Clone, Debug, PartialEq)]
pub struct Kind {
    pub name: String,
    pub kernels: usize,
    pub cost: f64,
    /// The part that packs operands or moves elements for them.
    pub moving: f64,
}

/// The time by kinds of ops, the most first. A kernel counts for the op with the most arithmetic
/// in it.
pub fn kinds(record: &CompilationRecord, groups: &[Group]) -> Vec<Kind> {
    let mut kinds: Vec<Kind> = Vec::new();
    for group in groups {
        let name = kind_of(record, &group.sum);
        let kind = match kinds.iter().position(|kind| kind.name == name) {
            Some(number) => &mut kinds[number],
            None => {
                kinds.push(Kind {
                    name,
                    kernels: 0,
                    cost: 0.0,
                    moving: 0.0,
                });
                match kinds.last_mut() {
                    Some(kind) => kind,
                    None => continue,
                }
            }
        };
        kind.kernels += 1;
        kind.cost += group.sum.cost();
        if group.sum.purpose != CallPurpose::Compute {
            kind.moving += group.sum.cost();
        }
    }
    kinds.sort_by(|one, other| other.cost.total_cmp(&one.cost));
    kinds
}

fn kind_of(record: &CompilationRecord, row: &Row) -> String {
    if row.kind != CallKind::Kernel {
        return row.name.clone();
    }
    let nodes = row
        .nodes
        .iter()
        .filter_map(|node| record.nodes.get(*node as usize));
    let nodes: Vec<&Node> = nodes.filter(|node| !rows::is_end(node)).collect();
    let work = |node: &Node| node.flops + 8 * node.transcendentals;
    let most = nodes.iter().copied().max_by_key(|node| work(node));
    let Some(most) = most else {
        return "other".to_owned();
    };
    let name = format::short(&most.name);
    let is_large = [
        "dot",
        "convolution",
        "reduce",
        "fft",
        "scatter",
        "gather",
        "sort",
    ]
    .iter()
    .any(|it| name.starts_with(it));
    match (is_large, work(most)) {
        (true, _) => name.to_owned(),
        (false, 0) => "movement of data".to_owned(),
        (false, _) => "elementwise ops".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{rows, samples};
    use super::*;

    #[test]
    fn sites_of_a_kernel_are_one_group() {
        let record = samples::shared_kernel(60);
        let name = &record.calls[0].name;
        let run = record.run.as_ref().unwrap();
        let seconds = run.sites[0].seconds + run.sites[3].seconds;
        let all = rows::rows(&record);
        let groups = groups(&all);
        assert_eq!(groups.len(), all.len() - 1);
        let group = groups.iter().find(|group| group.sum.name == *name).unwrap();
        assert_eq!(group.rows.len(), 2);
        assert!((group.sum.seconds.unwrap() - seconds).abs() < 1e-12);
        assert_eq!(group.sum.count, 20);
        assert_eq!(
            (group.page(0), groups[1].page(1)),
            ("kernel/sites/0".to_owned(), "kernel/0".to_owned())
        );
        let costs: Vec<f64> = groups.iter().map(|group| group.sum.cost()).collect();
        assert!(costs.is_sorted_by(|one, other| one >= other), "{costs:?}");
        // All time is in one kind or the other.
        let sum: f64 = kinds(&record, &groups).iter().map(|kind| kind.cost).sum();
        let all: f64 = all.iter().map(Row::cost).sum();
        assert!((sum - all).abs() < 1e-9);
    }
}
