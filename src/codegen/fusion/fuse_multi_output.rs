//! `--halo-fuse-multi-output`: fuses an elementwise op into a user while keeping its results, and
//! fuses siblings.
//!
//! `--halo-fuse-elementwise` fuses a producer into its only user. A value with several users, such
//! as the new momentum of an optimizer, which is a result and an operand of the next formula,
//! remains a separate op, whose elements are written and read again. This pass fuses the two ops
//! into one op with the results of both. Unused results are dropped, so that a chain of formulas in
//! which each value is used twice, such as a round of threefry, becomes one loop with two results.
//!
//! ```mlir
//! %0 = linalg.generic {indexing_maps = [#id, #id, #id]} ins(%a, %b) outs(%e) { addf }
//! %1 = linalg.generic {indexing_maps = [#id, #id]} ins(%0) outs(%e) { math.sqrt }
//! return %0, %1
//! ```
//!
//! becomes
//!
//! ```mlir
//! %0:2 = linalg.generic {indexing_maps = [#id, #id, #id, #id]} ins(%a, %b) outs(%e0, %e1) {
//!   ^bb0(%x: f32, %y: f32, %out0: f32, %out1: f32):
//!     %1 = arith.addf %x, %y : f32
//!     %2 = math.sqrt %1 : f32
//!     linalg.yield %1, %2 : f32, f32
//! }
//! return %0#0, %0#1
//! ```
//!
//! The ops must have the same loops, and each element is read in the iteration that writes it. All
//! other users of the first op must come after the second.
//!
//! Siblings are independent ops with the same loops. Two siblings are fused if they read an operand
//! together, element by element, and all users of the first come after the second. They are also
//! fused if they are so small that the loop overhead dominates, such as the scales of the channels
//! in batch normalization. A small op is fused with its first sibling at which its operands are
//! available.
//!
//! With the option `reductions`, reductions with the same loops that read an operand together are
//! fused, too, such as the gradients of the scale and the offset in layer normalization, unless one
//! has a user that it can compute as its epilogue.

use super::{
    blocks_around_loops,
    fuse_elementwise::{FEW_ELEMENTS, reduces},
};
use crate::{
    explain::{Outcome, Reason},
    loops::{aliases::is_in_parallel_loop, elementwise::Elementwise, order::Order},
};
use halo_ir::prelude::*;
use std::collections::HashMap;

/// The maximal ops of a fused body.
const LONGEST_BODY: usize = 512;
/// The maximal results of a fused op: each is a stream of stores.
const MOST_RESULTS: usize = 8;
/// The maximal number of candidates for a sibling.
const MOST_CANDIDATES: usize = 16;

pass_options! {
    /// The options of the pass.
    struct Options {
        /// Report why two ops are not fused
        explain: bool = false,
        /// Fuse sibling reductions
        reductions: bool = false,
    }
}

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "halo-fuse-multi-output",
    "Fuse elementwise ops and siblings into ops with several results",
    run,
)
.on::<func::FuncOp>()
.dependent_dialects(&["linalg", "tensor"])
.options::<Options>();

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    let options = pass.options::<Options>();
    let mut order = Order::of(pass.operation());
    for block in blocks_around_loops(pass.operation()) {
        for op in block.operations() {
            let mut consumer = Elementwise::of(op);
            while let Some(second) = consumer {
                let Some(first) = second.producer(&order) else {
                    break;
                };
                let joined = join(&first, &second, &mut order);
                consumer = Elementwise::of(joined);
            }
        }
        join_siblings(block, &mut order);
        if options.reductions {
            join_reductions(block, &mut order);
        }
        if options.explain {
            explain(pass, block, &order);
        }
    }
    Ok(())
}

/// Emits remarks for the ops of a block that could be fused with others but are not.
fn explain<'c>(pass: &PassInvocation, block: Block<'c>, order: &Order<'c>) {
    let ops: Vec<Elementwise> =
        block.operations().into_iter().filter_map(Elementwise::of).collect();
    for (position, second) in ops.iter().enumerate() {
        let earlier = &ops[position.saturating_sub(MOST_CANDIDATES)..position];
        for first in earlier {
            let (verdict, other) = if second.reads(first) {
                if first.has_one_user() {
                    // `--halo-fuse-elementwise` has reported the reason.
                    continue;
                }
                (second.can_join_producer(first, order), "the user")
            } else if second.sizes() == first.sizes() && second.reads_with(first) {
                (second.can_join_sibling(first, order), "the other")
            } else {
                continue;
            };
            if let Err(reason) = verdict {
                Outcome::NotJoinedWithOp
                    .because(reason)
                    .remark(pass, first.op)
                    .note(second.op, other);
            }
        }
    }
}

/// Fuses the siblings of a block.
fn join_siblings<'c>(block: Block<'c>, order: &mut Order<'c>) {
    let mut candidates: HashMap<Vec<i64>, Vec<Operation>> = HashMap::new();
    for op in block.operations() {
        let Some(second) = Elementwise::of(op).filter(Elementwise::has_places) else {
            continue;
        };
        let Some(sizes) = second.sizes() else {
            continue;
        };
        let earlier = candidates.entry(sizes).or_default();
        let siblings = earlier.iter().copied().filter_map(Elementwise::of);
        let sibling = siblings.enumerate().find(|(_, first)| second.is_sibling(first, order));
        let last = match sibling {
            Some((position, first)) => {
                earlier.remove(position);
                second.join_sibling(&first, order)
            }
            None => second.op,
        };
        earlier.push(last);
        if earlier.len() > MOST_CANDIDATES {
            earlier.remove(0);
        }
    }
}

/// Fuses the sibling reductions of a block.
fn join_reductions<'c>(block: Block<'c>, order: &mut Order<'c>) {
    let mut candidates: Vec<Operation> = Vec::new();
    for op in block.operations() {
        let Some(second) = reduction(op).filter(|_| !is_in_parallel_loop(op)) else {
            continue;
        };
        let is_sibling = |first: &Elementwise<'c>| {
            let kinds = [first.op, op].map(|op| {
                let generic = linalg::GenericOp::from_unchecked(op);
                generic.iterator_types()
            });
            kinds[0] == kinds[1]
                && second.reads_with(first)
                && second.fits(first, first.outputs.len()).is_ok()
                && second.comes_before_users(first, order)
        };
        let earlier = candidates.iter().enumerate();
        let mut earlier = earlier.filter_map(|(at, first)| Some((at, reduction(*first)?)));
        let sibling = earlier.find(|(_, first)| is_sibling(first));
        let last = match sibling {
            Some((position, first)) => {
                candidates.remove(position);
                join(&first, &second, order)
            }
            None => op,
        };
        candidates.push(last);
        if candidates.len() > MOST_CANDIDATES {
            candidates.remove(0);
        }
    }
}

/// A reduction without an epilogue.
fn reduction(op: Operation<'_>) -> Option<Elementwise<'_>> {
    let generic = op.cast::<linalg::GenericOp>()?;
    let is_epilogue = |(user, _): (Operation, usize)| {
        user.block() == op.block() && user.isa::<linalg::GenericOp>() && !reduces(user)
    };
    let mut uses = op.results().into_iter().flat_map(Value::uses);
    if !reduces(op) || uses.any(is_epilogue) {
        return None;
    }
    Some(Elementwise {
        op,
        inputs: generic.inputs(),
        outputs: generic.outputs(),
        maps: op.indexing_maps()?,
    })
}

impl<'c> Elementwise<'c> {
    /// A producer that can be fused into this op.
    fn producer(&self, order: &Order<'c>) -> Option<Self> {
        let producers = self.inputs.iter().zip(&self.maps);
        let mut producers = producers
            .filter(|(_, map)| map.is_identity())
            .filter_map(|(input, _)| input.defining_op());
        producers.find_map(|op| {
            let producer =
                Self::of(op).filter(|producer| producer.op.block() == self.op.block())?;
            let is_joined =
                !producer.has_one_user() && self.can_join_producer(&producer, order).is_ok();
            is_joined.then_some(producer)
        })
    }

    /// Returns true if it reads a result of another op, element by element.
    fn reads(&self, producer: &Self) -> bool {
        let mut inputs = self.inputs.iter().zip(&self.maps);
        inputs.any(|(input, map)| {
            map.is_identity() && input.defining_op().is_some_and(|op| op == producer.op)
        })
    }

    /// Returns true if this op reads each element of another op in the iteration that writes it,
    /// and all other users come after this op.
    fn follows(&self, producer: &Self, order: &Order<'c>) -> bool {
        let mut uses = producer.op.results().into_iter().flat_map(Value::uses);
        uses.all(|(user, operand)| {
            if user == self.op {
                operand < self.inputs.len() && self.maps[operand].is_identity()
            } else {
                order.is_behind(user, self.op)
            }
        })
    }

    /// Returns true if the results have separate empty destinations that the body does not read.
    pub(super) fn has_places(&self) -> bool {
        self.has_empty_outputs() && !self.outputs.is_empty() && !self.reads_outputs()
    }

    /// Returns true if all uses of its results are insertions into other tensors.
    fn is_inserted(&self) -> bool {
        let mut uses = self.op.results().into_iter().flat_map(Value::uses);
        uses.all(|(user, _)| user.isa::<tensor::InsertSliceOp>())
    }

    /// The sizes of its loops, if they are known and it has a result.
    fn sizes(&self) -> Option<Vec<i64>> {
        self.outputs.first()?.ty().static_shape()
    }

    /// Returns true if the op has so few elements that it is fused even with siblings that share no
    /// operand.
    fn is_small(&self) -> bool {
        let sizes = self.sizes().unwrap_or_default();
        sizes.into_iter().fold(1, i64::saturating_mul) <= FEW_ELEMENTS
    }

    /// Returns true if an earlier op with the same loops should be fused with this one.
    fn is_sibling(&self, first: &Self, order: &Order<'c>) -> bool {
        (self.reads_with(first) || self.is_small()) && self.can_join_sibling(first, order).is_ok()
    }

    /// Returns true if two ops with the same loops read an operand together, element by element, or
    /// both have no operands, and read elements of the same tensor at computed indices.
    fn reads_with(&self, first: &Self) -> bool {
        if self.inputs.is_empty() && first.inputs.is_empty() {
            let gathered = self.gathered();
            return first.gathered().iter().any(|tensor| gathered.contains(tensor));
        }
        let is_read = |value: Value| {
            let mut inputs = first.inputs.iter().zip(&first.maps);
            inputs.any(|(input, map)| *input == value && map.is_identity())
        };
        let mut inputs = self.inputs.iter().zip(&self.maps);
        inputs.any(|(input, map)| map.is_identity() && is_read(*input))
    }

    /// The tensors that it reads at computed indices.
    fn gathered(&self) -> Vec<Value<'c>> {
        let reads = self.op.collect_nested(|op| op.isa::<tensor::ExtractOp>());
        reads.into_iter().map(|read| read.operands()[0]).collect()
    }

    fn can_join_sibling(&self, first: &Self, order: &Order<'c>) -> Result<(), Reason> {
        if !self.has_places() || !first.has_places() {
            return Err(Reason::OneReadsWhatItOverwrites);
        }
        if self.is_inserted() && first.is_inserted() {
            return Err(Reason::EachInSlice);
        }
        self.fits(first, first.outputs.len())?;
        let can_move = self.is_small() && self.can_be_at(first, order);
        if self.comes_before_users(first, order) || can_move {
            Ok(())
        } else {
            Err(Reason::UsedBetween)
        }
    }

    /// Checks the limits of a loop of two ops, with so many results of the first.
    fn fits(&self, first: &Self, results: usize) -> Result<(), Reason> {
        if results + self.outputs.len() > MOST_RESULTS {
            return Err(Reason::TooManyResults);
        }
        if first.length() + self.length() > LONGEST_BODY {
            Err(Reason::LoopTooLong)
        } else {
            Ok(())
        }
    }

    /// Returns true if all users of an earlier op come after this one, which therefore does not use
    /// it.
    fn comes_before_users(&self, first: &Self, order: &Order<'c>) -> bool {
        let mut users = first.op.results().into_iter().flat_map(Value::uses);
        users.all(|(user, _)| user != self.op && order.is_behind(user, self.op))
    }

    /// Returns true if all of its operands dominate an earlier op.
    fn can_be_at(&self, first: &Self, order: &Order<'c>) -> bool {
        let nested = self.op.collect_nested(|nested| nested != self.op);
        let captured = nested.into_iter().flat_map(Operation::operands);
        self.inputs.iter().copied().chain(captured).all(|value| {
            value.defining_op().is_none_or(|op| {
                op.is_inside(self.op)
                    || op.block() != first.op.block()
                    || order.is_before(op, first.op)
            })
        })
    }

    /// Fuses this op with a sibling, at the position of this op if all users of the sibling come
    /// after it, else at the position of the sibling.
    fn join_sibling(&self, first: &Self, order: &mut Order<'c>) -> Operation<'c> {
        if self.comes_before_users(first, order) {
            return join(first, self, order);
        }
        join(self, first, order)
    }

    /// Returns true if it has one result with one use, which `--halo-fuse-elementwise` handles.
    fn has_one_user(&self) -> bool {
        let results = self.op.results();
        results.len() == 1 && results[0].has_one_use()
    }

    fn can_join_producer(&self, producer: &Self, order: &Order<'c>) -> Result<(), Reason> {
        if !self.follows(producer, order) {
            return Err(Reason::OtherUsers);
        }
        // Dropped results have no destinations that the first op could read.
        if producer.reads_outputs() {
            return Err(Reason::FirstReadsWhatItOverwrites);
        }
        let left = producer
            .op
            .results()
            .into_iter()
            .filter(|result| is_read_elsewhere(*result, self.op))
            .count();
        self.fits(producer, left)
    }
}

fn is_read_elsewhere(value: Value, reader: Operation) -> bool {
    value.uses().into_iter().any(|(user, _)| user != reader)
}

/// Replaces two ops by one, at the position of the second.
fn join<'c>(
    first: &Elementwise<'c>,
    second: &Elementwise<'c>,
    order: &mut Order<'c>,
) -> Operation<'c> {
    // A reduction may read each of its accumulators.
    let kept: Vec<bool> = first
        .op
        .results()
        .into_iter()
        .map(|result| is_read_elsewhere(result, second.op) || reduces(first.op))
        .collect();
    let produced: Vec<usize> = first.op.results().into_iter().map(Value::key).collect();
    let read: Vec<Option<usize>> = second
        .inputs
        .iter()
        .map(|input| produced.iter().position(|key| *key == input.key()))
        .collect();
    with_builder(second.op, |b| {
        let (mut inputs, mut maps) = (
            first.inputs.clone(),
            first.maps[..first.inputs.len()].to_vec(),
        );
        for ((input, map), read) in second.inputs.iter().zip(&second.maps).zip(&read) {
            if read.is_none() {
                inputs.push(*input);
                maps.push(*map);
            }
        }
        let mut outputs = Vec::new();
        let starts = first.outputs.iter().zip(&kept).filter(|(_, kept)| **kept);
        for start in starts.map(|(start, _)| start).chain(&second.outputs) {
            let empty = start.defining_op().and_then(|op| op.cast::<tensor::EmptyOp>());
            outputs.push(match empty {
                // Each result gets a separate destination.
                Some(empty) => tensor::empty(b, &empty.dynamic_sizes(), start.ty()),
                None => *start,
            });
        }
        let of_results = first.maps[first.inputs.len()..].iter().zip(&kept);
        maps.extend(of_results.filter(|(_, kept)| **kept).map(|(map, _)| *map));
        maps.extend(&second.maps[second.inputs.len()..]);
        // Ops are fused one by one, so that the body of the first may be long: it is moved instead
        // of copied.
        let body = first.op.body(0);
        let kinds = linalg::GenericOp::from_unchecked(second.op).iterator_types();
        let joined = linalg::generic(b, &inputs, &outputs, &maps, &kinds, |b, elements| {
            let (elements, places) = elements.split_at(inputs.len());
            let mut of_second = elements[first.inputs.len()..].iter();
            let computed = body.map_or(Vec::new(), yielded);
            let mut arguments: Vec<Value> = read
                .iter()
                .filter_map(|read| match read {
                    Some(result) => computed.get(*result).copied(),
                    None => of_second.next().copied(),
                })
                .collect();
            arguments.extend(&places[places.len() - second.outputs.len()..]);
            let last = second.inline(b, &arguments);
            let kept = computed.into_iter().zip(&kept).filter(|(_, kept)| **kept);
            kept.map(|(value, _)| value).chain(last).collect::<Vec<_>>()
        });
        let joined = joined.operation();
        let mut results = joined.results().into_iter();
        for (result, kept) in first.op.results().into_iter().zip(&kept) {
            if *kept && let Some(new) = results.next() {
                b.replace_uses(result, new);
            }
        }
        let last: Vec<Value> = results.collect();
        order.replace(second.op, joined);
        order.remove(first.op);
        b.replace(second.op, &last);
        if let (Some(from), Some(to)) = (body, joined.body(0)) {
            let kept = (0..kept.len()).filter(|at| kept[*at]).enumerate();
            let places = kept.map(|(to, from)| (first.inputs.len() + from, inputs.len() + to));
            let read = (0..first.inputs.len()).map(|at| (at, at));
            move_body(b, (from, to), read.chain(places));
        }
        b.erase(first.op);
        joined
    })
}

/// The operands of the terminator of a body.
fn yielded<'c>(body: Block<'c>) -> Vec<Value<'c>> {
    let last = body.operations().pop();
    last.map_or(Vec::new(), Operation::operands)
}

/// Moves the ops of a body, except for the terminator, to the front of another body. `arguments` are
/// the numbers of arguments of the first that arguments of the second replace.
fn move_body<'c>(
    b: &Builder<'c>,
    (from, to): (Block<'c>, Block<'c>),
    arguments: impl Iterator<Item = (usize, usize)>,
) {
    let (old, new) = (from.arguments(), to.arguments());
    for (old_number, new_number) in arguments {
        b.replace_uses(old[old_number], new[new_number]);
    }
    let Some(front) = to.operations().into_iter().next() else {
        return;
    };
    let mut ops = from.operations();
    ops.pop();
    for op in ops {
        op.move_before(front);
    }
}
