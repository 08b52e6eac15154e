//! The QR iteration of complex matrices, with one shift (Francis, "The QR Transformation", 1961 and
//! 1962), after LAPACK's `zlahqr`. The subdiagonal stays real.

use std::ops::Range;

use num_complex::Complex;
use num_traits::{Float, One, Zero};

use super::{EXCEPTIONAL, Iteration, block_begin, sweep_limit};
use crate::linear_algebra::eigen::RealNumber;
use crate::linear_algebra::matrix::Field;
use crate::linear_algebra::reflection::{self, Part};

/// Makes the Hessenberg matrix of an iteration triangular. An error is the number of
/// eigenvalues that are not found.
pub(super) fn iterate<R: RealNumber>(iteration: Iteration<'_, Complex<R>>) -> Result<(), usize>
where
    Complex<R>: Field<Real = R>,
{
    let active = iteration.active.clone();
    let mut iteration = SingleShift(iteration);
    for row in active.clone().skip(1) {
        iteration.make_real(row, (row + 2).min(active.end), row);
    }
    let mut end = active.end;
    while end > active.start {
        let mut found = None;
        for sweeps in 1..=sweep_limit(&active) + 1 {
            let begin = iteration.block_begin(end);
            if begin > active.start {
                *iteration.0.at(begin, begin - 1) = Zero::zero();
            }
            if begin + 1 >= end {
                found = Some(begin);
                break;
            }
            let shift = iteration.shift(begin..end, sweeps);
            let (first, vector) = iteration.sweep_begin(begin..end, shift);
            iteration.sweep(begin..end, first, vector);
            iteration.make_real(end - 1, end - 1, end);
        }
        end = found.ok_or(end)?;
    }
    Ok(())
}

/// The sum of the absolute values of both parts.
fn size<R: RealNumber>(value: Complex<R>) -> R {
    Float::abs(value.re) + Float::abs(value.im)
}

fn real<R: RealNumber>(value: R) -> Complex<R> {
    Complex::new(value, <R as Zero>::zero())
}

/// The iteration with one shift.
struct SingleShift<'a, R>(Iteration<'a, Complex<R>>);

impl<R: RealNumber> SingleShift<'_, R>
where
    Complex<R>: Field<Real = R>,
{
    fn block_begin(&self, end: usize) -> usize {
        block_begin(
            &self.0.active,
            end,
            |row, column| size(self.0.get(row, column)),
            |row| size(self.0.get(row - 1, row - 1) - self.0.get(row, row)),
        )
    }

    /// Multiplies a row, from a column on, by a number of modulus 1, and the first rows of the
    /// column of the same index by its conjugate, which is a similarity transformation.
    fn turn(&mut self, number: usize, (from, rows): (usize, usize), turn: Complex<R>) {
        for column in self.0.h.chunks_exact_mut(self.0.size).skip(from) {
            column[number] *= turn;
        }
        for value in &mut self.0.h[number * self.0.size..][..rows] {
            *value *= turn.conj();
        }
        if let Some(z) = &mut self.0.z {
            for value in &mut z[number * self.0.size..][..self.0.size] {
                *value *= turn.conj();
            }
        }
    }

    /// Scales a row, from a column on, and the first rows of the column of the same index, so that
    /// the subdiagonal element is real.
    fn make_real(&mut self, row: usize, rows: usize, from: usize) {
        let below = self.0.get(row, row - 1);
        if below.im == <R as Zero>::zero() {
            return;
        }
        let turn = below.unscale(size(below)).conj();
        let turn = turn.unscale(turn.norm());
        *self.0.at(row, row - 1) = real(below.norm());
        self.turn(row, (from, rows), turn);
    }

    /// The eigenvalue of the last block of 2 by 2 that is nearer to its last element, or, after
    /// many sweeps without convergence, an exceptional shift.
    fn shift(&self, block: Range<usize>, sweeps: usize) -> Complex<R> {
        let (begin, last) = (block.start, block.end - 1);
        let exceptional = |below: Complex<R>, diagonal: Complex<R>| {
            real(R::from_f64_impl(0.75) * Float::abs(below.re)) + diagonal
        };
        if sweeps.is_multiple_of(2 * EXCEPTIONAL) {
            return exceptional(self.0.get(last, last - 1), self.0.get(last, last));
        }
        if sweeps.is_multiple_of(EXCEPTIONAL) {
            return exceptional(self.0.get(begin + 1, begin), self.0.get(begin, begin));
        }
        let zero = <R as Zero>::zero();
        let shift = self.0.get(last, last);
        let u = self.0.get(last - 1, last).sqrt() * self.0.get(last, last - 1).sqrt();
        if size(u) == zero {
            return shift;
        }
        let x = (self.0.get(last - 1, last - 1) - shift).unscale(R::from_f64_impl(2.0));
        let scale = Float::max(size(u), size(x));
        let (scaled_x, scaled_u) = (x.unscale(scale), u.unscale(scale));
        let mut y = (scaled_x * scaled_x + scaled_u * scaled_u).sqrt().scale(scale);
        if size(x) > zero {
            let x = x.unscale(size(x));
            if x.re * y.re + x.im * y.im < zero {
                y = -y;
            }
        }
        shift - u * u.divided_by(x + y)
    }

    /// The row in which a sweep begins, after the last two small elements below the diagonal, and a
    /// multiple of the first column of `h - shift` from there on.
    fn sweep_begin(&self, block: Range<usize>, shift: Complex<R>) -> (usize, [Complex<R>; 2]) {
        let mut row = block.end - 2;
        loop {
            let (diagonal, next) = (self.0.get(row, row), self.0.get(row + 1, row + 1));
            let (top, below) = (diagonal - shift, self.0.get(row + 1, row).re);
            let scale = size(top) + Float::abs(below);
            let (top, below) = (top.unscale(scale), below / scale);
            let vector = [top, real(below)];
            if row == block.start {
                return (row, vector);
            }
            let before = Float::abs(self.0.get(row, row - 1).re);
            let near = size(top) * (size(diagonal) + size(next));
            if before * Float::abs(below) <= <R as Float>::epsilon() * near {
                return (row, vector);
            }
            row -= 1;
        }
    }

    /// Creates the bulge of a sweep and chases it to the end of a block.
    fn sweep(&mut self, block: Range<usize>, first: usize, vector: [Complex<R>; 2]) {
        let one = <Complex<R> as One>::one();
        let size = self.0.size;
        for row in first..block.end - 1 {
            let mut v = vector;
            if row > first {
                v.copy_from_slice(&self.0.h[(row - 1) * size..][row..row + 2]);
            }
            let tau = reflection::make(&mut v);
            if row > first {
                *self.0.at(row, row - 1) = v[0];
                *self.0.at(row + 1, row - 1) = Zero::zero();
            }
            v[0] = one;
            let part = |rows, columns| Part {
                stride: size,
                rows,
                columns,
            };
            let touched = row..row + 2;
            reflection::apply_left(self.0.h, part(touched.clone(), row..size), &v, tau.conj());
            let rows = 0..block.end.min(row + 3);
            reflection::apply_right(self.0.h, part(rows, touched.clone()), &v, tau);
            if let Some(z) = &mut self.0.z {
                reflection::apply_right(z, part(0..size, touched), &v, tau);
            }
            if row == first && first > block.start {
                self.keep_real(&block, first, one - tau);
            }
        }
    }

    /// Scales the rows and columns of a block after the first reflection of a sweep that begins
    /// within it, so that the element before it, which the reflection should have changed, is real.
    fn keep_real(&mut self, block: &Range<usize>, first: usize, factor: Complex<R>) {
        let turn = factor.unscale(factor.norm());
        *self.0.at(first + 1, first) *= turn.conj();
        if first + 2 < block.end {
            *self.0.at(first + 2, first + 1) *= turn;
        }
        for number in (first..block.end).filter(|number| *number != first + 1) {
            self.turn(number, (number + 1, number), turn);
        }
    }
}
