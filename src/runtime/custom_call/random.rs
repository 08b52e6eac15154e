//! `halo.rng`, the handler of `stablehlo.rng`.
//!
//! Every call site has a separate generator, which keeps its state between calls.

use std::f64::consts::TAU;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use halo_core::literal::{scalar_at, set_scalar_at};
use halo_core::{ElementType, Scalar, random::Generator};

use super::{CustomCall, CustomCallRegistry, CustomCallSite, Handler, View};

/// The maximum number of redraws of numbers that were rounded up to the bound.
const ATTEMPTS: usize = 16;

pub(super) fn register(registry: &mut CustomCallRegistry) {
    registry.register_factory("halo.rng", bind);
}

fn bind(site: &CustomCallSite) -> Result<Handler, String> {
    static SITES: AtomicU64 = AtomicU64::new(0);
    let normal = match site.attributes.text("rng_distribution")? {
        "NORMAL" => true,
        "UNIFORM" => false,
        other => return Err(format!("there is no distribution '{other}'")),
    };
    let generator = Mutex::new(Generator::new(SITES.fetch_add(1, Ordering::Relaxed)));
    Ok(Arc::new(move |call| {
        let mut generator = generator.lock().unwrap_or_else(PoisonError::into_inner);
        draw(call, &mut generator, normal)
    }))
}

fn draw(call: &mut CustomCall<'_>, generator: &mut Generator, normal: bool) -> Result<(), String> {
    let ([a, b, ..], [result]) = (&call.operands[..], &mut call.results[..]) else {
        return Err("there are two parameters and one result".to_owned());
    };
    let element = result.shape.element_type();
    let scalar = |view: &View<'_>| scalar_at(view.shape.element_type(), view.bytes, 0);
    let (a, b) = (scalar(a), scalar(b));
    let mut next: Box<dyn FnMut() -> Scalar> = if normal {
        let (mean, deviation) = (a.to_f64(), b.to_f64());
        Box::new(move || (mean + deviation * standard_normal(generator)).into())
    } else if element.is_float() {
        let (low, high) = (a.to_f64(), b.to_f64());
        let exclusive = low < high;
        Box::new(move || {
            for _ in 0..ATTEMPTS {
                let value = Scalar::from(low + (high - low) * generator.unit_interval());
                let value = value.stored_as(element);
                // Rounding may result in the bound, which is exclusive.
                if !exclusive || value.to_f64() < high {
                    return value;
                }
            }
            low.into()
        })
    } else {
        let (low, high) = (a.to_i128(), b.to_i128());
        let range = (high - low).max(1);
        Box::new(move || (low + (i128::from(generator.bits()) % range)).into())
    };
    match element {
        ElementType::F32 => {
            for value in result.as_mut_slice::<f32>()? {
                *value = next().to_f64() as f32;
            }
        }
        _ => {
            for position in 0..result.shape.element_count() {
                set_scalar_at(element, result.bytes, position, next());
            }
        }
    }
    Ok(())
}

/// Box and Muller's transform.
fn standard_normal(generator: &mut Generator) -> f64 {
    // The logarithm of a number that is not zero.
    let radius = (-2.0 * (1.0 - generator.unit_interval()).ln()).sqrt();
    radius * (TAU * generator.unit_interval()).cos()
}
