//! Calls that only create arrays: `AllocateBuffer`, whose result is uninitialized, and
//! `PadToStatic` of an array with static sizes, which returns that array and its sizes.

use super::{CustomCall, CustomCallRegistry};

pub(super) fn register(registry: &mut CustomCallRegistry) {
    registry.register("AllocateBuffer", |call| {
        // Any contents will do; zeros are the same ones every time.
        for result in &mut call.results {
            result.bytes.fill(0);
        }
        Ok(())
    });
    registry.register("PadToStatic", pad_to_static);
}

fn pad_to_static(call: &mut CustomCall<'_>) -> Result<(), String> {
    let ([operand], Some((whole, sizes))) = (&call.operands[..], call.results.split_first_mut())
    else {
        return Err("there is one operand, and a result".to_owned());
    };
    let dims = operand.shape.dims();
    if operand.shape != whole.shape || operand.layout != whole.layout || dims.len() != sizes.len() {
        return Err(format!(
            "the results of {} are it and its sizes",
            operand.shape
        ));
    }
    whole.bytes.copy_from_slice(operand.bytes);
    for (size, dim) in sizes.iter_mut().zip(dims) {
        let dim = i32::try_from(*dim).map_err(|error| error.to_string())?;
        size.as_mut_slice::<i32>()?.fill(dim);
    }
    Ok(())
}
