//! `reduce_window`: a `linalg.generic` with reduction loops over the window, or a scan for
//! cumulative windows.
//!
//! ```mlir
//! %0 = "stablehlo.reduce_window"(%x, %init) <{window_dimensions = array<i64: 3>,
//!        window_strides = array<i64: 2>}> ({ maximum }) : (tensor<9xf32>, ...) -> tensor<4xf32>
//! ```
//!
//! becomes
//!
//! ```mlir
//! %window = tensor.empty() : tensor<3xi8>   // bounds of the inner loop, never read
//! %0 = linalg.generic {indexing_maps = [(p, w) -> (2 * p + w), (p, w) -> (w), (p, w) -> (p)],
//!        iterator_types = ["parallel", "reduction"]}
//!        ins(%x, %window) outs(%filled_with_init) { arith.maximumf }
//! ```
//!
//! StableHLO expresses cumulative ops as windows that are as long as the dimension, padded so that
//! each begins at the start of the tensor. Reducing each window would take quadratic time. They
//! become
//!
//! ```mlir
//! %0:2 = linalg.generic {indexing_maps = [(i, j) -> (i, j), (i, j) -> (i, j), (i, j) -> (i)],
//!        iterator_types = ["parallel", "reduction"]}
//!        ins(%x) outs(%empty, %filled_with_init) {
//! ^bb0(%element: f32, %out: f32, %running: f32):
//!   %1 = arith.addf %running, %element : f32
//!   linalg.yield %1, %1 : f32, f32
//! }
//! ```
//!
//! whose loop over `j` runs in order, since its body yields the running value twice.

use super::{Lowered, Lowering, slice};
use crate::conversion::scalar::is_elementwise;
use halo_hlo::{
    interpreter, literals, matchers,
    semantics::{Dim, Scan, Window, WindowDim, op::Op},
};
use halo_ir::prelude::*;
use melior::ir::AffineExpr;

impl<'c> Lowering<'_, 'c> {
    /// The window that the attributes of the op describe.
    pub(super) fn window(&self, sizes: Vec<i64>) -> RewriteResult<Window> {
        Window::read(Op::Built(self.op), sizes.len(), sizes).map_err(RewriteError::Invalid)
    }

    pub(super) fn reduce_window(&mut self) -> Lowered<'c> {
        let b = self.builder;
        let window = self.window(self.op_as::<stablehlo::ReduceWindowOp>()?.window_dimensions())?;
        let count = self.operands.len() / 2;
        let sizes = self.agreed_shape(0..count, self.operand(0)?.ty())?.sizes;
        let inits = self.initial_values(&b)?;
        let window_counts = sizes.iter().zip(&window.dims);
        let window_counts: Vec<Size> =
            window_counts.map(|(size, window)| window_count(&b, *size, *window)).collect();
        let window_counts = self.result_shape(0, &window_counts)?.sizes;
        let shape_of = |result: &Type<'c>| Shape::new(window_counts.clone(), result.element_type());
        if window_counts.contains(&Size::Static(0)) {
            let pairs = inits.iter().zip(&self.results);
            return Ok(pairs
                .map(|(init, result)| structured::filled(&b, *init, shape_of(result)))
                .collect());
        }
        // A scan covers all elements of a dimension, so that its size is known.
        let known: Vec<i64> = sizes.iter().map(|size| size.known().unwrap_or(i64::MAX)).collect();
        if let Some(scan) = window.scan(&known)
            && self.starts_from_neutral()
        {
            return self.scan(&scan, &sizes, &inits);
        }
        let padded = (0..count)
            .map(|number| self.padded_for(&window, &window_counts, number))
            .collect::<Result<Vec<_>, _>>()?;
        let rank = sizes.len();
        let context = b.context();
        let mut loops = rank;
        let (mut indices, mut bounds) = (Vec::new(), Vec::new());
        for (dimension, window) in window.dims.iter().enumerate() {
            let position = (window_counts[dimension].known() != Some(1))
                .then(|| scaled(&b, AffineExpr::dim(context, dimension), window.stride));
            let size = window.size.unwrap_or(1);
            let offset = (size > 1).then(|| {
                bounds.push((loops, size));
                loops += 1;
                scaled(&b, AffineExpr::dim(context, loops - 1), window.dilation)
            });
            indices.push(match (position, offset) {
                (Some(position), Some(offset)) => position + offset,
                (Some(index), None) | (None, Some(index)) => index,
                (None, None) => AffineExpr::constant(context, 0),
            });
        }
        let map = structured::map(&b, loops, &indices);
        let mut inputs: Vec<_> = padded.into_iter().map(|value| (value, map)).collect();
        inputs.extend(loop_bounds(&b, loops, &bounds));
        let kept: Vec<usize> = (0..rank).collect();
        let outputs = self
            .results
            .iter()
            .zip(&inits)
            .map(|(result, init)| {
                let start = structured::filled(&b, *init, shape_of(result));
                (start, structured::projection(&b, loops, &kept))
            })
            .collect();
        let mut iterators = vec![IteratorType::Parallel; rank];
        iterators.resize(loops, IteratorType::Reduction);
        self.accumulate_elements(&structured::Generic {
            inputs,
            outputs,
            iterators,
        })
    }

    /// Builds a generic whose first inputs are the operands, and whose last outputs accumulate
    /// their elements. The body yields the other outputs too.
    fn accumulate_elements(&self, generic: &structured::Generic<'c>) -> Lowered<'c> {
        let body = self.body(0)?;
        let count = self.operands.len() / 2;
        let original = self.original_elements();
        let mut results = generic.build(&self.builder, |b, arguments| {
            let sums = &arguments[arguments.len() - count..];
            let next = self.accumulate(b, body, sums, &arguments[..count], &original)?;
            Ok::<_, RewriteError>(next.repeat(generic.outputs.len() / count.max(1)))
        })?;
        results.truncate(count);
        Ok(results)
    }

    /// An operand with the initial value around and between its elements.
    fn padded_for(
        &self,
        window: &Window,
        window_counts: &[Size<'c>],
        number: usize,
    ) -> RewriteResult<Value<'c>> {
        let b = self.builder;
        let count = self.operands.len() / 2;
        let scalar = tensor::extract(&b, self.operand(count + number)?, &[]);
        padded(
            &b,
            self.operand(number)?,
            scalar,
            &window.dims,
            window_counts,
        )
    }

    /// Returns true if combining the initial values with themselves yields the initial values, so
    /// that the number of padding elements in a window does not matter.
    fn starts_from_neutral(&self) -> bool {
        let Ok(body) = self.body(0) else {
            return false;
        };
        let simple = |name: &str| {
            is_elementwise(name)
                || matches!(
                    name,
                    stablehlo::ConstantOp::NAME | stablehlo::ReturnOp::NAME
                )
        };
        if !body.operations().into_iter().all(|op| simple(op.name())) {
            return false;
        }
        let operands = self.op.operands();
        let inits: Option<Vec<_>> = operands[operands.len() / 2..]
            .iter()
            .map(|init| literals::literal_of(matchers::constant_of(*init)?).ok())
            .collect();
        let Some(inits) = inits else {
            return false;
        };
        let arguments = [inits.as_slice(), inits.as_slice()].concat();
        interpreter::evaluate_region(self.op, 0, &arguments).is_ok_and(|results| {
            results.len() == inits.len()
                && results.iter().zip(&inits).all(|(result, init)| {
                    init.convert(result.element_type())
                        .is_ok_and(|init| init.bytes() == result.bytes())
                })
        })
    }

    /// Emits a scan: one loop along the dimension, which carries the running values.
    fn scan(&self, scan: &Scan, sizes: &[Size<'c>], inits: &[Value<'c>]) -> Lowered<'c> {
        let b = self.builder;
        let rank = sizes.len();
        let along = sizes[scan.dimension].known();
        let along = along.ok_or_else(|| no_match("the size of the scan is dynamic"))?;
        let indices: Vec<AffineExpr> = (0..rank)
            .map(|dimension| {
                let index = AffineExpr::dim(b.context(), dimension);
                if scan.is_reversed && dimension == scan.dimension {
                    let last = AffineExpr::constant(b.context(), along - 1);
                    return last + scaled(&b, index, -1);
                }
                index
            })
            .collect();
        let map = structured::map(&b, rank, &indices);
        let others: Vec<usize> = (0..rank).filter(|other| *other != scan.dimension).collect();
        let other_sizes: Vec<Size> = others.iter().map(|other| sizes[*other]).collect();
        let count = inits.len();
        let mut inputs: Vec<_> = self.operands[..count].iter().map(|value| (*value, map)).collect();
        if scan.is_reversed {
            inputs.extend(loop_bounds(&b, rank, &[(scan.dimension, along)]));
        }
        let mut outputs = Vec::new();
        for result in &self.results {
            let whole = Shape::new(sizes.to_vec(), result.element_type());
            outputs.push((structured::empty(&b, whole), map));
        }
        for (init, result) in inits.iter().zip(&self.results) {
            let row = Shape::new(other_sizes.clone(), result.element_type());
            let start = structured::filled(&b, *init, row);
            outputs.push((start, structured::projection(&b, rank, &others)));
        }
        let mut iterators = vec![IteratorType::Parallel; rank];
        iterators[scan.dimension] = IteratorType::Reduction;
        self.accumulate_elements(&structured::Generic {
            inputs,
            outputs,
            iterators,
        })
    }
}

/// A tensor whose shape determines the bounds of loops that no operand determines. It is never
/// read.
pub(super) fn loop_bounds<'c>(
    b: &Builder<'c>,
    loops: usize,
    bounds: &[(usize, i64)],
) -> Option<(Value<'c>, AffineMap<'c>)> {
    if bounds.is_empty() {
        return None;
    }
    let (numbers, sizes): (Vec<usize>, Vec<i64>) = bounds.iter().copied().unzip();
    let shape = tensor_type(&sizes, integer_type(b.context(), 8));
    let map = structured::projection(b, loops, &numbers);
    Some((structured::empty(b, shape), map))
}

/// The number of positions of a window in a dimension.
pub(super) fn window_count<'c>(b: &Builder<'c>, size: Size<'c>, window: WindowDim) -> Size<'c> {
    if let Dim::Static(count) =
        size.known().map_or(Dim::Dynamic, |size| window.positions(Dim::Static(size)))
    {
        return count.into();
    }
    windows_in(b, around(b, size, window).target, window)
}

/// The number of positions of a window in a padded dimension.
pub(super) fn windows_in<'c>(b: &Builder<'c>, padded: Size<'c>, window: WindowDim) -> Size<'c> {
    let inside = (window.size.unwrap_or(1) - 1).saturating_mul(window.dilation);
    padded.minus(b, inside).max(b, 0).divided_up(b, window.stride)
}

/// The padding of a dimension that a window specifies.
fn around<'c>(b: &Builder<'c>, size: Size<'c>, window: WindowDim) -> slice::Padding<'c> {
    let (low, high) = window.padding;
    let amounts = [low, window.base_dilation - 1, high].map(Size::Static);
    slice::Padding::around(b, size, amounts)
}

/// A tensor with edge and interior padding by a scalar, cropped to the elements that windows read if
/// the number of windows is known.
pub(super) fn padded<'c>(
    b: &Builder<'c>,
    operand: Value<'c>,
    scalar: Value<'c>,
    window: &[WindowDim],
    window_counts: &[Size<'c>],
) -> RewriteResult<Value<'c>> {
    let sizes = Size::all(b, operand);
    let mut padding = Vec::new();
    for ((count, window), size) in window_counts.iter().zip(window).zip(sizes) {
        let mut along = around(b, size, *window);
        if let Some(count) = count.known() {
            let last = (count - 1).checked_mul(window.stride);
            let inside = window.size.and_then(|size| (size - 1).checked_mul(window.dilation));
            let read = last
                .zip(inside)
                .and_then(|(last, inside)| last.checked_add(inside)?.checked_add(1));
            along.target = read.ok_or_else(|| no_match("a size is dynamic"))?.into();
        }
        padding.push(along);
    }
    let target: Vec<Size> = padding.iter().map(|padding| padding.target).collect();
    let result = tensor_type(&sizes::numbers(&target), operand.ty().element_type());
    if result.static_shape().is_some() && !super::fits_in_memory(result) {
        return Err(RewriteError::Invalid(format!(
            "padding makes {result}, which does not fit in memory"
        )));
    }
    Ok(slice::padded(b, operand, scalar, &padding))
}

/// An index times a number.
pub(super) fn scaled<'c>(b: &Builder<'c>, index: AffineExpr<'c>, factor: i64) -> AffineExpr<'c> {
    if factor == 1 {
        return index;
    }
    index * AffineExpr::constant(b.context(), factor)
}
