//! `interpreter.print`, and `interpreter.probe` with its assertion.

use super::{control_flow::text, prelude::*};
use halo_core::standard_output::print_line;
use halo_ir::prelude::*;

/// `interpreter.print`: writes the value to standard output.
pub fn print(call: &Call) -> Evaluated {
    print_line(call.operand(0)?).map_err(|error| format!("cannot print: {error}"))?;
    Ok(Vec::new())
}

/// `interpreter.probe`: records the value, and returns it.
pub fn probe(call: &Call) -> Evaluated {
    let value = call.tensor(0)?.clone();
    let probes = &call.evaluator.process.cluster.probes;
    probes.keep(text(call, "probe_id")?, value);
    Ok(call.operands.to_vec())
}

/// `check.expect_serialized_eq`: compares with the value that a probe recorded
/// in a run.
pub fn expect_serialized_eq(call: &Call) -> Evaluated {
    let name = text(call, "probe_id")?;
    let run = call.op.attribute("iter").and_then(Attribute::integer_value).unwrap_or(0);
    let probes = &call.evaluator.process.cluster.probes;
    probes.expect(name, run, call.tensor(0)?)?;
    Ok(Vec::new())
}
