//! The buffers of a function before they are packed into its arena.

use super::{Arena, ArenaBuffer, stamps::Stamp};
use halo_codegen::{
    bufferize::buffer_assignment::{self, BufferPlan},
    loops::order::Order,
};
use halo_ir::{diagnostics::file_line_column, ops::halo::ENTRY, prelude::*};

/// The pass before which the plan is recorded.
pub const PASS: &str = buffer_assignment::PASS.argument;

/// The plan for the entry of a module. Ops that become kernels or copies are stamped with their
/// times.
pub fn plan(module: Operation) -> Option<Arena> {
    let functions = module.body(0).map(Block::operations).unwrap_or_default();
    let entry = functions.into_iter().find(|op| op.has_attribute(ENTRY))?;
    let BufferPlan {
        bytes,
        lower_bound,
        buffers,
    } = buffer_assignment::plan(entry);
    let order = Order::of(entry);
    let end = order.span(entry).1 as u64;
    let buffers = buffers.into_iter().map(|buffer| {
        let location = buffer.allocation.location();
        let result = buffer.allocation.results().first().map(|value| value.ty());
        ArenaBuffer {
            offset: buffer.offset,
            bytes: buffer.bytes,
            ty: result.map_or_else(String::new, |of| of.to_string()),
            first: buffer.first as u64,
            last: (buffer.last as u64).min(end),
            location: file_line_column(location).unwrap_or_default(),
            nodes: Stamp::Node.numbers(location).into_iter().collect(),
        }
    });
    let arena = Arena {
        bytes,
        lower_bound,
        buffers: buffers.collect(),
        end,
        call_times: Vec::new(),
    };
    for op in entry.collect_nested(becomes_call) {
        Stamp::Time.put(op, order.span(op).0);
    }
    Some(arena)
}

fn becomes_call(op: Operation) -> bool {
    let name = op.name();
    let is_of = |dialect: &str| name.starts_with(dialect);
    matches!(
        name,
        "scf.parallel" | "scf.for" | "scf.forall" | "memref.copy"
    ) || is_of("halo.")
        || is_of("gpu.")
        || is_of("linalg.")
}
