//! The QR iteration of real matrices, with two shifts at once, whose pair stays real (Francis, "The
//! QR Transformation", 1961 and 1962), after LAPACK's `dlahqr`.

use std::ops::Range;

use num_traits::Float;

use super::real_block::{Rotation, standardize};
use super::{EXCEPTIONAL, Iteration, block_begin, sweep_limit};
use crate::linear_algebra::eigen::RealNumber;
use crate::linear_algebra::reflection::{self, Part};

/// The real and the imaginary parts of the two shifts of a sweep.
type Shifts<R> = ([R; 2], [R; 2]);

/// Makes the Hessenberg matrix of an iteration triangular, except for standardized 2-by-2 blocks.
/// Returns the number of eigenvalues that did not converge as an error.
pub(super) fn iterate<R: RealNumber>(iteration: Iteration<'_, R>) -> Result<(), usize> {
    let active = iteration.active.clone();
    let mut iteration = DoubleShift(iteration);
    let zero = <R as num_traits::Zero>::zero();
    let mut end = active.end;
    while end > active.start {
        let mut found = None;
        for sweeps in 1..=sweep_limit(&active) + 1 {
            let begin = iteration.block_begin(end);
            if begin > active.start {
                *iteration.0.at(begin, begin - 1) = zero;
            }
            if begin + 2 >= end {
                found = Some(begin);
                break;
            }
            let shifts = iteration.shifts(begin..end, sweeps);
            let (first, vector) = iteration.sweep_begin(begin..end, shifts);
            iteration.sweep(begin..end, first, vector);
        }
        let begin = found.ok_or(end)?;
        if begin + 2 == end {
            iteration.standardize(begin);
        }
        end = begin;
    }
    Ok(())
}

/// The iteration with two shifts.
struct DoubleShift<'a, R>(Iteration<'a, R>);

impl<R: RealNumber> DoubleShift<'_, R> {
    fn block_begin(&self, end: usize) -> usize {
        block_begin(
            &self.0.active,
            end,
            |row, column| Float::abs(self.0.get(row, column)),
            |row| Float::abs(self.0.get(row - 1, row - 1) - self.0.get(row, row)),
        )
    }

    /// The eigenvalues of the last block of 2 by 2, or, after many sweeps without success,
    /// of another matrix.
    fn shifts(&self, block: Range<usize>, sweeps: usize) -> Shifts<R> {
        let zero = <R as num_traits::Zero>::zero();
        let (begin, last) = (block.start, block.end - 1);
        let exceptional = |sum: R, diagonal: R| {
            let three_quarters = R::from_f64_impl(0.75);
            let h11 = three_quarters * sum + diagonal;
            [[h11, R::from_f64_impl(-0.4375) * sum], [sum, h11]]
        };
        let below = |row: usize| Float::abs(self.0.get(row, row - 1));
        let [[h11, h12], [h21, h22]] = if sweeps.is_multiple_of(2 * EXCEPTIONAL) {
            exceptional(below(last) + below(last - 1), self.0.get(last, last))
        } else if sweeps.is_multiple_of(EXCEPTIONAL) {
            exceptional(
                below(begin + 1) + below(begin + 2),
                self.0.get(begin, begin),
            )
        } else {
            [
                [self.0.get(last - 1, last - 1), self.0.get(last - 1, last)],
                [self.0.get(last, last - 1), self.0.get(last, last)],
            ]
        };
        let scale = [h11, h12, h21, h22].into_iter().map(Float::abs);
        let scale = scale.fold(zero, |sum, size| sum + size);
        if scale == zero {
            return ([zero; 2], [zero; 2]);
        }
        let [h11, h12, h21, h22] = [h11, h12, h21, h22].map(|value| value / scale);
        let mean = (h11 + h22) / R::from_f64_impl(2.0);
        let determinant = (h11 - mean) * (h22 - mean) - h12 * h21;
        let root = Float::sqrt(Float::abs(determinant));
        if determinant >= zero {
            return ([mean * scale; 2], [root * scale, -root * scale]);
        }
        // If the shifts are real, the one near the last element is used twice.
        let (one, other) = (mean + root, mean - root);
        let nearer = if Float::abs(one - h22) <= Float::abs(other - h22) {
            one
        } else {
            other
        };
        ([nearer * scale; 2], [zero; 2])
    }

    /// The row in which a sweep begins, after the last two small elements below the diagonal, and a
    /// multiple of the first column of `(h - s1) (h - s2)` from there on.
    fn sweep_begin(&self, block: Range<usize>, (re, im): Shifts<R>) -> (usize, [R; 3]) {
        let h = |row, column| self.0.get(row, column);
        let size = |row, column| Float::abs(h(row, column));
        let mut row = block.end - 3;
        loop {
            let scale = Float::abs(h(row, row) - re[1]) + Float::abs(im[1]) + size(row + 1, row);
            let below = h(row + 1, row) / scale;
            let vector = [
                below * h(row, row + 1) + (h(row, row) - re[0]) * ((h(row, row) - re[1]) / scale)
                    - im[0] * (im[1] / scale),
                below * (h(row, row) + h(row + 1, row + 1) - re[0] - re[1]),
                below * h(row + 2, row + 1),
            ];
            let sizes = vector.map(Float::abs);
            let sum = sizes[0] + sizes[1] + sizes[2];
            let vector = vector.map(|value| value / sum);
            if row == block.start {
                return (row, vector);
            }
            let sizes = vector.map(Float::abs);
            let near = size(row - 1, row - 1) + size(row, row) + size(row + 1, row + 1);
            let epsilon = <R as Float>::epsilon();
            if size(row, row - 1) * (sizes[1] + sizes[2]) <= epsilon * sizes[0] * near {
                return (row, vector);
            }
            row -= 1;
        }
    }

    /// Creates the bulge of a sweep and chases it to the end of a block.
    fn sweep(&mut self, block: Range<usize>, first: usize, vector: [R; 3]) {
        let (zero, one) = (
            <R as num_traits::Zero>::zero(),
            <R as num_traits::One>::one(),
        );
        let size = self.0.size;
        for row in first..block.end - 1 {
            let count = 3.min(block.end - row);
            let mut v = vector;
            if row > first {
                let column = &self.0.h[(row - 1) * size..];
                v[..count].copy_from_slice(&column[row..row + count]);
            }
            let v = &mut v[..count];
            let tau = reflection::make(v);
            if row > first {
                let column = &mut self.0.h[(row - 1) * size..][row..row + count];
                column.fill(zero);
                column[0] = v[0];
            } else if row > block.start {
                *self.0.at(row, row - 1) *= one - tau;
            }
            v[0] = one;
            let part = |rows, columns| Part {
                stride: size,
                rows,
                columns,
            };
            let touched = row..row + count;
            reflection::apply_left(self.0.h, part(touched.clone(), row..size), v, tau);
            let rows = 0..block.end.min(row + 4);
            reflection::apply_right(self.0.h, part(rows, touched.clone()), v, tau);
            if let Some(z) = &mut self.0.z {
                reflection::apply_right(z, part(0..size, touched), v, tau);
            }
        }
    }

    /// Standardizes the block of 2 by 2 that begins in a row.
    fn standardize(&mut self, row: usize) {
        let size = self.0.size;
        let block = [
            [self.0.get(row, row), self.0.get(row, row + 1)],
            [self.0.get(row + 1, row), self.0.get(row + 1, row + 1)],
        ];
        let (block, rotation) = standardize(block);
        for (number, values) in block.into_iter().enumerate() {
            *self.0.at(row + number, row) = values[0];
            *self.0.at(row + number, row + 1) = values[1];
        }
        for column in self.0.h.chunks_exact_mut(size).skip(row + 2) {
            (column[row], column[row + 1]) = rotate(rotation, column[row], column[row + 1]);
        }
        rotate_columns(self.0.h, size, (row, row), rotation);
        if let Some(z) = &mut self.0.z {
            rotate_columns(z, size, (row, size), rotation);
        }
    }
}

fn rotate<R: RealNumber>((cosine, sine): Rotation<R>, x: R, y: R) -> (R, R) {
    (cosine * x + sine * y, cosine * y - sine * x)
}

/// Rotates a column and the next in the first `rows`.
fn rotate_columns<R: RealNumber>(
    a: &mut [R],
    size: usize,
    (column, rows): (usize, usize),
    rotation: Rotation<R>,
) {
    let (one, other) = a[column * size..].split_at_mut(size);
    for (x, y) in one.iter_mut().zip(other).take(rows) {
        (*x, *y) = rotate(rotation, *x, *y);
    }
}
