//! Products of bf16 and of small integers by the dot products of the target.
//!
//! A dot product of a processor adds the products of two neighbours along k to each sum.
//! Panels hold such pairs as integers of 32 bits, and the kernel broadcasts those of lhs as
//! it broadcasts numbers.
//!
//! `pmaddwd`, which every x86-64 has, multiplies pairs of integers of 16 bits, and with VNNI
//! LLVM joins it with the addition behind it (`vpdpwssd`). Integers of 8 bits are extended
//! when they are packed. No product of a pair overflows but that of four times -32768, which
//! wraps around as the sums do.
//!
//! `vdpbf16ps` of AVX512-BF16 adds the products of two pairs of bf16 to each of 16
//! sums, so it multiplies twice as many numbers as an instruction for f32.
//!
//! The instruction rounds each sum once, as a multiply-add of f32 does, but takes
//! subnormal numbers for zeros and makes zeros of them. The result of a program
//! must not depend on the processor. So each packed panel notes its least exponent
//! behind the pairs: that of the number nearest to zero, other than zero. All sums
//! are multiples of the product of the last bits of the numbers nearest to zero,
//! and if that is no subnormal number, then no sum is one. A tile whose panels do
//! not show this multiplies and adds the two halves of the pairs in f32, in the
//! same order.

use super::{
    matmul::Matmul,
    micro_kernel::{MicroKernel, Source, load_vector, zero_vector},
    packing::Panel,
    tiling::Instructions,
};
use crate::loops::{
    contraction::{Extension, LHS, RHS},
    loop_ops::{self, Emitted},
};
use halo_ir::{
    BuildError, Builder, FloatKind, Type, Value, float_kind, integer_type, integer_width,
    ops::{
        Op,
        arith::{self, CmpIPredicate},
        llvm, memref, scf,
        vector::{self, CombiningKind},
    },
    pass_options, results_of, static_shape_of, vector_type,
};
use melior::ir::ValueLike;

pass_options! {
    /// The dot products of bf16 that a target has.
    pub enum DotProducts {
        /// None.
        None = "none",
        /// `vdpbf16ps` on 512 bits.
        Avx512Bf16 = "avx512bf16",
    }
}

/// Lanes of the sums of bf16, with 512 bits.
const LANES: i64 = 16;

/// What the exponents of two panels, as bf16 stores them, add up to at least if
/// no sum of their products is subnormal: their biases, and the exponent of the
/// least normal number less the 7 bits of each mantissa.
const LEAST_EXPONENTS: i64 = 2 * 127 - 126 + 2 * 7;

/// The exponent of a panel with subnormal numbers: less than any sum allows.
const SUBNORMAL: i64 = -1024;

/// What pairs are of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairKind {
    /// Numbers of bf16, whose sums are f32.
    Bf16,
    /// Integers of 16 bits, whose sums have 32.
    Integers,
}

/// The numbers along k that are an element of a panel: one, or a pair.
pub fn unit(pairs: Option<PairKind>) -> i64 {
    if pairs.is_some() { 2 } else { 1 }
}

/// The pairs that a matrix product, in tiles of so many lanes, is made of.
pub fn pairs(matmul: &Matmul, instructions: Instructions, lanes: i64) -> Option<PairKind> {
    if matmul.depth() % 2 != 0 || matmul.patches.is_some() {
        return None;
    }
    let operands = [LHS, RHS].map(|operand| &matmul.contraction.operands[operand]);
    let is_bf16 = operands.iter().all(|operand| {
        float_kind(operand.element()) == Some(FloatKind::BF16)
            && operand.conversion == Some(Extension::Float)
    });
    let sums = matmul.accumulator();
    if is_bf16 && float_kind(sums) == Some(FloatKind::F32) {
        let has_instruction = instructions.dot_products == DotProducts::Avx512Bf16;
        return (has_instruction && lanes == LANES).then_some(PairKind::Bf16);
    }
    let is_integer = operands.iter().all(|operand| {
        let bits = integer_width(operand.element());
        match operand.conversion {
            Some(Extension::Signed) => bits.is_some_and(|bits| bits <= 16),
            Some(Extension::Unsigned) => bits.is_some_and(|bits| bits < 16),
            _ => false,
        }
    });
    let has_instruction = instructions.integer_pairs && product_of_pairs(lanes).is_some();
    (is_integer && has_instruction && integer_width(sums) == Some(32)).then_some(PairKind::Integers)
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

/// The type of a pair in a panel.
pub fn pair_type<'c>(builder: &Builder<'c>) -> Type<'c> {
    integer_type(builder.context(), 32)
}

/// A type with the elements of another, which is a number or a vector.
fn with_element<'c>(r#type: Type<'c>, element: Type<'c>) -> Type<'c> {
    match static_shape_of(r#type) {
        Some(lanes) => vector_type(&lanes, element),
        None => element,
    }
}

/// The type of numbers in pairs of integers, in the shape of another type.
pub fn half_type<'c>(builder: &Builder<'c>, r#type: Type<'c>) -> Type<'c> {
    with_element(r#type, integer_type(builder.context(), 16))
}

/// Two numbers of 16 bits, or the numbers of two vectors, as pairs.
pub fn pair<'c>(builder: &Builder<'c>, first: Value<'c>, second: Value<'c>) -> Emitted<Value<'c>> {
    let half = half_type(builder, first.r#type());
    let whole = with_element(first.r#type(), pair_type(builder));
    let widen = |value| {
        let bits = match Value::r#type(&value) == half {
            true => value,
            false => arith::bitcast(builder, value, half)?,
        };
        arith::extui(builder, bits, whole)
    };
    let (low, high) = (widen(first)?, widen(second)?);
    let width = arith::constant(builder, whole, 16)?;
    let high = arith::shli(builder, high, width)?;
    arith::ori(builder, low, high)
}

/// The pairs of a vector of numbers.
pub fn pairs_of<'c>(builder: &Builder<'c>, numbers: Value<'c>) -> Emitted<Value<'c>> {
    let lanes: i64 = static_shape_of(numbers.r#type()).iter().flatten().product();
    let r#type = vector_type(&[lanes / 2], pair_type(builder));
    vector::bitcast(builder, numbers, r#type)
}

/// Stores the least exponent of a panel behind its pairs of a range of k.
pub fn store_least_exponent<'c>(
    builder: &Builder<'c>,
    panel: &Panel<'_, 'c>,
    (lower, upper): (Value<'c>, Value<'c>),
) -> Emitted<()> {
    let [zero, one, two] = [0, 1, 2].map(|value| loop_ops::index(builder, value));
    let (zero, one, two) = (zero?, one?, two?);
    let length = loop_ops::sub(builder, upper, lower)?;
    let length = loop_ops::div(builder, length, two)?;
    let target = panel.target;
    let i16 = integer_type(builder.context(), 16);
    let has_rows = panel.has_rows();
    let lanes = if has_rows {
        LANES
    } else {
        panel.width.min(LANES)
    };
    let halves = vector_type(&[2 * lanes], i16);
    let load = |k: Value<'c>, lane: Value<'c>, lanes: i64| {
        let inner = if has_rows { [lane, k] } else { [k, lane] };
        load_vector(
            builder,
            target,
            &[&panel.indices[..], &inner].concat(),
            lanes,
            None,
        )
    };
    // A number less its sign, less one, so that zeros are greatest.
    let lower_bound = |least: Value<'c>, pairs: Value<'c>| {
        let bits = vector::bitcast(builder, pairs, halves)?;
        let magnitude = arith::constant(builder, halves, 0x7fff)?;
        let magnitude = arith::andi(builder, bits, magnitude)?;
        let minus_one = arith::constant(builder, halves, -1)?;
        let before = arith::addi(builder, magnitude, minus_one)?;
        arith::minui(builder, least, before)
    };
    let mut least = vec![arith::constant(builder, halves, -1)?];
    if has_rows {
        let rows = (0..panel.width)
            .map(|row| loop_ops::index(builder, row))
            .collect::<Emitted<Vec<_>>>()?;
        let step = loop_ops::index(builder, lanes)?;
        let vectors = loop_ops::div(builder, length, step)?;
        let whole = loop_ops::mul(builder, vectors, step)?;
        for (bounds, at_once) in [((zero, whole, step), lanes), ((whole, length, one), 1)] {
            least = loop_ops::for_loop(builder, bounds, &least, |_, k, carried| {
                let mut least = carried[0];
                for row in &rows {
                    let mut pairs = load(k, *row, at_once)?;
                    if at_once == 1 {
                        pairs = vector::extract(builder, pairs, &[], &[0])?;
                        let r#type = vector_type(&[lanes], pair_type(builder));
                        pairs = vector::broadcast(builder, pairs, r#type)?;
                    }
                    least = lower_bound(least, pairs)?;
                }
                Ok(vec![least])
            })?;
        }
    } else {
        least = loop_ops::for_loop(builder, (zero, length, one), &least, |_, k, carried| {
            let mut least = carried[0];
            for start in (0..panel.width).step_by(lanes as usize) {
                let lane = loop_ops::index(builder, start)?;
                least = lower_bound(least, load(k, lane, lanes)?)?;
            }
            Ok(vec![least])
        })?;
    }
    let least = vector::reduction(builder, CombiningKind::Minui, least[0], i16)?;
    let exponent = exponent_after(builder, least)?;
    let indices = exponent_indices(builder, target, &panel.indices, has_rows)?;
    memref::store(builder, exponent, target, &indices).map(drop)
}

/// The exponent of the magnitude after some bits.
fn exponent_after<'c>(builder: &Builder<'c>, bits: Value<'c>) -> Emitted<Value<'c>> {
    let i32 = pair_type(builder);
    let constant = |value: i64| arith::constant(builder, i32, value);
    let wide = arith::extui(builder, bits, i32)?;
    let magnitude = arith::addi(builder, wide, constant(1)?)?;
    let exponent = arith::shrui(builder, magnitude, constant(7)?)?;
    let is_subnormal = arith::cmpi(builder, CmpIPredicate::Eq, exponent, constant(0)?)?;
    arith::select(builder, is_subnormal, constant(SUBNORMAL)?, exponent)
}

/// Where a packed memref has the exponent of a panel: at its end, or at the end of
/// its first row.
fn exponent_indices<'c>(
    builder: &Builder<'c>,
    memref: Value<'c>,
    panel: &[Value<'c>],
    has_rows: bool,
) -> Emitted<Vec<Value<'c>>> {
    let dims = static_shape_of(memref.r#type()).unwrap_or_default();
    let zero = loop_ops::index(builder, 0)?;
    let inner = match (has_rows, &dims[..]) {
        (true, [.., last]) => [zero, loop_ops::index(builder, last - 1)?],
        (false, [.., rows, _]) => [loop_ops::index(builder, rows - 1)?, zero],
        _ => return Err(BuildError::because("a packed panel has no dimensions")),
    };
    Ok([panel, &inner].concat())
}

/// A packed operand of a tile, from some k on.
struct Pairs<'a, 'c> {
    memref: Value<'c>,
    panel: &'a [Value<'c>],
    /// The first pair, from the start of the panel.
    first: Value<'c>,
}

/// How the products of pairs are added to sums.
#[derive(Clone, Copy)]
enum Instruction {
    DotProduct,
    MultiplyAdd,
    Integers,
}

impl<'c> MicroKernel<'_, 'c> {
    /// The accumulators after a range of k of two operands that are packed in
    /// pairs, row by row.
    pub fn accumulate_pairs(
        &self,
        builder: &Builder<'c>,
        kind: PairKind,
        (lower, upper): (Value<'c>, Value<'c>),
    ) -> Emitted<Vec<Value<'c>>> {
        let [lhs, rhs] = [&self.lhs, &self.rhs].map(|source| pairs_at(builder, source, lower));
        let (lhs, rhs) = (lhs?, rhs?);
        let two = loop_ops::index(builder, 2)?;
        let length = loop_ops::sub(builder, upper, lower)?;
        let length = loop_ops::div(builder, length, two)?;
        if kind == PairKind::Integers {
            return self.accumulate_with(builder, (&lhs, &rhs), length, Instruction::Integers);
        }
        let exponent = |pairs: &Pairs<'_, 'c>, has_rows| {
            let indices = exponent_indices(builder, pairs.memref, pairs.panel, has_rows)?;
            memref::load(builder, pairs.memref, &indices)
        };
        let (of_lhs, of_rhs) = (
            exponent(&lhs, self.matmul.has_lhs_rows())?,
            exponent(&rhs, false)?,
        );
        let sum = arith::addi(builder, of_lhs, of_rhs)?;
        let least = arith::constant(builder, pair_type(builder), LEAST_EXPONENTS)?;
        let is_normal = arith::cmpi(builder, CmpIPredicate::Sge, sum, least)?;
        let with = |builder: &Builder<'c>, instruction| {
            self.accumulate_with(builder, (&lhs, &rhs), length, instruction)
        };
        let sums = scf::if_else(
            builder,
            is_normal,
            |builder| with(builder, Instruction::DotProduct),
            |builder| with(builder, Instruction::MultiplyAdd),
        )?;
        Ok(results_of(sums.operation()))
    }

    fn accumulate_with(
        &self,
        builder: &Builder<'c>,
        (lhs, rhs): (&Pairs<'_, 'c>, &Pairs<'_, 'c>),
        length: Value<'c>,
        instruction: Instruction,
    ) -> Emitted<Vec<Value<'c>>> {
        let (rows, vectors, lanes) = (self.tile.rows, self.tile.vectors, self.tile.lanes);
        let zero = zero_vector(builder, self.matmul.accumulator(), lanes)?;
        let initial = vec![zero; (rows * vectors) as usize];
        let bounds = (
            loop_ops::index(builder, 0)?,
            length,
            loop_ops::index(builder, 1)?,
        );
        loop_ops::for_loop(builder, bounds, &initial, |builder, pair, carried| {
            let k = loop_ops::add(builder, rhs.first, pair)?;
            let mut rhs_row = Vec::new();
            for vector in 0..vectors {
                let column = loop_ops::index(builder, vector * lanes)?;
                let indices = [rhs.panel, &[k, column]].concat();
                rhs_row.push(load_vector(builder, rhs.memref, &indices, lanes, None)?);
            }
            let k = loop_ops::add(builder, lhs.first, pair)?;
            let mut next = Vec::new();
            for number in 0..rows {
                let lane = loop_ops::index(builder, number)?;
                let inner = match self.matmul.has_lhs_rows() {
                    true => [lane, k],
                    false => [k, lane],
                };
                let pair = memref::load(builder, lhs.memref, &[lhs.panel, &inner].concat())?;
                let spread = vector_type(&[lanes], pair_type(builder));
                let spread = vector::broadcast(builder, pair, spread)?;
                for (vector, rhs) in rhs_row.iter().enumerate() {
                    let sum = carried[(number * vectors) as usize + vector];
                    next.push(instruction.build(builder, spread, *rhs, sum)?);
                }
            }
            Ok(next)
        })
    }
}

/// The pairs of a source from some k on.
fn pairs_at<'a, 'c>(
    builder: &Builder<'c>,
    source: &'a Source<'c>,
    k: Value<'c>,
) -> Emitted<Pairs<'a, 'c>> {
    let Source::Packed {
        memref,
        panel,
        first_k,
    } = source
    else {
        return Err(BuildError::because("an operand of pairs is not packed"));
    };
    let two = loop_ops::index(builder, 2)?;
    let offset = match first_k {
        Some(first) if *first == k => loop_ops::index(builder, 0)?,
        Some(first) => loop_ops::sub(builder, k, *first)?,
        None => k,
    };
    Ok(Pairs {
        memref: *memref,
        panel,
        first: match loop_ops::constant_index(offset) {
            Some(0) => offset,
            _ => loop_ops::div(builder, offset, two)?,
        },
    })
}

impl Instruction {
    /// The sums with the products of pairs added.
    fn build<'c>(
        self,
        builder: &Builder<'c>,
        lhs: Value<'c>,
        rhs: Value<'c>,
        sums: Value<'c>,
    ) -> Emitted<Value<'c>> {
        match self {
            Self::DotProduct => {
                let bf16 = Type::bfloat16(builder.context());
                let numbers = vector_type(&[2 * LANES], bf16);
                let lhs = vector::bitcast(builder, lhs, numbers)?;
                let rhs = vector::bitcast(builder, rhs, numbers)?;
                let name = "llvm.x86.avx512bf16.dpbf16ps.512";
                llvm::CallIntrinsicOp::build(builder, name, &[sums, lhs, rhs], &[], &[])
                    .results_type(sums.r#type())
                    .value()
            }
            Self::Integers => {
                let lanes: i64 = static_shape_of(sums.r#type()).iter().flatten().product();
                let halves = vector_type(&[2 * lanes], integer_type(builder.context(), 16));
                let lhs = vector::bitcast(builder, lhs, halves)?;
                let rhs = vector::bitcast(builder, rhs, halves)?;
                let name = product_of_pairs(lanes)
                    .ok_or_else(|| BuildError::because("no instruction multiplies these pairs"))?;
                let products = llvm::CallIntrinsicOp::build(builder, name, &[lhs, rhs], &[], &[])
                    .results_type(sums.r#type())
                    .value()?;
                arith::addi(builder, sums, products)
            }
            Self::MultiplyAdd => {
                let second = vector::fma(
                    builder,
                    second_half(builder, lhs)?,
                    second_half(builder, rhs)?,
                    sums,
                )?;
                let (lhs, rhs) = (first_half(builder, lhs)?, first_half(builder, rhs)?);
                vector::fma(builder, lhs, rhs, second)
            }
        }
    }
}

/// The first numbers of pairs, as f32.
fn first_half<'c>(builder: &Builder<'c>, pairs: Value<'c>) -> Emitted<Value<'c>> {
    let width = arith::constant(builder, pairs.r#type(), 16)?;
    let bits = arith::shli(builder, pairs, width)?;
    as_f32(builder, bits)
}

/// The second numbers of pairs, as f32.
fn second_half<'c>(builder: &Builder<'c>, pairs: Value<'c>) -> Emitted<Value<'c>> {
    let mask = arith::constant(builder, pairs.r#type(), 0xffff_0000_u32 as i32 as i64)?;
    let bits = arith::andi(builder, pairs, mask)?;
    as_f32(builder, bits)
}

fn as_f32<'c>(builder: &Builder<'c>, bits: Value<'c>) -> Emitted<Value<'c>> {
    let f32 = Type::float32(builder.context());
    arith::bitcast(builder, bits, with_element(bits.r#type(), f32))
}
