//! Ops on elements: functions, comparisons, conversions.

use super::{
    failure::{Failure, failure},
    instruction::Instruction,
    values::Tree,
};
use halo_core::ElementType;
use halo_hlo_text::{ArrayShape, Dimension, Opcode, ResultAccuracy as Accuracy};
use halo_ir::{
    prelude::*,
    stablehlo::attributes::{ComparisonDirection, ComparisonType, ResultAccuracy},
};

/// The equivalent op of StableHLO or CHLO with the same operands, and whether
/// it has the attribute `result_accuracy`.
pub fn op_of(opcode: Opcode) -> Option<(&'static str, bool)> {
    use Opcode as O;
    Some(match opcode {
        O::Abs => (stablehlo::AbsOp::NAME, false),
        O::Acos => (chlo::AcosOp::NAME, false),
        O::Acosh => (chlo::AcoshOp::NAME, false),
        O::Add => (stablehlo::AddOp::NAME, false),
        O::And => (stablehlo::AndOp::NAME, false),
        O::Asin => (chlo::AsinOp::NAME, false),
        O::Asinh => (chlo::AsinhOp::NAME, false),
        O::Atan => (chlo::AtanOp::NAME, false),
        O::Atan2 => (stablehlo::Atan2Op::NAME, false),
        O::Atanh => (chlo::AtanhOp::NAME, false),
        O::Cbrt => (stablehlo::CbrtOp::NAME, true),
        O::Ceil => (stablehlo::CeilOp::NAME, false),
        O::Clamp => (stablehlo::ClampOp::NAME, false),
        O::Complex => (stablehlo::ComplexOp::NAME, false),
        O::Cosh => (chlo::CoshOp::NAME, false),
        O::Cosine => (stablehlo::CosineOp::NAME, true),
        O::CountLeadingZeros => (stablehlo::ClzOp::NAME, false),
        O::Divide => (stablehlo::DivOp::NAME, false),
        O::Erf => (chlo::ErfOp::NAME, false),
        O::Exponential => (stablehlo::ExpOp::NAME, true),
        O::ExponentialMinusOne => (stablehlo::Expm1Op::NAME, true),
        O::Floor => (stablehlo::FloorOp::NAME, false),
        O::Imag => (stablehlo::ImagOp::NAME, false),
        O::IsFinite => (stablehlo::IsFiniteOp::NAME, false),
        O::Log => (stablehlo::LogOp::NAME, true),
        O::LogPlusOne => (stablehlo::Log1pOp::NAME, true),
        O::Logistic => (stablehlo::LogisticOp::NAME, true),
        O::Maximum => (stablehlo::MaxOp::NAME, false),
        O::Minimum => (stablehlo::MinOp::NAME, false),
        O::Mulhi => (chlo::MulhiOp::NAME, false),
        O::Multiply => (stablehlo::MulOp::NAME, false),
        O::Negate => (stablehlo::NegOp::NAME, false),
        O::Not => (stablehlo::NotOp::NAME, false),
        O::Or => (stablehlo::OrOp::NAME, false),
        O::Popcnt => (stablehlo::PopulationCountOp::NAME, false),
        O::Power => (stablehlo::PowOp::NAME, false),
        O::Real => (stablehlo::RealOp::NAME, false),
        O::Remainder => (stablehlo::RemOp::NAME, false),
        O::RoundNearestAfz => (stablehlo::RoundOp::NAME, false),
        O::RoundNearestEven => (stablehlo::RoundNearestEvenOp::NAME, false),
        O::Rsqrt => (stablehlo::RsqrtOp::NAME, true),
        O::Select => (stablehlo::SelectOp::NAME, false),
        O::ShiftLeft => (stablehlo::ShiftLeftOp::NAME, false),
        O::ShiftRightArithmetic => (stablehlo::ShiftRightArithmeticOp::NAME, false),
        O::ShiftRightLogical => (stablehlo::ShiftRightLogicalOp::NAME, false),
        O::Sign => (stablehlo::SignOp::NAME, false),
        O::Sine => (stablehlo::SineOp::NAME, true),
        O::Sinh => (chlo::SinhOp::NAME, false),
        O::Sqrt => (stablehlo::SqrtOp::NAME, true),
        O::Subtract => (stablehlo::SubtractOp::NAME, false),
        O::Tan => (stablehlo::TanOp::NAME, true),
        O::Tanh => (stablehlo::TanhOp::NAME, true),
        O::Xor => (stablehlo::XorOp::NAME, false),
        _ => return None,
    })
}

/// An op of [`op_of`].
pub fn function<'m>(i: &Instruction<'_, 'm>, name: &str, exact: bool) -> Result<Tree<'m>, Failure> {
    let mut op = i.op(name).operands(&i.values()?);
    if exact && let Some(accuracy) = result_accuracy(i)? {
        op = op.attribute("result_accuracy", accuracy);
    }
    i.one(op.result(i.result_type()?))
}

/// The accuracy of a function; `None` for the backend's default.
fn result_accuracy<'m>(i: &Instruction<'_, 'm>) -> Result<Option<Attribute<'m>>, Failure> {
    let Some(halo_hlo_text::Value::ResultAccuracy(accuracy)) = i.attribute("result_accuracy")
    else {
        return Ok(None);
    };
    let accuracy = match accuracy {
        Accuracy::Mode(mode) if mode.eq_ignore_ascii_case("highest") => ResultAccuracy::Highest,
        Accuracy::Mode(mode) if mode.eq_ignore_ascii_case("default") => return Ok(None),
        Accuracy::Mode(mode) => return Err(failure(format!("there is no accuracy '{mode}'"))),
        Accuracy::Tolerance { atol, rtol, ulps } => ResultAccuracy::Tolerance {
            atol: *atol,
            rtol: *rtol,
            ulps: *ulps,
        },
    };
    let attribute = accuracy.to_attribute(i.importer.context);
    let attribute = attribute.ok_or_else(|| failure("a tolerance must not be negative"))?;
    Ok(Some(attribute))
}

/// `compare`
pub fn compare<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>, Failure> {
    use ComparisonDirection as D;
    let word = i.word("direction")?.ok_or_else(|| i.missing("direction"))?;
    let direction = [D::Eq, D::Ne, D::Ge, D::Gt, D::Le, D::Lt]
        .into_iter()
        .find(|direction| direction.as_str() == word)
        .ok_or_else(|| failure(format!("there is no comparison direction '{word}'")))?;
    let [lhs, rhs] = i.fixed()?;
    let mut op = stablehlo::CompareOp::build(&i.builder, lhs, rhs, direction);
    if let Some(word) = i.word("type")? {
        use ComparisonType as T;
        let order = [T::Float, T::TotalOrder, T::Signed, T::Unsigned]
            .into_iter()
            .find(|order| order.as_str() == word)
            .ok_or_else(|| failure(format!("there is no comparison type '{word}'")))?;
        // XLA parses an order that the elements do not have, but uses the order of their type.
        if has_order(i.operand_array(0)?.element_type, order) {
            op = op.compare_type(order);
        }
    }
    i.one(op.result_types(&[i.result_type()?]))
}

/// Returns true if elements support an order.
fn has_order(element: ElementType, order: ComparisonType) -> bool {
    use halo_core::element_type::Class as C;
    match order {
        ComparisonType::Float => matches!(element.class(), C::Float | C::Complex),
        ComparisonType::TotalOrder => element.class() != C::Complex,
        ComparisonType::Signed => element.class() == C::Signed,
        ComparisonType::Unsigned => matches!(element.class(), C::Unsigned | C::Boolean),
        ComparisonType::NoType => true,
    }
}

/// `convert`. A conversion to a predicate tests for values other than zero, as a cast in C does;
/// `stablehlo.convert` would do the same, but XLA's importer uses a comparison.
pub fn convert<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>, Failure> {
    let from = i.operand_array(0)?;
    let to = i.result_array()?;
    if to.element_type != ElementType::I1 {
        return i.plain::<stablehlo::ConvertOp>();
    }
    let value = i.value(0)?;
    let zero = zeros_like(i, value, from)?;
    let op = stablehlo::CompareOp::build(&i.builder, value, zero, ComparisonDirection::Ne);
    i.one(op.result_types(&[i.result_type()?]))
}

/// Zeros in the shape of an array. If a dimension is bounded, they have the size of the bound, cut
/// to the dynamic size.
fn zeros_like<'m>(
    i: &Instruction<'_, 'm>,
    value: Value<'m>,
    array: &ArrayShape,
) -> Result<Value<'m>, Failure> {
    let mut sizes = Vec::new();
    for dimension in &array.dimensions {
        match dimension {
            Dimension::Static(size) | Dimension::Bounded(size) => sizes.push(*size),
            Dimension::Unbounded => {
                let zero = i.importer.number(&i.builder, array.element_type, 0)?;
                return spread(i, zero, value, array);
            }
        }
    }
    let full = i.importer.tensor_of(&sizes, array.element_type)?;
    let mut zeros = i.importer.filled(&i.builder, full, 0)?;
    let mut known = array.clone();
    for dimension in &mut known.dimensions {
        if let Dimension::Bounded(bound) = dimension {
            *dimension = Dimension::Static(*bound);
        }
    }
    for (number, dimension) in array.dimensions.iter().enumerate() {
        if let Dimension::Bounded(_) = dimension {
            let size = dimension_size(i, value, number as i64)?;
            if let Some(known) = known.dimensions.get_mut(number) {
                *known = *dimension;
            }
            let ty = i.importer.type_of(&halo_hlo_text::Shape::Array(known.clone()))?;
            let op = stablehlo::SetDimensionSizeOp::build(&i.builder, zeros, size, number as i64);
            zeros = i.step(op.result_types(&[ty]))?;
        }
    }
    Ok(zeros)
}

fn dimension_size<'m>(
    i: &Instruction<'_, 'm>,
    value: Value<'m>,
    dim: i64,
) -> Result<Value<'m>, Failure> {
    let ty = i.importer.tensor_of(&[], ElementType::I32)?;
    let op = stablehlo::GetDimensionSizeOp::build(&i.builder, value, dim);
    i.step(op.result_types(&[ty]))
}

/// A number in the shape that a value turns out to have.
fn spread<'m>(
    i: &Instruction<'_, 'm>,
    number: Value<'m>,
    like: Value<'m>,
    array: &ArrayShape,
) -> Result<Value<'m>, Failure> {
    let rank = array.dimensions.len();
    let one = i.importer.tensor_of(&[1], ElementType::I32)?;
    let mut sizes = Vec::new();
    for dimension in 0..rank {
        let size = dimension_size(i, like, dimension as i64)?;
        sizes.push(i.step(stablehlo::ReshapeOp::build(&i.builder, size, one))?);
    }
    let shape = i.importer.tensor_of(&[rank as i64], ElementType::I32)?;
    let op = stablehlo::ConcatenateOp::build(&i.builder, &sizes, 0);
    let shape = i.step(op.result_types(&[shape]))?;
    let ty = like.ty();
    i.step(stablehlo::DynamicBroadcastInDimOp::build(
        &i.builder,
        number,
        shape,
        &[],
        ty,
    ))
}

/// `reduce-precision`. Without a mantissa, StableHLO converts NaN to infinity; XLA keeps NaN.
pub fn reduce_precision<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>, Failure> {
    let bits = |name: &str| -> Result<_, Failure> {
        let bits = i.expected_integer(name)?;
        let bits = i32::try_from(bits).map_err(|_| failure(format!("'{name}' is too large")))?;
        Ok(i64::from(bits))
    };
    let [value] = i.fixed()?;
    let (exponent, mantissa) = (bits("exponent_bits")?, bits("mantissa_bits")?);
    let op = stablehlo::ReducePrecisionOp::build(&i.builder, value, exponent, mantissa);
    let reduced = i.one(op.result_types(&[i.result_type()?]))?;
    match (mantissa, reduced) {
        (0, Tree::Value(reduced)) => {
            let truth = i.importer.element_type(ElementType::I1)?;
            let truth = value.ty().with_element_type(truth);
            let op = stablehlo::CompareOp::build(&i.builder, value, value, ComparisonDirection::Ne);
            let is_nan = i.step(op.result_types(&[truth]))?;
            let op = stablehlo::SelectOp::build(&i.builder, is_nan, value, reduced);
            let selected = i.step(op.result_types(&[i.result_type()?]))?;
            Ok(Tree::Value(selected))
        }
        (_, reduced) => Ok(reduced),
    }
}

/// Converts a value's elements, as an intermediate op.
pub fn converted<'m>(
    i: &Instruction<'_, 'm>,
    value: Value<'m>,
    element: Type<'m>,
) -> Result<Value<'m>, Failure> {
    let ty = value.ty().with_element_type(element);
    if ty == value.ty() {
        return Ok(value);
    }
    i.step(stablehlo::ConvertOp::build(&i.builder, value, ty))
}
