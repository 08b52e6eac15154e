//! Programs that run in another process: on this machine, and, if a cross compiler and QEMU are
//! installed, on others.
#![cfg(all(unix, feature = "compiler"))]

use halo_lit_tests::machines::{Machine, machines};
use std::fs;
use std::process::{Command, Output};

/// The options for this machine.
const HERE: &[&str] = &["--linker=cc"];
/// A processor of this machine's architecture without f16 instructions, and its emulator.
const BASELINE: (&[&str], &str) = (
    &[
        "--target=x86_64-unknown-linux-gnu",
        "--linker=x86_64-linux-gnu-gcc -static",
    ],
    "x86_64-linux-gnu-gcc",
);

/// The options for all machines whose tools are installed.
fn all_machines() -> Vec<Vec<String>> {
    let owned = |options: &[&str]| options.iter().map(|option| (*option).to_owned()).collect();
    let mut all: Vec<Vec<String>> = vec![owned(HERE)];
    if Command::new(BASELINE.1).arg("--version").output().is_ok() {
        all.push(owned(BASELINE.0));
    }
    let options = |machine: Machine| {
        let mut options = machine.options();
        options.push(format!("--runner={}", machine.runner().join(" ")));
        options.push(format!("--linker={}", machine.linker().join(" ")));
        options
    };
    all.extend(machines().into_iter().map(options));
    all
}

/// The output of the tool for a program.
fn run(program: &str, machine: &[&str], options: &[&str]) -> Output {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("program.mlir");
    fs::write(&file, program).unwrap();
    Command::new(env!("CARGO_BIN_EXE_halo-run"))
        .arg(&file)
        .args(["--no-constant-folding", "--print-all"])
        .args(machine)
        .args(options)
        .env_remove("HALO_CACHE_DIR")
        .output()
        .unwrap()
}

/// The errors of a failing program.
fn errors(program: &str, machine: &[&str], options: &[&str]) -> String {
    let output = run(program, machine, options);
    assert_eq!(output.status.code(), Some(1), "{machine:?}: {output:?}");
    String::from_utf8(output.stderr).unwrap()
}

#[track_caller]
fn expect(program: &str, options: &[&str], expected: &[&str]) {
    for machine in all_machines() {
        let machine: Vec<&str> = machine.iter().map(String::as_str).collect();
        let output = run(program, &machine, options);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{machine:?}: {errors}");
        let text = String::from_utf8(output.stdout).unwrap();
        assert_eq!(text.lines().collect::<Vec<_>>(), expected, "{machine:?}");
    }
}

/// NumPy's `astype(numpy.float16)` and back: ties, subnormal numbers, overflow, and a number that
/// double rounding through f32 rounds wrongly.
#[test]
fn halves_are_rounded_once() {
    expect(
        "func.func @main(%x: tensor<8xf32>, %y: tensor<3xf64>) -> (tensor<8xf32>, tensor<3xf32>) {
           %0 = stablehlo.convert %x : (tensor<8xf32>) -> tensor<8xf16>
           %1 = stablehlo.convert %0 : (tensor<8xf16>) -> tensor<8xf32>
           %2 = stablehlo.convert %y : (tensor<3xf64>) -> tensor<3xf16>
           %3 = stablehlo.convert %2 : (tensor<3xf16>) -> tensor<3xf32>
           return %1, %3 : tensor<8xf32>, tensor<3xf32>
         }",
        &[
            "--input=[1.00048828125, 1.00146484375, 65519.0, 65520.0, -5.9604645e-08, 3.0e-8, \
             2.9802322e-08, -0.0]",
            "--input=[1.00048828125, 1.0004882812500002, 70000.0]",
        ],
        &[
            "dense<[1.000000e+00, 1.00195313, 6.550400e+04, 0x7F800000, -5.96046448E-8, \
             5.96046448E-8, 0.000000e+00, -0.000000e+00]> : tensor<8xf32>",
            "dense<[1.000000e+00, 1.00097656, 0x7F800000]> : tensor<3xf32>",
        ],
    );
}

/// NumPy's `fft.rfft([1, 2, 3, 4])`: a runtime function, which this process executes.
#[test]
fn functions_of_the_runtime_are_called() {
    expect(
        "func.func @main(%x: tensor<4xf64>) -> tensor<3xcomplex<f64>> {
           %0 = stablehlo.fft %x, type = RFFT, length = [4]
             : (tensor<4xf64>) -> tensor<3xcomplex<f64>>
           return %0 : tensor<3xcomplex<f64>>
         }",
        &["--input=[1.0, 2.0, 3.0, 4.0]"],
        &[
            "dense<[(1.000000e+01,0.000000e+00), (-2.000000e+00,2.000000e+00), \
           (-2.000000e+00,0.000000e+00)]> : tensor<3xcomplex<f64>>",
        ],
    );
}

/// Two processes of one program at the same time, which sum their values.
#[test]
fn processes_communicate() {
    expect(
        r#"func.func @part(%x: tensor<2xi64>) -> tensor<2xi64> {
             %0 = "stablehlo.all_reduce"(%x) ({
             ^bb0(%a: tensor<i64>, %b: tensor<i64>):
               %1 = stablehlo.add %a, %b : tensor<i64>
               stablehlo.return %1 : tensor<i64>
             }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}
               : (tensor<2xi64>) -> tensor<2xi64>
             return %0 : tensor<2xi64>
           }
           func.func @main() -> (tensor<2xi64>, tensor<2xi64>) {
             %x = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
             %y = stablehlo.constant dense<[30, 40]> : tensor<2xi64>
             %0:2 = "interpreter.run_parallel"(%x, %y) {programs = [[@part], [@part]]}
               : (tensor<2xi64>, tensor<2xi64>) -> (tensor<2xi64>, tensor<2xi64>)
             return %0#0, %0#1 : tensor<2xi64>, tensor<2xi64>
           }"#,
        &[],
        &[
            "dense<[31, 42]> : tensor<2xi64>",
            "dense<[31, 42]> : tensor<2xi64>",
        ],
    );
}

/// Loops of dynamic shapes are compiled for each shape.
#[test]
fn shapes_are_met_at_run_time() {
    expect(
        "func.func @main(%x: tensor<?xi32>) -> tensor<?xi32> {
           %0 = stablehlo.add %x, %x : tensor<?xi32>
           return %0 : tensor<?xi32>
         }",
        &["--input=dense<[1, 2, 3]> : tensor<3xi32>"],
        &["dense<[2, 4, 6]> : tensor<3xi32>"],
    );
}

const CHECK: &str = "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  check.expect_eq_const %x, dense<[1.0, 2.0]> : tensor<2xf32>
  return %x : tensor<2xf32>
}";

#[test]
fn a_failure_of_a_function_ends_the_run() {
    let text = errors(CHECK, HERE, &["--input=[1.0, 3.0]"]);
    assert!(text.contains("program.mlir:2:3: error:"), "{text}");
    assert!(run(CHECK, HERE, &["--input=[1.0, 2.0]"]).status.success());
}

#[test]
fn what_does_not_run_is_one_error() {
    let input = &["--input=[1.0, 2.0]"];
    let cases: [(&[&str], &str); 6] = [
        (
            &["--linker=no-such-linker"],
            "linker 'no-such-linker': No such file",
        ),
        (&["--linker=cc -nostdlib"], "linker 'cc': "),
        (
            &["--linker=cc", "--runner=no-such-runner"],
            "runner 'no-such-runner': No such file",
        ),
        (
            &["--linker=cc", "--runner=false"],
            "the program ended with exit status: 1",
        ),
        (
            &["--target=aarch64-unknown-linux-gnu"],
            "cannot run on this machine",
        ),
        (
            &["--linker=cc", "--backend=interpreter"],
            "--linker: backend 'interpreter' makes no object files",
        ),
    ];
    for (machine, expected) in cases {
        let text = errors(CHECK, machine, input);
        assert!(text.contains(expected), "{machine:?}: {text}");
        assert_eq!(text.matches("error:").count(), 1, "{text}");
    }
}
