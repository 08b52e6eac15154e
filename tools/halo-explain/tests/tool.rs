//! The tool on programs that compile, that do not, and on devices that are not here.
#![cfg(unix)]

use halo_explain::read;
use halo_runtime::compilation_record::{CallKind, CompilationRecord, Kernel, Spread};
use std::{
    fs,
    path::PathBuf,
    process::{Command, Output},
};

/// Two products with something between them, and a Fourier transform, which the runtime does.
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

/// No pass can make anything of the call.
const FAILING: &str = "\
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.negate %x : tensor<4xf32>
  %1 = call @outside(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func private @outside(tensor<4xf32>) -> tensor<4xf32>
";

struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        fs::write(place.path("a.mlir"), PROGRAM).unwrap();
        fs::write(place.path("failing.mlir"), FAILING).unwrap();
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn explain(&self, arguments: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_halo-explain"))
            .current_dir(&self.0)
            .arg("--threads=2")
            .args(arguments)
            .output()
            .unwrap()
    }

    /// The record of a report that the tool has written.
    fn record(&self, name: &str) -> CompilationRecord {
        read(&fs::read(self.path(name)).unwrap()).unwrap()
    }
}

#[track_caller]
fn expect(output: &Output, code: i32, out: &str, err: &str) {
    let (stdout, stderr) = (&output.stdout, &output.stderr);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert_eq!(
        (output.status.code(), text(stdout), text(stderr)),
        (Some(code), out.to_owned(), err.to_owned())
    );
}

#[test]
fn a_program_that_runs_is_measured() {
    let place = Place::new();
    expect(&place.explain(&["a.mlir", "--run=3"]), 0, "a.html\n", "");
    let record = place.record("a.html");
    assert_eq!(
        (&record.program[..], &record.backend[..]),
        ("a.mlir", "cpu")
    );
    assert_eq!((&record.source[..], record.threads), (PROGRAM, 2));
    let run = record.run.as_ref().unwrap();
    assert_eq!(run.runs, 3);
    // Each row is of calls that the record has.
    for site in &run.sites {
        assert!(!site.calls.is_empty(), "{site:?}");
        assert!(site.sum.count >= 3 && site.sum.seconds > 0.0, "{site:?}");
    }
    let measured: f64 = run.sites.iter().map(|site| site.sum.seconds).sum();
    assert!(measured <= run.seconds, "{measured} of {}", run.seconds);
    let transform = run.sites.iter().find(|site| site.name == "halo.fft");
    let call = &record.calls[transform.unwrap().calls[0] as usize];
    assert_eq!(call.kind, CallKind::Function);
    assert_eq!(call.location, "a.mlir:8:8");
    // 2 * 256^3 for each product, however many kernels and runs of them it takes.
    let kernels = record
        .calls
        .iter()
        .filter(|call| call.kind == CallKind::Kernel);
    let flops: u64 = kernels.map(|call| call.flops * call.count).sum();
    assert_eq!(flops, 2 * 2 * 256 * 256 * 256);
    let machine = record.machine.as_ref().unwrap();
    assert!(
        machine.flops > 1e6 && machine.bandwidth > 1e6,
        "{machine:?}"
    );
    // A call that does next to nothing: no kernel of this program is as fast.
    let kernels = run
        .sites
        .iter()
        .filter(|site| site.name.starts_with("main_"));
    for site in kernels {
        let mean = site.sum.seconds / site.sum.count as f64;
        assert!(
            0.0 < machine.call_seconds && machine.call_seconds < mean,
            "{site:?}"
        );
    }
    // Its threads were found in blocks that the assembly has.
    if cfg!(all(
        target_os = "linux",
        target_env = "gnu",
        target_arch = "x86_64"
    )) {
        let sampled = record.kernels.iter().filter(|it| !it.samples.is_empty());
        let sampled: Vec<&Kernel> = sampled.collect();
        assert!(!sampled.is_empty() && run.sample_period > 0.0);
        for kernel in sampled {
            for samples in &kernel.samples {
                let function = format!("{}:\n", samples.function);
                let code = kernel.assembly.split(&function).last();
                let code = code.unwrap_or_default();
                let label = format!("_{}:\n", samples.block);
                let is_there = samples.block == 0 || code.contains(&label);
                assert!(is_there && samples.count > 0, "{samples:?} of {code}");
            }
        }
    }
    // It is known what the compilation takes without all this.
    let unrecorded = record.times.unrecorded;
    assert!(0.0 < unrecorded && unrecorded < 60.0, "{unrecorded}");
    let page = fs::read_to_string(place.path("a.html")).unwrap();
    let verdict = page.split("Slowest kernel").nth(1).unwrap_or_default();
    let verdict = verdict.split("</article>").next().unwrap_or_default();
    assert!(verdict.contains("In its fastest run"), "{verdict}");
    for site in &run.sites {
        let Spread {
            mean,
            least,
            median,
            most,
        } = Spread::of(site.of_runs.iter().map(|run| run.seconds).collect());
        assert_eq!(site.of_runs.len(), 3);
        assert!(0.0 < least && least <= median && median <= most, "{site:?}");
        assert!((3.0 * mean - site.sum.seconds).abs() < 1e-9, "{site:?}");
        assert!(site.sum.busy_seconds > 0.0, "{site:?}");
        assert!(site.wait_seconds <= site.sum.seconds, "{site:?}");
        // Threads work, wait, or have no task.
        let all = 2.0 * site.sum.seconds * 1.000_001;
        assert!(
            site.sum.busy_seconds + site.sum.waiting_seconds <= all,
            "{site:?}"
        );
        let taking_part = site.sum.taking_part_seconds;
        assert!(
            site.sum.seconds * 0.999 <= taking_part && taking_part <= all,
            "{site:?}"
        );
        assert!(
            site.sum.busy_seconds + site.sum.late_seconds <= all,
            "{site:?}"
        );
        assert!(site.sum.shared_count <= site.sum.count, "{site:?}");
        // No product is faster than the machine's fastest instruction, but for what other
        // programs took from the measurement.
        let flops: u64 = site
            .calls
            .iter()
            .map(|call| &record.calls[*call as usize])
            .filter(|call| call.kind == CallKind::Kernel)
            .map(|call| call.flops * call.count)
            .sum();
        let reached = flops as f64 / least;
        assert!(reached < 1.5 * machine.flops, "{reached} of {machine:?}");
    }
}

#[test]
fn refusals_that_a_later_pass_overcame_are_told_as_joined() {
    let place = Place::new();
    // One pass refuses to fuse the product with the maximum, the one that lowers it does.
    let program = "\
func.func @main(%x: tensor<256x768xf32>, %w: tensor<768x256xf32>) -> tensor<256x256xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<256x256xf32>
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
    : (tensor<256x768xf32>, tensor<768x256xf32>) -> tensor<256x256xf32>
  %1 = stablehlo.maximum %0, %zero : tensor<256x256xf32>
  return %1 : tensor<256x256xf32>
}
";
    fs::write(place.path("relu.mlir"), program).unwrap();
    expect(&place.explain(&["relu.mlir"]), 0, "relu.html\n", "");
    let page = fs::read_to_string(place.path("relu.html")).unwrap();
    let (fused, rest) = page.split_once("What was not fused").unwrap();
    let joined = "<code>halo-lower-contractions</code> joined dot_general (3), maximum (5)";
    assert!(fused.contains(joined));
    let (last, overcome) = rest
        .split_once("Refused by one pass, joined by another one")
        .unwrap();
    assert!(!last.contains("is not fused into its user"), "{last}");
    let outcome = "joined later, by halo-lower-contractions: both are in main_kernel_";
    assert!(overcome.contains(outcome));
}

#[test]
fn values_between_kernels_have_reasons_and_compile_times_add_up() {
    let place = Place::new();
    expect(&place.explain(&["a.mlir"]), 0, "a.html\n", "");
    let page = fs::read_to_string(place.path("a.html")).unwrap();
    let (_, edges) = page.split_once("Values between kernels").unwrap();
    assert!(edges.contains(" is read by dot_general (line 6) of main_kernel_"));
    // What is packed for a product is such a value, too.
    assert!(
        edges
            .contains("copy of argument 0, packed for dot_general (line 3), written by main_pack_")
    );
    let record = place.record("a.html");
    let llvm: f64 = record.code_generation.iter().map(|part| part.seconds).sum();
    assert!(llvm > 0.0);
    // The last row of the table of kernels has all of it.
    let (_, end) = page.split_once("<th scope=\"row\">(callers)</th>").unwrap();
    let (_, all) = end.split_once("<th scope=\"row\">(all code)</th>").unwrap();
    let (all, _) = all.split_once("</tr>").unwrap();
    assert!(
        all.contains(&format!(">{:.3}<", llvm * 1e3)),
        "{all} {llvm}"
    );
}

#[test]
fn a_program_that_fails_has_a_report_up_to_the_error() {
    let place = Place::new();
    let error = "failing.mlir:3:8: error: 'func.call' op calls @outside, which has no body; \
                 functions of the application are called by 'stablehlo.custom_call'";
    let output = place.explain(&["failing.mlir", "-o", "failed.html"]);
    expect(&output, 1, "failed.html\n", &format!("{error}\n"));
    let record = place.record("failed.html");
    assert!(
        record.error.as_ref().unwrap().contains("has no body"),
        "{:?}",
        record.error
    );
    assert!(record.steps.len() > 1);
    assert_eq!(record.ops[0].name, "stablehlo.negate");
    // What is no program at all is shown as it is.
    fs::write(place.path("text.mlir"), "<script>alert(1)</script>").unwrap();
    assert_eq!(place.explain(&["text.mlir"]).status.code(), Some(1));
    let page = fs::read_to_string(place.path("text.html")).unwrap();
    assert!(!page.contains("<script>alert"));
    assert_eq!(
        place.record("text.html").source,
        "<script>alert(1)</script>"
    );
}

#[test]
fn code_for_other_machines_is_explained_without_them() {
    let place = Place::new();
    for options in [
        &["--backend=cuda", "--gpu-arch=sm_90"][..],
        &[
            "--target=aarch64-unknown-linux-gnu",
            "--target-cpu=neoverse-v2",
        ],
        &["--backend=c"],
    ] {
        let output = place.explain(&[&["a.mlir", "-o", "x.html"], options].concat());
        expect(&output, 0, "x.html\n", "");
        let record = place.record("x.html");
        assert!(!record.kernels.is_empty(), "{options:?}");
        assert!(record.run.is_none());
        let is_c = options.contains(&"--backend=c");
        for kernel in record.kernels.iter().filter(|_| !is_c) {
            assert!(!kernel.assembly.is_empty(), "{options:?} {}", kernel.name);
        }
    }
}

#[test]
fn reports_are_compared_with_earlier_ones() {
    let place = Place::new();
    let written = place.explain(&["a.mlir", "-o", "before.html"]);
    assert!(written.status.success());
    let output = place.explain(&["a.mlir", "--diff=before.html", "-o", "after.html"]);
    expect(&output, 0, "after.html\n", "");
    let page = fs::read_to_string(place.path("after.html")).unwrap();
    assert!(page.contains("Comparison"));
    for (other, message) in [
        ("a.mlir", "a.mlir: error: it is no report of halo-explain\n"),
        (
            "none.html",
            "none.html: error: No such file or directory (os error 2)\n",
        ),
    ] {
        let output = place.explain(&["a.mlir", &format!("--diff={other}"), "-o", "x.html"]);
        expect(&output, 1, "", message);
        assert!(!place.path("x.html").exists());
    }
}

#[test]
fn the_record_is_json() {
    let place = Place::new();
    let output = place.explain(&["a.mlir", "--format=json", "-o", "-"]);
    let record: CompilationRecord = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(record.program, "a.mlir");
    assert_eq!(output.status.code(), Some(0));
}
