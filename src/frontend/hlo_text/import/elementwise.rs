//! Ops on elements: functions, comparisons, conversions.

use super::{Result, failure, instruction::Instruction, values::Tree};
use halo_core::ElementType;
use halo_hlo_text::{ArrayShape, Dimension, Opcode, ResultAccuracy as Accuracy};
use halo_ir::stablehlo::attributes::{ComparisonDirection, ComparisonType, ResultAccuracy};
use halo_ir::{Attribute, Type, Value};
use melior::ir::ValueLike;

/// The op of StableHLO or CHLO that does the same with the same operands, and
/// whether it may be told how exact to be.
pub fn op_of(opcode: Opcode) -> Option<(&'static str, bool)> {
    use Opcode as O;
    Some(match opcode {
        O::Abs => ("stablehlo.abs", false),
        O::Acos => ("chlo.acos", false),
        O::Acosh => ("chlo.acosh", false),
        O::Add => ("stablehlo.add", false),
        O::And => ("stablehlo.and", false),
        O::Asin => ("chlo.asin", false),
        O::Asinh => ("chlo.asinh", false),
        O::Atan => ("chlo.atan", false),
        O::Atan2 => ("stablehlo.atan2", false),
        O::Atanh => ("chlo.atanh", false),
        O::Cbrt => ("stablehlo.cbrt", true),
        O::Ceil => ("stablehlo.ceil", false),
        O::Clamp => ("stablehlo.clamp", false),
        O::Complex => ("stablehlo.complex", false),
        O::Cosh => ("chlo.cosh", false),
        O::Cosine => ("stablehlo.cosine", true),
        O::CountLeadingZeros => ("stablehlo.count_leading_zeros", false),
        O::Divide => ("stablehlo.divide", false),
        O::Erf => ("chlo.erf", false),
        O::Exponential => ("stablehlo.exponential", true),
        O::ExponentialMinusOne => ("stablehlo.exponential_minus_one", true),
        O::Floor => ("stablehlo.floor", false),
        O::Imag => ("stablehlo.imag", false),
        O::IsFinite => ("stablehlo.is_finite", false),
        O::Log => ("stablehlo.log", true),
        O::LogPlusOne => ("stablehlo.log_plus_one", true),
        O::Logistic => ("stablehlo.logistic", true),
        O::Maximum => ("stablehlo.maximum", false),
        O::Minimum => ("stablehlo.minimum", false),
        O::Mulhi => ("chlo.mulhi", false),
        O::Multiply => ("stablehlo.multiply", false),
        O::Negate => ("stablehlo.negate", false),
        O::Not => ("stablehlo.not", false),
        O::Or => ("stablehlo.or", false),
        O::Popcnt => ("stablehlo.popcnt", false),
        O::Power => ("stablehlo.power", false),
        O::Real => ("stablehlo.real", false),
        O::Remainder => ("stablehlo.remainder", false),
        O::RoundNearestAfz => ("stablehlo.round_nearest_afz", false),
        O::RoundNearestEven => ("stablehlo.round_nearest_even", false),
        O::Rsqrt => ("stablehlo.rsqrt", true),
        O::Select => ("stablehlo.select", false),
        O::ShiftLeft => ("stablehlo.shift_left", false),
        O::ShiftRightArithmetic => ("stablehlo.shift_right_arithmetic", false),
        O::ShiftRightLogical => ("stablehlo.shift_right_logical", false),
        O::Sign => ("stablehlo.sign", false),
        O::Sine => ("stablehlo.sine", true),
        O::Sinh => ("chlo.sinh", false),
        O::Sqrt => ("stablehlo.sqrt", true),
        O::Subtract => ("stablehlo.subtract", false),
        O::Tan => ("stablehlo.tan", true),
        O::Tanh => ("stablehlo.tanh", true),
        O::Xor => ("stablehlo.xor", false),
        _ => return None,
    })
}

/// An op of [`op_of`].
pub fn function<'m>(i: &Instruction<'_, 'm>, name: &str, exact: bool) -> Result<Tree<'m>> {
    let mut op = i.op(name).operands(&i.values()?);
    if exact && let Some(accuracy) = result_accuracy(i)? {
        op = op.attribute("result_accuracy", accuracy);
    }
    i.one(op.result(i.result_type()?))
}

/// How exact a function is to be; nothing where the backend may choose.
fn result_accuracy<'m>(i: &Instruction<'_, 'm>) -> Result<Option<Attribute<'m>>> {
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
pub fn compare<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>> {
    use ComparisonDirection as D;
    let word = i.word("direction")?.ok_or_else(|| i.missing("direction"))?;
    let direction = [D::Eq, D::Ne, D::Ge, D::Gt, D::Le, D::Lt]
        .into_iter()
        .find(|direction| direction.as_str() == word)
        .ok_or_else(|| failure(format!("there is no comparison direction '{word}'")))?;
    let context = i.importer.context;
    let mut op = i
        .op("stablehlo.compare")
        .operands(&i.values()?)
        .attribute("comparison_direction", direction.to_attribute(context));
    if let Some(word) = i.word("type")? {
        use ComparisonType as T;
        let order = [T::Float, T::TotalOrder, T::Signed, T::Unsigned]
            .into_iter()
            .find(|order| order.as_str() == word)
            .ok_or_else(|| failure(format!("there is no comparison type '{word}'")))?;
        // XLA reads one that the elements do not have, and knows only theirs.
        if has_order(i.operand_array(0)?.element_type, order) {
            op = op.attribute("compare_type", order.to_attribute(context));
        }
    }
    i.one(op.result(i.result_type()?))
}

/// Whether elements can be compared in an order.
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

/// `convert`. To a predicate it asks for what is not zero, as a cast in C does;
/// `stablehlo.convert` would say the same, but XLA says it with a comparison.
pub fn convert<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>> {
    let from = i.operand_array(0)?;
    let to = i.result_array()?;
    if to.element_type != ElementType::I1 {
        return i.plain("stablehlo.convert");
    }
    let value = i.value(0)?;
    let zero = zeros_like(i, value, from)?;
    let context = i.importer.context;
    let op = i
        .op("stablehlo.compare")
        .operands(&[value, zero])
        .attribute(
            "comparison_direction",
            ComparisonDirection::Ne.to_attribute(context),
        );
    i.one(op.result(i.result_type()?))
}

/// Zeros in the shape of an array. Where a dimension is bounded, they are as many
/// as it may have, cut to the size that it has.
fn zeros_like<'m>(
    i: &Instruction<'_, 'm>,
    value: Value<'m>,
    array: &ArrayShape,
) -> Result<Value<'m>> {
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
            if let Some(place) = known.dimensions.get_mut(number) {
                *place = *dimension;
            }
            let r#type = i
                .importer
                .type_of(&halo_hlo_text::Shape::Array(known.clone()))?;
            let op = i
                .op("stablehlo.set_dimension_size")
                .operands(&[zeros, size]);
            let number = i.importer.integer_attribute(64, number as i64);
            zeros = i.step(op.attribute("dimension", number).result(r#type))?;
        }
    }
    Ok(zeros)
}

fn dimension_size<'m>(i: &Instruction<'_, 'm>, value: Value<'m>, dim: i64) -> Result<Value<'m>> {
    let op = i.op("stablehlo.get_dimension_size").operands(&[value]);
    let op = op.attribute("dimension", i.importer.integer_attribute(64, dim));
    i.step(op.result(i.importer.tensor_of(&[], ElementType::I32)?))
}

/// A number in the shape that a value turns out to have.
fn spread<'m>(
    i: &Instruction<'_, 'm>,
    number: Value<'m>,
    like: Value<'m>,
    array: &ArrayShape,
) -> Result<Value<'m>> {
    let rank = array.dimensions.len();
    let one = i.importer.tensor_of(&[1], ElementType::I32)?;
    let mut sizes = Vec::new();
    for dimension in 0..rank {
        let size = dimension_size(i, like, dimension as i64)?;
        sizes.push(i.step(i.op("stablehlo.reshape").operands(&[size]).result(one))?);
    }
    let shape = i.importer.tensor_of(&[rank as i64], ElementType::I32)?;
    let op = i.op("stablehlo.concatenate").operands(&sizes);
    let op = op.attribute("dimension", i.importer.integer_attribute(64, 0));
    let shape = i.step(op.result(shape))?;
    let op = i
        .op("stablehlo.dynamic_broadcast_in_dim")
        .operands(&[number, shape])
        .attribute(
            "broadcast_dimensions",
            halo_ir::i64_array_attribute(i.importer.context, &[]),
        );
    i.step(op.result(like.r#type()))
}

/// `reduce-precision`. Without a mantissa there is no NaN for StableHLO, which gives
/// infinity; in XLA it stays what it is.
pub fn reduce_precision<'m>(i: &Instruction<'_, 'm>) -> Result<Tree<'m>> {
    let bits = |name: &str| -> Result<_> {
        let bits = i.expected_integer(name)?;
        let bits = i32::try_from(bits).map_err(|_| failure(format!("'{name}' is too large")))?;
        Ok(i.importer.integer_attribute(32, bits.into()))
    };
    let op = i
        .op("stablehlo.reduce_precision")
        .operands(&i.values()?)
        .attribute("exponent_bits", bits("exponent_bits")?)
        .attribute("mantissa_bits", bits("mantissa_bits")?);
    let reduced = i.one(op.result(i.result_type()?))?;
    match (i.expected_integer("mantissa_bits")?, reduced) {
        (0, Tree::Value(reduced)) => {
            let value = i.value(0)?;
            let truth = i.importer.element_type(ElementType::I1)?;
            let direction = ComparisonDirection::Ne.to_attribute(i.importer.context);
            let op = i.op("stablehlo.compare").operands(&[value, value]);
            let op = op.attribute("comparison_direction", direction);
            let is_nan = i.step(op.result(halo_ir::with_element_type(value.r#type(), truth)))?;
            let op = i.op("stablehlo.select").operands(&[is_nan, value, reduced]);
            Ok(Tree::Value(i.step(op.result(i.result_type()?))?))
        }
        (_, reduced) => Ok(reduced),
    }
}

/// Converts a value's elements on the way.
pub fn converted<'m>(
    i: &Instruction<'_, 'm>,
    value: Value<'m>,
    element: Type<'m>,
) -> Result<Value<'m>> {
    let r#type = halo_ir::with_element_type(value.r#type(), element);
    if r#type == value.r#type() {
        return Ok(value);
    }
    i.step(i.op("stablehlo.convert").operands(&[value]).result(r#type))
}
