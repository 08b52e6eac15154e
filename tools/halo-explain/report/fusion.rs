//! Which ops were joined into each kernel, by which pass, and which refusals did not last.
//!
//! A pass says why it leaves an op as it is; a later pass may join it all the same, such as
//! a product whose activation is computed in its tiles. What ended in one kernel follows from the
//! calls; which pass joined two ops is the first one behind which a line of IR was made of both.

use super::{format, rows};
use halo_runtime::compilation_record::{CompilationRecord, FunctionText, OpNumber, Remark};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// How many calls are followed, the first ones: more than a reader looks at.
const MOST_CALLS: usize = 4000;
/// The phase before which ops of the program are not those of kernels yet.
const FIRST_PHASE: &str = "hlo";

/// The ops that a pass joined in a kernel.
#[derive(Clone, Debug, PartialEq)]
struct Join {
    step: usize,
    /// Sets that became one, the largest first.
    sets: Vec<Vec<OpNumber>>,
}

/// The history of each call.
pub struct Fusion<'a> {
    record: &'a CompilationRecord,
    joins: Vec<Vec<Join>>,
    calls_of_op: HashMap<OpNumber, Vec<usize>>,
}

/// What became of a refusal.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Outcome {
    /// In words.
    pub text: String,
}

/// What was joined in a kernel, for a reader.
pub struct Joined {
    pub call: usize,
    /// The passes in their order, each with the ops that it joined.
    pub passes: Vec<(String, String)>,
    /// How many ops the kernel was made of.
    pub ops: usize,
}

/// Sets of ops that become one.
struct Sets {
    set_of: BTreeMap<OpNumber, usize>,
    sets: Vec<Vec<OpNumber>>,
}

impl Sets {
    fn new(ops: &BTreeSet<OpNumber>) -> Self {
        Self {
            set_of: ops.iter().copied().zip(0..).collect(),
            sets: ops.iter().map(|op| vec![*op]).collect(),
        }
    }

    /// Makes one set of those that have some of the ops, and returns what they were, the
    /// largest first.
    fn join(&mut self, ops: &[OpNumber]) -> Option<Vec<Vec<OpNumber>>> {
        let numbers: BTreeSet<usize> = ops
            .iter()
            .filter_map(|op| self.set_of.get(op))
            .copied()
            .collect();
        if numbers.len() < 2 {
            return None;
        }
        let mut sets: Vec<Vec<OpNumber>> = numbers
            .iter()
            .map(|number| std::mem::take(&mut self.sets[*number]))
            .collect();
        sets.sort_by_key(|set| (std::cmp::Reverse(set.len()), set.first().copied()));
        let all: Vec<OpNumber> = sets.iter().flatten().copied().collect();
        let first = numbers.first().copied()?;
        for op in &all {
            self.set_of.insert(*op, first);
        }
        self.sets[first] = all;
        Some(sets)
    }

    fn are_joined(&self, one: OpNumber, other: OpNumber) -> bool {
        let set = |op| self.set_of.get(&op);
        set(one).is_some() && set(one) == set(other)
    }
}

impl<'a> Fusion<'a> {
    pub fn new(record: &'a CompilationRecord) -> Self {
        let mut sets: Vec<Sets> = Vec::new();
        let mut calls_of_op: HashMap<OpNumber, Vec<usize>> = HashMap::new();
        let mut joins: Vec<Vec<Join>> = Vec::new();
        for (number, call) in record.calls.iter().enumerate().take(MOST_CALLS) {
            let mut of_call = Sets::new(&ops_of(record, &call.nodes));
            for op in of_call.set_of.keys() {
                calls_of_op.entry(*op).or_default().push(number);
            }
            // Ops that are one node are one op of the program by now.
            for node in &call.nodes {
                if let Some(node) = record.nodes.get(*node as usize) {
                    of_call.join(&node.origins);
                }
            }
            sets.push(of_call);
            joins.push(Vec::new());
        }
        let mut seen = BTreeSet::new();
        let begin = record
            .steps
            .iter()
            .rposition(|step| step.phase == FIRST_PHASE)
            .map_or(0, |last| last + 1);
        for (number, step) in record.steps.iter().enumerate() {
            let new: Vec<u32> = step
                .functions
                .iter()
                .copied()
                .filter(|function| seen.insert(*function))
                .collect();
            if number < begin {
                continue;
            }
            let functions = new
                .iter()
                .filter_map(|function| record.functions.get(*function as usize));
            let together: BTreeSet<Vec<OpNumber>> = functions
                .flat_map(|function| ops_together(record, function))
                .collect();
            for ops in &together {
                let calls: BTreeSet<usize> = ops
                    .iter()
                    .filter_map(|op| calls_of_op.get(op))
                    .flatten()
                    .copied()
                    .collect();
                for call in calls {
                    if let Some(sets) = sets[call].join(ops) {
                        joins[call].push(Join { step: number, sets });
                    }
                }
            }
        }
        Self {
            record,
            joins,
            calls_of_op,
        }
    }

    /// What was joined in each kernel that was made of several ops.
    pub fn joined(&self) -> Vec<Joined> {
        let calls = self.joins.iter().enumerate();
        let joined = calls.filter_map(|(call, joins)| {
            let ops = ops_of(self.record, &self.record.calls[call].nodes).len();
            let mut passes: Vec<(usize, BTreeSet<OpNumber>)> = Vec::new();
            for join in joins {
                // What joins a set that is there is told, not the set again.
                let is_new = join.sets.first().is_none_or(|set| set.len() == 1);
                let sets = join.sets.iter().skip(usize::from(!is_new));
                let ops = sets.flatten().copied();
                match passes.last_mut().filter(|(step, _)| *step == join.step) {
                    Some((_, list)) => list.extend(ops),
                    None => passes.push((join.step, ops.collect())),
                }
            }
            let passes = passes.into_iter().map(|(step, ops)| {
                let step = self.record.steps.get(step);
                let pass = step.map_or("", |step| format::pass(&step.pass));
                (name_of_pass(pass).to_owned(), self.names(&ops))
            });
            let passes: Vec<(String, String)> = passes.collect();
            (!passes.is_empty()).then_some(Joined { call, passes, ops })
        });
        joined.collect()
    }

    fn names(&self, ops: &BTreeSet<OpNumber>) -> String {
        let names = ops
            .iter()
            .filter_map(|op| self.record.ops.get(*op as usize))
            .map(|op| match op.line {
                0 => format::short(&op.name).to_owned(),
                line => format!("{} ({line})", format::short(&op.name)),
            });
        names.collect::<Vec<_>>().join(", ")
    }

    /// What became of a refusal to join an op with the op of a note, or with what reads it;
    /// `None` if it is final.
    pub fn outcome(&self, remark: &Remark) -> Option<Outcome> {
        if !remark.message.contains("not ") {
            return None;
        }
        let nodes = self.record.nodes.iter();
        let mut nodes = nodes.filter(|node| {
            !remark.origins.is_empty() && node.origins.iter().any(|op| remark.origins.contains(op))
        });
        let mut is_known = false;
        let needs_no_code = nodes.all(|node| {
            is_known = true;
            node.calls.is_empty()
        });
        if is_known && needs_no_code && !self.record.calls.is_empty() {
            return Some(Outcome {
                text: "it needs no code of its own in the end".to_owned(),
            });
        }
        let partners = self.partners(remark);
        if partners.is_empty() {
            return None;
        }
        let mut found: Option<Outcome> = None;
        for group in partners {
            // Each of the readers, at one place at least.
            found = Some(group.iter().find_map(|partner| {
                let mut pairs = remark.origins.iter().filter(|op| *op != partner);
                pairs.find_map(|op| self.together(*op, *partner))
            })?);
        }
        found
    }

    /// The ops that a refusal is about beside its own: those of a note, or those that read the
    /// result, each with the ops that it was made of.
    fn partners(&self, remark: &Remark) -> Vec<Vec<OpNumber>> {
        let named = remark.notes.iter().filter(|(place, _)| !place.is_empty());
        let named = named.filter_map(|(place, _)| {
            let ops = self.record.ops.iter().zip(0..);
            let ops = ops.filter(|(op, _)| op.location == *place);
            let ops: Vec<OpNumber> = ops.map(|(_, number)| number).collect();
            (!ops.is_empty()).then_some(ops)
        });
        let named: Vec<Vec<OpNumber>> = named.collect();
        if !named.is_empty() {
            return named;
        }
        let nodes = self.record.nodes.iter().enumerate();
        let own: Vec<i32> = nodes
            .filter(|(_, node)| node.origins.iter().any(|op| remark.origins.contains(op)))
            .map(|(number, _)| number as i32)
            .collect();
        let readers = self
            .record
            .nodes
            .iter()
            .filter(|node| node.operands.iter().any(|operand| own.contains(operand)));
        readers
            .filter(|node| !node.calls.is_empty() && !rows::is_end(node))
            .map(|node| node.origins.clone())
            .collect()
    }

    /// The kernel that two ops are in together, and the pass that joined them.
    fn together(&self, one: OpNumber, other: OpNumber) -> Option<Outcome> {
        let calls = |op| self.calls_of_op.get(&op);
        let others = calls(other)?;
        let call = *calls(one)?.iter().find(|call| others.contains(call))?;
        let data = &self.record.calls[call];
        let mut sets = Sets::new(&ops_of(self.record, &data.nodes));
        let joined = self.joins[call].iter().find(|join| {
            let all: Vec<OpNumber> = join.sets.iter().flatten().copied().collect();
            sets.join(&all);
            sets.are_joined(one, other)
        });
        let pass = joined.and_then(|join| self.record.steps.get(join.step));
        let pass = pass.map_or("a later pass", |step| {
            name_of_pass(format::pass(&step.pass))
        });
        Some(Outcome {
            text: format!(
                "joined later, by {pass}: both are in {}",
                format::plain(&data.name)
            ),
        })
    }
}

/// The sets of several ops that a function computes together: those whose code is in one
/// structured op or parallel loop, and those of a call of a kernel.
///
/// The place of the op itself has what was fused into it, such as a broadcast that left no code,
/// but also what only shares a buffer with it. So an op that has code in another place counts
/// there alone.
fn ops_together(record: &CompilationRecord, function: &FunctionText) -> BTreeSet<Vec<OpNumber>> {
    /// An op with a body: how far it is indented, the ops of its place, and those of its code.
    #[derive(Default)]
    struct Body {
        indent: usize,
        of_place: BTreeSet<OpNumber>,
        of_code: BTreeSet<OpNumber>,
    }
    let mut found = BTreeSet::new();
    let mut bodies: Vec<Body> = Vec::new();
    let mut is_open = false;
    for (line, origins) in function.lines.iter().zip(&function.origins) {
        let line = record
            .lines
            .get(*line as usize)
            .map_or("", |line| &line[..]);
        let op = line.trim_start();
        let indent = line.len() - op.len();
        let ops = record.origins.get(*origins as usize);
        let ops = ops.map_or(&[][..], |ops| &ops[..]);
        match bodies.last_mut().filter(|_| is_open) {
            Some(body) => {
                if is_code(op) {
                    body.of_code.extend(ops);
                }
                is_open = !(indent == body.indent && op.starts_with('}'));
            }
            None if line.ends_with('{') && is_computed_as_one(op) => {
                is_open = true;
                bodies.push(Body {
                    indent,
                    of_place: ops.iter().copied().collect(),
                    ..Body::default()
                });
            }
            None if op.contains("call") || op.starts_with("gpu.launch") => {
                found.insert(ops.to_vec());
            }
            None => {}
        }
    }
    let mut codes: HashMap<OpNumber, usize> = HashMap::new();
    for op in bodies.iter().flat_map(|body| &body.of_code) {
        *codes.entry(*op).or_default() += 1;
    }
    for body in &bodies {
        let without_code = body.of_place.iter().filter(|op| !codes.contains_key(op));
        let all: BTreeSet<OpNumber> = body.of_code.iter().chain(without_code).copied().collect();
        found.insert(all.into_iter().collect());
    }
    found.retain(|ops: &Vec<OpNumber>| ops.len() > 1);
    found
}

/// Whether a line in a body is code of an op: it neither begins nor ends a region or a block, and
/// yields nothing. Arguments of blocks have the places of what they stand for.
fn is_code(op: &str) -> bool {
    !(op.ends_with('{') || op.starts_with(['}', '^']) || op.contains("yield"))
}

/// Whether a line begins an op that is a loop over elements or over tiles.
fn is_computed_as_one(op: &str) -> bool {
    let op = match op.starts_with('%') {
        true => op.split_once(" = ").map_or(op, |(_, op)| op),
        false => op,
    };
    ["linalg.", "scf.forall", "scf.parallel"]
        .iter()
        .any(|name| op.starts_with(name))
}

/// A pass without its options.
fn name_of_pass(pass: &str) -> &str {
    pass.split('{').next().unwrap_or(pass)
}

/// The ops that nodes were made of, without constants and what ends regions.
fn ops_of(record: &CompilationRecord, nodes: &[u32]) -> BTreeSet<OpNumber> {
    let nodes = nodes
        .iter()
        .filter_map(|node| record.nodes.get(*node as usize));
    let nodes = nodes.filter(|node| !rows::is_end(node) && !node.name.ends_with(".constant"));
    nodes
        .flat_map(|node| node.origins.iter().copied())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use halo_runtime::compilation_record::{KernelCall, Node, SourceOp, Step};

    /// Three ops in two kernels: a product and an addition that a late pass joins, and what reads
    /// them by itself.
    fn record() -> CompilationRecord {
        let op = |name: &str, line| SourceOp {
            name: format!("stablehlo.{name}"),
            location: format!("a.mlir:{line}:1"),
            line,
        };
        let node = |name: &str, number: u32, calls: &[u32]| Node {
            name: format!("stablehlo.{name}"),
            origins: vec![number],
            operands: number
                .checked_sub(1)
                .map(|it| it as i32)
                .into_iter()
                .collect(),
            calls: calls.to_vec(),
            ..Node::default()
        };
        let text = |lines: &[u32], origins: &[u32]| FunctionText {
            name: "main".to_owned(),
            lines: lines.to_vec(),
            origins: origins.to_vec(),
        };
        let step = |phase: &str, pass: &str, function| Step {
            phase: phase.to_owned(),
            pass: pass.to_owned(),
            functions: vec![function],
            changed: true,
            ..Step::default()
        };
        CompilationRecord {
            ops: vec![op("dot_general", 1), op("add", 2), op("negate", 3)],
            nodes: vec![
                node("dot_general", 0, &[0]),
                node("add", 1, &[0]),
                node("negate", 2, &[1]),
            ],
            lines: [
                "      a.a",
                "    scf.parallel (%i) = (%a) to (%b) step (%c) {",
                "    }",
                "    %0 = linalg.generic {a} ins(%x : f32) {",
                "    ^bb0(%in: f32):",
            ]
            .map(str::to_owned)
            .into(),
            origins: vec![vec![], vec![0], vec![1], vec![2], vec![0, 1]],
            // Two ops by themselves, of which one shares a buffer with the other, and both in a
            // loop.
            functions: vec![
                text(&[3, 4, 0, 2, 3, 4, 0, 2], &[1, 1, 1, 0, 4, 1, 2, 0]),
                text(&[1, 0, 0, 2, 3, 0, 2], &[1, 1, 2, 0, 3, 3, 0]),
            ],
            steps: vec![
                step("hlo", "inline", 0),
                step(
                    "fusion",
                    "func.func(halo-fuse-elementwise{explain=true})",
                    0,
                ),
                step("kernels", "func.func(halo-lower-contractions{a=1})", 1),
            ],
            calls: vec![
                KernelCall {
                    name: "main_kernel_0".to_owned(),
                    nodes: vec![0, 1],
                    ..KernelCall::default()
                },
                KernelCall {
                    name: "main_kernel_1".to_owned(),
                    nodes: vec![2],
                    ..KernelCall::default()
                },
            ],
            ..CompilationRecord::default()
        }
    }

    fn refusal(op: u32, user: &str) -> Remark {
        Remark {
            step: 1,
            message: "is not fused into its user: it is a reduction".to_owned(),
            origins: vec![op],
            notes: vec![(user.to_owned(), "the user".to_owned())],
            ..Remark::default()
        }
    }

    #[test]
    fn refusals_that_a_later_pass_overcame_are_known() {
        let record = record();
        let fusion = Fusion::new(&record);
        let outcome = fusion.outcome(&refusal(0, "a.mlir:2:1")).unwrap();
        assert_eq!(
            outcome.text,
            "joined later, by halo-lower-contractions: both are in main_kernel_0"
        );
        assert_eq!(fusion.outcome(&refusal(1, "a.mlir:3:1")), None);
        // Without a note it is about all that read the result.
        let mut remark = refusal(0, "");
        remark.notes.clear();
        assert!(fusion.outcome(&remark).is_some());
        remark.origins = vec![1];
        assert_eq!(fusion.outcome(&remark), None);
        // An op that is a part of no call is folded away.
        let mut without = record.clone();
        without.nodes[2].calls.clear();
        remark.origins = vec![2];
        let outcome = Fusion::new(&without).outcome(&remark).unwrap();
        assert_eq!(outcome.text, "it needs no code of its own in the end");
        // What is no refusal has no outcome.
        remark.message = "has an arena of 8 bytes".to_owned();
        remark.origins = vec![0];
        assert_eq!(fusion.outcome(&remark), None);
    }

    #[test]
    fn what_was_joined_is_told_with_its_pass() {
        let record = record();
        let joined = Fusion::new(&record).joined();
        assert_eq!(joined.len(), 1);
        assert_eq!((joined[0].call, joined[0].ops), (0, 2));
        assert_eq!(
            joined[0].passes,
            [(
                "halo-lower-contractions".to_owned(),
                "dot_general (1), add (2)".to_owned()
            )]
        );
    }
}
