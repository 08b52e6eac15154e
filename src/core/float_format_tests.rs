//! Expected values are the results of numpy's ml_dtypes 0.6, unless they follow from the definition
//! of rounding.

use super::*;

const NARROW: [(&str, FloatFormat); 13] = [
    ("f4E2M1FN", F4E2M1FN),
    ("f6E2M3FN", F6E2M3FN),
    ("f6E3M2FN", F6E3M2FN),
    ("f8E3M4", F8E3M4),
    ("f8E4M3", F8E4M3),
    ("f8E4M3FN", F8E4M3FN),
    ("f8E4M3FNUZ", F8E4M3FNUZ),
    ("f8E4M3B11FNUZ", F8E4M3B11FNUZ),
    ("f8E5M2", F8E5M2),
    ("f8E5M2FNUZ", F8E5M2FNUZ),
    ("f8E8M0FNU", F8E8M0FNU),
    ("bf16", BF16),
    ("f16", F16),
];

fn codes(format: FloatFormat) -> std::ops::Range<u64> {
    0..1 << format.bit_width()
}

#[test]
fn every_pattern_converts_back_to_itself() {
    for (name, format) in NARROW {
        for bits in codes(format) {
            let value = format.to_f64(bits);
            assert_eq!(value.is_nan(), format.is_nan(bits), "{name} {bits:#x}");
            if !value.is_nan() {
                assert_eq!(format.from_f64(value), bits, "{name} {bits:#x} = {value}");
            }
        }
    }
}

#[test]
fn values_between_neighbours_round_to_the_nearer_and_ties_to_even() {
    for (name, format) in NARROW {
        for bits in 0..format.max_finite() {
            let (low, high) = (format.to_f64(bits), format.to_f64(bits + 1));
            assert!(low < high, "{name} {bits:#x}");
            let middle = low + (high - low) / 2.0;
            // A power of two has no fraction bit: its significand is odd.
            let tie = if format == F8E8M0FNU || bits & 1 == 1 {
                bits + 1
            } else {
                bits
            };
            assert_eq!(format.from_f64(middle), tie, "{name} {middle}");
            assert_eq!(format.from_f64(middle.next_down()), bits, "{name}");
            assert_eq!(format.from_f64(middle.next_up()), bits + 1, "{name}");
            if format != F8E8M0FNU && middle.next_up() > 0.0 {
                let negative = format.from_f64(-middle.next_up());
                assert_eq!(negative, format.sign_bit() | (bits + 1), "{name}");
            }
        }
    }
}

#[test]
fn f32_agrees_with_the_processor() {
    let samples = [
        0.1,
        1.0 / 3.0,
        -1e-40,
        1e-46,
        2.0_f64.powi(-150),
        2.0_f64.powi(-150).next_up(),
        f64::from(f32::MAX),
        f64::from(f32::MAX) * (1.0 + 2.0_f64.powi(-25)),
        3.5e38,
        -0.0,
        5e-324,
        16_777_217.0,
        16_777_219.0,
    ];
    for value in samples {
        let bits = F32.from_f64(value);
        assert_eq!(bits, u64::from((value as f32).to_bits()), "{value:e}");
        assert_eq!(F32.to_f64(bits), f64::from(value as f32), "{value:e}");
    }
}

#[test]
fn sub_byte_formats_have_the_documented_values() {
    let values =
        |format: FloatFormat, count| (0..count).map(|b| format.to_f64(b)).collect::<Vec<_>>();
    assert_eq!(
        values(F4E2M1FN, 16),
        [
            0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, -0.0, -0.5, -1.0, -1.5, -2.0, -3.0, -4.0, -6.0
        ]
    );
    assert_eq!(
        values(F6E2M3FN, 32),
        [
            0.0, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1.0, 1.125, 1.25, 1.375, 1.5, 1.625,
            1.75, 1.875, 2.0, 2.25, 2.5, 2.75, 3.0, 3.25, 3.5, 3.75, 4.0, 4.5, 5.0, 5.5, 6.0, 6.5,
            7.0, 7.5
        ]
    );
    assert_eq!(
        values(F6E3M2FN, 32),
        [
            0.0, 0.0625, 0.125, 0.1875, 0.25, 0.3125, 0.375, 0.4375, 0.5, 0.625, 0.75, 0.875, 1.0,
            1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 3.5, 4.0, 5.0, 6.0, 7.0, 8.0, 10.0, 12.0, 14.0, 16.0,
            20.0, 24.0, 28.0
        ]
    );
}

#[test]
fn eight_bit_formats_have_the_documented_values() {
    let inf = f64::INFINITY;
    let cases: [(FloatFormat, &[(u64, f64)]); 8] = [
        (
            F8E3M4,
            &[
                (0x01, 0.015625),
                (0x10, 0.25),
                (0x31, 1.0625),
                (0x6f, 15.5),
                (0x70, inf),
            ],
        ),
        (
            F8E4M3,
            &[
                (0x01, 0.001953125),
                (0x08, 0.015625),
                (0x5a, 20.0),
                (0x77, 240.0),
                (0x78, inf),
            ],
        ),
        (
            F8E4M3FN,
            &[
                (0x01, 0.001953125),
                (0x0f, 0.029296875),
                (0x78, 256.0),
                (0x7e, 448.0),
            ],
        ),
        (
            F8E4M3FNUZ,
            &[
                (0x01, 0.0009765625),
                (0x31, 0.28125),
                (0x7f, 240.0),
                (0xff, -240.0),
            ],
        ),
        (
            F8E4M3B11FNUZ,
            &[(0x01, 0.0001220703125), (0x40, 0.125), (0x7f, 30.0)],
        ),
        (
            F8E5M2,
            &[
                (0x01, 1.52587890625e-05),
                (0x47, 7.0),
                (0x7b, 57344.0),
                (0x7c, inf),
                (0xfc, -inf),
            ],
        ),
        (
            F8E5M2FNUZ,
            &[(0x01, 7.62939453125e-06), (0x47, 3.5), (0x7f, 57344.0)],
        ),
        (
            F8E8M0FNU,
            &[
                (0x00, 5.877471754111438e-39),
                (0x7f, 1.0),
                (0xfe, 1.7014118346046923e+38),
            ],
        ),
    ];
    for (format, values) in cases {
        for (bits, value) in values {
            assert_eq!(format.to_f64(*bits), *value, "{format:?} {bits:#x}");
        }
    }
    for (format, bits) in [
        (F8E3M4, 0x77),
        (F8E4M3, 0x7c),
        (F8E4M3FN, 0x7f),
        (F8E4M3FN, 0xff),
        (F8E4M3FNUZ, 0x80),
        (F8E5M2, 0x7e),
        (F8E8M0FNU, 0xff),
    ] {
        assert!(format.is_nan(bits), "{format:?} {bits:#x}");
    }
}

#[test]
fn ordinary_numbers_convert_as_in_ml_dtypes() {
    use std::f64::consts::{E, PI};
    let samples = [
        0.1,
        1.0 / 3.0,
        PI,
        -E,
        1e-3,
        100.3,
        -7.0625,
        0.0146,
        1.5 / 512.0,
    ];
    let expected: [(FloatFormat, [u64; 9]); 12] = [
        (F4E2M1FN, [0x0, 0x1, 0x5, 0xd, 0x0, 0x7, 0xf, 0x0, 0x0]),
        (F6E2M3FN, [0x1, 0x3, 0x15, 0x33, 0x0, 0x1f, 0x3e, 0x0, 0x0]),
        (F6E3M2FN, [0x2, 0x5, 0x12, 0x31, 0x0, 0x1f, 0x37, 0x0, 0x0]),
        (F8E3M4, [0x6, 0x15, 0x49, 0xc6, 0x0, 0x70, 0xdc, 0x1, 0x0]),
        (F8E4M3, [0x1d, 0x2b, 0x45, 0xc3, 0x1, 0x6d, 0xce, 0x7, 0x2]),
        (
            F8E4M3FN,
            [0x1d, 0x2b, 0x45, 0xc3, 0x1, 0x6d, 0xce, 0x7, 0x2],
        ),
        (
            F8E4M3FNUZ,
            [0x25, 0x33, 0x4d, 0xcb, 0x1, 0x75, 0xd6, 0xf, 0x3],
        ),
        (
            F8E4M3B11FNUZ,
            [0x3d, 0x4b, 0x65, 0xe3, 0x8, 0x80, 0xee, 0x27, 0x14],
        ),
        (
            F8E5M2,
            [0x2e, 0x35, 0x42, 0xc1, 0x14, 0x56, 0xc7, 0x23, 0x1a],
        ),
        (
            F8E5M2FNUZ,
            [0x32, 0x39, 0x46, 0xc5, 0x18, 0x5a, 0xcb, 0x27, 0x1e],
        ),
        (
            BF16,
            [
                0x3dcd, 0x3eab, 0x4049, 0xc02e, 0x3a83, 0x42c9, 0xc0e2, 0x3c6f, 0x3b40,
            ],
        ),
        (
            F16,
            [
                0x2e66, 0x3555, 0x4248, 0xc170, 0x1419, 0x5645, 0xc710, 0x237a, 0x1a00,
            ],
        ),
    ];
    for (format, bits) in expected {
        assert_eq!(
            samples.map(|value| format.from_f64(value)),
            bits,
            "{format:?}"
        );
    }
}

#[test]
fn the_ends_of_the_range_convert_as_in_ml_dtypes() {
    // inf, -inf, NaN, 1.5 times the largest finite number, 0, -0, and half of
    // the smallest positive number.
    let expected: [(FloatFormat, [u64; 7]); 13] = [
        (F4E2M1FN, [0x7, 0xf, 0x8, 0x7, 0x0, 0x8, 0x0]),
        (F6E2M3FN, [0x1f, 0x3f, 0x20, 0x1f, 0x0, 0x20, 0x0]),
        (F6E3M2FN, [0x1f, 0x3f, 0x20, 0x1f, 0x0, 0x20, 0x0]),
        (F8E3M4, [0x70, 0xf0, 0x78, 0x70, 0x0, 0x80, 0x0]),
        (F8E4M3, [0x78, 0xf8, 0x7c, 0x78, 0x0, 0x80, 0x0]),
        (F8E4M3FN, [0x7f, 0xff, 0x7f, 0x7f, 0x0, 0x80, 0x0]),
        (F8E4M3FNUZ, [0x80, 0x80, 0x80, 0x80, 0x0, 0x0, 0x0]),
        (F8E4M3B11FNUZ, [0x80, 0x80, 0x80, 0x80, 0x0, 0x0, 0x0]),
        (F8E5M2, [0x7c, 0xfc, 0x7e, 0x7c, 0x0, 0x80, 0x0]),
        (F8E5M2FNUZ, [0x80, 0x80, 0x80, 0x80, 0x0, 0x0, 0x0]),
        (F8E8M0FNU, [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x0]),
        (BF16, [0x7f80, 0xff80, 0x7fc0, 0x7f80, 0x0, 0x8000, 0x0]),
        (F16, [0x7c00, 0xfc00, 0x7e00, 0x7c00, 0x0, 0x8000, 0x0]),
    ];
    for (format, bits) in expected {
        let smallest = match format {
            F8E8M0FNU => format.to_f64(0),
            _ => format.to_f64(1),
        };
        let samples = [
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NAN,
            format.to_f64(format.max_finite()) * 1.5,
            0.0,
            -0.0,
            smallest / 2.0,
        ];
        assert_eq!(
            samples.map(|value| format.from_f64(value)),
            bits,
            "{format:?}"
        );
    }
}

#[test]
fn f16_is_rounded_once() {
    // Rounding to the nearest f32 first would result in the tie 1 + 2^-11, and then in the even 1.
    let value = 1.0 + 2.0_f64.powi(-11) + 2.0_f64.powi(-40);
    assert_eq!(F16.from_f64(value), 0x3c01);
}

#[test]
fn ordinals_count_the_numbers_between() {
    assert_eq!(F32.ordinal(0x8000_0000), Some(0));
    assert_eq!(F32.ordinal(1), Some(1));
    assert_eq!(F32.ordinal(0x8000_0001), Some(-1));
    assert_eq!(F32.ordinal(0x7fc0_0000), None);
    assert_eq!(F64.ordinal((-0.0_f64).to_bits()), Some(0));
    assert_eq!(F8E4M3FNUZ.ordinal(0x80), None);
    assert_eq!(F8E8M0FNU.ordinal(0x80), Some(0x80));
    assert_eq!(
        F16.ordinal(0x7c00).unwrap(),
        F16.ordinal(0x7bff).unwrap() + 1
    );
}
