//! Snapshots of a few programs after every phase of the CPU pipeline, and after
//! those that the CUDA backend has for itself.
//!
//! A change of a pass shows here as a change of IR. `cargo insta review`
//! accepts it.

use halo_compiler::pipelines::{
    Phase, REFERENCE, cpu,
    cuda::{self, KERNELS, NVVM},
};
use halo_runtime::Program;
use std::path::Path;

fn snapshot(name: &str) {
    phases(name, cpu::PHASES, |number, phase| {
        Some(format!("{name}-{}-{}", number + 1, phase.name))
    });
    phases(name, cuda::PHASES, |number, phase| {
        let own = [KERNELS.name, NVVM.name].contains(&phase.name);
        own.then(|| format!("{name}-gpu-{}-{}", number + 1, phase.name))
    });
}

/// Runs phases one after the other, with a snapshot after those that get a name.
fn phases(name: &str, phases: &[Phase], title: impl Fn(usize, &Phase) -> Option<String>) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/programs")
        .join(format!("{name}.mlir"));
    let program = Program {
        name: format!("{name}.mlir"),
        code: std::fs::read(path).unwrap(),
    };
    let context = halo_compiler::context();
    let mut module = halo_frontend::parse(&context, &program).unwrap();
    halo_frontend::select_entry(&module, &program, None).unwrap();
    for (number, phase) in phases.iter().enumerate() {
        let pipeline = phase.pipeline(&REFERENCE);
        halo_hlo::run_pipeline(&context, &mut module, &pipeline).unwrap();
        if let Some(title) = title(number, phase) {
            insta::assert_snapshot!(title, module.as_operation().to_string());
        }
    }
}

#[test]
fn dense_layer() {
    snapshot("dense_layer");
}

#[test]
fn softmax() {
    snapshot("softmax");
}

#[test]
fn power_iteration() {
    snapshot("power_iteration");
}
