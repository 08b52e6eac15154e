//! The comparison as a table and as a page.

use std::fmt::Write as _;

use askama::Template;
use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use halo_runtime::{Error, Result};

use super::errors::{ElementError, OpErrors, Tolerance};
use super::lockstep::Compared;

/// The maximum number of ops in the table; the ops with the smallest differences are left out.
const LISTED: usize = 40;

/// The least factor that the summary reports.
const GROWTH: f64 = 1.1;

/// The columns that are numbers.
const NUMBERS: [usize; 4] = [3, 4, 5, 6];

/// The difference of an op as text.
struct Row {
    location: String,
    op: String,
    shape: String,
    ulp: String,
    relative: String,
    of_operands: String,
    factor: String,
    at: String,
    values: [String; 2],
    /// The class of the row in the page.
    class: &'static str,
    /// The length of the bar in the page, in percent: the magnitude of the error.
    bar: u32,
}

impl Row {
    fn new(op: &OpErrors) -> Self {
        let worst = op.worst.as_ref();
        let text = |text: &dyn Fn(&ElementError) -> String| worst.map_or_else(String::new, text);
        Self {
            location: op.location.clone(),
            op: op.op.clone(),
            shape: op.shape.clone(),
            ulp: text(&|worst| worst.ulp.map_or_else(String::new, |ulp| ulp.to_string())),
            relative: text(&|worst| scientific(worst.relative)),
            of_operands: text(&|worst| scientific(worst.of_operands)),
            factor: text(&|worst| match worst.factor() {
                None if worst.begins() => "begins".to_owned(),
                None => String::new(),
                Some(factor) => format!("{factor:.1}"),
            }),
            at: text(&|worst| place(op, worst)),
            values: worst.map_or_else(Default::default, |worst| worst.values.clone()),
            class: match worst {
                None => "quiet",
                Some(_) if op.exceeds() => "error",
                Some(_) => "",
            },
            bar: worst.map_or(0, |worst| bar(worst.relative)),
        }
    }

    fn cells(&self) -> [&str; 10] {
        let [one, other] = &self.values;
        [
            &self.location,
            &self.op,
            &self.shape,
            &self.ulp,
            &self.relative,
            &self.of_operands,
            &self.factor,
            &self.at,
            one,
            other,
        ]
    }
}

/// The length of a bar: 0 for an error of 1e-17, 100 for one of 1.
fn bar(relative: f64) -> u32 {
    ((relative.log10() + 17.0) / 17.0 * 100.0).clamp(0.0, 100.0) as u32
}

fn scientific(error: f64) -> String {
    match error {
        0.0 => "0".to_owned(),
        _ => format!("{error:.1e}"),
    }
}

/// The index of an element, and the execution of an op in a loop.
fn place(op: &OpErrors, worst: &ElementError) -> String {
    let index = match &worst.index[..] {
        [] => None,
        index => Some(format!("{index:?}")),
    };
    let execution = match op.executions {
        1 => None,
        count => Some(format!("execution {} of {count}", worst.execution)),
    };
    index.into_iter().chain(execution).collect::<Vec<_>>().join(" in ")
}

/// The page.
#[derive(Template)]
#[template(path = "comparison.html")]
pub struct Report<'a> {
    program: &'a str,
    names: &'a [String; 2],
    style: &'static str,
    summary: Vec<String>,
    rows: Vec<Row>,
    /// The rows of the ops that differ most.
    listed: Vec<usize>,
    differing: usize,
}

impl<'a> Report<'a> {
    pub fn new(
        program: &'a str,
        names: &'a [String; 2],
        compared: &Compared,
        tolerance: Tolerance,
    ) -> Self {
        let mut listed: Vec<(usize, &OpErrors)> = compared.ops.values().enumerate().collect();
        listed.retain(|(_, op)| op.worst.is_some());
        let differing = listed.len();
        listed.sort_by(|(_, one), (_, other)| other.severity().total_cmp(&one.severity()));
        let mut listed: Vec<usize> = listed.into_iter().map(|(row, _)| row).take(LISTED).collect();
        listed.sort_unstable();
        Self {
            program,
            names,
            style: crate::PAGE_STYLE,
            summary: summary(names, compared, tolerance),
            rows: compared.ops.values().map(Row::new).collect(),
            listed,
            differing,
        }
    }

    /// The table, and the summary.
    pub fn text(&self) -> String {
        let mut text = String::new();
        if self.differing > 0 {
            text = self.table();
        }
        if self.differing > self.listed.len() {
            let others = self.differing - self.listed.len();
            // Writing to a string cannot fail.
            let _ = writeln!(
                text,
                "({others} more ops differ less; --compare-report lists all)"
            );
        }
        for line in &self.summary {
            let _ = writeln!(text, "{line}");
        }
        text
    }

    fn table(&self) -> String {
        let mut table = Table::new();
        table.load_preset(presets::NOTHING);
        table.set_content_arrangement(ContentArrangement::Disabled);
        table.add_row(self.titles());
        for row in &self.listed {
            table.add_row(self.rows[*row].cells());
        }
        for (number, column) in table.column_iter_mut().enumerate() {
            column.set_padding((0, 2));
            if NUMBERS.contains(&number) {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        table.lines().map(|line| line.trim_end().to_owned() + "\n").collect()
    }

    fn titles(&self) -> [&str; 10] {
        let [one, other] = self.names;
        [
            "location", "op", "result", "ULP", "relative", "operands", "factor", "at", one, other,
        ]
    }

    /// The page.
    ///
    /// # Errors
    /// Returns an internal error if the template fails.
    pub fn page(&self) -> Result<String> {
        self.render().map_err(|error| Error::internal(error.to_string()))
    }
}

/// The lines after the table; one line if nothing differs.
fn summary(names: &[String; 2], compared: &Compared, tolerance: Tolerance) -> Vec<String> {
    let [one, other] = names;
    let ops = || compared.ops.values();
    let count = ops().count();
    let differing: Vec<&OpErrors> = ops().filter(|op| op.worst.is_some()).collect();
    let mut lines = Vec::new();
    if differing.is_empty() {
        lines.push(format!(
            "{one} and {other}: the results of all {count} ops are equal"
        ));
    } else {
        let exceeding = differing.iter().filter(|op| op.exceeds()).count();
        lines.push(format!(
            "{one} and {other}: {} of {count} ops differ, {exceeding} by more than {tolerance}",
            differing.len()
        ));
    }
    let worst = |op: &&OpErrors| op.worst.clone();
    if let Some(op) = compared.first.and_then(|key| compared.ops.get(&key)) {
        let execution = match op.first {
            Some(first) if op.executions > 1 => format!(" in execution {first}"),
            _ => String::new(),
        };
        lines.push(format!("errors begin at {}{execution}", named(op)));
    }
    if let Some(op) = differing.iter().find(|op| op.exceeds()) {
        lines.push(format!("the tolerance is exceeded first at {}", named(op)));
    }
    let factor = |op: &&OpErrors| worst(op).and_then(|worst| worst.factor());
    let factors = differing.iter().filter_map(|op| Some((factor(op)?, op)));
    if let Some((factor, op)) = factors.max_by(|(one, _), (other, _)| one.total_cmp(other))
        && factor >= GROWTH
    {
        lines.push(format!(
            "the error grows most at {}: {factor:.1} times",
            named(op)
        ));
    }
    let is_special = |op: &&&OpErrors| worst(op).is_some_and(|worst| worst.is_special);
    if let Some(op) = differing.iter().find(is_special) {
        lines.push(format!(
            "NaN or an infinity is on one side only first at {}",
            named(op)
        ));
    }
    if let Some(divergence) = &compared.divergence {
        let (op, location, name) = (
            &divergence.op,
            &divergence.location,
            &names[divergence.side],
        );
        let [first, second] = divergence.counts;
        lines.push(format!(
            "the runs take different branches or iterations: first only {name} runs {op} at \
             {location} ({first} results only on {one}, {second} only on {other})"
        ));
    }
    lines
}

/// The location and the name of an op.
fn named(op: &OpErrors) -> String {
    format!("{} {}", op.location, op.op)
}
