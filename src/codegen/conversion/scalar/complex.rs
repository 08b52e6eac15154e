//! Elementwise ops on complex numbers.

use super::{Direction, Scalar};
use halo_ir::ops::{
    UnaryFn,
    arith::{self, CmpFPredicate},
    complex,
};
use halo_ir::{Builder, Value};
use melior::ir::ValueLike;

/// Lowers an op, or returns `None` where the op has no meaning on complex
/// numbers.
pub fn lower<'c>(b: &Builder<'c>, name: &str, operands: &[Value<'c>]) -> Option<Scalar<'c>> {
    Some(match (name, operands) {
        ("real", &[value]) => complex::re(b, value).map_err(Into::into),
        ("imag", &[value]) => complex::im(b, value).map_err(Into::into),
        ("abs", &[value]) => complex::abs(b, value).map_err(Into::into),
        ("is_finite", _) => return None,
        ("add", &[left, right]) => complex::add(b, left, right).map_err(Into::into),
        ("subtract", &[left, right]) => complex::sub(b, left, right).map_err(Into::into),
        ("multiply", &[left, right]) => complex::mul(b, left, right).map_err(Into::into),
        ("square", &[value]) => complex::mul(b, value, value).map_err(Into::into),
        ("divide", &[left, right]) => complex::div(b, left, right).map_err(Into::into),
        ("maximum", &[left, right]) => extremum(b, Direction::Lt, left, right),
        ("minimum", &[left, right]) => extremum(b, Direction::Gt, left, right),
        ("power", &[left, right]) => complex::pow(b, left, right).map_err(Into::into),
        ("atan2", &[left, right]) => complex::atan2(b, left, right).map_err(Into::into),
        (_, &[value]) => function(name)?(b, value).map_err(Into::into),
        _ => return None,
    })
}

fn function(name: &str) -> Option<UnaryFn> {
    Some(match name {
        "cosine" => complex::cos,
        "exponential" => complex::exp,
        "exponential_minus_one" => complex::expm1,
        "log" => complex::log,
        "log_plus_one" => complex::log1p,
        "negate" => complex::neg,
        "rsqrt" => complex::rsqrt,
        "sign" => complex::sign,
        "sine" => complex::sin,
        "sqrt" => complex::sqrt,
        "tan" => complex::tan,
        "tanh" => complex::tanh,
        _ => return None,
    })
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
        Direction::Eq | Direction::Ne => (CmpFPredicate::Oeq, CmpFPredicate::Oeq),
        Direction::Ge => (CmpFPredicate::Ogt, CmpFPredicate::Oge),
        Direction::Gt => (CmpFPredicate::Ogt, CmpFPredicate::Ogt),
        Direction::Le => (CmpFPredicate::Olt, CmpFPredicate::Ole),
        Direction::Lt => (CmpFPredicate::Olt, CmpFPredicate::Olt),
    };
    let (left_real, right_real) = (complex::re(b, left)?, complex::re(b, right)?);
    let (left_imaginary, right_imaginary) = (complex::im(b, left)?, complex::im(b, right)?);
    let equal = arith::cmpf(b, CmpFPredicate::Oeq, left_real, right_real)?;
    let imaginary = arith::cmpf(b, last, left_imaginary, right_imaginary)?;
    let tie = arith::andi(b, equal, imaginary)?;
    match direction {
        Direction::Eq => Ok(tie),
        Direction::Ne => {
            let ones = arith::constant(b, tie.r#type(), -1)?;
            Ok(arith::xori(b, tie, ones)?)
        }
        _ => {
            let real = arith::cmpf(b, strict, left_real, right_real)?;
            Ok(arith::ori(b, real, tie)?)
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
