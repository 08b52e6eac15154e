//! The kinds of operands and results of each op, which ODS defines in `dialects/stablehlo`.

use crate::semantics::{Dim, Ty};

/// The kinds of operands and results of an op.
pub(crate) struct Kinds {
    /// The name without the dialect.
    pub name: &'static str,
    /// A kind for each operand. The letters stand for `f`loats, booleans (`p`redicates),
    /// `i`ntegers, `s`igned integers, `l` for `i32`, `w` for `f32` and `f64`, `c`omplex numbers,
    /// numbers `q`uantized per tensor or per `a`xis, to`k`ens, `t`uples, and f`u`tures. `0`, `1`
    /// and `2` are ranks, `!` is a static shape, `?` one with at most one bounded dimension, and
    /// `*` any number of operands.
    pub operands: &'static [&'static str],
    pub results: &'static [&'static str],
    /// All operands and results have the same elements.
    pub same_elements: bool,
}

const fn op(
    name: &'static str,
    operands: &'static [&'static str],
    results: &'static [&'static str],
) -> Kinds {
    Kinds {
        name,
        operands,
        results,
        same_elements: false,
    }
}

const fn same(
    name: &'static str,
    operands: &'static [&'static str],
    results: &'static [&'static str],
) -> Kinds {
    Kinds {
        same_elements: true,
        ..op(name, operands, results)
    }
}

/// All ops except `return`, by name.
#[rustfmt::skip]
pub(crate) static OPS: &[Kinds] = &[
    op("abs", &["sfcq"], &["sfq"]),
    op("add", &["fpicqa", "fpicqa"], &["fpicqa"]),
    op("after_all", &["k*"], &["k"]),
    op("all_gather", &["fpicq*"], &["fpicq*"]),
    op("all_reduce", &["fpicq*"], &["fpicq*"]),
    op("all_to_all", &["fpicq*"], &["fpicq*"]),
    op("and", &["pi", "pi"], &["fpicq"]),
    op("async_done", &["u"], &["fpicq*"]),
    op("async_start", &["fpicq*"], &["u"]),
    op("atan2", &["fcq", "fcq"], &["fcq"]),
    same("batch_norm_grad", &["fq", "fq1", "fq1", "fq1", "fq"], &["fq", "fq1", "fq1"]),
    same("batch_norm_inference", &["fq", "fq1", "fq1", "fq1", "fq1"], &["fq"]),
    same("batch_norm_training", &["fq", "fq1", "fq1"], &["fq", "fq1", "fq1"]),
    op("bitcast_convert", &["fpicqa"], &["fpicqa"]),
    same("broadcast", &["fpicq"], &["fpicqa"]),
    op("broadcast_in_dim", &["fpicqa"], &["fpicqa?"]),
    op("case", &["l"], &["fpicqak*"]),
    op("cbrt", &["fcq"], &["fcq"]),
    op("ceil", &["fq"], &["fq"]),
    same("cholesky", &["fcq"], &["fcq"]),
    same("clamp", &["fpicq", "fpicq", "fpicq"], &["fpicq"]),
    op("collective_broadcast", &["fpicq*"], &["fpicq*"]),
    op("collective_permute", &["fpicq"], &["fpicq"]),
    op("collective_reduce", &["fpicq*"], &["fpicq*"]),
    op("compare", &["fpicq", "fpicq"], &["p"]),
    op("complex", &["w", "w"], &["c"]),
    op("composite", &["fpicqakt*"], &["fpicqakt*"]),
    same("concatenate", &["fpicq*"], &["fpicq"]),
    op("constant", &[], &["fpicqa!"]),
    op("convert", &["fpic"], &["fpic"]),
    op("convolution", &["fpicq", "fpicqa"], &["fpicqa"]),
    op("cosine", &["fcq"], &["fcq"]),
    op("count_leading_zeros", &["i"], &["i"]),
    op("create_token", &[], &["k"]),
    op("cross-replica-sum", &["fpicq"], &["fpicq"]),
    op("custom_call", &["fpicqaktu*"], &["fpicqaktu*"]),
    op("divide", &["ifcq", "ifcq"], &["ifcq"]),
    op("dot", &["fpicq", "fpicqa"], &["fpicqa"]),
    op("dot_general", &["fpicq", "fpicqa"], &["fpicqa"]),
    op("dynamic_broadcast_in_dim", &["fpicqa", "i1!"], &["fpicqa"]),
    op("dynamic_conv", &["fpicq", "fpicq", "i2!"], &["fpicq"]),
    op("dynamic_gather", &["fpicq", "i", "i1!"], &["fpicq"]),
    op("dynamic_iota", &["i1!"], &["ifcq"]),
    op("dynamic_pad", &["fpicq", "fpicq0", "i1!", "i1!", "i1!"], &["fpicq"]),
    op("dynamic_reshape", &["fpicqa", "i1!"], &["fpicqa"]),
    op("dynamic_slice", &["fpicq", "i0*"], &["fpicq"]),
    op("dynamic_update_slice", &["fpicq", "fpicq", "i0*"], &["fpicq"]),
    op("einsum", &["fpicq", "fpicq"], &["fpicq"]),
    op("exponential", &["fcq"], &["fcq"]),
    op("exponential_minus_one", &["fcq"], &["fcq"]),
    op("fft", &["fc"], &["fc"]),
    op("floor", &["fq"], &["fq"]),
    op("gather", &["fpicq", "i"], &["fpicq"]),
    op("get_dimension_size", &["fpicqa"], &["l"]),
    op("get_tuple_element", &["t"], &["fpicqakt"]),
    op("if", &["p"], &["fpicqak*"]),
    op("imag", &["fc"], &["f"]),
    op("infeed", &["k"], &["fpicqa!k*"]),
    op("iota", &[], &["ifcq!"]),
    op("is_finite", &["fq"], &["p"]),
    op("log", &["fcq"], &["fcq"]),
    op("log_plus_one", &["fcq"], &["fcq"]),
    op("logistic", &["fcq"], &["fcq"]),
    op("map", &["fpicq*"], &["fpicq"]),
    op("maximum", &["fpicq", "fpicq"], &["fpicq"]),
    op("minimum", &["fpicq", "fpicq"], &["fpicq"]),
    op("multiply", &["fpicq", "fpicq"], &["fpicq"]),
    op("negate", &["ifcq"], &["ifcq"]),
    op("not", &["pi"], &["pi"]),
    op("optimization_barrier", &["fpicqk*"], &["fpicqk*"]),
    op("or", &["pi", "pi"], &["fpicq"]),
    op("outfeed", &["fpicqa*", "k"], &["k"]),
    same("pad", &["fpicq", "fpicq0"], &["fpicq"]),
    op("partition_id", &[], &["i"]),
    op("popcnt", &["i"], &["i"]),
    op("power", &["ifcq", "ifcq"], &["ifcq"]),
    op("real", &["fc"], &["f"]),
    op("real_dynamic_slice", &["fpicq", "i1", "i1", "i1"], &["fpicq"]),
    op("recv", &["k"], &["fpicqa!k*"]),
    op("reduce", &["fpicq*", "fpicq*"], &["fpicq*"]),
    op("reduce_precision", &["fq"], &["fq"]),
    op("reduce_scatter", &["fpicq"], &["fpicq"]),
    op("reduce_window", &["fpicq*", "fpicq*"], &["fpicq*"]),
    op("remainder", &["ifcq", "ifcq"], &["ifcq"]),
    op("replica_id", &[], &["i"]),
    op("reshape", &["fpicqa"], &["fpicqa"]),
    same("reverse", &["fpicq"], &["fpicq"]),
    op("rng", &["pif0", "pif0", "i1!"], &["pif"]),
    op("rng_bit_generator", &["if"], &["if", "if!"]),
    op("round_nearest_afz", &["fq"], &["fq"]),
    op("round_nearest_even", &["fq"], &["fq"]),
    op("rsqrt", &["fcq"], &["fcq"]),
    op("scatter", &["fpicq*", "pi", "fpicq*"], &["fpicq*"]),
    op("select", &["p", "fpicq", "fpicq"], &["fpicq"]),
    op("select_and_scatter", &["fpicq", "fpicq", "fpicq"], &["fpicq"]),
    op("send", &["fpicqa*", "k"], &["k"]),
    op("set_dimension_size", &["fpicq", "l"], &["fpicq"]),
    op("shift_left", &["i", "i"], &["i"]),
    op("shift_right_arithmetic", &["i", "i"], &["i"]),
    op("shift_right_logical", &["i", "i"], &["i"]),
    op("sign", &["sfcq"], &["sfcq"]),
    op("sine", &["fcq"], &["fcq"]),
    same("slice", &["fpicq"], &["fpicq"]),
    op("sort", &["fpicq*"], &["fpicq*"]),
    op("sqrt", &["fcq"], &["fcq"]),
    op("subtract", &["ifcq", "ifcq"], &["ifcq"]),
    op("tan", &["fcq"], &["fcq"]),
    op("tanh", &["fcq"], &["fcq"]),
    op("torch_index_select", &["fpicq", "fpicq"], &["fpicq"]),
    op("transpose", &["fpicqa"], &["fpicqa"]),
    same("triangular_solve", &["fc", "fc"], &["fc"]),
    op("tuple", &["fpicqakt*"], &["t"]),
    op("unary_einsum", &["fpicq"], &["fpicq"]),
    op("uniform_dequantize", &["qa"], &["f"]),
    op("uniform_quantize", &["fqa"], &["qa"]),
    op("while", &["fpicqak*"], &["fpicqak*"]),
    op("xor", &["pi", "pi"], &["fpicq"]),
];

/// The kinds of an op, by its name without the dialect.
pub(crate) fn find(name: &str) -> Option<&'static Kinds> {
    let index = OPS.binary_search_by_key(&name, |op| op.name).ok()?;
    OPS.get(index)
}

/// Returns true for ops of one type without attributes, which have a short syntax.
pub(crate) fn is_elementwise(name: &str) -> bool {
    matches!(
        name,
        "abs"
            | "add"
            | "and"
            | "atan2"
            | "cbrt"
            | "ceil"
            | "cosine"
            | "count_leading_zeros"
            | "divide"
            | "exponential"
            | "exponential_minus_one"
            | "floor"
            | "log"
            | "log_plus_one"
            | "logistic"
            | "maximum"
            | "minimum"
            | "multiply"
            | "negate"
            | "not"
            | "or"
            | "popcnt"
            | "power"
            | "remainder"
            | "round_nearest_afz"
            | "round_nearest_even"
            | "rsqrt"
            | "shift_left"
            | "shift_right_arithmetic"
            | "shift_right_logical"
            | "sign"
            | "sine"
            | "sqrt"
            | "subtract"
            | "tan"
            | "tanh"
            | "xor"
    )
}

/// The kind of each of `count` values; `None` if the op has another number.
pub(crate) fn distribute(kinds: &[&'static str], count: usize) -> Option<Vec<&'static str>> {
    let groups = kinds.iter().filter(|kind| kind.ends_with('*')).count();
    let single = kinds.len() - groups;
    let rest = count.checked_sub(single)?;
    if groups == 0 && rest > 0 || groups > 0 && rest % groups != 0 {
        return None;
    }
    let mut all = Vec::with_capacity(count);
    for kind in kinds {
        let repeat = if kind.ends_with('*') {
            rest / groups
        } else {
            1
        };
        all.extend(std::iter::repeat_n(*kind, repeat));
    }
    Some(all)
}

/// Returns true if a type is of a kind.
pub(crate) fn accepts<T: Ty>(kind: &str, ty: T) -> bool {
    let has = |letter: char| kind.contains(letter);
    if ty.is_token() {
        return has('k');
    }
    if ty.tuple_types().is_some() {
        return has('t');
    }
    if ty.future_types().is_some() {
        return has('u');
    }
    let Some(dims) = ty.dims() else {
        return false;
    };
    for (rank, letter) in ['0', '1', '2'].into_iter().enumerate() {
        if has(letter) && dims.len() != rank {
            return false;
        }
    }
    let is_static = dims.iter().all(|dim| dim.size().is_some());
    let open = dims.iter().filter(|dim| dim.size().is_none()).count();
    let is_bounded = open == 1 && !dims.contains(&Dim::Dynamic);
    if has('!') && !is_static || has('?') && !is_static && !is_bounded {
        return false;
    }
    accepts_element(kind, ty.element_type())
}

fn accepts_element<T: Ty>(kind: &str, element: T) -> bool {
    let has = |letter: char| kind.contains(letter);
    if let Some(quantized) = element.quantized() {
        let is_stored = matches!(quantized.storage.bit_width(), Some(2 | 4 | 8 | 16 | 32));
        return is_stored && has(if quantized.axis.is_some() { 'a' } else { 'q' });
    }
    if let Some(part) = element.complex_element() {
        return has('c') && part.is_float() && matches!(part.bit_width(), Some(32 | 64));
    }
    match element.bit_width() {
        Some(19) | None => false,
        Some(width) if element.is_float() => has('f') || has('w') && matches!(width, 32 | 64),
        Some(1) => has('p'),
        Some(width) => {
            has('i')
                || has('s') && element.is_signless()
                || has('l') && element.is_signless() && width == 32
        }
    }
}

/// The description of a kind for messages.
pub(crate) fn describe(kind: &str) -> String {
    let names = [
        ('f', "floats"),
        ('w', "f32 or f64"),
        ('p', "i1"),
        ('i', "integers"),
        ('s', "signed integers"),
        ('l', "i32"),
        ('c', "complex numbers"),
        ('q', "numbers quantized per tensor"),
        ('a', "numbers quantized per axis"),
    ];
    let elements: Vec<&str> = names
        .iter()
        .filter(|entry| kind.contains(entry.0))
        .map(|entry| entry.1)
        .collect();
    let shape = match kind {
        _ if kind.contains('0') => "a scalar",
        _ if kind.contains('1') => "a vector",
        _ if kind.contains('2') => "a matrix",
        _ => "a tensor",
    };
    let shape = match kind {
        _ if kind.contains('!') => format!("{shape} of static shape"),
        _ if kind.contains('?') => format!("{shape} with at most one bounded dimension"),
        _ => shape.to_owned(),
    };
    let mut all = Vec::new();
    if !elements.is_empty() {
        all.push(format!("{shape} of {}", elements.join(", ")));
    }
    for (letter, name) in [('k', "a token"), ('t', "a tuple"), ('u', "a future")] {
        if kind.contains(letter) {
            all.push(name.to_owned());
        }
    }
    all.join(" or ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn the_table_has_all_ops_in_order() {
        assert!(OPS.is_sorted_by(|a, b| a.name < b.name));
        let families: BTreeSet<&str> = halo_vhlo::ops::all()
            .iter()
            .map(|op| op.family())
            .filter(|family| !["call", "func", "return"].contains(family))
            .collect();
        let names: BTreeSet<&str> = OPS.iter().map(|op| op.name).collect();
        assert_eq!(names, families);
    }

    #[test]
    fn kinds_are_distributed() {
        assert_eq!(distribute(&["f", "i*"], 3), Some(vec!["f", "i*", "i*"]));
        assert_eq!(distribute(&["f*", "i*"], 3), None);
        assert_eq!(distribute(&["f"], 2), None);
    }
}
