//! Ops that a pass replaced by an equal one: those that had a line of the program before it, and
//! none behind it, while another line computed the same of the same values.
//!
//! Passes say nothing of that. Lines are equal if their texts are, with a number for each value
//! in place of its name; values of equal lines have the same number.

use halo_runtime::compilation_record::{CompilationRecord, FunctionText, OpNumber};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The op that each op was found to be equal to, for those that no line is made of in the end.
pub fn merged(record: &CompilationRecord) -> BTreeMap<OpNumber, OpNumber> {
    let mut merged: BTreeMap<OpNumber, OpNumber> = BTreeMap::new();
    for steps in record.steps.windows(2) {
        if steps[1].functions.is_empty() || steps[0].functions == steps[1].functions {
            continue;
        }
        let (before, after) = (
            ops(record, &steps[0].functions),
            ops(record, &steps[1].functions),
        );
        let lost: BTreeSet<OpNumber> = before.difference(&after).copied().collect();
        if lost.is_empty() {
            continue;
        }
        for function in &steps[0].functions {
            let Some(text) = record.functions.get(*function as usize) else {
                continue;
            };
            for ops in equal_ops(record, text) {
                let left = ops.iter().find(|op| after.contains(op));
                for op in ops.iter().filter(|op| lost.contains(op)) {
                    if let Some(left) = left {
                        merged.entry(*op).or_insert(*left);
                    }
                }
            }
        }
    }
    let last = |mut op: OpNumber| {
        // An op may be equal to one that was merged later.
        for _ in 0..merged.len() {
            match merged.get(&op) {
                Some(next) => op = *next,
                None => break,
            }
        }
        op
    };
    let ends = merged.keys().map(|op| (*op, last(*op)));
    ends.filter(|(op, end)| op != end).collect()
}

/// The ops that lines of functions are made of.
fn ops(record: &CompilationRecord, functions: &[u32]) -> BTreeSet<OpNumber> {
    let texts = functions
        .iter()
        .filter_map(|it| record.functions.get(*it as usize));
    let sets: BTreeSet<u32> = texts
        .flat_map(|text| text.origins.iter().copied())
        .collect();
    let sets = sets
        .iter()
        .filter_map(|set| record.origins.get(*set as usize));
    sets.flatten().copied().collect()
}

/// The ops of lines that compute the same, in their order.
fn equal_ops(record: &CompilationRecord, text: &FunctionText) -> Vec<Vec<OpNumber>> {
    let mut values: HashMap<&str, usize> = HashMap::new();
    let mut numbers: HashMap<String, usize> = HashMap::new();
    let mut ops: HashMap<usize, Vec<OpNumber>> = HashMap::new();
    for (line, set) in text.lines.iter().zip(&text.origins) {
        let line = record
            .lines
            .get(*line as usize)
            .map_or("", |line| line.trim());
        let Some((name, computed)) = line.split_once(" = ").filter(|_| line.starts_with('%'))
        else {
            continue;
        };
        // What has a region is more than its first line.
        if computed.ends_with('{') || computed.ends_with("({") {
            continue;
        }
        let text = with_numbers(computed, &values);
        let next = numbers.len();
        let number = *numbers.entry(text).or_insert(next);
        values.insert(name, number);
        let made_of = record.origins.get(*set as usize).map(|ops| &ops[..]);
        let [op] = made_of.unwrap_or_default() else {
            continue;
        };
        // What passes make for an op, such as places for its result, is not the op.
        let name = record.ops.get(*op as usize).map_or("", |op| &op.name);
        let known = ops.entry(number).or_default();
        if computed.split_whitespace().next() == Some(name) && !known.contains(op) {
            known.push(*op);
        }
    }
    ops.into_values().filter(|ops| ops.len() > 1).collect()
}

/// A text with the numbers of values in place of their names.
fn with_numbers(text: &str, values: &HashMap<&str, usize>) -> String {
    let mut parts = text.split('%');
    let mut found = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find(|letter: char| !(letter.is_alphanumeric() || "_$.-".contains(letter)));
        let (name, rest) = part.split_at(end.unwrap_or(part.len()));
        match values.get(&format!("%{name}")[..]) {
            Some(number) => found += &format!("%={number}"),
            None => found += &format!("%{name}"),
        }
        found += rest;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use halo_runtime::compilation_record::{SourceOp, Step};

    /// `cse` drops what is computed a second time, with what is computed of it.
    #[test]
    fn ops_that_are_computed_before_are_found() {
        let mut record = CompilationRecord {
            lines: [
                "%0 = a.neg %arg0 : f32",
                "%1 = a.sub %arg0, %0 : f32",
                "%2 = a.neg %arg0 : f32",
                "%3 = a.sub %arg0, %2 : f32",
                "%4 = a.add %1, %3 : f32",
                "%2 = a.add %1, %1 : f32",
                "%5 = a.unused %1 : f32",
            ]
            .map(str::to_owned)
            .into(),
            origins: vec![vec![], vec![0], vec![1], vec![2], vec![3], vec![4], vec![5]],
            ops: ["neg", "sub", "neg", "sub", "add", "unused"]
                .map(|name| SourceOp {
                    name: format!("a.{name}"),
                    ..SourceOp::default()
                })
                .into(),
            ..CompilationRecord::default()
        };
        for lines in [vec![0, 1, 2, 3, 4, 6], vec![0, 1, 5]] {
            let origins = lines.iter().map(|line| match line {
                5 => 5,
                6 => 6,
                line => line + 1,
            });
            record.functions.push(FunctionText {
                name: "main".to_owned(),
                origins: origins.collect(),
                lines,
                ..FunctionText::default()
            });
            record.steps.push(Step {
                functions: vec![record.steps.len() as u32],
                ..Step::default()
            });
        }
        let found = merged(&record);
        assert_eq!(found.into_iter().collect::<Vec<_>>(), [(2, 0), (3, 1)]);
    }
}
