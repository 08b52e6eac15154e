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
//! small attributes only, never at the elements of a tensor, and builds text
//! only for a message. The one constant it reads is a computed shape.

mod body;
mod communication;
mod control_flow;
mod convolution;
mod custom_call;
mod dynamic;
mod elementwise;
mod gather_scatter;
mod linear_algebra;
pub(crate) mod op;
pub(crate) mod quantization;
mod reduction;
mod shape;
mod slicing;
pub(crate) mod tensor;
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
    ("all_gather", communication::all_gather),
    ("all_reduce", communication::all_reduce),
    ("all_to_all", communication::all_to_all),
    ("and", elementwise::same_type),
    ("async_done", communication::async_done),
    ("async_start", communication::async_start),
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
    ("collective_broadcast", communication::collective_broadcast),
    ("collective_permute", communication::collective_permute),
    ("collective_reduce", communication::collective_reduce),
    ("compare", elementwise::compare),
    ("complex", elementwise::complex),
    ("composite", custom_call::composite),
    ("concatenate", slicing::concatenate),
    ("constant", shape::constant),
    ("convert", elementwise::same_shape),
    ("convolution", convolution::convolution),
    ("cosine", elementwise::same_type),
    ("count_leading_zeros", elementwise::same_type),
    ("custom_call", custom_call::custom_call),
    ("divide", elementwise::same_type),
    ("dot", linear_algebra::dot),
    ("dot_general", linear_algebra::dot_general),
    (
        "dynamic_broadcast_in_dim",
        dynamic::dynamic_broadcast_in_dim,
    ),
    ("dynamic_conv", convolution::dynamic_conv),
    ("dynamic_gather", gather_scatter::dynamic_gather),
    ("dynamic_iota", dynamic::dynamic_iota),
    ("dynamic_pad", dynamic::dynamic_pad),
    ("dynamic_reshape", dynamic::dynamic_reshape),
    ("dynamic_slice", slicing::dynamic_slice),
    ("dynamic_update_slice", slicing::dynamic_update_slice),
    ("exponential", elementwise::same_type),
    ("exponential_minus_one", elementwise::same_type),
    ("fft", linear_algebra::fft),
    ("floor", elementwise::same_type),
    ("gather", gather_scatter::gather),
    ("get_dimension_size", slicing::get_dimension_size),
    ("get_tuple_element", control_flow::get_tuple_element),
    ("if", control_flow::branches),
    ("imag", elementwise::real_part),
    ("infeed", communication::infeed),
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
    ("real_dynamic_slice", dynamic::real_dynamic_slice),
    ("recv", communication::recv),
    ("reduce", reduction::reduce),
    ("reduce_precision", elementwise::same_type),
    ("reduce_scatter", communication::reduce_scatter),
    ("reduce_window", reduction::reduce_window),
    ("remainder", elementwise::same_type),
    ("reshape", shape::reshape),
    ("reverse", shape::reverse),
    ("rng", dynamic::rng),
    ("rng_bit_generator", dynamic::rng_bit_generator),
    ("round_nearest_afz", elementwise::same_type),
    ("round_nearest_even", elementwise::same_type),
    ("rsqrt", elementwise::same_type),
    ("scatter", gather_scatter::scatter),
    ("select", elementwise::select),
    ("select_and_scatter", reduction::select_and_scatter),
    ("send", communication::send),
    ("set_dimension_size", dynamic::set_dimension_size),
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
    let op = Op(operation);
    for (subject, r#type) in op.operands().chain(op.results()) {
        quantization::expect_wellformed(subject, r#type)?;
    }
    match VERIFIERS.binary_search_by_key(&name, |(name, _)| name) {
        Ok(index) => VERIFIERS[index].1(op),
        Err(_) => Ok(()),
    }
}

/// Says why the symbols that an op names are invalid, if they are.
fn verify_symbol_uses(operation: Operation) -> Result<(), String> {
    match name_of(operation) {
        "stablehlo.composite" => custom_call::composite_symbols(Op(operation)),
        _ => Ok(()),
    }
}

/// Makes MLIR call [`verify`] for every op. Calls after the first do nothing.
pub fn install() {
    let hooks = SemanticsHooks {
        verify: |operation| verify(operation).map_err(VerifyError::new),
        verify_symbol_uses: |operation| verify_symbol_uses(operation).map_err(VerifyError::new),
        fold: crate::folding::fold,
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
