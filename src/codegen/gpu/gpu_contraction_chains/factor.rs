//! The factors of products that all rows share: their copies in workgroup memory, and the fragments
//! of `mma.sync`.

use super::roles::Product;
use crate::{
    gpu::{
        buffers::{self, copy_async},
        gpu_contractions::{
            staging::{Reader, Staging},
            tensor_core::halves,
        },
    },
    loops::prelude::*,
};
use halo_ir::{ops::nvgpu, prelude::*};
use num_integer::gcd;

/// A factor with the columns and the depth of a product.
pub(super) struct Factor<'c> {
    pub view: Value<'c>,
    element: Type<'c>,
    /// The sizes of the outer and of the contiguous dimension, and their strides.
    sizes: [i64; 2],
    strides: [i64; 2],
    /// True if the contiguous dimension is the depth.
    along_depth: bool,
    /// The elements of a copy.
    width: i64,
}

impl<'c> Factor<'c> {
    pub fn of(product: &Product<'c>) -> Option<Self> {
        let view = product.column_factor;
        let ty = view.ty();
        let sizes = ty.static_shape()?;
        let (strides, _) = ty.strides()?;
        let strides: Vec<i64> = strides.into_iter().collect::<Option<_>>()?;
        let ([_, _], [_, _]) = (&sizes[..], &strides[..]) else {
            return None;
        };
        buffers::is_reachable(view).then_some(())?;
        let inner = if strides[0] == 1 && strides[1] != 1 {
            0
        } else {
            1
        };
        let outer = 1 - inner;
        let element = ty.element_type();
        let bytes = i64::from(element.bit_width()?) / 8;
        let width = if strides[inner] == 1 {
            let aligned = [strides[outer], sizes[inner], multiple_of_offset(view)];
            aligned.into_iter().fold(16 / bytes, gcd)
        } else {
            1
        };
        Some(Self {
            view,
            element,
            sizes: [sizes[outer], sizes[inner]],
            strides: [strides[outer], strides[inner]],
            along_depth: product.column_factor_depth == inner,
            width,
        })
    }

    /// The depth of one `mma.sync`.
    pub fn step(&self) -> i64 {
        if self.is_f32() { 8 } else { 16 }
    }

    pub fn is_f32(&self) -> bool {
        self.element.bit_width() == Some(32)
    }

    fn depth(&self) -> i64 {
        self.sizes[usize::from(self.along_depth)]
    }

    /// The number of steps along the depth.
    pub fn steps(&self) -> i64 {
        (self.depth() + self.step() - 1) / self.step()
    }

    /// The columns of the other factor that are kept in workgroup memory.
    pub fn kept_columns(&self) -> i64 {
        if self.is_f32() { self.depth() } else { 0 }
    }

    /// The tile in workgroup memory, of whole fragments.
    fn staging(&self, threads: i64) -> Staging<'c> {
        let bytes = i64::from(self.element.bit_width().unwrap_or(8)) / 8;
        let [rows, columns] = self.sizes.map(|size| (size + 15) / 16 * 16);
        // The swizzle of chunks needs a power of two, or whole lines of all banks.
        let chunk = 16 / bytes;
        let chunks = columns / chunk;
        let chunks = if chunks > 8 {
            (chunks + 7) / 8 * 8
        } else {
            chunks.unsigned_abs().next_power_of_two() as i64
        };
        let columns = chunks * chunk;
        Staging {
            operand: RHS,
            outer: Group::N,
            element: self.element,
            along_k: self.along_depth,
            rows,
            columns,
            chunk,
            width: self.width,
            threads,
            reader: if self.is_f32() && !self.along_depth {
                Reader::ChunkPairs
            } else {
                Reader::Chunks
            },
        }
    }

    /// Copies the factor to workgroup memory; elements outside of it are zero. `view` is the
    /// factor, or the factor of another block of columns.
    pub fn bring(
        &self,
        builder: &Builder<'c>,
        (view, target): (Value<'c>, Value<'c>),
        (thread, threads): (Value<'c>, i64),
    ) {
        let staging = self.staging(threads);
        let source = buffers::flat(builder, view);
        let in_row = staging.columns / self.width;
        let bounds = (thread, staging.rows * in_row, threads);
        scf::for_each(builder, bounds, |builder, unit| {
            let (row, unit) = index::divide(builder, unit, in_row);
            let column = index::mul(builder, unit, self.width);
            let to = staging.tile_index(builder, row, column);
            let mut inside = None;
            for (at, size, whole) in [
                (row, self.sizes[0], staging.rows),
                (column, self.sizes[1], staging.columns),
            ] {
                if size != whole {
                    let own = index::below(builder, at, size);
                    inside = buffers::both(builder, inside, Some(own));
                }
            }
            let row = index::mul(builder, row, self.strides[0]);
            let column = index::mul(builder, column, self.strides[1]);
            let mut from = index::add(builder, row, column);
            let zero = index::constant(builder, 0);
            if let Some(inside) = inside {
                from = arith::select(builder, inside, from, zero);
            }
            if staging.is_async() {
                let read = inside.map(|inside| {
                    let width = index::constant(builder, self.width);
                    arith::select(builder, inside, width, zero)
                });
                copy_async(builder, (source, from), (target, to), self.width, read);
                return;
            }
            let mut value = vector::load_elements(builder, source, from, self.width);
            if let Some(inside) = inside {
                let nothing = vector::zeros(builder, self.element, self.width);
                value = arith::select(builder, inside, value, nothing);
            }
            vector::store_elements(builder, value, target, to, self.width);
        });
    }

    /// The fragments of all columns for a step along the depth, of 8 columns each.
    pub fn fragments(
        &self,
        builder: &Builder<'c>,
        (target, lane): (Value<'c>, Value<'c>),
        step: Value<'c>,
    ) -> Vec<Value<'c>> {
        let staging = self.staging(1);
        if self.is_f32() {
            self.fragments_of_elements(builder, &staging, (target, lane), step)
        } else {
            self.fragments_of_matrices(builder, &staging, (target, lane), step)
        }
    }

    /// Of 32 bits: two elements of a lane's column, adjacent along the depth, as in the factor with
    /// the rows.
    fn fragments_of_elements(
        &self,
        builder: &Builder<'c>,
        staging: &Staging<'c>,
        (target, lane): (Value<'c>, Value<'c>),
        step: Value<'c>,
    ) -> Vec<Value<'c>> {
        let (column, pair) = index::divide(builder, lane, 4);
        let depth = index::mul(builder, pair, 2);
        let start = index::mul(builder, step, self.step());
        let depth = index::add(builder, depth, start);
        let mut fragments = Vec::new();
        for first in (0..self.columns()).step_by(8) {
            let column = index::add(builder, column, first);
            let ty = vector_type(&[2, 1], self.element);
            let mut fragment = arith::constant(builder, ty, 0);
            for part in [0, 1] {
                let depth = index::add(builder, depth, part);
                let (row, column) = if self.along_depth {
                    (column, depth)
                } else {
                    (depth, column)
                };
                let at = staging.tile_index(builder, row, column);
                let value = memref::load(builder, target, &[at]);
                fragment = vector::insert(builder, value, fragment, &[], &[part, 0]);
            }
            fragments.push(fragment);
        }
        fragments
    }

    /// Of 16 bits: `ldmatrix` reads four matrices of 8 rows of 16 bytes, two along the depth for
    /// each of two fragments; each lane of a group of 8 has the address of a row.
    fn fragments_of_matrices(
        &self,
        builder: &Builder<'c>,
        staging: &Staging<'c>,
        (target, lane): (Value<'c>, Value<'c>),
        step: Value<'c>,
    ) -> Vec<Value<'c>> {
        let (square, line) = index::divide(builder, lane, 8);
        let (column_square, depth_square) = index::divide(builder, square, 2);
        let depth = index::mul(builder, depth_square, 8);
        let start = index::mul(builder, step, self.step());
        let depth = index::add(builder, depth, start);
        let mut fragments = Vec::new();
        for first in (0..self.columns()).step_by(16) {
            let column = index::mul(builder, column_square, 8);
            let column = index::add(builder, column, first);
            let (row, column) = if self.along_depth {
                (index::add(builder, column, line), depth)
            } else {
                (index::add(builder, depth, line), column)
            };
            let at = staging.tile_index(builder, row, column);
            let ty = vector_type(&[4, 2], self.element);
            let four = nvgpu::ldmatrix(builder, target, &[at], !self.along_depth, 4, ty);
            fragments.extend(halves(builder, four));
        }
        fragments
    }

    /// The columns of the product.
    fn columns(&self) -> i64 {
        self.sizes[usize::from(!self.along_depth)]
    }
}

/// The types of workgroup memory for factors, one for each position in a block of columns.
pub(super) fn slots<'c>(builder: &Builder<'c>, factors: &[Vec<Factor<'c>>]) -> Vec<Type<'c>> {
    let slot = |factors: &Vec<Factor<'c>>| {
        let elements = factors.iter().map(|factor| factor.staging(1).elements()).max()?;
        let element = factors.first()?.element;
        Some(buffers::shared_type(builder, &[elements], element))
    };
    factors.iter().filter_map(slot).collect()
}

/// A number that divides the offset of a view, in elements of its contiguous buffer.
fn multiple_of_offset(view: Value) -> i64 {
    let mut multiple = 0;
    let mut current = view;
    while let Some(op) = current.defining_op() {
        let Some(source) = view_source(op) else { break };
        if let Some(subview) = op.cast::<memref::SubViewOp>() {
            let Some((strides, _)) = source.ty().strides() else {
                return 1;
            };
            let mut dynamic = subview.offsets().into_iter();
            for (offset, stride) in subview.static_offsets().into_iter().zip(strides) {
                let own = if offset == i64::MIN {
                    dynamic.next().map_or(1, multiple_of)
                } else {
                    offset
                };
                multiple = gcd(multiple, own.saturating_mul(stride.unwrap_or(1)));
            }
        }
        current = source;
    }
    multiple
}

/// A number that divides an index.
fn multiple_of(index: Value) -> i64 {
    if let Some(number) = constant_index(index) {
        return number;
    }
    if let Some((block, _)) = index.as_block_argument() {
        let owner = block.parent().filter(|owner| owner.isa::<scf::ForOp>());
        let bounds = owner.map(|owner| owner.operands()).unwrap_or_default();
        return match bounds[..] {
            [lower, _, step, ..] => gcd(multiple_of(lower), multiple_of(step)),
            _ => 1,
        };
    }
    match index.defining_op() {
        Some(op) if op.isa::<arith::MulIOp>() => {
            op.operands().into_iter().map(multiple_of).fold(1, i64::saturating_mul)
        }
        Some(op) if op.isa::<arith::AddIOp>() => {
            op.operands().into_iter().map(multiple_of).fold(0, gcd)
        }
        _ => 1,
    }
}
