//! The roofline: what each kernel reaches of what the machine allows, by its flops for each
//! byte (Williams, Waterman and Patterson, 2009).

use super::{
    format,
    rows::{Bound, Row},
    scale::Logarithmic,
};
use halo_runtime::compilation_record::{CompilationRecord, Machine};

/// How many kernels are drawn, the most expensive ones.
const DRAWN: usize = 500;
/// How many of them have their names beside them.
const NAMED: usize = 8;

pub struct Roofline {
    /// The chart for wide and for narrow pages; none if nothing can be drawn.
    pub charts: Vec<Chart>,
    pub sentence: String,
    pub has_run: bool,
    pub machine: String,
}

pub struct Chart {
    pub class: &'static str,
    pub width: f64,
    pub height: f64,
    /// The ends of the area of the plot.
    pub left: f64,
    pub right: f64,
    pub top: f64,
    pub bottom: f64,
    pub x_ticks: Vec<(f64, String)>,
    pub y_ticks: Vec<(f64, String)>,
    pub roof: Option<Roof>,
    /// The limits of caches as lines: their ends, and where their names are.
    pub caches: Vec<CacheLine>,
    pub points: Vec<Point>,
}

/// The limit of a cache as a line.
pub struct CacheLine {
    pub begin: (f64, f64),
    pub end: (f64, f64),
    pub name: String,
    /// Where its name ends.
    pub name_place: (f64, f64),
}

/// The limits of the machine as lines.
pub struct Roof {
    /// Where memory's line begins, where the lines meet, and where the other one ends.
    pub begin: (f64, f64),
    pub ridge: (f64, f64),
    pub end: (f64, f64),
    pub bandwidth: String,
    pub flops: String,
    /// Where the text of the bandwidth is, and by how many degrees it is turned.
    pub text: (f64, f64, f64),
}

pub struct Point {
    pub number: usize,
    pub x: f64,
    pub y: f64,
    pub radius: f64,
    pub class: &'static str,
    pub title: String,
    /// The name beside it, where there is space, and its place.
    pub label: String,
    pub label_place: (f64, f64),
    /// Where a line from the mark to a label that is further away ends.
    pub leader: Option<(f64, f64)>,
}

impl Roofline {
    pub fn new(record: &CompilationRecord, rows: &[Row]) -> Self {
        let machine = record
            .machine
            .as_ref()
            .filter(|it| it.flops > 0.0 && it.bandwidth > 0.0);
        let places: Vec<(usize, f64, f64)> = rows
            .iter()
            .enumerate()
            .filter_map(|(number, row)| {
                let (intensity, speed) = place(row, machine)?;
                Some((number, intensity, speed))
            })
            .collect();
        let drawn = &places[..places.len().min(DRAWN)];
        let sizes = [("wide", (1180.0, 560.0)), ("narrow", (360.0, 400.0))];
        let charts = match drawn.is_empty() {
            true => Vec::new(),
            false => sizes
                .map(|(class, size)| chart(class, size, rows, drawn, machine))
                .into(),
        };
        Self {
            sentence: sentence(rows, &places, machine),
            charts,
            has_run: record.run.is_some(),
            machine: machine
                .map(|machine| machine.source.clone())
                .unwrap_or_default(),
        }
    }
}

/// Flops for each byte, and flops each second: those that were measured, or those that the
/// machine allows.
fn place(row: &Row, machine: Option<&Machine>) -> Option<(f64, f64)> {
    let intensity = row.intensity().filter(|intensity| *intensity > 0.0)?;
    let allowed = machine.map(|machine| machine.flops.min(intensity * machine.bandwidth));
    Some((intensity, row.flops_per_second().or(allowed)?))
}

fn sentence(rows: &[Row], places: &[(usize, f64, f64)], machine: Option<&Machine>) -> String {
    let mut text = String::new();
    let without = rows.len() - places.len();
    if machine.is_none() {
        text += "The limits of the machine were not measured. ";
    }
    if without > 0 {
        let sites = format::plural(without, "call site");
        text += &format!(
            "{sites} without floating-point operations or bytes cannot be drawn; the table has them. "
        );
    }
    if places.len() > DRAWN {
        let left_out = format::plural(places.len() - DRAWN, "kernel");
        text += &format!("{left_out}, the cheapest, are left out of the chart. ");
    }
    text.trim_end().to_owned()
}

fn chart(
    class: &'static str,
    (width, height): (f64, f64),
    rows: &[Row],
    places: &[(usize, f64, f64)],
    machine: Option<&Machine>,
) -> Chart {
    let (left, right, top, bottom) = (58.0, width - 14.0, 22.0, height - 46.0);
    let ridge = machine.map(|machine| machine.flops / machine.bandwidth);
    let intensities = places.iter().map(|(_, x, _)| *x);
    let around_ridge = ridge
        .into_iter()
        .flat_map(|ridge| [ridge / 2.0, ridge * 2.0]);
    let x = Logarithmic::around(intensities.chain(around_ridge), (left, right));
    let speeds = places.iter().map(|(.., y)| y / 1e9);
    let roof = machine.map(|machine| machine.flops * 1.1 / 1e9);
    let y = Logarithmic::around(speeds.chain(roof), (bottom, top));
    let longest = rows.first().map_or(1.0, Row::cost).max(1e-12);
    let mut points: Vec<Point> = places
        .iter()
        .map(|(number, intensity, speed)| {
            let row = &rows[*number];
            Point {
                number: *number,
                x: x.place(*intensity),
                y: y.place(speed / 1e9),
                radius: 3.5 + 7.5 * (row.cost() / longest).sqrt(),
                class: row.bound.map_or("unknown", Bound::name),
                title: title(row, *intensity, *speed),
                label: String::new(),
                label_place: (0.0, 0.0),
                leader: None,
            }
        })
        .collect();
    let roof = machine.map(|machine| roof_of(machine, &x, &y));
    let named = if width < 600.0 { NAMED / 2 } else { NAMED };
    let lines = roof.as_ref().map_or_else(Vec::new, along);
    place_labels(
        &mut points,
        rows,
        (left, right, top, bottom),
        (named, &lines),
    );
    Chart {
        class,
        width,
        height,
        left,
        right,
        top,
        bottom,
        x_ticks: every_other(x.ticks(), width / 60.0),
        y_ticks: y.ticks(),
        roof,
        caches: machine.map_or_else(Vec::new, |machine| cache_lines(machine, &x, &y)),
        // The largest are below the others.
        points,
    }
}

/// The width of a letter of a label, and its height, in units of the chart.
const LETTER: f64 = 6.8;
const LINE: f64 = 13.0;

/// Gives names to the most expensive kernels, each once, where no mark and no other name is.
fn place_labels(
    points: &mut [Point],
    rows: &[Row],
    (left, right, top, bottom): (f64, f64, f64, f64),
    (most, lines): (usize, &[(f64, f64)]),
) {
    type Area = (f64, f64, f64, f64);
    let marks: Vec<Area> = points
        .iter()
        .map(|it| {
            (
                it.x - it.radius,
                it.x + it.radius,
                it.y - it.radius,
                it.y + it.radius,
            )
        })
        .collect();
    let overlap = |one: &Area, other: &Area| {
        one.0 < other.1 && other.0 < one.1 && one.2 < other.3 && other.2 < one.3
    };
    let mut labels: Vec<Area> = Vec::new();
    let mut named: Vec<&str> = Vec::new();
    for (number, point) in points.iter_mut().enumerate() {
        let name = &rows[point.number].name[..];
        if labels.len() >= most || named.contains(&name) {
            continue;
        }
        let width = LETTER * name.chars().count() as f64;
        let space = point.radius + 4.0;
        // Beside the mark, below and above it, and then further away.
        let mut places = vec![
            (point.x + space, point.y + 4.0),
            (point.x - space - width, point.y + 4.0),
            (point.x - width / 2.0, point.y + space + LINE - 3.0),
            (point.x - width / 2.0, point.y - space),
        ];
        let near = places.len();
        for distance in [24.0, 40.0, 56.0, 72.0, 88.0] {
            for y in [point.y + distance + LINE, point.y - distance] {
                places.extend([-0.5, 0.0, -1.0].map(|part| (point.x + part * width, y)));
            }
        }
        let area = |(x, y): &(f64, f64)| (*x, x + width, y - LINE + 3.0, y + 3.0);
        let is_free = |place: &&(f64, f64)| {
            let area = area(place);
            let is_inside = area.0 >= left && area.1 <= right && area.2 >= top && area.3 <= bottom;
            let mut others = marks
                .iter()
                .enumerate()
                .filter(|(other, _)| *other != number);
            is_inside
                && !others.any(|(_, mark)| overlap(&area, mark))
                && !labels.iter().any(|label| overlap(&area, label))
                && !lines
                    .iter()
                    .any(|(x, y)| overlap(&area, &(x - 2.0, x + 2.0, y - 2.0, y + 2.0)))
        };
        let number = places.iter().position(|place| is_free(&place));
        if let Some((number, place)) = number.map(|number| (number, places[number])) {
            let place = &place;
            labels.push(area(place));
            if number >= near {
                // To the middle of its lower or upper edge.
                let edge = if place.1 > point.y {
                    place.1 - LINE + 3.0
                } else {
                    place.1 + 3.0
                };
                point.leader = Some((place.0 + width / 2.0, edge));
            }
            name.clone_into(&mut point.label);
            point.label_place = *place;
            named.push(name);
        }
    }
}

/// Points along the lines of the limits and of the text on one of them.
fn along(roof: &Roof) -> Vec<(f64, f64)> {
    let parts = [(roof.begin, roof.ridge), (roof.ridge, roof.end)];
    let points = parts.into_iter().flat_map(|(from, to)| {
        (0..=200).map(move |step| {
            let part = f64::from(step) / 200.0;
            (
                from.0 + part * (to.0 - from.0),
                from.1 + part * (to.1 - from.1),
            )
        })
    });
    let (x, y, degrees) = roof.text;
    let (sine, cosine) = degrees.to_radians().sin_cos();
    let text = (-8..=8).map(move |step| {
        let place = f64::from(step) * 5.0;
        // Above the line, which is turned.
        (
            x + place * cosine + 11.0 * sine,
            y + place * sine - 11.0 * cosine,
        )
    });
    points.chain(text).collect()
}

/// The limits of the caches, each up to the limit of arithmetic.
fn cache_lines(machine: &Machine, x: &Logarithmic, y: &Logarithmic) -> Vec<CacheLine> {
    let ((first, _), (lowest, _)) = (x.ends(), y.ends());
    let top = machine.flops / 1e9;
    let lines = machine
        .caches
        .iter()
        .filter(|cache| cache.bandwidth > machine.bandwidth);
    lines
        .filter_map(|cache| {
            let bandwidth = cache.bandwidth / 1e9;
            let speed = (first * bandwidth).max(lowest);
            // All of it is above the limit of arithmetic.
            (speed < top).then(|| {
                let begin = (x.place(speed / bandwidth), y.place(speed));
                let end = (x.place(top / bandwidth), y.place(top));
                let at = |from: f64, to: f64| from + 0.85 * (to - from);
                CacheLine {
                    begin,
                    end,
                    name: cache.name.clone(),
                    name_place: (at(begin.0, end.0) - 6.0, at(begin.1, end.1)),
                }
            })
        })
        .collect()
}

/// As many ticks as there is space for.
fn every_other(ticks: Vec<(f64, String)>, most: f64) -> Vec<(f64, String)> {
    let step = (ticks.len() as f64 / most).ceil().max(1.0) as usize;
    ticks.into_iter().step_by(step).collect()
}

fn roof_of(machine: &Machine, x: &Logarithmic, y: &Logarithmic) -> Roof {
    let ridge = machine.flops / machine.bandwidth;
    let ((first, last), (lowest, _)) = (x.ends(), y.ends());
    // Where memory's line enters the chart: from the left, or from below.
    let speed = (first * machine.bandwidth / 1e9).max(lowest);
    let begin = speed * 1e9 / machine.bandwidth;
    let top = machine.flops / 1e9;
    let (begin, ridge) = (
        (x.place(begin), y.place(speed)),
        (x.place(ridge), y.place(top)),
    );
    let middle = ((begin.0 + ridge.0) / 2.0, (begin.1 + ridge.1) / 2.0);
    let degrees = (ridge.1 - begin.1).atan2(ridge.0 - begin.0).to_degrees();
    Roof {
        begin,
        ridge,
        text: (middle.0, middle.1, degrees),
        end: (x.place(last), y.place(top)),
        bandwidth: format!("{} GB/s", format::giga(machine.bandwidth)),
        flops: format!("{} GFLOP/s", format::giga(machine.flops)),
    }
}

fn title(row: &Row, intensity: f64, speed: f64) -> String {
    let measured = match row.flops_per_second() {
        Some(_) => "",
        None => " allowed",
    };
    let part = row.efficiency();
    let part = part.map(|part| format!(", {} of its limit", format::share(part, 1.0)));
    format!(
        "{}\n{}\n{intensity:.2} flop/B, {} GFLOP/s{measured}{}",
        row.name,
        row.ops.join(", "),
        format::giga(speed),
        part.unwrap_or_default()
    )
}

#[cfg(test)]
mod tests {
    use super::super::{rows, samples};
    use super::*;

    #[test]
    fn points_are_below_the_roof_they_are_measured_under() {
        let record = samples::program(60);
        let roofline = Roofline::new(&record, &rows::rows(&record));
        let chart = &roofline.charts[0];
        let roof = chart.roof.as_ref().unwrap();
        assert_eq!(chart.points.len(), 15);
        // Names are beside marks, not over them.
        let named = chart.points.iter().filter(|point| !point.label.is_empty());
        for point in named {
            let (from, to) = (point.label_place.0, point.label_place.0 + LETTER * 13.0);
            let is_over = |other: &Point| {
                (from - other.radius..to + other.radius).contains(&other.x)
                    && (point.label_place.1 - 4.0 - other.y).abs() < other.radius
            };
            assert!(!chart.points.iter().any(is_over), "{}", point.label);
            let beside = (point.label_place.1 - point.y).abs() < 30.0;
            assert!(beside || point.leader.is_some(), "{}", point.label);
        }
        for point in &chart.points {
            assert!((chart.left..chart.right).contains(&point.x), "{}", point.x);
            // Upwards, y falls.
            assert!(
                point.y >= roof.ridge.1 && point.y <= chart.bottom,
                "{}",
                point.y
            );
        }
        // 180 GFLOP/s over 14 GB/s are 12.9 flops for a byte.
        assert_eq!(roof.flops, "180.00 GFLOP/s");
        assert!(roof.begin.0 < roof.ridge.0 && roof.ridge.0 < roof.end.0);
    }

    #[test]
    fn without_a_run_points_are_on_the_roof_and_without_a_machine_there_are_none() {
        let mut record = samples::program(24);
        record.run = None;
        let chart = &Roofline::new(&record, &rows::rows(&record)).charts[0];
        let roof = chart.roof.as_ref().unwrap();
        assert!(chart.points.iter().all(|point| point.y >= roof.ridge.1));
        assert!(chart.points[0].title.contains("allowed"));
        let record = samples::not_run(24);
        let roofline = Roofline::new(&record, &rows::rows(&record));
        assert!(roofline.charts.is_empty() && roofline.sentence.contains("not measured"));
    }
}
