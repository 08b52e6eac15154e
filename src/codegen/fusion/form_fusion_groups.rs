//! `--halo-form-fusion-groups`: computes reductions of rows together with what they read
//! and with what reads them, one row after the other.
//!
//! A softmax is four loops over a matrix, and the three intermediate results are as large
//! as the matrix or as one of its columns. Each row can be computed for itself: then what
//! is between the loops is a row, which stays in the cache, and one kernel does all.
//!
//! A *group* is a set of structured ops with an op at its end, its root, and with loops of
//! the root that all of its ops have in common: element `i` of these loops needs element
//! `i` of each value inside of the group and no other. Ops are added from the root on
//! backwards, as long as all of their users are in the group or behind it, and there are
//! such loops; nothing is computed twice. The common loops become one `scf.forall`, and
//! all values in it are tiles of one element along them. What is needed behind the group
//! is a result of the loop.
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
//! A matrix that is computed for the group alone, and of which an iteration reads the row
//! that it writes, such as the scores of attention, is the first value of `%out`.
//!
//! Upstream's tile-and-fuse follows each use of a value on its own, and so computes one
//! with two users twice, one with two levels of them four times, for
//! `cse` to find afterwards. Here each op is written once.
//!
//! Ops in parallel loops stay as they are: these come from a schedule
//! (`--halo-apply-schedule`). Contractions are no members: their tiles are others. The
//! option `explain` makes a remark of each reason why an op is not in the group of its user,
//! and why a reduction is in no group.

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
        /// Say why ops are not in the group of their user
        explain: bool = false,
        /// Only write the sizes of tiles on the last op of each group, for a schedule
        plan_only: bool = false,
        /// The most bytes that the values inside of a group take for one iteration
        tile_bytes: u64 = 131072,
        /// The iterations that leave no thread without work
        fewest_iterations: i64 = 16,
        /// With fewer elements in an iteration, starting the inner loops is most of the work
        fewest_elements: i64 = 4,
        /// The most elements that one iteration computes
        most_elements: i64 = 1073741824,
    }
}

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "halo-form-fusion-groups",
    "Compute reductions of rows together with what they read and what reads them",
    run,
)
.on::<func::FuncOp>()
.dependent_dialects(&["arith", "linalg", "scf", "tensor"])
.options::<Options>();

/// With no more elements, a group may have fewer iterations, which one thread computes.
const WORK_OF_ONE_THREAD: i64 = 1 << 16;
/// LLVM takes longer than in proportion for a long function.
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
    // Those of groups are gone, or have tile sizes.
    let left = reductions.into_iter().filter(|op| !grouped.contains(&op.key()));
    for op in left.filter(|_| options.explain) {
        if let Some(reason) = alone.get(&op.key()) {
            Outcome::NotGrouped.because(*reason).remark(pass, op);
        }
    }
    Ok(())
}

/// The ops of a block that a group with a reduction may end at: reductions, and what reads
/// them through fewer ops than a group has.
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

/// The ops of the same block whose results an op reads, as far as they can be in a group.
fn producers_of<'c>(op: Operation<'c>) -> impl Iterator<Item = Operation<'c>> {
    let producers = op.operands().into_iter().filter_map(Value::defining_op);
    producers
        .filter(move |producer| producer.block() == op.block() && Kind::of(*producer).is_some())
}

/// Ops that are computed together.
struct Group<'c> {
    /// The root first; each other op before those whose results it reads.
    members: Vec<Member<'c>>,
    /// The sizes of the common loops.
    sizes: Vec<i64>,
}

const OTHER_ELEMENTS: Reason = Reason::IterationNeedsOtherElements;

impl<'c> Group<'c> {
    /// The group of a root, if one is worth it: that which keeps the most inside, of those
    /// along the first of its loops, the first two, and so on. Else `alone` gets the reason
    /// for each op that has none yet.
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
        // Of equals the last one, which has the most iterations.
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

    /// The group of a root along some of its loops, and why structured ops that it reads
    /// are not in it.
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
                    // A fill is written for each group. Any other value that is needed
                    // behind the group is a result of it.
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

    /// For each loop of the last op how many iterations of it one of the group has; 0 for
    /// all.
    fn tile_sizes(&self) -> Vec<i64> {
        let root = &self.members[0];
        let maps = root.op.indexing_maps().unwrap_or_default();
        let count = maps.first().map_or(0, AffineMap::dim_count);
        let size = |dim| i64::from(root.loops.contains(&dim));
        (0..count).map(size).collect()
    }

    /// Whether an op of the group is read behind it.
    fn is_result(&self, op: Operation<'c>) -> bool {
        op.results().into_iter().any(|result| self.is_result_value(result))
    }

    fn is_result_value(&self, value: Value<'c>) -> bool {
        value.uses().into_iter().any(|(user, _)| self.member(user).is_none())
    }

    /// Whether there is a reduction in it and something else that computes, in iterations
    /// that are worth it.
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
