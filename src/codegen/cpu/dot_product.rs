//! Products of bf16 and of small integers by the dot products of the target.
//!
//! A dot product of a processor adds the products of two or four neighbours along k to each
//! sum. Panels hold such groups as integers of 32 bits, and the kernel broadcasts those of
//! lhs as it broadcasts numbers. Other instructions multiply matrices of groups.
//!
//! | group | instructions |
//! |---|---|
//! | two of bf16 | `vdpbf16ps`, with what [`exponents`] says |
//! | four of 8 bits | `vpdpbusd`, `sdot` of NEON and SVE, and their like ([`bytes`]) |
//! | both | the tiles of AMX ([`tiles`]) |
//! | both, two of f16, and single numbers of f32 and f64 | the tiles of SME ([`outer_products`]) |
//! | four of bf16, eight of 8 bits | `bfmmla`, `smmla` and their like ([`squares`]) |
//! | two of 16 bits | `pmaddwd` |
//!
//! `pmaddwd`, which every x86-64 has, multiplies pairs of integers of 16 bits, and with VNNI
//! LLVM joins it with the addition behind it (`vpdpwssd`). Integers of 8 bits are extended
//! when they are packed, if they are not multiplied in fours. No product of a pair overflows
//! but that of four times -32768, which wraps around as the sums do.
//!
//! Where integers along k are no multiple of a group, zeros follow them in panels
//! ([`super::packing`]): the 147 products of a window of 7 x 7 x 3 are 37 fours.

pub mod bytes;
pub mod exponents;
pub mod outer_products;
pub mod squares;
pub mod tiles;

use super::{
    im2col::Patches,
    matmul::Matmul,
    micro_kernel::{MicroKernel, Source, load_vector, zero_vector},
    packing::Panel,
    tiling::Instructions,
};
use crate::loops::{contraction::Extension, prelude::*};
use bytes::ByteProduct;
use halo_ir::{
    ops::{halo::UNROLL, llvm},
    prelude::*,
};

/// How many groups along k an iteration multiplies where counting would cost time (`halo.unroll`).
const UNROLLED: i64 = 4;

pass_options! {
    /// The dot products of bf16 that a target has.
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
    /// The dot products of integers that a target has.
    pub enum IntegerProducts {
        /// None.
        None = "none",
        /// `pmaddwd`: pairs of 16 bits.
        Pmaddwd = "pmaddwd",
        /// `vpdpbusd` of AVX-VNNI and AVX512-VNNI beside it: fours of 8 bits, unsigned by signed.
        Vpdpbusd = "vpdpbusd",
        /// `vpdpbssd` and its like, of AVX-VNNI-INT8 and AVX10.2, beside these.
        Vpdpbssd = "vpdpbssd",
        /// The tiles of AMX-INT8, beside `vpdpbusd` and `pmaddwd`.
        Amx = "amx",
        /// `sdot` and `udot` of ARM64: fours of 8 bits of one sign.
        Sdot = "sdot",
        /// `smmla`, `ummla` and `usmmla` of ARM64 beside these: matrices of eights of 8 bits.
        Smmla = "smmla",
        /// `sdot` and `udot` of SVE, on registers of any length.
        SveDot = "sve-dot",
    }
}

impl IntegerProducts {
    /// Whether there are those of pairs of 16 bits.
    fn has_pairs(self) -> bool {
        matches!(
            self,
            Self::Pmaddwd | Self::Vpdpbusd | Self::Vpdpbssd | Self::Amx
        )
    }
}

/// Neighbours along k that are an element of a panel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// Two numbers of bf16, whose sums are f32.
    Bf16Pair,
    /// Four of them.
    Bf16Quad,
    /// Two numbers of f16, whose sums are f32.
    F16Pair,
    /// Two integers of 16 bits, whose sums have 32.
    IntegerPair,
    /// Four integers of 8 bits, whose sums have 32.
    ByteQuad(ByteProduct),
    /// Eight of them.
    ByteOctet(ByteProduct),
}

impl Group {
    /// The numbers along k that it has.
    pub fn size(self) -> i64 {
        match self {
            Self::Bf16Pair | Self::F16Pair | Self::IntegerPair => 2,
            Self::Bf16Quad | Self::ByteQuad(_) => 4,
            Self::ByteOctet(_) => 8,
        }
    }

    /// The sums of a vector in tiles, where those of numbers have so many lanes.
    pub fn lanes(self, lanes: i64) -> i64 {
        match self {
            Self::Bf16Quad | Self::ByteOctet(_) => squares::LANES,
            Self::ByteQuad(product) => product.lanes(lanes),
            Self::Bf16Pair | Self::F16Pair | Self::IntegerPair => lanes,
        }
    }

    /// Whether instructions multiply matrices of groups, of which panels of both operands have
    /// neighbours beside one another.
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

    /// The rows of a panel, beside those of k, in blocks of some length.
    pub fn rows_beside(self, operand: usize, k: i64, block_k: i64) -> i64 {
        match self {
            Self::Bf16Pair | Self::Bf16Quad => 1,
            Self::ByteQuad(product) if operand == RHS && product.is_flipped() => {
                super::tiling::ceil_div(k, block_k)
            }
            Self::F16Pair | Self::ByteQuad(_) | Self::ByteOctet(_) | Self::IntegerPair => 0,
        }
    }

    /// The groups of a matrix product in tiles of so many lanes, of the largest that the
    /// target has.
    pub fn of(matmul: &Matmul, instructions: Instructions, lanes: i64) -> Option<Self> {
        let [bf16_squares, byte_squares] = Self::in_squares(matmul, instructions, lanes);
        // Processors with AMX multiply more numbers by `vfmadd231ps` than by `vdpbf16ps`.
        let has_pairs = instructions.bf16_products == Bf16Products::Avx512Bf16;
        let all = [
            bf16_squares,
            byte_squares,
            Self::bf16_pair(matmul, lanes).filter(|_| has_pairs),
            Self::bytes(matmul, instructions.integer_products, lanes),
            Self::integer_pair(matmul, instructions.integer_products, lanes),
        ];
        let fits = |group: &Self| group.fits_depth(matmul.depth()) && group.fits_patches(matmul);
        all.into_iter().flatten().find(fits)
    }

    /// Whether so many products are groups, those of integers with zeros behind them.
    fn fits_depth(self, depth: i64) -> bool {
        depth % self.size() == 0 || self.is_of_integers() && depth > self.size()
    }

    /// Whether the patches of a convolution, if an operand is these, have such groups. Those of
    /// integers may begin in one run of the image and end in the next.
    fn fits_patches(self, matmul: &Matmul) -> bool {
        let fits = |patches: &Patches| self.is_of_integers() || patches.has_groups_of(self.size());
        let patches = matmul.patches.as_ref();
        patches.is_none_or(|patches| !self.is_in_squares() && fits(patches))
    }

    fn is_of_integers(self) -> bool {
        matches!(
            self,
            Self::IntegerPair | Self::ByteQuad(_) | Self::ByteOctet(_)
        )
    }

    /// Pairs of bf16, in as many lanes as the instructions for them have.
    fn bf16_pair(matmul: &Matmul, lanes: i64) -> Option<Self> {
        (lanes == exponents::LANES && is_of(matmul, FloatKind::BF16)).then_some(Self::Bf16Pair)
    }

    fn integer_pair(matmul: &Matmul, products: IntegerProducts, lanes: i64) -> Option<Self> {
        let is_half = |operand: usize| {
            let operand = &matmul.contraction.operands[operand];
            let bits = operand.element().integer_width();
            match operand.conversion {
                Some(Extension::Signed) => bits.is_some_and(|bits| bits <= 16),
                Some(Extension::Unsigned) => bits.is_some_and(|bits| bits < 16),
                _ => false,
            }
        };
        let has_instruction = products.has_pairs() && product_of_pairs(lanes).is_some();
        let is_sum = matmul.accumulator().integer_width() == Some(32);
        (has_instruction && is_sum && [LHS, RHS].into_iter().all(is_half))
            .then_some(Self::IntegerPair)
    }

    fn bytes(matmul: &Matmul, products: IntegerProducts, lanes: i64) -> Option<Self> {
        let product = ByteProduct::of(products, signs_of_bytes(matmul)?, lanes)?;
        Some(Self::ByteQuad(product))
    }

    /// Numbers of an operand as those of its groups.
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

    /// Neighbours along k, as many as a group has, joined: numbers, or those of vectors.
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

    /// Vectors of groups with so many lanes, of the numbers that are loaded for each place in
    /// a group, by a loop: code that loads numbers may be long.
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

    /// The groups of a vector of numbers.
    pub fn of_vector<'c>(self, builder: &Builder<'c>, numbers: Value<'c>) -> Value<'c> {
        let lanes: i64 = numbers.ty().static_shape().iter().flatten().product();
        let ty = vector_type(&[lanes / self.size()], self.ty(builder));
        vector::bitcast(builder, numbers, ty)
    }

    /// Stores what the kernel has to know of a panel beside its groups of a range of k.
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

/// The numbers along k that are an element of a panel: one, or those of a group.
pub fn unit(group: Option<Group>) -> i64 {
    group.map_or(1, Group::size)
}

/// So many numbers along k, with what follows them in the last group.
pub fn padded(depth: i64, group: Option<Group>) -> i64 {
    super::tiling::ceil_div(depth, unit(group)) * unit(group)
}

/// Whether a product is one of narrow floats of a kind whose sums are f32.
fn is_of(matmul: &Matmul, kind: FloatKind) -> bool {
    let is_narrow = |operand: usize| {
        let operand = &matmul.contraction.operands[operand];
        operand.element().float_kind() == Some(kind) && operand.conversion == Some(Extension::Float)
    };
    [LHS, RHS].into_iter().all(is_narrow)
        && matmul.accumulator().float_kind() == Some(FloatKind::F32)
}

/// Whether lhs and rhs are signed, if they are integers of at most 8 bits whose sums have 32.
fn signs_of_bytes(matmul: &Matmul) -> Option<[bool; 2]> {
    let is_signed = |operand: usize| {
        let operand = &matmul.contraction.operands[operand];
        operand.element().integer_width().filter(|bits| *bits <= 8)?;
        match operand.conversion {
            Some(Extension::Signed) => Some(true),
            Some(Extension::Unsigned) => Some(false),
            _ => None,
        }
    };
    let signs = [is_signed(LHS)?, is_signed(RHS)?];
    (matmul.accumulator().integer_width() == Some(32)).then_some(signs)
}

/// The intrinsic of x86 that multiplies and adds pairs of 16 bits.
fn product_of_pairs(lanes: i64) -> Option<&'static str> {
    match lanes {
        4 => Some("llvm.x86.sse2.pmadd.wd"),
        8 => Some("llvm.x86.avx2.pmadd.wd"),
        16 => Some("llvm.x86.avx512.pmaddw.d.512"),
        _ => None,
    }
}

/// A type with the elements of another, which is a number or a vector.
fn with_element<'c>(ty: Type<'c>, element: Type<'c>) -> Type<'c> {
    match ty.static_shape() {
        Some(lanes) => vector_type(&lanes, element),
        None => element,
    }
}

/// A packed operand of a tile, from some k on.
struct Groups<'a, 'c> {
    memref: Value<'c>,
    panel: &'a [Value<'c>],
    /// The numbers before k from the start of the panel, and the groups.
    offset: Value<'c>,
    first: Value<'c>,
}

/// A range of k of two packed operands, and its number of groups.
type Range<'a, 'c> = (&'a Groups<'a, 'c>, &'a Groups<'a, 'c>, Value<'c>);

/// How the products of groups are added to sums.
#[derive(Clone, Copy)]
enum Instruction {
    Bf16,
    /// In f32.
    MultiplyAdd(Group),
    Pairs,
    Bytes(ByteProduct),
}

impl<'c> MicroKernel<'_, 'c> {
    /// The accumulators after a range of k of two operands that are packed in groups, in
    /// blocks of k, row by row.
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

    /// Both operands from the start of a range of k on, and its number of groups of a size.
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

    /// What sums start from.
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

    /// The sums of some rows of the tile.
    fn accumulate_with(
        &self,
        builder: &Builder<'c>,
        group: Group,
        (lhs, rhs, length): Range<'_, 'c>,
        (first_row, rows): (Value<'c>, i64),
        (instruction, initial, unrolled): (Instruction, Vec<Value<'c>>, i64),
    ) -> Vec<Value<'c>> {
        let (vectors, lanes) = (self.tile.vectors, self.tile.lanes);
        let (zero, one) = (index::constant(builder, 0), index::constant(builder, 1));
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
        let sums = scf::for_(builder, (zero, length, one), &initial, multiply);
        if unrolled > 1 {
            let unrolled = integer_attribute(Type::index(builder.context()), unrolled);
            sums.set_attribute(UNROLL, unrolled);
        }
        sums.results()
    }
}

impl<'c> MicroKernel<'_, 'c> {
    /// A group of lhs.
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

/// The groups of a source from some k on, of so many numbers each.
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
    /// How many groups along k an iteration of the loop multiplies, which divides all ranges of
    /// a depth in blocks. Counting takes the ports of the processor that products of bytes need:
    /// with one group an iteration, `vpdpbusd` runs at 0.88 of its rate, with four at 0.97.
    fn unrolled(self, group: Group, depth: i64, block_k: i64) -> i64 {
        let numbers = UNROLLED * group.size();
        match self {
            Self::Bytes(_) if depth % numbers == 0 && block_k % numbers == 0 => UNROLLED,
            _ => 1,
        }
    }

    /// The sums with the products of groups added.
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
