//! With which numbers the entry calls its kernels: its loops, run over their indices.
//!
//! A product that does not fit into a cache is computed in parts. The entry has loops over these,
//! and a kernel takes the bounds of a part:
//!
//! ```mlir
//! scf.for %k = %c0 to %c3072 step %c1536 {       // two halves of the terms
//!   %end = arith.addi %k, %c1536 : index
//!   scf.for %n = %c0 to %c24 step %c8 {          // three parts of the result
//!     halo.parallel_call @main_kernel_6 from %c0 to %c32 grain 1 captures(%k, %end, %n, ...)
//!   }
//! }
//! ```

use super::texts;
use halo_runtime::compilation_record::{CompilationRecord, FunctionText};
use std::collections::HashMap;

/// The op that calls a kernel.
const CALL: &str = "halo.parallel_call @";
/// The last phase in which loops of the entry are ops.
const PHASE: &str = "kernels";
/// So many lines are run at most: a loop of more than a few parts is no loop over parts.
const MOST_LINES: usize = 200_000;
/// So many runs of a call are kept.
const MOST_RUNS: usize = 64;

/// A call of the entry.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EntryCall {
    /// How many iterations the loops around it have, the outermost first; `None` if that depends
    /// on values of the program.
    pub loops: Option<Vec<u64>>,
    /// The runs of it, as far as they are kept.
    pub runs: Vec<CallRun>,
}

/// One run of a call.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CallRun {
    /// How many iterations its parallel loop has.
    pub iterations: Option<u64>,
    /// What the kernel captures, in the order of its arguments behind the two of its range.
    pub captured: Vec<Option<i64>>,
}

/// The calls of a record, each with what the entry says of it; empty ones where it says nothing.
pub fn calls(record: &CompilationRecord) -> Vec<EntryCall> {
    let mut all = vec![EntryCall::default(); record.calls.len()];
    let steps = record.steps.iter().rev();
    let texts = steps.filter(|step| step.phase == PHASE).map(|step| {
        let texts = texts::functions(record, &step.functions);
        let has_calls = |text: &&FunctionText| {
            let mut lines = texts::lines(record, text);
            lines.any(|line| line.contains(CALL))
        };
        texts.filter(has_calls).collect()
    });
    let texts: Vec<&FunctionText> = texts
        .into_iter()
        .find(|texts: &Vec<_>| !texts.is_empty())
        .unwrap_or_default();
    let mut found: HashMap<&str, Vec<EntryCall>> = HashMap::new();
    for text in texts {
        let lines: Vec<&str> = texts::lines(record, text).map(str::trim).collect();
        for (name, call) in (Runner::new(&lines)).run() {
            found.entry(name).or_default().push(call);
        }
    }
    // Calls of one kernel are in the order of the text.
    let mut places: HashMap<&str, usize> = HashMap::new();
    for (number, call) in record.calls.iter().enumerate() {
        let place = places.entry(&call.name).or_default();
        let of_name = found.get(&call.name[..]);
        if let Some(known) = of_name.and_then(|calls| calls.get(*place)) {
            all[number] = known.clone();
        }
        *place += 1;
    }
    all
}

/// Runs the lines of a function on numbers, as far as they are known.
struct Runner<'a, 'b> {
    lines: &'b [&'a str],
    values: HashMap<&'a str, i64>,
    /// The calls by their lines.
    calls: HashMap<usize, EntryCall>,
    /// The loops that are open.
    loops: Vec<Option<u64>>,
    left: usize,
}

impl<'a, 'b> Runner<'a, 'b> {
    fn new(lines: &'b [&'a str]) -> Self {
        Self {
            lines,
            values: HashMap::new(),
            calls: HashMap::new(),
            loops: Vec::new(),
            left: MOST_LINES,
        }
    }

    /// The calls with their kernels, in the order of the text.
    fn run(mut self) -> Vec<(&'a str, EntryCall)> {
        self.block(0, self.lines.len());
        let lines = self.lines.iter().enumerate();
        let names = lines.filter_map(|(number, line)| {
            let (_, rest) = line.split_once(CALL)?;
            Some((number, rest.split(' ').next()?))
        });
        let left = self.left;
        let calls = names.map(|(number, name)| {
            let call = self.calls.get(&number).filter(|_| left > 0);
            (name, call.cloned().unwrap_or_default())
        });
        calls.collect()
    }

    /// Runs lines from one on, up to another one.
    fn block(&mut self, begin: usize, end: usize) {
        let mut number = begin;
        while number < end && self.left > 0 {
            self.left -= 1;
            let line = self.lines[number];
            let Some(bounds) = line.split_once("scf.for ").map(|(_, bounds)| bounds) else {
                self.line(number, line);
                number += 1;
                continue;
            };
            let close = self.end_of(number, end);
            self.repeat(bounds, number + 1, close);
            number = close + 1;
        }
    }

    /// The line that ends the region which a line begins.
    fn end_of(&self, begin: usize, end: usize) -> usize {
        let mut depth = 0_usize;
        for number in begin..end {
            let line = self.lines[number];
            depth -= usize::from(line.starts_with('}') && depth > 0);
            depth += usize::from(line.ends_with('{'));
            if depth == 0 {
                return number;
            }
        }
        end
    }

    /// A loop: `%i = %begin to %end step %step ... {`.
    fn repeat(&mut self, bounds: &'a str, begin: usize, end: usize) {
        let words = bounds.split_whitespace();
        let words: Vec<&str> = words.filter(|word| word.starts_with('%')).collect();
        let [index, from, to, step, ..] = words[..] else {
            return self.block(begin, end);
        };
        let known = [from, to, step].map(|name| self.values.get(name).copied());
        let [Some(from), Some(to), Some(step)] = known else {
            // Once, with an index that is not known.
            self.values.remove(index);
            self.loops.push(None);
            self.block(begin, end);
            self.loops.pop();
            return;
        };
        let step = step.max(1);
        let count = (to - from).max(0) as u64;
        self.loops.push(Some(count.div_ceil(step as u64)));
        let mut number = from;
        while number < to && self.left > 0 {
            self.values.insert(index, number);
            self.block(begin, end);
            number += step;
        }
        self.loops.pop();
    }

    fn line(&mut self, number: usize, line: &'a str) {
        if let Some((_, call)) = line.split_once(CALL) {
            return self.call(number, call);
        }
        let Some((name, op)) = line.split_once(" = ").filter(|_| line.starts_with('%')) else {
            return;
        };
        let operands = |name: &'a str| self.values.get(name).copied();
        match evaluate(op, operands) {
            Some(value) => self.values.insert(name, value),
            None => self.values.remove(name),
        };
    }

    /// `main_kernel_6 from %c0 to %c32 grain 1 captures(%k, %end, ... : index, ...)`.
    fn call(&mut self, number: usize, call: &'a str) {
        let value = |name: &str| self.values.get(name).copied();
        let mut words = call.split(' ').filter(|word| word.starts_with('%'));
        let bounds = words
            .next()
            .and_then(value)
            .zip(words.next().and_then(value));
        let captured = call.split_once("captures(").map_or("", |(_, rest)| rest);
        let captured = captured.split(" : ").next().unwrap_or_default();
        let run = CallRun {
            iterations: bounds.map(|(from, to)| (to - from).max(0) as u64),
            captured: captured.split(", ").map(value).collect(),
        };
        let loops = self.loops.iter().copied().collect();
        let known = self.calls.entry(number).or_default();
        known.loops = loops;
        if known.runs.len() < MOST_RUNS {
            known.runs.push(run);
        }
    }
}

/// The value of an op on indices, from those of its operands.
pub fn evaluate<'a>(op: &'a str, value: impl Fn(&'a str) -> Option<i64>) -> Option<i64> {
    let (kind, rest) = op.split_once(' ')?;
    if kind == "arith.constant" {
        return rest.split(' ').next()?.parse().ok();
    }
    let mut operands = rest.split([',', ' ']).filter(|word| word.starts_with('%'));
    let (one, other) = (value(operands.next()?)?, value(operands.next()?)?);
    match kind {
        "arith.addi" => one.checked_add(other),
        "arith.subi" => one.checked_sub(other),
        "arith.muli" => one.checked_mul(other),
        "arith.minsi" | "arith.minui" => Some(one.min(other)),
        "arith.maxsi" | "arith.maxui" => Some(one.max(other)),
        "arith.divui" | "arith.divsi" if other > 0 => Some(one.div_euclid(other)),
        "arith.remui" | "arith.remsi" if other > 0 => Some(one.rem_euclid(other)),
        "arith.ceildivui" | "arith.ceildivsi" if other > 0 => {
            Some(one.checked_add(other - 1)?.div_euclid(other))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use halo_runtime::compilation_record::{KernelCall, Step};

    const ENTRY: &str = "\
func.func private @main(%arg0: index) {
%c0 = arith.constant 0 : index
%c8 = arith.constant 8 : index
%c20 = arith.constant 20 : index
scf.for %arg1 = %c0 to %c20 step %c8 {
%0 = arith.addi %arg1, %c8 overflow<nsw> : index
%1 = arith.minsi %0, %c20 : index
%2 = arith.subi %1, %arg1 : index
halo.parallel_call @k from %c0 to %2 grain 1 captures(%arg1, %1, %arg0 : index, index, index)
}
scf.for %arg1 = %c0 to %arg0 step %c8 {
halo.parallel_call @k from %c0 to %c8 grain 1 captures(%arg1 : index)
}
return
}";

    fn calls_of(text: &str) -> Vec<EntryCall> {
        let call = KernelCall {
            name: "k".to_owned(),
            ..KernelCall::default()
        };
        let record = CompilationRecord {
            lines: text.lines().map(str::to_owned).collect(),
            functions: vec![FunctionText {
                lines: (0..text.lines().count() as u32).collect(),
                ..FunctionText::default()
            }],
            steps: vec![
                Step {
                    phase: PHASE.to_owned(),
                    functions: vec![0],
                    ..Step::default()
                },
                Step::default(),
            ],
            calls: vec![call.clone(), call],
            ..CompilationRecord::default()
        };
        calls(&record)
    }

    #[test]
    fn loops_of_the_entry_are_run_over_their_indices() {
        let calls = calls_of(ENTRY);
        let run = |from, to| CallRun {
            iterations: Some((to - from) as u64),
            captured: vec![Some(from), Some(to), None],
        };
        assert_eq!(
            calls[0],
            EntryCall {
                loops: Some(vec![3]),
                runs: vec![run(0, 8), run(8, 16), run(16, 20)],
            }
        );
        // A bound that is an argument of the program.
        assert_eq!((calls[1].loops.as_ref(), calls[1].runs.len()), (None, 1));
        assert_eq!(calls[1].runs[0].captured, [None]);
    }

    #[test]
    fn loops_that_take_long_are_not_run() {
        let long = ENTRY.replace("constant 20 :", "constant 20000000 :");
        assert_eq!(calls_of(&long)[0], EntryCall::default());
    }
}
