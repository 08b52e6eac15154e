//! The discrete Fourier transform of the last dimensions of tensors, by
//! [rustfft].
//!
//! A [`Transform`] is planned once for a shape, and then transforms any number
//! of signals that lie one after the other.

use std::sync::Arc;

use num_complex::Complex;
use num_traits::Float;
use rustfft::{Fft, FftNum, FftPlanner};

/// The numbers that are transformed: `f32` and `f64`.
pub trait Fourier: FftNum + Float {}
impl<T: FftNum + Float> Fourier for T {}

/// Which way to go, and what is real.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Forward,
    Inverse,
    /// Forward from real numbers. Of the last dimension, the part is left out
    /// that conjugation gives.
    FromReal,
    /// The inverse of [`FromReal`](Self::FromReal).
    ToReal,
}

/// How many numbers of a transform conjugation does not give.
pub fn half(length: usize) -> usize {
    if length == 0 { 0 } else { length / 2 + 1 }
}

/// A transform of signals of one shape.
pub struct Transform<T> {
    kind: Kind,
    /// The sizes of a complex signal without redundant part.
    dims: Vec<usize>,
    /// The size of the last dimension of a real signal.
    last: usize,
    /// A plan for each dimension.
    plans: Vec<Arc<dyn Fft<T>>>,
}

impl<T: Fourier> Transform<T> {
    /// A transform of signals whose sizes, as real numbers or complete, are
    /// `lengths`.
    pub fn new(kind: Kind, lengths: &[usize]) -> Self {
        let inverse = matches!(kind, Kind::Inverse | Kind::ToReal);
        let mut planner = FftPlanner::new();
        let plan = |length: &usize| match inverse {
            true => planner.plan_fft_inverse(*length),
            false => planner.plan_fft_forward(*length),
        };
        let plans = lengths.iter().map(plan).collect();
        let mut dims = lengths.to_vec();
        let last = dims.last().copied().unwrap_or(1);
        if let (Kind::FromReal | Kind::ToReal, Some(size)) = (kind, dims.last_mut()) {
            *size = half(*size);
        }
        Self {
            kind,
            dims,
            last,
            plans,
        }
    }

    /// How many complex numbers a signal has.
    pub fn complex_size(&self) -> usize {
        self.dims.iter().product()
    }

    /// How many real numbers a signal has.
    pub fn real_size(&self) -> usize {
        let outer: usize = self.dims.iter().rev().skip(1).product();
        outer * self.last
    }

    /// Transforms complex signals in place: [`Kind::Forward`] or
    /// [`Kind::Inverse`].
    pub fn transform(&self, signals: &mut [Complex<T>]) {
        for dim in (0..self.dims.len()).rev() {
            self.along(dim, signals);
        }
        if self.kind == Kind::Inverse {
            let factor = self.factor();
            for value in signals {
                *value = value.scale(factor);
            }
        }
    }

    /// Transforms real signals: [`Kind::FromReal`].
    pub fn transform_real(&self, signals: &[T], result: &mut [Complex<T>]) {
        let (Some(plan), Some(kept)) = (self.plans.last(), self.dims.last()) else {
            return;
        };
        if self.last == 0 {
            return;
        }
        let mut line = vec![Complex::new(T::zero(), T::zero()); self.last];
        let mut scratch = vec![line[0]; plan.get_inplace_scratch_len()];
        let lines = signals.chunks_exact(self.last);
        for (signal, result) in lines.zip(result.chunks_exact_mut(*kept)) {
            for (value, real) in line.iter_mut().zip(signal) {
                *value = Complex::new(*real, T::zero());
            }
            plan.process_with_scratch(&mut line, &mut scratch);
            result.copy_from_slice(&line[..*kept]);
        }
        for dim in (0..self.dims.len() - 1).rev() {
            self.along(dim, result);
        }
    }

    /// Transforms to real signals: [`Kind::ToReal`]. What is in `signals` is
    /// lost. The imaginary parts of elements that are their own conjugates do
    /// not count.
    pub fn transform_to_real(&self, signals: &mut [Complex<T>], result: &mut [T]) {
        let (Some(plan), Some(given)) = (self.plans.last(), self.dims.last()) else {
            return;
        };
        if self.last == 0 {
            return;
        }
        for dim in 0..self.dims.len() - 1 {
            self.along(dim, signals);
        }
        let factor = self.factor();
        let mut line = vec![Complex::new(T::zero(), T::zero()); self.last];
        let mut scratch = vec![line[0]; plan.get_inplace_scratch_len()];
        let lines = signals.chunks_exact(*given);
        for (signal, result) in lines.zip(result.chunks_exact_mut(self.last)) {
            for (number, value) in signal.iter().enumerate() {
                let mirror = (self.last - number) % self.last;
                line[mirror] = value.conj();
                line[number] = match mirror == number {
                    true => Complex::new(value.re, T::zero()),
                    false => *value,
                };
            }
            plan.process_with_scratch(&mut line, &mut scratch);
            for (real, value) in result.iter_mut().zip(&line) {
                *real = value.re * factor;
            }
        }
    }

    /// What inverse transforms multiply with.
    fn factor(&self) -> T {
        let count = match self.kind {
            Kind::Forward | Kind::Inverse => self.complex_size(),
            Kind::FromReal | Kind::ToReal => self.real_size(),
        };
        T::from(count).map_or_else(T::one, Float::recip)
    }

    /// Transforms all lines along a dimension.
    fn along(&self, dim: usize, signals: &mut [Complex<T>]) {
        let length = self.dims[dim];
        let stride: usize = self.dims[dim + 1..].iter().product();
        if length == 0 || stride == 0 || signals.is_empty() {
            return;
        }
        let plan = &self.plans[dim];
        if stride == 1 {
            plan.process(signals);
            return;
        }
        let mut lines = vec![signals[0]; length * stride];
        let mut scratch = vec![signals[0]; plan.get_inplace_scratch_len()];
        for block in signals.chunks_exact_mut(length * stride) {
            for (number, row) in block.chunks_exact(stride).enumerate() {
                for (line, value) in row.iter().enumerate() {
                    lines[line * length + number] = *value;
                }
            }
            plan.process_with_scratch(&mut lines, &mut scratch);
            for (number, row) in block.chunks_exact_mut(stride).enumerate() {
                for (line, value) in row.iter_mut().enumerate() {
                    *value = lines[line * length + number];
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn real(values: &[f64]) -> Vec<Complex<f64>> {
        values
            .iter()
            .map(|value| Complex::new(*value, 0.0))
            .collect()
    }

    #[track_caller]
    fn near(actual: &[Complex<f64>], expected: &[(f64, f64)]) {
        assert_eq!(actual.len(), expected.len());
        for (actual, (re, im)) in actual.iter().zip(expected) {
            assert!((actual - Complex::new(*re, *im)).norm() < 1e-12, "{actual}");
        }
    }

    /// numpy.fft.fft([1, 2, 3]), twice.
    #[test]
    fn signals_lie_one_after_the_other() {
        let transform = Transform::new(Kind::Forward, &[3]);
        let mut signals = real(&[1.0, 2.0, 3.0, 1.0, 2.0, 3.0]);
        transform.transform(&mut signals);
        let root = 3_f64.sqrt() / 2.0;
        let one = [(6.0, 0.0), (-1.5, root), (-1.5, -root)];
        near(&signals, &[one, one].concat());
        Transform::new(Kind::Inverse, &[3]).transform(&mut signals);
        near(&signals[3..], &[(1.0, 0.0), (2.0, 0.0), (3.0, 0.0)]);
    }

    /// numpy.fft.rfft2([[1, 2, 3], [4, 5, 7]])
    #[test]
    fn real_signals_of_two_dimensions() {
        let signal = [1.0, 2.0, 3.0, 4.0, 5.0, 7.0];
        let mut result = real(&[0.0; 4]);
        Transform::new(Kind::FromReal, &[2, 3]).transform_real(&signal, &mut result);
        let root = 3_f64.sqrt() / 2.0;
        near(
            &result,
            &[(22.0, 0.0), (-3.5, 3.0 * root), (-10.0, 0.0), (0.5, -root)],
        );
        let mut back = [0.0; 6];
        Transform::new(Kind::ToReal, &[2, 3]).transform_to_real(&mut result, &mut back);
        assert!(back.iter().zip(signal).all(|(a, b)| (a - b).abs() < 1e-12));
    }

    #[test]
    fn nothing_is_transformed_to_nothing() {
        Transform::<f32>::new(Kind::Forward, &[0]).transform(&mut []);
        Transform::<f32>::new(Kind::Forward, &[0, 3]).transform(&mut []);
        Transform::<f32>::new(Kind::FromReal, &[0]).transform_real(&[], &mut []);
        Transform::<f32>::new(Kind::ToReal, &[2, 0]).transform_to_real(&mut [], &mut []);
    }
}
