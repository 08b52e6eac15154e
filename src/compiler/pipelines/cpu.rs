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
use halo_core::machine::{Machine, X86_64_V3};
use halo_hlo::transforms::simplify::split_long_sums;
use halo_ir::{
    ops::func,
    pass::PassDeclaration,
    pipeline,
    pipeline::{ScheduledPass, nest, pass, upstream},
};

/// The properties of the target processor that passes use.
#[derive(Clone, Debug)]
pub struct Parameters {
    /// The machine model of the processor.
    pub machine: Machine,
    /// The bf16 dot products of the processor.
    pub bf16_products: Bf16Products,
    /// The integer dot products of the processor.
    pub integer_products: IntegerProducts,
    /// The SME outer products.
    pub outer_products: OuterProducts,
    /// Set if programs request AMX tiles from the system.
    pub requests_tiles: bool,
    /// Set if programs check the lengths of SVE and streaming vectors at run time, and if the
    /// target is Linux.
    pub checks_lengths: bool,
    pub is_for_linux: bool,
    /// Set for the baseline tier.
    pub is_quick: bool,
}

impl Parameters {
    /// The parameters of the pipelines of `halo-opt`.
    pub const REFERENCE: Self = Self {
        machine: X86_64_V3,
        bf16_products: Bf16Products::None,
        integer_products: IntegerProducts::None,
        outer_products: OuterProducts::None,
        requests_tiles: false,
        checks_lengths: false,
        is_for_linux: true,
        is_quick: false,
    };
}

/// The phases of the CPU backend, in order.
pub fn phases(parameters: &Parameters) -> Vec<Phase> {
    // With 128-bit registers, the kernel of a chain of two products keeps fewer sums in registers
    // than the kernel of one product, and takes up to 15 % longer.
    let mut groups = match parameters.machine.vector_bits {
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
    if parameters.machine.vector_registers < 16 {
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
    let machine = &parameters.machine;
    let tuned = |declaration: &'static PassDeclaration| -> ScheduledPass {
        pass(declaration).option("machine", machine.to_string())
    };
    let mut contractions = tuned(&cpu::lower_contractions::PASS)
        .option("bf16-products", parameters.bf16_products.word())
        .option("integer-products", parameters.integer_products.word());
    if machine.sve_bits.is_some() {
        contractions = contractions.option("sve", true);
    }
    if let Some(bits) = machine.streaming_bits {
        contractions = contractions
            .option("outer-products", parameters.outer_products.word())
            .option("streaming-bits", bits);
    }
    if parameters.is_quick {
        contractions = contractions.option("small-tiles", true);
    }
    let mut loops = tuned(&cpu::linalg_to_loops::PASS);
    if let Some(bits) = machine.sve_bits {
        loops = loops.option("sve-bits", bits);
    }
    let vectors = pass(&cpu::vectorize_loops::PASS).option("vector-bits", machine.vector_bits);
    let mut pipeline = pipeline![
        nest::<func::FuncOp>(pipeline![upstream("scf-forall-to-parallel")]),
        tuned(&cpu::outline_repeated_contractions::PASS),
        nest::<func::FuncOp>(pipeline![contractions]),
        nest::<func::FuncOp>(pipeline![loops]),
        &cleanup::canonicalize::PASS,
        &cleanup::cse::PASS,
        &cpu::inline_repeated_contractions::PASS,
        nest::<func::FuncOp>(pipeline![tuned(&cpu::nontemporal_stores::PASS)]),
        nest::<func::FuncOp>(pipeline![tuned(&cpu::fuse_parallel_loops::PASS)]),
        nest::<func::FuncOp>(pipeline![&buffer_assignment::PASS]),
        tuned(&cpu::outline_kernels::PASS),
        &math::expand_math::PASS,
        &math::expand_bf16::PASS,
        &cleanup::canonicalize::PASS,
        &cleanup::cse::PASS,
        nest::<func::FuncOp>(pipeline![vectors, &cpu::mark_vectorized_kernels::PASS]),
    ];
    if machine.streaming_bits.is_some() {
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
    let machine = parameters.machine.to_string();
    let mut pipeline = pipeline![pass(&cpu::split_kernels::PASS).option("machine", machine)];
    pipeline.append(to_llvm_dialect());
    pipeline.append(pipeline![
        &cpu::lower_to_runtime_abi::PASS,
        &cleanup::cse::PASS,
        &cpu::split_entries::PASS,
    ]);
    if parameters.requests_tiles {
        pipeline.append(pipeline![&cpu::request_matrix_tiles::PASS]);
    }
    let lengths = [
        parameters.machine.sve_bits,
        parameters.machine.streaming_bits,
    ];
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
