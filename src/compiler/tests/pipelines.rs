//! Snapshots of a few programs after every phase of the CPU pipeline, and after the phases specific
//! to the CUDA, ROCm and C backends.
//!
//! A change of a pass shows as a change of IR; `cargo insta review` accepts it. The last phases
//! unroll and expand, so their snapshots are outlines: nested functions, loops and blocks, and the
//! number of ops of each kind in them. Lit tests of the passes check the ops themselves.

use halo_backend::Program;
#[cfg(feature = "rocm")]
use halo_compiler::pipelines::rocm;
use halo_compiler::pipelines::{Phase, c, cpu, cuda};
use halo_ir::prelude::*;

use std::{fmt::Write, path::Path};

fn snapshot(name: &str) {
    phases(
        name,
        &cpu::phases(&cpu::Parameters::REFERENCE),
        |number, phase| Some(format!("{name}-{}-{}", number + 1, phase.name)),
    );
    phases(
        name,
        &cuda::phases(&cuda::Parameters::reference()),
        |number, phase| {
            let own = ["kernels", "nvvm"].contains(&&*phase.name);
            own.then(|| format!("{name}-gpu-{}-{}", number + 1, phase.name))
        },
    );
    #[cfg(feature = "rocm")]
    phases(name, &rocm::phases(rocm::reference()), |number, phase| {
        let own = ["kernels", "rocdl"].contains(&&*phase.name);
        own.then(|| format!("{name}-rocm-{}-{}", number + 1, phase.name))
    });
    phases(name, &c::phases(), |number, phase| {
        let own = ["kernels", "emitc"].contains(&&*phase.name);
        own.then(|| format!("{name}-c-{}-{}", number + 1, phase.name))
    });
}

/// Snapshots of fusion decisions, on CPUs and GPUs.
fn fusion_snapshot(name: &str) {
    cpu_fusion_snapshot(name);
    phases(
        name,
        &cuda::phases(&cuda::Parameters::reference()),
        |_, phase| (phase.name == "fusion").then(|| format!("{name}-gpu-fusion")),
    );
}

fn cpu_fusion_snapshot(name: &str) {
    phases(
        name,
        &cpu::phases(&cpu::Parameters::REFERENCE),
        |_, phase| (phase.name == "fusion").then(|| format!("{name}-cpu-fusion")),
    );
}

/// Runs phases one after the other, with a snapshot after each phase with a title.
fn phases(name: &str, phases: &[Phase], title: impl Fn(usize, &Phase) -> Option<String>) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/pipelines")
        .join(format!("{name}.mlir"));
    let program = Program {
        name: format!("{name}.mlir"),
        code: std::fs::read(path).unwrap(),
    };
    let context = halo_compiler::context();
    let mut module = halo_frontend::parse(&context, &program).unwrap();
    halo_frontend::select_entry(&mut module, &program, None).unwrap();
    for (number, phase) in phases.iter().enumerate() {
        halo_hlo::run_pipeline(&context, &mut module, &phase.pipeline).unwrap();
        if let Some(title) = title(number, phase) {
            let root = module.as_operation();
            let text = if LATE.contains(&&*phase.name) {
                outline(root)
            } else {
                root.to_string()
            };
            insta::assert_snapshot!(title, text);
        }
    }
}

/// The phases whose snapshots are outlines.
const LATE: [&str; 5] = ["kernels", "emitc", "llvm", "nvvm", "rocdl"];

/// The ops with regions and the blocks of a program, each with a count of the
/// other ops by name, in the order of their first appearance.
fn outline(root: Operation) -> String {
    let mut text = String::new();
    add_outline(root, 0, &mut text);
    text
}

fn add_outline(op: Operation, depth: usize, text: &mut String) {
    let indent = "  ".repeat(depth);
    let symbol = op.attribute("sym_name").and_then(Attribute::string_value);
    let symbol = symbol.map_or_else(String::new, |name| format!(" @{name}"));
    writeln!(text, "{indent}{}{symbol}", op.name()).unwrap();
    for region in op.regions() {
        let blocks = region.blocks();
        for (number, block) in blocks.iter().enumerate() {
            let is_named = blocks.len() > 1;
            if is_named {
                writeln!(text, "{indent}^bb{number}").unwrap();
            }
            let mut counts: Vec<(&str, usize)> = Vec::new();
            for op in block.operations() {
                if op.region_count() > 0 {
                    flush(&mut counts, depth + 1, text);
                    add_outline(op, depth + 1, text);
                    continue;
                }
                match counts.iter_mut().find(|(name, _)| *name == op.name()) {
                    Some((_, count)) => *count += 1,
                    None => counts.push((op.name(), 1)),
                }
            }
            flush(&mut counts, depth + 1, text);
        }
    }
}

fn flush(counts: &mut Vec<(&str, usize)>, depth: usize, text: &mut String) {
    if counts.is_empty() {
        return;
    }
    let list: Vec<String> =
        counts.drain(..).map(|(name, count)| format!("{count} {name}")).collect();
    writeln!(text, "{}{}", "  ".repeat(depth), list.join(", ")).unwrap();
}

/// Snapshots of more than two screens would not be reviewed.
#[test]
fn snapshots_can_be_reviewed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots");
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let lines = std::fs::read_to_string(&path).unwrap().lines().count();
        assert!(lines <= 100, "{} has {lines} lines", path.display());
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

#[test]
fn layernorm_is_one_group() {
    fusion_snapshot("layernorm");
}

#[test]
fn attention_is_groups_between_products() {
    fusion_snapshot("attention");
}

#[test]
fn attention_of_many_heads_is_tiles_of_rows() {
    cpu_fusion_snapshot("attention_heads");
}

#[test]
fn training_step_is_groups_between_products() {
    fusion_snapshot("training_step");
}
