//! `--halo-split-long-sums`: sums long matrix products and cumulative sums in blocks.
//!
//! The rounding error of a sequential sum grows with the number of terms, the error of a sum of
//! blocks with its logarithm. A long product becomes a batch of products over blocks of the
//! contracted dimension, whose results are added. It also has work for all threads if the result is
//! small.
//!
//! ```mlir
//! %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
//!     : (tensor<3x65536xf32>, tensor<65536x5xf32>) -> tensor<3x5xf32>
//! ```
//!
//! becomes
//!
//! ```mlir
//! %1 = stablehlo.reshape %a : (tensor<3x65536xf32>) -> tensor<3x16x4096xf32>
//! %2 = stablehlo.reshape %b : (tensor<65536x5xf32>) -> tensor<16x4096x5xf32>
//! %3 = stablehlo.dot_general %1, %2, batching_dims = [1] x [0], contracting_dims = [2] x [1]
//!     : (tensor<3x16x4096xf32>, tensor<16x4096x5xf32>) -> tensor<16x3x5xf32>
//! %0 = stablehlo.reduce(%3 init: %zero) applies stablehlo.add across dimensions = [0]
//! ```
//!
//! A cumulative sum, which is a window over all preceding elements, becomes cumulative sums of
//! blocks, to which the cumulative sum of the preceding blocks is added:
//!
//! ```mlir
//! %1 = stablehlo.reshape %x : (tensor<65536xf32>) -> tensor<128x512xf32>
//! %2 = "stablehlo.reduce_window"(%1, %zero) {window_dimensions = array<i64: 1, 512>, ...}
//! %3 = ... // the last element of each row of %2, their cumulative sum, moved by one
//! %4 = stablehlo.broadcast_in_dim %3, dims = [0] : (tensor<128xf32>) -> tensor<128x512xf32>
//! %5 = stablehlo.add %2, %4 : tensor<128x512xf32>
//! ```
//!
//! Products with many rows and columns are already summed in blocks of k by tiling, and are split
//! only if they are very long. Products whose partial results would take more than an eighth of the
//! memory of their operands are left unchanged, and so are integers, which are exact in any order.
//!
//! `--halo-split-reductions` splits reductions later, after fusion. This pass sets the element type
//! of their sums: `f32` for narrower floats, including windows, and the parts of complex numbers.

mod precision;

use crate::{
    blocks::block_length,
    matchers::{ensure, is_sum, is_zero, static_shape},
    semantics::{Window, op::Op},
};
use halo_ir::{
    Region, apply_without_folding, dense_from_integers, prelude::*,
    stablehlo::attributes::DotDimensionNumbers,
};

pass_options! {
    /// The options of the pass.
    struct Options {
        /// The terms of a block of a product with many rows and columns
        block: i64 = 65536,
        /// The terms of a block of a product of few rows of contiguous terms, which have a sum per vector lane
        row_block: i64 = 8192,
    }
}

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "halo-split-long-sums",
    "Sum long matrix products and cumulative sums in blocks, and narrow floats in f32",
    run,
)
.dependent_dialects(&["stablehlo"])
.options::<Options>();

/// Products of at most this many terms, or this few blocks, are not split.
const LONG_PRODUCT: i64 = 16384;
const FEW_BLOCKS: i64 = 4;
/// If the result has at most this many rows or columns and the terms are not contiguous, such
/// products have one sum per element, and this block size.
const FEW: i64 = 8;
const BLOCK_OF_FEW: i64 = 512;
/// The minimum number of operand bytes per byte of partial results.
const OPERANDS_FOR_PARTIAL: i64 = 8;
/// The longest cumulative sum without blocks, along the last dimension, whose elements are added in
/// vectors, or another one; and the block size.
const LONG_ROW: i64 = 4096;
const LONG_COLUMN: i64 = 1024;
const BLOCK_OF_SCAN: i64 = 512;

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    let options = pass.options::<Options>();
    let blocks = (options.block.max(1), options.row_block.max(1));
    let patterns = [
        Pattern::new::<stablehlo::DotGeneralOp>(move |b, op| split_product(b, op, blocks)),
        Pattern::new::<stablehlo::ReduceOp>(precision::widen_reduce),
        Pattern::new::<stablehlo::ReduceOp>(precision::split_complex),
        Pattern::new::<stablehlo::ReduceWindowOp>(precision::widen_window),
        Pattern::new::<stablehlo::ReduceWindowOp>(split_scan),
    ];
    apply_without_folding(pass, &patterns)
}

/// Returns true if sums of an element type are rounded.
fn is_rounded(element: Type) -> bool {
    element.is_float() || element.complex_element().is_some()
}

fn product(sizes: impl IntoIterator<Item = i64>) -> i64 {
    sizes.into_iter().fold(1, i64::saturating_mul)
}

/// The body of an additive `reduce_window`.
fn addition<'c>(b: &Builder<'c>, scalar: Type<'c>) -> RewriteResult<Region<'c>> {
    b.region(&[scalar, scalar], |b, elements| {
        let sum = stablehlo::add(b, elements[0], elements[1]);
        stablehlo::return_(b, &[sum]);
        Ok(())
    })
}

/// The slice of a dimension of a tensor from `start` to `limit`.
fn part<'c>(
    b: &Builder<'c>,
    tensor: Value<'c>,
    dimension: usize,
    (start, limit): (i64, i64),
) -> RewriteResult<Value<'c>> {
    let mut limits = static_shape(tensor.ty())?;
    let mut starts = vec![0; limits.len()];
    (starts[dimension], limits[dimension]) = (start, limit);
    let strides = vec![1; limits.len()];
    Ok(stablehlo::slice(b, tensor, &starts, &limits, &strides))
}

/// A tensor with a dimension split into blocks of a length.
fn in_blocks<'c>(
    b: &Builder<'c>,
    tensor: Value<'c>,
    dimension: usize,
    length: i64,
) -> RewriteResult<Value<'c>> {
    let mut sizes = static_shape(tensor.ty())?;
    sizes[dimension] /= length;
    sizes.insert(dimension + 1, length);
    let ty = tensor_type(&sizes, tensor.ty().element_type());
    Ok(stablehlo::reshape(b, tensor, ty))
}

/// A matrix product, and its division.
struct LongProduct<'c> {
    op: stablehlo::DotGeneralOp<'c>,
    numbers: DotDimensionNumbers,
    /// The divided contracting dimension of each operand.
    dimensions: [usize; 2],
    length: i64,
    /// The element type of partial results.
    partial: Type<'c>,
}

fn split_product<'c>(
    b: &Builder<'c>,
    op: stablehlo::DotGeneralOp<'c>,
    (block, row_block): (i64, i64),
) -> RewriteResult {
    let numbers = op.dot_dimension_numbers();
    let (lhs, rhs) = (static_shape(op.lhs().ty())?, static_shape(op.rhs().ty())?);
    let results = static_shape(op.result().ty())?;
    let element = op.result().ty().element_type();
    ensure(is_rounded(element), "its sums are exact")?;
    let contracted = numbers.lhs_contracting_dimensions.iter();
    let terms = product(contracted.map(|dimension| lhs[*dimension as usize]));
    let [elements, of_lhs, of_rhs] = [&results, &lhs, &rhs].map(|sizes| product(sizes.clone()));
    ensure(terms > 0 && elements > 0, "it is empty")?;
    let batch =
        product(numbers.lhs_batching_dimensions.iter().map(|dimension| lhs[*dimension as usize]));
    let [rows, columns] = [of_lhs, of_rhs].map(|operand| operand / batch / terms);
    let are_rows = is_innermost(&lhs, &numbers.lhs_contracting_dimensions)
        && is_innermost(&rhs, &numbers.rhs_contracting_dimensions);
    let block = if rows.min(columns) > FEW {
        block
    } else if are_rows {
        row_block
    } else {
        BLOCK_OF_FEW
    };
    let long = LONG_PRODUCT.max(block.saturating_mul(FEW_BLOCKS));
    ensure(terms > long, "it is short")?;
    let least = terms.saturating_mul(elements) / ((of_lhs + of_rhs) / OPERANDS_FOR_PARTIAL).max(1);
    let most = block.max(least);
    ensure(most <= terms / 2, "partial results would take much memory")?;
    // The outermost contracting dimension is divided, so that blocks cover the others completely.
    let dimensions = [
        *numbers
            .lhs_contracting_dimensions
            .first()
            .ok_or_else(|| no_match("it is short"))? as usize,
        *numbers
            .rhs_contracting_dimensions
            .first()
            .ok_or_else(|| no_match("it is short"))? as usize,
    ];
    let size = lhs[dimensions[0]];
    let length = block_length(size, (most / (terms / size)).max(1), 1);
    ensure(length < size, "another dimension is the long one")?;
    let partial = if element.bit_width().is_some_and(|bits| bits < 32) {
        Type::float32(b.context())
    } else {
        element
    };
    let long = LongProduct {
        op,
        numbers,
        dimensions,
        length,
        partial,
    };
    let whole = size - size % length;
    let mut sum = long.product_of_blocks(b, whole)?;
    if whole < size {
        let rest = long.operands(b, (whole, size))?;
        let ty = tensor_type(&results, partial);
        let rest = long.product(b, rest, &long.numbers, ty);
        sum = stablehlo::add(b, sum, rest);
    }
    let sum = stablehlo::convert_elements(b, sum, element);
    b.replace_merged(op.operation(), sum)
}

/// Returns true if some dimensions are the innermost ones of a shape, ignoring dimensions of size
/// one.
fn is_innermost(sizes: &[i64], dimensions: &[i64]) -> bool {
    let first = dimensions.iter().min().copied().unwrap_or_default();
    let mut inner = (first..).zip(sizes.iter().skip(first as usize));
    inner.all(|(dimension, size)| *size == 1 || dimensions.contains(&dimension))
}

impl<'c> LongProduct<'c> {
    /// A slice of the divided dimension of both operands.
    fn operands(&self, b: &Builder<'c>, range: (i64, i64)) -> RewriteResult<[Value<'c>; 2]> {
        let [of_lhs, of_rhs] = self.dimensions;
        Ok([
            part(b, self.op.lhs(), of_lhs, range)?,
            part(b, self.op.rhs(), of_rhs, range)?,
        ])
    }

    /// The product over the first terms of the divided dimension, in blocks.
    fn product_of_blocks(&self, b: &Builder<'c>, terms: i64) -> RewriteResult<Value<'c>> {
        let [lhs, rhs] = if static_shape(self.op.lhs().ty())?[self.dimensions[0]] == terms {
            [self.op.lhs(), self.op.rhs()]
        } else {
            self.operands(b, (0, terms))?
        };
        let [of_lhs, of_rhs] = self.dimensions;
        let operands = [
            in_blocks(b, lhs, of_lhs, self.length)?,
            in_blocks(b, rhs, of_rhs, self.length)?,
        ];
        // The blocks are a batch dimension, the first of the result.
        let moved = |dimensions: &[i64], divided: usize| -> Vec<i64> {
            let moved = |dimension: &i64| *dimension + i64::from(*dimension >= divided as i64);
            dimensions.iter().map(moved).collect()
        };
        let numbers = DotDimensionNumbers {
            lhs_batching_dimensions: [
                vec![of_lhs as i64],
                moved(&self.numbers.lhs_batching_dimensions, of_lhs),
            ]
            .concat(),
            rhs_batching_dimensions: [
                vec![of_rhs as i64],
                moved(&self.numbers.rhs_batching_dimensions, of_rhs),
            ]
            .concat(),
            lhs_contracting_dimensions: moved(&self.numbers.lhs_contracting_dimensions, of_lhs),
            rhs_contracting_dimensions: moved(&self.numbers.rhs_contracting_dimensions, of_rhs),
        };
        let mut sizes = static_shape(self.op.result().ty())?;
        sizes.insert(0, terms / self.length);
        let partial = self.product(b, operands, &numbers, tensor_type(&sizes, self.partial));
        stablehlo::sum(b, partial, &[0])
    }

    /// A product with the attributes of the op.
    fn product(
        &self,
        b: &Builder<'c>,
        operands: [Value<'c>; 2],
        numbers: &DotDimensionNumbers,
        result: Type<'c>,
    ) -> Value<'c> {
        stablehlo::dot_like(b, self.op, operands, numbers, result)
    }
}

/// A cumulative sum.
struct CumulativeSum<'c> {
    zero: Value<'c>,
    /// Set if each sum covers an element and all later ones.
    is_reversed: bool,
}

fn split_scan<'c>(b: &Builder<'c>, op: stablehlo::ReduceWindowOp<'c>) -> RewriteResult {
    let ([x], [zero], [_]) = (&op.inputs()[..], &op.init_values()[..], &op.results()[..]) else {
        return Err(no_match("it has several operands"));
    };
    let sizes = static_shape(x.ty())?;
    ensure(
        is_rounded(x.ty().element_type())
            && is_zero(*zero)
            && op.operation().body(0).is_some_and(is_sum),
        "it is no sum of floats from zero",
    )?;
    let window = Window::read(
        Op::Built(op.operation()),
        sizes.len(),
        op.window_dimensions(),
    );
    let window = window.map_err(RewriteError::Invalid)?;
    let scan = window.scan(&sizes).ok_or_else(|| no_match("it is no cumulative sum"))?;
    let dimension = scan.dimension;
    let size = sizes[dimension];
    let long = if dimension + 1 == sizes.len() {
        LONG_ROW
    } else {
        LONG_COLUMN
    };
    ensure(size > long, "it is short")?;
    let sums = CumulativeSum {
        zero: *zero,
        is_reversed: scan.is_reversed,
    };
    let sums = sums.sums(b, *x, dimension, long)?;
    b.replace_merged(op.operation(), sums)
}

impl<'c> CumulativeSum<'c> {
    /// A tensor with zeros at the beginning and at the end along the summed dimension.
    fn padded(
        &self,
        b: &Builder<'c>,
        tensor: Value<'c>,
        dimension: usize,
        (first, last): (i64, i64),
    ) -> RewriteResult<Value<'c>> {
        if (first, last) == (0, 0) {
            return Ok(tensor);
        }
        let rank = static_shape(tensor.ty())?.len();
        let (mut low, mut high) = (vec![0; rank], vec![0; rank]);
        (low[dimension], high[dimension]) = if self.is_reversed {
            (last, first)
        } else {
            (first, last)
        };
        Ok(stablehlo::pad(
            b,
            tensor,
            self.zero,
            &low,
            &high,
            &vec![0; rank],
        ))
    }

    /// The cumulative sums along a dimension, in blocks if it is longer than `long`.
    fn sums(
        &self,
        b: &Builder<'c>,
        x: Value<'c>,
        dimension: usize,
        long: i64,
    ) -> RewriteResult<Value<'c>> {
        let sizes = static_shape(x.ty())?;
        let size = sizes[dimension];
        if size <= long {
            return self.sums_at_once(b, x, dimension);
        }
        let length = block_length(size, BLOCK_OF_SCAN, 1);
        // Zeros at the end of the sums.
        let gap = (length - size % length) % length;
        let x = self.padded(b, x, dimension, (0, gap))?;
        let blocks = in_blocks(b, x, dimension, length)?;
        let sums = self.sums_at_once(b, blocks, dimension + 1)?;
        let last = if self.is_reversed {
            (0, 1)
        } else {
            (length - 1, length)
        };
        let last = part(b, sums, dimension + 1, last)?;
        let mut of_blocks = sizes.clone();
        of_blocks[dimension] = (size + gap) / length;
        let of_blocks = tensor_type(&of_blocks, x.ty().element_type());
        let last = stablehlo::reshape(b, last, of_blocks);
        // They are a column of the sums.
        let before = self.sums(b, last, dimension, LONG_COLUMN)?;
        let before = self.padded(b, before, dimension, (1, -1))?;
        let kept: Vec<i64> = (0..=sizes.len() as i64)
            .filter(|other| *other != dimension as i64 + 1)
            .collect();
        let before = stablehlo::broadcast_in_dim(b, before, &kept, sums.ty());
        let sums = stablehlo::add(b, sums, before);
        let sums = stablehlo::reshape(b, sums, x.ty());
        let range = if self.is_reversed {
            (gap, size + gap)
        } else {
            (0, size)
        };
        match gap {
            0 => Ok(sums),
            _ => part(b, sums, dimension, range),
        }
    }

    /// The cumulative sums along a dimension, by one op.
    fn sums_at_once(
        &self,
        b: &Builder<'c>,
        tensor: Value<'c>,
        dimension: usize,
    ) -> RewriteResult<Value<'c>> {
        let sizes = static_shape(tensor.ty())?;
        let mut window = vec![1; sizes.len()];
        window[dimension] = sizes[dimension];
        let mut padding = vec![0; 2 * sizes.len()];
        padding[2 * dimension + usize::from(self.is_reversed)] = sizes[dimension] - 1;
        let ty = tensor_type(&[sizes.len() as i64, 2], integer_type(b.context(), 64));
        let padding = dense_from_integers(ty, &padding)
            .ok_or_else(|| no_match("the padding is no attribute"))?;
        let scalar = self.zero.ty();
        let body = addition(b, scalar)?;
        let op = stablehlo::ReduceWindowOp::build(b, &[tensor], &[self.zero], &window, body);
        Ok(op.padding(padding).insert().results()[0])
    }
}
