//! `--halo-expand-remainder`: `arith.remf` as exact arithmetic.
//!
//! A GPU has no instruction for the remainder of a truncated division, and
//! LLVM's own expansion for GPUs is wrong if the quotient has more digits than
//! a float. Here a power of two scales the divisor, so that the quotient of a
//! step is an integer below 2^53 and the remainder is exact; for most arguments
//! one step suffices.
//!
//! ```mlir
//! %0 = arith.remf %x, %y : f64
//! ```
//!
//! becomes
//!
//! ```mlir
//! %rest = scf.while (%r = %size_of_x) : (f64) -> f64 {
//!   // %r >= %size_of_y, and both are numbers
//! } do {
//!   // %t = %size_of_y * 2^k, %q = trunc(%r / %t), %r - %q * %t
//! }
//! // with the sign of %x, or NaN
//! ```
//!
//! Narrower floats are computed in f64, in which their remainder is exact.

use crate::{loops::loop_ops::Emitted, math::code::Code};
use halo_ir::{ops::math, prelude::*};

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "halo-expand-remainder",
    "Expand remainders of floats into exact arithmetic",
    run,
)
.dependent_dialects(&["arith", "math", "scf"]);

/// Bits of the quotient of a step.
const STEP: i64 = 52;

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    pass.for_each(
        |operation| operation.isa::<arith::RemFOp>(),
        |builder, operation| expand(builder, operation),
    )
}

fn expand<'c>(builder: &Builder<'c>, operation: Operation<'c>) -> Emitted<()> {
    let r#type = results_of(operation)[0].r#type();
    let wide = Type::float64(builder.context());
    let narrow = bits_of(r#type).is_some_and(|bits| bits < 64);
    // A vector has no condition of its own for each element.
    let Some(code) = Code::of(builder, wide).filter(|_| halo_ir::is_float(r#type)) else {
        return Ok(());
    };
    let mut operands = Vec::new();
    for operand in operands_of(operation) {
        operands.push(if narrow {
            arith::extf(builder, operand, wide)?
        } else {
            operand
        });
    }
    let rest = remainder(builder, &code, operands[0], operands[1])?;
    let rest = if narrow {
        arith::truncf(builder, rest, r#type)?
    } else {
        rest
    };
    builder.replace(operation, &[rest])?;
    Ok(())
}

/// `x - y * trunc(x / y)`, exactly.
fn remainder<'c>(
    builder: &Builder<'c>,
    code: &Code<'_, 'c>,
    x: Value<'c>,
    y: Value<'c>,
) -> Emitted<Value<'c>> {
    let (size, divisor) = (code.abs(x)?, code.abs(y)?);
    let (exponent, _) = code.split(divisor)?;
    let wide = size.r#type();
    let finite = code.compare_with(CmpFPredicate::Olt, size, f64::INFINITY)?;
    let divides = code.compare_with(CmpFPredicate::Ogt, divisor, 0.0)?;
    let defined = arith::andi(builder, finite, divides)?;
    let loop_ = scf::while_(
        builder,
        &[size],
        |builder, carried| {
            let code = Code::of(builder, wide).ok_or_else(no_code)?;
            let reaches = code.compare(CmpFPredicate::Oge, carried[0], divisor)?;
            let goes_on = arith::andi(builder, defined, reaches)?;
            Ok::<_, BuildError>((goes_on, vec![carried[0]]))
        },
        |builder, rest| {
            let code = Code::of(builder, wide).ok_or_else(no_code)?;
            Ok(vec![step(builder, &code, rest[0], (divisor, exponent))?])
        },
    )?;
    let rest = loop_.results()[0];
    let rest = code.copysign(rest, x)?;
    let nan = code.float(f64::NAN)?;
    let result = code.select(defined, rest, nan)?;
    let unordered = code.compare(CmpFPredicate::Uno, x, y)?;
    code.select(unordered, nan, result)
}

/// The remainder of `rest` after subtracting a multiple of the divisor that a
/// float can represent.
fn step<'c>(
    builder: &Builder<'c>,
    code: &Code<'_, 'c>,
    rest: Value<'c>,
    (divisor, exponent): (Value<'c>, Value<'c>),
) -> Emitted<Value<'c>> {
    let (own, _) = code.split(rest)?;
    let apart = code.integral(arith::subi, own, exponent)?;
    let apart = code.integral_with(arith::subi, apart, STEP)?;
    let apart = code.integral_with(arith::maxsi, apart, 0)?;
    let multiple = code.scale(divisor, apart)?;
    let quotient = code.div(rest, multiple)?;
    let quotient = math::trunc(builder, quotient)?;
    let negated = code.neg(quotient)?;
    let left = code.fma(negated, multiple, rest)?;
    // The quotient may have been rounded up to the next integer.
    let more = code.add(left, multiple)?;
    let left = code.select_where((left, CmpFPredicate::Olt, 0.0), more, left)?;
    let less = code.sub(left, multiple)?;
    let above = code.compare(CmpFPredicate::Oge, left, multiple)?;
    code.select(above, less, left)
}

fn no_code() -> BuildError {
    BuildError::new(arith::RemFOp::NAME)
}
