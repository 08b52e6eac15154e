//! The ops of `gpu`, with functions for the bodies of kernels.

super::generated! { "gpu" }


use crate::{OperationExt};
use super::{Build, Op};
use crate::{BuildError, Builder, Operation, Type, Value,  index_type};

/// Where a thread is, each along x, y and z.
#[derive(Clone, Copy, Debug)]
pub struct ThreadIds<'c> {
    /// The number of its block in the grid.
    pub block: [Value<'c>; 3],
    /// Its number in the block.
    pub thread: [Value<'c>; 3],
}

/// The dimension that an op asks for, as `gpu.block_id` does.
pub fn dimension(operation: Operation) -> Option<Dimension> {
    // All ops that have one keep it as this one does.
    operation.attribute("dimension")
        .map(|_| ThreadIdOp::from_unchecked(operation).dimension())
}

/// `gpu.launch` of a grid of blocks, with a buffer in workgroup memory for each
/// type of `shared`. The body gets the place of a thread and these buffers. The
/// op is not inserted yet, so that more can be said of it.
pub fn launch<'c, E: From<BuildError>>(
    builder: &Builder<'c>,
    grid: [Value<'c>; 3],
    block: [Value<'c>; 3],
    shared: &[Type<'c>],
    body: impl FnOnce(&Builder<'c>, &ThreadIds<'c>, &[Value<'c>]) -> Result<(), E>,
) -> Result<Build<'c, LaunchOp<'c>>, E> {
    // Indices of block and thread, and the sizes of grid and block.
    let mut types = vec![index_type(builder.context()); 12];
    types.extend(shared);
    let region = builder.region(&types, |builder, arguments| {
        let [block_x, block_y, block_z, thread_x, thread_y, thread_z, ..] = arguments[..] else {
            return Err(E::from(BuildError::new(LaunchOp::NAME)));
        };
        let ids = ThreadIds {
            block: [block_x, block_y, block_z],
            thread: [thread_x, thread_y, thread_z],
        };
        body(builder, &ids, &arguments[12..])?;
        terminator(builder)?;
        Ok(())
    })?;
    let ([grid_x, grid_y, grid_z], [block_x, block_y, block_z]) = (grid, block);
    let launch = LaunchOp::build(
        builder,
        &[],
        grid_x,
        grid_y,
        grid_z,
        block_x,
        block_y,
        block_z,
        region,
    );
    Ok(launch)
}
