//! Elementwise ops, and ops without operands.

use super::computation::{ComputationBuilder, Instruction};
use super::failure::failure;
use super::types::array_shape;
use halo_hlo::literals::literal_for;
use halo_hlo::semantics::op::Op;
use halo_hlo_text::{ArrayShape, Constant, Opcode, ResultAccuracy, Shape, Value};
use halo_ir::{
    ops::Op as _,
    prelude::*,
    stablehlo::attributes::{
        ComparisonDirection, ComparisonType, ResultAccuracy as Accuracy, RngAlgorithm,
        RngDistribution,
    },
};
use halo_runtime::Error;

/// The opcode with an op's operands and no additional attributes.
pub fn opcode(name: &str) -> Option<Opcode> {
    Some(match name.split_once('.')?.1 {
        "abs" => Opcode::Abs,
        "acos" => Opcode::Acos,
        "acosh" => Opcode::Acosh,
        "add" => Opcode::Add,
        "and" => Opcode::And,
        "asin" => Opcode::Asin,
        "asinh" => Opcode::Asinh,
        "atan" => Opcode::Atan,
        "atan2" => Opcode::Atan2,
        "atanh" => Opcode::Atanh,
        "bitcast_convert" => Opcode::BitcastConvert,
        "cbrt" => Opcode::Cbrt,
        "ceil" => Opcode::Ceil,
        "complex" => Opcode::Complex,
        "convert" => Opcode::Convert,
        "cosh" => Opcode::Cosh,
        "cosine" => Opcode::Cosine,
        "count_leading_zeros" => Opcode::CountLeadingZeros,
        "divide" => Opcode::Divide,
        "dynamic_update_slice" => Opcode::DynamicUpdateSlice,
        "erf" => Opcode::Erf,
        "exponential" => Opcode::Exponential,
        "exponential_minus_one" => Opcode::ExponentialMinusOne,
        "floor" => Opcode::Floor,
        "imag" => Opcode::Imag,
        "is_finite" => Opcode::IsFinite,
        "log" => Opcode::Log,
        "log_plus_one" => Opcode::LogPlusOne,
        "logistic" => Opcode::Logistic,
        "maximum" => Opcode::Maximum,
        "minimum" => Opcode::Minimum,
        "mulhi" => Opcode::Mulhi,
        "multiply" => Opcode::Multiply,
        "negate" => Opcode::Negate,
        "not" => Opcode::Not,
        "or" => Opcode::Or,
        "partition_id" => Opcode::PartitionId,
        "popcnt" => Opcode::Popcnt,
        "power" => Opcode::Power,
        "real" => Opcode::Real,
        "remainder" => Opcode::Remainder,
        "replica_id" => Opcode::ReplicaId,
        "reshape" => Opcode::Reshape,
        "round_nearest_afz" => Opcode::RoundNearestAfz,
        "round_nearest_even" => Opcode::RoundNearestEven,
        "rsqrt" => Opcode::Rsqrt,
        "shift_left" => Opcode::ShiftLeft,
        "shift_right_arithmetic" => Opcode::ShiftRightArithmetic,
        "shift_right_logical" => Opcode::ShiftRightLogical,
        "sign" => Opcode::Sign,
        "sine" => Opcode::Sine,
        "sinh" => Opcode::Sinh,
        "sqrt" => Opcode::Sqrt,
        "subtract" => Opcode::Subtract,
        "tan" => Opcode::Tan,
        "tanh" => Opcode::Tanh,
        "xor" => Opcode::Xor,
        _ => return None,
    })
}

pub fn elementwise<'c>(
    builder: &mut ComputationBuilder<'_, 'c>,
    op: Operation<'c>,
    opcode: Opcode,
) -> Result<(), Error> {
    let accuracy = op.attribute("result_accuracy").and_then(Accuracy::from_attribute);
    let accuracy = match accuracy {
        Some(Accuracy::Highest) => Some(ResultAccuracy::Mode("highest".into())),
        Some(Accuracy::Tolerance { atol, rtol, ulps }) => {
            Some(ResultAccuracy::Tolerance { atol, rtol, ulps })
        }
        Some(Accuracy::Default) | None => None,
    };
    let instruction = builder.instruction(op, opcode)?;
    let accuracy = accuracy.map(Value::ResultAccuracy);
    builder.define(op, instruction.with_some("result_accuracy", accuracy))
}

pub fn constant<'c>(
    builder: &mut ComputationBuilder<'_, 'c>,
    op: Operation<'c>,
) -> Result<(), Error> {
    let ty = op.result_types().first().copied();
    let (Some(value), Some(ty)) = (op.attribute("value"), ty) else {
        return Err(failure(op, "has no value"));
    };
    let literal = literal_for(value, ty).map_err(|message| failure(op, message))?;
    let instruction = builder.instruction(op, Opcode::Constant)?;
    if literal.element_count() <= 1 || !literal.is_splat() {
        return builder.define(op, instruction.constant(Constant::Array(literal)));
    }
    // One element, repeated.
    let width = literal.element_type().byte_width();
    let element = halo_core::Shape::new(literal.element_type(), Vec::new())
        .and_then(|shape| halo_core::Literal::from_bytes(shape, &literal.bytes()[..width]))
        .map_err(|error| failure(op, error.to_string()))?;
    let shape = array_shape(literal.element_type(), &[]);
    let scalar = Instruction::new(Opcode::Constant, shape).constant(Constant::Array(element));
    let scalar = builder.add(scalar);
    let broadcast = builder.instruction(op, Opcode::Broadcast)?.on(vec![scalar]);
    builder.define(
        op,
        broadcast.with("dimensions", Value::Integers(Vec::new())),
    )
}

pub fn iota<'c>(builder: &mut ComputationBuilder<'_, 'c>, op: Operation<'c>) -> Result<(), Error> {
    let dimension = integer(op, "iota_dimension")?;
    let instruction = builder.instruction(op, Opcode::Iota)?;
    builder.define(op, instruction.with("iota_dimension", dimension))
}

pub fn compare<'c>(
    builder: &mut ComputationBuilder<'_, 'c>,
    op: Operation<'c>,
) -> Result<(), Error> {
    let direction = op
        .attribute("comparison_direction")
        .and_then(ComparisonDirection::from_attribute)
        .ok_or_else(|| failure(op, "has no direction"))?;
    // If the element type allows only one order, it is not written: HLO rejects any other.
    let is_total = op.attribute("compare_type").and_then(ComparisonType::from_attribute)
        == Some(ComparisonType::TotalOrder);
    let operand = op.operands().first().copied();
    let total = is_total && operand.is_some_and(|value| value.ty().element_type().is_float());
    let instruction = builder
        .instruction(op, Opcode::Compare)?
        .with("direction", word(direction.as_str()))
        .with_some("type", total.then(|| word("TOTALORDER")));
    builder.define(op, instruction)
}

pub fn reduce_precision<'c>(
    builder: &mut ComputationBuilder<'_, 'c>,
    op: Operation<'c>,
) -> Result<(), Error> {
    let instruction = builder
        .instruction(op, Opcode::ReducePrecision)?
        .with("exponent_bits", integer(op, "exponent_bits")?)
        .with("mantissa_bits", integer(op, "mantissa_bits")?);
    builder.define(op, instruction)
}

/// The third operand, the shape, is the result's.
pub fn rng<'c>(builder: &mut ComputationBuilder<'_, 'c>, op: Operation<'c>) -> Result<(), Error> {
    let distribution = op.attribute("rng_distribution").and_then(RngDistribution::from_attribute);
    let distribution = match distribution {
        Some(RngDistribution::Uniform) => "rng_uniform",
        Some(RngDistribution::Normal) => "rng_normal",
        None => return Err(failure(op, "has no distribution")),
    };
    let mut operands = builder.operands(op)?;
    operands.truncate(2);
    let instruction = builder.instruction(op, Opcode::Rng)?.on(operands);
    builder.define(op, instruction.with("distribution", word(distribution)))
}

pub fn rng_bit_generator<'c>(
    builder: &mut ComputationBuilder<'_, 'c>,
    op: Operation<'c>,
) -> Result<(), Error> {
    let algorithm = op.attribute("rng_algorithm").and_then(RngAlgorithm::from_attribute);
    let algorithm = match algorithm {
        Some(RngAlgorithm::Default) => "rng_default",
        Some(RngAlgorithm::ThreeFry) => "rng_three_fry",
        Some(RngAlgorithm::Philox) => "rng_philox",
        None => return Err(failure(op, "has no algorithm")),
    };
    let instruction = builder.instruction(op, Opcode::RngBitGenerator)?;
    builder.define(op, instruction.with("algorithm", word(algorithm)))
}

/// `select` and `clamp`, whose scalar operands are broadcast to the shape of the result for HLO.
pub fn with_scalars<'c>(
    builder: &mut ComputationBuilder<'_, 'c>,
    op: Operation<'c>,
) -> Result<(), Error> {
    let opcode = match op.name() {
        stablehlo::SelectOp::NAME => Opcode::Select,
        _ => Opcode::Clamp,
    };
    let instruction = builder.instruction(op, opcode)?;
    let mut operands = Vec::new();
    for value in op.operands() {
        let name = builder.name_of(op, value)?;
        let shape = builder.shape_of(op, value)?;
        let rank = |shape: &Shape| match shape {
            Shape::Array(array) => array.dimensions.len(),
            _ => 0,
        };
        operands.push(match (&shape, &instruction.0.shape) {
            (Shape::Array(scalar), Shape::Array(result))
                if rank(&shape) == 0 && !result.dimensions.is_empty() =>
            {
                let shape = Shape::Array(ArrayShape {
                    element_type: scalar.element_type,
                    ..result.clone()
                });
                builder.add(
                    Instruction::new(Opcode::Broadcast, shape)
                        .on(vec![name])
                        .with("dimensions", Value::Integers(Vec::new())),
                )
            }
            _ => name,
        });
    }
    builder.define(op, instruction.on(operands))
}

/// A word of the text.
pub fn word(text: &str) -> Value {
    Value::Word(text.to_owned())
}

/// An integer attribute of an op.
pub fn integer(op: Operation, name: &str) -> Result<Value, Error> {
    let value = op.attribute(name).and_then(Attribute::integer_value);
    let value = value.ok_or_else(|| failure(op, format!("has no integer '{name}'")))?;
    Ok(Value::Integer(value))
}

/// A list of integers of an op.
pub fn integers(op: Operation, name: &str) -> Result<Vec<i64>, Error> {
    let values = Op::Built(op).integers(name);
    values.map_err(|message| failure(op, message))
}
