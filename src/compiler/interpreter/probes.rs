//! `interpreter.print`, and `interpreter.probe` with its assertion.

use super::{call::Call, control_flow::text, evaluator::Evaluated};
use crate::ir::integer_attribute_value;
use halo_core::Literal;
use halo_core::compare::{Rule, compare};
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// What each probe saw, in order.
#[derive(Default)]
pub struct Probes(Mutex<HashMap<String, Vec<Literal>>>);

/// `interpreter.print`: writes the value to standard output.
pub fn print(call: &Call) -> Evaluated {
    println!("{}", call.operand(0)?);
    Ok(Vec::new())
}

/// `interpreter.probe`: keeps the value, and passes it on.
pub fn probe(call: &Call) -> Evaluated {
    let value = call.tensor(0)?.clone();
    let name = text(call, "probe_id")?.to_owned();
    let mut probes = call.evaluator.environment.probes.0.lock();
    let probes = probes.as_mut().map_err(|_| "follows a failed probe")?;
    probes.entry(name).or_default().push(value);
    Ok(call.operands.to_vec())
}

/// `check.expect_serialized_eq`: compares with what a probe saw in a run.
pub fn expect_serialized_eq(call: &Call) -> Evaluated {
    let name = text(call, "probe_id")?;
    let run = call
        .op
        .attribute("iter")
        .and_then(integer_attribute_value)
        .unwrap_or(0);
    let probes = &call.evaluator.environment.probes.0;
    let probes = probes.lock().unwrap_or_else(PoisonError::into_inner);
    let seen = probes.get(name).map_or(&[][..], Vec::as_slice);
    let value = usize::try_from(run).ok().and_then(|run| seen.get(run));
    let value = value.ok_or_else(|| {
        format!(
            "finds no run {run} of probe '{name}', which has {}",
            seen.len()
        )
    })?;
    let comparison = compare(call.tensor(0)?, value, Rule::EXACT)?;
    match comparison.passed() {
        true => Ok(Vec::new()),
        false => Err(comparison.to_string().into()),
    }
}
