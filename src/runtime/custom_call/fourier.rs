//! `halo.fft`, the handler of `stablehlo.fft`.

use std::sync::{Arc, Mutex, PoisonError};

use halo_core::{Complex, ElementType, NativeType};
use halo_numerics::fourier::{Fourier, Kind, Transform};

use super::{CustomCall, CustomCallRegistry, CustomCallSite, Handler};

/// About how many numbers a thread should have to do.
const GRAIN: usize = 1 << 14;

pub(super) fn register(registry: &mut CustomCallRegistry) {
    registry.register_factory("halo.fft", bind);
}

/// The transform is planned here, once.
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
    let (complex, real) = (transform.complex_size(), transform.real_size());
    let parallel_for = call.parallel_for;
    match kind {
        Kind::Forward | Kind::Inverse => {
            let operand = operand.as_slice::<Complex<T>>()?;
            let result = result.as_mut_slice::<Complex<T>>()?;
            each(parallel_for, result, complex, |first, signals| {
                signals.copy_from_slice(&operand[first * complex..][..signals.len()]);
                transform.transform(signals)
            });
        }
        Kind::FromReal => {
            let operand = operand.as_slice::<T>()?;
            let result = result.as_mut_slice::<Complex<T>>()?;
            each(parallel_for, result, complex, |first, signals| {
                let count = signals.len() / complex;
                let given = &operand[first * real..][..count * real];
                transform.transform_real(given, signals);
            });
        }
        Kind::ToReal => {
            let operand = operand.as_slice::<Complex<T>>()?;
            let result = result.as_mut_slice::<T>()?;
            each(parallel_for, result, real, |first, signals| {
                let count = signals.len() / real;
                let mut given = operand[first * complex..][..count * complex].to_vec();
                transform.transform_to_real(&mut given, signals);
            });
        }
    }
    Ok(())
}

/// Calls a function for groups of signals, with the number of the first one, on
/// several threads.
fn each<T: Send>(
    parallel_for: super::ParallelFor<'_>,
    signals: &mut [T],
    size: usize,
    body: impl Fn(usize, &mut [T]) + Sync,
) {
    if signals.is_empty() || size == 0 {
        return;
    }
    let group = (GRAIN / size).max(1);
    let groups: Vec<Mutex<&mut [T]>> = signals.chunks_mut(group * size).map(Mutex::new).collect();
    parallel_for(groups.len() as i64, 1, &|begin, end| {
        let (begin, end) = (begin as usize, end as usize);
        for (number, signals) in (begin..end).zip(&groups[begin..end]) {
            let mut signals = signals.lock().unwrap_or_else(PoisonError::into_inner);
            body(number * group, &mut signals);
        }
    });
}
