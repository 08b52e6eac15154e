//! `--halo-buffer-assignment`: packs all temporary buffers of a function into
//! one arena.
//!
//! A fresh megabyte from `malloc` costs more than the arithmetic on it, since
//! each of its pages faults on first touch. So every static `memref.alloc` gets
//! a range of one arena, which the runtime allocates once per executable and
//! passes as the last argument. Buffers with disjoint live ranges share memory.
//!
//! ```mlir
//! func.func @main(%in: memref<64xf32>) attributes {halo.entry} {
//!   %0 = memref.alloc() : memref<64xf32>
//!   ...
//! }
//! ```
//!
//! becomes
//!
//! ```mlir
//! func.func @main(%in: memref<64xf32>, %arena: memref<256xi8>)
//!     attributes {halo.arena_bytes = 256 : i64, halo.entry} {
//!   %c0 = arith.constant 0 : index
//!   %0 = memref.view %arena[%c0][] : memref<256xi8> to memref<64xf32>
//!   ...
//! }
//! ```
//!
//! The live range of a buffer is the interval in program order from its first
//! use to its last, through all of its views, which are no uses by themselves. A loop that
//! uses a buffer from outside is in the interval as a whole. Some buffers are not in the arena: buffers
//! of a parallel loop's body, where each iteration needs its own, which is on the stack
//! if it is small (loops in it are sequential, and have one for all iterations); buffers that are returned; and buffers that are allocated in a loop and
//! carried to the next iteration, of which two are live at once.

use super::arena_packing::{LiveRange, assign, peak};
use crate::{
    function::append_argument,
    loops::{
        aliases::{Aliases, is_loop, is_parallel_loop},
        order::{Order, outermost_within},
        prelude::*,
    },
};
use halo_ir::{
    diagnostics::file_line_column,
    ops::halo::{ARENA_BYTES, ARENA_LARGEST, ENTRY},
    prelude::*,
};
use std::collections::{HashMap, HashSet};

/// The alignment of the arena and of each buffer in it.
pub const ALIGNMENT: u64 = 64;
/// A smaller `memref.alloca` stays on the stack.
const SMALL_ALLOCA: u64 = 1024;
/// The most bytes that a parallel loop's body has on the stack of its thread.
const LARGEST_STACK: u64 = 128 << 10;

pass_options! {
    /// The options of the pass.
    struct Options {
        /// Also give an arena to functions without halo.entry
        all_functions: bool = false,
        /// Say how many bytes are live at once, and which buffers they are
        explain: bool = false,
    }
}

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "halo-buffer-assignment",
    "Pack the buffers of an entry function into one arena by live range",
    run,
)
.on::<func::FuncOp>()
.dependent_dialects(&["arith", "halo", "memref"])
.options::<Options>();

fn run(invocation: &mut PassInvocation) -> Result<(), PassFailure> {
    let function = invocation.operation();
    let wanted = function.has_attribute(ENTRY) || invocation.options::<Options>().all_functions;
    if !wanted || function.body(0).is_none() {
        return Ok(());
    }
    let explain = invocation.options::<Options>().explain;
    let report = |buffers: &[Buffer], total| {
        if explain {
            explain_arena(invocation, buffers, total);
        }
    };
    assign_buffers(function, report);
    Ok(())
}

/// A buffer that is packed into the arena.
struct Buffer<'c> {
    allocation: Operation<'c>,
    aliases: Aliases<'c>,
    range: LiveRange,
}

/// The most buffers that are named.
const MOST_NAMED: usize = 10;

/// Says how far the arena is from the least that is possible, and what takes most of it.
fn explain_arena(pass: &PassInvocation, buffers: &[Buffer], total: u64) {
    let ranges: Vec<LiveRange> = buffers.iter().map(|buffer| buffer.range).collect();
    let (moment, live) = peak(&ranges).unwrap_or_default();
    let mut holders: Vec<&Buffer> =
        buffers.iter().filter(|buffer| buffer.range.is_live(moment)).collect();
    holders.sort_by_key(|buffer| std::cmp::Reverse(buffer.range.size));
    let message = format!(
        "has an arena of {total} bytes for {} buffers; {live} bytes are live at once, in {} buffers; \
         an op needs {} bytes in any order",
        buffers.len(),
        holders.len(),
        largest_need(buffers)
    );
    let remark = pass.remark(pass.operation(), message);
    let largest = holders.into_iter().take(MOST_NAMED);
    largest.fold(remark, |remark, buffer| {
        let type_ = buffer.allocation.results()[0].ty();
        remark.note(
            buffer.allocation,
            format!("{} bytes, '{type_}'", buffer.range.size),
        )
    });
}

/// The most bytes of the buffers that one op uses, or a loop if it uses them from outside.
fn largest_need(buffers: &[Buffer]) -> u64 {
    let mut needs: HashMap<usize, u64> = HashMap::new();
    for buffer in buffers {
        let uses = accesses(&buffer.aliases);
        let users: HashSet<usize> =
            uses.map(|user| around(user, buffer.allocation).key()).collect();
        for user in users {
            *needs.entry(user).or_default() += buffer.range.size;
        }
    }
    needs.into_values().max().unwrap_or(0)
}

/// The arena of a function, before the pass makes it.
pub struct BufferPlan<'c> {
    /// Its size.
    pub bytes: u64,
    /// The most bytes that are live at once.
    pub lower_bound: u64,
    pub buffers: Vec<PlannedBuffer<'c>>,
}

/// A buffer of the arena. Moments are those of [`Order`].
pub struct PlannedBuffer<'c> {
    pub allocation: Operation<'c>,
    pub offset: u64,
    pub bytes: u64,
    pub first: usize,
    pub last: usize,
}

/// What the pass will do with a function. Nothing is changed.
pub fn plan(function: Operation<'_>) -> BufferPlan<'_> {
    let buffers = buffers(function);
    let ranges: Vec<LiveRange> = buffers.iter().map(|buffer| buffer.range).collect();
    let assignment = assign(&ranges, ALIGNMENT);
    let (_, lower_bound) = peak(&ranges).unwrap_or_default();
    let planned = buffers.iter().zip(&assignment.offsets);
    let planned = planned.map(|(buffer, offset)| PlannedBuffer {
        allocation: buffer.allocation,
        offset: *offset,
        bytes: buffer.range.size,
        first: buffer.range.first,
        last: buffer.range.last,
    });
    BufferPlan {
        bytes: assignment.total,
        lower_bound,
        buffers: planned.collect(),
    }
}

/// The buffers that can be packed.
fn buffers(function: Operation<'_>) -> Vec<Buffer<'_>> {
    let order = Order::of(function);
    function
        .collect_nested(|operation| {
            matches!(
                operation.name(),
                memref::AllocOp::NAME | memref::AllocaOp::NAME
            )
        })
        .into_iter()
        .filter_map(|allocation| buffer(&order, allocation))
        .collect()
}

fn assign_buffers<'c>(function: Operation<'c>, report: impl FnOnce(&[Buffer<'c>], u64)) {
    let buffers = buffers(function);
    let ranges: Vec<LiveRange> = buffers.iter().map(|buffer| buffer.range).collect();
    let assignment = assign(&ranges, ALIGNMENT);
    report(&buffers, assignment.total);
    let context = function.context();
    let total = assignment.total as i64;
    let arena_type = memref_type(&[total], integer_type(context, 8));
    let Some(arena) = append_argument(function, arena_type) else {
        return;
    };
    let total = integer_attribute(integer_type(context, 64), total);
    function.set_attribute(ARENA_BYTES, total);
    let largest = buffers.iter().max_by_key(|buffer| buffer.range.size);
    if let Some(location) =
        largest.and_then(|buffer| file_line_column(buffer.allocation.location()))
    {
        function.set_attribute(ARENA_LARGEST, string_attribute(context, &location));
    }
    let first = function
        .body(0)
        .map(Block::operations)
        .and_then(|operations| operations.first().copied());
    let Some(first) = first else {
        return;
    };
    // The views are inserted first, so that they dominate every use; the
    // allocations are erased after that, since `first` may be one of them.
    let views = with_builder(first, |builder| {
        buffers
            .iter()
            .zip(&assignment.offsets)
            .map(|(buffer, offset)| {
                let offset = i64::try_from(*offset).unwrap_or(i64::MAX);
                view(builder, arena, offset, buffer.allocation)
            })
            .collect::<Vec<_>>()
    });
    let mut erased = HashSet::new();
    for (buffer, view) in buffers.iter().zip(views) {
        with_builder(buffer.allocation, |builder| {
            for deallocation in &buffer.aliases.deallocations {
                if erased.insert(deallocation.key()) {
                    builder.erase(*deallocation);
                }
            }
            builder.replace(buffer.allocation, &[view])
        });
    }
    free_others(function)
}

/// Puts small buffers of a parallel loop's body on the stack, those of loops in it, too,
/// and frees all others that are not packed at the end of the body, or of the block that
/// allocates them.
fn free_others(function: Operation<'_>) {
    // The bytes on the stack, by loop.
    let mut stacks: HashMap<usize, u64> = HashMap::new();
    for allocation in function.collect_nested(|op| op.isa::<memref::AllocOp>()) {
        let Some(value) = allocation.results().first().copied() else {
            continue;
        };
        let aliases = Aliases::of(value);
        let leaves = aliases.leaves_loop(|around| allocation.is_inside(around));
        if aliases.returned || leaves || aliases.hidden || !aliases.deallocations.is_empty() {
            continue;
        }
        let around = outermost_within(allocation, None, is_parallel_loop);
        let size = size_in_bytes(value.ty());
        let mut on_stack = false;
        if let (Some(around), Some(size)) = (around, size) {
            let stack = stacks.entry(around.key()).or_default();
            on_stack = *stack + size <= LARGEST_STACK;
            *stack += if on_stack { size } else { 0 };
        }
        // Iterations of inner loops come one after the other, and have one buffer.
        let block = match around.filter(|_| size.is_some()) {
            Some(around) => around.body(0),
            None => allocation.block(),
        };
        let (Some(first), Some(last)) = (
            block.and_then(|block| block.operations().first().copied()),
            block.and_then(Block::terminator),
        ) else {
            continue;
        };
        let place = if allocation.block() == block {
            allocation
        } else {
            first
        };
        with_builder(place, |builder| {
            let builder = &builder.at(allocation.location());
            let ty = value.ty();
            let buffer = if on_stack {
                let buffer = memref::AllocaOp::build(builder, &[], &[], ty);
                buffer.alignment(ALIGNMENT as i64).value()
            } else if place == allocation {
                value
            } else {
                let buffer = memref::AllocOp::build(builder, &[], &[], ty);
                buffer.alignment(ALIGNMENT as i64).value()
            };
            if buffer != value {
                builder.replace(allocation, &[buffer]);
            }
            if !on_stack {
                with_builder(last, |builder| memref::dealloc(builder, buffer));
            }
        });
    }
}

fn view<'c>(
    builder: &Builder<'c>,
    arena: Value<'c>,
    offset: i64,
    allocation: Operation<'c>,
) -> Value<'c> {
    let builder = builder.at(allocation.location());
    let offset = index::constant(&builder, offset);
    let ty = allocation.results()[0].ty();
    memref::view(&builder, arena, offset, &[], ty)
}

/// The buffer of an allocation, or `None` if it cannot be packed.
fn buffer<'c>(order: &Order<'c>, allocation: Operation<'c>) -> Option<Buffer<'c>> {
    let value = *allocation.results().first()?;
    let size = size_in_bytes(value.ty())?;
    if allocation.isa::<memref::AllocaOp>() && size < SMALL_ALLOCA {
        return None;
    }
    let mut parent = allocation.parent();
    while let Some(operation) = parent {
        if is_parallel_loop(operation) {
            return None;
        }
        parent = operation.parent();
    }
    let aliases = Aliases::of(value);
    if aliases.returned || aliases.leaves_loop(|around| allocation.is_inside(around)) {
        return None;
    }
    let (mut first, mut last) = (usize::MAX, 0);
    for user in accesses(&aliases) {
        let (start, end) = order.span(around(user, allocation));
        first = first.min(start);
        last = last.max(end);
    }
    if first > last {
        (first, last) = order.span(allocation);
    }
    if aliases.hidden {
        (first, last) = (0, usize::MAX);
    }
    Some(Buffer {
        allocation,
        aliases,
        range: LiveRange { size, first, last },
    })
}

/// The uses of a buffer. A view is another name: what uses it is a use.
fn accesses<'a, 'c>(aliases: &'a Aliases<'c>) -> impl Iterator<Item = Operation<'c>> + 'a {
    let uses = aliases.users.iter().copied();
    uses.filter(|user| view_source(*user).is_none())
}

/// The op that a use keeps a buffer alive for: itself, or the outermost loop around it that is not
/// around the allocation.
fn around<'c>(user: Operation<'c>, allocation: Operation<'c>) -> Operation<'c> {
    outermost_within(user, allocation.parent(), is_loop).unwrap_or(user)
}
