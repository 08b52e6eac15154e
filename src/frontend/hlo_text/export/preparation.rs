//! Passes that leave only ops with a counterpart in HLO.

use crate::module_copy::copy_after;
use halo_hlo::transforms::{
    legalize::{
        chlo_legalize_to_stablehlo, stablehlo_legalize_deprecated_ops,
        stablehlo_legalize_einsum_to_dot_general, stablehlo_legalize_torch_index_select_to_gather,
    },
    quantization::stablehlo_legalize_quant_to_math,
};
use halo_ir::{
    pipeline::{Pipeline, pass},
    prelude::*,
    root_of,
};
use halo_runtime::Error;
use melior::ir::Module;

/// The functions of CHLO that HLO has too. `atan` is too new to be written: older readers have only
/// `atan2`.
const FUNCTIONS: &[&str] = &[
    "acos", "acosh", "asin", "asinh", "atanh", "cosh", "erf", "sinh", "tan", "top_k",
];

/// The other ops that HLO has too. They are decomposed if others must be.
const OTHERS: &[&str] = &["mulhi", "ragged_dot", "scan"];

/// A copy of a program with ops that HLO lacks decomposed.
///
/// # Errors
/// Returns the diagnostics of the passes.
pub fn prepare<'c>(module: &Module<'c>) -> Result<Module<'c>, Error> {
    copy_after(module, &passes(root_of(module)))
}

fn passes(root: Operation) -> Pipeline {
    let mut passes = Pipeline::default();
    let any = |test: &dyn Fn(Operation) -> bool| !root.collect_nested(test).is_empty();
    let is_quantized = any(&has_quantized_types);
    if is_quantized {
        passes.push(&stablehlo_legalize_quant_to_math::PASS);
    }
    let deprecated = [
        stablehlo::EinsumOp::NAME,
        stablehlo::UnaryEinsumOp::NAME,
        stablehlo::CrossReplicaSumOp::NAME,
    ];
    if any(&|op| deprecated.contains(&op.name())) {
        passes.push(pass(&stablehlo_legalize_deprecated_ops::PASS).option("fail-on-unused", false));
        passes.push(&stablehlo_legalize_einsum_to_dot_general::PASS);
    }
    if any(&|op| op.isa::<stablehlo::TorchIndexSelectOp>()) {
        passes.push(&stablehlo_legalize_torch_index_select_to_gather::PASS);
    }
    // Quantized arithmetic is expressed in CHLO.
    let lacks = |op: Operation| {
        let name = op.name().strip_prefix("chlo.");
        name.is_some_and(|name| !FUNCTIONS.contains(&name) && !OTHERS.contains(&name))
    };
    if is_quantized || any(&lacks) {
        passes.push(pass(&chlo_legalize_to_stablehlo::PASS).option("keep", FUNCTIONS));
    }
    passes
}

fn has_quantized_types(op: Operation) -> bool {
    let operands = op.operands().into_iter().map(|value| value.ty());
    operands
        .chain(op.result_types())
        .any(|ty| ty.is_tensor() && ty.element_type().is_quantized())
}
