//! Products by the tiles of SME, on a machine that QEMU emulates, compared with the interpreter.
//!
//! Numbers are small integers, and all sums are exact in their types, so that results do not depend
//! on the order of additions. `integer_products.rs` has the products of integers.

use super::{compile, options, program, registry};
use halo_core::{ElementType, Literal, bf16};

/// A product of matrices.
#[derive(Clone, Copy)]
struct Product {
    /// The element types of the operands, and of the result.
    elements: [&'static str; 2],
    /// The batch size, rows, terms of each sum, and columns.
    sizes: [usize; 4],
    /// Whether lhs and rhs are transposed.
    transposed: [bool; 2],
}

const PRODUCT: Product = Product {
    elements: ["f32", "f32"],
    sizes: [1, 64, 48, 64],
    transposed: [false, false],
};

/// The types of multiplication and accumulation of floats.
const ELEMENTS: [[&str; 2]; 6] = [
    ["f32", "f32"],
    ["f64", "f64"],
    ["bf16", "f32"],
    ["bf16", "bf16"],
    ["f16", "f32"],
    ["f16", "f16"],
];

impl Product {
    fn types(&self) -> [String; 3] {
        let [batch, m, k, n] = self.sizes;
        let [operand, result] = self.elements;
        let of = |is_transposed: bool, rows: usize, columns: usize, element: &str| {
            let [rows, columns] = if is_transposed {
                [columns, rows]
            } else {
                [rows, columns]
            };
            format!("tensor<{batch}x{rows}x{columns}x{element}>")
        };
        [
            of(self.transposed[0], m, k, operand),
            of(self.transposed[1], k, n, operand),
            of(false, m, n, result),
        ]
    }

    fn check(&self) {
        let [lhs, rhs, result] = self.types();
        let contracted = [
            2 - usize::from(self.transposed[0]),
            1 + usize::from(self.transposed[1]),
        ];
        let code = format!(
            "func.func @main(%a: {lhs}, %b: {rhs}) -> {result} {{
               %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0],
                 contracting_dims = [{}] x [{}] : ({lhs}, {rhs}) -> {result}
               return %0 : {result}
             }}",
            contracted[0], contracted[1]
        );
        check(&code, &[self.numbers(0, 7), self.numbers(1, 5)]);
    }

    /// The numbers of lhs or of rhs.
    fn numbers(&self, operand: usize, seed: usize) -> Literal {
        let [batch, m, k, n] = self.sizes;
        let [rows, columns] = [[m, k], [k, n]][operand];
        let dims = if self.transposed[operand] {
            [batch, columns, rows]
        } else {
            [batch, rows, columns]
        };
        numbers(&dims, self.elements[0], seed)
    }
}

/// Integers from -3 to 3.
fn numbers(dims: &[usize], element: &str, seed: usize) -> Literal {
    let count = dims.iter().product();
    let numbers: Vec<f32> = (0..count)
        .map(|index: usize| ((index * index / 3 + index * seed) % 7) as f32 - 3.0)
        .collect();
    let literal = Literal::from_slice(dims, &numbers).unwrap();
    let element = match element {
        "f64" => ElementType::F64,
        "bf16" => ElementType::BF16,
        "f16" => ElementType::F16,
        _ => ElementType::F32,
    };
    literal.convert(element).unwrap()
}

/// The results of a program by the interpreter and on machines with tiles.
fn check(code: &str, inputs: &[Literal]) {
    let interpreter = registry();
    let interpreter = &interpreter.backend("interpreter").unwrap().compiler;
    let expected = interpreter.compile(&program(code), &options()).unwrap();
    let expected = expected.run(inputs).unwrap();
    for (processor, executable) in compile::executables_with_outer_products(code) {
        let outputs: Vec<Literal> = executable.run(inputs).unwrap();
        assert_eq!(outputs, expected, "{processor}: {code}");
    }
}

/// One tile, a row of four and a column of four tiles; complete tiles, and edges of all widths;
/// sums of one term, of odd numbers of terms, which are not pairs, and of several ranges.
#[test]
fn tiles_of_all_shapes_are_multiplied() {
    for elements in ELEMENTS {
        for sizes in [
            [1, 64, 48, 64],
            [1, 33, 47, 35],
            [1, 16, 1, 300],
            [1, 9, 66, 70],
            [1, 100, 18, 17],
            [1, 70, 34, 9],
        ] {
            Product {
                elements,
                sizes,
                ..PRODUCT
            }
            .check();
        }
    }
}

#[test]
fn more_than_two_thousand_products_are_added_up() {
    for elements in [["f32", "f32"], ["bf16", "f32"], ["f16", "f32"]] {
        Product {
            elements,
            sizes: [1, 40, 2306, 24],
            ..PRODUCT
        }
        .check();
    }
}

#[test]
fn transposed_operands_are_packed() {
    for elements in ELEMENTS {
        for transposed in [[true, false], [false, true], [true, true]] {
            Product {
                elements,
                sizes: [1, 50, 36, 44],
                transposed,
            }
            .check();
        }
    }
}

/// Few products, each computed by several tasks, and many, of which each task computes several.
#[test]
fn batches_are_multiplied() {
    for elements in ELEMENTS {
        for batch in [3, 9] {
            Product {
                elements,
                sizes: [batch, 20, 36, 40],
                ..PRODUCT
            }
            .check();
        }
    }
}

/// Epilogues of a product are computed outside of streaming mode.
#[test]
fn epilogues_follow_tiles() {
    for (rows, columns) in [(96, 64), (50, 40)] {
        let code = format!(
            "func.func @main(%a: tensor<{rows}x48xf32>, %b: tensor<48x{columns}xf32>,
                 %bias: tensor<{columns}xf32>) -> tensor<{rows}x{columns}xf32> {{
               %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
                 : (tensor<{rows}x48xf32>, tensor<48x{columns}xf32>) -> tensor<{rows}x{columns}xf32>
               %1 = stablehlo.broadcast_in_dim %bias, dims = [1]
                 : (tensor<{columns}xf32>) -> tensor<{rows}x{columns}xf32>
               %2 = stablehlo.add %0, %1 : tensor<{rows}x{columns}xf32>
               %zero = stablehlo.constant dense<0.0> : tensor<{rows}x{columns}xf32>
               %3 = stablehlo.maximum %2, %zero : tensor<{rows}x{columns}xf32>
               return %3 : tensor<{rows}x{columns}xf32>
             }}"
        );
        let inputs = [
            numbers(&[rows, 48], "f32", 7),
            numbers(&[48, columns], "f32", 5),
            numbers(&[columns], "f32", 3),
        ];
        check(&code, &inputs);
    }
}

/// Products in a loop, one of which has loop-invariant weights, and products that accumulate into
/// another result.
#[test]
fn products_in_loops_are_multiplied() {
    let code =
        "func.func @main(%x: tensor<40x48xf32>, %w: tensor<48x48xf32>) -> tensor<40x48xf32> {
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %three = stablehlo.constant dense<3> : tensor<i32>
      %0:2 = stablehlo.while(%i = %zero, %s = %x) : tensor<i32>, tensor<40x48xf32>
      cond {
        %1 = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %1 : tensor<i1>
      } do {
        %1 = stablehlo.dot_general %s, %w, contracting_dims = [1] x [0]
          : (tensor<40x48xf32>, tensor<48x48xf32>) -> tensor<40x48xf32>
        %2 = stablehlo.add %1, %s : tensor<40x48xf32>
        %3 = stablehlo.sign %2 : tensor<40x48xf32>
        %4 = stablehlo.add %i, %one : tensor<i32>
        stablehlo.return %4, %3 : tensor<i32>, tensor<40x48xf32>
      }
      return %0#1 : tensor<40x48xf32>
    }";
    let inputs = [numbers(&[40, 48], "f32", 7), numbers(&[48, 48], "f32", 5)];
    check(code, &inputs);
}

/// Patches of images, whose channels are transposed in squares or which are columns; windows that
/// extend beyond the image, strides, and channels of which each block of sums has a part.
#[test]
fn convolutions_are_multiplied() {
    for [operand, result] in [["f32", "f32"], ["bf16", "bf16"], ["f16", "f32"]] {
        for (size, channels, features, window, stride) in [
            (7, 16, 24, 3, 1),
            (9, 12, 20, 3, 2),
            (5, 640, 40, 1, 1),
            (8, 3, 32, 5, 1),
        ] {
            for has_channels_last in [true, false] {
                let pad = window / 2;
                let places = (size + 2 * pad - window) / stride + 1;
                let dims = |side: usize, channels: usize| {
                    if has_channels_last {
                        [2, side, side, channels]
                    } else {
                        [2, channels, side, side]
                    }
                };
                let (image, of_result) = (dims(size, channels), dims(places, features));
                let filter = [window, window, channels, features];
                let of = |dims: [usize; 4], element: &str| {
                    let dims = dims.map(|size| size.to_string()).join("x");
                    format!("tensor<{dims}x{element}>")
                };
                let layout = if has_channels_last {
                    "b, 0, 1, f"
                } else {
                    "b, f, 0, 1"
                };
                let (x, w) = (of(image, operand), of(filter, operand));
                let y = of(of_result, result);
                let code = format!(
                    "func.func @main(%x: {x}, %w: {w}) -> {y} {{
                       %0 = stablehlo.convolution(%x, %w)
                         dim_numbers = [{layout}]x[0, 1, i, o]->[{layout}],
                         window = {{stride = [{stride}, {stride}],
                                    pad = [[{pad}, {pad}], [{pad}, {pad}]]}}
                         {{batch_group_count = 1 : i64, feature_group_count = 1 : i64}}
                         : ({x}, {w}) -> {y}
                       return %0 : {y}
                     }}"
                );
                let inputs = [numbers(&image, operand, 7), numbers(&filter, operand, 5)];
                check(&code, &inputs);
            }
        }
    }
}

/// Instructions for pairs of bf16 flush subnormal sums to zero: 2^-70 times 2^-64, and normal
/// numbers in the same tiles.
#[test]
fn subnormal_sums_of_bf16_stay() {
    let code =
        "func.func @main(%a: tensor<40x32xbf16>, %b: tensor<32x40xbf16>) -> tensor<40x40xf32> {
      %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
        : (tensor<40x32xbf16>, tensor<32x40xbf16>) -> tensor<40x40xf32>
      return %0 : tensor<40x40xf32>
    }";
    let of = |exponent: i32, dims: [usize; 2]| {
        let numbers = (0..dims[0] * dims[1]).map(|index| {
            let scale = if index % dims[1] < 8 { exponent } else { 0 };
            bf16::from_f32(2.0_f32.powi(scale) * ((index % 5) as f32 - 2.0))
        });
        Literal::from_slice(&dims, &numbers.collect::<Vec<_>>()).unwrap()
    };
    // Columns of rhs with small numbers are multiplied by columns of lhs that are zero elsewhere.
    let rows: Vec<bf16> = (0..40 * 32)
        .map(|index| {
            if index % 32 < 8 {
                bf16::from_f32(2.0_f32.powi(-70) * ((index % 3) as f32 + 1.0))
            } else {
                bf16::ZERO
            }
        })
        .collect();
    let lhs = Literal::from_slice(&[40, 32], &rows).unwrap();
    check(code, &[lhs, of(-64, [32, 40])]);
}
