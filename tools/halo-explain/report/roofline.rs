//! The roofline: what each kernel reaches of what the machine allows, by its operations for
//! each byte (Williams, Waterman and Patterson, 2009).
//!
//! Each cache and the memory have a line, and each kind of arithmetic that a kernel is limited
//! by. A kernel whose data come from several levels has a ceiling of its own between their
//! lines, so a mark has that, too: the part of the way up to it is the kernel's part of its
//! limit, in sentences and tables as well as here.

use super::{
    format,
    labels::{self, Area, Label, Taken, Wanted},
    machine::{self, Level},
    roof,
    rows::{Bound, Row},
    scale::Logarithmic,
};
use halo_runtime::compilation_record::{Arithmetic, CompilationRecord, Machine};
use std::collections::HashMap;

/// How many kernels are drawn, the most expensive ones.
const DRAWN: usize = 500;
/// How many of them have their names beside them.
const NAMED: usize = 8;
/// How much wider bold letters are than others.
const BOLD: f64 = 1.15;
/// How many places are tried for the text of a line, and how many of the largest marks it avoids.
const TRIED: usize = 24;
const AVOIDED: usize = 300;
/// A name is at most so far from its mark, as a part of the width.
const FURTHEST: f64 = 4.0;
/// The most letters of a name.
const LETTERS: usize = 30;

pub struct Roofline {
    /// The chart for wide and for narrow pages; none if nothing can be drawn.
    pub charts: Vec<Chart>,
    pub sentence: String,
    pub has_run: bool,
    pub machine: String,
    /// What the machine reaches: a name and a value each.
    pub limits: Vec<(String, String)>,
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
    pub x_title: &'static str,
    pub y_title: &'static str,
    pub x_ticks: Vec<(f64, String)>,
    pub y_ticks: Vec<(f64, String)>,
    /// The limits of the machine.
    pub lines: Vec<Line>,
    pub points: Vec<Point>,
    pub labels: Vec<Label>,
}

/// A limit of the machine as a line, with its text in the middle of a place.
#[derive(Clone, Debug, Default)]
pub struct Line {
    pub begin: (f64, f64),
    pub end: (f64, f64),
    /// Such as `L2 67.17 GB/s`.
    pub text: String,
    /// Where the text is, and by how many degrees it is turned.
    pub place: (f64, f64, f64),
    /// How far the text is below the line; above it if that is negative.
    pub shift: f64,
    /// Whether a kernel that is drawn is limited by it.
    pub is_limit: bool,
}

pub struct Point {
    pub number: usize,
    pub x: f64,
    pub y: f64,
    pub radius: f64,
    pub class: &'static str,
    pub title: String,
    /// Where its ceiling is, if it is limited by data.
    pub ceiling: Option<f64>,
}

/// A kernel that can be drawn.
struct Drawn<'a> {
    number: usize,
    row: &'a Row,
    /// Operations for each byte, and each second: measured, or those that the machine allows.
    intensity: f64,
    speed: f64,
}

impl Roofline {
    pub fn new(record: &CompilationRecord, rows: &[Row]) -> Self {
        let machine = record
            .machine
            .as_ref()
            .filter(|it| it.flops > 0.0 && it.bandwidth > 0.0);
        let places = rows.iter().enumerate().filter_map(|(number, row)| {
            let intensity = row.intensity().filter(|intensity| *intensity > 0.0)?;
            let speed = row
                .flops_per_second()
                .map(|speed| row.rate_at_best(speed))
                .or_else(|| row.ceiling())?;
            Some(Drawn {
                number,
                row,
                intensity,
                speed,
            })
        });
        let places: Vec<Drawn<'_>> = places.collect();
        let drawn = &places[..places.len().min(DRAWN)];
        let sizes = [("wide", (1180.0, 560.0)), ("narrow", (360.0, 420.0))];
        let charts = match drawn.is_empty() {
            true => Vec::new(),
            false => sizes
                .map(|(class, size)| chart(class, size, drawn, machine))
                .into(),
        };
        Self {
            sentence: sentence(rows, places.len(), machine),
            charts,
            has_run: record.run.is_some(),
            machine: machine
                .map(|machine| machine.source.clone())
                .unwrap_or_default(),
            limits: machine.map_or_else(Vec::new, machine::limits),
        }
    }
}

fn sentence(rows: &[Row], places: usize, machine: Option<&Machine>) -> String {
    let mut text = String::new();
    let without = rows.len() - places;
    if machine.is_none() {
        text += "The limits of the machine were not measured. ";
    }
    if without > 0 {
        let sites = format::plural(without, "call site");
        text += &format!(
            "{sites} that only move data, or whose operations or bytes are not known, cannot be drawn; the table has them. "
        );
    }
    if places > DRAWN {
        let left_out = format::plural(places - DRAWN, "kernel");
        text += &format!("{left_out}, the cheapest, are left out of the chart. ");
    }
    text.trim_end().to_owned()
}

fn chart(
    class: &'static str,
    (width, height): (f64, f64),
    drawn: &[Drawn<'_>],
    machine: Option<&Machine>,
) -> Chart {
    let (left, right, top, bottom) = (58.0, width - 14.0, 22.0, height - 46.0);
    let ridge = machine.map(|machine| machine.flops / machine.bandwidth);
    let intensities = drawn.iter().map(|it| it.intensity);
    let around_ridge = ridge
        .into_iter()
        .flat_map(|ridge| [ridge / 2.0, ridge * 2.0]);
    let x = Logarithmic::around(intensities.chain(around_ridge), (left, right));
    let speeds = drawn
        .iter()
        .flat_map(|it| [Some(it.speed), it.row.ceiling()])
        .flatten()
        .map(|speed| speed / 1e9);
    let arithmetic = machine.map_or_else(Vec::new, |machine| arithmetic(machine, drawn));
    let roofs = arithmetic.iter().map(|(_, speed)| speed * 1.1 / 1e9);
    let y = Logarithmic::around(speeds.chain(roofs), (bottom, top));
    let costs = drawn.iter().map(|it| it.row.cost());
    let longest = costs.fold(1e-12, f64::max);
    // The largest are below the others.
    let points = drawn.iter().map(|it| Point {
        number: it.number,
        x: x.place(it.intensity),
        y: y.place(it.speed / 1e9),
        radius: 3.5 + 7.5 * (it.row.cost() / longest).sqrt(),
        class: it.row.bound.map_or("unknown", Bound::name),
        title: title(it),
        ceiling: it
            .row
            .ceiling()
            .filter(|_| it.row.bound == Some(Bound::Memory))
            .map(|ceiling| y.place(ceiling / 1e9)),
    });
    let points: Vec<Point> = points.collect();
    let mut lines = machine.map_or_else(Vec::new, |machine| {
        lines(machine, &arithmetic, drawn, (&x, &y))
    });
    let within = Area {
        left,
        right,
        top,
        bottom,
    };
    let integers = drawn.iter().filter(|it| it.row.is_integer).count();
    let (x_title, y_title) = match integers {
        0 => ("flop/B", "GFLOP/s"),
        count if count == drawn.len() => ("op/B", "GOP/s"),
        _ => ("flop/B, of integers op/B", "GFLOP/s, of integers GOP/s"),
    };
    let title = labels::area(y_title, (left + 4.0, 13.0));
    let named = if width < 600.0 { NAMED / 2 } else { NAMED };
    let marks: Vec<Area> = points
        .iter()
        .map(|it| Area::around(it.x, it.y, it.radius))
        .collect();
    let ceilings = points
        .iter()
        .filter_map(|it| Some((it.x, it.y, it.ceiling?)));
    // Each is a line from its mark up, with a stroke at its end.
    let ceilings = ceilings.flat_map(|(x, y, ceiling)| {
        let line = Area {
            left: x - 1.5,
            right: x + 1.5,
            top: ceiling.min(y),
            bottom: ceiling.max(y),
        };
        [Area::around(x, ceiling, 4.0), line]
    });
    let ceilings: Vec<Area> = ceilings.collect();
    let drawn_over = [&marks[..], &ceilings].concat();
    place_texts(&mut lines, &drawn_over, within, title);
    let taken = Taken {
        texts: lines.iter().flat_map(along_text).collect(),
        lines: lines.iter().flat_map(along).chain(ceilings).collect(),
    };
    let letters = LETTERS.min((width / 16.0) as usize);
    let mut labels = labels::place(wanted(drawn, named, letters), &marks, &taken, within);
    // A name that is far from its mark is in the way of others.
    labels.retain(|label| {
        let leader = label.leader.map_or(0.0, |((x, y), (end_x, end_y))| {
            f64::hypot(end_x - x, end_y - y)
        });
        leader <= width / FURTHEST
    });
    Chart {
        class,
        width,
        height,
        left,
        right,
        top,
        bottom,
        x_title,
        y_title,
        x_ticks: every_other(x.ticks(), width / 60.0),
        y_ticks: y.ticks(),
        lines,
        points,
        labels,
    }
}

/// The names of the most expensive kernels, each once, at its most expensive call site.
fn wanted(drawn: &[Drawn<'_>], most: usize, letters: usize) -> Vec<Wanted> {
    let mut costs: HashMap<&str, f64> = HashMap::new();
    for it in drawn {
        *costs.entry(&it.row.name).or_default() += it.row.cost();
    }
    let mut wanted: Vec<(usize, &str)> = Vec::new();
    for (mark, it) in drawn.iter().enumerate() {
        if !wanted.iter().any(|(_, name)| *name == it.row.name) {
            wanted.push((mark, &it.row.name));
        }
    }
    wanted.sort_by(|one, other| costs[other.1].total_cmp(&costs[one.1]));
    let names = wanted.into_iter().take(most).map(|(mark, name)| Wanted {
        mark,
        text: format::clipped(name, letters),
    });
    names.collect()
}

/// The kinds of arithmetic that kernels are limited by, with their operations per second; f32
/// if there is none.
fn arithmetic(machine: &Machine, drawn: &[Drawn<'_>]) -> Vec<(Arithmetic, f64)> {
    let mut found: Vec<(Arithmetic, f64)> = Vec::new();
    let limited = drawn
        .iter()
        .filter(|it| it.row.bound == Some(Bound::Compute));
    for kind in limited.map(|it| it.row.instructions.arithmetic) {
        let peak = roof::peak(machine, kind);
        if let Some(peak) = peak.filter(|_| !found.iter().any(|(known, _)| *known == kind)) {
            found.push((kind, peak));
        }
    }
    if found.is_empty() {
        found.push((Arithmetic::F32, machine.flops));
    }
    found
}

/// The limits of the machine: of its arithmetic, of its caches and of its memory.
fn lines(
    machine: &Machine,
    arithmetic: &[(Arithmetic, f64)],
    drawn: &[Drawn<'_>],
    (x, y): (&Logarithmic, &Logarithmic),
) -> Vec<Line> {
    let ((first, last), (lowest, _)) = (x.ends(), y.ends());
    let mut levels = machine::levels(machine);
    levels.retain(|level| level.bandwidth > 0.0);
    levels.sort_by(|one, other| other.bandwidth.total_cmp(&one.bandwidth));
    let highest = arithmetic.iter().map(|(_, speed)| *speed);
    let highest = highest.fold(0.0, f64::max);
    let fastest = levels.first().map_or(machine.bandwidth, |it| it.bandwidth);
    let limit_of = |name: &str| drawn.iter().any(|it| it.row.limit() == name);
    let mut lines: Vec<Line> = arithmetic
        .iter()
        .map(|(kind, speed)| {
            let height = y.place(speed / 1e9);
            let is_limit = drawn.iter().any(|it| {
                it.row.bound == Some(Bound::Compute) && it.row.instructions.arithmetic == *kind
            });
            Line {
                begin: (x.place((speed / fastest).max(first)), height),
                end: (x.place(last), height),
                text: format!(
                    "{} {}",
                    machine::arithmetic(*kind),
                    machine::speed(*speed, machine::is_integer(*kind))
                ),
                is_limit,
                ..Line::default()
            }
        })
        .collect();
    // Where the line of a level enters the chart, from the left or from below, and where it
    // meets the highest limit of arithmetic.
    let end_places = |level: &Level<'_>| {
        let speed = (first * level.bandwidth).max(lowest * 1e9);
        let begin = (x.place(speed / level.bandwidth), y.place(speed / 1e9));
        let ridge = highest / level.bandwidth;
        let end = (ridge.min(last), (ridge.min(last) * level.bandwidth));
        (begin, (x.place(end.0), y.place(end.1 / 1e9)))
    };
    let seen: Vec<&Level<'_>> = levels
        .iter()
        .filter(|level| first * level.bandwidth < highest)
        .collect();
    for level in seen {
        let (begin, end) = end_places(level);
        lines.push(Line {
            begin,
            end,
            text: format!("{} {} GB/s", level.name, format::giga(level.bandwidth)),
            is_limit: limit_of(level.name),
            ..Line::default()
        });
    }
    lines
}

/// Places the texts of lines along these, above or below, so that none is over another one or
/// leaves the chart; and over marks and other lines only where there is no other place.
fn place_texts(lines: &mut [Line], marks: &[Area], within: Area, title: Area) {
    let mut taken = vec![title];
    for number in 0..lines.len() {
        let cost = |line: &Line| {
            let areas: Vec<Area> = along_text(line).collect();
            let others = lines.iter().enumerate();
            let others = others.filter(|(other, _)| *other != number);
            let is_over = |all: &[Area]| {
                let mut areas = areas.iter();
                areas.any(|area| all.iter().any(|other| area.overlaps(other)))
            };
            let crossed = others.filter(|(_, other)| areas.iter().any(|area| other.crosses(area)));
            let is_outside = areas.iter().any(|area| !within.has(area));
            let marked = is_over(&marks[..marks.len().min(AVOIDED)]);
            100 * u32::from(is_over(&taken))
                + 100 * u32::from(is_outside)
                + 5 * u32::from(marked)
                + crossed.count() as u32
        };
        // Of places that are as good, the first one.
        let best = lines[number]
            .with_text_placed()
            .into_iter()
            .min_by_key(cost);
        if let Some(best) = best {
            taken.extend(along_text(&best));
            lines[number] = best;
        }
    }
}

impl Line {
    /// The length of its text.
    pub fn length(&self) -> f64 {
        length_of(&self.text)
    }

    /// The line with its text at places along it, in the middle first, at the right of a level one;
    /// and beside it.
    fn with_text_placed(&self) -> Vec<Self> {
        let (across, down) = (self.end.0 - self.begin.0, self.end.1 - self.begin.1);
        let length = across.hypot(down).max(1.0);
        let half = length_of(&self.text) / 2.0;
        // The places of the middle of the text, from its least to its most.
        let (least, most) = (half / length, 1.0 - half / length);
        let preferred = if down == 0.0 { most } else { 0.5 };
        let steps = (0..=TRIED).map(|step| least + (most - least) * step as f64 / TRIED as f64);
        let mut parts: Vec<f64> = steps.collect();
        parts.sort_by(|one, other| {
            let distance = |part: &f64| (part - preferred).abs();
            distance(one).total_cmp(&distance(other))
        });
        let place = |part: f64| (self.begin.0 + part * across, self.begin.1 + part * down);
        let with = |place: (f64, f64, f64), shift: f64| Self {
            place,
            shift,
            ..self.clone()
        };
        let degrees = down.atan2(across).to_degrees();
        let along = parts
            .into_iter()
            .map(place)
            .flat_map(|(x, y)| [-6.0, 14.0].map(|shift| with((x, y, degrees), shift)));
        // Beside a line that is too short, to its right: lines rise.
        let beside = (0..=TRIED).map(|step| {
            let (x, y) = place(step as f64 / TRIED as f64);
            with((x + half + 8.0, y, 0.0), 4.0)
        });
        along.chain(beside).collect()
    }

    /// Whether the line comes through a small area.
    fn crosses(&self, area: &Area) -> bool {
        let (across, down) = (self.end.0 - self.begin.0, self.end.1 - self.begin.1);
        let middle = (
            (area.left + area.right) / 2.0 - self.begin.0,
            (area.top + area.bottom) / 2.0 - self.begin.1,
        );
        let square = (across * across + down * down).max(1.0);
        let part = ((middle.0 * across + middle.1 * down) / square).clamp(0.0, 1.0);
        let distance = (middle.0 - part * across).hypot(middle.1 - part * down);
        distance < (area.right - area.left) / 2.0
    }
}

/// Small areas along a line.
fn along(line: &Line) -> impl Iterator<Item = Area> {
    let (from, to) = (line.begin, line.end);
    (0..=200).map(move |step| {
        let part = f64::from(step) / 200.0;
        let place = |from: f64, to: f64| from + part * (to - from);
        Area::around(place(from.0, to.0), place(from.1, to.1), 2.0)
    })
}

/// The length of the text of a line, whose letters are bold.
fn length_of(text: &str) -> f64 {
    BOLD * labels::area(text, (0.0, 0.0)).right
}

/// Small areas along the text of a line.
fn along_text(line: &Line) -> impl Iterator<Item = Area> {
    let (x, y, degrees) = line.place;
    let (sine, cosine) = degrees.to_radians().sin_cos();
    let length = length_of(&line.text);
    let begin = -length / 2.0;
    let steps = (length / 4.0).ceil().max(1.0) as u32;
    let shift = line.shift;
    (0..=steps).map(move |step| {
        let across = begin + length * f64::from(step) / f64::from(steps);
        let up = shift - 4.0;
        // Beside the line, which is turned.
        Area::around(
            x + across * cosine - up * sine,
            y + across * sine + up * cosine,
            6.0,
        )
    })
}

/// As many ticks as there is space for.
fn every_other(ticks: Vec<(f64, String)>, space: f64) -> Vec<(f64, String)> {
    let step = (ticks.len() as f64 / space.max(1.0)).ceil().max(1.0) as usize;
    ticks.into_iter().step_by(step).collect()
}

fn title(it: &Drawn<'_>) -> String {
    let row = it.row;
    let measured = match row.flops_per_second() {
        Some(_) => " in the fastest run",
        None => " allowed",
    };
    let speed = |value: f64| machine::speed(value, row.is_integer);
    let unit = if row.is_integer { "op/B" } else { "flop/B" };
    let limit = row.efficiency().zip(row.ceiling());
    let limit = limit.map(|(part, ceiling)| {
        format!(
            "\n{} of its limit ({}), {}",
            format::share(part, 1.0),
            row.limit(),
            speed(ceiling)
        )
    });
    format!(
        "{}\n{}\n{:.2} {unit}, {}{measured}{}",
        row.name,
        row.ops.join(", "),
        it.intensity,
        speed(it.speed),
        limit.unwrap_or_default()
    )
}

#[cfg(test)]
mod tests {
    use super::super::{
        rows,
        samples::{self, cache},
    };
    use super::*;

    /// Caches of 100 kB and 1 MB with 60 and 30 GB/s, before a memory with 14.
    fn with_caches(ops: usize) -> CompilationRecord {
        let mut record = samples::program(ops);
        record.machine.as_mut().unwrap().caches =
            vec![cache("L1", 100_000, 6e10), cache("L2", 1_000_000, 3e10)];
        record
    }

    #[test]
    fn marks_have_the_ceilings_that_sentences_name() {
        let record = with_caches(60);
        let rows = rows::rows(&record);
        let roofline = Roofline::new(&record, &rows);
        let chart = &roofline.charts[0];
        let texts: Vec<&str> = chart.lines.iter().map(|line| &line.text[..]).collect();
        assert_eq!(
            texts,
            [
                "f32 180.00 GFLOP/s",
                "L1 60.00 GB/s",
                "L2 30.00 GB/s",
                "memory 14.00 GB/s"
            ]
        );
        let limits: Vec<bool> = chart.lines.iter().map(|line| line.is_limit).collect();
        assert_eq!(limits, [true, false, true, false]);
        let ratio = |from: f64, to: f64| {
            let decade = (chart.y_ticks[0].0 - chart.y_ticks[1].0).abs();
            10_f64.powf((from - to) / decade)
        };
        let mut limited = 0;
        for point in &chart.points {
            let row = &rows[point.number];
            assert!((chart.left..chart.right).contains(&point.x), "{}", point.x);
            let Some(ceiling) = point.ceiling else {
                assert_eq!(row.limit(), "compute");
                // Upwards, y falls.
                assert!(point.y >= chart.lines[0].begin.1 && point.y <= chart.bottom);
                continue;
            };
            limited += 1;
            assert_eq!(row.limit(), "L2");
            // The part of the way to it is the part of the limit that the sentence has.
            let part = 1.0 / ratio(point.y, ceiling);
            assert!((part - row.efficiency().unwrap()).abs() < 1e-6, "{part}");
            let percent = format::share(part, 1.0);
            let text = super::super::verdict::verdict(&record, row).join(" ");
            assert!(text.contains(" kB from L2. In its"), "{text}");
            assert!(text.contains(&percent) && point.title.contains(&percent));
            // It is between the lines of the levels that its data are in.
            let line = |text: &str| {
                let line = chart.lines.iter().find(|line| line.text.starts_with(text));
                let Line { begin, end, .. } = line.unwrap();
                let slope = (end.1 - begin.1) / (end.0 - begin.0);
                begin.1 + slope * (point.x - begin.0)
            };
            assert!((line("L1")..line("L2")).contains(&ceiling), "{ceiling}");
        }
        assert_eq!((chart.points.len(), limited), (15, 10));
    }

    /// On wide and on narrow pages, with names of any length.
    #[test]
    fn the_most_expensive_kernels_have_their_names() {
        let mut record = with_caches(60);
        for long in [false, true] {
            if long {
                for call in &mut record.calls {
                    call.name += "_with_a_name_that_is_longer_than_others";
                }
                record.run = None;
            }
            let rows = rows::rows(&record);
            for chart in &Roofline::new(&record, &rows).charts {
                let count = if chart.class == "wide" { 8 } else { 4 };
                let names = rows.iter().take(count);
                let letters = LETTERS.min((chart.width / 16.0) as usize);
                let names: Vec<String> = names
                    .map(|row| format::clipped(&row.name, letters))
                    .collect();
                let found: Vec<&str> = chart.labels.iter().map(|it| &it.text[..]).collect();
                assert_eq!(found, names);
                for (number, label) in chart.labels.iter().enumerate() {
                    let others = chart.labels.iter().enumerate();
                    let mut others = others.filter(|(other, _)| *other != number);
                    assert!(!others.any(|(_, other)| label.area.overlaps(&other.area)));
                    let marks = chart.points.iter().enumerate();
                    let mut marks = marks.filter(|(mark, _)| *mark != label.mark);
                    assert!(!marks.any(|(_, it)| {
                        label.area.overlaps(&Area::around(it.x, it.y, it.radius))
                    }));
                    let mut texts = chart.lines.iter().flat_map(along_text);
                    assert!(!texts.any(|it| label.area.overlaps(&it)));
                }
            }
        }
    }

    /// The caches of a processor of today, whose lines are near to each other.
    #[test]
    fn texts_of_lines_are_apart_and_in_the_chart() {
        let mut record = with_caches(60);
        let machine = record.machine.as_mut().unwrap();
        machine.bandwidth = 1.87e10;
        machine.caches = [("L1", 7.2e11), ("L2", 2.9e11), ("L3", 5.97e10)]
            .map(|(name, bandwidth)| cache(name, 100_000, bandwidth))
            .into();
        for chart in Roofline::new(&record, &rows::rows(&record)).charts {
            assert_eq!(chart.lines.len(), 5);
            let within = Area {
                left: chart.left,
                right: chart.right,
                top: chart.top,
                bottom: chart.bottom,
            };
            for (number, line) in chart.lines.iter().enumerate() {
                assert!(along_text(line).all(|area| within.has(&area)), "{line:?}");
                for other in &chart.lines[number + 1..] {
                    let mut areas = along_text(line);
                    let is_over = areas.any(|area| along_text(other).any(|it| it.overlaps(&area)));
                    assert!(!is_over, "{line:?} {other:?}");
                }
            }
        }
    }

    #[test]
    fn operations_on_integers_are_no_flops() {
        let mut record = samples::program(60);
        for node in &mut record.nodes {
            node.results = "i32[64,256]".to_owned();
        }
        let chart = &Roofline::new(&record, &rows::rows(&record)).charts[0];
        assert_eq!((chart.x_title, chart.y_title), ("op/B", "GOP/s"));
        for point in &chart.points {
            assert!(
                !point.title.to_lowercase().contains("flop"),
                "{}",
                point.title
            );
        }
    }

    #[test]
    fn without_a_run_marks_are_at_their_ceilings_and_without_a_machine_there_are_none() {
        let mut record = samples::program(24);
        record.run = None;
        let chart = &Roofline::new(&record, &rows::rows(&record)).charts[0];
        let ceilings = chart
            .points
            .iter()
            .filter_map(|it| Some((it.y, it.ceiling?)));
        assert!(
            ceilings
                .into_iter()
                .all(|(y, ceiling)| (y - ceiling).abs() < 1e-9)
        );
        assert!(chart.points[0].title.contains("allowed"));
        let record = samples::not_run(24);
        let roofline = Roofline::new(&record, &rows::rows(&record));
        assert!(roofline.charts.is_empty() && roofline.sentence.contains("not measured"));
    }
}
