//! Which function evaluates which op.

use super::{
    call::Call, checks, communication as comm, control_flow, convolution, custom_call, dot,
    dynamic, elementwise, evaluator::Evaluated, fft, gather_scatter, linear_algebra, normalization,
    probes, quantization, random, reduction, scalar, shape, slicing, sort,
};

/// Evaluates an op.
type Evaluate = fn(&Call) -> Evaluated;

/// The ops that are not elementwise, in alphabetical order.
static EVALUATORS: &[(&str, Evaluate)] = &[
    ("check.expect_almost_eq", checks::expect_almost_eq),
    ("check.expect_almost_eq_const", checks::expect_almost_eq),
    ("check.expect_close", checks::expect_close),
    ("check.expect_eq", checks::expect_eq),
    ("check.expect_eq_const", checks::expect_eq),
    ("check.expect_serialized_eq", probes::expect_serialized_eq),
    ("func.call", control_flow::call),
    ("interpreter.print", probes::print),
    ("interpreter.probe", probes::probe),
    ("interpreter.run_parallel", comm::run_parallel),
    ("stablehlo.after_all", control_flow::token),
    ("stablehlo.all_gather", comm::all_gather),
    ("stablehlo.all_reduce", comm::all_reduce),
    ("stablehlo.all_to_all", comm::all_to_all),
    ("stablehlo.async_done", comm::async_done),
    ("stablehlo.async_start", comm::async_start),
    ("stablehlo.batch_norm_grad", normalization::batch_norm_grad),
    (
        "stablehlo.batch_norm_inference",
        normalization::batch_norm_inference,
    ),
    (
        "stablehlo.batch_norm_training",
        normalization::batch_norm_training,
    ),
    ("stablehlo.bitcast_convert", shape::bitcast_convert),
    ("stablehlo.broadcast", shape::broadcast),
    ("stablehlo.broadcast_in_dim", shape::broadcast_in_dim),
    ("stablehlo.case", control_flow::case),
    ("stablehlo.cholesky", linear_algebra::cholesky),
    ("stablehlo.collective_broadcast", comm::collective_broadcast),
    ("stablehlo.collective_permute", comm::collective_permute),
    ("stablehlo.collective_reduce", comm::collective_reduce),
    ("stablehlo.composite", control_flow::composite),
    ("stablehlo.concatenate", slicing::concatenate),
    ("stablehlo.constant", shape::constant),
    ("stablehlo.convolution", convolution::convolution),
    ("stablehlo.create_token", control_flow::token),
    ("stablehlo.cross-replica-sum", comm::cross_replica_sum),
    ("stablehlo.custom_call", custom_call::custom_call),
    ("stablehlo.dot", dot::dot),
    ("stablehlo.dot_general", dot::dot_general),
    (
        "stablehlo.dynamic_broadcast_in_dim",
        dynamic::dynamic_broadcast_in_dim,
    ),
    ("stablehlo.dynamic_conv", convolution::dynamic_conv),
    ("stablehlo.dynamic_gather", gather_scatter::dynamic_gather),
    ("stablehlo.dynamic_iota", dynamic::dynamic_iota),
    ("stablehlo.dynamic_pad", dynamic::dynamic_pad),
    ("stablehlo.dynamic_reshape", dynamic::dynamic_reshape),
    ("stablehlo.dynamic_slice", slicing::dynamic_slice),
    (
        "stablehlo.dynamic_update_slice",
        slicing::dynamic_update_slice,
    ),
    ("stablehlo.einsum", dot::einsum),
    ("stablehlo.fft", fft::fft),
    ("stablehlo.gather", gather_scatter::gather),
    ("stablehlo.get_dimension_size", dynamic::get_dimension_size),
    (
        "stablehlo.get_tuple_element",
        control_flow::get_tuple_element,
    ),
    ("stablehlo.if", control_flow::if_then_else),
    ("stablehlo.infeed", comm::infeed),
    ("stablehlo.iota", shape::iota),
    ("stablehlo.map", reduction::map),
    ("stablehlo.optimization_barrier", control_flow::identity),
    ("stablehlo.outfeed", comm::outfeed),
    ("stablehlo.pad", slicing::pad),
    ("stablehlo.partition_id", comm::partition_id),
    ("stablehlo.real_dynamic_slice", dynamic::real_dynamic_slice),
    ("stablehlo.recv", comm::recv),
    ("stablehlo.reduce", reduction::reduce),
    ("stablehlo.reduce_scatter", comm::reduce_scatter),
    ("stablehlo.reduce_window", reduction::reduce_window),
    ("stablehlo.replica_id", comm::replica_id),
    ("stablehlo.reshape", shape::reshape),
    ("stablehlo.reverse", shape::reverse),
    ("stablehlo.rng", random::rng),
    ("stablehlo.rng_bit_generator", random::rng_bit_generator),
    ("stablehlo.scatter", gather_scatter::scatter),
    (
        "stablehlo.select_and_scatter",
        reduction::select_and_scatter,
    ),
    ("stablehlo.send", comm::send),
    ("stablehlo.set_dimension_size", dynamic::set_dimension_size),
    ("stablehlo.slice", slicing::slice),
    ("stablehlo.sort", sort::sort),
    (
        "stablehlo.torch_index_select",
        gather_scatter::torch_index_select,
    ),
    ("stablehlo.transpose", shape::transpose),
    (
        "stablehlo.triangular_solve",
        linear_algebra::triangular_solve,
    ),
    ("stablehlo.tuple", control_flow::tuple),
    ("stablehlo.unary_einsum", dot::unary_einsum),
    (
        "stablehlo.uniform_dequantize",
        quantization::uniform_dequantize,
    ),
    ("stablehlo.uniform_quantize", quantization::uniform_quantize),
    ("stablehlo.while", control_flow::while_loop),
];

fn evaluator(name: &str) -> Option<Evaluate> {
    match EVALUATORS.binary_search_by_key(&name, |(name, _)| name) {
        Ok(index) => Some(EVALUATORS[index].1),
        Err(_) if name.starts_with("stablehlo.") && scalar::is_elementwise(name) => {
            Some(elementwise::elementwise)
        }
        Err(_) => None,
    }
}

/// Evaluates an op on the values of its operands.
pub fn evaluate(call: &Call) -> Evaluated {
    let evaluate = evaluator(call.op.name()).ok_or("is not interpreted")?;
    if quantization::computes(call) {
        return quantization::evaluate(call, evaluate);
    }
    evaluate(call)
}

/// Whether the interpreter knows an op.
pub fn is_interpreted(name: &str) -> bool {
    matches!(name, "stablehlo.return" | "func.return") || evaluator(name).is_some()
}

/// Whether an op's results follow from its operands alone, without effects and
/// without regard to the process.
pub fn is_pure(name: &str) -> bool {
    let effects = [
        "stablehlo.after_all",
        "stablehlo.case",
        "stablehlo.composite",
        "stablehlo.create_token",
        "stablehlo.custom_call",
        "stablehlo.get_tuple_element",
        "stablehlo.if",
        "stablehlo.optimization_barrier",
        "stablehlo.rng",
        "stablehlo.tuple",
        "stablehlo.while",
    ];
    let communicates = || {
        [
            "all_",
            "async_",
            "collective_",
            "cross-",
            "infeed",
            "outfeed",
            "partition_id",
            "recv",
        ]
        .into_iter()
        .chain(["reduce_scatter", "replica_id", "send"])
        .any(|prefix| name["stablehlo.".len()..].starts_with(prefix))
    };
    name.starts_with("stablehlo.")
        && !effects.contains(&name)
        && !communicates()
        && evaluator(name).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evaluators_are_in_alphabetical_order() {
        assert!(EVALUATORS.is_sorted_by(|left, right| left.0 < right.0));
    }

    #[test]
    fn pure_ops_are_told_from_others() {
        for name in ["stablehlo.add", "stablehlo.reduce", "stablehlo.gather"] {
            assert!(is_pure(name), "{name}");
        }
        for name in [
            "stablehlo.while",
            "stablehlo.all_reduce",
            "func.call",
            "stablehlo.rng",
        ] {
            assert!(!is_pure(name), "{name}");
        }
    }
}
