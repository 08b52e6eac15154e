//! A profile as a table: the time of the runs by kernel.

use super::{
    recorder::{PlaceTotal, Recorded, Totals},
    sources::Sources,
};
use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use halo_runtime::run_observer::{Site, Work};
use std::{collections::BTreeSet, fmt::Write as _, io::IsTerminal, time::Duration};

/// The maximum number of rows; the others are summed up.
const LISTED: usize = 40;

/// A column: its title, the minimum width of a terminal that shows it, and whether it is numeric.
struct Column {
    title: &'static str,
    least_width: u16,
    is_number: bool,
}

const fn column(title: &'static str, least_width: u16, is_number: bool) -> Column {
    Column {
        title,
        least_width,
        is_number,
    }
}

const COLUMNS: [Column; 10] = [
    column("total ms", 0, true),
    column("share", 0, true),
    column("count", 60, true),
    column("mean us", 60, true),
    column("threads", 80, true),
    column("MB", 100, true),
    column("GB/s", 80, true),
    column("kernel", 0, false),
    column("location", 120, false),
    column("ops", 150, false),
];

/// A row of the table.
#[derive(Default)]
struct Row {
    total: Duration,
    count: u64,
    threads: BTreeSet<usize>,
    bytes: Option<u64>,
    name: String,
    location: String,
    ops: String,
}

/// The width of the terminal on standard error; `None` if it is not a terminal.
pub fn terminal_width() -> Option<u16> {
    let err = std::io::stderr();
    if !err.is_terminal() {
        return None;
    }
    terminal_size::terminal_size_of(&err).map(|(width, _)| width.0)
}

/// The table for a terminal of a width, or for a file. Without runs it is empty.
pub fn text(recorded: &Recorded, sources: &Sources<'_>, width: Option<u16>) -> String {
    let totals = &recorded.totals;
    if totals.runs == 0 {
        return String::new();
    }
    let mut rows = rows(totals, sources);
    let measured = sum(&rows);
    if rows.len() > LISTED {
        let others = rows.split_off(LISTED - 1);
        rows.push(Row {
            total: sum(&others),
            count: others.iter().map(|row| row.count).sum(),
            name: format!("({} others)", others.len()),
            ..Row::default()
        });
    }
    let has_sites = !rows.is_empty();
    let part = |name: &str, total: Duration| Row {
        total,
        name: name.to_owned(),
        ..Row::default()
    };
    rows.push(part(
        "(not in kernels)",
        totals.time.saturating_sub(measured),
    ));
    rows.push(Row {
        count: totals.runs,
        ..part("(all runs)", totals.time)
    });
    let mut text = table(&rows, totals.time, width);
    if !has_sites {
        text.push_str("the backend shows no kernels of this program\n");
    } else if totals.waits > Duration::ZERO {
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "within kernels, waiting for other threads: {}, {}",
            format_args!("{:.3} ms", totals.waits.as_secs_f64() * 1e3),
            share(totals.waits, totals.time)
        );
    }
    text
}

fn sum(rows: &[Row]) -> Duration {
    rows.iter().map(|row| row.total).sum()
}

/// A row for each kernel, copy and function at each location, by cost.
fn rows(totals: &Totals, sources: &Sources<'_>) -> Vec<Row> {
    let places = totals.by_place().into_iter();
    let mut rows: Vec<Row> = places.map(|place| row(place, sources)).collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.total));
    rows
}

fn row(place: PlaceTotal<'_>, sources: &Sources<'_>) -> Row {
    let site = place.site;
    let name = match (site.work, &site.name[..]) {
        (_, "") => "kernel".to_owned(),
        (Work::CustomCall, name) => format!("@{name}"),
        (_, name) => name.to_owned(),
    };
    let plain = |text: &str| text.replace(char::is_control, "?");
    Row {
        total: place.time,
        count: place.count,
        threads: place.threads,
        bytes: place.bytes,
        name: plain(&name),
        location: plain(&location(site)),
        ops: sources.ops(&site.sources).join(", "),
    }
}

/// The location of a site, and of the calls that it was inlined by, as MLIR prints both.
fn location(site: &Site) -> String {
    let places = [&site.location].into_iter().chain(&site.callers);
    places.map(|place| &place[..]).collect::<Vec<_>>().join(" at ")
}

fn table(rows: &[Row], time: Duration, width: Option<u16>) -> String {
    let columns = COLUMNS.iter().enumerate();
    let is_shown = |column: &Column| width.is_none_or(|width| width >= column.least_width);
    let columns: Vec<(usize, &Column)> = columns.filter(|(_, column)| is_shown(column)).collect();
    let mut table = Table::new();
    table.load_preset(presets::NOTHING);
    match width {
        Some(width) => {
            table.set_content_arrangement(ContentArrangement::Dynamic);
            table.set_width(width.max(20));
        }
        None => {
            table.set_content_arrangement(ContentArrangement::Disabled);
        }
    }
    table.add_row(columns.iter().map(|(_, column)| column.title));
    for row in rows {
        let cells = cells(row, time);
        table.add_row(columns.iter().map(|(index, _)| &cells[*index]));
    }
    for (shown, (_, column)) in table.column_iter_mut().zip(&columns) {
        shown.set_padding((0, 1));
        shown.set_cell_alignment(if column.is_number {
            CellAlignment::Right
        } else {
            CellAlignment::Left
        });
    }
    let lines = table.lines();
    lines.map(|line| line.trim_end().to_owned() + "\n").collect()
}

fn cells(row: &Row, time: Duration) -> [String; COLUMNS.len()] {
    let seconds = row.total.as_secs_f64();
    let per_call = |value: f64| match row.count {
        0 => String::new(),
        count => format!("{:.2}", value / count as f64),
    };
    let bytes = row.bytes.filter(|bytes| *bytes > 0).map(|bytes| bytes as f64);
    [
        format!("{:.3}", seconds * 1e3),
        share(row.total, time),
        match row.count {
            0 => String::new(),
            count => count.to_string(),
        },
        per_call(seconds * 1e6),
        match row.threads.len() {
            0 => String::new(),
            threads => threads.to_string(),
        },
        bytes.map_or_else(String::new, |bytes| per_call(bytes / 1e6)),
        bytes
            .filter(|_| seconds > 0.0)
            .map_or_else(String::new, |bytes| format!("{:.2}", bytes / seconds / 1e9)),
        row.name.clone(),
        row.location.clone(),
        row.ops.clone(),
    ]
}

fn share(part: Duration, whole: Duration) -> String {
    let share = part.as_secs_f64() / whole.as_secs_f64().max(1e-9);
    format!("{:.1}%", share * 100.0)
}
