//! Small programs from StableHLO text to their results, on every backend.
//!
//! Expected values come from the specification or from NumPy.

use halo_core::{Literal, PrintOptions};
use halo_runtime::{CompileOptions, Program, Registry};

/// Compiles a program and runs it on every backend.
fn run(code: &str, inputs: &[Literal]) -> Vec<Vec<Literal>> {
    let mut registry = Registry::new();
    halo_compiler::backends::register(&mut registry);
    let program = Program {
        name: "test.mlir".into(),
        code: code.as_bytes().to_vec(),
    };
    registry
        .backends()
        .iter()
        .map(|backend| {
            let executable = backend
                .compiler
                .compile(&program, &CompileOptions::default())
                .unwrap_or_else(|error| panic!("{}: {error}", backend.name));
            executable
                .run(inputs)
                .unwrap_or_else(|error| panic!("{}: {error}", backend.name))
        })
        .collect()
}

#[track_caller]
fn expect(code: &str, inputs: &[Literal], expected: &[&str]) {
    for outputs in run(code, inputs) {
        let outputs: Vec<String> = outputs
            .iter()
            .map(|output| output.display(PrintOptions::default()).to_string())
            .collect();
        assert_eq!(outputs, expected);
    }
}

#[test]
fn adds() {
    expect(
        "func.func @main(%a: tensor<3xf32>, %b: tensor<3xf32>) -> tensor<3xf32> {
           %0 = stablehlo.add %a, %b : tensor<3xf32>
           return %0 : tensor<3xf32>
         }",
        &[
            Literal::from_slice(&[3], &[1.0_f32, 2.0, 3.0]).unwrap(),
            Literal::from_slice(&[3], &[0.5_f32, 0.25, -3.0]).unwrap(),
        ],
        &["dense<[1.500000e+00, 2.250000e+00, 0.000000e+00]> : tensor<3xf32>"],
    );
}

fn f32s(dims: &[usize], values: &[f32]) -> Literal {
    Literal::from_slice(dims, values).unwrap()
}

/// The specification's example of `dot_general`.
#[test]
fn multiplies_batches_of_matrices() {
    expect(
        "func.func @main(%a: tensor<2x2x2xi64>, %b: tensor<2x2x2xi64>) -> tensor<2x2x2xi64> {
           %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1]
             : (tensor<2x2x2xi64>, tensor<2x2x2xi64>) -> tensor<2x2x2xi64>
           return %0 : tensor<2x2x2xi64>
         }",
        &[
            Literal::from_slice(&[2, 2, 2], &[1_i64, 2, 3, 4, 5, 6, 7, 8]).unwrap(),
            Literal::from_slice(&[2, 2, 2], &[1_i64, 0, 0, 1, 1, 0, 0, 1]).unwrap(),
        ],
        &["dense<[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]> : tensor<2x2x2xi64>"],
    );
}

/// The specification's example of `pad`.
#[test]
fn pads_edges_and_between_elements() {
    expect(
        "func.func @main(%a: tensor<2x3xi32>) -> tensor<5x9xi32> {
           %zero = stablehlo.constant dense<0> : tensor<i32>
           %0 = stablehlo.pad %a, %zero, low = [0, 1], high = [2, 1], interior = [1, 2]
             : (tensor<2x3xi32>, tensor<i32>) -> tensor<5x9xi32>
           return %0 : tensor<5x9xi32>
         }",
        &[Literal::from_slice(&[2, 3], &[1_i32, 2, 3, 4, 5, 6]).unwrap()],
        &[
            "dense<[[0, 1, 0, 0, 2, 0, 0, 3, 0], [0, 0, 0, 0, 0, 0, 0, 0, 0], \
           [0, 4, 0, 0, 5, 0, 0, 6, 0], [0, 0, 0, 0, 0, 0, 0, 0, 0], \
           [0, 0, 0, 0, 0, 0, 0, 0, 0]]> : tensor<5x9xi32>",
        ],
    );
}

/// Negative padding cuts: `numpy.arange(6)[1:-2]`.
#[test]
fn pads_with_less_than_nothing() {
    expect(
        "func.func @main(%a: tensor<6xi32>) -> tensor<3xi32> {
           %zero = stablehlo.constant dense<0> : tensor<i32>
           %0 = stablehlo.pad %a, %zero, low = [-1], high = [-2], interior = [0]
             : (tensor<6xi32>, tensor<i32>) -> tensor<3xi32>
           return %0 : tensor<3xi32>
         }",
        &[Literal::from_slice(&[6], &[0_i32, 1, 2, 3, 4, 5]).unwrap()],
        &["dense<[1, 2, 3]> : tensor<3xi32>"],
    );
}

/// XLA's values where the specification leaves them open.
#[test]
fn integer_division_never_traps() {
    expect(
        "func.func @main(%a: tensor<3xi32>, %b: tensor<3xi32>) -> (tensor<3xi32>, tensor<3xi32>) {
           %0 = stablehlo.divide %a, %b : tensor<3xi32>
           %1 = stablehlo.remainder %a, %b : tensor<3xi32>
           return %0, %1 : tensor<3xi32>, tensor<3xi32>
         }",
        &[
            Literal::from_slice(&[3], &[7_i32, i32::MIN, -7]).unwrap(),
            Literal::from_slice(&[3], &[0_i32, -1, 2]).unwrap(),
        ],
        &[
            "dense<[-1, -2147483648, -3]> : tensor<3xi32>",
            "dense<[7, 0, -1]> : tensor<3xi32>",
        ],
    );
}

#[test]
fn shifts_by_the_width_shift_everything_out() {
    expect(
        "func.func @main(%a: tensor<2xi8>, %b: tensor<2xi8>)
             -> (tensor<2xi8>, tensor<2xi8>, tensor<2xi8>) {
           %0 = stablehlo.shift_left %a, %b : tensor<2xi8>
           %1 = stablehlo.shift_right_logical %a, %b : tensor<2xi8>
           %2 = stablehlo.shift_right_arithmetic %a, %b : tensor<2xi8>
           return %0, %1, %2 : tensor<2xi8>, tensor<2xi8>, tensor<2xi8>
         }",
        &[
            Literal::from_slice(&[2], &[-4_i8, -4]).unwrap(),
            Literal::from_slice(&[2], &[1_i8, 8]).unwrap(),
        ],
        &[
            "dense<[-8, 0]> : tensor<2xi8>",
            "dense<[126, 0]> : tensor<2xi8>",
            "dense<[-2, -1]> : tensor<2xi8>",
        ],
    );
}

#[test]
fn floats_saturate_as_integers() {
    expect(
        "func.func @main(%a: tensor<5xf32>) -> (tensor<5xi8>, tensor<5xui8>) {
           %0 = stablehlo.convert %a : (tensor<5xf32>) -> tensor<5xi8>
           %1 = stablehlo.convert %a : (tensor<5xf32>) -> tensor<5xui8>
           return %0, %1 : tensor<5xi8>, tensor<5xui8>
         }",
        &[f32s(&[5], &[1.75, -1.75, 300.0, -300.0, f32::NAN])],
        &[
            "dense<[1, -1, 127, -128, 0]> : tensor<5xi8>",
            "dense<[1, 0, 255, 0, 0]> : tensor<5xui8>",
        ],
    );
}

/// `numpy.argmax` and `numpy.max` along rows, by one reduction of two operands.
#[test]
fn reduces_pairs() {
    expect(
        "func.func @main(%a: tensor<2x4xf32>) -> (tensor<2xf32>, tensor<2xi32>) {
           %i = stablehlo.iota dim = 1 : tensor<2x4xi32>
           %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
           %none = stablehlo.constant dense<-1> : tensor<i32>
           %0:2 = stablehlo.reduce(%a init: %low), (%i init: %none) across dimensions = [1]
               : (tensor<2x4xf32>, tensor<2x4xi32>, tensor<f32>, tensor<i32>)
               -> (tensor<2xf32>, tensor<2xi32>)
             reducer(%x: tensor<f32>, %y: tensor<f32>) (%m: tensor<i32>, %n: tensor<i32>) {
             %1 = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
             %2 = stablehlo.select %1, %x, %y : tensor<i1>, tensor<f32>
             %3 = stablehlo.select %1, %m, %n : tensor<i1>, tensor<i32>
             stablehlo.return %2, %3 : tensor<f32>, tensor<i32>
           }
           return %0#0, %0#1 : tensor<2xf32>, tensor<2xi32>
         }",
        &[f32s(
            &[2, 4],
            &[3.0, 9.0, -1.0, 4.0, -8.0, -7.0, -9.0, -6.5],
        )],
        &[
            "dense<[9.000000e+00, -6.500000e+00]> : tensor<2xf32>",
            "dense<[1, 3]> : tensor<2xi32>",
        ],
    );
}

/// Two carried values change places; the tenth and eleventh Fibonacci numbers.
#[test]
fn loops_carry_values_that_change_places() {
    expect(
        "func.func @main(%n: tensor<i32>) -> (tensor<i32>, tensor<i32>) {
           %zero = stablehlo.constant dense<0> : tensor<i32>
           %one = stablehlo.constant dense<1> : tensor<i32>
           %0:3 = stablehlo.while(%i = %zero, %a = %zero, %b = %one)
               : tensor<i32>, tensor<i32>, tensor<i32> cond {
             %1 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
             stablehlo.return %1 : tensor<i1>
           } do {
             %1 = stablehlo.add %i, %one : tensor<i32>
             %2 = stablehlo.add %a, %b : tensor<i32>
             stablehlo.return %1, %b, %2 : tensor<i32>, tensor<i32>, tensor<i32>
           }
           return %0#1, %0#2 : tensor<i32>, tensor<i32>
         }",
        &[Literal::scalar(10_i32)],
        &["dense<55> : tensor<i32>", "dense<89> : tensor<i32>"],
    );
}

/// The last branch is taken for an index out of range.
#[test]
fn chooses_a_branch() {
    for (index, expected) in [(0, "1"), (1, "2"), (2, "2"), (-1, "2")] {
        expect(
            "func.func @main(%i: tensor<i32>) -> tensor<i32> {
               %0 = \"stablehlo.case\"(%i) ({
                 %1 = stablehlo.constant dense<1> : tensor<i32>
                 stablehlo.return %1 : tensor<i32>
               }, {
                 %1 = stablehlo.constant dense<2> : tensor<i32>
                 stablehlo.return %1 : tensor<i32>
               }) : (tensor<i32>) -> tensor<i32>
               return %0 : tensor<i32>
             }",
            &[Literal::scalar(index)],
            &[&format!("dense<{expected}> : tensor<i32>")],
        );
    }
}

/// `numpy.arange(4, dtype=uint32).view(uint8)`, and back.
#[test]
fn reinterprets_bits_between_widths() {
    expect(
        "func.func @main(%a: tensor<2xui32>) -> (tensor<2x4xui8>, tensor<2xui32>) {
           %0 = stablehlo.bitcast_convert %a : (tensor<2xui32>) -> tensor<2x4xui8>
           %1 = stablehlo.bitcast_convert %0 : (tensor<2x4xui8>) -> tensor<2xui32>
           return %0, %1 : tensor<2x4xui8>, tensor<2xui32>
         }",
        &[Literal::from_slice(&[2], &[0x0403_0201_u32, 0xFFFE_0000]).unwrap()],
        &[
            "dense<[[1, 2, 3, 4], [0, 0, 254, 255]]> : tensor<2x4xui8>",
            "dense<[67305985, 4294836224]> : tensor<2xui32>",
        ],
    );
}

/// Both results are one value: each has its own memory.
#[test]
fn returns_a_value_twice() {
    expect(
        "func.func @main(%a: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
           %0 = stablehlo.negate %a : tensor<2xf32>
           return %0, %0, %a : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
         }",
        &[f32s(&[2], &[1.0, 2.0])],
        &[
            "dense<[-1.000000e+00, -2.000000e+00]> : tensor<2xf32>",
            "dense<[-1.000000e+00, -2.000000e+00]> : tensor<2xf32>",
            "dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>",
        ],
    );
}

#[test]
fn tensors_without_elements() {
    expect(
        "func.func @main(%a: tensor<0x3xf32>, %b: tensor<3x2xf32>) -> (tensor<0x2xf32>, tensor<3xf32>) {
           %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
             : (tensor<0x3xf32>, tensor<3x2xf32>) -> tensor<0x2xf32>
           %zero = stablehlo.constant dense<0.0> : tensor<f32>
           %1 = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [0]
             : (tensor<0x3xf32>, tensor<f32>) -> tensor<3xf32>
           return %0, %1 : tensor<0x2xf32>, tensor<3xf32>
         }",
        &[
            Literal::zeros("tensor<0x3xf32>".parse().unwrap()),
            Literal::zeros("tensor<3x2xf32>".parse().unwrap()),
        ],
        &[
            "dense<> : tensor<0x2xf32>",
            "dense<0.000000e+00> : tensor<3xf32>",
        ],
    );
}

/// A failed check fails the call, and the next call works.
#[test]
fn failed_checks_are_errors() {
    let mut registry = Registry::new();
    halo_compiler::backends::register(&mut registry);
    let program = Program {
        name: "test.mlir".into(),
        code: b"func.func @main(%a: tensor<i32>) -> tensor<i32> {
          %one = stablehlo.constant dense<1> : tensor<i32>
          stablehlo.custom_call @check.expect_eq(%a, %one) {has_side_effect = true}
            : (tensor<i32>, tensor<i32>) -> ()
          return %a : tensor<i32>
        }"
        .to_vec(),
    };
    for backend in registry.backends() {
        let executable = backend
            .compiler
            .compile(&program, &CompileOptions::default())
            .unwrap();
        let error = executable.run(&[Literal::scalar(2_i32)]).unwrap_err();
        assert!(
            error.to_string().starts_with("test.mlir:3:11: error: "),
            "{error}"
        );
        assert!(executable.run(&[Literal::scalar(1_i32)]).is_ok());
    }
}

#[test]
fn what_cannot_be_compiled_is_named_in_its_place() {
    let mut registry = Registry::new();
    halo_compiler::backends::register(&mut registry);
    let compile = |code: &str| {
        let program = Program {
            name: "test.mlir".into(),
            code: code.into(),
        };
        let backend = registry.backend("cpu").unwrap();
        match backend
            .compiler
            .compile(&program, &CompileOptions::default())
        {
            Ok(_) => panic!("compiled: {code}"),
            Err(error) => error.to_string(),
        }
    };
    assert!(compile("func.func @main(").starts_with("test.mlir:1:16: error: "));
    let error = compile(
        "func.func @main(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
           %0 = stablehlo.cholesky %a, lower = true : tensor<4x4xf32>
           return %0 : tensor<4x4xf32>
         }",
    );
    assert_eq!(
        error,
        "test.mlir:2:17: error: the CPU backend has no lowering for 'stablehlo.cholesky'"
    );
    let error = compile("func.func @f() { return } func.func @g() { return }");
    assert!(error.contains("name one with --entry"), "{error}");
}
