//! Contractions by `wgmma`: products of warpgroups on tiles that the tensor memory accelerator
//! copies.
//!
//! The last warpgroup of a block is the producer: one of its threads copies boxes of lhs and rhs to
//! a ring of slots in workgroup memory. The other warpgroups, the consumers, each multiply 64 rows.
//! Each slot has two barriers in workgroup memory: `full` completes when the bytes of the slot have
//! arrived, `empty` when all warps of the consumers have finished reading it.
//!
//! ```text
//! producer, for each step along k:        consumer, for each step along k:
//!   wait for empty[slot]                    wait for full[slot]
//!   expect the bytes of full[slot]          4 x wgmma.mma_async; commit
//!   copy boxes of lhs and rhs               wait for all but the last group of products
//!                                           arrive at empty[previous slot]
//! ```
//!
//! A box has rows of 128 bytes, 64 elements, either along k or along m or n. The accelerator xors
//! the index of a chunk of 16 bytes in its row with the index of the row, modulo 8 ("128-byte
//! swizzle"), and zero-fills elements out of bounds, so that partial tiles need no other code than
//! a bounds check of the stores. Descriptors specify this layout for `wgmma` (PTX ISA, "Matrix Descriptor
//! Format"): for rows along k, groups of 8 rows are 1024 bytes apart; for rows along m or n, so are
//! groups of 8 indices along k, and the boxes of 64 columns are 8192 bytes apart.
//!
//! A lane of a warp holds the same elements of the result as of `mma.sync` with 16 rows for each
//! warp ("Register Fragments for wgmma.mma_async.m64nNk16"), so that [`Epilogue`] writes them.
//!
//! Limits: one loop in each of m, n and k and at most one in the batch, operands without bounds,
//! with one contiguous dimension and strides that are multiples of 16 bytes (`Matrix::of`).

use super::{
    super::{
        buffers,
        launch::{Dimensions, ThreadIds, WARP, launch},
    },
    epilogue::{Epilogue, Position},
    strategy::Tile,
};
use crate::loops::prelude::*;
use halo_core::machine::Gpu;
use halo_ir::{
    ops::{builtin, llvm, nvgpu},
    prelude::*,
    template,
};
use melior::ir::Attribute;

/// Threads of a warpgroup.
const WARPGROUP: i64 = 128;
/// Rows of the result that a warpgroup computes.
const ROWS: i64 = 64;
/// Elements of 16 bits in a row of a box.
const ROW: i64 = 64;
/// Bytes of a row of a box, and of 8 of them, after which the swizzle repeats.
const ROW_BYTES: i64 = 128;
const SWIZZLE_BYTES: i64 = 8 * ROW_BYTES;
/// Elements along k of one `wgmma`.
const DEPTH: i64 = 16;
/// Bytes of a barrier.
const BARRIER_BYTES: i64 = 8;
/// Tiles of the result: warpgroups of 64 rows, and columns.
const TILES: [(i64, i64); 6] = [(2, 256), (2, 128), (1, 256), (2, 64), (1, 128), (1, 64)];
/// Slots of the ring, at most and at least.
const STAGES: std::ops::RangeInclusive<i64> = 3..=4;

/// The layout of lhs or rhs.
#[derive(Clone, Copy, Debug)]
struct Matrix {
    operand: usize,
    /// The sizes of m or n, and of k.
    sizes: [i64; 2],
    /// True if rows are contiguous along k.
    along_k: bool,
    /// Elements between rows.
    stride: i64,
    /// The size of the batch, and the elements between its matrices, unless all are the same.
    batch: Option<(i64, i64)>,
}

impl Matrix {
    /// The layout, if a tensor map can describe it.
    fn of(contraction: &Contraction, operand: usize, group: Group) -> Option<Self> {
        /// Elements of 16 bytes.
        const ALIGNED: i64 = 8;
        let ([outer], [k]) = (contraction.loops(group), contraction.loops(Group::K)) else {
            return None;
        };
        let (along_k, stride) = match (outer.strides[operand], k.strides[operand]) {
            (stride, 1) => (true, stride),
            (1, stride) => (false, stride),
            _ => return None,
        };
        let batch = match contraction.loops(Group::Batch) {
            [] => None,
            [batch] => Some((batch.size, batch.strides[operand])),
            _ => return None,
        };
        let batch = batch.filter(|(_, stride)| *stride != 0);
        let start = contraction.operands[operand].start;
        let offset = contraction.operands[operand].layout_offset()?;
        let is_aligned = [start, offset, stride, batch.map_or(0, |(_, stride)| stride)]
            .iter()
            .all(|elements| *elements >= 0 && elements % ALIGNED == 0);
        (stride > 0 && is_aligned).then_some(Self {
            operand,
            sizes: [outer.size, k.size],
            along_k,
            stride,
            batch,
        })
    }

    /// Boxes of a slot for a tile with so many indices of m or n.
    fn boxes(&self, outer: i64) -> i64 {
        if self.along_k { 1 } else { outer / ROW }
    }

    /// The tensor, outermost dimension first: sizes, strides in elements, and the sizes of a box.
    fn dimensions(&self, outer: i64) -> Vec<[i64; 3]> {
        let [size, k] = self.sizes;
        let rows = if self.along_k {
            [[size, self.stride, outer], [k, 1, ROW]]
        } else {
            [[k, self.stride, ROW], [size, 1, ROW]]
        };
        let batch = self.batch.map(|(size, stride)| [size, stride, 1]);
        batch.into_iter().chain(rows).collect()
    }

    /// The descriptor of a matrix at address zero.
    fn descriptor(&self) -> i64 {
        const SWIZZLE_128: i64 = 1 << 62;
        // Ignored for rows along k.
        let leading = if self.along_k { 16 } else { ROW * ROW_BYTES };
        SWIZZLE_128 | (SWIZZLE_BYTES >> 4) << 32 | (leading >> 4) << 16
    }

    /// Bytes between the parts of a slot that adjacent `wgmma` of a step multiply.
    fn depth_bytes(&self) -> i64 {
        if self.along_k {
            2 * DEPTH
        } else {
            DEPTH * ROW_BYTES
        }
    }
}

/// Returns the tile of the kernel in which the block of the busiest multiprocessor takes the least
/// time, if tensor maps can describe the operands and no multiprocessor is idle.
pub fn tile_of(contraction: &Contraction, gpu: &Gpu) -> Option<Tile> {
    if !gpu.has_wgmma || !contraction.bounds.is_empty() {
        return None;
    }
    Matrix::of(contraction, LHS, Group::M)?;
    Matrix::of(contraction, RHS, Group::N)?;
    let (m, n) = (contraction.size(Group::M), contraction.size(Group::N));
    if contraction.size(Group::K) < ROW {
        return None;
    }
    let tiles = TILES.into_iter().filter_map(|(groups, columns)| {
        let tile = |stages| Tile {
            m: groups * ROWS,
            n: columns,
            k: ROW,
            warps: (groups * WARPGROUP / WARP, 1),
            stages,
        };
        let fits = |tile: &Tile| bytes(tile) <= gpu.block_shared_memory;
        STAGES.rev().map(tile).find(fits)
    });
    let suits = |tile: &Tile| {
        m > tile.m / 2 && n > tile.n / 2 && tile.blocks(contraction) >= gpu.busy_blocks()
    };
    // Cycles of tensor cores, of reading workgroup memory, or of copying to it, for one depth of a
    // block.
    let time = |tile: &Tile| {
        let groups = tile.m / ROWS;
        let read = groups * (ROWS + tile.n) * DEPTH * 2 / gpu.shared_bandwidth;
        let multiplied = tile.m * tile.n * DEPTH / gpu.rates.tensor_16_bits;
        let copied = (tile.m + tile.n) * DEPTH * 2 / gpu.l2_bandwidth;
        let blocks = tile.blocks(contraction) as u64;
        let rounds = blocks.div_ceil(gpu.multiprocessors as u64) as i64;
        rounds * multiplied.max(read).max(copied)
    };
    tiles.filter(suits).min_by_key(time)
}

/// Bytes of lhs and rhs in a slot.
fn slot_bytes(tile: &Tile) -> i64 {
    (tile.m + tile.n) * ROW_BYTES
}

/// Bytes of workgroup memory, of which the first are unused up to a multiple of
/// [`SWIZZLE_BYTES`].
fn bytes(tile: &Tile) -> i64 {
    SWIZZLE_BYTES + tile.stages * (slot_bytes(tile) + 2 * BARRIER_BYTES)
}

/// A contraction and its tile.
pub struct Warpgroups<'a, 'c> {
    pub contraction: &'a Contraction<'c>,
    pub epilogue: &'a Epilogue<'c>,
    pub tile: Tile,
}

/// The common values of the kernel.
struct Kernel<'a, 'c> {
    contraction: &'a Contraction<'c>,
    tile: Tile,
    matrices: [Matrix; 2],
    /// Pointers to the tensor maps.
    maps: [Value<'c>; 2],
    /// The address of the first slot.
    slots: Value<'c>,
    /// The first row and column of the block, and its number in the batch.
    origin: [Value<'c>; 2],
    batch: Option<Value<'c>>,
    lane: Value<'c>,
}

impl<'c> Warpgroups<'_, 'c> {
    /// Emits the kernel.
    pub fn emit(&self, builder: &Builder<'c>, strategy: &str) {
        let (contraction, tile) = (self.contraction, self.tile);
        let byte = integer_type(builder.context(), 8);
        let memory = buffers::shared_type(builder, &[bytes(&tile)], byte);
        let grid = tile.dimensions(contraction).grid;
        let dimensions = Dimensions {
            grid,
            block: [tile.threads() + WARPGROUP, 1, 1],
        };
        launch(
            builder,
            strategy,
            dimensions,
            &[memory],
            |builder, ids, memory| self.body(builder, ids, memory[0]),
        );
    }

    fn body(&self, builder: &Builder<'c>, ids: &ThreadIds<'c>, memory: Value<'c>) {
        let (contraction, tile) = (self.contraction, self.tile);
        let matrices = [(LHS, Group::M), (RHS, Group::N)].map(|(operand, group)| {
            Matrix::of(contraction, operand, group)
                .unwrap_or_else(|| bug("expected operands that tensor maps can describe"))
        });
        let sizes = [tile.m, tile.n];
        let maps = [0, 1].map(|number| {
            let operand = &contraction.operands[matrices[number].operand];
            let source = buffers::flat(builder, operand.value);
            tensor_map(
                builder,
                &matrices[number],
                sizes[number],
                (source, operand.start),
            )
        });
        let (batch, row, column) = tile.origin(builder, contraction, ids);
        let start = memref::extract_aligned_pointer_as_index(builder, memory);
        let above = index::add(builder, start, SWIZZLE_BYTES - 1);
        let over = index::rem(builder, above, SWIZZLE_BYTES);
        let (group, thread) = index::divide(builder, ids.thread[0], WARPGROUP);
        let (warp, lane) = index::divide(builder, thread, WARP);
        let kernel = Kernel {
            contraction,
            tile,
            matrices,
            maps,
            slots: arith::subi(builder, above, over),
            origin: [row, column],
            batch: batch.index(),
            lane,
        };
        let is_first = index::compare(builder, CmpIPredicate::Eq, ids.thread[0], 0);
        scf::when(builder, Some(is_first), |builder| {
            kernel.start_barriers(builder)
        });
        gpu::barrier(builder);
        // Two consumers of 232 registers for a thread, and a producer of 40, have the registers of
        // 384 threads with 168.
        let moves_registers = (tile.m, tile.n) == (2 * ROWS, 256);
        let is_consumer = index::below(builder, group, tile.m / ROWS);
        let consume = |builder: &Builder<'c>| {
            if moves_registers {
                template!(builder, "nvvm.setmaxregister increase 232");
            }
            let sums = kernel.consume(builder, group);
            let (quarter, pair) = index::divide(builder, lane, 4);
            let inside = [
                index::mul(builder, group, ROWS),
                index::mul(builder, warp, ROWS / 4),
                quarter,
            ];
            let row = inside.into_iter().fold(row, |row, part| index::add(builder, row, part));
            let is_ragged = [
                contraction.size(Group::M) % tile.m != 0,
                contraction.size(Group::N) % tile.n != 0,
            ];
            let position = Position {
                batch: &batch,
                row,
                column,
                pair,
                is_ragged,
            };
            let blocks = [1, tile.n / 8];
            self.epilogue
                .write_fragments(builder, contraction, &position, blocks, &sums, false);
            Vec::new()
        };
        scf::if_else(builder, is_consumer, consume, |builder| {
            if moves_registers {
                template!(builder, "nvvm.setmaxregister decrease 40");
            }
            let is_leader = index::compare(builder, CmpIPredicate::Eq, thread, 0);
            scf::when(builder, Some(is_leader), |builder| kernel.produce(builder));
            Vec::new()
        });
    }
}

impl<'c> Kernel<'_, 'c> {
    fn steps(&self) -> i64 {
        (self.contraction.size(Group::K) + self.tile.k - 1) / self.tile.k
    }

    /// The pointer to a barrier of a slot.
    fn barrier(&self, builder: &Builder<'c>, kind: Barrier, slot: Value<'c>) -> Value<'c> {
        let first = self.tile.stages * slot_bytes(&self.tile)
            + kind as i64 * self.tile.stages * BARRIER_BYTES;
        let offset = index::mul(builder, slot, BARRIER_BYTES);
        let offset = index::add(builder, offset, first);
        let address = index::add(builder, self.slots, offset);
        shared_pointer(builder, address)
    }

    /// One thread sets the counts of all barriers.
    fn start_barriers(&self, builder: &Builder<'c>) {
        let warps = self.tile.threads() / WARP;
        for (kind, arrivals) in [(Barrier::Full, 1), (Barrier::Empty, warps)] {
            for slot in 0..self.tile.stages {
                let slot = index::constant(builder, slot);
                let barrier = self.barrier(builder, kind, slot);
                let count = word(builder, arrivals);
                template!(
                    builder,
                    "nvvm.mbarrier.init $barrier, $count : !llvm.ptr<3>, i32"
                );
            }
        }
        template!(builder, "nvvm.fence.mbarrier.init");
    }

    /// Copies the boxes of all steps, as their slots become empty.
    fn produce(&self, builder: &Builder<'c>) {
        let carried = [index::constant(builder, 0), word(builder, 1)];
        scf::for_(
            builder,
            (0, self.steps(), 1),
            &carried,
            |builder, step, carried| {
                let (slot, parity) = (carried[0], carried[1]);
                wait(builder, self.barrier(builder, Barrier::Empty, slot), parity);
                let full = self.barrier(builder, Barrier::Full, slot);
                let bytes = word(builder, slot_bytes(&self.tile));
                template!(
                    builder,
                    "nvvm.mbarrier.arrive.expect_tx $full, $bytes : !llvm.ptr<3>, i32"
                );
                let along_k = index::mul(builder, step, self.tile.k);
                let mut target = index::mul(builder, slot, slot_bytes(&self.tile));
                target = index::add(builder, self.slots, target);
                for (number, size) in [self.tile.m, self.tile.n].into_iter().enumerate() {
                    let matrix = &self.matrices[number];
                    let boxes = matrix.boxes(size);
                    for part in 0..boxes {
                        let outer = index::add(builder, self.origin[number], part * ROW);
                        let [first, second] = if matrix.along_k {
                            [along_k, outer]
                        } else {
                            [outer, along_k]
                        };
                        let batch = matrix.batch.and(self.batch);
                        self.copy_box(
                            builder,
                            number,
                            [Some(first), Some(second), batch],
                            (target, full),
                        );
                        target = index::add(builder, target, size * ROW_BYTES / boxes);
                    }
                }
                next_slot(builder, (slot, parity), self.tile.stages)
            },
        );
    }

    fn copy_box(
        &self,
        builder: &Builder<'c>,
        number: usize,
        indices: [Option<Value<'c>>; 3],
        (target, full): (Value<'c>, Value<'c>),
    ) {
        let map = self.maps[number];
        // A block without a cluster is a cluster by itself.
        let cluster = parsed_type(builder, "!llvm.ptr<7>");
        let target = shared_pointer(builder, target);
        let target = llvm::addrspacecast(builder, target, cluster);
        let i32_type = integer_type(builder.context(), 32);
        let indices = indices.map(|index| Some(arith::index_cast(builder, index?, i32_type)));
        match indices {
            [Some(x), Some(y), None] => template!(
                builder,
                "nvvm.cp.async.bulk.tensor.shared.cluster.global $target, $map, $full, box[$x, $y]
                     : !llvm.ptr<7>, !llvm.ptr"
            ),
            [Some(x), Some(y), Some(z)] => template!(
                builder,
                "nvvm.cp.async.bulk.tensor.shared.cluster.global $target, $map, $full,
                     box[$x, $y, $z] : !llvm.ptr<7>, !llvm.ptr"
            ),
            _ => bug("expected two or three indices of a box"),
        };
    }

    /// Multiplies the boxes of all steps. Returns the fragments of a warp.
    fn consume(&self, builder: &Builder<'c>, group: Value<'c>) -> Vec<Value<'c>> {
        let context = builder.context();
        let count = self.tile.n / 2;
        let float = Type::float32(context);
        let sums = parsed_type(
            builder,
            &format!("!llvm.struct<({})>", vec!["f32"; count as usize].join(", ")),
        );
        let zero = index::constant(builder, 0);
        let start = template!(builder, "%zero = llvm.mlir.zero : $sums");
        let is_reporting = index::compare(builder, CmpIPredicate::Eq, self.lane, 0);
        let carried = [zero, word(builder, 0), zero, start[0]];
        let results = scf::for_(
            builder,
            (0, self.steps(), 1),
            &carried,
            |builder, step, carried| {
                let (slot, parity) = (carried[0], carried[1]);
                wait(builder, self.barrier(builder, Barrier::Full, slot), parity);
                template!(builder, "nvvm.wgmma.fence.aligned");
                let sums = self.multiply(builder, group, slot, carried[3]);
                template!(
                    builder,
                    "nvvm.wgmma.commit.group.sync.aligned
                 nvvm.wgmma.wait.group.sync.aligned 1"
                );
                let is_later = index::compare(builder, CmpIPredicate::Ugt, step, 0);
                let releases = arith::andi(builder, is_reporting, is_later);
                scf::when(builder, Some(releases), |builder| {
                    let empty = self.barrier(builder, Barrier::Empty, carried[2]);
                    template!(
                        builder,
                        "%state = nvvm.mbarrier.arrive $empty : !llvm.ptr<3> -> i64"
                    );
                });
                let mut next = next_slot(builder, (slot, parity), self.tile.stages);
                next.extend([slot, sums]);
                next
            },
        )
        .results();
        template!(builder, "nvvm.wgmma.wait.group.sync.aligned 0");
        let fragment = vector_type(&[2, 2], float);
        (0..count / 4)
            .map(|number| {
                let elements = [0, 1, 2, 3].map(|element| {
                    llvm::extractvalue(builder, results[3], &[4 * number + element], float)
                });
                vector::from_elements(builder, &elements, fragment)
            })
            .collect()
    }

    /// Starts the products of a step.
    fn multiply(
        &self,
        builder: &Builder<'c>,
        group: Value<'c>,
        slot: Value<'c>,
        sums: Value<'c>,
    ) -> Value<'c> {
        let parse = |text: &str| parsed(builder, text);
        let element = self.contraction.operands[LHS].element();
        let element = parse(&format!("#nvvm.wgmma_type<{element}>"));
        let float = parse("#nvvm.wgmma_type<f32>");
        let shape = parse(&format!(
            "#nvvm.shape<m = {ROWS}, n = {}, k = {DEPTH}>",
            self.tile.n
        ));
        let (plus, one) = (
            parse("#nvvm.wgmma_scale_out<one>"),
            parse("#nvvm.wgmma_scale_in<one>"),
        );
        let (row, column) = (
            parse("#nvvm.mma_layout<row>"),
            parse("#nvvm.mma_layout<col>"),
        );
        let [lhs_layout, rhs_layout] = [
            if self.matrices[LHS].along_k {
                row
            } else {
                column
            },
            if self.matrices[RHS].along_k {
                column
            } else {
                row
            },
        ];
        let slot = index::mul(builder, slot, slot_bytes(&self.tile));
        let lhs_start = index::add(builder, self.slots, slot);
        let of_group = index::mul(builder, group, ROWS * ROW_BYTES);
        let rhs_start = index::add(builder, lhs_start, self.tile.m * ROW_BYTES);
        let lhs_start = index::add(builder, lhs_start, of_group);
        let starts = [lhs_start, rhs_start];
        let descriptors =
            [LHS, RHS].map(|number| descriptor(builder, starts[number], &self.matrices[number]));
        let i64_type = integer_type(builder.context(), 64);
        let mut sums = sums;
        for depth in 0..self.tile.k / DEPTH {
            let [lhs, rhs] = [LHS, RHS].map(|number| {
                let bytes = depth * self.matrices[number].depth_bytes();
                let advance = arith::constant(builder, i64_type, bytes >> 4);
                arith::addi(builder, descriptors[number], advance)
            });
            let ty = sums.ty();
            sums = template!(
                builder,
                "%product = nvvm.wgmma.mma_async $lhs, $rhs, $sums, $shape, D [$float, $plus],
                     A [$element, $one, $lhs_layout], B [$element, $one, $rhs_layout] : $ty -> $ty"
            )[0];
        }
        sums
    }
}

/// The barriers of a slot.
#[derive(Clone, Copy)]
enum Barrier {
    Full,
    Empty,
}

/// The pointer to a tensor map of a buffer's elements, starting at an offset.
fn tensor_map<'c>(
    builder: &Builder<'c>,
    matrix: &Matrix,
    outer: i64,
    (source, start): (Value<'c>, i64),
) -> Value<'c> {
    let dimensions = matrix.dimensions(outer);
    let along = |number: usize| -> Vec<i64> {
        dimensions.iter().map(|dimension| dimension[number]).collect()
    };
    let list = |numbers: &[i64], separator| {
        let numbers: Vec<String> = numbers.iter().map(i64::to_string).collect();
        numbers.join(separator)
    };
    let (sizes, strides, boxes) = (along(0), along(1), along(2));
    let element = source.ty().element_type();
    let offset = source.ty().strides().and_then(|(_, offset)| offset).unwrap_or_default() + start;
    let (shape, steps) = (list(&sizes, "x"), list(&strides, ", "));
    let layout = format!("memref<{shape}x{element}, strided<[{steps}], offset: {offset}>>");
    let layout = parsed_type(builder, &layout);
    let view = memref::reinterpret_cast(
        builder,
        source,
        &[],
        &[],
        &[],
        &[offset],
        &sizes,
        &strides,
        layout,
    );
    let tensor = memref::cast(
        builder,
        view,
        parsed_type(builder, &format!("memref<*x{element}>")),
    );
    let tile = list(&boxes, "x");
    let map = parsed_type(
        builder,
        &format!(
            "!nvgpu.tensormap.descriptor<tensor = memref<{tile}x{element}, 3>, \
             swizzle = swizzle_128b, l2promo = l2promo_128b, oob = zero, interleave = none>"
        ),
    );
    let boxes: Vec<Value> = boxes.iter().map(|size| index::constant(builder, *size)).collect();
    let map = nvgpu::tma_create_descriptor(builder, tensor, &boxes, map);
    let pointer = parsed_type(builder, "!llvm.ptr");
    builtin::unrealized_conversion_cast(builder, &[map], &[pointer])
        .operation()
        .results()[0]
}

/// The descriptor of a matrix at an address.
fn descriptor<'c>(builder: &Builder<'c>, address: Value<'c>, matrix: &Matrix) -> Value<'c> {
    /// Addresses have 18 bits, of which descriptors omit 4.
    const ADDRESS: i64 = (1 << 18) - 1;
    let i64_type = integer_type(builder.context(), 64);
    let number = |number| arith::constant(builder, i64_type, number);
    let address = arith::index_cast(builder, address, i64_type);
    let address = arith::andi(builder, address, number(ADDRESS));
    let address = arith::shrui(builder, address, number(4));
    arith::ori(builder, address, number(matrix.descriptor()))
}

/// Waits until the phase of a parity of a barrier is complete.
fn wait<'c>(builder: &Builder<'c>, barrier: Value<'c>, parity: Value<'c>) {
    let ticks = word(builder, 10_000_000);
    template!(
        builder,
        "nvvm.mbarrier.try_wait.parity $barrier, $parity, $ticks : !llvm.ptr<3>, i32, i32"
    );
}

/// The slot of the next step, and the parity of its barrier, which changes with each round.
fn next_slot<'c>(
    builder: &Builder<'c>,
    (slot, parity): (Value<'c>, Value<'c>),
    slots: i64,
) -> Vec<Value<'c>> {
    let next = index::add(builder, slot, 1);
    let is_inside = index::below(builder, next, slots);
    let zero = index::constant(builder, 0);
    let flipped = arith::xori(builder, parity, word(builder, 1));
    vec![
        arith::select(builder, is_inside, next, zero),
        arith::select(builder, is_inside, parity, flipped),
    ]
}

fn shared_pointer<'c>(builder: &Builder<'c>, address: Value<'c>) -> Value<'c> {
    let address = arith::index_cast(builder, address, integer_type(builder.context(), 64));
    llvm::inttoptr(builder, address, parsed_type(builder, "!llvm.ptr<3>"))
}

fn word<'c>(builder: &Builder<'c>, number: i64) -> Value<'c> {
    arith::constant(builder, integer_type(builder.context(), 32), number)
}

fn parsed<'c>(builder: &Builder<'c>, text: &str) -> Attribute<'c> {
    Attribute::parse(builder.context(), text)
        .unwrap_or_else(|| bug(format_args!("invalid attribute {text}")))
}

fn parsed_type<'c>(builder: &Builder<'c>, text: &str) -> Type<'c> {
    Type::parse(builder.context(), text).unwrap_or_else(|| bug(format_args!("invalid type {text}")))
}
