//! Records of compilations.

use halo_backend::{CompileOptions, PipelineEdit, Program, Registry};
use halo_compiler::{
    backends,
    record::{CallKind, CallPurpose, CompilationRecord, KernelCall, Outcome, Reason, Recorder},
};
use halo_runtime::Error;
use std::{collections::BTreeSet, num::NonZeroUsize};

/// A product with fused ops, and a reduction of the same.
const PROGRAM: &str = "\
func.func @main(%x: tensor<64x32xf32>, %w: tensor<32x128xf32>, %b: tensor<64x128xf32>) -> tensor<64xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
    : (tensor<64x32xf32>, tensor<32x128xf32>) -> tensor<64x128xf32>
  %1 = stablehlo.add %0, %b : tensor<64x128xf32>
  %2 = stablehlo.exponential %1 : tensor<64x128xf32>
  %3 = stablehlo.reduce(%2 init: %zero) applies stablehlo.add across dimensions = [1]
    : (tensor<64x128xf32>, tensor<f32>) -> tensor<64xf32>
  return %3 : tensor<64xf32>
}
";

fn program(code: &str) -> Program {
    Program {
        name: "program.mlir".into(),
        code: code.as_bytes().to_vec(),
    }
}

fn registry() -> Registry {
    let mut registry = Registry::new();
    backends::register(&mut registry);
    registry
}

fn options() -> CompileOptions {
    CompileOptions {
        threads: NonZeroUsize::new(2),
        pipeline_edits: vec![PipelineEdit::explain()],
        ..CompileOptions::default()
    }
}

fn record_of(backend: &str, code: &str) -> (CompilationRecord, Result<(), Error>) {
    let recorder = Recorder::default();
    let mut options = CompileOptions {
        record: Some(recorder.sink()),
        ..options()
    };
    let registry = registry();
    let compiler = &registry.backend(backend).unwrap().compiler;
    if compiler.check_pipeline(&options).is_err() {
        // It has no decisions.
        options.pipeline_edits.clear();
    }
    let result = compiler.compile(&program(code), &options).map(drop);
    let record = recorder.record().clone();
    (record, result)
}

#[test]
fn a_record_changes_no_code() {
    let registry = registry();
    for (backend, last) in [("cpu", "llvm"), ("cuda", "nvvm")] {
        let compiler = &registry.backend(backend).unwrap().compiler;
        let plain = compiler.compile_to(&program(PROGRAM), last, &options());
        let recorder = Recorder::default();
        let options = CompileOptions {
            record: Some(recorder.sink()),
            ..options()
        };
        let recorded = compiler.compile_to(&program(PROGRAM), last, &options);
        assert_eq!(plain.unwrap(), recorded.unwrap(), "{backend}");
        assert!(recorder.record().steps.len() > 20, "{backend}");
    }
}

/// The index of the first node with a name.
fn node(record: &CompilationRecord, name: &str) -> u32 {
    let node = record.nodes.iter().position(|node| node.name == name);
    node.unwrap_or_else(|| panic!("no node {name}")) as u32
}

#[test]
fn ops_are_followed_to_their_kernels() {
    let (record, result) = record_of("cpu", PROGRAM);
    result.unwrap();
    let node = |name: &str| &record.nodes[node(&record, name) as usize];
    let product = node("stablehlo.dot_general");
    assert_eq!(product.location, "program.mlir:3:8");
    assert_eq!(product.results, "f32[64,128]");
    // 2 * 64 * 128 * 32; an addition and an exponential for each element; 64 sums of 128.
    assert_eq!(product.flops, 524_288);
    assert_eq!(node("stablehlo.add").flops, 8192);
    assert_eq!(node("stablehlo.exponential").transcendentals, 8192);
    assert_eq!(node("stablehlo.reduce").flops, 8192);
    assert_eq!((record.argument_bytes, record.result_bytes), (57_344, 256));
    // Each is in a kernel, and a value that is computed once is counted once.
    let computed: BTreeSet<u32> = record.calls.iter().flat_map(|call| call.nodes.clone()).collect();
    for (number, node) in (0..).zip(&record.nodes) {
        assert!(node.name == "stablehlo.constant" || computed.contains(&number));
    }
    let flops: u64 = record.calls.iter().map(|call| call.flops).sum();
    assert_eq!(flops, 524_288 + 8192 + 8192);
    for call in &record.calls {
        assert_eq!(call.kind, CallKind::Kernel);
        let kernel = &record.kernels[call.kernel.unwrap() as usize];
        assert_eq!(kernel.name, call.name);
        let text = &record.functions[kernel.function.unwrap() as usize];
        assert_eq!(text.name, kernel.name);
        assert!(text.lines.len() > 2);
        assert!(kernel.compile_seconds.is_some());
    }
    // Each kernel has at least one instruction, and so has the code that calls kernels.
    let bytes = record.kernels.iter().map(|kernel| kernel.code_bytes.unwrap());
    let (least, sum) = (bytes.clone().min(), bytes.sum::<u64>());
    assert!(least.unwrap() > 0 && record.code_bytes.unwrap() > sum);
    assert!(record.error.is_none());
}

#[test]
fn the_time_of_a_compilation_is_divided() {
    let (record, result) = record_of("cpu", PROGRAM);
    result.unwrap();
    let times = record.times;
    let passes: f64 = record.steps.iter().map(|step| step.seconds).sum();
    let parts = passes + times.between_passes + times.machine_code + times.loading;
    for part in [times.machine_code, times.loading, times.recording] {
        assert!(part > 0.0, "{times:?}");
    }
    assert!(parts + times.recording <= times.whole, "{parts} {times:?}");
    assert!((record.seconds() - (times.whole - times.recording)).abs() < 1e-9);
}

#[test]
fn decisions_are_values() {
    let (record, result) = record_of("cpu", PROGRAM);
    result.unwrap();
    let product = node(&record, "stablehlo.dot_general");
    let decision = Outcome::NotFusedIntoUser.because(Reason::IsReduction);
    let remark = record
        .remarks
        .iter()
        .find(|remark| remark.decision == Some(decision) && remark.nodes.contains(&product));
    let remark = remark.unwrap();
    assert_eq!(remark.message, decision.to_string());
    assert_eq!(remark.location, "program.mlir:3:8");
    let step = &record.steps[remark.step as usize];
    assert!(step.pass.contains("halo-fuse-elementwise"), "{}", step.pass);
    let bytes = postcard::to_allocvec(&record).unwrap();
    let read: CompilationRecord = postcard::from_bytes(&bytes).unwrap();
    assert_eq!(read, record);
}

#[test]
fn joins_have_the_pass_and_the_ops() {
    let (record, result) = record_of("cpu", PROGRAM);
    result.unwrap();
    let [add, exponential] =
        ["stablehlo.add", "stablehlo.exponential"].map(|name| node(&record, name));
    let join = record.joins.iter().find(|join| {
        let parts: BTreeSet<u32> = join.parts.iter().flatten().copied().collect();
        parts.is_superset(&[add, exponential].into())
    });
    let join = join.unwrap();
    assert!(join.parts.contains(&vec![add]), "{join:?}");
    let step = &record.steps[join.step as usize];
    assert!(step.pass.contains("halo-fuse-elementwise"), "{}", step.pass);
    // Ops that are in one loop from the start are not recorded as joins.
    assert!(record.joins.iter().all(|join| join.parts.len() > 1));
}

#[test]
fn functions_are_recorded_after_each_pass() {
    let (record, result) = record_of("cpu", PROGRAM);
    result.unwrap();
    let text = |pass: &str, function: &str| {
        let step = record.steps.iter().find(|step| step.pass.contains(pass));
        let step = step.unwrap_or_else(|| panic!("no pass {pass}"));
        let functions = step.functions.iter();
        let mut functions = functions.map(|number| &record.functions[*number as usize]);
        let function = functions.find(|known| known.name == function).unwrap();
        let lines = function.lines.iter();
        let lines = lines.map(|line| &record.lines[*line as usize][..]);
        lines.collect::<Vec<_>>().join("\n")
    };
    let first = &record.steps[0];
    assert_eq!((&first.phase[..], &first.pass[..]), ("input", ""));
    assert!(first.changed);
    assert!(text("stablehlo-legalize-to-linalg", "main").contains("linalg."));
    assert!(text("halo-outline-kernels", "main").contains("call @main_kernel_"));
    assert!(text("halo-outline-kernels", "main_kernel_0").contains("halo.kernel"));
    assert!(record.lines.iter().all(|line| !line.contains(" loc(")));
    // Each function, and a pass without changes, has the text of the previous pass.
    let unchanged = record.steps.windows(2).filter(|steps| !steps[1].changed);
    assert!(unchanged.clone().count() > 5);
    for steps in unchanged {
        assert_eq!(steps[0].functions, steps[1].functions);
    }
}

#[test]
fn calls_have_purposes_and_bytes() {
    // Such a deep product is computed in blocks, each with a call that packs its part of %w.
    let code = "\
func.func @main(%x: tensor<256x3072xf32>, %w: tensor<3072x768xf32>) -> tensor<256x768xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
    : (tensor<256x3072xf32>, tensor<3072x768xf32>) -> tensor<256x768xf32>
  return %0 : tensor<256x768xf32>
}
";
    let (record, result) = record_of("cpu", code);
    result.unwrap();
    let weight = 3072 * 768 * 4;
    let of = |purpose| {
        let calls = record.calls.iter();
        calls.filter(move |call| call.purpose == purpose)
    };
    // All calls together read each byte of the weight and write it once; the last block may be
    // partial.
    let packed: u64 = of(CallPurpose::Pack).map(|call| call.count * call.bytes.unwrap()).sum();
    assert!((2 * weight..3 * weight).contains(&packed), "{packed}");
    // The computing calls have all of the arithmetic.
    let flops: u64 = of(CallPurpose::Compute).map(|call| call.flops * call.count).sum();
    assert_eq!(flops, 2 * 256 * 3072 * 768);
    assert_eq!(
        record.calls.iter().map(|call| call.flops * call.count).sum::<u64>(),
        flops
    );
}

#[test]
fn calls_of_a_function_are_distinct() {
    let code = "\
func.func @main(%x: tensor<512x512xf32> loc(\"x\"), %y: tensor<512x512xf32>) -> tensor<512x512xf32> {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
  %1 = call @norm(%0) : (tensor<512x512xf32>) -> tensor<512x512xf32>
  %2 = stablehlo.dot_general %1, %y, contracting_dims = [1] x [0] : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
  %3 = call @norm(%2) : (tensor<512x512xf32>) -> tensor<512x512xf32>
  return %3 : tensor<512x512xf32>
}
func.func private @norm(%a: tensor<512x512xf32>) -> tensor<512x512xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<512x512xf32>, tensor<f32>) -> tensor<512xf32>
  %all = stablehlo.broadcast_in_dim %sum, dims = [0] : (tensor<512xf32>) -> tensor<512x512xf32>
  %b = stablehlo.divide %a, %all : tensor<512x512xf32>
  return %b : tensor<512x512xf32>
}
";
    let (record, result) = record_of("cpu", code);
    result.unwrap();
    // The ops of both calls are the same, but their nodes are not.
    let nodes = record.nodes.iter().enumerate();
    let sums: Vec<_> = nodes.filter(|(_, node)| node.name == "stablehlo.reduce").collect();
    let [(first, one), (second, other)] = sums[..] else {
        panic!("{sums:?}");
    };
    assert_eq!(one.location, other.location);
    // Each is in its own call, with the location of the call of the function.
    for (number, line) in [(first, 3), (second, 5)] {
        let calls = record.calls.iter();
        let calls: Vec<&KernelCall> =
            calls.filter(|call| call.nodes.contains(&(number as u32))).collect();
        assert!(!calls.is_empty());
        for call in calls {
            assert_eq!(call.callers, [format!("program.mlir:{line}:8")]);
        }
    }
    // Remarks refer to one of them.
    let remarks = record.remarks.iter();
    let remarks: Vec<_> = remarks
        .filter(|remark| remark.location == one.location && !remark.nodes.is_empty())
        .collect();
    assert!(!remarks.is_empty());
    for remark in remarks {
        assert_eq!(remark.nodes.len(), 1, "{remark:?}");
        assert!([first, second].contains(&(remark.nodes[0] as usize)));
    }
}

/// Equal constants and buffers of kernels are merged before kernels are created, with the location
/// of the first.
#[test]
fn kernels_have_no_ops_of_others() {
    let code = "\
func.func @main(%x: tensor<256x768xf32>, %w: tensor<768x768xf32>) -> (tensor<256xf32>, tensor<256xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<256x768xf32>, tensor<f32>) -> tensor<256xf32>
  %a = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<256xf32>) -> tensor<256x768xf32>
  %b = stablehlo.divide %x, %a : tensor<256x768xf32>
  %1 = stablehlo.dot_general %b, %w, contracting_dims = [1] x [0] : (tensor<256x768xf32>, tensor<768x768xf32>) -> tensor<256x768xf32>
  %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<256x768xf32>, tensor<f32>) -> tensor<256xf32>
  %c = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<256xf32>) -> tensor<256x768xf32>
  %d = stablehlo.divide %1, %c : tensor<256x768xf32>
  %3 = stablehlo.reduce(%d init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<256x768xf32>, tensor<f32>) -> tensor<256xf32>
  return %0, %3 : tensor<256xf32>, tensor<256xf32>
}
";
    let (record, result) = record_of("cpu", code);
    result.unwrap();
    for call in &record.calls {
        let locations: BTreeSet<&str> = call
            .nodes
            .iter()
            .map(|node| &record.nodes[*node as usize].location[..])
            .collect();
        let both = ["program.mlir:3:8", "program.mlir:7:8"];
        assert!(
            !both.iter().all(|it| locations.contains(it)),
            "{locations:?}"
        );
    }
}

#[test]
fn fills_have_no_operations() {
    let code = "\
func.func @main(%x: tensor<1x512xf32>, %w: tensor<512x1000xf32>) -> tensor<1x1000xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
    : (tensor<1x512xf32>, tensor<512x1000xf32>) -> tensor<1x1000xf32>
  return %0 : tensor<1x1000xf32>
}
";
    let (record, result) = record_of("cpu", code);
    result.unwrap();
    let purposes: Vec<CallPurpose> = record.calls.iter().map(|call| call.purpose).collect();
    assert_eq!(purposes, [CallPurpose::Fill, CallPurpose::Compute]);
    assert_eq!(record.calls[0].flops, 0);
}

#[test]
fn the_memory_plan_is_that_of_the_pass() {
    // Two consecutive products have a buffer between them.
    let code = "\
func.func @main(%x: tensor<256x256xf32>) -> tensor<256x256xf32> {
  %0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0]
    : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
  %1 = stablehlo.dot_general %0, %0, contracting_dims = [1] x [0]
    : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
  return %1 : tensor<256x256xf32>
}
";
    let (record, result) = record_of("cpu", code);
    result.unwrap();
    let arena = record.arena.as_ref().unwrap();
    let remark = record
        .remarks
        .iter()
        .find(|remark| remark.message.starts_with("has an arena of"))
        .unwrap();
    let expected = format!(
        "has an arena of {} bytes for {} buffers; {} bytes are live at once",
        arena.bytes,
        arena.buffers.len(),
        arena.lower_bound
    );
    assert!(remark.message.starts_with(&expected), "{}", remark.message);
    assert!(record.steps[remark.step as usize].pass.contains("halo-buffer-assignment"));
    // The first product.
    let mut buffers = arena.buffers.iter();
    assert!(
        buffers.any(|buffer| {
            buffer.bytes == 256 * 256 * 4 && buffer.location == "program.mlir:2:8"
        })
    );
    assert!(arena.buffers.iter().all(|buffer| buffer.offset + buffer.bytes <= arena.bytes));
    assert_eq!(arena.call_times.len(), record.calls.len());
    assert!(arena.call_times.is_sorted());
}

#[test]
fn a_program_that_fails_is_recorded_up_to_the_pass() {
    let code = "\
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.custom_call @nowhere(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = call @outside(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func private @outside(tensor<4xf32>) -> tensor<4xf32>
";
    let (record, result) = record_of("cpu", code);
    assert!(result.is_err());
    assert!(record.steps.len() > 1);
    assert!(record.kernels.is_empty());
    assert!(record.functions.len() > 1);
}

#[test]
fn equal_kernels_have_their_own_ops() {
    let code = "\
func.func @main(%x: tensor<512x512xf32>, %y: tensor<512x512xf32>) -> (tensor<512x512xf32>, tensor<512x512xf32>) {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
  %1 = stablehlo.dot_general %y, %x, contracting_dims = [1] x [0] : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
  return %0, %1 : tensor<512x512xf32>, tensor<512x512xf32>
}
";
    let (record, result) = record_of("cpu", code);
    result.unwrap();
    for (number, node) in record.nodes.iter().enumerate() {
        let mut calls = record.calls.iter();
        let is_computed = calls.any(|call| call.nodes.contains(&(number as u32)));
        assert!(is_computed, "{node:?}");
    }
    let locations: Vec<&str> = record.calls.iter().map(|call| &call.location[..]).collect();
    assert!(locations.contains(&"program.mlir:2:8"), "{locations:?}");
    assert!(locations.contains(&"program.mlir:3:8"), "{locations:?}");
    assert!(
        record.kernels.len() < record.calls.len(),
        "equal kernels are one"
    );
}

#[test]
fn backends_without_kernels_have_records_too() {
    let (record, result) = record_of("interpreter", PROGRAM);
    result.unwrap();
    assert!(record.steps.len() > 1);
    assert!(record.calls.is_empty());
    assert!(record.arena.is_none());
}
