//! Elementwise ops on complex numbers.

use super::{Direction, Scalar};
use crate::conversion::arithmetic::{self as arith, FloatPredicate};
use halo_ir::{Builder, Value, complex_element};
use melior::ir::ValueLike;

/// Lowers an op, or returns `None` where the op has no meaning on complex
/// numbers.
pub fn lower<'c>(b: &Builder<'c>, name: &str, operands: &[Value<'c>]) -> Option<Scalar<'c>> {
    Some(match (name, operands) {
        ("real", &[value]) => arith::real(b, value).map_err(Into::into),
        ("imag", &[value]) => arith::imaginary(b, value).map_err(Into::into),
        ("abs", &[value]) => {
            let part = complex_element(value.r#type())?;
            b.value("complex.abs", &[value], part).map_err(Into::into)
        }
        ("is_finite", _) => return None,
        ("add", &[left, right]) => simple(b, "complex.add", &[left, right]),
        ("subtract", &[left, right]) => simple(b, "complex.sub", &[left, right]),
        ("multiply", &[left, right]) => simple(b, "complex.mul", &[left, right]),
        ("square", &[value]) => simple(b, "complex.mul", &[value, value]),
        ("divide", &[left, right]) => simple(b, "complex.div", &[left, right]),
        ("maximum", &[left, right]) => extremum(b, Direction::Lt, left, right),
        ("minimum", &[left, right]) => extremum(b, Direction::Gt, left, right),
        ("power", &[left, right]) => simple(b, "complex.pow", &[left, right]),
        ("atan2", &[left, right]) => simple(b, "complex.atan2", &[left, right]),
        (_, &[value]) => simple(b, function(name)?, &[value]),
        _ => return None,
    })
}

fn function(name: &str) -> Option<&'static str> {
    Some(match name {
        "cosine" => "complex.cos",
        "exponential" => "complex.exp",
        "exponential_minus_one" => "complex.expm1",
        "log" => "complex.log",
        "log_plus_one" => "complex.log1p",
        "negate" => "complex.neg",
        "rsqrt" => "complex.rsqrt",
        "sign" => "complex.sign",
        "sine" => "complex.sin",
        "sqrt" => "complex.sqrt",
        "tan" => "complex.tan",
        "tanh" => "complex.tanh",
        _ => return None,
    })
}

fn simple<'c>(b: &Builder<'c>, name: &str, operands: &[Value<'c>]) -> Scalar<'c> {
    Ok(arith::same(b, name, operands)?)
}

/// Compares complex numbers: for equality as they are, for order by the real
/// and then the imaginary part.
pub fn compare<'c>(
    b: &Builder<'c>,
    direction: Direction,
    left: Value<'c>,
    right: Value<'c>,
) -> Scalar<'c> {
    let (strict, last) = match direction {
        Direction::Eq | Direction::Ne => (FloatPredicate::Oeq, FloatPredicate::Oeq),
        Direction::Ge => (FloatPredicate::Ogt, FloatPredicate::Oge),
        Direction::Gt => (FloatPredicate::Ogt, FloatPredicate::Ogt),
        Direction::Le => (FloatPredicate::Olt, FloatPredicate::Ole),
        Direction::Lt => (FloatPredicate::Olt, FloatPredicate::Olt),
    };
    let (left_real, right_real) = (arith::real(b, left)?, arith::real(b, right)?);
    let (left_imaginary, right_imaginary) =
        (arith::imaginary(b, left)?, arith::imaginary(b, right)?);
    let equal = arith::compare_floats(b, FloatPredicate::Oeq, left_real, right_real)?;
    let imaginary = arith::compare_floats(b, last, left_imaginary, right_imaginary)?;
    let tie = simple(b, "arith.andi", &[equal, imaginary])?;
    match direction {
        Direction::Eq => Ok(tie),
        Direction::Ne => {
            let ones = arith::integer(b, tie.r#type(), -1)?;
            simple(b, "arith.xori", &[tie, ones])
        }
        _ => {
            let real = arith::compare_floats(b, strict, left_real, right_real)?;
            simple(b, "arith.ori", &[real, tie])
        }
    }
}

/// The right operand where the left one stands so to it, else the left one. A
/// NaN stands in no order.
fn extremum<'c>(
    b: &Builder<'c>,
    direction: Direction,
    left: Value<'c>,
    right: Value<'c>,
) -> Scalar<'c> {
    let exceeded = compare(b, direction, left, right)?;
    Ok(arith::select(b, exceeded, right, left)?)
}
