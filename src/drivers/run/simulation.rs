//! Predictions of runs (`--simulate`): the options, and the report as a table or as JSON.

use std::fmt::Write as _;
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use comfy_table::{CellAlignment, Table, presets};
use halo_backend::prediction::{PredictedPart, Prediction};
use halo_runtime::Error;

use super::bench::Human;
use crate::{Stop, print};

/// Machines that are not there.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Predictions")]
pub struct SimulationArguments {
    /// Predict the time and the memory of a run on the machines of a file, without running;
    /// --replicas and --partitions set the number of processes
    #[arg(long, value_name = "TOPOLOGY.toml", group = "processes")]
    pub simulate: Option<PathBuf>,

    /// The format of the prediction
    #[arg(
        long,
        value_name = "FORMAT",
        requires = "simulate",
        default_value = "text"
    )]
    pub simulate_format: SimulateFormat,

    /// Measure the processes that a launcher of MPI has started, and print a topology for
    /// --simulate
    #[arg(long, requires = "distributed")]
    pub measure_topology: bool,
}

/// The format of a prediction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum SimulateFormat {
    /// A table.
    #[default]
    Text,
    /// One JSON object on one line.
    Json,
}

/// Prints a prediction.
///
/// # Errors
/// Returns an error if the stream cannot be written to.
pub fn print_prediction(
    prediction: &Prediction,
    format: SimulateFormat,
    out: &mut dyn Write,
) -> Result<(), Stop> {
    let text = match format {
        SimulateFormat::Text => text(prediction),
        SimulateFormat::Json => {
            let json = serde_json::to_string(prediction);
            json.map_err(|error| Error::internal(error.to_string()))? + "\n"
        }
    };
    print(out, format_args!("{text}"))
}

fn text(prediction: &Prediction) -> String {
    let mut text = table(prediction);
    let time = |seconds: f64| Human(Duration::from_secs_f64(seconds.max(0.0)));
    let Prediction {
        replicas,
        partitions,
        memory,
        ..
    } = prediction;
    let (step, waiting) = (prediction.seconds, prediction.waiting_seconds);
    let communicating = prediction.communicating_seconds;
    let covered = (communicating - waiting).max(0.0);
    let available = match memory.available {
        Some(available) if memory.total() > available => {
            format!(", more than the {} of a device", size(available as f64))
        }
        Some(available) => format!(" of {}", size(available as f64)),
        None => String::new(),
    };
    let lines = [
        format!(
            "step: {} on {replicas} x {partitions} processes",
            time(step)
        ),
        format!(
            "computing: {}, {} GFLOP/s",
            time(prediction.computing_seconds),
            rate(prediction.flops, prediction.computing_seconds)
        ),
        format!(
            "communicating: {}, of which {} while computing; {} sent by each process",
            time(communicating),
            time(covered),
            size(prediction.sent_bytes)
        ),
        format!(
            "memory of each process: {}{available} ({} of arguments, {} of results, {} of \
             temporaries, {} of constants)",
            size(memory.total() as f64),
            size(memory.arguments as f64),
            size(memory.results as f64),
            size(memory.temporaries as f64),
            size(memory.constants as f64)
        ),
    ];
    for line in lines {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{line}");
    }
    for note in &prediction.notes {
        let _ = writeln!(text, "note: {note}");
    }
    text
}

fn table(prediction: &Prediction) -> String {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING);
    table.add_row([
        "total ms", "share", "count", "mean us", "GFLOP/s", "GB/s", "op",
    ]);
    let all: f64 = prediction.parts.iter().map(|part| part.seconds).sum();
    for part in &prediction.parts {
        table.add_row(row(part, all));
    }
    for (number, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, 1));
        column.set_cell_alignment(match number {
            6 => CellAlignment::Left,
            _ => CellAlignment::Right,
        });
    }
    let lines = table.lines();
    lines.map(|line| line.trim_end().to_owned() + "\n").collect()
}

fn row(part: &PredictedPart, all: f64) -> [String; 7] {
    let op = part.op.strip_prefix("stablehlo.").unwrap_or(&part.op);
    let op = match &part.algorithm {
        Some(algorithm) => format!("{op} ({algorithm})"),
        None => op.to_owned(),
    };
    [
        format!("{:.3}", part.seconds * 1e3),
        format!("{:.1}%", part.seconds / all.max(f64::MIN_POSITIVE) * 100.0),
        format!("{}", part.count),
        format!("{:.2}", part.seconds / part.count.max(1.0) * 1e6),
        if part.flops > 0.0 {
            rate(part.flops, part.seconds)
        } else {
            String::new()
        },
        rate(part.bytes, part.seconds),
        op,
    ]
}

/// Units of 10^9 per second.
fn rate(count: f64, seconds: f64) -> String {
    if seconds > 0.0 {
        format!("{:.2}", count / seconds / 1e9)
    } else {
        "0".to_owned()
    }
}

/// Bytes in a suitable unit.
fn size(bytes: f64) -> String {
    match bytes {
        bytes if bytes >= 1e9 => format!("{:.2} GB", bytes / 1e9),
        bytes if bytes >= 1e6 => format!("{:.2} MB", bytes / 1e6),
        bytes if bytes >= 1e3 => format!("{:.2} kB", bytes / 1e3),
        bytes => format!("{bytes:.0} B"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use halo_backend::prediction::PredictedMemory;

    /// 2 * 10^9 operations in 10 ms; 1 ms of the 3 ms of communication overlaps with them.
    fn prediction() -> Prediction {
        Prediction {
            replicas: 2,
            partitions: 4,
            seconds: 0.012,
            computing_seconds: 0.01,
            communicating_seconds: 0.003,
            waiting_seconds: 0.002,
            sent_bytes: 1.5e6,
            flops: 2e9,
            parts: vec![
                PredictedPart {
                    op: "stablehlo.dot_general".to_owned(),
                    count: 4.0,
                    seconds: 0.01,
                    flops: 2e9,
                    bytes: 1e8,
                    ..PredictedPart::default()
                },
                PredictedPart {
                    op: "stablehlo.all_reduce".to_owned(),
                    algorithm: Some("ring".to_owned()),
                    count: 1.0,
                    seconds: 0.003,
                    bytes: 1.5e6,
                    ..PredictedPart::default()
                },
            ],
            memory: PredictedMemory {
                arguments: 1000,
                results: 500,
                temporaries: 2_000_000,
                constants: 0,
                available: Some(1_000_000),
            },
            notes: vec!["a loop".to_owned()],
            ..Prediction::default()
        }
    }

    #[test]
    fn a_table_and_totals() {
        let text = text(&prediction());
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines[1].split_whitespace().collect::<Vec<_>>(),
            [
                "10.000",
                "76.9%",
                "4",
                "2500.00",
                "200.00",
                "10.00",
                "dot_general"
            ]
        );
        assert!(lines[2].ends_with("0.50 all_reduce (ring)"), "{}", lines[2]);
        assert_eq!(
            lines[3..],
            [
                "step: 12.00 ms on 2 x 4 processes",
                "computing: 10.00 ms, 200.00 GFLOP/s",
                "communicating: 3.000 ms, of which 1.000 ms while computing; 1.50 MB sent by each \
                 process",
                "memory of each process: 2.00 MB, more than the 1.00 MB of a device (1.00 kB of \
                 arguments, 500 B of results, 2.00 MB of temporaries, 0 B of constants)",
                "note: a loop",
            ]
        );
    }

    #[test]
    fn json_has_all() {
        let mut out = Vec::new();
        let printed = print_prediction(&prediction(), SimulateFormat::Json, &mut out);
        assert!(printed.is_ok());
        let json: serde_json::Value = serde_json::from_slice(&out).unwrap();
        assert_eq!(json["seconds"], 0.012);
        assert_eq!(json["parts"][1]["algorithm"], "ring");
        assert_eq!(json["memory"]["temporaries"], 2_000_000);
    }
}
