//! The table of the rules of StableHLO: for each op the function that infers its results, and the
//! function that checks its other constraints.

use super::{
    communication, control_flow, convolution, dot, dynamic, einsum, elementwise, gather_scatter,
    linear_algebra, prelude::*, reduction, shape, slicing,
};
use std::marker::PhantomData;

/// Verifies the operands, attributes and regions of an op, and infers its results.
pub type Infer<O> = fn(O) -> Inference<<O as Op>::Type>;

/// Verifies the results of an op beyond the inferred types.
pub type Check<O> = fn(O) -> VerifyResult;

/// The static semantics of one op.
#[derive(Clone, Copy)]
pub struct Rule<O: Op> {
    /// The name without the dialect, such as `add`.
    pub name: &'static str,
    /// `None` if the result types cannot be inferred.
    pub infer: Option<Infer<O>>,
    pub check: Option<Check<O>>,
}

/// An op whose results only need the inferred types.
const fn infers<O: Op>(name: &'static str, infer: Infer<O>) -> Rule<O> {
    Rule {
        name,
        infer: Some(infer),
        check: None,
    }
}

/// An op without type inference.
const fn checks<O: Op>(name: &'static str, check: Check<O>) -> Rule<O> {
    Rule {
        name,
        infer: None,
        check: Some(check),
    }
}

/// An op whose results have constraints beyond the inferred types.
const fn both<O: Op>(name: &'static str, infer: Infer<O>, check: Check<O>) -> Rule<O> {
    Rule {
        name,
        infer: Some(infer),
        check: Some(check),
    }
}

struct Rules<'a, O>(PhantomData<&'a O>);

impl<'a, O: Op + 'a> Rules<'a, O> {
    /// The rules of the ops, in alphabetical order of their names. An op that is not here has no
    /// constraints beyond the kinds of its operands and attributes, or is checked by its users:
    /// calls, composites, and custom calls.
    #[rustfmt::skip]
    const ALL: &'a [Rule<O>] = &[
        infers("abs", elementwise::real_part),
        both("add", elementwise::add, elementwise::add_axes),
        infers("after_all", control_flow::token),
        both("all_gather", communication::infer_all_gather, communication::all_gather),
        infers("all_reduce", communication::all_reduce),
        infers("all_to_all", communication::all_to_all),
        infers("and", elementwise::same_type),
        both("async_done", communication::infer_async_done, communication::async_done),
        both("async_start", communication::infer_async_start, communication::async_start),
        infers("atan2", elementwise::same_type),
        infers("batch_norm_grad", linear_algebra::batch_norm),
        infers("batch_norm_inference", linear_algebra::batch_norm),
        infers("batch_norm_training", linear_algebra::batch_norm),
        both("bitcast_convert", shape::infer_bitcast_convert, shape::bitcast_convert),
        infers("broadcast", shape::broadcast),
        checks("broadcast_in_dim", shape::broadcast_in_dim),
        infers("case", control_flow::branches),
        infers("cbrt", elementwise::same_type),
        infers("ceil", elementwise::same_type),
        infers("cholesky", linear_algebra::cholesky),
        infers("clamp", elementwise::clamp),
        infers("collective_broadcast", communication::collective_broadcast),
        infers("collective_permute", communication::collective_permute),
        infers("collective_reduce", communication::collective_reduce),
        infers("compare", elementwise::compare),
        infers("complex", elementwise::complex),
        infers("concatenate", slicing::concatenate),
        both("constant", shape::infer_constant, shape::constant),
        infers("convert", elementwise::convert),
        both("convolution", convolution::infer_convolution, convolution::quantization),
        infers("cosine", elementwise::same_type),
        infers("count_leading_zeros", elementwise::same_type),
        infers("create_token", control_flow::token),
        infers("cross-replica-sum", communication::cross_replica_sum),
        infers("divide", elementwise::same_type),
        infers("dot", dot::dot),
        both("dot_general", dot::infer_dot_general, dot::dot_general),
        both("dynamic_broadcast_in_dim", dynamic::infer_dynamic_broadcast_in_dim, dynamic::dynamic_broadcast_in_dim),
        both("dynamic_conv", convolution::infer_dynamic_conv, convolution::quantization),
        infers("dynamic_gather", gather_scatter::dynamic_gather),
        both("dynamic_iota", dynamic::infer_dynamic_iota, dynamic::dynamic_iota),
        infers("dynamic_pad", dynamic::dynamic_pad),
        both("dynamic_reshape", dynamic::infer_dynamic_reshape, dynamic::dynamic_reshape),
        infers("dynamic_slice", slicing::dynamic_slice),
        infers("dynamic_update_slice", slicing::dynamic_update_slice),
        infers("einsum", einsum::einsum),
        infers("exponential", elementwise::same_type),
        infers("exponential_minus_one", elementwise::same_type),
        infers("fft", linear_algebra::fft),
        infers("floor", elementwise::same_type),
        infers("gather", gather_scatter::gather),
        infers("get_dimension_size", slicing::get_dimension_size),
        both("get_tuple_element", control_flow::get_tuple_element, control_flow::tuple_element),
        infers("if", control_flow::branches),
        infers("imag", elementwise::real_part),
        checks("infeed", communication::infeed),
        checks("iota", shape::iota),
        infers("is_finite", elementwise::is_finite),
        infers("log", elementwise::same_type),
        infers("log_plus_one", elementwise::same_type),
        infers("logistic", elementwise::same_type),
        infers("map", reduction::map),
        infers("maximum", elementwise::same_type),
        infers("minimum", elementwise::same_type),
        infers("multiply", elementwise::same_type),
        infers("negate", elementwise::same_type),
        infers("not", elementwise::same_type),
        infers("optimization_barrier", control_flow::operand_types),
        infers("or", elementwise::same_type),
        infers("outfeed", control_flow::token),
        infers("pad", slicing::pad),
        infers("partition_id", communication::process_id),
        infers("popcnt", elementwise::same_type),
        infers("power", elementwise::same_type),
        infers("real", elementwise::real_part),
        infers("real_dynamic_slice", dynamic::real_dynamic_slice),
        checks("recv", communication::recv),
        infers("reduce", reduction::reduce),
        infers("reduce_precision", elementwise::same_type),
        both("reduce_scatter", communication::infer_reduce_scatter, communication::reduce_scatter),
        infers("reduce_window", reduction::reduce_window),
        infers("remainder", elementwise::same_type),
        infers("replica_id", communication::process_id),
        checks("reshape", shape::reshape),
        infers("reverse", shape::reverse),
        infers("rng", dynamic::rng),
        checks("rng_bit_generator", dynamic::rng_bit_generator),
        infers("round_nearest_afz", elementwise::same_type),
        infers("round_nearest_even", elementwise::same_type),
        infers("rsqrt", elementwise::same_type),
        infers("scatter", gather_scatter::scatter),
        infers("select", elementwise::select),
        infers("select_and_scatter", reduction::select_and_scatter),
        infers("send", communication::send),
        infers("set_dimension_size", slicing::set_dimension_size),
        infers("shift_left", elementwise::same_type),
        infers("shift_right_arithmetic", elementwise::same_type),
        infers("shift_right_logical", elementwise::same_type),
        infers("sign", elementwise::same_type),
        infers("sine", elementwise::same_type),
        infers("slice", slicing::slice),
        infers("sort", reduction::sort),
        infers("sqrt", elementwise::same_type),
        infers("subtract", elementwise::same_type),
        infers("tan", elementwise::same_type),
        infers("tanh", elementwise::same_type),
        infers("torch_index_select", slicing::torch_index_select),
        both("transpose", shape::infer_transpose, shape::transpose),
        infers("triangular_solve", linear_algebra::triangular_solve),
        both("tuple", control_flow::infer_tuple, control_flow::tuple),
        infers("unary_einsum", einsum::einsum),
        infers("uniform_dequantize", elementwise::uniform_dequantize),
        both("uniform_quantize", elementwise::convert, elementwise::uniform_quantize),
        infers("while", control_flow::while_loop),
        infers("xor", elementwise::same_type),
    ];
}

/// The rule of an op, by its name without the dialect.
pub fn rule_of<O: Op>(name: &str) -> Option<Rule<O>> {
    let rules = Rules::<O>::ALL;
    let index = rules.binary_search_by_key(&name, |rule| rule.name).ok()?;
    rules.get(index).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{kinds, planned::Planned};

    #[test]
    fn rules_are_of_ops_in_alphabetical_order() {
        let rules = Rules::<Planned>::ALL;
        assert!(rules.is_sorted_by(|left, right| left.name < right.name));
        for rule in rules {
            assert!(kinds::find(rule.name).is_some(), "{}", rule.name);
        }
    }
}
