//! Programs whose shapes are known when they run.

use super::{executables, f32s};
use halo_core::{Literal, PrintOptions};
use halo_runtime::Executable;

#[track_caller]
fn expect(executable: &dyn Executable, inputs: &[Literal], expected: &[&str]) {
    let outputs: Vec<String> = executable
        .run(inputs)
        .unwrap()
        .iter()
        .map(|output| output.display(PrintOptions::default()).to_string())
        .collect();
    assert_eq!(outputs, expected);
}

/// `x + numpy.ones((n, 2))` and its sums along rows, for any number of rows.
const ROWS: &str = "
func.func @main(%n: tensor<i64>, %x: tensor<?x2xf32>) -> (tensor<?x2xf32>, tensor<?xf32>) {
  %two = stablehlo.constant dense<2> : tensor<1xi64>
  %0 = stablehlo.reshape %n : (tensor<i64>) -> tensor<1xi64>
  %1 = stablehlo.concatenate %0, %two, dim = 0 : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %2 = stablehlo.dynamic_broadcast_in_dim %one, %1, dims = [] : (tensor<f32>, tensor<2xi64>) -> tensor<?x2xf32>
  %3 = stablehlo.add %x, %2 : tensor<?x2xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %4 = stablehlo.reduce(%3 init: %zero) applies stablehlo.add across dimensions = [1]
    : (tensor<?x2xf32>, tensor<f32>) -> tensor<?xf32>
  return %3, %4 : tensor<?x2xf32>, tensor<?xf32>
}";

#[test]
fn one_program_takes_many_shapes() {
    for (name, executable) in executables(ROWS) {
        assert_eq!(
            executable.signature().to_string(),
            "@main(tensor<i64>, tensor<?x2xf32>) -> (tensor<?x2xf32>, tensor<?xf32>)",
            "{name}"
        );
        for _ in 0..2 {
            expect(
                &*executable,
                &[Literal::scalar(1_i64), f32s(&[1, 2], &[1.0, 2.0])],
                &[
                    "dense<[[2.000000e+00, 3.000000e+00]]> : tensor<1x2xf32>",
                    "dense<5.000000e+00> : tensor<1xf32>",
                ],
            );
            expect(
                &*executable,
                &[Literal::scalar(2_i64), f32s(&[2, 2], &[1.0, 2.0, 3.0, 4.0])],
                &[
                    "dense<[[2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00]]> : \
                     tensor<2x2xf32>",
                    "dense<[5.000000e+00, 9.000000e+00]> : tensor<2xf32>",
                ],
            );
        }
    }
}

#[test]
fn shapes_that_do_not_fit_end_one_run() {
    for (name, executable) in executables(ROWS) {
        let wrong = [Literal::scalar(3_i64), f32s(&[2, 2], &[1.0, 2.0, 3.0, 4.0])];
        let error = executable.run(&wrong).unwrap_err().to_string();
        assert!(
            error.starts_with("test.mlir:8:8: error: "),
            "{name}: {error}"
        );
        let error = executable
            .run(&[Literal::scalar(3_i64), f32s(&[2], &[1.0, 2.0])])
            .unwrap_err();
        assert_eq!(
            error.to_string(),
            "input 1 of @main is tensor<?x2xf32>, but tensor<2xf32> was given"
        );
        expect(
            &*executable,
            &[Literal::scalar(0_i64), f32s(&[0, 2], &[])],
            &["dense<> : tensor<0x2xf32>", "dense<> : tensor<0xf32>"],
        );
    }
}

/// `x[start:limit].sum()`: nothing in the types says that sizes are dynamic.
#[test]
fn sizes_come_from_values() {
    let code = "
func.func @main(%x: tensor<5xi32>, %start: tensor<1xi32>, %limit: tensor<1xi32>) -> tensor<i32> {
  %one = stablehlo.constant dense<1> : tensor<1xi32>
  %0 = stablehlo.real_dynamic_slice %x, %start, %limit, %one
    : (tensor<5xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0]
    : (tensor<?xi32>, tensor<i32>) -> tensor<i32>
  return %1 : tensor<i32>
}";
    let numbers = |values: &[i32]| Literal::from_slice(&[values.len()], values).unwrap();
    for (_, executable) in executables(code) {
        for (start, limit, sum) in [(1, 4, 9), (0, 5, 15), (2, 2, 0)] {
            expect(
                &*executable,
                &[
                    numbers(&[1, 2, 3, 4, 5]),
                    numbers(&[start]),
                    numbers(&[limit]),
                ],
                &[&format!("dense<{sum}> : tensor<i32>")],
            );
        }
    }
}

/// The message is the program's own.
#[test]
fn assertions_about_shapes_end_one_run() {
    let code = "
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %four = stablehlo.constant dense<4> : tensor<i32>
  %1 = stablehlo.compare LE, %0, %four : (tensor<i32>, tensor<i32>) -> tensor<i1>
  stablehlo.custom_call @shape_assertion(%1, %0) {
    error_message = \"at most 4 elements, not {0}\", has_side_effect = true
  } : (tensor<i1>, tensor<i32>) -> ()
  %2 = stablehlo.negate %x : tensor<?xf32>
  return %2 : tensor<?xf32>
}";
    for (name, executable) in executables(code) {
        let error = executable.run(&[f32s(&[5], &[0.0; 5])]).unwrap_err();
        let error = error.to_string();
        assert!(
            error.contains("at most 4 elements, not 5"),
            "{name}: {error}"
        );
        assert!(
            error.starts_with("test.mlir:6:3: error: "),
            "{name}: {error}"
        );
        expect(
            &*executable,
            &[f32s(&[1], &[2.0])],
            &["dense<-2.000000e+00> : tensor<1xf32>"],
        );
    }
}

/// `x[x > 0]` and its sum, as TensorFlow writes `boolean_mask`: the size is a sum
/// of comparisons of floats, and a bound is all that types say.
const MASK: &str = "
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %zeros = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> tensor<6xf32>
  %none = stablehlo.constant dense<0> : tensor<i32>
  %kept = stablehlo.compare GT, %x, %zeros : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
  %ones = stablehlo.convert %kept : (tensor<6xi1>) -> tensor<6xi32>
  %count = stablehlo.reduce(%ones init: %none) applies stablehlo.add across dimensions = [0]
    : (tensor<6xi32>, tensor<i32>) -> tensor<i32>
  %number = stablehlo.iota dim = 0 : tensor<6xi32>
  %not = stablehlo.not %kept : tensor<6xi1>
  %order:2 = \"stablehlo.sort\"(%not, %number) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<i1>, %b: tensor<i1>, %c: tensor<i32>, %d: tensor<i32>):
    %lt = stablehlo.compare LT, %a, %b : (tensor<i1>, tensor<i1>) -> tensor<i1>
    stablehlo.return %lt : tensor<i1>
  }) : (tensor<6xi1>, tensor<6xi32>) -> (tensor<6xi1>, tensor<6xi32>)
  %column = stablehlo.reshape %order#1 : (tensor<6xi32>) -> tensor<6x1xi32>
  %where = stablehlo.set_dimension_size %column, %count, dim = 0
    : (tensor<6x1xi32>, tensor<i32>) -> tensor<?x1xi32, #stablehlo.bounds<6, ?>>
  %index = stablehlo.reshape %where
    : (tensor<?x1xi32, #stablehlo.bounds<6, ?>>) -> tensor<?xi32, #stablehlo.bounds<6>>
  %mask = \"stablehlo.gather\"(%x, %index) <{dimension_numbers = #stablehlo.gather<
      collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
      indices_are_sorted = false, slice_sizes = array<i64: 1>}>
    : (tensor<6xf32>, tensor<?xi32, #stablehlo.bounds<6>>) -> tensor<?xf32, #stablehlo.bounds<6>>
  %added = stablehlo.add %mask, %zeros
    : (tensor<?xf32, #stablehlo.bounds<6>>, tensor<6xf32>) -> tensor<?xf32, #stablehlo.bounds<6>>
  %sum = stablehlo.reduce(%added init: %zero) applies stablehlo.add across dimensions = [0]
    : (tensor<?xf32, #stablehlo.bounds<6>>, tensor<f32>) -> tensor<f32>";

#[test]
fn sizes_are_computed_from_floats() {
    let code = format!(
        "func.func @main(%x: tensor<6xf32>)
             -> (tensor<?xf32, #stablehlo.bounds<6>>, tensor<?x1xi32, #stablehlo.bounds<6, ?>>, tensor<f32>) {{
           {MASK}
           return %mask, %where, %sum
             : tensor<?xf32, #stablehlo.bounds<6>>, tensor<?x1xi32, #stablehlo.bounds<6, ?>>, tensor<f32>
         }}"
    );
    for (_, executable) in executables(&code) {
        expect(
            &*executable,
            &[f32s(&[6], &[1.0, -2.0, 3.0, -4.0, -5.0, 6.0])],
            &[
                "dense<[1.000000e+00, 3.000000e+00, 6.000000e+00]> : tensor<3xf32>",
                "dense<[[0], [2], [5]]> : tensor<3x1xi32>",
                "dense<1.000000e+01> : tensor<f32>",
            ],
        );
        expect(
            &*executable,
            &[f32s(&[6], &[-1.0, -2.0, -3.0, -4.0, 5.0, -6.0])],
            &[
                "dense<5.000000e+00> : tensor<1xf32>",
                "dense<4> : tensor<1x1xi32>",
                "dense<5.000000e+00> : tensor<f32>",
            ],
        );
    }
}

/// `numpy.ones(int(x[x > 0].sum()))`: a size that is computed from a value whose
/// size is computed.
#[test]
fn sizes_are_computed_from_values_of_computed_sizes() {
    let code = format!(
        "func.func @main(%x: tensor<6xf32>) -> tensor<?xf32> {{
           {MASK}
           %total = stablehlo.convert %sum : (tensor<f32>) -> tensor<i32>
           %sizes = stablehlo.reshape %total : (tensor<i32>) -> tensor<1xi32>
           %one = stablehlo.constant dense<1.0> : tensor<f32>
           %0 = stablehlo.dynamic_broadcast_in_dim %one, %sizes, dims = []
             : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
           return %0 : tensor<?xf32>
         }}"
    );
    for (_, executable) in executables(&code) {
        expect(
            &*executable,
            &[f32s(&[6], &[1.0, -2.0, 0.5, -4.0, -5.0, 0.75])],
            &["dense<1.000000e+00> : tensor<2xf32>"],
        );
        expect(
            &*executable,
            &[f32s(&[6], &[-1.0, -2.0, -3.0, 4.0, -5.0, -6.0])],
            &["dense<1.000000e+00> : tensor<4xf32>"],
        );
    }
}

/// Custom calls by which JAX exports dynamic forms of ops: `numpy.cumsum(x)`, the
/// largest and the least of all elements but one, and the shape of random bits.
#[test]
fn custom_calls_stand_for_dynamic_ops() {
    let code = "
func.func @main(%x: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xi32>, tensor<?xf32>, tensor<?xi32>, tensor<i32>) {
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %less = stablehlo.subtract %n, %one : tensor<i32>
  %size = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %ones = stablehlo.constant dense<1> : tensor<1xi32>
  %none = stablehlo.constant dense<0> : tensor<1x1xi32>
  %low = stablehlo.reshape %less : (tensor<i32>) -> tensor<1x1xi32>
  %padding = stablehlo.concatenate %low, %none, dim = 1 : (tensor<1x1xi32>, tensor<1x1xi32>) -> tensor<1x2xi32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%x, %zero, %size, %ones, %ones, %ones, %padding)
    {api_version = 2 : i32, called_computations = [@sum]}
    : (tensor<?xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1x2xi32>) -> tensor<?xf32>
  %1:2 = stablehlo.custom_call @stablehlo.dynamic_top_k(%x, %less)
    : (tensor<?xf32>, tensor<i32>) -> (tensor<?xf32>, tensor<?xi32>)
  %number = stablehlo.dynamic_iota %size, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>
  %many = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %nowhere = stablehlo.constant dense<-1> : tensor<i32>
  %fewer = stablehlo.reshape %less : (tensor<i32>) -> tensor<1xi32>
  %2:2 = stablehlo.custom_call @stablehlo.dynamic_approx_top_k(%x, %number, %many, %nowhere, %less, %fewer, %fewer) {
    called_computations = [@less], indices_of_shape_operands = dense<[5, 6]> : tensor<2xi64>,
    mhlo.backend_config = {aggregate_to_topk = true, is_fallback = true, recall_target = 0.95 : f32,
      reduction_dim = 0 : i64, reduction_input_size_override = -1 : i64}}
    : (tensor<?xf32>, tensor<?xi32>, tensor<f32>, tensor<i32>, tensor<i32>, tensor<1xi32>, tensor<1xi32>) -> (tensor<?xf32>, tensor<?xi32>)
  %state = stablehlo.constant dense<7> : tensor<2xui64>
  %3:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%state, %size)
    {api_version = 2 : i32, rng_algorithm = #stablehlo<rng_algorithm DEFAULT>}
    : (tensor<2xui64>, tensor<1xi32>) -> (tensor<2xui64>, tensor<?xui32>)
  %4 = stablehlo.get_dimension_size %3#1, dim = 0 : (tensor<?xui32>) -> tensor<i32>
  return %0, %1#0, %1#1, %2#0, %2#1, %4
    : tensor<?xf32>, tensor<?xf32>, tensor<?xi32>, tensor<?xf32>, tensor<?xi32>, tensor<i32>
}
func.func private @sum(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.add %a, %b : tensor<f32>
  return %0 : tensor<f32>
}
func.func private @less(%a: tensor<f32>, %b: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<i1> {
  %0 = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %0 : tensor<i1>
}";
    for (_, executable) in executables(code) {
        expect(
            &*executable,
            &[f32s(&[3], &[2.0, -1.0, 4.0])],
            &[
                "dense<[2.000000e+00, 1.000000e+00, 5.000000e+00]> : tensor<3xf32>",
                "dense<[4.000000e+00, 2.000000e+00]> : tensor<2xf32>",
                "dense<[2, 0]> : tensor<2xi32>",
                "dense<[-1.000000e+00, 2.000000e+00]> : tensor<2xf32>",
                "dense<[1, 0]> : tensor<2xi32>",
                "dense<3> : tensor<i32>",
            ],
        );
        expect(
            &*executable,
            &[f32s(&[4], &[1.0, 2.0, 3.0, 0.0])],
            &[
                "dense<[1.000000e+00, 3.000000e+00, 6.000000e+00, 6.000000e+00]> : tensor<4xf32>",
                "dense<[3.000000e+00, 2.000000e+00, 1.000000e+00]> : tensor<3xf32>",
                "dense<[2, 1, 0]> : tensor<3xi32>",
                "dense<[0.000000e+00, 1.000000e+00, 2.000000e+00]> : tensor<3xf32>",
                "dense<[3, 0, 1]> : tensor<3xi32>",
                "dense<4> : tensor<i32>",
            ],
        );
    }
}

/// The size is a sum of floats, cut to an integer; the operand has a bound alone.
#[test]
fn set_sizes_stay_within_bounds() {
    let code = "
func.func @main(%x: tensor<?xf32, #stablehlo.bounds<4>>, %y: tensor<2xf32>) -> tensor<?xf32, #stablehlo.bounds<4>> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0]
    : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
  %n = stablehlo.convert %sum : (tensor<f32>) -> tensor<i32>
  %0 = stablehlo.set_dimension_size %x, %n, dim = 0
    : (tensor<?xf32, #stablehlo.bounds<4>>, tensor<i32>) -> tensor<?xf32, #stablehlo.bounds<4>>
  return %0 : tensor<?xf32, #stablehlo.bounds<4>>
}";
    let x = f32s(&[2], &[5.0, 6.0]);
    for (name, executable) in executables(code) {
        for (size, expected) in [
            (1.0, "dense<5.000000e+00> : tensor<1xf32>"),
            (
                3.0,
                "dense<[5.000000e+00, 6.000000e+00, 0.000000e+00]> : tensor<3xf32>",
            ),
        ] {
            let y = f32s(&[2], &[size, 0.5]);
            expect(&*executable, &[x.clone(), y], &[expected]);
        }
        let y = f32s(&[2], &[-3.0, 0.0]);
        let error = executable.run(&[x.clone(), y]).unwrap_err().to_string();
        assert!(
            error.starts_with("test.mlir:7:8: error: "),
            "{name}: {error}"
        );
        assert!(error.contains("-3"), "{name}: {error}");
    }
}

/// The entry's tuples and tokens are passed as tensors, whose shapes are known when the
/// program runs.
#[test]
fn tuples_hold_dynamic_tensors() {
    let code = "
func.func @main(%t: tuple<tensor<?xi8>, tuple<!stablehlo.token, tensor<?xi8>>>, %k: !stablehlo.token)
    -> (tuple<tensor<?xi8>>, !stablehlo.token) {
  %0 = stablehlo.get_tuple_element %t[0] : (tuple<tensor<?xi8>, tuple<!stablehlo.token, tensor<?xi8>>>) -> tensor<?xi8>
  %1 = stablehlo.get_tuple_element %t[1] : (tuple<tensor<?xi8>, tuple<!stablehlo.token, tensor<?xi8>>>) -> tuple<!stablehlo.token, tensor<?xi8>>
  %2 = stablehlo.get_tuple_element %1[1] : (tuple<!stablehlo.token, tensor<?xi8>>) -> tensor<?xi8>
  %3 = stablehlo.add %0, %2 : tensor<?xi8>
  %4 = stablehlo.tuple %3 : tuple<tensor<?xi8>>
  return %4, %k : tuple<tensor<?xi8>>, !stablehlo.token
}";
    let input = |elements: &[i8]| Literal::from_slice(&[elements.len()], elements).unwrap();
    for (_, executable) in executables(code) {
        let inputs = [input(&[1, 2, 3]), input(&[4, 5, 6])];
        expect(&*executable, &inputs, &["dense<[5, 7, 9]> : tensor<3xi8>"]);
    }
}

/// numpy.cumsum(x, 0) + 1, for any shape.
#[test]
fn scans_of_any_shape() {
    let code = r#"
func.func @main(%x: tensor<?x?xf32>, %init: tensor<?xf32>) -> (tensor<?x?xf32>, tensor<?xf32>) {
  %0:2 = chlo.scan(%x) inits (%init) dimension=0 {
  ^bb0(%e: tensor<?xf32>, %carry: tensor<?xf32>):
    %s = stablehlo.add %e, %carry : tensor<?xf32>
    stablehlo.return %s, %s : tensor<?xf32>, tensor<?xf32>
  } : (tensor<?x?xf32>, tensor<?xf32>) -> (tensor<?x?xf32>, tensor<?xf32>)
  return %0#0, %0#1 : tensor<?x?xf32>, tensor<?xf32>
}"#;
    for (_, executable) in executables(code) {
        let inputs = [
            f32s(&[2, 3], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]),
            f32s(&[3], &[1.0, 1.0, 1.0]),
        ];
        let expected = [
            "dense<[[2.000000e+00, 3.000000e+00, 4.000000e+00], [6.000000e+00, 8.000000e+00, 1.000000e+01]]> : tensor<2x3xf32>",
            "dense<[6.000000e+00, 8.000000e+00, 1.000000e+01]> : tensor<3xf32>",
        ];
        expect(&*executable, &inputs, &expected);
    }
}

/// The size is known at run time only.
#[test]
fn reductions_of_unknown_sizes_may_be_of_nothing() {
    let code = "func.func @main(%x: tensor<?xf32>, %y: tensor<f32>, %i: tensor<f32>) -> tensor<f32> {
           %0 = stablehlo.reduce(%x init: %i) across dimensions = [0] : (tensor<?xf32>, tensor<f32>) -> tensor<f32>
             reducer(%a: tensor<f32>, %b: tensor<f32>) {
               stablehlo.return %y : tensor<f32>
             }
           return %0 : tensor<f32>
         }";
    for (elements, expected) in [(&[][..], 5), (&[1.0, 2.0][..], 7)] {
        super::expect(
            code,
            &[
                f32s(&[elements.len()], elements),
                f32s(&[], &[7.0]),
                f32s(&[], &[5.0]),
            ],
            &[&format!("dense<{expected}.000000e+00> : tensor<f32>")],
        );
    }
}
