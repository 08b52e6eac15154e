//! The table of kernels: a kernel with its sum, and its call sites below.

use super::{
    code_times::CodeTimes,
    columns::{COLUMNS, Cell},
    format,
    groups::Group,
    rows::Row,
};
use halo_runtime::compilation_record::CompilationRecord;

/// How many call sites the page has without a script, which adds the others when asked, and how
/// many of one kernel.
const LISTED: usize = 500;
const OF_KERNEL: usize = 40;
/// Columns that small pages have only where a reader asks for all figures.
const MINOR: [&str; 9] = [
    "limit us",
    "mean ms",
    "min ms",
    "median ms",
    "max ms",
    "threads",
    "MB",
    "compile ms",
    "code kB",
];

pub struct Kernels {
    pub columns: Vec<Title>,
    pub groups: Vec<KernelGroup>,
    /// How many call sites are not listed.
    pub left_out: usize,
    /// The last rows: of the time that is not in kernels, of what was compiled with them, and
    /// of all runs.
    pub ends: Vec<(String, Vec<String>)>,
    /// The time in which callers waited, as profiles tell it.
    pub waits: String,
    pub machine: String,
    pub has_run: bool,
}

pub struct Title {
    /// The number of the column in the cells of a row.
    pub number: usize,
    pub title: String,
    pub meaning: &'static str,
    /// Whether small pages have it only where a reader asks for all figures.
    pub is_minor: bool,
}

pub struct KernelGroup {
    /// The sum of several call sites.
    pub sum: Option<KernelRow>,
    /// How many call sites there are.
    pub count: usize,
    /// Those that are listed.
    pub sites: Vec<KernelRow>,
}

pub struct KernelRow {
    pub number: usize,
    /// The address of its page.
    pub page: String,
    pub name: String,
    /// What it does, if it computes nothing.
    pub work: &'static str,
    /// Its place, without the file if that is the program's.
    pub place: String,
    pub ops: String,
    pub cells: Vec<Cell>,
}

impl Kernels {
    pub fn new(record: &CompilationRecord, rows: &[Row], groups: &[Group]) -> Self {
        let run = record.run.as_ref();
        let seconds = run.map_or(0.0, |run| run.seconds);
        let cells: Vec<_> = rows.iter().map(|row| row.cells(seconds)).collect();
        // Columns that are empty in all rows say nothing.
        let is_shown: Vec<bool> = (0..COLUMNS.len())
            .map(|column| {
                (run.is_some() || !COLUMNS[column].is_measured)
                    && cells.iter().any(|cells| !cells[column].text.is_empty())
            })
            .collect();
        let columns: Vec<usize> = (0..COLUMNS.len())
            .filter(|column| is_shown[*column])
            .collect();
        let mut shown = 0;
        let mut listed: Vec<(&Group, usize)> = Vec::new();
        for group in groups.iter().take(LISTED) {
            let sites = group.rows.len().min(OF_KERNEL).min(LISTED - shown);
            if sites == 0 {
                break;
            }
            listed.push((group, sites));
            shown += sites;
        }
        Self {
            columns: columns
                .iter()
                .map(|number| Title {
                    number: *number,
                    title: title(COLUMNS[*number].title, rows),
                    meaning: COLUMNS[*number].meaning,
                    is_minor: MINOR.contains(&COLUMNS[*number].title),
                })
                .collect(),
            groups: listed
                .into_iter()
                .enumerate()
                .map(|(number, group)| {
                    kernel_group((number, group), rows, (&columns, seconds, &record.program))
                })
                .collect(),
            left_out: rows.len() - shown,
            ends: ends(record, rows, &columns),
            waits: waits(record),
            machine: record
                .machine
                .as_ref()
                .map(|machine| machine.source.clone())
                .unwrap_or_default(),
            has_run: run.is_some(),
        }
    }
}

/// The time in which the thread that calls kernels waited, as profiles tell it, beside that of all
/// threads, which the column has.
fn waits(record: &CompilationRecord) -> String {
    let Some(run) = record.run.as_ref().filter(|run| run.wait_seconds > 0.0) else {
        return String::new();
    };
    let time = format::milliseconds(run.wait_seconds);
    let share = format::share(run.wait_seconds, run.seconds);
    format!(
        "One of the {}, the one that calls kernels, waited for tasks of others for {time} ms, {share} of the time of the runs: halo-run prints it below the table of --profile=summary. The column waiting is of all threads, and a part of the time of all of them.",
        format::plural(record.threads as usize, "thread")
    )
}

/// The title of a column: where kernels compute with integers, their operations are no FLOP.
fn title(title: &str, rows: &[Row]) -> String {
    let mut worked = rows.iter().filter(|row| row.flops > 0.0).peekable();
    let has_any = worked.peek().is_some();
    let (mut all, mut any) = (has_any, false);
    for row in worked {
        all &= row.is_integer;
        any |= row.is_integer;
    }
    let of_integers = title.replace("FLOP", "OP");
    match (any && title.contains("FLOP"), all) {
        (false, _) => title.to_owned(),
        (true, true) => of_integers,
        (true, false) => format!("{title}, {of_integers}"),
    }
}

/// The sum of a group, if it has several call sites, and so many of them.
fn kernel_group(
    (number, (group, sites)): (usize, (&Group, usize)),
    rows: &[Row],
    (columns, seconds, program): (&[usize], f64, &str),
) -> KernelGroup {
    let made = |number: usize, page: String, row: &Row| {
        let cells = row.cells(seconds);
        KernelRow {
            number,
            page,
            name: row.name.clone(),
            work: row.work(),
            place: format::in_program(program, &row.location),
            ops: row.ops.join(", "),
            cells: columns
                .iter()
                .map(|column| cells[*column].clone())
                .collect(),
        }
    };
    let first = group.rows.first().copied().unwrap_or_default();
    KernelGroup {
        count: group.rows.len(),
        sum: (group.rows.len() > 1).then(|| made(first, group.page(number), &group.sum)),
        sites: group
            .rows
            .iter()
            .take(sites)
            .map(|number| made(*number, format!("kernel/{number}"), &rows[*number]))
            .collect(),
    }
}

/// The rows that profiles end with.
fn ends(record: &CompilationRecord, rows: &[Row], columns: &[usize]) -> Vec<(String, Vec<String>)> {
    let times = CodeTimes::of(record);
    let known = |seconds: f64| Some(seconds).filter(|seconds| *seconds > 0.0);
    let of_kernels = record.kernels.iter().filter_map(|kernel| kernel.code_bytes);
    let of_kernels: u64 = of_kernels.sum();
    let callers = known(times.callers).map(|seconds| Row {
        compile_seconds: Some(seconds),
        code_bytes: record
            .code_bytes
            .and_then(|all| all.checked_sub(of_kernels)),
        ..Row::default()
    });
    let callers = callers.map(|row| ("(callers)", row));
    let code = Row {
        compile_seconds: known(times.all),
        code_bytes: record.code_bytes,
        ..Row::default()
    };
    let code = callers.is_some().then_some(("(all code)", code));
    let seconds = record.run.as_ref().map_or(0.0, |run| run.seconds);
    let mut named: Vec<(&str, Row)> = Vec::new();
    if let Some(run) = &record.run {
        let measured: f64 = rows.iter().filter_map(|row| row.seconds).sum();
        let rest = Row {
            seconds: Some((run.seconds - measured).max(0.0)),
            ..Row::default()
        };
        let all = Row {
            seconds: Some(run.seconds),
            count: run.runs,
            spread: Some(run.spread),
            ..Row::default()
        };
        named.extend([("(not in kernels)", rest), ("(all runs)", all)]);
    }
    // What was compiled has rows of its own: it is no time of runs.
    named.extend(callers.into_iter().chain(code));
    let texts = named.into_iter().map(|(name, row)| {
        let cells = row.cells(seconds);
        let texts = columns
            .iter()
            .map(|column| cells[*column].text.clone())
            .collect();
        (name.to_owned(), texts)
    });
    texts.collect()
}
