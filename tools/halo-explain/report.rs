//! The page.

mod account;
mod buffers;
mod code_samples;
mod code_times;
mod columns;
mod comparison;
mod compile_time;
mod copied;
mod copies;
mod data;
mod differences;
mod edges;
mod entry_loops;
mod format;
mod fusion;
mod glossary;
mod graph;
mod groups;
mod inner_loop;
mod instructions;
mod joined;
mod kernels;
mod labels;
mod last_use;
mod layout;
mod limits;
mod lines;
mod loop_work;
mod machine;
mod memory;
mod merged;
mod names;
mod remarks;
mod reread;
mod roof;
mod roofline;
mod rows;
mod scale;
mod summary;
mod tasks;
mod texts;
mod thread_times;
mod validate;
mod verdict;
mod without_code;

#[cfg(test)]
use crate::samples;
#[cfg(test)]
mod tests;

pub use data::{ReadError, read};

use askama::Template;
use buffers::Plan;
use comparison::Comparison;
use compile_time::CompileTime;
use differences::{Differences, FunctionDifference};
use edges::Edge;
use fusion::Fusion;
use glossary::{GLOSSARY, Word};
use groups::Group;
use halo_runtime::compilation_record::{CompilationRecord, OpNumber};
use joined::Joined;
use kernels::Kernels;
use limits::Limits;
use memory::Memory;
use merged::Equal;
use remarks::{RemarkView, Remarks};
use roofline::Roofline;
use rows::Row;
use serde::Serialize;
use std::{
    collections::BTreeMap,
    io::{self, Write},
};
use summary::Summary;

const STYLE: &str = concat!(
    include_str!("report/assets/page.css"),
    include_str!("report/assets/views.css"),
    include_str!("report/assets/print.css"),
);

const SCRIPT: &str = concat!(
    "\"use strict\";\n(() => {\n",
    include_str!("report/assets/elements.js"),
    include_str!("report/assets/data.js"),
    include_str!("report/assets/code.js"),
    include_str!("report/assets/table.js"),
    include_str!("report/assets/kernel.js"),
    include_str!("report/assets/zoom.js"),
    include_str!("report/assets/graph.js"),
    include_str!("report/assets/memory.js"),
    include_str!("report/assets/passes.js"),
    include_str!("report/assets/source.js"),
    include_str!("report/assets/remarks.js"),
    include_str!("report/assets/search.js"),
    include_str!("report/assets/glossary.js"),
    include_str!("report/assets/page.js"),
    "})();\n",
);

/// A part of the page that has a tab.
struct Tab {
    id: &'static str,
    title: &'static str,
}

const TABS: [Tab; 10] = [
    tab("summary", "Summary"),
    tab("graph", "Graph"),
    tab("kernels", "Kernels"),
    tab("roofline", "Roofline"),
    tab("memory", "Memory"),
    tab("ir", "IR"),
    tab("source", "Source"),
    tab("decisions", "Decisions"),
    tab("compile-time", "Compile time"),
    tab("words", "Glossary"),
];

const fn tab(id: &'static str, title: &'static str) -> Tab {
    Tab { id, title }
}

#[derive(Template)]
#[template(path = "page.html")]
struct Page<'a> {
    /// The name of the program: that of its file, with the folder where many have the same.
    name: String,
    record: &'a CompilationRecord,
    version: &'static str,
    style: &'static str,
    script: &'static str,
    /// What lets the script of the page run, and no other one.
    nonce: String,
    tabs: Vec<Tab>,
    notes: Vec<String>,
    summary: Summary,
    kernels: Kernels,
    roofline: Roofline,
    memory: Option<Memory>,
    remarks: Remarks,
    compile_time: CompileTime,
    comparison: Option<Comparison>,
    glossary: &'static [Word],
    /// Elements with data.
    data: String,
}

/// What scripts of the page need and is not in the record.
#[derive(Serialize)]
struct View<'a> {
    rows: Vec<RowView<'a>>,
    /// The kernels with several call sites, by the numbers of their groups.
    kernels: BTreeMap<usize, KernelView<'a>>,
    /// The memory plan in calls.
    plan: Option<&'a Plan>,
    /// What is shown of each remark.
    remarks: &'a [RemarkView],
    /// The values between kernels.
    edges: &'a [Edge],
    /// The ops that passes replaced by equal ones, with these.
    merged: &'a BTreeMap<OpNumber, Vec<Equal>>,
    /// Why no kernel computes other ops that none does.
    without_code: BTreeMap<OpNumber, String>,
}

#[derive(Serialize)]
struct RowView<'a> {
    name: &'a str,
    location: &'a str,
    /// The location, without the file if that is the program's.
    place: String,
    calls: &'a [u32],
    nodes: &'a [u32],
    ops: &'a [String],
    /// What it does, if it computes nothing.
    work: &'static str,
    /// The texts of the columns of the table.
    cells: Vec<String>,
    /// The part of the time of a run, from 0 to 1, or of the estimate.
    share: f64,
    /// What limits it, a sentence each.
    verdict: Vec<String>,
    /// How it is divided among threads and repeated, a sentence each.
    tasks: Vec<String>,
    /// The measured time of a call, in microseconds.
    mean: String,
    /// The passes that joined the ops of its first call, each with these.
    joined: Vec<(String, String)>,
}

/// All call sites of a kernel.
#[derive(Serialize)]
struct KernelView<'a> {
    name: &'a str,
    work: &'static str,
    /// The call sites, the most expensive first.
    rows: &'a [usize],
    cells: Vec<String>,
    share: f64,
    verdict: Vec<String>,
    tasks: Vec<String>,
}

/// Writes the report of a compilation, compared with another one if there is one.
///
/// # Errors
/// If it cannot be written.
pub fn write(
    record: &CompilationRecord,
    other: Option<&CompilationRecord>,
    out: &mut dyn Write,
) -> io::Result<()> {
    write_within(record, other, Limits::default(), out)
}

fn write_within(
    record: &CompilationRecord,
    other: Option<&CompilationRecord>,
    limits: Limits,
    out: &mut dyn Write,
) -> io::Result<()> {
    let (record, notes) = limits::within(record, limits);
    let rows = rows::rows(&record);
    let groups = groups::groups(&rows);
    let graph = graph::graph(&record, &rows);
    let fusion = Fusion::new(&record);
    let plan = buffers::plan(&record);
    let joined = joined::joined(&record, &fusion);
    let edges = edges::edges(&record, &fusion);
    let merged = merged::merged(&record);
    let remarks = remarks::views(&record, &fusion, plan.as_ref());
    let differences: Vec<Vec<FunctionDifference>> = Differences::new(&record).of_steps();
    let data = [
        data::record_elements(&record)?,
        data::element(
            "view",
            &View {
                rows: row_views(&record, &rows, &joined),
                kernels: kernel_views(&record, &rows, &groups),
                plan: plan.as_ref(),
                remarks: &remarks,
                edges: &edges,
                merged: &merged,
                without_code: without_code::reasons(&record, &merged),
            },
        )?,
        data::element("graph", &graph)?,
        data::element("differences", &differences)?,
    ]
    .concat();
    let compile_time = CompileTime::new(&record, &groups);
    let memory = plan.as_ref().and_then(|plan| Memory::new(&record, plan));
    let decisions = Remarks::new(&record, &rows, &joined, (&remarks, &edges));
    let notes = notes.into_iter().chain(compile_time.left_out());
    let notes = notes.chain(memory.iter().flat_map(Memory::left_out_notes));
    let notes = notes.chain(decisions.left_out_notes()).collect();
    let page = Page {
        name: format::program_name(&record.program),
        version: env!("CARGO_PKG_VERSION"),
        style: STYLE,
        script: SCRIPT,
        nonce: nonce(&data),
        tabs: tabs(other.is_some()),
        notes,
        summary: Summary::new(&record, &rows, &groups, plan.as_ref()),
        kernels: Kernels::new(&record, &rows, &groups),
        roofline: Roofline::new(&record, &rows),
        memory,
        remarks: decisions,
        compile_time,
        comparison: other.map(|other| Comparison::new(other, &rows::rows(other), &record, &rows)),
        glossary: &GLOSSARY,
        data,
        record: &record,
    };
    page.write_into(&mut io::BufWriter::new(out))
}

fn tabs(is_compared: bool) -> Vec<Tab> {
    let comparison = is_compared.then(|| tab("comparison", "Comparison"));
    TABS.into_iter().chain(comparison).collect()
}

/// A number that no text of a program can know, since it depends on all of them.
fn nonce(data: &str) -> String {
    blake3::hash(data.as_bytes()).to_hex().to_string()
}

/// What the parts of the time that rows have are of.
fn whole_time(record: &CompilationRecord, rows: &[Row]) -> f64 {
    let run = record.run.as_ref().map_or(0.0, |run| run.seconds);
    let all: f64 = rows.iter().map(Row::cost).sum();
    if run > 0.0 { run } else { all }.max(1e-12)
}

fn cells(record: &CompilationRecord, row: &Row) -> Vec<String> {
    let run = record.run.as_ref().map_or(0.0, |run| run.seconds);
    row.cells(run).map(|cell| cell.text).into()
}

fn row_views<'a>(
    record: &CompilationRecord,
    rows: &'a [Row],
    joined: &[Joined],
) -> Vec<RowView<'a>> {
    let mut of_calls: Vec<&[(String, String)]> = vec![&[]; record.calls.len()];
    for it in joined {
        of_calls[it.call] = &it.passes;
    }
    let whole = whole_time(record, rows);
    let views = rows.iter().map(|row| RowView {
        name: &row.name,
        location: &row.location,
        place: format::in_program(&record.program, &row.location),
        calls: &row.calls,
        nodes: &row.nodes,
        ops: &row.ops,
        work: row.work(),
        cells: cells(record, row),
        share: row.cost() / whole,
        verdict: verdict::verdict(record, row),
        tasks: tasks::sentences(record, row),
        mean: row
            .seconds
            .and_then(|seconds| row.per_call(seconds))
            .map(format::microseconds)
            .unwrap_or_default(),
        joined: row
            .calls
            .first()
            .and_then(|call| of_calls.get(*call as usize))
            .map(|passes| passes.to_vec())
            .unwrap_or_default(),
    });
    views.collect()
}

fn kernel_views<'a>(
    record: &CompilationRecord,
    rows: &'a [Row],
    groups: &'a [Group],
) -> BTreeMap<usize, KernelView<'a>> {
    let whole = whole_time(record, rows);
    let kernels = groups.iter().enumerate();
    let kernels = kernels.filter(|(_, group)| group.rows.len() > 1);
    let views = kernels.map(|(number, group)| {
        let sum = &group.sum;
        let view = KernelView {
            name: &sum.name,
            work: sum.work(),
            rows: &group.rows,
            cells: cells(record, sum),
            share: sum.cost() / whole,
            verdict: verdict::verdict(record, sum),
            tasks: tasks::sentences(record, sum),
        };
        (number, view)
    });
    views.collect()
}
