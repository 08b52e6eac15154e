//! `--halo-expand-bf16`: arithmetic on bf16 in f32, and conversions by the bits.
//!
//! Processors differ in their bf16 arithmetic: the rounding instructions of
//! AVX512-BF16 and the arithmetic of AVX10.2 flush subnormal numbers to zero,
//! and other processors have no such instructions. So no op on bf16 is left to
//! LLVM, and results are the same everywhere. An op on bf16 is computed in f32
//! and rounded to nearest even, which is as exact as bf16 arithmetic itself.
//! Rounding is integer arithmetic and widening is a shift, which LLVM
//! vectorizes.
//!
//! ```mlir
//! %0 = arith.addf %x, %y : bf16
//! ```
//!
//! becomes
//!
//! ```mlir
//! %bits = arith.bitcast %x : bf16 to i16           // and the same of %y
//! %wide = arith.extui %bits : i16 to i32
//! %high = arith.shli %wide, %c16 : i32
//! %a = arith.bitcast %high : i32 to f32
//! ...
//! %sum = arith.addf %a, %b : f32
//! %odd = ...                                       // the last bit that is kept
//! %half = arith.addi %sum_bits, %c32767 : i32
//! %rounded = arith.addi %half, %odd : i32
//! %kept = arith.shrui %rounded, %c16 : i32         // or that of a NaN
//! %low = arith.trunci %kept : i32 to i16
//! %0 = arith.bitcast %low : i16 to bf16
//! ```
//!
//! Ops that change only the sign change one bit.

use crate::{loops::loop_ops::Emitted, math::code::Code};
use halo_ir::{
    ops::{BinaryFn, math},
    prelude::*,
};

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "halo-expand-bf16",
    "Compute on bf16 in f32, with conversions as integer arithmetic",
    run,
)
.dependent_dialects(&["arith"]);

/// The expansion of an op.
#[derive(Clone, Copy)]
enum Expansion {
    /// The same op on f32, rounded.
    Widened,
    Extended,
    Truncated,
    /// The sign bit of the operand is turned over.
    Negated,
    Absolute,
    SignCopied,
}

/// The expansion of an op by its name, if an operand or result is a bf16.
fn expansion(name: &str) -> Option<Expansion> {
    let special = [
        (arith::ExtFOp::NAME, Expansion::Extended),
        (arith::TruncFOp::NAME, Expansion::Truncated),
        (arith::NegFOp::NAME, Expansion::Negated),
        (math::AbsFOp::NAME, Expansion::Absolute),
        (math::CopySignOp::NAME, Expansion::SignCopied),
    ];
    match special.into_iter().find(|(known, _)| *known == name) {
        Some((_, expansion)) => Some(expansion),
        None => WIDENED.contains(&name).then_some(Expansion::Widened),
    }
}

/// The ops that are computed in f32.
const WIDENED: [&str; 20] = [
    arith::AddFOp::NAME,
    arith::CmpFOp::NAME,
    arith::DivFOp::NAME,
    arith::FPToSIOp::NAME,
    arith::FPToUIOp::NAME,
    arith::MaximumFOp::NAME,
    arith::MaxNumFOp::NAME,
    arith::MinimumFOp::NAME,
    arith::MinNumFOp::NAME,
    arith::MulFOp::NAME,
    arith::RemFOp::NAME,
    arith::SubFOp::NAME,
    math::CeilOp::NAME,
    math::FloorOp::NAME,
    math::FmaOp::NAME,
    math::RoundOp::NAME,
    math::RoundEvenOp::NAME,
    math::SqrtOp::NAME,
    math::TruncOp::NAME,
    vector::FMAOp::NAME,
];

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    pass.for_each(
        |operation| expansion(name_of(operation)).is_some() && has_bf16(operation),
        |builder, operation| expand(builder, operation),
    )
}

fn is_bf16(r#type: Type) -> bool {
    float_kind(element_type(r#type)) == Some(FloatKind::BF16)
}

fn has_bf16(operation: Operation) -> bool {
    operands_of(operation)
        .into_iter()
        .chain(results_of(operation))
        .any(|value| is_bf16(value.r#type()))
}

fn expand<'c>(builder: &Builder<'c>, operation: Operation<'c>) -> Emitted<()> {
    let Some(expansion) = expansion(name_of(operation)) else {
        return Ok(());
    };
    let operands = operands_of(operation);
    let result = results_of(operation)[0].r#type();
    let value = match expansion {
        Expansion::Widened => widened(builder, operation, &operands, result)?,
        Expansion::Extended => {
            let single = extend(builder, operands[0])?;
            match bits_of(element_type(result)) {
                Some(32) => single,
                _ => arith::extf(builder, single, result)?,
            }
        }
        // An f64 gets here only after it was rounded to odd.
        Expansion::Truncated => match Code::of(builder, operands[0].r#type()) {
            Some(code) if code.width() == 32 => code.truncate_to_bf16(operands[0])?,
            _ => return Ok(()),
        },
        Expansion::Negated => {
            let bits = bits(builder, operands[0])?;
            let bits = with_constant(builder, arith::xori, bits, SIGN)?;
            arith::bitcast(builder, bits, result)?
        }
        Expansion::Absolute => {
            let bits = bits(builder, operands[0])?;
            let bits = with_constant(builder, arith::andi, bits, !SIGN)?;
            arith::bitcast(builder, bits, result)?
        }
        Expansion::SignCopied => {
            let size = bits(builder, operands[0])?;
            let size = with_constant(builder, arith::andi, size, !SIGN)?;
            let sign = bits(builder, operands[1])?;
            let sign = with_constant(builder, arith::andi, sign, SIGN)?;
            let bits = arith::ori(builder, size, sign)?;
            arith::bitcast(builder, bits, result)?
        }
    };
    builder.replace(operation, &[value])?;
    Ok(())
}

/// The sign bit of a bf16.
const SIGN: i64 = i16::MIN as i64;

/// The same op on f32, and its result in the type that it had.
fn widened<'c>(
    builder: &Builder<'c>,
    operation: Operation<'c>,
    operands: &[Value<'c>],
    result: Type<'c>,
) -> Emitted<Value<'c>> {
    let operands = operands
        .iter()
        .map(|operand| {
            if is_bf16(operand.r#type()) {
                extend(builder, *operand)
            } else {
                Ok(*operand)
            }
        })
        .collect::<Emitted<Vec<_>>>()?;
    let narrow = is_bf16(result);
    let wide_type = if narrow {
        like(result, Type::float32(builder.context()))
    } else {
        result
    };
    let mut spec = builder.op(name_of(operation)).operands(&operands);
    for (name, attribute) in operation.attributes() {
        let name = name.as_string_ref();
        spec = spec.attribute(name.as_str().unwrap_or_default(), attribute);
    }
    let wide = spec.result(wide_type).value()?;
    match (narrow, Code::of(builder, wide_type)) {
        (true, Some(code)) => code.truncate_to_bf16(wide),
        _ => Ok(wide),
    }
}

/// A type with another element type.
fn like<'c>(r#type: Type<'c>, element: Type<'c>) -> Type<'c> {
    match shape_of(r#type) {
        None => element,
        Some(dims) => vector_type(
            &dims
                .into_iter()
                .map(Option::unwrap_or_default)
                .collect::<Vec<_>>(),
            element,
        ),
    }
}

fn bits<'c>(builder: &Builder<'c>, value: Value<'c>) -> Emitted<Value<'c>> {
    let half = integer_type(builder.context(), 16);
    arith::bitcast(builder, value, like(value.r#type(), half))
}

/// An op on integers and a constant.
fn with_constant<'c>(
    builder: &Builder<'c>,
    op: BinaryFn,
    value: Value<'c>,
    constant: i64,
) -> Emitted<Value<'c>> {
    let constant = arith::constant(builder, value.r#type(), constant)?;
    op(builder, value, constant)
}

/// A bf16 as f32: its bits are the upper ones.
fn extend<'c>(builder: &Builder<'c>, value: Value<'c>) -> Emitted<Value<'c>> {
    let context = builder.context();
    let bits = bits(builder, value)?;
    let word = like(value.r#type(), integer_type(context, 32));
    let wide = arith::extui(builder, bits, word)?;
    let high = with_constant(builder, arith::shli, wide, 16)?;
    let single = like(value.r#type(), Type::float32(context));
    arith::bitcast(builder, high, single)
}
