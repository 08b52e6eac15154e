//! Transforms of all lines along a dimension, on several threads.

use std::sync::{Mutex, PoisonError};

use num_complex::Complex;
use rustfft::Fft;

use super::Fourier;
use crate::ParallelFor;

/// The approximate number of elements per thread.
const GRAIN: usize = 1 << 14;
/// The number of columns that are copied together, so that they share cache lines.
const COLUMNS: usize = 8;

/// Transforms lines that are contiguous.
pub fn in_lines<T: Fourier>(
    plan: &dyn Fft<T>,
    lines: &[Complex<T>],
    result: &mut [Complex<T>],
    parallel_for: ParallelFor<'_>,
) {
    if plan.len() == 0 {
        return;
    }
    each(parallel_for, result, plan.len(), |first, result| {
        result.copy_from_slice(&lines[first * plan.len()..][..result.len()]);
        plan.process(result);
    });
}

/// Transforms lines whose elements are `stride` apart.
pub fn along<T: Fourier>(
    plan: &dyn Fft<T>,
    stride: usize,
    signals: &mut [Complex<T>],
    parallel_for: ParallelFor<'_>,
) {
    let size = plan.len() * stride;
    if size == 0 || signals.is_empty() {
        return;
    }
    if stride == 1 {
        return each(parallel_for, signals, size, |_, lines| plan.process(lines));
    }
    if size <= GRAIN {
        each(parallel_for, signals, size, |_, blocks| {
            let mut lines = vec![blocks[0]; size];
            for block in blocks.chunks_exact_mut(size) {
                copy_columns(block, stride, 0, &mut lines);
                plan.process(&mut lines);
                copy_columns(&lines, plan.len(), 0, block);
            }
        });
        return;
    }
    let mut lines = vec![signals[0]; size];
    for block in signals.chunks_exact_mut(size) {
        each(parallel_for, &mut lines, plan.len(), |first, lines| {
            copy_columns(block, stride, first, lines);
            plan.process(lines);
        });
        each(parallel_for, block, stride, |first, rows| {
            copy_columns(&lines, plan.len(), first, rows);
        });
    }
}

/// Copies columns of a matrix, beginning with a given one, to contiguous lines.
pub fn copy_columns<T: Copy>(matrix: &[T], columns: usize, first: usize, lines: &mut [T]) {
    let length = matrix.len() / columns;
    for (group, lines) in lines.chunks_mut(COLUMNS * length).enumerate() {
        let first = first + group * COLUMNS;
        let count = lines.len() / length;
        for (number, row) in matrix.chunks_exact(columns).enumerate() {
            for (line, value) in row[first..first + count].iter().enumerate() {
                lines[line * length + number] = *value;
            }
        }
    }
}

/// Calls a function for groups of lines, with the number of the first one, on several threads.
pub fn each<T: Send>(
    parallel_for: ParallelFor<'_>,
    values: &mut [T],
    length: usize,
    body: impl Fn(usize, &mut [T]) + Sync,
) {
    if values.is_empty() || length == 0 {
        return;
    }
    let group = (GRAIN / length).max(1);
    let groups: Vec<Mutex<&mut [T]>> = values.chunks_mut(group * length).map(Mutex::new).collect();
    parallel_for(groups.len() as i64, 1, &|begin, end| {
        let (begin, end) = (begin as usize, end as usize);
        for (number, lines) in (begin..end).zip(&groups[begin..end]) {
            let mut lines = lines.lock().unwrap_or_else(PoisonError::into_inner);
            body(number * group, &mut lines);
        }
    });
}
