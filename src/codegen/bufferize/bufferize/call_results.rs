//! Makes custom calls write to the results of the entry.
//!
//! Calls get new buffers as destinations before the entry gets its destinations. A destination that
//! is only copied to a result of the entry is replaced by the result.

use halo_ir::{
    ops::halo::{CustomCallOp, ENTRY},
    prelude::*,
};

/// Replaces destinations of calls in a module by the results that they are copied to.
pub fn write_results_in_place(module: Operation) {
    for copy in module.collect_nested(|op| op.isa::<memref::CopyOp>()) {
        if let [from, to] = copy.operands()[..]
            && from.ty() == to.ty()
            && let Some(alloc) = from.defining_op()
            && alloc.isa::<memref::AllocOp>()
            && alloc.block() == copy.block()
            && let Some((block, _)) = to.as_block_argument()
            && block.parent().is_some_and(|owner| owner.has_attribute(ENTRY))
            && to.users().into_iter().all(|user| user == copy || user.isa::<func::ReturnOp>())
            && from.users().into_iter().all(|user| user == copy || user.isa::<CustomCallOp>())
        {
            with_builder(copy, |b| {
                b.erase(copy);
                b.replace(alloc, &[to])
            });
        }
    }
}
