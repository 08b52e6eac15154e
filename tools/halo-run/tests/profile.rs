//! Profiles of programs that are compiled and run.
#![cfg(all(unix, feature = "compiler"))]

use serde_json::Value;
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

/// Two products with an op between them, and a Fourier transform, which the runtime computes.
const PROGRAM: &str = "\
func.func @main(%x: tensor<256x256xf32>, %z: tensor<64xcomplex<f32>>)
    -> (tensor<256x256xf32>, tensor<64xcomplex<f32>>) {
  %0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0]
    : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
  %1 = stablehlo.tanh %0 : tensor<256x256xf32>
  %2 = stablehlo.dot_general %1, %x, contracting_dims = [1] x [0]
    : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
  %3 = stablehlo.fft %z, type = FFT, length = [64]
    : (tensor<64xcomplex<f32>>) -> tensor<64xcomplex<f32>>
  return %2, %3 : tensor<256x256xf32>, tensor<64xcomplex<f32>>
}
";

/// A kernel, followed by a failing check.
const FAILING: &str = "\
func.func @main(%x: tensor<4096xf32>) -> tensor<4096xf32> {
  %0 = stablehlo.exponential %x : tensor<4096xf32>
  stablehlo.custom_call @check.expect_eq(%0, %x) {has_side_effect = true}
    : (tensor<4096xf32>, tensor<4096xf32>) -> ()
  return %0 : tensor<4096xf32>
}
";

struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn program(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, text).unwrap();
        path
    }

    fn run(&self, program: &Path, options: &[&str]) -> Output {
        let folder = self.0.path().display().to_string();
        let options = options.iter().map(|option| option.replace("{}", &folder));
        Command::new(env!("CARGO_BIN_EXE_halo-run"))
            .args(["--random-inputs=1", "--threads=2"])
            .args(options)
            .arg(program)
            .env_remove("HALO_LOG")
            .output()
            .unwrap()
    }

    fn trace(&self) -> Trace {
        let text = fs::read(self.path("trace.json")).unwrap();
        Trace(serde_json::from_slice(&text).unwrap())
    }
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

struct Trace(Value);

impl Trace {
    fn events(&self) -> impl Iterator<Item = &Value> {
        let events = self.0["traceEvents"].as_array().unwrap().iter();
        events.filter(|event| event["ph"] == "X")
    }

    fn of(&self, category: &str) -> Vec<&Value> {
        let events = self.events().filter(|event| event["cat"] == category);
        events.collect()
    }

    fn names(&self, category: &str) -> BTreeSet<&str> {
        let events = self.of(category).into_iter();
        events.map(|event| event["name"].as_str().unwrap()).collect()
    }

    /// The memory in use over time.
    fn counters(&self, memory: &str) -> Vec<u64> {
        let events = self.0["traceEvents"].as_array().unwrap().iter();
        let counters = events.filter(|event| event["ph"] == "C" && event["name"] == memory);
        counters.map(|event| event["args"]["bytes"].as_u64().unwrap()).collect()
    }

    /// Two slices of a thread are either nested or disjoint.
    fn check_nesting(&self) {
        let mut open: Vec<(u64, f64)> = Vec::new();
        for event in self.events() {
            let number = |name: &str| event[name].as_f64().unwrap();
            let thread = event["tid"].as_u64().unwrap();
            let (start, end) = (number("ts"), number("ts") + number("dur"));
            open.retain(|(other, ends)| *other == thread && *ends > start + 1e-6);
            for (_, ends) in &open {
                assert!(end <= ends + 1e-6, "{event} ends behind {ends}");
            }
            open.push((thread, end));
        }
    }
}

fn time(event: &Value) -> (f64, f64) {
    let number = |name: &str| event[name].as_f64().unwrap();
    (number("ts"), number("ts") + number("dur"))
}

/// The kernels of the program, from the compiler.
fn kernels(place: &Place, program: &Path) -> BTreeSet<String> {
    let output = place.run(program, &["--compile-to=kernels"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let names = text(&output.stdout).split("halo.parallel_call @").skip(1);
    let names = names.map(|rest| rest.split_whitespace().next().unwrap().to_owned());
    names.collect()
}

#[test]
fn a_trace_has_every_kernel_and_nests() {
    let place = Place::new();
    let program = place.program("a.mlir", PROGRAM);
    let output = place.run(&program, &["--bench=3", "--profile={}/trace.json"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let trace = place.trace();
    trace.check_nesting();
    assert_eq!(trace.of("run").len(), 5);
    assert_eq!(trace.names("call"), BTreeSet::from(["halo.fft"]));
    let expected = kernels(&place, &program);
    assert!(expected.len() >= 2, "{expected:?}");
    let found: BTreeSet<String> = trace.names("kernel").into_iter().map(Into::into).collect();
    assert_eq!(found, expected);
    for kernel in trace.of("kernel") {
        let within = |run: &&Value| {
            let ((outer, ended), (start, end)) = (time(run), time(kernel));
            run["tid"] == kernel["tid"] && start >= outer && end <= ended + 1e-6
        };
        assert_eq!(trace.of("run").into_iter().filter(within).count(), 1);
        let location = kernel["args"]["location"].as_str().unwrap();
        assert!(location.contains("a.mlir:"), "{location}");
        assert!(kernel["args"]["bytes"].as_u64().unwrap() > 0);
    }
    let ops: Vec<&str> = trace
        .of("kernel")
        .iter()
        .filter_map(|kernel| kernel["args"]["ops"].as_str())
        .collect();
    assert!(ops.iter().any(|ops| ops.contains("dot_general")), "{ops:?}");
    assert!(ops.iter().any(|ops| ops.contains("tanh")), "{ops:?}");
    // Transfers with their sizes, and memory counters.
    let transfers = trace.of("transfer").into_iter();
    let transfers = transfers.map(|it| (it["name"].as_str().unwrap(), &it["args"]["bytes"]));
    let (matrix, numbers) = (256 * 256 * 4, 64 * 8);
    let transfers: Vec<_> =
        transfers.map(|(name, bytes)| (name, bytes.as_u64().unwrap())).collect();
    let expected = [
        ("input 0", matrix),
        ("input 1", numbers),
        ("result 0", matrix),
        ("result 1", numbers),
    ];
    assert_eq!(transfers, expected[..transfers.len()]);
    assert!(transfers.len() >= 2, "{transfers:?}");
    let memory = trace.counters("cpu memory");
    assert_eq!(memory[..2], [matrix, matrix + numbers]);
    assert!(memory.contains(&(2 * (matrix + numbers))), "{memory:?}");
    assert!(trace.counters("cpu arenas").iter().any(|bytes| *bytes > 0));
    // Passes are within their phases.
    let passes = trace.of("compile").into_iter();
    let is_pass = |name: &Value| name.as_str().unwrap().starts_with("halo-outline-kernels");
    let mut passes = passes.filter(|it| is_pass(&it["name"]));
    let pass = passes.next().unwrap();
    let mut phases = trace.of("compile").into_iter();
    let phase = phases.find(|it| {
        it["name"] == "kernels" && time(it).0 <= time(pass).0 && time(pass).1 <= time(it).1 + 1e-6
    });
    assert!(phase.is_some(), "{pass}");
    // The phases of the compiler, and the modules that LLVM compiled.
    let steps = trace.names("compile");
    for step in [
        "compilation",
        "input",
        "hlo",
        "kernels",
        "machine-code",
        "load",
    ] {
        assert!(steps.contains(step), "{steps:?}");
    }
}

#[test]
fn results_are_the_same_with_a_profile() {
    let place = Place::new();
    let program = place.program("a.mlir", PROGRAM);
    let plain = place.run(&program, &[]);
    let profiled = place.run(&program, &["--profile=summary"]);
    assert!(plain.status.success() && profiled.status.success());
    assert_eq!(plain.stdout, profiled.stdout);
    let table = text(&profiled.stderr);
    for part in [
        "total ms",
        "@halo.fft",
        "dot_general",
        "a.mlir:3:",
        "(all runs)",
    ] {
        assert!(table.contains(part), "{part}\n{table}");
    }
}

#[test]
fn a_run_that_fails_leaves_a_whole_trace() {
    let place = Place::new();
    let program = place.program("fails \"<&>\".mlir", FAILING);
    let output = place.run(&program, &["--profile={}/trace.json"]);
    assert_eq!(output.status.code(), Some(1));
    let message = text(&output.stderr);
    assert!(message.contains("error: @check.expect_eq"), "{message}");
    let trace = place.trace();
    trace.check_nesting();
    assert!(!trace.of("kernel").is_empty());
    for category in ["call", "run"] {
        let events = trace.of(category);
        assert_eq!(events.last().unwrap()["args"]["failed"], true);
    }
    let error = trace.0["otherData"]["error"].as_str().unwrap();
    assert!(message.contains(error.lines().next().unwrap()));
    let name = trace.0["otherData"]["program"].as_str().unwrap();
    assert!(name.ends_with("fails \"<&>\".mlir"), "{name}");
}

#[test]
fn a_program_that_does_not_compile_leaves_its_trace_too() {
    let place = Place::new();
    let program = place.program("wrong.mlir", "func.func @main() { wrong }");
    let output = place.run(&program, &["--profile={}/trace.json", "--profile=summary"]);
    assert_eq!(output.status.code(), Some(1));
    let trace = place.trace();
    assert!(trace.names("compile").contains("compilation"));
    assert!(trace.of("run").is_empty());
    assert!(!text(&output.stderr).contains("total ms"));
}

#[test]
fn a_file_that_cannot_be_written_is_told_before_the_run() {
    let place = Place::new();
    let program = place.program("a.mlir", FAILING);
    for (option, expected) in [
        ("--profile={}/no/trace.json", "there is no directory"),
        ("--profile={}", "is a directory"),
    ] {
        let output = place.run(&program, &[option]);
        assert_eq!(output.status.code(), Some(1));
        let message = text(&output.stderr);
        assert_eq!(message.lines().count(), 1, "{message}");
        assert!(message.contains(expected), "{message}");
        assert_eq!(text(&output.stdout), "");
    }
}

#[test]
fn other_backends_show_what_they_have() {
    let place = Place::new();
    let program = place.program("a.mlir", PROGRAM);
    let interpreter = ["--backend=interpreter", "--profile=summary"];
    let output = place.run(&program, &interpreter);
    assert!(output.status.success());
    let message = text(&output.stderr);
    assert!(
        message.contains("the backend shows no kernels"),
        "{message}"
    );
    if cfg!(feature = "shared") {
        let emulator = ["--backend=cuda-emulator", "--profile={}/trace.json"];
        let output = place.run(&program, &emulator);
        assert!(output.status.success(), "{}", text(&output.stderr));
        assert!(place.trace().of("kernel").len() >= 2);
        assert_eq!(place.trace().names("call"), BTreeSet::from(["halo.fft"]));
    }
}

#[test]
fn the_log_says_what_was_decided() {
    let place = Place::new();
    let program = place.program("a.mlir", PROGRAM);
    let run = |filter: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_halo-run"));
        command.arg("--random-inputs=1").arg(&program);
        command.env("HALO_CACHE_DIR", place.path("cache"));
        command.env("HALO_LOG", filter).output().unwrap()
    };
    let output = run("debug");
    assert!(output.status.success(), "{}", text(&output.stderr));
    let log = text(&output.stderr);
    for part in [
        "backend chosen backend=\"cpu\" is_default=true",
        "phase finished phase=\"linalg\"",
        "cache asked key=",
        "hit=false",
    ] {
        assert!(log.contains(part), "{part}\n{log}");
    }
    assert!(text(&run("halo=debug").stderr).contains("hit=true"));
    let output = run("debgu");
    assert_eq!(output.status.code(), Some(1));
    let message = text(&output.stderr);
    assert_eq!(message.lines().count(), 1, "{message}");
    assert!(message.contains("HALO_LOG: 'debgu' is neither a level"));
}

#[test]
#[cfg(target_os = "linux")]
fn perf_finds_compiled_kernels_by_name() {
    let place = Place::new();
    let program = place.program("a.mlir", PROGRAM);
    let expected = kernels(&place, &program);
    let mut command = Command::new(env!("CARGO_BIN_EXE_halo-run"));
    command.arg("--random-inputs=1").arg(&program);
    let child = command.env("HALO_PERF", "map").stdout(std::process::Stdio::null());
    let mut child = child.spawn().unwrap();
    let map = PathBuf::from(format!("/tmp/perf-{}.map", child.id()));
    assert!(child.wait().unwrap().success());
    let text = fs::read_to_string(&map).unwrap();
    fs::remove_file(&map).unwrap();
    let mut ranges = Vec::new();
    let mut names = BTreeSet::new();
    for line in text.lines() {
        let [address, size, name] = line.splitn(3, ' ').collect::<Vec<_>>()[..] else {
            panic!("{line}");
        };
        let number = |text| u64::from_str_radix(text, 16).unwrap();
        ranges.push((number(address), number(size)));
        names.insert(name);
    }
    for kernel in &expected {
        assert!(names.contains(&kernel[..]), "{kernel}\n{text}");
    }
    assert!(names.contains("main__entry"), "{text}");
    ranges.sort_unstable();
    for pair in ranges.windows(2) {
        assert!(pair[0].1 > 0 && pair[0].0 + pair[0].1 <= pair[1].0);
    }
}
