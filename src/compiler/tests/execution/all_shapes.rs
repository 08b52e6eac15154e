//! Programs of dynamic shape whose one code runs for all shapes.

use super::{f32s, options, program};
use halo_backend::{CompileOptions, Specialize};
use halo_core::Literal;
use halo_runtime::Executable;

/// The backends whose code is for all shapes.
const BACKENDS: [&str; 2] = ["c", "cpu"];

/// The executable of a program for all shapes, on a backend.
fn compiled(name: &str, code: &str) -> Box<dyn Executable> {
    let options = CompileOptions {
        specialize: Specialize::Never,
        ..options()
    };
    let registry = super::registry();
    let backend = registry.backend(name).unwrap();
    let compiled = backend.compiler.compile(&program(code), &options);
    compiled.unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Numbers between -1 and 1.
fn numbers(dims: &[usize]) -> Literal {
    let count = dims.iter().product();
    let values: Vec<f32> = (0..count).map(|n| ((n * 37 + 11) % 101) as f32 / 50.5 - 1.0).collect();
    f32s(dims, &values)
}

/// Compares the results for inputs of several sizes, which one executable of a backend computes,
/// with the interpreter's.
fn expect_equal<Shapes: AsRef<[Dims]>, Dims: AsRef<[usize]>>(code: &str, runs: &[Shapes]) {
    let interpreter = compiled("interpreter", code);
    let executables = BACKENDS.map(|name| compiled(name, code));
    for shapes in runs {
        let shapes: Vec<&[usize]> = shapes.as_ref().iter().map(AsRef::as_ref).collect();
        let inputs: Vec<Literal> = shapes.iter().map(|dims| numbers(dims)).collect();
        let expected = interpreter.run(&inputs).unwrap();
        for executable in &executables {
            let found =
                executable.run(&inputs).unwrap_or_else(|error| panic!("{shapes:?}: {error}"));
            for (found, expected) in found.iter().zip(&expected) {
                assert_eq!(found.shape(), expected.shape(), "{shapes:?}");
                let pairs = found.as_slice::<f32>().unwrap().iter();
                for (found, expected) in pairs.zip(expected.as_slice::<f32>().unwrap()) {
                    let error = (found - expected).abs();
                    let is_close = found == expected || error <= 1e-4 * expected.abs().max(1.0);
                    assert!(is_close, "{shapes:?}: {found}, {expected}");
                }
            }
        }
    }
}

const LAYERS: &str = "
func.func @main(%x: tensor<?x40xf32>, %v: tensor<40x96xf32>, %w: tensor<96x10xf32>) -> tensor<?x10xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.dot_general %x, %v, contracting_dims = [1] x [0]
    : (tensor<?x40xf32>, tensor<40x96xf32>) -> tensor<?x96xf32>
  %1 = stablehlo.tanh %0 : tensor<?x96xf32>
  %2 = stablehlo.dot_general %1, %w, contracting_dims = [1] x [0]
    : (tensor<?x96xf32>, tensor<96x10xf32>) -> tensor<?x10xf32>
  return %2 : tensor<?x10xf32>
}";

#[test]
fn products_of_any_number_of_rows() {
    let rows = [0, 1, 2, 3, 5, 8, 9, 13, 14, 15, 31, 64, 100, 127, 129, 300];
    let shapes = rows.map(|rows| [[rows, 40], [40, 96], [96, 10]]);
    expect_equal(LAYERS, &shapes);
}

/// The rows are packed for all columns.
const LONG_SUMS: &str = "
func.func @main(%x: tensor<?x1024xf32>, %w: tensor<1024x256xf32>) -> tensor<?x256xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
    : (tensor<?x1024xf32>, tensor<1024x256xf32>) -> tensor<?x256xf32>
  return %0 : tensor<?x256xf32>
}";

#[test]
fn long_products_of_any_number_of_rows() {
    let executable = compiled("cpu", LONG_SUMS);
    let weights = f32s(&[1024, 256], &[1.0; 1024 * 256]);
    for rows in [1, 16, 127, 128, 129, 300] {
        let values: Vec<f32> = (0..rows * 1024).map(|at| (at / 1024) as f32).collect();
        let found = executable.run(&[f32s(&[rows, 1024], &values), weights.clone()]).unwrap();
        let expected = (0..rows * 256).map(|at| (at / 256 * 1024) as f32);
        assert!(found[0].as_slice::<f32>().unwrap().iter().copied().eq(expected));
    }
}

/// Two products of a batch of heads, in which the length is a row, a column and the depth.
const SCORES: &str = "
func.func @main(%q: tensor<?x?x3x20xf32>, %k: tensor<?x?x3x20xf32>) -> tensor<?x3x?x20xf32> {
  %0 = stablehlo.dot_general %q, %k, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3]
    : (tensor<?x?x3x20xf32>, tensor<?x?x3x20xf32>) -> tensor<?x3x?x?xf32>
  %1 = stablehlo.dot_general %0, %k, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1]
    : (tensor<?x3x?x?xf32>, tensor<?x?x3x20xf32>) -> tensor<?x3x?x20xf32>
  return %1 : tensor<?x3x?x20xf32>
}";

#[test]
fn products_of_a_batch_of_any_length() {
    let shapes = [[1, 1], [2, 5], [1, 32], [1, 33], [2, 70], [0, 5], [3, 0]];
    let shapes = shapes.map(|[batch, length]| [[batch, length, 3, 20]; 2]);
    expect_equal(SCORES, &shapes);
}

/// All sizes vary, and the operands are plain or transposed; with and without a conversion.
const PRODUCTS: &str = "
func.func @main(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0]
    : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = stablehlo.transpose %x, dims = [1, 0] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %2 = stablehlo.convert %1 : (tensor<?x?xf32>) -> tensor<?x?xf64>
  %3 = stablehlo.convert %y : (tensor<?x?xf32>) -> tensor<?x?xf64>
  %4 = stablehlo.dot_general %2, %3, contracting_dims = [0] x [0]
    : (tensor<?x?xf64>, tensor<?x?xf64>) -> tensor<?x?xf64>
  %5 = stablehlo.convert %4 : (tensor<?x?xf64>) -> tensor<?x?xf32>
  return %0, %5 : tensor<?x?xf32>, tensor<?x?xf32>
}";

#[test]
fn products_of_any_sizes() {
    let sizes = [
        [1, 1, 1],
        [3, 200, 5],
        [32, 32, 32],
        [33, 64, 65],
        [130, 70, 1],
        [0, 4, 9],
        [4, 0, 9],
        [9, 4, 0],
    ];
    let shapes = sizes.map(|[m, k, n]| [[m, k], [k, n]]);
    expect_equal(PRODUCTS, &shapes);
}

/// Channels last, with strides and padding, and channels first in groups.
const IMAGES: &str = "
func.func @main(%x: tensor<?x11x9x4xf32>, %w: tensor<3x3x4x8xf32>, %v: tensor<6x4x3x2xf32>)
    -> (tensor<?x6x4x8xf32>, tensor<?x6x6x7xf32>) {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
    window = {stride = [2, 2], pad = [[1, 1], [0, 0]]}
    {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
    : (tensor<?x11x9x4xf32>, tensor<3x3x4x8xf32>) -> tensor<?x6x4x8xf32>
  %1 = stablehlo.convolution(%0, %v) dim_numbers = [b, 0, 1, f]x[o, i, 0, 1]->[b, f, 0, 1],
    window = {pad = [[1, 1], [2, 2]]}
    {batch_group_count = 1 : i64, feature_group_count = 2 : i64}
    : (tensor<?x6x4x8xf32>, tensor<6x4x3x2xf32>) -> tensor<?x6x6x7xf32>
  return %0, %1 : tensor<?x6x4x8xf32>, tensor<?x6x6x7xf32>
}";

#[test]
fn convolutions_of_any_number_of_images() {
    let shapes = [0, 1, 2, 5].map(|count| [[count, 11, 9, 4], [3, 3, 4, 8], [6, 4, 3, 2]]);
    expect_equal(IMAGES, &shapes);
}

/// The sums of rows, of columns and of all.
const SUMS: &str = "
func.func @main(%x: tensor<?x?xf32>) -> (tensor<?xf32>, tensor<?xf32>, tensor<f32>) {
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %one) applies stablehlo.add across dimensions = [1]
    : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
  %1 = stablehlo.reduce(%x init: %one) applies stablehlo.add across dimensions = [0]
    : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
  %2 = stablehlo.reduce(%x init: %one) applies stablehlo.add across dimensions = [0, 1]
    : (tensor<?x?xf32>, tensor<f32>) -> tensor<f32>
  return %0, %1, %2 : tensor<?xf32>, tensor<?xf32>, tensor<f32>
}";

#[test]
fn sums_of_any_number_of_elements() {
    let shapes = [
        [1, 1],
        [3, 0],
        [0, 3],
        [0, 0],
        [7, 5],
        [2, 31],
        [64, 77],
        [1, 1000],
    ];
    expect_equal(SUMS, &shapes.map(|dims| [dims]));
}

const NORMALIZED: &str = "
func.func @main(%x: tensor<?x?x?xf32>) -> (tensor<?x?x?xf32>, tensor<?x?xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %least) applies stablehlo.maximum across dimensions = [2]
    : (tensor<?x?x?xf32>, tensor<f32>) -> tensor<?x?xf32>
  %b = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x?x?xf32>) -> tensor<i32>
  %n = stablehlo.get_dimension_size %x, dim = 1 : (tensor<?x?x?xf32>) -> tensor<i32>
  %m = stablehlo.get_dimension_size %x, dim = 2 : (tensor<?x?x?xf32>) -> tensor<i32>
  %b1 = stablehlo.reshape %b : (tensor<i32>) -> tensor<1xi32>
  %n1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %m1 = stablehlo.reshape %m : (tensor<i32>) -> tensor<1xi32>
  %dims = stablehlo.concatenate %b1, %n1, %m1, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
  %1 = stablehlo.dynamic_broadcast_in_dim %0, %dims, dims = [0, 1]
    : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x?x?xf32>
  %2 = stablehlo.subtract %x, %1 : tensor<?x?x?xf32>
  %3 = stablehlo.exponential %2 : tensor<?x?x?xf32>
  %4 = stablehlo.reduce(%3 init: %zero) applies stablehlo.add across dimensions = [2]
    : (tensor<?x?x?xf32>, tensor<f32>) -> tensor<?x?xf32>
  %5 = stablehlo.dynamic_broadcast_in_dim %4, %dims, dims = [0, 1]
    : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x?x?xf32>
  %6 = stablehlo.divide %3, %5 : tensor<?x?x?xf32>
  return %6, %0 : tensor<?x?x?xf32>, tensor<?x?xf32>
}";

#[test]
fn several_sizes_vary_in_one_executable() {
    expect_equal(
        NORMALIZED,
        &[
            &[&[1, 1, 1]],
            &[&[2, 3, 33]],
            &[&[5, 1, 100]],
            &[&[0, 4, 7]],
            &[&[3, 4, 0]],
            &[&[1, 64, 65]],
            &[&[2, 3, 33]],
        ],
    );
}

/// Eight steps, each of which adds the rows of the input in reverse.
const STEPS: &str = "
func.func @main(%x: tensor<?x6xf32>) -> tensor<?x6xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %eight = stablehlo.constant dense<8> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %a = %x) : tensor<i32>, tensor<?x6xf32>
  cond {
    %1 = stablehlo.compare LT, %i, %eight : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.reverse %a, dims = [0] : tensor<?x6xf32>
    %2 = stablehlo.add %1, %x : tensor<?x6xf32>
    %3 = stablehlo.tanh %2 : tensor<?x6xf32>
    %4 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %4, %3 : tensor<i32>, tensor<?x6xf32>
  }
  return %0#1 : tensor<?x6xf32>
}";

#[test]
fn loops_carry_values_of_any_size() {
    expect_equal(STEPS, &[&[&[1, 6]], &[&[7, 6]], &[&[0, 6]], &[&[90, 6]]]);
}

const SUM: &str = "
func.func @main(%x: tensor<?x4xf32>, %y: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %0 = stablehlo.add %x, %y : tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}";

#[test]
fn sizes_that_do_not_fit_end_a_run_before_it_starts() {
    for name in BACKENDS {
        let sum = compiled(name, SUM);
        let error = sum.run(&[numbers(&[2, 4]), numbers(&[3, 4])]).unwrap_err().to_string();
        assert!(
            error.starts_with("@main: ")
                && error.ends_with("the dynamic sizes of the inputs are 2, 3"),
            "{name}: {error}"
        );
        let outputs = sum.run(&[numbers(&[2, 4]), numbers(&[2, 4])]).unwrap();
        assert_eq!(outputs[0].shape().to_string(), "tensor<2x4xf32>");
    }
}

/// Values that are copied and moved.
const MOVES: &str = "
func.func @main(%x: tensor<?x4xf32>, %y: tensor<?x?xf32>)
    -> (tensor<?x4xf32>, tensor<?x?xf32>, tensor<?x4xf32>, tensor<?x?xf32>) {
  %0 = stablehlo.transpose %y, dims = [1, 0] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = stablehlo.concatenate %x, %x, dim = 0
    : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  %2 = stablehlo.concatenate %y, %y, dim = 1
    : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %x, %0, %1, %2 : tensor<?x4xf32>, tensor<?x?xf32>, tensor<?x4xf32>, tensor<?x?xf32>
}";

#[test]
fn values_of_any_size_are_copied() {
    expect_equal(MOVES, &[&[&[3, 4], &[5, 7]], &[&[1, 4], &[2, 1]]]);
}

/// A loop whose branches add or subtract, and the transpose of the result in columns of two.
const BRANCHES: &str = "
func.func @main(%x: tensor<?x4xf32>, %y: tensor<?x4xf32>) -> (tensor<?x4xf32>, tensor<?x?xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %a = %x) : tensor<i32>, tensor<?x4xf32>
  cond {
    %1 = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %next = stablehlo.add %i, %one : tensor<i32>
    %1 = \"stablehlo.case\"(%i) ({
      %2 = stablehlo.add %a, %y : tensor<?x4xf32>
      stablehlo.return %2 : tensor<?x4xf32>
    }, {
      stablehlo.return %y : tensor<?x4xf32>
    }, {
      %2 = stablehlo.subtract %a, %x : tensor<?x4xf32>
      stablehlo.return %2 : tensor<?x4xf32>
    }) : (tensor<i32>) -> tensor<?x4xf32>
    stablehlo.return %next, %1 : tensor<i32>, tensor<?x4xf32>
  }
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
  %n1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %four = stablehlo.constant dense<4> : tensor<1xi32>
  %dims = stablehlo.concatenate %n1, %n1, %four, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
  %3 = stablehlo.dynamic_broadcast_in_dim %0#1, %dims, dims = [1, 2] : (tensor<?x4xf32>, tensor<3xi32>) -> tensor<?x?x4xf32>
  %m = stablehlo.multiply %n1, %four : tensor<1xi32>
  %flat = stablehlo.concatenate %n1, %m, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %4 = stablehlo.dynamic_reshape %3, %flat : (tensor<?x?x4xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return %0#1, %4 : tensor<?x4xf32>, tensor<?x?xf32>
}";

#[test]
fn branches_have_values_of_any_size() {
    expect_equal(
        BRANCHES,
        &[
            &[&[1, 4], &[1, 4]],
            &[&[5, 4], &[5, 4]],
            &[&[0, 4], &[0, 4]],
        ],
    );
}

/// Adds a row to each column `[1, 3]` of the rows, of a number that `counts` has.
const COUNTED: &str = "
func.func @main(%counts: tensor<2xi32>, %x: tensor<?x4xf32>) -> (tensor<?x4xf32>, tensor<2xi32>) {
  %columns = stablehlo.constant dense<[[1], [3]]> : tensor<2x1xi32>
  %n = stablehlo.slice %counts [1:2] : (tensor<2xi32>) -> tensor<1xi32>
  %four = stablehlo.constant dense<4> : tensor<1xi32>
  %two = stablehlo.constant dense<2> : tensor<1xi32>
  %dims = stablehlo.concatenate %n, %four, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %updated = stablehlo.concatenate %n, %two, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %dims, dims = [0, 1] : (tensor<?x4xf32>, tensor<2xi32>) -> tensor<?x4xf32>
  %1 = stablehlo.dynamic_iota %updated, dim = 0 : (tensor<2xi32>) -> tensor<?x2xf32>
  %2 = \"stablehlo.scatter\"(%0, %columns, %1) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %3 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %3 : tensor<f32>
  }) : (tensor<?x4xf32>, tensor<2x1xi32>, tensor<?x2xf32>) -> tensor<?x4xf32>
  %3 = stablehlo.add %counts, %counts : tensor<2xi32>
  return %2, %3 : tensor<?x4xf32>, tensor<2xi32>
}";

#[test]
fn elements_of_inputs_are_sizes() {
    let interpreter = compiled("interpreter", COUNTED);
    for executable in BACKENDS.map(|name| compiled(name, COUNTED)) {
        for count in [3, 0, 1, 5] {
            let counts = Literal::from_slice::<i32>(&[2], &[7, count]).unwrap();
            let inputs = [counts, f32s(&[1, 4], &[1.0, 2.0, 3.0, 4.0])];
            let [found, expected] = [&executable, &interpreter].map(|it| it.run(&inputs).unwrap());
            assert_eq!(found, expected);
            assert_eq!(found[0].dims(), [count as usize, 4]);
        }
        let counts = Literal::from_slice::<i32>(&[2], &[7, -2]).unwrap();
        let error = executable.run(&[counts, f32s(&[1, 4], &[0.0; 4])]).unwrap_err().to_string();
        assert!(
            error.ends_with("sizes of the inputs are 1, element 1 of input 0 is -2"),
            "{error}"
        );
    }
}

/// `x` times itself for all pairs of elements, which no memory can hold if they are many.
const PAIRS: &str = "
func.func @main(%x: tensor<?x0xf32>) -> tensor<?x?xf32> {
  %0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [1]
    : (tensor<?x0xf32>, tensor<?x0xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}";

#[test]
fn results_that_no_memory_holds_are_errors() {
    let pairs = compiled("cpu", PAIRS);
    let many = f32s(&[1 << 40, 0], &[]);
    let error = pairs.run(&[many]).unwrap_err().to_string();
    assert!(
        error.contains("tensor<1099511627776x1099511627776xf32>"),
        "{error}"
    );
    let outputs = pairs.run(&[f32s(&[3, 0], &[])]).unwrap();
    assert_eq!(outputs[0].as_slice::<f32>().unwrap(), [0.0; 9]);
}

/// The rows are at most 64.
fn bounded_layers() -> String {
    let rows = ["40", "96", "10"].map(|columns| format!("tensor<?x{columns}xf32>"));
    rows.iter().fold(LAYERS.to_owned(), |code, ty| {
        let bounded = ty.replace('>', ", #stablehlo.bounds<64, ?>>");
        code.replace(ty, &bounded)
    })
}

#[test]
fn sizes_are_within_their_bounds() {
    let code = bounded_layers();
    let shapes = [1, 5, 64].map(|rows| [[rows, 40], [40, 96], [96, 10]]);
    expect_equal(&code, &shapes);
    let inputs = [numbers(&[65, 40]), numbers(&[40, 96]), numbers(&[96, 10])];
    for name in BACKENDS {
        let error = compiled(name, &code).run(&inputs).unwrap_err().to_string();
        let expected = "@main: dimension 0 of argument 0 is larger than its bound, 64; \
                        the dynamic sizes of the inputs are 65";
        assert_eq!(error, expected, "{name}");
    }
}
