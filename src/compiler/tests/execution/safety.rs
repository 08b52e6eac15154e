//! Failing runs: the error names the location, and the process continues.

use super::{expect_failure, f32s, options};
use halo_backend::{CompileOptions, Program, Registry};
use halo_core::Literal;
use halo_runtime::CustomCallRegistry;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// 64 TiB of scratch memory exceed any machine.
#[test]
fn memory_that_is_not_there_is_an_error() {
    let mut registry = Registry::new();
    halo_compiler::backends::register(&mut registry);
    let program = Program {
        name: "test.mlir".into(),
        code: b"func.func @main(%a: tensor<f32>) -> tensor<2xf32> {
  %0 = stablehlo.broadcast_in_dim %a, dims = [] : (tensor<f32>) -> tensor<17592186044416xf32>
  %1 = \"stablehlo.sort\"(%0) ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %p = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
  }) {dimension = 0 : i64} : (tensor<17592186044416xf32>) -> tensor<17592186044416xf32>
  %2 = stablehlo.slice %1 [0:2] : (tensor<17592186044416xf32>) -> tensor<2xf32>
  return %2 : tensor<2xf32>
}"
        .to_vec(),
    };
    let backend = registry.backend("cpu").unwrap();
    let executable = backend.compiler.compile(&program, &options()).unwrap();
    for _ in 0..2 {
        let error = executable.run(&[Literal::scalar(1.0_f32)]).unwrap_err();
        let error = error.to_string();
        assert!(
            error.starts_with("test.mlir:3:8: error: out of memory: "),
            "{error}"
        );
    }
}

/// The condition of the loop would never become false.
#[test]
fn a_failed_check_ends_a_loop() {
    let code = "func.func @main(%x: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.while(%a = %x) : tensor<i32>
    cond {
      %t = stablehlo.constant dense<true> : tensor<i1>
      stablehlo.return %t : tensor<i1>
    } do {
      %five = stablehlo.constant dense<5> : tensor<i32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %p = stablehlo.compare LT, %a, %five : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.custom_call @shape_assertion(%p) {
        error_message = \"five at most\", has_side_effect = true
      } : (tensor<i1>) -> ()
      %b = stablehlo.add %a, %one : tensor<i32>
      stablehlo.return %b : tensor<i32>
    }
  return %0 : tensor<i32>
}";
    expect_failure(
        code,
        &[Literal::scalar(0_i32)],
        "test.mlir:10:7",
        "five at most",
    );
}

/// A handler fails once; the same executable still works.
#[test]
fn the_next_run_works() {
    let calls = Arc::new(AtomicUsize::new(0));
    let mut custom_calls = CustomCallRegistry::default();
    let counter = Arc::clone(&calls);
    custom_calls.register("moody", move |call| {
        if counter.fetch_add(1, Ordering::Relaxed).is_multiple_of(2) {
            return Err("not today".to_owned());
        }
        call.results[0].bytes.copy_from_slice(call.operands[0].bytes);
        Ok(())
    });
    let options = CompileOptions {
        custom_calls: Arc::new(custom_calls),
        ..options()
    };
    let mut registry = Registry::new();
    halo_compiler::backends::register(&mut registry);
    let program = Program {
        name: "test.mlir".into(),
        code: b"func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.custom_call @moody(%a) : (tensor<2xf32>) -> tensor<2xf32>
  %1 = stablehlo.add %0, %0 : tensor<2xf32>
  return %1 : tensor<2xf32>
}"
        .to_vec(),
    };
    for backend in registry.usable() {
        calls.store(0, Ordering::Relaxed);
        let executable = backend.compiler.compile(&program, &options).unwrap();
        let error = executable.run(&[f32s(&[2], &[1.0, 2.0])]).unwrap_err();
        assert_eq!(error.to_string(), "test.mlir:2:8: error: @moody: not today");
        let outputs = executable.run(&[f32s(&[2], &[1.0, 2.0])]).unwrap();
        assert_eq!(outputs[0], f32s(&[2], &[2.0, 4.0]), "{}", backend.name);
    }
}
