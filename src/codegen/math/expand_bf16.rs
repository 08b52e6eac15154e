//! `--halo-expand-bf16`: expands bf16 arithmetic to f32, and conversions to integer arithmetic.
//!
//! Processors differ in their bf16 arithmetic: the rounding instructions of AVX512-BF16 and the
//! arithmetic of AVX10.2 flush subnormal numbers to zero, and other processors have no such
//! instructions. This pass expands all ops on bf16, so that results are the same everywhere. An op
//! on bf16 is computed in f32 and rounded to nearest even, which is as exact as bf16 arithmetic.
//! Rounding is integer arithmetic and widening is a shift, which LLVM vectorizes.
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
//! %kept = arith.shrui %rounded, %c16 : i32         // or the bits of a NaN
//! %low = arith.trunci %kept : i32 to i16
//! %0 = arith.bitcast %low : i16 to bf16
//! ```
//!
//! Ops that change only the sign change one bit.

use crate::formula::{Formula, Number, like};
use halo_ir::{ops::math, prelude::*};

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
    /// The sign bit of the operand is flipped.
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
        |operation| expansion(operation.name()).is_some() && has_bf16(operation),
        |builder, operation| expand(builder, operation),
    )
}

fn is_bf16(ty: Type) -> bool {
    ty.element_type().float_kind() == Some(FloatKind::BF16)
}

fn has_bf16(operation: Operation) -> bool {
    operation
        .operands()
        .into_iter()
        .chain(operation.results())
        .any(|value| is_bf16(value.ty()))
}

fn expand<'c>(builder: &Builder<'c>, operation: Operation<'c>) {
    let Some(expansion) = expansion(operation.name()) else {
        return;
    };
    let formula = Formula::new(builder);
    let operands: Vec<Number> = operation
        .operands()
        .into_iter()
        .map(|operand| formula.number(operand))
        .collect();
    let first = operands[0];
    let result = operation.results()[0].ty().element_type();
    let number = match expansion {
        Expansion::Widened => return widened(builder, operation),
        Expansion::Extended if result.bit_width() == Some(32) => first.widened_bf16(),
        Expansion::Extended => first.widened_bf16().convert_float(result),
        // An f64 was rounded to odd before.
        Expansion::Truncated if first.width() == 32 => first.to_bf16(),
        Expansion::Truncated => return,
        Expansion::Negated => (first.bits() ^ SIGN).bf16_of_bits(),
        Expansion::Absolute => (first.bits() & !SIGN).bf16_of_bits(),
        Expansion::SignCopied => {
            let sign = operands[1].bits() & SIGN;
            ((first.bits() & !SIGN) | sign).bf16_of_bits()
        }
    };
    builder.replace(operation, &[formula.finish(number)])
}

/// The sign bit of a bf16.
const SIGN: i64 = i16::MIN as i64;

/// Replaces an op with the same op on f32, and rounds the result.
fn widened<'c>(builder: &Builder<'c>, operation: Operation<'c>) {
    let formula = Formula::new(builder);
    let operands = operation
        .operands()
        .into_iter()
        .map(|operand| {
            if is_bf16(operand.ty()) {
                formula.finish(formula.number(operand).widened_bf16())
            } else {
                operand
            }
        })
        .collect::<Vec<_>>();
    let result = operation.results()[0].ty();
    let single = Type::float32(builder.context());
    let mut spec = builder.op(operation.name()).operands(&operands);
    for (name, attribute) in operation.attributes() {
        spec = spec.attribute(name, attribute);
    }
    if !is_bf16(result) {
        return builder.replace(operation, &[spec.result(result).value()]);
    }
    let wide = formula.number(spec.result(like(result, single)).value());
    builder.replace(operation, &[formula.finish(wide.to_bf16())])
}
