//! Products with weights that are converted, unpacked and scaled, in all layouts and for few and
//! many rows. All sums are exact: weights and inputs are small integers, scales powers of two.

use halo_core::Literal;

const DEPTH: usize = 256;
const COLUMNS: usize = 80;
const GROUP: usize = 64;

/// A byte of pseudo-random bits.
fn byte(index: usize) -> u8 {
    (index as u32).wrapping_mul(2_654_435_761).to_be_bytes()[0]
}

fn scale(index: usize) -> f32 {
    [0.25, 0.5, 1.0, 2.0][usize::from(byte(index + 7)) % 4]
}

/// Weights in a program.
struct Weights {
    /// The type of the stored weights, and the ops that compute `%unpacked : tensor<256x80xf32>`,
    /// or its transpose.
    stored: &'static str,
    ops: String,
    is_transposed: bool,
    /// The weights.
    literal: Literal,
    /// The unpacked weight at k and n.
    number: fn(usize, usize) -> f32,
}

/// A byte of weights at k and n.
fn at(k: usize, n: usize) -> u8 {
    byte(k * COLUMNS + n)
}

fn signed(k: usize, n: usize) -> f32 {
    f32::from(at(k, n).cast_signed())
}

fn nibble(byte: u8, is_high: bool) -> f32 {
    f32::from(if is_high { byte >> 4 } else { byte & 15 })
}

/// A literal of bytes at the indices of a matrix.
fn bytes<T: halo_core::NativeType>(
    dims: [usize; 2],
    element: impl Fn(usize, usize) -> T,
) -> Literal {
    let numbers = (0..dims[0] * dims[1]).map(|index| element(index / dims[1], index % dims[1]));
    Literal::from_slice(&dims, &numbers.collect::<Vec<_>>()).unwrap()
}

fn all_weights() -> Vec<Weights> {
    const NIBBLES: &str = "
      %c15 = stablehlo.constant dense<15> : tensor<BYTESxui8>
      %c4 = stablehlo.constant dense<4> : tensor<BYTESxui8>
      %low = stablehlo.and %w, %c15 : tensor<BYTESxui8>
      %high = stablehlo.shift_right_logical %w, %c4 : tensor<BYTESxui8>";
    let bytes_of = |rows: usize, columns: usize| {
        bytes([rows, columns], move |row, column| {
            byte(row * columns + column)
        })
    };
    vec![
        Weights {
            stored: "256x80xi8",
            ops: "%unpacked = stablehlo.convert %w : (tensor<256x80xi8>) -> tensor<256x80xf32>"
                .into(),
            is_transposed: false,
            literal: bytes([DEPTH, COLUMNS], |k, n| at(k, n).cast_signed()),
            number: signed,
        },
        Weights {
            stored: "80x256xi8",
            ops: "%unpacked = stablehlo.convert %w : (tensor<80x256xi8>) -> tensor<80x256xf32>"
                .into(),
            is_transposed: true,
            literal: bytes([COLUMNS, DEPTH], |n, k| at(k, n).cast_signed()),
            number: signed,
        },
        // Two numbers in a byte: adjacent rows, adjacent columns, the halves of the rows.
        Weights {
            stored: "128x80xui8",
            ops: format!(
                "{NIBBLES}
                     %l = stablehlo.reshape %low : (tensor<BYTESxui8>) -> tensor<128x1x80xui8>
                     %h = stablehlo.reshape %high : (tensor<BYTESxui8>) -> tensor<128x1x80xui8>
                     %pairs = stablehlo.concatenate %l, %h, dim = 1
                       : (tensor<128x1x80xui8>, tensor<128x1x80xui8>) -> tensor<128x2x80xui8>
                     %numbers = stablehlo.reshape %pairs
                       : (tensor<128x2x80xui8>) -> tensor<256x80xui8>
                     %unpacked = stablehlo.convert %numbers
                       : (tensor<256x80xui8>) -> tensor<256x80xf32>"
            ),
            is_transposed: false,
            literal: bytes_of(128, 80),
            number: |k, n| nibble(byte(k / 2 * 80 + n), k % 2 == 1),
        },
        Weights {
            stored: "256x40xui8",
            ops: format!(
                "{NIBBLES}
                     %l = stablehlo.reshape %low : (tensor<BYTESxui8>) -> tensor<256x40x1xui8>
                     %h = stablehlo.reshape %high : (tensor<BYTESxui8>) -> tensor<256x40x1xui8>
                     %pairs = stablehlo.concatenate %l, %h, dim = 2
                       : (tensor<256x40x1xui8>, tensor<256x40x1xui8>) -> tensor<256x40x2xui8>
                     %numbers = stablehlo.reshape %pairs
                       : (tensor<256x40x2xui8>) -> tensor<256x80xui8>
                     %unpacked = stablehlo.convert %numbers
                       : (tensor<256x80xui8>) -> tensor<256x80xf32>"
            ),
            is_transposed: false,
            literal: bytes_of(256, 40),
            number: |k, n| nibble(byte(k * 40 + n / 2), n % 2 == 1),
        },
        Weights {
            stored: "128x80xui8",
            ops: format!(
                "{NIBBLES}
                     %numbers = stablehlo.concatenate %low, %high, dim = 0
                       : (tensor<128x80xui8>, tensor<128x80xui8>) -> tensor<256x80xui8>
                     %unpacked = stablehlo.convert %numbers
                       : (tensor<256x80xui8>) -> tensor<256x80xf32>"
            ),
            is_transposed: false,
            literal: bytes_of(128, 80),
            number: |k, n| nibble(byte(k % 128 * 80 + n), k >= 128),
        },
        // Eight numbers in an integer.
        Weights {
            stored: "32x80xi32",
            ops: "%c15 = stablehlo.constant dense<15> : tensor<32x8x80xi32>
                  %shifts = stablehlo.constant dense<[0, 4, 8, 12, 16, 20, 24, 28]> : tensor<8xi32>
                  %shift = stablehlo.broadcast_in_dim %shifts, dims = [1]
                    : (tensor<8xi32>) -> tensor<32x8x80xi32>
                  %words = stablehlo.broadcast_in_dim %w, dims = [0, 2]
                    : (tensor<32x80xi32>) -> tensor<32x8x80xi32>
                  %shifted = stablehlo.shift_right_logical %words, %shift : tensor<32x8x80xi32>
                  %low = stablehlo.and %shifted, %c15 : tensor<32x8x80xi32>
                  %numbers = stablehlo.reshape %low : (tensor<32x8x80xi32>) -> tensor<256x80xi32>
                  %unpacked = stablehlo.convert %numbers
                    : (tensor<256x80xi32>) -> tensor<256x80xf32>"
                .into(),
            is_transposed: false,
            literal: bytes([32, COLUMNS], |row, n| word(row, n).cast_signed()),
            number: |k, n| (word(k / 8, n) >> (k % 8 * 4) & 15) as f32,
        },
    ]
}

fn word(row: usize, n: usize) -> u32 {
    u32::from_le_bytes([0, 1, 2, 3].map(|part| byte((row * COLUMNS + n) * 4 + part)))
}

/// The ops that scale the weights: by column, or by group after a zero point is subtracted.
fn scaling(has_groups: bool, is_transposed: bool) -> (&'static str, &'static str) {
    match (has_groups, is_transposed) {
        (false, false) => (
            "80",
            "%b = stablehlo.broadcast_in_dim %s, dims = [1] : (tensor<80xf32>) -> tensor<256x80xf32>
             %scaled = stablehlo.multiply %unpacked, %b : tensor<256x80xf32>",
        ),
        (false, true) => (
            "80",
            "%b = stablehlo.broadcast_in_dim %s, dims = [0] : (tensor<80xf32>) -> tensor<80x256xf32>
             %scaled = stablehlo.multiply %unpacked, %b : tensor<80x256xf32>",
        ),
        (true, false) => (
            "4x80",
            "%groups = stablehlo.reshape %unpacked : (tensor<256x80xf32>) -> tensor<4x64x80xf32>
             %zero = stablehlo.constant dense<8.0> : tensor<4x64x80xf32>
             %differences = stablehlo.subtract %groups, %zero : tensor<4x64x80xf32>
             %b = stablehlo.broadcast_in_dim %s, dims = [0, 2]
               : (tensor<4x80xf32>) -> tensor<4x64x80xf32>
             %products = stablehlo.multiply %differences, %b : tensor<4x64x80xf32>
             %scaled = stablehlo.reshape %products : (tensor<4x64x80xf32>) -> tensor<256x80xf32>",
        ),
        (true, true) => (
            "80x4",
            "%groups = stablehlo.reshape %unpacked : (tensor<80x256xf32>) -> tensor<80x4x64xf32>
             %zero = stablehlo.constant dense<8.0> : tensor<80x4x64xf32>
             %differences = stablehlo.subtract %groups, %zero : tensor<80x4x64xf32>
             %b = stablehlo.broadcast_in_dim %s, dims = [0, 1]
               : (tensor<80x4xf32>) -> tensor<80x4x64xf32>
             %products = stablehlo.multiply %differences, %b : tensor<80x4x64xf32>
             %scaled = stablehlo.reshape %products : (tensor<80x4x64xf32>) -> tensor<80x256xf32>",
        ),
    }
}

#[test]
fn weights_of_few_bits_are_unpacked_exactly() {
    for rows in [1, 3, 24] {
        for (number, weights) in all_weights().iter().enumerate() {
            // Both kinds of scales occur with each number of rows.
            check(rows, weights, (number + rows) % 2 == 0);
        }
    }
}

fn check(rows: usize, weights: &Weights, has_groups: bool) {
    let is_transposed = weights.is_transposed;
    let (scales, scaling) = scaling(has_groups, is_transposed);
    let (whole, contracted) = if is_transposed {
        ("80x256", 1)
    } else {
        ("256x80", 0)
    };
    let stored = weights.stored;
    let dims = stored.rsplit_once('x').map_or(stored, |(dims, _)| dims);
    let ops = weights.ops.replace("BYTES", dims);
    let code = format!(
        "func.func @main(%x: tensor<{rows}x256xf32>, %w: tensor<{stored}>, %s: tensor<{scales}xf32>)
             -> tensor<{rows}x80xf32> {{
           {ops}
           {scaling}
           %result = stablehlo.dot_general %x, %scaled, contracting_dims = [1] x [{contracted}]
             : (tensor<{rows}x256xf32>, tensor<{whole}xf32>) -> tensor<{rows}x80xf32>
           return %result : tensor<{rows}x80xf32>
         }}"
    );
    let group = |k: usize| k / GROUP;
    let scale_at = |k: usize, n: usize| match (has_groups, is_transposed) {
        (false, _) => scale(n),
        (true, false) => scale(group(k) * COLUMNS + n),
        (true, true) => scale(n * (DEPTH / GROUP) + group(k)),
    };
    let zero = if has_groups { 8.0 } else { 0.0 };
    let input = |row: usize, k: usize| f32::from(byte(row * DEPTH + k + 3) % 16) - 7.0;
    let sum = |row: usize, n: usize| -> f32 {
        let product = |k: usize| input(row, k) * ((weights.number)(k, n) - zero) * scale_at(k, n);
        (0..DEPTH).map(product).sum()
    };
    let scale_dims: Vec<usize> = scales.split('x').map(|size| size.parse().unwrap()).collect();
    let scale_count = scale_dims.iter().product();
    let inputs = [
        bytes([rows, DEPTH], input),
        weights.literal.clone(),
        Literal::from_slice(
            &scale_dims,
            &(0..scale_count).map(scale).collect::<Vec<_>>(),
        )
        .unwrap(),
    ];
    let expected = bytes([rows, COLUMNS], sum);
    for outputs in super::run(&code, &inputs) {
        assert_eq!(outputs, std::slice::from_ref(&expected), "{code}");
    }
}

/// Products of int8 read the same weights; the depth is not a multiple of the four terms of a dot
/// product.
#[test]
fn numbers_of_four_bits_are_multiplied_as_integers() {
    let (rows, depth, columns) = (24, 130, 64);
    let code = "
func.func @main(%x: tensor<24x130xi8>, %w: tensor<65x64xui8>) -> tensor<24x64xi32> {
  %c15 = stablehlo.constant dense<15> : tensor<65x64xui8>
  %c4 = stablehlo.constant dense<4> : tensor<65x64xui8>
  %low = stablehlo.and %w, %c15 : tensor<65x64xui8>
  %high = stablehlo.shift_right_logical %w, %c4 : tensor<65x64xui8>
  %l = stablehlo.reshape %low : (tensor<65x64xui8>) -> tensor<65x1x64xui8>
  %h = stablehlo.reshape %high : (tensor<65x64xui8>) -> tensor<65x1x64xui8>
  %pairs = stablehlo.concatenate %l, %h, dim = 1
    : (tensor<65x1x64xui8>, tensor<65x1x64xui8>) -> tensor<65x2x64xui8>
  %numbers = stablehlo.reshape %pairs : (tensor<65x2x64xui8>) -> tensor<130x64xui8>
  %0 = stablehlo.dot_general %x, %numbers, contracting_dims = [1] x [0]
    : (tensor<24x130xi8>, tensor<130x64xui8>) -> tensor<24x64xi32>
  return %0 : tensor<24x64xi32>
}";
    let input = |row: usize, k: usize| byte(row * depth + k).cast_signed();
    let weight = |k: usize, n: usize| nibble(byte(k / 2 * columns + n), k % 2 == 1) as i32;
    let sum = |row: usize, n: usize| -> i32 {
        (0..depth).map(|k| i32::from(input(row, k)) * weight(k, n)).sum()
    };
    let inputs = [
        bytes([rows, depth], input),
        bytes([depth / 2, columns], |row, n| byte(row * columns + n)),
    ];
    let expected = bytes([rows, columns], sum);
    for outputs in super::run(code, &inputs) {
        assert_eq!(outputs, std::slice::from_ref(&expected));
    }
}
