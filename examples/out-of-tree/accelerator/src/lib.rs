//! A backend without LLVM: an accelerator with instructions of its own, in simulation.
//!
//! It takes products of matrices, elementwise arithmetic, broadcasts, transposes, reshapes
//! and constants of f32, and custom calls, which are functions of the host; anything else
//! is an error at its place in the program. `tests/conformance.txt` lists the programs of
//! StableHLO's test data that it runs.

pub mod assembler;
pub mod machine;

use halo::{
    compiler::{
        Lowering, TargetCompiler,
        pipelines::{Phase, common},
        target::{Artifact, Target},
    },
    core::{Literal, Shape},
    frontend,
    runtime::{
        Backend, CustomCallRegistry, CustomCallSite, Executable, Result, Signature,
        host::HostFunctionExecutable,
    },
};
use machine::Code;

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
        let sites: Vec<CustomCallSite> = code.calls.iter().map(|call| call.site.clone()).collect();
        let functions = lowering.registry(&sites)?;
        let signature = lowering.signature.clone();
        let run = move |inputs: &[Literal]| run(&code, &signature, inputs, &functions);
        Ok(Box::new(HostFunctionExecutable::new(
            lowering.signature,
            run,
        )))
    }
}

fn assemble(lowering: &Lowering<'_>) -> Result<Code> {
    assembler::assemble(frontend::entry_of(lowering.module())?)
}

fn run(
    code: &Code,
    signature: &Signature,
    inputs: &[Literal],
    functions: &CustomCallRegistry,
) -> Result<Vec<Literal>> {
    let inputs: Vec<&[f32]> =
        inputs.iter().map(|input| Ok(input.as_slice::<f32>()?)).collect::<Result<_>>()?;
    let outputs = signature.outputs.iter();
    let shapes = outputs.map(|output| Ok(output.to_shape()?));
    let shapes: Vec<Shape> = shapes.collect::<Result<_>>()?;
    let sizes: Vec<usize> = shapes.iter().map(|shape| shape.element_count()).collect();
    let results = code.simulate(&inputs, &sizes, functions)?;
    let results = results.into_iter();
    results
        .zip(&shapes)
        .map(|(values, shape)| Ok(Literal::from_slice(shape.dims(), &values)?))
        .collect()
}
