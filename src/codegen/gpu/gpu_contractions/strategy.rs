//! The choice of a contraction's kernel, and its tiling for blocks and warps.

use super::{
    super::launch::{Dimensions, MOST_BLOCKS_YZ, ThreadIds, WARP},
    addresses::Spot,
    provider::F32Products,
    warpgroup,
};
use crate::{
    explain::Reason,
    loops::{
        contraction::{Precision, has_vector_layout},
        prelude::*,
    },
};
use halo_core::machine::Gpu;
use halo_ir::prelude::*;

/// Contractions with fewer multiplications get plain kernels.
const SMALL: i64 = 1 << 15;
/// At most so many rows, of at least so many elements, get a block each instead of a warp.
const FEW: i64 = 1024;
const LONG: i64 = 2048;
/// Vertically adjacent blocks that run at about the same time, so that the columns of rhs stay in
/// the cache.
const GROUPED: i64 = 8;

/// Sizes from which the vendor's library is expected to be faster than Halo's kernels: the type of
/// lhs and rhs, the minimum of m and n, and the minimum k. Smaller contractions are bound by memory
/// or launch latency, where a kernel with a fused epilogue is faster. For f32 the library does not
/// use tensor cores, unlike Halo's kernel.
const LIBRARY: [(FloatKind, i64, i64); 3] = [
    (FloatKind::BF16, 2048, 1024),
    (FloatKind::F16, 2048, 1024),
    (FloatKind::F64, 1024, 512),
];

/// The kernel of a contraction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// Tiles on tensor cores.
    TensorCore(Tile),
    /// Tiles on tensor cores, by products of warpgroups.
    Warpgroups(Tile),
    /// Tiles by multiply-add on registers.
    Registers(Tile),
    /// One row: a warp for each element of the result, along k.
    RowsByWarp,
    /// One row: a block for each element of the result, along k.
    RowsByBlock,
    /// One row: a thread for a few adjacent elements of the result, with the warps of a block along
    /// k.
    ColumnsByThread,
}

/// The tiling of the result for a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tile {
    pub m: i64,
    pub n: i64,
    pub k: i64,
    /// Warps along m and along n.
    pub warps: (i64, i64),
    /// Tiles along k that are in workgroup memory at a time.
    pub stages: i64,
}

const fn tile(m: i64, n: i64, k: i64, warps: (i64, i64), stages: i64) -> Tile {
    Tile {
        m,
        n,
        k,
        warps,
        stages,
    }
}

/// The stages of large tiles for operands of 16 bits. Fewer are used if a multiprocessor could not
/// hold [`LATENCY_WARPS`].
const STAGES: std::ops::RangeInclusive<i64> = 3..=4;
/// Warps of a multiprocessor that hide the latency of its tensor cores: two for each of the four.
const LATENCY_WARPS: i64 = 8;
/// Large tiles for operands of 16 bits. The warps' subtiles of 64 by 64 elements read half as many
/// bytes of workgroup memory per product as subtiles of 32 by 32.
const LARGE_OF_16_BITS: [Tile; 2] = [
    tile(256, 128, 32, (4, 2), *STAGES.end()),
    tile(128, 128, 32, (2, 2), *STAGES.end()),
];
/// Smaller tiles for operands of 16 bits. Each takes at most 48 KB.
const OF_16_BITS: [Tile; 5] = [
    tile(128, 128, 32, (2, 4), 3),
    tile(64, 64, 32, (2, 2), 4),
    tile(16, 64, 64, (1, 4), 4),
    tile(64, 16, 64, (4, 1), 4),
    tile(32, 32, 64, (2, 2), 4),
];
/// Tiles for operands of 32 bits.
const OF_32_BITS: [Tile; 5] = [
    tile(128, 128, 16, (2, 4), 3),
    tile(64, 64, 16, (2, 2), 4),
    tile(16, 64, 32, (1, 4), 4),
    tile(64, 16, 32, (4, 1), 4),
    tile(32, 32, 32, (2, 2), 4),
];
/// Tiles for contractions by multiply-add: 8 by 8 and 4 by 4 elements for a thread.
const BY_REGISTERS: [Tile; 2] = [tile(128, 128, 16, (4, 2), 3), tile(64, 64, 16, (4, 2), 2)];

impl Tile {
    /// Threads of a block.
    pub fn threads(&self) -> i64 {
        self.warps.0 * self.warps.1 * WARP
    }

    /// Rows of the result that a warp computes.
    pub fn warp_rows(&self) -> i64 {
        self.m / self.warps.0
    }

    /// Columns of the result that a warp computes.
    pub fn warp_columns(&self) -> i64 {
        self.n / self.warps.1
    }

    fn counts(&self, contraction: &Contraction) -> [i64; 2] {
        let over = |size: i64, by: i64| size / by + i64::from(size % by != 0);
        [
            over(contraction.size(Group::M), self.m),
            over(contraction.size(Group::N), self.n),
        ]
    }

    /// Blocks of a contraction.
    pub fn blocks(&self, contraction: &Contraction) -> i64 {
        let [rows, columns] = self.counts(contraction);
        rows.saturating_mul(columns).saturating_mul(contraction.size(Group::Batch))
    }

    /// The threads of a contraction: blocks for the tiles along x, and for the batch
    /// along z.
    pub fn dimensions(&self, contraction: &Contraction) -> Dimensions {
        let tiles = self.counts(contraction).into_iter().product();
        Dimensions {
            grid: grid(tiles, contraction),
            block: [self.threads(), 1, 1],
        }
    }

    /// The position of a block: in the batch, and the first row and column.
    pub fn origin<'c>(
        &self,
        builder: &Builder<'c>,
        contraction: &Contraction<'c>,
        ids: &ThreadIds<'c>,
    ) -> (Spot<'c>, Value<'c>, Value<'c>) {
        let [rows, columns] = self.counts(contraction);
        let batch = contraction.size(Group::Batch);
        let (number, tile) = if batch == 1 {
            (index::constant(builder, 0), ids.block[0])
        } else if batch <= MOST_BLOCKS_YZ {
            (ids.block[2], ids.block[0])
        } else {
            index::divide(builder, ids.block[0], rows * columns)
        };
        let batch = contraction.spot(builder, Group::Batch, number, false);
        // A few rows of tiles are ordered column by column.
        let (row, column) = if rows <= GROUPED {
            let (column, row) = index::divide(builder, tile, rows);
            (row, column)
        } else if columns == 1 {
            (tile, index::constant(builder, 0))
        } else {
            let (group, inside) = index::divide(builder, tile, GROUPED * columns);
            let first = index::mul(builder, group, GROUPED);
            let count = index::constant(builder, rows);
            let left = arith::subi(builder, count, first);
            let height = index::min(builder, left, GROUPED);
            let row = index::rem(builder, inside, height);
            let column = index::div(builder, inside, height);
            (index::add(builder, first, row), column)
        };
        (
            batch,
            index::mul(builder, row, self.m),
            index::mul(builder, column, self.n),
        )
    }

    fn shape(&self) -> String {
        format!("{}x{}x{}", self.m, self.n, self.k)
    }
}

impl Strategy {
    /// The kernel of a contraction; `None` if a plain kernel is as
    /// fast.
    pub fn of(contraction: &Contraction, gpu: &Gpu) -> Option<Self> {
        let (m, n, k) = (
            contraction.size(Group::M),
            contraction.size(Group::N),
            contraction.size(Group::K),
        );
        if contraction.work() < SMALL || k < WARP / 2 {
            return None;
        }
        let types = [LHS, RHS, RESULT].map(|operand| contraction.operands[operand].element());
        if !types.iter().all(|element| has_vector_layout(*element)) {
            return None;
        }
        if m == 1 {
            // Shuffles exchange 32-bit words.
            if contraction.accumulator.bit_width() < Some(32) {
                return None;
            }
            let along_k = contraction.loops.k.last().is_some_and(|l| l.strides[RHS] == 1);
            let by_columns = contraction.loops.n.last().is_some_and(|l| l.strides[RHS] == 1);
            return Some(if by_columns && !along_k {
                Self::ColumnsByThread
            } else if k >= LONG && n.saturating_mul(contraction.size(Group::Batch)) < FEW {
                Self::RowsByBlock
            } else {
                Self::RowsByWarp
            });
        }
        let busy = gpu.busy_blocks();
        let wide =
            gpu.has_tensor_cores() && contraction.accumulator.float_kind() == Some(FloatKind::F32);
        let tiles = match (types[LHS].float_kind(), types[RHS].float_kind()) {
            (Some(FloatKind::BF16), Some(FloatKind::BF16))
            | (Some(FloatKind::F16), Some(FloatKind::F16))
                if wide =>
            {
                if let Some(tile) = warpgroup::tile_of(contraction, gpu) {
                    return Some(Self::Warpgroups(tile));
                }
                if let Some(tile) = large_tile(contraction, gpu) {
                    return Some(Self::TensorCore(tile));
                }
                &OF_16_BITS
            }
            (Some(FloatKind::F32), Some(FloatKind::F32))
                if wide && contraction.precision != Precision::Highest =>
            {
                &OF_32_BITS
            }
            _ => {
                let fits = types[LHS].bit_width() <= Some(32) && types[RHS].bit_width() <= Some(32);
                let large = BY_REGISTERS[0];
                let tile = if fits && large.blocks(contraction) >= busy {
                    large
                } else {
                    BY_REGISTERS[1]
                };
                return Some(Self::Registers(tile));
            }
        };
        let [large, middle, flat, narrow, small] = *tiles;
        let tile = if m <= 16 {
            flat
        } else if n <= 16 {
            narrow
        } else if large.blocks(contraction) >= busy && m > 64 && n > 64 {
            large
        } else if middle.blocks(contraction) >= busy && m > 32 && n > 32 {
            middle
        } else {
            small
        };
        Some(Self::TensorCore(tile))
    }

    /// The name of the kernel's launch.
    pub fn name(&self, contraction: &Contraction) -> String {
        match self {
            Self::TensorCore(tile) => {
                let shape = tile.shape();
                let is_f32 = contraction.operands[LHS].element().bit_width() == Some(32);
                match (is_f32, contraction.precision) {
                    (true, Precision::Tf32) => format!("mma_m16n8k8_tf32_{shape}"),
                    (true, _) => format!("mma_m16n8k8_3xtf32_{shape}"),
                    _ => format!("mma_m16n8k16_{shape}"),
                }
            }
            Self::Warpgroups(tile) => format!("wgmma_m64n{}k16_{}", tile.n, tile.shape()),
            Self::Registers(tile) => format!("registers_{}", tile.shape()),
            Self::RowsByBlock => "vector_rows_by_block".to_owned(),
            Self::RowsByWarp => "vector_rows_by_warp".to_owned(),
            Self::ColumnsByThread => "vector_columns_by_thread".to_owned(),
        }
    }
}

/// The large tile for operands of 16 bits whose blocks take the least time on the multiprocessor
/// that computes most of them, with the stages that fit into its memory; `None` if some
/// multiprocessors would be idle.
fn large_tile(contraction: &Contraction, gpu: &Gpu) -> Option<Tile> {
    let (m, n) = (contraction.size(Group::M), contraction.size(Group::N));
    let fits = |tile: &Tile| {
        let bytes = (tile.m + tile.n) * tile.k * 2 * tile.stages;
        let resident = gpu.resident_blocks(tile.threads(), bytes);
        bytes <= gpu.block_shared_memory && resident * tile.threads() >= LATENCY_WARPS * WARP
    };
    let suits = |tile: &Tile| {
        m > tile.m / 2 && n > tile.n / 2 && tile.blocks(contraction) >= gpu.busy_blocks()
    };
    let elements = |tile: &Tile| {
        let blocks = tile.blocks(contraction);
        (blocks as u64).div_ceil(gpu.multiprocessors as u64) as i64 * tile.m * tile.n
    };
    let tile = LARGE_OF_16_BITS.into_iter().filter(suits).min_by_key(elements)?;
    STAGES.rev().map(|stages| Tile { stages, ..tile }).find(fits)
}

/// The precision of the kernel for a contraction of f32.
pub fn precision(contraction: &Contraction, gpu: &Gpu, f32: F32Products) -> Precision {
    match (contraction.precision, f32) {
        (Precision::Highest, _) | (_, F32Products::Ieee) => Precision::Highest,
        (Precision::Tf32, _) | (_, F32Products::Tf32) => Precision::Tf32,
        (Precision::Split, F32Products::Auto) if suits_vector_units(contraction, gpu) => {
            Precision::Highest
        }
        (Precision::Split, _) => Precision::Split,
    }
}

/// The reason that a product of f32 is computed on vector units; `None` if it is not.
pub fn reason_for_vector_units(
    operation: Operation,
    gpu: &Gpu,
    f32: F32Products,
) -> Option<Reason> {
    let contraction = Contraction::of(operation)?.simplified();
    let is_f32 = contraction.operands[LHS].element().float_kind() == Some(FloatKind::F32);
    let precision = precision(&contraction, gpu, f32);
    if !is_f32 || !gpu.has_tensor_cores() || precision != Precision::Highest {
        return None;
    }
    let requested = contraction.precision == Precision::Highest || f32 == F32Products::Ieee;
    Some(if requested {
        Reason::RequestsF32
    } else {
        Reason::TensorCoresSlower
    })
}

/// Returns true if f32 is expected to take less time on vector units than as three products of
/// TF32. Latency bounds the time of few tiles, and tensor cores have the smaller ones.
fn suits_vector_units(contraction: &Contraction, gpu: &Gpu) -> bool {
    let [_, small] = BY_REGISTERS;
    gpu.prefers_vector_units()
        && contraction.size(Group::M) > small.m / 2
        && contraction.size(Group::N) > small.n / 2
        && small.blocks(contraction) >= gpu.busy_blocks()
}

/// Blocks along x, y and z: `blocks` for each product of the batch.
pub fn grid(blocks: i64, contraction: &Contraction) -> [i64; 3] {
    let batch = contraction.size(Group::Batch);
    if batch <= MOST_BLOCKS_YZ {
        [blocks, 1, batch]
    } else {
        [blocks * batch, 1, 1]
    }
}

/// Returns true if a library is expected to compute a contraction faster.
pub fn suits_library(contraction: &Contraction) -> bool {
    let kind = contraction.operands[LHS].element().float_kind();
    LIBRARY.iter().any(|(own, side, depth)| {
        kind == Some(*own)
            && contraction.size(Group::M) >= *side
            && contraction.size(Group::N) >= *side
            && contraction.size(Group::K) >= *depth
    })
}
