//! Reorders the ops of a block to lower the peak of live memory.
//!
//! A program may interleave several chains of ops:
//!
//! ```mlir
//! %1 = linalg.generic ins(%x) outs(%e)
//! %2 = linalg.generic ins(%y) outs(%e)
//! %3 = linalg.generic ins(%1) outs(%first)
//! %4 = linalg.generic ins(%2) outs(%second)
//! ```
//!
//! becomes
//!
//! ```mlir
//! %1 = linalg.generic ins(%x) outs(%e)
//! %3 = linalg.generic ins(%1) outs(%first)
//! %2 = linalg.generic ins(%y) outs(%e)
//! %4 = linalg.generic ins(%2) outs(%second)
//! ```
//!
//! The optimal order is hard to find. As in XLA, several heuristics compete: depth-first orders
//! from the ops without users, and a list scheduler that selects the op that frees the most bytes.
//! The program order stays unless one of them has a lower peak. The time is O(n log n).

use super::{
    super::{destination_passing::destination_operand, reads_where_written},
    conflicts::is_undefined,
    sink_writes::destination,
};
use crate::loops::aliases::ancestor_in;
use halo_ir::{
    ops::{bufferization, halo::CustomCallOp},
    prelude::*,
};
use std::collections::{BTreeSet, BinaryHeap, HashMap, HashSet};

/// The functions of the runtime without side effects other than writing their results.
const PURE_CALLS: [&str; 4] = [
    "halo.cholesky",
    "halo.fft",
    "halo.sort",
    "halo.triangular_solve",
];
/// A new order must save more than this fraction (1/8) of the peak.
const LEAST_SAVING: u64 = 8;
/// The maximal assumed size of a buffer, so that sums do not overflow.
const LARGEST: u64 = 1 << 44;

/// Orders the ops of a function and of all nested blocks, except for blocks of parallel loops.
pub fn schedule(function: Operation) {
    let mut blocks: Vec<Block> = function.body(0).into_iter().collect();
    for op in function.collect_nested(|op| {
        matches!(
            op.name(),
            scf::ForOp::NAME | scf::IfOp::NAME | scf::IndexSwitchOp::NAME | scf::WhileOp::NAME
        )
    }) {
        blocks.extend((0..op.region_count()).filter_map(|region| op.body(region)));
    }
    for block in blocks {
        schedule_block(block);
    }
}

fn schedule_block(block: Block) {
    let Some(end) = block.terminator() else {
        return;
    };
    let graph = Graph::of(block);
    let order: Vec<usize> = (0..graph.ops.len()).collect();
    let peak = graph.peak(&order);
    if peak <= graph.lower_bound() {
        return;
    }
    let orders = [
        graph.depth_first(false),
        graph.depth_first(true),
        graph.greedy(),
    ];
    let best = orders.map(|order| (graph.peak(&order), order)).into_iter();
    let best = best.min_by_key(|(peak, _)| *peak);
    if let Some((_, order)) = best.filter(|(lower, _)| *lower < peak - peak / LEAST_SAVING) {
        for number in order {
            graph.ops[number].operation.move_before(end);
        }
    }
}

/// An op of a block, with the numbers of its dependences and buffers.
struct Node<'c> {
    operation: Operation<'c>,
    has_effects: bool,
    /// The ops that must come before and after it.
    before: BTreeSet<usize>,
    after: Vec<usize>,
    /// The buffers that it reads or writes, including the ones that it defines.
    buffers: BTreeSet<usize>,
    /// The buffers that it defines, each with an operand's buffer that it can reuse.
    makes: Vec<(usize, Option<usize>)>,
    /// The buffers that it overwrites.
    writes: Vec<usize>,
}

/// The ops of a block and the buffers between them.
struct Graph<'c> {
    ops: Vec<Node<'c>>,
    /// The bytes of each buffer, and how many ops use it.
    bytes: Vec<u64>,
    users: Vec<usize>,
}

impl<'c> Graph<'c> {
    fn of(block: Block<'c>) -> Self {
        let mut graph = Self {
            ops: Vec::new(),
            bytes: Vec::new(),
            users: Vec::new(),
        };
        let mut operations = block.operations();
        let end = operations.pop();
        // The buffers of values, and the values that an op overwrites.
        let mut buffers: HashMap<usize, usize> = HashMap::new();
        let mut written = HashSet::new();
        for argument in block.arguments() {
            buffers.insert(argument.key(), graph.buffer(0));
        }
        for operation in &operations {
            graph.add(*operation, &mut buffers, &mut written);
        }
        let numbers = operations.iter().map(|op| op.key()).zip(0..);
        let numbers: HashMap<usize, usize> = numbers.collect();
        let results = operations.iter().copied().flat_map(Operation::results);
        for value in block.arguments().into_iter().chain(results) {
            let definition = value.defining_op();
            let definition = definition.and_then(|op| numbers.get(&op.key()));
            for (user, _) in value.uses() {
                let user = ancestor_in(block, user);
                let user = user.and_then(|user| numbers.get(&user.key()));
                if let Some(user) = user {
                    let user = &mut graph.ops[*user];
                    user.before.extend(definition);
                    user.buffers.extend(buffers.get(&value.key()));
                }
            }
        }
        graph.keep_order_of_writes();
        for number in 0..graph.ops.len() {
            for before in graph.ops[number].before.clone() {
                graph.ops[before].after.push(number);
            }
            for buffer in &graph.ops[number].buffers {
                graph.users[*buffer] += 1;
            }
        }
        // Returned values are live to the end of the block.
        for value in end.map(Operation::operands).unwrap_or_default() {
            if let Some(buffer) = buffers.get(&value.key()) {
                graph.users[*buffer] += 1;
            }
        }
        graph
    }

    fn buffer(&mut self, bytes: u64) -> usize {
        self.bytes.push(bytes);
        self.users.push(0);
        self.bytes.len() - 1
    }

    /// Adds an op and finds the buffers of its results.
    fn add(
        &mut self,
        operation: Operation<'c>,
        buffers: &mut HashMap<usize, usize>,
        written: &mut HashSet<usize>,
    ) {
        let mut node = Node {
            operation,
            has_effects: has_effects(operation),
            before: BTreeSet::new(),
            after: Vec::new(),
            buffers: BTreeSet::new(),
            makes: Vec::new(),
            writes: Vec::new(),
        };
        for (position, result) in operation.results().into_iter().enumerate() {
            let is_buffer = result.ty().is_tensor() || is_allocation(operation);
            if !is_buffer || is_undefined(result) || operation.isa::<arith::ConstantOp>() {
                continue;
            }
            let operands = operation.operands();
            let (source, is_view) = match operation.name() {
                tensor::ExtractSliceOp::NAME
                | tensor::CollapseShapeOp::NAME
                | tensor::ExpandShapeOp::NAME
                | tensor::CastOp::NAME
                | bufferization::ToTensorOp::NAME => (operands.first().copied(), true),
                _ => (destination(operation, position), false),
            };
            // Each further op that overwrites a value gets a copy.
            let source = source.map(Value::key);
            let source = source.filter(|source| is_view || written.insert(*source));
            let source = source.and_then(|source| buffers.get(&source).copied());
            let buffer = source.unwrap_or_else(|| {
                let buffer = self.buffer(bytes_of(result.ty()));
                let reused = reusable(operation, position);
                let reused = reused.and_then(|input| buffers.get(&input.key()).copied());
                let is_counted = |reused: &usize| self.bytes[*reused] == self.bytes[buffer];
                node.makes.push((buffer, reused.filter(is_counted)));
                buffer
            });
            if source.is_some() && !is_view {
                node.writes.push(buffer);
            }
            buffers.insert(result.key(), buffer);
            node.buffers.insert(buffer);
        }
        if let Some(call) = operation.cast::<CustomCallOp>() {
            let outputs = call.outputs().into_iter();
            node.writes.extend(outputs.filter_map(|output| buffers.get(&output.key())));
        }
        self.ops.push(node);
    }

    /// Keeps the order of ops with side effects, and of reads and writes of a buffer: another order
    /// would need a copy.
    fn keep_order_of_writes(&mut self) {
        let mut last_effect = None;
        // Buffers that an op with side effects may write to.
        let mut allocated = BTreeSet::new();
        let mut reads: Vec<Vec<usize>> = vec![Vec::new(); self.bytes.len()];
        let mut last_write: Vec<Option<usize>> = vec![None; self.bytes.len()];
        for (number, op) in self.ops.iter_mut().enumerate() {
            if op.has_effects {
                op.before.extend(last_effect);
                last_effect = Some(number);
                op.writes.extend(op.buffers.intersection(&allocated));
            }
            if is_allocation(op.operation) {
                allocated.extend(&op.buffers);
            }
            for buffer in &op.buffers {
                op.before.extend(last_write[*buffer]);
            }
            for buffer in &op.writes {
                op.before.extend(reads[*buffer].drain(..));
                last_write[*buffer] = Some(number);
            }
            for buffer in &op.buffers {
                reads[*buffer].push(number);
            }
        }
    }

    /// A lower bound of the peak: all buffers of an op are live at once.
    fn lower_bound(&self) -> u64 {
        let needed = self.ops.iter().map(|op| {
            let made = op.makes.iter().filter(|(_, reused)| reused.is_none());
            let made: Vec<usize> = made.map(|(buffer, _)| *buffer).collect();
            let is_counted = |buffer: &&usize| {
                made.contains(buffer) || op.makes.iter().all(|(made, _)| made != *buffer)
            };
            let counted = op.buffers.iter().filter(is_counted);
            counted.map(|buffer| self.bytes[*buffer]).sum()
        });
        needed.max().unwrap_or(0)
    }

    /// The peak of live bytes in an order.
    fn peak(&self, order: &[usize]) -> u64 {
        let mut left = self.users.clone();
        let (mut live, mut peak) = (0_u64, 0);
        for number in order {
            let op = &self.ops[*number];
            let mut taken: Vec<usize> = Vec::new();
            for (buffer, reused) in &op.makes {
                let is_free = |it: &usize| left[*it] == 1 && !taken.contains(it);
                match reused.filter(is_free) {
                    Some(reused) => taken.push(reused),
                    None => live += self.bytes[*buffer],
                }
            }
            peak = peak.max(live);
            for buffer in &op.buffers {
                left[*buffer] -= 1;
                if left[*buffer] == 0 && !taken.contains(buffer) {
                    live -= self.bytes[*buffer];
                }
            }
        }
        peak
    }

    /// Depth-first order from the ops without users: each op follows its dependences. With
    /// `by_need`, the dependence with the largest need besides its result comes first, as in
    /// Sethi-Ullman numbering.
    fn depth_first(&self, by_need: bool) -> Vec<usize> {
        let mut needed: Vec<Vec<usize>> = Vec::new();
        // The peak of an op with its dependences, without its results, and the bytes of its
        // results.
        let mut most: Vec<(u64, u64)> = Vec::new();
        for op in &self.ops {
            let mut before: Vec<usize> = op.before.iter().copied().collect();
            if by_need {
                before.sort_by_key(|number| std::cmp::Reverse(most[*number].0));
            }
            let (mut peak, mut held) = (0, 0_u64);
            for number in &before {
                let (besides, bytes) = most[*number];
                peak = peak.max(held + bytes + besides);
                held += bytes;
            }
            let made: u64 = op.makes.iter().map(|(made, _)| self.bytes[*made]).sum();
            most.push((peak.max(held + made) - made, made));
            needed.push(before);
        }
        let mut order = Vec::new();
        let mut entered = vec![false; self.ops.len()];
        for root in (0..self.ops.len()).filter(|number| self.ops[*number].after.is_empty()) {
            let mut pending = vec![(root, false)];
            while let Some((number, is_ready)) = pending.pop() {
                if is_ready {
                    order.push(number);
                } else if !std::mem::replace(&mut entered[number], true) {
                    pending.push((number, true));
                    let before = needed[number].iter().rev();
                    pending.extend(before.map(|before| (*before, false)));
                }
            }
        }
        order
    }

    /// List scheduling: the ready op that frees the most bytes is first, and among equals the one
    /// whose last operand is the newest.
    fn greedy(&self) -> Vec<usize> {
        let mut order: Vec<usize> = Vec::new();
        let mut missing: Vec<usize> = self.ops.iter().map(|op| op.before.len()).collect();
        let mut left = self.users.clone();
        // The sum of the numbers of the unscheduled ops that use a buffer.
        let mut last_user = vec![0_usize; left.len()];
        for (number, op) in self.ops.iter().enumerate() {
            op.buffers.iter().for_each(|buffer| last_user[*buffer] += number);
        }
        let mut ready_at: Vec<Option<usize>> = vec![None; self.ops.len()];
        let mut heap = BinaryHeap::new();
        let entry = |number: usize, ready: usize, left: &[usize]| {
            (self.gain(number, left), ready, std::cmp::Reverse(number))
        };
        for number in (0..self.ops.len()).filter(|number| missing[*number] == 0) {
            ready_at[number] = Some(0);
            heap.push(entry(number, 0, &left));
        }
        let mut is_done = vec![false; self.ops.len()];
        while let Some((gain, _, std::cmp::Reverse(number))) = heap.pop() {
            if is_done[number] || gain != self.gain(number, &left) {
                continue;
            }
            is_done[number] = true;
            order.push(number);
            for buffer in &self.ops[number].buffers {
                left[*buffer] -= 1;
                last_user[*buffer] -= number;
                let user = last_user[*buffer];
                if left[*buffer] == 1
                    && let Some(Some(ready)) = ready_at.get(user).filter(|_| !is_done[user])
                {
                    heap.push(entry(user, *ready, &left));
                }
            }
            for after in &self.ops[number].after {
                missing[*after] -= 1;
                if missing[*after] == 0 {
                    ready_at[*after] = Some(order.len());
                    heap.push(entry(*after, order.len(), &left));
                }
            }
        }
        order
    }

    /// The bytes that an op frees minus the bytes that it allocates.
    fn gain(&self, number: usize, left: &[usize]) -> i64 {
        let op = &self.ops[number];
        let bytes = |buffer: &usize| i64::try_from(self.bytes[*buffer]).unwrap_or(i64::MAX);
        let freed = op.buffers.iter().filter(|buffer| left[**buffer] == 1);
        let freed = freed.map(bytes).fold(0, i64::saturating_add);
        let made = op.makes.iter().map(|(buffer, _)| bytes(buffer));
        freed.saturating_sub(made.fold(0, i64::saturating_add))
    }
}

/// An operand whose memory an elementwise op can reuse for a result.
fn reusable<'c>(operation: Operation<'c>, position: usize) -> Option<Value<'c>> {
    let output = destination_operand(operation, operation.name(), position)?;
    let operands = operation.operands();
    let fits = |input: &usize| {
        operands[*input].ty() == operands[output].ty()
            && reads_where_written(operation, *input, output)
    };
    operation
        .is_structured()
        .then(|| (0..output).find(fits))?
        .map(|input| operands[input])
}

/// Returns true if an op has side effects, and must keep its order among such ops.
fn has_effects(operation: Operation) -> bool {
    let pure = [
        "arith.", "complex.", "index.", "linalg.", "math.", "tensor.", "ub.",
    ];
    let is_pure = |op: Operation| {
        let name = op.name();
        pure.iter().any(|dialect| name.starts_with(dialect))
            || name.starts_with("scf.")
            || op.isa::<bufferization::AllocTensorOp>()
            || op.isa::<bufferization::MaterializeInDestinationOp>()
            || op.isa::<bufferization::ToTensorOp>()
            || op
                .cast::<CustomCallOp>()
                .is_some_and(|call| PURE_CALLS.contains(&call.target()))
            || is_allocation(op)
    };
    !is_pure(operation) || !operation.collect_nested(|op| !is_pure(op)).is_empty()
}

fn is_allocation(operation: Operation) -> bool {
    operation.isa::<memref::AllocOp>()
}

/// The size of a buffer, at most [`LARGEST`].
fn bytes_of(ty: Type) -> u64 {
    let sizes = ty.static_shape().unwrap_or_default();
    let element = ty.element_type().byte_width().unwrap_or(0);
    let bytes = sizes.into_iter().fold(element, |bytes, size| {
        bytes.saturating_mul(u64::try_from(size).unwrap_or(0))
    });
    bytes.min(LARGEST)
}
