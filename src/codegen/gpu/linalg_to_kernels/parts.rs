//! The reduction of adjacent parts of the elements by the threads of a block, in order.

use super::kernel::Kernel;
use crate::{
    gpu::launch::guard,
    loops::{body, prelude::*},
};
use halo_ir::prelude::*;

/// Shorter reductions are computed by one thread.
pub(super) const SHORTEST: i64 = 32;

/// The largest power of two up to a number.
pub(super) fn power_below(number: i64) -> i64 {
    1 << number.max(1).ilog2()
}

/// The reducer of one result by the threads of a block, and the number of threads.
pub(super) fn by_block<'c>(kernel: &Kernel<'c>) -> Option<(Reducer<'c>, i64)> {
    let length = kernel.product(&kernel.dims(true));
    let is_one = kernel.dims(false).is_empty() && length >= SHORTEST;
    let reducer = is_one.then(|| Reducer::of(&kernel.nest))??;
    Some((reducer, power_below(length)))
}

/// Emits the reduction to one result by the first threads of a block.
pub(super) fn reduce_in_block<'c>(
    builder: &Builder<'c>,
    kernel: &Kernel<'c>,
    (reducer, parts): (&Reducer<'c>, i64),
    (ivs, thread, threads): (&mut [Value<'c>], Value<'c>, i64),
    shared: &[Value<'c>],
) {
    let parts = parts.min(threads);
    // The other threads reduce the last part again.
    let last = index::constant(builder, parts - 1);
    let part = arith::minui(builder, thread, last);
    let own = reduce_part(builder, kernel, reducer, (ivs, part, parts));
    combine_parts(builder, reducer, &own, (shared, &[thread], parts));
    let first = index::compare(builder, CmpIPredicate::Eq, thread, 0);
    scf::when(builder, first, |builder| {
        let all = load(builder, shared, &[thread]);
        finish(builder, kernel, reducer, (ivs, &all))
    })
}

/// Reduces one of equal parts of the elements, each of which has at least one.
pub(super) fn reduce_part<'c>(
    builder: &Builder<'c>,
    kernel: &Kernel<'c>,
    reducer: &Reducer<'c>,
    (ivs, part, parts): (&mut [Value<'c>], Value<'c>, i64),
) -> Vec<Value<'c>> {
    let nest = &kernel.nest;
    let reductions = kernel.dims(true);
    let sizes = kernel.sizes(&reductions);
    let length: i64 = sizes.iter().product();
    let begin_of = |part| {
        let scaled = index::mul(builder, part, length);
        index::div(builder, scaled, parts)
    };
    let (begin, end) = (begin_of(part), begin_of(index::add(builder, part, 1)));
    let mut set = |builder: &Builder<'c>, number| {
        for (dim, iv) in reductions.iter().zip(index::delinearize(builder, number, &sizes)) {
            ivs[*dim] = iv;
        }
        ivs.to_vec()
    };
    let at = set(builder, begin);
    let mut map = ValueMap::new();
    for (argument, access) in nest.body.arguments().into_iter().zip(&nest.accesses) {
        if !argument.is_unused() {
            map.insert(argument.key(), access.load(builder, &at));
        }
    }
    body::clone(builder, nest, &at, &mut map);
    let first = reducer.elements_in(&map);
    let one = index::constant(builder, 1);
    let second = index::add(builder, begin, one);
    scf::for_(
        builder,
        (second, end, one),
        &first,
        |builder, number, values| {
            let at = set(builder, number);
            let values: Vec<_> = values.iter().copied().map(Some).collect();
            body::emit(builder, nest, &at, &values)
        },
    )
    .results()
}

/// The results at an index of shared memory.
pub(super) fn load<'c>(
    builder: &Builder<'c>,
    shared: &[Value<'c>],
    place: &[Value<'c>],
) -> Vec<Value<'c>> {
    shared.iter().map(|shared| memref::load(builder, *shared, place)).collect()
}

/// Combines the results of a block's parts in the shared memory of the first part. `place` are the
/// indices of the thread in the shared memory, with its part first.
pub(super) fn combine_parts<'c>(
    builder: &Builder<'c>,
    reducer: &Reducer<'c>,
    own: &[Value<'c>],
    (shared, place, parts): (&[Value<'c>], &[Value<'c>], i64),
) {
    let store = |builder: &Builder<'c>, values: &[Value<'c>]| {
        for (value, shared) in values.iter().zip(shared) {
            memref::store(builder, *value, *shared, place);
        }
    };
    guard(builder, (place[0], parts, place.len() > 1), |builder| {
        store(builder, own)
    });
    let mut distance = 1;
    while distance < parts {
        gpu::barrier(builder);
        let position = index::rem(builder, place[0], 2 * distance);
        let combines = index::compare(builder, CmpIPredicate::Eq, position, 0);
        let inside = index::below(builder, place[0], parts);
        let combines = arith::andi(builder, combines, inside);
        scf::when(builder, combines, |builder| {
            let mut other = place.to_vec();
            other[0] = index::add(builder, place[0], distance);
            let (left, right) = (load(builder, shared, place), load(builder, shared, &other));
            store(builder, &reducer.combine(builder, &left, &right));
        });
        distance *= 2;
    }
}

/// Combines the initial values with the result of all elements and stores the results.
pub(super) fn finish<'c>(
    builder: &Builder<'c>,
    kernel: &Kernel<'c>,
    reducer: &Reducer<'c>,
    (ivs, values): (&[Value<'c>], &[Value<'c>]),
) {
    let outputs = kernel.nest.outputs().iter();
    let before: Vec<_> = outputs.map(|access| access.load(builder, ivs)).collect();
    let results = reducer.combine(builder, &before, values);
    for (number, value) in results.into_iter().enumerate() {
        kernel.store(builder, number, ivs, value);
    }
}
