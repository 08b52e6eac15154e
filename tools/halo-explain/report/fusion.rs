//! Which ops were joined into each kernel, by which pass, and which refusals did not last.
//!
//! A pass says why it leaves an op as it is; a later pass may join it all the same, such as
//! a product whose activation is computed in its tiles. What ended in one kernel follows from the
//! calls; which pass joined two ops is the first one behind which a line of IR was made of both.
//! Ops are the nodes of a record: two calls of a function have the same lines of the program, but
//! nodes of their own.

use super::{format, graph, names, rows, texts};
use halo_runtime::compilation_record::{
    CompilationRecord, FunctionText, NodeNumber, OpNumber, Remark, RemarkNote,
};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// How many calls are followed, the first ones: more than a reader looks at.
const MOST_CALLS: usize = 4000;
/// The phase before which ops of the program are not those of kernels yet.
const FIRST_PHASE: &str = "hlo";
/// How a reason begins that is about an op, whatever reads it.
const OF_ITSELF: &str = "is not fused into its user: it ";
/// What a remark says of an op that it finds no others for.
const NO_GROUP: &str = "is in no group";

/// The ops that a pass joined in a kernel.
#[derive(Clone, Debug, PartialEq)]
pub struct Join {
    pub step: usize,
    /// Sets that became one, each in the order of the program.
    pub sets: Vec<Vec<NodeNumber>>,
}

/// The history of each call.
pub struct Fusion<'a> {
    record: &'a CompilationRecord,
    joins: Vec<Vec<Join>>,
    calls_of_node: HashMap<NodeNumber, Vec<usize>>,
    /// The nodes with calls that read the value of each node, through those that need no code.
    readers: Vec<Vec<NodeNumber>>,
    /// The nodes that were made of each op.
    nodes_of_op: HashMap<OpNumber, Vec<NodeNumber>>,
}

/// What became of a refusal.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Outcome {
    /// In words.
    pub text: String,
}

/// A refusal that is final.
#[derive(Clone)]
pub struct Refusal<'a> {
    pub message: &'a str,
    /// The nodes that it is about beside its own.
    pub partners: BTreeSet<NodeNumber>,
    /// Whether its reason is one for all that read the result.
    pub is_of_itself: bool,
}

/// Sets of ops that become one.
struct Sets {
    set_of: BTreeMap<NodeNumber, usize>,
    sets: Vec<Vec<NodeNumber>>,
}

impl Sets {
    fn new(ops: &BTreeSet<NodeNumber>) -> Self {
        Self {
            set_of: ops.iter().copied().zip(0..).collect(),
            sets: ops.iter().map(|op| vec![*op]).collect(),
        }
    }

    /// Makes one set of those that have some of the ops, and returns what they were.
    fn join(&mut self, ops: &[NodeNumber]) -> Option<Vec<Vec<NodeNumber>>> {
        let numbers: BTreeSet<usize> = ops
            .iter()
            .filter_map(|op| self.set_of.get(op))
            .copied()
            .collect();
        if numbers.len() < 2 {
            return None;
        }
        let mut sets: Vec<Vec<NodeNumber>> = numbers
            .iter()
            .map(|number| std::mem::take(&mut self.sets[*number]))
            .collect();
        sets.sort_unstable();
        let mut all: Vec<NodeNumber> = sets.iter().flatten().copied().collect();
        all.sort_unstable();
        let first = numbers.first().copied()?;
        for op in &all {
            self.set_of.insert(*op, first);
        }
        self.sets[first] = all;
        Some(sets)
    }

    fn are_joined(&self, one: NodeNumber, other: NodeNumber) -> bool {
        let set = |op| self.set_of.get(&op);
        set(one).is_some() && set(one) == set(other)
    }
}

impl<'a> Fusion<'a> {
    pub fn new(record: &'a CompilationRecord) -> Self {
        let mut sets: Vec<Sets> = Vec::new();
        let mut calls_of_node: HashMap<NodeNumber, Vec<usize>> = HashMap::new();
        let mut joins: Vec<Vec<Join>> = Vec::new();
        for (number, call) in record.calls.iter().enumerate().take(MOST_CALLS) {
            let of_call = Sets::new(&ops_of(record, &call.nodes));
            for op in of_call.set_of.keys() {
                calls_of_node.entry(*op).or_default().push(number);
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
            let together: BTreeSet<Vec<NodeNumber>> = texts::functions(record, &new)
                .flat_map(|function| ops_together(record, function))
                .collect();
            for ops in &together {
                let calls: BTreeSet<usize> = ops
                    .iter()
                    .filter_map(|op| calls_of_node.get(op))
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
            calls_of_node,
            readers: readers(record),
            nodes_of_op: nodes_of_ops(record),
        }
    }

    /// What passes joined in each call, in their order.
    pub fn joins(&self) -> &[Vec<Join>] {
        &self.joins
    }

    /// What became of a refusal to join an op with the op of a note, or with what reads it;
    /// `None` if it is final.
    pub fn outcome(&self, remark: &Remark) -> Option<Outcome> {
        if !remark.message.contains("not ") && !remark.message.contains(NO_GROUP) {
            return None;
        }
        let own = self.nodes_of(remark);
        let has_no_call = |node: &NodeNumber| {
            let node = self.record.nodes.get(*node as usize);
            node.is_none_or(|node| node.calls.is_empty())
        };
        if !own.is_empty() && own.iter().all(has_no_call) && !self.record.calls.is_empty() {
            return Some(Outcome {
                text: "it needs no code of its own in the end".to_owned(),
            });
        }
        if remark.message.contains(NO_GROUP) {
            return self.joined_with_any(&own, remark.step as usize);
        }
        let partners = self.partners(remark);
        if partners.is_empty() {
            return None;
        }
        let mut found: Option<Outcome> = None;
        for group in partners {
            // Each of the readers, at one place at least.
            found = Some(group.iter().find_map(|partner| {
                let mut pairs = own.iter().filter(|op| *op != partner);
                pairs.find_map(|op| self.together((*op, *partner), remark.step as usize, "both"))
            })?);
        }
        found
    }

    /// What became of ops that are in no group: each may be joined with others all the same.
    fn joined_with_any(&self, own: &[NodeNumber], step: usize) -> Option<Outcome> {
        let mut found = None;
        for op in own {
            let calls = self.calls_of_node.get(op)?;
            let mut others = calls.iter().flat_map(|call| {
                let nodes = &self.record.calls[*call].nodes;
                ops_of(self.record, nodes).into_iter()
            });
            found = Some(others.find_map(|other| {
                let with = format!("it and {}", names::node(self.record, other));
                self.together((*op, other), step, &with)
                    .filter(|_| other != *op)
            })?);
        }
        found
    }

    /// The nodes that a remark is about. Before there are any it is about those that were made of
    /// its ops.
    fn nodes_of(&self, remark: &Remark) -> Vec<NodeNumber> {
        if !remark.nodes.is_empty() {
            return remark.nodes.clone();
        }
        let nodes = remark
            .origins
            .iter()
            .filter_map(|op| self.nodes_of_op.get(op));
        let nodes: BTreeSet<NodeNumber> = nodes.flatten().copied().collect();
        nodes.into_iter().collect()
    }

    /// The nodes that a note is about. Of ops that were fused it is those that read the result
    /// that the remark is about, not the last one, which the place is of.
    pub fn nodes_of_note(&self, remark: &Remark, note: &RemarkNote) -> Vec<NodeNumber> {
        let own = self.nodes_of(remark);
        let calls = |node: &NodeNumber| self.calls_of_node.get(node).into_iter().flatten();
        let of_note: BTreeSet<usize> = note.nodes.iter().flat_map(calls).copied().collect();
        let readers = self.readers(&own);
        let is_known = |node: &NodeNumber| own.contains(node) || readers.contains(node);
        if note.nodes.iter().any(is_known) {
            return note.nodes.clone();
        }
        let is_with_it = |reader: &NodeNumber| calls(reader).any(|call| of_note.contains(call));
        let found: Vec<NodeNumber> = readers.into_iter().filter(is_with_it).collect();
        match found.is_empty() {
            true => note.nodes.clone(),
            false => found,
        }
    }

    /// The nodes that read the result that a remark is about.
    pub fn readers_of(&self, remark: &Remark) -> Vec<NodeNumber> {
        self.readers(&self.nodes_of(remark))
    }

    /// The nodes with calls that read the results of others, through those that need no code.
    pub fn readers(&self, of: &[NodeNumber]) -> Vec<NodeNumber> {
        let readers = of
            .iter()
            .filter_map(|node| self.readers.get(*node as usize));
        let mut readers: BTreeSet<NodeNumber> = readers.flatten().copied().collect();
        for node in of {
            readers.remove(node);
        }
        readers.into_iter().collect()
    }

    /// The refusals that are final, by the nodes that they are about.
    pub fn refusals(&self) -> HashMap<NodeNumber, Vec<Refusal<'a>>> {
        let mut found: HashMap<NodeNumber, Vec<Refusal<'a>>> = HashMap::new();
        for remark in &self.record.remarks {
            if !remark.message.contains("not ") || self.outcome(remark).is_some() {
                continue;
            }
            let refusal = Refusal {
                message: &remark.message,
                partners: self.partners(remark).into_iter().flatten().collect(),
                is_of_itself: remark.message.contains(OF_ITSELF),
            };
            for node in self.nodes_of(remark) {
                found.entry(node).or_default().push(refusal.clone());
            }
        }
        found
    }

    /// The nodes that a refusal is about beside its own, in groups of which each counts: those of
    /// the notes, or each one that reads the result.
    fn partners(&self, remark: &Remark) -> Vec<Vec<NodeNumber>> {
        let notes = remark
            .notes
            .iter()
            .map(|note| self.nodes_of_note(remark, note));
        let named: Vec<Vec<NodeNumber>> = notes.filter(|nodes| !nodes.is_empty()).collect();
        if !named.is_empty() {
            return named;
        }
        let readers = self.readers_of(remark).into_iter();
        readers.map(|reader| vec![reader]).collect()
    }

    /// The kernel that two nodes are in together, and the pass that joined them, if that is
    /// another one than that of a step.
    fn together(
        &self,
        (one, other): (NodeNumber, NodeNumber),
        step: usize,
        both: &str,
    ) -> Option<Outcome> {
        let calls = |node| self.calls_of_node.get(&node);
        let others = calls(other)?;
        let shared = calls(one)?.iter().filter(|call| others.contains(call));
        shared.into_iter().find_map(|call| {
            let data = &self.record.calls[*call];
            let mut sets = Sets::new(&ops_of(self.record, &data.nodes));
            let joined = self.joins[*call].iter().find(|join| {
                let all: Vec<NodeNumber> = join.sets.iter().flatten().copied().collect();
                sets.join(&all);
                sets.are_joined(one, other)
            });
            let when = match joined {
                Some(join) if join.step == step => return None,
                Some(join) if join.step < step => "before",
                _ => "later",
            };
            let pass = joined.and_then(|join| self.record.steps.get(join.step));
            let pass = pass.map_or("a later pass", |step| {
                name_of_pass(format::pass(&step.pass))
            });
            Some(Outcome {
                text: format!(
                    "joined {when}, by {pass}: {both} are in {}",
                    format::plain(&data.name)
                ),
            })
        })
    }
}

/// The nodes with calls that read the value of each node, through those that need no code.
fn readers(record: &CompilationRecord) -> Vec<Vec<NodeNumber>> {
    let sources = graph::sources(record);
    let mut readers = vec![Vec::new(); record.nodes.len()];
    for (number, node) in (0..).zip(&record.nodes) {
        if node.calls.is_empty() || rows::is_end(node) {
            continue;
        }
        let operands = node.operands.iter();
        let operands = operands.filter_map(|operand| usize::try_from(*operand).ok());
        for source in operands
            .filter_map(|operand| sources.get(operand))
            .flatten()
        {
            if let Some(readers) = readers.get_mut(*source as usize) {
                readers.push(number);
            }
        }
    }
    readers
}

fn nodes_of_ops(record: &CompilationRecord) -> HashMap<OpNumber, Vec<NodeNumber>> {
    let mut nodes: HashMap<OpNumber, Vec<NodeNumber>> = HashMap::new();
    for (number, node) in (0..).zip(&record.nodes) {
        for op in &node.origins {
            nodes.entry(*op).or_default().push(number);
        }
    }
    nodes
}

/// The sets of several ops that a function computes together: those whose code is in one
/// structured op or parallel loop, and those of a call of a kernel.
///
/// The place of the op itself has what was fused into it, such as a broadcast that left no code,
/// but also what only shares a buffer with it. So an op that has code in another place counts
/// there alone.
fn ops_together(record: &CompilationRecord, function: &FunctionText) -> BTreeSet<Vec<NodeNumber>> {
    /// An op with a body: how far it is indented, the ops of its place, and those of its code.
    #[derive(Default)]
    struct Body {
        indent: usize,
        of_place: BTreeSet<NodeNumber>,
        of_code: BTreeSet<NodeNumber>,
    }
    let mut found = BTreeSet::new();
    let mut bodies: Vec<Body> = Vec::new();
    let mut is_open = false;
    for (line, nodes) in function.lines.iter().zip(&function.nodes) {
        let line = record
            .lines
            .get(*line as usize)
            .map_or("", |line| &line[..]);
        let op = line.trim_start();
        let indent = line.len() - op.len();
        let ops = record.node_sets.get(*nodes as usize);
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
    let mut codes: HashMap<NodeNumber, usize> = HashMap::new();
    for op in bodies.iter().flat_map(|body| &body.of_code) {
        *codes.entry(*op).or_default() += 1;
    }
    for body in &bodies {
        let without_code = body.of_place.iter().filter(|op| !codes.contains_key(op));
        let all: BTreeSet<NodeNumber> = body.of_code.iter().chain(without_code).copied().collect();
        found.insert(all.into_iter().collect());
    }
    found.retain(|ops: &Vec<NodeNumber>| ops.len() > 1);
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
pub fn name_of_pass(pass: &str) -> &str {
    pass.split('{').next().unwrap_or(pass)
}

/// The nodes that are ops, without constants and what ends regions.
pub fn ops_of(record: &CompilationRecord, nodes: &[NodeNumber]) -> BTreeSet<NodeNumber> {
    let is_op = |number: &NodeNumber| {
        let node = record.nodes.get(*number as usize);
        node.is_some_and(|node| !rows::is_end(node) && !node.name.ends_with(".constant"))
    };
    nodes.iter().copied().filter(is_op).collect()
}

#[cfg(test)]
mod tests {
    use super::super::joined;
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
        let text = |lines: &[u32], nodes: &[u32]| FunctionText {
            name: "main".to_owned(),
            lines: lines.to_vec(),
            origins: nodes.to_vec(),
            nodes: nodes.to_vec(),
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
            node_sets: vec![vec![], vec![0], vec![1], vec![2], vec![0, 1]],
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

    fn refusal(op: u32, user: u32) -> Remark {
        Remark {
            step: 1,
            message: "is not fused into its user: it is a reduction".to_owned(),
            origins: vec![op],
            nodes: vec![op],
            notes: vec![RemarkNote {
                message: "the user".to_owned(),
                nodes: vec![user],
                ..RemarkNote::default()
            }],
            ..Remark::default()
        }
    }

    /// A function that is called twice has one text: its ops are in two kernels, of which one
    /// computes both.
    #[test]
    fn two_calls_of_a_function_are_told_apart() {
        let mut record = record();
        record
            .nodes
            .extend([record.nodes[0].clone(), record.nodes[1].clone()]);
        (record.nodes[3].calls, record.nodes[4].calls) = (vec![2], vec![3]);
        (record.nodes[4].operands, record.nodes[3].operands) = (vec![3], vec![]);
        for node in [3, 4] {
            let mut call = record.calls[1].clone();
            call.nodes = vec![node];
            record.calls.push(call);
        }
        let mut remark = refusal(0, 1);
        let fusion = Fusion::new(&record);
        assert!(fusion.outcome(&remark).is_some());
        (remark.nodes, remark.notes[0].nodes) = (vec![3], vec![4]);
        assert_eq!(fusion.outcome(&remark), None);
        assert_eq!(joined::joined(&record, &fusion).len(), 1);
    }

    /// The place of ops that were fused is that of the last one; what read the result is told.
    #[test]
    fn users_are_the_ops_that_read_the_result() {
        let mut record = record();
        record.calls[0].nodes = vec![0];
        record.calls[1].nodes = vec![1, 2];
        (record.nodes[0].calls, record.nodes[1].calls) = (vec![0], vec![1]);
        let remark = refusal(0, 2);
        let fusion = Fusion::new(&record);
        assert_eq!(fusion.nodes_of_note(&remark, &remark.notes[0]), [1]);
    }

    /// What a pass has joined before it refuses to do so for another user is not joined later.
    #[test]
    fn joins_of_the_same_pass_are_no_outcome() {
        let record = record();
        let mut remark = refusal(0, 1);
        remark.step = 2;
        assert_eq!(Fusion::new(&record).outcome(&remark), None);
        // A later pass cannot join what is one loop already.
        remark.step = 3;
        let outcome = Fusion::new(&record).outcome(&remark).unwrap();
        assert!(
            outcome.text.starts_with("joined before, by halo-lower"),
            "{}",
            outcome.text
        );
    }

    #[test]
    fn refusals_that_a_later_pass_overcame_are_known() {
        let record = record();
        let fusion = Fusion::new(&record);
        let outcome = fusion.outcome(&refusal(0, 1)).unwrap();
        assert_eq!(
            outcome.text,
            "joined later, by halo-lower-contractions: both are in main_kernel_0"
        );
        assert_eq!(fusion.outcome(&refusal(1, 2)), None);
        // Without a note it is about all that read the result.
        let mut remark = refusal(0, 1);
        remark.notes.clear();
        assert!(fusion.outcome(&remark).is_some());
        remark.nodes = vec![1];
        assert_eq!(fusion.outcome(&remark), None);
        // An op that is a part of no call is folded away.
        let mut without = record.clone();
        without.nodes[2].calls.clear();
        remark.nodes = vec![2];
        let outcome = Fusion::new(&without).outcome(&remark).unwrap();
        assert_eq!(outcome.text, "it needs no code of its own in the end");
        // One that is in no group is told with what it is in a kernel with.
        remark.message = "is in no group: there are too few iterations".to_owned();
        remark.nodes = vec![0];
        let outcome = fusion.outcome(&remark).unwrap();
        assert_eq!(
            outcome.text,
            "joined later, by halo-lower-contractions: it and add (line 2) are in main_kernel_0"
        );
        remark.nodes = vec![2];
        assert_eq!(fusion.outcome(&remark), None);
        // What is no refusal has no outcome.
        remark.message = "has an arena of 8 bytes".to_owned();
        remark.nodes = vec![0];
        assert_eq!(fusion.outcome(&remark), None);
    }

    #[test]
    fn what_was_joined_is_told_with_its_pass() {
        let record = record();
        let joined = joined::joined(&record, &Fusion::new(&record));
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
