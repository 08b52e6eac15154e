//! Phases shared by all backends that compile through linalg, and passes shared by several phases.

use super::Phase;
use halo_codegen::{
    bufferize, cleanup, conversion, convert_to_llvm, fusion, math, widen_bool_memory,
};
use halo_hlo::transforms;
use halo_ir::{
    ops::func,
    pipeline,
    pipeline::{Pipeline, ScheduledPass, nest, pass, upstream},
};

/// The first phase. After it, only StableHLO has ops on tensors, and all calls that can be inlined
/// are.
pub const HLO: &str = "hlo";

/// The phase after which a program is calls of kernels over planned buffers.
pub const KERNELS: &str = "kernels";

/// Lowers loops, vectors and buffers to the LLVM dialect, for processors; the lowering to the
/// runtime's interface comes after it.
pub fn to_llvm_dialect() -> Pipeline {
    pipeline![
        &convert_to_llvm::PASS,
        &widen_bool_memory::PASS,
        &math::bf16_as_integers::PASS,
    ]
}

/// CHLO functions that processors compute with libm.
pub const LIBM: &[&str] = &[
    "acos", "acosh", "asin", "asinh", "atan", "atanh", "erf", "erfc", "top_k",
];

/// CHLO functions that are kept for devices without libm.
pub const NO_LIBM: &[&str] = &["top_k"];

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
            &transforms::legalize::stablehlo_legalize_composite_to_call::PASS,
            upstream("inline").option("default-pipeline", ""),
            &transforms::collectives::hoist_collectives::PASS,
            &transforms::collectives::combine_collectives::PASS,
            &transforms::collectives::decompose_all_reduces::PASS,
            &transforms::collectives::asynchronous_collectives::PASS,
            &transforms::collectives::expand_communication::PASS,
            &transforms::legalize::flatten_tuples::PASS,
            upstream("symbol-dce"),
            pass(&transforms::legalize::stablehlo_legalize_deprecated_ops::PASS)
                .option("fail-on-unused", false),
            &transforms::legalize::stablehlo_legalize_einsum_to_dot_general::PASS,
            &transforms::legalize::stablehlo_legalize_torch_index_select_to_gather::PASS,
            pass(&transforms::quantization::stablehlo_legalize_quant_to_math::PASS)
                .option("products", products),
            &transforms::legalize::batch_norm_expander::PASS,
            pass(&transforms::legalize::chlo_legalize_to_stablehlo::PASS).option("keep", kept),
            &transforms::shapes::stablehlo_canonicalize_dynamism::PASS,
            &transforms::shapes::set_dimension_size_expander::PASS,
            &transforms::legalize::stablehlo_complex_math_expander::PASS,
            &transforms::legalize::rng_bit_generator_expander::PASS,
            &transforms::simplify::while_loop_unroller::PASS,
            &transforms::simplify::stablehlo_aggressive_simplification::PASS,
            &cleanup::canonicalize::PASS,
            &cleanup::cse::PASS,
        ],
    )
}

/// Lowers StableHLO to linalg; with `parallel_sort`, sorts become networks for devices with many
/// threads.
pub fn linalg(parallel_sort: bool) -> Phase {
    let mut long_sums = pass(&transforms::simplify::split_long_sums::PASS);
    if parallel_sort {
        // Each thread sums a part of k.
        long_sums = long_sums.option("block", 4096);
    }
    linalg_with(parallel_sort, long_sums)
}

/// [`linalg`], with the pass `--halo-split-long-sums`.
pub fn linalg_with(parallel_sort: bool, long_sums: ScheduledPass) -> Phase {
    let summary = if parallel_sort {
        "linalg on tensors, for a device of many threads"
    } else {
        "linalg on tensors, one structured op for each op of HLO"
    };
    Phase::new(
        "linalg",
        summary,
        pipeline![
            long_sums,
            pass(&conversion::stablehlo_legalize_to_linalg::PASS)
                .option("parallel-sort", parallel_sort),
            &cleanup::canonicalize::PASS,
            &cleanup::cse::PASS,
        ],
    )
}

/// Fuses producers into consumers; `groups` forms loops around them.
pub fn fusion(groups: Pipeline) -> Phase {
    let mut joined = pipeline![
        &fusion::fuse_gathers::PASS,
        &fusion::split_concatenations::PASS,
        &fusion::fold_unit_reshapes::PASS,
        &fusion::fuse_elementwise::PASS,
    ];
    joined.append(groups);
    joined.append(pipeline![
        &fusion::fuse_multi_output::PASS,
        &fusion::rematerialize::PASS,
        &fusion::detensorize::PASS,
    ]);
    Phase::new(
        "fusion",
        "linalg on tensors after elementwise fusion, and scalars",
        pipeline![
            nest::<func::FuncOp>(joined),
            &cleanup::canonicalize::PASS,
            &cleanup::cse::PASS,
            nest::<func::FuncOp>(pipeline![&fusion::uplift_while_to_for::PASS]),
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
            nest::<func::FuncOp>(pipeline![
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
