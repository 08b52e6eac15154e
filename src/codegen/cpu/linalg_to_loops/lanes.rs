//! Vectorized row reductions that select an element, such as `argmax`.
//!
//! LLVM does not vectorize a reduction that carries a value and its index. Here each lane selects
//! among its elements, and a tree reduction then selects among the lanes. The last vector overlaps
//! the one before it: the selection is idempotent.
//!
//! ```mlir
//! %lanes:2 = scf.for %j = %c0 to %c992 step %c32
//!     iter_args(%out = %init, %out_index = %init_index) -> (vector<32xf32>, vector<32xi32>) {
//!   %x = vector.load %in[%i, %j] : memref<1024x1000xf32>, vector<32xf32>
//!   %0 = arith.cmpf ogt, %out, %x : vector<32xf32>
//!   ...
//! }
//! %low = vector.shuffle %lanes#0, %lanes#0 [0, 1, ..., 15] : vector<32xf32>, vector<32xf32>
//! %high = vector.shuffle %lanes#0, %lanes#0 [16, 17, ..., 31] : vector<32xf32>, vector<32xf32>
//! %1 = arith.cmpf ogt, %low, %high : vector<16xf32>
//! ...
//! ```
//!
//! The first NaN of a row is selected, which depends on the order of elements. A row whose result
//! is NaN is reduced again sequentially.

use super::Schedule;
use crate::loops::{
    prelude::*,
    selection::{Nans, Selection},
    vector_body,
};
use halo_ir::prelude::*;

/// Bytes of the lanes of a value: two registers on the widest processors and four on others, for
/// independent dependency chains.
const LANE_BYTES: i64 = 128;
/// The minimum profitable number of lanes.
const FEWEST_LANES: i64 = 4;

/// The vectorized reduction of rows.
pub(super) struct Lanes<'c> {
    selection: Selection<'c>,
    dim: usize,
    /// The elements of a row and of a vector.
    size: i64,
    count: i64,
}

impl<'c> Schedule<'c> {
    /// The vectorized reduction, if rows are contiguous and LLVM does not vectorize it.
    pub(super) fn lanes(&self) -> Option<Lanes<'c>> {
        let dim = self.innermost.filter(|_| self.vectors.is_some())?;
        let Extent::Fixed(size) = self.nest.dims[dim].extent else {
            return None;
        };
        let mut inputs = self.nest.inputs().iter();
        let is_row = inputs.all(|input| vector_body::lies_along(input, dim));
        let is_carried = |dim: usize| {
            let mut outputs = self.nest.outputs().iter();
            self.nest.dims[dim].reduction && outputs.any(|output| output.mentions(dim))
        };
        if !is_row
            || self.combiners.iter().all(Option::is_some)
            || (0..self.nest.dims.len()).any(is_carried)
            || !self.nest.body.operations().into_iter().all(|op| self.has_vectors(op))
        {
            return None;
        }
        let selection = Selection::of(&self.nest)?;
        let widest = selection.elements.iter();
        let widest = widest.filter_map(|element| element.ty().bit_width()).max()?;
        let most = (LANE_BYTES * 8 / i64::from(widest)).min(size);
        let count = 1 << most.checked_ilog2()?;
        (count >= FEWEST_LANES).then_some(Lanes {
            selection,
            dim,
            size,
            count,
        })
    }

    /// Whether an op of the body can be vectorized.
    fn has_vectors(&self, op: Operation<'c>) -> bool {
        if self.nest.body.terminator() == Some(op) {
            return true;
        }
        if let Some(number) = index_dimension(op) {
            return self.nest.origin.get(number).is_some_and(|origin| {
                let is_dim = |dim: usize| *origin == Expr::Dim(dim);
                self.innermost.is_some_and(|dim| is_dim(dim) || !origin.mentions(dim))
            });
        }
        vector_body::has_vectors(op)
    }

    /// Emits the selection from a row and the initial values.
    pub(super) fn emit_lanes(
        &self,
        builder: &Builder<'c>,
        lanes: &Lanes<'c>,
        ivs: &[Value<'c>],
        initial: &[Value<'c>],
    ) -> Vec<Value<'c>> {
        let starts = initial
            .iter()
            .map(|value| vector::broadcast(builder, *value, lanes.type_of(*value)))
            .collect::<Vec<_>>();
        let mut around = ivs.to_vec();
        let vectors = self.emit_loops(
            builder,
            &self.reductions,
            &mut around,
            &starts,
            None,
            &mut |builder, ivs, vectors| self.emit_row_of_vectors(builder, lanes, ivs, vectors),
        );
        let results = self.emit_selection_from_lanes(builder, lanes, vectors);
        if lanes.selection.nans == Nans::AnyOrder {
            return results;
        }
        let mut has_nan = arith::constant(builder, integer_type(builder.context(), 1), 0);
        for result in results.iter().filter(|result| result.ty().is_float()) {
            let is_nan = arith::cmpf(builder, CmpFPredicate::Uno, *result, *result);
            has_nan = arith::ori(builder, has_nan, is_nan);
        }
        let again = |builder: &Builder<'c>| self.emit_row(builder, ivs, initial, None);
        let op = scf::if_else(builder, has_nan, again, |_| results);
        op.results()
    }

    /// Emits the vectors of a row in order, then its last vector.
    fn emit_row_of_vectors(
        &self,
        builder: &Builder<'c>,
        lanes: &Lanes<'c>,
        ivs: &[Value<'c>],
        vectors: &[Value<'c>],
    ) -> Vec<Value<'c>> {
        let full = lanes.size - lanes.size % lanes.count;
        let bounds = (0, full, lanes.count);
        let mut ivs = ivs.to_vec();
        let vectors = scf::for_(builder, bounds, vectors, |builder, column, vectors| {
            ivs[lanes.dim] = column;
            self.emit_vector(builder, lanes, &ivs, vectors)
        })
        .results();
        if full == lanes.size {
            return vectors;
        }
        ivs[lanes.dim] = index::constant(builder, lanes.size - lanes.count);
        self.emit_vector(builder, lanes, &ivs, &vectors)
    }

    /// Emits the body for one vector of elements. Lane-invariant values stay scalars.
    fn emit_vector(
        &self,
        builder: &Builder<'c>,
        lanes: &Lanes<'c>,
        ivs: &[Value<'c>],
        vectors: &[Value<'c>],
    ) -> Vec<Value<'c>> {
        let mut map = ValueMap::new();
        let arguments = self.nest.body.arguments();
        let (inputs, outputs) = arguments.split_at(self.nest.input_count);
        for (argument, input) in inputs.iter().zip(self.nest.inputs()) {
            let value = vector_body::load(builder, input, lanes.dim, ivs, lanes.count);
            map.insert(argument.key(), value);
        }
        for (argument, vector) in outputs.iter().zip(vectors) {
            map.insert(argument.key(), *vector);
        }
        let terminator = self.nest.body.terminator();
        for op in self.nest.body.operations() {
            if Some(op) == terminator {
                break;
            }
            let Some(number) = index_dimension(op) else {
                vector_body::emit_op(builder, op, &mut map, lanes.count);
                continue;
            };
            let origin = &self.nest.origin[number];
            let mut index = origin.emit(builder, ivs);
            if origin.mentions(lanes.dim) {
                let ty = lanes.type_of(index);
                let first = vector::broadcast(builder, index, ty);
                index = arith::addi(builder, first, vector::step(builder, ty));
            }
            map.insert(op.results()[0].key(), index);
        }
        vector_body::operands(builder, terminator, &map, lanes.count)
    }

    /// Emits the selection from the lanes of vectors.
    fn emit_selection_from_lanes(
        &self,
        builder: &Builder<'c>,
        lanes: &Lanes<'c>,
        mut vectors: Vec<Value<'c>>,
    ) -> Vec<Value<'c>> {
        let outputs = self.nest.body.arguments().split_off(self.nest.input_count);
        let terminator = self.nest.body.terminator();
        let mut count = lanes.count;
        while count > 1 {
            let mut map = ValueMap::new();
            for ((output, element), vector) in
                outputs.iter().zip(&lanes.selection.elements).zip(&vectors)
            {
                let (first, second) = vector_body::halves(builder, *vector, count);
                map.insert(output.key(), first);
                map.insert(element.key(), second);
            }
            count /= 2;
            for op in &lanes.selection.operations {
                vector_body::emit_op(builder, *op, &mut map, count);
            }
            vectors = vector_body::operands(builder, terminator, &map, count);
        }
        vectors
            .into_iter()
            .map(|vector| vector::extract(builder, vector, &[], &[0]))
            .collect()
    }
}

impl<'c> Lanes<'c> {
    /// The vector type of a scalar.
    fn type_of(&self, scalar: Value<'c>) -> halo_ir::Type<'c> {
        vector_type(&[self.count], scalar.ty())
    }
}
