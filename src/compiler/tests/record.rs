//! Records of compilations.

use halo_compiler::backends;
use halo_runtime::{
    CompileOptions, Error, PipelineEdit, Program, Registry,
    compilation_record::{
        CallKind, CallPurpose, CompilationRecord, EntryValue, KernelCall, Recorder,
    },
};
use std::{collections::BTreeSet, num::NonZeroUsize};

/// A product with what is fused into it, and a reduction of the same.
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
        record: Some(recorder.clone()),
        ..options()
    };
    let registry = registry();
    let compiler = &registry.backend(backend).unwrap().compiler;
    if compiler.check_pipeline(&options).is_err() {
        // It has no decisions to explain.
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
            record: Some(recorder.clone()),
            ..options()
        };
        let recorded = compiler.compile_to(&program(PROGRAM), last, &options);
        assert_eq!(plain.unwrap(), recorded.unwrap(), "{backend}");
        assert!(recorder.record().steps.len() > 20, "{backend}");
    }
}

#[test]
fn ops_are_followed_to_their_kernels() {
    let (record, result) = record_of("cpu", PROGRAM);
    result.unwrap();
    let op = |name: &str| {
        let position = record.ops.iter().position(|op| op.name == name);
        position.unwrap_or_else(|| panic!("no op {name}"))
    };
    let dot = op("stablehlo.dot_general");
    assert_eq!(record.ops[dot].location, "program.mlir:3:8");
    assert_eq!(record.ops[dot].line, 3);
    assert_eq!(record.source, PROGRAM);
    // 2 * 64 * 128 * 32; an addition and an exponential for each element; 64 sums of 128.
    let node = |name: &str| record.nodes.iter().find(|node| node.name == name).unwrap();
    let product = node("stablehlo.dot_general");
    assert_eq!(product.origins, [dot as u32]);
    assert_eq!(product.results, "f32[64,128]");
    assert_eq!((product.flops, product.bytes), (524_288, 32_768));
    assert_eq!(product.operands, [-1, -2]);
    assert_eq!(node("stablehlo.add").flops, 8192);
    assert_eq!(node("stablehlo.exponential").transcendentals, 8192);
    assert_eq!(node("stablehlo.reduce").flops, 8192);
    // Each is in a kernel, and what a kernel computes is the sum of its nodes.
    for name in ["dot_general", "add", "exponential", "reduce"] {
        assert!(
            !node(&format!("stablehlo.{name}")).calls.is_empty(),
            "{name}"
        );
    }
    // What is computed once counts once, and a kernel that fills memory counts nothing.
    let flops: u64 = record.calls.iter().map(|call| call.flops).sum();
    assert_eq!(flops, 524_288 + 8192 + 8192);
    for call in &record.calls {
        assert_eq!(call.kind, CallKind::Kernel);
        let kernel = &record.kernels[call.kernel.unwrap() as usize];
        assert_eq!(kernel.name, call.name);
        assert!(!kernel.loops.is_empty());
        assert!(!kernel.text.lines.is_empty());
        assert!(kernel.assembly.contains(&kernel.name) || kernel.assembly.contains("ret"));
        assert!(kernel.compile_seconds.is_some());
    }
    // Each kernel has at least an instruction, and the calls of kernels have some, too.
    let bytes = record
        .kernels
        .iter()
        .map(|kernel| kernel.code_bytes.unwrap());
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
    let told = passes + times.between_passes + times.machine_code + times.loading;
    for part in [
        times.verification,
        times.machine_code,
        times.loading,
        times.recording,
    ] {
        assert!(part > 0.0, "{times:?}");
    }
    assert!(told + times.recording <= times.whole, "{told} {times:?}");
    assert!((record.seconds() - (times.whole - times.recording)).abs() < 1e-9);
    assert!(times.verification <= passes, "{passes} {times:?}");
    // Threads take no longer together than by the clock, each of them.
    assert!((1..=2).contains(&times.machine_code_threads), "{times:?}");
    let mut of_threads = 0.0;
    for part in &record.code_generation {
        assert!(
            0.0 < part.passes_seconds && part.passes_seconds < part.seconds,
            "{part:?}"
        );
        assert!(part.translation_seconds > 0.0, "{part:?}");
        of_threads += part.seconds + part.translation_seconds;
    }
    let all = f64::from(times.machine_code_threads) * times.machine_code;
    assert!(of_threads <= all, "{of_threads} of {all}");
}

/// A product in blocks of columns, of which the last one may be smaller, and ops without blocks.
#[test]
fn iterations_are_known_unless_they_depend_on_the_call() {
    let code = "\
func.func @main(%x: tensor<256x768xf32>, %w: tensor<768x3072xf32>) -> tensor<256x3072xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
    : (tensor<256x768xf32>, tensor<768x3072xf32>) -> tensor<256x3072xf32>
  %1 = stablehlo.negate %0 : tensor<256x3072xf32>
  %2 = stablehlo.reverse %1, dims = [1] : tensor<256x3072xf32>
  return %2 : tensor<256x3072xf32>
}
";
    let (record, result) = record_of("cpu", code);
    result.unwrap();
    for call in &record.calls {
        let tasks = call.tasks.unwrap();
        assert!(tasks.least > 0, "{call:?}");
        // In a loop over blocks that are not of one size.
        if tasks.iterations.is_none() {
            assert!(call.count > 1, "{call:?}");
        }
    }
    let once = record.calls.iter().filter(|call| call.count == 1);
    let known = once.map(|call| call.tasks.unwrap().iterations);
    assert!(known.clone().count() > 0 && known.into_iter().all(|it| it.is_some_and(|it| it > 1)));
}

#[test]
fn lines_of_all_passes_have_their_origins() {
    let (record, result) = record_of("cpu", PROGRAM);
    result.unwrap();
    let dot = record
        .ops
        .iter()
        .position(|op| op.name == "stablehlo.dot_general");
    let dot = dot.unwrap() as u32;
    let lines_of = |pass: &str| {
        let step = record.steps.iter().find(|step| step.pass.contains(pass));
        let step = step.unwrap_or_else(|| panic!("no pass {pass}"));
        let mut lines = Vec::new();
        for function in &step.functions {
            let function = &record.functions[*function as usize];
            for (line, origins) in function.lines.iter().zip(&function.origins) {
                if record.origins[*origins as usize].contains(&dot) {
                    lines.push(record.lines[*line as usize].trim());
                }
            }
        }
        lines
    };
    let first = &record.steps[0];
    assert_eq!((&first.phase[..], &first.pass[..]), ("input", ""));
    let linalg = lines_of("stablehlo-legalize-to-linalg");
    assert!(
        linalg.iter().any(|line| line.contains("linalg.")),
        "{linalg:?}"
    );
    let kernels = lines_of("halo-outline-kernels");
    let is_call = |line: &&str| line.contains("call @main_kernel_");
    assert!(kernels.iter().any(is_call), "{kernels:?}");
    let llvm = lines_of("halo-lower-to-runtime-abi");
    assert!(llvm.iter().any(|line| line.contains("llvm.")), "{llvm:?}");
    // No line shows its location.
    assert!(record.lines.iter().all(|line| !line.contains(" loc(")));
}

#[test]
fn calls_tell_what_they_are_for_and_what_they_touch() {
    // So deep a product is computed block by block, each with a call that packs its part of %w.
    let code = "\
func.func @main(%x: tensor<256x3072xf32>, %w: tensor<3072x768xf32>) -> tensor<256x768xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
    : (tensor<256x3072xf32>, tensor<3072x768xf32>) -> tensor<256x768xf32>
  return %0 : tensor<256x768xf32>
}
";
    let (record, result) = record_of("cpu", code);
    result.unwrap();
    let sizes = |values: &[EntryValue]| {
        let sizes = values.iter().map(|value| value.bytes.unwrap());
        sizes.collect::<Vec<u64>>()
    };
    let weight = 3072 * 768 * 4;
    assert_eq!(sizes(&record.arguments), [256 * 3072 * 4, weight]);
    assert_eq!(sizes(&record.results), [256 * 768 * 4]);
    let of = |purpose| {
        let calls = record.calls.iter();
        calls.filter(move |call| call.purpose == purpose)
    };
    let touched = |call: &KernelCall, name: &str| {
        let mut buffers = call.buffers.iter();
        let buffer = buffers.find(|buffer| buffer.name == name).unwrap();
        (buffer.bytes.unwrap(), buffer.touched.unwrap())
    };
    // All calls together read each byte of the weight once; the last block may be a part of one.
    let mut packed = 0;
    for call in of(CallPurpose::Pack) {
        let (bytes, part) = touched(call, "argument 1");
        assert_eq!(bytes, weight);
        packed += call.count * part;
        assert!(call.bytes.unwrap() <= 2 * part, "{call:?}");
    }
    assert!((weight..weight * 3 / 2).contains(&packed), "{packed}");
    // What computes writes the result, named as one, and has all of the arithmetic.
    let flops: u64 = of(CallPurpose::Compute)
        .map(|call| call.flops * call.count)
        .sum();
    assert_eq!(flops, 2 * 256 * 3072 * 768);
    let names = record.calls.iter().flat_map(|call| &call.buffers);
    let names: BTreeSet<&str> = names.map(|buffer| &buffer.name[..]).collect();
    let known = ["argument 0", "argument 1", "arena", "result 0"];
    assert_eq!(names, known.into());
    for call in &record.calls {
        let parts = call.buffers.iter().map(|buffer| buffer.touched.unwrap());
        assert_eq!(parts.sum::<u64>(), call.bytes.unwrap(), "{call:?}");
    }
}

#[test]
fn blocks_of_several_sizes_are_told_in_the_mean() {
    // On two threads the products take 3072 columns in blocks, of which the last one is smaller.
    let code = "\
func.func @main(%x: tensor<256x768xf32>, %w: tensor<768x3072xf32>) -> tensor<256x3072xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
    : (tensor<256x768xf32>, tensor<768x3072xf32>) -> tensor<256x3072xf32>
  return %0 : tensor<256x3072xf32>
}
";
    let (record, result) = record_of("cpu", code);
    result.unwrap();
    let sum = |purpose, name: &str| {
        let calls = record
            .calls
            .iter()
            .filter(|call| call.purpose == purpose && call.kind == CallKind::Kernel);
        let touched = calls.flat_map(|call| {
            let buffers = call.buffers.iter().filter(|buffer| buffer.name == name);
            buffers.map(|buffer| buffer.touched.unwrap() * call.count)
        });
        touched.sum::<u64>()
    };
    let is_near = |sum: u64, bytes: u64| (bytes - 16..=bytes + 16).contains(&sum);
    // All calls together read the weight once, and write the result once.
    let packed = sum(CallPurpose::Pack, "argument 1");
    assert!(is_near(packed, 768 * 3072 * 4), "{packed}");
    let written = sum(CallPurpose::Compute, "result 0");
    assert!(is_near(written, 256 * 3072 * 4), "{written}");
}

#[test]
fn calls_of_a_function_are_told_apart() {
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
    // The ops of both calls are the same, their nodes are not.
    let nodes = record.nodes.iter().enumerate();
    let sums: Vec<_> = nodes
        .filter(|(_, node)| node.name == "stablehlo.reduce")
        .collect();
    let [(first, one), (second, other)] = sums[..] else {
        panic!("{sums:?}");
    };
    assert_eq!(one.origins, other.origins);
    assert_eq!(one.applied, "add");
    let lines = |callers: &[u32]| {
        let lines = callers.iter().map(|op| record.ops[*op as usize].line);
        lines.collect::<Vec<u32>>()
    };
    assert_eq!(
        (lines(&one.callers), lines(&other.callers)),
        (vec![3], vec![5])
    );
    // Each is in a call of its own, which is told with the place of the call.
    for (number, line) in [(first, 3), (second, 5)] {
        let calls = record.nodes[number].calls.iter();
        let calls: Vec<&KernelCall> = calls.map(|call| &record.calls[*call as usize]).collect();
        assert!(!calls.is_empty());
        for call in calls {
            let of_function: Vec<u32> = call
                .nodes
                .iter()
                .flat_map(|node| lines(&record.nodes[*node as usize].callers))
                .collect();
            assert!(of_function.iter().all(|it| *it == line), "{call:?}");
            assert_eq!(call.callers, [format!("program.mlir:{line}:8")]);
        }
    }
    // Remarks are about one of both.
    let refusals = record.remarks.iter();
    let refusals: Vec<_> = refusals
        .filter(|remark| remark.origins == record.nodes[first].origins)
        .collect();
    assert!(!refusals.is_empty());
    for remark in refusals {
        assert_eq!(remark.nodes.len(), 1, "{remark:?}");
        assert!([first, second].contains(&(remark.nodes[0] as usize)));
    }
    let names: Vec<&str> = record.arguments.iter().map(|it| &it.name[..]).collect();
    assert_eq!(names, ["x", "%y"]);
}

/// Equal constants and buffers of kernels are one before the kernels are made, with the place of
/// the first.
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
        let lines: BTreeSet<u32> = call
            .nodes
            .iter()
            .flat_map(|node| &record.nodes[*node as usize].origins)
            .map(|op| record.ops[*op as usize].line)
            .collect();
        assert!(!(lines.contains(&3) && lines.contains(&7)), "{lines:?}");
    }
}

#[test]
fn fills_and_what_is_written_are_known() {
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
    for call in &record.calls {
        for buffer in &call.buffers {
            let is_result = buffer.name == "result 0";
            assert_eq!(buffer.is_written, is_result, "{buffer:?}");
        }
    }
}

#[test]
fn the_memory_plan_is_that_of_the_pass() {
    // Two products in a row have a buffer between them.
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
    assert!(
        record.steps[remark.step as usize]
            .pass
            .contains("halo-buffer-assignment")
    );
    // The first product.
    let mut buffers = arena.buffers.iter();
    assert!(
        buffers.any(|buffer| {
            buffer.bytes == 256 * 256 * 4 && buffer.location == "program.mlir:2:8"
        })
    );
    assert!(
        arena
            .buffers
            .iter()
            .all(|buffer| buffer.offset + buffer.bytes <= arena.bytes)
    );
    assert_eq!(arena.call_times.len(), record.calls.len());
    assert!(arena.call_times.is_sorted());
    // A call names the buffer that it takes.
    let taken = record.calls.iter().flat_map(|call| &call.buffers);
    assert!(taken.filter_map(|buffer| buffer.arena).next().is_some());
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
    assert_eq!(record.ops.len(), 3);
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
        assert!(!node.calls.is_empty(), "{number}");
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
