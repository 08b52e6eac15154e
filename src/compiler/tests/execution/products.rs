//! Matrix products and convolutions, of the types, layouts and sizes for which backends have
//! separate kernels.
//!
//! Elements are small integers, so that all sums are exact in every type, and
//! expected values are sums of integers.

use super::{compilations, f32s, options};
use halo_core::Literal;

/// Runs a program on every backend that compiles to machine code, and compares
/// its f32 results.
#[track_caller]
fn expect_f32(code: &str, inputs: &[Literal], expected: &[i64]) {
    for (backend, executable) in compilations(code, &options()) {
        // Would take minutes for millions of products, and has separate tests.
        if backend == "interpreter" {
            continue;
        }
        let Some(outputs) = results(backend, executable, inputs) else {
            continue;
        };
        let found = outputs[0].as_slice::<f32>().unwrap();
        assert_eq!(found.len(), expected.len());
        for (index, (found, expected)) in found.iter().zip(expected).enumerate() {
            let expected = *expected as f32;
            assert_eq!(*found, expected, "{backend}: element {index}");
        }
    }
}

/// The results of a program, or `None` if there is no device for it.
#[track_caller]
fn results(
    backend: &str,
    executable: super::Compilation,
    inputs: &[Literal],
) -> Option<Vec<Literal>> {
    match executable.and_then(|executable| executable.run(inputs)) {
        Ok(outputs) => Some(outputs),
        Err(error) => {
            let error = error.to_string();
            assert!(error.contains("no CUDA driver"), "{backend}: {error}");
            None
        }
    }
}

fn numbers(count: usize, step: usize) -> Vec<f32> {
    (0..count).map(|index| (index * step % 11) as f32 - 5.0).collect()
}

fn text_of(dims: &[usize], element: &str) -> String {
    let dims: String = dims.iter().map(|size| format!("{size}x")).collect();
    format!("tensor<{dims}{element}>")
}

/// A product of `batch` matrices; the factors may be transposed.
struct Product {
    element: &'static str,
    sums: &'static str,
    sizes: [usize; 4],
    transposed: [bool; 2],
    attributes: &'static str,
}

impl Product {
    #[track_caller]
    fn check(&self) {
        let [batch, m, n, k] = self.sizes;
        let pick = |transposed, plain: [usize; 3]| {
            if transposed {
                [plain[0], plain[2], plain[1]]
            } else {
                plain
            }
        };
        let left = pick(self.transposed[0], [batch, m, k]);
        let right = pick(self.transposed[1], [batch, k, n]);
        let (of_left, of_right) = (numbers(batch * m * k, 7), numbers(batch * k * n, 3));
        let mut expected = Vec::new();
        for b in 0..batch {
            for row in 0..m {
                for column in 0..n {
                    let offset = |dims: [usize; 3], transposed: bool, i: usize, j: usize| {
                        let (i, j) = if transposed { (j, i) } else { (i, j) };
                        (b * dims[1] + i) * dims[2] + j
                    };
                    let terms = (0..k).map(|inner| {
                        let a = of_left[offset(left, self.transposed[0], row, inner)];
                        let b = of_right[offset(right, self.transposed[1], inner, column)];
                        a as i64 * b as i64
                    });
                    expected.push(terms.sum());
                }
            }
        }
        let contracted = [
            2 - usize::from(self.transposed[0]),
            1 + usize::from(self.transposed[1]),
        ];
        let [in_left, in_right, in_result] =
            [left, right, [batch, m, n]].map(|dims| text_of(&dims, "f32"));
        let [a, b] = [left, right].map(|dims| text_of(&dims, self.element));
        let c = text_of(&[batch, m, n], self.sums);
        let code = format!(
            "func.func @main(%x: {in_left}, %y: {in_right}) -> {in_result} {{
               %a = stablehlo.convert %x : ({in_left}) -> {a}
               %b = stablehlo.convert %y : ({in_right}) -> {b}
               %c = stablehlo.dot_general %a, %b, batching_dims = [0] x [0],
                 contracting_dims = [{}] x [{}] {} : ({a}, {b}) -> {c}
               %r = stablehlo.convert %c : ({c}) -> {in_result}
               return %r : {in_result}
             }}",
            contracted[0], contracted[1], self.attributes,
        );
        expect_f32(
            &code,
            &[f32s(&left, &of_left), f32s(&right, &of_right)],
            &expected,
        );
    }
}

/// Weights that are constants, stored as given and transposed, in complete and partial panels. One
/// is used by two products, one also by another op.
#[test]
fn products_of_constants() {
    let text = |rows: usize, columns: usize, at: &dyn Fn(usize, usize) -> f32| {
        let row = |i| (0..columns).map(|j| format!("{:.1}", at(i, j))).collect::<Vec<_>>();
        let rows = (0..rows).map(|i| format!("[{}]", row(i).join(", ")));
        format!("[{}]", rows.collect::<Vec<_>>().join(", "))
    };
    for (m, n, k) in [(40, 70, 33), (300, 64, 48), (12, 9, 50)] {
        let (x, w) = (numbers(2 * m * k, 7), numbers(k * n, 3));
        let plain = text(k, n, &|i, j| w[i * n + j]);
        let turned = text(n, k, &|i, j| w[j * n + i]);
        let code = format!(
            "func.func @main(%x: tensor<{m}x{k}xf32>, %y: tensor<{m}x{k}xf32>) -> tensor<{m}x{n}xf32> {{
               %w = stablehlo.constant dense<{plain}> : tensor<{k}x{n}xf32>
               %t = stablehlo.constant dense<{turned}> : tensor<{n}x{k}xf32>
               %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
                 : (tensor<{m}x{k}xf32>, tensor<{k}x{n}xf32>) -> tensor<{m}x{n}xf32>
               %1 = stablehlo.dot_general %y, %w, contracting_dims = [1] x [0]
                 : (tensor<{m}x{k}xf32>, tensor<{k}x{n}xf32>) -> tensor<{m}x{n}xf32>
               %2 = stablehlo.dot_general %x, %t, contracting_dims = [1] x [1]
                 : (tensor<{m}x{k}xf32>, tensor<{n}x{k}xf32>) -> tensor<{m}x{n}xf32>
               %3 = stablehlo.slice %t [0:{n}, 1:2] : (tensor<{n}x{k}xf32>) -> tensor<{n}x1xf32>
               %4 = stablehlo.reshape %3 : (tensor<{n}x1xf32>) -> tensor<{n}xf32>
               %5 = stablehlo.broadcast_in_dim %4, dims = [1] : (tensor<{n}xf32>) -> tensor<{m}x{n}xf32>
               %6 = stablehlo.subtract %0, %1 : tensor<{m}x{n}xf32>
               %7 = stablehlo.add %2, %5 : tensor<{m}x{n}xf32>
               %8 = stablehlo.add %6, %7 : tensor<{m}x{n}xf32>
               return %8 : tensor<{m}x{n}xf32>
             }}"
        );
        let (left, right) = x.split_at(m * k);
        let expected: Vec<i64> = (0..m * n)
            .map(|index| {
                let (i, j) = (index / n, index % n);
                let terms = (0..k).map(|l| {
                    (2.0 * left[i * k + l] - right[i * k + l]) as i64 * w[l * n + j] as i64
                });
                terms.sum::<i64>() + w[n + j] as i64
            })
            .collect();
        expect_f32(
            &code,
            &[f32s(&[m, k], left), f32s(&[m, k], right)],
            &expected,
        );
    }
}

/// Types of lhs, rhs and accumulator, and the requested precision.
type Types = (&'static str, &'static str, &'static str);

const TYPES: [Types; 7] = [
    ("bf16", "f32", ""),
    ("f16", "f32", ""),
    ("f32", "f32", ""),
    ("f32", "f32", ", precision = [HIGHEST, HIGHEST]"),
    ("f64", "f64", ""),
    ("i8", "i32", ""),
    ("i32", "i32", ""),
];
/// One size for each kind of kernel.
const KINDS: [Types; 3] = [TYPES[0], TYPES[2], TYPES[3]];
const TF32: &str = ", algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, \
     accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, \
     num_primitive_operations = 1, allow_imprecise_accumulation = false>";

fn check_types(types: &[Types], sizes: [usize; 4], transposed: [bool; 2]) {
    for (element, sums, attributes) in types.iter().copied() {
        Product {
            element,
            sums,
            sizes,
            transposed,
            attributes,
        }
        .check();
    }
}

#[test]
fn products_of_every_type() {
    check_types(&TYPES, [1, 40, 48, 64], [false, false]);
}

#[test]
fn products_that_fill_no_tile() {
    check_types(&TYPES, [1, 37, 35, 51], [false, false]);
}

/// The last tile has 23 of 32 columns, or 11. Processors with masks use the same tile for it.
#[test]
fn products_of_tiles_that_are_partly_out_of_bounds() {
    check_types(&KINDS, [1, 13, 247, 33], [false, false]);
    check_types(&KINDS, [1, 13, 1003, 9], [false, false]);
}

#[test]
fn products_of_transposed_factors() {
    for transposed in [[true, false], [false, true], [true, true]] {
        check_types(&KINDS, [1, 40, 48, 64], transposed);
        check_types(&KINDS, [1, 37, 35, 51], transposed);
    }
}

#[test]
fn products_in_batches() {
    check_types(&KINDS, [3, 24, 40, 40], [false, true]);
}

#[test]
fn products_with_few_rows_or_columns() {
    check_types(&KINDS, [1, 5, 130, 72], [false, false]);
    check_types(&KINDS, [1, 130, 5, 72], [false, false]);
}

/// Enough tiles to fill a device, so that it uses the largest tiles.
#[test]
fn products_of_large_tiles() {
    for transposed in [[false, false], [true, true]] {
        for (element, attributes) in [
            ("bf16", ""),
            ("f32", ""),
            ("f32", TF32),
            ("f32", ", precision = [HIGHEST, HIGHEST]"),
        ] {
            Product {
                element,
                sums: "f32",
                sizes: [96, 66, 68, 40],
                transposed,
                attributes,
            }
            .check();
        }
    }
}

#[test]
fn products_of_vectors_and_matrices() {
    for transposed in [false, true] {
        check_types(&KINDS, [1, 1, 150, 260], [false, transposed]);
        check_types(&KINDS, [2, 1, 77, 301], [false, transposed]);
    }
    check_types(&KINDS, [1, 150, 1, 260], [false, false]);
    // Rows in groups of eight, with a remainder along k.
    for transposed in [[false, false], [false, true], [true, true]] {
        check_types(&TYPES, [1, 40, 1, 301], transposed);
        check_types(&KINDS, [2, 1, 24, 300], transposed);
    }
    check_types(&KINDS, [1, 1, 1, 40_000], [false, false]);
}

/// `max(x y + bias, 0)`, without and with the product as another result, and with a subtracted
/// matrix, for all kinds of remainders.
#[test]
fn products_with_elementwise_consumers() {
    for ([batch, m, n, k], has_residual) in [
        ([1, 12, 10, 16], false),
        ([1, 24, 40, 20], false),
        ([1, 37, 35, 51], false),
        ([1, 64, 96, 600], false),
        ([1, 150, 70, 2100], false),
        ([3, 24, 40, 40], false),
        ([5, 33, 33, 33], true),
        ([1, 300, 240, 20], true),
        ([1, 261, 253, 20], true),
    ] {
        let (x, y) = ([batch, m, k], [batch, k, n]);
        let (bias, out) = ([n], [batch, m, n]);
        let values = [
            numbers(batch * m * k, 7),
            numbers(batch * k * n, 3),
            numbers(n, 5),
            numbers(batch * m * n, 2),
        ];
        let mut expected = Vec::new();
        for element in 0..batch * m * n {
            let (row, column) = (element / n, element % n);
            let first = row / m * k * n + column;
            let terms = (0..k).map(|i| values[0][row * k + i] * values[1][first + i * n]);
            let sum: i64 = terms.map(|term| term as i64).sum();
            let residual = i64::from(has_residual) * values[3][element] as i64;
            expected.push((sum + values[2][column] as i64).max(0) - residual);
        }
        let [of_x, of_y, of_bias, of_out] =
            [&x[..], &y, &bias, &out].map(|dims| text_of(dims, "f32"));
        let [in_x, in_y, in_bias, in_out] = &values;
        let inputs = [
            f32s(&x, in_x),
            f32s(&y, in_y),
            f32s(&bias, in_bias),
            f32s(&out, in_out),
        ];
        let returned = if has_residual { "%4" } else { "%3" };
        let results = [
            (returned.to_owned(), of_out.clone()),
            (format!("{returned}, %0"), format!("{of_out}, {of_out}")),
        ];
        for (returned, types) in results {
            let code = format!(
                "func.func @main(%x: {of_x}, %y: {of_y}, %bias: {of_bias}, %residual: {of_out}) -> ({types}) {{
                   %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0],
                     contracting_dims = [2] x [1] : ({of_x}, {of_y}) -> {of_out}
                   %1 = stablehlo.broadcast_in_dim %bias, dims = [2] : ({of_bias}) -> {of_out}
                   %2 = stablehlo.add %0, %1 : {of_out}
                   %zero = stablehlo.constant dense<0.0> : {of_out}
                   %3 = stablehlo.maximum %2, %zero : {of_out}
                   %4 = stablehlo.subtract %3, %residual : {of_out}
                   return {returned} : {types}
                 }}"
            );
            expect_f32(&code, &inputs, &expected);
        }
    }
}

/// Long sums for few elements.
#[test]
fn products_with_long_sums() {
    check_types(&KINDS, [1, 40, 36, 2048], [false, false]);
}

/// Factors of f32 are split into halves with 22 bits together, and no infinity becomes NaN: `x @
/// numpy.eye(64)`, in f32 where that is finite.
#[test]
fn products_of_f32_keep_their_precision() {
    let dims = [64, 64];
    let eye: Vec<f32> = (0..64 * 64).map(|index| f32::from(u8::from(index % 65 == 0))).collect();
    let values: Vec<f32> = (0..64 * 64)
        .map(|index| 1.0 + (index * 1021 % 4096) as f32 / (1 << 21) as f32)
        .collect();
    let mut large = vec![1.0_f32; 64 * 64];
    large[3 * 64] = f32::INFINITY;
    large[5 * 64] = f32::MAX;
    let ones = vec![1.0_f32; 64 * 64];
    let code =
        "func.func @main(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>) -> tensor<64x64xf32> {
       %0 = stablehlo.dot %a, %b : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
       return %0 : tensor<64x64xf32>
     }";
    for (backend, executable) in compilations(code, &options()) {
        let inputs = [f32s(&dims, &values), f32s(&dims, &eye)];
        let Some(outputs) = results(backend, executable, &inputs) else {
            continue;
        };
        assert_eq!(outputs[0].as_slice::<f32>().unwrap(), values, "{backend}");
    }
    for (backend, executable) in compilations(code, &options()) {
        let inputs = [f32s(&dims, &large), f32s(&dims, &ones)];
        let Some(outputs) = results(backend, executable, &inputs) else {
            continue;
        };
        let found = outputs[0].as_slice::<f32>().unwrap();
        for (index, found) in found.iter().enumerate() {
            let expected = match index / 64 {
                3 => f32::INFINITY,
                // The addend is less than half of the last digit.
                5 => f32::MAX,
                _ => 64.0,
            };
            assert_eq!(*found, expected, "{backend}: element {index}");
        }
    }
}

/// Errors are compared with sequential sums in f32 with fused multiply-adds, for any blocking of
/// the backend.
#[test]
fn products_of_f32_are_as_exact_as_sums_of_f32() {
    let (rows, inner, columns) = (64, 256, 48);
    let values = |count: usize, step: usize| -> Vec<f32> {
        (0..count)
            .map(|index| (index * step % 65_521) as f32 / 32_768.0 - 1.0)
            .collect()
    };
    let (a, b) = (
        values(rows * inner, 40_503),
        values(inner * columns, 27_011),
    );
    let mut exact = Vec::new();
    let mut plain = Vec::new();
    for row in 0..rows {
        for column in 0..columns {
            let (mut sum, mut rounded) = (0.0_f64, 0.0_f32);
            for k in 0..inner {
                let (a, b) = (a[row * inner + k], b[k * columns + column]);
                sum += f64::from(a) * f64::from(b);
                rounded = a.mul_add(b, rounded);
            }
            exact.push(sum);
            plain.push(rounded);
        }
    }
    let error = |found: &[f32]| {
        let errors = found.iter().zip(&exact);
        let squares = errors.map(|(found, exact)| (f64::from(*found) - exact).powi(2));
        (squares.sum::<f64>() / exact.len() as f64).sqrt()
    };
    let code =
        "func.func @main(%a: tensor<64x256xf32>, %b: tensor<256x48xf32>) -> tensor<64x48xf32> {
       %0 = stablehlo.dot %a, %b : (tensor<64x256xf32>, tensor<256x48xf32>) -> tensor<64x48xf32>
       return %0 : tensor<64x48xf32>
     }";
    for (backend, executable) in compilations(code, &options()) {
        let inputs = [f32s(&[rows, inner], &a), f32s(&[inner, columns], &b)];
        let Some(outputs) = results(backend, executable, &inputs) else {
            continue;
        };
        let found = error(outputs[0].as_slice::<f32>().unwrap());
        let most = 1.2 * error(&plain);
        assert!(found <= most, "{backend}: {found:e} and not {most:e}");
    }
}

/// A convolution of two images with a 3x3 window, and the ops after it in a network.
#[derive(Clone, Copy)]
struct Convolution {
    element: &'static str,
    /// Height, width, channels and features.
    sizes: [usize; 4],
    stride: usize,
    dilation: usize,
    /// Zero padding before and after the image.
    padding: [usize; 2],
    has_channels_last: bool,
}

const CONVOLUTION: Convolution = Convolution {
    element: "f32",
    sizes: [11, 9, 8, 24],
    stride: 1,
    dilation: 1,
    padding: [1, 1],
    has_channels_last: true,
};

impl Convolution {
    /// The rows or columns of the result.
    fn count(&self, size: usize) -> usize {
        let [before, after] = self.padding;
        (size + before + after - 2 * self.dilation - 1) / self.stride + 1
    }

    /// Returns the program, its inputs and its result. `jax.lax.conv_general_dilated` is a sum of
    /// products at positions of the input.
    fn program(&self) -> (String, [Literal; 3], Vec<i64>) {
        let Self {
            element,
            sizes: [height, width, channels, features],
            stride,
            dilation,
            padding: [before, after],
            has_channels_last: last,
        } = *self;
        let (rows, columns) = (self.count(height), self.count(width));
        let ordered = |i, j, c| if last { [2, i, j, c] } else { [2, c, i, j] };
        let input = ordered(height, width, channels);
        let result = ordered(rows, columns, features);
        let x = numbers(2 * height * width * channels, 7);
        let w = numbers(3 * 3 * channels * features, 3);
        let bias = numbers(features, 2);
        let at = |dims: [usize; 4], b: usize, i: usize, j: usize, c: usize| {
            if last {
                ((b * dims[1] + i) * dims[2] + j) * dims[3] + c
            } else {
                ((b * dims[1] + c) * dims[2] + i) * dims[3] + j
            }
        };
        let mut expected = vec![0_i64; 2 * rows * columns * features];
        for index in 0..expected.len() {
            let (b, rest) = (
                index / (rows * columns * features),
                index % (rows * columns * features),
            );
            let (i, rest) = (rest / (columns * features), rest % (columns * features));
            let (j, feature) = (rest / features, rest % features);
            let mut sum = bias[feature] as i64;
            for (y, z) in (0..3).flat_map(|y| (0..3).map(move |z| (y, z))) {
                let row = (i * stride + y * dilation).wrapping_sub(before);
                let column = (j * stride + z * dilation).wrapping_sub(before);
                if row >= height || column >= width {
                    continue;
                }
                for channel in 0..channels {
                    let pixel = x[at(input, b, row, column, channel)];
                    let weight = w[((y * 3 + z) * channels + channel) * features + feature];
                    sum += pixel as i64 * weight as i64;
                }
            }
            expected[at(result, b, i, j, feature)] = sum.max(0);
        }
        let (order, feature_dimension) = if last {
            ("[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]", 3)
        } else {
            ("[b, f, 0, 1]x[0, 1, i, o]->[b, f, 0, 1]", 1)
        };
        let [in_x, in_r] = [input, result].map(|dims| text_of(&dims, "f32"));
        let in_w = text_of(&[3, 3, channels, features], "f32");
        let (tx, tw) = (
            text_of(&input, element),
            text_of(&[3, 3, channels, features], element),
        );
        let pad = format!("[{before}, {after}]");
        let code = format!(
            "func.func @main(%x: {in_x}, %w: {in_w}, %bias: tensor<{features}xf32>) -> {in_r} {{
               %a = stablehlo.convert %x : ({in_x}) -> {tx}
               %b = stablehlo.convert %w : ({in_w}) -> {tw}
               %c = stablehlo.convolution(%a, %b) dim_numbers = {order},
                 window = {{stride = [{stride}, {stride}], pad = [{pad}, {pad}],
                            rhs_dilate = [{dilation}, {dilation}]}}
                 {{feature_group_count = 1 : i64, batch_group_count = 1 : i64}} : ({tx}, {tw}) -> {in_r}
               %d = stablehlo.broadcast_in_dim %bias, dims = [{feature_dimension}]
                 : (tensor<{features}xf32>) -> {in_r}
               %e = stablehlo.add %c, %d : {in_r}
               %zero = stablehlo.constant dense<0.0> : {in_r}
               %f = stablehlo.maximum %e, %zero : {in_r}
               return %f : {in_r}
             }}"
        );
        let inputs = [
            f32s(&input, &x),
            f32s(&[3, 3, channels, features], &w),
            f32s(&[features], &bias),
        ];
        (code, inputs, expected)
    }

    #[track_caller]
    fn check(&self) {
        let (code, inputs, expected) = self.program();
        expect_f32(&code, &inputs, &expected);
    }
}

#[test]
fn convolutions_by_products_of_patches() {
    CONVOLUTION.check();
    Convolution {
        element: "bf16",
        stride: 2,
        ..CONVOLUTION
    }
    .check();
    Convolution {
        has_channels_last: false,
        ..CONVOLUTION
    }
    .check();
}

/// Rows of the result that are as long as the image's rows, or shorter, and several of which fit in
/// a vector; strides and dilation; blocks of the sum.
#[test]
fn convolutions_with_channels_first() {
    let first = Convolution {
        has_channels_last: false,
        ..CONVOLUTION
    };
    for sizes in [
        [24, 16, 3, 20],
        [9, 40, 5, 9],
        [4, 4, 72, 24],
        [7, 5, 130, 8],
    ] {
        Convolution { sizes, ..first }.check();
    }
    for element in ["f32", "f64", "bf16", "f16"] {
        Convolution {
            element,
            sizes: [20, 19, 8, 17],
            stride: 2,
            padding: [0, 1],
            ..first
        }
        .check();
    }
    for (stride, dilation, padding) in [(1, 1, [4, 3]), (3, 1, [0, 2]), (1, 2, [2, 1])] {
        Convolution {
            sizes: [16, 33, 8, 12],
            stride,
            dilation,
            padding,
            ..first
        }
        .check();
    }
}

/// Runs of channels that are shorter than a vector, that end within a vector, and that are several
/// blocks of the sum.
#[test]
fn convolutions_of_few_and_of_many_channels() {
    for (channels, features) in [(3, 40), (13, 33), (72, 24), (520, 16)] {
        Convolution {
            sizes: [6, 5, channels, features],
            ..CONVOLUTION
        }
        .check();
    }
}

/// Windows that are completely outside of the image, and dilated windows.
#[test]
fn convolutions_with_wide_padding_and_dilated_windows() {
    for (stride, dilation, padding) in [(1, 1, [4, 3]), (3, 1, [0, 2]), (1, 2, [2, 1])] {
        Convolution {
            stride,
            dilation,
            padding,
            ..CONVOLUTION
        }
        .check();
    }
}

/// The sizes of tiles, panels and transposed squares depend on the vector width.
#[cfg(target_arch = "x86_64")]
#[test]
fn products_and_convolutions_with_narrower_vectors() {
    let convolutions = [(3, 40), (16, 33)].map(|(channels, features)| Convolution {
        sizes: [11, 9, channels, features],
        ..CONVOLUTION
    });
    for convolution in convolutions {
        let (code, inputs, expected) = convolution.program();
        for cpu in ["x86-64-v2", "x86-64-v3"] {
            let mut registry = halo_backend::Registry::new();
            halo_compiler::backends::register(&mut registry);
            let program = halo_backend::Program {
                name: "test.mlir".into(),
                code: code.clone().into(),
            };
            let mut options = options();
            options.processor.cpu = Some(cpu.into());
            let compiler = &registry.backend("cpu").unwrap().compiler;
            let executable = compiler.compile(&program, &options).unwrap();
            let outputs = executable.run(&inputs).unwrap();
            let found = outputs[0].as_slice::<f32>().unwrap();
            let expected: Vec<f32> = expected.iter().map(|sum| *sum as f32).collect();
            assert_eq!(found, expected, "{cpu}");
        }
    }
}

/// A loop reads an operand packed before the loop: `x @ numpy.linalg.matrix_power(w, 5)` for a
/// permutation `w`, and a product whose `w` changes in the loop.
#[test]
fn products_in_loops() {
    let size = 64;
    let x = numbers(16 * size, 7);
    // Moves column j to column j + 1.
    let w: Vec<f32> = (0..size * size)
        .map(|index| f32::from(u8::from(index % size == (index / size + 1) % size)))
        .collect();
    let moved = |steps: usize| -> Vec<i64> {
        (0..16 * size)
            .map(|index| x[index / size * size + (index + size * 16 - steps) % size] as i64)
            .collect()
    };
    for (next, steps) in [
        ("%w", 5),
        // The permutation is squared each time: 1 + 2 + 4 + 8 + 16 columns.
        ("%square", 31),
    ] {
        let code = format!(
            "func.func @main(%x: tensor<16x64xf32>, %w0: tensor<64x64xf32>) -> tensor<16x64xf32> {{
               %zero = stablehlo.constant dense<0> : tensor<i32>
               %r:3 = stablehlo.while(%i = %zero, %y = %x, %w = %w0)
                   : tensor<i32>, tensor<16x64xf32>, tensor<64x64xf32>
                 cond {{
                   %five = stablehlo.constant dense<5> : tensor<i32>
                   %c = stablehlo.compare LT, %i, %five : (tensor<i32>, tensor<i32>) -> tensor<i1>
                   stablehlo.return %c : tensor<i1>
                 }} do {{
                   %one = stablehlo.constant dense<1> : tensor<i32>
                   %j = stablehlo.add %i, %one : tensor<i32>
                   %z = stablehlo.dot %y, %w : (tensor<16x64xf32>, tensor<64x64xf32>) -> tensor<16x64xf32>
                   %square = stablehlo.dot %w, %w : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
                   stablehlo.return %j, %z, {next} : tensor<i32>, tensor<16x64xf32>, tensor<64x64xf32>
                 }}
               return %r#1 : tensor<16x64xf32>
             }}"
        );
        let inputs = [f32s(&[16, size], &x), f32s(&[size, size], &w)];
        expect_f32(&code, &inputs, &moved(steps));
    }
}

/// A product that accumulates into another product, without and with a bias, in the forms used by
/// recurrent cells. All numbers are small integers, so that sums are exact in any order.
#[test]
fn sums_of_products() {
    let (rows, depth, columns) = (16, 24, 64);
    let [x, h] = [numbers(rows * depth, 5), numbers(rows * depth, 7)];
    let [w, u] = [numbers(depth * columns, 3), numbers(depth * columns, 11)];
    let bias = numbers(columns, 13);
    let product = |a: &[f32], b: &[f32], row: usize, column: usize| -> f32 {
        (0..depth).map(|k| a[row * depth + k] * b[k * columns + column]).sum()
    };
    let expected: Vec<i64> = (0..rows * columns)
        .map(|index| (index / columns, index % columns))
        .map(|(row, column)| {
            (product(&x, &w, row, column) + product(&h, &u, row, column) + bias[column]) as i64
        })
        .collect();
    for [first, second] in [
        ["%p, %q", "%1, %b"],
        ["%p, %b", "%1, %q"],
        ["%q, %b", "%p, %1"],
    ] {
        let code = format!(
            "func.func @main(%x: tensor<16x24xf32>, %w: tensor<24x64xf32>, %h: tensor<16x24xf32>,
                             %u: tensor<24x64xf32>, %bias: tensor<64xf32>) -> tensor<16x64xf32> {{
               %p = stablehlo.dot %x, %w : (tensor<16x24xf32>, tensor<24x64xf32>) -> tensor<16x64xf32>
               %q = stablehlo.dot %h, %u : (tensor<16x24xf32>, tensor<24x64xf32>) -> tensor<16x64xf32>
               %b = stablehlo.broadcast_in_dim %bias, dims = [1] : (tensor<64xf32>) -> tensor<16x64xf32>
               %1 = stablehlo.add {first} : tensor<16x64xf32>
               %2 = stablehlo.add {second} : tensor<16x64xf32>
               return %2 : tensor<16x64xf32>
             }}"
        );
        let inputs = [
            f32s(&[rows, depth], &x),
            f32s(&[depth, columns], &w),
            f32s(&[rows, depth], &h),
            f32s(&[depth, columns], &u),
            f32s(&[columns], &bias),
        ];
        expect_f32(&code, &inputs, &expected);
    }
}
