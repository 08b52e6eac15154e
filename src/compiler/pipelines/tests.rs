//! All pipelines name passes that there are, with options that these have.

use super::*;
use halo_backend::{CompileOptions, PipelineEdit};
use halo_codegen::{
    contraction::isa::{Bf16Products, IntegerProducts, OuterProducts},
    gpu::gpu_contractions::provider::Provider,
};
use halo_core::machine::{AARCH64, GPUS, Machine, RISCV64, X86_64_V3, X86_64_V4};
use halo_ir::pipeline::{PassReference, Step};
use melior::ir::{Location, Module};
use std::collections::BTreeSet;

/// The phases of every backend, for parameters other than the reference too.
fn all() -> Vec<Phase> {
    let mut phases = interpreter::phases();
    phases.extend(c::phases());
    for machine in [RISCV64, AARCH64, X86_64_V3, X86_64_V4] {
        for bf16_products in [Bf16Products::None, Bf16Products::Amx] {
            for is_quick in [false, true] {
                phases.extend(cpu::phases(&cpu::Parameters {
                    machine: Machine {
                        sve_bits: is_quick.then_some(512),
                        streaming_bits: is_quick.then_some(512),
                        ..machine
                    },
                    bf16_products,
                    integer_products: if is_quick {
                        IntegerProducts::Pmaddwd
                    } else {
                        IntegerProducts::None
                    },
                    requests_tiles: !is_quick,
                    checks_lengths: is_quick,
                    is_for_linux: is_quick,
                    outer_products: OuterProducts::SmeF64,
                    is_quick,
                }));
            }
        }
    }
    for dot in [Provider::Auto, Provider::Library, Provider::Codegen] {
        phases.extend(GPUS.iter().flat_map(|gpu| {
            cuda::phases(&cuda::Parameters {
                dot,
                ..cuda::Parameters::of(*gpu)
            })
        }));
    }
    #[cfg(feature = "rocm")]
    phases.extend(rocm::phases(rocm::reference()));
    #[cfg(feature = "gpu-emulator")]
    for check_accesses in [false, true] {
        phases.extend(emulator::phases(check_accesses));
    }
    phases.push(Phase::new("shapes", "", crate::lowering::inline()));
    phases
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

/// The pipelines of a phase, each with the names of its direct passes.
fn flattened<'a>(pipeline: &'a Pipeline, lists: &mut Vec<Vec<&'a str>>) {
    let mut names = Vec::new();
    for step in &pipeline.steps {
        match step {
            Step::Nested { pipeline, .. } => flattened(pipeline, lists),
            Step::Pass(pass) => names.push(match &pass.pass {
                PassReference::Declared(declaration) => declaration.argument,
                PassReference::Upstream(name) => name.as_ref(),
            }),
        }
    }
    lists.push(names);
}

/// `docs/upstream.md` lists them.
#[test]
fn faults_of_upstream_are_out_of_reach() {
    let phases = all();
    let mut lists = Vec::new();
    for phase in &phases {
        flattened(&phase.pipeline, &mut lists);
    }
    for names in lists {
        let has_fusion = names.contains(&"affine-loop-fusion");
        assert!(!has_fusion, "LLVM issue 211599: {names:?}");
        let position = |name: &str| names.iter().position(|other| *other == name);
        if let Some(canonicalize) = position("canonicalize") {
            let without_loops = position("convert-scf-to-cf").is_some_and(|at| at < canonicalize);
            assert!(without_loops, "LLVM issue 219456: {names:?}");
        }
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
                    !crate::registry::PASSES.iter().any(|ours| ours.argument == *name),
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
            crate::registry::PASSES.iter().any(|ours| ours.argument == *name),
            "pass '{name}' is not registered"
        );
    }
    assert!(names.contains("halo-lower-contractions"), "{names:?}");
}

/// The phases of the CPU with edits in the form of the command line, or the message.
fn edited(edits: &[PipelineEdit]) -> Result<Vec<Phase>, String> {
    let options = CompileOptions {
        pipeline_edits: edits.to_vec(),
        ..CompileOptions::default()
    };
    let phases = cpu::phases(&cpu::Parameters::REFERENCE);
    edits::edited(phases, &options).map_err(|error| error.to_string())
}

fn insert(text: &str) -> PipelineEdit {
    PipelineEdit::insert(text).unwrap()
}

/// The text of the fusion phase after edits.
fn fusion(edits: &[PipelineEdit]) -> String {
    edited(edits).unwrap()[2].pipeline.to_string()
}

/// The passes of the fusion phase before and after elementwise fusion.
const BEFORE: &str = "halo-fuse-gathers,halo-split-concatenations,halo-fold-unit-reshapes,\
                      halo-fuse-elementwise";
const BEHIND: &str = "halo-fuse-contraction-chains,halo-fuse-contraction-operands,halo-form-fusion-groups,\
                      halo-fold-add-into-dest,halo-split-reductions,halo-fuse-multi-output,\
                      halo-rematerialize";
const CANONICALIZE: &str = "halo-canonicalize";

#[test]
fn passes_are_inserted_where_the_place_is() {
    let before = format!(
        "func.func({BEFORE},{BEHIND},halo-detensorize),{CANONICALIZE},halo-cse,\
         func.func(halo-uplift-while-to-for)"
    );
    assert_eq!(fusion(&[]), before);
    assert_eq!(
        fusion(&[insert("fusion:symbol-dce")]),
        format!("{before},symbol-dce")
    );
    assert_eq!(
        fusion(&[insert("before:fusion:symbol-dce,inline")]),
        format!("symbol-dce,inline,{before}")
    );
    // Beside a pass that is nested, in the same nest.
    let beside = format!(
        "func.func({BEFORE},{BEHIND},halo-detensorize,sccp,sccp),{CANONICALIZE},halo-cse,\
         func.func(halo-uplift-while-to-for)"
    );
    for text in ["sccp,sccp", "func.func(sccp,sccp)", "func.func(sccp),sccp"] {
        assert_eq!(
            fusion(&[insert(&format!("halo-detensorize:{text}"))]),
            beside
        );
    }
    // A pass on functions, where a phase runs on the module.
    assert!(fusion(&[insert("fusion:halo-detensorize")]).ends_with(",func.func(halo-detensorize)"));
    assert_eq!(
        fusion(&[
            PipelineEdit::replace("fusion:inline").unwrap(),
            insert("before:fusion/inline:cse"),
            insert("after:fusion/cse:canonicalize{max-iterations=3}"),
        ]),
        "cse,canonicalize{max-iterations=3},inline"
    );
}

/// Every pass that has reasons gives them, once.
#[test]
fn decisions_are_explained() {
    let phases = edited(&[PipelineEdit::explain()]).unwrap();
    let texts: Vec<String> = phases.iter().map(|phase| phase.pipeline.to_string()).collect();
    let passes = texts.iter().flat_map(|text| text.split(['(', ',', ')']));
    let explained: Vec<&str> = passes
        .filter_map(|pass| pass.strip_suffix("explain=true}"))
        .filter_map(|pass| Some(pass.split_once('{')?.0))
        .collect();
    let expected = [
        "halo-fuse-gathers",
        "halo-split-concatenations",
        "halo-fold-unit-reshapes",
        "halo-fuse-elementwise",
        "halo-fuse-contraction-chains",
        "halo-form-fusion-groups",
        "halo-fold-add-into-dest",
        "halo-fuse-multi-output",
        "halo-rematerialize",
        "halo-destination-passing",
        "halo-insert-tensor-copies",
        "halo-lower-contractions",
        "halo-linalg-to-loops",
        "halo-fuse-parallel-loops",
        "halo-buffer-assignment",
    ];
    assert_eq!(explained, expected);
}

/// A pass on the module next to passes on functions runs between two nests.
#[test]
fn passes_on_the_module_divide_a_nest() {
    let rest = format!("{CANONICALIZE},halo-cse,func.func(halo-uplift-while-to-for)");
    let detensorized = "func.func(halo-detensorize)";
    assert_eq!(
        fusion(&[insert("before:halo-detensorize:halo-bufferize")]),
        format!("func.func({BEFORE},{BEHIND}),halo-bufferize,{detensorized},{rest}")
    );
    assert_eq!(
        fusion(&[insert("halo-detensorize:halo-bufferize")]),
        format!("func.func({BEFORE},{BEHIND},halo-detensorize),halo-bufferize,{rest}")
    );
    let others = format!("func.func({BEHIND},halo-detensorize)");
    for file in ["a.mlir", "two words.mlir"] {
        let quoted = if file.contains(' ') {
            format!("\"{file}\"")
        } else {
            file.to_owned()
        };
        assert_eq!(
            fusion(&[PipelineEdit::schedule(file)]),
            format!("func.func({BEFORE}),halo-apply-schedule{{file={quoted}}},{others},{rest}")
        );
    }
}

#[test]
fn passes_are_removed_with_the_nest_that_they_leave_empty() {
    let remove = |place| PipelineEdit::remove(place).unwrap();
    let edits = [
        remove("halo-uplift-while-to-for"),
        remove("fusion/halo-cse"),
    ];
    assert_eq!(
        fusion(&edits),
        format!("func.func({BEFORE},{BEHIND},halo-detensorize),{CANONICALIZE}")
    );
    assert_eq!(fusion(&[remove("fusion")]), "");
    // One of several, and all of them.
    let bufferized = |place| edited(&[remove(place)]).unwrap()[3].pipeline.to_string();
    let count = |text: &str| text.split(',').filter(|pass| *pass == "halo-cse").count();
    let whole = bufferized("halo-detensorize");
    assert_eq!(count(&whole), 2);
    let last = bufferized("bufferized/halo-cse#2");
    assert_eq!(count(&last), 1);
    assert!(whole.starts_with(&last), "{last}");
    let phases = edited(&[remove("halo-cse#all")]).unwrap();
    assert!(phases.iter().all(|phase| count(&phase.pipeline.to_string()) == 0));
    let names: Vec<&str> = phases.iter().map(|phase| &*phase.name).collect();
    assert_eq!(
        names,
        ["hlo", "linalg", "fusion", "bufferized", "kernels", "llvm"]
    );
}

#[test]
fn wrong_edits_are_one_message() {
    let phases = "hlo, linalg, fusion, bufferized, kernels, llvm";
    for (edit, message) in [
        (
            insert("lingalg:cse"),
            format!(
                "no phase or pass is named 'lingalg'; did you mean 'linalg'?; the phases are: \
                 {phases}"
            ),
        ),
        (
            insert("nowhere:cse"),
            format!("no phase or pass is named 'nowhere'; the phases are: {phases}"),
        ),
        (
            insert("hlu/halo-cse:cse"),
            format!("there is no phase 'hlu'; did you mean 'hlo'?; there are: {phases}"),
        ),
        (
            insert("hlo/halo-detensorize:cse"),
            "phase 'hlo' has no pass 'halo-detensorize'".to_owned(),
        ),
        (
            insert("bufferized/halo-cse:inline"),
            "'halo-cse' is there 2 times: say bufferized/halo-cse#1, bufferized/halo-cse#2, or \
             halo-cse#all"
                .to_owned(),
        ),
        (
            insert("linalg/halo-cse#2:inline"),
            "'halo-cse' is there once, so there is no 'halo-cse#2'".to_owned(),
        ),
        (
            insert("halo-cse#x:inline"),
            "'halo-cse' has '#x', which is neither a number from 1 on nor 'all'".to_owned(),
        ),
        (
            insert("hlo:cse,halo-detensorise"),
            "there is no pass 'halo-detensorise'; did you mean 'halo-detensorize'?".to_owned(),
        ),
        (
            insert("hlo:frobnicate"),
            "there is no pass 'frobnicate'".to_owned(),
        ),
        (
            insert("hlo:cse,,cse"),
            "expected the name of a pass at character 5 of 'cse,,cse'".to_owned(),
        ),
        (
            insert("hlo:halo-gpu-contractions{dto=auto}"),
            "pass 'halo-gpu-contractions' has no option 'dto'".to_owned(),
        ),
        (
            insert("hlo:halo-lower-contractions{machine=wide}"),
            "option 'machine' of pass 'halo-lower-contractions' is a machine such as \
             'znver4:cores=16', not 'wide'"
                .to_owned(),
        ),
        (
            insert("halo-detensorize:sccp,halo-bufferize"),
            "pass 'halo-bufferize' runs on 'builtin.module', not on 'func.func'".to_owned(),
        ),
    ] {
        let expected = format!("{edit}: {message}");
        assert_eq!(edited(&[edit]).err().unwrap(), expected);
    }
    // Only MLIR can check the options of upstream's passes.
    let message = edited(&[insert("hlo:canonicalize{max-iteration=1}")]);
    assert_eq!(
        message.err().unwrap(),
        "--insert-passes=hlo:canonicalize{max-iteration=1}: \
         pass 'canonicalize' has no option 'max-iteration'"
    );
}

/// A pass that an edit adds runs by itself.
#[test]
fn added_passes_are_cut_out() {
    let phases = edited(&[
        insert("halo-fuse-elementwise:sccp"),
        insert("fusion:inline"),
    ]);
    let parts = phases.unwrap()[2].parts();
    let texts = parts.iter().map(|part| {
        let name = part.alone.as_deref().unwrap_or("-");
        format!("{name}: {}", part.pipeline)
    });
    let rest = format!("func.func({BEHIND},halo-detensorize),{CANONICALIZE},halo-cse");
    assert_eq!(
        texts.collect::<Vec<_>>(),
        [
            format!("-: func.func({BEFORE})"),
            "sccp: func.func(sccp)".to_owned(),
            format!("-: {rest},func.func(halo-uplift-while-to-for)"),
            "inline: inline".to_owned(),
        ]
    );
}

/// Edits with declarations in place of text are the same edits.
#[test]
fn edits_are_written_with_declarations() {
    let detensorize = &halo_codegen::fusion::detensorize::PASS;
    let edits = Edits::new()
        .insert_before("linalg", detensorize)
        .insert_after("hlo", halo_ir::pipeline::upstream("cse").option("x", 1))
        .replace("linalg/halo-cse", "inline,cse")
        .remove("fusion");
    let texts: Vec<String> = edits.as_text().iter().map(ToString::to_string).collect();
    assert_eq!(
        texts,
        [
            "--insert-passes=before:linalg:halo-detensorize",
            "--insert-passes=hlo:cse{x=1}",
            "--replace-pass=linalg/halo-cse:inline,cse",
            "--remove-pass=fusion",
        ]
    );
}
