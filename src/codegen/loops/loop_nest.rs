//! A structured op of linalg as a loop nest: extents, iterator types and accesses.
//!
//! The nest is simplified before code generation: unit dimensions are dropped, and adjacent
//! dimensions are collapsed if every operand permits it. An elementwise op on contiguous buffers of
//! any rank becomes one loop, and a reduction over the trailing dimensions becomes one long row.
//!
//! The analysis does not change IR: a dynamic extent is the dimension of an operand, and an operand
//! with collapsed dimensions is a view that the [`Access`] describes. Lowerings build both:
//! [`LoopNest::extent`], [`LoopNest::build_views`].

use super::access::{Access, Expr};
use halo_ir::prelude::*;

/// The trip count of a loop.
#[derive(Clone, Copy, Debug)]
pub enum Extent<'c> {
    Fixed(i64),
    /// The product of the sizes of adjacent dimensions of a memref.
    Dynamic {
        memref: Value<'c>,
        first: usize,
        last: usize,
    },
}

impl<'c> Extent<'c> {
    /// Emits the trip count.
    pub fn value(self, builder: &Builder<'c>) -> Value<'c> {
        match self {
            Self::Fixed(size) => index::constant(builder, size),
            Self::Dynamic {
                memref,
                first,
                last,
            } => {
                let sizes = (first..=last).map(|dimension| {
                    let dimension = index::constant(builder, dimension as i64);
                    memref::dim(builder, memref, dimension)
                });
                let product = sizes.reduce(|product, size| index::mul(builder, product, size));
                product.unwrap_or_else(|| index::constant(builder, 1))
            }
        }
    }

    /// The trip count, or an estimate if it is dynamic.
    pub fn estimate(self) -> i64 {
        match self {
            Self::Fixed(size) => size,
            Self::Dynamic { .. } => 1024,
        }
    }
}

/// One loop.
#[derive(Clone, Copy, Debug)]
pub struct Dim<'c> {
    pub extent: Extent<'c>,
    pub reduction: bool,
}

/// A structured op as loops.
#[derive(Clone, Debug)]
pub struct LoopNest<'c> {
    pub dims: Vec<Dim<'c>>,
    /// Inputs first, then outputs.
    pub accesses: Vec<Access<'c>>,
    pub input_count: usize,
    /// The computation of one iteration: one argument for each access.
    pub body: Block<'c>,
    /// The dimensions of the op in terms of the remaining loops.
    pub origin: Vec<Expr>,
}

/// Whether the number of elements fits in an integer: MLIR permits memrefs larger than any memory.
fn is_countable(value: &Value) -> bool {
    let sizes = value.ty().shape().unwrap_or_default();
    product_fits(sizes.into_iter().flatten())
}

/// Whether the product of any subset of the sizes fits, with room for rounding up.
fn product_fits(sizes: impl IntoIterator<Item = i64>) -> bool {
    sizes
        .into_iter()
        .try_fold(1_i64, |product, size| product.checked_mul(size.max(1)))
        .is_some_and(|product| product <= i64::MAX / 16)
}

impl<'c> LoopNest<'c> {
    /// Whether the number of iterations fits; with several operands it may exceed the number of
    /// elements of each.
    pub fn is_countable(&self) -> bool {
        product_fits(self.dims.iter().map(|dim| dim.extent.estimate()))
    }

    /// The nest of an op whose operands are all memrefs or scalars; `None` for tensors, or if the
    /// number of elements does not fit.
    pub fn of(operation: Operation<'c>) -> Option<Self> {
        let (maps, body) = (operation.indexing_maps()?, operation.body(0)?);
        let operands = operation.operands();
        let output_count = body.terminator()?.operands().len();
        let input_count = operands.len().checked_sub(output_count)?;
        if maps.len() != operands.len()
            || operands
                .iter()
                .any(|value| value.ty().shape().is_some() && !value.ty().is_memref())
            || !operands.iter().all(is_countable)
        {
            return None;
        }
        let mut accesses = Vec::new();
        for (map, value) in maps.iter().zip(&operands) {
            if !value.ty().is_memref() {
                accesses.push(Access::of_scalar(*value));
                continue;
            }
            let indices = (0..map.result_count())
                .map(|position| map.result(position).ok().and_then(Expr::from_affine))
                .collect::<Option<_>>()?;
            accesses.push(Access::of_memref(*value, indices));
        }
        let dim_count = maps.first().map_or(0, melior::ir::AffineMap::dim_count);
        let mut dims = Vec::new();
        for dim in 0..dim_count {
            let reduction = declared_reduction(operation, dim)
                || accesses[input_count..]
                    .iter()
                    .any(|output| !output.indices.contains(&Expr::Dim(dim)));
            dims.push(Dim {
                extent: extent_of(&accesses, dim)?,
                reduction,
            });
        }
        // An unused operand only provides bounds.
        for (access, argument) in accesses.iter_mut().zip(body.arguments()).take(input_count) {
            if argument.is_unused() {
                access.indices.fill(Expr::Constant(0));
            }
        }
        Some(Self {
            dims,
            accesses,
            input_count,
            body,
            origin: (0..dim_count).map(Expr::Dim).collect(),
        })
    }

    /// Emits the trip count of a loop.
    pub fn extent(&self, builder: &Builder<'c>, dim: usize) -> Value<'c> {
        self.dims[dim].extent.value(builder)
    }

    /// Builds the views of the operands at the insertion point, outside of the loops.
    pub fn build_views(&mut self, builder: &Builder<'c>) {
        let accesses = self.accesses.iter_mut();
        accesses.for_each(|access| access.build_view(builder))
    }

    /// The operands that are read.
    pub fn inputs(&self) -> &[Access<'c>] {
        &self.accesses[..self.input_count]
    }

    /// The operands that are written.
    pub fn outputs(&self) -> &[Access<'c>] {
        &self.accesses[self.input_count..]
    }

    /// Whether a loop has no iterations.
    pub fn is_empty(&self) -> bool {
        self.dims.iter().any(|dim| matches!(dim.extent, Extent::Fixed(0)))
    }

    fn rename(&mut self, new: impl Fn(usize) -> Expr) {
        for access in &mut self.accesses {
            access.rename(&new);
        }
        for index in &mut self.origin {
            index.rename(&new);
        }
    }

    /// Drops loops with one iteration.
    pub fn drop_unit_dims(&mut self) {
        let mut kept = Vec::new();
        let renamed: Vec<Expr> = self
            .dims
            .iter()
            .map(|dim| {
                if matches!(dim.extent, Extent::Fixed(1)) {
                    Expr::Constant(0)
                } else {
                    kept.push(*dim);
                    Expr::Dim(kept.len() - 1)
                }
            })
            .collect();
        self.dims = kept;
        self.rename(|dim| renamed[dim].clone());
    }

    /// Collapses pairs of loops until a fixpoint, if every operand permits it.
    pub fn fuse_dims(&mut self) {
        'again: loop {
            for outer in 0..self.dims.len() {
                for inner in 0..self.dims.len() {
                    if let Some(extent) = self.fused_extent(outer, inner) {
                        self.fuse(outer, inner, extent);
                        continue 'again;
                    }
                }
            }
            return;
        }
    }

    /// The trip count of two collapsed loops, if they can be collapsed.
    fn fused_extent(&self, outer: usize, inner: usize) -> Option<Extent<'c>> {
        if outer == inner || self.dims[outer].reduction != self.dims[inner].reduction {
            return None;
        }
        if self.uses_index_of(outer) || self.uses_index_of(inner) {
            return None;
        }
        let mut extent = None;
        for access in &self.accesses {
            if !access.mentions(outer) && !access.mentions(inner) {
                continue;
            }
            let (first, last) = self.adjacent(access, outer, inner)?;
            let (first, last) = access.dimensions(first, last)?;
            extent = Some(Extent::Dynamic {
                memref: access.value,
                first,
                last,
            });
        }
        match (self.dims[outer].extent, self.dims[inner].extent) {
            (Extent::Fixed(outer), Extent::Fixed(inner)) => {
                outer.checked_mul(inner).map(Extent::Fixed)
            }
            _ => extent,
        }
    }

    /// The positions of two loops in an operand in which they can be collapsed.
    fn adjacent(&self, access: &Access<'c>, outer: usize, inner: usize) -> Option<(usize, usize)> {
        let position = |dim| {
            let mut found =
                access.indices.iter().enumerate().filter(|(_, index)| index.mentions(dim));
            let (position, index) = found.next()?;
            (found.next().is_none() && *index == Expr::Dim(dim)).then_some(position)
        };
        let (first, last) = (position(outer)?, position(inner)?);
        let ty = access.ty();
        let shape = ty.shape()?;
        let spans = |dim: usize, position: usize| match self.dims[dim].extent {
            Extent::Fixed(size) => shape[position] == Some(size),
            Extent::Dynamic { .. } => shape[position].is_none(),
        };
        // A collapsed loop covers both dimensions, with only unit dimensions between them.
        (first < last
            && ty.has_identity_layout()
            && spans(outer, first)
            && spans(inner, last)
            && (first + 1..last).all(|position| {
                shape[position] == Some(1) && access.indices[position] == Expr::Constant(0)
            }))
        .then_some((first, last))
    }

    fn fuse(&mut self, outer: usize, inner: usize, extent: Extent<'c>) {
        for number in 0..self.accesses.len() {
            let Some((first, last)) = self.adjacent(&self.accesses[number], outer, inner) else {
                continue;
            };
            let access = &mut self.accesses[number];
            access.collapse(first, last);
            access.indices.drain(first..last);
            access.indices[first] = Expr::Dim(inner);
        }
        self.dims[inner].extent = extent;
        self.dims.remove(outer);
        self.rename(|dim| Expr::Dim(if dim > outer { dim - 1 } else { dim }));
    }

    /// Whether the body uses the index of a loop.
    fn uses_index_of(&self, dim: usize) -> bool {
        let mut found = false;
        for operation in self.body.operations() {
            operation.visit(&mut |nested| {
                found |= index_dimension(nested)
                    .and_then(|number| self.origin.get(number))
                    .is_some_and(|index| index.mentions(dim));
            });
        }
        found
    }

    /// Whether the body reads the current element of an output.
    pub fn reads_output(&self, output: usize) -> bool {
        let argument = self.body.arguments().get(self.input_count + output).copied();
        argument.is_some_and(|argument| !argument.is_unused())
    }
}

/// The dimension of a `linalg.index`.
pub fn index_dimension(operation: Operation) -> Option<usize> {
    usize::try_from(operation.cast::<linalg::IndexOp>()?.dim()).ok()
}

/// Whether a generic op declares a dimension that is not parallel.
fn declared_reduction(operation: Operation, dim: usize) -> bool {
    let generic = operation.cast::<linalg::GenericOp>();
    let kind = generic.and_then(|generic| generic.iterator_types().get(dim).copied());
    kind.is_some_and(|kind| kind != IteratorType::Parallel)
}

/// The extent of a loop, from an operand with a dimension that it indexes.
fn extent_of<'c>(accesses: &[Access<'c>], dim: usize) -> Option<Extent<'c>> {
    let mut dynamic = None;
    for access in accesses {
        let Some(shape) = access.value.ty().shape() else {
            continue;
        };
        for (position, index) in access.indices.iter().enumerate() {
            if *index != Expr::Dim(dim) {
                continue;
            }
            match shape[position] {
                Some(size) => return Some(Extent::Fixed(size)),
                None => {
                    dynamic = Some(Extent::Dynamic {
                        memref: access.value,
                        first: position,
                        last: position,
                    });
                }
            }
        }
    }
    dynamic
}

/// The loop along which an operand is contiguous.
pub fn contiguous_dim(nest: &LoopNest, access: &Access) -> Option<usize> {
    (0..nest.dims.len())
        .find(|dim| access.stride(*dim) == 1 && access.indices.last() == Some(&Expr::Dim(*dim)))
}
