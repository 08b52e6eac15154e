//! Instruction sets: data about the instructions of a target that multiply groups of numbers.
//!
//! A dot-product instruction adds the products of two or four adjacent numbers along k to each
//! accumulator. Panels store such groups as 32-bit integers, and the kernel broadcasts groups of
//! lhs instead of numbers. Other instructions multiply matrices of groups.
//!
//! | group | instructions |
//! |---|---|
//! | two of bf16 | `vdpbf16ps` ([`x86`]) |
//! | two of 16 bits | `pmaddwd` ([`x86`]) |
//! | four of 8 bits | `vpdpbusd`, `sdot` of NEON and SVE, and their like ([`x86`], [`neon`], [`sve`]) |
//! | both | the tiles of AMX ([`amx`]) |
//! | both, two of f16, and single numbers of f32 and f64 | the tiles of SME ([`sme`]) |
//! | four of bf16, eight of 8 bits | `bfmmla`, `smmla` and their like ([`neon`]) |
//!
//! An instruction is a [`Dot`]: what it multiplies, and a function that emits it. 8-bit integers
//! are extended when they are packed, unless they are multiplied in groups of four.
//!
//! If the depth of an integer product is no multiple of the group size, panels are padded with
//! zeros ([`super::pack`]): the 147 products of a 7 x 7 x 3 window become 37 groups of four.

pub mod amx;
pub mod dot;
pub mod neon;
pub mod sme;
pub mod sve;
pub mod x86;

use super::shape::Shape;
use dot::{Dot, Group, Sums};
use halo_core::machine::Machine;
use halo_ir::prelude::*;

pass_options! {
    /// The bf16 dot-product instructions of a target.
    pub enum Bf16Products {
        /// None.
        None = "none",
        /// `vdpbf16ps` on 512 bits.
        Avx512Bf16 = "avx512bf16",
        /// The tiles of AMX-BF16.
        Amx = "amx",
        /// `bfmmla` of ARM64.
        Bfmmla = "bfmmla",
    }
}

pass_options! {
    /// The integer dot-product instructions of a target.
    pub enum IntegerProducts {
        /// None.
        None = "none",
        /// `pmaddwd`: pairs of 16 bits.
        Pmaddwd = "pmaddwd",
        /// `pmaddwd`, and `vpdpbusd` of AVX-VNNI and AVX512-VNNI: four bytes, unsigned by signed.
        Vpdpbusd = "vpdpbusd",
        /// These, and `vpdpbssd` and its variants of AVX-VNNI-INT8 and AVX10.2.
        Vpdpbssd = "vpdpbssd",
        /// The tiles of AMX-INT8, `vpdpbusd` and `pmaddwd`.
        Amx = "amx",
        /// `sdot` and `udot` of ARM64: four of 8 bits of one sign.
        Sdot = "sdot",
        /// These, and `smmla`, `ummla` and `usmmla` of ARM64: matrices of groups of eight bytes.
        Smmla = "smmla",
        /// `sdot` and `udot` of SVE, on registers of any length.
        SveDot = "sve-dot",
    }
}

pass_options! {
    /// The SME outer-product instructions of a target.
    pub enum OuterProducts {
        /// None.
        None = "none",
        /// Outer products with 32-bit sums.
        Sme = "sme",
        /// Outer products with 32-bit and f64 sums.
        SmeF64 = "sme-f64f64",
    }
}

/// The minimum element size of the squares in which rows are transposed.
const SQUARE_BITS: i64 = 32;

/// The instructions of a target for products.
#[derive(Clone, Copy, Debug)]
pub struct Instructions {
    /// Its sizes and rates.
    pub machine: Machine,
    /// Whether its vectors are registers of SVE.
    pub sve: bool,
    pub bf16_products: Bf16Products,
    pub integer_products: IntegerProducts,
    pub outer_products: OuterProducts,
    /// The width of vectors of these.
    pub streaming_bits: i64,
}

impl Instructions {
    /// Whether some lanes of a vector are stored as quickly as all: AVX-512 has masks.
    pub fn has_masks(self) -> bool {
        self.machine.vector_bits >= 512 && !self.sve
    }

    /// The instructions of the target, the fastest first.
    fn dots(self) -> impl Iterator<Item = &'static Dot> {
        // Processors with AMX multiply more numbers by `vfmadd231ps` than by `vdpbf16ps`.
        let floats: &[&Dot] = match self.bf16_products {
            Bf16Products::None => &[],
            Bf16Products::Avx512Bf16 => &[x86::VDPBF16PS],
            Bf16Products::Amx => &[amx::TDPBF16PS],
            Bf16Products::Bfmmla => &[neon::BFMMLA],
        };
        let integers: &[&Dot] = match self.integer_products {
            IntegerProducts::None => &[],
            IntegerProducts::Pmaddwd => &[x86::PMADDWD],
            IntegerProducts::Vpdpbusd => &[x86::VPDPBUSD, x86::PMADDWD],
            IntegerProducts::Vpdpbssd => &[x86::VPDPBSSD, x86::PMADDWD],
            IntegerProducts::Amx => &[amx::TDPBSSD, x86::VPDPBUSD, x86::PMADDWD],
            IntegerProducts::Sdot => &[neon::SDOT],
            IntegerProducts::Smmla => &[neon::SMMLA, neon::SDOT],
            IntegerProducts::SveDot => &[sve::SDOT],
        };
        let outer: &[&Dot] = match self.outer_products {
            OuterProducts::None => &[],
            OuterProducts::Sme | OuterProducts::SmeF64 => &[sme::BFMOPA, sme::FMOPA, sme::SMOPA],
        };
        floats.iter().chain(integers).chain(outer).copied()
    }
}

/// Matrix tiles that hold the accumulators instead of vector registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatrixTiles {
    /// The tiles of AMX.
    Amx,
    /// The tiles of SME.
    Sme,
}

impl MatrixTiles {
    /// The tiles for a matrix product, and their groups, if they do not multiply single numbers.
    pub fn of(
        shape: &Shape,
        instructions: Instructions,
        lanes: i64,
    ) -> Option<(Self, Option<Group>)> {
        // Ranges of k are whole runs of a convolution's patches, and whole tiles.
        let is_whole = |numbers: i64| shape.depth % numbers == 0 && shape.has_groups_of(numbers);
        let of_amx = instructions
            .dots()
            .filter(|dot| matches!(dot.sums, Sums::AmxTiles(_)))
            .filter_map(|dot| dot.group(shape, Some(lanes)))
            .find(|group| is_whole(amx::numbers_along_k(*group)));
        if of_amx.is_some() {
            return Some((Self::Amx, of_amx));
        }
        // Rows of patches are packed in squares.
        let side = instructions.machine.vector_bits / SQUARE_BITS;
        let fits_patches = |size: i64| shape.has_groups_of(size * side);
        let of_sme = instructions
            .dots()
            .filter(|dot| matches!(dot.sums, Sums::SmeTiles(_)))
            .filter_map(|dot| dot.group(shape, None))
            .find(|group| shape.depth % group.size() == 0 && fits_patches(group.size()));
        let has_numbers = match (instructions.outer_products, shape.accumulator.float) {
            (OuterProducts::None, _) => false,
            (_, Some(FloatKind::F32)) => true,
            (products, Some(FloatKind::F64)) => products == OuterProducts::SmeF64,
            _ => false,
        };
        (of_sme.is_some() || has_numbers && fits_patches(1)).then_some((Self::Sme, of_sme))
    }
}

impl Group {
    /// The largest supported groups for a matrix product in vectors of `lanes` lanes.
    pub fn of(shape: &Shape, instructions: Instructions, lanes: i64) -> Option<Self> {
        instructions
            .dots()
            .filter(|dot| matches!(dot.sums, Sums::Vectors(_) | Sums::Squares(_)))
            .filter_map(|dot| dot.group(shape, Some(lanes)))
            .find(|group| group.fits_depth(shape.depth) && group.fits_patches(shape))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loops::contraction::Extension;
    use halo_core::machine::X86_64_V4;

    #[test]
    fn lhs_is_flipped_if_the_instruction_lacks_its_signs() {
        let of = |integer_products, extensions: [Extension; 2], depth| {
            let shape = Shape::of_bytes(depth, extensions);
            let instructions = Instructions {
                machine: X86_64_V4,
                sve: false,
                bf16_products: Bf16Products::None,
                integer_products,
                outer_products: OuterProducts::None,
                streaming_bits: 512,
            };
            let group = Group::of(&shape, instructions, 16);
            group.map(|group| (group.size(), group.is_flipped))
        };
        use Extension::{Signed, Unsigned};
        use IntegerProducts::{Pmaddwd, Sdot, Smmla, Vpdpbssd, Vpdpbusd};
        assert_eq!(of(Vpdpbusd, [Unsigned, Signed], 64), Some((4, false)));
        assert_eq!(of(Vpdpbusd, [Signed, Signed], 64), Some((4, true)));
        assert_eq!(of(Vpdpbssd, [Signed, Signed], 64), Some((4, false)));
        assert_eq!(of(Vpdpbssd, [Signed, Unsigned], 64), Some((4, false)));
        assert_eq!(of(Pmaddwd, [Signed, Unsigned], 64), Some((2, false)));
        assert_eq!(of(Sdot, [Signed, Unsigned], 64), Some((4, true)));
        assert_eq!(of(Smmla, [Unsigned, Signed], 64), Some((8, false)));
        assert_eq!(of(Smmla, [Signed, Unsigned], 64), Some((4, true)));
        // A group of eight would be padding, and one of four is whole.
        assert_eq!(of(Smmla, [Signed, Signed], 4), Some((4, false)));
        assert_eq!(of(IntegerProducts::None, [Signed, Signed], 64), None);
    }
}
