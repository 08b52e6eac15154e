//! Square blocks of a transposing op, in vectors.

use super::Transpose;
use crate::{
    contraction::pack::transpose::{columns, columns_at_once, interleave},
    cpu::{linalg_to_loops::Vectors, nontemporal_stores::stores_past_caches},
    loops::{
        prelude::*,
        vector_body::{self, lies_along},
    },
};
use halo_core::machine::Machine;
use halo_ir::prelude::*;

/// Squares that are transposed in registers.
pub(super) struct Squares {
    /// The edge length.
    pub(super) lanes: i64,
    /// For each output, the alignment in bytes of its non-temporal stores, if any.
    nontemporal: Vec<Option<i64>>,
    transposed: Transposed,
    vectors: Vectors,
}

/// The transposed values.
enum Transposed {
    /// The only operand, which is the result.
    Operand,
    /// All results, computed along the rows of the operands.
    Results,
    /// These operands; results are computed along their own rows.
    Operands(Vec<usize>),
}

/// The maximum number of transposed operands; with more, scalar code is shorter.
const MOST_OPERANDS: usize = 2;

impl Squares {
    /// The squares of an op, if it moves elements or computes on vectors.
    pub(super) fn of(
        nest: &LoopNest,
        plan: &Transpose,
        vectors: Vectors,
        machine: &Machine,
    ) -> Option<Self> {
        let transposed = Transposed::of(nest, plan)?;
        let moved = |access: &&Access| !access.scalar;
        let accesses = nest.accesses.iter().filter(moved);
        let bits = accesses.map(|access| {
            let bits = i64::from(access.value.ty().element_type().bit_width()?);
            matches!(bits, 8 | 16 | 32 | 64).then_some(bits)
        });
        let widest = bits.collect::<Option<Vec<i64>>>()?.into_iter().max()?;
        let lanes = if widest == 64 { 8 } else { 16 };
        let nontemporal = |output: &Access| {
            let bytes = i64::from(output.value.ty().element_type().bit_width()?) / 8;
            let along = (plan.column, lanes);
            stores_past_caches(nest, output, along, machine).then_some(lanes * bytes)
        };
        Some(Self {
            lanes,
            nontemporal: nest.outputs().iter().map(nontemporal).collect(),
            transposed,
            vectors,
        })
    }

    /// Emits one square block, transposed in vector registers.
    pub(super) fn emit<'c>(
        &self,
        builder: &Builder<'c>,
        nest: &LoopNest<'c>,
        plan: &Transpose,
        ivs: &[Value<'c>],
    ) {
        let lanes = self.lanes;
        let buffer = |access: &Access<'c>| {
            memref::alloc_aligned(builder, &[lanes, lanes], access.value.ty().element_type())
        };
        let operand = |number: usize| Square::of(&nest.inputs()[number], ivs, plan.column);
        let result = |number: usize| {
            let square = Square::of(&nest.outputs()[number], ivs, plan.row);
            square.nontemporal(self.nontemporal[number])
        };
        let results = 0..nest.outputs().len();
        let mut sources = vec![None; nest.input_count];
        match &self.transposed {
            Transposed::Operand => self.emit_transposition(builder, &operand(0), &result(0)),
            Transposed::Results => {
                let buffers = nest.outputs().iter().map(|output| Square::Buffer(buffer(output)));
                let buffers: Vec<Square> = buffers.collect::<_>();
                let dims = (plan.row, plan.column);
                emit_vectors(builder, nest, dims, ivs, lanes, &sources, &buffers);
                for (number, from) in results.zip(&buffers) {
                    self.emit_transposition(builder, from, &result(number));
                }
            }
            Transposed::Operands(across) => {
                for number in across {
                    let source = buffer(&nest.inputs()[*number]);
                    let to = Square::Buffer(source);
                    self.emit_transposition(builder, &operand(*number), &to);
                    sources[*number] = Some(source);
                }
                let targets: Vec<Square> = results.map(result).collect();
                let dims = (plan.column, plan.row);
                emit_vectors(builder, nest, dims, ivs, lanes, &sources, &targets)
            }
        }
    }

    /// Stores the vectors of a square as the columns of another.
    fn emit_transposition<'c>(
        &self,
        builder: &Builder<'c>,
        from: &Square<'_, 'c>,
        to: &Square<'_, 'c>,
    ) {
        let (lanes, width) = (self.lanes, self.width(from.element()));
        scf::for_range(builder, lanes, width, |builder, start| {
            let load = |row: i64| {
                let row = index::constant(builder, row);
                from.load(builder, row, start, width)
            };
            let columns = match self.vectors.sve_bits {
                0 => columns(builder, (lanes, width), load),
                _ => columns_of_registers(builder, (lanes, width), load),
            };
            for (number, column) in (0..).zip(columns) {
                let number = index::constant(builder, number);
                let number = index::add(builder, start, number);
                to.store(builder, number, column);
            }
        })
    }

    /// The number of columns that are transposed together: with SVE, the lanes of a register if it
    /// is not longer than a row of the block; otherwise the lanes of a NEON register.
    fn width(&self, element: Type) -> i64 {
        let lanes_in = |bits: i64| bits / element.bit_width().map_or(bits, i64::from);
        match self.vectors.sve_bits {
            0 => columns_at_once(self.lanes, element),
            bits if lanes_in(bits) <= self.lanes => lanes_in(bits),
            _ => lanes_in(128).min(self.lanes),
        }
    }
}

/// [`columns`] of whole SVE registers.
fn columns_of_registers<'c>(
    builder: &Builder<'c>,
    (rows, columns): (i64, i64),
    load: impl Fn(i64) -> Value<'c>,
) -> Vec<Value<'c>> {
    let part = |first: i64| {
        let rows = (first..first + columns).map(&load);
        interleave(builder, rows.collect::<_>())
    };
    let mut whole = part(0);
    for first in (columns..rows).step_by(columns as usize) {
        let joined: Vec<i64> = (0..first + columns).collect();
        for (vector, next) in whole.iter_mut().zip(part(first)) {
            *vector = vector::shuffle(builder, *vector, next, &joined);
        }
    }
    whole
}

impl Transposed {
    /// The transposed values of an op that moves elements or computes on vectors.
    fn of(nest: &LoopNest, plan: &Transpose) -> Option<Self> {
        let (arguments, yielded) = (nest.body.arguments(), nest.body.terminator()?.operands());
        if nest.input_count == 1 && yielded == arguments[..1] {
            return Some(Self::Operand);
        }
        let operations = nest.body.operations();
        let (_, computations) = operations.split_last()?;
        let is_computed = |value: &Value| is_native(value.ty());
        let on_vectors = computations.iter().all(|op| {
            vector_body::has_vectors(*op)
                && op.operands().iter().all(is_computed)
                && op.results().iter().all(is_computed)
        });
        let (inputs, outputs) = arguments.split_at(nest.input_count);
        let is_vector =
            |access: &Access, dim: usize| access.stride(dim) == 1 && lies_along(access, dim);
        let is_used = |(argument, _): &(&Value, &Access)| !argument.is_unused();
        let used = || inputs.iter().zip(nest.inputs()).filter(is_used);
        let are_columns = nest
            .outputs()
            .iter()
            .all(|output| is_vector(output, plan.column) && output.start.is_none());
        if !on_vectors
            || !outputs.iter().all(|output| output.is_unused())
            || !yielded.iter().all(is_computed)
            || !used().all(|(argument, _)| is_computed(argument))
            || !are_columns
        {
            return None;
        }
        if used().all(|(_, input)| lies_along(input, plan.row)) {
            return Some(Self::Results);
        }
        let across = (inputs.iter().zip(nest.inputs()).enumerate())
            .filter(|(_, used)| is_used(used) && !lies_along(used.1, plan.column));
        let across: Vec<usize> = across.map(|(number, _)| number).collect();
        let are_rows = across.iter().all(|number| is_vector(&nest.inputs()[*number], plan.row));
        (are_rows && across.len() <= MOST_OPERANDS).then_some(Self::Operands(across))
    }
}

/// Whether vectors of a type are native, so that they need no expansion.
fn is_native(ty: Type) -> bool {
    !ty.is_float() || matches!(ty.float_kind(), Some(FloatKind::F32 | FloatKind::F64))
}

/// A square of elements in memory, of which vectors are loaded or stored.
enum Square<'a, 'c> {
    Buffer(Value<'c>),
    /// A block of an operand; a loop numbers the vectors.
    Operand {
        access: &'a Access<'c>,
        ivs: &'a [Value<'c>],
        dim: usize,
        nontemporal: Option<i64>,
    },
}

impl<'a, 'c> Square<'a, 'c> {
    fn of(access: &'a Access<'c>, ivs: &'a [Value<'c>], dim: usize) -> Self {
        Self::Operand {
            access,
            ivs,
            dim,
            nontemporal: None,
        }
    }

    /// Uses non-temporal stores, if `alignment` is given.
    fn nontemporal(mut self, alignment: Option<i64>) -> Self {
        if let Self::Operand { nontemporal, .. } = &mut self {
            *nontemporal = alignment;
        }
        self
    }

    fn element(&self) -> Type<'c> {
        match self {
            Self::Buffer(buffer) => buffer.ty().element_type(),
            Self::Operand { access, .. } => access.value.ty().element_type(),
        }
    }

    /// The buffer and the indices of a vector.
    fn at(&self, builder: &Builder<'c>, number: Value<'c>) -> (Value<'c>, Vec<Value<'c>>) {
        match self {
            Self::Buffer(buffer) => (*buffer, vec![number, index::constant(builder, 0)]),
            Self::Operand {
                access, ivs, dim, ..
            } => {
                let mut ivs = ivs.to_vec();
                ivs[*dim] = index::add(builder, ivs[*dim], number);
                (access.view(builder), access.indices_at(builder, &ivs))
            }
        }
    }

    /// Loads elements of a vector from an offset.
    fn load(
        &self,
        builder: &Builder<'c>,
        number: Value<'c>,
        offset: Value<'c>,
        lanes: i64,
    ) -> Value<'c> {
        let (buffer, mut indices) = self.at(builder, number);
        if let Some(last) = indices.last_mut() {
            *last = index::add(builder, *last, offset);
        }
        let ty = vector_type(&[lanes], buffer.ty().element_type());
        vector::load(builder, buffer, &indices, ty)
    }

    fn store(&self, builder: &Builder<'c>, number: Value<'c>, vector: Value<'c>) {
        let (buffer, indices) = self.at(builder, number);
        let alignment = match self {
            Self::Buffer(_) => None,
            Self::Operand { nontemporal, .. } => *nontemporal,
        };
        let store = vector::StoreOp::build(builder, vector, buffer, &indices);
        let store = store.maybe(alignment, |store, alignment| {
            store.nontemporal(true).alignment(alignment)
        });
        store.insert();
    }
}

/// Computes the vectors of a square along one dimension, one for each index of another dimension.
/// Operands with an entry in `sources` are loaded from it.
fn emit_vectors<'c>(
    builder: &Builder<'c>,
    nest: &LoopNest<'c>,
    (along, across): (usize, usize),
    ivs: &[Value<'c>],
    lanes: i64,
    sources: &[Option<Value<'c>>],
    targets: &[Square<'_, 'c>],
) {
    scf::for_range(builder, lanes, 1, |builder, number| {
        let mut at = ivs.to_vec();
        at[across] = index::add(builder, at[across], number);
        let mut map = ValueMap::new();
        let inputs = nest.inputs().iter().zip(sources);
        for ((input, source), argument) in inputs.zip(nest.body.arguments()) {
            if argument.is_unused() {
                continue;
            }
            let value = match source {
                Some(source) => {
                    let first = index::constant(builder, 0);
                    Square::Buffer(*source).load(builder, number, first, lanes)
                }
                None => vector_body::load(builder, input, along, &at, lanes),
            };
            map.insert(argument.key(), value);
        }
        let results = vector_body::emit(builder, nest, &mut map, lanes);
        for (target, result) in targets.iter().zip(results) {
            target.store(builder, number, result);
        }
    })
}
