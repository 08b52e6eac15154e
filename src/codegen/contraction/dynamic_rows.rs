//! Products whose number of rows is known only at run time, such as the size of a batch.
//!
//! A few rows have code for their exact number, or for two parts of them, which reads rhs once for
//! each part. More rows are computed by register tiles; at the lower edge the last row is repeated.
//!
//! ```mlir
//! linalg.matmul ins(%x, %w : memref<?x16xf32>, memref<16x32xf32>) outs(%y : memref<?x32xf32>)
//! ```
//!
//! becomes
//!
//! ```mlir
//! scf.if %is_few {
//!   scf.for %first = %c0 to %rows step %c4 {
//!     scf.if %is_one_left {
//!       %x1 = memref.subview %x[%first, 0] [1, 16] [1, 1] : ...
//!       %y1 = memref.subview %y[%first, 0] [1, 32] [1, 1] : ...
//!       linalg.matmul ins(%x1, %w : ...) outs(%y1 : ...)
//!     }
//!     ...
//!   }
//! } else {
//!   linalg.matmul ins(%x, %w : ...) outs(%y : ...)
//! }
//! ```

use super::{matmul::Matmul, plan::STREAMED_ROWS};
use crate::loops::{
    access,
    fill::{clone_fill, zero_fill_of},
    prelude::*,
};
use halo_ir::prelude::*;

/// The number of rows that tiles are planned for.
pub const USUAL_ROWS: i64 = 128;
/// The most rows that have code for their exact number.
const EXACT_ROWS: i64 = STREAMED_ROWS / 2;

/// The versions of a product.
pub struct Versions<'c> {
    /// For exact numbers of rows.
    pub of_few: Vec<Operation<'c>>,
    pub of_many: Operation<'c>,
}

/// Replaces a product of dynamic rows by its versions; `None` for other ops.
pub fn versions<'c>(builder: &Builder<'c>, operation: Operation<'c>) -> Option<Versions<'c>> {
    let matmul = Matmul::of_rows(operation, Some(USUAL_ROWS))?;
    if let Some(joined) = with_joined_rows(builder, operation) {
        return versions(builder, joined);
    }
    let is_dynamic = |ty: Type| ty.shape().is_some_and(|shape| shape.contains(&None));
    let have_rows = operation.operands().types().into_iter().all(|ty| {
        // The rows are the outermost dimension of a contiguous buffer.
        !is_dynamic(ty)
            || ty.has_identity_layout()
                && ty.shape().is_some_and(|shape| !shape[1..].contains(&None))
    });
    if !matmul.has_dynamic_rows() || matmul.is_computed() || !have_rows {
        return None;
    }
    let fill = zero_fill_of(operation);
    let ops: Vec<Operation> = fill.into_iter().chain([operation]).collect();
    let rows = matmul.row_count(builder);
    let is_few = index::compare(builder, CmpIPredicate::Ule, rows, STREAMED_ROWS);
    let (mut of_few, mut of_many) = (Vec::new(), None);
    scf::if_else(
        builder,
        is_few,
        |builder| {
            scf::for_each(builder, (0, rows, EXACT_ROWS), |builder, first| {
                let left = index::sub(builder, rows, first);
                let left = index::min(builder, left, EXACT_ROWS);
                for count in 1..=EXACT_ROWS {
                    let is_count = index::compare(builder, CmpIPredicate::Eq, left, count);
                    scf::if_(builder, is_count, |builder| {
                        of_few.extend(copies(builder, &ops, Some((first, count))).pop());
                    });
                }
            });
            Vec::new()
        },
        |builder| {
            of_many = copies(builder, &ops, None).pop();
            Vec::new()
        },
    );
    for op in ops.iter().rev() {
        builder.erase(*op);
    }
    of_many.map(|of_many| Versions { of_few, of_many })
}

/// The product whose rows are one dimension of views, if they are several dynamic dimensions, such
/// as a batch and a length.
fn with_joined_rows<'c>(builder: &Builder<'c>, operation: Operation<'c>) -> Option<Operation<'c>> {
    let mut nest = LoopNest::of(operation)?;
    let count = nest.dims.len();
    nest.drop_unit_dims();
    nest.fuse_dims();
    let is_row = |access: &Access| access.ty().shape().is_some_and(|shape| shape.contains(&None));
    let is_view = |access: &Access| is_row(access) && access.ty() != access.value.ty();
    if nest.dims.len() == count || !nest.accesses.iter().any(is_view) {
        return None;
    }
    let fill = zero_fill_of(operation).filter(|fill| fill.isa::<linalg::FillOp>());
    for access in &mut nest.accesses {
        access.build_view(builder);
    }
    if let (Some(fill), Some(result)) = (fill, nest.accesses.last()) {
        clone_fill(builder, fill, result.value);
        builder.erase(fill);
    }
    let reductions: Vec<bool> = nest.dims.iter().map(|dim| dim.reduction).collect();
    let joined = access::generic(
        builder,
        &nest.accesses,
        1,
        &reductions,
        |builder, values| builder.clone_body(nest.body, values),
    );
    builder.erase(operation);
    Some(joined)
}

/// Copies of ops, on a number of rows from a first one on, if they are given.
fn copies<'c>(
    builder: &Builder<'c>,
    ops: &[Operation<'c>],
    rows: Option<(Value<'c>, i64)>,
) -> Vec<Operation<'c>> {
    let mut map = ValueMap::new();
    for operand in ops.iter().flat_map(|op| op.operands()) {
        let shape = operand.ty().shape().filter(|_| operand.ty().is_memref());
        let (Some((first, count)), Some([None, inner @ ..])) = (rows, shape.as_deref()) else {
            continue;
        };
        let inner: Vec<i64> = inner.iter().flatten().copied().collect();
        let part = || rows_of(builder, operand, (first, count), &inner);
        map.entry(operand.key()).or_insert_with(part);
    }
    ops.iter().map(|op| builder.clone_op(*op, &mut map)).collect()
}

/// Rows of a contiguous buffer with these inner sizes.
fn rows_of<'c>(
    builder: &Builder<'c>,
    buffer: Value<'c>,
    (first, count): (Value<'c>, i64),
    inner: &[i64],
) -> Value<'c> {
    let sizes = [&[count], inner].concat();
    let mut strides = vec![1; sizes.len()];
    for number in (1..sizes.len()).rev() {
        strides[number - 1] = strides[number] * sizes[number];
    }
    let texts = |numbers: &[i64], between: &str| {
        let texts: Vec<String> = numbers.iter().map(i64::to_string).collect();
        texts.join(between)
    };
    let text = format!(
        "memref<{}x{}, strided<[{}], offset: ?>>",
        texts(&sizes, "x"),
        buffer.ty().element_type(),
        texts(&strides, ", ")
    );
    let ty = Type::parse(builder.context(), &text);
    let ty = ty.unwrap_or_else(|| halo_ir::bug(format!("'{text}' is no type")));
    let mut offsets = vec![0; sizes.len()];
    offsets[0] = sizes::DYNAMIC;
    let steps = vec![1; sizes.len()];
    memref::SubViewOp::build(
        builder,
        buffer,
        &[first],
        &[],
        &[],
        &offsets,
        &sizes,
        &steps,
        ty,
    )
    .insert()
    .result()
}
