//! Snapshots of a few programs after every phase of the CPU pipeline.
//!
//! A change of a pass shows here as a change of IR. `cargo insta review`
//! accepts it.

use halo_compiler::{
    frontend,
    pipelines::{REFERENCE, cpu::PHASES},
};
use halo_runtime::Program;
use std::path::Path;

fn snapshot(name: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/programs")
        .join(format!("{name}.mlir"));
    let program = Program {
        name: format!("{name}.mlir"),
        code: std::fs::read(path).unwrap(),
    };
    let context = frontend::context();
    let mut module = frontend::parse(&context, &program).unwrap();
    frontend::select_entry(&module, &program, None).unwrap();
    for (number, phase) in PHASES.iter().enumerate() {
        let pipeline = phase.pipeline(&REFERENCE);
        frontend::run_pipeline(&context, &mut module, &pipeline).unwrap();
        let text = module.as_operation().to_string();
        insta::assert_snapshot!(format!("{name}-{}-{}", number + 1, phase.name), text);
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
