//! The memory plan over time, as SVG and a table of the buffers at the peak.

use super::{format, kernels};
use crate::record::{Arena, ArenaBuffer, CompilationRecord};

pub const WIDTH: f64 = 900.0;
pub const HEIGHT: f64 = 300.0;
/// The buffers of the chart and of the table, the largest ones.
const DRAWN: usize = 2000;
const LISTED: usize = 100;

pub struct Memory {
    pub arena: String,
    pub lower_bound: String,
    pub calls: usize,
    pub rectangles: Vec<Rectangle>,
    /// The points of the live bytes over the calls.
    pub live: String,
    pub peak: Vec<Row>,
    /// The first call at the peak.
    pub peak_call: String,
    pub left_out: usize,
}

/// A buffer: its calls along x, its addresses along y.
pub struct Rectangle {
    pub x: String,
    pub y: String,
    pub width: String,
    pub height: String,
    pub title: String,
    pub is_at_peak: bool,
}

/// A buffer that is live at the peak.
pub struct Row {
    pub size: String,
    pub ty: String,
    pub ops: String,
    pub calls: String,
}

impl Memory {
    /// The plan; `None` if there is none.
    pub fn new(record: &CompilationRecord) -> Option<Self> {
        let arena = record.arena.as_ref().filter(|arena| arena.bytes > 0)?;
        let calls = Calls::new(arena);
        let live: Vec<u64> = (0..calls.count).map(|call| calls.live_bytes(call)).collect();
        let most = live.iter().copied().max().unwrap_or(0);
        let peak = live.iter().position(|bytes| *bytes == most).unwrap_or(0);
        let mut buffers: Vec<&ArenaBuffer> = arena.buffers.iter().collect();
        buffers.sort_by_key(|buffer| std::cmp::Reverse(buffer.bytes));
        let at_peak = buffers.iter().filter(|buffer| calls.is_live(buffer, peak));
        let rows = at_peak.clone().take(LISTED);
        let rows = rows.map(|buffer| row(record, &calls, buffer));
        let scale = Scale::new(arena, calls.count);
        let rectangles = buffers.iter().take(DRAWN).map(|buffer| {
            let is_at_peak = calls.is_live(buffer, peak);
            scale.rectangle(record, &calls, (buffer, is_at_peak))
        });
        let call = record.calls.get(peak);
        Some(Self {
            arena: format::size(arena.bytes),
            lower_bound: format::size(arena.lower_bound),
            calls: calls.count,
            rectangles: rectangles.collect(),
            live: scale.line(&live),
            peak: rows.collect(),
            peak_call: call.map_or_else(String::new, |call| format!("{peak}: {}", call.name)),
            left_out: at_peak.count().saturating_sub(LISTED),
        })
    }
}

/// The lifetimes of buffers in calls.
struct Calls<'a> {
    arena: &'a Arena,
    count: usize,
}

impl<'a> Calls<'a> {
    fn new(arena: &'a Arena) -> Self {
        Self {
            arena,
            count: arena.call_times.len().max(1),
        }
    }

    /// The first and the last call in the lifetime of a buffer.
    fn of(&self, buffer: &ArenaBuffer) -> (usize, usize) {
        let times = &self.arena.call_times;
        let first = times.partition_point(|time| *time < buffer.first);
        let end = times.partition_point(|time| *time <= buffer.last);
        (first.min(self.count - 1), end.max(first + 1) - 1)
    }

    fn is_live(&self, buffer: &ArenaBuffer, call: usize) -> bool {
        let (first, last) = self.of(buffer);
        (first..=last).contains(&call)
    }

    fn live_bytes(&self, call: usize) -> u64 {
        let buffers = self.arena.buffers.iter();
        let live = buffers.filter(|buffer| self.is_live(buffer, call));
        live.map(|buffer| buffer.bytes).sum()
    }
}

fn row(record: &CompilationRecord, calls: &Calls, buffer: &ArenaBuffer) -> Row {
    let (first, last) = calls.of(buffer);
    Row {
        size: format::size(buffer.bytes),
        ty: buffer.ty.clone(),
        ops: kernels::ops(record, &buffer.nodes).join(", "),
        calls: format!("{first} to {last}"),
    }
}

struct Scale {
    of_call: f64,
    of_byte: f64,
}

impl Scale {
    fn new(arena: &Arena, calls: usize) -> Self {
        Self {
            of_call: WIDTH / calls as f64,
            of_byte: HEIGHT / arena.bytes as f64,
        }
    }

    fn rectangle(
        &self,
        record: &CompilationRecord,
        calls: &Calls,
        (buffer, is_at_peak): (&ArenaBuffer, bool),
    ) -> Rectangle {
        let (first, last) = calls.of(buffer);
        let Row {
            size,
            ty,
            ops,
            calls,
        } = row(record, calls, buffer);
        let end = (buffer.offset + buffer.bytes) as f64;
        Rectangle {
            x: format::fixed(first as f64 * self.of_call),
            y: format::fixed(HEIGHT - end * self.of_byte),
            width: format::fixed((last + 1 - first) as f64 * self.of_call),
            height: format::fixed(buffer.bytes as f64 * self.of_byte),
            title: format!("{size}, {ty}, calls {calls}: {ops}"),
            is_at_peak,
        }
    }

    /// A line with a step for each call.
    fn line(&self, live: &[u64]) -> String {
        let points = live.iter().enumerate().map(|(call, bytes)| {
            let y = format::fixed(HEIGHT - *bytes as f64 * self.of_byte);
            let [start, end] = [call, call + 1].map(|call| call as f64 * self.of_call);
            format!("{start:.2},{y} {end:.2},{y}")
        });
        points.collect::<Vec<_>>().join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    #[test]
    fn buffers_are_drawn_in_calls() {
        let memory = Memory::new(&samples::program()).unwrap();
        assert_eq!(
            (&memory.arena[..], &memory.lower_bound[..], memory.calls),
            ("3.00 kB", "3.00 kB", 4)
        );
        assert_eq!(memory.peak_call, "1: main_kernel_0");
        let rows = memory.peak.iter().map(|row| (&row.size[..], &row.calls[..]));
        let expected = [("2.00 kB", "1 to 3"), ("1.00 kB", "0 to 1")];
        assert_eq!(rows.collect::<Vec<_>>(), expected);
        let first = &memory.rectangles[0];
        assert_eq!(
            (&first.x[..], &first.y[..], &first.height[..]),
            ("225.00", "0.00", "200.00")
        );
        assert!(first.title.ends_with("calls 1 to 3: dot_general (3:8)"));
        assert!(memory.live.starts_with("0.00,200.00 225.00,200.00 225.00,0.00"));
    }

    #[test]
    fn no_plan_is_no_section() {
        let mut record = samples::program();
        record.arena = Some(Arena::default());
        assert!(Memory::new(&record).is_none());
        record.arena = None;
        assert!(Memory::new(&record).is_none());
    }
}
