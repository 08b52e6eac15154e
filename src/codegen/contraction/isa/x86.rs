//! Dot products of x86-64 in vector registers.
//!
//! `pmaddwd` is in every x86-64; it multiplies pairs of 16-bit integers. With VNNI, LLVM fuses it
//! with the following addition (`vpdpwssd`). Only the product of pairs of -32768 overflows, and it
//! wraps around as the sums do. An instruction has the same name on registers of all sizes, so
//! AVX2 and AVX-512 share these.

use super::dot::{ALL_SIGNS, Dot, Number, SIGNED, Sums, add_by, intrinsic, lanes_of, letter};
use halo_ir::prelude::*;

/// `pmaddwd` of SSE2, AVX2 and AVX-512: pairs of 16-bit integers.
pub const PMADDWD: &Dot = &Dot {
    number: Number::Half,
    size: 2,
    signs: SIGNED,
    widths: &[128, 256, 512],
    sums: Sums::Vectors(|builder, _, factors, sums| {
        let name = match lanes_of(sums) {
            4 => "llvm.x86.sse2.pmadd.wd",
            8 => "llvm.x86.avx2.pmadd.wd",
            _ => "llvm.x86.avx512.pmaddw.d.512",
        };
        let products = intrinsic(builder, name, &factors, sums.ty());
        arith::addi(builder, sums, products)
    }),
};

/// `vpdpbusd` of AVX-VNNI and AVX512-VNNI: four bytes, unsigned by signed.
pub const VPDPBUSD: &Dot = &Dot {
    number: Number::Byte,
    size: 4,
    signs: &[[true, false], [false, true]],
    widths: &[128, 256, 512],
    sums: Sums::Vectors(vpdpbusd),
};

/// Also `vpdpbssd` and its variants of AVX-VNNI-INT8 and AVX10.2: bytes of all signs.
pub const VPDPBSSD: &Dot = &Dot {
    signs: ALL_SIGNS,
    sums: Sums::Vectors(|builder, signs, factors, sums| {
        let bits = 32 * lanes_of(sums);
        if signs[0] != signs[1] {
            return vpdpbusd(builder, signs, factors, sums);
        }
        let set = if bits == 512 { "avx10" } else { "avx2" };
        let sign = letter(signs[0]);
        let name = format!("llvm.x86.{set}.vpdpb{sign}{sign}d.{bits}");
        add_by(builder, &name, factors, sums)
    }),
    ..*VPDPBUSD
};

/// `vdpbf16ps` on 512 bits: pairs of bf16. It flushes subnormal numbers
/// ([`crate::contraction::pack::exponents`]).
pub const VDPBF16PS: &Dot = &Dot {
    number: Number::Bf16,
    size: 2,
    signs: SIGNED,
    widths: &[512],
    sums: Sums::Vectors(|builder, _, factors, sums| {
        add_by(builder, "llvm.x86.avx512bf16.dpbf16ps.512", factors, sums)
    }),
};

fn vpdpbusd<'c>(
    builder: &Builder<'c>,
    [is_lhs_signed, _]: [bool; 2],
    [lhs, rhs]: [Value<'c>; 2],
    sums: Value<'c>,
) -> Value<'c> {
    let name = format!("llvm.x86.avx512.vpdpbusd.{}", 32 * lanes_of(sums));
    let factors = if is_lhs_signed {
        [rhs, lhs]
    } else {
        [lhs, rhs]
    };
    add_by(builder, &name, factors, sums)
}
