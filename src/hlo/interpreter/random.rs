//! Sections `rng` and `rng_bit_generator`.

use super::{
    indexing::{for_each_index, position, strides},
    prelude::*,
};
use halo_core::{Literal, Shape};
use halo_ir::stablehlo::attributes::{RngAlgorithm, RngDistribution};
use std::f64::consts::TAU;

/// Section `rng`: uniform in `[a, b)`, or normal with mean `a` and standard deviation `b`, by the
/// Box-Muller transform.
pub fn rng(call: &Call) -> Evaluated {
    let distribution = call
        .op
        .attribute("rng_distribution")
        .and_then(RngDistribution::from_attribute)
        .ok_or("has no attribute 'rng_distribution'")?;
    let (a, b) = (call.tensor(0)?, call.tensor(1)?);
    let element = call.result_element(0)?;
    let mut result = Literal::try_zeros(Shape::new(element, call.sizes(2)?)?)?;
    let mut generator = call.evaluator.generator.borrow_mut();
    for position in 0..result.element_count() {
        if distribution == RngDistribution::Normal {
            // The argument of the logarithm is not zero.
            let radius = (-2.0 * (1.0 - generator.unit_interval()).ln()).sqrt();
            let angle = TAU * generator.unit_interval();
            result.set(position, a.get_f64(0) + b.get_f64(0) * radius * angle.cos());
        } else if element.is_float() {
            let (low, high) = (a.get_f64(0), b.get_f64(0));
            result.set(position, low + (high - low) * generator.unit_interval());
        } else {
            let (low, high) = (a.get_i128(0), b.get_i128(0));
            let range = (high - low).max(1);
            result.set(position, low + i128::from(generator.bits()) % range);
        }
    }
    single(result)
}

/// Section `rng_bit_generator`: the next state, and bits of the result's width.
///
/// Both algorithms come from J. Salmon and others, "Parallel Random Numbers: As Easy as 1, 2, 3"
/// (2011), with counters arranged as in XLA: the state is the key, then a counter of 64 bits
/// (`THREE_FRY`) or 128 bits (`PHILOX`; with a state of two words, the key is its upper half).
pub fn rng_bit_generator(call: &Call) -> Evaluated {
    let algorithm = call
        .op
        .attribute("rng_algorithm")
        .and_then(RngAlgorithm::from_attribute)
        .ok_or("has no attribute 'rng_algorithm'")?;
    let operand = call.tensor(0)?;
    let shape = call.result_shape(1)?;
    let state = words(operand)?;
    let (next, result) = match algorithm {
        RngAlgorithm::ThreeFry => three_fry(&state, shape)?,
        RngAlgorithm::Philox | RngAlgorithm::Default => philox(&state, shape)?,
    };
    let mut next_state = operand.clone();
    let per_word = match operand.element_type().bit_width() {
        32 => 2,
        _ => 1,
    };
    for position in 0..next_state.element_count() {
        let word = next.get(position / per_word).copied().unwrap_or(0);
        next_state.set(
            position,
            i128::from(word >> (32 * (position % per_word) as u64)),
        );
    }
    Ok(vec![next_state.into(), result.into()])
}

/// A state as words of 64 bits, the lower half of each first.
fn words(state: &Literal) -> Result<Vec<u64>, Failure> {
    let values = (0..state.element_count()).map(|position| state.get_i128(position) as u64);
    let words: Vec<u64> = match state.element_type().bit_width() {
        64 => values.collect(),
        32 => {
            let values: Vec<u64> = values.collect();
            let pairs = values.chunks_exact(2);
            pairs.map(|pair| pair[0] | pair[1] << 32).collect()
        }
        width => return Err(format!("has a state of {width}-bit numbers").into()),
    };
    if !(2..=3).contains(&words.len()) {
        return Err(format!("has a state of {} bits", 64 * words.len()).into());
    }
    Ok(words)
}

/// Threefry-2x32 with 20 rounds.
fn three_fry_block(counter: u64, key: u64) -> [u32; 2] {
    const ROTATIONS: [[u32; 4]; 2] = [[13, 15, 26, 6], [17, 29, 16, 24]];
    let keys = [key as u32, (key >> 32) as u32];
    let keys = [keys[0], keys[1], 0x1BD1_1BDA ^ keys[0] ^ keys[1]];
    let mut x = [counter as u32, (counter >> 32) as u32];
    x = [x[0].wrapping_add(keys[0]), x[1].wrapping_add(keys[1])];
    for group in 0..5 {
        for rotation in ROTATIONS[group % 2] {
            x[0] = x[0].wrapping_add(x[1]);
            x[1] = x[1].rotate_left(rotation) ^ x[0];
        }
        x[0] = x[0].wrapping_add(keys[(group + 1) % 3]);
        x[1] = x[1].wrapping_add(keys[(group + 2) % 3]).wrapping_add(group as u32 + 1);
    }
    x
}

fn three_fry(state: &[u64], shape: Shape) -> Result<(Vec<u64>, Literal), Failure> {
    let (key, counter) = (state[0], state[1]);
    let mut result = Literal::try_zeros(shape)?;
    let count = result.element_count();
    if result.element_type().bit_width() == 64 {
        for position in 0..count {
            let [low, high] = three_fry_block(counter.wrapping_add(position as u64), key);
            result.set(position, i128::from(u64::from(low) | u64::from(high) << 32));
        }
        return Ok((vec![key, counter.wrapping_add(count as u64)], result));
    }
    // A block gives two adjacent elements along one dimension: the first of even size, or else the
    // largest.
    let dims = match result.dims() {
        [] => vec![1],
        dims => dims.to_vec(),
    };
    let even = dims.iter().position(|size| size % 2 == 0);
    let largest = |dims: &[usize]| {
        let size = dims.iter().max().copied();
        dims.iter().position(|other| Some(*other) == size)
    };
    let split = even.or_else(|| largest(&dims)).unwrap_or(0);
    let mut half = dims.clone();
    half[split] = half[split].div_ceil(2);
    let half_strides = strides(&half);
    for_each_index(&dims, |to, index| {
        let mut at = index.to_vec();
        at[split] /= 2;
        let offset = position(&at, &half_strides) as u64;
        let block = three_fry_block(counter.wrapping_add(offset), key);
        result.set(to, i128::from(block[index[split] % 2]));
        Ok(())
    })?;
    let blocks: usize = half.iter().product();
    Ok((vec![key, counter.wrapping_add(blocks as u64)], result))
}

/// Philox-4x32 with 10 rounds.
fn philox_block(counter: u128, key: u64) -> [u32; 4] {
    let mut x = [0, 32, 64, 96].map(|shift| (counter >> shift) as u32);
    let mut key = [key as u32, (key >> 32) as u32];
    for _ in 0..10 {
        let product = |value: u32, factor: u32| {
            let wide = u64::from(value) * u64::from(factor);
            ((wide >> 32) as u32, wide as u32)
        };
        let (high_0, low_0) = product(x[0], 0xD251_1F53);
        let (high_1, low_1) = product(x[2], 0xCD9E_8D57);
        x = [high_1 ^ x[1] ^ key[0], low_1, high_0 ^ x[3] ^ key[1], low_0];
        key = [
            key[0].wrapping_add(0x9E37_79B9),
            key[1].wrapping_add(0xBB67_AE85),
        ];
    }
    x
}

fn philox(state: &[u64], shape: Shape) -> Result<(Vec<u64>, Literal), Failure> {
    let key = state[0];
    let (low, high) = match state {
        [_, low, high] => (*low, *high),
        _ => (state[1], key),
    };
    let counter = u128::from(low) | u128::from(high) << 64;
    let mut result = Literal::try_zeros(shape)?;
    let wide = result.element_type().bit_width() == 64;
    let per_block = if wide { 2 } else { 4 };
    for position in 0..result.element_count() {
        let block = philox_block(counter.wrapping_add((position / per_block) as u128), key);
        let part = position % per_block;
        let bits = if wide {
            u64::from(block[2 * part]) | u64::from(block[2 * part + 1]) << 32
        } else {
            u64::from(block[part])
        };
        result.set(position, i128::from(bits));
    }
    let blocks = result.element_count().div_ceil(per_block);
    let next = counter.wrapping_add(blocks as u128);
    let mut words = vec![key, next as u64];
    if state.len() == 3 {
        words.push((next >> 64) as u64);
    }
    Ok((words, result))
}
