//! What the interpreter computes of the dialect `signal`. A filter is the tensor of its
//! coefficients.

use crate::signal::{Boundary, CascadeOp, FirOp, GainOp};
use halo::{
    hlo::interpreter::{Call, Evaluated},
    prelude::*,
};

pub fn gain(call: &Call) -> Evaluated {
    let op = call.operation()?.cast::<GainOp>().ok_or("is another op")?;
    let mut output = call.tensor(0)?.clone();
    for at in 0..output.element_count() {
        output.set(at, output.get_f64(at) * op.factor());
    }
    Ok(vec![output.into()])
}

pub fn mix(call: &Call) -> Evaluated {
    let mut output = call.tensor(0)?.clone();
    for input in call.tensors(1..call.operands.len())? {
        for at in 0..output.element_count() {
            output.set(at, output.get_f64(at) + input.get_f64(at));
        }
    }
    Ok(vec![output.into()])
}

pub fn taps(call: &Call) -> Evaluated {
    Ok(vec![call.operand(0)?.clone()])
}

pub fn fir(call: &Call) -> Evaluated {
    let op = call.operation()?.cast::<FirOp>().ok_or("is another op")?;
    let (input, taps) = (call.tensor(0)?, call.tensor(1)?);
    let samples = input.element_count();
    let before = |k: usize, at: usize| match op.boundary() {
        _ if k <= at => input.get_f64(at - k),
        Boundary::Zero => 0.0,
        Boundary::Clamp => input.get_f64(0),
        Boundary::Wrap => input.get_f64(at + samples - k),
    };
    let mut output = input.clone();
    for at in 0..samples {
        let products = (0..taps.element_count()).map(|k| taps.get_f64(k) * before(k, at));
        output.set(at, products.sum::<f64>());
    }
    Ok(vec![output.into()])
}

pub fn cascade(call: &Call) -> Evaluated {
    let op = call.operation()?.cast::<CascadeOp>();
    let stages = op.ok_or("is another op")?.stages();
    (0..stages).try_fold(call.operands.to_vec(), |samples, _| {
        call.region(0, &samples)
    })
}
