//! Programs whose loops and custom calls are distributed over several threads.

use halo_backend::CompileOptions;
use halo_core::Literal;
use std::num::NonZeroUsize;

/// All loops, and the copy of `%x` to the last result, are large enough for several threads. `%two`
/// is 2 on its diagonal, and 0 elsewhere.
const PROGRAM: &str = "
func.func @main(%x: tensor<768x512xf32>, %two: tensor<512x512xf32>)
    -> (tensor<768x512xf32>, tensor<768x512xf32>, tensor<512x768xf32>, tensor<768x512xf32>,
        tensor<768x512xcomplex<f32>>, tensor<512xf32>, tensor<768x512xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %exp = stablehlo.exponential %x : tensor<768x512xf32>
  %sum = stablehlo.reduce(%exp init: %zero) applies stablehlo.add across dimensions = [1]
    : (tensor<768x512xf32>, tensor<f32>) -> tensor<768xf32>
  %sums = stablehlo.broadcast_in_dim %sum, dims = [0] : (tensor<768xf32>) -> tensor<768x512xf32>
  %softmax = stablehlo.divide %exp, %sums : tensor<768x512xf32>
  %product = stablehlo.dot_general %x, %two, contracting_dims = [1] x [0]
    : (tensor<768x512xf32>, tensor<512x512xf32>) -> tensor<768x512xf32>
  %transposed = stablehlo.transpose %x, dims = [1, 0]
    : (tensor<768x512xf32>) -> tensor<512x768xf32>
  %solved = \"stablehlo.triangular_solve\"(%two, %x) {
    left_side = false, lower = true, unit_diagonal = false,
    transpose_a = #stablehlo<transpose NO_TRANSPOSE>
  } : (tensor<512x512xf32>, tensor<768x512xf32>) -> tensor<768x512xf32>
  %complex = stablehlo.complex %x, %x : tensor<768x512xcomplex<f32>>
  %fourier = stablehlo.fft %complex, type = FFT, length = [512]
    : (tensor<768x512xcomplex<f32>>) -> tensor<768x512xcomplex<f32>>
  %columns = stablehlo.reduce(%x init: %zero) applies stablehlo.maximum across dimensions = [0]
    : (tensor<768x512xf32>, tensor<f32>) -> tensor<512xf32>
  return %softmax, %product, %transposed, %solved, %fourier, %columns, %x
    : tensor<768x512xf32>, tensor<768x512xf32>, tensor<512x768xf32>, tensor<768x512xf32>,
      tensor<768x512xcomplex<f32>>, tensor<512xf32>, tensor<768x512xf32>
}";

fn results(code: &str, threads: usize, inputs: &[Literal]) -> Vec<Literal> {
    let options = CompileOptions {
        threads: NonZeroUsize::new(threads),
        ..super::options()
    };
    let executable = super::cpu_executable(code, &options);
    // In the second run, the threads are already awake.
    executable.run(inputs).unwrap();
    executable.run(inputs).unwrap()
}

#[test]
fn results_are_the_same_with_any_number_of_threads() {
    let (rows, columns) = (768, 512);
    let x: Vec<f32> = (0..rows * columns).map(|i| (i * 7919 % 1024) as f32 / 256.0).collect();
    let two: Vec<f32> = (0..columns * columns)
        .map(|i| if i % (columns + 1) == 0 { 2.0 } else { 0.0 })
        .collect();
    let inputs = [
        super::f32s(&[rows, columns], &x),
        super::f32s(&[columns, columns], &two),
    ];
    let alone = results(PROGRAM, 1, &inputs);
    let values = |number: usize| alone[number].as_slice::<f32>().unwrap();
    let double: Vec<f32> = x.iter().map(|x| x * 2.0).collect();
    let half: Vec<f32> = x.iter().map(|x| x / 2.0).collect();
    assert_eq!(values(1), double);
    assert_eq!(values(2)[1], x[columns]);
    assert_eq!(values(3), half);
    assert_eq!(values(6), x);
    for row in values(0).chunks(columns) {
        assert!((row.iter().sum::<f32>() - 1.0).abs() < 1e-5);
    }
    for threads in [2, 3, 7] {
        let shared = results(PROGRAM, threads, &inputs);
        assert!(shared == alone, "{threads} threads compute something else");
    }
}

/// A single system of a batch is distributed, too: with two threads, the right-hand sides of the
/// fourth one.
#[test]
fn right_hand_sides_are_shared() {
    let code = "
func.func @main(%a: tensor<5x256x256xf32>, %b: tensor<5x256x160xf32>) -> tensor<5x256x160xf32> {
  %0 = \"stablehlo.triangular_solve\"(%a, %b) {
    left_side = true, lower = true, unit_diagonal = false,
    transpose_a = #stablehlo<transpose NO_TRANSPOSE>
  } : (tensor<5x256x256xf32>, tensor<5x256x160xf32>) -> tensor<5x256x160xf32>
  return %0 : tensor<5x256x160xf32>
}";
    // A triangular matrix of ones computes sums of the rows so far; the solution is their
    // differences.
    let lower = |i: usize| if i % 256 <= i / 256 % 256 { 1.0 } else { 0.0 };
    let a: Vec<f32> = (0..5 * 256 * 256).map(lower).collect();
    let b: Vec<f32> = (0..5 * 256 * 160).map(|i| (i * 31 % 97) as f32).collect();
    let expected: Vec<f32> = (0..b.len())
        .map(|i| b[i] - if i / 160 % 256 == 0 { 0.0 } else { b[i - 160] })
        .collect();
    let inputs = [
        super::f32s(&[5, 256, 256], &a),
        super::f32s(&[5, 256, 160], &b),
    ];
    for threads in [1, 2, 3, 7] {
        let solved = &results(code, threads, &inputs)[0];
        assert_eq!(
            solved.as_slice::<f32>().unwrap(),
            expected,
            "{threads} threads"
        );
    }
}
