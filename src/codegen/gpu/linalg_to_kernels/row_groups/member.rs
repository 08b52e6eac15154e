//! One op of a group: its accesses to the rows, and its code for one row.

use super::super::{Kernel, iterations, rows, zeros};
use crate::{
    gpu::{kernel::when, slices::range_of, vectors},
    loops::{
        access::{Access, Expr, IRREGULAR, Operator},
        aliases::view_source,
        body,
        loop_nest::{Extent, LoopNest},
        loop_ops::{self, Emitted},
        reduction,
    },
};
use halo_ir::{
    Builder, Operation, Value, element_type, is_structured, name_of,
    ops::{
        Op,
        arith::{self, CmpIPredicate},
        memref,
    },
    value_key,
};
use melior::ir::ValueLike;
use std::collections::HashMap;

/// The loop nest of an op with static sizes, without loops of one iteration.
pub(super) fn nest_of(operation: Operation<'_>) -> Option<LoopNest<'_>> {
    let mut nest = LoopNest::of(operation)?;
    let fixed = (nest.dims.iter()).all(|dim| matches!(dim.extent, Extent::Fixed(_)));
    if !fixed || nest.is_empty() || !nest.is_countable() {
        return None;
    }
    nest.drop_unit_dims();
    Some(nest)
}

/// An op of a group.
pub(super) struct Member<'c> {
    pub(super) operation: Operation<'c>,
    pub(super) kernel: Kernel<'c>,
    /// The dimensions that index the rows.
    rows: Vec<usize>,
    /// The dimensions along a row; none if the op has one element per row.
    pub(super) columns: Vec<usize>,
    pub(super) reduction: Option<rows::Plan<'c>>,
}

impl<'c> Member<'c> {
    /// An op over `rows` rows of `length` elements, or over one element of
    /// each.
    pub(super) fn of(operation: Operation<'c>, rows: i64, length: i64) -> Option<Self> {
        if !is_structured(operation) {
            return None;
        }
        let nest = nest_of(operation)?;
        let mut product = 1;
        let mut split = 0;
        while split < nest.dims.len() && product < rows && !nest.dims[split].reduction {
            product *= nest.dims[split].extent.estimate();
            split += 1;
        }
        let columns: Vec<usize> = (split..nest.dims.len()).collect();
        let along: i64 = (columns.iter())
            .map(|dim| nest.dims[*dim].extent.estimate())
            .product();
        let reductions = columns
            .iter()
            .filter(|dim| nest.dims[**dim].reduction)
            .count();
        if product != rows || !(columns.is_empty() || along == length) {
            return None;
        }
        let combiners = reduction::combiners(&nest);
        let kernel = Kernel { nest, combiners };
        let reduction = match reductions {
            0 => None,
            count if count == columns.len() => Some(rows::plan(&kernel)?),
            _ => return None,
        };
        Some(Self {
            operation,
            kernel,
            rows: (0..split).collect(),
            columns,
            reduction,
        })
    }

    /// The operands that are memrefs, and whether they are outputs.
    pub(super) fn accesses(&self) -> impl Iterator<Item = (&Access<'c>, bool)> {
        let inputs = self.kernel.nest.input_count;
        let accesses = self.kernel.nest.accesses.iter().enumerate();
        accesses
            .filter(|(_, access)| !access.scalar)
            .map(move |(number, access)| (access, number >= inputs))
    }

    /// The elements of a buffer that belong to a row, if an access stays within
    /// its row: row `r` starts at this number times `r`.
    pub(super) fn row_stride(&self, access: &Access<'c>, rows: i64) -> Option<i64> {
        let elements = i64::try_from(elements_of(access.value)?).ok()?;
        if elements % rows != 0 {
            return None;
        }
        let each = elements / rows;
        let mut expected = each;
        for dim in self.rows.iter().rev() {
            if access.stride(*dim) != expected {
                return None;
            }
            expected *= self.kernel.size(*dim);
        }
        let mut last = 0;
        for dim in &self.columns {
            let stride = access.stride(*dim);
            if stride < 0 || stride == IRREGULAR {
                return None;
            }
            last += stride * (self.kernel.size(*dim) - 1);
        }
        let affine = access.indices.iter().all(is_linear);
        (affine && last < each).then_some(each)
    }
}

/// Whether an index is a linear sum of loop indices, without a constant term.
fn is_linear(index: &Expr) -> bool {
    match index {
        Expr::Dim(_) => true,
        Expr::Constant(value) => *value == 0,
        Expr::Binary(Operator::Add, left, right) => is_linear(left) && is_linear(right),
        Expr::Binary(Operator::Multiply, left, right) => {
            matches!(**left, Expr::Constant(_)) && is_linear(right)
                || matches!(**right, Expr::Constant(_)) && is_linear(left)
        }
        Expr::Binary(..) => false,
    }
}

/// The elements of the buffer that a memref covers completely.
fn elements_of(memref: Value) -> Option<u64> {
    let range = range_of(memref)?;
    let bytes = crate::loops::sizes::element_bytes(element_type(memref.r#type()))?;
    Some(range.size / bytes)
}

/// The allocation that a memref is a view of.
pub(super) fn allocation_of<'c>(memref: Value<'c>) -> Option<Value<'c>> {
    let (definition, _) = halo_ir::defining_operation(memref)?;
    match name_of(definition) {
        memref::AllocOp::NAME => Some(memref),
        _ => allocation_of(view_source(definition)?),
    }
}

impl<'c> Member<'c> {
    pub(super) fn width(&self, dim: usize) -> i64 {
        vectors::width(&self.kernel.nest, dim)
    }

    /// The same op on rows in shared memory instead of whole buffers.
    pub(super) fn with_rows(&self, rows_in: &HashMap<usize, Value<'c>>, rows: i64) -> Self {
        let mut nest = self.kernel.nest.clone();
        for access in &mut nest.accesses {
            let shared = allocation_of(access.value)
                .and_then(|buffer| rows_in.get(&value_key(buffer)).copied());
            let Some(shared) = shared else {
                continue;
            };
            if self.row_stride(access, rows).is_none() {
                continue;
            }
            let mut index = Expr::Constant(0);
            for dim in &self.columns {
                let term = match access.stride(*dim) {
                    0 => continue,
                    1 => Expr::Dim(*dim),
                    stride => Expr::Binary(
                        Operator::Multiply,
                        Box::new(Expr::Dim(*dim)),
                        Box::new(Expr::Constant(stride)),
                    ),
                };
                index = match index {
                    Expr::Constant(0) => term,
                    sum => Expr::Binary(Operator::Add, Box::new(sum), Box::new(term)),
                };
            }
            *access = Access::of_memref(shared, vec![index]);
        }
        Self {
            operation: self.operation,
            kernel: Kernel {
                nest,
                combiners: self.kernel.combiners.clone(),
            },
            rows: self.rows.clone(),
            columns: self.columns.clone(),
            reduction: self.reduction.clone(),
        }
    }

    /// The op for one row.
    pub(super) fn emit(
        &self,
        builder: &Builder<'c>,
        (row, thread, threads): (Value<'c>, Value<'c>, i64),
        shared: &[Value<'c>],
    ) -> Emitted<()> {
        let mut ivs = zeros(builder, &self.kernel.nest)?;
        let sizes = self.kernel.sizes(&self.rows);
        for (dim, iv) in self
            .rows
            .iter()
            .zip(loop_ops::delinearize(builder, row, &sizes)?)
        {
            ivs[*dim] = iv;
        }
        if let Some(plan) = &self.reduction {
            return rows::reduce_row(
                builder,
                &self.kernel,
                plan,
                (&mut ivs, thread, threads),
                shared,
            );
        }
        let Some(innermost) = self.columns.last().copied() else {
            let zero = loop_ops::index(builder, 0)?;
            let first = arith::cmpi(builder, CmpIPredicate::Eq, thread, zero)?;
            return when(builder, first, |builder| {
                body::emit_iteration_in_memory(builder, &self.kernel.nest, &ivs)
            });
        };
        let width = self.width(innermost);
        let begin = loop_ops::scale(builder, thread, width)?;
        let end = loop_ops::index(builder, self.kernel.product(&self.columns))?;
        let step = loop_ops::index(builder, threads * width)?;
        let sizes = self.kernel.sizes(&self.columns);
        loop_ops::for_loop(builder, (begin, end, step), &[], |builder, column, _| {
            for (dim, iv) in self
                .columns
                .iter()
                .zip(loop_ops::delinearize(builder, column, &sizes)?)
            {
                ivs[*dim] = iv;
            }
            iterations::adjacent_iterations(builder, &self.kernel, (&ivs, innermost, width))?;
            Ok(Vec::new())
        })?;
        Ok(())
    }
}
