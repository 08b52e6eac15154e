//! A backend without LLVM: an accelerator with instructions of its own, in simulation.
//!
//! It has instructions for products of matrices, elementwise arithmetic, broadcasts, transposes,
//! reshapes and constants of f32. All other ops are functions of the host: `host.rs`.
//! `tests/conformance.txt` lists programs of StableHLO's test data that it runs.
//!
//! The library is also a PJRT plug-in: JAX runs programs on the platform `accelerator`.

pub mod assembler;
pub mod host;
pub mod machine;

use halo::{
    compiler::{
        Lowering, TargetCompiler,
        pipelines::{Phase, common},
        target::{Artifact, Target},
    },
    core::Literal,
    frontend,
    runtime::{Backend, Executable, Result, host::HostFunctionExecutable},
};
use halo_shared as _;
use machine::Code;

halo_pjrt::plugin! { platform: "accelerator", backend: backend }

/// The accelerator as a target.
#[derive(Clone)]
struct Accelerator;

/// The backend `tiles`.
pub fn backend() -> Backend {
    let compiler = TargetCompiler::new(Accelerator);
    Backend::host(
        "tiles",
        "an accelerator of 16x16 tiles, in simulation",
        compiler,
    )
}

impl Target for Accelerator {
    fn phases(&self) -> Vec<Phase> {
        vec![common::hlo(&[])]
    }

    fn artifacts(&self) -> &'static [Artifact<Self>] {
        &[Artifact {
            name: "asm",
            summary: "The instructions of the accelerator",
            text: |_, lowering| Ok(assemble(lowering)?.to_string()),
        }]
    }

    fn executable(&self, mut lowering: Lowering<'_>) -> Result<Box<dyn Executable>> {
        lowering.run_phases()?;
        let code = assemble(&lowering)?;
        lowering.session.dump(("asm", "txt"), || code.to_string())?;
        let run = move |process: &_, inputs: Vec<Literal>| code.simulate(process, &inputs);
        Ok(Box::new(HostFunctionExecutable::of_processes(
            lowering.signature,
            run,
        )))
    }
}

fn assemble(lowering: &Lowering<'_>) -> Result<Code> {
    let entry = frontend::entry_of(lowering.module())?;
    assembler::assemble(entry, lowering.session.options)
}
