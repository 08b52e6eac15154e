//! The discrete Fourier transform of the last dimensions of tensors, by
//! [rustfft] and [realfft].
//!
//! A [`Transform`] is planned once for a shape, and then transforms any number of contiguous
//! signals, on the threads of the caller. The result does not depend on the number of threads.

mod lines;

use std::sync::Arc;

use num_complex::Complex;
use num_traits::Float;
use realfft::{ComplexToReal, RealFftPlanner, RealToComplex};
use rustfft::{Fft, FftDirection, FftNum, FftPlanner};

use crate::ParallelFor;
use lines::{along, each, in_lines};

/// The numbers that are transformed: `f32` and `f64`.
///
/// Plans are made by functions without type parameters, so that only this crate compiles the
/// generic algorithms of the libraries, which would dominate the compile time of its users.
pub trait Fourier: FftNum + Float {
    /// A plan for each length.
    #[doc(hidden)]
    fn plans(lengths: &[usize], direction: FftDirection) -> Vec<Arc<dyn Fft<Self>>>;
    #[doc(hidden)]
    fn plan_from_real(length: usize) -> Arc<dyn RealToComplex<Self>>;
    #[doc(hidden)]
    fn plan_to_real(length: usize) -> Arc<dyn ComplexToReal<Self>>;
}

macro_rules! fourier {
    ($($number:ty)+) => {$(
        impl Fourier for $number {
            fn plans(lengths: &[usize], direction: FftDirection) -> Vec<Arc<dyn Fft<Self>>> {
                let mut planner = FftPlanner::new();
                let plan = |length: &usize| planner.plan_fft(*length, direction);
                lengths.iter().map(plan).collect()
            }

            fn plan_from_real(length: usize) -> Arc<dyn RealToComplex<Self>> {
                RealFftPlanner::new().plan_fft_forward(length)
            }

            fn plan_to_real(length: usize) -> Arc<dyn ComplexToReal<Self>> {
                RealFftPlanner::new().plan_fft_inverse(length)
            }
        }
    )+};
}

fourier! { f32 f64 }

/// The direction of the transform, and whether its input or output is real.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Forward,
    Inverse,
    /// Forward from real numbers. The redundant half of the last dimension, which conjugation
    /// determines, is left out.
    FromReal,
    /// The inverse of [`FromReal`](Self::FromReal).
    ToReal,
}

/// The length of the last dimension without its redundant part.
pub fn half(length: usize) -> usize {
    if length == 0 { 0 } else { length / 2 + 1 }
}

/// The plan for the last dimension.
enum Last<T> {
    Complex(Arc<dyn Fft<T>>),
    FromReal(Arc<dyn RealToComplex<T>>),
    ToReal(Arc<dyn ComplexToReal<T>>),
}

/// A transform of signals of one shape.
pub struct Transform<T> {
    kind: Kind,
    /// The sizes of a complex signal without the redundant part.
    dims: Vec<usize>,
    /// The size of the last dimension of a real signal.
    last: usize,
    /// The plans for all dimensions but the last one.
    outer: Vec<Arc<dyn Fft<T>>>,
    inner: Option<Last<T>>,
}

impl<T: Fourier> Transform<T> {
    /// A transform of signals whose sizes, as real numbers or complete, are
    /// `lengths`.
    pub fn new(kind: Kind, lengths: &[usize]) -> Self {
        let direction = match kind {
            Kind::Forward | Kind::FromReal => FftDirection::Forward,
            Kind::Inverse | Kind::ToReal => FftDirection::Inverse,
        };
        let is_complex = matches!(kind, Kind::Forward | Kind::Inverse);
        let count = lengths.len() - usize::from(!is_complex && !lengths.is_empty());
        let mut outer = T::plans(&lengths[..count], direction);
        // There is no plan for empty real signals.
        let inner = match (kind, lengths.last()) {
            (Kind::Forward | Kind::Inverse, _) => outer.pop().map(Last::Complex),
            (_, None | Some(0)) => None,
            (Kind::FromReal, Some(last)) => Some(Last::FromReal(T::plan_from_real(*last))),
            (Kind::ToReal, Some(last)) => Some(Last::ToReal(T::plan_to_real(*last))),
        };
        let mut dims = lengths.to_vec();
        let last = dims.last().copied().unwrap_or(1);
        if let (Kind::FromReal | Kind::ToReal, Some(size)) = (kind, dims.last_mut()) {
            *size = half(*size);
        }
        Self {
            kind,
            dims,
            last,
            outer,
            inner,
        }
    }

    /// The number of complex numbers in a signal.
    pub fn complex_size(&self) -> usize {
        self.dims.iter().product()
    }

    /// The number of real numbers in a signal.
    pub fn real_size(&self) -> usize {
        let outer: usize = self.dims.iter().rev().skip(1).product();
        outer * self.last
    }

    /// Transforms complex signals: [`Kind::Forward`] or [`Kind::Inverse`].
    pub fn transform(
        &self,
        signals: &[Complex<T>],
        result: &mut [Complex<T>],
        parallel_for: ParallelFor<'_>,
    ) {
        let (Some(Last::Complex(plan)), false) = (&self.inner, signals.is_empty()) else {
            return;
        };
        in_lines(&**plan, signals, result, parallel_for);
        self.along_outer(result, parallel_for);
        if self.kind == Kind::Inverse {
            let factor = self.factor();
            each(parallel_for, result, 1, |_, values| {
                for value in values {
                    *value = value.scale(factor);
                }
            });
        }
    }

    /// Transforms real signals: [`Kind::FromReal`].
    pub fn transform_real(
        &self,
        signals: &[T],
        result: &mut [Complex<T>],
        parallel_for: ParallelFor<'_>,
    ) {
        let (Some(Last::FromReal(plan)), Some(kept)) = (&self.inner, self.dims.last()) else {
            return;
        };
        each(parallel_for, result, *kept, |first, lines| {
            let (mut line, mut scratch) = (plan.make_input_vec(), plan.make_scratch_vec());
            let signals = signals[first * self.last..].chunks_exact(self.last);
            for (signal, result) in signals.zip(lines.chunks_exact_mut(*kept)) {
                line.copy_from_slice(signal);
                let done = plan.process_with_scratch(&mut line, result, &mut scratch);
                debug_assert!(done.is_ok(), "the plan is for these lengths");
            }
        });
        self.along_outer(result, parallel_for);
    }

    /// Transforms to real signals: [`Kind::ToReal`]. The imaginary parts of elements that are their
    /// own conjugates are ignored.
    pub fn transform_to_real(
        &self,
        signals: &[Complex<T>],
        result: &mut [T],
        parallel_for: ParallelFor<'_>,
    ) {
        let (Some(Last::ToReal(plan)), Some(given)) = (&self.inner, self.dims.last()) else {
            return;
        };
        let mut transformed = Vec::new();
        let signals = if self.outer.is_empty() {
            signals
        } else {
            transformed.extend_from_slice(signals);
            self.along_outer(&mut transformed, parallel_for);
            &transformed
        };
        let factor = self.factor();
        each(parallel_for, result, self.last, |first, lines| {
            let (mut line, mut scratch) = (plan.make_input_vec(), plan.make_scratch_vec());
            let signals = signals[first * given..].chunks_exact(*given);
            for (signal, result) in signals.zip(lines.chunks_exact_mut(self.last)) {
                line.copy_from_slice(signal);
                line[0].im = T::zero();
                if self.last.is_multiple_of(2) {
                    line[given - 1].im = T::zero();
                }
                let done = plan.process_with_scratch(&mut line, result, &mut scratch);
                debug_assert!(done.is_ok(), "the plan is for these lengths");
                for value in result {
                    *value = *value * factor;
                }
            }
        });
    }

    /// Transforms along all dimensions but the last one.
    fn along_outer(&self, signals: &mut [Complex<T>], parallel_for: ParallelFor<'_>) {
        for (dim, plan) in self.outer.iter().enumerate().rev() {
            let stride = self.dims[dim + 1..].iter().product();
            along(&**plan, stride, signals, parallel_for);
        }
    }

    /// The scaling factor of inverse transforms.
    fn factor(&self) -> T {
        let count = match self.kind {
            Kind::Forward | Kind::Inverse => self.complex_size(),
            Kind::FromReal | Kind::ToReal => self.real_size(),
        };
        T::from(count).map_or_else(T::one, Float::recip)
    }
}

#[cfg(test)]
mod tests;
