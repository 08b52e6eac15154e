//! Named phases, and the pipelines made of them.
//!
//! A phase is a list of passes with a name. The names drive `--compile-to=`,
//! dumps and timers; every phase is also a pipeline of `halo-opt`.

pub mod common;
pub mod cpu;
pub mod cuda;
#[cfg(feature = "gpu-emulator")]
pub mod emulator;
pub mod interpreter;

use halo_codegen::gpu::contractions::provider::Provider;
use halo_ir::pass::register_pipeline;
use std::borrow::Cow;

/// Canonicalization of structured code. Each region is one block there, and to
/// look for blocks that can be merged takes half of the time.
pub const CANONICALIZE: &str = "canonicalize{region-simplify=disabled}";

/// From loops, vectors and buffers to the LLVM dialect, for processors: what
/// the interface to the runtime is made of comes after it.
pub const TO_LLVM_DIALECT: &str = "expand-strided-metadata,\
     func.func(lower-affine),\
     convert-linalg-to-loops,\
     convert-complex-to-standard,\
     convert-vector-to-scf,\
     convert-scf-to-cf,\
     convert-math-to-llvm,\
     convert-math-to-libm,\
     convert-vector-to-llvm,\
     convert-to-llvm{filter-dialects=arith,cf,complex,index,memref,ub},\
     convert-func-to-llvm{use-bare-ptr-memref-call-conv=1},\
     reconcile-unrealized-casts,\
     halo-widen-bool-memory";

/// A named part of the way down.
#[derive(Clone, Copy, Debug)]
pub struct Phase {
    /// The name, as `--compile-to=` takes it.
    pub name: &'static str,
    /// What the module is after the phase.
    pub summary: &'static str,
    /// The passes, in MLIR's pipeline syntax, for the body of a module.
    pub passes: &'static [&'static str],
}

impl Phase {
    /// The phase as pipeline text for a target.
    pub fn pipeline(&self, target: &PhaseTarget) -> String {
        self.passes
            .join(",")
            .replace("{VECTOR_BITS}", &target.vector_bits.to_string())
            .replace("{GPU_ARCH}", &target.gpu_architecture)
            .replace("{GPU_DOT}", target.gpu_dot.name())
    }
}

/// What phases want to know of the machine that code is made for.
#[derive(Clone, Debug)]
pub struct PhaseTarget {
    /// The width of the vector registers of a processor, in bits.
    pub vector_bits: u32,
    /// The architecture of a GPU, such as `sm_90`.
    pub gpu_architecture: Cow<'static, str>,
    /// What computes matrix products on a GPU.
    pub gpu_dot: Provider,
}

/// What the pipelines of `halo-opt` assume, so that what they print does not
/// depend on the machine.
pub const REFERENCE: PhaseTarget = PhaseTarget {
    vector_bits: 256,
    gpu_architecture: Cow::Borrowed("sm_90"),
    gpu_dot: Provider::Codegen,
};

/// Adds the pipelines to the program-wide registry.
pub fn register_pipelines() {
    register(
        ("cpu", cpu::PHASES),
        "Lower StableHLO to the LLVM dialect for the CPU backend",
    );
    register(
        ("gpu", cuda::PHASES),
        "Lower StableHLO to kernels in the NVVM dialect for the CUDA backend",
    );
}

/// A pipeline of all phases of a kind of device, and one for each.
fn register((device, phases): (&str, &'static [Phase]), summary: &'static str) {
    let texts: Vec<String> = phases
        .iter()
        .map(|phase| phase.pipeline(&REFERENCE))
        .collect();
    // The registry keeps names for the whole program's life.
    let whole = format!("halo-{device}-pipeline").leak();
    // A pipeline that was registered under a name before takes its place.
    let _ = register_pipeline(whole, summary, &texts.join(","));
    for (phase, text) in phases.iter().zip(texts) {
        let name = format!("halo-{device}-phase-{}", phase.name).leak();
        let _ = register_pipeline(name, phase.summary, &text);
    }
}
