//! What a pass changed in a function: a difference of lines in which only the numbers of SSA
//! values may differ.
//!
//! One new op gives all values behind it other names. So lines are compared without the names
//! of values (`similar` finds the difference), and for lines that are alike then, it is
//! checked whether their operands still are the values of lines that are alike: the others
//! are marked. Indentation does not count, and names of attributes (`#map1`) stand for what they
//! name.

use super::lines::Lines;
use halo_runtime::compilation_record::{CompilationRecord, FunctionText, Step};
use serde::Serialize;
use similar::{Algorithm, DiffOp, capture_diff_slices_deadline};
use std::{
    collections::{BTreeMap, HashMap},
    time::{Duration, Instant},
};

/// How long the differences of all passes may take; what is left is found roughly.
const TIME: Duration = Duration::from_millis(1500);

/// What became of a function in a step: its versions before and behind it.
#[derive(Debug, PartialEq, Serialize)]
pub struct FunctionDifference {
    pub old: Option<u32>,
    pub new: Option<u32>,
    /// How many lines are alike, are left out and come in, over and over.
    pub runs: Vec<u32>,
    /// The lines of the new version that are alike and have other operands.
    pub operands: Vec<u32>,
}

/// Finds differences between functions of a record.
pub struct Differences<'a> {
    record: &'a CompilationRecord,
    lines: Lines<'a>,
    deadline: Instant,
}

impl<'a> Differences<'a> {
    pub fn new(record: &'a CompilationRecord) -> Self {
        Self {
            record,
            lines: Lines::new(record),
            deadline: Instant::now() + TIME,
        }
    }

    /// The functions that each step changed. Steps without functions are those whose texts
    /// were left out.
    pub fn of_steps(&mut self) -> Vec<Vec<FunctionDifference>> {
        let record = self.record;
        let mut before: Option<&Step> = None;
        let mut found = Vec::new();
        for step in &record.steps {
            if step.functions.is_empty() {
                found.push(Vec::new());
                continue;
            }
            let changes = before.map(|before| self.between(before, step));
            found.push(changes.unwrap_or_default());
            before = Some(step);
        }
        found
    }

    /// The functions that differ between two steps.
    pub fn between(&mut self, old: &Step, new: &Step) -> Vec<FunctionDifference> {
        let mut before: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
        for number in old.functions.iter().rev() {
            if let Some(function) = self.function(*number) {
                before.entry(&function.name).or_default().push(*number);
            }
        }
        let names = (self.lines.attributes(old), self.lines.attributes(new));
        let mut found = Vec::new();
        for number in &new.functions {
            let Some(function) = self.function(*number) else {
                continue;
            };
            let old = before.get_mut(&function.name[..]).and_then(Vec::pop);
            if old != Some(*number) {
                found.push(self.of_functions(old, Some(*number), names));
            }
        }
        for gone in before.into_values().flatten() {
            found.push(self.of_functions(Some(gone), None, names));
        }
        // What is outside of functions matters least.
        let is_outside = |change: &FunctionDifference| {
            let function = change
                .new
                .or(change.old)
                .and_then(|number| self.function(number));
            function.is_some_and(|function| function.name.is_empty())
        };
        found.sort_by_key(is_outside);
        found
    }

    fn function(&self, number: u32) -> Option<&'a FunctionText> {
        self.record.functions.get(number as usize)
    }

    fn of_functions(
        &mut self,
        old: Option<u32>,
        new: Option<u32>,
        names: (u32, u32),
    ) -> FunctionDifference {
        let lines = |number: Option<u32>| -> &'a [u32] {
            let function = number.and_then(|number| self.record.functions.get(number as usize));
            function
                .map(|function| &function.lines[..])
                .unwrap_or_default()
        };
        let (before, after) = (lines(old), lines(new));
        let mut skeletons = |lines: &[u32], names: u32| -> Vec<u32> {
            let skeletons = lines.iter().map(|line| self.lines.skeleton(*line, names));
            skeletons.collect()
        };
        let (one, other) = (skeletons(before, names.0), skeletons(after, names.1));
        // Ends of functions are alike anyway; what remains is shorter.
        let found =
            capture_diff_slices_deadline(Algorithm::Histogram, &one, &other, Some(self.deadline));
        FunctionDifference {
            old,
            new,
            operands: self.other_operands(before, after, &found),
            runs: runs(&found),
        }
    }

    /// The new lines that are alike to old ones and whose operands are not.
    fn other_operands(&self, before: &[u32], after: &[u32], found: &[DiffOp]) -> Vec<u32> {
        let mut other = Vec::new();
        // The new name of each old value, and the old name of each new one, until their
        // names are given to other values.
        let (mut forward, mut backward) = (HashMap::new(), HashMap::new());
        let forget = |line: u32, names: &mut HashMap<u32, u32>| {
            let defined = self.lines.names(line).iter().filter(|name| name.is_defined);
            names.extend(defined.map(|name| (name.text, 0)));
        };
        for op in found {
            let (_, old, new) = op.as_tag_tuple();
            if !matches!(op, DiffOp::Equal { .. }) {
                for line in &before[old] {
                    forget(*line, &mut forward);
                }
                for line in &after[new] {
                    forget(*line, &mut backward);
                }
                continue;
            }
            for (old, index) in old.zip(new) {
                let one = self.lines.names(before[old]);
                let two = self.lines.names(after[index]);
                let mut has_other = false;
                for (one, two) in one.iter().zip(two) {
                    if one.is_defined && two.is_defined {
                        continue;
                    }
                    // Values that no line has defined yet keep their names.
                    let expected = forward.get(&one.text).copied().unwrap_or(one.text);
                    let source = backward.get(&two.text).copied().unwrap_or(two.text);
                    has_other |= expected != two.text || source != one.text;
                }
                for (one, two) in one.iter().zip(two) {
                    if one.is_defined && two.is_defined {
                        forward.insert(one.text, two.text);
                        backward.insert(two.text, one.text);
                    }
                }
                if has_other {
                    other.push(index as u32);
                }
            }
        }
        other
    }
}

/// The lengths of lines that are alike, left out and come in, over and over.
fn runs(found: &[DiffOp]) -> Vec<u32> {
    let mut runs = Vec::new();
    for op in found {
        let (_, old, new) = op.as_tag_tuple();
        let part = match op {
            DiffOp::Equal { len, .. } => [*len, 0, 0],
            _ => [0, old.len(), new.len()],
        };
        let part = part.map(|length| length as u32);
        match runs.last_chunk_mut::<3>() {
            Some([_, gone @ 0, came @ 0]) if part[0] == 0 => [*gone, *came] = [part[1], part[2]],
            _ => runs.extend(part),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn difference(old: &str, new: &str) -> FunctionDifference {
        let mut record = CompilationRecord::default();
        for text in [old, new] {
            let lines = text.lines().map(|line| {
                record.lines.push(line.to_owned());
                record.lines.len() as u32 - 1
            });
            let lines: Vec<u32> = lines.collect();
            record.functions.push(FunctionText {
                name: "main".to_owned(),
                origins: vec![0; lines.len()],
                lines,
                ..FunctionText::default()
            });
            record.steps.push(Step {
                functions: vec![record.functions.len() as u32 - 1],
                ..Step::default()
            });
        }
        let steps = Differences::new(&record).of_steps();
        assert_eq!(steps.len(), 2);
        assert!(steps[0].is_empty());
        let mut found = steps.into_iter().flatten();
        found.next().unwrap()
    }

    #[test]
    fn new_numbers_of_values_are_no_difference() {
        let old = "func.func @main(%arg0: f32) {\n  %0 = a.a %arg0\n  %1 = b.b %0\n  c.c %1, %0\n}";
        let new = "func.func @main(%arg0: f32) {\n  %0 = n.n %arg0\n  %1 = a.a %arg0\n  \
                   %2 = b.b %1\n  c.c %2, %1\n}";
        let found = difference(old, new);
        assert_eq!(found.runs, [1, 0, 1, 4, 0, 0]);
        assert_eq!(found.operands, [0_u32; 0]);
    }

    #[test]
    fn other_operands_are_told() {
        let old = "  %0 = a.a\n  %1 = b.b\n  c.c %0";
        let new = "  %0 = a.a\n  %1 = b.b\n  c.c %1";
        let found = difference(old, new);
        assert_eq!((found.runs, found.operands), (vec![3, 0, 0], vec![2]));
        // A value that is gone, and one that has its name.
        let old = "  %0 = a.a\n  %1 = b.b\n  c.c %1";
        let new = "  %0 = a.a\n  %1 = d.d %0\n  c.c %1";
        let found = difference(old, new);
        assert_eq!(
            (found.runs, found.operands),
            (vec![1, 1, 1, 1, 0, 0], vec![2])
        );
    }

    #[test]
    fn names_of_regions_are_given_again() {
        let old = "  scf.for %arg1 = %c0 to %c1 {\n    a.a %arg1\n  }\n  scf.for %arg1 = %c0 to %c1 {\n    a.a %arg1\n  }";
        let new = "  scf.for %arg2 = %c0 to %c1 {\n    a.a %arg2\n  }\n  scf.for %arg3 = %c0 to %c1 {\n    a.a %arg3\n  }";
        assert_eq!(difference(old, new).operands, [0_u32; 0]);
        // Names in texts are texts.
        let found = difference("  a.a \"%0\"", "  a.a \"%1\"");
        assert_eq!(found.runs, [0, 1, 1]);
    }

    #[test]
    fn functions_come_and_go() {
        let mut record = CompilationRecord::default();
        record.lines.push("x".to_owned());
        for name in ["one", "two"] {
            record.functions.push(FunctionText {
                name: name.to_owned(),
                lines: vec![0],
                origins: vec![0],
                ..FunctionText::default()
            });
        }
        let step = |functions: &[u32]| Step {
            functions: functions.to_vec(),
            ..Step::default()
        };
        record.steps = vec![step(&[0]), step(&[1]), step(&[1, 99])];
        let found = Differences::new(&record).of_steps();
        let ends: Vec<_> = found[1]
            .iter()
            .map(|found| (found.old, found.new))
            .collect();
        assert_eq!(ends, [(None, Some(1)), (Some(0), None)]);
        assert!(found[2].is_empty());
    }
}
