//! Infers the types of instructions that are written without one. XLA prints every type, and infers
//! omitted ones.
//!
//! Mismatched operands have no type here, and are reported as a missing type; the compiler's front
//! end checks whether an instruction is valid.

mod contractions;
mod reductions;
mod shaping;

use std::collections::HashMap;

use halo_core::ElementType;

use crate::{ArrayShape, Dimension, HloInstruction, Opcode, Shape, Value};

/// An instruction whose type is looked for.
struct Untyped<'a> {
    instruction: &'a HloInstruction,
    operands: &'a [&'a Shape],
    /// The types of the results of the computations read so far.
    results: &'a HashMap<String, Shape>,
}

/// The type of an instruction, given the types of its operands and of the results of computations.
/// `None` if it does not follow from them.
pub(super) fn shape(
    instruction: &HloInstruction,
    operands: &[&Shape],
    results: &HashMap<String, Shape>,
) -> Option<Shape> {
    let untyped = Untyped {
        instruction,
        operands,
        results,
    };
    let shape = untyped.shape()?;
    crate::validity::of_sizes(&shape).ok()?;
    Some(shape)
}

impl Untyped<'_> {
    fn shape(&self) -> Option<Shape> {
        use Opcode::*;
        match self.instruction.opcode {
            Abs | Real | Imag => {
                let array = self.array(0)?;
                self.like(0, array.element_type.real_part())
            }
            Compare | IsFinite => self.like(0, ElementType::I1),
            Complex => match self.array(0)?.element_type {
                ElementType::F32 => self.like(0, ElementType::Complex64),
                ElementType::F64 => self.like(0, ElementType::Complex128),
                _ => None,
            },
            Clamp | Select => self.operand(1),
            Acos | Acosh | Add | AddDependency | And | Asin | Asinh | Atan | Atan2 | Atanh
            | Cbrt | Ceil | Cholesky | Copy | Cosh | Cosine | CountLeadingZeros | Divide
            | Domain | Erf | Exponential | ExponentialMinusOne | Floor | Log | LogPlusOne
            | Logistic | Maximum | Minimum | Mulhi | Multiply | Negate | Not | OptBarrier | Or
            | Popcnt | Power | Remainder | Reverse | RoundNearestAfz | RoundNearestEven | Rsqrt
            | ShiftLeft | ShiftRightArithmetic | ShiftRightLogical | Sign | Sine | Sinh | Sqrt
            | Subtract | Tan | Tanh | While | Xor => self.operand(0),
            BatchNormInference | SelectAndScatter => self.operand(0),
            BatchNormGrad | BatchNormTraining => self.batch_norm(),
            TriangularSolve => self.operand(1),
            AfterAll => Some(Shape::Token),
            PartitionId | ReplicaId => Some(scalar(ElementType::Ui32)),
            GetDimensionSize => Some(scalar(ElementType::I32)),
            Tuple => Some(Shape::Tuple(self.all_operands())),
            GetTupleElement => match (self.operands.first()?, self.attribute("index")?) {
                (Shape::Tuple(shapes), Value::Integer(index)) => {
                    shapes.get(usize::try_from(*index).ok()?).cloned()
                }
                _ => None,
            },
            Call => self.called("to_apply"),
            Conditional => self.conditional(),
            Sort => self.joined(self.all_operands()),
            Scatter => {
                let count = (self.operands.len().checked_sub(1)?) / 2;
                let arrays = self.operands.get(..count)?.iter();
                self.joined(arrays.map(|shape| (*shape).clone()).collect())
            }
            Concatenate => self.concatenate(),
            Gather => self.gather(),
            Pad => self.pad(),
            SetDimensionSize => self.set_dimension_size(),
            Topk => self.top_k(),
            Transpose => self.transpose(),
            Convolution => self.convolution(),
            Dot => self.dot(),
            Fft => self.fft(),
            Map => self.map(),
            Reduce => self.reduce(),
            ReduceWindow => self.reduce_window(),
            _ => None,
        }
    }

    fn attribute(&self, name: &str) -> Option<&Value> {
        self.instruction.attributes.get(name)
    }

    fn operand(&self, number: usize) -> Option<Shape> {
        self.operands.get(number).map(|shape| (*shape).clone())
    }

    fn all_operands(&self) -> Vec<Shape> {
        let operands = self.operands.iter();
        operands.map(|shape| (*shape).clone()).collect()
    }

    /// An operand that is an array.
    fn array(&self, number: usize) -> Option<&ArrayShape> {
        match self.operands.get(number)? {
            Shape::Array(array) => Some(array),
            _ => None,
        }
    }

    /// The type of an operand with another element type.
    fn like(&self, number: usize, element_type: ElementType) -> Option<Shape> {
        let array = self.array(number)?.clone();
        Some(Shape::Array(ArrayShape {
            element_type,
            ..array
        }))
    }

    /// A single type unchanged, several as a tuple.
    fn joined(&self, mut shapes: Vec<Shape>) -> Option<Shape> {
        match shapes.len() {
            0 => None,
            1 => shapes.pop(),
            _ => Some(Shape::Tuple(shapes)),
        }
    }

    /// The result of the computation that an attribute names or is.
    fn called(&self, name: &str) -> Option<Shape> {
        self.result_of(self.attribute(name)?)
    }

    fn result_of(&self, computation: &Value) -> Option<Shape> {
        match computation {
            Value::Computation(name) => self.results.get(name).cloned(),
            Value::InlineComputation(inline) => Some(inline.root()?.shape.clone()),
            _ => None,
        }
    }

    fn conditional(&self) -> Option<Shape> {
        match self.attribute("branch_computations") {
            Some(Value::Computations(names)) => self.results.get(names.first()?).cloned(),
            Some(_) => None,
            None => self.called("true_computation").or_else(|| self.called("false_computation")),
        }
    }

    fn integer(&self, name: &str) -> Option<i64> {
        match self.attribute(name)? {
            Value::Integer(value) => Some(*value),
            _ => None,
        }
    }

    /// Integers; `None` if not written.
    fn integers(&self, name: &str) -> Option<&[i64]> {
        match self.attribute(name) {
            None => Some(&[]),
            Some(Value::Integers(values)) => Some(values),
            Some(_) => None,
        }
    }
}

/// An array without a layout.
fn array(element_type: ElementType, dimensions: Vec<Dimension>) -> Shape {
    Shape::Array(ArrayShape {
        element_type,
        dimensions,
        layout: None,
    })
}

fn scalar(element_type: ElementType) -> Shape {
    array(element_type, Vec::new())
}

/// An entry of a list at a number of the text.
fn at<T: Copy>(list: &[T], position: i64) -> Option<T> {
    list.get(usize::try_from(position).ok()?).copied()
}

/// The size, or its bound.
fn size_of(dimension: Dimension) -> Option<i64> {
    match dimension {
        Dimension::Static(size) | Dimension::Bounded(size) => Some(size),
        Dimension::Unbounded => None,
    }
}

/// A dimension with another size, as static or bounded as the original.
fn resized(dimension: Dimension, size: i64) -> Dimension {
    match dimension {
        Dimension::Bounded(_) => Dimension::Bounded(size),
        _ => Dimension::Static(size),
    }
}
