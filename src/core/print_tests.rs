//! Expectations are the output of mlir-opt 22 for the same constants.

use super::*;
use crate::{Shape, bf16, f16};
use num_complex::Complex;

fn print<T: crate::NativeType>(elements: &[T]) -> String {
    Literal::from_slice(&[elements.len()], elements)
        .unwrap()
        .display(PrintOptions::ALL)
        .to_string()
}

fn float_text(format: FloatFormat, value: f64) -> String {
    bits_text(format, format.from_f64(value))
}

#[test]
fn f32_in_the_shortest_of_mlirs_forms() {
    let cases = [
        (1.0_f32, "1.000000e+00"),
        (0.1, "1.000000e-01"),
        (0.33333334, "0.333333343"),
        (-0.0, "-0.000000e+00"),
        (0.0, "0.000000e+00"),
        (1234567.0, "0x4996B438"),
        (16777216.0, "0x4B800000"),
        (f32::INFINITY, "0x7F800000"),
        (f32::NEG_INFINITY, "0xFF800000"),
        (1.0e-7, "1.000000e-07"),
        (std::f32::consts::PI, "3.14159274"),
        (123456.5, "123456.5"),
        (f32::MAX, "3.40282347E+38"),
        (1.0e-45, "1.401300e-45"),
        (0.0009765625, "9.765625E-4"),
        (12345.679, "12345.6787"),
        (100.25, "1.002500e+02"),
        (0.00012345678, "1.23456775E-4"),
        (123456789.0, "0x4CEB79A3"),
        (999999.5, "999999.5"),
        (0.12345649, "0.123456493"),
        (12345600.0, "1.234560e+07"),
        (1234567940.0, "1.23456794E+9"),
        (123456790000.0, "1.23456791E+11"),
    ];
    for (value, text) in cases {
        assert_eq!(float_text(crate::float_format::F32, value.into()), text);
    }
}

#[test]
fn f64_in_the_shortest_of_mlirs_forms() {
    let cases = [
        (0.1, "1.000000e-01"),
        (1.0 / 3.0, "0.33333333333333331"),
        (1.0e300, "1.000000e+300"),
        (std::f64::consts::PI, "3.1415926535897931"),
        (5.0e-324, "4.940660e-324"),
        (12345678.0, "0x41678C29C0000000"),
        (1048576.5, "1048576.5"),
        (100000.5, "100000.5"),
        (1234567890123456000.0, "1.234567890123456E+18"),
        (4503599627370497.5, "0x4330000000000002"),
        (12345678901234.25, "12345678901234.25"),
        (f64::NAN, "0x7FF8000000000000"),
    ];
    for (value, text) in cases {
        assert_eq!(float_text(crate::float_format::F64, value), text);
    }
}

#[test]
fn narrow_floats_round_decimal_ties_away_from_zero() {
    use crate::float_format::{BF16, F4E2M1FN, F8E4M3FN, F8E4M3FNUZ, F8E8M0FNU, F16};
    let cases = [
        (F16, 0.1, "9.997550e-02"),
        (F16, 65504.0, "6.550400e+04"),
        (F16, 1.0e-7, "1.192090e-07"),
        (F16, f64::NAN, "0x7E00"),
        (BF16, 0.333, "3.320310e-01"),
        (BF16, 1.0e-40, "9.183550e-41"),
        (BF16, -256.0, "-2.560000e+02"),
        (F8E4M3FN, 0.1, "1.015630e-01"),
        (F8E4M3FN, 0.001953125, "1.953130e-03"),
        (F8E4M3FN, f64::NAN, "0x7F"),
        (F8E4M3FNUZ, f64::NAN, "0x80"),
        (F4E2M1FN, 0.5, "5.000000e-01"),
        (F8E8M0FNU, f64::NAN, "0xFF"),
    ];
    for (format, value, text) in cases {
        assert_eq!(
            float_text(format, format.to_f64(format.from_f64(value))),
            text,
            "{format:?}"
        );
    }
}

#[test]
fn literals_of_every_class() {
    assert_eq!(print(&[1_i32, -2]), "dense<[1, -2]> : tensor<2xi32>");
    assert_eq!(
        print(&[u64::MAX, 0]),
        "dense<[18446744073709551615, 0]> : tensor<2xui64>"
    );
    assert_eq!(
        print(&[f16::from_f32(1.5), f16::ZERO]),
        "dense<[1.500000e+00, 0.000000e+00]> : tensor<2xf16>"
    );
    assert_eq!(
        print(&[Complex::new(1.0_f32, 0.1), Complex::new(0.33333334, -2.0)]),
        "dense<[(1.000000e+00,1.000000e-01), (0.333333343,-2.000000e+00)]> \
         : tensor<2xcomplex<f32>>"
    );
    let nans = [f32::from_bits(0xff8c_0861), f32::from_bits(0x7fba_716d)];
    assert_eq!(
        print(&nans),
        "dense<[0xFF8C0861, 0x7FBA716D]> : tensor<2xf32>"
    );
    let bools = Literal::from_bools(&[2], &[true, false]).unwrap();
    assert_eq!(format!("{bools:?}"), "dense<[true, false]> : tensor<2xi1>");
}

#[test]
fn scalars_splats_nesting_and_nothing() {
    assert_eq!(
        format!("{:?}", Literal::scalar(3_i32)),
        "dense<3> : tensor<i32>"
    );
    assert_eq!(
        print(&[bf16::ONE; 4]),
        "dense<1.000000e+00> : tensor<4xbf16>"
    );
    let nested = Literal::from_slice(&[2, 1, 2], &[1_i8, 2, 3, 4]).unwrap();
    assert_eq!(
        format!("{nested:?}"),
        "dense<[[[1, 2]], [[3, 4]]]> : tensor<2x1x2xi8>"
    );
    let empty = Literal::zeros(Shape::new(ElementType::F32, [2, 0]).unwrap());
    assert_eq!(format!("{empty:?}"), "dense<> : tensor<2x0xf32>");
}

#[test]
fn large_literals_are_elided() {
    let shape = Shape::new(ElementType::I32, [2, 800]).unwrap();
    let literal = Literal::from_fn(shape, |position| position as i64);
    assert_eq!(
        format!("{literal:?}"),
        "dense<[[0, 1, 2, ..., 797, 798, 799], [800, 801, 802, ..., 1597, 1598, 1599]]> \
         : tensor<2x800xi32>"
    );
    let all = literal.display(PrintOptions::ALL).to_string();
    assert!(all.contains("400, 401"));
}
