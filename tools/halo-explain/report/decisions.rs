//! The decisions of passes: ops in one loop, ops apart with reasons, other remarks.

use super::{format, kernels};
use crate::record::{CompilationRecord, Join, Remark, RemarkSeverity};

/// The maximum number of rows of a table.
const LISTED: usize = 1000;

pub struct Decisions<'a> {
    pub joined: Vec<Joined<'a>>,
    pub apart: Vec<Apart<'a>>,
    pub remarks: Vec<Other<'a>>,
    /// The number of omitted rows.
    pub left_out: usize,
}

/// Ops that a pass moved into one loop.
pub struct Joined<'a> {
    pub pass: &'a str,
    /// The ops; brackets group ops that were already in one loop.
    pub ops: String,
    pub kernels: String,
}

/// An op that a pass did not fuse.
pub struct Apart<'a> {
    pub pass: &'a str,
    pub op: String,
    pub outcome: String,
    pub reason: String,
    pub notes: String,
    /// The passes that later moved the op into a loop with others.
    pub later: String,
}

/// A warning, or a remark without a decision.
pub struct Other<'a> {
    pub severity: &'static str,
    pub pass: &'a str,
    pub op: String,
    pub message: &'a str,
    pub notes: String,
}

impl<'a> Decisions<'a> {
    pub fn new(record: &'a CompilationRecord) -> Self {
        let mut left_out = 0;
        let joined = record.joins.iter().map(|join| Joined {
            pass: pass(record, join.step),
            ops: parts(record, &join.parts),
            kernels: kernels_of(record, join),
        });
        let joined = listed(joined, &mut left_out);
        let decided = record.remarks.iter().filter_map(|remark| {
            let decision = remark.decision?;
            Some(Apart {
                pass: pass(record, remark.step),
                op: op(record, remark),
                outcome: decision.outcome.to_string(),
                reason: decision.reason.to_string(),
                notes: notes(record, remark),
                later: later(record, remark),
            })
        });
        let apart = listed(decided, &mut left_out);
        let others = record.remarks.iter();
        let others = others.filter(|remark| remark.decision.is_none());
        let others = others.map(|remark| Other {
            severity: match remark.severity {
                RemarkSeverity::Warning => "warning",
                RemarkSeverity::Remark => "remark",
            },
            pass: pass(record, remark.step),
            op: op(record, remark),
            message: &remark.message,
            notes: notes(record, remark),
        });
        Self {
            joined,
            apart,
            remarks: listed(others, &mut left_out),
            left_out,
        }
    }
}

fn listed<T>(rows: impl Iterator<Item = T>, left_out: &mut usize) -> Vec<T> {
    let mut rows: Vec<T> = rows.collect();
    *left_out += rows.len().saturating_sub(LISTED);
    rows.truncate(LISTED);
    rows
}

/// The name of a pass without its options.
fn pass(record: &CompilationRecord, step: u32) -> &str {
    let step = record.steps.get(step as usize);
    let pass = step.map_or("", |step| format::pass(&step.pass));
    pass.split('{').next().unwrap_or(pass)
}

fn parts(record: &CompilationRecord, parts: &[Vec<u32>]) -> String {
    let parts = parts.iter().map(|part| {
        let ops = kernels::ops(record, part);
        if ops.len() > 1 {
            format!("[{}]", ops.join(", "))
        } else {
            ops.concat()
        }
    });
    parts.collect::<Vec<_>>().join(", ")
}

/// The kernels that compute all ops of a join, except ops that no kernel computes, such as
/// reshapes.
fn kernels_of(record: &CompilationRecord, join: &Join) -> String {
    let is_computed = |node: &&u32| record.calls.iter().any(|call| call.nodes.contains(node));
    let nodes: Vec<&u32> = join.parts.iter().flatten().filter(is_computed).collect();
    let calls = record.calls.iter();
    let calls = calls
        .filter(|call| !nodes.is_empty() && nodes.iter().all(|node| call.nodes.contains(node)));
    let mut names: Vec<&str> = calls.map(|call| &call.name[..]).collect();
    names.dedup();
    names.join(", ")
}

/// The op of a remark, by name if it is one of the program.
fn op(record: &CompilationRecord, remark: &Remark) -> String {
    let ops = kernels::ops(record, &remark.nodes);
    if ops.is_empty() {
        format::place(&record.program, &remark.location)
    } else {
        ops.join(", ")
    }
}

fn notes(record: &CompilationRecord, remark: &Remark) -> String {
    let notes = remark.notes.iter().map(|note| {
        let place = format::place(&record.program, &note.location);
        format!("{} ({place})", note.message)
    });
    notes.collect::<Vec<_>>().join(", ")
}

/// The passes that moved the op of a remark into a loop with other ops later.
fn later(record: &CompilationRecord, remark: &Remark) -> String {
    let has_op = |join: &&Join| {
        let nodes = join.parts.iter().flatten();
        join.step > remark.step && nodes.clone().any(|node| remark.nodes.contains(node))
    };
    let joins = record.joins.iter().filter(has_op);
    let mut passes: Vec<&str> = joins.map(|join| pass(record, join.step)).collect();
    passes.dedup();
    passes.join(", ")
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    #[test]
    fn decisions_name_ops_passes_and_reasons() {
        let record = samples::program();
        let decisions = Decisions::new(&record);
        let joined = &decisions.joined[0];
        assert_eq!(
            (joined.pass, &joined.ops[..], &joined.kernels[..]),
            (
                "halo-lower-contractions",
                "dot_general (3:8), add (4:8)",
                "main_kernel_0"
            )
        );
        let [apart] = &decisions.apart[..] else {
            panic!("{} decisions", decisions.apart.len());
        };
        assert_eq!((apart.pass, &apart.op[..]), ("cse", "dot_general (3:8)"));
        assert_eq!(apart.outcome, "is not fused into its user");
        assert_eq!(apart.reason, "it is a reduction");
        assert_eq!(apart.notes, "the user (4:8)");
        assert_eq!(apart.later, "halo-lower-contractions");
        let [other] = &decisions.remarks[..] else {
            panic!("{} remarks", decisions.remarks.len());
        };
        assert_eq!((other.severity, other.message), ("warning", "<b>slow</b>"));
        assert_eq!(decisions.left_out, 0);
    }
}
