//! Convolution patches, packed directly from the image (implicit im2col).
//!
//! A convolution is a product of patches and filters. Its lowering copies the image with its
//! padding, and then all patches; packing would copy them once more. [`Patches`] recognizes these
//! copies if the product is their only reader. Panels are then packed from the image, and the
//! copies are erased:
//!
//! ```mlir
//! linalg.fill ins(%zero) outs(%padded : memref<1x58x58x64xf32>)
//! %inside = memref.subview %padded[0, 1, 1, 0] [1, 56, 56, 64] [1, 1, 1, 1]
//! memref.copy %image, %inside
//! linalg.generic (b, y, x, i, j, c) -> (b, y + i, x + j, c)
//!   ins(%padded) outs(%patches : memref<1x56x56x3x3x64xf32>) { yield }
//! %lhs = memref.collapse_shape %patches [[0, 1, 2], [3, 4, 5]]
//! linalg.matmul ins(%lhs, %filters) outs(%result)
//! ```
//!
//! Feature groups are a batch of products. Patches are the lhs if the channels of the image are its
//! last dimension (`rows.rs`), and the rhs if the channels precede the spatial dimensions
//! (`columns.rs`). Rows of lhs that are adjacent in the image share most of their elements
//! (`lines.rs`).

mod columns;
mod lines;
mod rows;

pub use lines::Lines;

use super::{matmul::Matmul, pack::Panel, plan::STREAMED_ROWS};
use crate::loops::{fill::is_unchanged_between, padding::PaddedCopy, prelude::*};
use halo_ir::prelude::*;
use std::ops::Range;

/// Patches that are not materialized.
pub struct Patches<'c> {
    /// The operand that the patches are: lhs or rhs.
    operand: usize,
    /// The image, and a view of it with one dimension.
    image: Value<'c>,
    flat: Value<'c>,
    /// The index along each dimension of the image as a function of the dimensions of the patches.
    indices: Vec<Expr>,
    /// The padding value, if any index is out of bounds.
    padding: Option<Value<'c>>,
    /// The dimensions of the patches: batch, rows of lhs, k, and columns of rhs.
    sizes: Vec<i64>,
    /// The number of batch dimensions: feature groups, or images.
    batch: usize,
    /// The range of the k dimensions in `sizes`.
    k: Range<usize>,
    /// Elements with a constant stride in the image: along k in lhs, along columns in rhs.
    run: Run,
    /// The ops that compute the patches, each before its operands.
    producers: Vec<Operation<'c>>,
}

/// Elements with a constant stride.
#[derive(Clone, Copy)]
struct Run {
    length: i64,
    stride: i64,
}

impl<'c> Patches<'c> {
    /// The patches that lhs or rhs of a product is, if they have no other readers, for vectors of
    /// `lanes` elements.
    pub fn of(matmul: &Matmul<'c>, product: Operation<'c>, lanes: i64) -> Option<Self> {
        let patches = Self::of_operand(matmul, product, LHS, lanes);
        patches.or_else(|| Self::of_operand(matmul, product, RHS, lanes))
    }

    fn of_operand(
        matmul: &Matmul<'c>,
        product: Operation<'c>,
        operand: usize,
        lanes: i64,
    ) -> Option<Self> {
        let access = matmul.access(operand);
        let matrix = access.ty();
        let shape = matrix.static_shape()?;
        let (batch, [before, after]) = shape.split_last_chunk::<2>()?;
        let is_layout = match operand {
            LHS => {
                access.indices.ends_with(&[Expr::Dim(matmul.m?), Expr::Dim(matmul.k)])
                    && matmul.rows() > STREAMED_ROWS
            }
            _ => {
                access.indices.ends_with(&[Expr::Dim(matmul.k), Expr::Dim(matmul.n)])
                    && matmul.columns() >= lanes
            }
        };
        let is_layout =
            is_layout && access.indices.iter().all(|index| matches!(index, Expr::Dim(_)));
        if !is_layout || !matrix.has_identity_layout() {
            return None;
        }
        let OwnCopy {
            copy,
            value,
            mut image,
            mut indices,
            producers,
        } = OwnCopy::of(access.value, product)?;
        if let Some(view) = image.defining_op()
            && view.isa::<memref::SubViewOp>()
            && let Some(offsets) = static_offsets(view)
        {
            let offsets = indices.iter().zip(offsets);
            indices = offsets.map(|(index, offset)| index.clone().plus(offset)).collect();
            image = view_source(view)?;
        }
        if !copy.is_before(product) {
            return None;
        }
        let sizes = value.ty().static_shape()?;
        let outer = rank_of(&sizes, batch.iter().product())?;
        let middle = outer + rank_of(&sizes[outer..], *before)?;
        let inner = middle + rank_of(&sizes[middle..], *after)?;
        let mut whole = Self {
            operand,
            image,
            flat: image,
            indices,
            padding: None,
            batch: outer,
            k: match operand {
                LHS => middle..sizes.len(),
                _ => outer..middle,
            },
            sizes,
            run: Run {
                length: 1,
                stride: 1,
            },
            producers,
        };
        let is_window = |index: &Expr| {
            let mut dims = 0..whole.sizes.len();
            dims.any(|dim| index.mentions(dim)) && dims.any(|dim| index.mentions(dim))
        };
        // Other copies in a batch are read once, and their product may have an epilogue.
        if operand == LHS && outer > 0 && !whole.indices.iter().any(is_window) {
            return None;
        }
        if whole.sizes[inner..].iter().any(|size| *size != 1) || !image.ty().has_identity_layout() {
            return None;
        }
        whole.run = whole.run_in_image(lanes)?;
        let (patches, start) = match whole.without_padding(copy, lanes) {
            Some(found) => found,
            None => (whole, copy),
        };
        let output = matmul.access(RESULT).value;
        (patches.is_worthwhile(lanes)
            && !may_overlap(output, patches.image)
            && is_unchanged_between(patches.image, start, product))
        .then_some(patches)
    }

    /// The elements that vectors load from the image.
    fn run_in_image(&self, lanes: i64) -> Option<Run> {
        match self.operand {
            LHS => self.run_of_k(),
            _ => self.run_of_columns(lanes),
        }
    }

    /// Whether runs are long enough for implicit im2col.
    fn is_worthwhile(&self, lanes: i64) -> bool {
        match self.operand {
            LHS => self.run.length >= rows::LEAST_RUN,
            _ => columns::runs_of_vector(self.run, lanes) <= columns::MOST_RUNS,
        }
    }

    /// The patches of the unpadded image, if the image is copied into a padded buffer, and the
    /// copy.
    fn without_padding(&self, reader: Operation<'c>, lanes: i64) -> Option<(Self, Operation<'c>)> {
        let padded = self.image;
        let allocation = allocation_of(padded)?;
        let view = writer_of(padded, |user| user.isa::<memref::SubViewOp>())?;
        let inside = *view.results().first()?;
        let copy = writer_of(inside, |user| user.isa::<memref::CopyOp>())?;
        only_users(inside, &[copy])?;
        let padding = PaddedCopy::of(copy)?;
        only_users(padded, &[padding.fill, view, reader])?;
        if !copy.is_before(reader) {
            return None;
        }
        let image = padding.source;
        let indices = self.indices.iter().zip(&padding.low);
        let indices = indices.map(|(index, low)| index.clone().plus(-low));
        let mut producers = self.producers.clone();
        producers.extend([copy, view, padding.fill, allocation]);
        let mut patches = Self {
            image,
            flat: image,
            indices: indices.collect(),
            padding: Some(padding.value),
            sizes: self.sizes.clone(),
            k: self.k.clone(),
            producers,
            ..*self
        };
        if !image.ty().has_identity_layout() {
            return None;
        }
        patches.run = patches.run_in_image(lanes)?;
        // With the padding, runs may be as long as lines of the window.
        let is_enough = match self.operand {
            LHS => patches.run.length >= rows::LONG_RUN,
            _ => patches.is_worthwhile(lanes),
        };
        (is_enough || !self.is_worthwhile(lanes)).then_some((patches, copy))
    }

    /// The indices along the dimensions of the batch.
    fn batch_indices(&self, builder: &Builder<'c>, panel: &Panel<'_, 'c>) -> Vec<Value<'c>> {
        let access = panel.matmul.access(self.operand);
        let (indices, sizes) = (&access.indices, access.ty().static_shape());
        let rank = indices.len() - 2;
        let mut number = index::constant(builder, 0);
        for (index, size) in indices.iter().zip(sizes.unwrap_or_default()).take(rank) {
            number = index::mul(builder, number, size);
            number = index::add(builder, number, index.emit(builder, panel.ivs));
        }
        index::delinearize(builder, number, &self.sizes[..self.batch])
    }

    /// The leading indices of a row of lhs, before the indices of k.
    fn place_of_row(
        &self,
        builder: &Builder<'c>,
        panel: &Panel<'_, 'c>,
        row: Value<'c>,
    ) -> Vec<Value<'c>> {
        let mut place = self.batch_indices(builder, panel);
        let sizes = &self.sizes[self.batch..self.k.start];
        place.extend(index::delinearize(builder, row, sizes));
        place
    }

    fn strides(&self) -> Option<Vec<i64>> {
        self.image.ty().strides()?.0.into_iter().collect()
    }

    /// The least and the greatest index along a dimension of the image.
    fn range(&self, position: usize) -> Option<(i64, i64)> {
        let size = |dim: usize| self.sizes.get(dim).copied();
        self.indices[position].range(&size)
    }

    /// Whether some indices along a dimension of the image are out of bounds.
    fn is_padded(&self, position: usize) -> bool {
        let size = self.image.ty().static_shape().map_or(0, |shape| shape[position]);
        let is_inside = self.range(position).is_some_and(|(least, most)| least >= 0 && most < size);
        self.padding.is_some() && !is_inside
    }

    /// Whether some elements along a dimension of the patches are out of bounds of the image.
    fn crosses_edge(&self, dim: usize) -> bool {
        let mut positions = 0..self.indices.len();
        positions.any(|at| self.is_padded(at) && self.indices[at].mentions(dim))
    }

    /// The stride in the image along a dimension of the patches.
    fn stride(&self, dim: usize) -> Option<i64> {
        let strides = self.strides()?;
        let steps = self.indices.iter().zip(strides);
        Some(steps.map(|(index, stride)| index.coefficient(dim) * stride).sum())
    }

    /// The length of runs along k: blocks are multiples of runs, or runs are multiples of blocks.
    pub fn run_along_k(&self) -> Option<i64> {
        (self.operand == LHS).then_some(self.run.length)
    }

    /// Whether panels may have groups of a size. Groups in packed rows must be contiguous in the
    /// image.
    pub fn has_groups_of(&self, size: i64) -> bool {
        self.run_along_k().is_none_or(|run| run % size == 0)
    }

    /// Whether the patches are a given operand.
    pub fn is_operand(&self, operand: usize) -> bool {
        self.operand == operand
    }

    /// Builds the flat view at the insertion point, outside of the loops.
    pub fn build_view(&mut self, builder: &Builder<'c>) {
        let ty = self.image.ty();
        let shape = ty.static_shape().unwrap_or_default();
        if shape.len() > 1 {
            let dims: Vec<i64> = (0..shape.len() as i64).collect();
            let flat = memref_type(&[shape.iter().product()], ty.element_type());
            self.flat = memref::collapse_shape(builder, self.image, &[&dims], flat);
        }
    }

    /// The image that contains the patches.
    pub fn image(&self) -> Value<'c> {
        self.image
    }

    /// Erases the ops that computed the patches, after the product.
    pub fn erase_producers(&self, builder: &Builder<'c>) {
        let producers = self.producers.iter();
        producers.for_each(|producer| builder.erase(*producer))
    }

    /// Packs a panel over a range of k.
    pub fn pack(
        &self,
        builder: &Builder<'c>,
        panel: &Panel<'_, 'c>,
        range: (Value<'c>, Value<'c>),
        block_k: i64,
    ) {
        match self.operand {
            LHS => self.pack_rows(builder, panel, range, block_k),
            _ => self.pack_columns(builder, panel, range),
        }
    }

    /// The address in the flat view of an element at given indices of the patches, and the indices
    /// of the image that may be out of bounds.
    fn address(&self, builder: &Builder<'c>, ivs: &[Value<'c>]) -> Address<'c> {
        let mut address = Address {
            start: index::constant(builder, 0),
            bounded: Vec::new(),
        };
        let shape = self.image.ty().static_shape().unwrap_or_default();
        let strides = self.strides().unwrap_or_default();
        for (position, (size, stride)) in shape.iter().zip(strides).enumerate() {
            let index = self.indices[position].emit(builder, ivs);
            let offset = index::mul(builder, index, stride);
            address.start = index::add(builder, address.start, offset);
            if self.is_padded(position) {
                address.bounded.push((index, *size));
            }
        }
        address
    }

    /// Elements of the image, with the padding out of bounds, in the accumulator type or as numbers
    /// of groups.
    fn padded(
        &self,
        builder: &Builder<'c>,
        panel: &Panel<'_, 'c>,
        mut value: Value<'c>,
        is_inside: Option<Value<'c>>,
    ) -> Value<'c> {
        if let (Some(is_inside), Some(padding)) = (is_inside, self.padding) {
            let padding = vector::broadcast(builder, padding, value.ty());
            value = arith::select(builder, is_inside, value, padding);
        }
        let matmul = panel.matmul;
        if let Some(group) = panel.group {
            return group.numbers(builder, matmul, self.operand, value);
        }
        let lanes = value.ty().static_shape().unwrap_or_default();
        let ty = vector_type(&lanes, matmul.accumulator());
        matmul.convert(builder, self.operand, value, ty)
    }
}

/// The position of an element in the image.
struct Address<'c> {
    /// The index in the flat view.
    start: Value<'c>,
    /// The indices that may be out of bounds, with the sizes of their dimensions.
    bounded: Vec<(Value<'c>, i64)>,
}

/// The number of leading dimensions whose sizes multiply to `elements`.
fn rank_of(sizes: &[i64], elements: i64) -> Option<usize> {
    (0..=sizes.len()).find(|rank| sizes[..*rank].iter().product::<i64>() == elements)
}

/// The static offsets of a view with the rank and strides of its source.
fn static_offsets(view: Operation) -> Option<Vec<i64>> {
    let list = |name| view.attribute(name).and_then(Attribute::i64_array_value);
    let (offsets, strides) = (list("static_offsets")?, list("static_strides")?);
    let [source] = view.operands()[..] else {
        return None;
    };
    let rank = |value: Value| value.ty().static_shape().map(|shape| shape.len());
    (rank(source)? == offsets.len()
        && rank(*view.results().first()?)? == offsets.len()
        && offsets.iter().all(|offset| *offset >= 0)
        && strides.iter().all(|stride| *stride == 1))
    .then_some(offsets)
}

/// A copy of elements in another order with a single reader.
struct OwnCopy<'c> {
    /// The copying op, and its output.
    copy: Operation<'c>,
    value: Value<'c>,
    /// The source, and the index along each of its dimensions.
    image: Value<'c>,
    indices: Vec<Expr>,
    /// The ops that made the copy, each before its operands.
    producers: Vec<Operation<'c>>,
}

impl<'c> OwnCopy<'c> {
    fn of(operand: Value<'c>, product: Operation<'c>) -> Option<Self> {
        let mut producers = Vec::new();
        let (mut value, mut reader) = (operand, product);
        while let Some(view) = value.defining_op().filter(|operation| {
            operation.isa::<memref::CollapseShapeOp>() || operation.isa::<memref::ExpandShapeOp>()
        }) {
            only_users(value, &[reader])?;
            producers.push(view);
            (value, reader) = (view_source(view)?, view);
        }
        let copy = writer_of(value, |user| user != reader)?;
        only_users(value, &[reader, copy])?;
        producers.extend([copy, allocation_of(value)?]);
        let (image, indices) = copied_elements(copy, value)?;
        Some(Self {
            copy,
            value,
            image,
            indices,
            producers,
        })
    }
}

/// Whether an operand of a product is a copy without other readers, so that the product may read
/// the source.
pub fn is_own_copy<'c>(operand: Value<'c>, product: Operation<'c>) -> bool {
    OwnCopy::of(operand, product).is_some()
}

/// The source of an op that only moves elements to `target`, and the index map from `target` to the
/// source.
fn copied_elements<'c>(copy: Operation<'c>, target: Value<'c>) -> Option<(Value<'c>, Vec<Expr>)> {
    let [source, output] = copy.operands()[..] else {
        return None;
    };
    let body = copy.body(0)?;
    let [terminator] = body.operations()[..] else {
        return None;
    };
    let maps = copy.indexing_maps()?;
    if copy.name() != linalg::GenericOp::NAME
        || output != target
        || !source.ty().is_memref()
        || terminator.operands() != body.arguments()[..1]
    {
        return None;
    }
    let exprs = |number: usize| -> Option<Vec<Expr>> {
        let map = maps.get(number)?;
        (0..map.result_count())
            .map(|position| map.result(position).ok().and_then(Expr::from_affine))
            .collect()
    };
    let (read, written) = (exprs(0)?, exprs(1)?);
    let is_identity = written.iter().cloned().eq((0..written.len()).map(Expr::Dim));
    let is_linear = read.iter().all(|index| {
        (0..written.len()).all(|dim| (0..IRREGULAR).contains(&index.coefficient(dim)))
    });
    (is_identity && is_linear).then_some((source, read))
}

/// The static allocation of a buffer.
fn allocation_of(buffer: Value<'_>) -> Option<Operation<'_>> {
    let allocation = buffer.defining_op()?;
    (allocation.isa::<memref::AllocOp>() && buffer.ty().static_shape().is_some())
        .then_some(allocation)
}

/// The only user of a buffer that satisfies `fits`.
fn writer_of<'c>(buffer: Value<'c>, fits: impl Fn(Operation<'c>) -> bool) -> Option<Operation<'c>> {
    let mut users = buffer.uses().into_iter().map(|(user, _)| user).filter(|user| fits(*user));
    let user = users.next()?;
    users.next().is_none().then_some(user)
}

/// `Some` if a buffer has exactly these users, each once.
fn only_users(buffer: Value, users: &[Operation]) -> Option<()> {
    let uses = buffer.uses();
    (uses.len() == users.len() && uses.iter().all(|(user, _)| users.contains(user))).then_some(())
}
