//! `--halo-expand-remainder`: expands `arith.remf` to exact arithmetic.
//!
//! GPUs have no instruction for the remainder of a truncated division, and LLVM's expansion for
//! GPUs is wrong if the quotient has more digits than a float. This expansion scales the divisor by
//! a power of two, so that the quotient of a step is an integer below 2^53 and the remainder is
//! exact. For most arguments one step suffices.
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

use crate::formula::{Formula, Number};
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

fn expand<'c>(builder: &Builder<'c>, operation: Operation<'c>) {
    let ty = operation.results()[0].ty();
    // The loop of a vector would need a condition per element.
    if !ty.is_float() {
        return;
    }
    let formula = Formula::new(builder);
    let is_narrow = ty.bit_width().is_some_and(|bits| bits < 64);
    let operand = |value| {
        let number = formula.number(value);
        if is_narrow {
            number.with_width(64)
        } else {
            number
        }
    };
    let [x, y] = operation.operands()[..] else {
        return;
    };
    let rest = remainder(&formula, operand(x), operand(y));
    let rest = if is_narrow {
        rest.convert_float(ty)
    } else {
        rest
    };
    builder.replace(operation, &[formula.finish(rest)])
}

/// `x - y * trunc(x / y)`, exactly.
fn remainder<'f, 'c>(
    formula: &'f Formula<'c>,
    x: Number<'f, 'c>,
    y: Number<'f, 'c>,
) -> Number<'f, 'c> {
    let (size, divisor) = (x.abs(), y.abs());
    let (exponent, _) = divisor.split();
    let is_defined = size.lt(f64::INFINITY) & divisor.gt(0.0);
    let while_ = scf::while_(
        formula.builder(),
        &[formula.finish(size)],
        |_, carried| {
            let goes_on = is_defined & formula.number(carried[0]).ge(divisor);
            (formula.finish(goes_on), vec![carried[0]])
        },
        |_, rest| {
            let rest = step(formula.number(rest[0]), divisor, exponent);
            vec![formula.finish(rest)]
        },
    );
    let rest = formula.number(while_.results()[0]).copysign(x);
    let result = is_defined.select(rest, f64::NAN);
    result.replaced_where(x.is_unordered_with(y), f64::NAN)
}

/// The remainder of `rest` after subtracting a multiple of the divisor that a
/// float can represent.
fn step<'f, 'c>(
    rest: Number<'f, 'c>,
    divisor: Number<'f, 'c>,
    exponent: Number<'f, 'c>,
) -> Number<'f, 'c> {
    let (own, _) = rest.split();
    let apart = (own - exponent - STEP).binary(arith::maxsi, 0);
    let multiple = divisor.scale(apart);
    let quotient = (rest / multiple).unary(math::trunc);
    let left = (-quotient).fma(multiple, rest);
    // The quotient may have been rounded up to the next integer.
    let left = left.replaced_where(left.lt(0.0), left + multiple);
    left.replaced_where(left.ge(multiple), left - multiple)
}
