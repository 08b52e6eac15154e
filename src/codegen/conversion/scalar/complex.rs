//! Elementwise ops on complex numbers.

use super::Direction;
use halo_ir::{
    ops::{UnaryFn, complex},
    prelude::*,
};

/// Lowers an op, or returns `None` if it is not defined on complex numbers.
pub fn lower<'c>(
    b: &Builder<'c>,
    name: &str,
    operands: &[Value<'c>],
) -> Option<RewriteResult<Value<'c>>> {
    Some(match (name, operands) {
        (stablehlo::RealOp::NAME, &[value]) => Ok(complex::re(b, value)),
        (stablehlo::ImagOp::NAME, &[value]) => Ok(complex::im(b, value)),
        (stablehlo::AbsOp::NAME, &[value]) => Ok(complex::abs(b, value)),
        (stablehlo::IsFiniteOp::NAME, _) => return None,
        (stablehlo::AddOp::NAME, &[left, right]) => Ok(complex::add_parts(b, left, right)),
        (stablehlo::SubtractOp::NAME, &[left, right]) => {
            Ok(complex::subtract_parts(b, left, right))
        }
        (stablehlo::MulOp::NAME, &[left, right]) => Ok(complex::multiply_parts(b, left, right)),
        (chlo::SquareOp::NAME, &[value]) => Ok(complex::multiply_parts(b, value, value)),
        (stablehlo::DivOp::NAME, &[left, right]) => Ok(complex::div(b, left, right)),
        (stablehlo::MaxOp::NAME, &[left, right]) => Ok(extremum(b, Direction::Lt, left, right)),
        (stablehlo::MinOp::NAME, &[left, right]) => Ok(extremum(b, Direction::Gt, left, right)),
        (stablehlo::PowOp::NAME, &[left, right]) => Ok(complex::pow(b, left, right)),
        (stablehlo::Atan2Op::NAME, &[left, right]) => Ok(complex::atan2(b, left, right)),
        (_, &[value]) => Ok(function(name)?(b, value)),
        _ => return None,
    })
}

fn function(name: &str) -> Option<UnaryFn> {
    Some(match name {
        stablehlo::CosineOp::NAME => complex::cos,
        stablehlo::ExpOp::NAME => complex::exp,
        stablehlo::Expm1Op::NAME => complex::expm1,
        stablehlo::LogOp::NAME => complex::log,
        stablehlo::Log1pOp::NAME => complex::log1p,
        stablehlo::NegOp::NAME => complex::neg,
        stablehlo::RsqrtOp::NAME => complex::rsqrt,
        stablehlo::SignOp::NAME => complex::sign,
        stablehlo::SineOp::NAME => complex::sin,
        stablehlo::SqrtOp::NAME => complex::sqrt,
        stablehlo::TanOp::NAME | chlo::TanOp::NAME => complex::tan,
        stablehlo::TanhOp::NAME => complex::tanh,
        _ => return None,
    })
}

/// Compares complex numbers. Equality compares both components; the order is lexicographic, by the
/// real and then the imaginary part.
pub fn compare<'c>(
    b: &Builder<'c>,
    direction: Direction,
    left: Value<'c>,
    right: Value<'c>,
) -> Value<'c> {
    let (strict, last) = match direction {
        Direction::Eq | Direction::Ne => (CmpFPredicate::Oeq, CmpFPredicate::Oeq),
        Direction::Ge => (CmpFPredicate::Ogt, CmpFPredicate::Oge),
        Direction::Gt => (CmpFPredicate::Ogt, CmpFPredicate::Ogt),
        Direction::Le => (CmpFPredicate::Olt, CmpFPredicate::Ole),
        Direction::Lt => (CmpFPredicate::Olt, CmpFPredicate::Olt),
    };
    let (left_real, right_real) = (complex::re(b, left), complex::re(b, right));
    let (left_imaginary, right_imaginary) = (complex::im(b, left), complex::im(b, right));
    let equal = arith::cmpf(b, CmpFPredicate::Oeq, left_real, right_real);
    let imaginary = arith::cmpf(b, last, left_imaginary, right_imaginary);
    let tie = arith::andi(b, equal, imaginary);
    match direction {
        Direction::Eq => tie,
        Direction::Ne => {
            let ones = arith::constant(b, tie.ty(), -1);
            arith::xori(b, tie, ones)
        }
        _ => {
            let real = arith::cmpf(b, strict, left_real, right_real);
            arith::ori(b, real, tie)
        }
    }
}

/// The right operand if the comparison holds, else the left one. Comparisons with NaN are false.
fn extremum<'c>(
    b: &Builder<'c>,
    direction: Direction,
    left: Value<'c>,
    right: Value<'c>,
) -> Value<'c> {
    let exceeded = compare(b, direction, left, right);
    arith::select(b, exceeded, right, left)
}
