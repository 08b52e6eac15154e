//! The pipeline from StableHLO to the LLVM dialect for CPUs.

use super::{
    common::{
        KERNELS, LIBM, bufferized, clean_up, fusion, hlo_with_products, linalg, on_functions,
        to_llvm_dialect,
    },
    phase::Phase,
};
use halo_codegen::{
    bufferize::{buffer_assignment, flatten_dynamic_buffers},
    cleanup::cse,
    contraction::isa::{Bf16Products, IntegerProducts, OuterProducts},
    cpu,
    fusion::{
        fold_add_into_dest, form_fusion_groups, fuse_contraction_chains, fuse_contraction_operands,
        fuse_gathers, fuse_multi_output, split_reductions,
    },
    math,
};
use halo_core::machine::{Machine, X86_64_V3};
use halo_hlo::transforms::simplify::split_long_sums;
use halo_ir::{
    pass::PassDeclaration,
    pipeline,
    pipeline::{ScheduledPass, pass, upstream},
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

/// The phases of the CPU backend: all passes in order.
pub fn phases(parameters: &Parameters) -> Vec<Phase> {
    let machine = &parameters.machine;
    let tuned = |declaration| parameters.tuned(declaration);
    // With 128-bit registers, the kernel of a chain of two products keeps fewer sums in registers
    // than the kernel of one product, and takes up to 15 % longer.
    let has_chains = machine.vector_bits > 128;
    vec![
        hlo_with_products(LIBM, parameters.quantized_products()),
        linalg(parameters.split_long_sums(), false),
        fusion(
            &fuse_gathers::PASS,
            pipeline![
                has_chains.then_some(&fuse_contraction_chains::PASS),
                &fuse_contraction_operands::PASS,
                &form_fusion_groups::PASS,
                &fold_add_into_dest::PASS,
                &split_reductions::PASS,
            ],
            &fuse_multi_output::PASS,
        ),
        bufferized(),
        Phase::new(
            KERNELS,
            "Kernels of loops and vectors over planned buffers",
            pipeline![
                on_functions(upstream("scf-forall-to-parallel")),
                tuned(&cpu::outline_repeated_contractions::PASS),
                on_functions(parameters.lower_contractions()),
                on_functions(parameters.linalg_to_loops()),
                clean_up(),
                &cpu::inline_repeated_contractions::PASS,
                on_functions(tuned(&cpu::nontemporal_stores::PASS)),
                on_functions(tuned(&cpu::fuse_parallel_loops::PASS)),
                on_functions(pipeline![
                    &flatten_dynamic_buffers::PASS,
                    &buffer_assignment::PASS
                ]),
                tuned(&cpu::outline_kernels::PASS),
                &math::expand_math::PASS,
                &math::expand_bf16::PASS,
                clean_up(),
                on_functions(pipeline![
                    pass(&cpu::vectorize_loops::PASS).option("vector-bits", machine.vector_bits),
                    &cpu::mark_vectorized_kernels::PASS,
                ]),
                machine.streaming_bits.map(|_| &cpu::outline_streaming_regions::PASS),
            ],
        ),
        Phase::new(
            "llvm",
            "The LLVM dialect, with the runtime's interface",
            pipeline![
                tuned(&cpu::split_kernels::PASS),
                to_llvm_dialect(),
                &cpu::lower_to_runtime_abi::PASS,
                &cse::PASS,
                &cpu::split_entries::PASS,
                parameters.requests_tiles.then_some(&cpu::request_matrix_tiles::PASS),
                parameters.check_vector_length(),
            ],
        ),
    ]
}

/// Passes with options that depend on the processor.
impl Parameters {
    fn tuned(&self, declaration: &'static PassDeclaration) -> ScheduledPass {
        pass(declaration).option("machine", self.machine.to_string())
    }

    /// The option `products` of `--stablehlo-legalize-quant-to-math`.
    fn quantized_products(&self) -> &'static str {
        match (self.integer_products, self.outer_products) {
            (IntegerProducts::None, OuterProducts::None) => "floats",
            _ => "integer-groups",
        }
    }

    fn split_long_sums(&self) -> ScheduledPass {
        let long_sums = pass(&split_long_sums::PASS);
        if self.machine.vector_registers < 16 {
            // Numbers are added sequentially.
            long_sums.option("row-block", 512)
        } else {
            long_sums
        }
    }

    fn lower_contractions(&self) -> ScheduledPass {
        let mut contractions = self
            .tuned(&cpu::lower_contractions::PASS)
            .option("bf16-products", self.bf16_products.word())
            .option("integer-products", self.integer_products.word());
        if self.machine.sve_bits.is_some() {
            contractions = contractions.option("sve", true);
        }
        if let Some(bits) = self.machine.streaming_bits {
            contractions = contractions
                .option("outer-products", self.outer_products.word())
                .option("streaming-bits", bits);
        }
        if self.is_quick {
            contractions = contractions.option("small-tiles", true);
        }
        contractions
    }

    fn linalg_to_loops(&self) -> ScheduledPass {
        let loops = self.tuned(&cpu::linalg_to_loops::PASS);
        match self.machine.sve_bits {
            Some(bits) => loops.option("sve-bits", bits),
            None => loops,
        }
    }

    /// The check of the vector lengths that code assumes, for programs that run elsewhere.
    fn check_vector_length(&self) -> Option<ScheduledPass> {
        let lengths = [self.machine.sve_bits, self.machine.streaming_bits];
        let is_checked = self.checks_lengths && lengths.iter().any(Option::is_some);
        is_checked.then(|| {
            let [bits, streaming_bits] = lengths.map(Option::unwrap_or_default);
            pass(&cpu::check_vector_length::PASS)
                .option("bits", bits)
                .option("streaming-bits", streaming_bits)
                .option("linux", self.is_for_linux)
        })
    }
}

/// Lowers linalg on buffers to kernels without vectors, for another compiler's vectorizer.
pub fn scalar_kernels() -> Phase {
    let loops = pass(&cpu::linalg_to_loops::PASS).option("vectors", false);
    Phase::new(
        KERNELS,
        "Kernels of loops over planned buffers",
        pipeline![
            on_functions(pipeline![upstream("scf-forall-to-parallel"), loops]),
            clean_up(),
            on_functions(pipeline![
                &cpu::fuse_parallel_loops::PASS,
                &flatten_dynamic_buffers::PASS,
                &buffer_assignment::PASS
            ]),
            &cpu::outline_kernels::PASS,
            &math::expand_math::PASS,
            &math::expand_bf16::PASS,
            clean_up(),
        ],
    )
}
