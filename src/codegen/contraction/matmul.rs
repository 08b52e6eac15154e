//! Contractions with one loop per group, in the form that CPU kernels use: vectors are loaded from
//! memrefs at indices. `normalize.rs` converts a [`Contraction`] with other groups to this
//! form by views and copies.

use super::{
    computed::{Computed, ComputedContraction},
    im2col::patches::Patches,
    shape::{self, Element, Shape},
    vectors::load_vector,
};
use crate::loops::{
    contraction::{Extension, Roles, has_vector_layout},
    lane_offsets::Unrolled,
    prelude::*,
};
use halo_ir::prelude::*;

/// Addresses with this distance in bytes map to the same set of an L1 cache, or to one of two.
const SET_STRIDE: i64 = 2048;

/// The bytes of a cache line.
pub const LINE_BYTES: i64 = 64;

/// The ops of the computation of an element that takes longer than loading it.
const LONG: usize = 12;

/// The minimum number of columns of a product in a batch with a common lhs.
const LEAST_COLUMNS: i64 = 16;

/// `result[batch, m, n] += lhs[batch, m, k] * rhs[batch, k, n]`, where the result is contiguous
/// along `n`. Lhs and rhs may have any layout.
pub struct Matmul<'c> {
    pub contraction: Contraction<'c>,
    /// Lhs, rhs and result.
    accesses: [Access<'c>; 3],
    /// The loops of the nest, by group.
    batch: Vec<usize>,
    pub m: Option<usize>,
    pub n: usize,
    pub k: usize,
    /// The trip count of each loop.
    sizes: Vec<i64>,
    /// The number of rows, if it is known only at run time. The sizes have a usual number then.
    dynamic_rows: Option<Extent<'c>>,
    /// The patches that lhs or rhs is, if they are not materialized.
    pub patches: Option<Patches<'c>>,
    /// The computations of lhs and rhs, if they are not materialized. The access of a computed
    /// operand is its largest input.
    computed: [Option<Computed<'c>>; 2],
}

impl<'c> Matmul<'c> {
    /// The matrix product that an op computes, if any.
    pub fn of(operation: Operation<'c>) -> Option<Self> {
        Self::of_rows(operation, None)
    }

    /// The same for an op whose number of rows may be dynamic, and is planned as `usual_rows`.
    pub fn of_rows(operation: Operation<'c>, usual_rows: Option<i64>) -> Option<Self> {
        let mut nest = LoopNest::of(operation)?;
        nest.drop_unit_dims();
        nest.fuse_dims();
        let mut dynamic = None;
        for (number, dim) in nest.dims.iter_mut().enumerate() {
            if matches!(dim.extent, Extent::Dynamic { .. }) {
                if dynamic.is_some() {
                    return None;
                }
                dynamic = Some((number, dim.extent));
                dim.extent = Extent::Fixed(usual_rows?);
            }
        }
        nest.accesses.iter_mut().for_each(drop_trailing_unit_dims);
        let ComputedContraction {
            mut contraction,
            mut roles,
            accesses,
            computed,
        } = match Contraction::of_nest(operation, &nest) {
            Some((contraction, roles)) => ComputedContraction {
                contraction,
                accesses: roles.operands.map(|number| nest.accesses[number].clone()),
                roles,
                computed: [None, None],
            },
            None => ComputedContraction::of(operation, &nest)?,
        };
        let is_usable = |(number, access): (usize, &Access)| match computed.get(number) {
            Some(Some(computed)) => has_vector_layout(computed.ty()),
            _ => is_permutation(access) && has_vector_layout(access.ty().element_type()),
        };
        if !accesses.iter().enumerate().all(is_usable) {
            return None;
        }
        let result = &accesses[RESULT];
        let columns = roles.dims.n.iter().position(|dim| result.stride(*dim) == 1)?;
        split_columns(&mut contraction, &mut roles, columns)?;
        let ([n], [k], [] | [_]) = (&roles.dims.n[..], &roles.dims.k[..], &roles.dims.m[..]) else {
            return None;
        };
        if result.indices.last() != Some(&Expr::Dim(*n)) {
            return None;
        }
        if dynamic
            .is_some_and(|(number, _)| roles.dims.m != [number] || !roles.dims.batch.is_empty())
        {
            return None;
        }
        let mut batch = roles.dims.batch.clone();
        batch.sort_by_key(|dim| std::cmp::Reverse(result.stride(*dim)));
        Some(Self {
            batch,
            m: roles.dims.m.first().copied(),
            n: *n,
            k: *k,
            sizes: nest.dims.iter().map(|dim| dim.extent.estimate()).collect(),
            dynamic_rows: dynamic.map(|(_, extent)| extent),
            contraction,
            accesses,
            patches: None,
            computed,
        })
    }

    /// The product without its buffers.
    pub fn shape(&self) -> Shape {
        let operand = |number: usize| {
            let operand = &self.contraction.operands[number];
            shape::Operand {
                element: element_of(self.element(number)),
                is_computed: self.computed(number).is_some(),
                conversion: operand.conversion,
            }
        };
        Shape {
            batch: self.batch_size(),
            rows: self.rows(),
            columns: self.columns(),
            depth: self.depth(),
            operands: [LHS, RHS, RESULT].map(operand),
            accumulator: element_of(self.accumulator()),
            has_lhs_rows: self.has_patches(LHS) || self.is_contiguous(LHS, self.k),
            has_cached_rows: self.has_cached_rows(),
            has_rhs_rows: self.is_contiguous(RHS, self.n) && !self.has_patches(RHS),
            patches: self.patches.as_ref().map(Patches::shape),
        }
    }

    /// Builds the views of the operands at the insertion point, outside of the loops.
    pub fn build_views(&mut self, builder: &Builder<'c>) {
        for (operand, access) in self.accesses.iter_mut().enumerate() {
            match &mut self.patches {
                Some(patches) if patches.is_operand(operand) => patches.build_view(builder),
                _ => access.build_view(builder),
            }
        }
        for computed in self.computed.iter_mut().flatten() {
            computed.build_views(builder);
        }
    }

    /// The computation of an operand that is not materialized.
    pub fn computed(&self, operand: usize) -> Option<&Computed<'c>> {
        self.computed.get(operand)?.as_ref()
    }

    /// The type of an element of an operand before its conversion.
    pub fn element(&self, operand: usize) -> Type<'c> {
        let computed = self.computed(operand).map(Computed::ty);
        computed.unwrap_or(self.contraction.operands[operand].element())
    }

    /// The buffers that the computations of lhs and rhs read.
    pub fn computed_buffers(&self) -> impl Iterator<Item = Value<'c>> + '_ {
        self.computed.iter().flatten().flat_map(Computed::buffers)
    }

    /// Returns true if lhs or rhs is computed as it is read.
    pub fn is_computed(&self) -> bool {
        self.computed.iter().any(Option::is_some)
    }

    /// The access of lhs, rhs or result.
    pub fn access(&self, operand: usize) -> &Access<'c> {
        &self.accesses[operand]
    }

    /// Whether an operand is contiguous along a loop, its last dimension.
    pub fn is_contiguous(&self, operand: usize, dim: usize) -> bool {
        if let Some(computed) = self.computed(operand) {
            return computed.along == dim;
        }
        let access = &self.accesses[operand];
        access.stride(dim) == 1 && access.indices.last() == Some(&Expr::Dim(dim))
    }

    /// Whether an operand is patches that are not materialized.
    pub fn has_patches(&self, operand: usize) -> bool {
        let patches = self.patches.as_ref();
        patches.is_some_and(|patches| patches.is_operand(operand))
    }

    /// Whether several rows of lhs can be read in parallel from an L1 cache: they are
    /// contiguous, need no conversion, and do not all map to the same set.
    fn has_cached_rows(&self) -> bool {
        let Some(m) = self.m else {
            return false;
        };
        let stride = self.accesses[LHS].stride(m);
        self.is_contiguous(LHS, self.k)
            && self.computed(LHS).is_none()
            && self.contraction.operands[LHS].conversion.is_none()
            && stride
                .checked_mul(self.element_bits(LHS) / 8)
                .is_some_and(|stride| stride % SET_STRIDE != 0)
    }

    /// The bits of a stored element of an operand.
    pub fn element_bits(&self, operand: usize) -> i64 {
        self.accesses[operand].ty().element_type().bit_width().map_or(8, i64::from)
    }

    /// The stored elements of an operand in a cache line.
    pub fn stored_in_line(&self, operand: usize) -> i64 {
        (LINE_BYTES * 8 / self.element_bits(operand)).max(1)
    }

    /// The adjacent elements of lhs or rhs to read together: a cache line, unless each takes long to
    /// compute.
    pub fn elements_in_line(&self, operand: usize) -> i64 {
        let is_long = self.computed(operand).is_some_and(|computed| computed.length() > LONG);
        let bits = self.accumulator().bit_width().map_or(8, i64::from);
        LINE_BYTES * 8
            / if is_long {
                bits
            } else {
                self.element_bits(operand).min(bits)
            }
    }

    /// The loops of the batch.
    pub fn batch(&self) -> &[usize] {
        &self.batch
    }

    /// The number of products in the batch.
    pub fn batch_size(&self) -> i64 {
        self.contraction.size(Group::Batch)
    }

    /// The rows of the result.
    pub fn rows(&self) -> i64 {
        self.contraction.size(Group::M)
    }

    /// Whether the rows of the result are whole tiles in every run.
    pub fn has_whole_tiles(&self, tile_rows: i64) -> bool {
        self.dynamic_rows.is_none() && self.rows() % tile_rows == 0
    }

    /// The rows of the result in this run.
    pub fn row_count(&self, builder: &Builder<'c>) -> Value<'c> {
        match self.dynamic_rows {
            Some(extent) => extent.value(builder),
            None => index::constant(builder, self.rows()),
        }
    }

    /// Whether the number of rows is known only at run time.
    pub fn has_dynamic_rows(&self) -> bool {
        self.dynamic_rows.is_some()
    }

    /// The columns of the result.
    pub fn columns(&self) -> i64 {
        self.contraction.size(Group::N)
    }

    /// The reduction size.
    pub fn depth(&self) -> i64 {
        self.contraction.size(Group::K)
    }

    /// The accumulator type.
    pub fn accumulator(&self) -> Type<'c> {
        self.contraction.accumulator
    }

    /// Loop indices of one product of the batch; other indices are zero.
    pub fn ivs_of_batch(&self, builder: &Builder<'c>, number: Value<'c>) -> Vec<Value<'c>> {
        let zero = index::constant(builder, 0);
        let mut ivs = vec![zero; self.sizes.len()];
        let sizes: Vec<i64> = self.batch.iter().map(|dim| self.sizes[*dim]).collect();
        for (dim, index) in self.batch.iter().zip(index::delinearize(builder, number, &sizes)) {
            ivs[*dim] = index;
        }
        ivs
    }

    /// An element of lhs or rhs in the accumulator type.
    pub fn load(&self, builder: &Builder<'c>, operand: usize, ivs: &[Value<'c>]) -> Value<'c> {
        let value = self.load_stored(builder, operand, ivs);
        self.convert(builder, operand, value, self.accumulator())
    }

    /// An element of lhs or rhs in its stored type.
    pub fn load_stored(
        &self,
        builder: &Builder<'c>,
        operand: usize,
        ivs: &[Value<'c>],
    ) -> Value<'c> {
        match self.computed(operand) {
            Some(computed) => computed.element(builder, ivs),
            None => self.accesses[operand].load(builder, ivs),
        }
    }

    /// A vector in the accumulator type, masked where it is out of bounds.
    pub fn load_vector(
        &self,
        builder: &Builder<'c>,
        operand: usize,
        ivs: &[Value<'c>],
        lanes: i64,
        mask: Option<Value<'c>>,
    ) -> Value<'c> {
        let value = self.load_stored_vector(builder, operand, ivs, lanes, mask);
        let ty = vector_type(&[lanes], self.accumulator());
        self.convert(builder, operand, value, ty)
    }

    /// A vector in the stored type, masked where it is out of bounds.
    pub fn load_stored_vector(
        &self,
        builder: &Builder<'c>,
        operand: usize,
        ivs: &[Value<'c>],
        lanes: i64,
        mask: Option<Value<'c>>,
    ) -> Value<'c> {
        if let Some(computed) = self.computed(operand) {
            return computed.vector(builder, ivs, (lanes, mask), None);
        }
        let access = &self.accesses[operand];
        let (memref, indices) = (access.view(builder), access.indices_at(builder, ivs));
        load_vector(builder, memref, &indices, lanes, mask)
    }

    /// A vector in the accumulator type, in an iteration of an unrolled loop.
    pub fn load_unrolled_vector(
        &self,
        builder: &Builder<'c>,
        operand: usize,
        ivs: &[Value<'c>],
        (lanes, mask): (i64, Option<Value<'c>>),
        unrolled: Unrolled<'c>,
    ) -> Value<'c> {
        let Some(computed) = self.computed(operand) else {
            return self.load_vector(builder, operand, ivs, lanes, mask);
        };
        let value = computed.vector(builder, ivs, (lanes, mask), Some(unrolled));
        let ty = vector_type(&[lanes], self.accumulator());
        self.convert(builder, operand, value, ty)
    }

    /// Converts a number or vector of an operand to the accumulator type.
    pub fn convert(
        &self,
        builder: &Builder<'c>,
        operand: usize,
        value: Value<'c>,
        ty: Type<'c>,
    ) -> Value<'c> {
        let conversion: Option<Extension> = self.contraction.operands[operand].conversion;
        match conversion {
            Some(extension) => extension.build(builder, value, ty),
            None => value,
        }
    }
}

fn element_of(ty: Type) -> Element {
    Element {
        bits: ty.bit_width().map(i64::from),
        float: ty.float_kind(),
    }
}

/// Moves all loops of n except the one at `position` to the batch, where products share lhs, such
/// as the images of a convolution with leading channels.
fn split_columns(contraction: &mut Contraction, roles: &mut Roles, position: usize) -> Option<()> {
    let dim = roles.dims.n.remove(position);
    let columns = contraction.loops.n.remove(position);
    if !roles.dims.n.is_empty() && columns.size < LEAST_COLUMNS {
        return None;
    }
    let outer = std::mem::replace(&mut roles.dims.n, vec![dim]);
    roles.dims.batch.extend(outer);
    let outer = std::mem::replace(&mut contraction.loops.n, vec![columns]);
    contraction.loops.batch.extend(outer);
    Some(())
}

/// Drops trailing unit dimensions of an operand, such as the column that a vector may be.
fn drop_trailing_unit_dims(access: &mut Access) {
    while let ([.., _, Expr::Constant(0)], Some([.., 1])) =
        (&access.indices[..], access.ty().static_shape().as_deref())
    {
        if !access.value.ty().has_identity_layout() {
            return;
        }
        let last = access.indices.len() - 1;
        access.collapse(last - 1, last);
        access.indices.pop();
    }
}

/// Whether each index of an operand is a separate loop index.
fn is_permutation(access: &Access) -> bool {
    !access.scalar
        && access.indices.iter().enumerate().all(|(position, index)| {
            matches!(index, Expr::Constant(0))
                || (matches!(index, Expr::Dim(_)) && !access.indices[..position].contains(index))
        })
}
