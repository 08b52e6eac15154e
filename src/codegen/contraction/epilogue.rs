//! Fuses elementwise ops on the result of a product, such as a bias, an activation or a weight
//! update, into the product's tasks as an epilogue.
//!
//! ```mlir
//! linalg.generic (m, n, k) ins(%a, %b) outs(%t)              // the product
//! linalg.generic (m, n) ins(%t, %bias) outs(%c) { addf }
//! ```
//!
//! A task computes the elements of `%c` from its sums, which are still in a cache. If `%c` has the
//! type of `%t`, and `%t` has no other use, the sums are stored in `%c` directly.

use super::{im2col::patches::Patches, matmul::Matmul, plan::Tile};
use crate::{
    explain::Reason,
    loops::{
        aliases::{ancestor_in, is_loop},
        body::emit_iteration_in_memory,
        contraction::Body,
        fill::{is_unchanged_between, is_untouched},
        prelude::*,
    },
};
use halo_ir::prelude::*;

/// The maximum number of ops after a product that are searched.
const REACH: usize = 64;

/// Smaller matrices stay in the L2 cache. A separate loop reads several such inputs in order, which
/// is faster than tile by tile in an epilogue.
const CACHED: u64 = 256 << 10;

/// No op qualifies as an epilogue.
pub const NO_READER: Reason = Reason::NoReader;
const NO_CONTRACTION: Reason = Reason::NoContraction;
const IN_LOOP: Reason = Reason::ReadByFusedLoop;
const NOT_ELEMENTWISE: Reason = Reason::ReaderNotElementwise;

/// An elementwise op that reads the result of a product.
pub struct Epilogue<'c> {
    /// The op.
    pub operation: Operation<'c>,
    nest: LoopNest<'c>,
    /// The buffer of the sums, before reshapes.
    sums: Value<'c>,
}

impl<'c> Epilogue<'c> {
    /// The next op that reads the result of a contraction, if the contraction can be moved right
    /// before it, and its elements can be computed as soon as their sums are.
    ///
    /// # Errors
    /// Returns the reason if there is none: [`NO_READER`] if no op reads the result.
    pub fn of(contraction: Operation<'c>) -> Result<Self, Reason> {
        let operands = contraction.operands();
        let Some((&result, inputs)) = operands.split_last() else {
            return Err(NO_CONTRACTION);
        };
        let factors = LoopNest::of(contraction).ok_or(NO_CONTRACTION)?;
        let reduces = factors.dims.iter().any(|dim| dim.reduction);
        let is_product = match factors.input_count {
            0 | 1 => false,
            2 => true,
            _ => Body::of(factors.body).is_some(),
        };
        if !is_product || !reduces || reads_other_memory(contraction) {
            return Err(NO_CONTRACTION);
        }
        let whole = base_of(result);
        let is_of_result = |value: Value<'c>| value.ty().is_memref() && base_of(value) == whole;
        let takes_result = |op: Operation<'c>| op.operands().into_iter().any(is_of_result);
        let has_user = |op: Operation<'c>| !op.collect_nested(takes_result).is_empty();
        let behind = std::iter::successors(contraction.next_in_block(), |op| op.next_in_block());
        let operation = behind
            .take(REACH)
            .find(|op| {
                if op.is_structured() {
                    takes_result(*op)
                } else {
                    is_loop(*op) && has_user(*op)
                }
            })
            .ok_or(NO_READER)?;
        if is_loop(operation) {
            return Err(IN_LOOP);
        }
        if reads_other_memory(operation) {
            return Err(Reason::ReaderComputesPositions);
        }
        if !is_untouched(result, contraction, operation) {
            return Err(Reason::ResultUsedBetween);
        }
        let buffers = || inputs.iter().copied().filter(|input| input.ty().is_memref());
        if !buffers().all(|factor| is_unchanged_between(factor, contraction, operation)) {
            return Err(Reason::OperandOverwrittenBetween);
        }
        let nest = LoopNest::of(operation).ok_or(NOT_ELEMENTWISE)?;
        let sizes = nest.dims.iter().map(|dim| match dim.extent {
            Extent::Fixed(size) if !dim.reduction => Some(size),
            _ => None,
        });
        let sizes: Vec<i64> = sizes.collect::<Option<_>>().ok_or(NOT_ELEMENTWISE)?;
        let is_whole = |access: &Access<'c>| {
            let own = |(position, (index, size)): (usize, (&Expr, &i64))| {
                *index == Expr::Dim(position) || (*size == 1 && *index == Expr::Constant(0))
            };
            access.value.ty().has_identity_layout()
                && access.value.ty().static_shape().as_deref() == Some(&sizes[..])
                && access.indices.iter().zip(&sizes).enumerate().all(own)
        };
        let is_element = |access: &&Access<'c>| !access.scalar && is_of_result(access.value);
        let keeps_order = |input: &Access<'c>, output: &Access<'c>| {
            input.scalar
                || !may_overlap(input.value, output.value)
                || input.indices == output.indices
                    && (input.value == output.value || is_whole(input) && is_whole(output))
        };
        let is_independent = nest.outputs().iter().all(|output| {
            buffers().all(|factor| !may_overlap(output.value, factor))
                && nest.inputs().iter().all(|input| keeps_order(input, output))
        });
        // With a single row or column, no input is a matrix.
        let has_rows = sizes.iter().filter(|size| **size != 1).count() > 1;
        let is_matrix = |input: &&Access<'c>| {
            !input.scalar
                && has_rows
                && (0..sizes.len()).all(|dim| sizes[dim] == 1 || input.mentions(dim))
        };
        let matrices = nest.inputs().iter().filter(is_matrix);
        let is_cached = size_in_bytes(result.ty()).is_none_or(|size| size < CACHED);
        if is_cached && matrices.count() > 1 {
            return Err(Reason::ResultCached);
        }
        if !is_independent {
            return Err(Reason::ReaderOverwritesOperands);
        }
        if !nest.accesses.iter().filter(is_element).all(is_whole) {
            return Err(Reason::ReaderPermutesElements);
        }
        Ok(Self {
            operation,
            nest,
            sums: whole,
        })
    }

    /// Whether tasks of a product, which write whole rows or parts of rows, can compute the op.
    pub fn fits(&self, matmul: &Matmul<'c>) -> bool {
        let columns = matmul.columns();
        let result = matmul.access(RESULT);
        let is_row = |dim: &usize| result.stride(*dim) % columns == 0;
        let is_apart = |value: Value<'c>| {
            self.nest.outputs().iter().all(|output| !may_overlap(output.value, value))
        };
        let image = matmul.patches.as_ref().map(Patches::image);
        self.nest.dims.last().map(|dim| dim.extent.estimate()) == Some(columns)
            && base_of(result.value) == self.sums
            && matmul.batch().iter().chain(&matmul.m).all(is_row)
            && is_apart(matmul.access(RHS).value)
            && is_apart(image.unwrap_or(matmul.access(LHS).value))
            && matmul.computed_buffers().all(is_apart)
    }

    /// Merges the buffers of the sums and of an output of the op, if the sums have no other use.
    /// Invalidates the description of the op.
    pub fn place_sums(&self, builder: &Builder<'c>, contraction: Operation<'c>) {
        let allocation = |value: Value<'c>| {
            value.defining_op().filter(|operation| operation.isa::<memref::AllocOp>())
        };
        let users = |value: Value<'c>| value.uses().into_iter().map(|(user, _)| user);
        let block = self.operation.block();
        let is_before_op =
            |user: Operation<'c>| user == self.operation || user.is_before(self.operation);
        let is_private = |user: Operation<'c>| {
            user.block() == block && user.is_structured() && is_before_op(user)
        };
        let Some(sums) = contraction.operands().last().copied() else {
            return;
        };
        let (Some(allocated), true) = (allocation(sums), users(sums).all(is_private)) else {
            return;
        };
        let first = users(sums)
            .reduce(|first, user| if user.is_before(first) { user } else { first })
            .unwrap_or(contraction);
        let (inputs, outputs) = (self.nest.inputs(), self.nest.outputs());
        let Some(read) = inputs.iter().find(|input| input.value == sums) else {
            return;
        };
        for output in outputs {
            let target = output.value;
            let is_other =
                |access: &Access<'c>| access.scalar || !may_overlap(access.value, target);
            if target.ty() != sums.ty()
                || output.indices != read.indices
                || !inputs.iter().all(is_other)
                || outputs.iter().filter(|access| !is_other(access)).count() != 1
            {
                continue;
            }
            if let Some(allocated) = allocation(target) {
                let is_behind = |user: Operation<'c>| {
                    let around = block.and_then(|block| ancestor_in(block, user));
                    around.is_some_and(|around| {
                        around == self.operation || self.operation.is_before(around)
                    })
                };
                if users(target).all(is_behind) {
                    builder.replace_uses(target, sums);
                    return builder.erase(allocated);
                }
            } else if target.as_block_argument().is_some()
                && is_untouched(target, first, self.operation)
            {
                builder.replace_uses(sums, target);
                return builder.erase(allocated);
            }
        }
    }

    /// Computes the elements of a block of panels of the result.
    pub fn emit(
        &self,
        builder: &Builder<'c>,
        matmul: &Matmul<'c>,
        tile: Tile,
        ivs: &[Value<'c>],
        [rows, columns]: [(Value<'c>, Value<'c>); 2],
    ) {
        let one = index::constant(builder, 1);
        let range = |(lower, upper): (Value<'c>, Value<'c>), width: i64, size: i64| {
            let lower = index::mul(builder, lower, width);
            let upper = index::mul(builder, upper, width);
            if size % width == 0 {
                return (lower, upper, one);
            }
            (lower, index::min(builder, upper, size), one)
        };
        let rows = range(rows, tile.rows, matmul.rows());
        let sizes: Vec<i64> = self.nest.dims.iter().map(|dim| dim.extent.estimate()).collect();
        let (_, leading) = sizes.split_last().unwrap_or((&1, &[]));
        scf::for_each(builder, rows, |builder, row| {
            let mut ivs = ivs.to_vec();
            if let Some(m) = matmul.m {
                ivs[m] = row;
            }
            let mut number = index::constant(builder, 0);
            for dim in matmul.batch().iter().chain(&matmul.m) {
                let stride = matmul.access(RESULT).stride(*dim) / matmul.columns();
                let offset = index::mul(builder, ivs[*dim], stride);
                number = index::add(builder, number, offset);
            }
            let mut place = index::delinearize(builder, number, leading);
            let mut element = |builder: &Builder<'c>, column: Value<'c>| {
                place.push(column);
                emit_iteration_in_memory(builder, &self.nest, &place)
            };
            if matmul.columns() % tile.columns != 0 {
                let columns = range(columns, tile.columns, matmul.columns());
                scf::for_each(builder, columns, |builder, column| {
                    element(builder, column);
                });
                return;
            }
            let panels = (columns.0, columns.1, one);
            scf::for_each(builder, panels, |builder, panel| {
                let first = index::mul(builder, panel, tile.columns);
                scf::for_range(builder, tile.columns, 1, |builder, number| {
                    let column = index::add(builder, first, number);
                    element(builder, column)
                })
            })
        })
    }
}

/// Whether the body of an op loads elements at computed positions, as a gather does.
fn reads_other_memory(operation: Operation) -> bool {
    !operation.collect_nested(|op| op.isa::<memref::LoadOp>()).is_empty()
}

/// The buffer before reshapes.
fn base_of(value: Value<'_>) -> Value<'_> {
    let mut base = value;
    while let Some(view) = base.defining_op()
        && (view.isa::<memref::CollapseShapeOp>() || view.isa::<memref::ExpandShapeOp>())
        && let Some(source) = view.operands().first()
    {
        base = *source;
    }
    base
}
