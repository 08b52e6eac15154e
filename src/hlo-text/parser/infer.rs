//! The types of instructions that are written without one, where they follow
//! from the operands at once. XLA prints every type; people leave some out.

use std::collections::HashMap;

use halo_core::ElementType;

use crate::{ArrayShape, HloInstruction, Opcode, Shape, Value};

/// The type of an instruction, given the types of its operands and those of
/// the results of computations. None if it does not follow from them.
pub(super) fn shape(
    instruction: &HloInstruction,
    operands: &[&Shape],
    results: &HashMap<String, Shape>,
) -> Option<Shape> {
    use Opcode::*;
    let first = || operands.first().map(|shape| (*shape).clone());
    let with_type = |element_type: ElementType| match operands.first()? {
        Shape::Array(array) => Some(Shape::Array(ArrayShape {
            element_type,
            ..array.clone()
        })),
        _ => None,
    };
    match instruction.opcode {
        Abs | Real | Imag => match operands.first()? {
            Shape::Array(array) => with_type(array.element_type.real_part()),
            _ => None,
        },
        Compare | IsFinite => with_type(ElementType::I1),
        Complex => match operands.first()? {
            Shape::Array(array) if array.element_type == ElementType::F32 => {
                with_type(ElementType::Complex64)
            }
            Shape::Array(array) if array.element_type == ElementType::F64 => {
                with_type(ElementType::Complex128)
            }
            _ => None,
        },
        Clamp | Select => operands.get(1).map(|shape| (*shape).clone()),
        Acos | Acosh | Add | AddDependency | And | Asin | Asinh | Atan | Atan2 | Atanh | Cbrt
        | Ceil | Cholesky | Copy | Cosh | Cosine | CountLeadingZeros | Divide | Domain | Erf
        | Exponential | ExponentialMinusOne | Floor | Log | LogPlusOne | Logistic | Maximum
        | Minimum | Mulhi | Multiply | Negate | Not | OptBarrier | Or | Popcnt | Power
        | Remainder | Reverse | RoundNearestAfz | RoundNearestEven | Rsqrt | ShiftLeft
        | ShiftRightArithmetic | ShiftRightLogical | Sign | Sine | Sinh | Sqrt | Subtract | Tan
        | Tanh | While | Xor => first(),
        AfterAll => Some(Shape::Token),
        PartitionId | ReplicaId => Some(Shape::Array(ArrayShape {
            element_type: ElementType::Ui32,
            dimensions: Vec::new(),
            layout: None,
        })),
        Tuple => {
            let shapes = operands.iter().map(|shape| (*shape).clone());
            Some(Shape::Tuple(shapes.collect()))
        }
        GetTupleElement => match (operands.first()?, instruction.attributes.get("index")?) {
            (Shape::Tuple(shapes), Value::Integer(index)) => {
                shapes.get(usize::try_from(*index).ok()?).cloned()
            }
            _ => None,
        },
        Call => match instruction.attributes.get("to_apply")? {
            Value::Computation(name) => results.get(name).cloned(),
            _ => None,
        },
        Conditional => match instruction.attributes.iter().next()?.1 {
            Value::Computation(name) => results.get(name).cloned(),
            Value::Computations(names) => results.get(names.first()?).cloned(),
            _ => None,
        },
        _ => None,
    }
}
