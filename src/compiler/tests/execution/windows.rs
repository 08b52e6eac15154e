//! Windows that move over tensors: reductions, cumulative ops, selection,
//! convolution, and the bodies that they run.

use super::{expect, f32s};
use halo_core::Literal;

fn i32s(dims: &[usize], values: &[i32]) -> Literal {
    Literal::from_slice(dims, values).unwrap()
}

/// Sums and maxima over windows of what `numpy.pad` makes, and its negation.
#[test]
fn padding_is_read_without_a_buffer() {
    let image: Vec<i32> = (0..60).map(|number| number * 7 % 11 - 5).collect();
    let kernel: Vec<i32> = (0..27).map(|number| number * 5 % 7 - 3).collect();
    expect(
        "func.func @main(%x: tensor<1x5x4x3xi32>, %k: tensor<3x3x1x3xi32>)
             -> (tensor<1x5x4x3xi32>, tensor<1x3x2x3xi32>, tensor<8x7xi32>) {
           %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
             window = {pad = [[1, 1], [1, 1]]} {feature_group_count = 3 : i64, batch_group_count = 1 : i64}
             : (tensor<1x5x4x3xi32>, tensor<3x3x1x3xi32>) -> tensor<1x5x4x3xi32>
           %1 = stablehlo.transpose %x, dims = [0, 3, 1, 2] : (tensor<1x5x4x3xi32>) -> tensor<1x3x5x4xi32>
           %least = stablehlo.constant dense<-2147483648> : tensor<i32>
           %2 = \"stablehlo.reduce_window\"(%1, %least) ({
           ^bb0(%a: tensor<i32>, %b: tensor<i32>):
             %6 = stablehlo.maximum %a, %b : tensor<i32>
             stablehlo.return %6 : tensor<i32>
           }) {window_dimensions = array<i64: 1, 1, 3, 3>, window_strides = array<i64: 1, 1, 2, 2>,
               padding = dense<[[0, 0], [0, 0], [0, 1], [2, 1]]> : tensor<4x2xi64>}
             : (tensor<1x3x5x4xi32>, tensor<i32>) -> tensor<1x3x2x3xi32>
           %3 = stablehlo.slice %1 [0:1, 0:1, 0:5, 0:4] : (tensor<1x3x5x4xi32>) -> tensor<1x1x5x4xi32>
           %4 = stablehlo.reshape %3 : (tensor<1x1x5x4xi32>) -> tensor<5x4xi32>
           %nine = stablehlo.constant dense<9> : tensor<i32>
           %5 = stablehlo.pad %4, %nine, low = [2, 0], high = [1, 3], interior = [0, 0]
             : (tensor<5x4xi32>, tensor<i32>) -> tensor<8x7xi32>
           %6 = stablehlo.negate %5 : tensor<8x7xi32>
           return %0, %2, %6 : tensor<1x5x4x3xi32>, tensor<1x3x2x3xi32>, tensor<8x7xi32>
         }",
        &[i32s(&[1, 5, 4, 3], &image), i32s(&[3, 3, 1, 3], &kernel)],
        &[
            "dense<[[[[-3, -15, 16], [16, -25, 9], [15, -28, 11], [6, -13, 0]], \
             [[21, 27, -31], [13, 36, -16], [-15, 31, -17], [-16, 17, -1]], \
             [[-36, 0, 6], [-22, -17, 13], [-17, -22, 23], [0, -36, 10]], \
             [[17, -16, 21], [31, -15, 9], [36, 13, -14], [27, 21, -34]], \
             [[-13, 6, -29], [-28, 15, -15], [-25, 16, 6], [-15, -3, 8]]]]> \
             : tensor<1x5x4x3xi32>",
            "dense<[[[[2, 5, 4], [5, 5, 3]], [[5, 5, 3], [5, 5, 5]], [[5, 5, 3], [4, 4, 5]]]]> \
             : tensor<1x3x2x3xi32>",
            "dense<[[-9, -9, -9, -9, -9, -9, -9], [-9, -9, -9, -9, -9, -9, -9], \
             [5, -5, -4, -3, -9, -9, -9], [-2, -1, 0, 1, -9, -9, -9], [2, 3, 4, 5, -9, -9, -9], \
             [-5, -4, -3, -2, -9, -9, -9], [-1, 0, 1, 2, -9, -9, -9], \
             [-9, -9, -9, -9, -9, -9, -9]]> : tensor<8x7xi32>",
        ],
    );
}

/// `numpy.cumsum(x, 1)` and `jax.lax.cumsum(x, 0, reverse=True)`.
#[test]
fn cumulative_sums_along_rows_and_columns() {
    expect(
        "func.func @main(%x: tensor<3x4xi32>) -> (tensor<3x4xi32>, tensor<3x4xi32>) {
           %zero = stablehlo.constant dense<0> : tensor<i32>
           %0 = \"stablehlo.reduce_window\"(%x, %zero) ({
           ^bb0(%a: tensor<i32>, %b: tensor<i32>):
             %2 = stablehlo.add %a, %b : tensor<i32>
             stablehlo.return %2 : tensor<i32>
           }) {window_dimensions = array<i64: 1, 4>, padding = dense<[[0, 0], [3, 0]]> : tensor<2x2xi64>}
             : (tensor<3x4xi32>, tensor<i32>) -> tensor<3x4xi32>
           %1 = \"stablehlo.reduce_window\"(%x, %zero) ({
           ^bb0(%a: tensor<i32>, %b: tensor<i32>):
             %2 = stablehlo.add %a, %b : tensor<i32>
             stablehlo.return %2 : tensor<i32>
           }) {window_dimensions = array<i64: 3, 1>, padding = dense<[[0, 2], [0, 0]]> : tensor<2x2xi64>}
             : (tensor<3x4xi32>, tensor<i32>) -> tensor<3x4xi32>
           return %0, %1 : tensor<3x4xi32>, tensor<3x4xi32>
         }",
        &[i32s(&[3, 4], &[1, 2, 3, 4, 5, 6, 7, 8, -1, -2, -3, -4])],
        &[
            "dense<[[1, 3, 6, 10], [5, 11, 18, 26], [-1, -3, -6, -10]]> : tensor<3x4xi32>",
            "dense<[[5, 6, 7, 8], [4, 4, 4, 4], [-1, -2, -3, -4]]> : tensor<3x4xi32>",
        ],
    );
}

/// `numpy.maximum.accumulate` and the place of the first maximum.
#[test]
fn cumulative_ops_of_two_operands() {
    expect(
        "func.func @main(%x: tensor<6xf32>) -> (tensor<6xf32>, tensor<6xi32>) {
           %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
           %zero = stablehlo.constant dense<0> : tensor<i32>
           %places = stablehlo.iota dim = 0 : tensor<6xi32>
           %0:2 = \"stablehlo.reduce_window\"(%x, %places, %least, %zero) ({
           ^bb0(%a: tensor<f32>, %i: tensor<i32>, %b: tensor<f32>, %j: tensor<i32>):
             %2 = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
             %3 = stablehlo.select %2, %a, %b : tensor<i1>, tensor<f32>
             %4 = stablehlo.select %2, %i, %j : tensor<i1>, tensor<i32>
             stablehlo.return %3, %4 : tensor<f32>, tensor<i32>
           }) {window_dimensions = array<i64: 6>, padding = dense<[[5, 0]]> : tensor<1x2xi64>}
             : (tensor<6xf32>, tensor<6xi32>, tensor<f32>, tensor<i32>) -> (tensor<6xf32>, tensor<6xi32>)
           return %0#0, %0#1 : tensor<6xf32>, tensor<6xi32>
         }",
        &[f32s(&[6], &[2.0, 5.0, 3.0, 7.0, 7.0, 1.0])],
        &[
            "dense<[2.000000e+00, 5.000000e+00, 5.000000e+00, 7.000000e+00, 7.000000e+00, \
             7.000000e+00]> : tensor<6xf32>",
            "dense<[0, 1, 1, 3, 3, 3]> : tensor<6xi32>",
        ],
    );
}

/// Each place that a window has over padding adds the initial value, as the
/// formula says: no scan. 2 + 2 (3 - i) + cumsum.
#[test]
fn initial_values_that_are_not_neutral_count_each_time() {
    expect(
        "func.func @main(%x: tensor<4xi32>) -> tensor<4xi32> {
           %two = stablehlo.constant dense<2> : tensor<i32>
           %0 = \"stablehlo.reduce_window\"(%x, %two) ({
           ^bb0(%a: tensor<i32>, %b: tensor<i32>):
             %1 = stablehlo.add %a, %b : tensor<i32>
             stablehlo.return %1 : tensor<i32>
           }) {window_dimensions = array<i64: 4>, padding = dense<[[3, 0]]> : tensor<1x2xi64>}
             : (tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
           return %0 : tensor<4xi32>
         }",
        &[i32s(&[4], &[1, 2, 3, 4])],
        &["dense<[9, 9, 10, 12]> : tensor<4xi32>"],
    );
}

/// Sums of bytes in 32 bits, which are not sign-extended.
#[test]
fn sums_may_be_wider_than_their_operands() {
    expect(
        "func.func @main(%x: tensor<4xui8>) -> (tensor<3xui32>, tensor<ui32>) {
           %zero = stablehlo.constant dense<0> : tensor<ui8>
           %0 = \"stablehlo.reduce_window\"(%x, %zero) ({
           ^bb0(%a: tensor<ui32>, %b: tensor<ui32>):
             %2 = stablehlo.add %a, %b : tensor<ui32>
             stablehlo.return %2 : tensor<ui32>
           }) {window_dimensions = array<i64: 2>} : (tensor<4xui8>, tensor<ui8>) -> tensor<3xui32>
           %1 = \"stablehlo.reduce\"(%x, %zero) ({
           ^bb0(%a: tensor<ui32>, %b: tensor<ui32>):
             %2 = stablehlo.add %a, %b : tensor<ui32>
             stablehlo.return %2 : tensor<ui32>
           }) {dimensions = array<i64: 0>} : (tensor<4xui8>, tensor<ui8>) -> tensor<ui32>
           return %0, %1 : tensor<3xui32>, tensor<ui32>
         }",
        &[Literal::from_slice(&[4], &[200_u8, 100, 250, 7]).unwrap()],
        &[
            "dense<[300, 350, 257]> : tensor<3xui32>",
            "dense<557> : tensor<ui32>",
        ],
    );
}

/// `numpy.gcd.reduce(x, 1)`: a body with a loop and a condition.
#[test]
fn bodies_may_hold_control_flow() {
    expect(
        "func.func @main(%x: tensor<2x3xi32>) -> tensor<2xi32> {
           %zero = stablehlo.constant dense<0> : tensor<i32>
           %0 = stablehlo.reduce(%x init: %zero) across dimensions = [1]
             : (tensor<2x3xi32>, tensor<i32>) -> tensor<2xi32>
             reducer(%a: tensor<i32>, %b: tensor<i32>) {
             %1:2 = stablehlo.while(%p = %a, %q = %b) : tensor<i32>, tensor<i32>
             cond {
               %2 = stablehlo.compare NE, %q, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
               stablehlo.return %2 : tensor<i1>
             } do {
               %2 = stablehlo.remainder %p, %q : tensor<i32>
               stablehlo.return %q, %2 : tensor<i32>, tensor<i32>
             }
             %3 = stablehlo.compare LT, %1#0, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
             %4 = \"stablehlo.if\"(%3) ({
               %5 = stablehlo.negate %1#0 : tensor<i32>
               stablehlo.return %5 : tensor<i32>
             }, {
               stablehlo.return %1#0 : tensor<i32>
             }) : (tensor<i1>) -> tensor<i32>
             stablehlo.return %4 : tensor<i32>
           }
           return %0 : tensor<2xi32>
         }",
        &[i32s(&[2, 3], &[12, 18, -30, -35, 49, 14])],
        &["dense<[6, 7]> : tensor<2xi32>"],
    );
}

/// The branch of an index that is out of range is the last one.
#[test]
fn bodies_may_choose_among_branches() {
    expect(
        "func.func @main(%x: tensor<4xi32>) -> tensor<4xi32> {
           %0 = \"stablehlo.map\"(%x) ({
           ^bb0(%i: tensor<i32>):
             %1 = \"stablehlo.case\"(%i) ({
               %2 = stablehlo.constant dense<10> : tensor<i32>
               stablehlo.return %2 : tensor<i32>
             }, {
               %2 = stablehlo.add %i, %i : tensor<i32>
               stablehlo.return %2 : tensor<i32>
             }, {
               stablehlo.return %i : tensor<i32>
             }) : (tensor<i32>) -> tensor<i32>
             stablehlo.return %1 : tensor<i32>
           }) {dimensions = array<i64: 0>} : (tensor<4xi32>) -> tensor<4xi32>
           return %0 : tensor<4xi32>
         }",
        &[i32s(&[4], &[1, 0, 7, -3])],
        &["dense<[2, 10, 7, -3]> : tensor<4xi32>"],
    );
}

/// The gradient that JAX gives of a maximum over windows of 2 by 2, padded in
/// front.
#[test]
fn scatters_to_what_windows_select() {
    expect(
        "func.func @main(%x: tensor<3x3xf32>, %g: tensor<2x2xf32>) -> tensor<3x3xf32> {
           %zero = stablehlo.constant dense<0.0> : tensor<f32>
           %0 = \"stablehlo.select_and_scatter\"(%x, %g, %zero) ({
           ^bb0(%a: tensor<f32>, %b: tensor<f32>):
             %1 = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
             stablehlo.return %1 : tensor<i1>
           }, {
           ^bb0(%a: tensor<f32>, %b: tensor<f32>):
             %1 = stablehlo.add %a, %b : tensor<f32>
             stablehlo.return %1 : tensor<f32>
           }) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>,
               padding = dense<[[1, 0], [1, 0]]> : tensor<2x2xi64>}
             : (tensor<3x3xf32>, tensor<2x2xf32>, tensor<f32>) -> tensor<3x3xf32>
           return %0 : tensor<3x3xf32>
         }",
        &[
            f32s(&[3, 3], &[1.0, 5.0, 2.0, 3.0, 5.0, 4.0, 9.0, 0.0, 1.0]),
            f32s(&[2, 2], &[1.0, 2.0, 3.0, 4.0]),
        ],
        &["dense<[[1.000000e+00, 2.000000e+00, 0.000000e+00], \
           [0.000000e+00, 4.000000e+00, 0.000000e+00], \
           [3.000000e+00, 0.000000e+00, 0.000000e+00]]> : tensor<3x3xf32>"],
    );
}

/// `jax.lax.conv_general_dilated` with enough to multiply for patches, the
/// channels last and first, at one place.
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

/// `jax.lax.conv_general_dilated(feature_group_count=2)`.
#[test]
fn convolves_each_channel_alone() {
    expect(
        "func.func @main(%x: tensor<1x6x2xi32>, %w: tensor<3x1x2xi32>) -> tensor<1x4x2xi32> {
           %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
             window = {} {feature_group_count = 2 : i64, batch_group_count = 1 : i64}
             : (tensor<1x6x2xi32>, tensor<3x1x2xi32>) -> tensor<1x4x2xi32>
           return %0 : tensor<1x4x2xi32>
         }",
        &[
            i32s(&[1, 6, 2], &(0..12).collect::<Vec<i32>>()),
            i32s(&[3, 1, 2], &[1, 2, 3, -1, 0, 1]),
        ],
        &["dense<[[[6, 4], [14, 8], [22, 12], [30, 16]]]> : tensor<1x4x2xi32>"],
    );
}

/// Windows that do not reach the end: `x[0] + x[1]` with strides of 4.
#[test]
fn windows_need_not_reach_the_end() {
    expect(
        "func.func @main(%x: tensor<5xi32>) -> (tensor<1xi32>, tensor<1x1x1xi32>) {
           %zero = stablehlo.constant dense<0> : tensor<i32>
           %0 = \"stablehlo.reduce_window\"(%x, %zero) ({
           ^bb0(%a: tensor<i32>, %b: tensor<i32>):
             %4 = stablehlo.add %a, %b : tensor<i32>
             stablehlo.return %4 : tensor<i32>
           }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 4>}
             : (tensor<5xi32>, tensor<i32>) -> tensor<1xi32>
           %1 = stablehlo.reshape %x : (tensor<5xi32>) -> tensor<1x5x1xi32>
           %2 = stablehlo.constant dense<1> : tensor<2x1x1xi32>
           %3 = stablehlo.convolution(%1, %2) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
             window = {stride = [4]} {feature_group_count = 1 : i64, batch_group_count = 1 : i64}
             : (tensor<1x5x1xi32>, tensor<2x1x1xi32>) -> tensor<1x1x1xi32>
           return %0, %3 : tensor<1xi32>, tensor<1x1x1xi32>
         }",
        &[i32s(&[5], &[1, 2, 3, 4, 5])],
        &["dense<3> : tensor<1xi32>", "dense<3> : tensor<1x1x1xi32>"],
    );
}

/// The formula of the specification in numpy, in f32, rounded to f16.
#[test]
fn normalizes_narrow_floats_in_f32() {
    expect(
        "func.func @main(%x: tensor<2x2xi32>) -> (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>) {
           %scale = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf16>
           %offset = stablehlo.constant dense<[0.5, -1.0]> : tensor<2xf16>
           %0 = stablehlo.convert %x : (tensor<2x2xi32>) -> tensor<2x2xf16>
           %1:3 = \"stablehlo.batch_norm_training\"(%0, %scale, %offset)
             {epsilon = 0.5 : f32, feature_index = 1 : i64}
             : (tensor<2x2xf16>, tensor<2xf16>, tensor<2xf16>)
             -> (tensor<2x2xf16>, tensor<2xf16>, tensor<2xf16>)
           %2 = stablehlo.convert %1#0 : (tensor<2x2xf16>) -> tensor<2x2xf32>
           %3 = stablehlo.convert %1#1 : (tensor<2xf16>) -> tensor<2xf32>
           %4 = stablehlo.convert %1#2 : (tensor<2xf16>) -> tensor<2xf32>
           return %2, %3, %4 : tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>
         }",
        &[i32s(&[2, 2], &[1, 2, 3, 4])],
        &[
            "dense<[[-0.31640625, -2.6328125], [1.31640625, 0.6328125]]> : tensor<2x2xf32>",
            "dense<[2.000000e+00, 3.000000e+00]> : tensor<2xf32>",
            "dense<1.000000e+00> : tensor<2xf32>",
        ],
    );
}

/// What is read with padding around it is itself a padded value that others read. The
/// numbers are numpy's.
#[test]
fn padding_around_padding_is_read() {
    let input = f32s(&[3, 3], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]);
    expect(
        "func.func @main(%x: tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<3x3xf32>) {
           %zero = stablehlo.constant dense<0.0> : tensor<f32>
           %sums = \"stablehlo.reduce_window\"(%x, %zero) ({
           ^bb0(%a: tensor<f32>, %b: tensor<f32>):
             %0 = stablehlo.add %a, %b : tensor<f32>
             stablehlo.return %0 : tensor<f32>
           }) {window_dimensions = array<i64: 1, 3>,
               padding = dense<[[0, 0], [1, 1]]> : tensor<2x2xi64>}
             : (tensor<3x3xf32>, tensor<f32>) -> tensor<3x3xf32>
           %moved = stablehlo.pad %sums, %zero, low = [1, 0], high = [-1, 0], interior = [0, 0]
             : (tensor<3x3xf32>, tensor<f32>) -> tensor<3x3xf32>
           %again = \"stablehlo.reduce_window\"(%moved, %zero) ({
           ^bb0(%a: tensor<f32>, %b: tensor<f32>):
             %0 = stablehlo.add %a, %b : tensor<f32>
             stablehlo.return %0 : tensor<f32>
           }) {window_dimensions = array<i64: 3, 1>,
               padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>}
             : (tensor<3x3xf32>, tensor<f32>) -> tensor<3x3xf32>
           %least = stablehlo.minimum %sums, %moved : tensor<3x3xf32>
           return %again, %least : tensor<3x3xf32>, tensor<3x3xf32>
         }",
        &[input],
        &[
            "dense<[[3.000000e+00, 6.000000e+00, 5.000000e+00], [1.200000e+01, 2.100000e+01, 1.600000e+01], [1.200000e+01, 2.100000e+01, 1.600000e+01]]> : tensor<3x3xf32>",
            "dense<[[0.000000e+00, 0.000000e+00, 0.000000e+00], [3.000000e+00, 6.000000e+00, 5.000000e+00], [9.000000e+00, 1.500000e+01, 1.100000e+01]]> : tensor<3x3xf32>",
        ],
    );
}

/// `numpy.cumsum`, `cumprod` and `maximum.accumulate` along rows of whole vectors and
/// some elements more, which are scanned in vectors.
#[test]
fn cumulative_ops_along_rows() {
    fn check<T: halo_core::NativeType + PartialEq + std::fmt::Debug>(
        (r#type, op, start): (&str, &str, &str),
        row: impl Fn(usize) -> T,
        combine: impl Fn(T, T) -> T,
    ) {
        let code = format!(
            "func.func @main(%x: tensor<3x37x{type}>) -> tensor<3x37x{type}> {{
               %start = stablehlo.constant dense<{start}> : tensor<{type}>
               %0 = \"stablehlo.reduce_window\"(%x, %start) ({{
               ^bb0(%a: tensor<{type}>, %b: tensor<{type}>):
                 %1 = stablehlo.{op} %a, %b : tensor<{type}>
                 stablehlo.return %1 : tensor<{type}>
               }}) {{window_dimensions = array<i64: 1, 37>, padding = dense<[[0, 0], [36, 0]]> : tensor<2x2xi64>}}
                 : (tensor<3x37x{type}>, tensor<{type}>) -> tensor<3x37x{type}>
               return %0 : tensor<3x37x{type}>
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
    // Neither a power of two nor a half is rounded.
    let factor = |at: usize| if at.is_multiple_of(2) { -2.0 } else { 0.5 };
    check(("f32", "multiply", "1.0"), factor, |a: f32, b| a * b);
}

/// Depthwise convolutions, by their definition: with and without padding, with strides,
/// and with columns that are blocks of neighbours or not.
#[test]
fn depthwise_convolutions() {
    for (columns, pad, stride) in [(12, 1, 1), (14, 0, 1), (10, 1, 1), (17, 0, 2), (9, 1, 1)] {
        let (rows, channels) = (6, 5);
        let results = |size: i64| (size + 2 * pad - 3) / stride + 1;
        let (out_rows, out_columns) = (results(rows), results(columns));
        let image: Vec<i32> = (0..rows * columns * channels)
            .map(|number| number as i32 * 7 % 23 - 11)
            .collect();
        let kernel: Vec<i32> = (0..9 * channels)
            .map(|number| number as i32 * 5 % 13 - 6)
            .collect();
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

/// A sum of more than a piece, whose parts are read side by side.
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
            let values = outputs
                .iter()
                .flat_map(|output| output.as_slice::<i32>().unwrap());
            assert_eq!(values.copied().collect::<Vec<_>>(), expected);
        }
    }
}
