//! `--halo-form-fusion-groups`: fuses reductions of rows with their producers and consumers, row by
//! row.
//!
//! A softmax is four loops over a matrix, and the three intermediate results are as large as the
//! matrix or as one of its columns. Each row can be computed independently: then the intermediate
//! values are rows, which stay in the cache, and one kernel computes the softmax.
//!
//! A *group* is a set of structured ops with a last op, its root, and with loops of the root that
//! all ops have in common: iteration `i` of these loops needs only element `i` of each value in the
//! group. Ops are added backwards from the root if all of their users are in the group or after it,
//! and if they have the common loops; nothing is computed twice. The common loops become one
//! `scf.forall`, and all values in it are tiles of one element along them. Values that are used
//! after the group are results of the loop.
//!
//! ```mlir
//! %0 = linalg.fill ins(%zero) outs(%empty : tensor<64xf32>)
//! %1 = linalg.generic {iterator_types = ["parallel", "reduction"]}
//!     ins(%x : tensor<64x100xf32>) outs(%0) { addf }
//! %2 = linalg.generic {iterator_types = ["parallel", "parallel"]}
//!     ins(%x, %1) outs(%full : tensor<64x100xf32>) { divf }
//! ```
//!
//! becomes
//!
//! ```mlir
//! %2 = scf.forall (%i) in (64) shared_outs(%out = %full) -> (tensor<64x100xf32>) {
//!   %row = tensor.extract_slice %x[%i, 0] [1, 100] [1, 1]
//!   %to = tensor.extract_slice %out[%i, 0] [1, 100] [1, 1]
//!   %3 = tensor.empty() : tensor<1xf32>
//!   %4 = linalg.fill ins(%zero) outs(%3)
//!   %5 = linalg.generic ins(%row : tensor<1x100xf32>) outs(%4 : tensor<1xf32>) { addf }
//!   %6 = linalg.generic ins(%row, %5) outs(%to : tensor<1x100xf32>) { divf }
//!   scf.forall.in_parallel {
//!     tensor.parallel_insert_slice %6 into %out[%i, 0] [1, 100] [1, 1]
//!   }
//! }
//! ```
//!
//! If only the group uses a matrix, and each iteration reads the row that it writes, such as the
//! scores of attention, the matrix is the initial value of `%out`.
//!
//! Upstream's tile-and-fuse follows each use of a value separately. It clones a producer with two
//! users twice, and over two levels four times, until `cse` merges the clones. Here each op is
//! emitted once.
//!
//! Ops in parallel loops are not grouped: these loops come from a schedule
//! (`--halo-apply-schedule`). Contractions are not members, since they have other tiles. The option
//! `explain` emits remarks with the reasons why an op is not in the group of its user, and why a
//! reduction is in no group.

mod emit;
pub(super) mod member;

use super::{blocks_around_loops, is_behind, take_last};
use crate::{
    explain::{Outcome, Reason},
    loops::aliases::is_in_parallel_loop,
};
use halo_ir::{i64_array_attribute, ops::halo::TILE_SIZES, prelude::*};
use member::{Kind, Member};
use std::collections::{HashMap, HashSet};

pass_options! {
    /// The options of the pass.
    pub(super) struct Options {
        /// Report why ops are not in the group of their user
        explain: bool = false,
        /// Only set the tile sizes on the last op of each group, for a schedule
        plan_only: bool = false,
        /// The maximal bytes of the intermediate values of a group in one iteration
        tile_bytes: u64 = 131072,
        /// The minimal iterations of a group, to occupy all threads
        fewest_iterations: i64 = 16,
        /// The minimal elements of an iteration, to amortize the overhead of the inner loops
        fewest_elements: i64 = 4,
        /// The maximal elements of an iteration
        most_elements: i64 = 1073741824,
    }
}

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "halo-form-fusion-groups",
    "Fuse reductions of rows with their producers and consumers",
    run,
)
.on::<func::FuncOp>()
.dependent_dialects(&["arith", "linalg", "scf", "tensor"])
.options::<Options>();

/// A group of at most this work may have fewer iterations, since one thread suffices.
const WORK_OF_ONE_THREAD: i64 = 1 << 16;
/// The time of LLVM is superlinear in the length of a function.
const MOST_MEMBERS: usize = 32;

fn run(invocation: &mut PassInvocation) -> Result<(), PassFailure> {
    let pass = &*invocation;
    let options = pass.options::<Options>();
    for block in blocks_around_loops(pass.operation()) {
        let first = block.operations().first().copied();
        if !first.is_some_and(is_in_parallel_loop) {
            form_groups(block, pass, &options)?;
        }
    }
    Ok(())
}

/// Forms the groups of a block.
pub(super) fn form_groups(
    block: Block,
    pass: &PassInvocation,
    options: &Options,
) -> Result<(), PassFailure> {
    let operations = block.operations();
    let near = near_reductions(&operations);
    let reductions: Vec<Operation> = operations
        .iter()
        .copied()
        .filter(|op| op.is_structured() && Kind::of(*op).is_some() && member::reduces(*op))
        .collect();
    let (mut grouped, mut alone) = (HashSet::new(), HashMap::new());
    for root in operations.into_iter().rev() {
        let key = root.key();
        if grouped.contains(&key) || !near.contains(&key) {
            continue;
        }
        let Some(group) = Group::of(root, options, pass, &mut alone) else {
            continue;
        };
        grouped.extend(group.members.iter().map(|member| member.op.key()));
        if options.plan_only {
            let sizes = i64_array_attribute(root.context(), &group.tile_sizes());
            root.set_attribute(TILE_SIZES, sizes);
            continue;
        }
        group.emit();
    }
    // Grouped reductions have been erased, or have tile sizes.
    let left = reductions.into_iter().filter(|op| !grouped.contains(&op.key()));
    for op in left.filter(|_| options.explain) {
        if let Some(reason) = alone.get(&op.key()) {
            Outcome::NotGrouped.because(*reason).remark(pass, op);
        }
    }
    Ok(())
}

/// The possible roots of a block: reductions, and ops that use them through fewer ops than the
/// maximal group.
fn near_reductions(operations: &[Operation]) -> HashSet<usize> {
    let mut distances: HashMap<usize, usize> = HashMap::new();
    for op in operations {
        let distance = match Kind::of(*op) {
            None => None,
            Some(_) if member::reduces(*op) => Some(0),
            Some(_) => {
                let producers = op.operands().into_iter().filter_map(Value::defining_op);
                let distances = producers.filter_map(|op| distances.get(&op.key()));
                distances.min().map(|distance| distance + 1)
            }
        };
        if let Some(distance) = distance.filter(|distance| *distance < MOST_MEMBERS) {
            distances.insert(op.key(), distance);
        }
    }
    distances.into_keys().collect()
}

/// The producers of an op's operands in its block that can be in a group.
fn producers_of<'c>(op: Operation<'c>) -> impl Iterator<Item = Operation<'c>> {
    let producers = op.operands().into_iter().filter_map(Value::defining_op);
    producers
        .filter(move |producer| producer.block() == op.block() && Kind::of(*producer).is_some())
}

/// Ops that are computed together.
struct Group<'c> {
    /// The root first; users before their producers.
    members: Vec<Member<'c>>,
    /// The sizes of the common loops.
    sizes: Vec<i64>,
}

const OTHER_ELEMENTS: Reason = Reason::IterationNeedsOtherElements;

impl<'c> Group<'c> {
    /// The most profitable group of a root, if any: along its first loop, its first two loops, and
    /// so on, the one that keeps the most elements out of memory. Else `alone` gets the reason for
    /// each op that has none yet.
    fn of(
        root: Operation<'c>,
        options: &Options,
        pass: &PassInvocation,
        alone: &mut HashMap<usize, Reason>,
    ) -> Option<Self> {
        let whole = Member::root(root)?;
        let groups = (1..=whole.loops.len()).map(|count| {
            let loops = whole.loops[..count].to_vec();
            Self::along(Member { loops, ..whole }, options)
        });
        let mut note_alone = |group: &Self, reason| {
            for member in &group.members {
                alone.entry(member.op.key()).or_insert(reason);
            }
        };
        let worth_it = groups.filter(|(group, _)| match group.is_worth_it(options) {
            Ok(()) => true,
            Err(reason) => {
                note_alone(group, reason);
                false
            }
        });
        // The last one among equals has the most iterations.
        let (group, left_out) = worth_it.max_by_key(|(group, _)| group.elements_inside())?;
        if options.explain {
            for (op, reason) in left_out {
                Outcome::NotGroupedWithUser
                    .because(reason)
                    .remark(pass, op)
                    .note(root, "the last op of the group");
            }
        }
        Some(group)
    }

    /// The group of a root along some of its loops, and the reasons why producers are not in it.
    fn along(root: Member<'c>, options: &Options) -> (Self, Vec<(Operation<'c>, Reason)>) {
        let mut group = Self {
            sizes: root.sizes(),
            members: vec![root],
        };
        let mut left_out = Vec::new();
        let mut seen = HashSet::new();
        let mut unseen = |op| {
            let producers = producers_of(op);
            let unseen = producers.filter(|producer| seen.insert(producer.key()));
            unseen.collect::<Vec<_>>()
        };
        let mut pending = unseen(group.members[0].op);
        while let Some(producer) = take_last(&mut pending) {
            match group.absorb(producer, options.tile_bytes) {
                Ok(()) => pending.extend(unseen(producer)),
                Err(reason) if producer.is_structured() => left_out.push((producer, reason)),
                Err(_) => {}
            }
        }
        (group, left_out)
    }

    /// The number of elements that are not written to memory.
    fn elements_inside(&self) -> i64 {
        let computed = (self.members[1..].iter()).filter(|member| member.kind == Kind::Generic);
        let inside = computed.filter(|member| !self.is_result(member.op));
        inside.fold(0, |elements, member| {
            elements.saturating_add(member.elements())
        })
    }

    fn member(&self, op: Operation<'c>) -> Option<&Member<'c>> {
        self.members.iter().find(|member| member.op == op)
    }

    /// Adds an op whose users are all in the group.
    fn absorb(&mut self, producer: Operation<'c>, tile_bytes: u64) -> Result<(), Reason> {
        if self.members.len() >= MOST_MEMBERS {
            return Err(Reason::GroupTooLarge);
        }
        let kind = Kind::of(producer).ok_or(Reason::NoStaticLoop)?;
        let mut loops = None;
        for (number, result) in producer.results().into_iter().enumerate() {
            for (user, operand) in result.uses() {
                let Some(user) = self.member(user) else {
                    // A fill is cloned for each group. Other values that are used after the group
                    // become its results.
                    if kind == Kind::Fill
                        || kind == Kind::Generic && is_behind(user, self.members[0].op)
                    {
                        continue;
                    }
                    return Err(Reason::ReadBeforeGroupEnds);
                };
                let needed: Option<Vec<usize>> = user
                    .operand_positions(operand)
                    .into_iter()
                    .map(|position| member::loop_at(producer, kind, number, position?))
                    .collect();
                let needed = needed.ok_or(OTHER_ELEMENTS)?;
                if *loops.get_or_insert_with(|| needed.clone()) != needed {
                    return Err(OTHER_ELEMENTS);
                }
            }
        }
        let loops = loops.ok_or(OTHER_ELEMENTS)?;
        let member = Member::new(producer, kind, loops).ok_or(Reason::ResultNotPerIteration)?;
        let inside = self.members[1..].iter().chain([&member]);
        let bytes = inside.fold(0_u64, |bytes, member| {
            bytes.saturating_add(member.tile_bytes())
        });
        if bytes > tile_bytes {
            return Err(Reason::IterationExceedsCache);
        }
        self.members.push(member);
        Ok(())
    }

    /// The tile size of each loop of the root; 0 for untiled loops.
    fn tile_sizes(&self) -> Vec<i64> {
        let root = &self.members[0];
        let maps = root.op.indexing_maps().unwrap_or_default();
        let count = maps.first().map_or(0, AffineMap::dim_count);
        let size = |dim| i64::from(root.loops.contains(&dim));
        (0..count).map(size).collect()
    }

    /// Returns true if a result of an op is used outside the group.
    fn is_result(&self, op: Operation<'c>) -> bool {
        op.results().into_iter().any(|result| self.is_result_value(result))
    }

    fn is_result_value(&self, value: Value<'c>) -> bool {
        value.uses().into_iter().any(|(user, _)| self.member(user).is_none())
    }

    /// Checks that the group is profitable: it has a reduction and another generic op, and enough
    /// work per iteration.
    fn is_worth_it(&self, options: &Options) -> Result<(), Reason> {
        let generics = self.members.iter().filter(|member| member.kind == Kind::Generic);
        let reduces = generics.clone().any(|member| member::reduces(member.op));
        if generics.clone().count() < 2 || !reduces {
            return Err(Reason::NoProducerInGroup);
        }
        let count = self.sizes.iter().copied().fold(1, i64::saturating_mul);
        let elements = generics.clone().map(Member::iterations).max().unwrap_or(0);
        let work = generics.map(Member::iterations).fold(0, i64::saturating_add);
        let is_enough = count >= options.fewest_iterations
            || count > 1 && count.saturating_mul(work) <= WORK_OF_ONE_THREAD;
        if !is_enough {
            return Err(Reason::TooFewIterations);
        }
        if self.members.iter().any(Member::reads_columns) {
            return Err(Reason::StridedIteration);
        }
        match elements {
            elements if elements < options.fewest_elements => Err(Reason::IterationTooShort),
            elements if elements > options.most_elements => Err(Reason::IterationTooLong),
            _ => Ok(()),
        }
    }
}
