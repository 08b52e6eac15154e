//! How much of a compilation a report holds, so that browsers open it.
//!
//! Texts make reports large: programs with constants of megabytes in one line, and the IR
//! after each of a hundred passes. Long lines are cut, and of more text than a report holds,
//! what matters least is left out. The report says what.

use super::format;
use halo_runtime::compilation_record::{CompilationRecord, FunctionText, Kernel};
use std::collections::HashMap;

/// The most of each kind.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Characters of a line.
    pub line: usize,
    /// Bytes of the program's text.
    pub source: usize,
    /// Bytes of lines of IR, each once.
    pub lines: usize,
    /// Lines of all versions of functions.
    pub uses: usize,
    /// Bytes of assembly.
    pub assembly: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            line: 4000,
            source: 4 << 20,
            lines: 48 << 20,
            uses: 3_000_000,
            assembly: 24 << 20,
        }
    }
}

/// The record as far as a report holds it, and sentences about the rest.
pub fn within(record: &CompilationRecord, limits: Limits) -> (CompilationRecord, Vec<String>) {
    let mut record = record.clone();
    let mut notes = Vec::new();
    cut_source(&mut record, limits, &mut notes);
    cut_lines(&mut record, limits, &mut notes);
    leave_out_steps(&mut record, limits, &mut notes);
    leave_out_assembly(&mut record, limits, &mut notes);
    (record, notes)
}

/// Sentences about the ends of lists that are left out, each with the part of the page.
pub fn ends_of_lists<'a>(
    part: &'a str,
    lists: impl IntoIterator<Item = (usize, &'a str)>,
) -> Vec<String> {
    let lists = lists.into_iter().filter(|(count, _)| *count > 0);
    let sentence = |(count, what): (usize, &str)| {
        format!(
            "{part}: {} {what} are not listed.",
            format::count(count as u64)
        )
    };
    lists.map(sentence).collect()
}

/// The begin of a line, and how long it is.
fn cut(line: &str, most: usize) -> Option<String> {
    if line.len() <= most {
        return None;
    }
    let (end, _) = line.char_indices().nth(most)?;
    let left = line[end..].chars().count() as u64;
    Some(format!(
        "{} … {} more characters",
        &line[..end],
        format::count(left)
    ))
}

fn cut_note(cuts: usize, text: &str, limits: Limits) -> String {
    let lines = format::plural(cuts, "line");
    let are = if cuts == 1 { "is" } else { "are" };
    format!(
        "{lines} of {text} {are} cut after {} characters.",
        limits.line
    )
}

fn cut_source(record: &mut CompilationRecord, limits: Limits, notes: &mut Vec<String>) {
    let mut text = String::new();
    let (mut cuts, mut kept) = (0, 0);
    let all = record.source.lines().count();
    for line in record.source.lines() {
        if text.len() >= limits.source {
            break;
        }
        let short = cut(line, limits.line);
        cuts += usize::from(short.is_some());
        text.push_str(short.as_deref().unwrap_or(line));
        text.push('\n');
        kept += 1;
    }
    if cuts > 0 {
        notes.push(cut_note(cuts, "the program's text", limits));
    }
    if kept < all {
        let kept = format::plural(kept, "line");
        let all = format::count(all as u64);
        notes.push(format!(
            "The program's text has {all} lines, of which the first {kept} are here."
        ));
    }
    if cuts > 0 || kept < all {
        record.source = text;
    }
}

fn cut_lines(record: &mut CompilationRecord, limits: Limits, notes: &mut Vec<String>) {
    let mut cuts = 0;
    for line in &mut record.lines {
        if let Some(short) = cut(line, limits.line) {
            *line = short;
            cuts += 1;
        }
    }
    if cuts > 0 {
        notes.push(cut_note(cuts, "the IR", limits));
    }
}

/// Leaves out the IR of steps: first of those inside of phases, then of all but the last.
fn leave_out_steps(record: &mut CompilationRecord, limits: Limits, notes: &mut Vec<String>) {
    if fits(record, limits) {
        return;
    }
    let steps = &mut record.steps;
    let count = steps.len();
    for number in 0..count.saturating_sub(1) {
        if number > 0 && steps[number].phase == steps[number + 1].phase {
            steps[number].functions.clear();
        }
    }
    drop_unused(record);
    let mut what = "inside of phases";
    if !fits(record, limits) {
        for step in record.steps.iter_mut().take(count.saturating_sub(1)) {
            step.functions.clear();
        }
        drop_unused(record);
        what = "but the last";
    }
    if !fits(record, limits) {
        for step in &mut record.steps {
            step.functions.clear();
        }
        drop_unused(record);
        what = "and kernels";
        for kernel in &mut record.kernels {
            kernel.text = FunctionText::default();
        }
        drop_unused(record);
    }
    notes.push(format!(
        "The IR is too large for a report: that of all steps {what} is left out."
    ));
}

fn fits(record: &CompilationRecord, limits: Limits) -> bool {
    let bytes: usize = record.lines.iter().map(String::len).sum();
    let uses: usize = record
        .functions
        .iter()
        .map(|function| function.lines.len())
        .sum();
    bytes <= limits.lines && uses <= limits.uses
}

/// Empties functions that no step has, and drops lines that nothing has.
fn drop_unused(record: &mut CompilationRecord) {
    let mut is_used = vec![false; record.functions.len()];
    for function in record.steps.iter().flat_map(|step| &step.functions) {
        if let Some(is_used) = is_used.get_mut(*function as usize) {
            *is_used = true;
        }
    }
    for (function, is_used) in record.functions.iter_mut().zip(is_used) {
        if !is_used {
            function.lines = Vec::new();
            function.origins = Vec::new();
            function.nodes = Vec::new();
        }
    }
    let old = std::mem::take(&mut record.lines);
    let mut old: Vec<Option<String>> = old.into_iter().map(Some).collect();
    let mut numbers: HashMap<u32, u32> = HashMap::new();
    let kernels = record.kernels.iter_mut().map(|kernel| &mut kernel.text);
    for function in record.functions.iter_mut().chain(kernels) {
        for line in &mut function.lines {
            let lines = &mut record.lines;
            *line = *numbers.entry(*line).or_insert_with(|| {
                let text = old.get_mut(*line as usize).and_then(Option::take);
                lines.push(text.unwrap_or_default());
                lines.len() as u32 - 1
            });
        }
    }
}

fn leave_out_assembly(record: &mut CompilationRecord, limits: Limits, notes: &mut Vec<String>) {
    let mut bytes: usize = record
        .kernels
        .iter()
        .map(|kernel| kernel.assembly.len())
        .sum();
    if bytes <= limits.assembly {
        return;
    }
    let mut longest: Vec<&mut Kernel> = record.kernels.iter_mut().collect();
    longest.sort_by_key(|kernel| std::cmp::Reverse(kernel.assembly.len()));
    let mut left_out = 0;
    for kernel in longest {
        if bytes <= limits.assembly {
            break;
        }
        bytes -= kernel.assembly.len();
        kernel.assembly = String::new();
        left_out += 1;
    }
    let kernels = format::plural(left_out, "kernel");
    notes.push(format!(
        "The assembly of {kernels}, the longest, is left out."
    ));
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    const SMALL: Limits = Limits {
        line: 40,
        source: 300,
        lines: 2000,
        uses: 100,
        assembly: 600,
    };

    #[test]
    fn small_records_stay_as_they_are() {
        let record = samples::program(60);
        let (within, notes) = within(&record, Limits::default());
        assert_eq!(within, record);
        assert!(notes.is_empty());
    }

    #[test]
    fn all_that_is_left_out_is_told() {
        let (record, notes) = within(&samples::program(60), SMALL);
        let assembly: usize = record
            .kernels
            .iter()
            .map(|kernel| kernel.assembly.len())
            .sum();
        assert!(assembly <= 600 && record.source.len() < 400);
        assert!(fits(&record, SMALL));
        assert_eq!(notes.len(), 5, "{notes:?}");
        super::super::validate::check(&record).unwrap();
    }

    #[test]
    fn ends_of_phases_stay_longest() {
        let all = samples::program(60);
        let limits = Limits {
            uses: 400,
            ..Limits::default()
        };
        let (record, notes) = within(&all, limits);
        assert_eq!(notes.len(), 1, "{notes:?}");
        let has_text: Vec<bool> = record
            .steps
            .iter()
            .map(|step| !step.functions.is_empty())
            .collect();
        for (number, two) in record.steps.windows(2).enumerate() {
            assert_eq!(
                has_text[number],
                number == 0 || two[0].phase != two[1].phase
            );
        }
        let last = |record: &CompilationRecord| -> Vec<String> {
            let function = record.steps.last().unwrap().functions[0];
            let lines = &record.functions[function as usize].lines;
            lines
                .iter()
                .map(|line| record.lines[*line as usize].clone())
                .collect()
        };
        assert_eq!(last(&record), last(&all));
        assert!(record.lines.len() < all.lines.len());
    }

    #[test]
    fn lines_are_cut_between_characters() {
        assert_eq!(cut("äöü", 2).as_deref(), Some("äö … 1 more characters"));
        assert_eq!(cut("äöü", 3), None);
        assert_eq!(cut("abc", 3), None);
    }
}
