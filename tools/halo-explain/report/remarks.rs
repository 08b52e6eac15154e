//! The decisions of passes: equal ones once, with all their places.

use super::format;
use halo_runtime::compilation_record::{CompilationRecord, Remark};
use std::collections::HashMap;

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
    /// How many of them are listed.
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

/// Where a decision was made.
pub struct Place {
    pub location: String,
    /// The line in the program; 0 if that is unknown.
    pub line: u32,
    /// The number of the op.
    pub op: Option<u32>,
    pub notes: Vec<(String, String)>,
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
            let listed = remarks.len().min(left);
            left -= listed;
            let pass = record.steps.get(step as usize);
            Group {
                pass: pass
                    .map(|step| format::pass(&step.pass).to_owned())
                    .unwrap_or_default(),
                phase: pass.map(|step| step.phase.clone()).unwrap_or_default(),
                step,
                count: remarks.len(),
                listed,
                decisions: decisions(record, &remarks[..listed]),
            }
        });
        Self {
            groups: groups.collect(),
            count: record.remarks.len(),
            left_out: record.remarks.len().saturating_sub(LISTED),
        }
    }
}

fn decisions(record: &CompilationRecord, remarks: &[&Remark]) -> Vec<Decision> {
    let mut found: Vec<Decision> = Vec::new();
    let mut numbers: HashMap<(String, &str), usize> = HashMap::new();
    for remark in remarks {
        let (op, place) = place(record, remark);
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
        .map(|(place, text)| (format::place(&record.program, place), text.clone()));
    let place = Place {
        location: format::place(&record.program, &remark.location),
        line: op.map_or(0, |op| op.line),
        op: number,
        notes: notes.collect(),
    };
    let name = op.map(|op| format::short(&op.name).to_owned());
    (name.unwrap_or_default(), place)
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    #[test]
    fn equal_decisions_are_one_with_all_places() {
        let remarks = Remarks::new(&samples::program(60));
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
