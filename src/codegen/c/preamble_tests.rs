//! Compares the functions of the preamble, compiled by the system's C compiler, with Rust's.

use super::PREAMBLE;
use half::f16;
use std::{fs, process::Command};

/// Writes the results that the tests compare, in little-endian byte order.
const MAIN: &str = r#"
#include <stdio.h>
static void put(uint64_t value, int bytes) {
  for (int byte = 0; byte < bytes; ++byte)
    putchar((int)(value >> (8 * byte) & 0xff));
}
int main(void) {
  static const double numbers[] = {0.0, -0.0, 1.0, -1.5, 2.5, 1e10, -1e10, 1e300, INFINITY, -INFINITY, NAN};
  for (uint32_t half = 0; half < 0x10000; ++half)
    put(halo_f32_as_u32(halo_f16_to_f32((uint16_t)half)), 4);
  for (uint32_t bits = 0; bits < 0x10000; ++bits)
    put(halo_f32_to_f16(halo_u32_as_f32(bits << 16 | (bits * 40503u & 0xffff))), 2);
  for (uint32_t half = 0; half < 0x7c00; ++half) {
    double low = halo_f16_to_f32((uint16_t)half), high = halo_f16_to_f32((uint16_t)(half + 1));
    put(half + 1 == 0x7c00 ? halo_f64_to_f16(65520.0) : halo_f64_to_f16((low + high) / 2), 2);
  }
  for (size_t index = 0; index < sizeof numbers / sizeof *numbers; ++index) {
    double value = numbers[index];
    put((uint64_t)halo_f64_to_i32(value), 4);
    put(halo_f64_to_u32(value), 4);
    put((uint64_t)halo_f64_to_i64(value), 8);
    put(halo_f64_to_u64(value), 8);
    put((uint64_t)halo_f32_to_i32((float)value), 4);
    put(halo_f32_to_u32((float)value), 4);
  }
  put(halo_high_product_u64(0xfedcba9876543210ull, 0x123456789abcdef5ull), 8);
  put((uint64_t)halo_high_product_i64(-0x123456789abcdefll, 0x7edcba9876543210ll), 8);
  put(halo_leading_zeros_u32(1), 4);
  put(halo_leading_zeros_u64(0), 8);
  put(halo_trailing_zeros_u32(0), 4);
  put(halo_trailing_zeros_u64(0x8000), 8);
  put(halo_ones_u32(0xf0f0), 4);
  put((uint64_t)halo_floordiv_i64(-7, 2), 8);
  put((uint64_t)halo_ceildiv_i64(-7, 2), 8);
  put((uint64_t)halo_ceildiv_i32(7, 2), 4);
  put(halo_f32_as_u32(halo_maximumf(-0.0f, 0.0f)), 4);
  put(halo_f32_as_u32(halo_minimumf(0.0f, -0.0f)), 4);
  put(halo_maximum(NAN, 1.0) != halo_maximum(NAN, 1.0), 1);
  put(halo_minimum(1.0, NAN) != halo_minimum(1.0, NAN), 1);
  return 0;
}
"#;

/// The bytes that the program writes.
struct Written(std::vec::IntoIter<u8>);

impl Written {
    fn next(&mut self, bytes: usize) -> u64 {
        let mut word = [0; 8];
        word[..bytes].fill_with(|| self.0.next().unwrap());
        u64::from_le_bytes(word)
    }
}

fn run() -> Written {
    let folder = tempfile::tempdir().unwrap();
    let (source, program) = (folder.path().join("main.c"), folder.path().join("main"));
    fs::write(&source, format!("{PREAMBLE}\n{MAIN}")).unwrap();
    let mut cc = Command::new("cc");
    cc.args([
        "-std=c11",
        "-O2",
        "-Wall",
        "-Wextra",
        "-Werror",
        "-pedantic",
    ]);
    let done = cc.arg(&source).arg("-lm").arg("-o").arg(&program).output().unwrap();
    let errors = String::from_utf8_lossy(&done.stderr).into_owned();
    assert!(done.status.success(), "{errors}");
    let run = Command::new(&program).output().unwrap();
    assert!(run.status.success());
    Written(run.stdout.into_iter())
}

/// Converts a float to an integer, or to zero if it is out of range.
fn within(value: f64, low: f64, high: f64, convert: impl Fn(f64) -> u64) -> u64 {
    if value > low && value < high {
        convert(value)
    } else {
        0
    }
}

#[test]
fn functions_are_those_of_rust() {
    let mut written = run();
    for bits in 0..=u16::MAX {
        let (given, expected) = (
            f32::from_bits(written.next(4) as u32),
            f16::from_bits(bits).to_f32(),
        );
        assert!(
            given.to_bits() == expected.to_bits() || (given.is_nan() && expected.is_nan()),
            "{bits:#x}: {given} {expected}"
        );
    }
    for bits in 0..=u32::from(u16::MAX) {
        let value = f32::from_bits(bits << 16 | (bits.wrapping_mul(40503) & 0xffff));
        let (given, expected) = (f16::from_bits(written.next(2) as u16), f16::from_f32(value));
        assert!(
            given.to_bits() == expected.to_bits() || (given.is_nan() && expected.is_nan()),
            "{value:e}: {given} {expected}"
        );
    }
    // Ties round to even.
    for bits in 0..0x7c00_u64 {
        assert_eq!(written.next(2), bits + (bits & 1), "{bits:#x}");
    }
    let numbers = [0.0, -0.0, 1.0, -1.5, 2.5, 1e10, -1e10, 1e300, f64::INFINITY];
    for value in numbers.into_iter().chain([f64::NEG_INFINITY, f64::NAN]) {
        let two = 2_f64;
        let i32s = within(value, -two.powi(31) - 1.0, two.powi(31), |x| {
            u64::from((x as i32).cast_unsigned())
        });
        let u32s = within(value, -1.0, two.powi(32), |x| u64::from(x as u32));
        assert_eq!(written.next(4), i32s, "{value}");
        assert_eq!(written.next(4), u32s, "{value}");
        let i64s = within(value, -two.powi(63) * 1.1, two.powi(63), |x| {
            (x as i64).cast_unsigned()
        });
        assert_eq!(written.next(8), i64s, "{value}");
        assert_eq!(
            written.next(8),
            within(value, -1.0, two.powi(64), |x| x as u64),
            "{value}"
        );
        assert_eq!(written.next(4), i32s, "{value}");
        assert_eq!(written.next(4), u32s, "{value}");
    }
    let product = 0xfedc_ba98_7654_3210_u128 * 0x1234_5678_9abc_def5_u128;
    assert_eq!(written.next(8), (product >> 64) as u64);
    let product = -0x0123_4567_89ab_cdef_i128 * 0x7edc_ba98_7654_3210_i128;
    assert_eq!(written.next(8), (product >> 64) as u64);
    let counts = [(4, 31), (8, 64), (4, 32), (8, 15), (4, 8)];
    for (bytes, expected) in counts {
        assert_eq!(written.next(bytes), expected);
    }
    assert_eq!(written.next(8).cast_signed(), -4);
    assert_eq!(written.next(8).cast_signed(), -3);
    assert_eq!(written.next(4), 4);
    assert_eq!(written.next(4), 0);
    assert_eq!(written.next(4), u64::from((-0_f32).to_bits()));
    assert_eq!((written.next(1), written.next(1)), (1, 1));
    assert!(written.0.next().is_none());
}
