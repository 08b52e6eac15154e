//! Programs with dynamic shapes.

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
        let error = executable.run(&[Literal::scalar(3_i64), f32s(&[2], &[1.0, 2.0])]).unwrap_err();
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

/// The program defines the message.
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

/// The size is a sum of floats, truncated to an integer. Of the operand, only a bound is known.
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

/// The entry's tuples and tokens are passed as tensors, whose shapes are known only at run time.
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

#[test]
fn sizes_of_inputs_that_contradict_each_other_are_an_error_at_the_op() {
    let code = "
func.func @main(%x: tensor<?x2xf32>, %y: tensor<?x2xf32>, %z: tensor<2x?xf32>) -> tensor<?x?xf32> {
  %0 = stablehlo.add %x, %y : tensor<?x2xf32>
  %1 = stablehlo.dot %0, %z : (tensor<?x2xf32>, tensor<2x?xf32>) -> tensor<?x?xf32>
  %2 = stablehlo.add %1, %z : (tensor<?x?xf32>, tensor<2x?xf32>) -> tensor<?x?xf32>
  return %2 : tensor<?x?xf32>
}";
    let zeros = |rows, columns| f32s(&[rows, columns], &vec![0.0; rows * columns]);
    for (name, executable) in executables(code) {
        let run = |inputs: [Literal; 3]| executable.run(&inputs).map_err(|error| error.to_string());
        for (inputs, line) in [
            ([zeros(2, 2), zeros(3, 2), zeros(2, 5)], 3),
            ([zeros(3, 2), zeros(3, 2), zeros(2, 5)], 5),
        ] {
            let error = run(inputs).unwrap_err();
            let start = format!("test.mlir:{line}:8: error: 'stablehlo.add' op ");
            assert!(error.starts_with(&start), "{name}: {error}");
        }
        assert_eq!(
            run([zeros(2, 2), zeros(2, 2), zeros(2, 5)]),
            Ok(vec![zeros(2, 5)])
        );
    }
}

/// A size without a bound changes: compiled backends report an error, the interpreter runs it.
#[test]
fn sizes_without_a_bound_are_an_error_of_the_program() {
    let code = "
func.func @main(%k: tensor<i32>, %x: tensor<?xi32>) -> tensor<?xi32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %a = %x) : tensor<i32>, tensor<?xi32>
  cond {
    %more = stablehlo.compare LT, %i, %k : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %b = stablehlo.concatenate %a, %a, dim = 0 : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
    stablehlo.return %j, %b : tensor<i32>, tensor<?xi32>
  }
  return %0#1 : tensor<?xi32>
}";
    for (name, executable) in executables(code) {
        match executable.run(&[
            Literal::scalar(1_i32),
            Literal::from_slice(&[2], &[1_i32, 2]).unwrap(),
        ]) {
            Ok(outputs) => {
                let expected = Literal::from_slice(&[4], &[1_i32, 2, 1, 2]).unwrap();
                assert_eq!(outputs, [expected], "{name}");
            }
            Err(error) => {
                let error = error.to_string();
                assert!(error.contains("test.mlir:5:10: error: 'stablehlo.while' op has a result whose size changes"), "{name}: {error}");
            }
        }
    }
}
