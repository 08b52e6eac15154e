//! Ops of the program that no kernel computes, and why: a constant, a view of other elements, or
//! one that a pass folded or dropped.
//!
//! Which pass it was follows from the texts: the first one behind which no line is made of the
//! op. Whether others read the result before that tells folding from dropping what is not needed.

use super::{buffers, format, merged::Equal, names, texts};
use halo_runtime::compilation_record::{
    CompilationRecord, FunctionText, NodeNumber, OpNumber, Step,
};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// How many readers are named.
const NAMED: usize = 3;
/// How many ops are looked at for those that read a value through others.
const LOOKED_AT: usize = 200;
/// Ops that only name elements of their operands anew, if they are no code.
const VIEWS: [&str; 6] = [
    "reshape",
    "broadcast_in_dim",
    "slice",
    "transpose",
    "reverse",
    "bitcast_convert",
];

/// Why no kernel computes each of the ops of which that is so, in a sentence. Those that are equal
/// to other ones need none.
pub fn reasons(
    record: &CompilationRecord,
    merged: &BTreeMap<OpNumber, Vec<Equal>>,
) -> BTreeMap<OpNumber, String> {
    if record.calls.is_empty() {
        return BTreeMap::new();
    }
    let with_code = record.nodes.iter().filter(|node| !node.calls.is_empty());
    let has_kernel: HashSet<OpNumber> = with_code
        .flat_map(|node| node.origins.iter().chain(&node.callers).copied())
        .collect();
    let mut nodes: BTreeMap<OpNumber, Vec<NodeNumber>> = BTreeMap::new();
    for (number, node) in (0..).zip(&record.nodes) {
        for op in &node.origins {
            nodes.entry(*op).or_default().push(number);
        }
    }
    let finder = Finder {
        record,
        readers: buffers::readers(record),
        last: last_steps(record),
    };
    // Ops of a body may have the place of the op that it is of.
    let mut around: BTreeMap<&str, &str> = BTreeMap::new();
    let known = has_kernel.iter().chain(merged.keys());
    for op in known.filter_map(|op| record.ops.get(*op as usize)) {
        around.insert(&op.location, format::short(&op.name));
    }
    let ops = (0..).zip(&record.ops);
    let ops =
        ops.filter(|(number, _)| !has_kernel.contains(number) && !merged.contains_key(number));
    let reasons = ops.map(|(number, op)| {
        let own = nodes.get(&number).map_or(&[][..], |nodes| &nodes[..]);
        let reason = if op.name.ends_with(".constant") {
            "It is a constant, which stands in the code of what reads it.".to_owned()
        } else if op.name.ends_with("return") {
            "It ends a function or a body, and computes nothing.".to_owned()
        } else if let Some(around) = around.get(&op.location[..]).filter(|_| own.is_empty()) {
            format!("It is in the body of {around}, and says what that computes of elements.")
        } else {
            let view = finder.view(own);
            view.unwrap_or_else(|| finder.left_out(number, own))
        };
        (number, reason)
    });
    reasons.collect()
}

struct Finder<'a> {
    record: &'a CompilationRecord,
    /// The nodes that read each node.
    readers: Vec<Vec<NodeNumber>>,
    /// The last step behind which lines are made of each op.
    last: BTreeMap<OpNumber, usize>,
}

impl Finder<'_> {
    /// What is said of nodes that compute nothing: they name elements of their operands anew.
    fn view(&self, own: &[NodeNumber]) -> Option<String> {
        let node = |number: &NodeNumber| self.record.nodes.get(*number as usize);
        let is_view = |number: &NodeNumber| {
            node(number).is_some_and(|node| VIEWS.contains(&format::short(&node.name)))
        };
        if own.is_empty() || !own.iter().all(is_view) {
            return None;
        }
        let operands = own.iter().filter_map(node).flat_map(|node| &node.operands);
        let of: BTreeSet<i32> = operands.copied().collect();
        let of = of
            .into_iter()
            .filter_map(|operand| match u32::try_from(operand) {
                Ok(node) if own.contains(&node) => None,
                Ok(node) => Some(names::node(self.record, node)),
                Err(_) => Some(format!("argument {}", -1 - i64::from(operand))),
            });
        let of = of.collect::<Vec<String>>().join(", ");
        Some(match self.read_by(own) {
            None => format!(
                "It is a view of {of}: another name for elements that are there, which needs no code."
            ),
            Some(readers) => {
                format!("It is a view of {of}, which needs no code: {readers} the elements there.")
            }
        })
    }

    /// What is said of an op that a pass left out.
    fn left_out(&self, op: OpNumber, own: &[NodeNumber]) -> String {
        let steps = &self.record.steps;
        let last = self.last.get(&op).copied();
        let Some((last, next)) = last.and_then(|last| Some((last, steps.get(last + 1)?))) else {
            return "It is in no kernel: the code that calls kernels has it.".to_owned();
        };
        let pass = format::pass(&next.pass).split('{').next();
        let pass = format!("{} in the phase {}", pass.unwrap_or_default(), next.phase);
        match (is_read(self.record, &steps[last], op), self.read_by(own)) {
            (false, None) => format!("Nothing read it any more, and {pass} dropped it."),
            (_, None) => format!(
                "{pass} folded it: what read it reads something simpler in its place, or was dropped with it."
            ),
            (_, Some(readers)) => format!(
                "{pass} folded it: its value is there without it, and {readers} that in its place."
            ),
        }
    }

    /// Who reads nodes, through those that need no code, with a verb.
    fn read_by(&self, own: &[NodeNumber]) -> Option<String> {
        let node = |number: NodeNumber| self.record.nodes.get(number as usize);
        let mut found = BTreeSet::new();
        let mut seen: BTreeSet<NodeNumber> = own.iter().copied().collect();
        let mut pending: Vec<NodeNumber> = own.to_vec();
        while let Some(number) = pending.pop() {
            for reader in self.readers.get(number as usize).into_iter().flatten() {
                if seen.len() >= LOOKED_AT || !seen.insert(*reader) {
                    continue;
                }
                match node(*reader).is_some_and(|node| node.calls.is_empty()) {
                    true => pending.push(*reader),
                    false => {
                        found.insert(*reader);
                    }
                }
            }
        }
        let named = found.iter().take(NAMED);
        let named: Vec<String> = named.map(|it| names::node(self.record, *it)).collect();
        match (found.len(), found.len() - named.len()) {
            (0, _) => None,
            (1, _) => Some(format!("{} reads", named.join(", "))),
            (_, 0) => Some(format!("{} read", named.join(", "))),
            (_, more) => Some(format!("{} and {more} others read", named.join(", "))),
        }
    }
}

/// The last step behind which lines are made of each op.
fn last_steps(record: &CompilationRecord) -> BTreeMap<OpNumber, usize> {
    let mut last = BTreeMap::new();
    let mut seen = BTreeSet::new();
    for (number, step) in record.steps.iter().enumerate().rev() {
        let new = step.functions.iter().copied();
        let new: Vec<u32> = new.filter(|it| seen.insert(*it)).collect();
        for op in texts::ops(record, &new) {
            last.entry(op).or_insert(number);
        }
    }
    last
}

/// Whether a line of functions reads what lines of an op compute.
fn is_read(record: &CompilationRecord, step: &Step, op: OpNumber) -> bool {
    let mut texts = texts::functions(record, &step.functions);
    texts.any(|text| is_read_in(record, text, op))
}

fn is_read_in(record: &CompilationRecord, text: &FunctionText, op: OpNumber) -> bool {
    let line = |line: &u32| record.lines.get(*line as usize).map_or("", |it| it.trim());
    let is_of_op = |set: &u32| {
        let set = record.origins.get(*set as usize);
        set.is_some_and(|ops| ops.contains(&op))
    };
    let own = text.lines.iter().zip(&text.origins);
    let own = own.filter(|(_, set)| is_of_op(set));
    let names: HashSet<&str> = own
        .filter_map(|(number, _)| line(number).split_once(" = "))
        .map(|(name, _)| name.split(':').next().unwrap_or(name))
        .filter(|name| name.starts_with('%'))
        .collect();
    if names.is_empty() {
        return false;
    }
    let others = text.lines.iter().zip(&text.origins);
    let mut others = others.filter(|(_, set)| !is_of_op(set));
    others.any(|(number, _)| {
        let text = line(number);
        let read = text.split_once(" = ").map_or(text, |(_, read)| read);
        let mut values = read.split('%').skip(1).map(|rest| {
            let end = rest.find(|letter: char| !(letter.is_alphanumeric() || letter == '_'));
            &rest[..end.unwrap_or(rest.len())]
        });
        values.any(|value| names.contains(&format!("%{value}")[..]))
    })
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;
    use halo_runtime::compilation_record::SourceOp;

    fn reason(record: &CompilationRecord, op: OpNumber) -> String {
        reasons(record, &BTreeMap::new())
            .remove(&op)
            .unwrap_or_default()
    }

    #[test]
    fn ops_without_a_kernel_have_a_reason() {
        let mut record = samples::program(24);
        for op in [0, 2, 4] {
            record.nodes[op].calls.clear();
        }
        assert_eq!(
            reason(&record, 0),
            "It is a constant, which stands in the code of what reads it."
        );
        assert_eq!(
            reason(&record, 2),
            "It is a view of argument 1, which needs no code: add (line 5) reads the elements there."
        );
        // One that has a kernel needs none.
        assert_eq!(reason(&record, 1), "");
    }

    /// One function behind each of two steps: the second one lacks an op.
    fn two_steps(lines: [&str; 2]) -> CompilationRecord {
        let op = |name: &str| SourceOp {
            name: name.to_owned(),
            ..SourceOp::default()
        };
        let mut record = samples::program(12);
        record.ops = vec![op("a.negate"), op("a.add")];
        record.nodes.clear();
        record.lines = lines.map(str::to_owned).into();
        record.origins = vec![vec![], vec![0], vec![1]];
        record.functions = [vec![(0, 1), (1, 2)], vec![(1, 2)]]
            .map(|lines| FunctionText {
                lines: lines.iter().map(|it| it.0).collect(),
                origins: lines.iter().map(|it| it.1).collect(),
                ..FunctionText::default()
            })
            .into();
        record.steps = [0, 1]
            .map(|function| Step {
                phase: "hlo".to_owned(),
                pass: "func.func(cse{a=1})".to_owned(),
                functions: vec![function],
                ..Step::default()
            })
            .into();
        record
    }

    #[test]
    fn the_pass_that_left_an_op_out_is_named() {
        let dropped = two_steps(["%0 = a.negate %arg0 : f32", "%1 = a.add %arg0, %arg0 : f32"]);
        assert_eq!(
            reason(&dropped, 0),
            "Nothing read it any more, and cse in the phase hlo dropped it."
        );
        let folded = two_steps(["%0 = a.negate %arg0 : f32", "%1 = a.add %0, %arg0 : f32"]);
        assert_eq!(
            reason(&folded, 0),
            "cse in the phase hlo folded it: what read it reads something simpler in its place, or was dropped with it."
        );
    }
}
