//! Recognizes the copies that compute patches.

use super::{
    columns,
    patches::{Patches, Run},
    rows,
};
use crate::{
    contraction::{matmul::Matmul, plan::STREAMED_ROWS, shape::LEAST_RUN},
    loops::{fill::is_unchanged_between, padding::PaddedCopy, prelude::*},
};
use halo_ir::prelude::*;

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
            LHS => self.run.length >= LEAST_RUN,
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
