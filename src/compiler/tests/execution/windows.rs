//! Windows that move over tensors: cumulative ops and convolutions, and long sums.

use super::{expect, f32s};
use halo_core::Literal;

fn i32s(dims: &[usize], values: &[i32]) -> Literal {
    Literal::from_slice(dims, values).unwrap()
}

/// `jax.lax.conv_general_dilated` with enough products for patches, with the channels last and
/// first.
#[test]
fn convolves_by_patches() {
    let input = |channel: usize, index: usize| ((index * 8 + channel) % 7) as f32 - 3.0;
    let kernel = |i: usize, o: usize, tap: usize| ((tap * 64 + i * 8 + o) % 5) as f32 - 2.0;
    let expected = "dense<[6.000000e+00, 0.000000e+00, -1.100000e+01, -7.000000e+00, \
                    1.200000e+01, 6.000000e+00, 0.000000e+00, -1.100000e+01]> : tensor<8xf32>";
    let program = |numbers: &str, input: &str, kernel: &str, part: &str, one: &str| {
        format!(
            "func.func @main(%x: {input}, %w: {kernel}) -> tensor<8xf32> {{
               %0 = stablehlo.convolution(%x, %w) dim_numbers = {numbers},
                 window = {{pad = [[1, 1], [1, 1]]}}
                 {{feature_group_count = 1 : i64, batch_group_count = 1 : i64}}
                 : ({input}, {kernel}) -> {input}
               %1 = stablehlo.slice %0 {part} : ({input}) -> {one}
               %2 = stablehlo.reshape %1 : ({one}) -> tensor<8xf32>
               return %2 : tensor<8xf32>
             }}"
        )
    };
    let last: Vec<f32> = (0..512).map(|n| input(n % 8, n / 8)).collect();
    let kernel_last: Vec<f32> = (0..576).map(|n| kernel(n / 8 % 8, n % 8, n / 64)).collect();
    expect(
        &program(
            "[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]",
            "tensor<1x8x8x8xf32>",
            "tensor<3x3x8x8xf32>",
            "[0:1, 3:4, 4:5, 0:8]",
            "tensor<1x1x1x8xf32>",
        ),
        &[
            f32s(&[1, 8, 8, 8], &last),
            f32s(&[3, 3, 8, 8], &kernel_last),
        ],
        &[expected],
    );
    let first: Vec<f32> = (0..512).map(|n| input(n / 64, n % 64)).collect();
    let kernel_first: Vec<f32> = (0..576).map(|n| kernel(n / 9 % 8, n / 72, n % 9)).collect();
    expect(
        &program(
            "[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]",
            "tensor<1x8x8x8xf32>",
            "tensor<8x8x3x3xf32>",
            "[0:1, 0:8, 3:4, 4:5]",
            "tensor<1x8x1x1xf32>",
        ),
        &[
            f32s(&[1, 8, 8, 8], &first),
            f32s(&[8, 8, 3, 3], &kernel_first),
        ],
        &[expected],
    );
}

/// `numpy.cumsum`, `cumprod` and `maximum.accumulate` along rows of whole vectors and a remainder,
/// which are scanned in vectors.
#[test]
fn cumulative_ops_along_rows() {
    fn check<T: halo_core::NativeType + PartialEq + std::fmt::Debug>(
        (ty, op, start): (&str, &str, &str),
        row: impl Fn(usize) -> T,
        combine: impl Fn(T, T) -> T,
    ) {
        let code = format!(
            "func.func @main(%x: tensor<3x37x{ty}>) -> tensor<3x37x{ty}> {{
               %start = stablehlo.constant dense<{start}> : tensor<{ty}>
               %0 = \"stablehlo.reduce_window\"(%x, %start) ({{
               ^bb0(%a: tensor<{ty}>, %b: tensor<{ty}>):
                 %1 = stablehlo.{op} %a, %b : tensor<{ty}>
                 stablehlo.return %1 : tensor<{ty}>
               }}) {{window_dimensions = array<i64: 1, 37>, padding = dense<[[0, 0], [36, 0]]> : tensor<2x2xi64>}}
                 : (tensor<3x37x{ty}>, tensor<{ty}>) -> tensor<3x37x{ty}>
               return %0 : tensor<3x37x{ty}>
             }}"
        );
        let x: Vec<T> = (0..111).map(row).collect();
        let mut expected = x.clone();
        for at in 0..111 {
            if at % 37 != 0 {
                expected[at] = combine(expected[at - 1], x[at]);
            }
        }
        let input = Literal::from_slice(&[3, 37], &x).unwrap();
        for outputs in super::run(&code, std::slice::from_ref(&input)) {
            assert_eq!(outputs[0].as_slice::<T>().unwrap(), expected);
        }
    }
    let number = |at: usize| at as i32 * 7 % 23 - 11;
    check(("f32", "add", "0.0"), |at| number(at) as f32, |a, b| a + b);
    check(
        ("f64", "maximum", "0xFFF0000000000000"),
        |at| f64::from(number(at)),
        f64::max,
    );
    check(("i32", "minimum", "2147483647"), number, i32::min);
    let odd = |at| i64::from(number(at)) * 2 + 1;
    check(("i64", "multiply", "1"), odd, i64::wrapping_mul);
    // Powers of two and halves are exact.
    let factor = |at: usize| if at.is_multiple_of(2) { -2.0 } else { 0.5 };
    check(("f32", "multiply", "1.0"), factor, |a: f32, b| a * b);
}

/// Depthwise convolutions, by their definition: with and without padding, with strides, and with
/// columns that are or are not blocks of adjacent elements.
#[test]
fn depthwise_convolutions() {
    for (columns, pad, stride) in [(12, 1, 1), (14, 0, 1), (10, 1, 1), (17, 0, 2), (9, 1, 1)] {
        let (rows, channels) = (6, 5);
        let results = |size: i64| (size + 2 * pad - 3) / stride + 1;
        let (out_rows, out_columns) = (results(rows), results(columns));
        let image: Vec<i32> = (0..rows * columns * channels)
            .map(|number| number as i32 * 7 % 23 - 11)
            .collect();
        let kernel: Vec<i32> = (0..9 * channels).map(|number| number as i32 * 5 % 13 - 6).collect();
        let code = format!(
            "func.func @main(%x: tensor<1x{rows}x{columns}x{channels}xi32>, %k: tensor<3x3x1x{channels}xi32>)
                 -> tensor<1x{out_rows}x{out_columns}x{channels}xi32> {{
               %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
                 window = {{stride = [{stride}, {stride}], pad = [[{pad}, {pad}], [{pad}, {pad}]]}}
                 {{feature_group_count = {channels} : i64, batch_group_count = 1 : i64}}
                 : (tensor<1x{rows}x{columns}x{channels}xi32>, tensor<3x3x1x{channels}xi32>)
                 -> tensor<1x{out_rows}x{out_columns}x{channels}xi32>
               return %0 : tensor<1x{out_rows}x{out_columns}x{channels}xi32>
             }}"
        );
        let mut expected = Vec::new();
        for at in 0..out_rows * out_columns * channels {
            let (row, column) = (at / channels / out_columns, at / channels % out_columns);
            let mut sum = 0;
            for tap in 0..9 {
                let (y, x) = (
                    row * stride + tap / 3 - pad,
                    column * stride + tap % 3 - pad,
                );
                if (0..rows).contains(&y) && (0..columns).contains(&x) {
                    let pixel = (y * columns + x) * channels + at % channels;
                    let weight = tap * channels + at % channels;
                    sum += image[pixel as usize] * kernel[weight as usize];
                }
            }
            expected.push(sum);
        }
        let dims = |dims: [i64; 4]| dims.map(|dim| dim as usize);
        let inputs = [
            i32s(&dims([1, rows, columns, channels]), &image),
            i32s(&dims([3, 3, 1, channels]), &kernel),
        ];
        for outputs in super::run(&code, &inputs) {
            assert_eq!(
                outputs[0].as_slice::<i32>().unwrap(),
                expected,
                "{columns} {pad} {stride}"
            );
        }
    }
}

/// A sum of several pieces, which are read in parallel.
#[test]
fn long_sums() {
    for count in [1 << 18, (1 << 18) + 24, 3 << 16] {
        let code = format!(
            "func.func @main(%x: tensor<{count}xi32>) -> (tensor<i32>, tensor<i32>) {{
               %zero = stablehlo.constant dense<0> : tensor<i32>
               %least = stablehlo.constant dense<-2147483648> : tensor<i32>
               %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0]
                 : (tensor<{count}xi32>, tensor<i32>) -> tensor<i32>
               %1 = stablehlo.reduce(%x init: %least) applies stablehlo.maximum across dimensions = [0]
                 : (tensor<{count}xi32>, tensor<i32>) -> tensor<i32>
               return %0, %1 : tensor<i32>, tensor<i32>
             }}"
        );
        let numbers: Vec<i32> = (0..count).map(|at| at * 37 % 4_001 - 1_999).collect();
        let expected = [numbers.iter().sum(), *numbers.iter().max().unwrap()];
        for outputs in super::run(&code, &[i32s(&[count as usize], &numbers)]) {
            let values = outputs.iter().flat_map(|output| output.as_slice::<i32>().unwrap());
            assert_eq!(values.copied().collect::<Vec<_>>(), expected);
        }
    }
}
