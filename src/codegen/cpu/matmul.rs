//! Contractions whose groups are one loop each, as the CPU kernels address
//! them: vectors are loaded from memrefs at indices. `normalize_contraction` makes
//! one of a [`Contraction`] with other groups, by views and copies.

use super::im2col::Patches;
use crate::loops::{
    contraction::{Extension, Roles, has_vector_layout},
    prelude::*,
};
use halo_ir::prelude::*;

/// Addresses so many bytes apart are in the same set of a first cache, or in one
/// of two.
const SET_STRIDE: i64 = 2048;

/// A product with fewer columns is not one of a batch with a common lhs.
const LEAST_COLUMNS: i64 = 16;

/// `result[batch, m, n] += lhs[batch, m, k] * rhs[batch, k, n]`, where `n` is
/// the loop along which the result is contiguous. Lhs and rhs may have any
/// layout.
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
    /// The image that lhs or rhs is cut from, if its patches are not stored.
    pub patches: Option<Patches<'c>>,
}

impl<'c> Matmul<'c> {
    /// The matrix product that an op is, if it is one.
    pub fn of(operation: Operation<'c>) -> Option<Self> {
        let mut nest = LoopNest::of(operation)?;
        nest.drop_unit_dims();
        nest.fuse_dims();
        nest.accesses.iter_mut().for_each(drop_trailing_unit_dims);
        let (mut contraction, mut roles) = Contraction::of_nest(operation, &nest)?;
        let accesses = roles.operands.map(|number| nest.accesses[number].clone());
        let is_usable = |access: &Access| {
            is_permutation(access) && has_vector_layout(access.ty().element_type())
        };
        if !accesses.iter().all(is_usable) {
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
        let mut batch = roles.dims.batch.clone();
        batch.sort_by_key(|dim| std::cmp::Reverse(result.stride(*dim)));
        Some(Self {
            batch,
            m: roles.dims.m.first().copied(),
            n: *n,
            k: *k,
            sizes: nest.dims.iter().map(|dim| dim.extent.estimate()).collect(),
            contraction,
            accesses,
            patches: None,
        })
    }

    /// Builds the views of the operands here, outside of the loops.
    pub fn build_views(&mut self, builder: &Builder<'c>) {
        for (operand, access) in self.accesses.iter_mut().enumerate() {
            match &mut self.patches {
                Some(patches) if patches.is_operand(operand) => patches.build_view(builder),
                _ => access.build_view(builder),
            }
        }
    }

    /// The access of lhs, rhs or result.
    pub fn access(&self, operand: usize) -> &Access<'c> {
        &self.accesses[operand]
    }

    /// Whether an operand is contiguous along a loop, its last dimension.
    pub fn is_contiguous(&self, operand: usize, dim: usize) -> bool {
        let access = &self.accesses[operand];
        access.stride(dim) == 1 && access.indices.last() == Some(&Expr::Dim(dim))
    }

    /// Whether an operand is patches that are not stored.
    pub fn has_patches(&self, operand: usize) -> bool {
        let patches = self.patches.as_ref();
        patches.is_some_and(|patches| patches.is_operand(operand))
    }

    /// Whether lhs is contiguous along k, so that panels of it are copies of rows.
    pub fn has_lhs_rows(&self) -> bool {
        self.has_patches(LHS) || self.is_contiguous(LHS, self.k)
    }

    /// Whether some rows of an operand can be read side by side from a first
    /// cache: they are contiguous, need no conversion, and do not all lie in the
    /// same set of lines.
    pub fn has_cached_rows(&self, operand: usize) -> bool {
        let Some(m) = self.m else {
            return false;
        };
        let stride = self.accesses[operand].stride(m);
        self.is_contiguous(operand, self.k)
            && self.contraction.operands[operand].conversion.is_none()
            && stride
                .checked_mul(self.element_bits(operand) / 8)
                .is_some_and(|stride| stride % SET_STRIDE != 0)
    }

    /// The bits of an element of an operand, as it is stored.
    pub fn element_bits(&self, operand: usize) -> i64 {
        self.accesses[operand].ty().element_type().bit_width().map_or(8, i64::from)
    }

    /// The loops of the batch.
    pub fn batch(&self) -> &[usize] {
        &self.batch
    }

    /// The products of the batch.
    pub fn batch_size(&self) -> i64 {
        self.contraction.size(Group::Batch)
    }

    /// The rows of the result.
    pub fn rows(&self) -> i64 {
        self.contraction.size(Group::M)
    }

    /// The columns of the result.
    pub fn columns(&self) -> i64 {
        self.contraction.size(Group::N)
    }

    /// The products that are summed up.
    pub fn depth(&self) -> i64 {
        self.contraction.size(Group::K)
    }

    /// The type of the sums.
    pub fn accumulator(&self) -> Type<'c> {
        self.contraction.accumulator
    }

    /// Loop indices, zero but for those of one product of the batch.
    pub fn ivs_of_batch(&self, builder: &Builder<'c>, number: Value<'c>) -> Vec<Value<'c>> {
        let zero = index::constant(builder, 0);
        let mut ivs = vec![zero; self.sizes.len()];
        let sizes: Vec<i64> = self.batch.iter().map(|dim| self.sizes[*dim]).collect();
        for (dim, index) in self.batch.iter().zip(index::delinearize(builder, number, &sizes)) {
            ivs[*dim] = index;
        }
        ivs
    }

    /// An element of lhs or rhs in the type of the sums.
    pub fn load(&self, builder: &Builder<'c>, operand: usize, ivs: &[Value<'c>]) -> Value<'c> {
        let value = self.load_stored(builder, operand, ivs);
        self.convert(builder, operand, value, self.accumulator())
    }

    /// An element of lhs or rhs in its own type.
    pub fn load_stored(
        &self,
        builder: &Builder<'c>,
        operand: usize,
        ivs: &[Value<'c>],
    ) -> Value<'c> {
        self.accesses[operand].load(builder, ivs)
    }

    /// As above for a vector, masked where it is out of bounds.
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

    /// As above in the type of the operand.
    pub fn load_stored_vector(
        &self,
        builder: &Builder<'c>,
        operand: usize,
        ivs: &[Value<'c>],
        lanes: i64,
        mask: Option<Value<'c>>,
    ) -> Value<'c> {
        let access = &self.accesses[operand];
        let (memref, indices) = (access.view(builder), access.indices_at(builder, ivs));
        super::micro_kernel::load_vector(builder, memref, &indices, lanes, mask)
    }

    /// A number, or a vector of them, of an operand in the type of the sums.
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

/// Makes a batch of products with the same lhs of the loops of n but the one at a
/// position, such as the images of a convolution whose channels come first.
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

/// Views an operand without its last dimensions, where these have one element, as the
/// column that a vector may be.
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
