//! `--halo-fuse-parallel-loops`: fuses parallel loops that write parts of one buffer.
//!
//! Each operand of a concatenation is computed by a separate loop, which writes its slice of the
//! result. Fusing the loops results in one kernel, which is distributed to threads once.
//!
//! ```mlir
//! %left = memref.subview %out[0, 0] [4, 8] [1, 1]
//! scf.parallel (%i) = (%c0) to (%c4) step (%c1) { ... stores to %left }
//! %right = memref.subview %out[0, 8] [4, 8] [1, 1]
//! scf.parallel (%i) = (%c0) to (%c4) step (%c1) { ... stores to %right }
//! ```
//!
//! becomes
//!
//! ```mlir
//! scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
//!   ... stores to %left
//!   ... stores to %right
//! }
//! ```
//!
//! Loops with different trip counts are concatenated: the index selects the loop of an iteration.
//! If they contain no loops, one iteration of the fused loop is a range of theirs, so that the
//! index is compared once for many elements.
//!
//! Loops are fused only if no loop accesses elements that another one writes, which the bounds of
//! the slices prove, and if their iterations take about the same time. The option `explain` emits a
//! remark for each reason why loops that write parts of one buffer are not fused.

use crate::{
    explain::{Outcome, Reason},
    loops::{aliases::is_in_parallel_loop, bounds::piece_bounds, captures::only_reads, prelude::*},
};
use halo_core::machine::Machine;
use halo_cost::cpu::cost_of;
use halo_ir::{
    ops::{halo, ub},
    prelude::*,
};

pass_options! {
    /// The options of the pass.
    struct Options {
        /// The machine that code is for
        machine: Machine = "x86-64-v3",
        /// Say why loops that write one buffer stay apart
        explain: bool = false,
    }
}

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "halo-fuse-parallel-loops",
    "Join the parallel loops that write parts of one buffer",
    run,
)
.on::<func::FuncOp>()
.dependent_dialects(&["arith", "scf"])
.options::<Options>();

/// The maximum number of fused loops: LLVM's time is superlinear in the size of a function.
const MOST_LOOPS: usize = 8;
/// The iterations of an innermost loop per iteration of the fused loop.
const PIECE: i64 = 4096;
/// The maximum ratio of the times of an iteration of fused loops.
const MOST_UNEQUAL: f64 = 4.0;

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    let function = pass.operation();
    let machine = pass.options::<Options>().machine;
    let around = function.collect_nested(|op| op.isa::<scf::ParallelOp>());
    let mut blocks: Vec<Block> = Vec::new();
    for op in around.into_iter().filter(|op| !is_in_parallel_loop(*op)) {
        if let Some(block) = op.block().filter(|block| !blocks.contains(block)) {
            blocks.push(block);
        }
    }
    let explained = Some(&*pass).filter(|pass| pass.options::<Options>().explain);
    for block in blocks {
        fuse_in(block, &machine, explained);
    }
    Ok(())
}

/// Fuses the loops of a block. With a pass, emits remarks for loops that are not fused.
fn fuse_in<'c>(block: Block<'c>, machine: &Machine, explained: Option<&PassInvocation>) {
    let explain = |first: &Loop, next: &Loop, between: Option<Operation>, reason: Reason| {
        if let Some(pass) = explained {
            let decision = Outcome::NotJoinedWithLoop.because(reason);
            let remark = decision.remark(pass, first.op).note(next.op, "the other");
            between.map(|op| remark.note(op, "the op between them"));
        }
    };
    let (mut last, mut between): (Option<Loop<'c>>, Option<Operation<'c>>) = (None, None);
    for op in block.operations() {
        let Some(next) = Loop::of(op) else {
            if !may_stand_between(op) {
                between.get_or_insert(op);
            }
            continue;
        };
        let between = between.take();
        let first = last.take().filter(|_| between.is_none() || explained.is_some());
        let verdict = first.as_ref().and_then(|first| first.can_join(&next, machine));
        last = Some(match (first, verdict) {
            (Some(first), Some(Ok(()))) if between.is_none() => first.join(&next),
            (Some(first), Some(verdict)) => {
                let reason = verdict.err();
                let reason = reason.unwrap_or(Reason::MemoryAccessBetween);
                explain(&first, &next, between, reason);
                next
            }
            _ => next,
        });
    }
}

/// Whether an op accesses no memory.
fn may_stand_between(op: Operation) -> bool {
    view_source(op).is_some()
        || op.name().starts_with("arith.")
        || matches!(
            op.name(),
            memref::AllocOp::NAME | memref::GetGlobalOp::NAME | ub::PoisonOp::NAME
        )
}

/// A parallel loop from zero with a static trip count.
struct Loop<'c> {
    op: Operation<'c>,
    body: Block<'c>,
    count: i64,
    /// The number of loops that were fused into this one.
    loops: usize,
    /// Whether these loops have the same trip count.
    is_even: bool,
}

impl<'c> Loop<'c> {
    fn of(op: Operation<'c>) -> Option<Self> {
        let [lower, upper, step] = op.operands()[..] else {
            return None;
        };
        let is_plain = op.isa::<scf::ParallelOp>()
            && constant_index(lower) == Some(0)
            && constant_index(step) == Some(1)
            && !op.has_attribute(halo::PACKING);
        let count = constant_index(upper).filter(|_| is_plain)?;
        Some(Self {
            op,
            body: op.body(0)?,
            count,
            loops: 1,
            is_even: true,
        })
    }

    /// Whether the next loop can be fused into this one; `None` if they do not write parts of one
    /// buffer.
    fn can_join(&self, next: &Self, machine: &Machine) -> Option<Result<(), Reason>> {
        let (own, other) = (accesses(self.op), accesses(next.op));
        let (mut is_one_buffer, mut are_apart) = (false, true);
        for first in &own {
            for second in &other {
                if !(first.writes || second.writes) || !may_overlap(first.buffer, second.buffer) {
                    continue;
                }
                let is_apart = are_disjoint(first.buffer, second.buffer);
                are_apart &= is_apart;
                is_one_buffer |= is_apart && first.writes && second.writes;
            }
        }
        if !is_one_buffer {
            return None;
        }
        if !are_apart {
            return Some(Err(Reason::DependentLoops));
        }
        if self.loops >= MOST_LOOPS {
            return Some(Err(Reason::TooManyLoopParts));
        }
        if self.count == next.count && self.is_even {
            return Some(Ok(()));
        }
        if self.has_loops() != next.has_loops() {
            return Some(Err(Reason::OtherIterations));
        }
        let time = |of: &Self| cost_of(of.op, machine).time / of.count.max(1) as f64;
        let (own, other) = (time(self), time(next));
        Some(
            if own <= MOST_UNEQUAL * other && other <= MOST_UNEQUAL * own {
                Ok(())
            } else {
                Err(Reason::UnbalancedIterations)
            },
        )
    }

    fn has_loops(&self) -> bool {
        !self.op.collect_nested(|op| op != self.op && op.isa::<scf::ForOp>()).is_empty()
    }

    /// The fused loop, which replaces the second loop.
    fn join(self, next: &Self) -> Self {
        let is_even = self.count == next.count && self.is_even;
        let joined = with_builder(next.op, |b| match (is_even, self.has_loops()) {
            (true, _) => scf::parallel_range(b, self.count, |b, iv| {
                self.emit(b, iv);
                next.emit(b, iv);
            }),
            (false, true) => sequence(b, (self.count, next.count), |b, is_first, iv| {
                if is_first {
                    self.emit(b, iv)
                } else {
                    next.emit(b, iv)
                }
            }),
            (false, false) => {
                let pieces = |count: i64| (count + PIECE - 1) / PIECE;
                let counts = (pieces(self.count), pieces(next.count));
                sequence(b, counts, |b, is_first, piece| {
                    let part = if is_first { &self } else { next };
                    part.emit_piece(b, piece)
                })
            }
        });
        for op in [self.op, next.op] {
            with_builder(op, |b| b.erase(op));
        }
        let loops = self.loops + next.loops;
        let of_joined = Self::of(*joined).map(|joined| Self {
            loops,
            is_even,
            ..joined
        });
        of_joined.unwrap_or(Self { loops, ..self })
    }

    /// Emits the body for an index.
    fn emit(&self, b: &Builder<'c>, iv: Value<'c>) {
        let mut map = ValueMap::new();
        for argument in self.body.arguments() {
            map.insert(argument.key(), iv);
        }
        let terminator = self.body.terminator();
        for op in self.body.operations() {
            if Some(op) != terminator {
                b.clone_op(op, &mut map);
            }
        }
    }

    fn emit_piece(&self, b: &Builder<'c>, piece: Value<'c>) {
        let (lower, upper) = piece_bounds(b, piece, self.count, PIECE);
        scf::for_each(b, (lower, upper, 1), |b, iv| {
            self.emit(b, iv);
        })
    }
}

/// A loop over the iterations of two loops, one after the other.
fn sequence<'c>(
    b: &Builder<'c>,
    (first, second): (i64, i64),
    mut body: impl FnMut(&Builder<'c>, bool, Value<'c>),
) -> scf::ParallelOp<'c> {
    scf::parallel_range(b, first + second, |b, iv| {
        let is_first = index::compare(b, CmpIPredicate::Ult, iv, first);
        let of_first = |b: &Builder<'c>| {
            body(b, true, iv);
            Vec::new()
        };
        let branches = scf::if_else(b, is_first, of_first, |_| Vec::new());
        let otherwise = branches.operation().body(1).and_then(Block::terminator);
        if let Some(end_of_second) = otherwise {
            with_builder(end_of_second, |b| {
                let rest = index::sub(b, iv, first);
                body(b, false, rest)
            });
        }
    })
}

/// A buffer from outside of a loop that the loop accesses.
struct AccessedBuffer<'c> {
    buffer: Value<'c>,
    writes: bool,
}

fn accesses<'c>(around: Operation<'c>) -> Vec<AccessedBuffer<'c>> {
    let mut accesses: Vec<AccessedBuffer> = Vec::new();
    around.visit(&mut |op| {
        if view_source(op).is_some() {
            return;
        }
        for (number, operand) in op.operands().into_iter().enumerate() {
            if !operand.ty().is_memref() {
                continue;
            }
            let mut buffer = operand;
            let mut definition = buffer.defining_op();
            while let Some(op) = definition.filter(|op| op.is_inside(around)) {
                let Some(source) = view_source(op) else {
                    // The buffer is local to an iteration.
                    return;
                };
                buffer = source;
                definition = buffer.defining_op();
            }
            let writes = !only_reads(op, number);
            match accesses.iter_mut().find(|access| access.buffer == buffer) {
                Some(access) => access.writes |= writes,
                None => accesses.push(AccessedBuffer { buffer, writes }),
            }
        }
    });
    accesses
}

/// Whether two views are disjoint slices of one buffer.
fn are_disjoint(one: Value, other: Value) -> bool {
    let (one, other) = (slices_of(one), slices_of(other));
    one.iter().any(|slice| {
        let same = other.iter().filter(|other| other.source() == slice.source());
        same.into_iter().any(|other| are_apart(slice, other))
    })
}

/// The chain of static slices of a view, each a source of the previous one.
fn slices_of(view: Value<'_>) -> Vec<memref::SubViewOp<'_>> {
    let mut slices = Vec::new();
    let mut view = view;
    while let Some(op) = view.defining_op() {
        let Some(source) = view_source(op) else {
            break;
        };
        slices.extend(op.cast::<memref::SubViewOp>());
        view = source;
    }
    slices
}

/// Whether two slices of a buffer have disjoint ranges in a dimension, or different residues modulo
/// their stride.
fn are_apart(one: &memref::SubViewOp, other: &memref::SubViewOp) -> bool {
    let range = |slice: &memref::SubViewOp, dim: usize| {
        let offset = *slice.static_offsets().get(dim)?;
        let size = *slice.static_sizes().get(dim)?;
        let stride = *slice.static_strides().get(dim)?;
        let is_known = ![offset, size, stride].contains(&i64::MIN) && size > 0 && stride > 0;
        is_known.then(|| (offset, offset + (size - 1) * stride, stride))
    };
    (0..one.static_offsets().len()).any(|dim| match (range(one, dim), range(other, dim)) {
        (Some((start, end, stride)), Some((first, last, step))) => {
            end < first || last < start || stride == step && (start - first) % stride != 0
        }
        _ => false,
    })
}
