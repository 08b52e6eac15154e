//! Programs of dynamic shapes in both tiers: quick code, and code with full optimization.
//!
//! The tiers differ in register tiles and in LLVM's passes, so the programs are those whose
//! results would change with the order of sums, in sizes that fill tiles and that do not.

use super::{cpu_executable, f32s, program, registry};
use halo_backend::{CompileOptions, ProcessorOptions};
use halo_core::{Literal, NativeType, Rule, compare};
use std::process::Command;

/// `x w` for any number of rows.
fn product(depth: usize, columns: usize, element: &str) -> String {
    let (x, w) = (
        format!("tensor<?x{depth}x{element}>"),
        format!("tensor<{depth}x{columns}x{element}>"),
    );
    let result = format!("tensor<?x{columns}x{element}>");
    format!(
        "func.func @main(%x: {x}, %w: {w}) -> {result} {{
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : ({x}, {w}) -> {result}
  return %0 : {result}
}}"
    )
}

/// `softmax(x y^T) y` for any number of rows, the sums of its rows, and `relu(x w + b)`.
const ATTENTION: &str = "
func.func @main(%x: tensor<?x64xf32>, %w: tensor<64x48xf32>, %b: tensor<48xf32>)
    -> (tensor<?x64xf32>, tensor<?xf32>, tensor<?x48xf32>) {
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %width = stablehlo.constant dense<48> : tensor<1xi32>
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x64xf32>) -> tensor<i32>
  %rows = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %square = stablehlo.concatenate %rows, %rows, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %wide = stablehlo.concatenate %rows, %width, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [1]
    : (tensor<?x64xf32>, tensor<?x64xf32>) -> tensor<?x?xf32>
  %1 = stablehlo.reduce(%0 init: %least) applies stablehlo.maximum across dimensions = [1]
    : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
  %2 = stablehlo.dynamic_broadcast_in_dim %1, %square, dims = [0]
    : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %3 = stablehlo.subtract %0, %2 : tensor<?x?xf32>
  %4 = stablehlo.exponential %3 : tensor<?x?xf32>
  %5 = stablehlo.reduce(%4 init: %zero) applies stablehlo.add across dimensions = [1]
    : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
  %6 = stablehlo.dynamic_broadcast_in_dim %5, %square, dims = [0]
    : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %7 = stablehlo.divide %4, %6 : tensor<?x?xf32>
  %8 = stablehlo.dot_general %7, %x, contracting_dims = [1] x [0]
    : (tensor<?x?xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
  %9 = stablehlo.reduce(%8 init: %zero) applies stablehlo.add across dimensions = [1]
    : (tensor<?x64xf32>, tensor<f32>) -> tensor<?xf32>
  %10 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
    : (tensor<?x64xf32>, tensor<64x48xf32>) -> tensor<?x48xf32>
  %11 = stablehlo.dynamic_broadcast_in_dim %b, %wide, dims = [1]
    : (tensor<48xf32>, tensor<2xi32>) -> tensor<?x48xf32>
  %12 = stablehlo.add %10, %11 : tensor<?x48xf32>
  %13 = stablehlo.dynamic_broadcast_in_dim %zero, %wide, dims = []
    : (tensor<f32>, tensor<2xi32>) -> tensor<?x48xf32>
  %14 = stablehlo.maximum %12, %13 : tensor<?x48xf32>
  return %8, %9, %14 : tensor<?x64xf32>, tensor<?xf32>, tensor<?x48xf32>
}";

/// A convolution of any number of images of `size` by `size` pixels.
fn convolution(size: usize, channels: usize, stride: usize) -> String {
    let result = (size - 1) / stride + 1;
    let (x, w) = (
        format!("tensor<?x{size}x{size}x{channels}xf32>"),
        format!("tensor<3x3x{channels}x32xf32>"),
    );
    let y = format!("tensor<?x{result}x{result}x32xf32>");
    format!(
        "func.func @main(%x: {x}, %w: {w}) -> {y} {{
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
    window = {{stride = [{stride}, {stride}], pad = [[1, 1], [1, 1]]}}
    {{batch_group_count = 1 : i64, feature_group_count = 1 : i64}} : ({x}, {w}) -> {y}
  return %0 : {y}
}}"
    )
}

/// A recurrence of any number of steps, and the order of its last values.
const RECURRENCE: &str = "
func.func @main(%n: tensor<i32>, %x: tensor<8x40xf32>, %w: tensor<40x40xf32>)
    -> (tensor<8x40xf32>, tensor<8x40xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %h = %x) : tensor<i32>, tensor<8x40xf32>
  cond {
    %1 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.dot_general %h, %w, contracting_dims = [1] x [0]
      : (tensor<8x40xf32>, tensor<40x40xf32>) -> tensor<8x40xf32>
    %2 = stablehlo.tanh %1 : tensor<8x40xf32>
    %3 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %3, %2 : tensor<i32>, tensor<8x40xf32>
  }
  %4 = \"stablehlo.sort\"(%0#1) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %5 = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %5 : tensor<i1>
  }) : (tensor<8x40xf32>) -> tensor<8x40xf32>
  %6 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %7 = stablehlo.dynamic_iota %6, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
  %8 = stablehlo.constant dense<0.0> : tensor<f32>
  %9 = stablehlo.reduce(%7 init: %8) applies stablehlo.add across dimensions = [0]
    : (tensor<?xf32>, tensor<f32>) -> tensor<f32>
  %10 = stablehlo.broadcast_in_dim %9, dims = [] : (tensor<f32>) -> tensor<8x40xf32>
  %11 = stablehlo.multiply %4, %10 : tensor<8x40xf32>
  return %0#1, %11 : tensor<8x40xf32>, tensor<8x40xf32>
}";

/// Numbers between -1 and 1 whose sums depend on their order.
fn fractions(count: usize) -> impl Iterator<Item = f32> {
    (0..count).map(|index| ((index * 7919) % 1009) as f32 / 504.5 - 1.0)
}

fn floats(dims: &[usize]) -> Literal {
    let values: Vec<f32> = fractions(dims.iter().product()).collect();
    f32s(dims, &values)
}

fn numbers<T: NativeType>(dims: &[usize], of: impl Fn(f32) -> T) -> Literal {
    let values: Vec<T> = fractions(dims.iter().product()).map(of).collect();
    Literal::from_slice(dims, &values).unwrap()
}

/// Runs a program in both tiers on the CPU, with and without a selected tier, and in the
/// interpreter. All results of the CPU must have the same bits.
#[track_caller]
fn expect_equal_tiers(code: &str, inputs: &[Literal]) {
    expect_equal_tiers_on(&ProcessorOptions::default(), code, inputs);
}

/// Like [`expect_equal_tiers`], for a processor.
#[track_caller]
fn expect_equal_tiers_on(processor: &ProcessorOptions, code: &str, inputs: &[Literal]) {
    let options = CompileOptions {
        processor: processor.clone(),
        ..CompileOptions::default()
    };
    let untiered = CompileOptions {
        no_tiered_compilation: true,
        ..options.clone()
    };
    let executable = cpu_executable(code, &options);
    let quick = executable.run(inputs).unwrap();
    assert!(executable.finish_compilation(), "there was no quick code");
    let full = executable.run(inputs).unwrap();
    assert!(!executable.finish_compilation());
    let executable = cpu_executable(code, &untiered);
    let at_once = executable.run(inputs).unwrap();
    assert!(!executable.finish_compilation());
    let registry = registry();
    let interpreter = &registry.backend("interpreter").unwrap().compiler;
    let meaning = interpreter.compile(&program(code), &options).unwrap();
    let meaning = meaning.run(inputs).unwrap();
    assert_eq!(meaning.len(), quick.len());
    for (number, expected) in meaning.iter().enumerate() {
        for other in [&full, &at_once] {
            assert_eq!(quick[number].bytes(), other[number].bytes(), "{number}");
        }
        let rule = Rule::close(1e-4, 1e-4);
        let comparison = compare(&quick[number], expected, rule).unwrap();
        assert!(comparison.passed(), "result {number}: {comparison}");
    }
}

#[test]
fn products_have_the_same_bits_in_both_tiers() {
    // More than one block of k, partial panels, and few rows.
    for (rows, depth, columns) in [(6, 600, 33), (13, 1100, 40), (140, 600, 100)] {
        let code = product(depth, columns, "f32");
        let inputs = [floats(&[rows, depth]), floats(&[depth, columns])];
        expect_equal_tiers(&code, &inputs);
    }
    for rows in [7, 30] {
        let (depth, columns) = (700, 24);
        let inputs = [[rows, depth], [depth, columns]].map(|dims| numbers(&dims, f64::from));
        expect_equal_tiers(&product(depth, columns, "f64"), &inputs);
        let whole = |value: f32| (value * 100.0) as i32;
        let inputs = [[rows, depth], [depth, columns]].map(|dims| numbers(&dims, whole));
        expect_equal_tiers(&product(depth, columns, "i32"), &inputs);
    }
}

#[test]
fn narrow_products_have_the_same_bits_in_both_tiers() {
    for rows in [5, 40] {
        let (depth, columns) = (300, 48);
        let inputs = [[rows, depth], [depth, columns]]
            .map(|dims| numbers(&dims, |value| half::bf16::from_f32(value.round())));
        expect_equal_tiers(&product(depth, columns, "bf16"), &inputs);
    }
}

/// This processor, and one with smaller vectors, on which the sums of a row are in several vectors.
fn processors() -> Vec<ProcessorOptions> {
    let mut processors = vec![ProcessorOptions::default()];
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
        processors.push(ProcessorOptions {
            cpu: Some("x86-64-v3".to_owned()),
            ..ProcessorOptions::default()
        });
    }
    processors
}

#[test]
fn fused_products_have_the_same_bits_in_both_tiers() {
    for rows in [9, 70] {
        let inputs = [floats(&[rows, 64]), floats(&[64, 48]), floats(&[48])];
        for processor in processors() {
            expect_equal_tiers_on(&processor, ATTENTION, &inputs);
        }
    }
}

#[test]
fn convolutions_have_the_same_bits_in_both_tiers() {
    // Lines of an image, with and without strides, and channels that are not contiguous.
    for (size, channels, stride) in [(16, 24, 1), (14, 64, 2), (9, 3, 1)] {
        let inputs = [
            floats(&[2, size, size, channels]),
            floats(&[3, 3, channels, 32]),
        ];
        expect_equal_tiers(&convolution(size, channels, stride), &inputs);
    }
}

#[test]
fn loops_have_the_same_bits_in_both_tiers() {
    let inputs = [Literal::scalar(5_i32), floats(&[8, 40]), floats(&[40, 40])];
    expect_equal_tiers(RECURRENCE, &inputs);
}

/// Rows of `x + 1`; each number of rows is a shape.
const ROWS: &str = "
func.func @main(%x: tensor<?x32xf32>) -> tensor<?x32xf32> {
  %0 = stablehlo.exponential %x : tensor<?x32xf32>
  return %0 : tensor<?x32xf32>
}";

#[test]
fn other_shapes_do_not_wait_for_the_background() {
    let executable = cpu_executable(ROWS, &CompileOptions::default());
    let run = |rows: usize| executable.run(&[f32s(&[rows, 32], &vec![0.0; rows * 32])]);
    for _ in 0..3 {
        for rows in 1..5 {
            let results = run(rows).unwrap();
            assert_eq!(results[0], f32s(&[rows, 32], &vec![1.0; rows * 32]));
        }
    }
    executable.finish_compilation();
    assert_eq!(run(4).unwrap()[0].dims(), [4, 32]);
}

/// Dropping the executable ends the background compilation.
#[test]
fn an_executable_is_dropped_while_it_is_optimized() {
    let code = product(600, 100, "f32");
    let inputs = [floats(&[140, 600]), floats(&[600, 100])];
    let executable = cpu_executable(&code, &CompileOptions::default());
    let first = executable.run(&inputs).unwrap();
    assert_eq!(executable.run(&inputs).unwrap(), first);
}

const IS_CHILD: &str = "HALO_TEST_ENDS_IN_COMPILATION";

/// The child never drops its executable, and its process ends while it is optimized.
#[test]
fn a_process_ends_while_code_is_optimized() {
    if std::env::var_os(IS_CHILD).is_some() {
        let code = product(600, 100, "f32");
        let inputs = [floats(&[140, 600]), floats(&[600, 100])];
        let executable = cpu_executable(&code, &CompileOptions::default());
        for _ in 0..2 {
            executable.run(&inputs).unwrap();
        }
        std::mem::forget(executable);
        std::process::exit(77);
    }
    let name = "execution::tiers::a_process_ends_while_code_is_optimized";
    for _ in 0..3 {
        let child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", name])
            .env(IS_CHILD, "1")
            .output()
            .unwrap();
        assert_eq!(child.status.code(), Some(77), "{child:?}");
    }
}
