//! Lowers elementwise ops on one element.
//!
//! Lowerings of whole tensors put these ops into the body of a `linalg.generic`; reductions put
//! them into the combiner. An element is a signless integer, a float or a complex number; the type
//! of the HLO op determines whether an integer is unsigned. Elements of less than a byte and narrow
//! floats have another type in memory ([`storage`]).

mod complex;
mod convert;
mod float;
mod integer;
mod narrow_float;
pub mod storage;

use halo_hlo::matchers::ELEMENTWISE;
use halo_ir::prelude::*;

pub use convert::convert;
pub use float::total_order_key;

/// The attributes and types of an elementwise op.
#[derive(Clone, Copy)]
pub struct ElementwiseOp<'c, 'a> {
    /// The name, such as `stablehlo.add`.
    pub name: &'a str,
    /// Element types of the operands in HLO.
    pub operand_types: &'a [Type<'c>],
    /// Element type of the result in HLO.
    pub result_type: Type<'c>,
    /// Element type of the result after conversion.
    pub lowered_type: Type<'c>,
    /// `compare`: the direction and the type of comparison.
    pub comparison: Option<Comparison>,
    /// `reduce_precision`: bits of exponent and mantissa.
    pub precision: Option<(u32, u32)>,
}

/// The order and direction of a `compare`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// The relation.
    pub direction: Direction,
    /// True if floats compare by the total order of IEEE 754.
    pub total_order: bool,
}

/// The relation of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Equal.
    Eq,
    /// Not equal.
    Ne,
    /// Greater or equal.
    Ge,
    /// Greater.
    Gt,
    /// Less or equal.
    Le,
    /// Less.
    Lt,
}

impl Direction {
    /// The direction of a name such as `LT`.
    pub fn parse(text: &str) -> Option<Self> {
        Some(match text {
            "EQ" => Self::Eq,
            "NE" => Self::Ne,
            "GE" => Self::Ge,
            "GT" => Self::Gt,
            "LE" => Self::Le,
            "LT" => Self::Lt,
            _ => return None,
        })
    }
}

/// Lowers one element of an elementwise op.
pub fn lower<'c>(
    b: &Builder<'c>,
    op: &ElementwiseOp<'c, '_>,
    operands: &[Value<'c>],
) -> RewriteResult<Value<'c>> {
    let first = op
        .operand_types
        .first()
        .copied()
        .ok_or_else(|| RewriteError::Invalid(format!("'{}' has no operands", op.name)))?;
    match (op.name, operands) {
        (stablehlo::SelectOp::NAME, &[predicate, on_true, on_false]) => {
            Ok(arith::select(b, predicate, on_true, on_false))
        }
        (stablehlo::ConvertOp::NAME, &[value]) => {
            convert(b, value, first, op.result_type, op.lowered_type)
        }
        (stablehlo::BitcastConvertOp::NAME, &[value]) => {
            let bits = storage::bits(b, value, first)?;
            storage::from_bits(b, bits, op.result_type)
        }
        _ if op.has_encoded_elements() => lower_encoded(b, op, operands),
        _ => lower_plain(b, op, operands),
    }
}

/// Lowers an op on elements of arithmetic types.
fn lower_plain<'c>(
    b: &Builder<'c>,
    op: &ElementwiseOp<'c, '_>,
    operands: &[Value<'c>],
) -> RewriteResult<Value<'c>> {
    let first = op.operand_types.first().copied().ok_or_else(|| unknown(op))?;
    match (op.name, operands) {
        (stablehlo::ClampOp::NAME, &[minimum, value, maximum]) => {
            let types = [op.operand_types[1]; 2];
            let lower_bound = ElementwiseOp {
                name: stablehlo::MaxOp::NAME,
                operand_types: &types,
                ..*op
            };
            let upper_bound = ElementwiseOp {
                name: stablehlo::MinOp::NAME,
                ..lower_bound
            };
            let raised = lower_plain(b, &lower_bound, &[value, minimum])?;
            lower_plain(b, &upper_bound, &[raised, maximum])
        }
        (stablehlo::CompareOp::NAME, &[left, right]) => compare(b, op, first, left, right),
        (stablehlo::ComplexOp::NAME, &[real, imaginary]) => {
            Ok(halo_ir::ops::complex::from_parts(b, real, imaginary))
        }
        (stablehlo::ReducePrecisionOp::NAME, &[value]) => match op.precision {
            Some((exponent, mantissa)) => Ok(float::reduce_precision(b, value, exponent, mantissa)),
            None => Err(unknown(op)),
        },
        _ if first.is_complex() => {
            complex::lower(b, op.name, operands).unwrap_or_else(|| Err(unknown(op)))
        }
        _ if first.is_float() => {
            float::lower(b, op.name, operands).unwrap_or_else(|| Err(unknown(op)))
        }
        _ if first.is_integer() => integer::lower(b, op.name, first.is_unsigned(), operands)
            .unwrap_or_else(|| Err(unknown(op))),
        _ => Err(unknown(op)),
    }
}

impl ElementwiseOp<'_, '_> {
    fn has_encoded_elements(&self) -> bool {
        let mut operands = self.operand_types.iter();
        storage::is_encoded(self.result_type)
            || operands.any(|element| storage::is_encoded(*element))
    }
}

/// Lowers an op on elements whose storage type differs from the arithmetic type. The arithmetic
/// type of an operand is its type in HLO, except for narrow floats.
fn lower_encoded<'c>(
    b: &Builder<'c>,
    op: &ElementwiseOp<'c, '_>,
    operands: &[Value<'c>],
) -> RewriteResult<Value<'c>> {
    let in_arithmetic = |element: Type<'c>| {
        if element.is_float() {
            storage::working_type(b.context(), element)
        } else {
            element
        }
    };
    let operand_types: Vec<Type> =
        op.operand_types.iter().map(|element| in_arithmetic(*element)).collect();
    let values = operands
        .iter()
        .zip(op.operand_types)
        .map(|(value, element)| storage::read(b, *value, *element))
        .collect::<Result<Vec<_>, _>>()?;
    let plain = ElementwiseOp {
        operand_types: &operand_types,
        result_type: in_arithmetic(op.result_type),
        lowered_type: storage::working_type(b.context(), op.result_type),
        ..*op
    };
    let value = lower_plain(b, &plain, &values)?;
    Ok(storage::write(b, value, op.result_type))
}

fn unknown(op: &ElementwiseOp) -> RewriteError {
    RewriteError::Invalid(format!(
        "there is no code for '{}' on {}",
        op.name,
        op.operand_types.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
    ))
}

/// Returns true if an op computes each element of its result from the elements of its operands at
/// the same index.
pub fn is_elementwise(name: &str) -> bool {
    let is_other = matches!(
        name,
        stablehlo::ClampOp::NAME
            | stablehlo::SelectOp::NAME
            | chlo::AcosOp::NAME
            | chlo::AcoshOp::NAME
            | chlo::AsinOp::NAME
            | chlo::AsinhOp::NAME
            | chlo::AtanOp::NAME
            | chlo::AtanhOp::NAME
            | chlo::CoshOp::NAME
            | chlo::ErfOp::NAME
            | chlo::ErfcOp::NAME
            | chlo::IsInfOp::NAME
            | chlo::IsNegInfOp::NAME
            | chlo::IsPosInfOp::NAME
            | chlo::SinhOp::NAME
            | chlo::SquareOp::NAME
            | chlo::TanOp::NAME
    );
    is_other || ELEMENTWISE.binary_search(&name).is_ok()
}

/// Lowers a comparison of one element.
fn compare<'c>(
    b: &Builder<'c>,
    op: &ElementwiseOp<'c, '_>,
    ty: Type<'c>,
    left: Value<'c>,
    right: Value<'c>,
) -> RewriteResult<Value<'c>> {
    let comparison = op.comparison.ok_or_else(|| unknown(op))?;
    if ty.is_complex() {
        return Ok(complex::compare(b, comparison.direction, left, right));
    }
    if ty.is_float() && comparison.total_order {
        let left = float::total_order_key(b, left);
        let right = float::total_order_key(b, right);
        return Ok(compare_integers(
            b,
            comparison.direction,
            false,
            left,
            right,
        ));
    }
    if ty.is_float() {
        return Ok(compare_floats(b, comparison.direction, left, right));
    }
    let one_bit = left.ty().integer_width() == Some(1);
    Ok(compare_integers(
        b,
        comparison.direction,
        one_bit || ty.is_unsigned(),
        left,
        right,
    ))
}

fn compare_floats<'c>(
    b: &Builder<'c>,
    direction: Direction,
    left: Value<'c>,
    right: Value<'c>,
) -> Value<'c> {
    let predicate = match direction {
        Direction::Eq => CmpFPredicate::Oeq,
        Direction::Ne => CmpFPredicate::Une,
        Direction::Ge => CmpFPredicate::Oge,
        Direction::Gt => CmpFPredicate::Ogt,
        Direction::Le => CmpFPredicate::Ole,
        Direction::Lt => CmpFPredicate::Olt,
    };
    arith::cmpf(b, predicate, left, right)
}

fn compare_integers<'c>(
    b: &Builder<'c>,
    direction: Direction,
    unsigned: bool,
    left: Value<'c>,
    right: Value<'c>,
) -> Value<'c> {
    let predicate = match (direction, unsigned) {
        (Direction::Eq, _) => CmpIPredicate::Eq,
        (Direction::Ne, _) => CmpIPredicate::Ne,
        (Direction::Ge, false) => CmpIPredicate::Sge,
        (Direction::Gt, false) => CmpIPredicate::Sgt,
        (Direction::Le, false) => CmpIPredicate::Sle,
        (Direction::Lt, false) => CmpIPredicate::Slt,
        (Direction::Ge, true) => CmpIPredicate::Uge,
        (Direction::Gt, true) => CmpIPredicate::Ugt,
        (Direction::Le, true) => CmpIPredicate::Ule,
        (Direction::Lt, true) => CmpIPredicate::Ult,
    };
    arith::cmpi(b, predicate, left, right)
}
