//! Floats of a byte or less: storage and rounding of arithmetic.
//!
//! The expected values come from NumPy with ml_dtypes, as the bits of an f32.

use super::{expect, f32s};

/// Ops on an operand in a format: its sum, product and quotient with another, and the largest
/// element of the other or one.
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
    let expected: Vec<String> = expected
        .iter()
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
