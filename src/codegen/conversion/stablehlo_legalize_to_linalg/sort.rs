//! `sort`: sorts rows of several operands.
//!
//! The dimension to sort becomes the last one. All others are collapsed to one, over which an
//! `scf.forall` iterates. A row is sorted stably by
//!
//! - a function of the runtime, if the comparator only compares two numbers, and the row is long
//!   (`halo.sort`);
//! - radix sort, if the runtime does not support the computation of the key, or if the device has
//!   no runtime (`radix_sort`);
//! - merge sort with the inlined comparator otherwise (`merge_sort`).
//!
//! On devices of many threads (`parallel-sort`), a sorting network sorts rows that are long or few
//! (`bitonic_sort`).
//!
//! ```mlir
//! %0 = "stablehlo.sort"(%x) <{dimension = 1 : i64}> ({ ... }) : tensor<8x4xf32> -> tensor<8x4xf32>
//! ```
//!
//! becomes
//!
//! ```mlir
//! %0 = scf.forall (%row) in (8) shared_outs(%out = %empty) -> (tensor<8x4xf32>) {
//!   %1 = tensor.extract_slice %out[%row, 0] [1, 4] [1, 1] : tensor<8x4xf32> to tensor<4xf32>
//!   %2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%sorted = %1) -> tensor<4xf32> { ... }
//!   scf.forall.in_parallel {
//!     tensor.parallel_insert_slice %2 into %out[%row, 0] [1, 4] [1, 1]
//!       : tensor<4xf32> into tensor<8x4xf32>
//!   }
//! }
//! ```
//!
//! A comparator that is not an order results in an arbitrary permutation: no loop bound or position
//! depends on it.

use super::{
    Lowered, Lowering, bitonic_sort,
    constant::counted_dimension,
    merge_sort,
    radix_sort::{self, RadixSort},
    row_loops,
    rows::Rows,
    sort_key::SortKey,
};
use halo_ir::{bool_attribute, dictionary_attribute, ops::halo, prelude::*};

/// The maximal length, and the minimal number, of rows that are sorted by one thread each.
const LONGEST_SEQUENTIAL_ROW: i64 = 64;
const FEWEST_SEQUENTIAL_ROWS: i64 = 1024;

/// The order: the condition that the first elements come before the second ones.
pub type Before<'a, 'c> =
    dyn Fn(&Builder<'c>, &[Value<'c>], &[Value<'c>]) -> RewriteResult<Value<'c>> + 'a;

impl<'c> Lowering<'_, 'c> {
    pub(super) fn sort(&mut self) -> Lowered<'c> {
        let b = self.builder;
        let shape = self.agreed_shape(0..self.operands.len(), self.operand(0)?.ty())?;
        let sizes = shape.sizes;
        let rank = sizes.len() as i64;
        let sort = self.op_as::<stablehlo::SortOp>()?;
        let dimension = sort.dimension();
        let dimension = if dimension < 0 {
            dimension + rank
        } else {
            dimension
        };
        let count = usize::try_from(dimension).ok().and_then(|dimension| sizes.get(dimension));
        let is_long = |count: &Size| count.known().is_none_or(|count| count > 1);
        let Some(count) = count.copied().filter(is_long) else {
            return Ok(self.operands.clone());
        };
        if sizes.contains(&Size::Static(0)) {
            return Ok(self.operands.clone());
        }
        let mut permutation: Vec<i64> = (0..rank).filter(|dim| *dim != dimension).collect();
        permutation.push(dimension);
        let mut moved: Vec<Size> = Vec::new();
        let mut inverse = vec![0; sizes.len()];
        for (to, from) in permutation.iter().enumerate() {
            moved.push(sizes[*from as usize]);
            inverse[*from as usize] = to as i64;
        }
        let others = moved.split_last().map_or(&[][..], |(_, others)| others);
        let rows = sizes::product(&b, others);
        let shape = [rows, count];
        let operands = self
            .operands
            .iter()
            .map(|operand| structured::transpose(&b, *operand, &permutation))
            .collect::<Vec<_>>();
        let transposed = |sorted: Vec<Value<'c>>| {
            let sorted = sorted.into_iter();
            Ok(sorted.map(|sorted| structured::transpose(&b, sorted, &inverse)).collect())
        };

        let comparator = self.body(0)?;
        let key = SortKey::of(comparator);
        let original = self.original_elements();
        if let Some(sorted) = self.sort_by_runtime(&operands, &original, key.as_ref()) {
            return transposed(sorted);
        }
        let operands = operands
            .into_iter()
            .map(|operand| structured::reshape_to(&b, operand, &shape))
            .collect::<Vec<_>>();
        let before = |b: &Builder<'c>, left: &[Value<'c>], right: &[Value<'c>]| {
            let pairs = left.iter().zip(right);
            let arguments: Vec<Value> = pairs.flat_map(|(left, right)| [*left, *right]).collect();
            let verdict = self.scalar_region(b, comparator, &arguments)?;
            verdict.first().copied().ok_or_else(|| no_match("its region returns nothing"))
        };
        let known = count.known().zip(rows.known());
        let by_network = self.options.parallel_sort
            && known.is_some_and(|(count, rows)| {
                count > LONGEST_SEQUENTIAL_ROW || rows < FEWEST_SEQUENTIAL_ROWS
            });
        let sorted = if by_network {
            let counts = |operand| counted_dimension(operand) == Some(dimension);
            let is_position = |(operand, ty): (Value<'c>, &Type<'c>)| {
                counts(operand) && ty.integer_width().is_some_and(|bits| bits >= 32)
            };
            bitonic_sort::Sort {
                operands: &operands,
                // The other operands distinguish equal elements.
                is_stable: operands.len() > 1 || sort.is_stable(),
                positions: self.op.operands().into_iter().zip(&original).position(is_position),
                before: &before,
            }
            .sort(&b)?
        } else {
            sort_rows(&b, &operands, key.as_ref(), &before)?
        };
        let sorted = sorted
            .into_iter()
            .map(|sorted| structured::reshape_to(&b, sorted, &moved))
            .collect::<Vec<_>>();
        transposed(sorted)
    }
}

impl<'c> Lowering<'_, 'c> {
    /// Sorts tensors along their last dimension by a call of the runtime, if it supports the order.
    /// `original` are the element types in HLO.
    pub(super) fn sort_by_runtime(
        &self,
        operands: &[Value<'c>],
        original: &[Type<'c>],
        key: Option<&SortKey<'c>>,
    ) -> Option<Vec<Value<'c>>> {
        let b = self.builder;
        let (key, order) = key.and_then(|key| Some((key, key.runtime_order()?)))?;
        let shapes = operands.iter().map(|operand| operand.ty().static_shape());
        let shapes = shapes.collect::<Option<Vec<_>>>()?;
        let count = shapes.first().and_then(|sizes| sizes.last().copied());
        let types = shapes.iter().zip(original);
        let types: Vec<Type> = types.map(|(sizes, element)| tensor_type(sizes, *element)).collect();
        // The element indices are computed in one of the other results.
        let mut others = original.iter().enumerate().filter(|(number, _)| *number != key.operand);
        let has_room = operands.len() == 1
            || others.any(|(_, element)| element.bit_width().is_some_and(|bits| bits >= 32));
        if self.options.parallel_sort || !has_room || !count.is_some_and(radix_sort::is_worth_it) {
            return None;
        }
        let context = b.context();
        let number = integer_attribute(integer_type(context, 64), key.operand as i64);
        let attributes = [
            ("descending", bool_attribute(context, key.descending)),
            ("key", number),
            (
                "nans_are_equal",
                bool_attribute(context, order.nans_are_equal),
            ),
            (
                "zeros_are_equal",
                bool_attribute(context, order.zeros_are_equal),
            ),
        ];
        let returned = operands.types();
        let call =
            halo::CustomCallOp::build(&b, operands, &[], "halo.sort", &types, &types, &returned);
        let call = call.dictionary(dictionary_attribute(context, &attributes));
        Some(call.insert().operation().results())
    }
}

/// Sorts the rows of tensors of two dimensions, by a key if the comparator has one.
pub fn sort_rows<'c>(
    b: &Builder<'c>,
    operands: &[Value<'c>],
    key: Option<&SortKey<'c>>,
    before: &Before<'_, 'c>,
) -> RewriteResult<Vec<Value<'c>>> {
    let shapes: Vec<Shape> = operands
        .iter()
        .map(|operand| Shape::new(Size::all(b, *operand), operand.ty().element_type()))
        .collect();
    let first = shapes.first().ok_or_else(|| no_match("it has no operand"))?;
    let [rows, count] = first.sizes[..] else {
        return Err(RewriteError::Invalid(
            "internal error: rows of tensors that have no two dimensions".into(),
        ));
    };
    let sizes = rows.known().zip(count.known());
    let sizes = sizes.filter(|(_, count)| radix_sort::is_worth_it(*count));
    let types: Vec<Type> = operands.iter().map(|operand| operand.ty()).collect();
    let radix = key
        .zip(sizes)
        .map(|(key, (rows, count))| RadixSort::new(b, key, rows, count, &types))
        .transpose()?;
    let merge = match radix {
        Some(_) => None,
        None => {
            let elements = shapes.iter().map(|shape| shape.element);
            Some(merge_sort::MergeSort::new(b, rows, count, elements)?)
        }
    };
    row_loops::for_each_row(b, &shapes, |b, row, outputs| {
        let source = Rows::of(operands, row);
        let outputs = Rows::whole(outputs);
        let sorted = match (&radix, &merge) {
            (Some(radix), _) => radix.sort(b, row, &source, &outputs)?,
            (None, Some(merge)) => merge.sort(b, row, &source, &outputs, before)?,
            (None, None) => outputs,
        };
        Ok(sorted.carried())
    })
}
