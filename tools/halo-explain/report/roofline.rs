//! The roofline of the machine with a mark for each kernel, as SVG.

use super::{format, kernels::Row};
use crate::record::{CompilationRecord, Machine};

pub const WIDTH: f64 = 720.0;
pub const HEIGHT: f64 = 320.0;
/// The space of the labels.
const LEFT: f64 = 70.0;
const BOTTOM: f64 = 40.0;

pub struct Roofline {
    pub machine: String,
    /// The points of the roofline.
    pub roof: String,
    pub marks: Vec<Mark>,
    pub columns: Vec<Tick>,
    pub lines: Vec<Tick>,
}

/// A kernel.
pub struct Mark {
    pub x: String,
    pub y: String,
    pub radius: String,
    pub title: String,
}

/// A power of ten.
pub struct Tick {
    pub at: String,
    pub label: String,
}

impl Roofline {
    /// The chart of a program that ran; `None` if no kernel has operations.
    pub fn new(record: &CompilationRecord, rows: &[Row]) -> Option<Self> {
        let machine = record.machine?;
        let points: Vec<(f64, f64, &Row)> = rows.iter().filter_map(point).collect();
        if points.is_empty() {
            return None;
        }
        let scale = Scale::new(&points, machine);
        let marks = points.iter().map(|(intensity, rate, row)| Mark {
            x: scale.x(*intensity),
            y: scale.y(*rate),
            radius: format::fixed(3.0 + 9.0 * row.share.sqrt()),
            title: title(row),
        });
        let (first, last) = (10_f64.powf(scale.columns.0), 10_f64.powf(scale.columns.1));
        let ridge = machine.flops / machine.bandwidth;
        let roof = [
            (first, first * machine.bandwidth),
            (ridge, machine.flops),
            (last, machine.flops),
        ];
        let roof = roof.map(|(x, y)| format!("{},{}", scale.x(x), scale.y(y)));
        Some(Self {
            machine: format!(
                "{} GFLOP/s, {} GB/s",
                format::fixed(machine.flops / 1e9),
                format::fixed(machine.bandwidth / 1e9)
            ),
            roof: roof.join(" "),
            marks: marks.collect(),
            columns: ticks(scale.columns, |at| scale.x(at), 1.0),
            lines: ticks(scale.lines, |at| scale.y(at), 1e9),
        })
    }
}

/// The intensity and the rate of a row.
fn point<'a, 'r>(row: &'a Row<'r>) -> Option<(f64, f64, &'a Row<'r>)> {
    let intensity = row.intensity()?;
    let rate = row.flops / row.least_seconds;
    (intensity > 0.0 && rate.is_finite() && rate > 0.0).then_some((intensity, rate, row))
}

fn title(row: &Row) -> String {
    let [flops, _] = row.rates();
    let of_roofline = row.of_roofline();
    let ops = row.ops.join(", ");
    format!("{}: {flops} GFLOP/s, {of_roofline}: {ops}", row.name)
}

/// Logarithmic axes, as powers of ten.
struct Scale {
    columns: (f64, f64),
    lines: (f64, f64),
}

impl Scale {
    fn new(points: &[(f64, f64, &Row)], machine: Machine) -> Self {
        let ridge = machine.flops / machine.bandwidth;
        let columns = points.iter().map(|point| point.0);
        let lines = points.iter().map(|point| point.1);
        Self {
            columns: decades(columns.chain([ridge])),
            lines: decades(lines.chain([machine.flops])),
        }
    }

    fn x(&self, value: f64) -> String {
        let (first, last) = self.columns;
        let part = (value.log10() - first) / (last - first);
        format::fixed(LEFT + part * (WIDTH - LEFT - 20.0))
    }

    fn y(&self, value: f64) -> String {
        let (first, last) = self.lines;
        let part = (value.log10() - first) / (last - first);
        format::fixed((HEIGHT - BOTTOM) * (1.0 - part.max(0.0)))
    }
}

/// The powers of ten around values.
fn decades(values: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let first = values.clone().fold(f64::INFINITY, f64::min).log10().floor();
    let last = values.fold(0.0, f64::max).log10().ceil();
    (first, last.max(first + 1.0))
}

fn ticks((first, last): (f64, f64), at: impl Fn(f64) -> String, unit: f64) -> Vec<Tick> {
    let powers = first as i32..=last as i32;
    let ticks = powers.map(|power| Tick {
        at: at(10_f64.powi(power)),
        label: (10_f64.powi(power) / unit).to_string(),
    });
    ticks.collect()
}

#[cfg(test)]
mod tests {
    use super::super::{kernels, samples};
    use super::*;

    #[test]
    fn kernels_are_below_the_roof() {
        let record = samples::program();
        let rows = kernels::rows(&record);
        let chart = Roofline::new(&record, &rows).unwrap();
        assert_eq!(chart.machine, "400.00 GFLOP/s, 20.00 GB/s");
        let ends: Vec<&str> = chart.roof.split(' ').collect();
        let height = |point: &str| point.split_once(',').unwrap().1.parse::<f64>().unwrap();
        let product = &chart.marks[0];
        assert!(product.title.starts_with("main_kernel_0: 200.00 GFLOP/s, 50.0% compute"));
        // Larger numbers are further down.
        assert!(product.y.parse::<f64>().unwrap() > height(ends[2]));
        assert_eq!(height(ends[1]), height(ends[2]));
        assert!(height(ends[0]) > height(ends[1]));
    }

    #[test]
    fn without_measurements_there_is_no_chart() {
        let mut record = samples::program();
        record.machine = None;
        assert!(Roofline::new(&record, &kernels::rows(&record)).is_none());
    }
}
