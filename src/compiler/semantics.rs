//! What the ops of StableHLO mean to the compiler before anything runs: which
//! of them are valid.
//!
//! MLIR asks a hook about every op that has passed the checks of its ODS
//! definition. The functions here answer by the constraints of the StableHLO
//! specification, one file for each family of ops; each names its section and
//! constraints as the specification labels them, `(C1)` and so on. What ODS has
//! checked is not checked again.
//!
//! Dynamic dimensions agree with any size, bounded ones with sizes within the
//! bound. Quantized element types agree where they store and express the same
//! types, since every value has scales of its own.
//!
//! Verification runs after every pass on every op, so it looks at types and
//! attributes only, never at elements, and builds text only for a message.

mod body;
mod control_flow;
mod elementwise;
mod linear_algebra;
mod op;
mod quantization;
mod reduction;
mod shape;
mod slicing;
mod tensor;
mod window;

use halo_dialects::{
    ir::{Operation, name_of},
    semantics::{SemanticsHooks, VerifyError, install_hooks},
};
use op::Op;
use tensor::Verdict;

/// Checks one op.
type Verifier = fn(Op) -> Verdict;

/// The verifiers of the ops of `stablehlo`, in alphabetical order of their
/// names. An op that is not here has no constraints beyond ODS.
static VERIFIERS: &[(&str, Verifier)] = &[
    ("abs", elementwise::abs),
    ("add", elementwise::add),
    ("and", elementwise::same_type),
    ("atan2", elementwise::same_type),
    ("batch_norm_grad", linear_algebra::batch_norm),
    ("batch_norm_inference", linear_algebra::batch_norm),
    ("batch_norm_training", linear_algebra::batch_norm),
    ("bitcast_convert", shape::bitcast_convert),
    ("broadcast", shape::broadcast),
    ("broadcast_in_dim", shape::broadcast_in_dim),
    ("case", control_flow::branches),
    ("cbrt", elementwise::same_type),
    ("ceil", elementwise::same_type),
    ("cholesky", linear_algebra::cholesky),
    ("clamp", elementwise::clamp),
    ("compare", elementwise::compare),
    ("complex", elementwise::complex),
    ("concatenate", slicing::concatenate),
    ("constant", shape::constant),
    ("convert", elementwise::same_shape),
    ("cosine", elementwise::same_type),
    ("count_leading_zeros", elementwise::same_type),
    ("divide", elementwise::same_type),
    ("dot", linear_algebra::dot),
    ("dot_general", linear_algebra::dot_general),
    ("dynamic_slice", slicing::dynamic_slice),
    ("dynamic_update_slice", slicing::dynamic_update_slice),
    ("exponential", elementwise::same_type),
    ("exponential_minus_one", elementwise::same_type),
    ("fft", linear_algebra::fft),
    ("floor", elementwise::same_type),
    ("get_dimension_size", slicing::get_dimension_size),
    ("get_tuple_element", control_flow::get_tuple_element),
    ("if", control_flow::branches),
    ("imag", elementwise::real_part),
    ("iota", shape::iota),
    ("is_finite", elementwise::same_shape),
    ("log", elementwise::same_type),
    ("log_plus_one", elementwise::same_type),
    ("logistic", elementwise::same_type),
    ("map", reduction::map),
    ("maximum", elementwise::same_type),
    ("minimum", elementwise::same_type),
    ("multiply", elementwise::same_type),
    ("negate", elementwise::same_type),
    ("not", elementwise::same_type),
    ("optimization_barrier", control_flow::optimization_barrier),
    ("or", elementwise::same_type),
    ("pad", slicing::pad),
    ("popcnt", elementwise::same_type),
    ("power", elementwise::same_type),
    ("real", elementwise::real_part),
    ("reduce", reduction::reduce),
    ("reduce_precision", elementwise::same_type),
    ("reduce_window", reduction::reduce_window),
    ("remainder", elementwise::same_type),
    ("reshape", shape::reshape),
    ("reverse", shape::reverse),
    ("round_nearest_afz", elementwise::same_type),
    ("round_nearest_even", elementwise::same_type),
    ("rsqrt", elementwise::same_type),
    ("select", elementwise::select),
    ("select_and_scatter", reduction::select_and_scatter),
    ("shift_left", elementwise::same_type),
    ("shift_right_arithmetic", elementwise::same_type),
    ("shift_right_logical", elementwise::same_type),
    ("sign", elementwise::same_type),
    ("sine", elementwise::same_type),
    ("slice", slicing::slice),
    ("sort", reduction::sort),
    ("sqrt", elementwise::same_type),
    ("subtract", elementwise::same_type),
    ("tan", elementwise::same_type),
    ("tanh", elementwise::same_type),
    ("transpose", shape::transpose),
    ("triangular_solve", linear_algebra::triangular_solve),
    ("tuple", control_flow::tuple),
    ("uniform_dequantize", elementwise::uniform_dequantize),
    ("uniform_quantize", elementwise::uniform_quantize),
    ("while", control_flow::while_loop),
    ("xor", elementwise::same_type),
];

/// Says why an op is invalid, if it is. Ops of other dialects are valid.
pub fn verify(operation: Operation) -> Result<(), String> {
    let Some(name) = name_of(operation).strip_prefix("stablehlo.") else {
        return Ok(());
    };
    match VERIFIERS.binary_search_by_key(&name, |(name, _)| name) {
        Ok(index) => VERIFIERS[index].1(Op(operation)),
        Err(_) => Ok(()),
    }
}

/// Makes MLIR call [`verify`] for every op. Calls after the first do nothing.
pub fn install() {
    let hooks = SemanticsHooks {
        verify: |operation| verify(operation).map_err(VerifyError::new),
        ..SemanticsHooks::default()
    };
    // Whoever was first has installed the same hooks.
    let _ = install_hooks(hooks);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verifiers_are_in_alphabetical_order() {
        assert!(VERIFIERS.is_sorted_by(|left, right| left.0 < right.0));
    }
}
