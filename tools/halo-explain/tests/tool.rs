//! The tool on programs that compile, on programs that do not, and on missing devices.
#![cfg(unix)]

use halo::compiler::record::{CallKind, CompilationRecord};
use halo_explain::read;
use std::{
    fs,
    path::PathBuf,
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

/// No pass can lower the call.
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
        (&record.program[..], &record.backend[..], record.threads),
        ("a.mlir", "cpu", 2)
    );
    let run = record.run.as_ref().unwrap();
    assert_eq!(run.runs.len(), 3);
    // Each row refers to calls of the record.
    for site in &run.sites {
        assert!(!site.calls.is_empty(), "{site:?}");
        assert!(site.count >= 3, "{site:?}");
        let is_sum = 0.0 < site.least_seconds && 3.0 * site.least_seconds <= site.seconds * 1.001;
        assert!(is_sum, "{site:?}");
    }
    let measured: f64 = run.sites.iter().map(|site| site.seconds).sum();
    let all: f64 = run.runs.iter().sum();
    assert!(measured <= all, "{measured} of {all}");
    let transform = run.sites.iter().find(|site| site.name == "halo.fft");
    let call = &record.calls[transform.unwrap().calls[0] as usize];
    assert_eq!(call.kind, CallKind::Function);
    assert_eq!(call.location, "a.mlir:8:8");
    // 2 * 256^3 for each product, regardless of the number of its kernels and runs.
    let kernels = record.calls.iter().filter(|call| call.kind == CallKind::Kernel);
    let flops: u64 = kernels.map(|call| call.flops * call.count).sum();
    assert_eq!(flops, 2 * 2 * 256 * 256 * 256);
    let machine = record.machine.as_ref().unwrap();
    assert!(
        machine.flops > 1e6 && machine.bandwidth > 1e6,
        "{machine:?}"
    );
    let page = fs::read_to_string(place.path("a.html")).unwrap();
    for text in [
        "<section id=\"kernels\"",
        "<polyline class=\"roof\"",
        "fastest",
        "% compute",
        "tanh (5:8)",
    ] {
        assert!(page.contains(text), "{text}");
    }
}

#[test]
fn decisions_name_the_pass_that_fused_later() {
    let place = Place::new();
    // One pass rejects fusing the product with the maximum, the pass that lowers it fuses them.
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
    let fused = "<td><code>halo-lower-contractions</code></td>\
                 <td>dot_general (3:8), maximum (5:8)</td><td>main_kernel_";
    assert!(page.contains(fused));
    let (_, apart) = page.split_once("Not fused, or copied").unwrap();
    let row = apart.split("<tr>").find(|row| row.contains("is not fused into its user"));
    let row = row.unwrap();
    assert!(row.contains("<td>dot_general (3:8)</td>"), "{row}");
    assert!(row.contains("<td>it is a reduction</td>"), "{row}");
    assert!(
        row.contains("<code>halo-lower-contractions</code>"),
        "{row}"
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
    // Input that is not a program has a report, too.
    fs::write(place.path("text.mlir"), "<script>alert(1)</script>").unwrap();
    assert_eq!(place.explain(&["text.mlir"]).status.code(), Some(1));
    let page = fs::read_to_string(place.path("text.html")).unwrap();
    assert!(!page.contains("<script>alert") && page.contains("class=\"error\""));
    assert!(place.record("text.html").error.is_some());
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
        let calls = record.calls.iter();
        assert!(calls.map(|call| call.flops).sum::<u64>() > 0, "{options:?}");
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
    assert!(page.contains("<section id=\"comparison\""));
    let json = place.explain(&["a.mlir", "--format=json", "-o", "before.json"]);
    assert!(json.status.success());
    let output = place.explain(&["a.mlir", "--diff=before.json", "-o", "after.html"]);
    expect(&output, 0, "after.html\n", "");
    for (other, message) in [
        (
            "a.mlir",
            "a.mlir: error: expected a report of halo-explain, found no record in it\n",
        ),
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
