//! All pipelines name passes that there are, with options that these have.

use super::*;
use halo_codegen::gpu::gpu_contractions::provider::Provider;
use halo_ir::pipeline::{PassReference, Step};
use melior::ir::{Location, Module};
use std::collections::BTreeSet;

/// The phases of every backend, for parameters other than the reference too.
fn all() -> Vec<Phase> {
    let mut phases = interpreter::phases();
    for vector_bits in [128, 256, 512] {
        phases.extend(cpu::phases(&cpu::Parameters { vector_bits }));
    }
    for dot in [Provider::Auto, Provider::Library, Provider::Codegen] {
        phases.extend(cuda::phases(&cuda::Parameters {
            architecture: "sm_90a".into(),
            dot,
        }));
    }
    #[cfg(feature = "gpu-emulator")]
    for check_accesses in [false, true] {
        phases.extend(emulator::phases(check_accesses));
    }
    let inline = ("inline", interpreter::inline());
    let others = [inline, ("shapes", crate::backends::lowering::inline())];
    let others = others.map(|(name, pipeline)| Phase::new(name, "", pipeline));
    phases.into_iter().chain(others).collect()
}

/// MLIR parses names and options of all passes, upstream's among them, before a
/// pipeline runs.
#[test]
fn pipelines_run() {
    let context = crate::context();
    for phase in all() {
        let mut module = Module::new(Location::unknown(&context));
        let result = phase.pipeline.run(&mut module);
        assert_eq!(result, Ok(()), "phase {}: {}", phase.name, phase.pipeline);
    }
}

fn declared(pipeline: &Pipeline, names: &mut BTreeSet<&'static str>) {
    for step in &pipeline.steps {
        match step {
            Step::Nested { pipeline, .. } => declared(pipeline, names),
            Step::Pass(pass) => match &pass.pass {
                PassReference::Declared(declaration) => {
                    names.insert(declaration.argument);
                }
                PassReference::Upstream(name) => assert!(
                    !crate::registry::PASSES
                        .iter()
                        .any(|ours| ours.argument == *name),
                    "pass '{name}' is ours: refer to its declaration"
                ),
            },
        }
    }
}

#[test]
fn passes_of_halo_are_referred_to_by_declaration() {
    let mut names = BTreeSet::new();
    for phase in all() {
        declared(&phase.pipeline, &mut names);
    }
    for name in &names {
        assert!(
            crate::registry::PASSES
                .iter()
                .any(|ours| ours.argument == *name),
            "pass '{name}' is not registered"
        );
    }
    assert!(names.contains("halo-lower-contractions"), "{names:?}");
}

/// A phase that a caller changes is a phase as any other.
#[test]
fn phases_can_be_changed() {
    let mut phases = cpu::phases(&cpu::Parameters::REFERENCE);
    let fusion = phases.iter_mut().find(|phase| phase.name == "fusion");
    let steps = &mut fusion.unwrap().pipeline.steps;
    steps.truncate(1);
    steps.insert(0, Step::from(halo_ir::pipeline::upstream("cse")));
    assert_eq!(
        phases[2].pipeline.to_string(),
        "cse,func.func(halo-fuse-elementwise,halo-detensorize)"
    );
}
