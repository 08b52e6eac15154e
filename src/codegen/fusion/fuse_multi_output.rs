//! `--halo-fuse-multi-output`: joins elementwise ops of which one reads the other, where
//! others read it too, and siblings.
//!
//! `--halo-fuse-elementwise` puts a producer into its only user. A value with several
//! users, such as the new momentum of an optimizer, which is a result and is read by the
//! next formula, stays an op of its own, and its elements are written and read again. Here
//! the two become one op with the results of both. A result that nothing reads any more is
//! none of the op's, so that a chain of formulas in which each value is read twice, such as
//! a round of threefry, becomes one loop with two results.
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
//! The ops have the same loops, and each element is read where it is written. All other
//! users of the first op come behind the second.
//!
//! Siblings are ops with the same loops of which none needs the other. Two are joined if
//! they read an operand together, element by element, and all users of the first come
//! behind the second; or if they are so small that starting a loop is most of their work,
//! such as the scales that batch normalization computes for each channel. A small one is
//! computed with the first of its siblings, as early as its operands are there.

use super::{blocks_around_loops, fuse_elementwise::FEW_ELEMENTS, is_behind};
use crate::{
    explain::{Outcome, Reason},
    loops::elementwise::{self, Elementwise},
};
use halo_ir::prelude::*;
use std::collections::HashMap;

/// The most ops that a joined body has.
const LONGEST_BODY: usize = 512;
/// The most results of a joined op: each is a stream of stores.
const MOST_RESULTS: usize = 8;
/// So many ops of the same loops are asked for a sibling.
const MOST_CANDIDATES: usize = 16;

pass_options! {
    /// The options of the pass.
    struct Options {
        /// Make a remark of each reason why two ops are not joined
        explain: bool = false,
    }
}

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "halo-fuse-multi-output",
    "Join elementwise ops with what they read, where others read it too",
    run,
)
.on::<func::FuncOp>()
.dependent_dialects(&["linalg", "tensor"])
.options::<Options>();

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    for block in blocks_around_loops(pass.operation()) {
        for op in block.operations() {
            let mut consumer = Elementwise::of(op);
            while let Some(second) = consumer {
                let Some(first) = second.producer() else {
                    break;
                };
                let joined = join(&first, &second);
                consumer = Elementwise::of(joined);
            }
        }
        join_siblings(block);
        if pass.options::<Options>().explain {
            explain(pass, block);
        }
    }
    Ok(())
}

/// Makes remarks of the ops of a block that could be one loop with others and are not.
fn explain(pass: &PassInvocation, block: Block) {
    let ops: Vec<Elementwise> =
        block.operations().into_iter().filter_map(Elementwise::of).collect();
    for (position, second) in ops.iter().enumerate() {
        let earlier = &ops[position.saturating_sub(MOST_CANDIDATES)..position];
        for first in earlier {
            let (verdict, other) = if second.reads(first) {
                if first.has_one_user() {
                    // `--halo-fuse-elementwise` has reported why.
                    continue;
                }
                (second.can_join_producer(first), "the user")
            } else if second.sizes() == first.sizes() && second.reads_with(first) {
                (second.can_join_sibling(first), "the other")
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

/// Joins the siblings of a block.
fn join_siblings(block: Block) {
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
        let sibling = siblings.enumerate().find(|(_, first)| second.is_sibling(first));
        let last = match sibling {
            Some((position, first)) => {
                earlier.remove(position);
                second.join_sibling(&first)
            }
            None => second.op,
        };
        earlier.push(last);
        if earlier.len() > MOST_CANDIDATES {
            earlier.remove(0);
        }
    }
}

impl<'c> Elementwise<'c> {
    /// An op that it can be joined with.
    fn producer(&self) -> Option<Self> {
        let producers = self.inputs.iter().zip(&self.maps);
        let mut producers = producers
            .filter(|(_, map)| map.is_identity())
            .filter_map(|(input, _)| input.defining_op());
        producers.find_map(|op| {
            let producer =
                Self::of(op).filter(|producer| producer.op.block() == self.op.block())?;
            let is_joined = !producer.has_one_user() && self.can_join_producer(&producer).is_ok();
            is_joined.then_some(producer)
        })
    }

    /// Whether it reads a result of another op, element by element.
    fn reads(&self, producer: &Self) -> bool {
        let mut inputs = self.inputs.iter().zip(&self.maps);
        inputs.any(|(input, map)| {
            map.is_identity() && input.defining_op().is_some_and(|op| op == producer.op)
        })
    }

    /// Whether each element of another op is read where it is written, and all other
    /// users come behind.
    fn follows(&self, producer: &Self) -> bool {
        let mut uses = producer.op.results().into_iter().flat_map(Value::uses);
        uses.all(|(user, operand)| {
            if user == self.op {
                operand < self.inputs.len() && self.maps[operand].is_identity()
            } else {
                is_behind(user, self.op)
            }
        })
    }

    /// Whether the results have places of their own, of which nothing is read.
    pub(super) fn has_places(&self) -> bool {
        self.has_empty_outputs() && !self.outputs.is_empty() && !self.reads_outputs()
    }

    /// Whether a slice of another tensor is the only place of its results.
    fn is_inserted(&self) -> bool {
        let mut uses = self.op.results().into_iter().flat_map(Value::uses);
        uses.all(|(user, _)| user.isa::<tensor::InsertSliceOp>())
    }

    /// The sizes of its loops, if they are known and it has a result.
    fn sizes(&self) -> Option<Vec<i64>> {
        self.outputs.first()?.ty().static_shape()
    }

    /// Ops on so few elements are joined with others that read nothing of what they read.
    fn is_small(&self) -> bool {
        let sizes = self.sizes().unwrap_or_default();
        sizes.into_iter().fold(1, i64::saturating_mul) <= FEW_ELEMENTS
    }

    /// Whether an earlier op with the same loops is to be joined with this one.
    fn is_sibling(&self, first: &Self) -> bool {
        (self.reads_with(first) || self.is_small()) && self.can_join_sibling(first).is_ok()
    }

    /// Whether two ops with the same loops read an operand together, element by element.
    fn reads_with(&self, first: &Self) -> bool {
        let is_read = |value: Value| {
            let mut inputs = first.inputs.iter().zip(&first.maps);
            inputs.any(|(input, map)| *input == value && map.is_identity())
        };
        let mut inputs = self.inputs.iter().zip(&self.maps);
        inputs.any(|(input, map)| map.is_identity() && is_read(*input))
    }

    fn can_join_sibling(&self, first: &Self) -> Result<(), Reason> {
        if !self.has_places() || !first.has_places() {
            return Err(Reason::OneReadsWhatItOverwrites);
        }
        if self.is_inserted() && first.is_inserted() {
            return Err(Reason::EachInSlice);
        }
        self.fits(first, first.outputs.len())?;
        let can_move = self.is_small() && self.can_be_at(first);
        if self.comes_before_users(first) || can_move {
            Ok(())
        } else {
            Err(Reason::UsedBetween)
        }
    }

    /// Whether a loop of two ops, with so many results of the first, is short enough.
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

    /// Whether all users of an earlier op come behind this one, which so cannot need it.
    fn comes_before_users(&self, first: &Self) -> bool {
        let mut users = first.op.results().into_iter().flat_map(Value::uses);
        users.all(|(user, _)| user != self.op && is_behind(user, self.op))
    }

    /// Whether all values that it reads are there where an earlier op is.
    fn can_be_at(&self, first: &Self) -> bool {
        let nested = self.op.collect_nested(|nested| nested != self.op);
        let captured = nested.into_iter().flat_map(Operation::operands);
        self.inputs.iter().copied().chain(captured).all(|value| {
            value.defining_op().is_none_or(|op| {
                op.is_inside(self.op) || op.block() != first.op.block() || op.is_before(first.op)
            })
        })
    }

    /// Joins this op with a sibling: where it is, if all users of the sibling come behind
    /// it, else where the sibling is.
    fn join_sibling(&self, first: &Self) -> Operation<'c> {
        if self.comes_before_users(first) {
            return join(first, self);
        }
        join(self, first)
    }

    /// Whether it has one result with one use, for which `--halo-fuse-elementwise` has
    /// decided.
    fn has_one_user(&self) -> bool {
        let results = self.op.results();
        results.len() == 1 && results[0].has_one_use()
    }

    fn can_join_producer(&self, producer: &Self) -> Result<(), Reason> {
        if !self.follows(producer) {
            return Err(Reason::OtherUsers);
        }
        // The first op has no places of its own for results that are left out.
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

/// Replaces two ops by one, in the place of the second.
fn join<'c>(first: &Elementwise<'c>, second: &Elementwise<'c>) -> Operation<'c> {
    let kept: Vec<bool> = first
        .op
        .results()
        .into_iter()
        .map(|result| is_read_elsewhere(result, second.op))
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
                // Each result has a place of its own.
                Some(empty) => tensor::empty(b, &empty.dynamic_sizes(), start.ty()),
                None => *start,
            });
        }
        let of_results = first.maps[first.inputs.len()..].iter().zip(&kept);
        maps.extend(of_results.filter(|(_, kept)| **kept).map(|(map, _)| *map));
        maps.extend(&second.maps[second.inputs.len()..]);
        // Ops are joined one by one, so the body of the first may be long: it is moved there
        // and not copied.
        let body = first.op.body(0);
        let joined = elementwise::generic(b, &inputs, &outputs, &maps, |b, elements| {
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
            kept.map(|(value, _)| value).chain(last).collect()
        });
        let mut results = joined.results().into_iter();
        for (result, kept) in first.op.results().into_iter().zip(&kept) {
            if *kept && let Some(new) = results.next() {
                b.replace_uses(result, new);
            }
        }
        let last: Vec<Value> = results.collect();
        b.replace(second.op, &last);
        if let (Some(from), Some(to)) = (body, joined.body(0)) {
            move_body(b, from, to, first.inputs.len());
        }
        b.erase(first.op);
        joined
    })
}

/// What the last op of a body yields.
fn yielded<'c>(body: Block<'c>) -> Vec<Value<'c>> {
    let last = body.operations().pop();
    last.map_or(Vec::new(), Operation::operands)
}

/// Moves the ops of a body, but for the last, to the front of another one, whose first
/// arguments take the place of its own.
fn move_body<'c>(b: &Builder<'c>, from: Block<'c>, to: Block<'c>, arguments: usize) {
    let replaced = from.arguments().into_iter().zip(to.arguments());
    for (old, new) in replaced.take(arguments) {
        b.replace_uses(old, new);
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
