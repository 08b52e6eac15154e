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
mod place;
#[cfg(feature = "rocm")]
pub mod rocm;
#[cfg(test)]
mod tests;

pub use edits::Edits;
use halo_ir::{
    pass::register_pipeline,
    pipeline::{Pipeline, ScheduledPass, Step},
};
use std::borrow::Cow;

/// A named part of a lowering.
#[derive(Clone, Debug)]
pub struct Phase {
    /// The name, for `--compile-to=`.
    pub name: Cow<'static, str>,
    /// The module after the phase.
    pub summary: Cow<'static, str>,
    /// The passes, for the body of a module.
    pub pipeline: Pipeline,
    /// The names of passes that an edit added. Each runs separately, so that the program is
    /// verified and dumped after it.
    pub added: Vec<String>,
    /// The names of passes after which the program is printed.
    pub printed: Vec<String>,
}

/// Passes of a phase that run together.
#[derive(Clone, Debug)]
pub struct Part {
    /// The passes.
    pub pipeline: Pipeline,
    /// The name of the pass, if it runs separately.
    pub alone: Option<String>,
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
            added: Vec::new(),
            printed: Vec::new(),
        }
    }

    /// Records the names of passes that an edit added.
    fn note(&mut self, passes: &Pipeline) {
        edits::for_each_pass(passes, &mut |pass| self.added.push(pass.name().to_owned()));
    }

    /// The passes in order, one per part.
    pub fn passes(&self) -> Vec<Part> {
        parts(&self.pipeline, &|_| true)
    }

    /// The passes in order, split before and after each that runs separately.
    pub fn parts(&self) -> Vec<Part> {
        parts(&self.pipeline, &|pass| {
            let lists = [&self.added, &self.printed];
            lists.iter().any(|list| list.iter().any(|name| name == pass.name()))
        })
    }
}

fn parts(pipeline: &Pipeline, is_alone: &dyn Fn(&ScheduledPass) -> bool) -> Vec<Part> {
    let mut all: Vec<Part> = Vec::new();
    let mut add = |step: Step, alone: Option<String>| match (all.last_mut(), &alone) {
        (Some(last), None) if last.alone.is_none() => last.pipeline.push(step),
        _ => all.push(Part {
            pipeline: Pipeline { steps: vec![step] },
            alone,
        }),
    };
    for step in &pipeline.steps {
        match step {
            Step::Pass(pass) => {
                let alone = is_alone(pass).then(|| pass.name().to_owned());
                add(step.clone(), alone);
            }
            Step::Nested { anchor, pipeline } => {
                for part in parts(pipeline, is_alone) {
                    let nested = Step::Nested {
                        anchor: anchor.clone(),
                        pipeline: part.pipeline,
                    };
                    add(nested, part.alone);
                }
            }
        }
    }
    all
}

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
        &cuda::phases(&cuda::Parameters::REFERENCE),
        "Lower StableHLO to kernels in the NVVM dialect for the CUDA backend",
    );
    #[cfg(feature = "rocm")]
    register(
        "rocm",
        &rocm::phases(rocm::REFERENCE),
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
