//! Named phases, and the pipelines made of them.
//!
//! A phase is a [`Pipeline`] with a name. The names drive `--compile-to=`, dumps and
//! timers; every phase is also a pipeline of `halo-opt`.
//!
//! Each file has the phases of one kind of device as a function of what its passes
//! take from the target, so that a phase is plain data: it can be printed, changed and
//! run.
//!
//! ```ignore
//! let mut phases = cpu::phases(&cpu::Parameters { vector_bits: 512 });
//! let fusion = phases.iter_mut().find(|phase| phase.name == "fusion").unwrap();
//! fusion.pipeline.steps.insert(0, Step::from(&my_pass::PASS));
//! for phase in &phases {
//!     halo_hlo::run_pipeline(&context, &mut module, &phase.pipeline)?;
//! }
//! ```

pub mod common;
pub mod cpu;
pub mod cuda;
#[cfg(feature = "gpu-emulator")]
pub mod emulator;
pub mod interpreter;
#[cfg(test)]
mod tests;

use halo_ir::{
    pass::register_pipeline,
    pipeline::{Pipeline, Step},
};
use std::borrow::Cow;

/// A named part of a lowering.
#[derive(Clone, Debug)]
pub struct Phase {
    /// The name, as `--compile-to=` takes it.
    pub name: Cow<'static, str>,
    /// The module after the phase.
    pub summary: Cow<'static, str>,
    /// The passes, for the body of a module.
    pub pipeline: Pipeline,
}

impl Phase {
    /// A phase of passes.
    pub fn new(
        name: impl Into<Cow<'static, str>>,
        summary: impl Into<Cow<'static, str>>,
        pipeline: Pipeline,
    ) -> Self {
        Self {
            name: name.into(),
            summary: summary.into(),
            pipeline,
        }
    }
}

/// Adds the pipelines to the program-wide registry, for the reference parameters, so
/// that what `halo-opt` prints does not depend on the machine.
pub fn register_pipelines() {
    register(
        "cpu",
        &cpu::phases(&cpu::Parameters::REFERENCE),
        "Lower StableHLO to the LLVM dialect for the CPU backend",
    );
    register(
        "gpu",
        &cuda::phases(&cuda::Parameters::REFERENCE),
        "Lower StableHLO to kernels in the NVVM dialect for the CUDA backend",
    );
}

/// A pipeline of all phases of a kind of device, and one for each.
fn register(device: &str, phases: &[Phase], summary: &'static str) {
    // The registry keeps names for the whole program's life.
    let whole = format!("halo-{device}-pipeline").leak();
    let steps = phases
        .iter()
        .flat_map(|phase| phase.pipeline.steps.iter().cloned());
    let steps: Vec<Step> = steps.collect();
    // A pipeline that was registered under a name before replaces it.
    let _ = register_pipeline(whole, summary, &Pipeline { steps });
    for phase in phases {
        let name = format!("halo-{device}-phase-{}", phase.name).leak();
        let summary = phase.summary.clone().into_owned().leak();
        let _ = register_pipeline(name, summary, &phase.pipeline);
    }
}
