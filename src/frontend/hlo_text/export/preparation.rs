//! Passes that leave only what HLO has a form for.

use crate::copy_after;
use halo_ir::root_of;
use halo_ir::{
    Operation, collect_operations, element_type, name_of, operands_of,
    ops::{Op, OperationExt, stablehlo},
    quantized, result_types_of,
};
use halo_runtime::Error;
use melior::ir::{Module, ValueLike};

/// The functions of CHLO that HLO has too. `atan` is too new to be written: older
/// readers have only `atan2`.
const FUNCTIONS: &[&str] = &[
    "acos", "acosh", "asin", "asinh", "atanh", "cosh", "erf", "sinh", "tan", "top_k",
];

/// The other ops that HLO has too. They are decomposed where others must be.
const OTHERS: &[&str] = &["mulhi", "ragged_dot", "scan"];

/// A copy of a program with ops that HLO lacks decomposed.
///
/// # Errors
/// What the passes report.
pub fn prepare<'c>(module: &Module<'c>) -> Result<Module<'c>, Error> {
    copy_after(module, &passes(root_of(module)).join(","))
}

fn passes(root: Operation) -> Vec<String> {
    let mut passes: Vec<String> = Vec::new();
    let any = |test: &dyn Fn(Operation) -> bool| !collect_operations(root, test).is_empty();
    let is_quantized = any(&has_quantized_types);
    if is_quantized {
        passes.push("stablehlo-legalize-quant-to-math".into());
    }
    let deprecated = [
        stablehlo::EinsumOp::NAME,
        stablehlo::UnaryEinsumOp::NAME,
        stablehlo::CrossReplicaSumOp::NAME,
    ];
    if any(&|op| deprecated.contains(&name_of(op))) {
        passes.push("stablehlo-legalize-deprecated-ops{fail-on-unused=false}".into());
        passes.push("stablehlo-legalize-einsum-to-dot-general".into());
    }
    if any(&|op| op.isa::<stablehlo::TorchIndexSelectOp>()) {
        passes.push("stablehlo-legalize-torch-index-select-to-gather".into());
    }
    // Quantized arithmetic is said in CHLO.
    let lacks = |op: Operation| {
        let name = name_of(op).strip_prefix("chlo.");
        name.is_some_and(|name| !FUNCTIONS.contains(&name) && !OTHERS.contains(&name))
    };
    if is_quantized || any(&lacks) {
        let kept = FUNCTIONS.join(",");
        passes.push(format!("chlo-legalize-to-stablehlo{{keep={kept}}}"));
    }
    passes
}

fn has_quantized_types(op: Operation) -> bool {
    let operands = operands_of(op).into_iter().map(|value| value.r#type());
    operands
        .chain(result_types_of(op))
        .any(|r#type| halo_ir::is_tensor(r#type) && quantized(element_type(r#type)))
}
