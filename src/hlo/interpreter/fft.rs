//! Section `fft`.

use super::prelude::*;
use halo_core::{Complex, Literal, Shape};
use halo_ir::stablehlo::attributes::FftType;
use halo_numerics::{
    SEQUENTIAL,
    fourier::{Kind, Transform, half},
};

/// Transforms the last `fft_length.len()` dimensions one after the other, in pairs of `f64`, and
/// rounds at the end.
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
    let last = lengths[lengths.len() - 1];
    let mut dims = operand.dims().to_vec();
    let (kind, lengths) = match kind {
        // The length of a complex transform is the operand's.
        FftType::Fft => (Kind::Forward, dims[first..].to_vec()),
        FftType::Ifft => (Kind::Inverse, dims[first..].to_vec()),
        FftType::Rfft => (Kind::FromReal, lengths),
        FftType::Irfft => (Kind::ToReal, lengths),
    };
    let (needed, given) = match kind {
        Kind::FromReal => (last, half(last)),
        Kind::ToReal => (half(last), last),
        Kind::Forward | Kind::Inverse => (dims[rank - 1], dims[rank - 1]),
    };
    let inner = lengths.len() - 1;
    if dims[first..rank - 1] != lengths[..inner] || dims[rank - 1] != needed {
        return Err(format!("cannot transform {} by {lengths:?}", operand.shape()).into());
    }
    dims[rank - 1] = given;
    let transform = Transform::<f64>::new(kind, &lengths);
    let mut result = Literal::try_zeros(Shape::new(call.result_element(0)?, dims)?)?;
    let count = result.element_count();
    let positions = 0..operand.element_count();
    if kind == Kind::FromReal {
        let values: Vec<f64> = positions.map(|position| operand.get_f64(position)).collect();
        let mut transformed = vec![Complex::new(0.0, 0.0); count];
        transform.transform_real(&values, &mut transformed, SEQUENTIAL);
        for (position, value) in transformed.into_iter().enumerate() {
            result.set(position, value);
        }
        return single(result);
    }
    let values: Vec<Complex<f64>> =
        positions.map(|position| operand.get_complex(position)).collect();
    if kind == Kind::ToReal {
        let mut transformed = vec![0.0; count];
        transform.transform_to_real(&values, &mut transformed, SEQUENTIAL);
        for (position, value) in transformed.into_iter().enumerate() {
            result.set(position, value);
        }
        return single(result);
    }
    let mut transformed = vec![Complex::new(0.0, 0.0); count];
    transform.transform(&values, &mut transformed, SEQUENTIAL);
    for (position, value) in transformed.into_iter().enumerate() {
        result.set(position, value);
    }
    single(result)
}
