//! The decisions of passes.

use super::format;
use halo_runtime::compilation_record::{CompilationRecord, Remark};

/// How many remarks the page has without a script, which shows the others.
const LISTED: usize = 1000;

#[derive(Default)]
pub struct Remarks {
    pub groups: Vec<Group>,
    pub count: usize,
    pub left_out: usize,
}

/// The remarks of a pass.
pub struct Group {
    pub pass: String,
    pub phase: String,
    pub step: u32,
    pub count: usize,
    pub remarks: Vec<Entry>,
}

pub struct Entry {
    pub severity: String,
    pub message: String,
    pub location: String,
    /// The line in the program; 0 if that is unknown.
    pub line: u32,
    pub notes: Vec<(String, String)>,
    pub op: String,
    /// Its number.
    pub number: Option<u32>,
}

impl Remarks {
    pub fn new(record: &CompilationRecord) -> Self {
        let mut by_step: Vec<(u32, Vec<&Remark>)> = Vec::new();
        for remark in &record.remarks {
            match by_step.iter_mut().find(|(step, _)| *step == remark.step) {
                Some((_, remarks)) => remarks.push(remark),
                None => by_step.push((remark.step, vec![remark])),
            }
        }
        by_step.sort_by_key(|(step, _)| *step);
        let mut left = LISTED;
        let groups = by_step.into_iter().map(|(step, remarks)| {
            let shown = remarks.len().min(left);
            left -= shown;
            let pass = record.steps.get(step as usize);
            Group {
                pass: pass.map(|step| step.pass.clone()).unwrap_or_default(),
                phase: pass.map(|step| step.phase.clone()).unwrap_or_default(),
                step,
                count: remarks.len(),
                remarks: remarks[..shown]
                    .iter()
                    .map(|remark| entry(record, remark))
                    .collect(),
            }
        });
        Self {
            groups: groups.collect(),
            count: record.remarks.len(),
            left_out: record.remarks.len().saturating_sub(LISTED),
        }
    }
}

fn entry(record: &CompilationRecord, remark: &Remark) -> Entry {
    let named = |op: &u32| Some((*op, record.ops.get(*op as usize)?));
    let ops = remark.origins.iter().filter_map(named);
    let of_place = ops.clone().find(|(_, op)| op.location == remark.location);
    let (number, op) = of_place.or_else(|| ops.clone().next()).unzip();
    Entry {
        severity: remark.severity.clone(),
        message: remark.message.clone(),
        location: remark.location.clone(),
        line: op.map_or(0, |op| op.line),
        notes: remark.notes.clone(),
        number,
        op: op
            .map(|op| format::short(&op.name).to_owned())
            .unwrap_or_default(),
    }
}
