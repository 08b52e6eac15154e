//! Dot products of ARM64 in NEON registers.
//!
//! `bfmmla` and `smmla` multiply two rows of lhs by two columns of rhs, each a 64-bit group along
//! k, and add the products to the 2 x 2 accumulators.
//!
//! The registers are NEON registers even on 256-bit SVE: Neoverse V1 executes four NEON or two SVE
//! multiplications per cycle (Arm Neoverse V1 Software Optimization Guide, "ASIMD integer
//! instructions", "SVE integer instructions").
//!
//! `bfmmla` rounds to odd if it does not round once, which at most doubles the rounding error of an
//! f32 addition (Arm Architecture Reference Manual, `BFMatMulAdd`).

use super::dot::{Dot, Number, SIGNED, Sums, add_by, lanes_of, letter};

/// Rows of a kernel's tile of squares.
pub const ROWS: i64 = 8;
/// Rows and columns of a square, and accumulators per register.
pub const SIDE: i64 = 2;
pub const LANES: i64 = 4;

/// `sdot` and `udot`: four bytes of one sign.
pub const SDOT: &Dot = &Dot {
    number: Number::Byte,
    size: 4,
    signs: &[[true, true], [false, false]],
    widths: &[64, 128],
    sums: Sums::Vectors(|builder, signs, factors, sums| {
        let (sign, lanes) = (letter(signs[0]), lanes_of(sums));
        let name = format!("llvm.aarch64.neon.{sign}dot.v{lanes}i32.v{}i8", 4 * lanes);
        add_by(builder, &name, factors, sums)
    }),
};

/// `smmla`, `ummla` and `usmmla`: matrices of groups of eight bytes.
pub const SMMLA: &Dot = &Dot {
    number: Number::Byte,
    size: 8,
    signs: &[[true, true], [false, true], [false, false]],
    widths: &[32 * LANES],
    sums: Sums::Squares(|builder, signs, factors, sums| {
        let name = match signs {
            [true, _] => "llvm.aarch64.neon.smmla.v4i32.v16i8",
            [false, false] => "llvm.aarch64.neon.ummla.v4i32.v16i8",
            [false, true] => "llvm.aarch64.neon.usmmla.v4i32.v16i8",
        };
        add_by(builder, name, factors, sums)
    }),
};

/// `bfmmla`: matrices of groups of four bf16 numbers.
pub const BFMMLA: &Dot = &Dot {
    number: Number::Bf16,
    size: 4,
    signs: SIGNED,
    widths: &[32 * LANES],
    sums: Sums::Squares(|builder, _, factors, sums| {
        add_by(builder, "llvm.aarch64.neon.bfmmla", factors, sums)
    }),
};
