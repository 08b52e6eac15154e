//! What one kernel writes for another one without computing it: packed, padded and rearranged
//! operands, and the values that sums begin with; and what calls touch of buffers that they share.
//!
//! Kernels of one product are of one op of the program, so that these values are between no two
//! ops. They follow from the buffers of calls.

use super::{edges::Edge, format, names};
use halo_runtime::compilation_record::{
    CallBuffer, CallKind, CallPurpose, CompilationRecord, KernelCall, NodeNumber,
};
use std::collections::HashMap;

/// How a kernel reads what another one has written.
pub struct Read {
    pub reader: u32,
    /// What calls of both touch, in parentheses, if that is a part.
    pub parts: String,
}

/// The call of a node that reads what another call has written; `None` if they share no buffer.
pub fn read(record: &CompilationRecord, writer: u32, node: NodeNumber) -> Option<Read> {
    let from = record.calls.get(writer as usize)?;
    let calls = record.nodes.get(node as usize)?.calls.iter().copied();
    let behind = calls.filter(|call| *call > writer);
    let mut read = behind.filter_map(|reader| {
        let to = record.calls.get(reader as usize)?;
        let mut written = from.buffers.iter().filter(|buffer| buffer.is_written);
        let shared = written.find_map(|written| {
            let own = key(written)?;
            let read = to.buffers.iter().find(|read| key(read) == Some(own))?;
            Some((written, read))
        })?;
        Some(Read {
            reader,
            parts: parts((from, shared.0), (to, shared.1)),
        })
    });
    read.next()
}

/// What tells a buffer from others: its number in the arena, or the name of a result.
type Key<'a> = (Option<u32>, &'a str);

/// The calls that take each buffer, in their order.
type Takers<'a> = HashMap<Key<'a>, Vec<(usize, &'a CallBuffer)>>;

fn key(buffer: &CallBuffer) -> Option<Key<'_>> {
    match buffer.arena {
        Some(_) => Some((buffer.arena, "")),
        None => (buffer.name.starts_with("result")).then_some((None, &buffer.name[..])),
    }
}

fn takers(record: &CompilationRecord) -> Takers<'_> {
    let mut takers = Takers::new();
    for (number, call) in record.calls.iter().enumerate() {
        for buffer in &call.buffers {
            if let Some(key) = key(buffer) {
                takers.entry(key).or_default().push((number, buffer));
            }
        }
    }
    takers
}

/// The values of kernels that compute nothing, each with a kernel that reads it.
pub fn edges(record: &CompilationRecord) -> Vec<Edge> {
    let names = names::calls(record);
    let takers = takers(record);
    let mut edges = Vec::new();
    for (number, call) in record.calls.iter().enumerate() {
        let is_copy = call.purpose != CallPurpose::Compute && call.kind == CallKind::Kernel;
        let (true, Some(node)) = (is_copy, call.nodes.first().copied()) else {
            continue;
        };
        for written in call.buffers.iter().filter(|buffer| buffer.is_written) {
            for (reader, read) in readers(record, &takers, (number, written)) {
                let to = &record.calls[reader];
                let bytes = written.bytes.unwrap_or(0);
                edges.push(Edge {
                    from: node,
                    to: node,
                    text: format!(
                        "{}, written by {}, {}, is read by {}{}",
                        content(record, &takers, number),
                        names[number],
                        format::size(bytes),
                        names[reader],
                        parts((call, written), (to, read))
                    ),
                    reasons: vec![reason(call.purpose).to_owned()],
                    is_told: false,
                    bytes,
                });
            }
        }
    }
    edges
}

/// What a kernel that computes nothing writes for its op.
fn content(record: &CompilationRecord, takers: &Takers<'_>, number: usize) -> String {
    let call = &record.calls[number];
    let op = call.nodes.first().map(|node| names::node(record, *node));
    let op = op.unwrap_or_default();
    let source = call.buffers.iter().find(|buffer| !buffer.is_written);
    let source = source.map(|source| {
        let taken = key(source).and_then(|key| takers.get(&key));
        let mut before = taken.into_iter().flatten().rev();
        let writer = before.find(|(taker, buffer)| *taker < number && buffer.is_written);
        match writer {
            Some((writer, _)) => {
                let name = format::plain(&record.calls[*writer].name);
                format!("what {name} writes")
            }
            None => source.name.clone(),
        }
    });
    let source = source.unwrap_or_else(|| "an operand".to_owned());
    match call.purpose {
        CallPurpose::Fill => format!("one value everywhere for {op}"),
        CallPurpose::Pack => format!("copy of {source}, packed for {op}"),
        _ => format!("copy of {source}, padded or rearranged for {op}"),
    }
}

/// Why it is written.
fn reason(purpose: CallPurpose) -> &'static str {
    match purpose {
        CallPurpose::Fill => "sums begin with it, or it is the edge around an operand",
        CallPurpose::Pack => {
            "a kernel that reads its elements several times gets them in the order in which it reads them"
        }
        _ => {
            "the kernel that reads it needs no tests at edges, or gets elements that are neighbors"
        }
    }
}

/// The calls that read what a call has written to a buffer, with the buffer. What is filled is read
/// by one that adds to it, and may be written in parts before.
fn readers<'a>(
    record: &CompilationRecord,
    takers: &Takers<'a>,
    (writer, written): (usize, &CallBuffer),
) -> Vec<(usize, &'a CallBuffer)> {
    let is_fill = record.calls[writer].purpose == CallPurpose::Fill;
    let taken = key(written).and_then(|key| takers.get(&key));
    let behind = taken
        .into_iter()
        .flatten()
        .filter(|(number, _)| *number > writer);
    let mut readers = Vec::new();
    for (number, buffer) in behind.copied() {
        match (buffer.is_written, record.calls[number].purpose) {
            (false, _) => readers.push((number, buffer)),
            (true, CallPurpose::Move) if is_fill => {}
            (true, purpose) => {
                if is_fill && purpose == CallPurpose::Compute {
                    readers.push((number, buffer));
                }
                break;
            }
        }
    }
    readers
}

/// What calls touch of a buffer, where one of them touches a part, or is made several times.
fn parts(
    (writer, written): (&KernelCall, &CallBuffer),
    (reader, read): (&KernelCall, &CallBuffer),
) -> String {
    let is_part = |call: &KernelCall, buffer: &CallBuffer| {
        call.count > 1 || buffer.touched.is_some_and(|it| Some(it) != buffer.bytes)
    };
    if !is_part(writer, written) && !is_part(reader, read) {
        return String::new();
    }
    let touched = |call: &KernelCall, buffer: &CallBuffer, verb: &str| {
        let name = format::plain(&call.name);
        let bytes = buffer.touched.or(buffer.bytes).unwrap_or(0);
        let each = match call.count {
            0 | 1 => String::new(),
            count => format!(" in each of {} calls", format::count(count)),
        };
        format!("{name} {verb} {}{each}", format::size(bytes))
    };
    format!(
        " ({}, {})",
        touched(writer, written, "writes"),
        touched(reader, read, "reads")
    )
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    fn buffer(arena: u32, bytes: u64, is_written: bool) -> CallBuffer {
        CallBuffer {
            name: "arena".to_owned(),
            bytes: Some(bytes),
            touched: Some(bytes),
            is_written,
            arena: Some(arena),
            ..CallBuffer::default()
        }
    }

    /// A kernel packs, in two calls, what the next one reads, and one fills what it adds to.
    fn record() -> CompilationRecord {
        let mut record = samples::program(24);
        let argument = CallBuffer {
            name: "argument 1".to_owned(),
            ..CallBuffer::default()
        };
        let call = &mut record.calls[0];
        (call.purpose, call.count) = (CallPurpose::Pack, 2);
        call.buffers = vec![argument, buffer(7, 4000, true)];
        let call = &mut record.calls[1];
        call.purpose = CallPurpose::Fill;
        call.buffers = vec![buffer(8, 3000, true)];
        let call = &mut record.calls[2];
        call.count = 2;
        call.buffers = vec![buffer(7, 4000, false), buffer(8, 3000, true)];
        for call in &mut record.calls[3..] {
            call.buffers.clear();
        }
        record
    }

    #[test]
    fn copies_and_filled_buffers_are_values_between_kernels() {
        let record = record();
        let op = |call: usize| names::node(&record, record.calls[call].nodes[0]);
        let texts: Vec<String> = edges(&record).into_iter().map(|it| it.text).collect();
        let expected = [
            format!(
                "copy of argument 1, packed for {}, written by main_kernel_0, 4.00 kB, is read by main_kernel_2 (main_kernel_0 writes 4.00 kB in each of 2 calls, main_kernel_2 reads 4.00 kB in each of 2 calls)",
                op(0)
            ),
            format!(
                "one value everywhere for {}, written by main_kernel_1, 3.00 kB, is read by main_kernel_2 (main_kernel_1 writes 3.00 kB, main_kernel_2 reads 3.00 kB in each of 2 calls)",
                op(1)
            ),
        ];
        assert_eq!(texts, expected);
    }

    #[test]
    fn parts_that_calls_touch_are_told() {
        let mut record = record();
        let node = record.calls[2].nodes[0];
        record.nodes[node as usize].calls = vec![2];
        record.calls[2].buffers[0].touched = Some(1000);
        let found = read(&record, 0, node).unwrap();
        assert_eq!(
            (found.reader, &found.parts[..]),
            (
                2,
                " (main_kernel_0 writes 4.00 kB in each of 2 calls, main_kernel_2 reads 1.00 kB in each of 2 calls)"
            )
        );
        // Values that all of both calls touch need no figures.
        (record.calls[0].count, record.calls[2].count) = (1, 1);
        record.calls[2].buffers[0].touched = Some(4000);
        assert_eq!(read(&record, 0, node).unwrap().parts, "");
    }
}
