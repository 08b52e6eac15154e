//! Products of narrow floats and small integers by dot-product instructions of the target.
//!
//! A dot-product instruction adds the products of two or four adjacent numbers along k to each
//! accumulator. Panels store such groups as 32-bit integers, and the kernel broadcasts groups of
//! lhs instead of numbers. Other instructions multiply matrices of groups.
//!
//! | group | instructions |
//! |---|---|
//! | two of bf16 | `vdpbf16ps` (see [`exponents`]) |
//! | four of 8 bits | `vpdpbusd`, `sdot` of NEON and SVE, and their like ([`bytes`]) |
//! | both | the tiles of AMX ([`tiles`]) |
//! | both, two of f16, and single numbers of f32 and f64 | the tiles of SME ([`outer_products`]) |
//! | four of bf16, eight of 8 bits | `bfmmla`, `smmla` and their like ([`squares`]) |
//! | two of 16 bits | `pmaddwd` |
//!
//! `pmaddwd` is in every x86-64; it multiplies pairs of 16-bit integers. With VNNI, LLVM fuses it
//! with the following addition (`vpdpwssd`). 8-bit integers are extended when they are packed,
//! unless they are multiplied in groups of four. Only the product of pairs of -32768 overflows, and
//! it wraps around as the sums do.
//!
//! If the depth of an integer product is no multiple of the group size, panels are padded with
//! zeros ([`super::pack`]): the 147 products of a 7 x 7 x 3 window become 37 groups of four.

pub mod bytes;
pub mod exponents;
pub mod outer_products;
pub mod sme;
pub mod squares;
pub mod sve;
pub mod tiles;

use super::{
    kernel::{MicroKernel, Source},
    matmul::Matmul,
    pack::Panel,
    plan::even_division::ceil_div,
    shape::Shape,
    vectors::{load_vector, zero_vector},
};
use crate::loops::prelude::*;
use bytes::ByteProduct;
use halo_core::machine::Machine;
use halo_ir::{
    ops::{halo::UNROLL, llvm},
    prelude::*,
};

/// The unroll factor (`halo.unroll`) of the loop over groups, if the loop overhead would dominate.
const UNROLLED: i64 = 4;

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

impl IntegerProducts {
    /// Whether the target multiplies pairs of 16-bit integers.
    fn has_pairs(self) -> bool {
        matches!(
            self,
            Self::Pmaddwd | Self::Vpdpbusd | Self::Vpdpbssd | Self::Amx
        )
    }
}

/// The instructions of a target for products.
#[derive(Clone, Copy, Debug)]
pub struct Instructions {
    /// Its sizes and rates.
    pub machine: Machine,
    /// Whether its vectors are registers of SVE.
    pub sve: bool,
    pub bf16_products: Bf16Products,
    pub integer_products: IntegerProducts,
    pub outer_products: outer_products::OuterProducts,
    /// The width of vectors of these.
    pub streaming_bits: i64,
}

impl Instructions {
    /// Whether some lanes of a vector are stored as quickly as all: AVX-512 has masks.
    pub fn has_masks(self) -> bool {
        self.machine.vector_bits >= 512 && !self.sve
    }
}

/// Adjacent numbers along k that form one element of a panel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// Two bf16 numbers, accumulated in f32.
    Bf16Pair,
    /// Four bf16 numbers, accumulated in f32.
    Bf16Quad,
    /// Two f16 numbers, accumulated in f32.
    F16Pair,
    /// Two 16-bit integers, accumulated in 32 bits.
    IntegerPair,
    /// Four 8-bit integers, accumulated in 32 bits.
    ByteQuad(ByteProduct),
    /// Eight 8-bit integers, accumulated in 32 bits.
    ByteOctet(ByteProduct),
}

impl Group {
    /// The numbers of a group along k.
    pub fn size(self) -> i64 {
        match self {
            Self::Bf16Pair | Self::F16Pair | Self::IntegerPair => 2,
            Self::Bf16Quad | Self::ByteQuad(_) => 4,
            Self::ByteOctet(_) => 8,
        }
    }

    /// The accumulators per vector of a tile, if a vector of numbers has `lanes` lanes.
    pub fn lanes(self, lanes: i64) -> i64 {
        match self {
            Self::Bf16Quad | Self::ByteOctet(_) => squares::LANES,
            Self::ByteQuad(product) => product.lanes(lanes),
            Self::Bf16Pair | Self::F16Pair | Self::IntegerPair => lanes,
        }
    }

    /// Whether instructions multiply matrices of groups. Panels of both operands then store the
    /// groups of adjacent rows or columns contiguously.
    pub fn is_in_squares(self) -> bool {
        matches!(self, Self::Bf16Quad | Self::ByteOctet(_))
    }

    /// The bits of a group in a panel.
    pub fn bits(self) -> i64 {
        if self.is_in_squares() { 64 } else { 32 }
    }

    /// The type of a group in a panel.
    pub fn ty<'c>(self, builder: &Builder<'c>) -> Type<'c> {
        integer_type(builder.context(), self.bits() as u32)
    }

    /// The type of a number in a group.
    pub fn number_type<'c>(self, builder: &Builder<'c>) -> Type<'c> {
        integer_type(builder.context(), (self.bits() / self.size()) as u32)
    }

    /// The extra rows of a panel, after its rows for k, in blocks of length `block_k`.
    pub fn rows_beside(self, operand: usize, k: i64, block_k: i64) -> i64 {
        match self {
            Self::Bf16Pair | Self::Bf16Quad => 1,
            Self::ByteQuad(product) if operand == RHS && product.is_flipped() => {
                ceil_div(k, block_k)
            }
            Self::F16Pair | Self::ByteQuad(_) | Self::ByteOctet(_) | Self::IntegerPair => 0,
        }
    }

    /// The largest supported groups for a matrix product in tiles of `lanes` lanes.
    pub fn of(shape: &Shape, instructions: Instructions, lanes: i64) -> Option<Self> {
        let [bf16_squares, byte_squares] = Self::in_squares(shape, instructions, lanes);
        // Processors with AMX multiply more numbers by `vfmadd231ps` than by `vdpbf16ps`.
        let has_pairs = instructions.bf16_products == Bf16Products::Avx512Bf16;
        let all = [
            bf16_squares,
            byte_squares,
            Self::bf16_pair(shape, lanes).filter(|_| has_pairs),
            Self::bytes(shape, instructions.integer_products, lanes),
            Self::integer_pair(shape, instructions.integer_products, lanes),
        ];
        let fits = |group: &Self| group.fits_depth(shape.depth) && group.fits_patches(shape);
        all.into_iter().flatten().find(fits)
    }

    /// Whether the depth consists of groups. Groups of integers may be padded with zeros.
    fn fits_depth(self, depth: i64) -> bool {
        depth % self.size() == 0 || self.is_of_integers() && depth > self.size()
    }

    /// Whether the patches of a convolution, if they are an operand, consist of groups. Groups of
    /// integers may begin in one run of the image and end in the next.
    fn fits_patches(self, shape: &Shape) -> bool {
        let fits = self.is_of_integers() || shape.has_groups_of(self.size());
        shape.patches.is_none() || !self.is_in_squares() && fits
    }

    fn is_of_integers(self) -> bool {
        matches!(
            self,
            Self::IntegerPair | Self::ByteQuad(_) | Self::ByteOctet(_)
        )
    }

    /// Pairs of bf16, if the instructions have this number of lanes.
    fn bf16_pair(shape: &Shape, lanes: i64) -> Option<Self> {
        (lanes == exponents::LANES && shape.is_of(FloatKind::BF16)).then_some(Self::Bf16Pair)
    }

    fn integer_pair(shape: &Shape, products: IntegerProducts, lanes: i64) -> Option<Self> {
        let signs = shape.signs_of_integers(16)?;
        // Numbers are signed once they are extended to 16 bits.
        let is_half = |operand: usize| {
            signs[operand] || shape.operands[operand].element.integer_bits() != Some(16)
        };
        let has_instruction = products.has_pairs() && product_of_pairs(lanes).is_some();
        (has_instruction && [LHS, RHS].into_iter().all(is_half)).then_some(Self::IntegerPair)
    }

    fn bytes(shape: &Shape, products: IntegerProducts, lanes: i64) -> Option<Self> {
        let product = ByteProduct::of(products, shape.signs_of_integers(8)?, lanes)?;
        Some(Self::ByteQuad(product))
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
        let numbers = match self {
            _ if stored.ty() == ty => stored,
            Self::Bf16Pair | Self::Bf16Quad | Self::F16Pair => arith::bitcast(builder, stored, ty),
            Self::IntegerPair | Self::ByteQuad(_) | Self::ByteOctet(_) => {
                matmul.convert(builder, operand, stored, ty)
            }
        };
        match self {
            Self::ByteQuad(product) if operand == LHS => product.lhs(builder, numbers),
            _ => numbers,
        }
    }

    /// Joins adjacent numbers along k, or vectors of them, to groups.
    pub fn join<'c>(self, builder: &Builder<'c>, numbers: &[Value<'c>]) -> Value<'c> {
        if let (Self::ByteQuad(_), [first, ..]) = (self, numbers)
            && let Some([lanes]) = first.ty().static_shape().as_deref()
            && lanes % 4 == 0
        {
            return bytes::interleave(builder, numbers, *lanes);
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

    /// Stores the extra rows of a panel for a range of k.
    pub fn store_beside<'c>(
        self,
        builder: &Builder<'c>,
        panel: &Panel<'_, 'c>,
        range: (Value<'c>, Value<'c>),
        block_k: i64,
    ) {
        match self {
            Self::Bf16Pair | Self::Bf16Quad => {
                exponents::store_least_exponent(builder, self, panel, range)
            }
            Self::ByteQuad(product) if panel.operand == RHS && product.is_flipped() => {
                product.store_corrections(builder, panel, range, block_k)
            }
            Self::F16Pair | Self::ByteQuad(_) | Self::ByteOctet(_) | Self::IntegerPair => {}
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

/// The x86 intrinsic that multiplies and adds pairs of 16-bit integers.
fn product_of_pairs(lanes: i64) -> Option<&'static str> {
    match lanes {
        4 => Some("llvm.x86.sse2.pmadd.wd"),
        8 => Some("llvm.x86.avx2.pmadd.wd"),
        16 => Some("llvm.x86.avx512.pmaddw.d.512"),
        _ => None,
    }
}

/// The same number or vector type with another element type.
fn with_element<'c>(ty: Type<'c>, element: Type<'c>) -> Type<'c> {
    match ty.static_shape() {
        Some(lanes) => vector_type(&lanes, element),
        None => element,
    }
}

/// A packed operand of a tile, starting at some k.
struct Groups<'a, 'c> {
    memref: Value<'c>,
    panel: &'a [Value<'c>],
    /// The offset from the start of the panel, in numbers and in groups.
    offset: Value<'c>,
    first: Value<'c>,
}

/// Two packed operands from the start of a range of k, and the number of groups in the range.
type Range<'a, 'c> = (&'a Groups<'a, 'c>, &'a Groups<'a, 'c>, Value<'c>);

/// The instruction that accumulates products of groups.
#[derive(Clone, Copy)]
enum Instruction {
    Bf16,
    /// Multiply-add of each number in f32.
    MultiplyAdd(Group),
    Pairs,
    Bytes(ByteProduct),
}

impl<'c> MicroKernel<'_, 'c> {
    /// The accumulators, row by row, after a range of k of two operands that are packed in groups
    /// and in blocks of k.
    pub fn accumulate_groups(
        &self,
        builder: &Builder<'c>,
        (group, block_k): (Group, i64),
        range: (Value<'c>, Value<'c>),
    ) -> Vec<Value<'c>> {
        let (lhs, rhs, length) = self.operands(builder, group.size(), range);
        let range = (&lhs, &rhs, length);
        let rows = (index::constant(builder, 0), self.tile.rows);
        let with = |builder: &Builder<'c>, instruction| {
            let initial = self.initial_sums(builder, &rhs, instruction, block_k);
            let depth = padded(self.matmul.depth(), Some(group));
            let unrolled = instruction.unrolled(group, depth, block_k);
            let instruction = (instruction, initial, unrolled);
            self.accumulate_with(builder, group, range, rows, instruction)
        };
        let in_squares = |builder: &Builder<'c>| self.accumulate_squares(builder, group, range);
        match group {
            Group::IntegerPair => with(builder, Instruction::Pairs),
            Group::ByteQuad(product) => with(builder, Instruction::Bytes(product)),
            Group::ByteOctet(_) => in_squares(builder),
            Group::F16Pair => bug("no register adds up pairs of f16"),
            Group::Bf16Pair | Group::Bf16Quad => {
                let is_normal = self.are_sums_normal(builder, &lhs, &rhs);
                let sums = scf::if_else(
                    builder,
                    is_normal,
                    |builder| {
                        if group.is_in_squares() {
                            in_squares(builder)
                        } else {
                            with(builder, Instruction::Bf16)
                        }
                    },
                    |builder| with(builder, Instruction::MultiplyAdd(group)),
                );
                sums.results()
            }
        }
    }

    /// Both operands from the start of a range of k, and its number of groups.
    fn operands(
        &self,
        builder: &Builder<'c>,
        size: i64,
        (lower, upper): (Value<'c>, Value<'c>),
    ) -> (Groups<'_, 'c>, Groups<'_, 'c>, Value<'c>) {
        let lhs = groups_at(builder, &self.lhs, size, lower);
        let rhs = groups_at(builder, &self.rhs, size, lower);
        let length = index::sub(builder, upper, lower);
        let length = index::div(builder, length, size);
        (lhs, rhs, length)
    }

    /// Whether no sum of pairs of bf16 is subnormal.
    fn are_sums_normal(
        &self,
        builder: &Builder<'c>,
        lhs: &Groups<'_, 'c>,
        rhs: &Groups<'_, 'c>,
    ) -> Value<'c> {
        let panels = [
            (lhs.memref, lhs.panel, self.has_lhs_rows),
            (rhs.memref, rhs.panel, false),
        ];
        exponents::are_sums_normal(builder, panels)
    }

    /// The initial accumulators.
    fn initial_sums(
        &self,
        builder: &Builder<'c>,
        rhs: &Groups<'_, 'c>,
        instruction: Instruction,
        block_k: i64,
    ) -> Vec<Value<'c>> {
        let (vectors, lanes) = (self.tile.vectors, self.tile.lanes);
        let row = match instruction {
            Instruction::Bytes(product) if product.is_flipped() => {
                let row = bytes::correction_row(builder, rhs.memref, (rhs.offset, block_k));
                let load = |vector: i64| {
                    let column = index::constant(builder, vector * lanes);
                    let indices = [rhs.panel, &[row, column]].concat();
                    load_vector(builder, rhs.memref, &indices, lanes, None)
                };
                (0..vectors).map(load).collect::<Vec<_>>()
            }
            _ => {
                let zero = zero_vector(builder, self.matmul.accumulator(), lanes);
                vec![zero; vectors as usize]
            }
        };
        row.repeat(self.tile.rows as usize)
    }

    /// Accumulates some rows of the tile.
    fn accumulate_with(
        &self,
        builder: &Builder<'c>,
        group: Group,
        (lhs, rhs, length): Range<'_, 'c>,
        (first_row, rows): (Value<'c>, i64),
        (instruction, initial, unrolled): (Instruction, Vec<Value<'c>>, i64),
    ) -> Vec<Value<'c>> {
        let (vectors, lanes) = (self.tile.vectors, self.tile.lanes);
        let multiply = |builder: &Builder<'c>, place: Value<'c>, carried: &[Value<'c>]| {
            let k = index::add(builder, rhs.first, place);
            let mut rhs_row = Vec::new();
            for vector in 0..vectors {
                let column = index::constant(builder, vector * lanes);
                let indices = [rhs.panel, &[k, column]].concat();
                rhs_row.push(load_vector(builder, rhs.memref, &indices, lanes, None));
            }
            let k = index::add(builder, lhs.first, place);
            let mut next = Vec::new();
            for number in 0..rows {
                let lane = index::constant(builder, number);
                let lane = index::add(builder, first_row, lane);
                let inner = if self.has_lhs_rows {
                    [lane, k]
                } else {
                    [k, lane]
                };
                let element = self.load_group(builder, group, lhs, inner);
                let spread = vector_type(&[lanes], group.ty(builder));
                let spread = vector::broadcast(builder, element, spread);
                for (vector, rhs) in rhs_row.iter().enumerate() {
                    let sum = carried[(number * vectors) as usize + vector];
                    next.push(instruction.build(builder, spread, *rhs, sum));
                }
            }
            next
        };
        let sums = scf::for_(builder, (0, length, 1), &initial, multiply);
        if unrolled > 1 {
            let unrolled = integer_attribute(Type::index(builder.context()), unrolled);
            sums.set_attribute(UNROLL, unrolled);
        }
        sums.results()
    }
}

impl<'c> MicroKernel<'_, 'c> {
    /// Loads a group of lhs.
    fn load_group(
        &self,
        builder: &Builder<'c>,
        group: Group,
        lhs: &Groups<'_, 'c>,
        [row, k]: [Value<'c>; 2],
    ) -> Value<'c> {
        if !self.has_lhs_numbers {
            return memref::load(builder, lhs.memref, &[lhs.panel, &[row, k]].concat());
        }
        let k = index::mul(builder, k, group.size());
        let indices = [lhs.panel, &[row, k]].concat();
        let numbers = load_vector(builder, lhs.memref, &indices, group.size(), None);
        let groups = group.of_vector(builder, numbers);
        vector::extract(builder, groups, &[], &[0])
    }
}

/// The groups of a packed operand from k on.
fn groups_at<'a, 'c>(
    builder: &Builder<'c>,
    source: &'a Source<'c>,
    size: i64,
    k: Value<'c>,
) -> Groups<'a, 'c> {
    let Source::Packed {
        memref,
        panel,
        first_k,
    } = source
    else {
        bug("an operand of groups is not packed");
    };
    let offset = match first_k {
        Some(first) if *first == k => index::constant(builder, 0),
        Some(first) => index::sub(builder, k, *first),
        None => k,
    };
    Groups {
        memref: *memref,
        panel,
        offset,
        first: match arith::constant_index(offset) {
            Some(0) => offset,
            _ => index::div(builder, offset, size),
        },
    }
}

impl Instruction {
    /// The unroll factor of the loop over groups; it divides every range of k in blocks. Loop
    /// overhead competes with products of bytes for execution ports: `vpdpbusd` reaches 0.88 of its
    /// peak with one group per iteration, and 0.97 with four.
    fn unrolled(self, group: Group, depth: i64, block_k: i64) -> i64 {
        let numbers = UNROLLED * group.size();
        match self {
            Self::Bytes(_) if depth % numbers == 0 && block_k % numbers == 0 => UNROLLED,
            _ => 1,
        }
    }

    /// Adds the products of groups to the accumulators.
    fn build<'c>(
        self,
        builder: &Builder<'c>,
        lhs: Value<'c>,
        rhs: Value<'c>,
        sums: Value<'c>,
    ) -> Value<'c> {
        let lanes: i64 = sums.ty().static_shape().iter().flatten().product();
        let as_numbers = |count: i64, number: Type<'c>| {
            let numbers = vector_type(&[count * lanes], number);
            let [lhs, rhs] = [lhs, rhs].map(|groups| vector::bitcast(builder, groups, numbers));
            (lhs, rhs)
        };
        match self {
            Self::Bf16 => {
                let (lhs, rhs) = as_numbers(2, Type::bfloat16(builder.context()));
                let name = "llvm.x86.avx512bf16.dpbf16ps.512";
                intrinsic(builder, name, &[sums, lhs, rhs], sums.ty())
            }
            Self::Pairs => {
                let (lhs, rhs) = as_numbers(2, integer_type(builder.context(), 16));
                let name = product_of_pairs(lanes)
                    .unwrap_or_else(|| bug("no instruction multiplies these pairs"));
                let products = intrinsic(builder, name, &[lhs, rhs], sums.ty());
                arith::addi(builder, sums, products)
            }
            Self::Bytes(product) => {
                let (lhs, rhs) = as_numbers(4, integer_type(builder.context(), 8));
                product.build(builder, lhs, rhs, sums)
            }
            Self::MultiplyAdd(group) => exponents::multiply_add(builder, group, lhs, rhs, sums),
        }
    }
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
