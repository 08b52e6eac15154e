//! Buffers whose sizes are computed from the sizes of the arguments.

use super::{ALIGNMENT, live_range, replace};
use crate::{
    function::Hoisting,
    loops::{aliases::Aliases, order::Order},
};
use halo_ir::{ops::halo::PlanSizesOp, prelude::*};
use std::collections::HashMap;

/// No size in bytes exceeds it: larger ones become this one, which cannot be allocated.
const MOST_BYTES: i64 = 1 << 62;

/// A buffer of dynamic size.
struct Buffer<'c> {
    allocation: Operation<'c>,
    aliases: Aliases<'c>,
    live: (usize, usize),
}

/// A place of the arena for buffers that are not live at once.
struct Slot<'c> {
    buffers: Vec<usize>,
    /// The sizes of the buffers.
    sizes: Vec<Value<'c>>,
}

/// Gives the buffers of dynamic size places after the first `fixed` bytes of the arena, and plans
/// its size.
pub fn assign_buffers<'c>(
    function: Operation<'c>,
    plan: PlanSizesOp<'c>,
    (arena, fixed): (Value<'c>, i64),
) {
    let Some(block) = function.body(0) else {
        return;
    };
    let arguments = block.arguments().into_iter().filter(|argument| !argument.ty().is_memref());
    let mut hoisting = Hoisting::new(plan.operation(), &arguments.collect::<Vec<_>>());
    let order = Order::of(function);
    let mut buffers = Vec::new();
    for allocation in function.collect_nested(|op| op.isa::<memref::AllocOp>()) {
        let sizes = allocation.operands();
        if sizes.is_empty() {
            continue;
        }
        let Some((aliases, live)) = live_range(&order, allocation) else {
            continue;
        };
        if sizes.iter().all(|size| hoisting.hoist(*size).is_ok()) {
            buffers.push(Buffer {
                allocation,
                aliases,
                live,
            });
        }
    }
    buffers.sort_by_key(|buffer| buffer.live);
    with_builder(plan.operation(), |b| {
        let mut slots: Vec<Slot> = Vec::new();
        let mut known = HashMap::new();
        for (number, buffer) in buffers.iter().enumerate() {
            let dynamic = buffer.allocation.operands();
            let fixed = fixed_bytes(buffer.allocation);
            let key = (
                dynamic.iter().map(|size| size.key()).collect::<Vec<_>>(),
                fixed,
            );
            let size = known.entry(key).or_insert_with(|| size_in_bytes(b, fixed, &dynamic));
            let size = *size;
            let is_free = |slot: &Slot| {
                let mut others = slot.buffers.iter().map(|other| buffers[*other].live);
                others.all(|(first, last)| last < buffer.live.0 || buffer.live.1 < first)
            };
            let mut free: Vec<&mut Slot> = slots.iter_mut().filter(|slot| is_free(slot)).collect();
            let same = free.iter().position(|slot| slot.sizes.contains(&size));
            match free.get_mut(same.unwrap_or(0)) {
                Some(slot) => {
                    slot.buffers.push(number);
                    if same.is_none() {
                        slot.sizes.push(size);
                    }
                }
                None => slots.push(Slot {
                    buffers: vec![number],
                    sizes: vec![size],
                }),
            }
        }
        let mut end = index::constant(b, fixed);
        for slot in &slots {
            let offset = end;
            let mut size = slot.sizes[0];
            for other in &slot.sizes[1..] {
                size = arith::maxsi(b, size, *other);
            }
            end = bounded(b, arith::addi(b, end, size));
            for number in &slot.buffers {
                let allocation = buffers[*number].allocation;
                let b = &b.at(allocation.location());
                let ty = allocation.results()[0].ty();
                let view = memref::view(b, arena, offset, &allocation.operands(), ty);
                replace(allocation, &buffers[*number].aliases, view);
            }
        }
        let sizes = [&plan.sizes()[..], &[end]].concat();
        let messages = plan.messages();
        PlanSizesOp::build(b, &sizes, &plan.checks(), &messages).insert();
        b.erase(plan.operation());
    });
}

/// The product of the static sizes of a buffer, in bytes.
fn fixed_bytes(allocation: Operation) -> i64 {
    let ty = allocation.results()[0].ty();
    let shape = ty.shape().unwrap_or_default();
    let width = ty.element_type().byte_width().unwrap_or(1) as i64;
    shape.into_iter().flatten().fold(width, i64::saturating_mul).min(MOST_BYTES)
}

/// The size of a buffer in bytes, a multiple of the alignment.
fn size_in_bytes<'c>(b: &Builder<'c>, fixed: i64, dynamic: &[Value<'c>]) -> Value<'c> {
    let mut bytes = index::constant(b, fixed);
    for size in dynamic {
        bytes = bounded_product(b, *size, bytes);
    }
    let alignment = index::constant(b, ALIGNMENT as i64);
    let rounded = arith::addi(b, bytes, index::constant(b, ALIGNMENT as i64 - 1));
    let lines = arith::divui(b, rounded, alignment);
    arith::muli(b, lines, alignment)
}

/// The product of two sizes, or [`MOST_BYTES`] if it is larger.
fn bounded_product<'c>(b: &Builder<'c>, lhs: Value<'c>, rhs: Value<'c>) -> Value<'c> {
    let most = index::constant(b, MOST_BYTES);
    let one = index::constant(b, 1);
    let limit = arith::divui(b, most, arith::maxui(b, rhs, one));
    let fits = arith::cmpi(b, CmpIPredicate::Ule, lhs, limit);
    arith::select(b, fits, arith::muli(b, lhs, rhs), most)
}

fn bounded<'c>(b: &Builder<'c>, size: Value<'c>) -> Value<'c> {
    arith::minui(b, size, index::constant(b, MOST_BYTES))
}
