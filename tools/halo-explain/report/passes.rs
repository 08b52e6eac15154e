//! The passes with their times and the changes of the IR.

use super::format;
use crate::record::{CompilationRecord, FunctionText, Step};
use similar::{Algorithm, DiffOp, capture_diff_slices_deadline, group_diff_ops};
use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

/// Equal lines around a change.
const CONTEXT: usize = 2;
/// The maximum lines of a function's difference, and of all differences.
const LINES_OF_FUNCTION: usize = 400;
const LINES: usize = 40_000;
/// The time for exact differences; later ones are approximate.
const TIME: Duration = Duration::from_millis(1500);

pub struct Passes<'a> {
    pub phases: Vec<Phase<'a>>,
    /// The number of omitted lines.
    pub left_out: usize,
}

pub struct Phase<'a> {
    pub name: &'a str,
    pub milliseconds: String,
    pub passes: Vec<Pass<'a>>,
}

pub struct Pass<'a> {
    pub number: usize,
    pub name: &'a str,
    pub milliseconds: String,
    pub ops: u32,
    pub functions: Vec<Change<'a>>,
}

/// The difference of a function.
pub struct Change<'a> {
    /// Empty for ops outside of functions.
    pub name: &'a str,
    pub came: usize,
    pub gone: usize,
    pub lines: Vec<Line<'a>>,
    pub left_out: usize,
}

pub struct Line<'a> {
    /// `came`, `gone`, `equal` or `skipped`.
    pub class: &'static str,
    pub text: &'a str,
}

impl<'a> Passes<'a> {
    pub fn new(record: &'a CompilationRecord) -> Self {
        let mut differences = Differences {
            record,
            deadline: Instant::now() + TIME,
            lines: LINES,
            left_out: 0,
        };
        let mut phases: Vec<Phase> = Vec::new();
        let mut seconds = 0.0;
        let mut before: &[u32] = &[];
        for (number, step) in record.steps.iter().enumerate() {
            if phases.last().is_none_or(|phase| phase.name != step.phase) {
                seconds = 0.0;
                phases.push(Phase {
                    name: &step.phase,
                    milliseconds: String::new(),
                    passes: Vec::new(),
                });
            }
            let pass = differences.pass(number, step, before);
            before = &step.functions;
            seconds += step.seconds;
            if let Some(phase) = phases.last_mut() {
                phase.milliseconds = format::milliseconds(seconds);
                phase.passes.push(pass);
            }
        }
        Self {
            phases,
            left_out: differences.left_out,
        }
    }
}

struct Differences<'a> {
    record: &'a CompilationRecord,
    deadline: Instant,
    /// The remaining number of lines.
    lines: usize,
    left_out: usize,
}

impl<'a> Differences<'a> {
    fn pass(&mut self, number: usize, step: &'a Step, before: &[u32]) -> Pass<'a> {
        let pass = format::pass(&step.pass);
        Pass {
            number,
            name: if pass.is_empty() {
                "(the program)"
            } else {
                pass
            },
            milliseconds: format::milliseconds(step.seconds),
            ops: step.ops,
            functions: if step.changed {
                self.changes(before, &step.functions)
            } else {
                Vec::new()
            },
        }
    }

    /// The functions that differ, by name.
    fn changes(&mut self, before: &[u32], after: &[u32]) -> Vec<Change<'a>> {
        let record = self.record;
        let named = |numbers: &[u32]| -> BTreeMap<&'a str, (u32, &'a FunctionText)> {
            let functions = numbers.iter().filter_map(|number| {
                let function = record.functions.get(*number as usize)?;
                Some((&function.name[..], (*number, function)))
            });
            functions.collect()
        };
        let (mut old, new) = (named(before), named(after));
        let mut changes = Vec::new();
        for (name, (number, function)) in new {
            let old = old.remove(name);
            if old.is_none_or(|(old, _)| old != number) {
                let old = old.map(|(_, function)| function);
                changes.push(self.change(name, old, Some(function)));
            }
        }
        for (name, (_, function)) in old {
            changes.push(self.change(name, Some(function), None));
        }
        changes
    }

    fn change(
        &mut self,
        name: &'a str,
        old: Option<&'a FunctionText>,
        new: Option<&'a FunctionText>,
    ) -> Change<'a> {
        let (old, new) = (self.text(old), self.text(new));
        let skeletons = |lines: &[&str]| -> Vec<String> {
            lines.iter().map(|line| without_values(line)).collect()
        };
        let (before, after) = (skeletons(&old), skeletons(&new));
        let ops = capture_diff_slices_deadline(
            Algorithm::Histogram,
            &before,
            &after,
            Some(self.deadline),
        );
        let mut change = Change {
            name,
            came: 0,
            gone: 0,
            lines: Vec::new(),
            left_out: 0,
        };
        for (number, group) in group_diff_ops(ops, CONTEXT).iter().enumerate() {
            if number > 0 {
                change.add("skipped", &["..."]);
            }
            for op in group {
                let (_, gone, came) = op.as_tag_tuple();
                if matches!(op, DiffOp::Equal { .. }) {
                    change.add("equal", &new[came]);
                } else {
                    change.gone += gone.len();
                    change.came += came.len();
                    change.add("gone", &old[gone]);
                    change.add("came", &new[came]);
                }
            }
        }
        let most = LINES_OF_FUNCTION.min(self.lines);
        change.left_out = change.lines.len().saturating_sub(most);
        change.lines.truncate(most);
        self.lines -= change.lines.len();
        self.left_out += change.left_out;
        change
    }

    fn text(&self, function: Option<&FunctionText>) -> Vec<&'a str> {
        let numbers = function.map(|function| &function.lines[..]);
        let lines = numbers.unwrap_or_default().iter();
        let lines = lines.filter_map(|number| self.record.lines.get(*number as usize));
        lines.map(String::as_str).collect()
    }
}

impl<'a> Change<'a> {
    fn add(&mut self, class: &'static str, lines: &[&'a str]) {
        let lines = lines.iter().map(|text| Line { class, text });
        self.lines.extend(lines);
    }
}

/// A line without the numbers of values, since a new op renumbers the values after it.
fn without_values(line: &str) -> String {
    let mut text = String::with_capacity(line.len());
    let mut rest = line.trim_start();
    while let Some(start) = rest.find('%') {
        text.push_str(&rest[..=start]);
        rest = rest[start + 1..].trim_start_matches(|letter: char| letter.is_ascii_digit());
    }
    text.push_str(rest);
    text
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    #[test]
    fn changes_do_not_depend_on_the_numbers_of_values() {
        let record = samples::program();
        let passes = Passes::new(&record);
        let names: Vec<&str> = passes.phases.iter().map(|phase| phase.name).collect();
        assert_eq!(names, ["input", "hlo", "kernels"]);
        let pass = &passes.phases[1].passes[0];
        assert_eq!((pass.name, &pass.milliseconds[..]), ("cse", "1.000"));
        let [change] = &pass.functions[..] else {
            panic!("{} functions", pass.functions.len());
        };
        // `%2` is `%1` after the pass, so that its line is equal.
        let lines = change.lines.iter().map(|line| (line.class, line.text));
        assert_eq!(
            lines.collect::<Vec<_>>(),
            [
                ("equal", "func.func @main() {"),
                ("equal", "  %0 = a.a"),
                ("gone", "  %1 = a.b"),
                ("equal", "  %1 = a.c"),
                ("equal", "}"),
            ]
        );
        assert_eq!((change.came, change.gone, passes.left_out), (0, 1, 0));
    }

    #[test]
    fn passes_without_changes_have_none() {
        let record = samples::program();
        let passes = Passes::new(&record);
        let pass = &passes.phases[1].passes[1];
        assert_eq!(pass.name, "canonicalize{a=1}");
        assert!(pass.functions.is_empty());
    }

    #[test]
    fn numbers_of_values_are_left_out() {
        assert_eq!(
            without_values("  %12:2 = a.a %arg0, %3#1, 7"),
            "%:2 = a.a %arg0, %#1, 7"
        );
    }
}
