//! Lowers contractions to library calls.
//!
//! A library supports float matrices whose rows or columns are contiguous, and overwrites the
//! result. Such a contraction becomes one op:
//!
//! ```mlir
//! halo.gemm %a, %b into %c {batch = 1 : i64, m = 64 : i64, n = 48 : i64, k = 32 : i64, ...}
//!   : memref<64x32xf32>, memref<48x32xf32>, memref<64x48xf32>
//! ```
//!
//! A library can round the result to the type of lhs and rhs, and write it to the target of a copy.
//! For any other consumer, a kernel with a fused epilogue is faster, since it does not write the
//! sums.

use super::provider::Provider;
use super::{
    super::slices::range_of,
    epilogue::{Consumer, Input},
    fuse_consumer::FusedConsumer,
};
use crate::loops::{
    contraction::{Extension, Loop, Operand, Precision},
    prelude::*,
};
use halo_ir::{
    ops::halo::{self, GemmPrecision, Matrix},
    prelude::*,
};

/// A contraction that a library can compute, with its buffers.
pub struct Call<'c> {
    batch: i64,
    m: i64,
    n: i64,
    k: i64,
    precision: GemmPrecision,
    /// Lhs, rhs and result.
    matrices: [Matrix; 3],
    buffers: [Value<'c>; 3],
}

impl<'c> Call<'c> {
    /// The call for a contraction with zero initial values and for its consumer; `None` if the
    /// library does not support them.
    pub fn of(contraction: &Contraction<'c>, consumer: Option<&FusedConsumer<'c>>) -> Option<Self> {
        let Some(fused) = consumer else {
            return Self::written_to(&contraction.simplified(), RESULT);
        };
        let output = fused.consumer.output;
        let written = fused.contraction.operands.get(output)?;
        let rounds = is_rounding(&fused.consumer)
            && written.element() == contraction.operands[LHS].element()
            && contraction.operands[RESULT].element().float_kind() == Some(FloatKind::F32);
        let copies = fused.consumer.nest.is_none();
        (rounds || copies).then(|| Self::written_to(&fused.contraction.simplified(), output))?
    }

    /// The same, with an operand of the contraction that receives the result.
    fn written_to(contraction: &Contraction<'c>, output: usize) -> Option<Self> {
        let operands = [LHS, RHS, output].map(|number| &contraction.operands[number]);
        let [a, b, c] = operands.map(|operand| operand.element());
        let is_widened =
            |operand: &&Operand| matches!(operand.conversion, None | Some(Extension::Float));
        if !are_known([a, b, c]) || !operands.iter().all(is_widened) {
            return None;
        }
        let buffers = operands.map(|operand| operand.value);
        let is_apart = |operand: usize| !may_overlap(buffers[operand], buffers[RESULT]);
        if buffers.iter().any(|buffer| range_of(*buffer).is_none())
            || ![LHS, RHS].into_iter().all(is_apart)
        {
            return None;
        }
        let [batch, m, n, k] = [Group::Batch, Group::M, Group::N, Group::K]
            .map(|group| CollapsedLoops::of(contraction.loops(group)))
            .into_iter()
            .collect::<Option<Vec<_>>>()?
            .try_into()
            .ok()?;
        let matrix = |operand: usize, rows: &CollapsedLoops, columns: &CollapsedLoops| {
            let (leading_dimension, transposed) = layout(
                (rows.size, rows.stride(operand)),
                (columns.size, columns.stride(operand)),
            )?;
            let batch_stride = batch.stride(operand).unwrap_or(0);
            let start = contraction.operands[operand].start;
            (batch_stride >= 0 && start >= 0).then_some(Matrix {
                start,
                leading_dimension,
                batch_stride,
                transposed,
            })
        };
        let matrices = [
            matrix(LHS, &m, &k)?,
            matrix(RHS, &k, &n)?,
            matrix(output, &m, &n)?,
        ];
        let of_c = &matrices[RESULT];
        let reach = (m.size - 1).checked_mul(of_c.leading_dimension)?.checked_add(n.size)?;
        if of_c.transposed || (batch.size > 1 && of_c.batch_stride < reach) {
            return None;
        }
        let precision = match contraction.precision {
            Precision::Tf32 if a.float_kind() == Some(FloatKind::F32) => GemmPrecision::Tf32,
            _ => GemmPrecision::Full,
        };
        Some(Self {
            batch: batch.size,
            m: m.size,
            n: n.size,
            k: k.size,
            precision,
            matrices,
            buffers,
        })
    }

    /// Builds the op.
    pub fn emit(&self, builder: &Builder<'c>) {
        let ([a, b, c], [of_a, of_b, of_c]) = (self.buffers, self.matrices);
        let (batch, m, n, k) = (self.batch, self.m, self.n, self.k);
        halo::gemm(
            builder,
            a,
            b,
            c,
            batch,
            m,
            n,
            k,
            self.precision,
            of_a,
            of_b,
            of_c,
        );
    }
}

/// Returns true if a choice permits a library.
pub fn is_wanted(choice: Provider, contraction: &Contraction) -> bool {
    match choice {
        Provider::Library => true,
        Provider::Codegen => false,
        Provider::Auto => super::strategy::suits_library(contraction),
    }
}

/// Returns true if a library supports these types of operands and result.
fn are_known([a, b, c]: [Type; 3]) -> bool {
    let Some(kind) = a.float_kind() else {
        return false;
    };
    let is_half = matches!(kind, FloatKind::F16 | FloatKind::BF16);
    let is_known = is_half || matches!(kind, FloatKind::F32 | FloatKind::F64);
    let is_wide = is_half && c.float_kind() == Some(FloatKind::F32);
    is_known && a == b && (a == c || is_wide)
}

/// Returns true if a consumer only rounds the result to a narrower type.
fn is_rounding(consumer: &Consumer) -> bool {
    let Some(nest) = &consumer.nest else {
        return false;
    };
    let operations = nest.body.operations();
    let [rounding, end] = operations[..] else {
        return false;
    };
    let arguments = nest.body.arguments();
    matches!(consumer.inputs.first(), Some(Input::Sum))
        && nest.input_count == 1
        && rounding.isa::<arith::TruncFOp>()
        && rounding.operands().first() == arguments.first()
        && end.operands() == rounding.results()
}

/// A group of loops, collapsed to one loop.
struct CollapsedLoops {
    size: i64,
    /// The stride of each operand; empty for a group without loops.
    strides: Vec<i64>,
}

impl CollapsedLoops {
    fn of(loops: &[Loop]) -> Option<Self> {
        let (size, strides) = match loops {
            [] => (1, Vec::new()),
            [one] => (one.size, one.strides.clone()),
            _ => return None,
        };
        (size > 0 && i32::try_from(size).is_ok()).then_some(Self { size, strides })
    }

    fn stride(&self, operand: usize) -> Option<i64> {
        self.strides.get(operand).copied()
    }
}

/// The leading dimension of a matrix, and true if it is transposed.
fn layout(
    (rows, row_stride): (i64, Option<i64>),
    (columns, column_stride): (i64, Option<i64>),
) -> Option<(i64, bool)> {
    let leading = |stride: Option<i64>, inner: i64| {
        let stride = stride.unwrap_or(inner);
        (stride >= inner).then_some(stride)
    };
    if column_stride.is_none_or(|stride| stride == 1)
        && let Some(stride) = leading(row_stride, columns)
    {
        return Some((stride, false));
    }
    row_stride
        .is_none_or(|stride| stride == 1)
        .then(|| leading(column_stride, rows))?
        .map(|stride| (stride, true))
}

#[cfg(test)]
mod tests {
    use super::layout;

    #[test]
    fn matrices_have_one_contiguous_dimension() {
        // Rows of 5 elements with stride 8; columns of 4 with stride 6.
        assert_eq!(layout((4, Some(8)), (5, Some(1))), Some((8, false)));
        assert_eq!(layout((4, Some(1)), (5, Some(6))), Some((6, true)));
        // The leading dimension of a single row or column is its length.
        assert_eq!(layout((1, None), (5, Some(1))), Some((5, false)));
        assert_eq!(layout((4, Some(1)), (1, None)), Some((1, false)));
        // One row with gaps is a matrix of one column, transposed.
        assert_eq!(layout((1, None), (5, Some(3))), Some((3, true)));
        // Gaps in both dimensions, overlapping rows, and equal rows.
        assert_eq!(layout((4, Some(16)), (5, Some(2))), None);
        assert_eq!(layout((4, Some(3)), (5, Some(1))), None);
        assert_eq!(layout((4, Some(0)), (5, Some(1))), None);
    }
}
