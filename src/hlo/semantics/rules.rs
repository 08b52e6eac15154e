//! Which function infers the results of which op, and which checks what is left.

use super::{
    checks, chlo, communication, control_flow, convolution, custom_call, dot, dynamic, einsum,
    elementwise, gather_scatter, inferred::Inference, linear_algebra, op::Op, reduction, shape,
    slicing, tensor::Verdict,
};

/// Judges the operands, attributes and regions of an op and tells what follows
/// for its results.
pub type Infer = for<'c> fn(Op<'c>) -> Inference<'c>;

/// Judges the results of an op against the rest, beyond what is inferred.
pub type Check = fn(Op) -> Verdict;

/// The semantics of one op before anything runs.
pub struct Rule {
    /// The name of the op.
    pub name: &'static str,
    /// `None` where the results are the program's to choose.
    pub infer: Option<Infer>,
    pub check: Option<Check>,
}

/// An op whose results need only be what is inferred.
const fn infers(name: &'static str, infer: Infer) -> Rule {
    Rule {
        name,
        infer: Some(infer),
        check: None,
    }
}

/// An op about whose results nothing is inferred.
const fn checks(name: &'static str, check: Check) -> Rule {
    Rule {
        name,
        infer: None,
        check: Some(check),
    }
}

/// An op whose results must satisfy more than what is inferred.
const fn both(name: &'static str, infer: Infer, check: Check) -> Rule {
    Rule {
        name,
        infer: Some(infer),
        check: Some(check),
    }
}

/// The rules of the ops, in alphabetical order of their names. An op that is not here has no constraints beyond ODS.
static RULES: &[Rule] = &[
    checks("check.expect_close", checks::expect_close),
    infers("chlo._asin_acos_kernel", chlo::same_type),
    infers("chlo.acos", chlo::same_type),
    infers("chlo.acosh", chlo::same_type),
    infers("chlo.asin", chlo::same_type),
    infers("chlo.asinh", chlo::same_type),
    infers("chlo.atan", chlo::same_type),
    infers("chlo.atanh", chlo::same_type),
    infers("chlo.bessel_i1e", chlo::same_type),
    infers("chlo.broadcast_add", chlo::broadcast::same_type),
    infers("chlo.broadcast_and", chlo::broadcast::same_type),
    infers("chlo.broadcast_atan2", chlo::broadcast::same_type),
    infers("chlo.broadcast_compare", chlo::broadcast::compare),
    infers("chlo.broadcast_complex", chlo::broadcast::complex),
    infers("chlo.broadcast_divide", chlo::broadcast::same_type),
    infers("chlo.broadcast_maximum", chlo::broadcast::same_type),
    infers("chlo.broadcast_minimum", chlo::broadcast::same_type),
    infers("chlo.broadcast_multiply", chlo::broadcast::same_type),
    infers("chlo.broadcast_next_after", chlo::broadcast::same_type),
    infers("chlo.broadcast_or", chlo::broadcast::same_type),
    infers("chlo.broadcast_polygamma", chlo::broadcast::same_type),
    infers("chlo.broadcast_power", chlo::broadcast::same_type),
    infers("chlo.broadcast_remainder", chlo::broadcast::same_type),
    infers("chlo.broadcast_select", chlo::broadcast::select),
    infers("chlo.broadcast_shift_left", chlo::broadcast::same_type),
    infers(
        "chlo.broadcast_shift_right_arithmetic",
        chlo::broadcast::same_type,
    ),
    infers(
        "chlo.broadcast_shift_right_logical",
        chlo::broadcast::same_type,
    ),
    infers("chlo.broadcast_subtract", chlo::broadcast::same_type),
    infers("chlo.broadcast_xor", chlo::broadcast::same_type),
    infers("chlo.broadcast_zeta", chlo::broadcast::same_type),
    infers("chlo.conj", chlo::same_type),
    infers("chlo.constant", chlo::constant),
    infers("chlo.constant_like", chlo::constant_like),
    infers("chlo.cosh", chlo::same_type),
    infers("chlo.digamma", chlo::same_type),
    infers("chlo.erf", chlo::same_type),
    infers("chlo.erf_inv", chlo::same_type),
    infers("chlo.erfc", chlo::same_type),
    infers("chlo.is_inf", chlo::predicate),
    infers("chlo.is_neg_inf", chlo::predicate),
    infers("chlo.is_pos_inf", chlo::predicate),
    infers("chlo.lgamma", chlo::same_type),
    infers("chlo.mulhi", chlo::same_type),
    infers("chlo.next_after", chlo::same_type),
    infers("chlo.polygamma", chlo::same_type),
    infers("chlo.ragged_dot", chlo::ragged_dot::ragged_dot),
    infers("chlo.scan", chlo::scan::scan),
    infers("chlo.sinh", chlo::same_type),
    infers("chlo.square", chlo::same_type),
    infers("chlo.tan", chlo::same_type),
    infers("chlo.top_k", chlo::top_k),
    infers("chlo.zeta", chlo::same_type),
    checks("interpreter.run_parallel", checks::run_parallel),
    infers("stablehlo.abs", elementwise::real_part),
    both("stablehlo.add", elementwise::add, elementwise::add_axes),
    infers("stablehlo.after_all", control_flow::token),
    both(
        "stablehlo.all_gather",
        communication::infer_all_gather,
        communication::all_gather,
    ),
    infers("stablehlo.all_reduce", communication::all_reduce),
    infers("stablehlo.all_to_all", communication::all_to_all),
    infers("stablehlo.and", elementwise::same_type),
    both(
        "stablehlo.async_done",
        communication::infer_async_done,
        communication::async_done,
    ),
    both(
        "stablehlo.async_start",
        communication::infer_async_start,
        communication::async_start,
    ),
    infers("stablehlo.atan2", elementwise::same_type),
    infers("stablehlo.batch_norm_grad", linear_algebra::batch_norm),
    infers("stablehlo.batch_norm_inference", linear_algebra::batch_norm),
    infers("stablehlo.batch_norm_training", linear_algebra::batch_norm),
    both(
        "stablehlo.bitcast_convert",
        shape::infer_bitcast_convert,
        shape::bitcast_convert,
    ),
    infers("stablehlo.broadcast", shape::broadcast),
    checks("stablehlo.broadcast_in_dim", shape::broadcast_in_dim),
    infers("stablehlo.case", control_flow::branches),
    infers("stablehlo.cbrt", elementwise::same_type),
    infers("stablehlo.ceil", elementwise::same_type),
    infers("stablehlo.cholesky", linear_algebra::cholesky),
    infers("stablehlo.clamp", elementwise::clamp),
    infers(
        "stablehlo.collective_broadcast",
        communication::collective_broadcast,
    ),
    infers(
        "stablehlo.collective_permute",
        communication::collective_permute,
    ),
    infers(
        "stablehlo.collective_reduce",
        communication::collective_reduce,
    ),
    infers("stablehlo.compare", elementwise::compare),
    infers("stablehlo.complex", elementwise::complex),
    checks("stablehlo.composite", custom_call::composite),
    infers("stablehlo.concatenate", slicing::concatenate),
    both("stablehlo.constant", shape::infer_constant, shape::constant),
    infers("stablehlo.convert", elementwise::convert),
    both(
        "stablehlo.convolution",
        convolution::infer_convolution,
        convolution::quantization,
    ),
    infers("stablehlo.cosine", elementwise::same_type),
    infers("stablehlo.count_leading_zeros", elementwise::same_type),
    infers("stablehlo.create_token", control_flow::token),
    infers(
        "stablehlo.cross-replica-sum",
        communication::cross_replica_sum,
    ),
    checks("stablehlo.custom_call", custom_call::custom_call),
    infers("stablehlo.divide", elementwise::same_type),
    infers("stablehlo.dot", dot::dot),
    both(
        "stablehlo.dot_general",
        dot::infer_dot_general,
        dot::dot_general,
    ),
    both(
        "stablehlo.dynamic_broadcast_in_dim",
        dynamic::infer_dynamic_broadcast_in_dim,
        dynamic::dynamic_broadcast_in_dim,
    ),
    both(
        "stablehlo.dynamic_conv",
        convolution::infer_dynamic_conv,
        convolution::quantization,
    ),
    infers("stablehlo.dynamic_gather", gather_scatter::dynamic_gather),
    both(
        "stablehlo.dynamic_iota",
        dynamic::infer_dynamic_iota,
        dynamic::dynamic_iota,
    ),
    infers("stablehlo.dynamic_pad", dynamic::dynamic_pad),
    both(
        "stablehlo.dynamic_reshape",
        dynamic::infer_dynamic_reshape,
        dynamic::dynamic_reshape,
    ),
    infers("stablehlo.dynamic_slice", slicing::dynamic_slice),
    infers(
        "stablehlo.dynamic_update_slice",
        slicing::dynamic_update_slice,
    ),
    infers("stablehlo.einsum", einsum::einsum),
    infers("stablehlo.exponential", elementwise::same_type),
    infers("stablehlo.exponential_minus_one", elementwise::same_type),
    infers("stablehlo.fft", linear_algebra::fft),
    infers("stablehlo.floor", elementwise::same_type),
    infers("stablehlo.gather", gather_scatter::gather),
    infers("stablehlo.get_dimension_size", slicing::get_dimension_size),
    both(
        "stablehlo.get_tuple_element",
        control_flow::get_tuple_element,
        control_flow::tuple_element,
    ),
    infers("stablehlo.if", control_flow::branches),
    infers("stablehlo.imag", elementwise::real_part),
    checks("stablehlo.infeed", communication::infeed),
    checks("stablehlo.iota", shape::iota),
    infers("stablehlo.is_finite", elementwise::is_finite),
    infers("stablehlo.log", elementwise::same_type),
    infers("stablehlo.log_plus_one", elementwise::same_type),
    infers("stablehlo.logistic", elementwise::same_type),
    infers("stablehlo.map", reduction::map),
    infers("stablehlo.maximum", elementwise::same_type),
    infers("stablehlo.minimum", elementwise::same_type),
    infers("stablehlo.multiply", elementwise::same_type),
    infers("stablehlo.negate", elementwise::same_type),
    infers("stablehlo.not", elementwise::same_type),
    infers(
        "stablehlo.optimization_barrier",
        control_flow::operand_types,
    ),
    infers("stablehlo.or", elementwise::same_type),
    infers("stablehlo.outfeed", control_flow::token),
    infers("stablehlo.pad", slicing::pad),
    infers("stablehlo.partition_id", communication::process_id),
    infers("stablehlo.popcnt", elementwise::same_type),
    infers("stablehlo.power", elementwise::same_type),
    infers("stablehlo.real", elementwise::real_part),
    infers("stablehlo.real_dynamic_slice", dynamic::real_dynamic_slice),
    checks("stablehlo.recv", communication::recv),
    infers("stablehlo.reduce", reduction::reduce),
    infers("stablehlo.reduce_precision", elementwise::same_type),
    both(
        "stablehlo.reduce_scatter",
        communication::infer_reduce_scatter,
        communication::reduce_scatter,
    ),
    infers("stablehlo.reduce_window", reduction::reduce_window),
    infers("stablehlo.remainder", elementwise::same_type),
    infers("stablehlo.replica_id", communication::process_id),
    checks("stablehlo.reshape", shape::reshape),
    infers("stablehlo.reverse", shape::reverse),
    infers("stablehlo.rng", dynamic::rng),
    checks("stablehlo.rng_bit_generator", dynamic::rng_bit_generator),
    infers("stablehlo.round_nearest_afz", elementwise::same_type),
    infers("stablehlo.round_nearest_even", elementwise::same_type),
    infers("stablehlo.rsqrt", elementwise::same_type),
    infers("stablehlo.scatter", gather_scatter::scatter),
    infers("stablehlo.select", elementwise::select),
    infers(
        "stablehlo.select_and_scatter",
        reduction::select_and_scatter,
    ),
    infers("stablehlo.send", communication::send),
    infers("stablehlo.set_dimension_size", slicing::set_dimension_size),
    infers("stablehlo.shift_left", elementwise::same_type),
    infers("stablehlo.shift_right_arithmetic", elementwise::same_type),
    infers("stablehlo.shift_right_logical", elementwise::same_type),
    infers("stablehlo.sign", elementwise::same_type),
    infers("stablehlo.sine", elementwise::same_type),
    infers("stablehlo.slice", slicing::slice),
    infers("stablehlo.sort", reduction::sort),
    infers("stablehlo.sqrt", elementwise::same_type),
    infers("stablehlo.subtract", elementwise::same_type),
    infers("stablehlo.tan", elementwise::same_type),
    infers("stablehlo.tanh", elementwise::same_type),
    infers("stablehlo.torch_index_select", slicing::torch_index_select),
    both(
        "stablehlo.transpose",
        shape::infer_transpose,
        shape::transpose,
    ),
    infers(
        "stablehlo.triangular_solve",
        linear_algebra::triangular_solve,
    ),
    both(
        "stablehlo.tuple",
        control_flow::infer_tuple,
        control_flow::tuple,
    ),
    infers("stablehlo.unary_einsum", einsum::einsum),
    infers(
        "stablehlo.uniform_dequantize",
        elementwise::uniform_dequantize,
    ),
    both(
        "stablehlo.uniform_quantize",
        elementwise::convert,
        elementwise::uniform_quantize,
    ),
    infers("stablehlo.while", control_flow::while_loop),
    infers("stablehlo.xor", elementwise::same_type),
];

/// The rule of an op, by its name.
pub fn rule_of(name: &str) -> Option<&'static Rule> {
    let index = RULES.binary_search_by_key(&name, |rule| rule.name).ok()?;
    RULES.get(index)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_in_alphabetical_order() {
        assert!(RULES.is_sorted_by(|left, right| left.name < right.name));
    }
}
