//! Vectorized scans along rows, such as cumulative sums.
//!
//! A sequential scan is bound by the latency of its combiner. Here a vector is scanned in a
//! register, by a logarithmic number of shifted combinations, and is then combined with the total
//! of all elements before it, which is the only loop-carried dependence. The combiner is
//! associative, as in a reduction.
//!
//! ```mlir
//! scf.for %j = %c0 to %c4096 step %c16 iter_args(%sum = %zero) -> (f32) {
//!   %x = vector.load %in[%i, %j] : memref<1024x4096xf32>, vector<16xf32>
//!   %moved = vector.shuffle %neutral, %x [0, 16, 17, ...] : vector<16xf32>, vector<16xf32>
//!   %pairs = arith.addf %x, %moved : vector<16xf32>
//!   ... // and by 2, 4 and 8 lanes
//!   %before = vector.broadcast %sum : f32 to vector<16xf32>
//!   %sums = arith.addf %before, %scanned : vector<16xf32>
//!   vector.store %sums, %out[%i, %j] : memref<1024x4096xf32>, vector<16xf32>
//!   %last = vector.extract %scanned[15] : f32 from vector<16xf32>
//!   %next = arith.addf %sum, %last : f32
//!   scf.yield %next : f32
//! }
//! ```

use super::{Schedule, Vectors};
use crate::{
    contraction::isa::sve,
    cpu::nontemporal_stores::stores_past_caches,
    loops::{prelude::*, reduction::running_combiner},
};
use halo_ir::prelude::*;

/// A scan of rows of one operand.
pub(super) struct Scan<'a, 'c> {
    combiner: Combiner<'c>,
    input: &'a Access<'c>,
    output: &'a Access<'c>,
    dim: usize,
    /// The elements of a row and of a vector.
    size: i64,
    lanes: i64,
    is_of_sve: bool,
    is_nontemporal: bool,
}

impl<'c> Schedule<'c> {
    /// The scan that the nest computes, if its rows are contiguous and consist of whole vectors.
    pub(super) fn scan(&self) -> Option<Scan<'_, 'c>> {
        let (dim, Vectors { sve_bits }) = self.innermost.zip(self.vectors)?;
        let ([input], [output, _]) = (self.nest.inputs(), self.nest.outputs()) else {
            return None;
        };
        let Extent::Fixed(size) = self.nest.dims[dim].extent else {
            return None;
        };
        let element = output.value.ty().element_type();
        // A cache line, or an SVE register.
        let lanes = match (element.bit_width()?, sve_bits) {
            (bits @ (32 | 64), 0) => 512 / i64::from(bits),
            (bits @ (32 | 64), sve_bits) => sve_bits / i64::from(bits),
            _ => return None,
        };
        // The body is the combiner, whose result is both the element and the running value.
        let arguments = self.nest.body.arguments();
        let end = self.nest.body.terminator()?;
        let combined = *end.operands().first()?;
        let combiner = running_combiner(combined, *arguments.last()?)?;
        let is_plain = self.nest.body.operations().len() == 2
            && end.operands() == [combined, combined]
            && combiner.operation.operands().contains(arguments.first()?)
            && combined.ty() == element
            && !input.scalar
            && input.value.ty().element_type() == element;
        let is_row = self.reductions.is_empty()
            && [input, output].iter().all(|access| access.stride(dim) == 1)
            && input.padding.is_none()
            && size >= lanes;
        (is_plain && is_row).then(|| Scan {
            combiner,
            input,
            output,
            dim,
            size,
            lanes,
            is_of_sve: sve_bits != 0,
            is_nontemporal: stores_past_caches(&self.nest, output, (dim, lanes), &self.machine),
        })
    }

    /// Emits the scan of a row, and returns its total.
    pub(super) fn emit_scan(
        &self,
        builder: &Builder<'c>,
        scan: &Scan<'_, 'c>,
        ivs: &[Value<'c>],
        initial: &[Value<'c>],
    ) -> Vec<Value<'c>> {
        let full = scan.size - scan.size % scan.lanes;
        let bounds = (0, full, scan.lanes);
        let sums = scf::for_(builder, bounds, initial, |builder, column, sums| {
            let mut ivs = ivs.to_vec();
            ivs[scan.dim] = column;
            let mut next = Vec::new();
            for sum in sums {
                next.push(scan.emit_vector(builder, &ivs, *sum));
            }
            next
        })
        .results();
        if full == scan.size {
            return sums;
        }
        let (full, size) = (
            index::constant(builder, full),
            index::constant(builder, scan.size),
        );
        self.emit_row(builder, ivs, &sums, Some((scan.dim, full, size)))
    }
}

impl<'c> Scan<'_, 'c> {
    /// Emits the scan of one vector after a running value, and returns the next running value.
    fn emit_vector(&self, builder: &Builder<'c>, ivs: &[Value<'c>], sum: Value<'c>) -> Value<'c> {
        let lanes = self.lanes;
        let ty = vector_type(&[lanes], sum.ty());
        let indices = self.input.indices_at(builder, ivs);
        let view = self.input.view(builder);
        let mut scanned = vector::load(builder, view, &indices, ty);
        let neutral = vector::broadcast(builder, self.combiner.neutral(builder), ty);
        let mut distance = 1;
        while distance < lanes {
            let from = |lane: i64| {
                if lane < distance {
                    lane
                } else {
                    lanes + lane - distance
                }
            };
            let moved = if self.is_of_sve {
                sve::shifted_in(builder, neutral, scanned, (lanes, distance))
            } else {
                let lanes: Vec<i64> = (0..lanes).map(from).collect();
                vector::shuffle(builder, neutral, scanned, &lanes)
            };
            scanned = self.combiner.combine(builder, moved, scanned);
            distance *= 2;
        }
        let before = vector::broadcast(builder, sum, ty);
        let sums = self.combiner.combine(builder, before, scanned);
        let indices = self.output.indices_at(builder, ivs);
        let store = vector::StoreOp::build(builder, sums, self.output.view(builder), &indices);
        let bytes = lanes * i64::from(sum.ty().bit_width().unwrap_or_default()) / 8;
        let past_caches = self.is_nontemporal.then_some(bytes);
        let store = store.maybe(past_caches, |store, bytes| {
            store.nontemporal(true).alignment(bytes)
        });
        store.insert();
        let last = vector::extract(builder, scanned, &[], &[lanes - 1]);
        self.combiner.combine(builder, sum, last)
    }
}
