//! Loops and conditionals on tensors of bounded size, which grow and shrink while they run.
//!
//! Expected values are those of lists in Python.

use super::{executables, f32s};
use halo_core::{Literal, PrintOptions};

/// A type with one bounded dimension.
fn bounded(element: &str, bound: usize) -> String {
    format!("tensor<?x{element}, #stablehlo.bounds<{bound}>>")
}

#[track_caller]
fn expect(code: &str, runs: &[(&[Literal], &[&str])]) {
    for (name, executable) in executables(code) {
        for (inputs, expected) in runs {
            let outputs = executable.run(inputs);
            let outputs = outputs.unwrap_or_else(|error| panic!("{name}: {error}"));
            let outputs: Vec<String> = outputs
                .iter()
                .map(|output| output.display(PrintOptions::default()).to_string())
                .collect();
            assert_eq!(&outputs, expected, "{name}");
        }
    }
}

fn predicate(value: bool) -> Literal {
    Literal::from_bools(&[], &[value]).unwrap()
}

fn i32s(values: &[i32]) -> Literal {
    Literal::from_slice(&[values.len()], values).unwrap()
}

/// `s = []; for i in range(k): s.append(i)`, and the sum and length of it.
#[test]
fn a_loop_pushes_elements() {
    let stack = bounded("i32", 8);
    let code = format!(
        "func.func @main(%k: tensor<i32>) -> ({stack}, tensor<i32>, tensor<i32>) {{
           %zero = stablehlo.constant dense<0> : tensor<i32>
           %one = stablehlo.constant dense<1> : tensor<i32>
           %none = stablehlo.constant dense<0> : tensor<8xi32>
           %empty = stablehlo.set_dimension_size %none, %zero, dim = 0 : (tensor<8xi32>, tensor<i32>) -> {stack}
           %0:2 = stablehlo.while(%i = %zero, %s = %empty) : tensor<i32>, {stack}
           cond {{
             %more = stablehlo.compare LT, %i, %k : (tensor<i32>, tensor<i32>) -> tensor<i1>
             stablehlo.return %more : tensor<i1>
           }} do {{
             %n = stablehlo.get_dimension_size %s, dim = 0 : ({stack}) -> tensor<i32>
             %next = stablehlo.add %n, %one : tensor<i32>
             %grown = stablehlo.set_dimension_size %s, %next, dim = 0 : ({stack}, tensor<i32>) -> {stack}
             %element = stablehlo.reshape %i : (tensor<i32>) -> tensor<1xi32>
             %pushed = stablehlo.dynamic_update_slice %grown, %element, %n : ({stack}, tensor<1xi32>, tensor<i32>) -> {stack}
             %j = stablehlo.add %i, %one : tensor<i32>
             stablehlo.return %j, %pushed : tensor<i32>, {stack}
           }}
           %sum = stablehlo.reduce(%0#1 init: %zero) applies stablehlo.add across dimensions = [0] : ({stack}, tensor<i32>) -> tensor<i32>
           %size = stablehlo.get_dimension_size %0#1, dim = 0 : ({stack}) -> tensor<i32>
           return %0#1, %sum, %size : {stack}, tensor<i32>, tensor<i32>
         }}"
    );
    let k = |k: i32| [Literal::scalar(k)];
    expect(
        &code,
        &[
            (
                &k(4),
                &[
                    "dense<[0, 1, 2, 3]> : tensor<4xi32>",
                    "dense<6> : tensor<i32>",
                    "dense<4> : tensor<i32>",
                ],
            ),
            (
                &k(0),
                &[
                    "dense<> : tensor<0xi32>",
                    "dense<0> : tensor<i32>",
                    "dense<0> : tensor<i32>",
                ],
            ),
        ],
    );
}

/// `while len(x) > 2: x = x[1:]`, and `sorted(x)[::-1]` of what is left.
#[test]
fn a_loop_pops_elements() {
    let (list, rest) = (bounded("f32", 5), bounded("f32", 4));
    let code = format!(
        "func.func @main(%x: {list}) -> ({list}, {list}) {{
           %two = stablehlo.constant dense<2> : tensor<i32>
           %zero = stablehlo.constant dense<0.0> : tensor<f32>
           %0 = stablehlo.while(%a = %x) : {list}
           cond {{
             %n = stablehlo.get_dimension_size %a, dim = 0 : ({list}) -> tensor<i32>
             %more = stablehlo.compare GT, %n, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
             stablehlo.return %more : tensor<i1>
           }} do {{
             %tail = stablehlo.slice %a [1:5] : ({list}) -> {rest}
             %same = stablehlo.pad %tail, %zero, low = [0], high = [1], interior = [0] : ({rest}, tensor<f32>) -> {list}
             %n = stablehlo.get_dimension_size %tail, dim = 0 : ({rest}) -> tensor<i32>
             %next = stablehlo.set_dimension_size %same, %n, dim = 0 : ({list}, tensor<i32>) -> {list}
             stablehlo.return %next : {list}
           }}
           %1 = \"stablehlo.sort\"(%0) <{{dimension = 0 : i64}}> ({{
           ^bb0(%a: tensor<f32>, %b: tensor<f32>):
             %first = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
             stablehlo.return %first : tensor<i1>
           }}) : ({list}) -> {list}
           return %0, %1 : {list}, {list}
         }}"
    );
    let four = [f32s(&[4], &[4.0, 3.0, 1.0, 2.0])];
    let one = [f32s(&[1], &[7.0])];
    expect(
        &code,
        &[
            (
                &four,
                &[
                    "dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>",
                    "dense<[2.000000e+00, 1.000000e+00]> : tensor<2xf32>",
                ],
            ),
            (&one, &["dense<7.000000e+00> : tensor<1xf32>"; 2]),
        ],
    );
}

/// `x[:1] if k == 0 else x[:3] if k == 1 else y`, and its size.
#[test]
fn branches_have_sizes_of_their_own() {
    let list = bounded("i32", 4);
    let code = format!(
        "func.func @main(%k: tensor<i32>, %x: tensor<4xi32>, %y: {list}) -> ({list}, tensor<i32>) {{
           %0 = \"stablehlo.case\"(%k) ({{
             %one = stablehlo.constant dense<1> : tensor<i32>
             %a = stablehlo.set_dimension_size %x, %one, dim = 0 : (tensor<4xi32>, tensor<i32>) -> {list}
             stablehlo.return %a : {list}
           }}, {{
             %three = stablehlo.constant dense<3> : tensor<i32>
             %a = stablehlo.set_dimension_size %x, %three, dim = 0 : (tensor<4xi32>, tensor<i32>) -> {list}
             stablehlo.return %a : {list}
           }}, {{
             stablehlo.return %y : {list}
           }}) : (tensor<i32>) -> {list}
           %n = stablehlo.get_dimension_size %0, dim = 0 : ({list}) -> tensor<i32>
           return %0, %n : {list}, tensor<i32>
         }}"
    );
    let inputs = |k: i32| [Literal::scalar(k), i32s(&[1, 2, 3, 4]), i32s(&[5, 6])];
    expect(
        &code,
        &[
            (
                &inputs(0),
                &["dense<1> : tensor<1xi32>", "dense<1> : tensor<i32>"],
            ),
            (
                &inputs(1),
                &["dense<[1, 2, 3]> : tensor<3xi32>", "dense<3> : tensor<i32>"],
            ),
            (
                &inputs(2),
                &["dense<[5, 6]> : tensor<2xi32>", "dense<2> : tensor<i32>"],
            ),
        ],
    );
}

/// `numpy.arange(1 if p else 3)`: the types of the branches have no bound.
#[test]
fn branches_make_sizes() {
    let code = "
func.func @main(%p: tensor<i1>) -> tensor<?xi32> {
  %0 = \"stablehlo.if\"(%p) ({
    %n = stablehlo.constant dense<1> : tensor<1xi32>
    %a = stablehlo.dynamic_iota %n, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>
    stablehlo.return %a : tensor<?xi32>
  }, {
    %n = stablehlo.constant dense<3> : tensor<1xi32>
    %a = stablehlo.dynamic_iota %n, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>
    stablehlo.return %a : tensor<?xi32>
  }) : (tensor<i1>) -> tensor<?xi32>
  return %0 : tensor<?xi32>
}";
    expect(
        code,
        &[
            (&[predicate(true)], &["dense<0> : tensor<1xi32>"]),
            (&[predicate(false)], &["dense<[0, 1, 2]> : tensor<3xi32>"]),
        ],
    );
}

/// Two values of different sizes are swapped, and one calls a function that reverses it and adds
/// `x[:i].sum()`, whose size is that of no value that the loop carries.
#[test]
fn loops_carry_several_sizes() {
    let list = bounded("i32", 3);
    let code = format!(
        "func.func @main(%k: tensor<i32>, %x: {list}, %y: {list}) -> ({list}, {list}) {{
           %zero = stablehlo.constant dense<0> : tensor<i32>
           %one = stablehlo.constant dense<1> : tensor<i32>
           %0:3 = stablehlo.while(%i = %zero, %a = %x, %b = %y) : tensor<i32>, {list}, {list}
           cond {{
             %more = stablehlo.compare LT, %i, %k : (tensor<i32>, tensor<i32>) -> tensor<i1>
             stablehlo.return %more : tensor<i1>
           }} do {{
             %j = stablehlo.add %i, %one : tensor<i32>
             %c = func.call @f(%a, %j) : ({list}, tensor<i32>) -> {list}
             stablehlo.return %j, %b, %c : tensor<i32>, {list}, {list}
           }}
           return %0#1, %0#2 : {list}, {list}
         }}
         func.func private @f(%a: {list}, %i: tensor<i32>) -> {list} {{
           %zero = stablehlo.constant dense<0> : tensor<i32>
           %whole = stablehlo.constant dense<[1, 10, 100]> : tensor<3xi32>
           %part = stablehlo.set_dimension_size %whole, %i, dim = 0 : (tensor<3xi32>, tensor<i32>) -> {list}
           %sum = stablehlo.reduce(%part init: %zero) applies stablehlo.add across dimensions = [0] : ({list}, tensor<i32>) -> tensor<i32>
           %n = stablehlo.get_dimension_size %a, dim = 0 : ({list}) -> tensor<i32>
           %size = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
           %sums = stablehlo.dynamic_broadcast_in_dim %sum, %size, dims = [] : (tensor<i32>, tensor<1xi32>) -> {list}
           %back = stablehlo.reverse %a, dims = [0] : {list}
           %0 = stablehlo.add %back, %sums : {list}
           return %0 : {list}
         }}"
    );
    let inputs = [Literal::scalar(3_i32), i32s(&[1, 2]), i32s(&[3, 4, 5])];
    expect(
        &code,
        &[(
            &inputs,
            // x is reversed with 1 added, y with 11, and x again with 111.
            &[
                "dense<[16, 15, 14]> : tensor<3xi32>",
                "dense<[113, 114]> : tensor<2xi32>",
            ],
        )],
    );
}

/// A size that has no bound and changes: compiled backends say so, the interpreter runs it.
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
        match executable.run(&[Literal::scalar(1_i32), i32s(&[1, 2])]) {
            Ok(outputs) => assert_eq!(outputs, [i32s(&[1, 2, 1, 2])], "{name}"),
            Err(error) => {
                let error = error.to_string();
                assert!(error.contains("test.mlir:5:10: error: 'stablehlo.while' op has a result whose size changes"), "{name}: {error}");
            }
        }
    }
}
