//! Builds `gpu.launch` ops, which contain the code of kernels.

use halo_ir::{ops::halo::STRATEGY, prelude::*};

pub use halo_ir::ops::gpu::ThreadIds;

/// Default threads of a block.
pub const BLOCK: i64 = 256;
/// Threads of a warp.
pub const WARP: i64 = 32;
/// The maximal blocks along the second and third dimension of a grid.
pub const MOST_BLOCKS_YZ: i64 = 65535;

/// The number of threads of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dimensions {
    pub grid: [i64; 3],
    pub block: [i64; 3],
}

impl Dimensions {
    /// One block of one thread.
    pub const ONE: Self = Self {
        grid: [1; 3],
        block: [1; 3],
    };

    /// The blocks for a number of threads, all along x.
    pub fn linear(threads: i64) -> Self {
        // Rounds up to whole warps, so that blocks have no unused warps.
        let warps = (threads.max(1) + WARP - 1) / WARP * WARP;
        let block = warps.min(BLOCK);
        Self {
            grid: [(threads.max(1) + block - 1) / block, 1, 1],
            block: [block, 1, 1],
        }
    }

    /// All threads along x.
    pub fn threads_x(&self) -> i64 {
        self.grid[0] * self.block[0]
    }
}

/// Builds a kernel at the insertion point. `shared` are memref types in workgroup memory
/// ([`shared_type`](super::buffers::shared_type)). The callback builds the body; the terminator is added.
pub fn launch<'c>(
    builder: &Builder<'c>,
    strategy: &str,
    dimensions: Dimensions,
    shared: &[Type<'c>],
    body: impl FnOnce(&Builder<'c>, &ThreadIds<'c>, &[Value<'c>]),
) -> Operation<'c> {
    let sizes = |sizes: [i64; 3]| -> [Value<'c>; 3] {
        let [x, y, z] = sizes.map(|size| index::constant(builder, size));
        [x, y, z]
    };
    let (grid, block) = (sizes(dimensions.grid), sizes(dimensions.block));
    let context = builder.context();
    let mut launch = gpu::launch(builder, grid, block, shared, body)
        .attribute(STRATEGY, string_attribute(context, strategy));
    if !shared.is_empty() {
        let count = integer_attribute(integer_type(context, 64), shared.len() as i64);
        launch = launch.attribute("workgroup_attributions", count);
    }
    launch.insert().operation()
}

/// The index of a thread in a grid along x.
pub fn global_x<'c>(
    builder: &Builder<'c>,
    dimensions: Dimensions,
    ids: &ThreadIds<'c>,
) -> Value<'c> {
    let base = index::mul(builder, ids.block[0], dimensions.block[0]);
    index::add(builder, base, ids.thread[0])
}

/// Emits the body under the condition that an index is below a bound; unconditionally if `always`.
pub fn guard<'c>(
    builder: &Builder<'c>,
    (index, bound, always): (Value<'c>, i64, bool),
    body: impl FnOnce(&Builder<'c>),
) {
    if always {
        return body(builder);
    }
    let inside = index::below(builder, index, bound);
    scf::when(builder, inside, body)
}
