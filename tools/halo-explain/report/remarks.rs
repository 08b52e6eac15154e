//! The decisions of passes: what was fused, and what was not, equal refusals once with all
//! their places.

use super::{
    format,
    fusion::{Fusion, Outcome},
    rows::Row,
};
use halo_runtime::compilation_record::{CompilationRecord, Remark};
use std::collections::HashMap;

/// How many remarks the page has without a script, which shows the others.
const LISTED: usize = 1000;
/// How many kernels are listed with what was fused in them, the most expensive ones.
const KERNELS: usize = 200;

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

/// A remark and what became of it.
type Told<'a> = (&'a Remark, Option<&'a Outcome>);

/// Where a decision was made.
pub struct Place {
    pub location: String,
    /// The line in the program; 0 if that is unknown.
    pub line: u32,
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
        fusion: &Fusion,
        outcomes: &[Option<Outcome>],
    ) -> Self {
        let listed = record.remarks.len().min(LISTED);
        let all: Vec<Told<'_>> = record
            .remarks
            .iter()
            .zip(outcomes)
            .map(|(remark, outcome)| (remark, outcome.as_ref()))
            .collect();
        let overcome_count = all.iter().filter(|(_, outcome)| outcome.is_some()).count();
        let of = |is_overcome: bool| {
            let some = all[..listed].iter().copied();
            let some = some.filter(|(_, outcome)| outcome.is_some() == is_overcome);
            groups(record, &some.collect::<Vec<_>>())
        };
        let mut fused: Vec<(f64, Fused)> = fused(record, rows, fusion);
        fused.sort_by(|one, other| other.0.total_cmp(&one.0));
        let more_fused = fused.len().saturating_sub(KERNELS);
        fused.truncate(KERNELS);
        Self {
            groups: of(false),
            overcome: of(true),
            count: all.len(),
            final_decisions: format::plural(all.len() - overcome_count, "decision"),
            overcome_refusals: format::plural(overcome_count, "refusal"),
            overcome_count,
            left_out: all.len() - listed,
            fused: fused.into_iter().map(|(_, fused)| fused).collect(),
            more_fused,
        }
    }
}

/// The outcome of each remark of a record.
pub fn outcomes(record: &CompilationRecord, fusion: &Fusion) -> Vec<Option<Outcome>> {
    let remarks = record.remarks.iter();
    remarks.map(|remark| fusion.outcome(remark)).collect()
}

/// What was fused in each kernel, with its cost. Call sites whose kernels were made alike, line
/// by line, are told one by one, since their ops are others.
fn fused(record: &CompilationRecord, rows: &[Row], fusion: &Fusion) -> Vec<(f64, Fused)> {
    let row_of_calls = super::rows::row_of_calls(rows, record.calls.len());
    let joined = fusion.joined().into_iter().map(|joined| {
        let call = &record.calls[joined.call];
        let row = row_of_calls[joined.call];
        let cost = row.map_or(0.0, |row| rows[row as usize].cost());
        let fused = Fused {
            row,
            name: format::plain(&call.name),
            place: format::place(&record.program, &call.location),
            ops: joined.ops,
            passes: joined.passes,
        };
        (cost, fused)
    });
    joined.collect()
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
    for (remark, outcome) in remarks {
        let (op, mut place) = place(record, remark);
        place.outcome = outcome.map(|it| it.text.clone()).unwrap_or_default();
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
fn place(record: &CompilationRecord, remark: &Remark) -> (String, Place) {
    let named = |op: &u32| Some((*op, record.ops.get(*op as usize)?));
    let ops = remark.origins.iter().filter_map(named);
    let of_place = ops.clone().find(|(_, op)| op.location == remark.location);
    let (number, op) = of_place.or_else(|| ops.clone().next()).unzip();
    let notes = remark
        .notes
        .iter()
        .map(|(place, text)| (op_at(record, place), text.clone()));
    let place = Place {
        location: format::place(&record.program, &remark.location),
        line: op.map_or(0, |op| op.line),
        op: number,
        notes: notes.collect(),
        outcome: String::new(),
    };
    let name = op.map(|op| format::short(&op.name).to_owned());
    (name.unwrap_or_default(), place)
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
    use super::super::{rows, samples};
    use super::*;

    #[test]
    fn equal_decisions_are_one_with_all_places() {
        let record = samples::program(60);
        let fusion = Fusion::new(&record);
        let outcomes = outcomes(&record, &fusion);
        let remarks = Remarks::new(&record, &rows::rows(&record), &fusion, &outcomes);
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
}
