//! Groups of passes that the pipelines of several devices share, and the phases of all devices that
//! compile through linalg.

use super::phase::Phase;
use halo_codegen::{
    bufferize, cleanup, conversion, convert_to_llvm, fusion, math, widen_bool_memory,
};
use halo_hlo::transforms::{self, collectives, legalize, shapes, simplify};
use halo_ir::{
    ops::func,
    pipeline,
    pipeline::{Pipeline, Step, nest, pass, upstream},
};

/// The first phase. After it, only StableHLO has ops on tensors, and all calls that can be inlined
/// are.
pub const HLO: &str = "hlo";

/// The phase after which a program is calls of kernels over planned buffers.
pub const KERNELS: &str = "kernels";

/// CHLO functions that processors compute with libm.
pub const LIBM: &[&str] = &[
    "acos", "acosh", "asin", "asinh", "atan", "atanh", "erf", "erfc", "top_k",
];

/// CHLO functions that are kept for devices without libm.
pub const NO_LIBM: &[&str] = &["erf", "erfc", "top_k"];

/// Inlining, decomposition and simplification. `kept` are CHLO functions for which the device has
/// better code than StableHLO formulas.
pub fn hlo(kept: &'static [&'static str]) -> Phase {
    hlo_with_products(kept, "floats")
}

/// [`hlo`], with the accumulation type of quantized products: a value of the option `products` of
/// `--stablehlo-legalize-quant-to-math`.
pub fn hlo_with_products(kept: &'static [&'static str], products: &'static str) -> Phase {
    Phase::new(
        HLO,
        "StableHLO after inlining, CHLO decomposition and simplification",
        pipeline![
            &legalize::stablehlo_legalize_composite_to_call::PASS,
            upstream("inline").option("default-pipeline", ""),
            optimize_collectives(),
            &legalize::flatten_tuples::PASS,
            upstream("symbol-dce"),
            decompose(kept, products),
            &simplify::while_loop_unroller::PASS,
            &simplify::stablehlo_aggressive_simplification::PASS,
            clean_up(),
        ],
    )
}

/// Moves, combines and splits collectives, starts them early, and replaces them by sends.
fn optimize_collectives() -> Pipeline {
    pipeline![
        &collectives::hoist_collectives::PASS,
        &collectives::combine_collectives::PASS,
        &collectives::decompose_all_reduces::PASS,
        &collectives::asynchronous_collectives::PASS,
        &collectives::expand_communication::PASS,
    ]
}

/// Replaces ops that other ops of StableHLO express.
fn decompose(kept: &'static [&'static str], products: &'static str) -> Pipeline {
    pipeline![
        pass(&legalize::stablehlo_legalize_deprecated_ops::PASS).option("fail-on-unused", false),
        &legalize::stablehlo_legalize_einsum_to_dot_general::PASS,
        &legalize::stablehlo_legalize_torch_index_select_to_gather::PASS,
        pass(&transforms::quantization::stablehlo_legalize_quant_to_math::PASS)
            .option("products", products),
        &legalize::batch_norm_expander::PASS,
        pass(&legalize::chlo_legalize_to_stablehlo::PASS).option("keep", kept),
        &shapes::stablehlo_canonicalize_dynamism::PASS,
        &shapes::set_dimension_size_expander::PASS,
        &legalize::stablehlo_complex_math_expander::PASS,
        &legalize::rng_bit_generator_expander::PASS,
    ]
}

/// Folding and elimination of common subexpressions.
pub fn clean_up() -> Pipeline {
    pipeline![&cleanup::canonicalize::PASS, &cleanup::cse::PASS]
}

/// Passes that run on each function.
pub fn on_functions(passes: impl Into<Pipeline>) -> Step {
    nest::<func::FuncOp>(passes.into())
}

/// Lowers StableHLO to linalg after `prepared`; with `parallel_sort`, sorts become networks for
/// devices with many threads.
pub fn linalg(prepared: impl Into<Pipeline>, parallel_sort: bool) -> Phase {
    let summary = if parallel_sort {
        "linalg on tensors, for a device of many threads"
    } else {
        "linalg on tensors, one structured op for each op of HLO"
    };
    let conversion = pass(&conversion::stablehlo_legalize_to_linalg::PASS)
        .option("parallel-sort", parallel_sort);
    Phase::new(
        "linalg",
        summary,
        pipeline![
            prepared.into(),
            conversion,
            clean_up(),
            &bufferize::bind_sizes::PASS
        ],
    )
}

/// Fuses producers into consumers; `gathers` fuses them into gathers, `groups` forms loops around
/// them, `siblings` fuses ops into ops with several results.
pub fn fusion(
    gathers: impl Into<Pipeline>,
    groups: impl Into<Pipeline>,
    siblings: impl Into<Pipeline>,
) -> Phase {
    Phase::new(
        "fusion",
        "linalg on tensors after elementwise fusion, and scalars",
        pipeline![
            on_functions(pipeline![
                gathers.into(),
                &fusion::split_concatenations::PASS,
                &fusion::fold_unit_reshapes::PASS,
                &fusion::fuse_elementwise::PASS,
                groups.into(),
                siblings.into(),
                &fusion::rematerialize::PASS,
                &fusion::detensorize::PASS,
            ]),
            clean_up(),
            on_functions(&fusion::uplift_while_to_for::PASS),
        ],
    )
}

/// Bufferizes tensors.
pub fn bufferized() -> Phase {
    Phase::new(
        "bufferized",
        "linalg on buffers, every result with a destination",
        pipeline![
            &bufferize::destination_passing::PASS,
            on_functions(pipeline![
                &bufferize::insert_tensor_copies::PASS,
                upstream("empty-tensor-to-alloc-tensor"),
            ]),
            &bufferize::bufferize::PASS,
            &cleanup::cse::PASS,
            &cleanup::canonicalize::PASS,
            upstream("drop-equivalent-buffer-results"),
            &cleanup::cse::PASS,
        ],
    )
}

/// Lowers loops, vectors and buffers to the LLVM dialect, for processors; the lowering to the
/// runtime's interface comes after it.
pub fn to_llvm_dialect() -> Pipeline {
    pipeline![
        &convert_to_llvm::PASS,
        &widen_bool_memory::PASS,
        &math::bf16_as_integers::PASS,
    ]
}
