//! Tensors without elements: whatever makes one, it is the empty constant.

use super::Options;
use crate::{matchers::ensure, transforms::emit};
use halo_ir::{
    Builder, Operation, OptionPattern, RewriteResult, attribute_of, defining_operation,
    dense_empty, is_unused, name_of, operands_of, result_types_of, results_of, set_operand,
};
use melior::ir::{ValueLike, attribute::BoolAttribute};

/// Ops without effects of their own; those with regions do what is in them,
/// which stays.
static OPS: &[&str] = &[
    "abs",
    "add",
    "and",
    "atan2",
    "batch_norm_grad",
    "batch_norm_inference",
    "batch_norm_training",
    "bitcast_convert",
    "broadcast",
    "broadcast_in_dim",
    "case",
    "cbrt",
    "ceil",
    "cholesky",
    "clamp",
    "compare",
    "complex",
    "composite",
    "concatenate",
    "convert",
    "convolution",
    "cosine",
    "count_leading_zeros",
    "custom_call",
    "divide",
    "dot",
    "dot_general",
    "dynamic_broadcast_in_dim",
    "dynamic_conv",
    "dynamic_gather",
    "dynamic_iota",
    "dynamic_pad",
    "dynamic_reshape",
    "dynamic_slice",
    "dynamic_update_slice",
    "einsum",
    "exponential",
    "exponential_minus_one",
    "fft",
    "floor",
    "gather",
    "get_dimension_size",
    "get_tuple_element",
    "if",
    "imag",
    "iota",
    "is_finite",
    "log",
    "log_plus_one",
    "logistic",
    "map",
    "maximum",
    "minimum",
    "multiply",
    "negate",
    "not",
    "optimization_barrier",
    "or",
    "pad",
    "popcnt",
    "power",
    "real",
    "real_dynamic_slice",
    "reduce",
    "reduce_precision",
    "reduce_window",
    "remainder",
    "reshape",
    "reverse",
    "rng_bit_generator",
    "round_nearest_afz",
    "round_nearest_even",
    "rsqrt",
    "scatter",
    "select",
    "select_and_scatter",
    "set_dimension_size",
    "shift_left",
    "shift_right_arithmetic",
    "shift_right_logical",
    "sign",
    "sine",
    "slice",
    "sort",
    "sqrt",
    "subtract",
    "tan",
    "tanh",
    "torch_index_select",
    "transpose",
    "triangular_solve",
    "tuple",
    "unary_einsum",
    "uniform_dequantize",
    "uniform_quantize",
    "while",
    "xor",
];

pub(super) fn patterns() -> impl Iterator<Item = OptionPattern<Options>> {
    static NAMES: std::sync::LazyLock<Vec<&'static str>> = std::sync::LazyLock::new(|| {
        OPS.iter()
            .map(|name| &*format!("stablehlo.{name}").leak())
            .collect()
    });
    NAMES.iter().map(|name| OptionPattern {
        // What a loop hands on unchanged is captured, unless it is nothing.
        benefit: if *name == "stablehlo.while" { 2 } else { 1 },
        ..OptionPattern::new(name, empty_constants)
    })
}

/// Results and operands without elements -> `constant dense<>`
fn empty_constants<'c>(b: &Builder<'c>, op: Operation<'c>, _: &Options) -> RewriteResult {
    ensure(!has_effects(op))?;
    let mut changed = false;
    for (result, r#type) in results_of(op).into_iter().zip(result_types_of(op)) {
        if is_unused(result) {
            continue;
        }
        if let Some(empty) = dense_empty(r#type) {
            let constant = emit::constant(b, empty, r#type)?;
            b.replace_uses(result, constant);
            changed = true;
        }
    }
    for (index, operand) in operands_of(op).into_iter().enumerate() {
        let is_constant = defining_operation(operand)
            .is_some_and(|(definition, _)| name_of(definition) == "stablehlo.constant");
        if is_constant {
            continue;
        }
        if let Some(empty) = dense_empty(operand.r#type()) {
            let constant = emit::constant(b, empty, operand.r#type())?;
            b.modify(op, || set_operand(op, index, constant));
            changed = true;
        }
    }
    ensure(changed)
}

/// Whether an op may do more than give its results.
fn has_effects(op: Operation) -> bool {
    match name_of(op) {
        "stablehlo.custom_call" => attribute_of(op, "has_side_effect")
            .and_then(halo_ir::attribute_as::<BoolAttribute>)
            .is_none_or(|flag| flag.value()),
        "stablehlo.composite" => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn ops_are_in_alphabetical_order() {
        assert!(super::OPS.is_sorted());
    }
}
