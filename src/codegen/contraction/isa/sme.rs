//! SME instructions on ZA tiles, and streaming mode.
//!
//! ZA is a square with as many rows as a vector has bytes. A tile of ZA has one row per element of
//! a vector of sums. An outer-product instruction adds the product of each pair of elements of two
//! vectors to a tile. These instructions need streaming mode, in which SVE registers have another
//! length and NEON instructions are unavailable. So regions run in this mode, which
//! `--halo-outline-streaming-regions` outlines to functions:
//!
//! ```mlir
//! scf.execute_region no_inline {
//!   llvm.inline_asm has_side_effects "... smstart za", ...
//!   llvm.call_intrinsic "llvm.aarch64.sme.zero"(%tiles) : (i32) -> ()
//!   // ... %a and %b of vector<16xf32>
//!   llvm.call_intrinsic "llvm.aarch64.sme.mopa.nxv4f32"(%tile, %all, %all, %x, %y) : ...
//!   %row = llvm.call_intrinsic "llvm.aarch64.sme.read.horiz.nxv4f32"(%any, %all, %tile, %n) : ...
//!   llvm.inline_asm has_side_effects "smstop za"
//!   scf.yield
//! } {arm_locally_streaming}
//! ```
//!
//! A caller up the stack may have live ZA state, which the first function that uses ZA must save
//! (Procedure Call Standard for the Arm 64-bit Architecture, "ZA lazy saving scheme"). For
//! functions with `aarch64_new_za`, LLVM calls a function of compiler-rt to save it, which programs
//! would have to link. So a region saves it inline.

use super::{
    dot::{ALL_SIGNS, Dot, Number, SIGNED, Sums, intrinsic},
    sve,
};
use crate::contraction::plan::even_division::ceil_div;
use halo_ir::{
    ops::{llvm, ub},
    prelude::*,
};

/// `bfmopa` and `fmopa`: pairs of bf16 and of f16.
pub const BFMOPA: &Dot = &Dot {
    number: Number::Bf16,
    size: 2,
    signs: SIGNED,
    widths: &[],
    sums: Sums::SmeTiles(|_| "mopa.wide"),
};
pub const FMOPA: &Dot = &Dot {
    number: Number::F16,
    ..*BFMOPA
};

/// `smopa`, `umopa`, `sumopa` and `usmopa`: four bytes.
pub const SMOPA: &Dot = &Dot {
    number: Number::Byte,
    size: 4,
    signs: ALL_SIGNS,
    widths: &[],
    sums: Sums::SmeTiles(|signs| match signs {
        [true, true] => "smopa.wide",
        [true, false] => "sumopa.wide",
        [false, true] => "usmopa.wide",
        [false, false] => "umopa.wide",
    }),
};

/// The tiles of accumulators of a kernel.
const TILES: i64 = 4;

/// The rows and vectors of the kernel's tile for a part of the result of the given size.
pub fn shape(rows: i64, columns: i64, lanes: i64) -> (i64, i64) {
    let [rows, columns] = [rows, columns].map(|size| ceil_div(size, lanes));
    let (rows, vectors) = match (rows, columns) {
        (1, _) => (1, columns.min(TILES)),
        (_, 1) => (rows.min(TILES), 1),
        _ => (2, 2),
    };
    (rows * lanes, vectors)
}

/// The attribute of streaming regions and functions: upstream's attribute for functions that enter
/// and leave the mode themselves.
pub const STREAMING: &str = "arm_locally_streaming";

/// Saves a caller's ZA state row by row, if `TPIDR2_EL0` is set, and enables ZA.
const START: &str = "mrs x9, TPIDR2_EL0\n\
    cbz x9, 3f\n\
    ldr x10, [x9]\n\
    ldrh w11, [x9, #8]\n\
    cbz x10, 2f\n\
    cbz w11, 2f\n\
    mov w12, wzr\n\
    1: str za[w12, #0], [x10]\n\
    addsvl x10, x10, #1\n\
    add w12, w12, #1\n\
    cmp w12, w11\n\
    b.lo 1b\n\
    2: msr TPIDR2_EL0, xzr\n\
    3: smstart za";
const START_CHANGES: &str = "~{x9},~{x10},~{x11},~{x12},~{cc},~{memory}";
const STOP: &str = "smstop za";
const STOP_CHANGES: &str = "~{memory}";

/// All 64-bit tiles, which together cover ZA.
const ALL_TILES: i64 = 0xff;

/// Code in streaming mode, with ZA.
pub fn in_streaming_mode<'c>(builder: &Builder<'c>, body: impl FnOnce(&Builder<'c>)) {
    let region = builder.region(&[], |builder, _| {
        assembly(builder, START, START_CHANGES);
        body(builder);
        assembly(builder, STOP, STOP_CHANGES);
        scf::yield_(builder, &[]);
    });
    let op = scf::ExecuteRegionOp::build(builder, &[], region);
    let op = op.no_inline(true).insert();
    op.set_attribute(STREAMING, unit_attribute(builder.context()));
}

fn assembly(builder: &Builder, code: &str, changes: &str) {
    let op = llvm::InlineAsmOp::build(builder, &[], code, changes);
    op.has_side_effects(true).insert();
}

/// Zeroes all tiles.
pub fn zero(builder: &Builder) {
    let tiles = number(builder, ALL_TILES);
    call(builder, "llvm.aarch64.sme.zero", &[tiles])
}

/// Adds the outer product of two registers to a tile, by `llvm.aarch64.sme.NAME`. Elements narrower
/// than the sums are groups of adjacent numbers, whose products are summed.
pub fn add_outer_product<'c>(
    builder: &Builder<'c>,
    name: &str,
    tile: i64,
    [lhs, rhs]: [Value<'c>; 2],
) {
    let element = lhs.ty().element_type();
    let all = all_lanes(builder, element);
    let lanes = sve::lanes_of_unit(element);
    let name = format!("llvm.aarch64.sme.{name}.nxv{lanes}{element}");
    call(builder, &name, &[number(builder, tile), all, all, lhs, rhs])
}

/// A row of a tile.
pub fn row<'c>(builder: &Builder<'c>, tile: i64, row: Value<'c>, ty: Type<'c>) -> Value<'c> {
    let element = ty.element_type();
    let register = sve::register_type(builder, element);
    let any = ub::poison(builder, register);
    let all = all_lanes(builder, element);
    let row = arith::index_cast(builder, row, integer_type(builder.context(), 32));
    let lanes = sve::lanes_of_unit(element);
    let name = format!("llvm.aarch64.sme.read.horiz.nxv{lanes}{element}");
    let operands = [any, all, number(builder, tile), row];
    let row = intrinsic(builder, &name, &operands, register);
    sve::vector(builder, row, ty)
}

/// The predicate of all elements of a register.
fn all_lanes<'c>(builder: &Builder<'c>, element: Type<'c>) -> Value<'c> {
    let lanes = sve::lanes_of_unit(element);
    let bit = integer_type(builder.context(), 1);
    arith::constant(builder, sve::scalable(builder, lanes, bit), 1)
}

fn number<'c>(builder: &Builder<'c>, value: i64) -> Value<'c> {
    arith::constant(builder, integer_type(builder.context(), 32), value)
}

fn call<'c>(builder: &Builder<'c>, name: &str, operands: &[Value<'c>]) {
    let call = llvm::CallIntrinsicOp::build(builder, name, operands, &[], &[]);
    call.insert();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_rows_or_columns_have_four_tiles_of_the_others() {
        for (rows, columns, lanes, expected) in [
            (256, 384, 16, (32, 2)),
            (17, 17, 16, (32, 2)),
            (16, 300, 16, (16, 4)),
            (9, 40, 16, (16, 3)),
            (300, 10, 16, (64, 1)),
            (20, 16, 16, (32, 1)),
            (9, 9, 16, (16, 1)),
            (256, 384, 8, (16, 2)),
        ] {
            assert_eq!(shape(rows, columns, lanes), expected, "{rows} {columns}");
        }
    }
}
