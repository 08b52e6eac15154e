//! The buffers of the arena by the calls that use them: what each holds, and how long.
//!
//! A plan counts ops, of which a kernel has hundreds, and a buffer begins before the loops of the
//! kernel that fills it. A reader counts calls: a buffer lives from the first call that takes it
//! to the last.

use super::{format, rows};
use halo_runtime::compilation_record::{Arena, CallPurpose, CompilationRecord};
use serde::Serialize;

/// The memory plan in calls.
#[derive(Debug, Default, Serialize)]
pub struct Plan {
    pub buffers: Vec<Buffer>,
    /// The call at the peak, the first one of those in which as much is live.
    pub peak: u64,
    /// The last of them.
    pub peak_end: u64,
    /// How many calls there are.
    pub end: u64,
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
}

/// The plan of a record in calls; `None` without an arena.
pub fn plan(record: &CompilationRecord) -> Option<Plan> {
    let arena = record.arena.as_ref()?;
    let calls = record.calls.len() as u64;
    let buffers = arena.buffers.iter().enumerate().map(|(number, buffer)| {
        let first = call_from(arena, buffer.first);
        let last = call_until(arena, buffer.last);
        let (label, content) = content(record, number);
        Buffer {
            first,
            // A buffer that only scalar code uses lives before a call.
            last: last.max(first),
            label,
            content,
        }
    });
    let mut plan = Plan {
        buffers: buffers.collect(),
        peak: call_from(arena, arena.peak),
        peak_end: 0,
        end: calls.saturating_sub(1),
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
    Some(plan)
}

impl Plan {
    /// The calls at the peak by name, such as `main_pack_2 to main_kernel_5`.
    pub fn at_peak(&self, record: &CompilationRecord) -> String {
        let name = |call: u64| {
            let call = usize::try_from(call)
                .ok()
                .and_then(|call| record.calls.get(call));
            call.map(|call| format::plain(&call.name))
                .unwrap_or_default()
        };
        match self.peak_end > self.peak {
            true => format!("{} to {}", name(self.peak), name(self.peak_end)),
            false => name(self.peak),
        }
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

/// What a buffer holds: what the first call that takes it writes there.
fn content(record: &CompilationRecord, number: usize) -> (String, String) {
    let arena = record.arena.as_ref();
    let Some(buffer) = arena.and_then(|arena| arena.buffers.get(number)) else {
        return Default::default();
    };
    let is_it = |arena: Option<u32>| arena == u32::try_from(number).ok();
    let mut calls = record.calls.iter();
    let writer = calls.find(|call| call.buffers.iter().any(|it| is_it(it.arena)));
    let of_location = || name_at(record, &buffer.location, &buffer.nodes);
    let Some(writer) = writer else {
        let name = of_location();
        return (name.clone(), format!("result of {name}"));
    };
    let user = || {
        let ops = rows::op_names(record, &writer.nodes).join(", ");
        match line_of(record, &writer.location) {
            Some(line) => format!("{ops} (line {line})"),
            None => ops,
        }
    };
    let is_product = writer.nodes.iter().any(|node| {
        let node = record.nodes.get(*node as usize);
        node.is_some_and(|node| node.flops > 0)
    });
    match writer.purpose {
        CallPurpose::Pack => {
            let source = writer.buffers.iter().find(|it| !is_it(it.arena));
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
        CallPurpose::Move if is_product => (
            "rearranged operand".to_owned(),
            format!("operand, padded or rearranged for {}", user()),
        ),
        _ => {
            let results = results_of(record, writer, buffer.bytes);
            match &results[..] {
                [name] => (name.clone(), format!("result of {name}")),
                [] => (of_location(), format!("result of {}", of_location())),
                [.., name] => (
                    format!("of {}", format::plain(&writer.name)),
                    format!(
                        "one of {} results of {}, of which {name} is the last",
                        results.len(),
                        format::plain(&writer.name)
                    ),
                ),
            }
        }
    }
}

/// The ops of a call whose values of a size others read, by name and line.
fn results_of(
    record: &CompilationRecord,
    call: &halo_runtime::compilation_record::KernelCall,
    bytes: u64,
) -> Vec<String> {
    let is_in = |number: u32| call.nodes.contains(&number);
    let is_read_inside = |number: u32| {
        let readers = record.nodes.iter().enumerate();
        let mut readers = readers.filter(|(_, node)| node.operands.contains(&(number as i32)));
        let mut any = false;
        let inside = readers.all(|(reader, _)| {
            any = true;
            is_in(reader as u32)
        });
        any && inside
    };
    let results = call.nodes.iter().copied().filter(|node| {
        let data = record.nodes.get(*node as usize);
        data.is_some_and(|data| data.bytes == bytes && !rows::is_end(data))
            && !is_read_inside(*node)
    });
    let results = results.filter_map(|node| record.nodes.get(node as usize));
    let names = results.map(|node| {
        let mut lines = node
            .origins
            .iter()
            .filter_map(|op| record.ops.get(*op as usize))
            .map(|op| op.line);
        let name = format::short(&node.name);
        match lines.find(|line| *line > 0) {
            Some(line) => format!("{name} (line {line})"),
            None => name.to_owned(),
        }
    });
    names.collect()
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
    use halo_runtime::compilation_record::{ArenaBuffer, CallBuffer, KernelCall};

    fn call(purpose: CallPurpose, names: &[(&str, Option<u32>)], nodes: &[u32]) -> KernelCall {
        KernelCall {
            purpose,
            nodes: nodes.to_vec(),
            buffers: names
                .iter()
                .map(|(name, arena)| CallBuffer {
                    name: (*name).to_owned(),
                    arena: *arena,
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
}
