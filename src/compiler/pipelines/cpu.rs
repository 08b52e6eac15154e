//! The pipeline from StableHLO to the LLVM dialect for CPUs.

use super::{
    Phase,
    common::{LIBM, bufferized, fusion, hlo_with_products, linalg_with, to_llvm_dialect},
};
use halo_codegen::{
    bufferize::buffer_assignment,
    cleanup,
    cpu::{
        self,
        dot_product::{Bf16Products, IntegerProducts, outer_products::OuterProducts},
    },
    fusion::{fold_add_into_dest, form_fusion_groups, fuse_contraction_chains, split_reductions},
    math,
};
use halo_hlo::transforms::simplify::split_long_sums;
use halo_ir::{
    ops::func,
    pipeline,
    pipeline::{nest, pass, upstream},
};

/// The properties of the target processor that passes use.
#[derive(Clone, Debug)]
pub struct Parameters {
    /// The vector register width, in bits.
    pub vector_bits: u32,
    /// The number of vector registers.
    pub vector_registers: u32,
    /// Bytes of the first and the second cache of a core.
    pub first_cache: u32,
    pub second_cache: u32,
    /// The bf16 dot products of the processor.
    pub bf16_products: Bf16Products,
    /// The integer dot products of the processor.
    pub integer_products: IntegerProducts,
    /// The SME outer products, and their vector length in bits.
    pub outer_products: OuterProducts,
    pub streaming_bits: Option<u32>,
    /// Set if programs request AMX tiles from the system.
    pub requests_tiles: bool,
    /// The SVE register length in bits.
    pub sve_bits: Option<u32>,
    /// Set if programs check both lengths at run time, and if the target is Linux.
    pub checks_lengths: bool,
    pub is_for_linux: bool,
    /// Set for the baseline tier.
    pub is_quick: bool,
}

impl Parameters {
    /// The parameters of the pipelines of `halo-opt`.
    pub const REFERENCE: Self = Self {
        vector_bits: 256,
        vector_registers: 16,
        first_cache: 32 << 10,
        second_cache: 512 << 10,
        bf16_products: Bf16Products::None,
        integer_products: IntegerProducts::None,
        outer_products: OuterProducts::None,
        streaming_bits: None,
        requests_tiles: false,
        sve_bits: None,
        checks_lengths: false,
        is_for_linux: true,
        is_quick: false,
    };
}

/// The phases of the CPU backend, in order.
pub fn phases(parameters: &Parameters) -> Vec<Phase> {
    // With 128-bit registers, the kernel of a chain of two products keeps fewer sums in registers
    // than the kernel of one product, and takes up to 15 % longer.
    let mut groups = match parameters.vector_bits {
        ..=128 => pipeline![],
        _ => pipeline![&fuse_contraction_chains::PASS],
    };
    groups.append(pipeline![
        &form_fusion_groups::PASS,
        &fold_add_into_dest::PASS,
        &split_reductions::PASS
    ]);
    let products = match (parameters.integer_products, parameters.outer_products) {
        (IntegerProducts::None, OuterProducts::None) => "floats",
        _ => "integer-groups",
    };
    let mut long_sums = pass(&split_long_sums::PASS);
    if parameters.vector_registers < 16 {
        // Numbers are added sequentially.
        long_sums = long_sums.option("row-block", 512);
    }
    vec![
        hlo_with_products(LIBM, products),
        linalg_with(false, long_sums),
        fusion(groups),
        bufferized(),
        kernels(parameters),
        llvm(parameters),
    ]
}

/// Lowers linalg on buffers to kernels.
pub fn kernels(parameters: &Parameters) -> Phase {
    let mut contractions = pass(&cpu::lower_contractions::PASS)
        .option("vector-bits", parameters.vector_bits)
        .option("vector-registers", parameters.vector_registers)
        .option("first-cache", parameters.first_cache)
        .option("second-cache", parameters.second_cache)
        .option("bf16-products", parameters.bf16_products.word())
        .option("integer-products", parameters.integer_products.word());
    if parameters.sve_bits.is_some() {
        contractions = contractions.option("sve", true);
    }
    if let Some(bits) = parameters.streaming_bits {
        contractions = contractions
            .option("outer-products", parameters.outer_products.word())
            .option("streaming-bits", bits);
    }
    if parameters.is_quick {
        contractions = contractions.option("small-tiles", true);
    }
    let mut loops = pass(&cpu::linalg_to_loops::PASS);
    if let Some(bits) = parameters.sve_bits {
        loops = loops.option("sve-bits", bits);
    }
    let stores = pass(&cpu::nontemporal_stores::PASS).option("vector-bits", parameters.vector_bits);
    let fused = pass(&cpu::fuse_parallel_loops::PASS).option("vector-bits", parameters.vector_bits);
    let vectors = pass(&cpu::vectorize_loops::PASS).option("vector-bits", parameters.vector_bits);
    let outline = pass(&cpu::outline_kernels::PASS).option("vector-bits", parameters.vector_bits);
    let mut pipeline = pipeline![
        nest::<func::FuncOp>(pipeline![upstream("scf-forall-to-parallel")]),
        &cpu::outline_repeated_contractions::PASS,
        nest::<func::FuncOp>(pipeline![contractions]),
        nest::<func::FuncOp>(pipeline![loops]),
        &cleanup::canonicalize::PASS,
        &cleanup::cse::PASS,
        &cpu::inline_repeated_contractions::PASS,
        nest::<func::FuncOp>(pipeline![stores]),
        nest::<func::FuncOp>(pipeline![fused]),
        nest::<func::FuncOp>(pipeline![&buffer_assignment::PASS]),
        outline,
        &math::expand_math::PASS,
        &math::expand_bf16::PASS,
        &cleanup::canonicalize::PASS,
        &cleanup::cse::PASS,
        nest::<func::FuncOp>(pipeline![vectors, &cpu::mark_vectorized_kernels::PASS]),
    ];
    if parameters.streaming_bits.is_some() {
        pipeline.append(pipeline![&cpu::outline_streaming_regions::PASS]);
    }
    Phase::new(
        "kernels",
        "Kernels of loops and vectors over planned buffers",
        pipeline,
    )
}

/// Lowers linalg on buffers to kernels without vectors, for another compiler's vectorizer.
pub fn scalar_kernels() -> Phase {
    let loops = pass(&cpu::linalg_to_loops::PASS).option("vectors", false);
    Phase::new(
        "kernels",
        "Kernels of loops over planned buffers",
        pipeline![
            nest::<func::FuncOp>(pipeline![upstream("scf-forall-to-parallel"), loops]),
            &cleanup::canonicalize::PASS,
            &cleanup::cse::PASS,
            nest::<func::FuncOp>(pipeline![
                &cpu::fuse_parallel_loops::PASS,
                &buffer_assignment::PASS
            ]),
            &cpu::outline_kernels::PASS,
            &math::expand_math::PASS,
            &math::expand_bf16::PASS,
            &cleanup::canonicalize::PASS,
            &cleanup::cse::PASS,
        ],
    )
}

/// Lowers kernels to the LLVM dialect.
pub fn llvm(parameters: &Parameters) -> Phase {
    let mut pipeline = pipeline![&cpu::split_kernels::PASS];
    pipeline.append(to_llvm_dialect());
    pipeline.append(pipeline![
        &cpu::lower_to_runtime_abi::PASS,
        &cleanup::cse::PASS,
        &cpu::split_entries::PASS,
    ]);
    if parameters.requests_tiles {
        pipeline.append(pipeline![&cpu::request_matrix_tiles::PASS]);
    }
    let lengths = [parameters.sve_bits, parameters.streaming_bits];
    if parameters.checks_lengths && lengths.iter().any(Option::is_some) {
        let [bits, streaming_bits] = lengths.map(Option::unwrap_or_default);
        let check = pass(&cpu::check_vector_length::PASS)
            .option("bits", bits)
            .option("streaming-bits", streaming_bits)
            .option("linux", parameters.is_for_linux);
        pipeline.append(pipeline![check]);
    }
    Phase::new(
        "llvm",
        "The LLVM dialect, with the runtime's interface",
        pipeline,
    )
}
