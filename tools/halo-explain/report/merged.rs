//! Ops that a pass replaced by an equal one: those that had a line of the program before it, and
//! none behind it, while another line computed the same of the same values.
//!
//! Passes say nothing of that. Lines are equal if their texts are, with a number for each value
//! in place of its name; values of equal lines have the same number.
//!
//! An op of a function that is called several times has a line for each call, in the order of
//! the calls. An op that is equal to one of them has the nodes of that call alone.

use super::texts;
use halo_runtime::compilation_record::{CompilationRecord, FunctionText, NodeNumber, OpNumber};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// What an op was found to be equal to.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Equal {
    pub op: OpNumber,
    /// The nodes that were made of it: of an op of a function, those of the call that computes
    /// the same.
    pub nodes: Vec<NodeNumber>,
}

/// An op, by the place of one of its lines among all lines of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct OpLine {
    op: OpNumber,
    number: usize,
    /// How many there are.
    of: usize,
}

/// The ops that each op was found to be equal to, for those that no line is made of in the end:
/// several for an op of a function that is called several times.
pub fn merged(record: &CompilationRecord) -> BTreeMap<OpNumber, Vec<Equal>> {
    let mut merged: BTreeMap<OpNumber, Vec<OpLine>> = BTreeMap::new();
    for steps in record.steps.windows(2) {
        if steps[1].functions.is_empty() || steps[0].functions == steps[1].functions {
            continue;
        }
        let (before, after) = (
            texts::ops(record, &steps[0].functions),
            texts::ops(record, &steps[1].functions),
        );
        let lost: BTreeSet<OpNumber> = before.difference(&after).copied().collect();
        if lost.is_empty() {
            continue;
        }
        // What was merged by an earlier pass is not known by another one.
        let mut found: BTreeMap<OpNumber, Vec<OpLine>> = BTreeMap::new();
        for text in texts::functions(record, &steps[0].functions) {
            for ops in equal_ops(record, text) {
                let left = ops.iter().find(|it| after.contains(&it.op));
                for it in ops.iter().filter(|it| lost.contains(&it.op)) {
                    found.entry(it.op).or_default().extend(left);
                }
            }
        }
        for (op, ends) in found {
            merged.entry(op).or_insert(ends);
        }
    }
    let equal = merged.keys().map(|op| {
        let mut ends = Vec::new();
        last(&merged, *op, merged.len(), &mut ends);
        ends.retain(|end| end.op != *op);
        let equal = ends.into_iter().map(|end| Equal {
            op: end.op,
            nodes: nodes_of(record, end),
        });
        (*op, equal.collect::<Vec<Equal>>())
    });
    equal.filter(|(_, equal)| !equal.is_empty()).collect()
}

/// What an op is equal to in the end: an op may be equal to one that was merged later.
fn last(
    merged: &BTreeMap<OpNumber, Vec<OpLine>>,
    op: OpNumber,
    deepest: usize,
    ends: &mut Vec<OpLine>,
) {
    for next in merged.get(&op).into_iter().flatten() {
        if deepest > 0 && merged.contains_key(&next.op) {
            last(merged, next.op, deepest - 1, ends);
        } else if !ends.contains(next) {
            ends.push(*next);
        }
    }
}

/// The nodes of an op, or of one call of its function if as many calls have nodes of it as it
/// has lines.
fn nodes_of(record: &CompilationRecord, line: OpLine) -> Vec<NodeNumber> {
    let mut calls: Vec<(&[OpNumber], Vec<NodeNumber>)> = Vec::new();
    for (number, node) in (0..).zip(&record.nodes) {
        if !node.origins.contains(&line.op) {
            continue;
        }
        match calls.iter_mut().find(|it| it.0 == node.callers) {
            Some((_, nodes)) => nodes.push(number),
            None => calls.push((&node.callers, vec![number])),
        }
    }
    match calls.len() == line.of {
        true => calls.swap_remove(line.number).1,
        false => calls.into_iter().flat_map(|(_, nodes)| nodes).collect(),
    }
}

/// The ops of lines that compute the same, in their order.
fn equal_ops(record: &CompilationRecord, text: &FunctionText) -> Vec<Vec<OpLine>> {
    let mut values: HashMap<&str, usize> = HashMap::new();
    let mut numbers: HashMap<String, usize> = HashMap::new();
    let mut ops: BTreeMap<usize, Vec<OpNumber>> = BTreeMap::new();
    // The numbers of the values of each op, in the order of its lines.
    let mut values_of: HashMap<OpNumber, Vec<usize>> = HashMap::new();
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
        // What passes make for an op, such as places for its result, is not the op; and what the
        // body of one computes may stand in its line.
        let made_of = record.origins.get(*set as usize).map(|ops| &ops[..]);
        let name = computed.split([' ', '(']).next();
        let is_it = |op: &&OpNumber| record.ops.get(**op as usize).map(|op| &op.name[..]) == name;
        let mut own = made_of.unwrap_or_default().iter().filter(is_it);
        let (Some(op), None) = (own.next(), own.next()) else {
            continue;
        };
        values_of.entry(*op).or_default().push(number);
        let known = ops.entry(number).or_default();
        if !known.contains(op) {
            known.push(*op);
        }
    }
    let equal = ops.into_iter().filter(|(_, ops)| ops.len() > 1);
    let copies = equal.map(|(value, ops)| {
        let copies = ops.into_iter().map(|op| {
            let values = values_of.get(&op).map_or(&[][..], |values| &values[..]);
            OpLine {
                op,
                number: values.iter().position(|it| *it == value).unwrap_or(0),
                of: values.len(),
            }
        });
        copies.collect()
    });
    copies.collect()
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
    use halo_runtime::compilation_record::{Node, SourceOp, Step};

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
        let found: Vec<_> = (found.iter())
            .map(|(op, equal)| (*op, equal[0].op))
            .collect();
        assert_eq!(found, [(2, 0), (3, 1)]);
    }

    /// A function that two lines call, and an op behind each call that computes the same as one in
    /// it: each is equal to the op of its own call.
    #[test]
    fn ops_are_equal_to_those_of_one_call_of_a_function() {
        let op = |name: &str| SourceOp {
            name: name.to_owned(),
            ..SourceOp::default()
        };
        let node = |origin, caller| Node {
            origins: vec![origin],
            callers: vec![caller],
            ..Node::default()
        };
        let mut record = CompilationRecord {
            lines: [
                "%0 = a.neg %arg0 : f32",
                "%1 = a.neg %arg0 : f32",
                "%2 = a.neg %arg1 : f32",
                "%3 = a.neg %arg1 : f32",
            ]
            .map(str::to_owned)
            .into(),
            // Two calls, the op of the function, and one behind each call.
            ops: vec![
                op("call"),
                op("call"),
                op("a.neg"),
                op("a.neg"),
                op("a.neg"),
            ],
            origins: vec![vec![], vec![2], vec![3], vec![4]],
            nodes: vec![node(2, 0), node(2, 1)],
            ..CompilationRecord::default()
        };
        for (lines, origins) in [
            (vec![0, 1, 2, 3], vec![1, 2, 1, 3]),
            (vec![0, 2], vec![1, 1]),
        ] {
            record.functions.push(FunctionText {
                name: "main".to_owned(),
                lines,
                origins,
                ..FunctionText::default()
            });
            record.steps.push(Step {
                functions: vec![record.steps.len() as u32],
                ..Step::default()
            });
        }
        let equal = |nodes: &[NodeNumber]| {
            vec![Equal {
                op: 2,
                nodes: nodes.to_vec(),
            }]
        };
        let found: Vec<_> = merged(&record).into_iter().collect();
        assert_eq!(found, [(3, equal(&[0])), (4, equal(&[1]))]);
        // The op of the function may be the one that is lost: it is equal to one op for each call.
        let mut other = record.clone();
        other.functions[1].origins = vec![2, 3];
        let found = merged(&other);
        let ends: Vec<OpNumber> = found[&2].iter().map(|equal| equal.op).collect();
        assert_eq!((found.len(), ends), (1, vec![3, 4]));
        // Of a third call it is not known which one it is.
        record.nodes.push(node(2, 3));
        assert_eq!(merged(&record)[&3], equal(&[0, 1, 2]));
    }
}
