//! The buffers of the arena by the calls that use them: what each holds, and how long.
//!
//! A plan counts ops, of which a kernel has hundreds, and a buffer begins before the loops of the
//! kernel that fills it. A reader counts calls: a buffer lives from the first call that takes it
//! to the last. A value lives in it from the call that writes it to the last one that reads it:
//! a kernel may write its result over what it reads.

use super::{format, graph, memory, names, rows};
use halo_runtime::compilation_record::{
    Arena, CallBuffer, CallPurpose, CompilationRecord, KernelCall, RemarkNote,
};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The memory plan in calls.
#[derive(Debug, Default, Serialize)]
pub struct Plan {
    pub buffers: Vec<Buffer>,
    /// The names of all calls, each another one as far as places tell them apart.
    pub calls: Vec<String>,
    /// The call at the peak, the first one of those in which as much is live.
    pub peak: u64,
    /// The last of them.
    pub peak_end: u64,
    /// How many calls there are.
    pub end: u64,
    /// What lives at the peak and is in no buffer.
    #[serde(skip)]
    pub outside: Vec<Outside>,
}

/// A buffer.
#[derive(Debug, Default, Serialize)]
pub struct Buffer {
    /// The first and the last call that it lives in.
    pub first: u64,
    pub last: u64,
    /// In short, such as `multiply (line 111)` or `packed argument 9`.
    pub label: String,
    /// In words, such as `result of multiply (line 111)`.
    pub content: String,
    /// The place of the op that it holds the result of, or of the one that it is for.
    pub place: String,
    /// The nodes of that op, and whether it is the result of one.
    pub made_of: Vec<u32>,
    pub is_result: bool,
    /// The first and the last call in which the value that it is named after lives.
    pub value: (u64, u64),
    /// The calls that write its values, one after the other, with these in short, and whether the
    /// call reads the value before, which it writes over.
    pub values: Vec<(u64, String, bool)>,
}

/// A value across the peak in memory that is none of the arena: that of a result, or of an
/// argument that the program may write to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outside {
    /// Such as `result 0`.
    pub memory: String,
    pub r#type: String,
    pub content: String,
    pub place: String,
    /// The call that writes it, and the last one that reads it; that is the last of all for one
    /// that the program returns.
    pub life: (u64, u64),
}

/// A value of a buffer.
struct Value {
    /// The call that writes it, and the last one that reads it.
    call: usize,
    last: usize,
    /// As in [`Buffer`].
    label: String,
    content: String,
    nodes: Vec<u32>,
    is_result: bool,
}

/// The plan of a record in calls; `None` without an arena.
pub fn plan(record: &CompilationRecord) -> Option<Plan> {
    let arena = record.arena.as_ref()?;
    let calls = record.calls.len() as u64;
    let buffers = arena.buffers.iter().map(|buffer| {
        let first = call_from(arena, buffer.first);
        let last = call_until(arena, buffer.last);
        Buffer {
            first,
            // A buffer that only scalar code uses lives before a call.
            last: last.max(first),
            ..Buffer::default()
        }
    });
    let mut plan = Plan {
        buffers: buffers.collect(),
        calls: names::calls(record),
        peak: call_from(arena, arena.peak),
        peak_end: 0,
        end: calls.saturating_sub(1),
        outside: Vec::new(),
    };
    let holders = |call: u64| {
        let lives = plan.buffers.iter().enumerate();
        lives
            .filter(|(_, it)| (it.first..=it.last).contains(&call))
            .map(|(number, _)| number)
            .collect::<Vec<usize>>()
    };
    let held = holders(plan.peak);
    let behind = (plan.peak..=plan.end).take_while(|call| holders(*call) == held);
    plan.peak_end = behind.last().unwrap_or(plan.peak);
    let contents = Contents {
        record,
        sources: graph::sources(record),
        readers: readers(record),
        calls: calls_of_buffers(record, arena.buffers.len()),
    };
    let peak_end = plan.peak_end;
    for (number, buffer) in plan.buffers.iter_mut().enumerate() {
        let is_held = held.contains(&number);
        contents.put(number, is_held.then_some(peak_end), buffer);
    }
    plan.outside = contents.outside(plan.peak, plan.end);
    Some(plan)
}

/// The calls that take each buffer, in their order.
fn calls_of_buffers(record: &CompilationRecord, buffers: usize) -> Vec<Vec<usize>> {
    let mut calls: Vec<Vec<usize>> = vec![Vec::new(); buffers];
    for (number, call) in record.calls.iter().enumerate() {
        let taken = call.buffers.iter().filter_map(|buffer| buffer.arena);
        for buffer in taken {
            if let Some(calls) = calls.get_mut(buffer as usize)
                && calls.last() != Some(&number)
            {
                calls.push(number);
            }
        }
    }
    calls
}

impl Plan {
    /// The name of a call.
    pub fn name_of(&self, call: u64) -> &str {
        let call = usize::try_from(call).ok();
        let name = call.and_then(|call| self.calls.get(call));
        name.map_or("", |name| &name[..])
    }

    /// The first and the last one of calls, such as `main_pack_2 to main_kernel_5`.
    pub fn range(&self, (first, last): (u64, u64)) -> String {
        match first == last {
            true => self.name_of(first).to_owned(),
            false => format!("{} to {}", self.name_of(first), self.name_of(last)),
        }
    }

    /// The calls at the peak.
    pub fn at_peak(&self) -> String {
        self.range((self.peak, self.peak_end.max(self.peak)))
    }

    /// What the buffers at the peak hold, by what remarks say of them: each note is about one of
    /// these.
    pub fn of_notes(&self, record: &CompilationRecord, notes: &[RemarkNote]) -> Vec<Option<&str>> {
        let Some(arena) = &record.arena else {
            return vec![None; notes.len()];
        };
        let mut held = memory::holders(arena);
        let names = notes.iter().map(|note| {
            let is_it = |number: &u32| {
                let buffer = &arena.buffers[*number as usize];
                let text = format!("{} bytes, '{}'", buffer.bytes, buffer.r#type);
                note.message == text && note.location == buffer.location
            };
            let place = held.iter().position(is_it)?;
            let number = held.remove(place) as usize;
            let content = &self.buffers.get(number)?.content;
            Some(&content[..]).filter(|content| !content.is_empty())
        });
        names.collect()
    }
}

/// The first call that begins at a time or behind it, or else the last one.
fn call_from(arena: &Arena, time: u64) -> u64 {
    let number = arena.call_times.iter().position(|begin| *begin >= time);
    let last = arena.call_times.len().saturating_sub(1);
    number.unwrap_or(last) as u64
}

/// The last call that begins at a time or before it.
fn call_until(arena: &Arena, time: u64) -> u64 {
    let number = arena.call_times.iter().rposition(|begin| *begin <= time);
    number.unwrap_or(0) as u64
}

/// The values that buffers hold, one after the other: a kernel may write its result over what it
/// reads.
struct Contents<'a> {
    record: &'a CompilationRecord,
    /// The nodes with calls that the value of each node comes from.
    sources: Vec<Vec<u32>>,
    /// The nodes that read each node itself.
    readers: Vec<Vec<u32>>,
    /// The calls that take each buffer.
    calls: Vec<Vec<usize>>,
}

/// So many other values of a buffer are named.
const MOST_OTHERS: usize = 3;

impl Contents<'_> {
    /// Tells what a buffer holds, in short and in words: what was written last up to a call, or
    /// else first; then what it holds at other times.
    fn put(&self, number: usize, until: Option<u64>, buffer: &mut Buffer) {
        let values = self.values(number);
        let is_before = |value: &Value| until.is_some_and(|until| value.call as u64 <= until);
        let chosen = values.iter().rposition(is_before).unwrap_or(0);
        let Some(value) = values.get(chosen) else {
            return;
        };
        let others = |values: &[Value], when: &str| {
            let names = values.iter().map(|it| &it.label[..]);
            let names: Vec<&str> = names.filter(|name| *name != value.label).collect();
            match names.len() {
                0 => String::new(),
                1..=MOST_OTHERS => format!("; {when} {}", names.join(", ")),
                count => format!("; {when} {count} other values"),
            }
        };
        let before = others(&values[..chosen], "before");
        let later = others(&values[chosen + 1..], "later");
        buffer.label.clone_from(&value.label);
        // What only scalar code reads lives as long as its buffer.
        let begin = (value.call as u64).clamp(buffer.first, buffer.last);
        buffer.value = match chosen + 1 == values.len() && value.last == value.call {
            true => (begin, buffer.last),
            false => (begin, (value.last as u64).clamp(begin, buffer.last)),
        };
        buffer.content = format!("{}{before}{later}", value.content);
        buffer.place = self.place(&value.nodes);
        buffer.made_of.clone_from(&value.nodes);
        buffer.is_result = value.is_result;
        let reads = values.iter().enumerate().map(|(number, value)| {
            let before = number.checked_sub(1).map(|number| &values[number]);
            let before = before.filter(|before| before.is_result);
            let mut nodes = before.into_iter().flat_map(|before| &before.nodes);
            nodes.any(|node| self.reads(value.call, *node))
        });
        let reads: Vec<bool> = reads.collect();
        buffer.values = values
            .into_iter()
            .zip(reads)
            .map(|(value, reads)| (value.call as u64, value.label, reads))
            .collect();
    }

    /// The place of the first op that nodes are of.
    fn place(&self, nodes: &[u32]) -> String {
        let record = self.record;
        let mut ops = (nodes.iter())
            .filter_map(|node| record.nodes.get(*node as usize))
            .flat_map(|node| &node.origins)
            .filter_map(|op| record.ops.get(*op as usize));
        let op = ops.find(|op| !op.location.is_empty());
        let place = op.map_or("", |op| &op.location);
        format::place(&record.program, place)
    }

    /// The values in the memory of arguments and results that live at the peak.
    fn outside(&self, peak: u64, end: u64) -> Vec<Outside> {
        let record = self.record;
        let mut takers: BTreeMap<&str, Vec<(usize, &CallBuffer)>> = BTreeMap::new();
        for (number, call) in record.calls.iter().enumerate() {
            for buffer in call.buffers.iter().filter(|it| it.arena.is_none()) {
                let name = &buffer.name[..];
                if name.starts_with("result ") || name.starts_with("argument ") {
                    takers.entry(name).or_default().push((number, buffer));
                }
            }
        }
        let values = takers.into_iter().filter_map(|(name, takers)| {
            let is_value = |(call, buffer): &(usize, &CallBuffer)| {
                buffer.is_written && record.calls[*call].purpose != CallPurpose::Fill
            };
            let is_before = |call: usize| call as u64 <= peak;
            let place = takers
                .iter()
                .rposition(|taker| is_before(taker.0) && is_value(taker))?;
            let (writer, buffer) = takers[place];
            let behind = &takers[place + 1..];
            // The value that the next call writes is another one.
            let next = behind.iter().position(is_value);
            let readers = &behind[..next.map_or(behind.len(), |next| next + 1)];
            let last = match (next, readers.last()) {
                (Some(_), Some((call, _))) => *call as u64,
                _ => end,
            };
            let mut nodes = self.results_of(&record.calls[writer], buffer.bytes?);
            let is_read = |node: &u32| readers.iter().any(|reader| self.reads(reader.0, *node));
            let read: Vec<u32> = nodes.iter().copied().filter(is_read).collect();
            if !read.is_empty() {
                nodes = read;
            }
            let names = nodes.iter().map(|node| names::node(record, *node));
            let names: Vec<String> = names.collect();
            let of = match names.is_empty() {
                true => format::plain(&record.calls[writer].name),
                false => names.join(", "),
            };
            (last >= peak).then(|| Outside {
                memory: name.to_owned(),
                r#type: buffer.r#type.clone(),
                content: format!("result of {of}"),
                place: self.place(&nodes),
                life: (writer as u64, last),
            })
        });
        values.collect()
    }

    /// The values of a buffer: the calls that write them, and what they are.
    fn values(&self, number: usize) -> Vec<Value> {
        let record = self.record;
        let calls = self.calls.get(number).map_or(&[][..], |calls| &calls[..]);
        let writes = |call: &usize| {
            let mut buffers = record.calls[*call].buffers.iter();
            buffers.any(|it| is_it(it.arena, number) && it.is_written)
        };
        let writers: Vec<usize> = calls.iter().copied().filter(writes).collect();
        let is_fill = |call: &usize| record.calls[*call].purpose == CallPurpose::Fill;
        // What sums begin with is no value that anyone reads.
        let computes = writers.iter().any(|call| !is_fill(call));
        let mut values: Vec<Value> = Vec::new();
        for (place, writer) in writers.iter().enumerate() {
            if computes && is_fill(writer) {
                continue;
            }
            let end = writers.get(place + 1).copied().unwrap_or(usize::MAX);
            let is_reader = |call: &&usize| *writer < **call && **call <= end;
            let readers: Vec<usize> = calls.iter().filter(is_reader).copied().collect();
            let mut value = self.written(number, *writer, &readers);
            value.last = readers.last().copied().unwrap_or(*writer);
            match values.last_mut().filter(|last| last.label == value.label) {
                Some(same) => same.last = value.last,
                None => values.push(value),
            }
        }
        if values.is_empty()
            && let Some(buffer) = record.arena.as_ref().and_then(|it| it.buffers.get(number))
        {
            // No call is known to write it.
            let name = name_at(record, &buffer.location, &buffer.nodes);
            let texts = (name.clone(), format!("result of {name}"));
            values.push(value(0, texts, buffer.nodes.clone(), true));
        }
        values
    }

    /// What a call writes to a buffer that other calls read.
    fn written(&self, number: usize, writer: usize, readers: &[usize]) -> Value {
        let record = self.record;
        let call = &record.calls[writer];
        let computing = call.nodes.iter().find(|node| has_flops(record, **node));
        let users = match computing {
            Some(node) => vec![*node],
            None => call.nodes.clone(),
        };
        let user = || {
            let names = users.iter().map(|node| names::node(record, *node));
            names.collect::<Vec<String>>().join(", ")
        };
        let texts = match call.purpose {
            CallPurpose::Pack => {
                let mut sources = call.buffers.iter();
                let source = sources.find(|it| !is_it(it.arena, number));
                let source = source.map(|it| match it.arena {
                    Some(_) => "operand".to_owned(),
                    None => it.name.clone(),
                });
                let source = source.unwrap_or_else(|| "operand".to_owned());
                (
                    format!("packed {source}"),
                    format!("copy of {source}, packed for {}", user()),
                )
            }
            CallPurpose::Fill => (
                "filled buffer".to_owned(),
                format!("one value everywhere, for {}", user()),
            ),
            CallPurpose::Move if call.nodes.iter().any(|node| has_flops(record, *node)) => (
                "rearranged operand".to_owned(),
                format!("operand, padded or rearranged for {}", user()),
            ),
            _ => return self.result(number, writer, readers),
        };
        value(writer, texts, users, false)
    }

    /// The op whose result a call writes to a buffer.
    fn result(&self, number: usize, writer: usize, readers: &[usize]) -> Value {
        let record = self.record;
        let call = &record.calls[writer];
        let buffer = record.arena.as_ref().and_then(|it| it.buffers.get(number));
        let bytes = buffer.map_or(0, |buffer| buffer.bytes);
        let mut results = self.results_of(call, bytes);
        let read: Vec<u32> = results
            .iter()
            .copied()
            .filter(|result| readers.iter().any(|reader| self.reads(*reader, *result)))
            .collect();
        if !read.is_empty() {
            results = read;
        }
        let stored = self.stored(call, number);
        if let Some(stored) = stored.filter(|node| results.contains(node)) {
            results = vec![stored];
        }
        let name = format::plain(&call.name);
        let texts = match &results[..] {
            [node] => {
                let name = names::node(record, *node);
                (name.clone(), format!("result of {name}"))
            }
            [] => (format!("result of {name}"), format!("result of {name}")),
            several => {
                let written = call.buffers.iter().filter(|it| it.is_written);
                let place = written.take_while(|it| !is_it(it.arena, number)).count() + 1;
                let all: Vec<String> = (several.iter())
                    .map(|node| names::node(record, *node))
                    .collect();
                (
                    format!("result {place} of {name}"),
                    format!("result {place} of {name}, one of {}", all.join(", ")),
                )
            }
        };
        value(writer, texts, results, true)
    }

    /// The node whose value a kernel stores in a buffer, by its IR; `None` if that does not
    /// tell it, as in kernels of other call sites.
    fn stored(&self, call: &KernelCall, number: usize) -> Option<u32> {
        let record = self.record;
        let text = &record.kernels.get(call.kernel? as usize)?.text;
        let line = |number: &u32| record.lines.get(*number as usize).map(|line| line.trim());
        let nodes = |number: &u32| record.node_sets.get(*number as usize);
        let arguments = arguments(text.lines.first().and_then(line)?);
        let place = call.buffers.iter().position(|it| is_it(it.arena, number))?;
        if arguments.len() != call.buffers.len() {
            return None;
        }
        let argument = arguments.get(place)?;
        let mut found = BTreeSet::new();
        // Names are given anew in each loop.
        let mut made_of: HashMap<&str, &[u32]> = HashMap::new();
        for (number, set) in text.lines.iter().zip(&text.nodes) {
            let line = line(number)?;
            if let Some((name, _)) = line.split_once(" = ") {
                made_of.insert(name, nodes(set).map_or(&[], |nodes| &nodes[..]));
            }
            let stored = line.split_once("store ").and_then(|(_, rest)| {
                let (value, rest) = rest.split_once(", ")?;
                let rest = rest.strip_prefix(argument)?;
                rest.starts_with('[').then_some(value)
            });
            let nodes = stored.and_then(|value| made_of.get(value));
            found.extend(nodes.copied().into_iter().flatten().copied());
        }
        match (found.len(), found.first()) {
            (1, Some(node)) => Some(*node),
            _ => None,
        }
    }

    /// The nodes of a call whose values of a size others read.
    fn results_of(&self, call: &KernelCall, bytes: u64) -> Vec<u32> {
        let nodes: BTreeSet<u32> = call.nodes.iter().copied().collect();
        let is_read_inside = |number: u32| {
            let readers = self.readers.get(number as usize);
            readers.is_some_and(|readers| {
                !readers.is_empty() && readers.iter().all(|reader| nodes.contains(reader))
            })
        };
        let results = call.nodes.iter().copied().filter(|node| {
            let data = self.record.nodes.get(*node as usize);
            data.is_some_and(|data| data.bytes == bytes && !rows::is_end(data))
                && !is_read_inside(*node)
        });
        results.collect()
    }

    /// Whether a call computes with the value of a node.
    fn reads(&self, call: usize, node: u32) -> bool {
        let nodes = self.record.calls[call].nodes.iter();
        let nodes = nodes.filter_map(|node| self.record.nodes.get(*node as usize));
        let mut operands = nodes.flat_map(|node| &node.operands);
        operands.any(|operand| {
            let sources = usize::try_from(*operand).ok();
            let sources = sources.and_then(|operand| self.sources.get(operand));
            sources.is_some_and(|sources| sources.contains(&node))
        })
    }
}

/// A value with its label and content, and the nodes of the op that it is of or for.
fn value(
    call: usize,
    (label, content): (String, String),
    nodes: Vec<u32>,
    is_result: bool,
) -> Value {
    Value {
        call,
        last: call,
        label,
        content,
        nodes,
        is_result,
    }
}

/// The names of the arguments of a function that are buffers.
fn arguments(line: &str) -> Vec<&str> {
    let arguments = line.split(['(', ',']).map(str::trim);
    let named = arguments.filter_map(|it| it.split_once(": memref<"));
    named
        .map(|(name, _)| name)
        .filter(|name| name.starts_with('%'))
        .collect()
}

fn is_it(arena: Option<u32>, number: usize) -> bool {
    arena.is_some() && arena == u32::try_from(number).ok()
}

fn has_flops(record: &CompilationRecord, node: u32) -> bool {
    let node = record.nodes.get(node as usize);
    node.is_some_and(|node| node.flops > 0)
}

/// The nodes that read each node.
pub fn readers(record: &CompilationRecord) -> Vec<Vec<u32>> {
    let mut readers = vec![Vec::new(); record.nodes.len()];
    for (number, node) in (0..).zip(&record.nodes) {
        let operands = node.operands.iter();
        for operand in operands.filter_map(|operand| usize::try_from(*operand).ok()) {
            if let Some(readers) = readers.get_mut(operand) {
                readers.push(number);
            }
        }
    }
    readers
}

fn name_at(record: &CompilationRecord, location: &str, nodes: &[u32]) -> String {
    let names = rows::op_names(record, nodes).join(", ");
    match line_of(record, location) {
        Some(line) if !names.is_empty() => format!("{names} (line {line})"),
        _ => names,
    }
}

fn line_of(record: &CompilationRecord, location: &str) -> Option<u32> {
    let mut ops = record.ops.iter();
    let op = ops.find(|op| op.location == location && op.line > 0);
    op.map(|op| op.line)
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;
    use halo_runtime::compilation_record::{ArenaBuffer, Node};

    fn call(purpose: CallPurpose, names: &[(&str, Option<u32>)], nodes: &[u32]) -> KernelCall {
        KernelCall {
            purpose,
            nodes: nodes.to_vec(),
            buffers: names
                .iter()
                .enumerate()
                .map(|(number, (name, arena))| CallBuffer {
                    name: (*name).to_owned(),
                    arena: *arena,
                    // The last one is that of the result.
                    is_written: number + 1 == names.len(),
                    ..CallBuffer::default()
                })
                .collect(),
            ..KernelCall::default()
        }
    }

    /// A call, then one that packs a weight and one that multiplies with it. The buffers of
    /// these begin before the loop around both.
    #[test]
    fn buffers_live_from_the_first_call_that_takes_them() {
        let mut record = samples::program(12);
        let buffer = |first, last| ArenaBuffer {
            first,
            last,
            bytes: record.nodes[1].bytes,
            ..ArenaBuffer::default()
        };
        let buffers = vec![buffer(10, 40), buffer(20, 40), buffer(20, 60)];
        record.calls = vec![
            call(CallPurpose::Compute, &[("arena", Some(0))], &[4]),
            call(
                CallPurpose::Pack,
                &[("argument 1", None), ("arena", Some(1))],
                &[1],
            ),
            call(
                CallPurpose::Compute,
                &[("arena", Some(1)), ("arena", Some(0)), ("arena", Some(2))],
                &[1, 3],
            ),
            call(CallPurpose::Compute, &[("arena", Some(2))], &[5]),
        ];
        record.arena = Some(Arena {
            peak: 20,
            buffers,
            call_times: vec![10, 22, 30, 50],
            ..Arena::default()
        });
        let plan = plan(&record).unwrap();
        let lives: Vec<_> = plan.buffers.iter().map(|it| (it.first, it.last)).collect();
        assert_eq!(lives, [(0, 2), (1, 2), (1, 3)]);
        // Not the call before, during which less is live.
        assert_eq!((plan.peak, plan.peak_end, plan.end), (1, 2, 3));
        assert_eq!(plan.buffers[1].label, "packed argument 1");
        assert!(
            plan.buffers[1]
                .content
                .starts_with("copy of argument 1, packed for dot_general")
        );
        // The product is read by the addition in the same kernel.
        assert!(
            plan.buffers[2].content.starts_with("result of add (line"),
            "{:?}",
            plan.buffers[2]
        );
    }

    /// A kernel with two results of one size, which are told apart by who reads them, one of
    /// which another kernel overwrites before the peak.
    #[test]
    fn buffers_are_named_by_what_they_hold_at_the_peak() {
        let mut record = samples::program(12);
        let node = |operands: &[i32], call: u32| Node {
            name: "stablehlo.add".to_owned(),
            operands: operands.to_vec(),
            calls: vec![call],
            bytes: 256,
            ..Node::default()
        };
        record.nodes = vec![
            node(&[-1], 0),
            node(&[-2], 0),
            node(&[0], 1),
            node(&[1], 2),
            node(&[2], 3),
        ];
        for (number, node) in record.nodes.iter_mut().enumerate() {
            node.origins = vec![number as u32];
            record.ops[number].name.clone_from(&node.name);
        }
        let buffer = ArenaBuffer {
            first: 1,
            last: 7,
            bytes: 256,
            ..ArenaBuffer::default()
        };
        let mut fill = call(CallPurpose::Fill, &[("arena", Some(2))], &[4]);
        fill.buffers[0].is_written = true;
        let mut first = call(
            CallPurpose::Compute,
            &[("arena", Some(0)), ("arena", Some(1))],
            &[0, 1],
        );
        first.buffers[0].is_written = true;
        record.calls = vec![
            first,
            call(CallPurpose::Compute, &[("arena", Some(0))], &[2]),
            call(
                CallPurpose::Compute,
                &[("arena", Some(1)), ("result 0", None)],
                &[3],
            ),
            call(
                CallPurpose::Compute,
                &[("arena", Some(0)), ("result 1", None)],
                &[4],
            ),
            fill,
        ];
        record.arena = Some(Arena {
            peak: 5,
            buffers: vec![buffer.clone(), buffer.clone(), buffer],
            call_times: vec![1, 3, 5, 7, 9],
            ..Arena::default()
        });
        let plan = plan(&record).unwrap();
        let contents: Vec<&str> = plan.buffers.iter().map(|it| &it.content[..]).collect();
        assert_eq!(
            contents,
            [
                "result of add (line 4); before add (line 2)",
                "result of add (line 3)",
                "one value everywhere, for add (line 6)",
            ]
        );
        // The second value of the first buffer, one that nobody reads, and a value for the result.
        let lives = plan.buffers.iter().map(|it| (it.first, it.last, it.value));
        assert_eq!(
            lives.collect::<Vec<_>>(),
            [(0, 3, (1, 3)), (0, 3, (0, 2)), (0, 3, (3, 3))]
        );
        let first = &plan.buffers[0];
        assert_eq!(first.place, "program.mlir:4:8");
        let labels: Vec<(u64, &str, bool)> = first
            .values
            .iter()
            .map(|(call, label, reads)| (*call, &label[..], *reads))
            .collect();
        assert_eq!(
            labels,
            [(0, "add (line 2)", false), (1, "add (line 4)", true)]
        );
        // What the program returns is there before it ends.
        record.calls[2].buffers[1].bytes = Some(256);
        let outside = super::plan(&record).unwrap().outside;
        assert_eq!(outside.len(), 1);
        assert_eq!(
            (
                &outside[0].memory[..],
                &outside[0].content[..],
                outside[0].life
            ),
            ("result 0", "result of add (line 5)", (2, 4))
        );
        // A value that is in the memory of a result until another one is written over it.
        record.calls[2].buffers[1].name = "result 1".to_owned();
        let outside = super::plan(&record).unwrap().outside;
        assert_eq!(outside[0].life, (2, 3));
        // After that, it is the other one.
        record.arena.as_mut().unwrap().peak = 9;
        record.calls[3].buffers[1].bytes = Some(256);
        let outside = super::plan(&record).unwrap().outside;
        assert_eq!(
            (&outside[0].content[..], outside[0].life),
            ("result of add (line 6)", (3, 4))
        );
    }
}
