//! Tiles of AMX.
//!
//! A tile has 16 rows of 64 bytes: 16 groups of lhs or 16 sums, or 16 columns of rhs for each of 16
//! groups along k, as in panels. One instruction multiplies 16 x 16 groups by 16 columns.
//!
//! `tdpbf16ps` accumulates the first and the second numbers of pairs separately before it adds
//! both, and flushes subnormal numbers as `vdpbf16ps` does
//! ([`crate::contraction::pack::exponents`]).

use super::dot::{ALL_SIGNS, Dot, Group, Number, SIGNED, Sums};
use crate::contraction::plan::even_division::ceil_div;
use halo_ir::{ops::amx, prelude::*};

/// Rows of a tile, and groups or sums per row.
pub const SIZE: i64 = 16;

/// `tdpbf16ps`: pairs of bf16.
pub const TDPBF16PS: &Dot = &Dot {
    number: Number::Bf16,
    size: 2,
    signs: SIGNED,
    widths: &[32 * SIZE],
    sums: Sums::AmxTiles(|builder, _, [lhs, rhs], sums| {
        amx::tile_mulf(builder, lhs, rhs, sums, sums.ty())
    }),
};

/// `tdpbssd` and its variants: four bytes.
pub const TDPBSSD: &Dot = &Dot {
    number: Number::Byte,
    size: 4,
    signs: ALL_SIGNS,
    widths: &[32 * SIZE],
    sums: Sums::AmxTiles(
        |builder, [is_lhs_signed, is_rhs_signed], [lhs, rhs], sums| {
            amx::TileMulIOp::build(builder, lhs, rhs, sums, sums.ty())
                .is_zext_lhs(!is_lhs_signed)
                .is_zext_rhs(!is_rhs_signed)
                .value()
        },
    ),
};

/// The rows and vectors of the kernel's tile for a part of the result of the given size: four tiles
/// of accumulators need as many tiles of operands.
pub fn shape(rows: i64, columns: i64) -> (i64, i64) {
    let tiles = |size: i64| ceil_div(size, SIZE).min(2);
    (SIZE * tiles(rows), tiles(columns))
}

/// The numbers along k of a tile of groups.
pub fn numbers_along_k(group: Group) -> i64 {
    SIZE * group.size()
}

/// The types of operand tiles and of accumulator tiles.
pub fn tile_types<'c>(builder: &Builder<'c>, group: Group) -> (Type<'c>, Type<'c>) {
    let number = group.dot.number;
    let parse = |columns: i64, element: &str| {
        let text = format!("!amx.tile<{SIZE}x{columns}x{element}>");
        Type::parse(builder.context(), &text)
            .unwrap_or_else(|| bug("the type of a tile is not known"))
    };
    let sum = if number.is_integer() { "i32" } else { "f32" };
    let element = number.ty(builder).to_string();
    (parse(numbers_along_k(group), &element), parse(SIZE, sum))
}
