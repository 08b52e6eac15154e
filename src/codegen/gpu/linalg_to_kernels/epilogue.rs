//! Fuses the elementwise op on the result of a reduction into its kernel.
//!
//! ```mlir
//! linalg.generic {(m, n, part) -> (m, n, part), (m, n)} ins(%parts) outs(%sums) { addf }
//! %pixels = memref.expand_shape %sums [[0, 1], [2]]
//! linalg.generic (y, x, n) ins(%pixels, %bias) outs(%result) { max(%pixels + %bias, 0) }
//! ```
//!
//! The thread with an element of `%sums` computes the corresponding element of `%result`. If
//! `%sums` has no other readers, it is not stored.

use super::{
    nests::{nest_of, runs_in_kernel},
    scatter,
};
use crate::loops::{
    aliases::{ancestor_in, is_reshape_of, unreshaped, users_of_memory},
    body,
    fill::{is_unchanged_between, is_untouched},
    folded_writes::{FoldedWrites, is_running},
    loop_nest::Dim,
    padded_reads::covers,
    prelude::*,
};
use halo_ir::prelude::*;
use std::collections::{HashMap, HashSet};

/// The epilogues of a function's reductions.
#[derive(Default)]
pub(super) struct Epilogues<'c> {
    /// The op and its epilogue, by the key of the reduction.
    of_reductions: HashMap<usize, (Operation<'c>, Epilogue<'c>)>,
    consumers: HashSet<usize>,
}

impl<'c> Epilogues<'c> {
    pub fn of(function: Operation<'c>, folded: &FoldedWrites<'c>) -> Self {
        let mut epilogues = Self::default();
        let is_kernel = |operation: Operation| {
            operation.is_structured()
                && !scatter::is_scatter(operation)
                && !runs_in_kernel(operation)
        };
        for reduction in function.collect_nested(is_kernel) {
            let consumer = consumer_of(reduction, folded)
                .filter(|(consumer, _)| is_kernel(*consumer) && !epilogues.contains(*consumer));
            if let Some((consumer, epilogue)) = consumer {
                epilogues.consumers.insert(consumer.key());
                epilogues.of_reductions.insert(reduction.key(), (consumer, epilogue));
            }
        }
        epilogues
    }

    /// Returns true if an op is an epilogue.
    pub fn contains(&self, operation: Operation<'c>) -> bool {
        self.consumers.contains(&operation.key())
    }

    /// The epilogue of an op.
    pub fn take(&mut self, operation: Operation<'c>) -> Option<(Operation<'c>, Epilogue<'c>)> {
        self.of_reductions.remove(&operation.key())
    }
}

/// An elementwise op on the result of a reduction.
#[derive(Clone)]
pub(super) struct Epilogue<'c> {
    nest: LoopNest<'c>,
    /// The size of each of its loops.
    sizes: Vec<i64>,
    /// For each of its operands, true if it is the result of the reduction.
    is_result: Vec<bool>,
    /// True if the result has other readers.
    stores_result: bool,
}

/// The first op that uses the result of a reduction, if it can be its epilogue.
fn consumer_of<'c>(
    reduction: Operation<'c>,
    folded: &FoldedWrites<'c>,
) -> Option<(Operation<'c>, Epilogue<'c>)> {
    let nest = nest_of(reduction, folded)?;
    let [output] = nest.outputs() else {
        return None;
    };
    let result = output.value;
    // Loops of one iteration do not count, and an empty nest has no kernel.
    let reduces = |dim: &Dim| dim.reduction && dim.extent.estimate() != 1;
    let is_reduction = nest.dims.iter().any(reduces) && !nest.is_empty();
    let is_whole = !is_running(&nest, output) && covers(&nest, 0);
    if !is_reduction || !is_whole || !result.ty().has_identity_layout() {
        return None;
    }
    let block = reduction.block()?;
    let aliases = users_of_memory(result)?;
    let mut users = Vec::new();
    for user in aliases.users {
        if view_source(user).is_none() {
            users.push(ancestor_in(block, user)?);
        }
    }
    let behind = users.iter().copied().filter(|user| reduction.is_before(*user));
    let consumer = behind.reduce(|first, user| if user.is_before(first) { user } else { first })?;
    let mut epilogue = Epilogue::of(nest_of(consumer, folded)?, result)?;
    let is_read_again = users
        .iter()
        .any(|user| *user != reduction && *user != consumer && reduction.is_before(*user));
    let overwrites = epilogue.is_result.iter().skip(epilogue.nest.input_count).any(|is| *is);
    let is_own = unreshaped(result)
        .defining_op()
        .is_some_and(|alloc| alloc.isa::<memref::AllocOp>() && alloc.block() == Some(block));
    epilogue.stores_result = !overwrites && (is_read_again || !is_own);
    // The consumer must not read elements of the result from other threads.
    if loaded_by(consumer).any(|buffer| may_overlap(buffer, result)) {
        return None;
    }
    let inputs = nest.inputs().iter().map(|input| input.value);
    let reads: Vec<Value> = (inputs.filter(|value| value.ty().is_memref()))
        .chain(loaded_by(reduction))
        .collect();
    let is_kept = |buffer: &Value<'c>| is_unchanged_between(*buffer, reduction, consumer);
    // Other threads of the kernel may still read while one writes the results.
    let written = epilogue.nest.outputs().iter();
    let is_apart = written
        .filter(|written| !is_reshape_of(written.value, result))
        .all(|written| reads.iter().all(|read| !may_overlap(*read, written.value)));
    (is_apart && reads.iter().all(is_kept) && is_untouched(result, reduction, consumer))
        .then_some((consumer, epilogue))
}

/// The buffers that the body of an op reads, in addition to the op's operands.
fn loaded_by<'c>(operation: Operation<'c>) -> impl Iterator<Item = Value<'c>> {
    let mut read = Vec::new();
    operation.visit(&mut |nested| {
        if nested != operation {
            read.extend(nested.operands());
        }
    });
    read.into_iter().filter(|value| value.ty().is_memref())
}

impl<'c> Epilogue<'c> {
    /// An op whose loops index a buffer directly.
    fn of(nest: LoopNest<'c>, result: Value<'c>) -> Option<Self> {
        if nest.dims.iter().any(|dim| dim.reduction) {
            return None;
        }
        let sizes: Vec<i64> = (nest.dims.iter().map(|dim| dim.extent.estimate())).collect();
        let in_order = |access: &Access<'c>| {
            let indices = access.indices.iter().cloned();
            indices.eq((0..sizes.len()).map(Expr::Dim))
                && access.padding.is_none()
                && access.value.ty().static_shape().is_some_and(|shape| shape == sizes)
        };
        let mut is_result = Vec::new();
        for access in &nest.accesses {
            let is = !access.scalar && is_reshape_of(access.value, result) && in_order(access);
            if !is && !access.scalar && may_overlap(access.value, result) {
                return None;
            }
            is_result.push(is);
        }
        let reads_result = is_result.iter().take(nest.input_count).any(|is| *is);
        reads_result.then_some(Self {
            nest,
            sizes,
            is_result,
            stores_result: true,
        })
    }

    /// Stores an element of the reduction's result, and emits the epilogue for it.
    pub fn emit(
        &self,
        builder: &Builder<'c>,
        result: &Access<'c>,
        ivs: &[Value<'c>],
        value: Value<'c>,
    ) {
        if self.stores_result {
            result.store(builder, ivs, value);
        }
        let ivs = self.loop_indices(builder, result, ivs);
        let mut map = halo_ir::ValueMap::new();
        let arguments = self.nest.body.arguments();
        for (number, (argument, access)) in arguments.iter().zip(&self.nest.accesses).enumerate() {
            if argument.is_unused() {
                continue;
            }
            let element = if self.is_result[number] {
                value
            } else {
                access.load(builder, &ivs)
            };
            map.insert(argument.key(), element);
        }
        let values = body::clone(builder, &self.nest, &ivs, &mut map);
        for (access, value) in self.nest.outputs().iter().zip(values) {
            access.store(builder, &ivs, value);
        }
    }

    /// The loop indices of the op for an element of the result.
    fn loop_indices(
        &self,
        builder: &Builder<'c>,
        result: &Access<'c>,
        ivs: &[Value<'c>],
    ) -> Vec<Value<'c>> {
        let indices = result.indices_at(builder, ivs);
        let ty = result.ty();
        if ty.static_shape().is_some_and(|shape| shape == self.sizes) {
            return indices;
        }
        let strides = ty.strides().map(|(strides, _)| strides);
        let mut linear = index::constant(builder, 0);
        for (index, stride) in indices.into_iter().zip(strides.unwrap_or_default()) {
            let offset = index::mul(builder, index, stride.unwrap_or(1));
            linear = index::add(builder, linear, offset);
        }
        index::delinearize(builder, linear, &self.sizes)
    }
}
