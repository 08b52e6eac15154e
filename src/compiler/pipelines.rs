//! Named phases, and the pipelines made of them.
//!
//! A phase is a list of passes with a name. The names drive `--compile-to=`,
//! dumps and timers; every phase is also a pipeline of `halo-opt`.

pub mod cpu;
pub mod emulator;
pub mod interpreter;

use halo_dialects::pass::register_pipeline;
use std::sync::LazyLock;

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
    /// The phase as pipeline text, for vector registers of a width.
    pub fn pipeline(&self, vector_bits: u32) -> String {
        self.passes
            .join(",")
            .replace("{VECTOR_BITS}", &vector_bits.to_string())
    }
}

/// The width that the pipelines of `halo-opt` assume, so that what they print
/// does not depend on the machine.
pub const REFERENCE_VECTOR_BITS: u32 = 256;

/// Adds the pipelines to the program-wide registry.
pub fn register_pipelines() {
    let whole: Vec<String> = cpu::PHASES
        .iter()
        .map(|phase| phase.pipeline(REFERENCE_VECTOR_BITS))
        .collect();
    register_pipeline(
        "halo-cpu-pipeline",
        "Lower StableHLO to the LLVM dialect for the CPU backend",
        &whole.join(","),
    );
    static NAMES: LazyLock<Vec<String>> = LazyLock::new(|| {
        let name = |phase: &Phase| format!("halo-cpu-phase-{}", phase.name);
        cpu::PHASES.iter().map(name).collect()
    });
    for (phase, argument) in cpu::PHASES.iter().zip(&*NAMES) {
        register_pipeline(
            argument,
            phase.summary,
            &phase.pipeline(REFERENCE_VECTOR_BITS),
        );
    }
}
