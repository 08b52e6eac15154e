//! `halo.fft`, the handler of `stablehlo.fft`.

use std::sync::Arc;

use halo_core::{Complex, ElementType, NativeType};
use halo_numerics::fourier::{Fourier, Kind, Transform};

use super::{CustomCall, CustomCallRegistry, CustomCallSite, Handler};

pub(super) fn register(registry: &mut CustomCallRegistry) {
    registry.register_factory("halo.fft", bind);
}

/// The transform is planned once, here.
fn bind(site: &CustomCallSite) -> Result<Handler, String> {
    let lengths = site.attributes.integers("fft_length")?;
    let lengths: Result<Vec<usize>, _> = lengths.into_iter().map(usize::try_from).collect();
    let lengths = lengths.map_err(|_| "a length is negative".to_owned())?;
    let kind = match site.attributes.text("fft_type")? {
        "FFT" => Kind::Forward,
        "IFFT" => Kind::Inverse,
        "RFFT" => Kind::FromReal,
        "IRFFT" => Kind::ToReal,
        other => return Err(format!("there is no transform '{other}'")),
    };
    let ([operand], [result]) = (&site.operands[..], &site.results[..]) else {
        return Err("a transform has one operand and one result".to_owned());
    };
    // The length of a complex transform is the operand's.
    let outer = operand.rank().saturating_sub(lengths.len());
    let lengths = match kind {
        Kind::Forward | Kind::Inverse => operand.dims()[outer..].to_vec(),
        Kind::FromReal | Kind::ToReal => lengths,
    };
    match result.element_type().real_part() {
        ElementType::F32 => Ok(handler::<f32>(kind, &lengths)),
        ElementType::F64 => Ok(handler::<f64>(kind, &lengths)),
        other => Err(format!("there is no transform of {other}")),
    }
}

fn handler<T: Fourier + NativeType>(kind: Kind, lengths: &[usize]) -> Handler
where
    Complex<T>: NativeType,
{
    let transform = Transform::<T>::new(kind, lengths);
    Arc::new(move |call| run(&transform, kind, call))
}

fn run<T: Fourier + NativeType>(
    transform: &Transform<T>,
    kind: Kind,
    call: &mut CustomCall<'_>,
) -> Result<(), String>
where
    Complex<T>: NativeType,
{
    let ([operand], [result]) = (&call.operands[..], &mut call.results[..]) else {
        return Err("a transform has one operand and one result".to_owned());
    };
    let parallel_for = call.parallel_for;
    match kind {
        Kind::Forward | Kind::Inverse => {
            let result = result.as_mut_slice::<Complex<T>>()?;
            transform.transform(operand.as_slice()?, result, parallel_for);
        }
        Kind::FromReal => {
            let result = result.as_mut_slice::<Complex<T>>()?;
            transform.transform_real(operand.as_slice()?, result, parallel_for);
        }
        Kind::ToReal => {
            let result = result.as_mut_slice::<T>()?;
            transform.transform_to_real(operand.as_slice()?, result, parallel_for);
        }
    }
    Ok(())
}
