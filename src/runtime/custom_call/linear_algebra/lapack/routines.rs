//! Registration of routines, and checks of their operands and results.

use halo_core::NativeType;

use crate::custom_call::linear_algebra::matrices::{Element, Output, Run, for_element, handler};
use crate::custom_call::{Attributes, CustomCall, CustomCallRegistry, View, ViewMut};

/// Adds a routine under its four names. The names of the complex ones may
/// differ.
pub(super) fn routine(
    registry: &mut CustomCallRegistry,
    real: &str,
    complex: &str,
    runs: [Run; 4],
) {
    let prefixes = [("s", real), ("d", real), ("c", complex), ("z", complex)];
    for ((prefix, name), run) in prefixes.into_iter().zip(runs) {
        let name = format!("lapack_{prefix}{name}_ffi");
        registry.register_factory(name, move |site| {
            let found = for_element(site, runs)?;
            if std::ptr::fn_addr_eq(found, run) {
                Ok(handler(run))
            } else {
                Err("the operand is not of the type that the name says".to_owned())
            }
        });
    }
}

/// The functions for the four number types.
macro_rules! runs {
    ($run:ident) => {
        [
            $run::<f32>,
            $run::<f64>,
            $run::<Complex<f32>>,
            $run::<Complex<f64>>,
        ]
    };
}
pub(in crate::custom_call::linear_algebra) use runs;

/// A letter that is an option of LAPACK.
pub(super) fn letter(attributes: &Attributes, name: &str) -> Result<u8, String> {
    let value = attributes.integer(name)?;
    u8::try_from(value).map_err(|_| format!("attribute '{name}' is not a letter"))
}

/// The operands and results of a call, whose numbers must match the routine.
pub(in crate::custom_call::linear_algebra) fn parts<'a, 'b, const N: usize, const M: usize>(
    call: &'b mut CustomCall<'a>,
) -> Result<(&'b [View<'a>; N], &'b mut [ViewMut<'a>; M]), String> {
    let counts = format!("{N} operands and {M} results are needed");
    match (
        call.operands.as_slice().try_into(),
        call.results.as_mut_slice().try_into(),
    ) {
        (Ok(operands), Ok(results)) => Ok((operands, results)),
        _ => Err(counts),
    }
}

/// The result for the error codes, one for each matrix.
pub(super) fn codes<'a>(view: &'a mut ViewMut<'_>) -> Result<Output<'a, i32>, String> {
    Output::new(view, 0)
}

/// Fails unless batches are of the same size.
pub(in crate::custom_call::linear_algebra) fn same_batches(
    counts: &[usize],
) -> Result<usize, String> {
    match counts {
        [first, others @ ..] if others.iter().all(|count| count == first) => Ok(*first),
        _ => Err("the batches of operands and results differ in size".to_owned()),
    }
}

/// Fails unless matrices have the size that a routine requires.
pub(in crate::custom_call::linear_algebra) fn same_size(
    actual: (usize, usize),
    expected: (usize, usize),
) -> Result<(), String> {
    if actual == expected {
        Ok(())
    } else {
        Err(format!(
            "a matrix of {} by {} is given where one of {} by {} is needed",
            actual.0, actual.1, expected.0, expected.1
        ))
    }
}

/// A vector of zeros of a type.
pub(in crate::custom_call::linear_algebra) fn zeros<T: NativeType>(count: usize) -> Vec<T> {
    vec![bytemuck::Zeroable::zeroed(); count]
}

/// The result for a matrix without a factorization.
pub(super) fn nans<T: Element>(count: usize) -> Vec<T> {
    vec![T::nan(); count]
}
