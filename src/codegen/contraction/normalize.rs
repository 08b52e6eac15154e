//! Normalizes contractions for the CPU kernels.
//!
//! A contraction is not normalized in two cases. Fusion may have moved the computation of an
//! operand into its body, which would repeat it for each read of an element. Or the rows, columns
//! or reduction dimensions of an operand are not adjacent, so that they cannot be collapsed to one
//! dimension. In both cases the operand is first computed into a separate buffer, in a suitable
//! order:
//!
//! ```mlir
//! linalg.generic (m, n, k) ins(%a, %s, %b) outs(%c) {
//!   %0 = arith.mulf %a, %s
//!   %1 = arith.mulf %0, %b
//!   %2 = arith.addf %c, %1
//! }
//! ```
//!
//! becomes
//!
//! ```mlir
//! %t = memref.alloc()
//! linalg.generic (m, k) ins(%a, %s) outs(%t) { %0 = arith.mulf %a, %s }
//! linalg.generic (m, n, k) ins(%t, %b) outs(%c) { ... }
//! ```

use super::computed::ComputedOperand;
use crate::loops::{
    contraction::{Body, Groups},
    prelude::*,
};
use halo_ir::prelude::*;

/// The minimum number of reads of a computed operand that justifies a buffer.
const REUSE: i64 = 8;

/// A contraction whose operands may be computed in its body.
struct FusedContraction<'c> {
    nest: LoopNest<'c>,
    body: Body<'c>,
    operands: [ComputedOperand<'c>; 2],
}

/// The loops of each group, in buffer order. The result is contiguous along a loop of m or of n.
struct Roles {
    dims: Groups<Vec<usize>>,
    /// The operand that is indexed by the loop along which the result is contiguous.
    column_operand: usize,
}

impl Roles {
    /// The loops that one operand shares only with the result.
    fn own(&self, number: usize) -> &[usize] {
        &self.dims[[Group::M, Group::N][number]]
    }
}

/// The normalized contraction: the op itself, or an op that replaces it. Other ops are not changed.
pub fn normalize_contraction<'c>(
    builder: &Builder<'c>,
    operation: Operation<'c>,
    least_work: i64,
) -> Operation<'c> {
    let Some(fused) = FusedContraction::of(operation) else {
        return operation;
    };
    let Some(roles) = fused.roles() else {
        return operation;
    };
    let work = (0..fused.nest.dims.len())
        .map(|dim| fused.size(dim))
        .fold(1_i64, i64::saturating_mul);
    let layouts = [0, 1].map(|number| layout(&roles, number));
    let is_needed = [0, 1].map(|number| !fused.fits(&roles, number));
    if work < least_work || is_needed == [false, false] {
        return operation;
    }
    for number in [0, 1] {
        let others = roles.own(1 - number).iter();
        let reuse: i64 = others.map(|dim| fused.size(*dim)).product();
        if is_needed[number] && reuse < REUSE {
            return operation;
        }
    }
    let mut operands = Vec::new();
    for number in [0, 1] {
        let access = if is_needed[number] {
            fused.compute(builder, number, &layouts[number])
        } else {
            let operand = fused.operands[number].operand.unwrap_or_default();
            fused.nest.accesses[operand].clone()
        };
        operands.push(access);
    }
    operands.push(fused.nest.accesses[fused.nest.input_count].clone());
    let made = fused.rebuild(builder, &operands);
    builder.erase(operation);
    made
}

impl<'c> FusedContraction<'c> {
    fn of(operation: Operation<'c>) -> Option<Self> {
        let mut nest = LoopNest::of(operation)?;
        nest.drop_unit_dims();
        if nest.outputs().len() != 1 || nest.is_empty() {
            return None;
        }
        let body = Body::of(nest.body)?;
        let [x, y] = body.multiplicands;
        let operands = [
            ComputedOperand::of(&nest, x)?,
            ComputedOperand::of(&nest, y)?,
        ];
        Some(Self {
            nest,
            body,
            operands,
        })
    }

    fn size(&self, dim: usize) -> i64 {
        self.nest.dims[dim].extent.estimate()
    }

    /// The roles of the loops, if the rows and the columns of the result are adjacent.
    fn roles(&self) -> Option<Roles> {
        let result = &self.nest.outputs()[0];
        let result_dims: Vec<usize> = plain_dims(result)?;
        let summed = (0..self.nest.dims.len()).filter(|dim| !result_dims.contains(dim));
        let [x, y] = &self.operands;
        let mut dims = Groups::infer(result_dims.iter().copied().chain(summed), |dim| {
            let mentions = |operand: &ComputedOperand| operand.dims.contains(&dim);
            [mentions(x), mentions(y), result_dims.contains(&dim)]
        })?;
        let is_fixed = |dim: &usize| matches!(self.nest.dims[*dim].extent, Extent::Fixed(_));
        if !(0..self.nest.dims.len()).all(|dim| is_fixed(&dim))
            || !dims.k.iter().all(|dim| self.nest.dims[*dim].reduction)
        {
            return None;
        }
        let last = result_dims.last()?;
        let own = [&dims.m, &dims.n];
        let column_operand = own.iter().position(|dims| dims.contains(last))?;
        if dims.k.is_empty() || !own.iter().all(|dims| is_run(result, dims)) {
            return None;
        }
        // The order of the reduction loops is free: use the order of an operand that is not copied,
        // if any.
        let order = [column_operand, 1 - column_operand]
            .into_iter()
            .filter_map(|number| self.operands[number].operand)
            .find_map(|operand| {
                let access = &self.nest.accesses[operand];
                let order: Vec<usize> =
                    plain_dims(access)?.into_iter().filter(|dim| dims.k.contains(dim)).collect();
                is_run(access, &order).then_some(order)
            });
        if let Some(order) = order {
            dims.k = order;
        }
        Some(Roles {
            dims,
            column_operand,
        })
    }

    /// Whether an operand can be used directly.
    fn fits(&self, roles: &Roles, number: usize) -> bool {
        self.operands[number].operand.is_some_and(|operand| {
            let access = &self.nest.accesses[operand];
            plain_dims(access).is_some()
                && is_run(access, roles.own(number))
                && is_run(access, &roles.dims.k)
        })
    }

    /// Computes an operand into a buffer with the given dimensions.
    fn compute(&self, builder: &Builder<'c>, number: usize, layout: &[usize]) -> Access<'c> {
        let operand = &self.operands[number];
        let sizes: Vec<i64> = layout.iter().map(|dim| self.size(*dim)).collect();
        let buffer = memref::alloc_aligned(builder, &sizes, operand.multiplicand.value.ty());
        let buffer_dim = |dim: usize| {
            let position = layout.iter().position(|own| *own == dim);
            Expr::Dim(position.unwrap_or_default())
        };
        let mut accesses: Vec<Access<'c>> = operand
            .accesses
            .iter()
            .map(|number| self.nest.accesses[*number].clone())
            .collect();
        for index in accesses.iter_mut().flat_map(|access| &mut access.indices) {
            index.rename(&buffer_dim);
        }
        let target = (0..layout.len()).map(Expr::Dim).collect();
        accesses.push(Access::of_memref(buffer, target));
        access::generic(
            builder,
            &accesses,
            1,
            &vec![false; layout.len()],
            |builder, values| {
                let mut map = ValueMap::new();
                let arguments = self.nest.body.arguments();
                for (number, value) in operand.accesses.iter().zip(values) {
                    map.insert(arguments[*number].key(), *value);
                }
                for operation in &operand.operations {
                    if let Some(dim) = index_dimension(*operation) {
                        let index = match self.nest.origin[dim] {
                            Expr::Dim(dim) => {
                                let Expr::Dim(number) = buffer_dim(dim) else {
                                    unreachable!("indices of the buffer are dimensions")
                                };
                                linalg::index(builder, number as i64)
                            }
                            _ => index::constant(builder, 0),
                        };
                        map.insert(operation.results()[0].key(), index);
                    } else {
                        builder.clone_op(*operation, &mut map);
                    }
                }
                vec![mapped(&map, operand.multiplicand.value)]
            },
        );
        let indices = layout.iter().copied().map(Expr::Dim).collect();
        Access::of_memref(buffer, indices)
    }

    /// The contraction of two operands that are not computed in its body.
    fn rebuild(&self, builder: &Builder<'c>, operands: &[Access<'c>]) -> Operation<'c> {
        let reductions: Vec<bool> = self.nest.dims.iter().map(|dim| dim.reduction).collect();
        access::generic(builder, operands, 1, &reductions, |builder, values| {
            let mut map = ValueMap::new();
            for (multiplicand, value) in self.body.multiplicands.iter().zip(values) {
                map.insert(multiplicand.value.key(), *value);
                if let Some((_, conversion)) = multiplicand.conversion {
                    builder.clone_op(conversion, &mut map);
                }
            }
            if let Some(out) = self.nest.body.arguments().last() {
                map.insert(out.key(), values[2]);
            }
            builder.clone_op(self.body.multiply, &mut map);
            let sum = builder.clone_op(self.body.add, &mut map);
            sum.results()
        })
    }
}

/// The dimensions of the buffer of a computed operand.
fn layout(roles: &Roles, number: usize) -> Vec<usize> {
    let (own, summed) = (roles.own(number), &roles.dims.k[..]);
    let (first, last) = if number == roles.column_operand {
        (summed, own)
    } else {
        (own, summed)
    };
    [&roles.dims.batch[..], first, last].concat()
}

/// The loops that index an operand, in the order of its dimensions, if each
/// index is a separate loop index.
fn plain_dims(access: &Access) -> Option<Vec<usize>> {
    let mut dims = Vec::new();
    for index in &access.indices {
        match index {
            Expr::Dim(dim) if !dims.contains(dim) => dims.push(*dim),
            Expr::Constant(0) => {}
            _ => return None,
        }
    }
    (!access.scalar).then_some(dims)
}

/// Whether loops can be collapsed in an operand.
fn is_run(access: &Access, dims: &[usize]) -> bool {
    if dims.len() < 2 {
        return true;
    }
    let Some(order) = plain_dims(access) else {
        return false;
    };
    access.value.ty().has_identity_layout()
        && order.windows(dims.len()).any(|window| window == dims)
}
