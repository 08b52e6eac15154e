//! Floats of a byte or less, and bf16 at the ends of its range: storage and
//! rounding of arithmetic.
//!
//! The expected values are those of NumPy with ml_dtypes, as the bits of an f32.

use super::{expect, f32s};
use halo_core::Literal;

/// One operand in a format, its sum with another, the product, the quotient, and
/// the largest element of the other or one.
fn check(format: &str, expected: &[&[u32]]) {
    let code = format!(
        "func.func @main(%x: tensor<6xf32>, %y: tensor<6xf32>)
             -> (tensor<6xui32>, tensor<6xui32>, tensor<6xui32>, tensor<6xui32>, tensor<ui32>) {{
           %a = stablehlo.convert %x : (tensor<6xf32>) -> tensor<6x{format}>
           %b = stablehlo.convert %y : (tensor<6xf32>) -> tensor<6x{format}>
           %sum = stablehlo.add %a, %b : tensor<6x{format}>
           %product = stablehlo.multiply %a, %b : tensor<6x{format}>
           %quotient = stablehlo.divide %a, %b : tensor<6x{format}>
           %one = stablehlo.constant dense<1.0> : tensor<{format}>
           %largest = stablehlo.reduce(%b init: %one) applies stablehlo.maximum across dimensions = [0]
             : (tensor<6x{format}>, tensor<{format}>) -> tensor<{format}>
           %0 = stablehlo.convert %a : (tensor<6x{format}>) -> tensor<6xf32>
           %1 = stablehlo.convert %sum : (tensor<6x{format}>) -> tensor<6xf32>
           %2 = stablehlo.convert %product : (tensor<6x{format}>) -> tensor<6xf32>
           %3 = stablehlo.convert %quotient : (tensor<6x{format}>) -> tensor<6xf32>
           %4 = stablehlo.convert %largest : (tensor<{format}>) -> tensor<f32>
           %5 = stablehlo.bitcast_convert %0 : (tensor<6xf32>) -> tensor<6xui32>
           %6 = stablehlo.bitcast_convert %1 : (tensor<6xf32>) -> tensor<6xui32>
           %7 = stablehlo.bitcast_convert %2 : (tensor<6xf32>) -> tensor<6xui32>
           %8 = stablehlo.bitcast_convert %3 : (tensor<6xf32>) -> tensor<6xui32>
           %9 = stablehlo.bitcast_convert %4 : (tensor<f32>) -> tensor<ui32>
           return %5, %6, %7, %8, %9
             : tensor<6xui32>, tensor<6xui32>, tensor<6xui32>, tensor<6xui32>, tensor<ui32>
         }}"
    );
    let expected: Vec<String> = (expected.iter())
        .map(|bits| match bits {
            [one] => format!("dense<{one}> : tensor<ui32>"),
            all => format!("dense<{all:?}> : tensor<{}xui32>", all.len()),
        })
        .collect();
    let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
    expect(
        &code,
        &[
            f32s(&[6], &[0.3, -1.7, 2.5, 1000.0, -0.001, 7.0]),
            f32s(&[6], &[1.1, 0.9, -2.5, 3.0, 0.75, -0.4]),
        ],
        &expected,
    );
}

#[test]
fn computes_in_f8e3m4() {
    check(
        "f8E3M4",
        &[
            &[
                0x3e980000, 0xbfd80000, 0x40200000, 0x7f800000, 0x80000000, 0x40e00000,
            ],
            &[
                0x3fb80000, 0xbf480000, 0x00000000, 0x7f800000, 0x3f400000, 0x40d00000,
            ],
            &[
                0x3ea80000, 0xbfc00000, 0xc0c80000, 0x7f800000, 0x80000000, 0xc0380000,
            ],
            &[
                0x3e880000, 0xbff00000, 0xbf800000, 0x7f800000, 0x80000000, 0xff800000,
            ],
            &[0x40400000],
        ],
    );
}

#[test]
fn computes_in_f8e4m3() {
    check(
        "f8E4M3",
        &[
            &[
                0x3ea00000, 0xbfe00000, 0x40200000, 0x7f800000, 0xbb000000, 0x40e00000,
            ],
            &[
                0x3fc00000, 0xbf600000, 0x00000000, 0x7f800000, 0x3f400000, 0x40d00000,
            ],
            &[
                0x3eb00000, 0xbfc00000, 0xc0c00000, 0x7f800000, 0xbb000000, 0xc0300000,
            ],
            &[
                0x3e900000, 0xc0000000, 0xbf800000, 0x7f800000, 0xbb000000, 0xc1900000,
            ],
            &[0x40400000],
        ],
    );
}

#[test]
fn computes_in_f8e4m3fn() {
    check(
        "f8E4M3FN",
        &[
            &[
                0x3ea00000, 0xbfe00000, 0x40200000, 0x7fc00000, 0xbb000000, 0x40e00000,
            ],
            &[
                0x3fc00000, 0xbf600000, 0x00000000, 0x7fc00000, 0x3f400000, 0x40d00000,
            ],
            &[
                0x3eb00000, 0xbfc00000, 0xc0c00000, 0x7fc00000, 0xbb000000, 0xc0300000,
            ],
            &[
                0x3e900000, 0xc0000000, 0xbf800000, 0x7fc00000, 0xbb000000, 0xc1900000,
            ],
            &[0x40400000],
        ],
    );
}

#[test]
fn computes_in_f8e4m3fnuz() {
    check(
        "f8E4M3FNUZ",
        &[
            &[
                0x3ea00000, 0xbfe00000, 0x40200000, 0x7fc00000, 0xba800000, 0x40e00000,
            ],
            &[
                0x3fc00000, 0xbf600000, 0x00000000, 0x7fc00000, 0x3f400000, 0x40d00000,
            ],
            &[
                0x3eb00000, 0xbfc00000, 0xc0c00000, 0x7fc00000, 0xba800000, 0xc0300000,
            ],
            &[
                0x3e900000, 0xc0000000, 0xbf800000, 0x7fc00000, 0xba800000, 0xc1900000,
            ],
            &[0x40400000],
        ],
    );
}

#[test]
fn computes_in_f8e4m3b11fnuz() {
    check(
        "f8E4M3B11FNUZ",
        &[
            &[
                0x3ea00000, 0xbfe00000, 0x40200000, 0x7fc00000, 0xba800000, 0x40e00000,
            ],
            &[
                0x3fc00000, 0xbf600000, 0x00000000, 0x7fc00000, 0x3f400000, 0x40d00000,
            ],
            &[
                0x3eb00000, 0xbfc00000, 0xc0c00000, 0x7fc00000, 0xba400000, 0xc0300000,
            ],
            &[
                0x3e900000, 0xc0000000, 0xbf800000, 0x7fc00000, 0xbab00000, 0xc1900000,
            ],
            &[0x40400000],
        ],
    );
}

#[test]
fn computes_in_f8e5m2() {
    check(
        "f8E5M2",
        &[
            &[
                0x3ea00000, 0xbfe00000, 0x40200000, 0x44800000, 0xba800000, 0x40e00000,
            ],
            &[
                0x3fa00000, 0xbf600000, 0x00000000, 0x44800000, 0x3f400000, 0x40e00000,
            ],
            &[
                0x3ea00000, 0xbfc00000, 0xc0c00000, 0x45400000, 0xba400000, 0xc0200000,
            ],
            &[
                0x3ea00000, 0xc0000000, 0xbf800000, 0x43a00000, 0xbaa00000, 0xc1a00000,
            ],
            &[0x40400000],
        ],
    );
}

#[test]
fn computes_in_f8e5m2fnuz() {
    check(
        "f8E5M2FNUZ",
        &[
            &[
                0x3ea00000, 0xbfe00000, 0x40200000, 0x44800000, 0xba800000, 0x40e00000,
            ],
            &[
                0x3fa00000, 0xbf600000, 0x00000000, 0x44800000, 0x3f400000, 0x40e00000,
            ],
            &[
                0x3ea00000, 0xbfc00000, 0xc0c00000, 0x45400000, 0xba400000, 0xc0200000,
            ],
            &[
                0x3ea00000, 0xc0000000, 0xbf800000, 0x43a00000, 0xbaa00000, 0xc1a00000,
            ],
            &[0x40400000],
        ],
    );
}

#[test]
fn computes_in_f8e8m0fnu() {
    check(
        "f8E8M0FNU",
        &[
            &[
                0x3e800000, 0x7fc00000, 0x40000000, 0x44800000, 0x7fc00000, 0x41000000,
            ],
            &[
                0x3f800000, 0x7fc00000, 0x7fc00000, 0x44800000, 0x7fc00000, 0x7fc00000,
            ],
            &[
                0x3e800000, 0x7fc00000, 0x7fc00000, 0x45800000, 0x7fc00000, 0x7fc00000,
            ],
            &[
                0x3e800000, 0x7fc00000, 0x7fc00000, 0x43800000, 0x7fc00000, 0x7fc00000,
            ],
            &[0x7fc00000],
        ],
    );
}

#[test]
fn computes_in_f6e2m3fn() {
    check(
        "f6E2M3FN",
        &[
            &[
                0x3e800000, 0xbfe00000, 0x40200000, 0x40f00000, 0x80000000, 0x40e00000,
            ],
            &[
                0x3fb00000, 0xbf600000, 0x00000000, 0x40f00000, 0x3f400000, 0x40d00000,
            ],
            &[
                0x3e800000, 0xbfc00000, 0xc0c00000, 0x40f00000, 0x80000000, 0xc0200000,
            ],
            &[
                0x3e800000, 0xc0000000, 0xbf800000, 0x40200000, 0x80000000, 0xc0f00000,
            ],
            &[0x40400000],
        ],
    );
}

#[test]
fn computes_in_f6e3m2fn() {
    check(
        "f6E3M2FN",
        &[
            &[
                0x3ea00000, 0xbfe00000, 0x40200000, 0x41e00000, 0x80000000, 0x40e00000,
            ],
            &[
                0x3fa00000, 0xbf600000, 0x00000000, 0x41e00000, 0x3f400000, 0x40e00000,
            ],
            &[
                0x3ea00000, 0xbfc00000, 0xc0c00000, 0x41e00000, 0x80000000, 0xc0200000,
            ],
            &[
                0x3ea00000, 0xc0000000, 0xbf800000, 0x41200000, 0x80000000, 0xc1a00000,
            ],
            &[0x40400000],
        ],
    );
}

#[test]
fn computes_in_f4e2m1fn() {
    check(
        "f4E2M1FN",
        &[
            &[
                0x3f000000, 0xbfc00000, 0x40000000, 0x40c00000, 0x80000000, 0x40c00000,
            ],
            &[
                0x3fc00000, 0xbf000000, 0x00000000, 0x40c00000, 0x3f800000, 0x40c00000,
            ],
            &[
                0x3f000000, 0xbfc00000, 0xc0800000, 0x40c00000, 0x80000000, 0xc0400000,
            ],
            &[
                0x3f000000, 0xbfc00000, 0xbf800000, 0x40000000, 0x80000000, 0xc0c00000,
            ],
            &[0x40400000],
        ],
    );
}

/// Values a hair from the middle of two neighbours, which f32 cannot tell from
/// it: rounding by way of f32 would go to the even one.
#[test]
fn rounds_wide_numbers_once() {
    expect(
        "func.func @main(%x: tensor<4xf64>) -> tensor<4xui8> {
           %0 = stablehlo.convert %x : (tensor<4xf64>) -> tensor<4xf8E4M3FN>
           %1 = stablehlo.bitcast_convert %0 : (tensor<4xf8E4M3FN>) -> tensor<4xui8>
           return %1 : tensor<4xui8>
         }",
        &[Literal::from_slice(
            &[4],
            &[
                1.0625 + 2_f64.powi(-40),
                1.1875 - 2_f64.powi(-40),
                17.0 + 2_f64.powi(-45),
                2_f64.powi(-10) + 2_f64.powi(-50),
            ],
        )
        .unwrap()],
        &["dense<[57, 57, 89, 1]> : tensor<4xui8>"],
    );
}

/// `numpy.float64` to `float16` and `int64` to `bfloat16` round once as well.
#[test]
fn rounds_to_half_precision_once() {
    expect(
        "func.func @main(%x: tensor<2xf64>, %n: tensor<2xi64>) -> (tensor<2xui16>, tensor<2xui16>) {
           %0 = stablehlo.convert %x : (tensor<2xf64>) -> tensor<2xf16>
           %1 = stablehlo.bitcast_convert %0 : (tensor<2xf16>) -> tensor<2xui16>
           %2 = stablehlo.convert %n : (tensor<2xi64>) -> tensor<2xbf16>
           %3 = stablehlo.bitcast_convert %2 : (tensor<2xbf16>) -> tensor<2xui16>
           return %1, %3 : tensor<2xui16>, tensor<2xui16>
         }",
        &[
            Literal::from_slice(&[2], &[1.0 + 2_f64.powi(-11) + 2_f64.powi(-40), 65519.999999])
                .unwrap(),
            Literal::from_slice(&[2], &[(1_i64 << 40) + (1 << 32) + 1, -(1 << 40) - (1 << 32)])
                .unwrap(),
        ],
        &["dense<[15361, 31743]> : tensor<2xui16>", "dense<[21377, 54144]> : tensor<2xui16>"],
    );
}

/// `-inf` as an initial value, products that are summed in f32, and bits.
#[test]
fn reduces_and_multiplies_narrow_floats() {
    expect(
        "func.func @main() -> (tensor<f32>, tensor<2xf32>, tensor<2x2xi4>) {
           %x = stablehlo.constant dense<[[1.5, -2.0, 0.25, 3.0], [0.5, 1.0, -6.0, 0.125]]> : tensor<2x4xf8E5M2>
           %least = stablehlo.constant dense<0xFC> : tensor<f8E5M2>
           %0 = stablehlo.reduce(%x init: %least) applies stablehlo.maximum across dimensions = [0, 1]
             : (tensor<2x4xf8E5M2>, tensor<f8E5M2>) -> tensor<f8E5M2>
           %1 = stablehlo.convert %0 : (tensor<f8E5M2>) -> tensor<f32>
           %2 = stablehlo.dot_general %x, %x, batching_dims = [0] x [0], contracting_dims = [1] x [1]
             : (tensor<2x4xf8E5M2>, tensor<2x4xf8E5M2>) -> tensor<2xf8E5M2>
           %3 = stablehlo.convert %2 : (tensor<2xf8E5M2>) -> tensor<2xf32>
           %bytes = stablehlo.constant dense<[0x3C, 0xB8]> : tensor<2xf8E5M2>
           %4 = stablehlo.bitcast_convert %bytes : (tensor<2xf8E5M2>) -> tensor<2x2xi4>
           return %1, %3, %4 : tensor<f32>, tensor<2xf32>, tensor<2x2xi4>
         }",
        &[],
        &[
            "dense<3.000000e+00> : tensor<f32>",
            "dense<[1.600000e+01, 4.000000e+01]> : tensor<2xf32>",
            "dense<[[-4, 3], [-8, -5]]> : tensor<2x2xi4>",
        ],
    );
}

/// Results of bf16 that are subnormal, whatever the instructions of the processor
/// do with such numbers; as bits.
#[test]
fn subnormal_bf16_numbers_stay() {
    expect(
        "func.func @main(%x: tensor<6xf32>, %y: tensor<6xf32>)
             -> (tensor<6xui16>, tensor<6xui16>, tensor<6xui16>, tensor<6xui16>, tensor<6xui16>, tensor<6xi1>) {
           %a = stablehlo.convert %x : (tensor<6xf32>) -> tensor<6xbf16>
           %b = stablehlo.convert %y : (tensor<6xf32>) -> tensor<6xbf16>
           %0 = stablehlo.multiply %a, %b : tensor<6xbf16>
           %1 = stablehlo.divide %a, %b : tensor<6xbf16>
           %2 = stablehlo.maximum %a, %b : tensor<6xbf16>
           %3 = stablehlo.negate %a : tensor<6xbf16>
           %4 = stablehlo.abs %a : tensor<6xbf16>
           %5 = stablehlo.sqrt %4 : tensor<6xbf16>
           %zero = stablehlo.subtract %b, %b : tensor<6xbf16>
           %6 = stablehlo.compare GT, %a, %zero : (tensor<6xbf16>, tensor<6xbf16>) -> tensor<6xi1>
           %7 = stablehlo.bitcast_convert %0 : (tensor<6xbf16>) -> tensor<6xui16>
           %8 = stablehlo.bitcast_convert %1 : (tensor<6xbf16>) -> tensor<6xui16>
           %9 = stablehlo.bitcast_convert %2 : (tensor<6xbf16>) -> tensor<6xui16>
           %10 = stablehlo.bitcast_convert %3 : (tensor<6xbf16>) -> tensor<6xui16>
           %11 = stablehlo.bitcast_convert %5 : (tensor<6xbf16>) -> tensor<6xui16>
           return %7, %8, %9, %10, %11, %6
             : tensor<6xui16>, tensor<6xui16>, tensor<6xui16>, tensor<6xui16>, tensor<6xui16>, tensor<6xi1>
         }",
        &[
            f32s(&[6], &[1e-19, -1.2e-38, 3e-39, 1e-40, 2.0, 1e-38]),
            f32s(&[6], &[1e-19, 0.5, 0.75, -1.0, 1e-39, 3.0]),
        ],
        &[
            "dense<[109, 32834, 25, 32769, 22, 292]> : tensor<6xui16>",
            "dense<[16256, 33027, 44, 32769, 32640, 36]> : tensor<6xui16>",
            "dense<[8172, 16128, 16192, 1, 16384, 16448]> : tensor<6xui16>",
            "dense<[40940, 131, 32801, 32769, 49152, 32877]> : tensor<6xui16>",
            "dense<[12206, 8193, 8066, 7733, 16309, 8172]> : tensor<6xui16>",
            "dense<[true, false, true, true, true, true]> : tensor<6xi1>",
        ],
    );
}

/// The nearest bf16 of an f32 and of an f64, which is rounded once: 1 + 2^-8 is
/// half way between two of them, and 2^-40 decides.
#[test]
fn conversions_to_bf16_round_once() {
    let code = "func.func @main(%x: tensor<6xf32>, %y: tensor<6xf64>) -> (tensor<6xui16>, tensor<6xui16>) {
        %0 = stablehlo.convert %x : (tensor<6xf32>) -> tensor<6xbf16>
        %1 = stablehlo.convert %y : (tensor<6xf64>) -> tensor<6xbf16>
        %2 = stablehlo.bitcast_convert %0 : (tensor<6xbf16>) -> tensor<6xui16>
        %3 = stablehlo.bitcast_convert %1 : (tensor<6xbf16>) -> tensor<6xui16>
        return %2, %3 : tensor<6xui16>, tensor<6xui16>
      }";
    let single = [
        1e-39,
        -3.3e-40,
        4.6e-41,
        1.0 + f32::powi(2.0, -8),
        1.0 + 3.0 * f32::powi(2.0, -8),
        f32::INFINITY,
    ];
    let (half, least) = (1.0 + 2_f64.powi(-8), 2_f64.powi(-40));
    let double = [half + least, half - least, 1e-39, 4.6e-41, -1e-40, 3e38];
    expect(
        code,
        &[
            f32s(&[6], &single),
            Literal::from_slice(&[6], &double).unwrap(),
        ],
        &[
            "dense<[11, 32772, 1, 16256, 16258, 32640]> : tensor<6xui16>",
            "dense<[16257, 16256, 11, 1, 32769, 32610]> : tensor<6xui16>",
        ],
    );
}

/// An update that is added to a subnormal number finds it in memory: 0.75 (0x3F40) and
/// 1 + 1 (0x4000).
#[test]
fn updates_are_added_to_subnormal_bf16_numbers() {
    expect(
        r#"func.func @main(%x: tensor<2xui16>, %i: tensor<2x1xi32>, %u: tensor<2xf32>) -> tensor<2xui16> {
           %a = stablehlo.bitcast_convert %x : (tensor<2xui16>) -> tensor<2xbf16>
           %b = stablehlo.convert %u : (tensor<2xf32>) -> tensor<2xbf16>
           %0 = "stablehlo.scatter"(%a, %i, %b) <{
             scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
           ^bb0(%old: tensor<bf16>, %new: tensor<bf16>):
             %1 = stablehlo.add %old, %new : tensor<bf16>
             stablehlo.return %1 : tensor<bf16>
           }) : (tensor<2xbf16>, tensor<2x1xi32>, tensor<2xbf16>) -> tensor<2xbf16>
           %2 = stablehlo.bitcast_convert %0 : (tensor<2xbf16>) -> tensor<2xui16>
           return %2 : tensor<2xui16>
         }"#,
        &[
            Literal::from_slice(&[2], &[1_u16, 0x3F80]).unwrap(),
            Literal::from_slice(&[2, 1], &[0_i32, 1]).unwrap(),
            f32s(&[2], &[0.75, 1.0]),
        ],
        &["dense<[16192, 16384]> : tensor<2xui16>"],
    );
}
