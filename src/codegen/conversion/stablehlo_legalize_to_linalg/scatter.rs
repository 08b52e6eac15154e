//! `scatter`: sequential updates at listed positions.
//!
//! A loop over the index vectors contains loops over the updated window. The bounds of the inner
//! loops exclude elements outside the operand. They are computed once per window, so that the
//! innermost loop has no checks and is vectorized.
//!
//! ```mlir
//! %0 = "stablehlo.scatter"(%table, %numbers, %rows) <{scatter_dimension_numbers =
//!     #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0],
//!     scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({ add })
//!     : (tensor<100x8xf32>, tensor<4x1xi32>, tensor<4x8xf32>) -> tensor<100x8xf32>
//! ```
//!
//! becomes
//!
//! ```mlir
//! %0 = scf.for %i = %c0 to %c4 step %c1 iter_args(%table_1 = %table) -> tensor<100x8xf32> {
//!   %row = ... // the number, moved into [-1, 100]
//!   %within = ... // 0 <= %row < 100
//!   %1 = scf.if %within -> tensor<100x8xf32> {
//!     %2 = scf.for %j = %c0 to %c8 step %c1 iter_args(%table_2 = %table_1) -> tensor<100x8xf32> {
//!       %old = tensor.extract %table_2[%row, %j] : tensor<100x8xf32>
//!       %update = tensor.extract %rows[%i, %j] : tensor<4x8xf32>
//!       %new = arith.addf %old, %update : f32
//!       %3 = tensor.insert %new into %table_2[%row, %j] : tensor<100x8xf32>
//!       scf.yield %3 : tensor<100x8xf32>
//!     }
//!     scf.yield %2 : tensor<100x8xf32>
//!   } else {
//!     scf.yield %table_1 : tensor<100x8xf32>
//!   }
//!   scf.yield %1 : tensor<100x8xf32>
//! }
//! ```
//!
//! One window at a constant position within the operand, as in `x.at[1:-1].add(y)`, is a slice that
//! an elementwise op updates.
//!
//! The updates of one element keep the order of their index vectors, but programs may not rely on
//! it: the attribute `halo.scatter` of the outermost loop permits other orders to backends with
//! many threads. With one index vector, the loop over the window has it, since each element is
//! updated once. Bufferization decides whether the operand is updated in place.

use super::{
    Lowered, Lowering,
    gather::{clamp, others},
    region::promoted,
    result_shapes::dimension_of_operand,
    slice,
};
use halo_ir::{
    ops::{Codec, halo, index::Index},
    prelude::*,
    stablehlo::attributes::ScatterDimensionNumbers,
};

/// The fewest elements of a single window that may be updated in any order: a warp of a GPU has as
/// many threads, and the launch of a kernel takes longer than the updates of fewer elements.
const SMALLEST_SINGLE_WINDOW: i64 = 32;

/// The loops of a scatter.
struct Scatter<'c> {
    indices: Value<'c>,
    index_element: Type<'c>,
    updates: Vec<Value<'c>>,
    update_rank: usize,
    numbers: ScatterDimensionNumbers,
    /// The dimensions of the updates that run along the index vectors.
    batch_dims: Vec<usize>,
    /// The sizes of the operands.
    sizes: Vec<Size<'c>>,
    /// The dimension of the updates for each dimension of the operands.
    window_dims: Vec<Option<usize>>,
    /// The size of the window in each dimension of the operands.
    window: Vec<Size<'c>>,
    /// Whether there is one index vector.
    is_single: bool,
    body: Block<'c>,
}

impl<'c> Lowering<'_, 'c> {
    pub(super) fn scatter(&mut self) -> Lowered<'c> {
        let b = self.builder;
        let numbers = self.op_as::<stablehlo::ScatterOp>()?.scatter_dimension_numbers();
        let count = self.operands.len().saturating_sub(1) / 2;
        let inputs =
            (0..count).map(|number| self.promoted(number)).collect::<Result<Vec<_>, _>>()?;
        let updates = self.operands[count + 1..].to_vec();
        let updates_end = self.operands.len();
        let of_updates = self.operand(count + 1)?.ty();
        let update_sizes = self.agreed_shape(count + 1..updates_end, of_updates)?.sizes;
        if update_sizes.contains(&Size::Static(0)) {
            return Ok(inputs);
        }
        let sizes = self.agreed_shape(0..count, self.operand(0)?.ty())?.sizes;
        let kept = others(
            sizes.len(),
            &[&numbers.inserted_window_dims, &numbers.input_batching_dims],
        );
        let mut window_dims = vec![None; sizes.len()];
        let mut window = vec![Size::Static(1); sizes.len()];
        for (dim, of_update) in kept.iter().zip(&numbers.update_window_dims) {
            window_dims[*dim] = Some(*of_update as usize);
            window[*dim] = update_sizes[*of_update as usize];
        }
        let batch_dims = others(update_sizes.len(), &[&numbers.update_window_dims]);
        let batch_sizes: Vec<Size> = batch_dims.iter().map(|dim| update_sizes[*dim]).collect();
        self.expect_scatter_sizes(&numbers, count, &batch_sizes)?;
        let scatter = Scatter {
            indices: self.operand(count)?,
            index_element: self.original_element(count)?,
            updates,
            update_rank: update_sizes.len(),
            batch_dims,
            numbers,
            sizes,
            window_dims,
            window,
            is_single: batch_sizes.iter().all(|size| *size == Size::Static(1)),
            body: self.body(0)?,
        };
        if let (Some(starts), [input]) = (self.constant_starts(&scatter, count), &inputs[..]) {
            return Ok(vec![self.update_slice(&scatter, *input, &starts)?]);
        }
        let results = scf::nest(&b, &batch_sizes, &inputs, |b, batch, carried| {
            self.scatter_window(b, &scatter, batch, carried)
        })?;
        // A loop over one index vector is folded.
        if !scatter.is_single {
            let op = self.op.cast::<stablehlo::ScatterOp>();
            if op.is_some_and(|op| op.unique_indices()) {
                self.mark(&results, halo::Scatter::Unique);
            } else if results.len() == 1 {
                self.mark(&results, halo::Scatter::Combine);
            }
        }
        Ok(results)
    }

    /// Checks that there is an index vector for each window of the updates.
    fn expect_scatter_sizes(
        &self,
        numbers: &ScatterDimensionNumbers,
        indices: usize,
        batch_sizes: &[Size<'c>],
    ) -> RewriteResult {
        let sizes = self.sizes(indices)?.into_iter().enumerate();
        let batch = sizes.filter(|(dim, _)| *dim as i64 != numbers.index_vector_dim);
        for ((dim, size), of_updates) in batch.zip(batch_sizes) {
            let name = dimension_of_operand(dim, indices);
            self.expect_equal(*of_updates, "the number of updates", size, &name);
        }
        Ok(())
    }

    /// The start of the only window, if it is constant and the window is within the operand.
    fn constant_starts(&self, scatter: &Scatter<'c>, indices: usize) -> Option<Vec<i64>> {
        let indices = *self.op.operands().get(indices)?;
        let indices = indices.defined_by::<stablehlo::ConstantOp>()?.value().dense_integers()?;
        let numbers = &scatter.numbers;
        if !scatter.is_single || !numbers.input_batching_dims.is_empty() {
            return None;
        }
        let mut starts = vec![0; scatter.sizes.len()];
        for (dim, index) in numbers.scatter_dims_to_operand_dims.iter().zip(indices) {
            starts[*dim as usize] = i64::try_from(index).ok()?;
        }
        let mut dims = starts.iter().zip(&scatter.window).zip(&scatter.sizes);
        dims.all(|((start, window), size)| {
            let room = size.known().zip(window.known()).map(|(size, window)| size - window);
            room.is_some_and(|room| (0..=room).contains(start))
        })
        .then_some(starts)
    }

    /// Updates a slice by an elementwise op, which can be fused with the ops that compute the
    /// updates.
    fn update_slice(
        &self,
        scatter: &Scatter<'c>,
        input: Value<'c>,
        starts: &[i64],
    ) -> RewriteResult<Value<'c>> {
        let b = &self.builder;
        let part = slice::Part::adjacent(sizes::fixed(starts), scatter.window.clone());
        let updates = structured::reshape_to(b, scatter.updates[0], &scatter.window);
        let identity = AffineMap::multi_dim_identity(b.context(), starts.len());
        let generic = structured::Generic {
            inputs: vec![(updates, identity)],
            outputs: vec![(slice::extract(b, input, &part), identity)],
            iterators: vec![IteratorType::Parallel; starts.len()],
        };
        let updated = generic.build(b, |b, elements| {
            let update = self.promoted_element(b, elements[0], 2, 0)?;
            self.scalar_region(b, scatter.body, &[elements[1], update])
        })?;
        Ok(slice::insert(b, updated[0], input, &part))
    }

    /// Marks the loop with these results: it may run in any order.
    pub(super) fn mark(&self, results: &[Value<'c>], kind: halo::Scatter) {
        let outermost = results.first().copied().and_then(Value::defining_op);
        if let Some(outermost) = outermost
            && let Some(kind) = halo::ScatterAttr::write(self.builder.context(), kind)
        {
            outermost.set_attribute(halo::SCATTER, kind);
        }
    }

    /// An input in the element type of its result, which is the type of the body.
    fn promoted(&self, number: usize) -> RewriteResult<Value<'c>> {
        let b = self.builder;
        let input = self.operand(number)?;
        let result = self.results.get(number).copied();
        let result = result.ok_or_else(|| no_match("it has no result"))?;
        if input.ty().element_type() == result.element_type() {
            return Ok(input);
        }
        let sizes = Size::all(&b, input);
        let identity = AffineMap::multi_dim_identity(b.context(), sizes.len());
        let result = Shape::new(sizes, result.element_type());
        structured::gather_elements(&b, vec![(input, identity)], result, |b, arguments| {
            self.promoted_element(b, arguments[0], number, number)
        })
    }

    /// An element of an operand in the element type of a result.
    fn promoted_element(
        &self,
        b: &Builder<'c>,
        element: Value<'c>,
        operand: usize,
        result: usize,
    ) -> RewriteResult<Value<'c>> {
        let to = self.op.result_types().get(result).copied();
        let to = to.ok_or_else(|| no_match("it has no result"))?.element_type();
        promoted(b, element, self.original_element(operand)?, to)
    }

    /// The updates at one index vector.
    fn scatter_window(
        &self,
        b: &Builder<'c>,
        scatter: &Scatter<'c>,
        batch: &[Value<'c>],
        carried: &[Value<'c>],
    ) -> RewriteResult<Vec<Value<'c>>> {
        let starts = (0..scatter.sizes.len())
            .map(|dim| scatter.start(b, dim, batch))
            .collect::<Result<Vec<_>, _>>()?;
        let mut within: Option<Value> = None;
        let mut bounds = Vec::new();
        for (dim, start) in starts.iter().enumerate() {
            let (size, window) = (scatter.sizes[dim], scatter.window[dim]);
            let zero = index::constant(b, 0);
            let upper = window.value(b);
            let Some(start) = start else {
                bounds.push((zero, upper));
                continue;
            };
            if window == Size::Static(1) {
                // One unsigned comparison checks both bounds.
                let size = size.value(b);
                let inside = arith::cmpi(b, CmpIPredicate::Ult, *start, size);
                within = Some(match within {
                    Some(others) => arith::andi(b, others, inside),
                    None => inside,
                });
                bounds.push((zero, upper));
                continue;
            }
            let before = arith::subi(b, zero, *start);
            let lower = arith::maxsi(b, before, zero);
            let size = size.value(b);
            let room = arith::subi(b, size, *start);
            bounds.push((lower, arith::minsi(b, room, upper)));
        }
        let window = |b: &Builder<'c>| {
            let mut offsets = Vec::new();
            self.scatter_loops(b, scatter, (batch, &starts, &bounds), &mut offsets, carried)
        };
        match within {
            Some(within) => {
                Ok(scf::if_else(b, within, window, |_| Ok(carried.to_vec()))?.results())
            }
            None => window(b),
        }
    }

    /// Emits the loops over the dimensions of a window from number `offsets.len()` on.
    fn scatter_loops(
        &self,
        b: &Builder<'c>,
        scatter: &Scatter<'c>,
        position: WindowPosition<'_, 'c>,
        offsets: &mut Vec<Value<'c>>,
        carried: &[Value<'c>],
    ) -> RewriteResult<Vec<Value<'c>>> {
        let dim = offsets.len();
        let Some(size) = scatter.window.get(dim) else {
            return self.scatter_element(b, scatter, position, offsets, carried);
        };
        if *size == Size::Static(1) {
            offsets.push(index::constant(b, 0));
            let next = self.scatter_loops(b, scatter, position, offsets, carried);
            offsets.pop();
            return next;
        }
        let results = scf::for_(
            b,
            (position.2[dim].0, position.2[dim].1, 1),
            carried,
            |b, offset, carried| {
                offsets.push(offset);
                let next = self.scatter_loops(b, scatter, position, offsets, carried);
                offsets.pop();
                next
            },
        )?
        .results();
        let is_outermost = scatter.window[..dim].iter().all(|size| *size == Size::Static(1));
        let count =
            scatter.window.iter().map(|size| size.known().unwrap_or(SMALLEST_SINGLE_WINDOW));
        let count = count.fold(1, i64::saturating_mul);
        if scatter.is_single && is_outermost && count >= SMALLEST_SINGLE_WINDOW {
            self.mark(&results, halo::Scatter::Unique);
        }
        Ok(results)
    }

    /// The update of one element.
    fn scatter_element(
        &self,
        b: &Builder<'c>,
        scatter: &Scatter<'c>,
        (batch, starts, _): WindowPosition<'_, 'c>,
        offsets: &[Value<'c>],
        carried: &[Value<'c>],
    ) -> RewriteResult<Vec<Value<'c>>> {
        let mut from = vec![None; scatter.update_rank];
        for (dim, index) in scatter.batch_dims.iter().zip(batch) {
            from[*dim] = Some(*index);
        }
        let mut to = Vec::new();
        for (dim, offset) in offsets.iter().enumerate() {
            if let Some(of_update) = scatter.window_dims[dim] {
                from[of_update] = Some(*offset);
            }
            to.push(match starts[dim] {
                Some(start) if scatter.window[dim] == Size::Static(1) => start,
                Some(start) => arith::addi(b, start, *offset),
                None => *offset,
            });
        }
        let from: Option<Vec<Value>> = from.into_iter().collect();
        let from = from.ok_or_else(|| no_match("it has no input"))?;
        let mut arguments = Vec::new();
        for result in carried {
            arguments.push(tensor::extract(b, *result, &to));
        }
        for (number, update) in scatter.updates.iter().enumerate() {
            let element = tensor::extract(b, *update, &from);
            let operand = carried.len() + 1 + number;
            arguments.push(self.promoted_element(b, element, operand, number)?);
        }
        let elements = self.scalar_region(b, scatter.body, &arguments)?;
        let elements = elements.into_iter().zip(carried);
        Ok(elements
            .map(|(element, result)| tensor::insert(b, element, *result, &to))
            .collect())
    }
}

/// The position of a window: the index of its index vector, the start in each indexed dimension of
/// the operands, and the bounds of its loops.
type WindowPosition<'a, 'c> = (
    &'a [Value<'c>],
    &'a [Option<Value<'c>>],
    &'a [(Value<'c>, Value<'c>)],
);

impl<'c> Scatter<'c> {
    /// The start of the window of an index vector in a dimension, clamped to one element outside
    /// the operand; `None` if the dimension is not indexed.
    fn start(
        &self,
        b: &Builder<'c>,
        dim: usize,
        batch: &[Value<'c>],
    ) -> RewriteResult<Option<Value<'c>>> {
        let vector_dim = self.numbers.index_vector_dim;
        let listed = |list: &[i64]| list.iter().position(|listed| *listed == dim as i64);
        let mut start = None;
        if let Some(component) = listed(&self.numbers.scatter_dims_to_operand_dims) {
            let mut position = batch.to_vec();
            if let Ok(vector_dim) = usize::try_from(vector_dim)
                && vector_dim < self.indices.ty().shape().map_or(0, |shape| shape.len())
            {
                position.insert(vector_dim, index::constant(b, component as i64));
            }
            let number = tensor::extract(b, self.indices, &position);
            let range = (Size::Static(0).minus(b, self.window[dim]), self.sizes[dim]);
            start = Some(clamp(b, number, self.index_element, range));
        }
        if let Some(number) = listed(&self.numbers.input_batching_dims) {
            let of_indices = self.numbers.scatter_indices_batching_dims.get(number);
            let of_indices = *of_indices.ok_or_else(|| no_match("a dimension is out of range"))?;
            let number = of_indices - i64::from(vector_dim < of_indices);
            let index = batch.get(number as usize).copied();
            start = Some(index.ok_or_else(|| no_match("a dimension is out of range"))?);
        }
        Ok(start)
    }
}
