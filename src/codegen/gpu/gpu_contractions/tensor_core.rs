//! Contractions on tensor cores: `mma.sync` on tiles in workgroup memory.
//!
//! A block computes a tile of the result in steps along k. While it multiplies the tiles of one
//! step, the tiles of the next steps are copied, each into a separate slot:
//!
//! ```text
//! copy steps 0 .. stages - 2
//! wait for the copies of step 0; barrier; load its first fragments
//! for each step:
//!   for each depth of the instruction in the step:
//!     at the last one, wait for the copies of the next step; barrier
//!     load the fragments of the next depth, which may be in the next step
//!     at the first one, copy step + stages - 1 into the slot that the step before has freed
//!     multiply the fragments of this depth
//! ```
//!
//! Products of split operands load the fragments of a depth when they multiply them.
//!
//! Each warp holds a subtile in registers. The PTX ISA defines the layouts of the fragments
//! ("Matrix Fragments for mma.m16n8k16" and "mma.m16n8k8"): with lane = 4 * row + pair, a lane
//! holds the rows `row` and `row + 8` of lhs, the column `row` of rhs, and two columns of the
//! result in the rows of lhs.
//!
//! Operands of 32 bits are TF32 numbers, which have 11 significant bits. To keep the precision of
//! f32, an operand is split into the nearest TF32 number and the remainder, and three products are
//! added, the small ones first. They start from zero, and a separate addition adds their sum to the
//! sums of the previous steps: tensor cores truncate the low bits of their accumulators, which
//! loses less for small sums. An infinity cannot be split: sums that are NaN are recomputed
//! ([`super::epilogue`]).

use super::{
    super::{
        buffers::{self, commit, wait},
        launch::{ThreadIds, WARP, launch},
    },
    epilogue::{Epilogue, Position},
    staging::{Fixed, Staging},
    strategy::Tile,
};
use crate::loops::{contraction::Precision, prelude::*};
use halo_ir::{ops::nvgpu, prelude::*};
use std::mem;

/// A contraction and the kernel chosen for it.
pub struct TensorCore<'a, 'c> {
    pub contraction: &'a Contraction<'c>,
    pub epilogue: &'a Epilogue<'c>,
    pub tile: Tile,
}

/// The fragments of lhs, each of 16 rows, and of rhs, each of 8 columns, at one depth.
type Fragments<'c> = [Vec<Value<'c>>; 2];

/// The common values of the kernel.
struct Kernel<'a, 'c> {
    contraction: &'a Contraction<'c>,
    tile: Tile,
    stagings: [Staging<'c>; 2],
    /// Lhs and rhs in global and in workgroup memory.
    sources: [Value<'c>; 2],
    targets: [Value<'c>; 2],
    fixed: [Fixed<'c>; 2],
    lane: Value<'c>,
    /// The first row and column of the warp's subtile.
    warp: [Value<'c>; 2],
}

impl<'c> TensorCore<'_, 'c> {
    /// Emits the kernel.
    pub fn emit(&self, builder: &Builder<'c>, strategy: &str) {
        let Self {
            contraction, tile, ..
        } = *self;
        let sizes = [(LHS, Group::M, tile.m), (RHS, Group::N, tile.n)];
        let stagings = sizes.map(|(operand, outer, size)| {
            Staging::new(
                contraction,
                (operand, outer),
                (size, tile.k),
                tile.threads(),
            )
        });
        let workgroup = stagings.each_ref().map(|staging| {
            let elements = staging.elements() * tile.stages;
            buffers::shared_type(builder, &[elements], staging.element)
        });
        launch(
            builder,
            strategy,
            tile.dimensions(contraction),
            &workgroup,
            |builder, ids, targets| self.body(builder, ids, &stagings, [targets[0], targets[1]]),
        );
    }

    fn body(
        &self,
        builder: &Builder<'c>,
        ids: &ThreadIds<'c>,
        stagings: &[Staging<'c>; 2],
        targets: [Value<'c>; 2],
    ) {
        let Self {
            contraction, tile, ..
        } = *self;
        let (batch, rows, columns) = tile.origin(builder, contraction, ids);
        let (warp, lane) = index::divide(builder, ids.thread[0], WARP);
        let (warp_row, warp_column) = index::divide(builder, warp, tile.warps.1);
        let warp = [
            index::mul(builder, warp_row, tile.warp_rows()),
            index::mul(builder, warp_column, tile.warp_columns()),
        ];
        let mut sources = Vec::new();
        let mut fixed = Vec::new();
        for (staging, origin) in stagings.iter().zip([rows, columns]) {
            let value = contraction.operands[staging.operand].value;
            sources.push(buffers::flat(builder, value));
            fixed.push(staging.fix(builder, contraction, (&batch, origin), ids.thread[0]));
        }
        let kernel = Kernel {
            contraction,
            tile,
            stagings: stagings.clone(),
            sources: [sources[0], sources[1]],
            targets,
            fixed: <[Fixed; 2]>::try_from(fixed)
                .unwrap_or_else(|_| bug("a product has two operands")),
            lane,
            warp,
        };
        let sums = kernel.sums(builder);
        let (row, pair) = index::divide(builder, lane, 4);
        let rows = index::add(builder, rows, warp[0]);
        let position = Position {
            batch: &batch,
            row: index::add(builder, rows, row),
            column: index::add(builder, columns, warp[1]),
            pair,
            is_ragged: [
                contraction.size(Group::M) % tile.m != 0,
                contraction.size(Group::N) % tile.n != 0,
            ],
        };
        let blocks = [tile.warp_rows() / 16, tile.warp_columns() / 8];
        self.epilogue.write_fragments(
            builder,
            contraction,
            &position,
            blocks,
            &sums,
            kernel.splits(),
        )
    }
}

impl<'c> Kernel<'_, 'c> {
    fn splits(&self) -> bool {
        self.is_f32() && self.contraction.precision == Precision::Split
    }

    fn is_f32(&self) -> bool {
        self.stagings[0].element.bit_width() == Some(32)
    }

    fn steps(&self) -> i64 {
        (self.contraction.size(Group::K) + self.tile.k - 1) / self.tile.k
    }

    /// The warp's subtile of the result, fragment by fragment.
    fn sums(&self, builder: &Builder<'c>) -> Vec<Value<'c>> {
        let Tile { stages, .. } = self.tile;
        let mut token = None;
        for stage in 0..stages - 1 {
            if stage < self.steps() {
                let (step, slot) = (
                    index::constant(builder, stage),
                    index::constant(builder, stage),
                );
                self.bring(builder, step, slot);
            }
            token = Some(commit(builder));
        }
        let token = token.unwrap_or_else(|| {
            bug(format_args!(
                "cannot create op '{}'",
                nvgpu::DeviceAsyncWaitOp::NAME
            ))
        });
        let first = index::constant(builder, 0);
        let meet = |builder: &Builder<'c>| {
            wait(builder, token, stages - 2);
            gpu::barrier(builder);
        };
        // Fragments of the next depth, unless splitting takes their registers, and hides the time
        // of loading them.
        let ahead = i64::from(!self.splits());
        let fragments = if ahead == 1 {
            meet(builder);
            self.fragments(builder, first, 0)
        } else {
            Fragments::default()
        };
        let float = Type::float32(builder.context());
        let fragment = vector_type(&[2, 2], float);
        let count = (self.tile.warp_rows() / 16) * (self.tile.warp_columns() / 8);
        let start = arith::constant(builder, fragment, 0);
        let mut carried = vec![first, index::constant(builder, stages - 1)];
        carried.resize(2 + count as usize, start);
        let sums = 2..carried.len();
        carried.extend(registers_of(builder, &fragments));
        let bounds = (0, self.steps(), 1);
        let results = scf::for_(builder, bounds, &carried, |builder, step, carried| {
            let (used, free) = (carried[0], carried[1]);
            let following = next_slot(builder, used, stages);
            let mut next = vec![following, next_slot(builder, free, stages)];
            let mut fragments = with_registers(builder, &fragments, &carried[sums.end..]);
            let mut carried_sums = carried[sums.clone()].to_vec();
            let depths = self.tile.k / self.depth();
            for inner in 0..depths {
                let loaded = inner + ahead;
                if loaded % depths == 0 {
                    meet(builder);
                }
                let coming = if loaded == depths {
                    self.fragments(builder, following, 0)
                } else {
                    self.fragments(builder, used, loaded)
                };
                if inner == 0 {
                    let copied = index::add(builder, step, stages - 1);
                    let is_there = index::below(builder, copied, self.steps());
                    scf::when(builder, is_there, |builder| {
                        self.bring(builder, copied, free)
                    });
                    commit(builder);
                }
                let current = if ahead == 1 {
                    mem::replace(&mut fragments, coming)
                } else {
                    coming
                };
                self.multiply(builder, current, &mut carried_sums);
            }
            next.append(&mut carried_sums);
            next.extend(registers_of(builder, &fragments));
            next
        })
        .results();
        results[sums].to_vec()
    }

    /// Elements along k of one `mma.sync`.
    fn depth(&self) -> i64 {
        if self.is_f32() { 8 } else { 16 }
    }

    fn bring(&self, builder: &Builder<'c>, step: Value<'c>, slot: Value<'c>) {
        let start = index::mul(builder, step, self.tile.k);
        for number in [0, 1] {
            let staging = &self.stagings[number];
            let slot = index::mul(builder, slot, staging.elements());
            staging.bring(
                builder,
                self.contraction,
                &self.fixed[number],
                (self.sources[number], self.targets[number]),
                (start, slot),
            );
        }
    }

    /// The fragments of lhs and rhs at one depth of a slot.
    fn fragments(&self, builder: &Builder<'c>, slot: Value<'c>, inner: i64) -> Fragments<'c> {
        let start = index::constant(builder, inner * self.depth());
        [LHS, RHS].map(|number| {
            let slot = index::mul(builder, slot, self.stagings[number].elements());
            // `ldmatrix` loads 32 bits per lane, and can transpose 16-bit elements.
            if self.is_f32() && !self.stagings[number].along_k {
                self.fragments_by_elements(builder, number, slot, start)
            } else {
                self.fragments_by_matrices(builder, number, slot, start)
            }
        })
    }

    /// Adds the products of one `mma.sync` depth to the sums.
    fn multiply(&self, builder: &Builder<'c>, mut operands: Fragments<'c>, sums: &mut [Value<'c>]) {
        let columns = operands[RHS].len();
        let add = |builder: &Builder<'c>, sum, lhs, rhs| self.mma(builder, lhs, rhs, sum);
        if !self.splits() {
            let is_rounded = self.is_f32();
            for fragment in operands.iter_mut().flatten().filter(|_| is_rounded) {
                *fragment = rounded(builder, *fragment);
            }
            for (row, lhs) in operands[LHS].iter().enumerate() {
                for (column, rhs) in operands[RHS].iter().enumerate() {
                    let sum = &mut sums[row * columns + column];
                    *sum = add(builder, *sum, *lhs, *rhs);
                }
            }
            return;
        }
        let parts = |fragments: &[Value<'c>]| {
            let split = fragments.iter().map(|fragment| split(builder, *fragment));
            split.collect::<Vec<_>>()
        };
        let (lhs_parts, rhs_parts) = (parts(&operands[LHS]), parts(&operands[RHS]));
        let Some(fragment) = sums.first().map(|sum| sum.ty()) else {
            return;
        };
        let zeros = arith::constant(builder, fragment, 0);
        for (row, (lhs, lhs_rest)) in lhs_parts.iter().enumerate() {
            for (column, (rhs, rhs_rest)) in rhs_parts.iter().enumerate() {
                let mut products = add(builder, zeros, *lhs_rest, *rhs);
                products = add(builder, products, *lhs, *rhs_rest);
                products = add(builder, products, *lhs, *rhs);
                let sum = &mut sums[row * columns + column];
                *sum = arith::addf(builder, *sum, products);
            }
        }
    }

    fn mma(
        &self,
        builder: &Builder<'c>,
        lhs: Value<'c>,
        rhs: Value<'c>,
        sum: Value<'c>,
    ) -> Value<'c> {
        mma(builder, (lhs, rhs), sum, self.depth())
    }

    /// Fragments of lhs, of 16 rows, or of rhs, of 8 columns.
    fn fragments_by_matrices(
        &self,
        builder: &Builder<'c>,
        number: usize,
        slot: Value<'c>,
        start: Value<'c>,
    ) -> Vec<Value<'c>> {
        let staging = &self.stagings[number];
        // One instruction reads four matrices of 8 rows of 16 bytes; each lane of a group of 8 has
        // the address of a row. The order of the matrices depends on the fragment: by rows first
        // for lhs, by k first for rhs.
        let lanes = 32 / i64::from(staging.element.bit_width().unwrap_or(32));
        let (square, line) = index::divide(builder, self.lane, 8);
        let (high, low) = index::divide(builder, square, 2);
        let (outer_square, k_square) = match number {
            0 => (low, high),
            _ => (high, low),
        };
        let mut fragments = Vec::new();
        for outer in (0..self.extent(number)).step_by(16) {
            let outer_start = index::mul(builder, outer_square, 8);
            let outer_start = index::add(builder, outer_start, outer);
            let mut outer_start = index::add(builder, self.warp[number], outer_start);
            let k_start = index::mul(builder, k_square, staging.chunk);
            let mut k_start = index::add(builder, k_start, start);
            let (row, column) = if staging.along_k {
                outer_start = index::add(builder, outer_start, line);
                (outer_start, k_start)
            } else {
                k_start = index::add(builder, k_start, line);
                (k_start, outer_start)
            };
            let address = staging.tile_index(builder, row, column);
            let address = index::add(builder, slot, address);
            let four = self.load_matrices(builder, number, address, [4, lanes]);
            if number == 0 {
                fragments.push(four);
                continue;
            }
            fragments.extend(halves(builder, four));
        }
        fragments
    }

    fn load_matrices(
        &self,
        builder: &Builder<'c>,
        number: usize,
        address: Value<'c>,
        shape: [i64; 2],
    ) -> Value<'c> {
        let transpose = !self.stagings[number].along_k;
        let fragment = vector_type(&shape, self.stagings[number].element);
        nvgpu::ldmatrix(
            builder,
            self.targets[number],
            &[address],
            transpose,
            4,
            fragment,
        )
    }

    /// As above, for elements of 32 bits that are contiguous along m or n.
    fn fragments_by_elements(
        &self,
        builder: &Builder<'c>,
        number: usize,
        slot: Value<'c>,
        start: Value<'c>,
    ) -> Vec<Value<'c>> {
        let staging = &self.stagings[number];
        let (row, inner) = index::divide(builder, self.lane, 4);
        let lines = if number == 0 { 16 } else { 8 };
        let parts = lines / 4;
        let shape = vector_type(&[parts, 1], staging.element);
        let mut fragments = Vec::new();
        for outer in (0..self.extent(number)).step_by(lines as usize) {
            let mut fragment = arith::constant(builder, shape, 0);
            for part in 0..parts {
                let (outer_part, k_part) = match number {
                    0 => (part % 2 * 8, part / 2 * 4),
                    _ => (0, part * 4),
                };
                let first = index::add(builder, self.warp[number], outer + outer_part);
                let outer = index::add(builder, first, row);
                let k = index::add(builder, inner, k_part);
                let k = index::add(builder, k, start);
                let (row, column) = if staging.along_k {
                    (outer, k)
                } else {
                    (k, outer)
                };
                let address = staging.tile_index(builder, row, column);
                let address = index::add(builder, slot, address);
                let value = memref::load(builder, self.targets[number], &[address]);
                fragment = vector::insert(builder, value, fragment, &[], &[part, 0]);
            }
            fragments.push(fragment);
        }
        fragments
    }

    /// The rows or columns of the warp's subtile.
    fn extent(&self, number: usize) -> i64 {
        match number {
            0 => self.tile.warp_rows(),
            _ => self.tile.warp_columns(),
        }
    }
}

/// `mma.sync` of a depth: 8 for f32, 16 for elements of 16 bits.
pub fn mma<'c>(
    builder: &Builder<'c>,
    (lhs, rhs): (Value<'c>, Value<'c>),
    sum: Value<'c>,
    depth: i64,
) -> Value<'c> {
    nvgpu::MmaSyncOp::build(builder, lhs, rhs, sum, &[16, 8, depth], sum.ty())
        .tf32_enabled(depth == 8)
        .value()
}

/// The two fragments of rhs that `ldmatrix` loads as four matrices.
pub fn halves<'c>(builder: &Builder<'c>, four: Value<'c>) -> [Value<'c>; 2] {
    let lanes = four.ty().static_shape().and_then(|shape| shape.last().copied()).unwrap_or(1);
    let half = vector_type(&[2, lanes], four.ty().element_type());
    [0, 2].map(|first| {
        let empty = arith::constant(builder, half, 0);
        [0, 1].into_iter().fold(empty, |fragment, part| {
            let value = vector::extract(builder, four, &[], &[first + part]);
            vector::insert(builder, value, fragment, &[], &[part])
        })
    })
}

/// The registers of fragments, as they are carried from step to step: a register is a row.
fn registers_of<'c>(builder: &Builder<'c>, fragments: &Fragments<'c>) -> Vec<Value<'c>> {
    let rows = fragments.iter().flatten().flat_map(|fragment| {
        (0..rows_of(*fragment)).map(|row| vector::extract(builder, *fragment, &[], &[row]))
    });
    rows.collect()
}

/// Fragments of the same types with other registers.
fn with_registers<'c>(
    builder: &Builder<'c>,
    like: &Fragments<'c>,
    registers: &[Value<'c>],
) -> Fragments<'c> {
    let mut registers = registers.iter();
    like.each_ref().map(|fragments| {
        let filled = fragments.iter().map(|fragment| {
            let empty = arith::constant(builder, fragment.ty(), 0);
            let rows = (0..rows_of(*fragment)).zip(registers.by_ref());
            rows.fold(empty, |whole, (row, register)| {
                vector::insert(builder, *register, whole, &[], &[row])
            })
        });
        filled.collect()
    })
}

fn rows_of(fragment: Value) -> i64 {
    let shape = fragment.ty().static_shape().unwrap_or_default();
    shape.first().copied().unwrap_or_default()
}

fn next_slot<'c>(builder: &Builder<'c>, slot: Value<'c>, slots: i64) -> Value<'c> {
    let next = index::add(builder, slot, 1);
    let is_inside = index::below(builder, next, slots);
    let zero = index::constant(builder, 0);
    arith::select(builder, is_inside, next, zero)
}

/// The nearest TF32 numbers, ties away from zero; NaN is preserved.
fn rounded<'c>(builder: &Builder<'c>, value: Value<'c>) -> Value<'c> {
    let near = nearest(builder, value);
    let is_nan = arith::is_nan(builder, value);
    arith::select(builder, is_nan, value, near)
}

/// The nearest TF32 numbers, and the remainders.
fn split<'c>(builder: &Builder<'c>, value: Value<'c>) -> (Value<'c>, Value<'c>) {
    let near = nearest(builder, value);
    let rest = arith::subf(builder, value, near);
    (near, rest)
}

/// The nearest TF32 numbers: half of the last TF32 bit is added, then the bits
/// that TF32 lacks are truncated.
fn nearest<'c>(builder: &Builder<'c>, value: Value<'c>) -> Value<'c> {
    let ty = value.ty();
    let i32_type = integer_type(builder.context(), 32);
    let bits_type = with_elements(ty, i32_type);
    let splat = |number: i64| arith::constant(builder, bits_type, number);
    let bits = arith::bitcast(builder, value, bits_type);
    let bits = arith::addi(builder, bits, splat(0x1000));
    let bits = arith::andi(builder, bits, splat(-0x2000));
    arith::bitcast(builder, bits, ty)
}

/// A vector type with other elements.
fn with_elements<'c>(vector: Type<'c>, element: Type<'c>) -> Type<'c> {
    vector_type(&vector.static_shape().unwrap_or_default(), element)
}
