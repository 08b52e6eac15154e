//! `--halo-vectorize-loops`: vectorizes innermost loops with independent iterations.
//!
//! LLVM's vectorizer analyzes dependences, candidate vector shapes and their costs, which takes a
//! fifth to a third of LLVM's time for a kernel. This pass relies on the attribute `halo.parallel`
//! for independence, and vectorizes simple loops: elements are loaded and stored contiguously, and
//! all ops can be vectorized.
//!
//! ```mlir
//! %sum = scf.for %j = %c0 to %c1000 step %c1 iter_args(%acc = %init) -> (f32) {
//!   %x = memref.load %in[%i, %j] : memref<64x1000xf32>
//!   %0 = arith.addf %acc, %x fastmath<reassoc> : f32
//!   scf.yield %0 : f32
//! } {halo.parallel}
//! ```
//!
//! becomes
//!
//! ```mlir
//! %lanes = scf.for %j = %c0 to %c992 step %c32 iter_args(%acc = %zeros) -> (vector<32xf32>) {
//!   %x = vector.load %in[%i, %j] : memref<64x1000xf32>, vector<32xf32>
//!   %0 = arith.addf %acc, %x fastmath<reassoc> : vector<32xf32>
//!   scf.yield %0 : vector<32xf32>
//! }
//! %x = vector.load %in[%i, %c968] : memref<64x1000xf32>, vector<32xf32>
//! %0 = arith.addf %lanes, %x fastmath<reassoc> : vector<32xf32>
//! %is_done = vector.constant_mask [24] : vector<32xi1>
//! %last = arith.select %is_done, %lanes, %0 : vector<32xi1>, vector<32xf32>
//! ... // %sum: the sum of %init and the lanes, half by half
//! ```
//!
//! If the body is short, a vector spans several registers, which reduces branches and hides the
//! latency of sums. The order of a sum depends only on the vector length, so it is the same in each
//! run and for any number of threads.
//!
//! Iterations that do not read what they write may be repeated. Then no remainder loop is needed:
//! the last vector overlaps the one before it. A reduction ignores the lanes of iterations that were
//! already computed. Elements that are updated in place, as the sums of columns are for each row,
//! are in the same vectors each time, since a vector that overlaps two others would wait for both.
//! Shorter vectors compute their remainder, and the remainders of rows of unknown length.
//!
//! ```mlir
//! scf.for %j = %c0 to %c1000 step %c16 {
//!   %at = arith.minsi %j, %c984 : index
//!   ... // iterations from %at on
//! }
//! ```
//!
//! A loop in the body becomes a loop that carries vectors, if its bounds are uniform across lanes.
//! All other loops are left to LLVM.

mod body;
mod reductions;
mod repetition;
mod short_loops;

use crate::{
    contraction::{plan::even_division::ceil_div, vectors::constant_mask},
    loops::{
        bounds::{exact_trip_count, is_multiple},
        prelude::*,
        vector_body,
    },
};
use body::Body;
pub use body::has_vectors;
use halo_ir::{ops::halo, prelude::*};
use reductions::Reductions;
use repetition::may_repeat;
use short_loops::unroll_short_loops;

pass_options! {
    /// The options of the pass.
    struct Options {
        /// Bits of the processor's vectors
        #[range(1..=65536)]
        vector_bits: i64 = 256,
    }
}

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "halo-vectorize-loops",
    "Make vectors in innermost loops of independent iterations",
    run,
)
.on::<func::FuncOp>()
.dependent_dialects(&["arith", "scf", "vector"])
.options::<Options>();

/// The target number of vector ops per iteration of a short body.
const OPS: i64 = 16;
/// The minimum number of lanes: for short loops, or for the widest type.
const FEWEST_LANES: i64 = 2;
/// The maximum number of registers per vector.
const MOST_REGISTERS: i64 = 4;

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    let vector_bits = pass.options::<Options>().vector_bits;
    let function = pass.operation();
    unroll_short_loops(function);
    for operation in function.collect_nested(|op| op.has_attribute(halo::PARALLEL)) {
        let Some(found) = operation.cast().and_then(|op| Loop::of(op, vector_bits)) else {
            continue;
        };
        with_builder(operation, |builder| found.vectorize(builder));
    }
    Ok(())
}

/// The first lane count that repeats at most 1/16 of the iterations, or the one that repeats the
/// fewest.
fn best_count(mut counts: impl Iterator<Item = i64> + Clone, trips: i64) -> Option<i64> {
    let again = |count: &i64| ceil_div(trips, *count) * count - trips;
    let least = counts.clone().min_by_key(again);
    counts.find(|count| again(count) <= trips / 16).or(least)
}

/// A loop to be vectorized.
struct Loop<'c> {
    op: scf::ForOp<'c>,
    body: Body,
    reductions: Reductions<'c>,
    /// The lanes of a vector.
    count: i64,
    /// The lanes of a register.
    lanes: i64,
    rest: Rest,
}

/// The treatment of the remainder iterations.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rest {
    /// The loop has no remainder.
    None,
    /// The last vector overlaps the one before it.
    Vector,
    /// Another vector, of which this number of lanes are computed for the first time.
    Lanes(i64),
    /// Shorter vectors for this number of iterations.
    Parts(i64),
    /// A scalar remainder loop.
    Loop,
}

impl Rest {
    /// The remainder of a reduction of known length, by vectors of a number of registers.
    fn of_reduction(iterations: i64, registers: i64) -> Self {
        if iterations < registers {
            Self::Loop
        } else {
            Self::Lanes(iterations)
        }
    }
}

impl<'c> Loop<'c> {
    fn of(op: scf::ForOp<'c>, vector_bits: i64) -> Option<Self> {
        if constant_index(op.step()) != Some(1) {
            return None;
        }
        let reductions = Reductions::of(op)?;
        let body = Body::of(op, &reductions)?;
        let mut lanes = vector_bits / body.widest_bits;
        let trips = exact_trip_count(op);
        // The tree reduction of lanes needs a power of two.
        if lanes.count_ones() != 1 {
            return None;
        }
        while lanes > 1 && trips.is_some_and(|trips| trips < lanes) {
            lanes /= 2;
        }
        if lanes < FEWEST_LANES {
            return None;
        }
        let registers = (1..=MOST_REGISTERS).rev().filter(|count| {
            count.count_ones() == 1 && (*count == 1 || count * body.vector_ops <= OPS)
        });
        let mut counts = registers.map(|registers| registers * lanes);
        let is_whole = |count: i64| match trips {
            Some(trips) => trips % count == 0,
            None => is_multiple(op.lower_bound(), count) && is_multiple(op.upper_bound(), count),
        };
        let fits = |count: &i64| trips.is_none_or(|trips| trips >= *count);
        let (count, rest) = match counts.clone().find(|count| is_whole(*count)) {
            Some(count) => (count, Rest::None),
            None => match trips {
                Some(trips) if reductions.len() == 0 && may_repeat(op.operation()) => {
                    (best_count(counts.filter(fits), trips)?, Rest::Vector)
                }
                Some(trips) => {
                    let count = counts.find(fits)?;
                    let rest = match reductions.len() {
                        0 => Rest::Parts(trips % count),
                        _ if !may_repeat(op.operation()) => Rest::Loop,
                        _ => Rest::of_reduction(trips % count, count / lanes),
                    };
                    (count, rest)
                }
                None => (counts.find(fits)?, Rest::Loop),
            },
        };
        Some(Self {
            op,
            body,
            reductions,
            count,
            lanes,
            rest,
        })
    }

    fn vectorize(&self, builder: &Builder<'c>) {
        let (lower, upper) = (self.op.lower_bound(), self.op.upper_bound());
        let step = index::constant(builder, self.count);
        let (end, last) = match self.rest {
            Rest::None => (upper, None),
            Rest::Vector => (upper, Some(index::sub(builder, upper, step))),
            Rest::Lanes(_) | Rest::Parts(_) | Rest::Loop => {
                (self.end_of_vectors(builder, lower, step), None)
            }
        };
        let place = |builder: &Builder<'c>, iv| match last {
            Some(last) => arith::minsi(builder, iv, last),
            None => iv,
        };
        let mut lanes = self.emit_loop(builder, (lower, end), self.count, place);
        if let Rest::Lanes(left) = self.rest {
            let is_done = constant_mask(builder, self.count - left, self.count);
            let first = index::sub(builder, upper, step);
            let next = self.emit_vectors(builder, (first, self.count), &lanes);
            let pairs = next.into_iter().zip(lanes);
            lanes = pairs
                .map(|(next, lanes)| arith::select(builder, is_done, lanes, next))
                .collect();
        }
        if let Rest::Parts(iterations) = self.rest {
            let mut done = 0;
            while done < iterations {
                let count = 1 << (iterations - done).ilog2();
                self.emit_vectors(builder, (index::add(builder, end, done), count), &[]);
                done += count;
            }
        }
        let init = self.op.init_args();
        let mut results = self.reductions.join(builder, &init, (lanes, self.count));
        if self.rest == Rest::Loop {
            let mut first = end;
            for count in self.shorter_vectors() {
                let end = self.end_of_vectors(builder, first, index::constant(builder, count));
                let lanes = self.emit_loop(builder, (first, end), count, |_, iv| iv);
                results = self.reductions.join(builder, &results, (lanes, count));
                first = end;
            }
            results = self.emit_remainder(builder, (first, upper), &results);
        }
        builder.replace(self.op.operation(), &results)
    }

    /// Emits a loop over vectors, from a place for each index, and returns the sums of its lanes.
    fn emit_loop(
        &self,
        builder: &Builder<'c>,
        (lower, upper): (Value<'c>, Value<'c>),
        count: i64,
        place: impl Fn(&Builder<'c>, Value<'c>) -> Value<'c>,
    ) -> Vec<Value<'c>> {
        let neutral = self.reductions.neutral(builder, count);
        let bounds = (lower, upper, index::constant(builder, count));
        scf::for_(builder, bounds, &neutral, |builder, iv, carried| {
            self.emit_vectors(builder, (place(builder, iv), count), carried)
        })
        .results()
    }

    /// The lanes of the vectors that compute most of the remainder of a row of unknown length,
    /// which occurs for each row.
    fn shorter_vectors(&self) -> Vec<i64> {
        let op = self.op.operation();
        let is_row = op.parent().is_some_and(|parent| parent.isa::<scf::ForOp>());
        if !is_row || exact_trip_count(self.op).is_some() {
            return Vec::new();
        }
        // The lanes of a reduction are joined after each loop.
        let counts = [self.lanes, self.lanes / 4].into_iter();
        let counts = counts.take(if self.reductions.len() == 0 { 2 } else { 1 });
        counts.filter(|count| (FEWEST_LANES..self.count).contains(count)).collect()
    }

    /// The index after the last whole vector.
    fn end_of_vectors(
        &self,
        builder: &Builder<'c>,
        lower: Value<'c>,
        step: Value<'c>,
    ) -> Value<'c> {
        let upper = self.op.upper_bound();
        if let Some(trips) = exact_trip_count(self.op) {
            return index::add(builder, lower, trips - trips % self.count);
        }
        // An empty range may end before its start.
        let length = index::sub(builder, upper, lower);
        let length = index::max(builder, length, 0);
        let rest = index::rem(builder, length, step);
        let whole = index::sub(builder, length, rest);
        index::add(builder, lower, whole)
    }

    /// Emits a number of iterations on vectors, and returns the next carried values.
    fn emit_vectors(
        &self,
        builder: &Builder<'c>,
        (iv, count): (Value<'c>, i64),
        carried: &[Value<'c>],
    ) -> Vec<Value<'c>> {
        if count == 1 {
            return self.emit_iteration(builder, iv, carried);
        }
        let lanes = Lanes {
            body: &self.body,
            count,
        };
        let mut map = ValueMap::new();
        lanes.emit_body(builder, self.op, (iv, carried), &mut map)
    }

    /// Emits an iteration on scalars, and returns the next carried values.
    fn emit_iteration(
        &self,
        builder: &Builder<'c>,
        iv: Value<'c>,
        carried: &[Value<'c>],
    ) -> Vec<Value<'c>> {
        let block = self.op.operation().body(0);
        let given = [&[iv], carried].concat();
        block.map_or(Vec::new(), |block| builder.clone_body(block, &given))
    }

    /// Emits the remainder loop.
    fn emit_remainder(
        &self,
        builder: &Builder<'c>,
        (end, upper): (Value<'c>, Value<'c>),
        init: &[Value<'c>],
    ) -> Vec<Value<'c>> {
        let one = self.op.step();
        let op = scf::for_(builder, (end, upper, one), init, |builder, iv, carried| {
            self.emit_iteration(builder, iv, carried)
        });
        let marker = unit_attribute(builder.context());
        op.set_attribute(halo::REMAINDER, marker);
        op.results()
    }
}

/// The emission of a vector of iterations.
struct Lanes<'a> {
    body: &'a Body,
    count: i64,
}

impl Lanes<'_> {
    /// Emits the body of the loop, or of a nested loop.
    fn emit_body<'c>(
        &self,
        builder: &Builder<'c>,
        op: scf::ForOp<'c>,
        (iv, carried): (Value<'c>, &[Value<'c>]),
        map: &mut ValueMap<'c>,
    ) -> Vec<Value<'c>> {
        let Some(block) = op.operation().body(0) else {
            return Vec::new();
        };
        let given = std::iter::once(&iv).chain(carried);
        for (argument, value) in block.arguments().iter().zip(given) {
            map.insert(argument.key(), *value);
        }
        let terminator = block.terminator();
        for op in block.operations() {
            if Some(op) == terminator {
                break;
            }
            self.emit_op(builder, op, map);
        }
        vector_body::operands(builder, terminator, map, self.count)
    }

    /// Emits a nested loop with uniform bounds.
    fn emit_inner_loop<'c>(
        &self,
        builder: &Builder<'c>,
        op: scf::ForOp<'c>,
        map: &mut ValueMap<'c>,
    ) {
        let bounds = (
            mapped(map, op.lower_bound()),
            mapped(map, op.upper_bound()),
            mapped(map, op.step()),
        );
        let init = op.init_args().into_iter().map(|value| {
            let value = mapped(map, value);
            vector_body::as_vector(builder, value, self.count)
        });
        let init = init.collect::<Vec<_>>();
        let vectors = scf::for_(builder, bounds, &init, |builder, iv, carried| {
            self.emit_body(builder, op, (iv, carried), map)
        })
        .results();
        for (result, vector) in op.results().into_iter().zip(vectors) {
            map.insert(result.key(), vector);
        }
    }

    fn emit_op<'c>(&self, builder: &Builder<'c>, op: Operation<'c>, map: &mut ValueMap<'c>) {
        // Each op keeps its source location.
        let builder = &builder.at(op.location());
        let all = |map: &ValueMap<'c>, values: Vec<Value<'c>>| {
            let values = values.into_iter().map(|value| mapped(map, value));
            values.collect::<Vec<_>>()
        };
        if let Some(op) = op.cast::<scf::ForOp>() {
            return self.emit_inner_loop(builder, op, map);
        }
        if let Some(load) = op.cast::<memref::LoadOp>()
            && self.body.is_vector(load.result())
        {
            let (memref, indices) = (mapped(map, load.memref()), all(map, load.indices()));
            let ty = vector_type(&[self.count], load.result().ty());
            let value = vector::load(builder, memref, &indices, ty);
            map.insert(load.result().key(), value);
            return;
        }
        if let Some(store) = op.cast::<memref::StoreOp>() {
            let (memref, indices) = (mapped(map, store.memref()), all(map, store.indices()));
            let value = mapped(map, store.value());
            let value = vector_body::as_vector(builder, value, self.count);
            vector::store(builder, value, memref, &indices);
            return;
        }
        let is_lane = |value: &Value| self.body.is_vector(*value);
        if op.results().iter().any(is_lane) {
            vector_body::emit_op(builder, op, map, self.count)
        } else {
            builder.clone_op(op, map);
        }
    }
}
