//! Groups of numbers as elements of panels.

use crate::{
    contraction::{
        isa::dot::{Group, Number},
        matmul::Matmul,
    },
    loops::prelude::LHS,
};
use halo_ir::prelude::*;

/// Flips the sign bit of a byte.
pub const SIGN: i64 = -128;

impl Group {
    /// The type of a group in a panel.
    pub fn ty<'c>(self, builder: &Builder<'c>) -> Type<'c> {
        integer_type(builder.context(), self.bits() as u32)
    }

    /// The type of a number in a group.
    pub fn number_type<'c>(self, builder: &Builder<'c>) -> Type<'c> {
        integer_type(builder.context(), (self.bits() / self.size()) as u32)
    }

    /// Converts numbers of an operand to the number type of groups.
    pub fn numbers<'c>(
        self,
        builder: &Builder<'c>,
        matmul: &Matmul<'c>,
        operand: usize,
        stored: Value<'c>,
    ) -> Value<'c> {
        let ty = with_element(stored.ty(), self.number_type(builder));
        let numbers = if stored.ty() == ty {
            stored
        } else if self.dot.number.is_integer() {
            matmul.convert(builder, operand, stored, ty)
        } else {
            arith::bitcast(builder, stored, ty)
        };
        if operand != LHS || !self.is_flipped {
            return numbers;
        }
        let sign = arith::constant(builder, numbers.ty(), SIGN);
        arith::xori(builder, numbers, sign)
    }

    /// Joins adjacent numbers along k, or vectors of them, to groups.
    pub fn join<'c>(self, builder: &Builder<'c>, numbers: &[Value<'c>]) -> Value<'c> {
        if let (Number::Byte, 4, [first, ..]) = (self.dot.number, self.size(), numbers)
            && let Some([lanes]) = first.ty().static_shape().as_deref()
            && lanes % 4 == 0
        {
            return interleave(builder, numbers, *lanes);
        }
        let mut group: Option<Value<'c>> = None;
        for (place, number) in numbers.iter().enumerate() {
            let whole = with_element(number.ty(), self.ty(builder));
            let mut bits = arith::extui(builder, *number, whole);
            if let Some(others) = group {
                let width = self.bits() / self.size() * place as i64;
                let width = arith::constant(builder, whole, width);
                bits = arith::shli(builder, bits, width);
                bits = arith::ori(builder, others, bits);
            }
            group = Some(bits);
        }
        group.unwrap_or_else(|| bug("a group has no numbers"))
    }

    /// Vectors of groups with the given lanes. A loop over the numbers of a group calls `load`,
    /// whose code may be long.
    pub fn collect<'c>(
        self,
        builder: &Builder<'c>,
        lanes: &[i64],
        load: impl FnOnce(&Builder<'c>, Value<'c>) -> Vec<Value<'c>>,
    ) -> Vec<Value<'c>> {
        let groups = |lanes: i64| vector_type(&[lanes], self.ty(builder));
        let zero = |lanes: &i64| arith::constant(builder, groups(*lanes), 0);
        let zeros = lanes.iter().map(zero).collect::<Vec<_>>();
        scf::for_(
            builder,
            (0, self.size(), 1),
            &zeros,
            |builder, place, carried| {
                let numbers = load(builder, place);
                let join = |(others, number): (&Value<'c>, Value<'c>)| {
                    // The first number moves to the lowest bits.
                    let whole = others.ty();
                    let width = self.bits() / self.size();
                    let others =
                        arith::shrui(builder, *others, arith::constant(builder, whole, width));
                    let number = arith::extui(builder, number, whole);
                    let above = arith::constant(builder, whole, self.bits() - width);
                    let number = arith::shli(builder, number, above);
                    arith::ori(builder, others, number)
                };
                carried.iter().zip(numbers).map(join).collect::<Vec<_>>()
            },
        )
        .results()
    }

    /// Bitcasts a vector of numbers to groups.
    pub fn of_vector<'c>(self, builder: &Builder<'c>, numbers: Value<'c>) -> Value<'c> {
        let lanes: i64 = numbers.ty().static_shape().iter().flatten().product();
        let ty = vector_type(&[lanes / self.size()], self.ty(builder));
        vector::bitcast(builder, numbers, ty)
    }
}

/// Interleaves four vectors of bytes to groups of four. The words of four bytes move to their
/// 128-bit lanes first, then bytes move within lanes: LLVM selects `vpermt2b`, `vpshufb` or `tbl`.
fn interleave<'c>(builder: &Builder<'c>, rows: &[Value<'c>], lanes: i64) -> Value<'c> {
    let [i8, i32] = [8, 32].map(|bits| integer_type(builder.context(), bits));
    let words = vector_type(&[lanes / 4], i32);
    let rows = rows.iter().map(|row| vector::bitcast(builder, *row, words));
    let rows = rows.collect::<Vec<_>>();
    let both: Vec<i64> = (0..lanes / 2).collect();
    let [first, last] = [0, 2].map(|row| vector::shuffle(builder, rows[row], rows[row + 1], &both));
    let words = (0..lanes).map(|place| place % 4 * (lanes / 4) + place / 4);
    let words = vector::shuffle(builder, first, last, &words.collect::<Vec<_>>());
    let bytes = vector::bitcast(builder, words, vector_type(&[4 * lanes], i8));
    let places = (0..4 * lanes).map(|place| place / 16 * 16 + place % 4 * 4 + place % 16 / 4);
    let bytes = vector::shuffle(builder, bytes, bytes, &places.collect::<Vec<_>>());
    vector::bitcast(builder, bytes, vector_type(&[lanes], i32))
}

/// The same number or vector type with another element type.
pub fn with_element<'c>(ty: Type<'c>, element: Type<'c>) -> Type<'c> {
    match ty.static_shape() {
        Some(lanes) => vector_type(&lanes, element),
        None => element,
    }
}
