//! Aliases of a buffer, and the ops that access it.

use halo_hlo::donated_arguments::is_shared;
use halo_ir::{
    ops::{affine, bufferization, memref::view_source},
    prelude::*,
};
use std::collections::HashSet;

/// The aliases of a value.
#[derive(Default)]
pub struct Aliases<'c> {
    /// The value and its views, and the loop-carried values they flow into.
    pub values: Vec<Value<'c>>,
    /// The ops that use any of them, except deallocations.
    pub users: Vec<Operation<'c>>,
    /// The ops that deallocate any of them.
    pub deallocations: Vec<Operation<'c>>,
    /// Whether the function returns one.
    pub returned: bool,
    /// Whether the address escapes, as an integer or a tensor.
    pub hidden: bool,
}

impl<'c> Aliases<'c> {
    /// The aliases of a buffer.
    pub fn of(root: Value<'c>) -> Self {
        let mut aliases = Self::default();
        let mut seen = HashSet::new();
        let mut pending = vec![root];
        while let Some(value) = pending.pop() {
            if !seen.insert(value.key()) {
                continue;
            }
            aliases.values.push(value);
            for (user, number) in value.uses() {
                aliases.follow(user, number, &mut pending);
            }
        }
        aliases
    }

    fn follow(&mut self, user: Operation<'c>, number: usize, pending: &mut Vec<Value<'c>>) {
        match user.name() {
            memref::DeallocOp::NAME => {
                self.deallocations.push(user);
                return;
            }
            func::ReturnOp::NAME => self.returned = true,
            scf::YieldOp::NAME => {
                let Some(parent) = user.parent() else {
                    return;
                };
                match parent.name() {
                    // The second region of a while yields to the first.
                    scf::WhileOp::NAME => pending.extend(nth_argument(parent, 0, number)),
                    scf::ForOp::NAME => {
                        pending.extend(nth_argument(parent, 0, number + 1));
                        pending.extend(parent.results().get(number));
                    }
                    _ => pending.extend(parent.results().get(number)),
                }
            }
            scf::ConditionOp::NAME => {
                if let (Some(parent), Some(number)) = (user.parent(), number.checked_sub(1)) {
                    pending.extend(nth_argument(parent, 1, number));
                    pending.extend(parent.results().get(number));
                }
            }
            scf::ForOp::NAME => {
                if let Some(number) = number.checked_sub(3) {
                    pending.extend(nth_argument(user, 0, number + 1));
                    pending.extend(user.results().get(number));
                }
            }
            scf::WhileOp::NAME => pending.extend(nth_argument(user, 0, number)),
            memref::ExtractAlignedPointerAsIndexOp::NAME
            | memref::ExtractStridedMetadataOp::NAME
            | bufferization::ToTensorOp::NAME
            | "builtin.unrealized_conversion_cast" => self.hidden = true,
            _ => {
                pending.extend(user.results().into_iter().filter(|result| result.ty().is_memref()))
            }
        }
        self.users.push(user);
    }

    /// Whether a loop around the buffer's definition carries it to the next
    /// iteration or returns it.
    pub fn leaves_loop(&self, is_around: impl Fn(Operation<'c>) -> bool) -> bool {
        self.values.iter().any(|value| {
            let owner = match value.as_block_argument() {
                Some((block, _)) => block.parent(),
                None => value.defining_op(),
            };
            owner.is_some_and(|owner| is_loop(owner) && is_around(owner))
        })
    }
}

/// All ops that use the memory of a buffer, also through views. `None` unless the buffer is an
/// allocation whose address does not escape, a constant, or an argument that shares its memory with
/// no other argument.
pub fn users_of_memory<'c>(buffer: Value<'c>) -> Option<Aliases<'c>> {
    let root = root_of(buffer);
    let is_own = match root.as_block_argument() {
        // JAX marks arguments whose buffer may be donated to a result.
        Some((block, number)) => block
            .parent()
            .is_some_and(|owner| owner.isa::<func::FuncOp>() && !is_shared(owner, number)),
        None => root
            .defining_op()
            .is_some_and(|op| op.isa::<memref::AllocOp>() || op.isa::<memref::AllocaOp>()),
    };
    let aliases = is_own.then(|| Aliases::of(root))?;
    (!aliases.hidden).then_some(aliases)
}

/// The buffer underlying a view.
pub fn root_of(view: Value<'_>) -> Value<'_> {
    let mut root = view;
    while let Some(source) = root.defining_op().and_then(|op| view_source(op)) {
        root = source;
    }
    root
}

/// Whether two memrefs have the same elements in the same order, in possibly different shapes.
pub fn is_reshape_of<'c>(one: Value<'c>, other: Value<'c>) -> bool {
    unreshaped(one) == unreshaped(other)
}

/// The buffer before reshapes: it has the same elements in the same order.
pub fn unreshaped(memref: Value<'_>) -> Value<'_> {
    let mut buffer = memref;
    while let Some(view) = buffer.defining_op()
        && (view.isa::<memref::ExpandShapeOp>() || view.isa::<memref::CollapseShapeOp>())
        && let Some(source) = view_source(view)
        && [source, buffer].iter().all(|memref| memref.ty().has_identity_layout())
    {
        buffer = source;
    }
    buffer
}

/// The op of a block that is or contains another op.
pub fn ancestor_in<'c>(block: Block<'c>, op: Operation<'c>) -> Option<Operation<'c>> {
    let mut around = std::iter::successors(Some(op), |op| op.parent());
    around.find(|around| around.block() == Some(block))
}

fn nth_argument<'c>(operation: Operation<'c>, region: usize, number: usize) -> Option<Value<'c>> {
    operation.body(region)?.arguments().get(number).copied()
}

/// Whether an op executes its region repeatedly.
pub fn is_loop(operation: Operation) -> bool {
    matches!(
        operation.name(),
        scf::ForOp::NAME
            | scf::WhileOp::NAME
            | scf::ParallelOp::NAME
            | scf::ForallOp::NAME
            | affine::AffineForOp::NAME
            | affine::AffineParallelOp::NAME
            | gpu::LaunchOp::NAME
    )
}

/// Whether the iterations of a loop may run in parallel.
pub fn is_parallel_loop(operation: Operation) -> bool {
    matches!(
        operation.name(),
        scf::ParallelOp::NAME
            | scf::ForallOp::NAME
            | affine::AffineParallelOp::NAME
            | gpu::LaunchOp::NAME
    )
}

/// Whether an op is nested in a loop whose iterations may run in parallel.
pub fn is_in_parallel_loop(operation: Operation) -> bool {
    let around = std::iter::successors(Some(operation), |op| op.parent());
    around.skip(1).any(is_parallel_loop)
}
