//! Section `fft`.

use super::{
    call::{Call, single},
    evaluator::{Evaluated, Failure},
    indexing::{for_each_index, position, strides},
};
use halo_core::{Complex, Literal, Shape};
use halo_dialects::attributes::FftType;
use rustfft::FftPlanner;

/// The last `fft_length.len()` dimensions are transformed one after the other,
/// in pairs of `f64`, and rounded at the end.
pub fn fft(call: &Call) -> Evaluated {
    let operand = call.tensor(0)?;
    let lengths = call.dimensions("fft_length")?;
    let kind = call
        .op
        .attribute("fft_type")
        .and_then(FftType::from_attribute)
        .ok_or("has no attribute 'fft_type'")?;
    let rank = operand.shape().rank();
    let first = rank
        .checked_sub(lengths.len())
        .filter(|_| !lengths.is_empty())
        .ok_or_else(|| format!("transforms {} dimensions of {rank}", lengths.len()))?;
    let mut signal = Signal {
        dims: operand.dims().to_vec(),
        values: (0..operand.element_count())
            .map(|position| operand.get_complex(position))
            .collect(),
    };
    match kind {
        FftType::Fft | FftType::Ifft => {
            for dim in (first..rank).rev() {
                signal.transform(dim, kind == FftType::Ifft)?;
            }
        }
        FftType::Rfft => {
            signal.transform(rank - 1, false)?;
            // Only the part that conjugation does not give is kept.
            signal.resize(rank - 1, signal.dims[rank - 1] / 2 + 1)?;
            for dim in (first..rank - 1).rev() {
                signal.transform(dim, false)?;
            }
        }
        FftType::Irfft => {
            for dim in first..rank - 1 {
                signal.transform(dim, true)?;
            }
            signal.complete(rank - 1, lengths[lengths.len() - 1])?;
            signal.transform(rank - 1, true)?;
        }
    }
    let mut result = Literal::try_zeros(Shape::new(call.result_element(0)?, signal.dims)?)?;
    for (position, value) in signal.values.into_iter().enumerate() {
        result.set(position, value);
    }
    single(result)
}

/// A tensor of complex numbers.
struct Signal {
    dims: Vec<usize>,
    values: Vec<Complex<f64>>,
}

impl Signal {
    /// The discrete Fourier transform along a dimension; the inverse one is
    /// divided by the length.
    fn transform(&mut self, dim: usize, inverse: bool) -> Result<(), Failure> {
        let length = self.dims[dim];
        let mut planner = FftPlanner::new();
        let plan = match inverse {
            true => planner.plan_fft_inverse(length),
            false => planner.plan_fft_forward(length),
        };
        let factor = if inverse { 1.0 / length as f64 } else { 1.0 };
        let stride = strides(&self.dims)[dim];
        self.for_each_line(dim, |values, origin| {
            let mut line: Vec<_> = (0..length)
                .map(|number| values[origin + number * stride])
                .collect();
            plan.process(&mut line);
            for (number, value) in line.into_iter().enumerate() {
                values[origin + number * stride] = value * factor;
            }
        })
    }

    fn for_each_line(
        &mut self,
        dim: usize,
        mut visit: impl FnMut(&mut [Complex<f64>], usize),
    ) -> Result<(), Failure> {
        let strides = strides(&self.dims);
        let mut lines = self.dims.clone();
        lines[dim] = lines[dim].min(1);
        for_each_index(&lines, |_, index| {
            visit(&mut self.values, position(index, &strides));
            Ok(())
        })
    }

    /// The first `length` elements along a dimension.
    fn resize(&mut self, dim: usize, length: usize) -> Result<(), Failure> {
        let (old, mut dims) = (strides(&self.dims), self.dims.clone());
        dims[dim] = length;
        let mut values = Vec::new();
        for_each_index(&dims, |_, index| {
            values.push(self.values[position(index, &old)]);
            Ok(())
        })?;
        (self.dims, self.values) = (dims, values);
        Ok(())
    }

    /// A signal of `length` elements along the last dimension, of which the
    /// first half is there: the others are the conjugates of those. The
    /// imaginary parts of elements that are their own conjugates do not count.
    fn complete(&mut self, dim: usize, length: usize) -> Result<(), Failure> {
        let (old, mut dims) = (strides(&self.dims), self.dims.clone());
        let given = dims[dim];
        dims[dim] = length;
        let mut values = Vec::new();
        for_each_index(&dims, |_, index| {
            let mut from = index.to_vec();
            let number = index[dim];
            let mirrored = number > length / 2;
            from[dim] = if mirrored { length - number } else { number };
            let value = match from[dim] < given {
                true => self.values[position(&from, &old)],
                false => Complex::new(0.0, 0.0),
            };
            values.push(match (mirrored, number == 0 || 2 * number == length) {
                (true, _) => value.conj(),
                (false, true) => Complex::new(value.re, 0.0),
                (false, false) => value,
            });
            Ok(())
        })?;
        (self.dims, self.values) = (dims, values);
        Ok(())
    }
}
