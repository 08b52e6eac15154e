//! Named phases, and pipelines of phases.
//!
//! A phase is a [`Pipeline`] with a name. The names drive `--compile-to=`, dumps and
//! timers; every phase is also a pipeline of `halo-opt`.
//!
//! Each file has the phases of one kind of device, as a function of the target parameters that its
//! passes need, so that a phase is plain data: it can be printed, changed and run. [`edits`]
//! changes the phases of a backend by the names of passes.

pub mod c;
pub mod common;
pub mod cpu;
pub mod cuda;
pub mod edits;
#[cfg(feature = "gpu-emulator")]
pub mod emulator;
pub mod interpreter;
pub mod optional;
mod phase;
mod place;
#[cfg(feature = "rocm")]
pub mod rocm;
#[cfg(test)]
mod tests;

pub use edits::Edits;
use halo_ir::{
    pass::register_pipeline,
    pipeline::{Pipeline, Step},
};
pub use phase::{Part, Phase};

/// Adds the pipelines to the global registry, with the reference parameters, so that the output of
/// `halo-opt` does not depend on the machine.
pub fn register_pipelines() {
    register(
        "cpu",
        &cpu::phases(&cpu::Parameters::REFERENCE),
        "Lower StableHLO to the LLVM dialect for the CPU backend",
    );
    register("c", &c::phases(), "Lower StableHLO to C");
    register(
        "gpu",
        &cuda::phases(&cuda::Parameters::reference()),
        "Lower StableHLO to kernels in the NVVM dialect for the CUDA backend",
    );
    #[cfg(feature = "rocm")]
    register(
        "rocm",
        &rocm::phases(rocm::reference()),
        "Lower StableHLO to kernels in the ROCDL dialect for the ROCm backend",
    );
}

/// A pipeline of all phases of a device, and one for each phase.
fn register(device: &str, phases: &[Phase], summary: &'static str) {
    // The registry keeps names for the lifetime of the process.
    let whole = format!("halo-{device}-pipeline").leak();
    let steps = phases.iter().flat_map(|phase| phase.pipeline.steps.iter().cloned());
    let steps: Vec<Step> = steps.collect();
    // It replaces a pipeline that was registered under this name before.
    let _ = register_pipeline(whole, summary, &Pipeline { steps });
    for phase in phases {
        let name = format!("halo-{device}-phase-{}", phase.name).leak();
        let summary = phase.summary.clone().into_owned().leak();
        let _ = register_pipeline(name, summary, &phase.pipeline);
    }
}
