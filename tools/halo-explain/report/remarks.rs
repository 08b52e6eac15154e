//! The decisions of passes: what was fused, and what was not, equal refusals once with all
//! their places.

use super::{
    buffers::Plan,
    edges::Edge,
    format,
    fusion::{self, Fusion, Outcome},
    joined::Joined,
    limits, names,
    rows::Row,
};
use halo_runtime::compilation_record::{
    CallKind, CallPurpose, CompilationRecord, KernelCall, Remark, RemarkNote,
};
use serde::Serialize;
use std::collections::{BTreeSet, HashMap};

/// How many remarks the page has without a script, which shows the others.
const LISTED: usize = 1000;
/// The pass whose remark is about buffers.
const BUFFER_ASSIGNMENT: &str = "halo-buffer-assignment";
/// What the reason is of convolutions.
const EQUAL: &str = "equal convolutions become one kernel";
/// What a remark says of a buffer with padding.
const PADDED: &str = "stays padded";
/// So many readers of a result are named.
const MOST_READERS: usize = 3;
/// How many kernels are listed with what was fused in them, the most expensive ones.
const KERNELS: usize = 200;

/// How many values between kernels are listed, the largest ones.
const EDGES: usize = 300;

#[derive(Default)]
pub struct Remarks {
    /// Those that are final, and those that a later pass overcame.
    pub groups: Vec<Group>,
    pub overcome: Vec<Group>,
    pub count: usize,
    /// How many there are of both, with their noun.
    pub final_decisions: String,
    pub overcome_refusals: String,
    pub overcome_count: usize,
    pub left_out: usize,
    pub fused: Vec<Fused>,
    pub more_fused: usize,
    /// The kernels that nothing was fused in, with what each does.
    pub single: Vec<Single>,
    /// How many there are.
    pub singles: String,
    pub more_single: usize,
    /// The values between kernels, each with the reasons.
    pub edges: Vec<(String, String)>,
    pub more_edges: usize,
}

/// A kernel that was made of one op.
pub struct Single {
    pub row: Option<u32>,
    pub name: String,
    /// Such as `computes convolution (line 3)`.
    pub work: String,
}

/// What scripts show of a remark beside what the record has.
#[derive(Serialize)]
pub struct RemarkView {
    /// Whether it is about an operand of its op, not about the op.
    pub is_of_operand: bool,
    pub outcome: Option<Outcome>,
    /// Where the op's function was called.
    pub called: String,
    /// The notes, each with the op that it is about.
    pub notes: Vec<(String, String)>,
}

/// What is shown of each remark.
pub fn views(record: &CompilationRecord, fusion: &Fusion, plan: Option<&Plan>) -> Vec<RemarkView> {
    let remarks = record.remarks.iter();
    let views = remarks.map(|remark| RemarkView {
        is_of_operand: reads_itself(remark),
        outcome: fusion.outcome(remark),
        called: called(record, remark),
        notes: notes((record, fusion, plan), remark),
    });
    views.collect()
}

/// The remarks of a pass.
pub struct Group {
    pub pass: String,
    pub phase: String,
    pub step: u32,
    pub count: usize,
    /// How many of the step's remarks are listed, here and as final or overcome ones.
    pub listed: usize,
    pub decisions: Vec<Decision>,
}

/// The remarks of a pass that say the same of ops of one name.
pub struct Decision {
    pub severity: String,
    pub message: String,
    pub op: String,
    pub places: Vec<Place>,
}

/// A remark and what is shown of it.
type Told<'a> = (&'a Remark, &'a RemarkView);

/// Where a decision was made.
pub struct Place {
    pub location: String,
    /// The line in the program; 0 if that is unknown.
    pub line: u32,
    /// Where the function that it is in was called.
    pub called: String,
    /// The number of the op.
    pub op: Option<u32>,
    pub notes: Vec<(String, String)>,
    /// What became of it.
    pub outcome: String,
}

/// What was fused in a kernel.
pub struct Fused {
    /// The row in the table of kernels.
    pub row: Option<u32>,
    pub name: String,
    pub place: String,
    pub ops: usize,
    pub passes: Vec<(String, String)>,
}

impl Remarks {
    pub fn new(
        record: &CompilationRecord,
        rows: &[Row],
        joined: &[Joined],
        (views, edges): (&[RemarkView], &[Edge]),
    ) -> Self {
        let listed = record.remarks.len().min(LISTED);
        let all: Vec<Told<'_>> = record.remarks.iter().zip(views).collect();
        let is_overcome = |(_, view): &Told<'_>| view.outcome.is_some();
        let overcome_count = all.iter().filter(|told| is_overcome(told)).count();
        let of_ops = all.iter().filter(|(it, _)| !is_of_plan(record, it));
        let count = of_ops.count();
        let of = |overcome: bool| {
            // The plan of memory is no decision about an op: the part on memory has it.
            let some = all[..listed].iter().copied();
            let some = some.filter(|(remark, _)| !is_of_plan(record, remark));
            let some = some.filter(|told| is_overcome(told) == overcome);
            groups(record, &some.collect::<Vec<_>>())
        };
        let mut fused: Vec<(f64, Fused)> = fused(record, rows, joined);
        fused.sort_by(|one, other| other.0.total_cmp(&one.0));
        let more_fused = fused.len().saturating_sub(KERNELS);
        fused.truncate(KERNELS);
        let mut single = single(record, rows, joined);
        let singles = format::plural(single.len(), "call site");
        let more_single = single.len().saturating_sub(KERNELS);
        single.truncate(KERNELS);
        Self {
            groups: of(false),
            overcome: of(true),
            count,
            final_decisions: format::plural(count - overcome_count, "decision"),
            overcome_refusals: format::plural(overcome_count, "refusal"),
            overcome_count,
            left_out: all.len() - listed,
            fused: fused.into_iter().map(|(_, fused)| fused).collect(),
            more_fused,
            single,
            singles,
            more_single,
            edges: edges
                .iter()
                .take(EDGES)
                .map(|edge| (edge.text.clone(), edge.reasons.join("; ")))
                .collect(),
            more_edges: edges.len().saturating_sub(EDGES),
        }
    }
}

impl Remarks {
    /// What its lists leave out.
    pub fn left_out_notes(&self) -> Vec<String> {
        let lists = [
            (
                self.more_fused,
                "cheaper kernels with what was fused in them",
            ),
            (self.more_single, "call sites with one op"),
            (self.more_edges, "smaller values between kernels"),
        ];
        limits::ends_of_lists("Decisions", lists)
    }
}

/// What was fused in each kernel, with its cost. Call sites whose kernels were made alike, line
/// by line, are told one by one, since their ops are others.
fn fused(record: &CompilationRecord, rows: &[Row], joined: &[Joined]) -> Vec<(f64, Fused)> {
    let row_of_calls = super::rows::row_of_calls(rows, record.calls.len());
    let joined = joined.iter().map(|joined| {
        let call = &record.calls[joined.call];
        let row = row_of_calls[joined.call];
        let cost = row.map_or(0.0, |row| rows[row as usize].cost());
        let fused = Fused {
            row,
            name: format::plain(&call.name),
            place: names::place(&record.program, &call.location, &call.callers),
            ops: joined.ops,
            passes: joined.passes.clone(),
        };
        (cost, fused)
    });
    joined.collect()
}

/// The calls of kernels in which nothing was fused, the most expensive first.
fn single(record: &CompilationRecord, rows: &[Row], joined: &[Joined]) -> Vec<Single> {
    let row_of_calls = super::rows::row_of_calls(rows, record.calls.len());
    let joined: BTreeSet<usize> = joined.iter().map(|joined| joined.call).collect();
    let calls = record.calls.iter().enumerate();
    let calls =
        calls.filter(|(number, call)| call.kind == CallKind::Kernel && !joined.contains(number));
    let single = calls.map(|(number, call)| {
        let row = row_of_calls[number];
        let cost = row.map_or(0.0, |row| rows[row as usize].cost());
        let single = Single {
            row,
            name: format::plain(&call.name),
            work: work(record, call),
        };
        (cost, single)
    });
    let mut single: Vec<(f64, Single)> = single.collect();
    single.sort_by(|one, other| other.0.total_cmp(&one.0));
    single.into_iter().map(|(_, single)| single).collect()
}

/// What a call does for its ops.
fn work(record: &CompilationRecord, call: &KernelCall) -> String {
    let ops = fusion::ops_of(record, &call.nodes).into_iter();
    let ops: Vec<String> = ops.map(|node| names::node(record, node)).collect();
    let ops = match ops.is_empty() {
        true => "no op of the program".to_owned(),
        false => ops.join(", "),
    };
    names::work_for(call.purpose, &ops)
}

fn groups(record: &CompilationRecord, remarks: &[Told<'_>]) -> Vec<Group> {
    let mut by_step: Vec<(u32, Vec<Told<'_>>)> = Vec::new();
    for remark in remarks {
        match by_step.iter_mut().find(|(step, _)| *step == remark.0.step) {
            Some((_, remarks)) => remarks.push(*remark),
            None => by_step.push((remark.0.step, vec![*remark])),
        }
    }
    by_step.sort_by_key(|(step, _)| *step);
    let groups = by_step.into_iter().map(|(step, remarks)| {
        let pass = record.steps.get(step as usize);
        let of_step = record.remarks.iter().take(LISTED);
        Group {
            pass: pass
                .map(|step| format::pass(&step.pass).to_owned())
                .map(|pass| pass.split('{').next().unwrap_or_default().to_owned())
                .unwrap_or_default(),
            phase: pass.map(|step| step.phase.clone()).unwrap_or_default(),
            step,
            count: remarks.len(),
            listed: of_step.filter(|remark| remark.step == step).count(),
            decisions: decisions(record, &remarks),
        }
    });
    groups.collect()
}

fn decisions(record: &CompilationRecord, remarks: &[Told<'_>]) -> Vec<Decision> {
    let mut found: Vec<Decision> = Vec::new();
    let mut numbers: HashMap<(String, &str), usize> = HashMap::new();
    for (remark, view) in remarks {
        let (op, place) = place(record, remark, view);
        let key = (op.clone(), &remark.message[..]);
        let number = *numbers.entry(key).or_insert_with(|| {
            found.push(Decision {
                severity: remark.severity.clone(),
                message: remark.message.clone(),
                op,
                places: Vec::new(),
            });
            found.len() - 1
        });
        found[number].places.push(place);
    }
    found
}

/// The name of the op that a remark is about, and its place.
fn place(record: &CompilationRecord, remark: &Remark, view: &RemarkView) -> (String, Place) {
    let named = |op: &u32| Some((*op, record.ops.get(*op as usize)?));
    let ops = remark.origins.iter().filter_map(named);
    let of_place = ops.clone().find(|(_, op)| op.location == remark.location);
    let (number, op) = of_place.or_else(|| ops.clone().next()).unzip();
    let place = Place {
        location: format::place(&record.program, &remark.location),
        line: op.map_or(0, |op| op.line),
        called: view.called.clone(),
        op: number,
        notes: view.notes.clone(),
        outcome: match &view.outcome {
            Some(outcome) => outcome.text.clone(),
            None => String::new(),
        },
    };
    let name = match op {
        Some(op) if reads_itself(remark) => {
            format!("the operand of {}", format::short(&op.name))
        }
        Some(op) => format::short(&op.name).to_owned(),
        // Its remark is about the whole of it.
        None if is_of_plan(record, remark) => "the entry".to_owned(),
        None => String::new(),
    };
    (name, place)
}

/// Where the function of a remark's op was called.
fn called(record: &CompilationRecord, remark: &Remark) -> String {
    let node = remark.nodes.first();
    let node = node.and_then(|node| record.nodes.get(*node as usize));
    node.map(|node| names::called(record, node))
        .unwrap_or_default()
}

/// The notes of a remark, each with the op that it is about before its text: by name and line, or
/// else the place. A remark about an op and what reads it has the readers if it has no notes, and
/// notes about buffers have what these hold at the peak, as in the memory plan.
fn notes(
    (record, fusion, plan): (&CompilationRecord, &Fusion, Option<&Plan>),
    remark: &Remark,
) -> Vec<(String, String)> {
    if remark.notes.is_empty() && remark.message.contains(" reads it") {
        let readers = fusion.readers_of(remark).into_iter().take(MOST_READERS);
        let equal = equal_calls(record, remark).map(|text| (String::new(), text));
        return readers
            .map(|reader| (names::node(record, reader), "what reads it".to_owned()))
            .chain(equal)
            .collect();
    }
    let of_plan = plan.filter(|_| is_of_plan(record, remark));
    let contents = of_plan.map(|plan| plan.of_notes(record, &remark.notes));
    let equal = equal_calls(record, remark).map(|text| (String::new(), text));
    let named = remark.notes.iter().enumerate().map(|(number, note)| {
        let content = contents.as_ref().and_then(|all| *all.get(number)?);
        if let Some(content) = content {
            return (content.to_owned(), note.message.clone());
        }
        let nodes = fusion.nodes_of_note(remark, note);
        let at_place = |number: &u32| {
            let node = record.nodes.get(*number as usize);
            let mut origins = node.into_iter().flat_map(|node| &node.origins);
            origins.any(|op| {
                let op = record.ops.get(*op as usize);
                op.is_some_and(|op| op.line > 0 && op.location == note.location)
            })
        };
        let has_line = |number: &u32| {
            let node = record.nodes.get(*number as usize);
            node.is_some_and(|node| names::line(record, node) > 0)
        };
        if reads_itself(remark) {
            let op = remark.nodes.first().map(|node| names::node(record, *node));
            let op = op.unwrap_or_default();
            return (format!("the loops of {op} itself"), note.message.clone());
        }
        // Of several that are one op now, the one that the place is of.
        let node = nodes.iter().copied().find(at_place);
        let node = node.or_else(|| nodes.iter().copied().find(has_line));
        let op = match node {
            Some(node) => names::node(record, node),
            None => op_at(record, &note.location),
        };
        (op, note.message.clone())
    });
    named.chain(equal).collect()
}

/// How many calls the kernel of a convolution has, where a remark is about equal ones.
fn equal_calls(record: &CompilationRecord, remark: &Remark) -> Option<String> {
    if !remark.message.contains(EQUAL) {
        return None;
    }
    let nodes = remark
        .nodes
        .iter()
        .filter_map(|node| record.nodes.get(*node as usize));
    let calls = nodes.flat_map(|node| &node.calls);
    let mut calls = calls.filter_map(|call| record.calls.get(*call as usize));
    let own = calls.find(|call| call.purpose == CallPurpose::Compute && call.kernel.is_some())?;
    let sites = record.calls.iter().filter(|call| call.kernel == own.kernel);
    let name = format::plain(&own.name);
    Some(match sites.count() {
        1 => format!("here no other one is equal, and {name} has one call site"),
        sites => format!("{name} has {sites} call sites"),
    })
}

/// Whether a remark is about an operand of an op that it names as the reader: the padding that is a
/// part of the op.
fn reads_itself(remark: &Remark) -> bool {
    let mut notes = remark.notes.iter();
    let is_own = |note: &RemarkNote| {
        !note.nodes.is_empty() && note.nodes.iter().all(|node| remark.nodes.contains(node))
    };
    remark.message.starts_with(PADDED) && notes.any(is_own)
}

/// Whether a remark is about the memory plan.
fn is_of_plan(record: &CompilationRecord, remark: &Remark) -> bool {
    let step = record.steps.get(remark.step as usize);
    step.is_some_and(|step| step.pass.contains(BUFFER_ASSIGNMENT))
}

/// The op at a place by name and line, or the place.
fn op_at(record: &CompilationRecord, place: &str) -> String {
    let op = record.ops.iter().find(|op| op.location == place);
    match op.filter(|op| op.line > 0) {
        Some(op) => format!("{} (line {})", format::short(&op.name), op.line),
        None => format::place(&record.program, place),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{buffers, joined, rows, samples};
    use super::*;

    #[test]
    fn equal_decisions_are_one_with_all_places() {
        let record = samples::program(60);
        let fusion = Fusion::new(&record);
        let views = views(&record, &fusion, None);
        let joined = joined::joined(&record, &fusion);
        let remarks = Remarks::new(&record, &rows::rows(&record), &joined, (&views, &[]));
        assert_eq!((remarks.count, remarks.groups.len()), (10, 1));
        let found: Vec<_> = remarks.groups[0]
            .decisions
            .iter()
            .map(|decision| (&decision.op[..], decision.places.len()))
            .collect();
        assert_eq!(found, [("dot_general", 5), ("reduce", 5)]);
        let place = &remarks.groups[0].decisions[0].places[1];
        assert_eq!(
            (&place.location[..], place.line, place.op),
            ("program.mlir:15:8", 15, Some(13))
        );
    }
    /// The padding of an operand that the op itself reads: it does not read as if it were the op.
    #[test]
    fn padding_that_stays_is_that_of_an_operand() {
        let mut record = samples::program(24);
        let note = RemarkNote {
            location: "program.mlir:3:8".to_owned(),
            message: "what reads it".to_owned(),
            nodes: vec![1],
        };
        let remark = &mut record.remarks[0];
        remark.message = "stays padded, in a buffer: something reads it".to_owned();
        (remark.location, remark.nodes) = (note.location.clone(), vec![1]);
        (remark.origins, remark.notes) = (vec![1], vec![note]);
        let fusion = Fusion::new(&record);
        let views = views(&record, &fusion, None);
        let (op, place) = place(&record, &record.remarks[0], &views[0]);
        assert_eq!(op, "the operand of dot_general");
        let reader = "the loops of dot_general (line 3) itself".to_owned();
        assert_eq!(place.notes, [(reader, "what reads it".to_owned())]);
    }

    /// The plan's remark, whose notes are about the buffers at the peak: three of one size, type and
    /// place, which are told apart, and one that is none of them.
    #[test]
    fn buffers_have_the_names_of_the_memory_plan() {
        let mut record = samples::program(60);
        let arena = record.arena.as_mut().unwrap();
        for buffer in &mut arena.buffers {
            buffer.location = "program.mlir:5:8".to_owned();
        }
        let note = |message: &str| RemarkNote {
            location: "program.mlir:5:8".to_owned(),
            message: message.to_owned(),
            ..RemarkNote::default()
        };
        let size = "65536 bytes, 'memref<64x256xf32>'";
        record.steps[6].pass = "func.func(halo-buffer-assignment{explain=true})".to_owned();
        record.remarks = vec![Remark {
            step: 6,
            notes: vec![
                note(size),
                note(size),
                note(size),
                note("1 bytes, 'memref<1xi8>'"),
            ],
            ..Remark::default()
        }];
        let plan = buffers::plan(&record).unwrap();
        let views = views(&record, &Fusion::new(&record), Some(&plan));
        let named = views[0].notes.iter().map(|(name, _)| &name[..]);
        let contents = plan.buffers.iter().map(|buffer| &buffer.content[..]);
        let expected: Vec<&str> = contents.take(3).chain(["add (line 5)"]).collect();
        assert_eq!(named.collect::<Vec<_>>(), expected);
        // The plan is among no decisions.
        let shown = Remarks::new(&record, &[], &[], (&views, &[]));
        assert!(shown.groups.is_empty() && shown.overcome.is_empty());
        assert_eq!(shown.count, 0);
        assert_eq!(expected[0], "result of add (line 5)");
    }
}
