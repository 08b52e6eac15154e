//! The patches of a convolution, packed from the image that they are cut from.
//!
//! A convolution is a product of patches and filters, and its lowering copies
//! the image with its padding, and then all patches. Packing copies them once
//! more. [`Patches`] recognizes the copies, whose only reader is the product,
//! so that panels are packed from the image and the copies are erased:
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
//! A range of k is packed in runs that are contiguous in the image, such as the
//! channels at one place of the window. Whether a run lies in the padding is
//! decided once for each row of the panel: such a row reads the start of the
//! image instead, and a select replaces what it read.

use super::{matmul::Matmul, packing::Panel};
use crate::loops::{
    access::{Expr, IRREGULAR, Operator},
    aliases::view_source,
    captures::may_overlap,
    contraction::{LHS, RESULT},
    fill::is_unchanged_between,
    loop_ops::{self, Emitted},
};
use halo_ir::{
    Builder, Operation, Value, arguments_of, body_of, defining_operation, element_type,
    has_identity_layout, indexing_maps, is_before, memref_type, name_of, operands_of,
    operations_of,
    ops::{
        Op, OperationExt,
        arith::{self, CmpIPredicate},
        linalg, memref, vector,
    },
    results_of, static_shape_of, strides_of, uses_of, vector_type,
};
use melior::ir::ValueLike;

/// Shorter runs are not worth the arithmetic on their addresses.
const LEAST_RUN: i64 = 8;

/// Patches that are not stored.
pub struct Patches<'c> {
    /// The image, and a view of it with one dimension.
    image: Value<'c>,
    flat: Value<'c>,
    /// The index along each dimension of the image, as a function of the
    /// dimensions of the patches.
    indices: Vec<Expr>,
    /// The value of what is outside of the image, if anything is.
    padding: Option<Value<'c>>,
    /// The dimensions of the patches: those of the rows of lhs, then those of k.
    sizes: Vec<i64>,
    row_rank: usize,
    /// The elements of k that are contiguous in the image.
    pub run: i64,
    /// The ops that made the patches, each before what it uses.
    producers: Vec<Operation<'c>>,
}

/// A row of a panel at some place of the window.
struct Row<'c> {
    /// Where the run starts in the flat view.
    start: Value<'c>,
    /// Whether it lies in the image, if it may not.
    is_inside: Option<Value<'c>>,
}

impl<'c> Patches<'c> {
    /// The patches that lhs of a product is, if nothing else reads them.
    pub fn of(matmul: &Matmul<'c>, product: Operation<'c>) -> Option<Self> {
        let lhs = matmul.access(LHS);
        let matrix = lhs.r#type();
        let (rows, depth) = (matmul.rows(), matmul.depth());
        if lhs.indices != [Expr::Dim(matmul.m?), Expr::Dim(matmul.k)]
            || static_shape_of(matrix)? != [rows, depth]
            || !has_identity_layout(matrix)
        {
            return None;
        }
        let mut producers = Vec::new();
        let (mut value, mut reader) = (lhs.value, product);
        while let Some((view, _)) = defining_operation(value).filter(|(operation, _)| {
            operation.isa::<memref::CollapseShapeOp>() || operation.isa::<memref::ExpandShapeOp>()
        }) {
            only_users(value, &[reader])?;
            producers.push(view);
            (value, reader) = (view_source(view)?, view);
        }
        let copy = writer_of(value, |user| user != reader)?;
        only_users(value, &[reader, copy])?;
        let allocation = allocation_of(value)?;
        let (mut image, mut indices) = copied_elements(copy, value)?;
        if let Some((view, _)) = defining_operation(image)
            && view.isa::<memref::SubViewOp>()
            && let Some(offsets) = static_offsets(view)
        {
            let offsets = indices.iter().zip(offsets);
            indices = offsets
                .map(|(index, offset)| moved(index, offset))
                .collect();
            image = view_source(view)?;
        }
        if !is_before(copy, product) {
            return None;
        }
        producers.extend([copy, allocation]);
        let sizes = static_shape_of(value.r#type())?;
        let row_rank = (0..=sizes.len())
            .find(|rank| sizes[..*rank].iter().product::<i64>() == rows)
            .filter(|rank| sizes[*rank..].iter().product::<i64>() == depth)?;
        let mut whole = Self {
            image,
            flat: image,
            indices,
            padding: None,
            sizes,
            row_rank,
            run: 1,
            producers,
        };
        whole.run = whole.contiguous_run()?;
        let (patches, start) = match whole.without_padding(copy) {
            Some((patches, start)) if patches.run >= LEAST_RUN.min(whole.run) => (patches, start),
            _ => (whole, copy),
        };
        let output = matmul.access(RESULT).value;
        (patches.run >= LEAST_RUN
            && !may_overlap(output, patches.image)
            && is_unchanged_between(patches.image, start, product))
        .then_some(patches)
    }

    /// The patches of an image that is copied into a buffer of padding, and the
    /// op that copies it.
    fn without_padding(&self, reader: Operation<'c>) -> Option<(Self, Operation<'c>)> {
        let padded = self.image;
        let allocation = allocation_of(padded)?;
        let fill = writer_of(padded, |user| user.isa::<linalg::FillOp>())?;
        let view = writer_of(padded, |user| user.isa::<memref::SubViewOp>())?;
        only_users(padded, &[fill, view, reader])?;
        let inside = *results_of(view).first()?;
        let copy = writer_of(inside, |user| user.isa::<memref::CopyOp>())?;
        only_users(inside, &[copy])?;
        let [image, target] = operands_of(copy)[..] else {
            return None;
        };
        let offsets = static_offsets(view)?;
        let outer = static_shape_of(padded.r#type())?;
        let inner = static_shape_of(image.r#type())?;
        let fits = offsets.len() == outer.len()
            && outer.len() == inner.len()
            && (offsets.iter().zip(&inner).zip(&outer))
                .all(|((offset, inner), outer)| *offset >= 0 && offset + inner <= *outer);
        if target != inside || !is_before(fill, copy) || !is_before(copy, reader) || !fits {
            return None;
        }
        let indices = self.indices.iter().zip(&offsets);
        let indices = indices.map(|(index, offset)| moved(index, -offset));
        let mut producers = self.producers.clone();
        producers.extend([copy, view, fill, allocation]);
        let mut patches = Self {
            image,
            flat: image,
            indices: indices.collect(),
            padding: operands_of(fill).first().copied(),
            sizes: self.sizes.clone(),
            producers,
            ..*self
        };
        patches.run = patches.contiguous_run()?;
        Some((patches, copy))
    }

    /// The most elements of k that are contiguous in the image.
    fn contiguous_run(&self) -> Option<i64> {
        let r#type = self.image.r#type();
        if !has_identity_layout(r#type) {
            return None;
        }
        let strides = self.strides()?;
        let mut run = 1;
        for dim in (self.row_rank..self.sizes.len()).rev() {
            let size = self.sizes[dim];
            if size == 1 {
                continue;
            }
            let stride: i64 = (self.indices.iter().zip(&strides))
                .map(|(index, stride)| index.coefficient(dim) * stride)
                .sum();
            let crosses_edge = (0..self.indices.len())
                .any(|position| self.is_padded(position) && self.indices[position].mentions(dim));
            if stride != run || crosses_edge {
                break;
            }
            run *= size;
        }
        Some(run)
    }

    fn strides(&self) -> Option<Vec<i64>> {
        strides_of(self.image.r#type())?.0.into_iter().collect()
    }

    /// Whether some indices along a dimension are outside of the image.
    fn is_padded(&self, position: usize) -> bool {
        let index = &self.indices[position];
        let size = static_shape_of(self.image.r#type()).map_or(0, |shape| shape[position]);
        let most: i64 = (0..self.sizes.len())
            .map(|dim| index.coefficient(dim) * (self.sizes[dim] - 1))
            .sum();
        let least = constant_of(index);
        self.padding.is_some() && (least < 0 || least + most >= size)
    }

    /// Builds the flat view here, outside of the loops.
    pub fn build_view(&mut self, builder: &Builder<'c>) -> Emitted<()> {
        let r#type = self.image.r#type();
        let shape = static_shape_of(r#type).unwrap_or_default();
        if shape.len() > 1 {
            let dims: Vec<i64> = (0..shape.len() as i64).collect();
            let flat = memref_type(&[shape.iter().product()], element_type(r#type));
            self.flat = memref::collapse_shape(builder, self.image, &[&dims], flat)?;
        }
        Ok(())
    }

    /// The image that they are cut from.
    pub fn image(&self) -> Value<'c> {
        self.image
    }

    /// Erases the ops that made the patches, after the product.
    pub fn erase_producers(&self, builder: &Builder<'c>) -> Emitted<()> {
        let mut producers = self.producers.iter();
        producers.try_for_each(|producer| builder.erase(*producer))
    }

    /// Packs a panel of rows over a range of k.
    pub fn pack(
        &self,
        builder: &Builder<'c>,
        panel: &Panel<'_, 'c>,
        (lower, upper): (Value<'c>, Value<'c>),
        block_k: i64,
    ) -> Emitted<()> {
        let (row_sizes, k_sizes) = self.sizes.split_at(self.row_rank);
        let mut places = Vec::new();
        for number in 0..panel.width {
            let row = panel.lane(builder, number)?;
            places.push(loop_ops::delinearize(builder, row, row_sizes)?);
        }
        // A block of k is some runs, or a run some blocks.
        let length = self.run.min(block_k);
        let step = loop_ops::index(builder, length)?;
        loop_ops::for_loop(builder, (lower, upper, step), &[], |builder, k, _| {
            let window = loop_ops::delinearize(builder, k, k_sizes)?;
            let rows = (places.iter())
                .map(|place| self.row(builder, &[&place[..], &window].concat()))
                .collect::<Emitted<Vec<_>>>()?;
            let first = loop_ops::sub(builder, k, lower)?;
            self.pack_run(builder, panel, &rows, first, length)?;
            Ok(Vec::new())
        })?;
        Ok(())
    }

    /// The row of a panel at given indices of the patches.
    fn row(&self, builder: &Builder<'c>, ivs: &[Value<'c>]) -> Emitted<Row<'c>> {
        let shape = static_shape_of(self.image.r#type()).unwrap_or_default();
        let strides = self.strides().unwrap_or_default();
        let mut start = loop_ops::index(builder, 0)?;
        let mut is_inside: Option<Value<'c>> = None;
        for (position, (size, stride)) in shape.iter().zip(strides).enumerate() {
            let index = self.indices[position].emit(builder, ivs)?;
            let offset = loop_ops::scale(builder, index, stride)?;
            start = loop_ops::add(builder, start, offset)?;
            if self.is_padded(position) {
                let size = loop_ops::index(builder, *size)?;
                let fits = arith::cmpi(builder, CmpIPredicate::Ult, index, size)?;
                is_inside = Some(match is_inside {
                    Some(others) => arith::andi(builder, others, fits)?,
                    None => fits,
                });
            }
        }
        if let Some(is_inside) = is_inside {
            // The place in the run is the same, so that all of it can be read.
            let k = &ivs[self.row_rank..];
            let zero = loop_ops::index(builder, 0)?;
            let mut safe = zero;
            let mut weight = 1;
            for dim in (self.row_rank..self.sizes.len()).rev() {
                if weight >= self.run {
                    break;
                }
                let offset = loop_ops::scale(builder, k[dim - self.row_rank], weight)?;
                safe = loop_ops::add(builder, safe, offset)?;
                weight *= self.sizes[dim];
            }
            start = arith::select(builder, is_inside, start, safe)?;
        }
        Ok(Row { start, is_inside })
    }

    /// Packs one run: vectors, then the elements that are left.
    fn pack_run(
        &self,
        builder: &Builder<'c>,
        panel: &Panel<'_, 'c>,
        rows: &[Row<'c>],
        first: Value<'c>,
        length: i64,
    ) -> Emitted<()> {
        let matmul = panel.matmul;
        let whole = length - length % panel.lanes;
        for (lower, upper, lanes) in [(0, whole, panel.lanes), (whole, length, 1)] {
            if lower == upper {
                continue;
            }
            let bounds = (
                loop_ops::index(builder, lower)?,
                loop_ops::index(builder, upper)?,
                loop_ops::index(builder, lanes)?,
            );
            loop_ops::for_loop(builder, bounds, &[], |builder, offset, _| {
                let k = loop_ops::add(builder, first, offset)?;
                for (lane, row) in rows.iter().enumerate() {
                    let value = self.load_vector(builder, matmul, row, offset, lanes)?;
                    let indices = panel.lane_indices(builder, lane, k)?;
                    vector::store(builder, value, panel.target, &indices)?;
                }
                Ok(Vec::new())
            })?;
        }
        Ok(())
    }

    fn load_vector(
        &self,
        builder: &Builder<'c>,
        matmul: &Matmul<'c>,
        row: &Row<'c>,
        offset: Value<'c>,
        lanes: i64,
    ) -> Emitted<Value<'c>> {
        let at = loop_ops::add(builder, row.start, offset)?;
        let r#type = vector_type(&[lanes], element_type(self.flat.r#type()));
        let mut value = vector::load(builder, self.flat, &[at], r#type)?;
        if let (Some(is_inside), Some(padding)) = (row.is_inside, self.padding) {
            let padding = vector::broadcast(builder, padding, r#type)?;
            value = arith::select(builder, is_inside, value, padding)?;
        }
        let r#type = vector_type(&[lanes], matmul.accumulator());
        matmul.convert(builder, LHS, value, r#type)
    }
}

/// The constant part of an index.
fn constant_of(index: &Expr) -> i64 {
    match index {
        Expr::Constant(value) => *value,
        Expr::Binary(Operator::Add, lhs, rhs) => constant_of(lhs) + constant_of(rhs),
        Expr::Binary(Operator::Multiply, lhs, rhs) => constant_of(lhs) * constant_of(rhs),
        _ => 0,
    }
}

/// An index plus a constant.
fn moved(index: &Expr, offset: i64) -> Expr {
    match offset {
        0 => index.clone(),
        offset => Expr::Binary(
            Operator::Add,
            Box::new(index.clone()),
            Box::new(Expr::Constant(offset)),
        ),
    }
}

/// The offsets of a view that has as many dimensions as its source, if they are
/// constant and its strides are those of the source.
fn static_offsets(view: Operation) -> Option<Vec<i64>> {
    let list = |name| halo_ir::attribute_of(view, name).and_then(halo_ir::i64_array_value);
    let (offsets, strides) = (list("static_offsets")?, list("static_strides")?);
    let [source] = operands_of(view)[..] else {
        return None;
    };
    let rank = |value: Value| static_shape_of(value.r#type()).map(|shape| shape.len());
    (rank(source)? == offsets.len()
        && rank(*results_of(view).first()?)? == offsets.len()
        && offsets.iter().all(|offset| *offset >= 0)
        && strides.iter().all(|stride| *stride == 1))
    .then_some(offsets)
}

/// The source of an op that only moves elements to `target`, one to each, and
/// the indices that it reads at the indices of `target`.
fn copied_elements<'c>(copy: Operation<'c>, target: Value<'c>) -> Option<(Value<'c>, Vec<Expr>)> {
    let [source, output] = operands_of(copy)[..] else {
        return None;
    };
    let body = body_of(copy, 0)?;
    let [terminator] = operations_of(body)[..] else {
        return None;
    };
    let maps = indexing_maps(copy)?;
    if name_of(copy) != linalg::GenericOp::NAME
        || output != target
        || !halo_ir::is_memref(source.r#type())
        || operands_of(terminator) != arguments_of(body)[..1]
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
    let is_identity = written
        .iter()
        .cloned()
        .eq((0..written.len()).map(Expr::Dim));
    let is_linear = (read.iter()).all(|index| {
        (0..written.len()).all(|dim| (0..IRREGULAR).contains(&index.coefficient(dim)))
    });
    (is_identity && is_linear).then_some((source, read))
}

/// The static allocation of a buffer.
fn allocation_of(buffer: Value<'_>) -> Option<Operation<'_>> {
    let (allocation, _) = defining_operation(buffer)?;
    (allocation.isa::<memref::AllocOp>() && static_shape_of(buffer.r#type()).is_some())
        .then_some(allocation)
}

/// The only user of a buffer that fits.
fn writer_of<'c>(buffer: Value<'c>, fits: impl Fn(Operation<'c>) -> bool) -> Option<Operation<'c>> {
    let mut users = uses_of(buffer)
        .into_iter()
        .map(|(user, _)| user)
        .filter(|user| fits(*user));
    let user = users.next()?;
    users.next().is_none().then_some(user)
}

/// `Some` if a buffer has exactly these users, each once.
fn only_users(buffer: Value, users: &[Operation]) -> Option<()> {
    let uses = uses_of(buffer);
    (uses.len() == users.len() && uses.iter().all(|(user, _)| users.contains(user))).then_some(())
}
