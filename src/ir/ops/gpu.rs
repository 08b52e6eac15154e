//! The ops of `gpu`, with functions for the bodies of kernels.

super::generated! { "gpu" }

use super::{Build, definition::Op};
use crate::{
    builder::Builder,
    graveyard::bug,
    handles::{Operation, Type, Value},
    operation::OperationExt,
    outcome::Outcome,
};

/// The indices of a thread, each along x, y and z.
#[derive(Clone, Copy, Debug)]
pub struct ThreadIds<'c> {
    /// The index of its block in the grid.
    pub block: [Value<'c>; 3],
    /// Its number in the block.
    pub thread: [Value<'c>; 3],
}

/// The dimension of an op such as `gpu.block_id`.
pub fn dimension(operation: Operation) -> Option<Dimension> {
    // All ops with a dimension store it as this one does.
    operation
        .attribute("dimension")
        .map(|_| ThreadIdOp::from_unchecked(operation).dimension())
}

/// `gpu.launch` of a grid of blocks, with a buffer in workgroup memory for each type of `shared`.
/// The body gets the index of a thread and these buffers. The op is not inserted yet, so that
/// attributes can be added.
#[track_caller]
pub fn launch<'c, R: Outcome<()>>(
    builder: &Builder<'c>,
    grid: [Value<'c>; 3],
    block: [Value<'c>; 3],
    shared: &[Type<'c>],
    body: impl FnOnce(&Builder<'c>, &ThreadIds<'c>, &[Value<'c>]) -> R,
) -> R::Of<Build<'c, LaunchOp<'c>>> {
    // Indices of block and thread, and the sizes of grid and block.
    let mut types = vec![Type::index(builder.context()); 12];
    types.extend(shared);
    let region = builder.region(&types, |builder, arguments| {
        let [block_x, block_y, block_z, thread_x, thread_y, thread_z, ..] = arguments[..] else {
            bug("'gpu.launch' op has no indices");
        };
        let ids = ThreadIds {
            block: [block_x, block_y, block_z],
            thread: [thread_x, thread_y, thread_z],
        };
        body(builder, &ids, &arguments[12..]).into_result()?;
        terminator(builder);
        Ok(())
    });
    let ([grid_x, grid_y, grid_z], [block_x, block_y, block_z]) = (grid, block);
    R::of(region.map(|region| {
        LaunchOp::build(
            builder,
            &[],
            grid_x,
            grid_y,
            grid_z,
            block_x,
            block_y,
            block_z,
            region,
        )
    }))
}
