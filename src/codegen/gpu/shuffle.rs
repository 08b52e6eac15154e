//! Reductions among the threads of a warp and of a block.

use super::launch::WARP;
use crate::loops::prelude::*;
use halo_ir::{ops::gpu::ShuffleMode, prelude::*};

/// Returns true if shuffles support a type.
pub fn can_shuffle(ty: Type) -> bool {
    !ty.is_complex() && matches!(ty.bit_width(), Some(1..=32 | 64))
}

/// The value of another lane: the lane with the index xor the distance (`xor`), or minus the
/// distance (`up`).
pub fn shuffle<'c>(
    builder: &Builder<'c>,
    mode: ShuffleMode,
    value: Value<'c>,
    distance: i64,
) -> Value<'c> {
    let context = builder.context();
    let ty = value.ty();
    let bits = ty.bit_width().unwrap_or(32);
    let word = integer_type(context, 32);
    let same = integer_type(context, bits);
    let as_integer = |value: Value<'c>| {
        if ty.is_float() {
            arith::bitcast(builder, value, same)
        } else {
            value
        }
    };
    let back = |value: Value<'c>| {
        if ty.is_float() {
            arith::bitcast(builder, value, ty)
        } else {
            value
        }
    };
    match bits {
        32 => word_shuffle(builder, mode, value, distance),
        0..32 => {
            let wide = arith::extui(builder, as_integer(value), word);
            let moved = word_shuffle(builder, mode, wide, distance);
            back(arith::trunci(builder, moved, same))
        }
        _ => {
            let integer = as_integer(value);
            let half = arith::scalar(builder, same, 0.0, 32);
            let high = arith::shrui(builder, integer, half);
            let mut parts = Vec::new();
            for part in [integer, high] {
                let part = arith::trunci(builder, part, word);
                let moved = word_shuffle(builder, mode, part, distance);
                parts.push(arith::extui(builder, moved, same));
            }
            let high = arith::shli(builder, parts[1], half);
            back(arith::ori(builder, parts[0], high))
        }
    }
}

fn word_shuffle<'c>(
    builder: &Builder<'c>,
    mode: ShuffleMode,
    value: Value<'c>,
    distance: i64,
) -> Value<'c> {
    let word = integer_type(builder.context(), 32);
    let constant = |number: i64| arith::scalar(builder, word, 0.0, number);
    let (distance, width) = (constant(distance), constant(WARP));
    gpu::shuffle(builder, value, distance, width, mode).shuffle_result()
}

/// Combines the values of the lanes of a warp with equal indices modulo
/// `apart`, a power of two; each lane gets the result.
pub fn reduce_lanes<'c>(
    builder: &Builder<'c>,
    value: Value<'c>,
    apart: i64,
    combine: &impl Fn(&Builder<'c>, Value<'c>, Value<'c>) -> Value<'c>,
) -> Value<'c> {
    let mut value = value;
    let mut distance = WARP / 2;
    while distance >= apart {
        let other = shuffle(builder, ShuffleMode::Xor, value, distance);
        value = combine(builder, value, other);
        distance /= 2;
    }
    value
}

/// Combines the values of a block's threads; each thread of the first warp gets
/// the result. `neutral` builds the neutral element; `shared` has room for a
/// value of each warp; `thread` is the thread index along x, the block's only
/// dimension.
pub fn reduce_threads<'c>(
    builder: &Builder<'c>,
    value: Value<'c>,
    combine: &impl Fn(&Builder<'c>, Value<'c>, Value<'c>) -> Value<'c>,
    neutral: impl FnOnce(&Builder<'c>) -> Value<'c>,
    (shared, thread, threads): (Value<'c>, Value<'c>, i64),
) -> Value<'c> {
    let value = reduce_lanes(builder, value, 1, combine);
    if threads <= WARP {
        return value;
    }
    let warp = index::div(builder, thread, WARP);
    let lane = index::rem(builder, thread, WARP);
    let first = index::compare(builder, CmpIPredicate::Eq, lane, 0);
    scf::when(builder, first, |builder| {
        memref::store(builder, value, shared, &[warp]);
    });
    gpu::barrier(builder);
    let warps = threads / WARP;
    let last = index::constant(builder, warps - 1);
    let index = arith::minui(builder, lane, last);
    let loaded = memref::load(builder, shared, &[index]);
    let there = index::below(builder, lane, warps);
    let neutral = neutral(builder);
    let value = arith::select(builder, there, loaded, neutral);
    reduce_lanes(builder, value, 1, combine)
}

/// [`reduce_lanes`] of all lanes of a warp, by a reduction's combiner.
pub fn reduce_warp<'c>(
    builder: &Builder<'c>,
    combiner: &Combiner<'c>,
    value: Value<'c>,
) -> Value<'c> {
    let combine = |builder: &Builder<'c>, lhs, rhs| combiner.combine(builder, lhs, rhs);
    reduce_lanes(builder, value, 1, &combine)
}

/// [`reduce_threads`] by a reduction's combiner.
pub fn reduce_block<'c>(
    builder: &Builder<'c>,
    combiner: &Combiner<'c>,
    value: Value<'c>,
    among: (Value<'c>, Value<'c>, i64),
) -> Value<'c> {
    let combine = |builder: &Builder<'c>, lhs, rhs| combiner.combine(builder, lhs, rhs);
    let neutral = |builder: &Builder<'c>| combiner.neutral(builder);
    reduce_threads(builder, value, &combine, neutral, among)
}
