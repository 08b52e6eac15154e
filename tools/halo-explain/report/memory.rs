//! The memory plan: the buffers of the arena as boxes over time and addresses.

use super::{
    buffers::{Outside, Plan},
    format, limits, scale,
    summary::all_memory,
};
use halo_runtime::compilation_record::{Arena, CompilationRecord};

/// How many buffers the page draws without a script, the largest ones.
const DRAWN: usize = 800;
/// How many holders of the peak are listed.
const LISTED: usize = 40;
/// The width of a letter below a chart.
const LETTER: f64 = 7.0;

pub struct Memory {
    pub charts: Vec<Chart>,
    pub size: String,
    pub lower_bound: String,
    /// What the plan takes more than the lower bound, as a part of it.
    pub over: String,
    /// The sum of the sizes of all buffers: what it would take without sharing.
    pub unshared: String,
    pub count: usize,
    pub left_out: usize,
    pub holders: Vec<Holder>,
    pub more_holders: usize,
    /// The call at the peak.
    pub at: String,
    /// What arguments and results add to the arena.
    pub all: String,
}

pub struct Chart {
    pub class: &'static str,
    pub width: f64,
    pub height: f64,
    pub left: f64,
    pub right: f64,
    pub top: f64,
    pub bottom: f64,
    pub boxes: Vec<Place>,
    pub y_ticks: Vec<(f64, String)>,
    /// Names of calls along the axis of time.
    pub x_ticks: Vec<Tick>,
    /// Where the calls at the peak begin, and how wide they are.
    pub peak: (f64, f64),
    pub bound: f64,
    /// The points of the line of the bytes that are live.
    pub live: String,
}

/// The name of a call along the axis of time.
pub struct Tick {
    pub x: f64,
    pub text: String,
    pub is_peak: bool,
}

pub struct Place {
    pub number: u32,
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
    pub is_at_peak: bool,
    pub title: String,
}

pub struct Holder {
    /// The buffer; `None` of a value that is in none.
    pub number: Option<u32>,
    pub size: String,
    pub share: String,
    pub r#type: String,
    pub content: String,
    pub location: String,
    /// The calls in which the value lives, and those in which its buffer does, if these are more.
    pub life: String,
    pub buffer_life: String,
}

impl Memory {
    pub fn new(record: &CompilationRecord, plan: &Plan) -> Option<Self> {
        let arena = record.arena.as_ref()?;
        let mut largest: Vec<u32> = (0..arena.buffers.len() as u32).collect();
        largest.sort_by_key(|number| std::cmp::Reverse(arena.buffers[*number as usize].bytes));
        let left_out = largest.len().saturating_sub(DRAWN);
        largest.truncate(DRAWN);
        let held = holders(arena);
        let sizes = [("wide", (920.0, 420.0)), ("narrow", (360.0, 320.0))];
        let all: u64 = arena.buffers.iter().map(|buffer| buffer.bytes).sum();
        let over = arena.bytes.saturating_sub(arena.lower_bound);
        Some(Self {
            charts: sizes
                .map(|(class, size)| chart(class, size, (arena, plan), &largest))
                .into(),
            size: format::size(arena.bytes),
            lower_bound: format::size(arena.lower_bound),
            over: format::share(over as f64, arena.lower_bound.max(1) as f64),
            unshared: format::size(all),
            count: arena.buffers.len(),
            left_out,
            more_holders: held.len().saturating_sub(LISTED)
                + plan.outside.len().saturating_sub(LISTED),
            holders: held
                .iter()
                .take(LISTED)
                .filter_map(|it| holder((arena, plan), *it))
                .chain(plan.outside.iter().take(LISTED).map(|it| outside(plan, it)))
                .collect(),
            at: plan.at_peak(),
            all: all_memory(record, arena.bytes),
        })
    }
}

impl Memory {
    /// What its lists leave out.
    pub fn left_out_notes(&self) -> Vec<String> {
        let lists = [(self.more_holders, "smaller buffers at the peak")];
        limits::ends_of_lists("Memory", lists)
    }
}

/// The buffers that are live at the peak, the largest first.
pub fn holders(arena: &Arena) -> Vec<u32> {
    let at_peak = |number: &u32| {
        let buffer = &arena.buffers[*number as usize];
        buffer.first <= arena.peak && arena.peak <= buffer.last
    };
    let mut held: Vec<u32> = (0..arena.buffers.len() as u32).filter(at_peak).collect();
    held.sort_by_key(|number| std::cmp::Reverse(arena.buffers[*number as usize].bytes));
    held
}

fn holder((arena, plan): (&Arena, &Plan), number: u32) -> Option<Holder> {
    let buffer = arena.buffers.get(number as usize)?;
    let lives = plan.buffers.get(number as usize)?;
    Some(Holder {
        number: Some(number),
        size: format::size(buffer.bytes),
        share: format::share(buffer.bytes as f64, arena.bytes.max(1) as f64),
        r#type: buffer.r#type.clone(),
        content: lives.content.clone(),
        location: lives.place.clone(),
        life: plan.range(lives.value),
        buffer_life: match lives.value == (lives.first, lives.last) {
            true => "the same".to_owned(),
            false => plan.range((lives.first, lives.last)),
        },
    })
}

/// A value that takes none of the arena.
fn outside(plan: &Plan, value: &Outside) -> Holder {
    Holder {
        number: None,
        size: format::size(0),
        share: format::share(0.0, 1.0),
        r#type: value.r#type.clone(),
        content: format!("{}, in the memory of {}", value.content, value.memory),
        location: value.place.clone(),
        life: plan.range(value.life),
        buffer_life: format!("in no buffer, but in {}", value.memory),
    }
}

fn chart(
    class: &'static str,
    (width, height): (f64, f64),
    (arena, plan): (&Arena, &Plan),
    drawn: &[u32],
) -> Chart {
    let (left, right, top, bottom) = (70.0, width - 10.0, 14.0, height - 34.0);
    let end = plan.end as f64 + 1.0;
    let x = |call: f64| left + (call / end).min(1.0) * (right - left);
    let most = arena.bytes.max(arena.lower_bound).max(1) as f64;
    let y = |bytes: f64| bottom - (bytes / most).min(1.0) * (bottom - top);
    let boxes = drawn.iter().map(|number| {
        let buffer = &arena.buffers[*number as usize];
        let lives = &plan.buffers[*number as usize];
        let (from, to) = (x(lives.first as f64), x(lives.last as f64 + 1.0));
        let (low, high) = (
            y(buffer.offset as f64),
            y((buffer.offset + buffer.bytes) as f64),
        );
        let place = &lives.place;
        Place {
            number: *number,
            x: from,
            y: high,
            width: (to - from).max(0.4),
            height: (low - high).max(0.4),
            is_at_peak: buffer.first <= arena.peak && arena.peak <= buffer.last,
            title: format!(
                "{} {}\n{}\n{place}",
                format::size(buffer.bytes),
                buffer.r#type,
                lives.content
            ),
        }
    });
    let mut points = String::new();
    for (time, bytes) in coarse(live(arena, plan), plan.end, (right - left) as u64) {
        points += &format!("{:.1},{:.1} ", x(time as f64), y(bytes as f64));
    }
    Chart {
        class,
        width,
        height,
        left,
        right,
        top,
        bottom,
        boxes: boxes.collect(),
        y_ticks: scale::steps(most, 5)
            .into_iter()
            .map(|bytes| (y(bytes), format::size(bytes as u64)))
            .collect(),
        x_ticks: call_ticks(plan, (&x, left - 60.0, right + 8.0)),
        peak: {
            let (from, to) = (x(plan.peak as f64), x(plan.peak_end as f64 + 1.0));
            (from, (to - from).max(1.0))
        },
        bound: y(arena.lower_bound as f64),
        live: points.trim_end().to_owned(),
    }
}

/// The names of calls along an axis, as many as there is space for: that of the peak first.
fn call_ticks(plan: &Plan, (x, left, right): (&dyn Fn(f64) -> f64, f64, f64)) -> Vec<Tick> {
    let most = ((right - left) / LETTER) as usize;
    let mut taken: Vec<(f64, f64)> = Vec::new();
    let mut tick = |(call, last): (u64, u64), is_peak: bool| {
        let name = match is_peak {
            true => plan.at_peak(),
            // Without its place, there is space for more of them.
            false => plan
                .name_of(call)
                .split(" (")
                .next()
                .unwrap_or_default()
                .to_owned(),
        };
        let text = format::clipped(&name, most);
        let half = text.chars().count() as f64 * LETTER / 2.0;
        let mut place = x((call + last + 1) as f64 / 2.0);
        if is_peak {
            place = place.clamp(left + half, (right - half).max(left + half));
        }
        let (from, to) = (place - half - 7.0, place + half + 7.0);
        let is_free = from >= left - 8.0
            && to <= right + 8.0
            && !taken.iter().any(|(begin, end)| from < *end && *begin < to);
        (is_free && !text.is_empty()).then(|| {
            taken.push((from, to));
            Tick {
                x: place,
                text,
                is_peak,
            }
        })
    };
    let peak = tick((plan.peak, plan.peak_end), true);
    // Of thousands of calls, some.
    let step = (plan.end / 200).max(1);
    let others = (0..=plan.end).step_by(usize::try_from(step).unwrap_or(1));
    let others = others.filter(|call| !(plan.peak..=plan.peak_end).contains(call));
    let others: Vec<Tick> = others
        .filter_map(|call| tick((call, call), false))
        .collect();
    peak.into_iter().chain(others).collect()
}

/// The corners of the line of the bytes that are live: calls and bytes.
fn live(arena: &Arena, plan: &Plan) -> Vec<(u64, u64)> {
    let mut changes: Vec<(u64, i128)> = Vec::new();
    for (buffer, lives) in arena.buffers.iter().zip(&plan.buffers) {
        changes.push((lives.first, i128::from(buffer.bytes)));
        changes.push((lives.last.saturating_add(1), -i128::from(buffer.bytes)));
    }
    changes.sort_unstable();
    let mut corners = vec![(0, 0)];
    let mut bytes = 0_i128;
    let mut position = 0;
    while let Some((time, _)) = changes.get(position).copied() {
        corners.push((time, bytes.max(0) as u64));
        while let Some((_, change)) = changes.get(position).filter(|(at, _)| *at == time) {
            bytes += change;
            position += 1;
        }
        corners.push((time, bytes.max(0) as u64));
    }
    corners
}

/// The corners, or, if there are more than places, the most bytes at each place.
fn coarse(corners: Vec<(u64, u64)>, end: u64, places: u64) -> Vec<(u64, u64)> {
    if corners.len() as u64 <= 2 * places {
        return corners;
    }
    let step = (2 * end / places).max(1);
    let mut most: Vec<(u64, u64)> = Vec::new();
    for (time, bytes) in corners {
        let time = time / step * step;
        match most.last_mut().filter(|(last, _)| *last == time) {
            Some((_, last)) => *last = bytes.max(*last),
            None => most.push((time, bytes)),
        }
    }
    most
}

#[cfg(test)]
mod tests {
    use super::super::{
        buffers::{self, Buffer},
        samples,
    };
    use super::*;
    use halo_runtime::compilation_record::ArenaBuffer;

    #[test]
    fn holders_of_the_peak_are_those_that_live_then() {
        let record = samples::program(60);
        let arena = record.arena.as_ref().unwrap();
        // The buffers of the calls 0, 1 and 2 live at time 5, and each until four later.
        assert_eq!(holders(arena), [0, 1, 2]);
        let plan = buffers::plan(&record).unwrap();
        let memory = Memory::new(&record, &plan).unwrap();
        let sizes: Vec<&str> = memory.holders.iter().map(|it| &it.size[..]).collect();
        assert_eq!(sizes, ["65.54 kB"; 3]);
        assert_eq!(memory.holders[0].life, "main_kernel_0 to main_kernel_2");
        assert_eq!(memory.holders[0].buffer_life, "the same");
        assert_eq!(memory.at, "main_kernel_2");
        assert_eq!(memory.holders[0].content, "result of add (line 5)");
        assert_eq!(
            (&memory.lower_bound[..], &memory.over[..]),
            ("196.61 kB", "33.3%")
        );
    }

    #[test]
    fn the_peak_has_its_name_below_the_chart_and_no_name_is_over_another_one() {
        for ops in [24, 60, 600] {
            let record = samples::program(ops);
            let plan = buffers::plan(&record).unwrap();
            for chart in Memory::new(&record, &plan).unwrap().charts {
                assert_eq!(chart.x_ticks[0].text, "main_kernel_2");
                assert!(chart.x_ticks[0].is_peak);
                let mut places: Vec<f64> = chart.x_ticks.iter().map(|tick| tick.x).collect();
                places.sort_by(f64::total_cmp);
                let width = 13.0 * LETTER;
                assert!(
                    places.windows(2).all(|it| it[1] - it[0] > width),
                    "{places:?}"
                );
            }
        }
    }

    #[test]
    fn live_bytes_rise_and_fall() {
        let sizes = [10, 5].map(|bytes| ArenaBuffer {
            bytes,
            ..ArenaBuffer::default()
        });
        let arena = Arena {
            buffers: sizes.into(),
            ..Arena::default()
        };
        let lives = [(1, 3), (2, 2)].map(|(first, last)| Buffer {
            first,
            last,
            ..Buffer::default()
        });
        let plan = Plan {
            buffers: lives.into(),
            ..Plan::default()
        };
        let corners = [
            (0, 0),
            (1, 0),
            (1, 10),
            (2, 10),
            (2, 15),
            (3, 15),
            (3, 10),
            (4, 10),
            (4, 0),
        ];
        assert_eq!(live(&arena, &plan), corners);
        let many = (0..1000).map(|time| (time, time % 7)).collect();
        let coarse = coarse(many, 1000, 100);
        assert_eq!(
            (coarse.len(), coarse[0], coarse[49]),
            (50, (0, 6), (980, 6))
        );
    }
}
