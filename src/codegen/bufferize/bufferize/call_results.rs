//! Lets custom calls write to the results of the entry.
//!
//! A call gets its destinations before the entry has any, as buffers of its own. One that
//! is only copied to a result is that result.

use halo_ir::{
    ops::halo::{CustomCallOp, ENTRY},
    prelude::*,
    users_of,
};

/// Replaces the destinations of calls in a module by results that they are copied to.
pub fn write_results_in_place(module: Operation) -> Result<(), BuildError> {
    for copy in collect_operations(module, |op| op.isa::<memref::CopyOp>()) {
        if let [from, to] = operands_of(copy)[..]
            && from.r#type() == to.r#type()
            && let Some((alloc, _)) = defining_operation(from)
            && alloc.isa::<memref::AllocOp>()
            && alloc.block() == copy.block()
            && let Some((block, _)) = block_argument(to)
            && owner_of(block).is_some_and(|owner| attribute_of(owner, ENTRY).is_some())
            && (users_of(to).into_iter()).all(|user| user == copy || user.isa::<func::ReturnOp>())
            && (users_of(from).into_iter()).all(|user| user == copy || user.isa::<CustomCallOp>())
        {
            with_builder(copy, |b| {
                b.erase(copy)?;
                b.replace(alloc, &[to])
            })?;
        }
    }
    Ok(())
}
