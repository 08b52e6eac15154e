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
//! The live range of a buffer is the interval in program order from its first use to its last.
//! Views are not uses; uses of a view are uses of its buffer. The interval contains the whole of
//! each loop that uses a buffer of an outer block. Three kinds of buffers are not in the arena:
//! buffers of a parallel loop's body, because each iteration needs one (small ones are on the
//! stack, and inner loops, which are sequential, share one among their iterations); returned
//! buffers; and buffers that are allocated in a loop and carried to the next iteration, two of
//! which are live at once.
//!
//! In an entry of dynamic shape, the buffers of static size come first, and those whose size the
//! checks of `halo.plan_sizes` limit, with this size. Other buffers of dynamic size share places
//! after them, each as large as the largest of its buffers, and `halo.plan_sizes` gets the
//! size of the whole arena.

mod dynamic;
mod limits;

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
    ops::halo::{ARENA_BYTES, ARENA_LARGEST, ENTRY, PlanSizesOp},
    prelude::*,
};
use limits::Limits;
use std::collections::{HashMap, HashSet};

/// The alignment of the arena and of each buffer in it.
pub const ALIGNMENT: u64 = 64;
/// A smaller `memref.alloca` stays on the stack.
const SMALL_ALLOCA: u64 = 1024;
/// The maximal stack frame of a parallel loop's body.
pub const LARGEST_STACK: u64 = 128 << 10;

pass_options! {
    /// The options of the pass.
    struct Options {
        /// Also give an arena to functions without halo.entry
        all_functions: bool = false,
        /// Report the peak of live bytes, with its largest buffers
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

/// A buffer of the arena.
struct Buffer<'c> {
    allocation: Operation<'c>,
    aliases: Aliases<'c>,
    range: LiveRange,
}

/// The maximal number of buffers in a remark.
const MOST_NAMED: usize = 10;

/// Emits a remark with the size of the arena, its lower bound, and the largest buffers at the peak.
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

/// The largest sum of the buffers of one op. A loop counts as one op for buffers of outer blocks.
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

/// The planned arena of a function.
pub struct BufferPlan<'c> {
    /// Its size.
    pub bytes: u64,
    /// The peak of live bytes.
    pub lower_bound: u64,
    pub buffers: Vec<PlannedBuffer<'c>>,
}

/// A buffer of the arena. Moments are positions in [`Order`].
pub struct PlannedBuffer<'c> {
    pub allocation: Operation<'c>,
    pub offset: u64,
    pub bytes: u64,
    pub first: usize,
    pub last: usize,
}

/// Plans the arena of a function, without changing the function.
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
    let mut limits = Limits::of(function);
    function
        .collect_nested(|operation| {
            matches!(
                operation.name(),
                memref::AllocOp::NAME | memref::AllocaOp::NAME
            )
        })
        .into_iter()
        .filter_map(|allocation| buffer(&order, &mut limits, allocation))
        .collect()
}

fn assign_buffers<'c>(function: Operation<'c>, report: impl FnOnce(&[Buffer<'c>], u64)) {
    let buffers = buffers(function);
    let ranges: Vec<LiveRange> = buffers.iter().map(|buffer| buffer.range).collect();
    let assignment = assign(&ranges, ALIGNMENT);
    report(&buffers, assignment.total);
    let context = function.context();
    let total = assignment.total as i64;
    let plan = function.collect_nested(|op| op.isa::<PlanSizesOp>());
    let plan = plan.first().and_then(|op| op.cast::<PlanSizesOp>());
    let size = if plan.is_some() {
        sizes::DYNAMIC
    } else {
        total
    };
    let arena_type = memref_type(&[size], integer_type(context, 8));
    let Some(arena) = append_argument(function, arena_type) else {
        return;
    };
    let bytes = integer_attribute(integer_type(context, 64), total);
    function.set_attribute(ARENA_BYTES, bytes);
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
    // The views are inserted first, so that they dominate all uses. The allocations are erased
    // after that, since `first` may be an allocation.
    let views = with_builder(first, |builder| {
        buffers
            .iter()
            .zip(&assignment.offsets)
            .map(|(buffer, offset)| {
                let offset = i64::try_from(*offset).unwrap_or(i64::MAX);
                // Dynamic sizes are known at the allocation.
                if !buffer.allocation.operands().is_empty() {
                    builder.set_before(buffer.allocation);
                }
                let view = view(builder, arena, offset, buffer.allocation);
                builder.set_before(first);
                view
            })
            .collect::<Vec<_>>()
    });
    for (buffer, view) in buffers.iter().zip(views) {
        replace(buffer.allocation, &buffer.aliases, view);
    }
    if let Some(plan) = plan {
        dynamic::assign_buffers(function, plan, (arena, total));
    }
    free_others(function)
}

/// Replaces an allocation by its view of the arena.
fn replace<'c>(allocation: Operation<'c>, aliases: &Aliases<'c>, view: Value<'c>) {
    let mut erased = HashSet::new();
    with_builder(allocation, |builder| {
        for deallocation in &aliases.deallocations {
            if erased.insert(deallocation.key()) {
                builder.erase(*deallocation);
            }
        }
        builder.replace(allocation, &[view])
    });
}

/// Moves small buffers of a parallel loop's body, including its inner loops, to the stack. Frees
/// all other buffers outside the arena at the end of the body, or of the block that allocates them.
fn free_others(function: Operation<'_>) {
    // The stack bytes of each loop.
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
        // Inner loops are sequential, so that their iterations share a buffer.
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
    memref::view(&builder, arena, offset, &allocation.operands(), ty)
}

/// The buffer of an allocation, or `None` if it cannot be packed.
fn buffer<'c>(
    order: &Order<'c>,
    limits: &mut Limits,
    allocation: Operation<'c>,
) -> Option<Buffer<'c>> {
    let value = *allocation.results().first()?;
    let size = size_in_bytes(value.ty()).or_else(|| limits.bytes(allocation))?;
    if allocation.isa::<memref::AllocaOp>() && size < SMALL_ALLOCA {
        return None;
    }
    let (aliases, (first, last)) = live_range(order, allocation)?;
    Some(Buffer {
        allocation,
        aliases,
        range: LiveRange { size, first, last },
    })
}

/// The aliases of a buffer, and the first and the last moment when it is live; `None` if it cannot
/// be packed.
fn live_range<'c>(
    order: &Order<'c>,
    allocation: Operation<'c>,
) -> Option<(Aliases<'c>, (usize, usize))> {
    let value = *allocation.results().first()?;
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
    Some((aliases, (first, last)))
}

/// The uses of a buffer, including uses of its views. A view is not a use.
fn accesses<'a, 'c>(aliases: &'a Aliases<'c>) -> impl Iterator<Item = Operation<'c>> + 'a {
    let uses = aliases.users.iter().copied();
    uses.filter(|user| view_source(*user).is_none())
}

/// The op during which a use keeps the buffer alive: the user, or the outermost loop around it that
/// does not contain the allocation.
fn around<'c>(user: Operation<'c>, allocation: Operation<'c>) -> Operation<'c> {
    outermost_within(user, allocation.parent(), is_loop).unwrap_or(user)
}
