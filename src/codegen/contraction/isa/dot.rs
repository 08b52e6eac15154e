//! Dot-product instructions, and the groups of numbers that they multiply.

use crate::{
    contraction::{plan::even_division::ceil_div, shape::Shape},
    loops::prelude::{LHS, RHS},
};
use halo_ir::{ops::llvm, prelude::*};

/// A dot-product instruction: it adds products of groups of adjacent numbers along k to sums of 32
/// bits.
#[derive(Debug)]
pub struct Dot {
    pub number: Number,
    /// The numbers of a group.
    pub size: i64,
    /// The signs of lhs and rhs that it multiplies.
    pub signs: &'static [[bool; 2]],
    /// The bits of the vectors of sums that it has, in ascending order.
    pub widths: &'static [i64],
    pub sums: Sums,
}

/// The numbers that an instruction multiplies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number {
    Bf16,
    F16,
    /// Signed integers of 16 bits.
    Half,
    Byte,
}

/// Signs of numbers that are all signed, and all signs.
pub const SIGNED: &[[bool; 2]] = &[[true, true]];
pub const ALL_SIGNS: &[[bool; 2]] = &[[true, true], [true, false], [false, true], [false, false]];

/// The sums of an instruction, and its emission.
#[derive(Clone, Copy, Debug)]
pub enum Sums {
    /// Vectors: a sum for each group of rhs.
    Vectors(Add),
    /// Vectors that are squares: sums for two groups of lhs and two of rhs. Panels of both operands
    /// store the groups of adjacent rows or columns contiguously.
    Squares(Add),
    /// Tiles of AMX.
    AmxTiles(Add),
    /// Tiles of SME, which intrinsics with this name for the signs of lhs and rhs change.
    SmeTiles(fn([bool; 2]) -> &'static str),
}

/// Adds the products of lhs and rhs, for their signs, to sums.
pub type Add = for<'c> fn(&Builder<'c>, [bool; 2], [Value<'c>; 2], Value<'c>) -> Value<'c>;

impl Number {
    fn bits(self) -> i64 {
        match self {
            Self::Bf16 | Self::F16 | Self::Half => 16,
            Self::Byte => 8,
        }
    }

    pub fn is_integer(self) -> bool {
        matches!(self, Self::Half | Self::Byte)
    }

    /// The type in operands of instructions.
    pub fn ty<'c>(self, builder: &Builder<'c>) -> Type<'c> {
        let context = builder.context();
        match self {
            Self::Bf16 => Type::bfloat16(context),
            Self::F16 => Type::float16(context),
            Self::Half | Self::Byte => integer_type(context, self.bits() as u32),
        }
    }

    /// Whether lhs and rhs are signed, if they are such numbers, or are extended to them.
    fn signs(self, shape: &Shape) -> Option<[bool; 2]> {
        let is_half = |operand: usize| shape.operands[operand].element.integer_bits() == Some(16);
        match self {
            Self::Bf16 => shape.is_of(FloatKind::BF16).then_some([true; 2]),
            Self::F16 => shape.is_of(FloatKind::F16).then_some([true; 2]),
            Self::Half => {
                let signs = shape.signs_of_integers(16)?;
                let fits = |operand: usize| signs[operand] || !is_half(operand);
                [LHS, RHS].into_iter().all(fits).then_some([true; 2])
            }
            Self::Byte => shape.signs_of_integers(8),
        }
    }
}

impl Dot {
    /// The sums per vector, if a vector of numbers has `lanes` lanes.
    fn lanes(&self, lanes: i64) -> i64 {
        self.widths.last().map_or(lanes, |most| lanes.min(most / 32))
    }

    /// The groups of a product for vectors of so many lanes, or for any.
    pub fn group(&'static self, shape: &Shape, lanes: Option<i64>) -> Option<Group> {
        let is_signed = self.number.signs(shape)?;
        let as_stored = Group {
            dot: self,
            is_signed,
            is_flipped: false,
        };
        let [lhs, rhs] = is_signed;
        let flipped = Group {
            is_signed: [!lhs, rhs],
            is_flipped: true,
            ..as_stored
        };
        let has_signs = |group: &Group| self.signs.contains(&group.is_signed);
        let has_lanes = |lanes: i64| self.widths.contains(&(32 * self.lanes(lanes)));
        let flipped = matches!(self.sums, Sums::Vectors(_)).then_some(flipped);
        [Some(as_stored), flipped]
            .into_iter()
            .flatten()
            .find(has_signs)
            .filter(|_| lanes.is_none_or(has_lanes))
    }
}

/// Adjacent numbers along k that form one element of a panel, for an instruction.
#[derive(Clone, Copy, Debug)]
pub struct Group {
    pub dot: &'static Dot,
    /// Whether lhs, as packed, and rhs are signed.
    pub is_signed: [bool; 2],
    /// Whether packing flips the signedness of lhs, since the instruction lacks it.
    pub is_flipped: bool,
}

impl Group {
    /// The numbers of a group along k.
    pub fn size(self) -> i64 {
        self.dot.size
    }

    /// The bits of a group in a panel.
    pub fn bits(self) -> i64 {
        self.size() * self.dot.number.bits()
    }

    /// The accumulators per vector of a tile, if a vector of numbers has `lanes` lanes.
    pub fn lanes(self, lanes: i64) -> i64 {
        self.dot.lanes(lanes)
    }

    /// Whether instructions multiply squares of groups.
    pub fn is_in_squares(self) -> bool {
        matches!(self.dot.sums, Sums::Squares(_))
    }

    /// The extra rows of a panel, after its rows for k, in blocks of length `block_k`.
    pub fn extra_rows(self, operand: usize, k: i64, block_k: i64) -> i64 {
        match self.dot.number {
            Number::Bf16 => 1,
            _ if operand == RHS && self.is_flipped => ceil_div(k, block_k),
            _ => 0,
        }
    }

    /// Whether the depth consists of groups. Groups of integers may be padded with zeros.
    pub fn fits_depth(self, depth: i64) -> bool {
        depth % self.size() == 0 || self.dot.number.is_integer() && depth > self.size()
    }

    /// Whether the patches of a convolution, if they are an operand, consist of groups. Groups of
    /// integers may begin in one run of the image and end in the next.
    pub fn fits_patches(self, shape: &Shape) -> bool {
        let fits = self.dot.number.is_integer() || shape.has_groups_of(self.size());
        shape.patches.is_none() || !self.is_in_squares() && fits
    }

    /// Adds the products of lhs and rhs, in numbers, to sums.
    pub fn add<'c>(
        self,
        builder: &Builder<'c>,
        factors: [Value<'c>; 2],
        sums: Value<'c>,
    ) -> Value<'c> {
        match self.dot.sums {
            Sums::Vectors(add) | Sums::Squares(add) | Sums::AmxTiles(add) => {
                add(builder, self.is_signed, factors, sums)
            }
            Sums::SmeTiles(_) => bug("the tiles of SME are no values"),
        }
    }
}

/// The numbers along k per element of a panel: one, or the size of the group.
pub fn unit(group: Option<Group>) -> i64 {
    group.map_or(1, Group::size)
}

/// The depth including the padding of the last group.
pub fn padded(depth: i64, group: Option<Group>) -> i64 {
    ceil_div(depth, unit(group)) * unit(group)
}

/// The letter of a signedness in names of instructions.
pub(super) fn letter(is_signed: bool) -> char {
    if is_signed { 's' } else { 'u' }
}

/// The lanes of a vector of sums.
pub(super) fn lanes_of(sums: Value) -> i64 {
    sums.ty().static_shape().iter().flatten().product()
}

/// Calls an intrinsic that adds products of lhs and rhs to sums.
pub(super) fn add_by<'c>(
    builder: &Builder<'c>,
    name: &str,
    [lhs, rhs]: [Value<'c>; 2],
    sums: Value<'c>,
) -> Value<'c> {
    intrinsic(builder, name, &[sums, lhs, rhs], sums.ty())
}

pub(super) fn intrinsic<'c>(
    builder: &Builder<'c>,
    name: &str,
    operands: &[Value<'c>],
    result: Type<'c>,
) -> Value<'c> {
    llvm::CallIntrinsicOp::build(builder, name, operands, &[], &[])
        .results_type(result)
        .value()
}
