//! Where the data of a call may be when it begins: how much a run touches between the call that had
//! them last and this one.
//!
//! A cache still has them if it holds as much; arguments that no call has touched yet are where the
//! data of a whole run are.

use super::{roof, rows::Row};
use halo_runtime::compilation_record::{CallBuffer, CompilationRecord, KernelCall};

/// A part of the data of a call.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Part {
    pub bytes: f64,
    /// What is touched from the call that had them last to the end of this one.
    pub between: f64,
}

/// The parts of the data of a row's call; none if they are not known.
pub fn parts(record: &CompilationRecord, row: &Row) -> Vec<Part> {
    let number = row.calls.first().map_or(usize::MAX, |call| *call as usize);
    let Some(call) = record.calls.get(number) else {
        return Vec::new();
    };
    let part = |buffer: &CallBuffer| {
        let bytes = buffer.touched.or(buffer.bytes)? as f64;
        let mut before = record.calls[..number].iter();
        let last = before.rposition(|call| call.buffers.iter().any(|it| is_same(it, buffer)));
        let between = match last {
            Some(last) => touched(&record.calls[last..=number]),
            None => roof::bytes_of_run(record),
        };
        Some(Part { bytes, between })
    };
    let parts: Option<Vec<Part>> = call.buffers.iter().map(part).collect();
    parts.unwrap_or_default()
}

/// The names of a buffer in the calls of a row, by its place.
pub fn name(record: &CompilationRecord, row: &Row, place: usize) -> String {
    let calls = row.calls.iter();
    let calls = calls.filter_map(|call| record.calls.get(*call as usize));
    let mut names: Vec<&str> = Vec::new();
    for buffer in calls.filter_map(|call| call.buffers.get(place)) {
        let name = match buffer.arena {
            Some(_) => "an intermediate value",
            None => &buffer.name,
        };
        if !names.contains(&name) {
            names.push(name);
        }
    }
    match &names[..] {
        [] => "a buffer".to_owned(),
        [one] => (*one).to_owned(),
        [rest @ .., last] => format!("{} or {last}", rest.join(", ")),
    }
}

/// Whether two calls take one buffer.
fn is_same(one: &CallBuffer, other: &CallBuffer) -> bool {
    let has_name = ["argument ", "result "]
        .iter()
        .any(|it| one.name.starts_with(it));
    match (one.arena, other.arena) {
        (None, None) => has_name && one.name == other.name,
        (one, other) => one == other,
    }
}

/// What calls touch, the first and the last of them once.
fn touched(calls: &[KernelCall]) -> f64 {
    let last = calls.len().saturating_sub(1);
    let bytes = calls.iter().enumerate().map(|(number, call)| {
        let count = match number == 0 || number == last {
            true => 1,
            false => call.count.max(1),
        };
        call.bytes.unwrap_or(0) as f64 * count as f64
    });
    bytes.sum()
}

#[cfg(test)]
mod tests {
    use super::super::{rows, samples};
    use super::*;

    #[test]
    fn data_are_as_far_away_as_what_is_touched_since() {
        let mut record = samples::program(12);
        let buffer = |name: &str, arena, bytes| CallBuffer {
            name: name.to_owned(),
            bytes: Some(bytes),
            touched: Some(bytes / 2),
            arena,
            ..CallBuffer::default()
        };
        let argument = buffer("argument 1", None, 4000);
        let value = buffer("arena", Some(3), 600);
        record.calls.truncate(3);
        for (call, bytes) in record.calls.iter_mut().zip([100, 20, 3]) {
            (call.bytes, call.count) = (Some(bytes), 2);
        }
        record.calls[0].buffers = vec![value.clone()];
        record.calls[1].buffers = vec![buffer("arena", Some(4), 8)];
        record.calls[2].buffers = vec![argument.clone(), value];
        record.run = None;
        let all = rows::rows(&record);
        let row = all
            .iter()
            .find(|row| row.calls.first() == Some(&2))
            .unwrap();
        let run = roof::bytes_of_run(&record);
        let expected = |between| {
            [(2000.0, between), (300.0, 143.0)].map(|(bytes, between)| Part { bytes, between })
        };
        assert_eq!(parts(&record, row), expected(run));
        let names = [0, 1, 2].map(|place| name(&record, row, place));
        assert_eq!(names, ["argument 1", "an intermediate value", "a buffer"]);
        // An argument that another call has had.
        record.calls[1].buffers.push(argument);
        assert_eq!(parts(&record, row), expected(23.0));
        // A buffer of unknown size.
        record.calls[2].buffers[0].touched = None;
        record.calls[2].buffers[0].bytes = None;
        assert_eq!(parts(&record, row), []);
    }
}
