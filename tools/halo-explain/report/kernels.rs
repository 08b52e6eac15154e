//! The kernels, copies and runtime functions that the entry calls.

use super::format;
use crate::record::{
    CallKind, CallPurpose, CompilationRecord, Kernel, KernelCall, MeasuredSite, Node,
};
use std::collections::BTreeMap;

/// The calls with one name and location. Sums are for one run.
#[derive(Default)]
pub struct Row<'a> {
    pub name: &'a str,
    pub work: &'static str,
    /// `line:column` in the program.
    pub location: String,
    pub ops: Vec<String>,
    pub count: f64,
    pub bytes: Option<f64>,
    /// Operations, where an elementary function is one.
    pub flops: f64,
    /// The time of the mean and of the fastest run, in seconds.
    pub seconds: f64,
    pub least_seconds: f64,
    /// The part of the time of all runs, from 0 to 1; without runs, of all operations.
    pub share: f64,
    pub threads: u32,
    pub compile_seconds: Option<f64>,
    pub code_bytes: Option<u64>,
    /// The limit of the roofline, if the program ran.
    pub limit: Option<Limit>,
    /// The IR of the kernel.
    pub ir: Vec<&'a str>,
}

/// The time of the roofline model for a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limit {
    pub is_compute: bool,
    pub seconds: f64,
}

impl Row<'_> {
    pub fn times(&self) -> [String; 3] {
        if self.seconds == 0.0 {
            return Default::default();
        }
        [
            format::milliseconds(self.least_seconds),
            format::milliseconds(self.seconds),
            format::percent(self.share, 1.0),
        ]
    }

    pub fn megabytes(&self) -> String {
        let bytes = self.bytes.filter(|bytes| *bytes > 0.0);
        bytes.map_or_else(String::new, |bytes| format::fixed(bytes / 1e6))
    }

    pub fn megaflops(&self) -> String {
        if self.flops > 0.0 {
            format::fixed(self.flops / 1e6)
        } else {
            String::new()
        }
    }

    /// Operations by bytes.
    pub fn intensity(&self) -> Option<f64> {
        let bytes = self.bytes.filter(|bytes| *bytes > 0.0)?;
        Some(self.flops / bytes)
    }

    /// The intensity as text.
    pub fn flops_by_byte(&self) -> String {
        let intensity = self.intensity().filter(|_| self.flops > 0.0);
        intensity.map_or_else(String::new, format::fixed)
    }

    /// Operations and bytes by nanoseconds of the fastest run.
    pub fn rates(&self) -> [String; 2] {
        let rate = |amount: f64| {
            if amount > 0.0 && self.least_seconds > 0.0 {
                format::fixed(amount / self.least_seconds / 1e9)
            } else {
                String::new()
            }
        };
        [rate(self.flops), rate(self.bytes.unwrap_or(0.0))]
    }

    /// The part of the roofline that the fastest run reaches.
    pub fn of_roofline(&self) -> String {
        let Some(limit) = self.limit.filter(|_| self.least_seconds > 0.0) else {
            return String::new();
        };
        let bound = if limit.is_compute {
            "compute"
        } else {
            "memory"
        };
        let part = format::percent(limit.seconds, self.least_seconds);
        format!("{part} {bound}")
    }

    pub fn compile_milliseconds(&self) -> String {
        self.compile_seconds.map_or_else(String::new, format::milliseconds)
    }

    pub fn code(&self) -> String {
        self.code_bytes.map_or_else(String::new, format::size)
    }
}

/// The rows, the most expensive first.
pub fn rows(record: &CompilationRecord) -> Vec<Row<'_>> {
    type Key<'a> = (Option<usize>, &'a str, &'a str, &'a [String]);
    let mut groups: BTreeMap<Key<'_>, Vec<&KernelCall>> = BTreeMap::new();
    for (number, call) in (0..).zip(&record.calls) {
        // The calls of a measurement are one row.
        let key = match site_of(record, number) {
            Some(site) => (Some(site), "", "", &[][..]),
            None => (None, &call.name[..], &call.location[..], &call.callers[..]),
        };
        groups.entry(key).or_default().push(call);
    }
    let rows = groups.iter();
    let rows = rows.filter_map(|((site, ..), calls)| row(record, *site, calls));
    let mut rows: Vec<Row> = rows.collect();
    rows.extend(rows_without_calls(record));
    let cost = |row: &Row| {
        if record.run.is_some() {
            row.seconds
        } else {
            row.flops
        }
    };
    let run = record.run.as_ref();
    let of_runs = run.map_or(0.0, |run| mean(&run.runs));
    let all = of_runs.max(rows.iter().map(cost).sum()).max(1e-12);
    for row in &mut rows {
        row.share = cost(row) / all;
    }
    rows.sort_by(|one, other| other.share.total_cmp(&one.share));
    rows
}

fn row<'a>(
    record: &'a CompilationRecord,
    site: Option<usize>,
    calls: &[&'a KernelCall],
) -> Option<Row<'a>> {
    let call = *calls.first()?;
    let kernel = call.kernel.and_then(|number| record.kernels.get(number as usize));
    let run = record.run.as_ref();
    let site = run.and_then(|run| run.sites.get(site?));
    let runs = run.map_or(0, |run| run.runs.len()).max(1) as f64;
    let planned: f64 = calls.iter().map(|call| call.count.max(1) as f64).sum();
    let count = site.map_or(planned, |site| site.count as f64 / runs);
    // The counts of some loops are unknown before the run.
    let scale = count / planned;
    let sum = |of: fn(&KernelCall) -> Option<f64>| {
        let calls = calls.iter();
        let amounts = calls.map(|call| Some(of(call)? * call.count.max(1) as f64 * scale));
        amounts.sum::<Option<f64>>()
    };
    let mut row = Row {
        name: &call.name,
        work: work(call),
        location: format::place(&record.program, &call.location),
        ops: ops(record, calls.iter().flat_map(|call| &call.nodes)),
        count,
        bytes: sum(|call| call.bytes.map(|bytes| bytes as f64)),
        flops: sum(|call| Some((call.flops + call.transcendentals) as f64)).unwrap_or(0.0),
        compile_seconds: kernel.and_then(|kernel| kernel.compile_seconds),
        code_bytes: kernel.and_then(|kernel| kernel.code_bytes),
        ir: kernel.map(|kernel| ir(record, kernel)).unwrap_or_default(),
        ..measured(site, runs)
    };
    row.limit = limit(record, &row);
    Some(row)
}

fn measured<'a>(site: Option<&'a MeasuredSite>, runs: f64) -> Row<'a> {
    let Some(site) = site else {
        return Row::default();
    };
    Row {
        seconds: site.seconds / runs,
        least_seconds: site.least_seconds,
        threads: site.threads,
        ..Row::default()
    }
}

/// Measurements of code that the record has no calls of.
fn rows_without_calls(record: &CompilationRecord) -> Vec<Row<'_>> {
    let Some(run) = &record.run else {
        return Vec::new();
    };
    let runs = run.runs.len().max(1) as f64;
    let sites = run.sites.iter().filter(|site| site.calls.is_empty());
    let rows = sites.map(|site| Row {
        name: &site.name,
        location: format::place(&record.program, &site.location),
        count: site.count as f64 / runs,
        ..measured(Some(site), runs)
    });
    rows.collect()
}

/// The index of the measurement of a call.
fn site_of(record: &CompilationRecord, call: u32) -> Option<usize> {
    let sites = &record.run.as_ref()?.sites;
    sites.iter().position(|site| site.calls.contains(&call))
}

fn work(call: &KernelCall) -> &'static str {
    match (call.kind, call.purpose) {
        (CallKind::Function, _) => "function",
        (_, CallPurpose::Fill) => "fill",
        (CallKind::Copy, _) => "copy",
        (_, CallPurpose::Pack) => "pack",
        (_, CallPurpose::Move) => "move",
        (_, CallPurpose::Compute) => "compute",
    }
}

/// The roofline model: the time of the operations or of the bytes, whichever is longer.
fn limit(record: &CompilationRecord, row: &Row) -> Option<Limit> {
    let machine = record.machine?;
    let compute = row.flops / machine.flops;
    let memory = row.bytes.unwrap_or(0.0) / machine.bandwidth;
    let seconds = compute.max(memory);
    (seconds > 0.0).then_some(Limit {
        is_compute: compute > memory,
        seconds,
    })
}

fn ir<'a>(record: &'a CompilationRecord, kernel: &Kernel) -> Vec<&'a str> {
    let number = kernel.function.map(|number| number as usize);
    let function = number.and_then(|number| record.functions.get(number));
    let numbers = function.map(|function| &function.lines[..]);
    let lines = numbers.unwrap_or_default().iter();
    let lines = lines.filter_map(|number| record.lines.get(*number as usize));
    lines.map(String::as_str).collect()
}

/// The ops of nodes, such as `dot_general (3:8)`, each once and without constants.
pub fn ops<'a>(
    record: &CompilationRecord,
    nodes: impl IntoIterator<Item = &'a u32>,
) -> Vec<String> {
    let mut ops = Vec::new();
    for node in nodes {
        if let Some(node) = record.nodes.get(*node as usize)
            && node.name != "stablehlo.constant"
        {
            let op = op(record, node);
            if !ops.contains(&op) {
                ops.push(op);
            }
        }
    }
    ops
}

fn op(record: &CompilationRecord, node: &Node) -> String {
    let name = format::short(&node.name);
    let place = format::place(&record.program, &node.location);
    if place.is_empty() {
        name.to_owned()
    } else {
        format!("{name} ({place})")
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    #[test]
    fn rows_are_sums_of_a_run() {
        let record = samples::program();
        let rows = rows(&record);
        let names: Vec<&str> = rows.iter().map(|row| row.name).collect();
        assert_eq!(names, ["main_kernel_0", "main_kernel_1", "halo.fft"]);
        let product = &rows[0];
        // Two runs of two calls, of 4 ms together, 1 ms in the fastest.
        assert_eq!((product.count, product.threads), (2.0, 2));
        assert_eq!(product.times(), ["1.000", "2.000", "49.4%"]);
        assert_eq!(product.bytes, Some(4e6));
        assert_eq!(product.flops, 2e8);
        assert_eq!(product.rates(), ["200.00", "4.00"]);
        assert_eq!(product.flops_by_byte(), "50.00");
        assert_eq!(product.ops, ["dot_general (3:8)", "add (4:8)"]);
        assert_eq!(product.ir, ["func.func @main_kernel_0() {", "}"]);
        // 2e8 at 4e11 per second are half of the time, the bytes a fifth.
        assert_eq!(product.of_roofline(), "50.0% compute");
        assert_eq!(rows[1].of_roofline(), "80.0% memory");
    }

    #[test]
    fn calls_of_a_measurement_are_one_row() {
        let mut record = samples::program();
        record.calls[1].location = "a.mlir:9:8".to_owned();
        let measured = rows(&record);
        assert_eq!((measured.len(), measured[0].count), (3, 2.0));
        record.run = None;
        let planned = rows(&record);
        assert_eq!((planned.len(), planned[0].count), (4, 1.0));
    }

    #[test]
    fn without_runs_operations_count() {
        let mut record = samples::program();
        record.run = None;
        record.machine = None;
        let rows = rows(&record);
        assert_eq!(rows[0].name, "main_kernel_0");
        assert_eq!(rows[0].times(), ["", "", ""]);
        assert_eq!(rows[0].of_roofline(), "");
    }
}
