//! Named phases, and the pipelines made of them.
//!
//! A phase is a list of passes with a name. The names drive `--compile-to=`,
//! dumps and timers; every phase is also a pipeline of `halo-opt`.

pub mod cpu;

use halo_dialects::pass::register_pipeline;

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
    /// The phase as pipeline text.
    pub fn pipeline(&self) -> String {
        self.passes.join(",")
    }
}

/// Adds the pipelines to the program-wide registry.
pub fn register_pipelines() {
    let whole: Vec<String> = cpu::PHASES.iter().map(Phase::pipeline).collect();
    register_pipeline(
        "halo-cpu-pipeline",
        "Lower StableHLO to the LLVM dialect for the CPU backend",
        &whole.join(","),
    );
    for phase in cpu::PHASES {
        let argument: &'static str =
            Box::leak(format!("halo-cpu-phase-{}", phase.name).into_boxed_str());
        register_pipeline(argument, phase.summary, &phase.pipeline());
    }
}
